//! Matches played by a coordinator and workers through a queue in memory.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use kit::Side;
use parking_lot::Mutex;
use record::adjudication::{Adjudication, ResignRule};
use record::finished::{Finished, FinishedGames};
use record::game::{FaultReport, GameRecord, GameResult, Machine, Points, Termination};
use record::opening::Opening;
use record::schedule::Slot;
use record::stats::{Decision, Model, Sprt};

use super::*;
use crate::queue::{Lease, PairOrder, PlayedPair, check};
use crate::record_testing::{plan, rules};
use crate::testing::{config, faulty};
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
    verify(tournament, queue, keeper, done, Sampling::default())
}

/// Like [`coordinate`], with pairs that two workers play.
fn verify(
    tournament: Tournament,
    queue: &MemoryQueue,
    keeper: &Keeper,
    done: &FinishedGames,
    sampling: Sampling,
) -> Conclusion {
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(keeper.clone())];
    let watchers = Broadcast::new(false);
    let mut queue = queue.clone();
    let concluded = tournament.coordinate(&mut queue, done, &mut recorders, &watchers, sampling);
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

/// A game cut off after `n_plies`, and its alleged ending.
fn cut(
    game: &GameRecord,
    n_plies: usize,
    termination: Termination,
    result: GameResult,
) -> GameRecord {
    let mut game = game.clone();
    game.moves.truncate(n_plies);
    game.plies.truncate(n_plies);
    (game.termination, game.result) = (termination, result);
    game
}

/// A game ends only as the plan allows: without a clock not on time, adjudicated only by the plan's rules and the scores
/// in the record, and by a fault only of an engine that was asked.
#[test]
fn an_ending_that_the_plan_does_not_allow_is_rejected() {
    use GameResult::{Draw, P1Win, P2Win, Unknown};
    use Termination::{Abandoned, Adjudication as Adjudicated, Disagreement, Normal};
    use Termination::{RulesInfraction, TimeForfeit};
    let resign = ResignRule {
        move_count: 1,
        score: 100,
        two_sided: false,
    };
    let adjudicated = |adjudication: Adjudication| Plan {
        adjudication,
        ..match_of(8)
    };
    let mut timed = match_of(8);
    timed.engines[0].limit = "st=1".parse().expect("a limit");
    let short = adjudicated(Adjudication {
        max_plies: 2,
        ..Adjudication::NONE
    });
    let resigned = adjudicated(Adjudication {
        resign: Some(resign),
        ..Adjudication::NONE
    });
    for (plan, n_plies, termination, result, is_possible) in [
        (match_of(8), 0, TimeForfeit, P2Win, false),
        (match_of(8), 0, Adjudicated, Draw, false),
        (match_of(8), 0, Disagreement, Unknown, false),
        (match_of(8), 0, Normal, P1Win, false),
        (match_of(8), 0, Abandoned, Draw, false),
        (match_of(8), 0, Abandoned, P1Win, true),
        (match_of(8), 0, Abandoned, P2Win, true),
        (match_of(8), 1, Abandoned, P1Win, true),
        (match_of(8), 1, Abandoned, P2Win, false),
        (match_of(8), 1, RulesInfraction, P1Win, true),
        (match_of(8), usize::MAX, Abandoned, P1Win, false),
        (match_of(8), usize::MAX, RulesInfraction, P2Win, false),
        (timed.clone(), 0, TimeForfeit, P2Win, true),
        (timed.clone(), 0, TimeForfeit, P1Win, false),
        (timed.clone(), 1, TimeForfeit, P1Win, false),
        (timed, usize::MAX, TimeForfeit, P2Win, false),
        (short.clone(), 2, Adjudicated, Draw, true),
        (short.clone(), 2, Adjudicated, P1Win, false),
        (short.clone(), 1, Adjudicated, Draw, false),
        (short.clone(), 2, Abandoned, P2Win, false),
        (short, 3, Abandoned, P1Win, false),
        (resigned.clone(), 1, Adjudicated, P2Win, true),
        (resigned.clone(), 1, Adjudicated, P1Win, false),
        (resigned, 2, Abandoned, P2Win, false),
    ] {
        let mut dispatch = Dispatch::of(plan, Some(rules()));
        let mut order = dispatch.remove_next().expect("there are some");
        order.games.truncate(1);
        dispatch.offered(order.clone());
        let mut pair = played(&Lease { id: 1, order });
        let whole = &pair.games[0];
        let mut game = cut(whole, n_plies.min(whole.moves.len()), termination, result);
        if let Some(Some(ply)) = game.plies.first_mut() {
            ply.score = Some(Points::Cp(-200));
        }
        pair.games[0] = game;
        let case = format!("{result} by {termination} after {n_plies}");
        assert_eq!(dispatch.finish(pair).is_ok(), is_possible, "{case}");
    }
}

