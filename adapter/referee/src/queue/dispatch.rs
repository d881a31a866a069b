//! Which pairs of a match are to be put into the queue, and which are there. Does no input or output.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::check::check_game;
use super::{PairOrder, PlayedPair};
use crate::date::today;
use crate::opening::Opening;
use crate::plan::Plan;
use crate::record::{GameRecord, GameResult, Termination};
use crate::registry::Rules;
use crate::schedule::{Next, SharedSchedule, Slot};

/// The most pairs that are in a queue at once.
pub const MAX_WINDOW: usize = 1 << 16;

/// The pairs of a match on their way. Each is counted once, whatever the queue delivers.
///
/// A pair is *ready* to be put into the queue, then *offered*, then finished and forgotten. Pairs that are not ready yet stand
/// in the schedule alone, so what is kept here is as large as the window, not as the match.
#[derive(Debug)]
pub struct Dispatch {
    plan: Plan,
    rules: Option<Rules>,
    entrants: Vec<String>,
    schedule: Arc<SharedSchedule>,
    /// Taken from the schedule, of a pair that is not ready yet.
    ahead: Option<Slot>,
    ready: BTreeMap<usize, PairOrder>,
    offered: BTreeMap<usize, PairOrder>,
    /// Whether pairs may be in the queue that an earlier coordinator has put there.
    is_adopting: bool,
}

impl Dispatch {
    pub(crate) fn new(plan: Plan, rules: Option<Rules>, schedule: Arc<SharedSchedule>) -> Dispatch {
        let entrants = plan.entrants();
        let name = |members: &Vec<usize>| plan.entrant_name(members).unwrap_or_default();
        Dispatch {
            entrants: entrants.iter().map(name).collect(),
            plan,
            rules,
            schedule,
            ahead: None,
            ready: BTreeMap::new(),
            offered: BTreeMap::new(),
            is_adopting: false,
        }
    }

    /// The pairs of a plan none of whose games is played yet.
    pub fn of(plan: Plan, rules: Option<Rules>) -> Dispatch {
        let schedule = Arc::new(SharedSchedule::new(&plan, &[]));
        Dispatch::new(plan, rules, schedule)
    }

    /// How many pairs are in the queue.
    pub fn n_offered(&self) -> usize {
        self.offered.len()
    }

    /// How many pairs are kept here in all.
    pub fn n_kept(&self) -> usize {
        self.offered.len() + self.ready.len()
    }

    /// Whether all games are played.
    pub fn is_done(&mut self) -> bool {
        if self.ready.is_empty() && self.offered.is_empty() {
            self.pull();
        }
        self.ready.is_empty() && self.offered.is_empty()
    }

    /// The next pair to put into the queue, the lowest number first. It has to be given back by
    /// [`offered`](Dispatch::offered) or [`not_offered`](Dispatch::not_offered).
    pub fn take_next(&mut self) -> Option<PairOrder> {
        if self.ready.is_empty() {
            self.pull();
        }
        let (_, mut order) = self.ready.pop_first()?;
        order.attempt += 1;
        Some(order)
    }

    /// A pair is in the queue.
    pub fn offered(&mut self, order: PairOrder) {
        self.offered.insert(order.pair, order);
    }

    /// A pair could not be put into the queue. As it may be there all the same, the attempt stays the same.
    pub fn not_offered(&mut self, mut order: PairOrder) {
        order.attempt -= 1;
        self.ready.insert(order.pair, order);
    }

    /// An earlier coordinator has put these pairs into the queue. Until [`end_adoption`](Dispatch::end_adoption), reports of
    /// other pairs that it may have put there are taken as well.
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

    /// Whatever an earlier coordinator has left is known now.
    pub fn end_adoption(&mut self) {
        self.is_adopting = false;
    }

    /// Of the pairs that are in the queue as far as is known, those that it does not hold.
    pub fn missing(&self, held: &BTreeSet<usize>) -> Vec<usize> {
        let offered = self.offered.keys();
        offered
            .filter(|pair| !held.contains(pair))
            .copied()
            .collect()
    }

    /// Puts a pair that is not in the queue any more, and has no result, there again.
    pub fn offer_again(&mut self, pair: usize) {
        if let Some(order) = self.offered.remove(&pair) {
            self.ready.insert(pair, order);
        }
    }

