//! Matches played by a coordinator and workers through a queue in memory.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use kit::Side;
use parking_lot::Mutex;
use record::finished::{Finished, FinishedGames};
use record::game::{FaultReport, GameRecord, GameResult, Termination};
use record::opening::Opening;
use record::schedule::Slot;
use record::stats::{Decision, Model, Sprt};

use super::*;
use crate::queue::{Lease, PairOrder, PlayedPair, check};
use crate::record_testing::{plan, rules};
use crate::testing::config;
use crate::tournament::memory_queue::MemoryQueue;

const ACK_WAIT: Duration = Duration::from_secs(10);
const SOON: Duration = Duration::from_millis(5);

/// Plan of a match between A and B with this number of games.
fn match_of(games: usize) -> Plan {
    Plan {
        games,
        ..plan(&["A", "B"])
    }
}

fn tournament(plan: Plan) -> Tournament {
    let pool =
        EnginePool::handshake_all(vec![config("A"), config("B")], false, 4).expect("they start");
    Tournament::new(plan, Some(rules()), Stop::default(), pool)
}

/// Records finished games.
#[derive(Clone, Default)]
struct Keeper(Arc<Mutex<Vec<GameRecord>>>);

impl Recorder for Keeper {
    fn record(&mut self, event: &Event) -> io::Result<()> {
        if let Event::GameOver { record } = event {
            self.0.lock().push((**record).clone());
        }
        Ok(())
    }
}

impl Keeper {
    fn numbers(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.0.lock().iter().map(|game| game.game).collect();
        numbers.sort_unstable();
        numbers
    }
}

fn coordinate(
    tournament: Tournament,
    queue: &MemoryQueue,
    keeper: &Keeper,
    done: &FinishedGames,
) -> Conclusion {
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(keeper.clone())];
    let watchers = Broadcast::new(false);
    let concluded = tournament.coordinate(&mut queue.clone(), done, &mut recorders, &watchers);
    concluded.expect("nothing fails")
}

fn serve(queue: &dyn Queue) {
    let worker = tournament(match_of(4));
    worker
        .serve(queue, SOON, &|_| {})
        .expect("nothing is short");
}

/// Blocks until a pair is available to a worker.
fn lease(queue: &MemoryQueue) -> Lease {
    Queue::lease(queue).expect("the match goes on")
}

/// Plays a pair and returns it as a worker would send it.
fn played(lease: &Lease) -> PlayedPair {
    let runner = tournament(match_of(4)).runner;
    let tell = |_| {};
    let place = ConcurrentGame {
        number: 0,
        tell: &tell,
        wants_moves: false,
    };
    let played = runner.play_pair(&lease.order, &place);
    played.unwrap_or_else(|halt| panic!("{halt:?}"))
}

