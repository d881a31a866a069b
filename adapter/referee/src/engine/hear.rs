//! Handles received messages according to the state of the dialogue.

use std::time::Instant;

use protocol::{Dialect, Info, Reply, Score};
use record::engine_spec::Proto;

use super::config::EngineConfig;
use super::dialogue::{Dialogue, MAX_OPTIONS, State};
use super::fault::Fault;
use super::filter::{Message, NOTE, Received};
use super::request::{BestMove, Complaint, EngineEvent};

/// Maximum number of stored notes.
const MAX_NOTES: usize = 10;

impl Dialogue {
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
