//! Start of a table: creates the seats, starts the plan's engines, then opens the records.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kit::Side;
use kit::search::Ladder;
use record::adjudication::Adjudication;
use record::clock::Limit;
use record::engine_spec::{EngineSpec, Program};
use referee::arbiter::Arbiter;
use referee::engine::{EngineConfig, Fault, Infos, Request, given_name, unique_name};
use referee::live_game::LiveGame;
use referee::match_error::MatchError;

use crate::analyst::Analyst;
use crate::error::{Done, TableError};
use crate::journal::{Journal, JournalEntry, new_id, settled};
use crate::level::{LevelChoice, level};
use crate::model::{SeatId, Tree};
use crate::records::Records;
use crate::seat::{EngineSource, Seat, SeatStage, UNNAMED, engine_of};
use crate::session::Clients;
use crate::setup::{Resumed, TableSetup};
use crate::state::{Phase, Table};
use crate::turn_timer::{Pace, TurnTimer};

impl Table {
    /// Creates a new table, or that of a ledger. Its engines are not running yet.
    pub(super) fn create(
        mut setup: TableSetup,
        resumed: Option<Resumed>,
        source: Option<EngineSource>,
    ) -> Result<Table, TableError> {
        let new = || Journal::new(new_id(), setup.plan.openings[0].clone());
        let journal = setup.game.take().unwrap_or_else(new);
        let sides = setup.plan.sides();
        let n_seated: usize = sides.iter().map(Vec::len).sum();
        if sides.iter().any(Vec::is_empty) || n_seated != setup.plan.engines.len() {
            let why = "a table needs players on both sides".to_owned();
            return Err(TableError::Unsuitable(why));
        }
        // From here on, the plan lists the players in the order of the seats.
        setup.plan.set_sides(sides);
        let game = &setup.plan.game;
        let rules = setup.host.registry.rules(game).map_err(MatchError::Game)?;
        let rules = rules.ok_or_else(|| TableError::Unsuitable(format!("{game} has no rules")))?;
        let board = rules.open(&journal.opening)?;
        // A client might get the position from the program that replaces the failed one, and see a game that ends.
        if let Some(why) = board.fault() {
            return Err(MatchError::Trouble(why).into());
        }
        settled(&rules, &journal)?;
        let source = source.unwrap_or_else(|| {
            let (plan, rules, host) = (setup.plan.clone(), rules.clone(), setup.host.clone());
            Box::new(move |spec| EngineConfig::new(spec, &plan, Some(&rules), &host))
        });
        let seats = set_up_seats(&setup);
        let ladder = rules.ladder().unwrap_or(Ladder::UNMEASURED);
        let level = level(seats.iter().flatten(), &setup.helper, ladder);
        let arbiter = Arbiter::rules(board, &journal.opening);
        // The clocks are set when the game is opened.
        let clocks = seats.each_ref().map(|seats| seats[0].clock());
        let is_adaptive = setup.is_adaptive;
        let mut table = Table {
            source,
            level,
            is_adaptive: false,
            game: LiveGame::new(arbiter, Default::default(), clocks, Adjudication::default()),
            seats,
            analyst: Analyst::default(),
            clients: Clients::default(),
            id: journal.id.clone(),
            opening: journal.opening.clone(),
            tree: Tree::default(),
            over: None,
            last_turn: None,
            endings: Vec::new(),
            proposal: None,
            next_game: None,
            allows_hints: false,
            restarted_at: None,
            is_held: false,
            timer: TurnTimer::default(),
            pace: Pace::of(setup.pace),
            clock_since: [0; 2],
            phase: Phase::Starting,
            resumed,
            records: Records::default(),
            told: None,
            now: Instant::now(),
            rules,
            setup: TableSetup {
                game: Some(journal),
                ..setup
            },
        };
        if is_adaptive {
            table.choose_level(LevelChoice::Adaptive)?;
        }
        Ok(table)
    }

