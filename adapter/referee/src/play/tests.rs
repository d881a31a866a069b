//! Games of Nim between engines in memory, with four heaps of 1, 2, 3 and 4 stones. An engine takes the first stone it
//! finds, so a game has ten plies.

use std::time::{Duration, Instant};

use kit::Side;

use record::game::{GameResult, Termination};

use super::*;
use crate::client::Fault;
use crate::client::memory::Wire;
use crate::game_table::GameTable;
use crate::nim_table::NimTable;
use crate::player::{EngineConfig, EnginePlayer, Player, PlayerEvent};
use crate::record_testing::rules;
use crate::testing::{config, connected, faulty};
use record::adjudication::Adjudication;

fn arbiter() -> Arbiter {
    let opening = Opening::default();
    let board = rules().open(&opening).expect("the start position");
    Arbiter::rules(board, &opening)
}

/// Plays a game between two engines; the first one moves first.
fn game(configs: [EngineConfig; 2]) -> Result<Played, Halt> {
    let [mut p1, mut p2] = configs.map(EnginePlayer::new);
    play(
        arbiter(),
        [&mut p1, &mut p2],
        Adjudication::NONE,
        false,
        &mut |_| {},
    )
}

fn ending(configs: [EngineConfig; 2]) -> Ending {
    game(configs).expect("the game ends").ending
}

#[test]
fn a_game_is_played_by_the_rules() {
    let mut n_told = 0;
    let [mut p1, mut p2] = ["A", "B"].map(|name| EnginePlayer::new(config(name)));
    let played = play(
        arbiter(),
        [&mut p1, &mut p2],
        Adjudication::NONE,
        false,
        &mut |_| n_told += 1,
    );
    let played = played.expect("the game ends");
    assert_eq!(played.moves.len(), n_told);
    assert_eq!(played.plies.len(), n_told);
    let winner = if n_told % 2 == 1 { "A wins" } else { "B wins" };
    assert_eq!(played.ending.reason, winner);
    assert_eq!(played.ending.termination, Termination::Normal);
    assert_eq!(played.ending.fault, None);
}

/// Plays a game with a table of known values.
fn with_table(opening: &str, table: GameTable) -> Played {
    let opening = Opening::parse(opening);
    let board = rules().open(&opening).expect("a sound opening");
    let arbiter = Arbiter::rules(board, &opening).with_table(Some(table));
    let [mut p1, mut p2] = ["A", "B"].map(|name| EnginePlayer::new(config(name)));
    play(
        arbiter,
        [&mut p1, &mut p2],
        Adjudication::NONE,
        false,
        &mut |_| {},
    )
    .expect("the game ends")
}

#[test]
fn a_table_ends_the_game_before_the_next_move() {
    for (opening, result, reason) in [
        (
            "fen 0/0/2/2 p1",
            GameResult::win(Side::P2),
            "adjudicated: B wins in 4 plies by the table",
        ),
        (
            "fen 0/0/1/2 p2",
            GameResult::win(Side::P2),
            "adjudicated: B wins in 3 plies by the table",
        ),
        (
            "fen 0/0/0/4 p1",
            GameResult::win(Side::P1),
            "adjudicated: A wins in 1 ply by the table",
        ),
    ] {
        let played = with_table(opening, NimTable::of_rules());
        let Ending { termination, .. } = played.ending;
        assert_eq!(
            (played.ending.result, played.ending.reason.as_str()),
            (result, reason)
        );
        assert_eq!(
            (termination, played.moves.len()),
            (Termination::Adjudication, 0)
        );
    }
}

#[test]
fn a_table_of_another_board_does_not_decide() {
    let played = with_table("fen 1/2 p1", NimTable::of_rules());
    assert_eq!(played.ending.termination, Termination::Normal);
    assert_eq!(played.notes, [] as [&str; 0]);
}

#[test]
fn the_game_goes_on_without_a_damaged_table() {
    let played = with_table("startpos", NimTable::broken());
    assert_eq!(played.ending.termination, Termination::Normal);
    let why = "adjudication by table ended: nim.table: damaged table: wrong checksum";
    assert_eq!(played.notes, [why]);
}

#[test]
fn an_illegal_move_loses() {
    let bad = faulty("A", |line| line.starts_with("go").then_some("bestmove z9"));
    let ending = ending([bad, config("B")]);
    assert_eq!(ending.result, GameResult::win(Side::P2));
    assert_eq!(ending.termination, Termination::RulesInfraction);
    assert!(
        ending.reason.starts_with("A made an illegal move: z9: "),
        "{}",
        ending.reason
    );
    let fault = ending.fault.expect("a report");
    assert_eq!(
        (fault.engine.as_str(), fault.position.as_str()),
        ("A", "position startpos moves")
    );
}

