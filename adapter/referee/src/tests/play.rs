//! Games of Nim, with four heaps of 1, 2, 3 and 4 stones, as functions of what comes in.

use kit::Side;
use record::opening::Opening;

use super::*;
use crate::engine::Fault;
use crate::game_table::GameTable;
use crate::nim_table::NimTable;
use crate::record_testing::rules;

/// A game after an opening, with these limits of both sides.
fn opened(opening: &str, limit: &str, adjudication: Adjudication) -> LiveGame {
    let opening = Opening::parse(opening);
    let board = rules().open(&opening).expect("a sound opening");
    let limit: Limit = limit.parse().expect("a limit");
    let clocks = [(); 2].map(|()| Clock::new(limit, Duration::ZERO));
    let names = ["A", "B"].map(str::to_owned);
    LiveGame::new(Arbiter::rules(board, &opening), names, clocks, adjudication)
}

fn game(limit: &str) -> LiveGame {
    opened("startpos", limit, Adjudication::default())
}

fn best(code: &str, ms: u64) -> BestMove {
    BestMove {
        code: code.to_owned(),
        ponder: None,
        elapsed: Duration::from_millis(ms),
        thought: Default::default(),
    }
}

/// Plays the first legal moves to the end.
fn played(game: &mut LiveGame) -> Ending {
    loop {
        match game.next() {
            Next::Go { .. } => {
                let mut moves = game.arbiter.board().expect("a known game").moves();
                assert!(game.answered(&best(&moves.swap_remove(0), 0), None));
            }
            Next::Over(Halt::Over(ending)) => return *ending,
            other => panic!("{other:?}"),
        }
    }
}