#[test]
fn workers_play_the_match_that_would_be_played_here() {
    let queue = MemoryQueue::new(ACK_WAIT, 3, 4);
    let keeper = Keeper::default();
    let local = Keeper::default();
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(local.clone())];
    let ran = tournament(match_of(20)).run(
        &FinishedGames::default(),
        &mut recorders,
        &Broadcast::new(false),
    );
    ran.expect("nothing fails");
    let conclusion = thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| serve(&queue));
        }
        coordinate(
            tournament(match_of(20)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert!(conclusion.is_complete);
    let sorted = |keeper: &Keeper| {
        let mut games = keeper.0.lock().clone();
        games.sort_by_key(|game| game.game);
        for ply in games
            .iter_mut()
            .flat_map(|game| game.plies.iter_mut().flatten())
        {
            ply.time = 0.0;
        }
        games
    };
    assert_eq!(sorted(&keeper), sorted(&local));
}

/// A slow worker and its replacement both deliver a result.
#[test]
fn a_pair_that_is_played_twice_is_counted_once() {
    let queue = MemoryQueue::new(ACK_WAIT, 3, 1);
    let keeper = Keeper::default();
    let conclusion = thread::scope(|scope| {
        scope.spawn(|| {
            let slow = lease(&queue);
            queue.advance(ACK_WAIT);
            let fast = lease(&queue);
            assert_eq!(slow.order, fast.order);
            let result = played(&fast);
            queue.finish(fast, result.clone());
            queue.finish(slow, result);
            assert_eq!(queue.n_doubled(), 1);
            serve(&queue);
        });
        coordinate(
            tournament(match_of(6)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert!(conclusion.is_complete);
    assert_eq!(keeper.numbers(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_pair_that_is_kept_goes_to_nobody_else() {
    let queue = MemoryQueue::new(ACK_WAIT, 3, 1);
    let keeper = Keeper::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            let held = lease(&queue);
            for _ in 0..10 {
                queue.advance(ACK_WAIT - Duration::from_secs(1));
                queue.keep(held.id);
            }
            assert_eq!(queue.try_lease(), None);
            let result = played(&held);
            queue.finish(held, result);
            serve(&queue);
        });
        coordinate(
            tournament(match_of(4)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert_eq!(keeper.numbers(), [1, 2, 3, 4]);
}

#[test]
fn a_pair_whose_workers_are_all_lost_has_no_result_and_no_score() {
    let queue = MemoryQueue::new(ACK_WAIT, 2, 2);
    let keeper = Keeper::default();
    let conclusion = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2 {
                let lost = lease(&queue);
                assert_eq!(lost.order.pair, 1);
                queue.advance(ACK_WAIT);
            }
            serve(&queue);
        });
        coordinate(
            tournament(match_of(6)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert!(conclusion.is_complete);
    assert_eq!(keeper.numbers(), [1, 2, 3, 4, 5, 6]);
    let games = keeper.0.lock();
    let failed = games
        .iter()
        .filter(|game| game.result == GameResult::Unknown);
    let failed: Vec<_> = failed.collect();
    assert_eq!(failed.len(), 2);
    for game in failed {
        assert_eq!(
            (game.pair, game.termination),
            (1, Termination::Unterminated)
        );
        assert_eq!(game.reason, "2 workers were lost");
    }
    assert_eq!(conclusion.standing.tally.unknown, 2);
    assert!(!conclusion.standing.has_unsound_engine());
}

#[test]
fn what_is_handed_back_is_played_by_another() {
    let queue = MemoryQueue::new(ACK_WAIT, 2, 1);
    let keeper = Keeper::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            // More attempts than the number of lost workers allowed.
            for attempt in 1..=5 {
                let back = lease(&queue);
                assert_eq!((back.order.pair, back.order.attempt), (1, attempt));
                queue.hand_back(back);
            }
            serve(&queue);
        });
        coordinate(
            tournament(match_of(4)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert_eq!(keeper.numbers(), [1, 2, 3, 4]);
}

#[test]
fn a_worker_that_is_told_to_end_hands_its_pair_back() {
    let queue = MemoryQueue::new(ACK_WAIT, 2, 1);
    let keeper = Keeper::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            let worker = tournament(match_of(4));
            let stop = worker.runner.stop.clone();
            let n_begun = AtomicUsize::new(0);
            let tell = |event| {
                if matches!(event, Event::GameStarted { .. }) {
                    n_begun.fetch_add(1, Ordering::Relaxed);
                    stop.now();
                }
            };
            worker.serve(&queue, SOON, &tell).expect("nothing is short");
            assert!(n_begun.into_inner() >= 1);
            serve(&queue);
        });
        coordinate(
            tournament(match_of(4)),
            &queue,
            &keeper,
            &FinishedGames::default(),
        )
    });
    assert_eq!(keeper.numbers(), [1, 2, 3, 4]);
}

/// The first coordinator ends after some games, while a pair is being played and a result is unrecorded.
#[test]
fn another_coordinator_goes_on_from_the_ledger() {
    for window in [1, 3, 8] {
        let queue = MemoryQueue::new(ACK_WAIT, 3, window);
        let first = Keeper::default();
        let tournament_1 = tournament(match_of(16));
        let stop = tournament_1.runner.stop.clone();
        let held = thread::scope(|scope| {
            let worker = scope.spawn(|| {
                for _ in 0..3 {
                    let done = lease(&queue);
                    let result = played(&done);
                    queue.finish(done, result);
                }
                let held = lease(&queue);
                stop.now();
                held
            });
            let conclusion = coordinate(tournament_1, &queue, &first, &FinishedGames::default());
            assert!(!conclusion.is_complete);
            worker.join().expect("it plays")
        });
        // A result that was not recorded.
        let result = played(&held);
        queue.finish(held, result);
        let mut done = first.0.lock().clone();
        // The ledger may end with the first game of a pair.
        done.truncate(done.len().saturating_sub(1));
        let second = Keeper::default();
        let conclusion = thread::scope(|scope| {
            scope.spawn(|| serve(&queue));
            coordinate(
                tournament(match_of(16)),
                &queue,
                &second,
                &done.iter().map(Finished::from).collect(),
            )
        });
        assert!(conclusion.is_complete);
        let mut numbers: Vec<usize> = done.iter().map(|game| game.game).collect();
        numbers.extend(second.numbers());
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=16).collect::<Vec<_>>(), "window {window}");
    }
}

#[test]
fn a_window_is_in_the_queue_and_not_the_match() {
    let rules = Some(rules());
    let mut dispatch = Dispatch::of(match_of(1_000_000), rules);
    for _ in 0..10 {
        let order = dispatch.remove_next().expect("there are many");
        dispatch.offered(order);
    }
    assert!(dispatch.n_kept() <= 11, "{}", dispatch.n_kept());
}

#[test]
fn a_test_that_is_decided_stops_the_workers() {
    let queue = MemoryQueue::new(ACK_WAIT, 3, 4);
    let keeper = Keeper::default();
    let test = Sprt {
        elo0: -200.0,
        elo1: -100.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Logistic,
    };
    let plan = Plan {
        sprt: Some(test),
        ..match_of(100_000)
    };
    let conclusion = thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| serve(&queue));
        }
        coordinate(tournament(plan), &queue, &keeper, &FinishedGames::default())
    });
    assert!(conclusion.is_complete);
    let status = conclusion.standing.sprt.expect("there is a test");
    assert_eq!(status.decision, Some(Decision::H1));
    let n_games = keeper.0.lock().len();
    assert_eq!(n_games, conclusion.standing.games);
    assert!(n_games.is_multiple_of(2) && n_games < 2000, "{n_games}");
}

