//! Tests of the board as text, in the server's layout: drawing and reading.

use crate::Projex;
use kit::diagram::{BoardCopy, DiagramColour, Input, Point, Role, Shape};
use kit::dyn_history::parse_history;
use kit::{DynHistory, Side, View};
use laws::{check_transcripts, without_colours};

use crate::tests::{after, at, game};

#[test]
fn the_board_is_drawn_as_the_server_did() {
    let drawn = [
        "   1 . . .",
        "  2 . . . .",
        " 3 . . . . .",
        "4 . x o . .[x]",
        " 5 . . . . . F",
        "  6 . . . . E",
        "     A B C D",
        "",
        "o (p2) to move, or swap",
    ];
    assert_eq!(
        after("Size=4", "B4 C4 F4").draw(View::default()),
        drawn.join("\n")
    );
}

#[test]
fn rows_of_two_digits_stand_clear_of_the_board() {
    let drawn = after("Size=6", "").draw(View::default());
    let lines: Vec<&str> = drawn.lines().skip(4).take(6).collect();
    let expected = [
        " 5 . . . . . . . . .",
        "6 . . . . . . . . . .",
        " 7 . . . . . . . . . J",
        "  8 . . . . . . . . I",
        "   9 . . . . . . . H",
        "   10 . . . . . . G",
    ];
    assert_eq!(lines, expected);
}

/// Below the board and to its left are the names of rows and diagonals, and between these and the board the cells
/// across the edge.
#[test]
fn the_far_side_shows_stones_and_names_empty_cells() {
    let drawn = [
        "           d6  c6  b6  a6",
        "      1  d6   .   .   .  a6",
        "    2  e5   .   .   .   .  a5",
        "  3   x   .   .   .   .   .  a4",
        "4   x   .   x   o   .   .  [x] a4",
        "  5  f3   .   .   .   .   .  b3",
        "    6  f2   .   .   .   .  c2   F",
        "         f1  f1  e1  d1  d1   E",
        "                A   B   C   D",
        "",
        "o (p2) to move, or swap",
    ];
    assert_eq!(
        after("Size=4", "B4 C4 F4").draw(View::styled("farside")),
        drawn.join("\n")
    );
}

#[test]
fn a_ghost_names_the_cell_that_it_shows() {
    let diagram = after("Size=4", "B4 C4 F4").diagram(View::default());
    let ghosts = |id: &str| {
        let shown = diagram.shapes.iter().filter(|shape| shape.spot.is_some());
        shown
            .filter(|shape| shape.spot.as_deref() == Some(id))
            .count()
    };
    assert_eq!((ghosts("C4"), ghosts("A4"), ghosts("F4")), (0, 2, 2));
}

#[test]
fn the_winning_loop_is_drawn_in_capitals() {
    let play = at("", "ox/1oo/xxxx/1o1 o 2");
    let drawn = [
        "  1 o x",
        " 2 . o o",
        "3 X X X X",
        " 4 . o . D",
        "    A B C",
        "",
        "x (p2) wins: a global loop of 4 stones",
    ];
    assert_eq!(play.draw(View::default()), drawn.join("\n"));
    let rim = play.draw(View::styled("farside"));
    assert!(rim.contains("3   X   X   X   X   X   X"), "{rim}");
}

#[test]
fn player_2_sees_the_page_turned() {
    let flipped = View {
        is_flipped: true,
        ..View::default()
    };
    let drawn = [
        "  D C B A",
        " E . . . . 6",
        "F . . . . . 5",
        "[x]. . o x . 4",
        "  . . . . . 3",
        "   . . . . 2",
        "    . . . 1",
        "",
        "o (p2) to move, or swap",
    ];
    let play = after("Size=4", "B4 C4 F4");
    assert_eq!(play.draw(flipped), drawn.join("\n"));
    assert!(parse_history(&game(""), &play.draw(flipped)).is_err());
}

#[test]
fn colours_belong_to_the_stones() {
    let coloured = View {
        is_coloured: true,
        ..View::styled("farside")
    };
    for codes in ["B4 C4 F4", "B4 C4 F4 swap"] {
        let play = after("Size=4", codes);
        let drawn = play.draw(coloured);
        assert!(drawn.contains("\u{1b}[1m\u{1b}[31mx\u{1b}[0m"), "{drawn:?}");
        assert!(drawn.contains("\u{1b}[1m\u{1b}[36mo\u{1b}[0m"), "{drawn:?}");
        assert_eq!(without_colours(&drawn), play.draw(View::styled("farside")));
    }
}

