//! Tests of move codes and position strings.

use kit::dyn_history::parse_history;

use crate::tests::{Case, game};

const START: &str = "sssss/s3s/5/o3o/ooooo o 0";
pub(crate) const FIGURE_2: &str = "s1o1s/o3o/ossos/s4/2oos o 0";

#[track_caller]
pub(crate) fn reads_as(text: &str, expected: &str) {
    assert_eq!(Case::new(text).fen(), expected, "{text:?}");
}

#[track_caller]
pub(crate) fn is_refused(text: &str, expected: &str) {
    let refusal = parse_history(&game("contact"), text).expect_err("a bad position");
    assert_eq!(refusal.0, expected, "{text:?}");
}

#[test]
fn move_codes_are_read_liberally() {
    for code in ["a4-c4", "A4-C4", "a4 - c4", " a4- C4 "] {
        let mut history = Case::new(FIGURE_2).0;
        let read = kit::DynHistory::play(&mut history, code);
        assert_eq!(read.expect("a legal move"), "a4-c4");
    }
    for code in ["pass", "PASS", " Pass "] {
        let mut history = Case::new("ss2s/soo2/ssooo/5/o1s1o o 0").0;
        assert_eq!(
            kit::DynHistory::play(&mut history, code).expect("a legal move"),
            "pass"
        );
    }
}

#[test]
fn position_strings_round_trip() {
    for text in [
        START,
        FIGURE_2,
        "s1o1s/o3o/ossos/s4/2oos s 1",
        "sssss/s3s/5/o3o/ooooo s 2",
    ] {
        reads_as(text, text);
    }
}

#[test]
fn bad_position_strings_say_what_is_wrong() {
    for (text, found) in [
        ("", "1 field"),
        ("sssss/s3s/5/o3o/ooooo o", "2 fields"),
        ("sssss/s3s/5/o3o/ooooo  o 0", "4 fields"),
        ("sssss/s3s/5/o3o/ooooo o 0 0", "4 fields"),
    ] {
        let expected =
            "expected 3: ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0";
        is_refused(text, &format!("{found}, {expected}"));
    }
    is_refused("sssss/s3s/o3o/ooooo o 0", "4 ranks: expected 5");
    is_refused("sssss/s3s/5/o3o/ooooo/5 o 0", "6 ranks: expected 5");
    is_refused(
        "sssss/s3s/5/o4o/ooooo o 0",
        "rank 2 (\"o4o\"): 6 cells, expected 5",
    );
    is_refused(
        "sssss/s3s//o3o/ooooo o 0",
        "rank 3 (\"\"): 0 cells, expected 5",
    );
    is_refused(
        "sssss/s3s/5/o3o/ooooo x 0",
        "player to move \"x\": expected o or s",
    );
    is_refused(
        "sssss/s3s/5/o3o/ooooo O 0",
        "player to move \"O\": expected o or s",
    );
    is_refused(
        "sssss/s3s/5/o3o/ooooo o 3",
        "passes \"3\": expected 0, 1 or 2",
    );
    is_refused(
        "sssss/s3s/5/o3o/ooooo o 00",
        "passes \"00\": expected 0, 1 or 2",
    );
    is_refused(
        "sssss/s4/5/o3o/ooooo o 0",
        "there are 6 s pieces: expected 7",
    );
    is_refused(
        "sssss/s3s/4o/o3o/ooooo o 0",
        "there are 8 o pieces: expected 7",
    );
}

#[test]
fn a_rank_takes_pieces_and_runs_only() {
    let piece = "expected o, s or a number of empty cells";
    let run = "expected a number of empty cells from 1 to 5";
    for (word, expected) in [
        ("S", piece),
        ("x", piece),
        ("é", piece),
        ("6", run),
        ("0", run),
        ("05", run),
        ("12", run),
    ] {
        let rank = format!("s{word}");
        is_refused(
            &format!("{rank}/s3s/5/o3o/ooooo o 0"),
            &format!("rank 5 ({rank:?}): {word:?}: {expected}"),
        );
    }
}

#[test]
fn a_refusal_repeats_long_words_in_part() {
    let text = format!("sssss/s3s/5/o3o/ooooo {} 0", "o".repeat(100_000));
    let refusal = parse_history(&game("contact"), &text).expect_err("a bad position");
    assert!(refusal.0.len() < 200, "{refusal}");
}
