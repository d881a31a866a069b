//! Handlers for the messages of a page that its table does not answer.

use std::fmt::Write;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use kit::Side;
use qrcodegen::{QrCode, QrCodeEcc};
use record::file::read_text;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::pgn::PgnFormat;
use record::registry::Rules;
use serde_json::{Value, json};
use table::journal::{Journal, parse_game, read_table};
use table::paste::{read_game, recognise};
use table::typing::read_moves;
use table::{
    ClientInfo, JoinWish, Role, SessionError, SideSet, TableCommand, TableSession, Voice, new_id,
    open,
};

use crate::Wish;
use crate::connection::{Ask, DiagramAsk, Export, GameAsk, MessageId, OpenAsk, RecordAsk, SeatAsk};
use crate::door::{LinkedSeat, Rights};
use crate::exercise::ExerciseId;
use crate::games::{read_opening, reason, rules_of};
use crate::lobby::HostedTable;
use crate::reporter::{finished, replay};
use crate::tab::{NO_TABLE, Sitting, Tab};
use crate::view_state::Position;

const CLOSED: &str = "This table is closed, and its game is not in the folder of this program.";

/// The fields of an answer.
type Answered = Result<Value, String>;

impl Tab {
    /// Carries out a message that the table does not answer. The page arrives at a table that it opens once it has the
    /// answer.
    pub(crate) fn carry(&mut self, ask: Ask) -> Answered {
        match ask {
            Ask::Table { .. } | Ask::Seat(_) => unreachable!("the table answers it"),
            Ask::Open(ask) => self.open(ask),
            Ask::OpenStart => {
                self.may_open()?;
                let start = self.shared.start.lock().take();
                self.begin(&start.ok_or("The game of the command line is open already.")?)
            }
            Ask::OpenRecord(ask) => self.open_record(ask),
            Ask::OpenFile { path, trust } => {
                self.may_open()?;
                let hosted = self.shared.resume(&path, trust)?;
                self.attach(&hosted, "")
            }
            Ask::Attach { table, name } => {
                let found = match &self.rights {
                    Rights::Host => self.shared.table(&table)?,
                    // The table of the link was opened before the page.
                    Rights::Guest(_) => self.shared.lobby.find(|hosted| hosted.id == table),
                };
                let hosted = found.filter(|_| self.may_see(&table));
                self.attach(&hosted.ok_or(CLOSED)?, &name)
            }
            Ask::Leave => {
                // A page that was closed is noticed at the next text.
                let _ = self.sit(None);
                Ok(json!({}))
            }
            Ask::Look(look) => {
                self.sitting()?.find(&look)?;
                self.look = look;
                self.is_view_due = true;
                Ok(json!({}))
            }
            Ask::Read { code } => {
                let codes = read_moves(self.position()?.board.as_ref(), &code);
                match codes.map_err(|error| error.to_string())?.as_slice() {
                    [code] => Ok(json!({ "code": code })),
                    codes => Err(format!(
                        "These are {} moves. Play one at a time.",
                        codes.len()
                    )),
                }
            }
            Ask::Why { code } => {
                let why = reason(self.position()?.board.as_ref(), &code);
                Ok(json!({ "why": why }))
            }
            Ask::Diagram(ask) => self.diagram(ask),
            Ask::Exercise(ask) => {
                if matches!(ask.exercise, ExerciseId::Puzzle(_)) {
                    self.only_host()?;
                }
                ask.answer(self.shared.host.as_ref())
            }
            Ask::Recorded => Ok(self.shared.recorded().clone()),
            Ask::Export { what } => self.export(what),
            Ask::Invite { side, renew, node } => self.invite(side, renew, node),
            Ask::Replay { game, path } => {
                let source = self.shared.settings.source.as_ref();
                let ledger = match &path {
                    Some(path) => self.only_host().map(|()| path)?,
                    None => &source.ok_or("replay: no match is shown here")?.ledger,
                };
                Ok(json!(replay(ledger, game)?))
            }
            Ask::Match { path } => {
                self.only_host()?;
                finished(&path)
            }
            Ask::Games => {
                self.only_host()?;
                let mut games = self.shared.host.recent();
                games.retain(|game| self.shared.lobby.of_ledger(&game.path).is_none());
                Ok(json!({
                    "tables": self.shared.lobby.list(|_| true),
                    "games": games,
                    "matches": self.shared.host.matches(),
                }))
            }
        }
    }