#[test]
fn a_swap_is_told() {
    let drawn = after("Size=4", "B4 C4 F4 swap").draw(View::default());
    assert_eq!(drawn.lines().last(), Some("o (p1) to move, after swap"));
    assert!(!drawn.contains('['), "{drawn}");
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    let read = parse_history(&game(""), text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(read.fen(), expected, "{text}");
}

#[test]
fn boards_are_read_as_people_mail_them() {
    let board = "> 1 . o\n> 2 . x .\n> 3 . . . .\n> 4 . . x\n";
    reads_as(board, "1o/1x1/4/2x o 1");
    reads_as(
        &format!("{board}> o (p2) to move, or swap"),
        "1o/1x1/4/2x o 1",
    );
    reads_as(
        &format!("{board}o (p1) to move, after swap"),
        "1o/1x1/4/2x o 2",
    );
    reads_as(
        &board.replace(". . x", ". . [X] D\n A B C"),
        "1o/1x1/4/2x o 1",
    );
}

#[test]
fn a_finished_game_is_read() {
    let fen = "ox/1oo/xxxx/1o1 o 2";
    reads_as(&at("", fen).draw(View::default()), fen);
}

#[test]
fn bad_boards_name_the_row() {
    let refused = |text: &str, why: &str| {
        let refusal = parse_history(&game(""), text).expect_err(text);
        assert_eq!(refusal.0, why, "{text}");
    };
    let with = |row_2: &str| format!("1 . .\n2 {row_2}\n3 . . . .\n4 . . .");
    for row_2 in [". .", ". y .", ". . . ."] {
        refused(
            &with(row_2),
            &format!("\"2 {row_2}\": expected row 2 of the board, with 3 cells of . x o"),
        );
    }
    let caption = format!("{}\nx (p1) to move", with("x . ."));
    refused(&caption, "1 x and 0 o: with x to move, x has as many as o");
    refused(
        "1 . .\n2 . . .",
        "the board ends: expected row 3 of the board, with 4 cells of . x o",
    );
    refused(
        "1 . .\n3 . . .",
        "\"3 . . .\": expected row 2 of the board, with 3 cells of . x o",
    );
    let rim = after("Size=3", "").draw(View::styled("farside"));
    let torn = rim.replace("  a3\n  4", "\n  4");
    assert_ne!(rim, torn);
    let why = parse_history(&game(""), &torn).expect_err("a torn board").0;
    assert!(
        why.ends_with("expected row 3 of the board, with 6 cells of . x o"),
        "{why}"
    );
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(check_transcripts::<Projex>(include_str!("../../../../spec/projex.md")) >= 4);
}

/// A ghost is where a copy of its cell is. In the style `farside` there are ghosts alone.
#[test]
fn the_board_has_a_copy_beyond_each_of_its_sides() {
    let play = after("Size=5", "B4 B7 F6 E5");
    for turns in [0, 1] {
        let diagram = play.diagram(View {
            turns,
            ..View::default()
        });
        assert_eq!(diagram.copies.len(), 6);
        let shown = |shape: &Shape| {
            let id = shape.spot.as_ref().expect("a ghost of a cell");
            let mut spots = diagram.spots.iter();
            let spot = spots.find(|spot| spot.id == *id).expect("a cell");
            let (at, place) = (spot.outline.bounds().centre(), shape.form.bounds().centre());
            let mut copies = diagram.copies.iter();
            copies.any(|copy| distance(copied(copy, at), place) < 0.01)
        };
        let mut ghosts = diagram.shapes.iter().filter(|shape| shape.spot.is_some());
        assert!(ghosts.all(shown), "{turns} turns");
    }
    assert!(play.diagram(View::styled("farside")).copies.is_empty());
}

/// The place of a point of the board in a copy.
fn copied(BoardCopy { from, to }: &BoardCopy, at: Point) -> Point {
    let [p, q, r] = from.map(|point| (point.x - from[0].x, point.y - from[0].y));
    let (x, y) = (at.x - from[0].x, at.y - from[0].y);
    assert_eq!(p, (0.0, 0.0));
    let area = q.0 * r.1 - q.1 * r.0;
    let (along, across) = ((x * r.1 - y * r.0) / area, (q.0 * y - q.1 * x) / area);
    let part = |of: fn(&Point) -> f64| {
        let [p, q, r] = to.each_ref().map(of);
        p + along * (q - p) + across * (r - p)
    };
    Point::new(part(|point| point.x), part(|point| point.y))
}

fn distance(one: Point, other: Point) -> f64 {
    (one.x - other.x).hypot(one.y - other.y)
}

#[test]
fn a_loop_that_lacks_one_stone_is_drawn_and_named() {
    let diagram = at("", "ox/1oo/x1xx/1o1 x 1").diagram(View::default());
    let threats = |colour| {
        let shapes = diagram.shapes.iter();
        let of = shapes.filter(|shape| shape.role == Role::Threat && shape.colour == Some(colour));
        of.count()
    };
    assert_eq!(diagram.caption, "x to move; o threatens B3");
    // A line and a ring for each colour.
    assert_eq!(threats(DiagramColour::One), 2);
    assert_eq!(threats(DiagramColour::Two), 2);
}

#[test]
fn a_diagram_knows_who_owns_the_stones_after_a_swap() {
    let before = after("", "A7 B7 C7");
    let diagram = before.diagram(View::default());
    let swap = diagram.gestures.last().expect("a gesture");
    assert_eq!(swap.input, Input::Button("swap".to_owned()));
    assert_eq!(diagram.owners, [Side::P1, Side::P2]);
    let diagram = after("", "A7 B7 C7 swap").diagram(View::default());
    assert_eq!(diagram.owners, [Side::P2, Side::P1]);
    assert_eq!(diagram.names, ["x", "o"]);
    assert_eq!(diagram.caption, "o to move, after swap");
}

#[test]
fn the_diagram_names_sides_as_on_the_board() {
    let caption = |moves| after("Size=4", moves).diagram(View::default()).caption;
    assert_eq!(caption("B4 C4"), "x to move");
    assert_eq!(caption("B4 C4 F4"), "o to move, or swap");
}
