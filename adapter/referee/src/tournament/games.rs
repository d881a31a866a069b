//! Plays the games of a match, in sequence at each place.

use std::time::Duration;

use kit::hash::hash;
use parking_lot::Mutex;
use record::event::{Event, StartedGame};
use record::game::GameRecord;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::{Schedule, Slot};

use super::remote::PairOrder;
use crate::arbiter::Arbiter;
use crate::bounds;
use crate::game_table::GameTable;
use crate::play::{Halt, LiveEvent, Played, play};
use crate::pool::EnginePool;
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
    pub(super) late_hint: LateHint,
}

/// The hint after the first game that a margin would have saved. It is given once in a match.
#[derive(Debug, Default)]
pub(super) struct LateHint(Mutex<(Option<Event>, bool)>);

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
    pub(super) fn due(&self) -> Option<Event> {
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
            plan,
            rules,
            table: None,
            stop,
            pool,
            late_hint: LateHint::default(),
        }
    }

    /// Plays games of the schedule at one place while there are some. The games of a pair can be played concurrently.
    pub(super) fn work(
        &self,
        schedule: &Mutex<Schedule>,
        next_game: &dyn Fn() -> Option<Slot>,
        place: &ConcurrentGame<'_>,
    ) {
        while let Some(slot) = next_game() {
            let opening = self.plan.opening_of(slot.opening, self.rules.as_ref());
            match self.play_game(&slot, self.plan.srand, &opening, place) {
                Ok(record) => {
                    schedule.lock().finish(&slot, record.result);
                    let record = Box::new(record);
                    (place.tell)(Event::GameOver { record });
                    if let Some(hint) = self.late_hint.due() {
                        (place.tell)(hint);
                    }
                }
                Err(Halt::Trouble(why)) => self.stop.fail(why),
                Err(Halt::Over(_) | Halt::Stopped) => {}
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
        match &self.rules {
            Some(rules) => rules.check(&order.opening).map_err(|why| why.to_string()),
            None => Ok(()),
        }
    }

    pub(super) fn play_game(
        &self,
        slot: &Slot,
        srand: u64,
        opening: &Opening,
        place: &ConcurrentGame<'_>,
    ) -> Result<GameRecord, Halt> {
        let seed = game_seed(srand, slot.game as u64);
        let [p1, p2] = self.names(slot);
        (place.tell)(Event::GameStarted(StartedGame {
            game: slot.game,
            pair: slot.pair,
            p1,
            p2,
            opening: opening.clone(),
        }));
        let played = self.play_slot(slot, opening, seed, place)?;
        let names = self.names(slot);
        let mut record = played.record(slot.game, slot.pair, names, opening.clone());
        bounds::bound(&mut record);
        Ok(record)
    }

    /// The names of both engines.
    fn names(&self, slot: &Slot) -> [String; 2] {
        [slot.p1, slot.p2].map(|engine| self.plan.engine_name(engine))
    }

    fn play_slot(
        &self,
        slot: &Slot,
        opening: &Opening,
        seed: u64,
        place: &ConcurrentGame<'_>,
    ) -> Result<Played, Halt> {
        let engines = [slot.p1, slot.p2];
        let [mut p1, mut p2] = engines.map(|engine| self.pool.take(engine, place.number));
        p1.set_game_seed(seed);
        p2.set_game_seed(seed);
        let arbiter = match &self.rules {
            Some(rules) => {
                let board = rules.open(opening).expect("openings were checked");
                Arbiter::rules(board, opening).with_table(self.table.clone())
            }
            None => Arbiter::query(opening),
        };
        let mut pass_on = |news: LiveEvent<'_>| match news {
            LiveEvent::Move { .. } if !place.wants_moves => {}
            LiveEvent::Move {
                ply,
                code,
                mut record,
            } => (place.tell)(Event::MovePlayed {
                game: slot.game,
                ply,
                code: code.to_owned(),
                player: record.by.take(),
                record,
            }),
            LiveEvent::Note(engine, text) => {
                let text = format!("in game {}: {text}", slot.game);
                (place.tell)(Event::Note { engine, text });
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

/// The seed of a game for engines that play below full strength: it depends on the seed of the match and the number
/// of the game, from 1.
pub fn game_seed(srand: u64, game: u64) -> u64 {
    hash([srand, game])
}