/// Results from workers are compared with the order. Invalid ones are not recorded, and the pair is played again.
#[test]
fn false_results_are_rejected() {
    let spoil: [fn(&mut PlayedPair); 13] = [
        |pair| pair.pair = 99,
        |pair| pair.pair = 0,
        |pair| drop(pair.games.pop()),
        |pair| pair.games[0].game = 7,
        |pair| pair.games[0].p1 = "C".to_owned(),
        |pair| pair.games[0].first = Side::P2,
        |pair| pair.games[0].opening = Opening::parse("startpos moves a1"),
        |pair| pair.games[0].result = GameResult::Draw,
        |pair| pair.games[0].moves[0] = "z9".to_owned(),
        |pair| drop(pair.games[0].moves.pop()),
        |pair| pair.games[0].termination = Termination::Unterminated,
        |pair| pair.games[0].notes = vec!["\u{1b}[2J".to_owned()],
        |pair| {
            let ply = pair.games[0].plies.iter_mut().flatten().next();
            ply.expect("a move").time = f64::NAN;
        },
    ];
    let mut dispatch = Dispatch::of(match_of(8), Some(rules()));
    let order = dispatch.remove_next().expect("there are some");
    dispatch.offered(order.clone());
    let good = played(&Lease { id: 1, order });
    for (number, spoil) in spoil.iter().enumerate() {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert!(dispatch.finish(bad).is_err(), "number {number}");
    }
    let recorded = dispatch.finish(good.clone()).expect("it is sound");
    assert_eq!(recorded.len(), 2);
    assert_eq!(dispatch.finish(good), Ok(Vec::new()), "it is on record");
}

