//! Handlers for the messages of a page.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use kit::Side;
use record::clock::Limit;
use record::file::read_text;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::pgn::PgnFormat;
use record::plan::Plan;
use serde_json::{Value, json};
use table::journal::{Journal, parse_game, read_table};
use table::paste::read_game;
use table::typing::{TypingError, read_moves};
use table::{JoinWish, OpenTable, Role, SideSet, TableCommand, Voice, new_id, open, resume};

use super::{Gone, Sitting, Tab};
use crate::Wish;
use crate::door::{LinkedSeat, Rights};
use crate::games::choose;
use crate::lobby::HostedTable;
use crate::reporter::{finished, replay};
use crate::texts::{encode_qr, read_opening, reason, recognise};
use crate::view_state::{Position, ViewState};
use crate::wire::{self, Ask, DiagramAsk, Export, MessageId, OpenAsk, RecordAsk, SeatAsk};

/// The fields of an answer.
type Answered = Result<Value, String>;

/// Refuses what needs a table.
const NO_TABLE: &str = "This page shows no table. Open a game first.";

/// The effect of a message that is not refused.
enum Carried {
    /// It is answered by these fields.
    Done(Value),
    /// The table will answer it.
    Asked,
    /// The page asked for a place at a table, which will answer it.
    Seated(Box<Sitting>),
    /// The page left its table.
    Left,
}

impl Tab {
    /// Handles a message and answers it.
    pub(super) fn take(&mut self, text: &str, at: Instant) -> Result<(), Gone> {
        let (id, ask) = match wire::read(text) {
            Ok(read) => read,
            Err((id, why)) => return self.answer(id, &Err(why)),
        };
        let done = match self.carry(id, ask, at) {
            Ok(Carried::Done(done)) => Ok(done),
            Ok(Carried::Asked) => return Ok(()),
            Ok(Carried::Seated(sitting)) => return self.sit(Some(*sitting)),
            Ok(Carried::Left) => {
                self.sit(None)?;
                Ok(json!({}))
            }
            Err(why) => Err(why),
        };
        self.answer(Some(id), &done)
    }

    fn carry(&mut self, id: MessageId, ask: Ask, at: Instant) -> Result<Carried, String> {
        let done = match ask {
            Ask::Open(ask) => return self.open(id, ask),
            Ask::OpenRecord(ask) => return self.open_record(id, &ask),
            Ask::OpenFile { path, trust } => {
                self.may_open()?;
                let paused = self.shared.host.resume(&path, trust)?;
                let (game, names) = facts(&paused.setup.plan);
                let table = resume(paused).map_err(|error| error.to_string())?;
                return self.add_table(id, game, names, table, Value::Null);
            }
            Ask::Attach { table, name } => {
                let hosted = self
                    .shared
                    .lobby
                    .find(&table)
                    .filter(|_| self.may_see(&table));
                let hosted = hosted.ok_or_else(|| format!("table {table:?} is closed"))?;
                return self.attach(id, &hosted, &name, Value::Null);
            }
            Ask::Leave => return Ok(Carried::Left),
            Ask::Table { command } => {
                self.ask_table(id, command, at)?;
                return Ok(Carried::Asked);
            }
            Ask::Seat(ask) => {
                self.seat(id, &ask, at)?;
                return Ok(Carried::Asked);
            }
            Ask::Look(look) => {
                self.sitting()?.find(&look)?;
                self.look = look;
                self.is_view_due = true;
                json!({})
            }
            Ask::Read { code } => self.read(&code)?,
            Ask::Why { code } => self.why(&code)?,
            Ask::Diagram(ask) => self.diagram(&ask)?,
            Ask::Exercise(ask) => {
                if ask.is_puzzle() {
                    self.only_host()?;
                }
                ask.answer(self.shared.host.as_ref())?
            }
            Ask::Recorded => self.shared.recorded().clone(),
            Ask::Export { what } => self.export(what)?,
            Ask::Invite { side, renew, node } => self.invite(side, renew, node)?,
            Ask::Replay { game, path: None } => {
                let source = self.shared.settings.source.as_ref();
                let source = source.ok_or("replay: no match is shown here")?;
                json!(replay(&source.ledger, game)?)
            }
            Ask::Replay {
                game,
                path: Some(path),
            } => {
                self.only_host()?;
                json!(replay(&path, game)?)
            }
            Ask::Match { path } => {
                self.only_host()?;
                finished(&path)?
            }
            Ask::Games => {
                self.only_host()?;
                let mut games = self.shared.host.recent();
                games.retain(|game| !self.shared.lobby.has_open(&game.path));
                json!({
                    "tables": self.shared.lobby.list(),
                    "games": games,
                    "matches": self.shared.host.matches(),
                })
            }
        };
        Ok(Carried::Done(done))
    }

