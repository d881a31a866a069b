//! Sends the lines of each request.

use std::fmt::Write;
use std::time::Instant;

use kit::Outcome;
use kit::session::LEARN_RESULT;
use protocol::{Command, Dialect, Go, Query};

use super::Client;
use super::event::Timeouts;
use super::request::{ClientState, EngineRequest};

impl Client {
    /// Sends a request now, or queues it if a reply is outstanding.
    pub(super) fn submit(&mut self, request: EngineRequest, now: Instant) {
        if self.state == ClientState::Idle && self.queue.is_empty() {
            return self.send(request, now);
        }
        self.queue.push_back(request);
        match self.state {
            ClientState::Idle => self.send_next(now),
            _ => self.stop_abandoned(now),
        }
    }

    pub(super) fn send_next(&mut self, now: Instant) {
        while self.state == ClientState::Idle
            && let Some(request) = self.queue.pop_front()
        {
            self.send(request, now);
        }
    }

    pub(super) fn send(&mut self, request: EngineRequest, now: Instant) {
        let Timeouts { startup, ping, .. } = self.timeouts;
        // The engine has accepted this position, and nothing was sent since the queries about it.
        let is_set = self.complaint.is_none()
            && matches!(&request, EngineRequest::Go { position, .. } if *position == self.asked);
        self.asked.clear();
        let (state, timeout) = match request {
            EngineRequest::Handshake(dialect) => {
                self.push(&Command::Handshake(dialect));
                (ClientState::Handshake, startup)
            }
            EngineRequest::Options(options) => {
                self.push_options(&options);
                (ClientState::Setting, startup)
            }
            EngineRequest::NewGame(position) => {
                self.complaint = None;
                self.push(&Command::NewGame);
                if let Some(position) = position {
                    self.push_position(&position);
                }
                self.push(&Command::IsReady);
                (ClientState::Preparing, ping)
            }
            EngineRequest::Probe(queries) => {
                self.push_probe(&queries);
                let probing = ClientState::Probing {
                    left: queries.into(),
                    answered: Vec::new(),
                    missing: Vec::new(),
                    is_again: false,
                };
                (probing, ping)
            }
            EngineRequest::Go {
                position,
                go,
                timeout,
            } => {
                if !is_set {
                    self.push_position(&position);
                }
                let is_fenced = self.push_go(go);
                let asked = now;
                (ClientState::Thinking { asked, is_fenced }, timeout)
            }
            EngineRequest::GameEnd { position, result } => {
                self.push_game_end(&position, result);
                return self.write();
            }
            EngineRequest::Ask { position, queries } => {
                self.push_position(&position);
                self.asked.push_str(&position);
                queries
                    .iter()
                    .for_each(|query| self.push(&Command::Query(*query)));
                let n_due = queries.len();
                (ClientState::Answering { n_due }, ping)
            }
        };
        self.enter(state, Some(timeout), now);
        self.write();
    }

    pub(super) fn push_options(&mut self, options: &[(String, Option<String>)]) {
        for (name, value) in options {
            self.push(&Command::SetOption {
                name: name.clone(),
                value: value.clone(),
            });
        }
        self.push(&Command::IsReady);
    }

    pub(super) fn push_probe(&mut self, queries: &[Query]) {
        for query in queries {
            self.push(&Command::Query(*query));
            self.push(&Command::IsReady);
        }
    }

    /// Adds `go`. UGI gets an `isready` before it as a fence: a `bestmove` before its `readyok` was sent before this
    /// `go`. Returns `true` if there is a fence.
    fn push_go(&mut self, go: Go) -> bool {
        let is_fenced = self.dialect == Dialect::Ugi;
        if is_fenced {
            self.push(&Command::IsReady);
        }
        self.push(&Command::Go(go));
        is_fenced
    }

    pub(super) fn push_position(&mut self, position: &str) {
        self.complaint = None;
        self.asked.clear();
        self.lines.push_str(position);
        self.lines.push('\n');
    }

    pub(super) fn push_game_end(&mut self, position: &str, result: Option<Outcome>) {
        self.push_position(position);
        if let Some(outcome) = result {
            self.push(&Command::SetOption {
                name: LEARN_RESULT.to_owned(),
                value: Some(Outcome::result_word(Some(outcome)).to_owned()),
            });
        }
    }

    pub(super) fn push(&mut self, command: &Command) {
        writeln!(self.lines, "{}", command.display(self.dialect)).expect("a string takes all");
    }

    pub(super) fn write(&mut self) {
        self.transport.send(self.lines.as_bytes());
        self.lines.clear();
    }
}
