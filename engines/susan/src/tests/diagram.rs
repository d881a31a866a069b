//! Tests of the diagram of games by mail: drawing and reading.

use crate::Susan;
use kit::diagram::Role;
use kit::dyn_history::parse_history;
use kit::{DynHistory, PositionHistory, View};
use laws::{check_transcripts, without_colours};

use crate::tests::{after, at, game};

/// A small game that ends with a slide.
const SLIDE: &str = "c3, b2, c2, b2->b3";

#[track_caller]
fn draws(history: &PositionHistory<Susan>, view: View, expected: &str) {
    let drawn = history.draw(view);
    assert_eq!(drawn, expected.trim_start_matches('\n'), "\n{drawn}");
}

fn caption(history: &PositionHistory<Susan>) -> String {
    let drawn = history.draw(View::default());
    drawn.lines().last().expect("a caption").to_owned()
}

#[test]
fn the_start_is_the_diagram_of_the_rules() {
    let expected = "
       1 2 3 4 5
a     . . . . . 6
b    . . . . . . 7
c   . . . . . . . 8
d  . . . . . . . . 9
e . . . . . . . . .
f  . . . . . . . . 9
g   . . . . . . . 8
h    . . . . . . 7
i     . . . . . 6
       1 2 3 4 5

x to move";
    draws(&at("", "startpos"), View::default(), expected);
}

#[test]
fn a_new_stone_stands_in_brackets() {
    let expected = "
     1 2 3
a   . . . 4
b  .[o]. . 5
c . . x . .
d  . . . . 5
e   . . . 4
     1 2 3

x to move";
    draws(
        &after("Size=3", "startpos", "c3, b2"),
        View::default(),
        expected,
    );
}

#[test]
fn a_slide_shows_where_it_came_from() {
    let expected = "
     1 2 3
a   . . . 4
b  . .[o]. 5
c . x x . .
d  . . . . 5
e   . . . 4
     1 2 3

x to move, 1 slide in a row";
    draws(
        &after("Size=3", "startpos", SLIDE),
        View::default(),
        expected,
    );
    let back = after("Size=3", "startpos", "c3, b3, c2, b3->b2").draw(View::default());
    assert!(back.contains("b  .[o]. . 5"), "{back}");
    let down = after("Size=3", "startpos", "c3, b2, c4, b2->c2").draw(View::default());
    assert!(down.contains("b  .(.). . 5\nc .[o]x x ."), "{down}");
}

#[test]
fn player_2_sees_the_page_turned() {
    let flipped = View {
        is_flipped: true,
        ..View::default()
    };
    let expected = "
  3 2 1
 4 . . .   e
5 . . . .  d
 . . x x . c
5 .[o]. .  b
 4 . . .   a
  3 2 1

x to move, 1 slide in a row";
    draws(&after("Size=3", "startpos", SLIDE), flipped, expected);
}

#[test]
fn colours_change_no_place() {
    let coloured = View {
        is_coloured: true,
        ..View::default()
    };
    let history = after("Size=3", "startpos", SLIDE);
    let drawn = history.draw(coloured);
    let (red, cyan) = ("\u{1b}[1m\u{1b}[31m", "\u{1b}[1m\u{1b}[7m\u{1b}[36m");
    assert!(drawn.contains(&format!("{red}x\u{1b}[0m")), "{drawn:?}");
    assert!(drawn.contains(&format!("{cyan}.[o]\u{1b}[0m")), "{drawn:?}");
    assert_eq!(without_colours(&drawn), history.draw(View::default()));
}

#[test]
fn surrounded_stones_are_capitals_and_the_end_has_its_reason() {
    let won = after("", "ox1/x3/5/4/o2 x 0", "b2");
    let expected = "
     1 2 3
a   O x . 4
b  x[x]. . 5
c . . . . .
d  . . . . 5
e   o . . 4
     1 2 3

x wins: o is surrounded on a1";
    draws(&won, View::default(), expected);
    let lost = after("", "xo1/o3/5/4/3 o 0", "b2");
    assert_eq!(caption(&lost), "o wins: x is surrounded on a1");
    let own = after("", "1x1/xo2/5/4/3 x 0", "a1");
    assert_eq!(caption(&own), "o wins: x is surrounded on a1");
}

#[test]
fn draws_have_their_reason() {
    let slides = after("SlideLimit=2", "x2/4/5/4/2o x 0", "a1->a2, e3->e2");
    assert_eq!(caption(&slides), "draw: 2 slides in a row");
    let codes = "a1->a2, e3->e2, a2->a1, e2->e3";
    let repeated = after("SlideLimit=0 Repetition=2", "x2/4/5/4/2o x 0", codes);
    assert_eq!(caption(&repeated), "draw: repetition");
}

