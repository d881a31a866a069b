//! Tests of move codes and position strings.

use kit::dyn_history::parse_legal;
use kit::{DynHistory, Notation};

use laws::testing::refusal;

use crate::tests::{after, at, game};

#[test]
fn moves_are_listed_in_canonical_order() {
    let history = at("", "xx1/o1x1/2xo1/4/2o o 0");
    let codes = DynHistory::moves(&history).join(" ");
    assert_eq!(
        codes,
        "a3 b2 b4 c1 c2 c5 d1 d2 d3 d4 e1 e2 \
         b1->b2 b1->c1 b1->c2 c4->b4 c4->c5 c4->d3 c4->d4 e3->d3 e3->d4 e3->e2"
    );
}

#[test]
fn codes_are_read_in_any_case_and_with_blanks() {
    let history = at("", "5/1x4/7/8/9/8/7/6/5 x 0");
    for (typed, canonical) in [
        ("E5", "e5"),
        (" e 9 ", "e9"),
        ("B2->C3", "b2->c3"),
        ("b2 -> c3", "b2->c3"),
        ("b 2 - > A1", "b2->a1"),
    ] {
        let mv = parse_legal(&history, typed).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(
            history.game().format_move(history.position(), mv),
            canonical
        );
    }
}

#[test]
fn words_that_are_no_code_are_refused() {
    let start = at("", "startpos");
    let no_code = "expected a cell such as b2, or a slide such as b2->c3";
    for word in [
        "",
        "->",
        "b",
        "5",
        "b2-c3",
        "b2>c3",
        "b2->",
        "->c3",
        "b2->c3->c4",
        "pass",
        "b-2",
        "b2x",
        "é1",
        "b١",
        "1b",
    ] {
        assert_eq!(refusal(&start, word), format!("{word}: {no_code}"));
    }
    for (code, why) in [
        ("k1", "no row k: the rows are a to i"),
        ("b2->J3", "no row j: the rows are a to i"),
        ("c9", "no cell c9: row c holds c1 to c7"),
        ("b2->C9", "no cell c9: row c holds c1 to c7"),
        ("e0", "no cell e0: row e holds e1 to e9"),
        ("e05", "no cell e05: row e holds e1 to e9"),
        (
            "e99999999999999999999",
            "no cell e99999999999999999999: row e holds e1 to e9",
        ),
    ] {
        assert_eq!(refusal(&start, code), format!("{code}: {why}"));
    }
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    let history = at("", "5/1x4/1o5/8/9/8/7/6/4x x 0");
    for (code, why) in [
        ("b2", "b2 holds your own stone"),
        ("c2", "c2 holds a stone of the opponent's"),
        ("b3->b4", "b3 is empty; nothing to slide"),
        ("c2->c3", "the stone on c2 is the opponent's"),
        ("b2->c2", "c2 holds a stone of the opponent's"),
        ("b2->b2", "b2 is zero steps from b2; a stone slides one"),
        ("b2->b4", "b4 is two steps from b2; a stone slides one"),
        ("b2->i5", "i5 is seven steps from b2; a stone slides one"),
    ] {
        assert_eq!(refusal(&history, code), format!("{code}: {why}"));
    }
    let across = at("Size=8", "x7/9/10/11/12/13/14/15/14/13/12/11/10/9/8 x 0");
    assert!(refusal(&across, "a1->o8").contains("fourteen steps"));
    let over = after("", "ox1/x3/5/4/3 x 0", "b2");
    assert_eq!(refusal(&over, "c3"), "c3: the game is over");
}

#[test]
fn position_strings_read_back_as_they_were_written() {
    for position in [
        "5/6/7/8/9/8/7/6/5 x 0",
        "3/4/5/4/3 o 12",
        "xoxox/6/2x4/o7/4o4/7x/7/xxxooo/5 o 3",
        "8/9/10/11/12/13/14/15/14/13/12/11/10/9/7x x 18446744073709551615",
    ] {
        assert_eq!(at("SlideLimit=0", position).fen(), position);
    }
}

#[test]
fn a_position_string_sets_the_size_and_keeps_the_other_options() {
    let history = after("Size=5 SlideLimit=1", "x2/4/5/4/3 x 0", "a1->a2");
    assert_eq!(history.shape(), "Size=3");
    assert_eq!(history.outcome(), Some(kit::Outcome::Draw));
}

#[test]
fn faulty_position_strings_are_refused_with_the_word() {
    for (position, why) in [
        ("", "1 field, expected 3: rows"),
        ("3/4/5/4/3 x", "2 fields, expected 3: rows"),
        ("3/4/5/4/3 x 0 1", "4 fields, expected 3: rows"),
        ("3/4/5/4/3  x 0", "4 fields, expected 3: rows"),
        ("3/4/5 x 0", "3 rows: expected 5, 7, 9, 11, 13 or 15"),
        ("3/4/5/5/4/3 x 0", "6 rows: expected 5, 7, 9, 11, 13 or 15"),
        ("3/4/4/4/3 x 0", "row c (\"4\"): 4 cells, expected 5"),
        (
            "3/4/6/4/3 x 0",
            "row c (\"6\"): \"6\": expected a number of empty cells from 1 to 5",
        ),
        ("3/4x/5/4/3 x 0", "row b (\"4x\"): 5 cells, expected 4"),
        ("3/4//4/3 x 0", "row c (\"\"): 0 cells, expected 5"),
        (
            "3/4/5/2X1/3 x 0",
            "row d (\"2X1\"): \"X\": expected x, o or a number of empty cells",
        ),
        ("3/4/5/4/1.1 x 0", "row e (\"1.1\"): \".\": expected"),
        ("3/4/5/4/é2 x 0", "row e (\"é2\"): \"é\": expected"),
        (
            "3/04/5/4/3 x 0",
            "row b (\"04\"): \"04\": expected a number of empty cells from 1 to 4",
        ),
        ("3/x0xxx/5/4/3 x 0", "row b (\"x0xxx\"): \"0\": expected"),
        (
            "3/99999999999999999999/5/4/3 x 0",
            "\"99999999999999999999\": expected",
        ),
        ("3/4/5/4/3 X 0", "player to move \"X\": expected x or o"),
        ("3/4/5/4/3 xo 0", "player to move \"xo\": expected x or o"),
        ("3/4/5/4/3 p1 0", "player to move \"p1\": expected x or o"),
        (
            "3/4/5/4/3 x -1",
            "slides in a row \"-1\": expected a whole number",
        ),
        (
            "3/4/5/4/3 x +1",
            "slides in a row \"+1\": expected a whole number",
        ),
        (
            "3/4/5/4/3 x 01",
            "slides in a row \"01\": expected a whole number",
        ),
        (
            "3/4/5/4/3 x ",
            "slides in a row \"\": expected a whole number",
        ),
        (
            "3/4/5/4/3 x 18446744073709551616",
            "slides in a row \"18446744073709551616\"",
        ),
    ] {
        match game("").parse_position(position) {
            Ok(setup) => panic!("{position:?} is read as {setup:?}"),
            Err(refusal) => assert!(refusal.0.contains(why), "{position:?}: {refusal}"),
        }
    }
}

#[test]
fn the_shape_is_the_size() {
    assert_eq!(game("").shape(), [("Size", "5".to_owned())]);
    assert_eq!(at("Size=8", "startpos").shape(), "Size=8");
}
