//! Tracks the pairs of a match that are to be put into the queue or are in it. Does no input or output.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use kit::Side;
use record::date::today;
use record::game::GameRecord;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::{Schedule, Slot};

use super::check::check_game;
use super::{PairOrder, PlayedPair, SpinValues};

/// Maximum number of pairs in a queue at a time.
pub const MAX_WINDOW: usize = 1 << 16;

/// The option values of the engines in each pair of a tuning.
#[derive(Clone)]
pub struct PairValues(Arc<FindValues>);

type FindValues = dyn Fn(usize) -> Option<Vec<SpinValues>> + Send + Sync;

impl PairValues {
    /// Creates a source that returns the values for the number of a pair, from 1; `None` while they depend on games that
    /// are not finished.
    pub fn new(
        find: impl Fn(usize) -> Option<Vec<SpinValues>> + Send + Sync + 'static,
    ) -> PairValues {
        PairValues(Arc::new(find))
    }
}

impl fmt::Debug for PairValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairValues")
    }
}

/// The pairs of a match in progress. Each result is counted once, even if the queue delivers it several times.
///
/// A pair is *ready* to be put into the queue, then *offered*, then finished and removed. All other pairs remain in the
/// schedule, so memory use depends on the window, not on the length of the match.
#[derive(Debug)]
pub struct Dispatch {
    plan: Plan,
    rules: Option<Rules>,
    schedule: Schedule,
    /// First game of the next pair, already taken from the schedule.
    ahead: Option<Slot>,
    ready: BTreeMap<usize, PairOrder>,
    offered: BTreeMap<usize, PairOrder>,
    /// Workers whose results of each pair were rejected; unknown workers count as one.
    rejected: BTreeMap<usize, Vec<String>>,
    /// The queue may contain pairs from an earlier coordinator.
    is_adopting: bool,
    /// `None` if the match is not a tuning.
    values: Option<PairValues>,
}

impl Dispatch {
    pub(crate) fn new(plan: Plan, rules: Option<Rules>, schedule: Schedule) -> Dispatch {
        Dispatch {
            plan,
            rules,
            schedule,
            ahead: None,
            ready: BTreeMap::new(),
            offered: BTreeMap::new(),
            rejected: BTreeMap::new(),
            is_adopting: false,
            values: None,
        }
    }

    /// Makes the match a tuning.
    pub(crate) fn with_values(self, values: Option<PairValues>) -> Dispatch {
        Dispatch { values, ..self }
    }

    /// `true` if the values of options change in the course of the match.
    pub(super) fn is_tuning(&self) -> bool {
        self.values.is_some()
    }

    /// Creates the dispatch of a plan without finished games.
    pub fn of(plan: Plan, rules: Option<Rules>) -> Dispatch {
        let schedule = Schedule::new(&plan);
        Dispatch::new(plan, rules, schedule)
    }

    /// Number of pairs in the queue.
    pub fn n_offered(&self) -> usize {
        self.offered.len()
    }

    /// Number of pairs held in memory.
    pub fn n_kept(&self) -> usize {
        self.offered.len() + self.ready.len()
    }

    /// `true` if all games are finished.
    pub fn is_done(&mut self) -> bool {
        if self.ready.is_empty() && self.offered.is_empty() {
            self.pull();
        }
        self.ready.is_empty() && self.offered.is_empty() && self.ahead.is_none()
    }

    /// Removes the ready pair with the lowest number, to be put into the queue. The caller must then pass it to
    /// [`offered`](Dispatch::offered) or [`not_offered`](Dispatch::not_offered).
    pub fn remove_next(&mut self) -> Option<PairOrder> {
        if self.ready.is_empty() {
            self.pull();
        }
        let (_, mut order) = self.ready.pop_first()?;
        order.attempt += 1;
        Some(order)
    }

    /// Records that a pair was put into the queue.
    pub fn offered(&mut self, order: PairOrder) {
        self.offered.insert(order.pair, order);
    }

    /// Records that putting a pair into the queue failed. It may be there nevertheless, so the attempt is not counted.
    pub fn not_offered(&mut self, mut order: PairOrder) {
        order.attempt -= 1;
        self.ready.insert(order.pair, order);
    }

