//! A single search, from `go` to `bestmove`.

use std::time::{Duration, Instant};

use protocol::{Dialect, Info};

use crate::prelude::*;

/// Output received after a `go`.
#[derive(Debug)]
pub(super) struct Search {
    asked: Instant,
    infos: Vec<Info>,
    /// The text of `info error`.
    pub(super) error: Option<String>,
    best: Option<OutputLine>,
}

/// The answer to a `go`.
#[derive(Debug)]
pub(super) struct Found {
    /// The move.
    pub(super) code: String,
    /// The ponder move: the expected reply.
    pub(super) ponder: Option<String>,
    /// The complete line.
    pub(super) line: String,
    /// All `info` lines except errors.
    pub(super) infos: Vec<Info>,
    /// Time from sending `go`, `stop` or `ponderhit` to the arrival of the answer.
    pub(super) elapsed: Duration,
}

impl Search {
    /// Returns the answer; fails the step if there is none.
    pub(super) fn answered(self) -> Checked<Found> {
        self.or_else(|why| fail!("no bestmove, but an error: {why}"))
    }

    /// Returns the answer; skips the step if there is none.
    pub(super) fn answered_or_skip(self) -> Checked<Found> {
        self.or_else(|why| skip!("not supported: {why}"))
    }

    fn or_else(self, otherwise: impl Fn(&str) -> Finding) -> Checked<Found> {
        let Some(output) = self.best else {
            return Err(otherwise(&excerpt(&self.error.unwrap_or_default())));
        };
        let Some(Reply::BestMove { mv, ponder }) = output.reply else {
            return Err(fail!("\"{}\" names no move", excerpt(&output.line)));
        };
        Ok(Found {
            code: mv,
            ponder,
            line: output.line,
            infos: self.infos,
            elapsed: output.at.saturating_duration_since(self.asked),
        })
    }
}

/// `true` if an `info` has fields other than `string`.
pub(super) fn has_fields(info: &Info) -> bool {
    let bare = Info {
        string: info.string.clone(),
        ..Info::default()
    };
    *info != bare
}

impl Dialogue<'_> {
    /// Starts a search with these limits (the words after `go`) and waits for the answer within the default timeout.
    pub(super) fn go(&mut self, limits: &str) -> Checked<Search> {
        let asked = self.start_search(limits)?;
        self.await_best(asked)
    }

    /// Sends `go`. Returns the time of sending.
    pub(super) fn start_search(&mut self, limits: &str) -> Checked<Instant> {
        self.send(format!("go {limits}").trim_end())
    }

    /// Waits for the answer to a command sent at `asked`.
    pub(super) fn await_best(&mut self, asked: Instant) -> Checked<Search> {
        let mut search = Search {
            asked,
            infos: Vec::new(),
            error: None,
            best: None,
        };
        while search.best.is_none() {
            let output = self.receive_line("bestmove", asked + self.ping())?;
            if output.error().is_some() && search.infos.is_empty() {
                search.error = output.error().map(str::to_owned);
                search.best = self.sync()?.into_iter().find(OutputLine::is_best_move);
                break;
            }
            if output.is_best_move() {
                search.best = Some(output);
            } else if let Some(Reply::Info(info)) = output.reply {
                search.infos.push(info);
            }
        }
        Ok(search)
    }

    /// Starts a search that must run until `stop`, and waits until it runs. Skips the step if the engine rejects it.
    pub(super) fn search_until_stop(&mut self, limits: &str) -> Checked<()> {
        self.start_search(limits)?;
        let output = self.sync()?;
        if let Some(why) = output.iter().find_map(OutputLine::error) {
            return Err(skip!("not supported: {}", excerpt(why)));
        }
        let fault = format!("bestmove before stop, in answer to go {limits}");
        no_best_move(&output, &fault).map(drop)
    }

    /// Stops the running search.
    pub(super) fn stop(&mut self) -> Checked<Found> {
        let asked = self.command(&Command::Stop)?;
        self.await_best(asked)?.answered()
    }

    /// Returns the clock parameters of `go` in the engine's dialect.
    pub(super) fn clock(&self, p1_ms: u64, p2_ms: u64, inc_ms: u64) -> String {
        let [p1, p2, p1_inc, p2_inc] = match self.dialect() {
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
            Dialect::Uai => ["btime", "wtime", "binc", "winc"],
        };
        format!("{p1} {p1_ms} {p2} {p2_ms} {p1_inc} {inc_ms} {p2_inc} {inc_ms}")
    }
}
