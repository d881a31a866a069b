use std::io;
use std::time::Duration;

use parking_lot::Mutex;
use record::format::Format;
use record::game::GameRecord;

use super::*;
use crate::engine::EngineConfig;
use crate::record_testing::{plan, rules};
use crate::testing::{config, starting};

/// Records finished games; optionally fails after a number of games.
#[derive(Default)]
struct Keeper {
    kept: Arc<Mutex<Vec<GameRecord>>>,
    fails_after: Option<usize>,
}

impl Recorder for Keeper {
    fn record(&mut self, game: &GameRecord) -> io::Result<()> {
        let mut kept = self.kept.lock();
        if self.fails_after == Some(kept.len()) {
            return Err(io::Error::other("the disk is full"));
        }
        kept.push(game.clone());
        Ok(())
    }
}

fn tournament(configs: Vec<EngineConfig>) -> Tournament {
    let plan = plan(&["A", "B"]);
    let pool = EnginePool::handshake_all(configs, false, 2 * plan.concurrency).expect("they start");
    Tournament::new(plan, Some(rules()), Stop::default(), pool)
}

fn run(
    tournament: Tournament,
    keeper: Keeper,
    done: &[GameRecord],
) -> Result<Conclusion, MatchError> {
    let mut summary = Summary::of(&tournament.runner.plan);
    done.iter().for_each(|game| summary.count(game));
    let watchers = Broadcast::new(false);
    tournament.run(summary, &mut [Box::new(keeper)], &watchers, None)
}

#[test]
fn every_game_of_the_schedule_is_played_once_with_sides_swapped() {
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.kept);
    let conclusion = run(tournament(vec![config("A"), config("B")]), keeper, &[]);
    assert!(conclusion.expect("it is played").is_complete);
    let mut games = kept.lock().clone();
    games.sort_by_key(|game| game.game);
    let players: Vec<_> = games
        .iter()
        .map(|game| (game.game, game.p1.as_str()))
        .collect();
    assert_eq!(players, [(1, "A"), (2, "B"), (3, "A"), (4, "B")]);
    // Games that are already finished are not played again.
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.kept);
    let conclusion = run(
        tournament(vec![config("A"), config("B")]),
        keeper,
        &games[..3],
    );
    assert!(conclusion.expect("it is played").is_complete);
    assert_eq!(
        kept.lock().iter().map(|game| game.game).collect::<Vec<_>>(),
        [4]
    );
}

/// Plays a match of four engines in this format. Returns the games in order, and the conclusion.
fn four(format: Format, done: &[GameRecord]) -> (Vec<GameRecord>, Conclusion) {
    let names = ["A", "B", "C", "D"];
    let plan = Plan {
        format,
        games: 2,
        ..plan(&names)
    };
    let configs = names.map(config).to_vec();
    let pool = EnginePool::handshake_all(configs, false, 8).expect("they start");
    let tournament = Tournament::new(plan, Some(rules()), Stop::default(), pool);
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.kept);
    let conclusion = run(tournament, keeper, done).expect("it is played");
    let mut games = std::mem::take(&mut *kept.lock());
    games.sort_by_key(|game| game.game);
    (games, conclusion)
}

#[test]
fn rounds_are_played_after_each_other_and_gone_on_with() {
    let swiss = Format::Swiss { rounds: 2 };
    let (all, conclusion) = four(swiss, &[]);
    assert!(conclusion.is_complete);
    assert_eq!((all.len(), conclusion.standing.total), (8, 8));
    let numbers: Vec<usize> = all.iter().map(|game| game.game).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    let players = |game: &GameRecord| (game.game, game.p1.clone(), game.p2.clone());
    for n_done in [1, 4, 7, 8] {
        let (more, conclusion) = four(swiss, &all[..n_done]);
        assert!(conclusion.is_complete);
        let expected: Vec<_> = all[n_done..].iter().map(players).collect();
        assert_eq!(more.iter().map(players).collect::<Vec<_>>(), expected);
    }
}

/// The others do not wait for the game of a thread that panicked.
#[test]
fn a_panic_in_a_round_ends_the_match() {
    let is_first = Arc::new(AtomicBool::new(true));
    let mut bad = starting("A", move || match is_first.swap(false, Ordering::Relaxed) {
        true => Ok(()),
        false => panic!("an engine that cannot be started in a game"),
    });
    bad.spec.restart = record::engine_spec::Restart::On;
    let (ended, end) = bounded(1);
    thread::spawn(move || {
        let names = ["A", "B", "C", "D"];
        let plan = Plan {
            format: Format::Swiss { rounds: 2 },
            games: 2,
            concurrency: 2,
            ..plan(&names)
        };
        let configs = vec![bad, config("B"), config("C"), config("D")];
        let pool = EnginePool::handshake_all(configs, false, 4).expect("they start");
        let tournament = Tournament::new(plan, Some(rules()), Stop::default(), pool);
        let played = || run(tournament, Keeper::default(), &[]);
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(played));
        ended.send(played.is_err()).expect("it is awaited");
    });
    let has_panicked = end.recv_timeout(Duration::from_secs(60));
    assert_eq!(has_panicked, Ok(true), "the match hangs");
}

#[test]
fn a_record_that_cannot_be_written_ends_the_match() {
    let keeper = Keeper {
        fails_after: Some(1),
        ..Keeper::default()
    };
    match run(tournament(vec![config("A"), config("B")]), keeper, &[]) {
        Err(MatchError::Trouble(why)) => assert_eq!(why, "the disk is full"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_match_told_to_stop_begins_no_game() {
    let tournament = tournament(vec![config("A"), config("B")]);
    tournament.runner.stop.after_games();
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.kept);
    assert!(
        !run(tournament, keeper, &[])
            .expect("nothing fails")
            .is_complete
    );
    assert!(kept.lock().is_empty());
}

#[test]
fn a_shortage_on_our_side_ends_the_match_and_no_game() {
    const EMFILE: i32 = 24;
    let starts = Arc::new(AtomicBool::new(true));
    let short = starting("B", move || match starts.swap(false, Ordering::Relaxed) {
        true => Ok(()),
        false => Err(io::Error::from_raw_os_error(EMFILE)),
    });
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.kept);
    // Two concurrent games need two processes of each engine.
    let mut short = short;
    short.spec.restart = record::engine_spec::Restart::On;
    match run(tournament(vec![config("A"), short]), keeper, &[]) {
        Err(MatchError::Trouble(why)) => {
            assert!(why.contains("engine B cannot be started"), "{why}")
        }
        other => panic!("{other:?}"),
    }
    for game in kept.lock().iter() {
        assert_eq!(game.termination, record::game::Termination::Normal);
    }
}
