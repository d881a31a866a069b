//! Worked examples of the rules, and the error for every kind of illegal move.

use kit::Side::{P1, P2};

use crate::tests::Case;

#[test]
fn three_in_a_row_win_whatever_their_sizes() {
    let case = crate::tests::start(3).play("3@a1 3@a3 1@b1 2@b3");
    case.play("2@c1").won_by(P1);
}

#[test]
fn four_in_a_row_win_on_4x4_and_three_do_not() {
    let case = crate::tests::start(4)
        .play("4@a1 4@a2 4@b2 4@b1 4@c3 4@c4")
        .goes_on();
    case.play("3@d4").won_by(P1);
}

#[test]
fn both_diagonals_are_lines() {
    Case::new(".,.,y1/.,y2,./y3,.,. r").won_by(P2);
    Case::new("y1,.,./.,y2,./.,.,y3 r").won_by(P2);
    Case::new("r4,.,.,./.,r4,.,./.,.,r4,./.,.,.,r3 y").won_by(P1);
}

#[test]
fn a_piece_may_land_on_smaller_pieces_its_own_and_piles_included() {
    let case = crate::tests::start(3).play("1@b2 2@b2 3@b2 3@a1 1@c1");
    assert_eq!(case.fen(), ".,.,./.,r1y2r3,./y3,.,r1 y");
    let case = crate::tests::start(3).play("1@b2 3@c3 2@b2");
    assert_eq!(case.fen(), ".,.,y3/.,r1r2,./.,.,. y");
}

#[test]
fn what_a_moved_piece_covered_stays_and_is_seen_again() {
    let case = crate::tests::start(3).play("1@b2 2@b2 3@a1 b2-c3");
    assert_eq!(case.fen(), ".,.,y2/.,r1,./r3,.,. r");
}

#[test]
fn covered_pieces_count_for_no_line() {
    Case::new("r1y2,r1,r2/.,.,./.,.,. y").goes_on();
}

#[test]
fn exposing_a_line_of_the_opponent_loses() {
    let case = Case::new(".,.,r1/.,r2y3,./r1,.,. y");
    case.play("b2-a3").won_by(P1);
}

#[test]
fn exposing_a_line_loses_even_while_making_one() {
    let case = Case::new(".,.,./r1,r2y3,r1/y1,y2,. y");
    case.play("b2-c1").won_by(P1);
}

#[test]
fn covering_the_exposed_line_elsewhere_saves() {
    let case = Case::new(".,.,./r1,r2y3,r1/y1,y2,. y");
    case.play("b2-c2").goes_on();
}

#[test]
fn two_exposed_lines_cannot_both_be_covered() {
    let case = Case::new(".,.,r1/r1,r2y3,r2/r3,.,. y");
    case.play("b2-c3").won_by(P1);
}

#[test]
fn a_position_string_may_be_a_finished_game() {
    Case::new("r1,r2,r3/.,.,./.,.,. y").won_by(P1);
    Case::new("r1,r2,r3/.,.,./.,.,. r").won_by(P1);
    let both = "r1,r2,r3/.,.,./y1,y2,y3";
    Case::new(&format!("{both} r")).won_by(P1);
    Case::new(&format!("{both} y")).won_by(P2);
}

#[test]
fn the_third_occurrence_draws() {
    let there_and_back = "a1-b1 c3-c2 b1-a1 c2-c3";
    let case = crate::tests::start(3)
        .play("3@a1 3@c3")
        .play(there_and_back);
    case.goes_on()
        .play("a1-b1 c3-c2 b1-a1")
        .goes_on()
        .play("c2-c3")
        .drawn();
}

#[test]
fn a_position_string_is_the_first_occurrence() {
    let case = Case::new(".,.,y3/.,.,./r3,.,. r").play("a1-b1 c3-c2 b1-a1 c2-c3");
    let case = case.goes_on().play("a1-b1 c3-c2 b1-a1");
    case.goes_on().play("c2-c3").drawn();
}

#[test]
fn another_player_to_move_is_another_position() {
    // Three plies restore the pieces with the other side to move, six with the same side.
    let case = Case::new(".,.,y3/.,.,./r3,.,. r").play("a1-b1 c3-c2 b1-c1 c2-c3 c1-a1");
    assert_eq!(case.fen(), ".,.,y3/.,.,./r3,.,. y");
    let case = case.play("c3-c2 a1-b1 c2-c3 b1-a1 c3-c2 a1-b1 c2-c3");
    case.goes_on().play("b1-a1").drawn();
}

#[test]
fn on_4x4_a_smaller_piece_comes_after_the_larger_of_its_stack() {
    let sizes = |case: &Case| {
        let mut sizes: Vec<String> = case
            .moves()
            .iter()
            .map(|code| code[..1].to_owned())
            .collect();
        sizes.dedup();
        sizes.retain(|word| word.parse::<u8>().is_ok());
        sizes.join(" ")
    };
    assert_eq!(sizes(&crate::tests::start(4)), "4");
    let case = crate::tests::start(4).play("4@a1 4@b1");
    assert_eq!(sizes(&case), "4 3");
    let case = case.play("3@c1 4@d1");
    assert_eq!(sizes(&case), "4 2");
    let case = case.play("4@a2 4@b2 4@c2 3@d2");
    assert_eq!(sizes(&case), "3 2");
}

