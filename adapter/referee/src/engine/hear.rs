//! The output of an engine: its lines are filtered as they are read, then handled according to the state of the dialogue,
//! and made into events.
//!
//! Engines send thousands of `info` lines. The filter drops them, except `info error` and the last line with a score,
//! which is delivered with the `bestmove` that it belongs to.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use memchr::memmem;
use protocol::line::RawLine;
use protocol::{Dialect, Info, Line, Reply, Score};
use record::engine_spec::Proto;

use super::config::EngineConfig;
use super::dialogue::{Dialogue, Life, MAX_OPTIONS, State};
use super::fault::{Complaint, Fault};
use crate::token_bucket::TokenBucket;

/// Maximum number of messages processed by one [`Dialogue::step`], so that a flooding engine cannot block the caller.
const MAX_MESSAGES: usize = 256;

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
    /// The answer to the next query.
    Response(String),
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

    /// Picks the answer to a query.
    pub fn response(self) -> Option<String> {
        match self {
            EngineEvent::Response(text) => Some(text),
            _ => None,
        }
    }
}

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

/// Maximum output of an engine before `ugiok`, in bytes.
pub(super) const MAX_GREETING: usize = 1 << 24;

/// A relevant line from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// A `bestmove` line, valid or not.
    BestMove {
        /// The line.
        line: String,
        /// The last `info` line with a score since the previous `bestmove`.
        info: Option<Box<Info>>,
    },
    /// The engine has sent more than 16 MiB before `ugiok`. The rest of its output is dropped.
    EndlessGreeting,
    /// Any other relevant reply: of the handshake, `readyok`, `response`, `info error`, `info string learned …`.
    Reply(Reply),
}

/// A message with the time at which its bytes were read.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) at: Instant,
    pub(super) message: Message,
}

/// Parses lines as replies and drops irrelevant ones.
#[derive(Debug, Default)]
pub(super) struct EngineFilter {
    infos: Infos,
    /// The rate limit of `info` lines; `None` before the first one of a search.
    rate: Option<TokenBucket>,
    /// The content of the `info` lines of the best line in this search; a later line replaces what it repeats.
    scored: Option<Box<Info>>,
    /// Length of the output before `ugiok` or `uciok`, in bytes.
    greeting: usize,
    is_greeted: bool,
}

impl EngineFilter {
    /// Creates a filter that passes on the selected `info` lines.
    pub(super) fn new(infos: Infos) -> EngineFilter {
        EngineFilter {
            infos,
            ..EngineFilter::default()
        }
    }

    fn info(&mut self, line: &[u8]) -> Option<Message> {
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
        info.score?;
        if is_best {
            let known = self.scored.take().unwrap_or_default();
            info.depth = info.depth.or(known.depth);
            info.nodes = info.nodes.or(known.nodes);
            if info.pv.is_empty() {
                info.pv = known.pv;
            }
            self.scored = Some(info.clone());
        }
        self.has_room()
            .then_some(Message::Reply(Reply::Info(*info)))
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

    fn best_move(&mut self, line: String) -> Message {
        let info = self.scored.take();
        self.rate = None;
        Message::BestMove { line, info }
    }

    /// Adds the message of a line to the inbox, if it has one. Returns `true` for the noise of a search.
    pub(super) fn take(
        &mut self,
        at: Instant,
        line: RawLine<'_>,
        inbox: &mut VecDeque<Received>,
    ) -> bool {
        let (message, is_noise) = self.filter(line);
        inbox.extend(message.map(|message| Received { at, message }));
        is_noise
    }

    fn filter(&mut self, line: RawLine<'_>) -> (Option<Message>, bool) {
        if !self.is_greeted {
            let before = self.greeting;
            self.greeting += line.n_bytes();
            if self.greeting > MAX_GREETING {
                let is_first = before <= MAX_GREETING;
                return (is_first.then_some(Message::EndlessGreeting), false);
            }
        }
        let RawLine::Bytes(bytes) = line else {
            return (None, false);
        };
        let word = first_word(bytes);
        self.is_greeted |= matches!(word, b"ugiok" | b"uciok" | b"uaiok");
        let message = match word {
            b"readyok" => Some(Message::Reply(Reply::ReadyOk)),
            b"info" if !is_kept(bytes) => return (self.info(bytes), true),
            b"bestmove" => text(line).map(|text| self.best_move(text)),
            b"info" | b"id" | b"option" | b"ugiok" | b"uciok" | b"uaiok" | b"response" => {
                let reply = text(line).and_then(|text| Reply::parse(&text).ok());
                reply.map(Message::Reply)
            }
            _ => None,
        };
        (message, false)
    }
}

fn text(line: RawLine<'_>) -> Option<String> {
    match line.to_line() {
        Line::Text(text) => Some(text),
        Line::TooLong(_) => None,
    }
}

/// White space separates words; NUL and vertical tab count as white space.
fn is_blank(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b)
}

fn first_word(line: &[u8]) -> &[u8] {
    words(line).next().unwrap_or_default()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(is_blank).filter(|word| !word.is_empty())
}

/// `true` for an error, for the message of an engine that has learned from a game, and for a note of a bridge.
fn is_kept(line: &[u8]) -> bool {
    let mut words = words(line).skip(1);
    match words.next() {
        Some(b"error") => true,
        Some(b"string") => {
            matches!(words.next(), Some(word) if word == b"learned" || word == NOTE.as_bytes())
        }
        _ => false,
    }
}