#[test]
fn a_move_beyond_its_clock_is_rejected() {
    let mut plan = match_of(8);
    plan.engines[0].limit = "tc=1".parse().expect("a limit");
    for (seconds, is_possible) in [(0.5, true), (1.5, false)] {
        let mut dispatch = Dispatch::of(plan.clone(), Some(rules()));
        let order = dispatch.remove_next().expect("there are some");
        dispatch.offered(order.clone());
        let mut pair = played(&Lease { id: 1, order });
        pair.games[0].plies[0].as_mut().expect("a move").time = seconds;
        assert_eq!(dispatch.finish(pair).is_ok(), is_possible, "{seconds}");
    }
}

/// Plays a pair as this worker.
fn played_by(lease: &Lease, worker: &str) -> PlayedPair {
    let mut pair = played(lease);
    for game in &mut pair.games {
        game.machine = Some(Machine {
            name: format!("machine of {worker}"),
            worker: worker.to_owned(),
            cpu: String::new(),
            scale: 1.0,
            load: 0.0,
        });
    }
    pair
}

/// Another game of the same rules: the last legal move instead of the first.
fn forge(pair: &mut PlayedPair) {
    let game = &mut pair.games[0];
    let mut board = rules().open(&game.opening).expect("an opening");
    game.moves.clear();
    while board.outcome().is_none() {
        let moves = board.moves();
        game.moves
            .push(board.play(&moves[moves.len() - 1]).expect("a legal move"));
    }
    let ply = game.plies[0].clone();
    game.plies = vec![ply; game.moves.len()];
    game.result = board.outcome().expect("an end").into();
}

/// Serves a queue as this worker, which changes its results. Hands back the pairs that it may not play.
fn serve_as(queue: &MemoryQueue, worker: &str, change: impl Fn(&mut PlayedPair)) {
    while let Some(lease) = Queue::lease(queue) {
        if queue.set_aside().iter().any(|name| name == worker) {
            queue.hand_back(lease);
            return;
        }
        if lease.order.not.iter().any(|name| name == worker) {
            queue.hand_back(lease);
            thread::yield_now();
            continue;
        }
        let mut result = played_by(&lease, worker);
        change(&mut result);
        queue.finish(lease, result);
    }
}

/// One of three workers forges endings. Its results are not counted, and the match continues with the others.
#[test]
fn a_worker_that_forges_endings_is_set_aside() {
    let queue = MemoryQueue::new(ACK_WAIT, 3, 8);
    queue.set_n_workers(3);
    let keeper = Keeper::default();
    let conclusion = thread::scope(|scope| {
        let queue = &queue;
        scope.spawn(move || {
            serve_as(queue, "forger", |pair| {
                let game = &mut pair.games[0];
                *game = cut(game, 0, Termination::TimeForfeit, GameResult::P1Win);
            });
            thread::scope(|scope| {
                for worker in ["honest", "other"] {
                    scope.spawn(move || serve_as(queue, worker, |_| {}));
                }
            });
        });
        let none = FinishedGames::default();
        coordinate(tournament(match_of(20)), queue, &keeper, &none)
    });
    assert!(conclusion.is_complete && conclusion.again.is_empty());
    assert_eq!(queue.set_aside(), ["forger"]);
    assert_eq!(keeper.numbers(), (1..=20).collect::<Vec<_>>());
    let games = keeper.0.lock();
    assert!(
        games
            .iter()
            .all(|game| game.termination == Termination::Normal)
    );
}

/// A worker sends legal games that its engines did not play. Two others agree on each pair that is verified.
#[test]
fn a_worker_whose_games_differ_is_set_aside_and_they_are_played_again() {
    let queue = MemoryQueue::new(ACK_WAIT, 100, 8);
    queue.set_n_workers(3);
    let keeper = Keeper::default();
    let sampling = |plan: &Plan| Sampling::of(plan, 1.0).expect("fixed nodes");
    let plan = match_of(20);
    let forged = played_by(
        &Lease {
            id: 1,
            order: Dispatch::of(plan.clone(), Some(rules()))
                .remove_next()
                .expect("a pair"),
        },
        "forger",
    );
    // Its first pair is on record: as if it had not been verified.
    let done = forged.games.iter().map(Finished::from).collect();
    let conclusion = thread::scope(|scope| {
        for worker in ["forger", "honest", "other"] {
            let queue = &queue;
            scope.spawn(move || {
                serve_as(queue, worker, |pair| {
                    if worker == "forger" {
                        forge(pair);
                    }
                });
            });
        }
        let sampling = sampling(&plan);
        let conclusion = verify(tournament(plan), &queue, &keeper, &done, sampling);
        QueueControl::stop(&mut queue.clone(), crate::queue::Ending::Over).expect("in memory");
        conclusion
    });
    assert_eq!(queue.set_aside(), ["forger"]);
    assert_eq!(conclusion.again, ["forger".to_owned()].into());
    assert!(!conclusion.is_complete);
    let games = keeper.0.lock();
    let by = |game: &GameRecord| game.machine.as_ref().map(|machine| machine.worker.clone());
    assert!(
        games
            .iter()
            .all(|game| by(game).is_some_and(|worker| worker != "forger"))
    );
}

