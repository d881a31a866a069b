//! One process of a rules program: lines out, and all answers up to a `readyok`.

use std::time::{Duration, Instant};

use protocol::{Line, OptionDecl, Reply};

use super::answers::Exchange;
use crate::engine::{Lines, MAX_OPTIONS, Timeouts};
use crate::process::{Launch, Process};
use crate::stop::Stop;

/// Maximum length of the answers to one request, in bytes.
const MAX_ANSWER: usize = 1 << 24;

/// Option names and values.
pub(super) type Settings = Vec<(String, String)>;

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
        let process = Process::start(launch);
        let process = process.map_err(|error| format!("cannot start: {error}"))?;
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
        let defaults = kit::Options::new(declared.clone());
        let defaults = defaults.values();
        started.values = defaults
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
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
            let known = self.values.iter_mut().find(|(known, _)| known == name);
            let Some((_, known)) = known.filter(|(_, known)| known != value) else {
                continue;
            };
            request += &format!("setoption name {name} value {value}\n");
            known.clone_from(value);
        }
        request += lines;
        self.send(&(request + "isready\n"));
        lines
            .lines()
            .last()
            .unwrap_or_default()
            .clone_into(&mut self.last_asked);
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
        let shown = || protocol::text::excerpt(asked);
        let mut n_bytes = 0;
        loop {
            let line = match self.lines.receive("an answer", deadline) {
                Ok((_, Line::Text(line))) => line,
                Ok((_, Line::TooLong(_))) => {
                    return Err(format!(
                        "a line of more than 1 MiB in answer to \"{}\"",
                        shown()
                    ));
                }
                Err(fault) if fault.is_death() => return Err(self.death()),
                Err(_) => {
                    let seconds = self.timeout.as_secs_f64();
                    return Err(format!("no answer to \"{}\" in {seconds} s", shown()));
                }
            };
            n_bytes += line.len();
            if n_bytes > MAX_ANSWER {
                return Err(format!("more than 16 MiB in answer to \"{}\"", shown()));
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
            Some(last) => format!("{how}: {}", protocol::text::excerpt(last)),
        }
    }
}
