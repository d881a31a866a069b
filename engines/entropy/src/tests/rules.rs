//! The rules by example: who may move, checks, passes, ends, and every error of an illegal move.

use crate::{Move, Square};
use kit::{Game, Side};

use crate::tests::{Case, game};

const START: &str = "sssss/s3s/5/o3o/ooooo o 0";

/// `o` has isolated pieces on a1 and c1.
const TWO_CHECKS: &str = "oooss/oosss/3ss/5/o1o2 o 0";

/// Each player has two isolated pieces with no common neighbouring square.
const BOTH_STUCK: &str = "ss2s/soo2/ssooo/5/o1s1o o 0";

#[test]
fn the_start_has_35_moves_in_canonical_order() {
    let moves = Case::new(START).moves();
    assert_eq!(moves.len(), 35);
    assert_eq!(moves[..4], ["a1-b2", "a1-c3", "a1-d4", "b1-b2"]);
    assert_eq!(moves[32..], ["e2-d3", "e2-e3", "e2-c4"]);
}

#[test]
fn every_isolation_must_be_removed_at_once() {
    let case = Case::new(TWO_CHECKS);
    assert!(case.picture().ends_with("O to move, in check: a1 c1"));
    assert_eq!(case.moves(), ["b4-b1", "b4-b2"]);
    assert_eq!(
        case.refusal("a4-a2"),
        "a4-a2: o is in check, and this leaves the piece on c1 isolated"
    );
}

#[test]
fn a_player_may_put_himself_in_check() {
    let case = Case::new("oooos/2sss/2sss/oo3/4o o 0").play("b2-d2 c3-c2");
    assert!(
        case.picture().ends_with("O to move, in check: a2"),
        "{}",
        case.picture()
    );
}

#[test]
fn without_a_legal_move_the_only_one_is_to_pass() {
    assert_eq!(Case::new(BOTH_STUCK).moves(), ["pass"]);
}

#[test]
fn two_passes_in_a_row_draw() {
    let case = Case::new(BOTH_STUCK).play("pass").goes_on();
    case.play("pass").drawn();
}

#[test]
fn a_slide_between_passes_starts_their_count_anew() {
    let case = Case::new("sosos/1s3/o1o1o/2s2/soso1 o 0").play("pass");
    assert!(case.fen().ends_with(" s 1"));
    let case = case.play("b4-c4");
    assert!(case.fen().ends_with(" o 0"));
    case.play("pass").goes_on();
}

#[test]
fn the_third_occurrence_draws() {
    let there_and_back = "b1-b2 b5-b4 b2-b1 b4-b5 ";
    let case = Case::new(START).play(there_and_back).goes_on();
    case.play(there_and_back).drawn();
}

#[test]
fn a_position_string_is_a_first_occurrence() {
    let there_and_back = "b1-b2 b5-b4 b2-b1 b4-b5 ";
    let once = Case::new(START).play(there_and_back);
    Case::new(&once.fen()).play(there_and_back).goes_on();
}

#[test]
fn apart_needs_no_contact() {
    let o_is_apart = "ososo/5/o1o1o/3ss/o1sss s 0";
    Case::new(o_is_apart).goes_on();
    crate::tests::with_goal("apart", o_is_apart).won_by(Side::P1);
}

/// The goal takes precedence over the passes: in play it would have ended the game before them.
#[test]
fn a_string_of_two_passes_is_drawn_unless_the_goal_is_reached() {
    Case::new("sssss/s3s/5/o3o/ooooo o 2").drawn();
    Case::new("sosos/5/o1oso/5/sosos o 2").won_by(Side::P2);
}

#[test]
fn a_move_is_listed_if_and_only_if_it_is_legal() {
    let squares = || (0..25).filter_map(|n| Square::new(n % 5, n / 5));
    for goal in ["contact", "apart"] {
        for seed in 1..=20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut case = crate::tests::with_goal(goal, START);
            while let Some(&mv) = rng.choice(&case.0.moves()) {
                let (entropy, position) = (game(goal), *case.0.position());
                let mut legal: Vec<Move> = squares()
                    .flat_map(|from| squares().map(move |to| Move::Slide { from, to }))
                    .chain([Move::Pass])
                    .collect();
                legal.retain(|&mv| entropy.check(&position, mv).is_ok());
                assert_eq!(case.0.moves(), legal, "seed {seed}: {}", case.fen());
                case.0.play(mv);
                if case.0.ply() == 60 {
                    break;
                }
            }
        }
    }
}

/// Errors at the start position: the code, then the text after it.
const REFUSALS: [(&str, &str); 12] = [
    ("", "expected two squares such as a4-c4, or pass"),
    ("a1", "expected two squares such as a4-c4, or pass"),
    ("a1b2", "expected two squares such as a4-c4, or pass"),
    ("a0-b2", "\"a0\" is not a square: expected a1 to e5"),
    ("a1-f2", "\"f2\" is not a square: expected a1 to e5"),
    ("a1-b2-c3", "\"b2-c3\" is not a square: expected a1 to e5"),
    ("a5-a3", "the piece on a5 is the opponent's"),
    ("c3-c4", "c3 is empty"),
    ("a1-a1", "the piece on a1 is there already"),
    ("a1-b1", "there is a piece on b1"),
    ("b1-c3", "no straight line leads from b1 to c3"),
    ("a1-a3", "the piece on a2 is in the way from a1 to a3"),
];

#[test]
fn every_refusal_says_what_is_wrong() {
    for (code, why) in REFUSALS {
        assert_eq!(Case::new(START).refusal(code), format!("{code}: {why}"));
    }
}

#[test]
fn a_pass_is_refused_while_there_is_another_move() {
    let refusal = Case::new(START).refusal("pass");
    assert_eq!(refusal, "pass: o has a legal move, such as a1-b2");
}

#[test]
fn a_piece_among_enemies_only_cannot_move() {
    let refusal = Case::new("sosos/4o/o1s1o/5/sosos o 0").refusal("b5-b4");
    assert_eq!(
        refusal,
        "b5-b4: the piece on b5 has no neighbour of its own colour, so it cannot move"
    );
}

#[test]
fn a_finished_game_takes_no_move() {
    let case = Case::new("sosos/5/o1oso/5/sosos o 0").won_by(Side::P2);
    assert_eq!(case.refusal("pass"), "pass: the game is over");
}
