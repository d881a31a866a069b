//! A single search, from `go` to `bestmove`, and steps that judge one.

use std::time::{Duration, Instant};

use protocol::{Dialect, Info};

use crate::prelude::*;

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
    /// The text of `info error` before the move.
    pub(super) error: Option<String>,
    /// Time from sending `go`, `stop` or `ponderhit` to the arrival of the answer.
    pub(super) elapsed: Duration,
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
    /// Starts a search with these limits (the words after `go`) and waits for the answer within the default timeout. Fails
    /// the step if there is none.
    pub(super) fn go(&mut self, limits: &str) -> Checked<Found> {
        let asked = self.start_search(limits)?;
        self.await_best(asked)
    }

    /// As [`go`](Dialogue::go), for limits that not every engine knows: skips the step if it rejects them.
    pub(super) fn try_go(&mut self, limits: &str) -> Checked<Found> {
        let asked = self.start_search(limits)?;
        let found = self.answer_to_go(asked)?;
        found.map_err(|why| skip!("not supported: {why}"))
    }

    /// Searches a position with these limits.
    pub(super) fn search(&mut self, opening: &Opening, limits: &str) -> Checked<Found> {
        self.set(opening)?;
        self.go(limits)
    }

    /// Searches a position with these limits; the move must be legal.
    pub(super) fn answer(&mut self, opening: &Opening, limits: &str) -> Checked<Found> {
        let found = self.search(opening, limits)?;
        self.ensure_legal(opening, &found.code)?;
        Ok(found)
    }

    /// Sends `go`. Returns the time of sending.
    pub(super) fn start_search(&mut self, limits: &str) -> Checked<Instant> {
        self.send(format!("go {limits}").trim_end())
    }

    /// Waits for the answer to a command sent at `asked`.
    pub(super) fn await_best(&mut self, asked: Instant) -> Checked<Found> {
        let found = self.answer_to_go(asked)?;
        found.map_err(|why| fail!("no bestmove, but an error: {why}"))
    }

    /// Waits for the answer to a command sent at `asked`, or for the error in its place.
    fn answer_to_go(&mut self, asked: Instant) -> Checked<Result<Found, String>> {
        let mut infos = Vec::new();
        let mut error = None;
        let output = loop {
            let output = self.receive_line("bestmove", asked + self.ping())?;
            if let Some(why) = output.error().filter(|_| infos.is_empty()) {
                let why = error.insert(why.to_owned());
                match self.sync()?.into_iter().find(OutputLine::is_best_move) {
                    Some(best) => break best,
                    None => return Ok(Err(excerpt(why))),
                }
            }
            if output.is_best_move() {
                break output;
            }
            if let Some(Reply::Info(info)) = output.reply {
                infos.push(info);
            }
        };
        let Some(Reply::BestMove { mv, ponder }) = output.reply else {
            return Err(fail!("\"{}\" names no move", excerpt(&output.line)));
        };
        Ok(Ok(Found {
            code: mv,
            ponder,
            line: output.line,
            infos,
            error,
            elapsed: output.at.saturating_duration_since(asked),
        }))
    }

    /// Starts a search that must run until `stop`, and waits until it runs. Skips the step if the engine rejects it.
    pub(super) fn search_until_stop(&mut self, limits: &str) -> Checked<()> {
        self.start_search(limits)?;
        let output = self.sync()?;
        if let Some(why) = output.iter().find_map(OutputLine::error) {
            return Err(skip!("not supported: {}", excerpt(why)));
        }
        let is_running = !output.iter().any(OutputLine::is_best_move);
        ensure!(is_running, "bestmove before stop, in answer to go {limits}");
        Ok(())
    }

    /// Ends the running search by `stop` or `ponderhit`.
    pub(super) fn end_search(&mut self, command: &Command) -> Checked<Found> {
        let asked = self.command(command)?;
        self.await_best(asked)
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

const N_NODES: u64 = 10_000;

/// Fails if an `info` reports many more nodes than `N_NODES`.
pub(super) fn ensure_nodes(found: &Found) -> Outcome {
    const MOST: u64 = N_NODES + N_NODES / 4 + 5000;
    match found.infos.iter().filter_map(|info| info.nodes).max() {
        None => Ok("not measured: no info reports nodes".to_owned()),
        Some(nodes @ 0..=MOST) => Ok(format!("{nodes} of {N_NODES}")),
        Some(nodes) => Err(fail!("searches {nodes} nodes with a limit of {N_NODES}")),
    }
}

/// In a finished game, `go` is answered by an error and `bestmove none`.
pub(super) fn finished(dialogue: &mut Dialogue<'_>) -> Outcome {
    let (case, over) = (dialogue.case, dialogue.finished()?);
    match (refuses_to_search(dialogue, &over), case.rules()) {
        (Err(found), Ok(rules)) if found.kind == FindingKind::WrongAnswer => {
            Err(dialogue.shrunk(rules, &over, &found, |dialogue, line| {
                match board(rules, line).outcome() {
                    Some(_) => refuses_to_search(dialogue, line),
                    None => Ok(()),
                }
            }))
        }
        (judged, _) => judged.and_then(|()| pass()),
    }
}

fn refuses_to_search(dialogue: &mut Dialogue<'_>, over: &Opening) -> Checked<()> {
    let found = dialogue.search(over, "depth 2")?;
    let code = excerpt(&found.code);
    let mut finding = match found.error {
        _ if code != "none" => fail!("plays {code} in a finished game: expected bestmove none"),
        None => warning!("searches a finished game without info error"),
        Some(_) => return Ok(()),
    };
    finding.kind = FindingKind::WrongAnswer;
    Err(finding)
}
