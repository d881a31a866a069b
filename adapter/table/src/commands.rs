//! Carries out requests and checks permissions.

use std::time::Instant;

use crate::model::{
    ClientId, Command, CommandId, CommandId as C, Question, Refusal, RequestId, Role, TableCommand,
    TableEvent, Users, When,
};
use protocol::text::one_line;

use crate::error::{TableError, failed, refuse};
use crate::session::{Request, Wanted};
use crate::state::{Phase, Table};

/// Maximum length of a chat message in characters.
const MAX_SAID: usize = 1000;

/// The sender of a request, with the request's number and times.
#[derive(Debug, Clone, Copy)]
struct Asker {
    client: ClientId,
    request: RequestId,
    role: Role,
    /// Time of arrival.
    at: Instant,
}

impl Table {
    /// Carries out a request and sends its answer, `done` or `refused`.
    ///
    /// # Errors
    /// The table must close.
    pub(super) fn handle(&mut self, request: Request, now: Instant) -> Result<(), TableError> {
        self.now = now;
        let Request {
            client,
            id: request,
            what,
            at,
        } = request;
        let command = match what {
            Wanted::Command(command) => command,
            Wanted::Join(wish, events) => {
                self.join(client, request, wish, events)?;
                return self.reconcile();
            }
        };
        let Some(role) = self.clients.role(client) else {
            // The client has left, or its request to join was refused.
            return Ok(());
        };
        let asker = Asker {
            client,
            request,
            role,
            at: at.min(now),
        };
        let id = command.id();
        let permitted = self.permit(asker, id);
        let answer = match permitted.and_then(|()| self.dispatch(asker, command)) {
            // The engine's answer is that of the request.
            Ok(()) if matches!(id, C::Hint | C::Eval) => None,
            Ok(()) => Some(TableEvent::Done { request }),
            Err(error @ (TableError::Records(_) | TableError::Panicked(_))) => return Err(error),
            Err(TableError::Refused(why)) => Some(TableEvent::Refused { request, why }),
            Err(error) => Some(TableEvent::Refused {
                request,
                why: failed(error),
            }),
        };
        self.reconcile()?;
        // After `closed`, no event follows.
        if let Some(answer) = answer.filter(|_| !self.is_closed()) {
            self.tell(client, answer);
        }
        Ok(())
    }

    /// Checks that the client may send this command now.
    fn permit(&mut self, asker: Asker, id: CommandId) -> Result<(), TableError> {
        if !self.clients.may_ask(asker.client, self.now) {
            return refuse(Refusal::TooManyRequests);
        }
        self.refuse_by_row(asker.role, id)?;
        if matches!(id, C::Hint | C::Eval | C::Analyse | C::Review) {
            self.refuse_help(asker.client)?;
            self.propose_hints(asker.client)?;
        }
        Ok(())
    }

    /// Checks that the client may be helped by an engine, or may ask for it.
    pub(super) fn refuse_help(&self, client: ClientId) -> Result<(), Refusal> {
        if self.over.is_some() || self.allows_hints {
            Ok(())
        } else if self.has_partners() {
            Err(Refusal::NoHelpForPartners)
        } else if !self.with_others(client).is_empty() && !self.moves().is_empty() {
            Err(Refusal::HelpIsOff)
        } else {
            Ok(())
        }
    }

    /// Checks who may use a command, and when.
    pub(super) fn refuse_by_row(&self, role: Role, id: CommandId) -> Result<(), Refusal> {
        let Command { users, when, .. } = id.row();
        let is_starting = matches!(self.phase, Phase::Starting(_));
        match users {
            Users::Host if !users.include(role) => Err(Refusal::OnlyHost { command: id }),
            _ if !users.include(role) => Err(Refusal::OnlyPlayers { command: id }),
            _ if is_starting && when != When::Always => Err(Refusal::Starting),
            _ if self.over.is_some() && when == When::Playing => Err(Refusal::GameOver),
            _ => Ok(()),
        }
    }

