//! Handles what has arrived according to the state of the dialogue, and makes events of it.

use std::time::{Duration, Instant};

use protocol::{Dialect, Info, Reply, Score};
use record::engine_spec::Proto;

use super::config::EngineConfig;
use super::dialogue::{Complaint, Dialogue, MAX_OPTIONS, State};
use super::fault::Fault;
use super::filter::{Message, NOTE, Received};
use super::life::{Life, Missed};

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
    /// What its last `info` line with a score said: score (mate distances as the engine counts them), depth, nodes, line.
    pub thought: Info,
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
        match self.watch.check(life, closed, now) {
            Ok(()) => Ok(()),
            Err(Missed::Late) => Err(self.silence(life)),
            Err(Missed::Died(death)) => {
                let due = self.due();
                self.rest();
                Err(Fault::died(death, due))
            }
        }
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
            true if is_greeting => Fault::Ungreeted {
                dialect: self.dialect,
                heard: life.last_heard(),
            },
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

    /// Handles a reply to a probe. The queries that seem unanswered are sent again: a response then shows that a
    /// `readyok` came too early, from which the first round would draw wrong conclusions.
    fn take_probed(
        &mut self,
        reply: &Reply,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        let State::Probing {
            left,
            answered,
            missing,
            is_again,
        } = &mut self.state
        else {
            return Ok(None);
        };
        match reply {
            Reply::Response(_) if *is_again => {
                self.rest();
                return Err(Fault::OutOfStep);
            }
            Reply::Response(_) => {
                answered.extend(left.front().filter(|query| !answered.contains(query)));
            }
            Reply::ReadyOk => {
                let query = left.pop_front();
                missing.extend(query.filter(|query| !answered.contains(query)));
            }
            _ => {}
        }
        if !left.is_empty() {
            return Ok(None);
        }
        let (answered, missing) = (std::mem::take(answered), std::mem::take(missing));
        if *is_again || missing.is_empty() {
            self.rest();
            return Ok(self.probed(answered, config, now));
        }
        self.probe(missing, answered, true, now);
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