/// A record is accepted with any output of its engines, and two records fit into a message of 16 MiB.
#[test]
fn what_engines_write_is_bounded_where_it_is_recorded() {
    let mut dispatch = Dispatch::of(match_of(8), Some(rules()));
    let order = dispatch.remove_next().expect("there are some");
    dispatch.offered(order.clone());
    let mut pair = played(&Lease { id: 1, order });
    for game in &mut pair.games {
        game.notes = vec!["a note \u{1b}[2J ä".repeat(1000); 5000];
        game.reason = "ä".repeat(5000);
        let variation = ["a1", "\u{1b}[2J", "b1"].map(str::to_owned);
        let plies: Vec<_> = game.plies.iter_mut().flatten().collect();
        for (ply, pv) in plies
            .into_iter()
            .zip([variation.to_vec(), vec!["b1".to_owned(); 10_000_000]])
        {
            ply.pv = pv;
        }
        game.fault = Some(FaultReport {
            engine: "A".to_owned(),
            position: "position startpos moves".to_owned() + &" a1".repeat(1 << 20),
            lines: vec!["\u{1}".repeat(200); 16],
            stderr: "\u{1}".repeat(4096),
        });
        check::bound(game);
        assert!(
            game.notes[0].starts_with("a note ?[2J ä"),
            "{}",
            game.notes[0]
        );
        let variations: Vec<_> = game
            .plies
            .iter()
            .flatten()
            .map(|ply| ply.pv.len())
            .collect();
        assert_eq!(variations[0], 1, "up to the word that is no code");
        assert!(variations[1] > 100_000, "{variations:?}");
    }
    let n_bytes = serde_json::to_vec(&pair).expect("plain data").len();
    assert!(n_bytes < 1 << 24, "{n_bytes}");
    assert_eq!(dispatch.finish(pair).map(|games| games.len()), Ok(2));
}

/// A pair whose results are rejected again and again stops the match, and the reason is its error.
#[test]
fn a_pair_whose_results_are_rejected_stops_the_match() {
    for has_result in [true, false] {
        let queue = MemoryQueue::new(ACK_WAIT, 3, 1);
        let keeper = Keeper::default();
        let error = thread::scope(|scope| {
            scope.spawn(|| {
                for attempt in 1..=3 {
                    let lease = lease(&queue);
                    assert_eq!((lease.order.pair, lease.order.attempt), (1, attempt));
                    if has_result {
                        let mut result = played(&lease);
                        result.games[0].reason = "x".repeat(2000);
                        queue.finish(lease, result);
                    } else {
                        queue.hand_back_because(lease, "a result of 20 MiB");
                    }
                }
                assert!(Queue::lease(&queue).is_none(), "the workers are stopped");
            });
            let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(keeper.clone())];
            let watchers = Broadcast::new(false);
            let tournament = tournament(match_of(4));
            tournament.coordinate(
                &mut queue.clone(),
                &FinishedGames::default(),
                &mut recorders,
                &watchers,
            )
        });
        let error = error.expect_err("the third result is rejected").to_string();
        let begin = "3 results of pair 1 were rejected, the last one because of ";
        assert!(error.starts_with(begin), "{error}");
        assert!(keeper.numbers().is_empty());
    }
}

#[test]
fn a_pair_that_was_not_asked_for_is_rejected() {
    let mut dispatch = Dispatch::of(match_of(8), Some(rules()));
    let first = dispatch.remove_next().expect("there are some");
    dispatch.offered(first.clone());
    let later = PairOrder {
        pair: 2,
        games: first
            .games
            .iter()
            .map(|slot| Slot {
                game: slot.game + 2,
                pair: 2,
                ..*slot
            })
            .collect(),
        ..first
    };
    let result = played(&Lease {
        id: 1,
        order: later,
    });
    assert!(dispatch.finish(result.clone()).is_err());
    // An earlier coordinator may have offered it.
    dispatch.adopt(&BTreeSet::from([1]));
    assert_eq!(dispatch.finish(result).map(|games| games.len()), Ok(2));
}

#[test]
fn orders_that_are_none_are_not_played() {
    let runner = tournament(match_of(4)).runner;
    let slot = Slot {
        game: 1,
        pair: 1,
        p1: 0,
        p2: 1,
        opening: 0,
    };
    let order = PairOrder {
        pair: 1,
        attempt: 1,
        srand: 0,
        opening: Opening::default(),
        games: vec![slot],
    };
    assert_eq!(runner.check_order(&order), Ok(()));
    let with = |games: Vec<Slot>, opening: &str| PairOrder {
        games,
        opening: Opening::parse(opening),
        ..order.clone()
    };
    for bad in [
        with(Vec::new(), "startpos"),
        with(vec![slot; 3], "startpos"),
        with(vec![Slot { p2: 0, ..slot }], "startpos"),
        with(vec![Slot { p2: 2, ..slot }], "startpos"),
        with(vec![Slot { pair: 2, ..slot }], "startpos"),
        with(vec![slot], "startpos moves z9"),
        with(vec![slot], "no position"),
    ] {
        assert!(runner.check_order(&bad).is_err(), "{bad:?}");
    }
}
