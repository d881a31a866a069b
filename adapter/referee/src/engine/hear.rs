//! The output of an engine: its lines are filtered as they are read, then handled according to the state of the dialogue,
//! and made into events.
//!
//! Engines send thousands of `info` lines. The [`Inbox`] drops them, except `info error` and the last line with a score,
//! which is delivered with the `bestmove` that it belongs to.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use memchr::memmem;
use protocol::line::{RawLine, trimmed};
use protocol::text::is_blank_byte;
use protocol::{Dialect, Info, Reply, Score};
use record::engine_spec::Proto;

use super::Engine;
use super::dialogue::{MAX_OPTIONS, State};
use super::fault::{Complaint, Fault, MAX_GREETING};
use crate::process::Life;
use crate::token_bucket::TokenBucket;

/// Maximum number of stored notes.
const MAX_NOTES: usize = 10;

/// An event of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineEvent {
    /// The process is started, and its options are set.
    Started,
    /// Ready for a game.
    Ready,
    /// A move.
    Moved(BestMove),
    /// The responses to all queries of a request, in their order: a line each.
    Responses(String),
    /// Search info selected by [`EngineConfig::infos`](super::EngineConfig::infos).
    Info(Box<Info>),
    /// The message of an engine that has learned from a game.
    Learned(String),
}

impl EngineEvent {
    /// Picks [`Ready`](EngineEvent::Ready).
    pub fn ready(self) -> Option<()> {
        (self == EngineEvent::Ready).then_some(())
    }

    /// Picks a move.
    pub fn moved(self) -> Option<BestMove> {
        match self {
            EngineEvent::Moved(best) => Some(best),
            _ => None,
        }
    }

    /// Picks the responses to queries.
    pub fn responses(self) -> Option<String> {
        match self {
            EngineEvent::Responses(texts) => Some(texts),
            _ => None,
        }
    }
}

/// An event, if there is one, or the engine's fault.
pub type Heard = Result<Option<EngineEvent>, Fault>;

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// Move code as the engine wrote it.
    pub code: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// Time from writing `go` to receiving the answer.
    pub elapsed: Duration,
    /// The content of its last `info` line with a score: score (mate distances as the engine counts them), depth, nodes,
    /// line.
    pub thought: Info,
}

/// Selects the `info` lines with a score that are passed on during a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Infos {
    /// None; the last one is delivered with the `bestmove`.
    #[default]
    None,
    /// Those of the best line, at most 20 per second.
    Best,
    /// Those of all lines, at most 100 per second after the first 256.
    All,
}

/// First word of an `info string` from a bridge to the user: `info string note ...`.
pub const NOTE: &str = "note";

/// A relevant line from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message<'a> {
    /// A `bestmove` line, valid or not.
    BestMove {
        /// The line.
        line: Cow<'a, str>,
        /// The last `info` line with a score since the previous `bestmove`.
        info: Option<Box<Info>>,
    },
    /// The text of a `response` line.
    Response(Cow<'a, str>),
    /// Any other relevant reply: of the handshake, `readyok`, `info error`, `info string learned …`.
    Reply(Reply),
}

/// Finds the relevant lines, and keeps what the `info` lines of a search said.
#[derive(Debug, Default)]
pub(super) struct Filter {
    infos: Infos,
    proto: Proto,
    /// The rate limit of `info` lines; `None` before the first one of a search.
    rate: Option<TokenBucket>,
    /// The content of the `info` lines of the best line in this search; a later line replaces what it repeats.
    scored: Option<Box<Info>>,
    /// Length of the output before `ugiok` or `uciok`, in bytes.
    greeting: usize,
    is_greeted: bool,
}

impl Filter {
    /// A filter for the selected `info` lines and all other messages of an engine.
    pub(super) fn of(infos: Infos, proto: Proto) -> Filter {
        Filter {
            infos,
            proto,
            ..Filter::default()
        }
    }