#[test]
fn the_largest_board_fits_its_numbers() {
    let large = at("", "x7/9/10/11/12/13/14/o14/14/13/12/11/10/9/7x x 0").draw(View::default());
    let lines: Vec<&str> = large.lines().collect();
    assert_eq!(lines.len(), 19);
    assert_eq!(lines[0], "          1 2 3 4 5 6 7 8");
    assert_eq!(lines[1], "a        x . . . . . . . 9");
    assert_eq!(lines[7], "g  . . . . . . . . . . . . . . 15");
    assert_eq!(lines[8], "h o . . . . . . . . . . . . . .");
    assert_eq!(lines[15], "o        . . . . . . . x 9");
    assert_eq!(lines[16], lines[0]);
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    let read = parse_history(&game(""), text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(read.fen(), expected, "{text}");
}

#[test]
fn diagrams_are_read_as_people_mail_them() {
    let start = at("", "startpos").draw(View::default());
    let listing = start
        .lines()
        .zip(70..)
        .map(|(line, n)| format!("{n:4}. {line}\r\n"));
    reads_as(&listing.collect::<String>(), "5/6/7/8/9/8/7/6/5 x 0");
    let board = "> a   x . .\n> b  . o . .\n> c X . . . .\n> d  . . . .\n> e   . . .\n";
    reads_as(board, "x2/1o2/x4/4/3 o 0");
    reads_as(&format!("{board}\nx to move"), "x2/1o2/x4/4/3 x 0");
    reads_as(
        &format!("{board}\no to move, 3 slides in a row"),
        "x2/1o2/x4/4/3 o 3",
    );
    reads_as(&format!("{board}\nfen: 3/4/5/4/3 o 2"), "3/4/5/4/3 o 2");
}

#[test]
fn bad_diagrams_name_the_row() {
    let refused = |text: &str, why: &str| {
        let refusal = parse_history(&game(""), text).expect_err(text);
        assert_eq!(refusal.0, why, "{text}");
    };
    let expected = |row: char, n_cells: usize| {
        format!("expected row {row} of the board, with {n_cells} cells of . x o")
    };
    refused(
        "a . . .\nb . . . .",
        &format!("the board ends: {}", expected('c', 5)),
    );
    let with = |row_c: &str| format!("a . . . 4\nb . . . . 5\nc {row_c}\nd . . . . 5\ne . . . 4\n");
    for row_c in [". . . .", ". . y . .", ". . . . . .", ". . . . . 7"] {
        refused(
            &with(row_c),
            &format!("{:?}: {}", format!("c {row_c}"), expected('c', 5)),
        );
    }
    refused(
        "a . . .\nc . . . .",
        &format!("\"c . . . .\": {}", expected('b', 4)),
    );
    let caption = with(". . . . .") + "x wins: o is surrounded on a1";
    refused(
        &caption,
        "the game on this board is over. Paste its line `fen: ...`",
    );
    let long = "a . . .\n".repeat(500);
    refused(&long, &format!("\"a . . .\": {}", expected('b', 4)));
    let turned = at("Size=3", "startpos").draw(View {
        is_flipped: true,
        ..View::default()
    });
    assert!(parse_history(&game(""), &turned).is_err());
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(check_transcripts::<Susan>(include_str!("../../../../spec/susan.md")) >= 4);
}

#[test]
fn stones_in_danger_and_slides_are_marked() {
    let n_of = |history: &PositionHistory<Susan>, role| {
        let diagram = history.diagram(View::default());
        diagram
            .shapes
            .iter()
            .filter(|shape| shape.role == role)
            .count()
    };
    let danger = at("Size=3", "ox1/x3/5/4/3 x 0");
    assert_eq!(n_of(&danger, Role::Danger), 1, "o on a1 has b2 left");
    assert_eq!(n_of(&danger, Role::Pending), 6);
    let won = after("Size=3", "ox1/x3/5/4/3 x 0", "b2");
    assert_eq!(
        [n_of(&won, Role::Danger), n_of(&won, Role::Decisive)],
        [0, 1]
    );
    let slid = after("Size=3", "3/2x1/5/4/3 x 0", "b3->c3");
    assert_eq!(
        [n_of(&slid, Role::Counted), n_of(&slid, Role::Pending)],
        [1, 5]
    );
}
