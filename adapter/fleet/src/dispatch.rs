//! The pairs of a match without a result, and the bounds on the records that travel: a worker keeps to them, and a
//! coordinator checks them. Does no input or output.

use std::collections::{BTreeMap, BTreeSet};

use protocol::text::excerpt;
use record::game::{FaultReport, GameRecord, Machine};
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::{Schedule, Slot};
use referee::arbiter::is_code;
use referee::play::{GameRunner, MAX_NOTES, MAX_TEXT};
use serde::{Deserialize, Serialize};

use crate::streams::WINDOW;

/// Games from one opening for one worker: both games of a pair, or the one that is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairOrder {
    /// The number of the pair, from 1.
    pub(crate) pair: usize,
    /// The opening of the games.
    pub(crate) opening: Opening,
    /// The games, in playing order.
    pub(crate) games: Vec<Slot>,
}

impl PairOrder {
    /// Checks that an order from the network can be played.
    ///
    /// # Errors
    /// If it cannot. The text describes the problem.
    pub(crate) fn check(&self, runner: &GameRunner) -> Result<(), String> {
        let n_engines = runner.plan.engines.len();
        let is_sound = |slot: &Slot| {
            slot.pair == self.pair && slot.p1 != slot.p2 && slot.p1.max(slot.p2) < n_engines
        };
        if !(1..=2).contains(&self.games.len()) || !self.games.iter().all(is_sound) {
            return Err("it does not have one or two games of its pair".to_owned());
        }
        match &runner.rules {
            Some(rules) => rules.check(&self.opening).map_err(|why| why.to_string()),
            None => Ok(()),
        }
    }

    /// Checks that a record is that of one of the games.
    fn check_game(&self, record: &GameRecord, slot: &Slot, plan: &Plan) -> Result<(), String> {
        let [p1, p2] = [slot.p1, slot.p2].map(|engine| plan.engine_name(engine));
        let (pair, opening) = (self.pair, &self.opening);
        if record.pair != pair || record.p1 != p1 || record.p2 != p2 {
            return Err(format!("not the game of {p1} and {p2} in pair {pair}"));
        }
        if record.opening != *opening || !record.moves.starts_with(&opening.moves) {
            return Err(format!("not from the opening {opening}"));
        }
        check(record)
    }
}

/// A pair without a result.
pub(crate) struct OpenPair {
    order: PairOrder,
    /// The queue did not hold it at the last comparison. Its result may still arrive.
    is_missing: bool,
    /// Number of its results that were rejected.
    pub(crate) n_rejected: usize,
    /// The machines that have handed it back.
    pub(crate) machines: BTreeSet<String>,
}

/// The pairs of a match in progress. Each result is counted once, even if the queue delivers it several times.
///
/// A pair is *ready* to be put into the queue, then in the queue, then finished and removed. All other pairs remain in the
/// schedule, so memory use depends on the window, not on the length of the match.
pub(crate) struct Dispatch<'a> {
    plan: &'a Plan,
    rules: Option<&'a Rules>,
    schedule: Schedule,
    /// First game of the next pair, already taken from the schedule.
    ahead: Option<Slot>,
    pairs: BTreeMap<usize, OpenPair>,
    /// Those that are to be put into the queue.
    ready: BTreeSet<usize>,
    /// The highest number of a pair taken from the schedule.
    last: usize,
}

