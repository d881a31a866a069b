//! Tests of move codes and position strings.

use crate::tests::{after, at, game};
use kit::{DynHistory, Notation};

/// The error for a move code, without the code itself.
fn refusal(play: &crate::tests::Play, code: &str) -> String {
    let mut play = play.clone();
    let why = DynHistory::play(&mut play, code)
        .expect_err(code)
        .to_string();
    why.strip_prefix(&format!("{code}: "))
        .expect("the code is named")
        .to_owned()
}

#[test]
fn codes_are_read_in_any_case_and_with_blanks() {
    for typed in ["F6", "f6", " f 6 "] {
        assert_eq!(
            DynHistory::play(&mut after("", ""), typed).as_deref(),
            Ok("F6")
        );
    }
    for typed in ["swap", "SWAP", "Swap"] {
        assert_eq!(
            DynHistory::play(&mut after("", "A7 B7 C7"), typed).as_deref(),
            Ok("swap")
        );
    }
}

#[test]
fn a_code_that_names_no_cell_is_refused() {
    let play = after("Size=6", "");
    for code in [
        "", "F", "6", "6F", "F06", "F0", "F-6", "F6x", "FF6", "É6", "swop",
    ] {
        assert_eq!(refusal(&play, code), "expected a cell such as A6, or swap");
    }
    assert_eq!(refusal(&play, "K6"), "letters run from A to J");
    assert_eq!(refusal(&play, "F11"), "rows run from 1 to 10");
    assert_eq!(
        refusal(&play, "F99999999999999999999"),
        "rows run from 1 to 10"
    );
    assert_eq!(refusal(&play, "A1"), "row 1 runs from F to J");
    assert_eq!(refusal(&play, "G10"), "row 10 runs from A to F");
}

#[test]
fn a_taken_cell_is_refused() {
    let play = after("Size=6", "F6 E6");
    assert_eq!(refusal(&play, "F6"), "the cell holds your own stone");
    assert_eq!(refusal(&play, "E6"), "the cell holds your opponent's stone");
}

#[test]
fn a_swap_out_of_turn_is_refused() {
    let moment = |n| format!("swap can only be the fourth move, and this is move {n}");
    assert_eq!(refusal(&after("", ""), "swap"), moment(1));
    assert_eq!(refusal(&after("", "A7 B7 C7 D7"), "swap"), moment(5));
    let taken = "the colours have been exchanged already";
    assert_eq!(refusal(&after("", "A7 B7 C7 swap"), "swap"), taken);
    let off = "the option Swap is off in this game";
    assert_eq!(refusal(&after("Swap=false", "A7 B7 C7"), "swap"), off);
}

#[test]
fn nothing_is_legal_after_the_end() {
    let play = at("", "2/1oo/xxxx/o2 o 1");
    assert_eq!(DynHistory::moves(&play), [""; 0]);
    assert_eq!(refusal(&play, "A4"), "the game is over");
}

#[test]
fn position_strings_read_and_write_alike() {
    for text in [
        "2/3/4/3 x 1",
        "2/o2/xx2/3 o 2",
        "2/1oo/xxxx/o2 o 1",
        "6/7/8/9/10/11/12/11/10/9/8/7 x 1",
        "6/7/8/9/10/11/12/x10/10/9/8/7 o 1",
        "13/14/15/16/17/18/19/20/21/22/23/24/25/x24o/25/24/23/22/21/20/19/18/17/16/15/14 x 1",
    ] {
        assert_eq!(at("", text).fen(), text);
    }
}

#[test]
fn the_size_of_a_position_string_wins_and_the_other_option_stays() {
    let play = at("Size=9 Swap=false", "2/o2/xx2/3 o 1");
    assert_eq!(play.shape(), "Size=3");
    assert!(!DynHistory::moves(&play).contains(&"swap".to_owned()));
}

#[test]
fn a_position_string_may_be_a_finished_game() {
    let winner = |text| at("", text).outcome().map(|outcome| format!("{outcome:?}"));
    assert_eq!(winner("2/1oo/xxxx/o2 o 1").as_deref(), Some("Win(P1)"));
    assert_eq!(winner("2/1oo/xxxx/o2 o 2").as_deref(), Some("Win(P2)"));
    assert_eq!(winner("2/1oo/xxx1/3 o 1"), None);
}

