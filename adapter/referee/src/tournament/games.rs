//! Plays the games of a match, in sequence at each place.

use std::time::Duration;

use kit::Options;
use kit::hash::hash;
use parking_lot::Mutex;
use protocol::{OptionDecl, OptionKind};
use record::event::Event;
use record::game::GameRecord;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;

use crate::arbiter::Arbiter;
use crate::game_table::GameTable;
use crate::play::{Halt, LiveEvent, Played, play};
use crate::player::SeatEngine;
use crate::pool::EnginePool;
use crate::queue::{PairOrder, PlayedPair, Queue, SpinValues, check};
use crate::stop::Stop;

/// Engines and settings for playing the games of a match.
#[derive(Debug)]
pub(super) struct GameRunner {
    pub(super) plan: Plan,
    pub(super) rules: Option<Rules>,
    /// Ends games whose result is in the table.
    pub(super) table: Option<GameTable>,
    pub(super) stop: Stop,
    pub(super) pool: EnginePool,
    /// The options that each engine declares.
    declared: Vec<Vec<OptionDecl>>,
    late_hint: LateHint,
}

/// The hint after the first game that a margin would have saved. It is given once in a match.
#[derive(Debug, Default)]
struct LateHint(Mutex<(Option<Event>, bool)>);

impl LateHint {
    /// Records a loss by this much.
    fn note(&self, engine: &str, late: Duration) {
        let ms = 1e3 * late.as_secs_f64();
        let text = format!(
            "was {ms:.1} ms late: a larger timemargin=MS forgives that; 50 is the default for st="
        );
        self.0.lock().0 = Some(Event::note(engine, text));
    }

    /// The hint, at the first call after a loss.
    fn due(&self) -> Option<Event> {
        let (hint, is_given) = &mut *self.0.lock();
        let hint = hint.take().filter(|_| !*is_given);
        *is_given |= hint.is_some();
        hint
    }
}

/// A place for one of the concurrent games, with its event callback.
pub(super) struct ConcurrentGame<'a> {
    /// Number of the place, from 0.
    pub(super) number: usize,
    pub(super) tell: &'a dyn Fn(Event),
    /// Emit an event for each move.
    pub(super) wants_moves: bool,
}

impl GameRunner {
    pub(super) fn new(
        plan: Plan,
        rules: Option<Rules>,
        stop: Stop,
        pool: EnginePool,
    ) -> GameRunner {
        GameRunner {
            declared: (0..plan.engines.len())
                .map(|engine| pool.declared(engine))
                .collect(),
            plan,
            rules,
            table: None,
            stop,
            pool,
            late_hint: LateHint::default(),
        }
    }

    /// Plays pairs from the queue at one place until it is finished.
    pub(super) fn work(&self, queue: &dyn Queue, place: &ConcurrentGame<'_>) {
        while let Some(lease) = queue.lease() {
            match self.play_pair(&lease.order, place) {
                Ok(played) => {
                    queue.finish(lease, played);
                    if let Some(hint) = self.late_hint.due() {
                        (place.tell)(hint);
                    }
                }
                Err(halt) => {
                    if let Halt::Trouble(why) = halt {
                        self.stop.fail(why);
                    }
                    queue.hand_back(lease);
                }
            }
        }
    }

    /// Checks that an order received from a coordinator can be played.
    ///
    /// # Errors
    /// If it cannot. The text describes the problem.
    pub(super) fn check_order(&self, order: &PairOrder) -> Result<(), String> {
        let n_engines = self.plan.engines.len();
        let is_sound = |slot: &Slot| {
            slot.pair == order.pair && slot.p1 != slot.p2 && slot.p1.max(slot.p2) < n_engines
        };
        if !(1..=2).contains(&order.games.len()) || !order.games.iter().all(is_sound) {
            return Err("expected one or two games of its pair".to_owned());
        }
        self.check_values(&order.values)?;
        match &self.rules {
            Some(rules) => rules.check(&order.opening).map_err(|why| why.to_string()),
            None => Ok(()),
        }
    }