#[test]
fn a_rejected_position_is_named_with_the_words_of_the_engine() {
    let bad = faulty("A", |line| match line.split(' ').next() {
        Some("position") => Some("info error no such cell"),
        Some("go") => Some("bestmove z9"),
        _ => None,
    });
    let reason = ending([bad, config("B")]).reason;
    let words = "; it rejects \"position startpos moves\": info error no such cell";
    assert!(reason.ends_with(words), "{reason}");
}

#[test]
fn silence_ends_with_the_clock_or_the_search_timeout() {
    let silent = |limit: &str| {
        let mut config = faulty("A", |line| line.starts_with("go").then_some(""));
        config.spec.limit = limit.parse().expect("a limit");
        config.timeouts.search = Duration::from_millis(1);
        ending([config, self::config("B")])
    };
    let clock = silent("st=0.001");
    assert_eq!(clock.termination, Termination::TimeForfeit);
    assert_eq!(
        clock.reason,
        "A loses on time: no bestmove in time (0.001 s)"
    );
    let nodes = silent("nodes=1");
    assert_eq!(nodes.termination, Termination::Abandoned);
    let words = "A no bestmove in time: without a clock, that is --search-timeout-ms";
    assert_eq!(nodes.reason, words);
}

#[test]
fn an_engine_that_cannot_be_started_loses() {
    let missing = connected("A", || Err(std::io::ErrorKind::NotFound.into()));
    let ending = ending([config("B"), missing]);
    assert_eq!(ending.result, GameResult::win(Side::P1));
    assert!(
        ending.reason.starts_with("A cannot be started: "),
        "{}",
        ending.reason
    );
}

#[test]
fn a_shortage_on_our_side_is_nobodys_loss() {
    const EMFILE: i32 = 24;
    let short = connected("A", || Err(std::io::Error::from_raw_os_error(EMFILE)));
    match game([config("B"), short]) {
        Err(Halt::Trouble(why)) => {
            assert!(why.starts_with("engine A cannot be started: "), "{why}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_stop_ends_every_wait() {
    let silent = connected("A", || Ok(Box::new(Wire::silent())));
    silent.stop.now();
    assert_eq!(game([silent, config("B")]), Err(Halt::Stopped));
}

#[test]
fn the_referee_ends_a_game_that_is_too_long() {
    let [mut p1, mut p2] = ["A", "B"].map(|name| EnginePlayer::new(config(name)));
    let mut short = Adjudication::NONE;
    short.max_plies = 3;
    let played = play(arbiter(), [&mut p1, &mut p2], short, false, &mut |_| {}).expect("it ends");
    assert_eq!(played.moves.len(), 3);
    assert_eq!(played.ending.reason, "adjudicated: drawn after 3 plies");
}

#[test]
fn a_game_can_be_driven_without_waiting() {
    let mut players = ["A", "B"].map(|name| EnginePlayer::new(config(name)));
    for player in &mut players {
        player.begin(Instant::now()).expect("it starts");
        assert_eq!(player.poll(Instant::now()), Ok(Some(PlayerEvent::Ready)));
    }
    let clocks = players.each_ref().map(|player| player.clock());
    let mut game = LiveGame::new(arbiter(), clocks, Adjudication::NONE);
    let [p1, p2] = &mut players;
    let mut seats: crate::arbiter::Seats<'_> = [p1, p2];
    let halt = loop {
        let ply = game.check(&mut seats).and_then(|()| {
            let side = game.start_ply(&mut seats)?;
            let answer = match seats[side.index()].poll(Instant::now()) {
                Ok(Some(PlayerEvent::Moved(best))) => Ok(best),
                Ok(other) => panic!("{other:?}"),
                Err(fault) => Err(fault),
            };
            game.on_answer(&mut seats, answer, &mut |_| {})
        });
        if let Err(halt) = ply {
            break halt;
        }
    };
    assert!(matches!(halt, Halt::Over(ending) if ending.termination == Termination::Normal));
}

#[test]
fn a_fault_that_a_driver_brings_is_judged_like_any_other() {
    let mut players = ["A", "B"].map(|name| EnginePlayer::new(config(name)));
    let clocks = players.each_ref().map(|player| player.clock());
    let mut game = LiveGame::new(arbiter(), clocks, Adjudication::NONE);
    let [p1, p2] = &mut players;
    let fault = Fault::Unasked("bestmove a1".to_owned());
    let halt = game.on_answer(&mut [p1, p2], Err(fault), &mut |_| {});
    let Err(Halt::Over(ending)) = halt else {
        panic!("{halt:?}");
    };
    assert_eq!(ending.reason, "A sent an unasked move: bestmove a1");
}