impl<'a> Dispatch<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        rules: Option<&'a Rules>,
        schedule: Schedule,
    ) -> Dispatch<'a> {
        Dispatch {
            plan,
            rules,
            schedule,
            ahead: None,
            pairs: BTreeMap::new(),
            ready: BTreeSet::new(),
            last: 0,
        }
    }

    /// Number of pairs in the queue.
    pub(crate) fn n_offered(&self) -> usize {
        self.pairs.len() - self.ready.len()
    }

    /// `true` if all games are finished.
    pub(crate) fn is_done(&mut self) -> bool {
        self.pairs.is_empty() && !self.pull()
    }

    /// The next pairs that are to be put into the queue, at most `n_most`. They stay ready until they are
    /// [`offered`](Dispatch::offered).
    pub(crate) fn next_orders(&mut self, n_most: usize) -> Vec<PairOrder> {
        while self.ready.len() < n_most && self.pull() {}
        let next = self.ready.iter().take(n_most);
        next.map(|pair| self.pairs[pair].order.clone()).collect()
    }

    /// A pair was put into the queue.
    pub(crate) fn offered(&mut self, pair: usize) {
        self.ready.remove(&pair);
    }

    /// Takes what the queue holds. A pair that is missing twice is ready again: by then, the results that had arrived at
    /// the first comparison have been read.
    pub(crate) fn compare(&mut self, held: &BTreeSet<usize>) {
        for (pair, open) in &mut self.pairs {
            let is_missing = !held.contains(pair) && !self.ready.contains(pair);
            if is_missing && open.is_missing {
                self.ready.insert(*pair);
            }
            open.is_missing = is_missing && !open.is_missing;
        }
    }

    /// Accepts the result of a pair. Returns the records to store; none if the pair already has a result.
    ///
    /// # Errors
    /// If the result cannot belong to this pair. The text describes the problem.
    pub(crate) fn finish(
        &mut self,
        pair: usize,
        games: &[GameRecord],
    ) -> Result<Vec<GameRecord>, String> {
        let plan = self.plan;
        let Some(OpenPair { order, .. }) = self.open(pair)? else {
            return Ok(Vec::new());
        };
        let record = |slot: &Slot| {
            let number = slot.game;
            let record = games.iter().find(|game| game.game == number);
            let record = record.ok_or_else(|| format!("pair {pair} without its game {number}"))?;
            let checked = order.check_game(record, slot, plan);
            checked.map_err(|why| format!("game {number}: {why}"))?;
            Ok::<_, String>(record.clone())
        };
        let records: Vec<_> = order.games.iter().map(record).collect::<Result<_, _>>()?;
        let slots = std::mem::take(&mut order.games);
        self.pairs.remove(&pair);
        self.ready.remove(&pair);
        for (slot, record) in slots.iter().zip(&records) {
            self.schedule.finish(slot, record.result);
        }
        Ok(records)
    }

    /// Returns a pair without a result; `None` if it has one. An earlier coordinator may have offered pairs that this
    /// one has not taken from the schedule yet. At most [`WINDOW`] are made ready, since no queue holds more.
    ///
    /// # Errors
    /// No queue of this match has held the pair.
    pub(crate) fn open(&mut self, pair: usize) -> Result<Option<&mut OpenPair>, String> {
        while self.last < pair && self.ready.len() < WINDOW && self.pull() {}
        if pair == 0 || pair > self.last {
            return Err(format!("pair {pair} was not requested"));
        }
        Ok(self.pairs.get_mut(&pair))
    }

    /// Takes the next pair from the schedule. Returns `false` if none is available now.
    fn pull(&mut self) -> bool {
        let Some(first) = self.ahead.take().or_else(|| self.schedule.take()) else {
            return false;
        };
        let mut games = vec![first];
        while let Some(slot) = self.schedule.take() {
            if slot.pair != first.pair {
                self.ahead = Some(slot);
                break;
            }
            games.push(slot);
        }
        let opening = self.plan.opening_of(first.opening, self.rules);
        self.last = first.pair;
        let open = OpenPair {
            order: PairOrder {
                pair: first.pair,
                opening: opening.into_owned(),
                games,
            },
            is_missing: false,
            n_rejected: 0,
            machines: BTreeSet::new(),
        };
        self.pairs.insert(first.pair, open);
        self.ready.insert(first.pair);
        true
    }
}

/// Maximum total length of an engine's texts in a fault report, in bytes.
const MAX_FAULT: usize = 1 << 20;

/// Maximum total length of the principal variations of a game, in bytes of JSON. A message holds two games.
const MAX_PV: usize = 2 << 20;

/// Maximum length of the name of a machine or a worker, in bytes.
const MAX_NAME: usize = 400;

/// Permitted range of a machine's time factor.
pub(crate) const SCALES: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// Shortens a record to what a message holds.
pub(crate) fn fit(record: &mut GameRecord) {
    let mut n_left = MAX_PV;
    for ply in record.plies.iter_mut().flatten() {
        // A code has two quotation marks and a comma. After the first one that does not fit, none does.
        ply.pv.retain(|code| {
            n_left = n_left.saturating_sub(code.len() + 3);
            n_left > 0
        });
    }
    if let Some(fault) = &mut record.fault
        && fault_bytes(fault) > MAX_FAULT
    {
        // The record has the moves of the position.
        fault.position = excerpt(&fault.position);
    }
}

fn fault_bytes(fault: &FaultReport) -> usize {
    let lines: usize = fault.lines.iter().map(String::len).sum();
    lines + fault.engine.len() + fault.position.len() + fault.stderr.len()
}

