//! Tests of move codes and position strings: reading, writing and every error.

use crate::Gobblet;
use kit::dyn_history::parse_history;
use kit::{DynHistory, Notation};

use crate::tests::{Case, game};

#[test]
fn codes_are_read_in_any_case_and_with_blanks() {
    for typed in ["3@b2", "3@B2", "3 @ b2", " 3@ B2 "] {
        assert_eq!(played(crate::tests::start(3), typed), "3@b2");
    }
    for typed in ["a1-b2", "A1-B2", "a1 - b2", "a1 -B2"] {
        let case = Case::new(".,.,./.,.,./r1,.,. r");
        assert_eq!(played(case, typed), "a1-b2");
    }
}

/// The canonical code of a move typed in another form.
fn played(mut case: Case, code: &str) -> String {
    DynHistory::play(&mut case.0, code).expect("a legal move")
}

#[track_caller]
fn is_no_code(width: u8, code: &str, why: &str) {
    assert_eq!(
        crate::tests::start(width).refusal(code),
        format!("{code}: {why}")
    );
}

#[test]
fn bad_codes_say_what_was_expected() {
    let neither = "expected a placement such as 3@b2 or a move such as a1-b2";
    for code in ["", "b2", "swap", "3b2", "a1b2", "ü"] {
        is_no_code(3, code, neither);
    }
    is_no_code(3, "4@b2", r#"no piece has size "4": expected 1 to 3"#);
    is_no_code(4, "5@b2", r#"no piece has size "5": expected 1 to 4"#);
    for size in ["0", "03", "+3", "-1", "x", "", "999999999999"] {
        let why = format!("no piece has size {size:?}: expected 1 to 3");
        is_no_code(3, &format!("{size}@b2"), &why);
    }
    is_no_code(3, "a1-d1", r#"no square "d1": expected a1 to c3"#);
    is_no_code(4, "e1-a1", r#"no square "e1": expected a1 to d4"#);
    for square in ["a0", "a4", "b", "b22", "2b", "", "é2"] {
        let why = format!("no square {square:?}: expected a1 to c3");
        is_no_code(3, &format!("3@{square}"), &why);
        is_no_code(3, &format!("{square}-a1"), &why);
    }
}

#[test]
fn a_position_string_tells_the_board_and_wins_over_the_option() {
    let shape = |text: &str, width| {
        let setup = game(width).parse_position(text).expect("a position");
        setup.game.shape()
    };
    for width in [3, 4] {
        assert_eq!(
            shape(".,.,./.,.,./.,.,. r", width),
            [("Size", "3".to_owned())]
        );
        assert_eq!(
            shape(".,.,.,./.,.,.,./.,.,.,./.,.,.,. y", width),
            [("Size", "4".to_owned())]
        );
    }
}

#[test]
fn position_strings_round_trip() {
    for text in [
        ".,.,./.,.,./.,.,. r",
        ".,.,./.,r1y3,./.,.,. r",
        "r1r2r3,y1y2y3,./y1r2,.,./.,r3,y3 y",
        "r1y2r3y4,.,.,./.,.,.,./.,.,r2r4,y4/r4,r4,r3,y3 y",
    ] {
        assert_eq!(Case::new(text).fen(), text);
    }
    assert_eq!(crate::tests::start(3).fen(), ".,.,./.,.,./.,.,. r");
    assert_eq!(
        crate::tests::start(4).fen(),
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,. r"
    );
}

#[track_caller]
fn is_no_position(text: &str, why: &str) {
    let read = parse_history::<Gobblet>(&game(3), text);
    assert_eq!(read.err().map(|why| why.0).as_deref(), Some(why), "{text}");
}

#[test]
fn malformed_positions_say_where() {
    let expected = "expected 2: ranks and player to move, as in .,.,./.,r1y3,./.,.,. r";
    let fields = |found| format!("{found}, {expected}");
    is_no_position("", &fields("1 field"));
    is_no_position(".,.,./.,.,./.,.,.", &fields("1 field"));
    is_no_position(".,.,./.,.,./.,.,.  r", &fields("3 fields"));
    is_no_position(".,.,./.,.,./.,.,. r 0", &fields("3 fields"));
    is_no_position(". r", "1 rank: expected 3 or 4, split by /");
    is_no_position("./. r", "2 ranks: expected 3 or 4, split by /");
    is_no_position("./././././ r", "6 ranks: expected 3 or 4, split by /");
    is_no_position(
        ".,.,./.,.,.,./.,.,. r",
        r#"rank 2 ".,.,.,." has 4 squares: expected 3, split by commas"#,
    );
    is_no_position(
        "3/.,.,./.,.,. r",
        r#"rank 3 "3" has 1 square: expected 3, split by commas"#,
    );
    for mover in ["", "R", "Y", "p1", "x"] {
        let why = format!("player to move {mover:?}: expected r or y");
        is_no_position(&format!(".,.,./.,.,./.,.,. {mover}"), &why);
    }
}

#[test]
fn malformed_piles_say_where() {
    for pile in [
        "", "r", "1", "R1", "r0", "r4", "g1", "r1y", "r1.", "..", "r12", "é", "1r",
    ] {
        let why =
            format!("{pile:?} on b2: expected . or pieces, each r or y and a size from 1 to 3");
        is_no_position(&format!(".,.,./.,{pile},./.,.,. r"), &why);
    }
    is_no_position(
        "r5,.,.,./.,.,.,./.,.,.,./.,.,.,. r",
        r#""r5" on a4: expected . or pieces, each r or y and a size from 1 to 4"#,
    );
    for pile in ["r3y1", "r1y1", "r1y3r2"] {
        let why = format!("{pile:?} on c1: a piece covers only smaller ones, from the bottom up");
        is_no_position(&format!(".,.,./.,.,./.,.,{pile} y"), &why);
    }
}

#[test]
fn no_more_pieces_than_exist() {
    is_no_position(
        "r1,r1,./.,r1y2,./.,.,. r",
        "red has 3 pieces of size 1: expected at most 2",
    );
    is_no_position(
        "y4,y4,y4,y4/.,.,.,./.,.,.,./.,.,.,. r",
        "yellow has 4 pieces of size 4: expected at most 3",
    );
}

#[test]
fn on_4x4_no_smaller_piece_without_its_larger_one() {
    let why = |colour, n, size, n_larger| {
        format!(
            "{colour} has {n} of size {size} on the board but {n_larger} of size {}: \
             off the board the larger lie on the smaller",
            size + 1
        )
    };
    is_no_position(
        "r3,.,.,./.,.,.,./.,.,.,./.,.,.,. r",
        &why("red", "1 piece", 3, 0),
    );
    is_no_position(
        "y4,y3,y2,y2/.,.,.,./.,.,.,./.,.,.,. r",
        &why("yellow", "2 pieces", 2, 1),
    );
    is_no_position(
        "y4,y4,y3,y2/y1,y1,.,./.,.,.,./.,.,.,. r",
        &why("yellow", "2 pieces", 1, 1),
    );
    Case::new("y4,y4,y3,y2/y1,.,.,./.,.,.,./.,.,.,. r");
    Case::new("r3,y1,./.,.,./.,.,r2 r");
}