fn ending(game: &mut LiveGame) -> Ending {
    match game.next() {
        Next::Over(Halt::Over(ending)) => *ending,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_game_is_played_by_the_rules() {
    let mut game = game("nodes=1");
    let ending = played(&mut game);
    assert_eq!(game.arbiter.moves().len(), 10);
    assert_eq!(game.plies.len(), 10);
    assert_eq!((ending.reason.as_str(), ending.fault), ("B wins", None));
    assert_eq!(ending.termination, Termination::Normal);
    assert!(game.is_over_by_rules());
}

/// A game with a table of known values, and how it ends.
fn with_table(opening: &str, table: GameTable) -> (LiveGame, Ending) {
    let mut game = opened(opening, "nodes=1", Adjudication::default());
    game.arbiter.table = Some(table);
    let ending = played(&mut game);
    (game, ending)
}

#[test]
fn a_table_ends_the_game_before_the_next_move() {
    for (opening, winner, reason) in [
        ("fen 0/0/2/2 p1", Side::P2, "B wins in 4 plies by the table"),
        ("fen 0/0/1/2 p2", Side::P2, "B wins in 3 plies by the table"),
        ("fen 0/0/0/4 p1", Side::P1, "A wins in 1 ply by the table"),
    ] {
        let (game, ending) = with_table(opening, NimTable::of_rules());
        assert_eq!(ending.result, GameResult::win(winner));
        assert_eq!(ending.reason, format!("adjudicated: {reason}"));
        assert_eq!(ending.termination, Termination::Adjudication);
        assert!(game.arbiter.moves().is_empty() && !game.is_over_by_rules());
    }
}

#[test]
fn a_table_of_another_board_does_not_decide() {
    let (game, ending) = with_table("fen 1/2 p1", NimTable::of_rules());
    assert_eq!(ending.termination, Termination::Normal);
    assert_eq!(game.notes, [] as [&str; 0]);
}

#[test]
fn the_game_goes_on_without_a_damaged_table() {
    let (game, ending) = with_table("startpos", NimTable::broken());
    assert_eq!(ending.termination, Termination::Normal);
    let why = "adjudication by table ended: nim.table: damaged table: wrong checksum";
    assert_eq!(game.notes, [why]);
}

#[test]
fn an_illegal_move_loses() {
    let mut game = game("nodes=1");
    assert!(matches!(game.next(), Next::Go { side: Side::P1, .. }));
    let complaint = Complaint {
        command: "position",
        words: "no such cell".to_owned(),
    };
    for (complaint, words) in [
        (None, ""),
        (
            Some(&complaint),
            "; it rejects \"position startpos moves\": info error no such cell",
        ),
    ] {
        assert!(!game.answered(&best("z9", 0), complaint));
        let ending = ending(&mut game);
        assert_eq!(ending.result, GameResult::win(Side::P2));
        assert_eq!(ending.termination, Termination::RulesInfraction);
        let (reason, told) = (&ending.reason, "A made an illegal move: z9: ");
        assert!(
            reason.starts_with(told) && reason.ends_with(words),
            "{reason}"
        );
        let fault = ending.fault.expect("a report");
        let told = (fault.engine.as_str(), fault.position.as_str());
        assert_eq!(told, ("A", "position startpos moves"));
        // A table may continue from here.
        assert!(matches!(game.next(), Next::Go { side: Side::P1, .. }));
    }
}

#[test]
fn silence_ends_with_the_clock_or_the_search_timeout() {
    let silence = Fault::Silent("bestmove");
    for (limit, termination, reason) in [
        (
            "st=0.001",
            Termination::TimeForfeit,
            "A loses on time: no bestmove in time (0.001 s)",
        ),
        (
            "nodes=1",
            Termination::Abandoned,
            "A no bestmove in time: without a clock, that is --search-timeout-ms",
        ),
    ] {
        let mut game = game(limit);
        assert!(matches!(game.next(), Next::Go { .. }));
        game.timed_out(&silence, None);
        let ending = ending(&mut game);
        assert_eq!(
            (ending.termination, ending.reason.as_str()),
            (termination, reason)
        );
    }
}

#[test]
fn a_late_move_loses_and_a_fixed_time_says_how_late_it_is() {
    for (limit, late) in [("st=0.1", Some(5)), ("tc=0.1", None)] {
        let mut game = game(limit);
        let Next::Go { search, .. } = game.next() else {
            panic!("a game begins");
        };
        let most = search.allowance.expect("a time limit");
        assert_eq!(most > Duration::from_millis(100), late.is_some());
        assert!(!game.answered(&best("a1", 105), None));
        assert_eq!(ending(&mut game).reason, "A loses on time: 0.105 s");
        assert_eq!(game.late, late.map(Duration::from_millis));
    }
}

#[test]
fn a_side_resigns_only_in_time() {
    for (ms, reason) in [(50, "A resigns"), (150, "A loses on time: 0.150 s")] {
        let mut game = game("tc=0.1");
        assert!(matches!(game.next(), Next::Go { .. }));
        game.resigned(Duration::from_millis(ms));
        assert_eq!(ending(&mut game).reason, reason);
    }
}

#[test]
fn a_fault_that_is_not_the_engines_is_nobodys_loss() {
    let mut game = game("nodes=1");
    let why = "engine B cannot be started: too many open files".to_owned();
    game.failed(Side::P2, &Fault::Shortage(why.clone()), None);
    assert!(matches!(game.next(), Next::Over(Halt::Trouble(told)) if told == why));
    game.failed(Side::P1, &Fault::Stopped, None);
    assert!(matches!(game.next(), Next::Over(Halt::Stopped)));
}

#[test]
fn the_side_of_a_fault_loses() {
    for (side, fault, reason) in [
        (
            Side::P2,
            Fault::Start("no such file".to_owned()),
            "B cannot be started: no such file",
        ),
        (
            Side::P1,
            Fault::Unasked("bestmove a1".to_owned()),
            "A sent an unasked move: bestmove a1",
        ),
        (Side::P1, Fault::Silent("readyok"), "A no readyok in time"),
    ] {
        let mut game = game("tc=1");
        game.failed(side, &fault, None);
        let ending = ending(&mut game);
        assert_eq!(ending.result, GameResult::win(side.other()));
        assert_eq!(ending.reason, reason);
    }
}

#[test]
fn the_referee_ends_a_game_that_is_too_long() {
    let short = Adjudication {
        max_plies: 3,
        ..Adjudication::default()
    };
    let mut game = opened("startpos", "nodes=1", short);
    let ending = played(&mut game);
    assert_eq!(game.arbiter.moves().len(), 3);
    assert_eq!(ending.reason, "adjudicated: drawn after 3 plies");
}

#[test]
fn the_opponent_may_ponder_on_the_reply_that_it_expects() {
    let mut game = game("nodes=1");
    let ponder = |game: &mut LiveGame| match game.next() {
        Next::Go { ponder, .. } => ponder.map(|(position, _)| position),
        other => panic!("{other:?}"),
    };
    assert_eq!(ponder(&mut game), None);
    let expects = |ponder: &str| BestMove {
        ponder: Some(ponder.to_owned()),
        ..best("a1", 0)
    };
    assert!(game.answered(&expects("b1"), None));
    let position = "position startpos moves a1 b1".to_owned();
    assert_eq!(ponder(&mut game), Some(position));
    game.take_back();
    assert!(game.answered(&expects("a1"), None));
    assert_eq!(ponder(&mut game), None, "that heap is empty");
}