/// Checks that a record from a worker has the form and the bounds of one that [`fit`] returned.
///
/// # Errors
/// If it does not. The text describes the first problem.
pub(crate) fn check(record: &GameRecord) -> Result<(), String> {
    let plies = || record.plies.iter().flatten();
    let words = plies().flat_map(|ply| ply.pv.iter().chain(&ply.by));
    let mut texts = record.notes.iter().chain(words);
    let is_line = |text: &str, n_most| text.len() <= n_most && !text.contains(char::is_control);
    let is_machine = |machine: &Machine| {
        is_line(&machine.name, MAX_NAME)
            && is_line(&machine.worker, MAX_NAME)
            && SCALES.contains(&machine.scale)
    };
    let ensure = |holds: bool, why: &str| holds.then_some(()).ok_or_else(|| why.to_owned());
    let has_plies = record.plies.len() == record.moves.len();
    ensure(has_plies, "not one entry of plies per move")?;
    let has_codes = record.moves.iter().all(|code| is_code(code));
    ensure(has_codes, "not a move's code")?;
    let has_times = plies().all(|ply| ply.time.is_finite() && ply.time >= 0.0);
    ensure(has_times, "a negative time")?;
    ensure(record.date.len() <= 10 && record.date.is_ascii(), "no date")?;
    let has_lines = record.notes.len() <= MAX_NOTES && texts.all(|text| is_line(text, MAX_TEXT));
    ensure(
        has_lines,
        "a text that is too long or has control characters",
    )?;
    // It may quote an engine, and so contain control characters. They are replaced when it is printed.
    ensure(record.reason.len() <= MAX_TEXT, "a reason that is too long")?;
    let mut faults = record.fault.iter().map(fault_bytes);
    let is_short = faults.all(|n_bytes| n_bytes <= MAX_FAULT);
    ensure(is_short, "a fault report that is too long")?;
    let has_machine = record.machine.iter().all(is_machine);
    ensure(has_machine, "no valid description of its machine")
}

#[cfg(test)]
mod tests {
    use record::game::PlyRecord;

    use super::*;
    use crate::record_testing::{finished_game, plan, rules};

    /// Plan of a match between A and B with this number of games.
    fn match_of(games: usize) -> Plan {
        Plan {
            games,
            ..plan(&["A", "B"])
        }
    }

    fn dispatch<'a>(plan: &'a Plan, rules: &'a Rules, done: &[GameRecord]) -> Dispatch<'a> {
        let done = done.iter();
        let done = done.map(|game| (game.game, [&*game.p1, &*game.p2], game.result));
        let schedule = Schedule::resume(plan, done);
        Dispatch::new(plan, Some(rules), schedule.expect("it fits the plan"))
    }

    /// Offers the next pair, and returns a result of it.
    fn offer(dispatch: &mut Dispatch<'_>) -> (usize, Vec<GameRecord>) {
        let order = dispatch.next_orders(1).remove(0);
        dispatch.offered(order.pair);
        (order.pair, played(&order))
    }

    fn played(order: &PairOrder) -> Vec<GameRecord> {
        let record = |slot: &Slot| GameRecord {
            pair: order.pair,
            p1: ["A", "B"][slot.p1].to_owned(),
            p2: ["A", "B"][slot.p2].to_owned(),
            opening: order.opening.clone(),
            plies: vec![Some(PlyRecord::default())],
            ..finished_game(slot.game)
        };
        order.games.iter().map(record).collect()
    }

    fn numbers(records: &[GameRecord]) -> Vec<usize> {
        records.iter().map(|record| record.game).collect()
    }

