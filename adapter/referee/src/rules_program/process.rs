//! One process of a rules program: lines out, and all answers up to a `readyok`, which are checked.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kit::{Options, Outcome, Side};
use protocol::text::excerpt;
use protocol::{Line, OptionDecl, Query, Reply};

use crate::arbiter::{Answers, Statement, is_code};
use crate::engine::{Lines, MAX_OPTIONS, Timeouts};
use crate::process::{Launch, Process};
use crate::stop::Stop;

/// Maximum length of the answers to one request, in bytes.
const MAX_ANSWER: usize = 1 << 24;

/// Option names and values.
pub(super) type Settings = Vec<(String, String)>;

/// The names and values of options.
pub(super) fn settings(options: &Options) -> Settings {
    let values = options.values();
    values
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A running rules program.
#[derive(Debug)]
pub(super) struct RulesProcess {
    lines: Lines,
    /// The time for the answers to one request.
    timeout: Duration,
    /// The options that it declares.
    pub(super) declared: Vec<OptionDecl>,
    /// The values that its options have: the defaults, or those that it was sent.
    values: Settings,
    /// The last line of the last request.
    last_asked: String,
}

impl RulesProcess {
    /// Starts a process and shakes hands. Blocks.
    ///
    /// # Errors
    /// The process does not start or does not answer.
    pub(super) fn start(launch: &Launch, timeouts: Timeouts) -> Result<RulesProcess, String> {
        let process = Process::start(launch).map_err(|error| format!("cannot start: {error}"))?;
        let mut started = RulesProcess {
            lines: Lines::of(process, Stop::default()),
            timeout: timeouts.startup,
            declared: Vec::new(),
            values: Settings::new(),
            last_asked: String::new(),
        };
        let mut declared = Vec::new();
        started.send("ugi\n");
        started.read("ugi", |_, reply| {
            if let Reply::Option(option) = reply {
                declared.push(option);
                return declared.len() > MAX_OPTIONS;
            }
            matches!(reply, Reply::HandshakeOk(_))
        })?;
        if declared.len() > MAX_OPTIONS {
            return Err(format!("declares more than {MAX_OPTIONS} options"));
        }
        started.timeout = timeouts.ping;
        started.values = settings(&Options::new(declared.clone()));
        started.declared = declared;
        Ok(started)
    }

    /// Sends lines after the options that differ from those sent before, and returns the answers. Blocks. All
    /// earlier answers must have been read.
    ///
    /// # Errors
    /// The process dies, is silent for too long, or answers without end.
    pub(super) fn exchange(
        &mut self,
        settings: &Settings,
        lines: &str,
    ) -> Result<Exchange, String> {
        self.ask(settings, lines);
        let mut exchange = Exchange::default();
        self.read_answers(&mut exchange, usize::MAX)?;
        Ok(exchange)
    }

    /// Sends lines after the options that differ from those sent before.
    pub(super) fn ask(&mut self, settings: &Settings, lines: &str) {
        let mut request = String::new();
        for (name, value) in settings {
            let mut known = self.values.iter_mut().filter(|(known, _)| known == name);
            if let Some((_, known)) = known.find(|(_, known)| known != value) {
                request += &format!("setoption name {name} value {value}\n");
                known.clone_from(value);
            }
        }
        self.send(&(request + lines + "isready\n"));
        let last = lines.lines().last().unwrap_or_default();
        last.clone_into(&mut self.last_asked);
    }

    /// Reads answers, up to this number of responses if there is no error before. Blocks.
    ///
    /// # Errors
    /// Those of [`exchange`](RulesProcess::exchange).
    pub(super) fn read_answers(
        &mut self,
        exchange: &mut Exchange,
        n_responses: usize,
    ) -> Result<(), String> {
        let last = std::mem::take(&mut self.last_asked);
        self.read(&last, |line, reply| {
            match reply {
                Reply::ReadyOk => return true,
                Reply::Response(text) => {
                    exchange.responses.push(text);
                    return exchange.error.is_none() && exchange.responses.len() == n_responses;
                }
                Reply::Error(why) => {
                    exchange.error.get_or_insert(why);
                }
                Reply::Info(_) => {}
                _ => exchange.text.push(line.to_owned()),
            }
            false
        })?;
        self.last_asked = last;
        Ok(())
    }

    fn send(&mut self, lines: &str) {
        self.lines.process.send(lines.as_bytes());
    }

    /// Reads replies until `take` returns `true`. `asked` is the line to name if they do not arrive.
    fn read(
        &mut self,
        asked: &str,
        mut take: impl FnMut(&str, Reply) -> bool,
    ) -> Result<(), String> {
        let deadline = Instant::now() + self.timeout;
        let too_much = |what: &str| Err(format!("{what} in answer to \"{}\"", excerpt(asked)));
        let mut n_bytes = 0;
        loop {
            let line = match self.lines.receive("an answer", deadline) {
                Ok((_, Line::Text(line))) => line,
                Ok((_, Line::TooLong(_))) => return too_much("a line of more than 1 MiB"),
                Err(fault) if fault.is_death() => return Err(self.death()),
                Err(_) => {
                    let (asked, seconds) = (excerpt(asked), self.timeout.as_secs_f64());
                    return Err(format!("no answer to \"{asked}\" in {seconds} s"));
                }
            };
            n_bytes += line.len();
            if n_bytes > MAX_ANSWER {
                return too_much("more than 16 MiB");
            }
            let reply = Reply::parse(&line).unwrap_or_else(|_| Reply::Text(line.clone()));
            if take(&line, reply) {
                return Ok(());
            }
        }
    }

    /// The end of a process that has ended or closed its output, with the last line of its standard error.
    fn death(&mut self) -> String {
        let process = &mut self.lines.process;
        let death = process.await_exit(Instant::now() + Duration::from_secs(1));
        let how = death.map_or("closed its output".to_owned(), |death| death.to_string());
        let stderr = process.stderr();
        match stderr.lines().last().map(str::trim) {
            None | Some("") => how,
            Some(last) => format!("{how}: {}", excerpt(last)),
        }
    }
}

/// The answers to some lines.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// The texts after `response`.
    pub(super) responses: Vec<String>,
    /// The first `info error`.
    pub(super) error: Option<String>,
    /// Lines that are no replies of the protocol.
    pub(super) text: Vec<String>,
}