#[test]
fn on_4x4_a_placement_covers_only_to_break_three() {
    let case = Case::new(".,.,.,./.,y4,.,./.,.,.,./r4,r3,.,r4 y");
    let covering = case.moves().into_iter().filter(|code| code.ends_with("1"));
    let covering: Vec<String> = covering.collect();
    assert_eq!(covering, ["4@b1", "4@c1", "3@c1", "b3-b1", "b3-c1"]);
}

#[test]
fn on_4x4_moves_on_the_board_may_cover_anything_smaller() {
    let case = Case::new(".,.,.,./.,y4,.,./.,.,.,./r4,r3,y3,. y").play("b3-b1");
    assert_eq!(case.fen(), ".,.,.,./.,.,.,./.,.,.,./r4,r3y4,y3,. r");
    let case = Case::new(".,.,.,./.,y4,.,./.,.,.,./r4,r3,y3,. y").play("b3-c1");
    assert_eq!(case.fen(), ".,.,.,./.,.,.,./.,.,.,./r4,r3,y3y4,. r");
}

#[test]
fn moves_are_listed_by_size_then_square_then_origin() {
    let case = Case::new("r3,y3,r2/y2,r3,y3/.,r1,. r");
    let listed = "2@a1 2@b1 2@c1 1@a1 1@c1 b1-a1 b1-c1 \
                  b2-a1 b2-b1 b2-c1 b2-a2 b2-c3 a3-a1 a3-b1 a3-c1 a3-a2 a3-c3 c3-a1 c3-b1 c3-c1";
    assert_eq!(case.moves().join(" "), listed);
}

#[track_caller]
fn refuses(position: &str, refusals: &[(&str, &str)]) {
    for (code, why) in refusals {
        let case = Case::new(position);
        assert_eq!(case.refusal(code), format!("{code}: {why}"));
        assert_eq!(case.fen(), position, "a refused move changes nothing");
    }
}

#[test]
fn refusals_on_3x3_say_why() {
    refuses(
        ".,r1,y2/r2y3,r3,r3/r1,.,r2 r",
        &[
            ("b1-a1", "b1 is empty"),
            ("c3-b1", "the piece on c3 is your opponent's"),
            ("a2-b1", "the piece on a2 is your opponent's"),
            ("b2-b2", "a piece has to land on another square"),
            (
                "c1-c3",
                "the piece on c1 is yours, but c3 holds a piece of the same size",
            ),
            (
                "a1-c1",
                "the piece on a1 is yours, but c1 holds a larger piece",
            ),
            (
                "b2-a2",
                "the piece on b2 is yours, but a2 holds a piece of the same size",
            ),
            ("3@b1", "you have no size-3 piece left"),
            ("1@b1", "you have no size-1 piece left"),
        ],
    );
    refuses(
        ".,.,./.,y2,./r2,.,. r",
        &[(
            "a1-b2",
            "the piece on a1 is yours, but b2 holds a piece of the same size",
        )],
    );
    refuses(
        ".,.,./.,y2,./y3,.,. r",
        &[
            ("2@b2", "b2 holds a piece of the same size"),
            ("1@b2", "b2 holds a larger piece"),
            ("3@a1", "a1 holds a piece of the same size"),
        ],
    );
}

#[test]
fn refusals_on_4x4_say_why() {
    const RULE: &str = "on 4x4 a placement may cover only an opponent's piece in a line of three";
    refuses(
        ".,.,.,./r4,y3,.,./.,.,.,./y4,y3,y4,. r",
        &[
            ("4@b3", &format!("{RULE}; the piece on b3 is in none")),
            ("3@b1", "b1 holds a piece of the same size"),
            (
                "2@d4",
                "your size-2 pieces off the board lie under larger ones: place a size-3 piece first",
            ),
            ("3@c1", "c1 holds a larger piece"),
        ],
    );
    refuses(
        ".,.,.,./r4,.,r4,r4/r3,.,.,./y4,y3,y4,. r",
        &[
            ("4@d4", "you have no size-4 piece left"),
            (
                "1@d4",
                "your size-1 pieces off the board lie under larger ones: place a size-2 piece first",
            ),
        ],
    );
    refuses(
        ".,.,.,./r4,r3,.,./.,.,.,./y4,y3,.,y4 r",
        &[("4@b3", &format!("{RULE}; the piece on b3 is yours"))],
    );
}

#[test]
fn a_finished_game_takes_no_move() {
    let case = Case::new("r1,r2,r3/.,.,./.,.,. y");
    assert_eq!(case.refusal("3@a1"), "3@a1: the game is over");
    assert!(case.moves().is_empty());
}
