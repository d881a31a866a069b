//! Tests of move codes and position strings, valid and invalid.

use kit::Notation;
use kit::dyn_history::parse_history;

use crate::tests::rules::DRAWN;
use crate::tests::{Case, game};

#[track_caller]
fn refused(position: &str, why: &str) {
    let refusal = parse_history(&game(), position).expect_err("a bad position string");
    assert_eq!(refusal.0, why, "{position:?}");
}

#[test]
fn letters_are_read_in_any_case_and_written_in_upper_case() {
    assert_eq!(Case::new("4x8 -").play("ghJb").fen(), "4x8 GHJB");
}

#[test]
fn letters_run_together_are_cut_apart() {
    assert_eq!(game().split_codes("ghJ"), ["g", "h", "J"]);
    assert_eq!(game().split_codes("g"), ["g"]);
}

#[test]
fn a_word_with_a_foreign_letter_is_refused_as_a_whole() {
    assert_eq!(game().split_codes("ghx"), ["ghx"]);
    assert_eq!(game().split_codes("gé"), ["gé"]);
    let case = Case::new("4x8 -");
    assert_eq!(
        case.refusal("ghx"),
        "ghx: 'x' is not a move: expected one of WERTYQUAISKDFGHJVBZL"
    );
}

#[test]
fn a_code_is_one_letter() {
    let case = Case::new("4x8 -");
    assert_eq!(
        case.refusal("gh"),
        "gh: more than one letter: a move is one"
    );
    assert_eq!(case.refusal(""), ": no letter: expected one of the twenty");
}

#[test]
fn position_strings_round_trip() {
    for text in ["4x8 -", "1x1 -", "12x20 -", "4x8 GHJB", "2x3 RRFRRHRUAF"] {
        assert_eq!(Case::new(text).fen(), text);
    }
}

#[test]
fn the_size_of_the_string_wins() {
    let case = Case::new("2x3 -");
    let shape = case.0.game().shape();
    assert_eq!(shape, [("Side", "2".to_owned()), ("Gap", "3".to_owned())]);
}

#[test]
fn bad_sizes_are_named() {
    let fields = ", expected 2: a size and the letters of the moves, as in 4x8 GHJB or 4x8 -";
    for (text, found) in [
        ("", "1 field"),
        ("4x8", "1 field"),
        ("4x8  -", "3 fields"),
        (" 4x8 -", "3 fields"),
        ("4x8 G H", "3 fields"),
    ] {
        refused(text, &format!("{found}{fields}"));
    }
    refused("48 -", "size \"48\": expected <Side>x<Gap>, as 4x8");
    refused("4X8 -", "size \"4X8\": expected <Side>x<Gap>, as 4x8");
    for side in ["0", "13", "04", "+4", "", "99999999999"] {
        refused(
            &format!("{side}x8 -"),
            &format!("Side {side:?}: expected a whole number from 1 to 12"),
        );
    }
    refused("4x21 -", "Gap \"21\": expected a whole number from 1 to 20");
    refused(
        "4x8x1 -",
        "Gap \"8x1\": expected a whole number from 1 to 20",
    );
}

#[test]
fn bad_letters_are_named() {
    let expected = "is not a move: expected one of WERTYQUAISKDFGHJVBZL";
    refused("4x8 GX", &format!("'X' {expected}"));
    refused("4x8 gh", &format!("'g' {expected}"));
    refused("4x8 G-", &format!("'-' {expected}"));
    refused(
        "4x8 ",
        "no moves: expected letters in upper case, or - for none",
    );
}

#[test]
fn illegal_letters_and_letters_after_the_end_are_named() {
    refused(
        "4x8 BR",
        "move 2 (R): it would run along the line of move 1 (B)",
    );
    refused("4x8 LLLIIRRIIG", "move 10 (G): the game is over");
    let n_moves = DRAWN.len() - "2x3 ".len();
    refused(
        &format!("{DRAWN}A"),
        &format!("move {} (A): the game is over", n_moves + 1),
    );
}