    /// The message of a line, if it has one, and whether the line is the noise of a search.
    pub(super) fn sift<'a>(&mut self, line: RawLine<'a>) -> (Option<Message<'a>>, bool) {
        let (word, rest) = line.split();
        if !self.is_greeted {
            self.greeting += line.n_bytes();
            self.is_greeted = matches!(word, b"ugiok" | b"uciok" | b"uaiok");
        }
        let mut is_noise = false;
        let message = match (word, line) {
            _ if self.is_endless() => None,
            (b"readyok", _) => Some(Message::Reply(Reply::ReadyOk)),
            (b"info", RawLine::Bytes(bytes)) if !is_kept(rest) => {
                is_noise = true;
                self.info(bytes).map(Reply::Info).map(Message::Reply)
            }
            (b"bestmove", _) => {
                self.rate = None;
                let info = self.scored.take();
                let line = line.text().unwrap_or_default();
                Some(Message::BestMove { line, info })
            }
            (b"response", _) => Some(Message::Response(trimmed(rest))),
            (b"info" | b"id" | b"option" | b"ugiok" | b"uciok" | b"uaiok", _) => {
                let reply = line.text().and_then(|text| Reply::parse(&text));
                reply.ok().map(Message::Reply)
            }
            _ => None,
        };
        (message, is_noise)
    }

    /// `true` if there was too much output before `ugiok`. The rest is dropped.
    fn is_endless(&self) -> bool {
        self.greeting > MAX_GREETING
    }

    fn info(&mut self, line: &[u8]) -> Option<Info> {
        // A text may contain any words.
        let end = memmem::find(line, b" string ").unwrap_or(line.len());
        let holds = |word: &[u8]| memmem::find(&line[..end], word).is_some();
        // Other lines are those of a multi-PV search.
        let is_best = !holds(b" multipv ") || holds(b" multipv 1 ");
        if !holds(b" score ") || !is_best && self.infos != Infos::All {
            return None;
        }
        let Ok(Reply::Info(info)) = Reply::parse(&String::from_utf8_lossy(line)) else {
            return None;
        };
        let mut info = Box::new(info);
        info.score = Some(counted(info.score?, self.proto));
        if is_best {
            let known = self.scored.take().unwrap_or_default();
            info.depth = info.depth.or(known.depth);
            info.nodes = info.nodes.or(known.nodes);
            if info.pv.is_empty() {
                info.pv = known.pv;
            }
            self.scored = Some(info.clone());
        }
        self.has_room().then_some(*info)
    }

    /// `true` if the rate limit allows another line now; counts that line.
    fn has_room(&mut self) -> bool {
        // The lines at once, and those per second.
        let (capacity, per_second) = match self.infos {
            Infos::None => return false,
            Infos::Best => (1.0, 20.0),
            Infos::All => (256.0, 100.0),
        };
        let now = Instant::now();
        let full = || TokenBucket::full(capacity, per_second, now);
        self.rate.get_or_insert_with(full).take(1.0, now)
    }
}

/// `true` for an error, for the message of an engine that has learned from a game, and for a note of a bridge.
fn is_kept(info: &[u8]) -> bool {
    let mut words = info.split(is_blank_byte).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some(b"error"), _) => true,
        (Some(b"string"), Some(word)) => word == b"learned" || word == NOTE.as_bytes(),
        _ => false,
    }
}

impl Engine {
    /// Handles a line that arrived at a time. Returns `true` for the noise of a search.
    pub(super) fn hear(&mut self, at: Instant, line: RawLine<'_>) -> bool {
        self.now = at;
        if self.watch.is_late(at) {
            // Too late for this request, but possibly in time for the next one.
            let fault = self.fall_silent();
            self.events.push_back(Err(fault));
        }
        let (message, is_noise) = self.filter.sift(line);
        if let Some(message) = message {
            let heard = self.take(at, message).transpose();
            self.events.extend(heard);
            self.send_next();
        }
        is_noise
    }

    /// Returns the next event, or a fault that no line reports.
    pub(super) fn next_event(&mut self, life: &mut dyn Life) -> Heard {
        let heard = match self.events.pop_front() {
            Some(heard) => heard.map(Some),
            None => self.check(life).map(|()| None),
        };
        // A table polls an engine while it is learning, so the message comes first.
        self.facts.is_learning &= !matches!(heard, Ok(Some(EngineEvent::Learned(_))));
        heard.map_err(|fault| match fault {
            Fault::Silent(due) if !life.flush() => Fault::Unread(due),
            Fault::Silent(due) if due == self.dialect().handshake_ok() => {
                Fault::ungreeted(self.dialect(), life.last_heard().as_deref())
            }
            fault => fault,
        })
    }

    /// Checks for faults that no line reports: an endless greeting, a closed pipe, a dead process, a missed deadline.
    fn check(&mut self, life: &mut dyn Life) -> Result<(), Fault> {
        let closed = life.closed();
        let checked = match self.filter.is_endless() {
            true => Err(Fault::EndlessGreeting(self.dialect())),
            false => self.watch.check(life, closed, self.due(), self.now),
        };
        checked.map_err(|fault| match fault {
            Fault::Silent(_) => self.fall_silent(),
            fault => {
                self.enter(State::Idle);
                fault
            }
        })
    }

    /// Returns the fault of a missed deadline. The `bestmove` of a search may still arrive, so the search is abandoned.
    fn fall_silent(&mut self) -> Fault {
        let due = self.due().unwrap_or("answer");
        self.queue.clear();
        let is_search = matches!(self.state, State::Thinking { .. } | State::Abandoned { .. });
        let abandoned = State::Abandoned { is_stopped: false };
        self.enter(if is_search { abandoned } else { State::Idle });
        Fault::Silent(due)
    }

