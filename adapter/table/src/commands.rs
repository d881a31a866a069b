//! Carries out requests and checks permissions.

use std::time::Instant;

use crate::model::{ClientId, Question, RequestId, Role, TableEvent};
use protocol::text::one_line;

use crate::error::{TableError, refuse};
use crate::request::{Request, TableCommand};
use crate::seating::only_host;
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

/// The answer to a request that succeeded.
enum Answer {
    Done,
    /// The answer will be sent later.
    Later,
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
            command,
            at,
        } = request;
        if let TableCommand::Join(join) = command {
            self.join(client, request, join)?;
            return self.reconcile();
        }
        let Some(info) = self.clients.find(client).map(|client| &client.info) else {
            // The client has left, or its `join` was refused.
            return Ok(());
        };
        let asker = Asker {
            client,
            request,
            role: info.role,
            at: at.min(now),
        };
        let answer = self
            .permit(asker, &command)
            .and_then(|()| self.dispatch(asker, command));
        let answer = match answer {
            Ok(Answer::Done) => Some(TableEvent::Done { request }),
            Ok(Answer::Later) => None,
            Err(error @ (TableError::Records(_) | TableError::Panicked(_))) => return Err(error),
            Err(refused) => Some(TableEvent::Refused {
                request,
                why: refused.to_string(),
            }),
        };
        self.reconcile()?;
        // After `closed`, no event follows.
        if let Some(answer) = answer.filter(|_| !self.is_closed()) {
            self.clients.tell(client, answer);
        }
        Ok(())
    }

    /// Checks that the client may send this command now.
    fn permit(&mut self, asker: Asker, command: &TableCommand) -> Result<(), TableError> {
        if !self.clients.may_ask(asker.client, self.now) {
            return refuse!("too many requests: wait a moment");
        }
        let (word, users) = command.rule();
        match (asker.role, users) {
            (Role::Host, _) | (_, Users::All) | (Role::Player(_), Users::Players) => {}
            (_, Users::Host) => return Err(only_host(word)),
            (Role::Spectator, Users::Players) => {
                return refuse!("{word}: spectators can only watch");
            }
        }
        use TableCommand::{Analyse, Eval, Hint, Review};
        let is_help = matches!(command, Hint | Eval | Analyse { .. } | Review { .. });
        let has_partners = self.seats.iter().any(|side| side.len() > 1);
        if is_help && has_partners && self.over.is_none() {
            return refuse!("{word}: this game is played without hints and analysis");
        }
        if is_help && self.over.is_none() && !self.allows_hints {
            self.propose_hints(asker.client)?;
        }
        let is_starting = matches!(self.phase, Phase::Starting(_));
        let may_start = matches!(command, TableCommand::SetPace { .. } | TableCommand::Quit);
        if is_starting && !may_start && users != Users::All {
            return refuse!("{word}: the engines are starting: wait");
        }
        Ok(())
    }

    fn dispatch(&mut self, asker: Asker, command: TableCommand) -> Result<Answer, TableError> {
        let client = asker.client;
        match command {
            TableCommand::Join(_) => {}
            TableCommand::Leave => self.leave(client, "quit"),
            TableCommand::Kick { client } => self.kick(client)?,
            TableCommand::Snapshot => {
                let snapshot = self.snapshot(client);
                self.clients.tell(client, snapshot);
            }
            TableCommand::Play { code, from } => self.play(client, &code, from, asker.at)?,
            TableCommand::MoveNow => self.move_now(client, asker.role)?,
            TableCommand::Undo => self.undo(client)?,
            TableCommand::Redo => self.redo(client)?,
            TableCommand::Back { n } => self.look(client, self.tree.back(n))?,
            TableCommand::Forward { n } => self.look(client, self.tree.forward(n))?,
            TableCommand::GoTo { node } => self.look(client, node)?,
            TableCommand::Go { limit } => self.go(client, limit)?,
            TableCommand::Pause => self.is_held = true,
            TableCommand::OfferDraw => self.offer_draw(client)?,
            TableCommand::Resign => self.resign(client)?,
            TableCommand::Forfeit { side } => self.forfeit(side)?,
            TableCommand::Claim { draw } => self.claim(client, draw)?,
            TableCommand::Accept => self.accept(client)?,
            TableCommand::Decline => self.decline(client)?,
            TableCommand::Say { text } => self.say(client, &text)?,
            TableCommand::Hint => return self.question(asker, Question::Hint),
            TableCommand::Eval => return self.question(asker, Question::Eval),
            TableCommand::Analyse {
                node,
                lines,
                seconds,
            } => self.analyse(client, node, lines, seconds)?,
            TableCommand::Review { seconds } => self.review_game(client, seconds)?,
            TableCommand::StopAnalysis => self.stop_study(client)?,
            TableCommand::Clock => {
                let clocks = self.clocks();
                self.clients.tell(client, TableEvent::Clocks { clocks });
            }
            TableCommand::SetAuto { sides } => self.set_auto(sides)?,
            TableCommand::AddLine { from, codes } => self.add_line(from, &codes)?,
            TableCommand::SetSeat {
                seat,
                player,
                guest,
            } => self.set_seat(seat, *player, guest)?,
            TableCommand::SetLevel { level } => self.choose_level(level)?,
            TableCommand::SetOption { name, value } => self.set_option(&name, &value)?,
            TableCommand::ForgetResults => self.forget_results()?,
            TableCommand::SetPace { seconds } => self.set_pace(seconds)?,
            TableCommand::Save { path } => {
                self.save(&path)?;
                self.clients.tell(client, TableEvent::Saved { path });
            }
            TableCommand::Load { path } => self.load(client, &path)?,
            TableCommand::New { opening, lines } => self.new_game(client, opening, lines)?,
            TableCommand::Rematch => self.rematch(client)?,
            TableCommand::Quit => {
                let name = self.name_of(client);
                self.close(&format!("{name} closed the table"), false);
            }
        }
        Ok(Answer::Done)
    }

    fn question(&mut self, asker: Asker, what: Question) -> Result<Answer, TableError> {
        self.ask_engine(asker.client, asker.request, what)?;
        Ok(Answer::Later)
    }

    fn say(&mut self, client: ClientId, text: &str) -> Result<(), TableError> {
        self.refuse_partners_talk(client)?;
        if let Some(client) = self.clients.find(client) {
            let who = client.info.clone();
            let text: String = text.chars().take(MAX_SAID).collect();
            let text = one_line(&text).into_owned();
            self.clients.send_to_all(TableEvent::Said { who, text });
        }
        Ok(())
    }

    fn name_of(&self, client: ClientId) -> String {
        let client = self.clients.find(client);
        client.map_or_else(String::new, |client| client.info.name.clone())
    }

    /// Closes the table and notifies all clients.
    pub(super) fn close(&mut self, why: &str, is_error: bool) {
        if self.is_closed() {
            return;
        }
        self.phase = Phase::Closed;
        self.clients.send_to_all(TableEvent::Closed {
            why: why.to_owned(),
            is_error,
        });
    }
}