    /// Starts the plan's engines.
    pub(super) fn start(&mut self, now: Instant) -> Done {
        self.now = now;
        for id in self.seat_ids() {
            if self.is_persons(id) {
                continue;
            }
            let seat = &mut self.seats[id.side.index()][id.partner];
            let engine = engine_of(&self.source, &seat.spec, Infos::Best);
            let engine = seat.engine.insert(engine);
            seat.stage = SeatStage::Starting;
            if let Err(fault) = engine.ask(Request::Start) {
                return Err(self.start_error(id, fault));
            }
        }
        self.try_open()
    }

    pub(super) fn start_error(&self, id: SeatId, fault: Fault) -> TableError {
        let name = self.seat_at(id).engine_name().to_owned();
        TableError::Engine(match fault {
            Fault::Option(why) => MatchError::Start(format!("engine {name}: {why}")),
            fault => MatchError::of_engine(&name, fault),
        })
    }

    /// Opens the game if all engines have started.
    pub(super) fn try_open(&mut self) -> Done {
        let is_starting = |seat: &Seat| seat.stage == SeatStage::Starting;
        if self.all_seats().any(is_starting) {
            return Ok(());
        }
        let Some(journal) = self.setup.game.take() else {
            return Ok(());
        };
        self.phase = Phase::Open;
        self.settle_names();
        let resumed = self.resumed.take();
        let known_guests = resumed.as_ref().map(|resumed| resumed.guests.clone());
        let records = Records::open(resumed, &self.setup);
        self.records = records.map_err(TableError::Records)?;
        if known_guests.is_none() {
            self.note(&JournalEntry::Helper(Box::new(self.setup.helper.clone())))?;
            self.note_game(&journal)?;
        }
        if self.setup.keeps_guests && known_guests.as_ref() != Some(&self.setup.guests) {
            let seats = self.setup.guests.clone();
            self.note(&JournalEntry::Guests { seats })?;
        }
        let is_over = journal.ended.is_some();
        self.replay(journal)?;
        self.send_snapshots();
        if is_over {
            return Ok(());
        }
        self.check_outcome()
    }

    /// Gives each player a unique name: the one in the plan, else the engine's.
    fn settle_names(&mut self) {
        let mut names = HashSet::new();
        let seats = self.seats.iter_mut().flatten();
        for (seat, planned) in seats.zip(&mut self.setup.plan.engines) {
            let name = match &seat.engine {
                Some(engine) => given_name(engine),
                None => seat.name.clone(),
            };
            let name = unique_name(name, &mut names);
            planned.name = Some(name.clone());
            seat.rename(name);
        }
    }

    /// Time limit of this engine's search without a clock.
    pub(super) fn search_timeout(&self, engine: &EngineSpec) -> Duration {
        let own = engine.process.search_timeout_ms;
        Duration::from_millis(own.unwrap_or(self.setup.plan.search_timeout_ms))
    }
}

fn set_up_seats(setup: &TableSetup) -> [Vec<Seat>; 2] {
    let sides = setup.plan.sides();
    let seat = |id: SeatId, spec: &EngineSpec| {
        let auto = setup.auto.as_ref();
        let is_person = spec.program == Program::Person;
        let is_auto = auto.map_or(!is_person, |auto| auto[id.side.index()].of(id.partner));
        let (name, limit, own) = occupant(spec, &setup.helper);
        let mut seat = Seat::new(name, limit, own, is_auto);
        if setup.guests.contains(&id) {
            seat.keep_for_guest();
        }
        seat
    };
    Side::BOTH.map(|side| {
        let partners = sides[side.index()].iter().enumerate();
        let seats = partners.map(|(partner, spec)| seat(SeatId { side, partner }, spec));
        seats.collect()
    })
}

/// A player's name, the limit for a person in the seat, and the engine that plays there.
pub(super) fn occupant(player: &EngineSpec, helper: &EngineSpec) -> (String, Limit, EngineSpec) {
    let name = |usual: &str| player.name.clone().unwrap_or_else(|| usual.to_owned());
    if player.program == Program::Person {
        let mut own = helper.clone();
        own.name = None;
        return (name(UNNAMED), player.limit, own);
    }
    // A person has the engine's clock, but no limit per move.
    let limit = match player.limit {
        limit @ Limit::Clock(..) => limit,
        _ => Limit::Unlimited,
    };
    (name("engine"), limit, player.clone())
}