    /// Takes over pairs that an earlier coordinator has put into the queue. Until
    /// [`end_adoption`](Dispatch::end_adoption), reports of other pairs are accepted too, because that coordinator may
    /// have offered them.
    pub fn adopt(&mut self, held: &BTreeSet<usize>) {
        self.is_adopting = true;
        for pair in held {
            if self.find_ready(*pair)
                && let Some(mut order) = self.ready.remove(pair)
            {
                order.attempt += 1;
                self.offered(order);
            }
        }
    }

    /// Ends the adoption: all pairs left by an earlier coordinator are known.
    pub fn end_adoption(&mut self) {
        self.is_adopting = false;
    }

    /// Returns the offered pairs that the queue does not hold.
    pub fn missing(&self, held: &BTreeSet<usize>) -> Vec<usize> {
        let offered = self.offered.keys();
        offered
            .filter(|pair| !held.contains(pair))
            .copied()
            .collect()
    }

    /// Makes a pair ready again that has no result and is no longer in the queue.
    pub fn offer_again(&mut self, pair: usize) {
        if let Some(order) = self.offered.remove(&pair) {
            self.ready.insert(pair, order);
        }
    }

    /// Handles a pair that a worker has handed back. Attempts before the last one are ignored. Returns `true` if the
    /// pair is ready again.
    pub fn hand_back(&mut self, pair: usize, attempt: u32) -> bool {
        let offered = self.offered.get(&pair);
        let is_last = offered.is_some_and(|order| order.attempt <= attempt || self.is_adopting);
        if is_last {
            self.offer_again(pair);
        }
        is_last
    }

    /// Handles a pair whose result was rejected, like one that was handed back. Returns the number of workers to which
    /// that has happened with this pair.
    pub fn reject(&mut self, pair: usize, attempt: u32, worker: &str) -> usize {
        let is_last = self.hand_back(pair, attempt);
        let rejected = self.rejected.entry(pair).or_default();
        if is_last && !rejected.iter().any(|name| name == worker) {
            rejected.push(worker.to_owned());
        }
        match rejected.len() {
            0 => self.rejected.remove(&pair).map_or(0, |names| names.len()),
            n_rejected => n_rejected,
        }
    }

    /// Makes a pair ready again for a worker that is none of these.
    pub(super) fn offer_to_others(&mut self, pair: usize, workers: Vec<String>) {
        self.offer_again(pair);
        if let Some(order) = self.ready.get_mut(&pair) {
            order.not = workers;
        }
    }

    /// `true` if games can be removed from the ledger and played again: no later game depends on them.
    pub(super) fn can_purge(&self) -> bool {
        !self.plan.format.has_rounds() && !self.is_tuning()
    }

    /// Accepts the result of a pair. Returns the records to store; empty if the pair already has a result.
    ///
    /// # Errors
    /// If the result cannot belong to this pair. The text describes the problem.
    pub fn finish(&mut self, played: PlayedPair) -> Result<Vec<GameRecord>, String> {
        let records = self.check(&played)?;
        if !records.is_empty() {
            self.close(played.pair, &records);
        }
        Ok(records)
    }

    /// Like [`finish`](Dispatch::finish), but the pair remains without a result until it is
    /// [closed](Dispatch::close).
    pub(super) fn check(&mut self, played: &PlayedPair) -> Result<Vec<GameRecord>, String> {
        let (pair, worker) = (played.pair, played.worker());
        let Some(order) = self.open_order(pair)? else {
            return Ok(Vec::new());
        };
        let mut wanted = Vec::new();
        for slot in &order.games {
            let mut games = played.games.iter();
            let record = games.find(|game| game.game == slot.game);
            let record =
                record.ok_or_else(|| format!("pair {pair} without its game {}", slot.game))?;
            let machine = record.machine.as_ref();
            if machine.map_or("", |machine| machine.worker.as_str()) != worker {
                return Err(format!("pair {pair}: games of different workers"));
            }
            check_game(
                record,
                slot,
                &self.plan,
                &order.opening,
                self.rules.as_ref(),
            )
            .map_err(|why| format!("game {}: {why}", slot.game))?;
            wanted.push(record.clone());
        }
        Ok(wanted)
    }

