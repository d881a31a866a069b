//! Who sits where: sessions begin here, engines take over and hand back.

use std::collections::HashSet;
use std::path::Path;

use kit::Side;

use super::chair::Seat;
use super::journal::{Journal, JournalEntry, SavedTable, open_table};
use super::records::{Records, new_id};
use super::{Table, TableError};
use crate::clock::Limit;
use crate::opening::Opening;
use crate::plan::{EngineSpec, Plan, Program};
use crate::play::Ending;
use crate::pool::{self, unique_name};
use crate::registry::Rules;
use crate::stop::MoveNow;
use crate::tournament::{Host, MatchError};

/// The option by which an engine plays less well.
const LEVEL: &str = "Skill Level";

impl Table {
    /// Begins a session: its engines are started, then its ledger. The first engine of the plan plays p1, the second
    /// p2; `helper` takes a person's seat when it is told to. The game is told by `tale` so far; where there is none, the
    /// first opening is played.
    pub fn begin(
        plan: Plan,
        helper: EngineSpec,
        tale: Option<Journal>,
        host: Host,
    ) -> Result<Table, TableError> {
        let tale = tale.unwrap_or_else(|| Journal::new(new_id(), plan.opening(0).clone()));
        let mut session = Table::assemble(plan, helper, None, &tale, host)?;
        session.records =
            Records::create(&session.plan, session.host.registry).map_err(TableError::Records)?;
        session.note(&JournalEntry::Helper(Box::new(session.helper.clone())))?;
        session.note_game(&tale)?;
        session.replay(tale)?;
        session.settle_outcome()?;
        Ok(session)
    }

    /// Takes up the session of a ledger where it was left. `change` may set other players or limits.
    pub fn resume(
        path: &Path,
        host: Host,
        change: impl FnOnce(&mut Plan, &mut EngineSpec, &mut Option<[bool; 2]>),
    ) -> Result<Table, TableError> {
        let (story, writer) = open_table(path).map_err(TableError::File)?;
        let SavedTable {
            ledger,
            helper,
            mut auto,
            journal: tale,
        } = story;
        let (Some(mut helper), Some(tale)) = (helper, tale) else {
            return Err(TableError::Refused(
                "the ledger of a match: expected one of linesman play; match --resume goes on with it".to_owned(),
            ));
        };
        let mut plan = ledger.plan.clone();
        path.clone_into(&mut plan.ledger);
        change(&mut plan, &mut helper, &mut auto);
        let mut session = Table::assemble(plan, helper, auto, &tale, host)?;
        session.records = Records::resume(&session.plan, &ledger, writer, session.host.registry)
            .map_err(TableError::Records)?;
        session.replay(tale)?;
        session.settle_outcome()?;
        Ok(session)
    }

    fn assemble(
        mut plan: Plan,
        helper: EngineSpec,
        auto: Option<[bool; 2]>,
        tale: &Journal,
        host: Host,
    ) -> Result<Table, TableError> {
        let rules = host.registry.rules(&plan.game).map_err(MatchError::Game)?;
        let no_rules = || TableError::Refused(format!("{} has no rules to play by", plan.game));
        let rules = rules.ok_or_else(no_rules)?;
        settle(&rules, &tale.opening, tale.tree.clone())?;
        let nudge = MoveNow::default();
        let mut chairs = seat_all(&mut plan, &helper, auto, &rules, &host)?;
        for engine in chairs.iter_mut().filter_map(Seat::engine) {
            engine.heed(nudge.clone());
        }
        Ok(Table {
            round: Table::round(&rules, &tale.opening, &chairs)?,
            rules,
            helper,
            nudge,
            chairs,
            is_ready: [false; 2],
            analyst: None,
            id: tale.id.clone(),
            opening: tale.opening.clone(),
            tree: super::Tree::default(),
            over: None,
            endings: Vec::new(),
            offer: None,
            is_held: false,
            records: Records::nowhere(),
            plan,
            host,
        })
    }

    /// Puts the game where a tale ends. A refusal names the move that the rules do not allow, and then the session is
    /// not to be used.
    pub(super) fn replay(&mut self, tale: Journal) -> Result<(), TableError> {
        self.id = tale.id;
        self.is_ready = [false; 2];
        self.round = Table::round(&self.rules, &tale.opening, &self.chairs)?;
        self.opening = tale.opening;
        self.tree = settle(&self.rules, &self.opening, tale.tree)?;
        self.over = None;
        self.endings = tale
            .endings
            .iter()
            .map(|ending| (ending.node, ending.result))
            .collect();
        let here = self.tree.here();
        self.tree.go(super::tree::NodeId::ROOT);
        self.stand_at(here)?;
        if let Some(record) = tale.ended {
            self.over = Some(Ending {
                result: record.result,
                termination: record.termination,
                reason: record.reason,
                fault: record.fault,
            });
        }
        Ok(())
    }

