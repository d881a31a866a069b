//! Tests of the figures of the game's text: drawing and reading.

use crate::Entropy;
use kit::diagram::{Input, Role};
use kit::{DynHistory, Room, View};
use laws::{check_transcripts, without_colours};

use crate::tests::Case;
use crate::tests::notation::{FIGURE_2, is_refused, reads_as};

#[test]
fn a_board_is_drawn_as_the_figures_are() {
    let expected = "
 S     .     O     .     S  <---5
 O     .     .     .     O  <---4
 O     S     S     O     S  <---3
 S     .     .     .     .  <---2
 .     .     O     O     S  <---1
 _________________________
 a     b     c     d     e

O to move, in check: c5";
    assert_eq!(Case::new(FIGURE_2).picture(), expected.trim_matches('\n'));
}

#[test]
fn ranks_are_two_lines_apart_where_a_screen_has_room() {
    let case = Case::new(FIGURE_2).play("a4-c4");
    let drawn = |lines| {
        let room = Room {
            columns: 60,
            lines,
            shows: "",
        };
        let view = View {
            room: Some(room),
            ..View::default()
        };
        DynHistory::draw(&case.0, view)
    };
    let expected = "
 S     .     O     .     S  <---5

(.)    .    [O]    .     O  <---4

 O     S     S     O     S  <---3

 S     .     .     .     .  <---2

 .     .     O     O     S  <---1
 _________________________
 a     b     c     d     e

S to move, in check: a5";
    assert_eq!(drawn(16), expected.trim_matches('\n'));
    reads_as(&drawn(16), &case.fen());
    // No space for blank lines.
    assert_eq!(drawn(12), case.picture());
}

#[test]
fn the_last_move_stands_in_brackets() {
    let expected = "
 S     .     O     .     S  <---5
(.)    .    [O]    .     O  <---4
 O     S     S     O     S  <---3
 S     .     .     .     .  <---2
 .     .     O     O     S  <---1
 _________________________
 a     b     c     d     e

S to move, in check: a5";
    let drawn = Case::new(FIGURE_2).play("a4-c4").picture();
    assert_eq!(drawn, expected.trim_matches('\n'));
}

#[test]
fn player_2_sees_his_own_pieces_below() {
    let flipped = View {
        is_flipped: true,
        ..View::default()
    };
    let expected = "
 S     O     O     .     .  <---1
 .     .     .     .     S  <---2
 S     O     S     S     O  <---3
 O     .    [O]    .    (.) <---4
 S     .     O     .     S  <---5
 _________________________
 e     d     c     b     a

S to move, in check: a5";
    let drawn = DynHistory::draw(&Case::new(FIGURE_2).play("a4-c4").0, flipped);
    assert_eq!(drawn, expected.trim_matches('\n'));
    is_refused(
        &drawn,
        "\"S     O     O     .     .  <---1\": expected row 1 of the board, with 5 cells of . o s",
    );
}

#[test]
fn colours_change_no_place() {
    let coloured = View {
        is_coloured: true,
        ..View::default()
    };
    let case = Case::new(FIGURE_2).play("a4-c4");
    let drawn = DynHistory::draw(&case.0, coloured);
    assert!(
        drawn.contains("\u{1b}[1m\u{1b}[7m\u{1b}[31m[O]\u{1b}[0m"),
        "{drawn:?}"
    );
    assert_eq!(without_colours(&drawn), case.picture());
}

#[track_caller]
fn ends_with(case: &Case, expected: &str) {
    let drawn = case.picture();
    assert_eq!(drawn.lines().last(), Some(expected), "{drawn}");
}