    pub(crate) fn only_host(&self) -> Result<(), String> {
        match self.rights {
            Rights::Host => Ok(()),
            Rights::Guest(_) => Err("Only the host can do this.".to_owned()),
        }
    }

    /// Fails if tables may not be opened here. A shown match must not be slowed down by tables.
    fn may_open(&self) -> Result<(), String> {
        self.only_host()?;
        match self.shared.settings.source {
            Some(_) => Err("A match is shown here, so no game can be opened.".to_owned()),
            None => Ok(()),
        }
    }

    pub(crate) fn may_see(&self, id: &str) -> bool {
        match &self.rights {
            Rights::Host => true,
            Rights::Guest(link) => link.table == id,
        }
    }

    fn open(&mut self, ask: OpenAsk) -> Answered {
        self.may_open()?;
        let rules = self.rules(ask.game)?;
        let opening = read_opening(&rules, ask.opening.as_deref())?;
        let wish = Wish {
            clock: ask.clock,
            level: ask.level,
            ..Wish::new(rules.spec(), ask.seats, Journal::new(new_id(), opening))
        };
        self.begin(&wish)
    }

    fn open_record(&mut self, ask: RecordAsk) -> Answered {
        self.may_open()?;
        let registry = self.shared.host.registry();
        let found = parse_game(ask.text.as_bytes(), new_id()).map_err(|error| error.to_string())?;
        let is_named = found.game.is_some();
        let rules = match (found.game, ask.game) {
            (Some(game), _) => rules_of(registry, &game)?,
            (None, Some(name)) => {
                let options = ask.options;
                self.rules(GameAsk { name, options })?
            }
            (None, None) => recognise(registry, &ask.text)?,
        };
        let (mut journal, mut note) = (found.journal, None);
        if !is_named && rules.open(&Opening::parse(&ask.text)).is_err() {
            // Boards and moves must be parsed by the rules.
            let read;
            (journal, read) = read_game(&rules, &ask.text, new_id())?;
            note = Some(format!("{}: {read}", rules.spec()));
        }
        let wish = Wish {
            names: found.names,
            ..Wish::new(rules.spec(), ask.seats, journal)
        };
        let mut done = self.begin(&wish)?;
        done["note"] = json!(note);
        Ok(done)
    }

    /// The rules of a game with the options of a page.
    fn rules(&self, GameAsk { name, options }: GameAsk) -> Result<Rules, String> {
        rules_of(self.shared.host.registry(), &GameSpec { name, options })
    }

    /// Opens a new table, and attaches the page to it.
    fn begin(&mut self, wish: &Wish) -> Answered {
        self.shared.lobby.make_room()?;
        let setup = self.shared.host.set_up(wish)?;
        let plan = (setup.plan.id.clone(), setup.plan.game.clone());
        let table = open(setup).map_err(|error| error.to_string())?;
        let hosted = self.shared.lobby.add(plan, None, table)?;
        self.attach(&hosted, "")
    }

    /// Takes a place at a table.
    fn attach(&mut self, hosted: &Arc<HostedTable>, name: &str) -> Answered {
        let visit = hosted.visit();
        let (role, token) = match &self.rights {
            Rights::Host => (Role::Host, None),
            Rights::Guest(link) if !self.shared.access.is_valid(link) => {
                return Err("This link was replaced. Ask your friend for a new one.".to_owned());
            }
            Rights::Guest(link) => match &link.seat {
                Some(seat) => {
                    let LinkedSeat { side, token } = &*seat.lock();
                    (Role::Player(SideSet::from(*side)), token.clone())
                }
                None => (Role::Spectator, None),
            },
        };
        let wish = JoinWish {
            token,
            // The seat may have got another guest since this link's last one.
            takes_left_seats: true,
            voice: Voice::Page,
            ..JoinWish::new(name, role)
        };
        let session = TableSession::join(&hosted.handle, self.shared.host.registry(), wish);
        let session = session.map_err(|error| match error {
            SessionError::Refused(why) => why.sentence(Voice::Page),
            error => error.to_string(),
        })?;
        self.arriving = Some(Sitting::new(session, visit));
        Ok(json!({ "table": hosted.id, "note": null }))
    }