/// The queries about each position.
pub(super) const QUERIES: [Query; 4] =
    [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];

/// The answers to the [`QUERIES`].
#[derive(Debug, PartialEq)]
pub(super) struct PositionState {
    /// The player to move, or who would move next.
    pub(super) side: Side,
    /// The result, if the game is over.
    pub(super) outcome: Option<Outcome>,
    /// The legal moves, separated by blanks.
    pub(super) moves: String,
}

impl Exchange {
    /// The side to move by the answers before that to `query moves`; `None` after an error, and if the game is over.
    pub(super) fn early_side(&self) -> Option<Side> {
        let answers: Vec<&str> = self.responses.iter().map(|text| text.trim()).collect();
        match answers.as_slice() {
            _ if self.error.is_some() => None,
            ["true", "false", "none"] => Some(Side::P1),
            ["false", "false", "none"] => Some(Side::P2),
            _ => None,
        }
    }

    /// Reads all answers.
    ///
    /// # Errors
    /// An answer is missing or no answer to its query, or the answers contradict each other.
    pub(super) fn state(&self) -> Result<PositionState, String> {
        let [_, over, result, moves] = self.responses.as_slice() else {
            let n_answers = self.responses.len();
            let error = self.error.as_deref().unwrap_or("answers missing");
            return Err(format!("{n_answers} answers to 4 queries: {error}"));
        };
        let texts = self
            .responses
            .iter()
            .map(|text| format!("{}\n", text.trim()));
        let answers = Answers {
            texts: texts.collect(),
            complaint: None,
        };
        let read = Statement::read(&QUERIES, &answers).map_err(|fault| fault.to_string())?;
        let Statement {
            is_over, outcome, ..
        } = read;
        let side = match read.is_p1_turn {
            Some(false) => Side::P2,
            _ => Side::P1,
        };
        if is_over != outcome.is_some() {
            let (over, result) = (over.trim(), result.trim());
            return Err(format!("gameover {over} and result {result}"));
        }
        let codes: Vec<&str> = moves.split_whitespace().collect();
        let mut seen = HashSet::new();
        for code in &codes {
            if !is_code(code) || *code == "moves" {
                let code = excerpt(code);
                let what = "which is no move code";
                return Err(format!("answers query moves with \"{code}\", {what}"));
            }
            if !seen.insert(code) {
                return Err(format!("query moves: {code} twice"));
            }
        }
        match (is_over, codes.len()) {
            (false, 0) => return Err("no moves in a game that is not over".to_owned()),
            (true, 1..) => return Err("moves in a game that is over".to_owned()),
            _ => {}
        }
        Ok(PositionState {
            side,
            outcome,
            moves: codes.join(" "),
        })
    }
}

#[cfg(test)]
mod answers_tests {
    use super::*;

    fn read(answers: [&str; 4]) -> Result<PositionState, String> {
        let responses = answers.map(str::to_owned).to_vec();
        let error = None;
        let text = Vec::new();
        Exchange {
            responses,
            error,
            text,
        }
        .state()
    }

    #[test]
    fn answers_are_checked() {
        let state = read(["false", "false", "none", "a1  b2 "]).expect("sound answers");
        assert_eq!(state.side, Side::P2);
        assert_eq!(state.moves, "a1 b2");
        let state = read(["true", "true", "draw", ""]).expect("sound answers");
        assert_eq!(state.outcome, Some(Outcome::Draw));
        for (answers, why) in [
            (
                ["yes", "false", "none", "a1"],
                "answers query p1turn with \"yes\"",
            ),
            (
                ["true", "true", "none", ""],
                "gameover true and result none",
            ),
            (
                ["true", "false", "p1win", "a1"],
                "gameover false and result p1win",
            ),
            (
                ["true", "false", "lost", "a1"],
                "answers query result with \"lost\"",
            ),
            (["true", "false", "none", "a1 a1"], "query moves: a1 twice"),
            (
                ["true", "false", "none", "a1 moves"],
                "answers query moves with \"moves\"",
            ),
            (
                ["true", "false", "none", ""],
                "no moves in a game that is not over",
            ),
            (
                ["true", "true", "p2win", "a1"],
                "moves in a game that is over",
            ),
        ] {
            let error = read(answers).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
        let exchange = Exchange {
            responses: vec!["true".to_owned()],
            error: Some("unknown query".to_owned()),
            ..Exchange::default()
        };
        let error = exchange.state().expect_err("answers are missing");
        assert_eq!(error, "1 answers to 4 queries: unknown query");
    }
}