    /// Ends a pair that cannot be played. Returns the records to store.
    pub fn fail(&mut self, pair: usize, reason: &str) -> Vec<GameRecord> {
        let Ok(Some(order)) = self.open_order(pair) else {
            return Vec::new();
        };
        let record = |slot: &Slot| self.unplayed(slot, &order.opening, reason);
        let records: Vec<GameRecord> = order.games.iter().map(record).collect();
        self.close(pair, &records);
        records
    }

    fn unplayed(&self, slot: &Slot, opening: &Opening, reason: &str) -> GameRecord {
        let first = self
            .rules
            .as_ref()
            .and_then(|rules| rules.first_mover(opening));
        let first = first.unwrap_or(Side::P1);
        GameRecord {
            game: slot.game,
            pair: slot.pair,
            p1: self.plan.engine_name(slot.p1),
            p2: self.plan.engine_name(slot.p2),
            plies: vec![None; opening.moves.len()],
            moves: opening.moves.clone(),
            opening: opening.clone(),
            reason: reason.to_owned(),
            date: today(),
            first,
            ..GameRecord::default()
        }
    }

    /// Returns a pair that was put into the queue and has no result; `None` if it has one.
    fn open_order(&mut self, pair: usize) -> Result<Option<PairOrder>, String> {
        if let Some(order) = self.offered.get(&pair) {
            return Ok(Some(order.clone()));
        }
        if self.is_adopting {
            self.find_ready(pair);
        }
        match self.ready.get(&pair) {
            Some(order) if order.attempt > 0 || self.is_adopting => Ok(Some(order.clone())),
            Some(_) => Err(format!("pair {pair} was not requested")),
            None if pair == 0 || pair > self.last_known() => {
                Err(format!("pair {pair} was not requested"))
            }
            None => Ok(None),
        }
    }

    /// Highest number of a pair taken from the schedule. Pairs up to it that are not held in memory have a result.
    fn last_known(&self) -> usize {
        let ahead = self.ahead.map_or(usize::MAX, |slot| slot.pair - 1);
        let kept = self.ready.last_key_value().map(|(pair, _)| *pair);
        kept.unwrap_or(ahead).max(ahead)
    }

    /// Ends a pair with these records.
    pub(super) fn close(&mut self, pair: usize, records: &[GameRecord]) {
        self.rejected.remove(&pair);
        let order = self
            .offered
            .remove(&pair)
            .or_else(|| self.ready.remove(&pair));
        let slots = order.map_or_else(Vec::new, |order| order.games);
        for (slot, record) in slots.iter().zip(records) {
            self.schedule.finish(slot, record.result);
        }
    }

    /// Takes pairs from the schedule until this one is ready. At most [`MAX_WINDOW`] are made ready, since a queue
    /// never holds more.
    fn find_ready(&mut self, pair: usize) -> bool {
        while !self.ready.contains_key(&pair) {
            let last = self.ready.last_key_value().map_or(0, |(last, _)| *last);
            if last >= pair || self.ready.len() >= MAX_WINDOW || !self.pull() {
                return false;
            }
        }
        true
    }

    /// Takes the next pair from the schedule. Returns `false` if none is available now.
    fn pull(&mut self) -> bool {
        let Some(first) = self.ahead.take().or_else(|| self.schedule.take()) else {
            return false;
        };
        let values = match &self.values {
            None => Vec::new(),
            Some(PairValues(find)) => match find(first.pair) {
                Some(values) => values,
                None => {
                    self.ahead = Some(first);
                    return false;
                }
            },
        };
        let mut games = vec![first];
        while let Some(slot) = self.schedule.take() {
            if slot.pair != first.pair {
                self.ahead = Some(slot);
                break;
            }
            games.push(slot);
        }
        let opening = self.plan.opening_of(first.opening, self.rules.as_ref());
        let order = PairOrder {
            pair: first.pair,
            attempt: 0,
            srand: self.plan.srand,
            opening: opening.into_owned(),
            games,
            not: Vec::new(),
            values,
        };
        self.ready.insert(order.pair, order);
        true
    }
}