    /// Removes the guests of a side, or those who watch.
    fn kick(&mut self, side: Option<Side>) -> Result<(), String> {
        let session = &mut self.sitting()?.session;
        let clients = session.game.snapshot().clients.clone().into_iter();
        let is_meant = |who: &ClientInfo| match (who.role, side) {
            (Role::Player(sides), Some(side)) => sides.contains(side),
            (Role::Spectator, None) => true,
            _ => false,
        };
        for ClientInfo { client, .. } in clients.filter(is_meant) {
            let sent = session.client.send(TableCommand::Kick { client });
            sent.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Returns the position that the page shows.
    fn position(&self) -> Result<Position, String> {
        self.sitting.as_ref().ok_or(NO_TABLE)?.find(&self.look)
    }

    fn diagram(&self, ask: DiagramAsk) -> Answered {
        let rules = self.rules(ask.game)?;
        let opening = read_opening(&rules, ask.position.as_deref())?;
        let board = rules.open(&opening).map_err(|why| why.to_string())?;
        let position = Position::alone(board, opening.moves.last().cloned());
        let view = ask.look.show(&position);
        Ok(json!({ "view": view }))
    }

    fn export(&self, what: Export) -> Answered {
        if what == Export::Ledger {
            self.only_host()?;
        }
        let position = self.position()?;
        let sitting = self.sitting.as_ref().ok_or(NO_TABLE)?;
        let game = &sitting.session.game;
        let stem = format!("{}-{}", game.snapshot().game.name, game.snapshot().id);
        let ledger = || sitting.visit.0.ledger.get().ok_or("no ledger exists yet");
        let (kind, text) = match what {
            Export::Ledger => ("jsonl", read_text(ledger()?).map_err(|why| why.to_string())),
            Export::Pgn => {
                let saved = read_table(ledger()?).map_err(|error| error.to_string())?;
                let plan = saved.ledger.plan;
                let format = PgnFormat::new(self.shared.host.registry(), &plan.game, Some(&plan));
                ("pgn", Ok(format.text(&game.record(plan.date.clone()))))
            }
            Export::Fen => ("txt", Ok(position.board.fen())),
            Export::Svg => ("svg", Ok(self.look.svg(&position))),
        };
        Ok(json!({ "name": format!("{stem}.{kind}"), "text": text? }))
    }

    /// Asks the table to give a seat to another player.
    pub(crate) fn seat(&mut self, id: MessageId, ask: SeatAsk, at: Instant) -> Result<(), String> {
        self.only_host()?;
        let player = self.shared.host.player(ask.seat, ask.clock, ask.level)?;
        let seat = ask.side;
        self.ask_table(id, TableCommand::SetSeat { seat, player }, at)
    }

    fn invite(&mut self, side: Option<Side>, renew: bool, node: Option<usize>) -> Answered {
        self.only_host()?;
        let table = self.sitting()?.visit.0.id.clone();
        if renew {
            let access = &self.shared.access;
            access.revoke(|link| link.table == table && link.side() == side);
            self.kick(side)?;
        }
        let token = self.shared.access.guest_token(&table, side);
        let token = token.map_err(|error: io::Error| error.to_string())?;
        self.shared.keep_links();
        let (origin, is_local) = self.shared.guest_door.link()?;
        let at = node.map_or_else(String::new, |node| format!("#node={node}"));
        let link = format!("{origin}/?token={token}{at}");
        Ok(json!({
            "qr": encode_qr(&link),
            "link": link,
            "is_local": is_local,
        }))
    }
}

/// Encodes a text: the number of modules on a side, and the dark ones as an SVG path. `null` if the text is too long.
pub(crate) fn encode_qr(text: &str) -> Value {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else {
        return Value::Null;
    };
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            let _ = write!(path, "M{x},{y}h1v1h-1z");
        }
    }
    json!({ "size": code.size(), "path": path })
}