/// Who may use a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Users {
    /// Everyone, also before the engines have started.
    All,
    Players,
    Host,
}

impl TableCommand {
    /// The word of the command in JSON.
    pub fn word(&self) -> &'static str {
        self.rule().0
    }

    /// The command's word, and who may use it.
    fn rule(&self) -> (&'static str, Users) {
        use TableCommand as C;
        use Users::{All, Host, Players};
        match self {
            C::Join(_) => ("join", All),
            C::Leave => ("leave", All),
            C::Kick { .. } => ("kick", Host),
            C::Snapshot => ("snapshot", All),
            C::Play { .. } => ("play", Players),
            C::MoveNow => ("move-now", Players),
            C::Undo => ("undo", Players),
            C::Redo => ("redo", Players),
            C::Back { .. } => ("back", Players),
            C::Forward { .. } => ("forward", Players),
            C::GoTo { .. } => ("go-to", Players),
            C::Go { .. } => ("go", Host),
            C::AddLine { .. } => ("add-line", Host),
            C::Pause => ("pause", Host),
            C::OfferDraw => ("offer-draw", Players),
            C::Resign => ("resign", Players),
            C::Forfeit { .. } => ("forfeit", Host),
            C::Claim { .. } => ("claim", Players),
            C::Accept => ("accept", Players),
            C::Decline => ("decline", Players),
            C::Say { .. } => ("say", All),
            C::Hint => ("hint", Players),
            C::Eval => ("eval", Players),
            C::Analyse { .. } => ("analyse", Players),
            C::Review { .. } => ("review", Players),
            C::StopAnalysis => ("stop-analysis", Players),
            C::Clock => ("clock", All),
            C::SetAuto { .. } => ("set-auto", Host),
            C::SetSeat { .. } => ("set-seat", Host),
            C::SetLevel { .. } => ("set-level", Host),
            C::SetOption { .. } => ("set-option", Host),
            C::ForgetResults => ("forget-results", Host),
            C::SetPace { .. } => ("set-pace", Host),
            C::Save { .. } => ("save", Host),
            C::Load { .. } => ("load", Host),
            C::New { .. } => ("new", Host),
            C::Rematch => ("rematch", Players),
            C::Quit => ("quit", Host),
        }
    }
}