/// With the same games by all, verification only costs the second playing.
#[test]
fn verified_games_are_those_of_any_worker() {
    for n_workers in [1, 2] {
        let queue = MemoryQueue::new(ACK_WAIT, 100, 8);
        queue.set_n_workers(n_workers);
        let keeper = Keeper::default();
        let plan = match_of(20);
        let sampling = Sampling::of(&plan, 0.5).expect("fixed nodes");
        let conclusion = thread::scope(|scope| {
            for worker in &["one", "two"][..n_workers] {
                scope.spawn(|| serve_as(&queue, worker, |_| {}));
            }
            let none = FinishedGames::default();
            verify(tournament(plan), &queue, &keeper, &none, sampling)
        });
        assert!(conclusion.is_complete, "{n_workers}");
        assert_eq!(keeper.numbers(), (1..=20).collect::<Vec<_>>());
        assert!(queue.set_aside().is_empty());
    }
}

#[test]
fn only_games_that_repeat_can_be_verified() {
    let mut plan = match_of(2);
    assert!(Sampling::of(&plan, 0.05).is_ok());
    plan.engines[1].limit = "tc=1 nodes=5".parse().expect("a limit");
    let why = Sampling::of(&plan, 0.05).expect_err("a clock");
    assert!(
        why.starts_with("engine B with tc=1 nodes=5 does not play"),
        "{why}"
    );
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

/// A pair whose results are rejected from three workers stops the match, and the reason is its error.
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
                    let worker = format!("worker {attempt}");
                    if has_result {
                        let mut result = played_by(&lease, &worker);
                        result.games[0].reason = "x".repeat(2000);
                        queue.finish(lease, result);
                    } else {
                        queue.hand_back_because(lease, &worker, "a result of 20 MiB");
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
                Sampling::default(),
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
        not: Vec::new(),
        values: Vec::new(),
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

/// Only spin options that do not change the board, memory or threads may have values, which are in their range.
#[test]
fn values_come_from_the_tuning_alone() {
    const OPTIONS: &str = "option name Depth type spin default 1 min 0 max 9\n\
                           option name hash type spin default 1 min 1 max 9\n\
                           option name Heaps type spin default 3 min 1 max 9\n\
                           option name Book type string default x\nugiok";
    let engine = |name| faulty(name, |line| (line == "ugi").then_some(OPTIONS));
    let pool = EnginePool::handshake_all(vec![engine("A"), engine("B")], false, 4);
    let plan = match_of(4);
    let tournament = Tournament::new(
        plan.clone(),
        Some(rules()),
        Stop::default(),
        pool.expect("they start"),
    );
    let mut dispatch = Dispatch::of(plan, Some(rules()));
    let order = dispatch.remove_next().expect("a pair");
    let check = |values: &[(&str, i64)]| {
        let values = values
            .iter()
            .map(|(name, value)| vec![((*name).to_owned(), *value)]);
        tournament.runner.check_order(&PairOrder {
            values: values.collect(),
            ..order.clone()
        })
    };
    assert_eq!(check(&[("Depth", 1), ("depth", 9)]), Ok(()));
    for bad in [
        vec![("Depth", 1)],
        vec![("Depth", 1), ("Depth", 10)],
        vec![("Depth", 1), ("Hash", 2)],
        vec![("Depth", 1), ("Heaps", 2)],
        vec![("Depth", 1), ("Book", 2)],
        vec![("Other", 1), ("Depth", 1)],
    ] {
        assert!(check(&bad).is_err(), "{bad:?}");
    }
}

/// Results in the ledger of a resumed match count: a worker that always wins with A is found with the next pairs.
#[test]
fn results_before_an_interruption_are_compared() {
    let mut done = FinishedGames::default();
    for pair in 1..=200 {
        let worker = ["w0", "w1", "w2", "forger"][pair % 4];
        let a_wins = worker == "forger" || pair % 3 == 0;
        for (game, [p1, p2]) in [(2 * pair - 1, ["A", "B"]), (2 * pair, ["B", "A"])] {
            done.push(Finished {
                game,
                pair,
                p1,
                p2,
                first: Side::P1,
                result: match (p1 == "A") == a_wins {
                    true => GameResult::P1Win,
                    false => GameResult::P2Win,
                },
                termination: Termination::Normal,
                worker,
            });
        }
    }
    let queue = MemoryQueue::new(ACK_WAIT, 5, 8);
    let keeper = Keeper::default();
    let conclusion = thread::scope(|scope| {
        scope.spawn(|| serve_as(&queue, "w0", |_| {}));
        let conclusion = coordinate(tournament(match_of(500)), &queue, &keeper, &done);
        QueueControl::stop(&mut queue.clone(), crate::queue::Ending::Over).expect("in memory");
        conclusion
    });
    assert!(keeper.numbers().len() <= 8);
    assert_eq!(conclusion.again, BTreeSet::from(["forger".to_owned()]));
    assert_eq!(queue.set_aside(), ["forger"]);
}
