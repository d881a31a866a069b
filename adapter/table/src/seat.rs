//! A player's seat: a person, or an engine that can take over and hand back at any time.

use std::time::{Duration, Instant};

use crate::model::{ClientId, Mover, SeatInfo, Sitter};
use kit::session::{LIMIT_STRENGTH, SKILL_LEVEL};
use record::clock::{Clock, Limit};
use record::engine_spec::{EngineSpec, Program};
use referee::engine::{Engine, EngineConfig, Infos, Request};

/// Makes the configuration of each engine of a table.
pub(super) type EngineSource = Box<dyn Fn(&EngineSpec) -> EngineConfig + Send>;

/// An engine that is not started yet, and reports these lines.
pub(super) fn engine_of(source: &EngineSource, spec: &EngineSpec, infos: Infos) -> Engine {
    let mut config = source(spec);
    config.infos = infos;
    Engine::new(config)
}

/// The owner of a seat while a person plays there.
#[derive(Default)]
pub(super) enum Holder {
    #[default]
    Host,
    /// A guest: the token that reclaims the seat, set at the first join, and the current client.
    Guest {
        token: Option<String>,
        client: Option<ClientId>,
    },
}

/// State of a seat's engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SeatStage {
    /// Not running, or not yet prepared for the current game.
    #[default]
    Off,
    /// Being started, before the first game.
    Starting,
    /// Being prepared for the current game.
    Preparing,
    /// Ready to search in the current game.
    Ready,
    /// Searching.
    Thinking,
}

/// A seat: one player of a side.
#[derive(Default)]
pub(super) struct Seat {
    /// The name in the records, regardless of who moves.
    pub(super) name: String,
    /// The limit of a person.
    limit: Limit,
    /// `false` if an engine's own name, known only after the handshake, will replace this one.
    pub(super) is_named: bool,
    /// The engine that plays here, or that can take over.
    pub(super) spec: EngineSpec,
    pub(super) engine: Option<Engine>,
    pub(super) stage: SeatStage,
    /// A search was abandoned, and its answer is still outstanding.
    gave_up: bool,
    /// The engine is to move immediately when its search starts.
    pub(super) is_stop_pending: bool,
    /// Start time of the current search.
    asked: Option<Instant>,
    /// The engine plays here.
    pub(super) is_auto: bool,
    /// The engine makes only the next move here.
    pub(super) is_once: bool,
    /// The limit for that one move; by default, the engine's configured limit.
    pub(super) limit_once: Option<Limit>,
    pub(super) holder: Holder,
    /// The game waits for the guest of this seat, who has not come yet or has lost the connection.
    pub(super) is_awaited: bool,
    /// Time at which the guest left, if absent.
    pub(super) left: Option<Instant>,
    /// Total time of the guest's earlier absences in this game.
    pub(super) absence: Duration,
}

impl Seat {
    /// A seat whose engine is not running. `limit` applies to a person.
    pub(super) fn new(name: String, limit: Limit, spec: EngineSpec, is_auto: bool) -> Seat {
        Seat {
            name,
            limit,
            is_named: true,
            spec,
            is_auto,
            ..Seat::default()
        }
    }

    pub(super) fn rename(&mut self, name: String) {
        if let Some(engine) = &mut self.engine {
            engine.rename(&name);
        }
        self.name = name;
        self.is_named = true;
    }

    /// `true` if an engine makes the next move here.
    pub(super) fn is_engine_next(&self) -> bool {
        self.is_auto || self.is_once
    }

    /// The engine that makes the next move here.
    pub(super) fn mover(&mut self) -> Option<&mut Engine> {
        let is_next = self.is_engine_next();
        self.engine.as_mut().filter(|_| is_next)
    }

    /// A new clock for the regular player of this seat.
    pub(super) fn clock(&self) -> Clock {
        match self.is_auto {
            true => self.engine_clock(),
            false => Clock::new(self.limit, Duration::ZERO),
        }
    }

    pub(super) fn engine_clock(&self) -> Clock {
        let once = self.limit_once.filter(|_| self.is_once);
        Clock::new(
            once.unwrap_or(self.spec.limit),
            Duration::from_millis(self.spec.margin_ms),
        )
    }

    /// `true` if a person's time is limited here.
    pub(super) fn has_clock(&self) -> bool {
        !self.is_auto && self.limit.is_time()
    }

    /// Reserves the seat for a guest, who has not come yet.
    pub(super) fn keep_for_guest(&mut self) {
        self.holder = Holder::Guest {
            token: None,
            client: None,
        };
        self.is_awaited = true;
        self.left = None;
        self.absence = Duration::ZERO;
    }

    /// Marks the seat's guest as present.
    pub(super) fn arrive(&mut self, now: Instant) {
        let left = self.left.take().unwrap_or(now);
        self.absence += now.saturating_duration_since(left);
        self.is_awaited = false;
    }

    /// The name of the running engine; without one, the name of the seat.
    pub(super) fn engine_name(&self) -> &str {
        let engine = self.engine.as_ref();
        engine.map_or(&self.name, |engine| engine.name())
    }

    /// `true` if an answer of the engine, or its message about a game, is outstanding.
    pub(super) fn is_busy(&mut self) -> bool {
        match self.stage {
            SeatStage::Starting | SeatStage::Preparing | SeatStage::Thinking => true,
            SeatStage::Off | SeatStage::Ready => {
                let engine = self.engine.as_mut();
                self.gave_up || engine.is_some_and(|engine| engine.facts.is_learning)
            }
        }
    }

