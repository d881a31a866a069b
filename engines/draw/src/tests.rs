//! Tests of boards without a game.

use crate::svg;
use crate::{
    Board, Cell, DiagramColour, Form, Input, Piece, Point, Rectangle, Role, Room, Side, View,
};

/// A ground of ten by ten.
fn square(caption: &str, focus: Option<Rectangle>) -> Board {
    let mut board = Board {
        names: Side::BOTH.map(|side| side.to_string()),
        caption: caption.to_owned(),
        ..Board::default()
    };
    let middle = Point::new(0.0, 0.0);
    board.put(Role::Board, Form::rectangle(middle, 10.0, 10.0));
    board.focus = focus;
    board
}

fn picture(board: Board) -> String {
    svg::write(&board.finish(&View::default()))
}

/// Two cells in each of two rows. The last move went from the upper left to the lower right.
fn four(colour: DiagramColour) -> Board {
    let mut board = Board {
        names: ["x", "o"].map(str::to_owned),
        last: Some(Input::spots("a2", "b1")),
        ..Board::default()
    };
    board.end("o to move");
    board.turn = 90;
    board.text.scale = Some([4.0, 1.0]);
    let piece = Piece {
        name: "x".to_owned(),
        glyph: "x".to_owned(),
        ..Piece::x_or_o(colour, false)
    };
    let cell = |(file, rank): (u8, u8)| Cell {
        id: format!("{}{}", ["a", "b"][usize::from(file)], rank + 1),
        outline: Form::rectangle(Point::of_square(file, rank, 2), 1.0, 1.0),
        pieces: vec![piece.clone(); usize::from(file == 1)],
        marks: Vec::new(),
    };
    let cells: Vec<Cell> = [(0, 1), (1, 1), (0, 0), (1, 0)].map(cell).into();
    for rank in 0..2 {
        let at = Point::of_square(0, rank, 2).moved(-1.0, 0.0);
        board.label(at, [0.0; 2], 0.3, (rank + 9).to_string());
    }
    board.put_cells(".", &cells);
    board.put_pieces(&cells);
    board
}

fn text(board: &Board, view: View) -> String {
    board.page(&view).text(view.is_coloured)
}

#[test]
fn a_small_focus_is_shown_enlarged() {
    let corners =
        |low: f64, high: f64| Rectangle::around([low, high].map(|end| Point::new(end, end)));
    let lenses = |focus| picture(square("focus", focus)).matches("<use ").count();
    assert_eq!(lenses(Some(corners(0.0, 2.0))), 1);
    assert_eq!(lenses(Some(corners(-4.0, 4.0))), 0);
    assert_eq!(lenses(None), 0);
    // The rules begin with this class, and a browser looks for it in the copied element alone.
    let copied = picture(square("focus", Some(corners(0.0, 2.0))));
    assert!(copied.contains("<g id=\"board\" class=\"linesman\">"));
}

#[test]
fn a_picture_is_one_line_and_its_texts_are_escaped() {
    let svg = picture(square("a < b & c", None));
    assert!(svg.contains("<title>a &lt; b &amp; c</title>"), "{svg}");
    assert!(svg.contains("prefers-color-scheme:dark"));
    assert!(!svg.contains('\n'));
}

#[test]
fn text_and_picture_are_of_the_same_cells() {
    let board = four(DiagramColour::One);
    assert_eq!(
        text(&board, View::default()),
        "10  (.)  x\n 9   .  [x]\n\no to move"
    );
    let flipped = View {
        is_flipped: true,
        ..View::default()
    };
    assert_eq!(
        text(&board, flipped),
        "[x]  .   9\n x  (.)  10\n\no to move"
    );
    let mut ended = board.clone();
    ended.end("o resigns");
    assert_eq!(
        text(&ended, View::default()),
        "10  (.)  x\n 9   .  [x]\n\no resigns"
    );
    let spots = board.page(&View::default()).spots;
    let places: Vec<_> = spots
        .iter()
        .map(|spot| (&spot.id[..], spot.line, spot.columns.start))
        .collect();
    assert_eq!(
        places,
        [("a2", 0, 5), ("b2", 0, 9), ("a1", 1, 5), ("b1", 1, 9)]
    );
    let drawn = board.finish(&View::default());
    let labels: Vec<&str> = drawn.spots.iter().map(|spot| &spot.label[..]).collect();
    assert_eq!(labels, ["a2", "b2, x", "a1", "b1, x"]);
    assert_eq!(
        drawn
            .shapes
            .iter()
            .filter(|shape| shape.role == Role::Piece)
            .count(),
        2
    );
}

#[test]
fn colours_stand_around_runs() {
    let view = View {
        is_coloured: true,
        ..View::default()
    };
    let drawn = text(&four(DiagramColour::Two), view);
    let last = drawn.lines().nth(1).expect("a second row");
    assert_eq!(last, " 9   .  \u{1b}[1m\u{1b}[7m\u{1b}[36m[x]\u{1b}[0m");
}

#[test]
fn a_part_is_the_one_around_the_last_move_and_the_spot_asked_for() {
    let page = |columns, lines, shows| {
        let room = Some(Room {
            columns,
            lines,
            shows,
        });
        let page = four(DiagramColour::One).page(&View {
            room,
            ..View::default()
        });
        (page.text(false), page.is_whole)
    };
    assert_eq!(
        page(11, 3, ""),
        ("10  (.)  x\n 9   .  [x]\no to move".to_owned(), true)
    );
    assert_eq!(page(4, 1, ""), (" [x]".to_owned(), false));
    assert_eq!(page(4, 1, "a2"), (".)".to_owned(), false));
}

#[test]
fn a_text_is_a_board() {
    let board = Board::of_text(&[" ab".to_owned(), String::new(), "c".to_owned()]);
    assert_eq!(text(&board, View::default()), " ab\n\nc");
    assert_eq!(board.shapes.len(), 3);
}

#[test]
fn a_board_begins_at_the_corner_and_turns_clockwise() {
    let mut page = square("turned", None);
    page.put(Role::Piece, Form::circle(Point::new(4.0, 0.0), 0.5));
    page.turn = 90;
    let diagram = page.finish(&View {
        turns: 1,
        ..View::default()
    });
    assert_eq!((diagram.width, diagram.height), (10.4, 10.4));
    let piece = Form::circle(Point::new(5.2, 9.2), 0.5);
    assert_eq!(
        diagram.shapes[1].form, piece,
        "what was at the right is below"
    );
}

/// A diagram of a rules program may have any role.
#[test]
fn each_role_has_its_colours_on_light_and_dark_pages() {
    let roles = include_str!("shape.rs").split_once("pub enum Role {");
    let lines = roles.expect("roles").1.lines();
    let names = lines
        .map_while(|line| (line != "}").then(|| line.trim()))
        .filter_map(|line| line.strip_suffix(','));
    let mut n_roles = 0;
    for name in names {
        let class = format!(".linesman .{}", name.to_lowercase());
        let rules = include_str!("svg.css").split([',', '{', '\n']);
        assert_eq!(rules.filter(|rule| *rule == class).count(), 2, "{class}");
        n_roles += 1;
    }
    assert_eq!(n_roles, 29);
}