    #[test]
    fn a_pair_that_is_played_twice_is_counted_once() {
        let (plan, rules) = (match_of(6), rules());
        let mut dispatch = dispatch(&plan, &rules, &[]);
        let mut all = Vec::new();
        while !dispatch.is_done() {
            let (pair, result) = offer(&mut dispatch);
            all.extend(numbers(&dispatch.finish(pair, &result).expect("sound")));
            assert_eq!(
                dispatch.finish(pair, &result).map(|again| again.len()),
                Ok(0)
            );
        }
        assert_eq!(all, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_window_is_in_memory_and_not_the_match() {
        let (plan, rules) = (match_of(1_000_000), rules());
        let mut dispatch = dispatch(&plan, &rules, &[]);
        for _ in 0..10 {
            offer(&mut dispatch);
        }
        assert_eq!((dispatch.n_offered(), dispatch.ready.len()), (10, 0));
    }

    /// The ledger ends with the first game of pair 2. The queue of the earlier coordinator holds pair 3, and the result of
    /// pair 4 has arrived.
    #[test]
    fn another_coordinator_goes_on_from_the_ledger() {
        let (plan, rules) = (match_of(10), rules());
        let done: Vec<GameRecord> = (1..=3).map(finished_game).collect();
        let mut first = dispatch(&plan, &rules, &[]);
        let orders = first.next_orders(4);
        let mut second = dispatch(&plan, &rules, &done);
        let result = played(&orders[3]);
        assert_eq!(
            second.finish(4, &result).map(|found| numbers(&found)),
            Ok(vec![7, 8])
        );
        let (pair, result) = offer(&mut second);
        assert_eq!(
            second.finish(pair, &result).map(|found| numbers(&found)),
            Ok(vec![4])
        );
        let rest = [offer(&mut second).0, offer(&mut second).0];
        assert_eq!(rest, [3, 5], "pair 3 is not offered twice by the server");
        second.compare(&[3].into());
        assert!(second.ready.is_empty(), "its result may be on its way");
        second.compare(&[3].into());
        assert_eq!(second.ready, [5].into());
        assert_eq!(
            second
                .finish(1, &played(&orders[0]))
                .map(|again| again.len()),
            Ok(0)
        );
    }

    /// Results from workers are compared with the order. Invalid ones are not recorded, and the pair stays open.
    #[test]
    fn false_results_are_rejected() {
        let spoil: [fn(&mut Vec<GameRecord>); 12] = [
            |games| drop(games.pop()),
            |games| games[0].game = 7,
            |games| games[0].pair = 2,
            |games| games[0].p1 = "C".to_owned(),
            |games| games[0].opening = Opening::parse("startpos moves a1"),
            |games| games[0].moves[0] = "a 1".to_owned(),
            |games| drop(games[0].moves.pop()),
            |games| games[0].notes = vec!["\u{1b}[2J".to_owned()],
            |games| games[0].reason = "x".repeat(2000),
            |games| games[0].date = "1 January 1970".to_owned(),
            |games| {
                let ply = games[0].plies.iter_mut().flatten().next();
                ply.expect("a move").time = f64::NAN;
            },
            |games| {
                let ply = games[0].plies.iter_mut().flatten().next();
                ply.expect("a move").pv = vec!["\n".to_owned()];
            },
        ];
        let (plan, rules) = (match_of(8), rules());
        let mut dispatch = dispatch(&plan, &rules, &[]);
        let (pair, good) = offer(&mut dispatch);
        for (number, spoil) in spoil.iter().enumerate() {
            let mut bad = good.clone();
            spoil(&mut bad);
            assert!(dispatch.finish(pair, &bad).is_err(), "number {number}");
        }
        for other in [0, 5, usize::MAX] {
            assert!(dispatch.finish(other, &good).is_err(), "{other}");
        }
        assert_eq!(dispatch.finish(pair, &good).map(|found| found.len()), Ok(2));
    }
}

#[cfg(test)]
mod bounds_tests {
    use record::game::PlyRecord;

    use super::*;
    use crate::record_testing::finished_game;

    /// Two records fit into a message of 16 MiB, for any output of their engines.
    #[test]
    fn what_is_sent_fits_into_a_message() {
        let variations = [
            ["a1", "b1"].map(str::to_owned).to_vec(),
            vec!["b1".to_owned(); MAX_PV / 2],
        ];
        let plies = variations.map(|pv| {
            Some(PlyRecord {
                pv,
                ..PlyRecord::default()
            })
        });
        let mut game = GameRecord {
            moves: vec!["a1".to_owned(), "b1".to_owned()],
            plies: plies.to_vec(),
            notes: vec!["ä".repeat(MAX_TEXT / 2); MAX_NOTES],
            reason: "ä".repeat(MAX_TEXT / 2),
            fault: Some(FaultReport {
                engine: "A".to_owned(),
                position: "position startpos moves".to_owned() + &" a1".repeat(1 << 20),
                lines: vec!["\u{1}".repeat(200); 16],
                stderr: "\u{1}".repeat(4096),
            }),
            ..finished_game(1)
        };
        assert!(check(&game).is_err());
        fit(&mut game);
        assert_eq!(check(&game), Ok(()));
        let kept: Vec<usize> = game
            .plies
            .iter()
            .flatten()
            .map(|ply| ply.pv.len())
            .collect();
        assert!(kept[0] == 2 && kept[1] > 100_000, "{kept:?}");
        let n_bytes = serde_json::to_vec(&game).expect("plain data").len();
        assert!(2 * n_bytes < 16 << 20, "{n_bytes}");
    }

    #[test]
    fn a_machine_of_no_plausible_speed_is_rejected() {
        let machine = |scale: f64, worker: &str| GameRecord {
            machine: Some(Machine {
                name: "m".to_owned(),
                worker: worker.to_owned(),
                scale,
            }),
            ..finished_game(1)
        };
        assert_eq!(check(&machine(1.0, "w")), Ok(()));
        for (scale, worker) in [
            (0.0, ""),
            (1e9, ""),
            (f64::NAN, ""),
            (1.0, "\n"),
            (1.0, &"x".repeat(401)),
        ] {
            assert!(check(&machine(scale, worker)).is_err(), "{scale} {worker}");
        }
    }
}