impl Dialogue {
    /// Handles the messages in the inbox until an event results, then the life of the process.
    ///
    /// # Errors
    /// The engine's fault, including a missed deadline.
    pub(super) fn step(
        &mut self,
        config: &mut EngineConfig,
        life: &mut dyn Life,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        for _ in 0..MAX_MESSAGES {
            let Some(received) = self.inbox.pop_front() else {
                return self.check(life, now).map(|()| None);
            };
            if self.watch.is_late(received.at) {
                // Too late for this request, but possibly in time for the next one.
                self.inbox.push_front(received);
                return Err(self.silence(life));
            }
            let event = self.take(received, config, now)?;
            self.send_next(now);
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Checks for faults that no message reports: a closed pipe, a dead process, a missed deadline.
    fn check(&mut self, life: &mut dyn Life, now: Instant) -> Result<(), Fault> {
        let closed = life.closed();
        let checked = self.watch.check(life, closed, self.due(), now);
        checked.map_err(|fault| {
            if !fault.is_death() {
                return self.silence(life);
            }
            self.rest();
            fault
        })
    }

    /// Returns the fault of a missed deadline. The `bestmove` of a search may still arrive, so the search is abandoned.
    fn silence(&mut self, life: &mut dyn Life) -> Fault {
        let due = self.due().unwrap_or("answer");
        self.queue.clear();
        let is_greeting = self.state == State::Handshake;
        match self.state {
            State::Thinking { .. } | State::Abandoned { .. } => self.abandon(),
            _ => self.rest(),
        }
        match life.flush() {
            false => Fault::Unread(due),
            true if is_greeting => Fault::ungreeted(self.dialect, life.last_heard().as_deref()),
            true => Fault::Silent(due),
        }
    }

    /// The expected reply, for error messages.
    fn due(&self) -> Option<&'static str> {
        Some(match self.state {
            State::Idle | State::Pondering { .. } => return None,
            State::Handshake => self.dialect.handshake_ok(),
            State::Setting | State::Preparing | State::Probing { .. } => "readyok",
            State::Thinking { .. } | State::Abandoned { .. } => "bestmove",
            State::Answering { .. } => "response",
        })
    }

    /// Handles a message in the current state.
    pub(super) fn take(
        &mut self,
        received: Received,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        let Received { at, message } = received;
        match message {
            Message::BestMove { line, info } => self.take_move(at, line, info, config.spec.proto),
            Message::EndlessGreeting => {
                self.rest();
                Err(Fault::EndlessGreeting(self.dialect))
            }
            Message::Reply(reply) => self.take_reply(reply, config, now),
        }
    }

    fn take_move(
        &mut self,
        at: Instant,
        line: String,
        info: Option<Box<Info>>,
        proto: Proto,
    ) -> Result<Option<EngineEvent>, Fault> {
        match &mut self.state {
            State::Thinking { asked, is_fenced } => {
                let asked = *asked;
                if *is_fenced || at < asked {
                    // The answer to this search is still outstanding.
                    self.abandon();
                    return Err(Fault::Unasked(line));
                }
                self.rest();
                let Ok(Reply::BestMove { mv, ponder }) = Reply::parse(&line) else {
                    return Err(Fault::Unreadable(line));
                };
                let mut thought = info.map_or_else(Info::default, |info| *info);
                thought.score = thought.score.map(|score| counted(score, proto));
                Ok(Some(EngineEvent::Moved(BestMove {
                    code: mv,
                    ponder,
                    elapsed: at - asked,
                    thought,
                })))
            }
            State::Pondering { early } if early.is_none() => {
                *early = Some(line);
                Ok(None)
            }
            State::Abandoned { .. } => {
                self.rest();
                Ok(None)
            }
            _ => Err(Fault::Unasked(line)),
        }
    }

    fn take_reply(
        &mut self,
        reply: Reply,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        match (&mut self.state, reply) {
            (State::Handshake, Reply::IdName(name)) => self.facts.id_name = Some(name),
            (State::Handshake, Reply::Option(option))
                if self.facts.declared.len() < MAX_OPTIONS =>
            {
                self.facts.declared.push(option);
            }
            (State::Handshake, Reply::HandshakeOk(_)) => {
                self.rest();
                self.greeted(config, now)?;
            }
            (State::Setting, Reply::ReadyOk) => {
                self.rest();
                return Ok(self.options_set(config, now));
            }
            (State::Preparing, Reply::ReadyOk) => {
                self.rest();
                return self.ready(config).map(Some);
            }
            (State::Probing { .. }, reply) => return self.take_probed(&reply, config, now),
            (State::Thinking { is_fenced, .. }, Reply::ReadyOk) => *is_fenced = false,
            (State::Thinking { .. }, Reply::Info(mut info)) if info.score.is_some() => {
                let proto = config.spec.proto;
                info.score = info.score.map(|score| counted(score, proto));
                return Ok(Some(EngineEvent::Info(Box::new(info))));
            }
            (State::Answering { n_due }, Reply::Response(text)) => {
                *n_due -= 1;
                if *n_due == 0 {
                    self.rest();
                }
                return Ok(Some(EngineEvent::Response(text)));
            }
            (
                _,
                Reply::Info(Info {
                    string: Some(text), ..
                }),
            ) => match text.strip_prefix(NOTE) {
                Some(note) => self.note(note.trim().to_owned()),
                None => {
                    self.facts.is_learning = false;
                    return Ok(Some(EngineEvent::Learned(text)));
                }
            },
            (_, Reply::Error(words)) => self.store_error(words),
            _ => {}
        }
        Ok(None)
    }

    /// Stores an error message about options, or the first one about a game, a position or `go`.
    fn store_error(&mut self, words: String) {
        let command = match self.state {
            State::Thinking {
                is_fenced: false, ..
            } if self.dialect == Dialect::Ugi => "go",
            State::Thinking { .. }
            | State::Pondering { .. }
            | State::Answering { .. }
            | State::Preparing => "position",
            State::Setting => return self.note(format!("rejects an option: {words}")),
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