#[test]
fn the_end_has_its_reason() {
    let won = "sosos/5/o1oso/5/sosos o 0";
    ends_with(&Case::new(won), "S wins: every S touches O and no S");
    let apart = crate::tests::with_goal("apart", "sosos/4o/o1s1o/5/sosos o 0");
    ends_with(&apart, "S wins: no S touches S");
    let both = Case::new(crate::tests::figures::FIGURE_4).play("pass b4-b3 pass c2-e2");
    ends_with(&both, "draw: both have reached the goal");
    let passes = Case::new("sssss/s3s/5/o3o/ooooo s 2");
    ends_with(&passes, "draw: two passes in a row");
    let there_and_back = "b1-b2 b5-b4 b2-b1 b4-b5 ".repeat(2);
    let repeated = Case::new("sssss/s3s/5/o3o/ooooo o 0").play(&there_and_back);
    ends_with(&repeated, "draw: third occurrence of this position");
}

#[test]
fn a_pass_is_told() {
    let case = Case::new(crate::tests::figures::FIGURE_4).play("pass");
    ends_with(&case, "S to move after a pass");
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(check_transcripts::<Entropy>(include_str!("../../../../spec/entropy.md")) >= 4);
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
    let squares = "S.O.S\nO...O\nOSSOS\nS....\n..OOS";
    let s_to_move = "s1o1s/o3o/ossos/s4/2oos s 0";
    for below in ["s", "s to move", "\nS to move, in check: a5"] {
        reads_as(&format!("{squares}\n{below}"), s_to_move);
    }
    reads_as(&format!("{squares}\no"), FIGURE_2);
    let after_a_pass = "s1o1s/o3o/ossos/s4/2oos s 1";
    reads_as(
        &format!("{squares}\ns to move after a pass, in check: a5"),
        after_a_pass,
    );
}

#[test]
fn bad_figures_say_what_is_wrong() {
    let row = |number| format!("expected row {number} of the board, with 5 cells of . o s");
    is_refused("S.O.S\nO...", &format!("\"O...\": {}", row(2)));
    is_refused("S.O.S\nO...O", &format!("the board ends: {}", row(3)));
    is_refused(
        "S.O.S <---5\nO...O <---3",
        &format!("\"O...O <---3\": {}", row(2)),
    );
    is_refused("S.O.S\nO.x.O", &format!("\"O.x.O\": {}", row(2)));
    is_refused(
        "S.O.S\nO...O\nOSSOS\nS....\n..OO.",
        "there are 6 s pieces: expected 7",
    );
    let squares = "S.O.S\nO...O\nOSSOS\nS....\n..OOS";
    for below in ["s o", "to move", "hello"] {
        is_refused(
            &format!("{squares}\n{below}"),
            &format!("{below:?} is not part of a board"),
        );
    }
}

#[test]
fn a_pass_is_a_button_and_is_explained() {
    let case = Case::new(crate::tests::figures::FIGURE_4);
    let diagram = case.0.diagram(View::default());
    assert_eq!(diagram.gestures.len(), 1);
    assert_eq!(diagram.gestures[0].input, Input::Button("pass".to_owned()));
    let explained = case.0.explain().expect("an explanation");
    let start = "O can only pass: no slide brings a neighbour to every isolated piece (";
    assert!(explained.starts_with(start), "{explained}");
    assert_eq!(Case::new("sssss/s3s/5/o3o/ooooo o 0").0.explain(), None);
}

#[test]
fn finished_pieces_are_ticked_and_isolated_ones_are_not() {
    let ticked = |case: &Case| -> Vec<String> {
        let diagram = case.0.diagram(View::default());
        let ticks = diagram
            .shapes
            .iter()
            .filter(|shape| shape.role == Role::Finished);
        let labels = diagram.spots.into_iter().map(|spot| spot.label);
        let told: Vec<String> = labels
            .filter(|label| label.ends_with(", finished"))
            .collect();
        assert_eq!(ticks.count(), told.len());
        told
    };
    let finished = [
        "e1, S, finished",
        "e3, S, finished",
        "a5, S, finished",
        "e5, S, finished",
    ];
    assert_eq!(ticked(&Case::new(FIGURE_2)), finished);
    // Without O on a4, S on a5 has no neighbour, and O on a3 only enemies.
    let finished = [
        "e1, S, finished",
        "a3, O, finished",
        "e3, S, finished",
        "e5, S, finished",
    ];
    assert_eq!(ticked(&Case::new(FIGURE_2).play("a4-c4")), finished);
}
