//! Games of Nim between engines in memory, judged by the arbiter.

use super::*;
use crate::player::{EnginePlayer, wait_until_ready};
use crate::record_testing::rules;
use crate::testing::{config, faulty};
use std::time::Instant;

fn started(mut config: crate::player::EngineConfig) -> EnginePlayer {
    config.is_probed = true;
    let mut player = EnginePlayer::new(config);
    player.begin(Instant::now()).expect("it starts");
    wait_until_ready(&mut player).expect("it is ready");
    player
}

/// An engine that answers that every game is drawn.
fn liar() -> EnginePlayer {
    started(faulty("Liar", |line| match line {
        "query gameover" => Some("response true"),
        "query result" => Some("response draw"),
        _ => None,
    }))
}

#[test]
fn a_known_game_goes_by_its_rules() {
    let opening = Opening::default();
    let board = rules().open(&opening).expect("the start position");
    let mut arbiter = Arbiter::rules(board, &opening, false);
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
fn false_answers_about_a_known_game_are_noted_once() {
    let opening = Opening::default();
    let board = rules().open(&opening).expect("the start position");
    let mut arbiter = Arbiter::rules(board, &opening, true);
    let (mut honest, mut liar) = (started(config("A")), liar());
    let mut players: Seats<'_> = [&mut honest, &mut liar];
    assert_eq!(arbiter.rule(&mut players), Ok(Ruling::GoesOn));
    let notes = arbiter.drain_notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    let (side, note) = &notes[0];
    assert_eq!(*side, Side::P2);
    let words = "answers query gameover with \"true\" where the rules say \"false\"";
    assert!(note.starts_with(words), "{note}");
    assert_eq!(arbiter.rule(&mut players), Ok(Ruling::GoesOn));
    assert!(
        arbiter.drain_notes().is_empty(),
        "each engine's first is enough"
    );
}

/// A game of a thousand plies has a `position` line that is longer than a note may be.
#[test]
fn a_note_about_a_long_game_is_short() {
    let liar = || {
        started(faulty("Liar", |line| match line {
            "query p1turn" | "query gameover" => Some("response true"),
            "query result" | "query moves" => Some("response none"),
            _ => None,
        }))
    };
    let opening = Opening {
        fen: None,
        moves: vec!["a1".to_owned(); 1000],
    };
    let mut arbiter = Arbiter::rules(rules().start(), &opening, true);
    let (mut p1, mut p2) = (liar(), liar());
    let mut players: Seats<'_> = [&mut p1, &mut p2];
    assert_eq!(arbiter.rule(&mut players), Ok(Ruling::GoesOn));
    for (_, note) in arbiter.drain_notes() {
        assert!(note.contains("; position startpos moves a1 a1"), "{note}");
        assert!(note.len() < 300, "{note}");
    }
}

#[test]
fn an_unknown_game_is_what_both_engines_say() {
    let mut arbiter = Arbiter::query(None, &Opening::default());
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

#[test]
fn where_engines_differ_a_third_decides_or_nobody() {
    let (mut honest, mut liar) = (started(config("A")), liar());
    let mut arbiter = Arbiter::query(None, &Opening::default());
    match arbiter.rule(&mut [&mut honest, &mut liar]) {
        Ok(Ruling::Unclear(answers)) => {
            let words =
                "A answers gameover false, result none; Liar answers gameover true, result draw";
            assert_eq!(answers, words);
        }
        other => panic!("{other:?}"),
    }
    let mut third = started(config("C"));
    let mut arbiter = Arbiter::query(Some(&mut third), &Opening::default());
    assert_eq!(arbiter.begin(&mut [&mut honest, &mut liar]), Ok(()));
    assert_eq!(
        arbiter.rule(&mut [&mut honest, &mut liar]),
        Ok(Ruling::GoesOn)
    );
}
