//! One process of a rules program: lines out, and all answers up to a `readyok`.

use std::time::{Duration, Instant};

use protocol::{Line, OptionDecl, Reply};

use super::Settings;
use crate::process::{AllLines, Launch, Process, Reading};

/// Timeout of any answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum length of the answers to one request, in bytes.
const MAX_ANSWER: usize = 1 << 24;

/// A running rules program.
#[derive(Debug)]
pub(super) struct RulesProcess {
    process: Process<Line>,
    /// The options that it declares.
    pub(super) declared: Vec<OptionDecl>,
    /// The values that its options have: the defaults, or those that it was sent.
    values: Settings,
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

impl RulesProcess {
    /// Starts a process and shakes hands. Blocks.
    ///
    /// # Errors
    /// The process does not start or does not answer.
    pub(super) fn start(launch: &Launch) -> Result<RulesProcess, String> {
        let process = Process::start(launch, AllLines, Reading::Direct);
        let process = process.map_err(|error| format!("cannot start: {error}"))?;
        let mut started = RulesProcess {
            process,
            declared: Vec::new(),
            values: Settings::new(),
        };
        let mut declared = Vec::new();
        started.send("ugi\n");
        started.read("ugi", |_, reply| {
            if let Reply::Option(option) = reply {
                declared.push(option);
                return false;
            }
            matches!(reply, Reply::HandshakeOk(_))
        })?;
        let defaults = kit::Options::new(declared.clone());
        let defaults = defaults.values();
        started.values = defaults
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        started.declared = declared;
        Ok(started)
    }

    /// Sends lines after the options that differ from those sent before, and returns the answers. Blocks.
    ///
    /// # Errors
    /// The process dies, is silent for [`TIMEOUT`], or answers without end.
    pub(super) fn exchange(
        &mut self,
        settings: &Settings,
        lines: &str,
    ) -> Result<Exchange, String> {
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
        let mut exchange = Exchange::default();
        let last = lines.lines().last().unwrap_or_default();
        self.read(last, |line, reply| {
            match reply {
                Reply::ReadyOk => return true,
                Reply::Response(text) => exchange.responses.push(text),
                Reply::Error(why) => {
                    exchange.error.get_or_insert(why);
                }
                Reply::Info(_) => {}
                _ => exchange.text.push(line.to_owned()),
            }
            false
        })?;
        Ok(exchange)
    }

    fn send(&mut self, lines: &str) {
        self.process.send(lines.as_bytes());
    }

    /// Reads replies until `take` returns `true`. `asked` is the line to name if they do not arrive.
    fn read(
        &mut self,
        asked: &str,
        mut take: impl FnMut(&str, Reply) -> bool,
    ) -> Result<(), String> {
        let deadline = Instant::now() + TIMEOUT;
        let mut n_bytes = 0;
        loop {
            while let Some(received) = self.process.receive() {
                let Line::Text(line) = received.message else {
                    return Err(format!(
                        "a line of more than 1 MiB in answer to \"{asked}\""
                    ));
                };
                n_bytes += line.len();
                let reply = Reply::parse(&line).unwrap_or_else(|_| Reply::Text(line.clone()));
                if take(&line, reply) {
                    return Ok(());
                }
            }
            if self.process.is_output_closed() {
                return Err(self.death());
            }
            let asked = protocol::text::excerpt(asked);
            if n_bytes > MAX_ANSWER {
                return Err(format!("more than 16 MiB in answer to \"{asked}\""));
            }
            if Instant::now() >= deadline {
                let seconds = TIMEOUT.as_secs();
                return Err(format!("no answer to \"{asked}\" in {seconds} s"));
            }
            self.process.wait(deadline);
        }
    }

    /// The end of a process that has closed its output, with the last line of its standard error.
    fn death(&self) -> String {
        let death = self
            .process
            .await_exit(Instant::now() + Duration::from_secs(1));
        let how = death.map_or("closed its output".to_owned(), |death| death.to_string());
        let stderr = self.process.stderr();
        match stderr.lines().last().map(str::trim) {
            None | Some("") => how,
            Some(last) => format!("{how}: {}", protocol::text::excerpt(last)),
        }
    }
}
