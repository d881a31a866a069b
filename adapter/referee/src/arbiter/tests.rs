//! Games of Nim between engines in memory, judged by the arbiter.

use super::*;
use crate::player::{EnginePlayer, Player};
use crate::record_testing::rules;
use crate::testing::{config, faulty};
use std::time::Instant;

fn started(mut config: crate::player::EngineConfig) -> EnginePlayer {
    config.is_probed = true;
    let mut player = EnginePlayer::new(config);
    player.begin(Instant::now()).expect("it starts");
    player.wait_until_ready().expect("it is ready");
    player
}

#[test]
fn a_known_game_goes_by_its_rules() {
    let opening = Opening::default();
    let board = rules().open(&opening).expect("the start position");
    let mut arbiter = Arbiter::rules(board, &opening);
    assert_eq!(arbiter.play("A1"), Ok("a1"), "as the game writes it");
    assert_eq!(
        (arbiter.side(), arbiter.position()),
        (Side::P2, "position startpos moves a1")
    );
    assert!(arbiter.play("a1").is_err(), "that heap is empty");
    arbiter.take_back();
    assert_eq!(
        (arbiter.side(), arbiter.position()),
        (Side::P1, "position startpos moves")
    );
}

#[test]
fn an_unknown_game_is_what_both_engines_say() {
    let mut arbiter = Arbiter::query(&Opening::default());
    let (mut p1, mut p2) = (started(config("A")), started(config("B")));
    let mut players: Seats<'_> = [&mut p1, &mut p2];
    assert_eq!(arbiter.begin(&mut players), Ok(()));
    assert_eq!(arbiter.rule(&mut players), Ok(Ruling::GoesOn));
    let refused = arbiter
        .play("a2")
        .expect_err("the engine does not list it")
        .to_string();
    assert!(refused.contains("not among the moves"), "{refused}");
    for code in ["a1", "b2", "c3", "d4"] {
        arbiter.play(code).expect("the engine lists it");
        let _ = arbiter.rule(&mut players).expect("both answer");
    }
    assert_eq!(
        arbiter.rule(&mut players),
        Ok(Ruling::Over(Outcome::Win(Side::P2)))
    );
}

/// An engine at fault loses, and does not undo the result that the other one gives.
#[test]
fn nonsense_is_a_fault_of_its_engine() {
    let begin: fn(&str) -> Option<&str> =
        |line| (line == "query p1turn").then_some("response perhaps");
    let over: fn(&str) -> Option<&str> =
        |line| (line == "query gameover").then_some("response maybe");
    let result: fn(&str) -> Option<&str> =
        |line| (line == "query result").then_some("response I won");
    let mut honest = started(config("A"));
    let mut p1 = started(faulty("B", begin));
    let mut arbiter = Arbiter::query(&Opening::default());
    let error = arbiter
        .begin(&mut [&mut p1, &mut honest])
        .expect_err("it is unreadable");
    assert_eq!(error.0, Side::P1);
    for (fault, words) in [
        (
            over,
            "answers query gameover with \"maybe\": expected true or false",
        ),
        (
            result,
            "answers query result with \"I won\": expected none, p1win, p2win or draw",
        ),
    ] {
        let mut liar = started(faulty("B", fault));
        let mut arbiter = Arbiter::query(&Opening::default());
        let ruled = arbiter.rule(&mut [&mut honest, &mut liar]);
        let (side, fault) = ruled.expect_err("it is unreadable");
        assert_eq!((side, fault.to_string().as_str()), (Side::P2, words));
        let (side, _) = arbiter
            .rule(&mut [&mut liar, &mut honest])
            .expect_err("as p1");
        assert_eq!(side, Side::P1);
    }
    let mut both = [started(faulty("B", over)), started(faulty("C", over))];
    let [p1, p2] = &mut both;
    let ruled = Arbiter::query(&Opening::default()).rule(&mut [p1, p2]);
    assert!(matches!(ruled, Ok(Ruling::Unclear(_))), "{ruled:?}");
}

/// A game keeps all its moves in memory, so an engine that lists no moves must not send a megabyte as one.
#[test]
fn a_move_of_an_unknown_game_is_short() {
    let mut arbiter = Arbiter::query(&Opening::default());
    assert!(arbiter.play(&"x".repeat(1 << 20)).is_err());
    assert!(arbiter.play("a1\u{1b}").is_err());
    assert_eq!(arbiter.play("a1"), Ok("a1"));
}

#[test]
fn equal_results_end_a_game_though_one_engine_denies_its_end() {
    let mut denies = started(faulty("B", |line| {
        (line == "query gameover").then_some("response false")
    }));
    let mut honest = started(config("A"));
    let mut arbiter = Arbiter::query(&Opening::default());
    for code in ["a1", "b2", "c3", "d4"] {
        assert_eq!(
            arbiter.rule(&mut [&mut honest, &mut denies]),
            Ok(Ruling::GoesOn)
        );
        arbiter.play(code).expect("the engine lists it");
    }
    let ruled = arbiter.rule(&mut [&mut honest, &mut denies]);
    assert_eq!(ruled, Ok(Ruling::Over(Outcome::Win(Side::P2))));
}

#[test]
fn different_answers_are_a_disagreement() {
    let mut honest = started(config("A"));
    let mut liar = started(faulty("Liar", |line| match line {
        "query gameover" => Some("response true"),
        "query result" => Some("response draw"),
        _ => None,
    }));
    let ruled = Arbiter::query(&Opening::default()).rule(&mut [&mut honest, &mut liar]);
    let words = "A answers gameover false, result none, p1turn true; \
                 Liar answers gameover true, result draw, p1turn true; position: 1/2/3/4 p1";
    assert_eq!(ruled, Ok(Ruling::Unclear(words.to_owned())));
}

/// The engine that moves is not the only one that is asked.
#[test]
fn a_move_that_the_opponent_does_not_accept_is_a_disagreement() {
    let lists: fn(&str) -> Option<&str> =
        |line| (line == "query moves").then_some("response b1 c1");
    let rejects: fn(&str) -> Option<&str> = |line| {
        let is_it = line.starts_with("position startpos moves a1");
        is_it.then_some("info error a1: the heap is empty")
    };
    let turns: fn(&str) -> Option<&str> =
        |line| (line == "query p1turn").then_some("response true");
    for (fault, words) in [
        (
            lists,
            "A plays a1, which B does not list; position: 0/2/3/4 p2",
        ),
        (
            rejects,
            "B rejects the position: a1: the heap is empty; position of A: 0/2/3/4 p2",
        ),
        (
            turns,
            "A answers gameover false, result none, p1turn false; \
             B answers gameover false, result none, p1turn true; position: 0/2/3/4 p2",
        ),
    ] {
        let (mut honest, mut other) = (started(config("A")), started(faulty("B", fault)));
        let mut players: Seats<'_> = [&mut honest, &mut other];
        let mut arbiter = Arbiter::query(&Opening::default());
        assert_eq!(arbiter.rule(&mut players), Ok(Ruling::GoesOn), "{words}");
        arbiter.play("a1").expect("its engine lists it");
        let ruled = arbiter.rule(&mut players);
        assert_eq!(ruled, Ok(Ruling::Unclear(words.to_owned())));
    }
}