    /// Has an engine play exactly these seats from here on, and a person the others.
    pub fn set_auto(&mut self, auto: [bool; 2]) -> Result<(), TableError> {
        for side in Side::BOTH.into_iter().filter(|side| auto[side.index()]) {
            self.engage(side)?;
        }
        for side in Side::BOTH {
            let chair = &mut self.chairs[side.index()];
            chair.is_auto = auto[side.index()];
            let clock = chair.clock();
            if self.round.clocks()[side.index()].limit() != clock.limit() {
                self.round.set_clock(side, clock);
            }
        }
        self.is_held = false;
        self.note(&JournalEntry::Auto(auto))
    }

    /// Goes on from where moves were taken back: engines need not wait any more.
    pub fn go_on(&mut self) {
        self.is_held = false;
    }

    /// How well engines play from here on, 0 to 20.
    pub fn set_level(&mut self, level: u32) -> Result<(), TableError> {
        let value = level.to_string();
        let engines = self.chairs.iter_mut().filter_map(Seat::engine);
        for engine in engines {
            engine
                .set_option(LEVEL, &value)
                .map_err(TableError::Refused)?;
        }
        set_level(&mut self.helper, &value);
        for chair in &mut self.chairs {
            if chair.spec.program == Program::Builtin {
                set_level(&mut chair.spec, &value);
            }
        }
        Ok(())
    }

    /// Starts the engine of a seat, unless it runs.
    pub(super) fn engage(&mut self, side: Side) -> Result<(), TableError> {
        let chair = &mut self.chairs[side.index()];
        if chair.has_engine() {
            return Ok(());
        }
        let mut engine = pool::start(&chair.spec, &self.plan, &self.rules, &self.host)?;
        engine.heed(self.nudge.clone());
        engine.rename(chair.name());
        chair.seat(engine);
        self.is_ready[side.index()] = false;
        Ok(())
    }
}

fn set_level(spec: &mut EngineSpec, value: &str) {
    spec.options
        .retain(|(name, _)| !name.eq_ignore_ascii_case(LEVEL));
    spec.options
        .push((LEVEL.to_owned(), Some(value.to_owned())));
}

/// Starts the engines of the plan, and settles all names.
fn seat_all(
    plan: &mut Plan,
    helper: &EngineSpec,
    auto: Option<[bool; 2]>,
    rules: &Rules,
    host: &Host,
) -> Result<[Seat; 2], TableError> {
    let mut names = HashSet::new();
    let mut chairs = Vec::new();
    for side in Side::BOTH {
        let spec = plan.engines[side.index()].clone();
        let is_person = spec.program == Program::Person;
        let is_auto = auto.map_or(!is_person, |auto| auto[side.index()]);
        let chair = if is_person {
            let name = spec.name.clone().unwrap_or_else(|| "human".to_owned());
            let mut own = helper.clone();
            own.name = None;
            Seat::new(unique_name(name, &mut names), spec.limit, own, is_auto)
        } else {
            let engine = pool::start(&spec, plan, rules, host)?;
            let name = crate::player::Player::name(&engine).to_owned();
            let limit = person_limit(spec.limit);
            let mut chair = Seat::new(unique_name(name, &mut names), limit, spec, is_auto);
            chair.seat(engine);
            chair
        };
        plan.engines[side.index()].name = Some(chair.name().to_owned());
        chairs.push(chair);
    }
    let chairs: [Seat; 2] = chairs.try_into().expect("there are two sides");
    Ok(chairs)
}

/// A person in an engine's seat has the engine's clock, but need not move as fast where there is none.
fn person_limit(limit: Limit) -> Limit {
    match limit {
        Limit::Clock(_) => limit,
        _ => Limit::Unlimited,
    }
}

/// The same tree with the side of each move, as the rules have it.
fn settle(rules: &Rules, opening: &Opening, tree: super::Tree) -> Result<super::Tree, TableError> {
    tree.settled(rules.open(opening)?.as_ref())
        .map_err(TableError::from)
}