/// The error for a position string.
fn bad(text: &str) -> String {
    let read = game("").parse_position(text);
    read.map(|_| ()).expect_err(text).to_string()
}

#[test]
fn a_position_string_of_other_fields_is_refused() {
    for (text, n) in [
        ("", 1),
        ("2/3/4/3", 1),
        ("2/3/4/3 x", 2),
        ("2/3/4/3 x 1 0", 4),
        ("2/3/4/3  x 1", 4),
        (" 2/3/4/3 x 1", 4),
    ] {
        let names = "the rows, the colour to move and the owner of x, as in 2/3/4/3 x 1";
        let plural = if n == 1 { "" } else { "s" };
        let fields = format!("{n} field{plural}, expected 3: {names}");
        assert_eq!(bad(text), fields, "{text:?}");
    }
    assert_eq!(
        bad("2/3/4/3 p1 1"),
        r#"colour to move "p1": expected x or o"#
    );
    assert_eq!(bad("2/3/4/3 X 1"), r#"colour to move "X": expected x or o"#);
    assert_eq!(bad("2/3/4/3 x 3"), r#"owner of x "3": expected 1 or 2"#);
    assert_eq!(bad("2/3/4/3 x p1"), r#"owner of x "p1": expected 1 or 2"#);
}

#[test]
fn rows_of_no_board_are_refused() {
    assert_eq!(
        bad("2/3 x 1"),
        "2 rows: expected an even number from 4 to 26"
    );
    assert_eq!(
        bad("2/3/4/3/2 x 1"),
        "5 rows: expected an even number from 4 to 26"
    );
    let long = ["1"; 28].join("/");
    assert_eq!(
        bad(&format!("{long} x 1")),
        "28 rows: expected an even number from 4 to 26"
    );
    assert_eq!(
        bad("2/xx2/4/3 x 1"),
        r#"row 2 ("xx2"): 4 cells, expected 3"#
    );
    assert_eq!(bad("2/3/4/x1 x 1"), r#"row 4 ("x1"): 2 cells, expected 3"#);
    assert_eq!(bad("2//4/3 x 1"), r#"row 2 (""): 0 cells, expected 3"#);
}

#[test]
fn characters_of_no_row_are_refused() {
    let run = "expected a number of empty cells from 1 to 3";
    for digits in ["4", "03", "0", "99999999999999999999"] {
        let text = format!("2/{digits}/4/3 x 1");
        assert_eq!(bad(&text), format!("row 2 ({digits:?}): {digits:?}: {run}"));
    }
    let expected = "expected x, o or a number of empty cells";
    assert_eq!(
        bad("2/X2/4/3 x 1"),
        format!(r#"row 2 ("X2"): "X": {expected}"#)
    );
    assert_eq!(
        bad("2/é2/4/3 x 1"),
        format!(r#"row 2 ("é2"): "é": {expected}"#)
    );
}

#[test]
fn counts_that_do_not_fit_the_colour_to_move_are_refused() {
    let (equal, ahead) = (
        "with x to move, x has as many as o",
        "with o to move, x has one more than o",
    );
    assert_eq!(bad("2/3/4/3 o 1"), format!("0 x and 0 o: {ahead}"));
    assert_eq!(bad("2/o2/4/3 o 1"), format!("0 x and 1 o: {ahead}"));
    assert_eq!(bad("2/x2/4/3 x 1"), format!("1 x and 0 o: {equal}"));
    assert_eq!(bad("2/o2/xx2/3 x 2"), format!("2 x and 1 o: {equal}"));
}

#[test]
fn player_2_owns_x_only_after_the_fourth_move() {
    let early = "player 2 owns x only after swap, the fourth move";
    assert_eq!(bad("2/3/4/3 x 2"), format!("0 x and 0 o: {early}"));
    assert_eq!(bad("2/xo1/4/3 x 2"), format!("1 x and 1 o: {early}"));
}

#[test]
fn a_loop_of_the_colour_to_move_is_refused() {
    assert_eq!(
        bad("oo/1oo/xxxx/3 x 1"),
        "x is to move and holds a global loop already"
    );
    assert_eq!(
        bad("xx/1xx/oooo/1x1 o 2"),
        "o is to move and holds a global loop already"
    );
}