    /// A worker gave a pair back; an attempt before the last one is of no interest.
    pub fn hand_back(&mut self, pair: usize, attempt: u32) {
        let offered = self.offered.get(&pair);
        if offered.is_some_and(|order| order.attempt <= attempt || self.is_adopting) {
            self.offer_again(pair);
        }
    }

    /// Takes the result of a pair. What is returned is to be recorded; nothing if it is recorded already.
    ///
    /// # Errors
    /// The result cannot be that of this pair: what is wrong with it.
    pub fn finish(&mut self, played: PlayedPair) -> Result<Vec<GameRecord>, String> {
        let pair = played.pair;
        let Some(order) = self.open_order(pair)? else {
            return Ok(Vec::new());
        };
        let mut games = played.games;
        let mut wanted = Vec::new();
        for slot in &order.games {
            let at = games.iter().position(|game| game.game == slot.game);
            let at = at.ok_or_else(|| format!("pair {pair} without its game {}", slot.game))?;
            let record = games.swap_remove(at);
            let names = [slot.p1, slot.p2].map(|entrant| self.entrants[entrant].as_str());
            check_game(&record, slot, names, &order.opening, self.rules.as_ref())
                .map_err(|why| format!("game {}: {why}", slot.game))?;
            wanted.push(record);
        }
        self.close(pair, &wanted);
        Ok(wanted)
    }

    /// Takes that a pair cannot be played. What is returned is to be recorded.
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
        GameRecord {
            game: slot.game,
            pair: slot.pair,
            p1: self.entrants[slot.p1].clone(),
            p2: self.entrants[slot.p2].clone(),
            plies: vec![None; opening.moves.len()],
            moves: opening.moves.clone(),
            opening: opening.clone(),
            result: GameResult::Unknown,
            termination: Termination::Unterminated,
            reason: reason.to_owned(),
            date: today(),
            notes: Vec::new(),
            fault: None,
            machine: None,
        }
    }

    /// A pair that was put into the queue and has no result; `None` if it has one.
    fn open_order(&mut self, pair: usize) -> Result<Option<PairOrder>, String> {
        if let Some(order) = self.offered.get(&pair) {
            return Ok(Some(order.clone()));
        }
        if self.is_adopting {
            self.find_ready(pair);
        }
        match self.ready.get(&pair) {
            Some(order) if order.attempt > 0 || self.is_adopting => Ok(Some(order.clone())),
            Some(_) => Err(format!("pair {pair} was not asked for")),
            None if pair == 0 || pair > self.last_known() => {
                Err(format!("pair {pair} was not asked for"))
            }
            None => Ok(None),
        }
    }

    /// The largest number among the pairs that were taken from the schedule and are kept; those below it that are not kept have
    /// a result.
    fn last_known(&self) -> usize {
        let ahead = self.ahead.map_or(usize::MAX, |slot| slot.pair - 1);
        let kept = self.ready.last_key_value().map(|(pair, _)| *pair);
        kept.unwrap_or(ahead).max(ahead)
    }

    fn close(&mut self, pair: usize, records: &[GameRecord]) {
        let order = self
            .offered
            .remove(&pair)
            .or_else(|| self.ready.remove(&pair));
        let slots = order.map_or_else(Vec::new, |order| order.games);
        for (slot, record) in slots.iter().zip(records) {
            self.schedule.finish(slot, record.result);
        }
    }

    /// Takes pairs from the schedule until this one is ready. No more are ready than were ever in a queue at once.
    fn find_ready(&mut self, pair: usize) -> bool {
        while !self.ready.contains_key(&pair) {
            let last = self.ready.last_key_value().map_or(0, |(last, _)| *last);
            if last >= pair || self.ready.len() >= MAX_WINDOW || !self.pull() {
                return false;
            }
        }
        true
    }

    /// Takes the next pair from the schedule; whether there is one now.
    fn pull(&mut self) -> bool {
        let Some(first) = self.ahead.take().or_else(|| self.next_slot()) else {
            return false;
        };
        let mut games = vec![first];
        while let Some(slot) = self.next_slot() {
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
        };
        self.ready.insert(order.pair, order);
        true
    }

    fn next_slot(&self) -> Option<Slot> {
        match self.schedule.try_take() {
            Next::Game(slot) => Some(slot),
            Next::Wait | Next::End => None,
        }
    }
}