    /// The engine, if an answer of it is outstanding.
    pub(super) fn busy_engine(&mut self) -> Option<&mut Engine> {
        let is_busy = self.is_busy();
        self.engine.as_mut().filter(|_| is_busy)
    }

    /// Makes the engine move immediately, or as soon as its search starts.
    pub(super) fn move_now(&mut self) {
        self.is_stop_pending = self.stage != SeatStage::Thinking;
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.is_stop_pending) {
            // Nothing can fail.
            let _ = engine.ask(Request::Stop);
        }
    }

    /// Marks the engine as searching since `now`.
    pub(super) fn think(&mut self, now: Instant) {
        self.stage = SeatStage::Thinking;
        self.asked = Some(now);
    }

    /// The time since the current search began; zero without one.
    pub(super) fn searched(&self, now: Instant) -> Duration {
        let asked = self.asked.filter(|_| self.stage == SeatStage::Thinking);
        asked.map_or(Duration::ZERO, |asked| now.saturating_duration_since(asked))
    }

    /// Marks the engine as idle: all its answers have arrived.
    pub(super) fn rest(&mut self) {
        self.stage = SeatStage::Ready;
        self.gave_up = false;
    }

    /// Stops the engine's search or pondering; its answer will be discarded.
    pub(super) fn give_up(&mut self) {
        self.is_stop_pending = false;
        if !matches!(self.stage, SeatStage::Ready | SeatStage::Thinking) {
            return;
        }
        if let Some(engine) = &mut self.engine {
            // Nothing can fail.
            let _ = engine.ask(Request::GiveUp);
            self.gave_up |= self.stage == SeatStage::Thinking;
            self.stage = SeatStage::Ready;
        }
    }

    /// Marks the engine as unprepared: the current game is new to it.
    pub(super) fn forget_game(&mut self) {
        self.give_up();
        if matches!(self.stage, SeatStage::Ready | SeatStage::Preparing) {
            self.stage = SeatStage::Off;
        }
    }

    /// `true` if a silent engine is still busy with an abandoned search: the current search, if any, has not used up
    /// its time.
    pub(super) fn is_stop_late(&self, search_timeout: Duration, now: Instant) -> bool {
        let allowance = self.engine_clock().allowance().unwrap_or(search_timeout);
        let is_early = self.asked.is_some_and(|asked| now < asked + allowance);
        self.gave_up && (self.stage != SeatStage::Thinking || is_early)
    }

    /// Drops the engine, which kills its process.
    pub(super) fn drop_engine(&mut self) {
        self.engine = None;
        self.stage = SeatStage::Off;
        self.gave_up = false;
    }

    /// Gives the seat to another player, or changes the clock. An engine with the same process and options keeps
    /// running.
    pub(super) fn change(&mut self, name: String, limit: Limit, spec: EngineSpec, is_auto: bool) {
        self.give_up();
        let has_own_name = is_auto && spec.name.is_none();
        // An engine that runs in a person's seat has the person's name.
        let may_stay = self.is_auto || !has_own_name;
        let is_same = may_stay && self.engine.is_some() && is_same_engine(&self.spec, &spec);
        self.spec = spec;
        self.is_auto = is_auto;
        self.is_once = false;
        self.holder = Holder::Host;
        self.is_awaited = false;
        self.left = None;
        self.limit = limit;
        if !is_same {
            self.drop_engine();
        }
        if !(is_same && has_own_name) {
            self.rename(name);
            self.is_named = !has_own_name;
        }
    }

    pub(super) fn info(&self) -> SeatInfo {
        let (sitter, client) = match self.holder {
            Holder::Host => (Sitter::Host, None),
            Holder::Guest { client: None, .. } => (Sitter::AwayGuest, None),
            Holder::Guest { client, .. } => (Sitter::Guest, client),
        };
        let by = match self.is_auto {
            true => Mover::Engine,
            false => Mover::Person,
        };
        SeatInfo {
            name: self.name.clone(),
            by,
            sitter,
            client,
            partners: Vec::new(),
        }
    }
}

/// `true` if both specs start the same process with the same options.
fn is_same_engine(one: &EngineSpec, other: &EngineSpec) -> bool {
    let bare = |spec: &EngineSpec| EngineSpec {
        name: None,
        limit: Limit::Unlimited,
        margin_ms: 0,
        ..spec.clone()
    };
    bare(one) == bare(other)
}

/// The default name of a person; the second one gets a number.
pub(super) const UNNAMED: &str = "human";

/// `true` for the default name of a person. Messages call such a player by the side.
pub fn is_unnamed(name: &str) -> bool {
    let is_number = |digits: &str| digits.parse::<u32>().is_ok();
    let rest = name.strip_prefix(UNNAMED);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(" #").is_some_and(is_number))
}

/// Sets the level of those players that are built-in engines.
pub(super) fn set_level<'a>(players: impl Iterator<Item = &'a mut EngineSpec>, level: u32) {
    for spec in players.filter(|spec| spec.program == Program::Builtin) {
        spec.unset(LIMIT_STRENGTH);
        spec.set(SKILL_LEVEL, level.to_string());
    }
}