    fn dispatch(&mut self, asker: Asker, command: TableCommand) -> Result<(), TableError> {
        let Asker {
            client, request, ..
        } = asker;
        match command {
            TableCommand::Leave => self.leave(client, "quit"),
            TableCommand::Kick { client } => self.kick(client)?,
            TableCommand::Snapshot => {
                let snapshot = self.snapshot(client);
                self.tell(client, snapshot);
            }
            TableCommand::Play { code, from } => self.play(client, &code, from, asker.at)?,
            TableCommand::MoveNow => self.move_now(client, asker.role)?,
            TableCommand::Undo => self.undo(client)?,
            TableCommand::Redo => self.redo(client)?,
            TableCommand::Back { n } => self.look(client, self.tree.back(n))?,
            TableCommand::Forward { n } => self.look(client, self.tree.forward(n))?,
            TableCommand::GoTo { node } => self.look(client, node)?,
            TableCommand::Go { limit, once } => self.go(client, limit, once)?,
            TableCommand::Pause => self.is_held = true,
            TableCommand::OfferDraw => self.offer_draw(client)?,
            TableCommand::Resign => self.resign(client)?,
            TableCommand::Forfeit { side } => self.forfeit(side)?,
            TableCommand::Claim { draw } => self.claim(client, draw)?,
            TableCommand::Accept => self.accept(client)?,
            TableCommand::Decline => self.decline(client)?,
            TableCommand::Say { text } => self.say(client, &text)?,
            TableCommand::Hint => self.ask_engine(client, request, Question::Hint)?,
            TableCommand::Eval => self.ask_engine(client, request, Question::Eval)?,
            TableCommand::Analyse {
                node,
                lines,
                seconds,
            } => self.analyse(client, node, lines, seconds)?,
            TableCommand::Review { seconds } => self.review_game(client, seconds)?,
            TableCommand::StopAnalysis => self.stop_study(client)?,
            TableCommand::Clock => {
                let clocks = self.clocks();
                self.tell(client, TableEvent::Clocks { clocks });
            }
            TableCommand::SetAuto { sides } => self.set_auto(sides)?,
            TableCommand::AddLine { from, codes } => self.add_line(from, &codes)?,
            TableCommand::SetSeat { seat, player } => self.set_seat(seat, player)?,
            TableCommand::SetLevel { level } => self.choose_level(level)?,
            TableCommand::SetOption { name, value } => self.set_option(&name, &value)?,
            TableCommand::ForgetResults => self.forget_results()?,
            TableCommand::SetPace { seconds } => self.set_pace(seconds)?,
            TableCommand::Save { path } => {
                self.save(&path)?;
                self.tell(client, TableEvent::Saved { path });
            }
            TableCommand::Load { path } => self.load(client, &path)?,
            TableCommand::New {
                opening,
                lines,
                auto,
            } => self.new_game(client, opening, lines, auto)?,
            TableCommand::Rematch => self.rematch(client)?,
            TableCommand::Quit => {
                let name = self.name_of(client);
                self.close(&format!("{name} closed the table"), false);
            }
        }
        Ok(())
    }

    fn say(&mut self, client: ClientId, text: &str) -> Result<(), TableError> {
        self.refuse_partners_talk(client)?;
        if let Some(client) = self.clients.find(client) {
            let who = client.info.clone();
            let text: String = text.chars().take(MAX_SAID).collect();
            let text = one_line(&text).into_owned();
            self.tell_all(TableEvent::Said { who, text });
        }
        Ok(())
    }

    pub(super) fn name_of(&self, client: ClientId) -> String {
        let client = self.clients.find(client);
        client.map_or_else(String::new, |client| client.info.name.clone())
    }

    /// Closes the table and notifies all clients.
    pub(super) fn close(&mut self, why: &str, is_error: bool) {
        if self.is_closed() {
            return;
        }
        self.phase = Phase::Closed;
        self.tell_all(TableEvent::Closed {
            why: why.to_owned(),
            is_error,
        });
    }
}
