//! Move codes, position strings, figures read and drawn.

use kit::board::parse_history;

use crate::{Case, game};

const START: &str = "sssss/s3s/5/o3o/ooooo o 0";
const FIGURE_2: &str = "s1o1s/o3o/ossos/s4/2oos o 0";

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    assert_eq!(Case::new(text).fen(), expected, "{text:?}");
}

#[track_caller]
fn is_refused(text: &str, expected: &str) {
    let refusal = parse_history(&game("contact"), text).expect_err("a bad position");
    assert_eq!(refusal.0, expected, "{text:?}");
}

#[test]
fn move_codes_are_read_liberally() {
    for code in ["a4-c4", "A4-C4", "a4 - c4", " a4- C4 "] {
        let mut history = Case::new(FIGURE_2).0;
        let read = kit::Board::play(&mut history, code);
        assert_eq!(read.expect("a legal move"), "a4-c4");
    }
    for code in ["pass", "PASS", " Pass "] {
        let mut history = Case::new("ss2s/soo2/ssooo/5/o1s1o o 0").0;
        assert_eq!(
            kit::Board::play(&mut history, code).expect("a legal move"),
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
    for (text, n) in [
        ("", 1),
        ("sssss/s3s/5/o3o/ooooo o", 2),
        ("sssss/s3s/5/o3o/ooooo  o 0", 4),
        ("sssss/s3s/5/o3o/ooooo o 0 0", 4),
    ] {
        let expected = "expected ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0";
        is_refused(text, &format!("found {n} fields: {expected}"));
    }
    is_refused("sssss/s3s/o3o/ooooo o 0", "found 4 ranks: expected 5");
    is_refused("sssss/s3s/5/o3o/ooooo/5 o 0", "found 6 ranks: expected 5");
    is_refused(
        "sssss/s3s/5/o4o/ooooo o 0",
        "rank 2 (\"o4o\") has 6 squares: expected 5",
    );
    is_refused(
        "sssss/s3s//o3o/ooooo o 0",
        "rank 3 (\"\") has 0 squares: expected 5",
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
    for word in ["S", "x", "6", "0", "05", "12", "é"] {
        let rank = format!("s{word}");
        is_refused(
            &format!("{rank}/s3s/5/o3o/ooooo o 0"),
            &format!("rank 5 ({rank:?}) holds {word:?}: expected s, o or a number from 1 to 5"),
        );
    }
}

#[test]
fn a_refusal_repeats_long_words_in_part() {
    let text = format!("sssss/s3s/5/o3o/ooooo {} 0", "o".repeat(100_000));
    let refusal = parse_history(&game("contact"), &text).expect_err("a bad position");
    assert!(refusal.0.len() < 200, "{refusal}");
}

#[test]
fn a_drawn_board_reads_as_the_figures_do() {
    let expected = "\
S     .     O     .     S  <---5
O     .     .     .     O  <---4
O     S     S     O     S  <---3
S     .     .     .     .  <---2
.     .     O     O     S  <---1
_________________________
a     b     c     d     e

O to move, in check: c5";
    assert_eq!(Case::new(FIGURE_2).drawn(), expected);
}

#[test]
fn a_drawn_board_reads_back() {
    for text in [START, FIGURE_2, "s1o1s/o3o/ossos/s4/2oos s 0"] {
        reads_as(&Case::new(text).drawn(), text);
    }
}

#[test]
fn a_drawn_board_names_the_end() {
    let won = Case::new("sosos/5/o1oso/5/sosos o 0").drawn();
    assert!(won.ends_with("\n\nS has won"));
}

#[test]
fn figures_are_read_with_marks_and_without() {
    reads_as("S.O.S\no...o\nOSSOS\ns....\n..oos\n", FIGURE_2);
    reads_as(
        "S . O . S <---5\r\nO . . . O <---4\r\nO S S O S\r\n\r\nS....<2\r\n. . O O S <1\r\n",
        FIGURE_2,
    );
}

#[test]
fn figures_are_read_on_one_line() {
    reads_as(
        "S . O . S / O . . . O / O S S O S / S . . . . / . . O O S",
        FIGURE_2,
    );
    reads_as(
        "S.O.S<---5 O...O<---4 OSSOS<---3 S....<---2 ..OOS<---1",
        FIGURE_2,
    );
}

#[test]
fn figures_are_read_with_no_break_spaces_and_line_numbers() {
    let listing = "\
 48.\u{a0} \u{a0} S \u{a0} . \u{a0} O \u{a0} . \u{a0} S
 49.\u{a0}
 50.\u{a0} \u{a0} O \u{a0} . \u{a0} . \u{a0} . \u{a0} O
 52.\u{a0} \u{a0} O \u{a0} S \u{a0} S \u{a0} O \u{a0} S
 54.\u{a0} \u{a0} S \u{a0} . \u{a0} . \u{a0} . \u{a0} .
 56.\u{a0} \u{a0} . \u{a0} . \u{a0} O \u{a0} O \u{a0} S
 57.\u{a0} ______________
 58.\u{a0} a b c d e";
    reads_as(listing, FIGURE_2);
}

#[test]
fn figures_may_name_the_player_to_move() {
    let squares = "S.O.S/O...O/OSSOS/S..../..OOS";
    let s_to_move = "s1o1s/o3o/ossos/s4/2oos s 0";
    for behind in [" S", "/s", "\ns to move", "\n\nS to move, in check: a5"] {
        reads_as(&format!("{squares}{behind}"), s_to_move);
    }
    reads_as(&format!("{squares} o"), FIGURE_2);
}

#[test]
fn bad_figures_say_what_is_wrong() {
    is_refused("S.O.S/O...", "rank 4 has 4 squares: expected 5");
    is_refused("S.O.S/O....O", "rank 4 has over 5 squares");
    is_refused("S.O.S/O...O", "the figure ends before rank 3");
    is_refused("S.O.S <---5 O...O <---3", "rank 4 is marked \"3\"");
    is_refused("S.O.S/O.x.O", "rank 4 holds 'x': expected S, O or a dot");
    is_refused(
        "S.O.S/O...O/OSSOS/S..../..OO.",
        "there are 6 s pieces: expected 7",
    );
    let squares = "S.O.S/O...O/OSSOS/S..../..OOS";
    for (behind, word) in [
        (" x", "x"),
        (" s o", "o"),
        (" to move", "to"),
        (" o 0", "0"),
        (" S.", "S."),
    ] {
        is_refused(
            &format!("{squares}{behind}"),
            &format!("{word:?} behind the board: expected the player to move, o or s"),
        );
    }
}
