//! Worked examples of the rules, mostly in a corner of the smallest board, where a1 is adjacent to a2, b1 and b2.

use kit::{Outcome, Side};

use crate::tests::{after, at};

const P1_WINS: Option<Outcome> = Some(Outcome::Win(Side::P1));
const P2_WINS: Option<Outcome> = Some(Outcome::Win(Side::P2));
const DRAWN: Option<Outcome> = Some(Outcome::Draw);

/// Four slides that return to the original position.
const THERE_AND_BACK: &str = "a1->a2, e3->e2, a2->a1, e2->e3";

#[track_caller]
fn outcome_after(position: &str, code: &str, expected: Option<Outcome>) {
    assert_eq!(
        after("Size=3", position, code).outcome(),
        expected,
        "{position}, {code}"
    );
}

#[test]
fn a_stone_with_one_empty_neighbour_is_not_surrounded() {
    outcome_after("o2/4/5/4/3 x 0", "a2", None);
    outcome_after("ox1/4/5/4/3 x 0", "b1", None);
}

#[test]
fn surrounding_a_stone_of_the_opponent_wins() {
    outcome_after("ox1/x3/5/4/3 x 0", "b2", P1_WINS);
    outcome_after("xo1/o3/5/4/3 o 0", "b2", P2_WINS);
}

#[test]
fn the_stones_around_may_be_of_either_player() {
    outcome_after("oo1/x3/5/4/3 x 0", "b2", P1_WINS);
    outcome_after("oo1/o3/5/4/3 x 0", "b2", P1_WINS);
}

#[test]
fn surrounding_an_own_stone_loses() {
    outcome_after("xx1/o3/5/4/3 x 0", "b2", P2_WINS);
    outcome_after("ox1/o3/5/4/3 o 0", "b2", P1_WINS);
}

#[test]
fn placing_a_stone_where_it_is_surrounded_is_legal_and_loses() {
    outcome_after("1x1/xo2/5/4/3 x 0", "a1", P2_WINS);
}

#[test]
fn surrounding_both_loses() {
    // b2 takes the last empty neighbour of o on a1 and of x on a2.
    outcome_after("oxo/o1o1/5/4/3 x 0", "b2", P2_WINS);
    // The stone placed on a1 is surrounded, and so is o on a2.
    outcome_after("1ox/oxo1/5/4/3 x 0", "a1", P2_WINS);
}

#[test]
fn a_slide_surrounds_like_a_placement() {
    outcome_after("ox1/x1x1/5/4/3 x 0", "b3->b2", P1_WINS);
    outcome_after("xx1/o1x1/5/4/3 x 0", "b3->b2", P2_WINS);
}

#[test]
fn a_slide_leaves_an_empty_cell_behind() {
    outcome_after("ox1/x3/5/4/3 x 0", "a2->b2", None);
    outcome_after("1x1/xo2/5/4/3 x 0", "b1->a1", None);
}

#[test]
fn six_slides_in_a_row_draw() {
    let mut history = after("Size=3", "startpos", "a1, e3");
    laws::testing::play(&mut history, THERE_AND_BACK);
    laws::testing::play(&mut history, "a1->a2");
    assert_eq!(history.outcome(), None);
    laws::testing::play(&mut history, "e3->e2");
    assert_eq!(history.outcome(), DRAWN);
    assert!(history.moves().is_empty());
}

#[test]
fn another_slide_limit_draws_sooner_or_never() {
    let moves = format!("a1, e3, {THERE_AND_BACK}");
    assert_eq!(
        after("Size=3 SlideLimit=4", "startpos", &moves).outcome(),
        DRAWN
    );
    let long = format!("a1, e3, {}", [THERE_AND_BACK; 30].join(", "));
    let unlimited = after("Size=3 SlideLimit=0", "startpos", &long);
    assert_eq!(unlimited.outcome(), None);
    assert_eq!(kit::DynHistory::fen(&unlimited), "x2/4/5/4/2o x 120");
}

#[test]
fn a_placement_ends_a_row_of_slides() {
    let history = after("Size=3", "x2/4/5/4/2o x 5", "c3");
    assert_eq!(kit::DynHistory::fen(&history), "x2/4/2x2/4/2o o 0");
}

#[test]
fn a_stone_surrounded_by_the_sixth_slide_decides_the_game() {
    outcome_after("ox1/x1x1/5/4/3 x 5", "b3->b2", P1_WINS);
    outcome_after("xx1/o1x1/5/4/3 x 5", "b3->b2", P2_WINS);
    outcome_after("o2/x1x1/5/4/3 x 5", "b3->b2", DRAWN);
}

#[test]
fn a_position_that_stands_again_draws_where_the_option_says_so() {
    let opening = "a1, e3";
    for n in 2..=5 {
        let options = format!("Size=3 SlideLimit=0 Repetition={n}");
        let mut history = after(&options, "startpos", opening);
        for occurrence in 2..=n {
            assert_eq!(
                history.outcome(),
                None,
                "{options}: before occurrence {occurrence}"
            );
            laws::testing::play(&mut history, THERE_AND_BACK);
        }
        assert_eq!(history.outcome(), DRAWN, "{options}");
    }
}

#[test]
fn repetitions_count_from_the_position_string_on() {
    let options = "Size=3 SlideLimit=0 Repetition=2";
    let position = "x2/4/5/4/2o x 9";
    assert_eq!(at(options, position).outcome(), None);
    assert_eq!(after(options, position, THERE_AND_BACK).outcome(), DRAWN);
}

#[test]
fn the_same_stones_with_the_other_player_to_move_are_another_position() {
    // x needs two slides for a path that o makes in one: the stones are as before, but the other side is to move.
    let moves = "a1->b2, e3->e2, b2->a2, e2->e3, a2->a1";
    let history = after("Size=3 SlideLimit=0 Repetition=2", "x2/4/5/4/2o x 0", moves);
    assert_eq!(history.outcome(), None);
    assert_eq!(kit::DynHistory::fen(&history), "x2/4/5/4/2o o 5");
}

#[test]
fn a_position_string_is_judged_as_if_the_player_not_to_move_had_just_moved() {
    for (position, expected) in [
        ("ox1/xx2/5/4/3 o 0", P1_WINS),
        ("ox1/xx2/5/4/3 x 0", P1_WINS),
        ("xo1/oo2/5/4/3 o 0", P2_WINS),
        ("oxo/oxo1/5/4/3 o 0", P2_WINS),
        ("oxo/oxo1/5/4/3 x 0", P1_WINS),
        ("ox1/xx2/5/4/3 o 6", P1_WINS),
        ("3/4/5/4/3 o 5", None),
        ("3/4/5/4/3 o 6", DRAWN),
        ("3/4/5/4/3 o 1000000", DRAWN),
    ] {
        assert_eq!(at("", position).outcome(), expected, "{position}");
    }
    assert_eq!(at("SlideLimit=0", "3/4/5/4/3 o 1000000").outcome(), None);
}

#[test]
fn a_slide_after_the_largest_count_keeps_it() {
    let position = format!("x2/4/5/4/2o x {}", u64::MAX);
    let history = after("SlideLimit=0", &position, "a1->a2");
    assert_eq!(
        kit::DynHistory::fen(&history),
        format!("1x1/4/5/4/2o o {}", u64::MAX)
    );
}