    /// Checks that option values are of spin options, in their ranges, and not of the board, of memory or of threads.
    fn check_values(&self, values: &[SpinValues]) -> Result<(), String> {
        if !values.is_empty() && values.len() != self.declared.len() {
            return Err("expected option values for each engine".to_owned());
        }
        let rules = self.rules.as_ref();
        let board = rules.map(|rules| Options::new(rules.entry().source.options()));
        for (declared, values) in self.declared.iter().zip(values) {
            for (name, value) in values {
                let is_it = |decl: &&OptionDecl| decl.name.eq_ignore_ascii_case(name);
                let kind = declared.iter().find(is_it).map(|decl| &decl.kind);
                let is_range = |kind: &OptionKind| matches!(kind, OptionKind::Spin { min, max, .. } if (min..=max).contains(&value));
                let is_fixed =
                    is_limited(name) || board.as_ref().is_some_and(|board| board.has(name));
                if is_fixed || !kind.is_some_and(is_range) {
                    return Err(format!("option {name} with value {value}: not one to tune"));
                }
            }
        }
        Ok(())
    }

    pub(super) fn play_pair(
        &self,
        order: &PairOrder,
        place: &ConcurrentGame<'_>,
    ) -> Result<PlayedPair, Halt> {
        let play = |slot: &Slot| {
            let seed = game_seed(order.srand, slot.game as u64);
            self.play_game(slot, order, seed, place)
        };
        let games = order.games.iter().map(play).collect::<Result<_, _>>()?;
        Ok(PlayedPair {
            pair: order.pair,
            attempt: order.attempt,
            games,
        })
    }

    fn play_game(
        &self,
        slot: &Slot,
        order: &PairOrder,
        seed: u64,
        place: &ConcurrentGame<'_>,
    ) -> Result<GameRecord, Halt> {
        let opening = &order.opening;
        let [p1, p2] = self.names(slot);
        (place.tell)(Event::GameStarted {
            game: slot.game,
            pair: slot.pair,
            p1,
            p2,
            opening: opening.clone(),
        });
        let played = self.play_slot(slot, order, seed, place)?;
        let names = self.names(slot);
        let mut record = played.record(slot.game, slot.pair, names, opening.clone());
        check::bound(&mut record);
        Ok(record)
    }

    /// The names of both engines.
    fn names(&self, slot: &Slot) -> [String; 2] {
        [slot.p1, slot.p2].map(|engine| self.plan.engine_name(engine))
    }

    fn play_slot(
        &self,
        slot: &Slot,
        order: &PairOrder,
        seed: u64,
        place: &ConcurrentGame<'_>,
    ) -> Result<Played, Halt> {
        let opening = &order.opening;
        let engines = [slot.p1, slot.p2];
        let [mut p1, mut p2] = engines.map(|engine| self.pool.take(engine, place.number));
        for (engine, player) in engines.into_iter().zip([&mut p1, &mut p2]) {
            for (name, value) in order.values.get(engine).into_iter().flatten() {
                let set = player.set_option(name, &value.to_string());
                set.map_err(Halt::Trouble)?;
            }
            player.set_game_seed(seed);
        }
        let arbiter = match &self.rules {
            Some(rules) => {
                let board = rules.open(opening).expect("openings were checked");
                Arbiter::rules(board, opening).with_table(self.table.clone())
            }
            None => Arbiter::query(opening),
        };
        let mut pass_on = |news: LiveEvent<'_>| match news {
            LiveEvent::Move { .. } if !place.wants_moves => {}
            LiveEvent::Move { ply, code, record } => {
                let code = code.to_owned();
                (place.tell)(Event::move_played(slot.game, ply, code, record, None));
            }
            LiveEvent::Late(engine, late) => self.late_hint.note(&engine, late),
        };
        let played = play(
            arbiter,
            [&mut p1, &mut p2],
            self.plan.adjudication,
            self.plan.outputs.pgn_comments.pv,
            &mut pass_on,
        );
        for (engine, player) in engines.into_iter().zip([p1, p2]) {
            self.pool.put(engine, place.number, player);
        }
        played
    }
}

/// `true` for options that a worker limits for all its games: memory and threads.
pub fn is_limited(option: &str) -> bool {
    ["Hash", "Threads"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(option))
}

/// The seed of a game for engines that play below full strength: it depends on the seed of the match and the number
/// of the game, from 1.
pub fn game_seed(srand: u64, game: u64) -> u64 {
    hash([srand, game])
}