    fn only_host(&self) -> Result<(), String> {
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

    fn may_see(&self, id: &str) -> bool {
        match &self.rights {
            Rights::Host => true,
            Rights::Guest(link) => link.table == id,
        }
    }

    fn open(&mut self, id: MessageId, ask: OpenAsk) -> Result<Carried, String> {
        self.may_open()?;
        let (game, rules) = choose(self.shared.host.registry(), &ask.game, &ask.options)?;
        let opening = read_opening(&rules, ask.opening.as_deref())?;
        let wish = Wish {
            game,
            seats: ask.seats,
            clock: ask.clock,
            level: ask.level,
            journal: Journal::new(new_id(), opening),
            names: None,
        };
        self.begin(id, wish, Value::Null)
    }

    fn open_record(&mut self, id: MessageId, ask: &RecordAsk) -> Result<Carried, String> {
        self.may_open()?;
        let registry = self.shared.host.registry();
        let found = parse_game(ask.text.as_bytes(), new_id()).map_err(|error| error.to_string())?;
        let (game, rules) = match (&found.game, &ask.game) {
            (Some(game), _) => {
                let named = |(name, value): &(String, String)| (name.clone(), json!(value));
                choose(
                    registry,
                    &game.name,
                    &game.options.iter().map(named).collect(),
                )?
            }
            (None, Some(game)) => choose(registry, game, &ask.options)?,
            (None, None) => recognise(registry, &ask.text)?,
        };
        let mut note = None;
        let journal = match found.game {
            Some(_) => found.journal,
            None => match rules.open(&Opening::parse(&ask.text)) {
                Ok(_) => found.journal,
                // Boards and moves must be parsed by the rules.
                Err(_) => {
                    let (journal, read) = read_game(&rules, &ask.text, new_id())?;
                    note = Some(format!("{game}: {read}"));
                    journal
                }
            },
        };
        let wish = Wish {
            game,
            seats: ask.seats.clone(),
            clock: Limit::Unlimited,
            level: None,
            journal,
            names: found.names,
        };
        self.begin(id, wish, note.into())
    }

    /// Opens a new table, and attaches the page to it.
    fn begin(&mut self, id: MessageId, wish: Wish, note: Value) -> Result<Carried, String> {
        self.shared.lobby.make_room()?;
        let setup = self.shared.host.set_up(&wish)?;
        let (game, names) = facts(&setup.plan);
        let table = open(setup).map_err(|error| error.to_string())?;
        self.add_table(id, game, names, table, note)
    }

    /// Attaches the page to a table that was opened.
    fn add_table(
        &mut self,
        id: MessageId,
        game: GameSpec,
        names: [Option<String>; 2],
        table: OpenTable,
        note: Value,
    ) -> Result<Carried, String> {
        let hosted = self.shared.lobby.add(game, names, table)?;
        self.attach(id, &hosted, "", note)
    }

    /// Asks a table for a place, whose answer will answer the page's message.
    fn attach(
        &mut self,
        id: MessageId,
        hosted: &Arc<HostedTable>,
        name: &str,
        note: Value,
    ) -> Result<Carried, String> {
        let visit = hosted.visit();
        let (known, usual, role, token) = match &self.rights {
            Rights::Host => (None, "host", Role::Host, None),
            Rights::Guest(link) if !self.shared.access.is_valid(link) => {
                return Err("This link was replaced. Ask your friend for a new one.".to_owned());
            }
            Rights::Guest(link) => match &link.seat {
                Some(seat) => {
                    let LinkedSeat { side, token } = &*seat.lock();
                    let role = Role::Player(SideSet::from(*side));
                    (hosted.name(*side), "guest", role, token.clone())
                }
                None => (None, "watcher", Role::Spectator, None),
            },
        };
        let given = Some(name.to_owned()).filter(|name| !name.trim().is_empty());
        let name = given.or(known).unwrap_or_else(|| usual.to_owned());
        let client = hosted.handle.join(JoinWish {
            token,
            // The seat may have got another guest since this link's last one.
            takes_left_seats: true,
            voice: Voice::Page,
            ..JoinWish::new(&name, role)
        });
        let client = client.map_err(|error| error.to_string())?;
        self.look = ViewState::default();
        let done = json!({ "table": hosted.id, "note": note });
        let sitting = Sitting::new(client, visit, (id, done));
        Ok(Carried::Seated(Box::new(sitting)))
    }

    fn sitting(&mut self) -> Result<&mut Sitting, String> {
        self.sitting.as_mut().ok_or_else(|| NO_TABLE.to_owned())
    }

    fn ask_table(
        &mut self,
        id: MessageId,
        command: TableCommand,
        at: Instant,
    ) -> Result<(), String> {
        if matches!(
            command,
            TableCommand::Save { .. } | TableCommand::Load { .. } | TableCommand::Leave
        ) {
            let word = command.id().name(Voice::Json);
            return Err(format!(
                "The page cannot send {word}: use leave, export or open-record."
            ));
        }
        self.sitting()?.ask(id, command, at)
    }

    fn read(&self, code: &str) -> Answered {
        let position = self.position()?;
        let codes = read_moves(position.board.as_ref(), code).map_err(|error| match error {
            // Its message names a command of the console.
            TypingError::Illegal { why, legal, .. } if legal.is_empty() => why,
            error => error.to_string(),
        })?;
        match codes.as_slice() {
            [code] => Ok(json!({ "code": code })),
            codes => Err(format!("{} moves: expected one", codes.len())),
        }
    }

    fn why(&self, code: &str) -> Answered {
        let why = reason(self.position()?.board.as_ref(), code);
        Ok(json!({ "why": why }))
    }

    /// Returns the position that the page shows.
    fn position(&self) -> Result<Position, String> {
        let sitting = self.sitting.as_ref();
        let sitting = sitting.ok_or(NO_TABLE)?;
        sitting.find(&self.look)
    }

    fn diagram(&self, ask: &DiagramAsk) -> Answered {
        let (_, rules) = choose(self.shared.host.registry(), &ask.game, &ask.options)?;
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
        let sitting = self.sitting.as_ref().ok_or("no table")?;
        let game = sitting.game()?;
        let stem = format!("{}-{}", game.snapshot().game.name, game.snapshot().id);
        let ledger = || {
            sitting
                .visit()
                .table()
                .ledger
                .get()
                .ok_or("no ledger exists yet")
        };
        let (kind, text) = match what {
            Export::Ledger => (
                "jsonl",
                read_text(ledger()?).map_err(|error| error.to_string())?,
            ),
            Export::Pgn => {
                let saved = read_table(ledger()?).map_err(|error| error.to_string())?;
                let plan = saved.ledger.plan;
                let record = game.record(plan.date.clone());
                (
                    "pgn",
                    PgnFormat::new(self.shared.host.registry(), &plan).text(&record),
                )
            }
            Export::Fen => ("txt", position.board.fen()),
            Export::Svg => ("svg", self.look.svg(&position)),
        };
        Ok(json!({ "name": format!("{stem}.{kind}"), "text": text }))
    }

    fn seat(&mut self, id: MessageId, ask: &SeatAsk, at: Instant) -> Result<(), String> {
        self.only_host()?;
        let player = self.shared.host.player(&ask.seat, ask.clock, ask.level);
        let (player, guest) = player?;
        let name = player.name.clone();
        let command = TableCommand::SetSeat {
            seat: ask.side,
            player: Box::new(player),
            guest,
        };
        self.ask_table(id, command, at)?;
        if ask.side.partner == 0 {
            self.sitting()?.visit().table().names.lock()[ask.side.side.index()] = name;
        }
        Ok(())
    }

    fn invite(&self, side: Option<Side>, renew: bool, node: Option<usize>) -> Answered {
        self.only_host()?;
        let sitting = self.sitting.as_ref().ok_or(NO_TABLE)?;
        let table = &sitting.visit().table().id;
        let access = &self.shared.access;
        if renew {
            access.revoke(|link| link.table == *table && link.side() == side);
            sitting.kick(side)?;
        }
        let token = access.guest_token(table, side);
        let token = token.map_err(|error: io::Error| error.to_string())?;
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

/// Returns the game of a plan, and the names it gives to the players.
fn facts(plan: &Plan) -> (GameSpec, [Option<String>; 2]) {
    let names = plan.sides().map(|players| players.first()?.name.clone());
    (plan.game.clone(), names)
}
