//! Handles received messages according to the state of the dialogue.

use std::time::Instant;

use protocol::{Dialect, Info, Reply};

use super::Client;
use super::event::{BestMove, ClientEvent, Complaint, Thought};
use super::fault::Fault;
use super::filter::{Message, NOTE};
use super::request::ClientState;
use crate::process::Received;

/// Maximum number of options that an engine may declare; later ones are ignored.
pub(crate) const MAX_OPTIONS: usize = 1000;

/// Maximum number of stored notes.
const MAX_NOTES: usize = 10;

impl Client {
    pub(super) fn receive(&mut self) -> Option<Received<Message>> {
        self.next.take().or_else(|| self.transport.receive())
    }

    /// The next message, if it arrived before this time.
    pub(super) fn receive_before(&mut self, now: Instant) -> Option<Received<Message>> {
        self.next = self.receive();
        self.next.take_if(|received| received.at < now)
    }

    /// Handles a message in the current state.
    pub(super) fn take(
        &mut self,
        received: Received<Message>,
    ) -> Result<Option<ClientEvent>, Fault> {
        match received.message {
            Message::BestMove { line, info } => self.receive_best_move(received.at, line, info),
            Message::EndlessGreeting => {
                self.rest();
                Err(Fault::EndlessGreeting(self.dialect))
            }
            Message::Reply(reply) => self.receive_reply(reply, received.at),
        }
    }

    pub(super) fn receive_best_move(
        &mut self,
        at: Instant,
        line: String,
        info: Option<Box<Info>>,
    ) -> Result<Option<ClientEvent>, Fault> {
        match &mut self.state {
            ClientState::Thinking { asked, is_fenced } => {
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
                Ok(Some(ClientEvent::BestMove(BestMove {
                    code: mv,
                    ponder,
                    elapsed: at - asked,
                    thought: info.map_or_else(Thought::default, |info| (*info).into()),
                })))
            }
            ClientState::Pondering { early } if early.is_none() => {
                *early = Some(line);
                Ok(None)
            }
            ClientState::Abandoned { .. } => {
                self.rest();
                Ok(None)
            }
            _ => Err(Fault::Unasked(line)),
        }
    }

    fn receive_reply(&mut self, reply: Reply, now: Instant) -> Result<Option<ClientEvent>, Fault> {
        match (&mut self.state, reply) {
            (ClientState::Handshake, Reply::IdName(name)) => self.id_name = Some(name),
            (ClientState::Handshake, Reply::Option(option))
                if self.declared.len() < MAX_OPTIONS =>
            {
                self.declared.push(option);
            }
            (ClientState::Handshake, Reply::HandshakeOk(_)) => {
                return Ok(self.finish(ClientEvent::Greeted));
            }
            (ClientState::Setting, Reply::ReadyOk) => return Ok(self.finish(ClientEvent::Set)),
            (ClientState::Preparing, Reply::ReadyOk) => {
                return Ok(self.finish(ClientEvent::Ready));
            }
            (ClientState::Probing { .. }, reply) => return self.receive_probed(&reply, now),
            (ClientState::Thinking { is_fenced, .. }, Reply::ReadyOk) => *is_fenced = false,
            (ClientState::Thinking { .. }, Reply::Info(info)) if info.score.is_some() => {
                return Ok(Some(ClientEvent::Info(Box::new(info))));
            }
            (ClientState::Answering { n_due }, Reply::Response(text)) => {
                *n_due -= 1;
                if *n_due == 0 {
                    self.rest();
                }
                return Ok(Some(ClientEvent::Response(text)));
            }
            (
                _,
                Reply::Info(Info {
                    string: Some(text), ..
                }),
            ) => match text.strip_prefix(NOTE) {
                Some(note) => self.note(note.trim().to_owned()),
                None => return Ok(Some(ClientEvent::Learned(text))),
            },
            (_, Reply::Error(words)) => self.store_error(words),
            _ => {}
        }
        Ok(None)
    }

    /// Handles a reply to a probe. The queries that seem unanswered are sent again: a response then shows that a
    /// `readyok` came too early, from which the first round would draw wrong conclusions.
    fn receive_probed(
        &mut self,
        reply: &Reply,
        now: Instant,
    ) -> Result<Option<ClientEvent>, Fault> {
        let ClientState::Probing {
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
            return Ok(self.finish(ClientEvent::Probed(answered)));
        }
        self.push_probe(&missing);
        let again = ClientState::Probing {
            left: missing.into(),
            answered,
            missing: Vec::new(),
            is_again: true,
        };
        self.enter(again, Some(self.timeouts.ping), now);
        self.write();
        Ok(None)
    }

    /// Stores an error message about options, or the first one about a game, a position or `go`.
    pub(super) fn store_error(&mut self, words: String) {
        let command = match self.state {
            ClientState::Thinking {
                is_fenced: false, ..
            } if self.dialect == Dialect::Ugi => "go",
            ClientState::Thinking { .. }
            | ClientState::Pondering { .. }
            | ClientState::Answering { .. } => "position",
            ClientState::Preparing => "position",
            ClientState::Setting => return self.note(format!("rejects an option: {words}")),
            _ => return,
        };
        self.complaint.get_or_insert(Complaint { command, words });
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(note);
        }
    }

    pub(super) fn finish(&mut self, event: ClientEvent) -> Option<ClientEvent> {
        self.rest();
        Some(event)
    }
}