    /// Handles a message in the current state.
    fn take(&mut self, at: Instant, message: Message<'_>) -> Heard {
        let (line, info) = match message {
            Message::Reply(reply) => return self.take_reply(reply),
            Message::Response(text) => return self.take_response(text),
            Message::BestMove { line, info } => (line, info),
        };
        match &mut self.state {
            State::Thinking {
                asked, is_fenced, ..
            } => {
                let asked = *asked;
                if *is_fenced || at < asked {
                    // The answer to this search is still outstanding.
                    self.enter(State::Abandoned { is_stopped: false });
                    return Err(Fault::Unasked(line.into_owned()));
                }
                self.enter(State::Idle);
                let Ok(Reply::BestMove { mv, ponder }) = Reply::parse(&line) else {
                    return Err(Fault::Unreadable(line.into_owned()));
                };
                Ok(Some(EngineEvent::Moved(BestMove {
                    code: mv,
                    ponder,
                    elapsed: at - asked,
                    thought: info.map_or_else(Info::default, |info| *info),
                })))
            }
            State::Pondering { early } if early.is_none() => {
                *early = Some(line.into_owned());
                Ok(None)
            }
            State::Abandoned { .. } => {
                self.enter(State::Idle);
                Ok(None)
            }
            _ => Err(Fault::Unasked(line.into_owned())),
        }
    }

    fn take_reply(&mut self, reply: Reply) -> Heard {
        match (&mut self.state, reply) {
            (State::Handshake, Reply::IdName(name)) => self.facts.id_name = Some(name),
            (State::Handshake, Reply::Option(option))
                if self.facts.declared.len() < MAX_OPTIONS =>
            {
                self.facts.declared.push(option);
            }
            (State::Handshake, Reply::HandshakeOk(_)) => {
                self.enter(State::Idle);
                self.greeted()?;
            }
            (State::Setting, Reply::ReadyOk) => {
                self.enter(State::Idle);
                return Ok(self.options_set());
            }
            (State::Preparing, Reply::ReadyOk) => {
                self.enter(State::Idle);
                return self.ready().map(Some);
            }
            (State::Probing { .. }, reply) => return self.take_probed(&reply),
            (State::Thinking { is_fenced, .. }, Reply::ReadyOk) => *is_fenced = false,
            (State::Thinking { .. }, Reply::Info(info)) if info.score.is_some() => {
                return Ok(Some(EngineEvent::Info(Box::new(info))));
            }
            (_, Reply::Info(info)) => {
                let text = info.string.unwrap_or_default();
                if let Some(note) = text.strip_prefix(NOTE) {
                    self.note(note.trim().to_owned());
                } else if !text.is_empty() {
                    return Ok(Some(EngineEvent::Learned(text)));
                }
            }
            (_, Reply::Error(words)) => self.store_error(words),
            _ => {}
        }
        Ok(None)
    }

    fn take_response(&mut self, text: Cow<'_, str>) -> Heard {
        let State::Answering { texts, n_due } = &mut self.state else {
            return self.take_reply(Reply::Response(text.into_owned()));
        };
        texts.push_str(&text);
        texts.push('\n');
        *n_due = n_due.saturating_sub(1);
        if *n_due > 0 {
            return Ok(None);
        }
        let texts = std::mem::take(texts);
        self.enter(State::Idle);
        Ok(Some(EngineEvent::Responses(texts)))
    }

    /// Stores an error message about options, or the first one about a game, a position or `go`.
    fn store_error(&mut self, words: String) {
        let is_ugi = self.dialect() == Dialect::Ugi;
        let command = match &self.state {
            State::Setting => return self.note(format!("rejects an option: {words}")),
            State::Thinking { is_fenced, .. } if is_ugi && !is_fenced => "go",
            State::Preparing | State::Answering { .. } => "position",
            State::Thinking { .. } | State::Pondering { .. } => "position",
            _ => return,
        };
        let complaint = Complaint { command, words };
        self.facts.complaint.get_or_insert(complaint);
    }

    fn note(&mut self, note: String) {
        if self.facts.notes.len() < MAX_NOTES {
            self.facts.notes.push(note);
        }
    }
}

/// A score as the engine counts it: a CECP program counts the moves to a mate, its bridge the plies.
fn counted(score: Score, proto: Proto) -> Score {
    match (proto, score) {
        (Proto::Cecp, Score::Mate(plies)) => Score::Mate(plies / 2 + plies.rem_euclid(2)),
        _ => score,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "filter_tests.rs"]
mod filter_tests;
