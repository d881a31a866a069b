//! Tests of diagrams and their SVG, with Nim as the game.

use crate::tests::nim::Nim;
use draw::{
    Board, DiagramBuilder, Direction, Form, Input, Point, Rectangle, Role, View,
    svg::{self, Theme},
};
use kit::dyn_history::parse_history;
use kit::{DrawRequest, DynHistory, Game, Options, PositionHistory, Side};

fn heaps(position: &str) -> PositionHistory<Nim> {
    let game = Nim::new(&Options::new(Nim::options()));
    parse_history(&game, position).expect("a position")
}

/// A diagram of an empty table with one square on it.
fn square(caption: &str, focus: Option<Rectangle>) -> DiagramBuilder {
    let history = heaps("0 p1");
    let request = DrawRequest::of(&history, View::default());
    let game = history.game();
    let mut page = request.board(game, caption.to_owned(), |_| Input::spot("none"));
    page.put(
        Role::Board,
        Form::rectangle(Point::new(0.0, 0.0), 10.0, 10.0),
    );
    if let Some(focus) = focus {
        page.focus(focus);
    }
    page
}

fn corners(low: f64, high: f64) -> Option<Rectangle> {
    Some(Rectangle::around([
        Point::new(low, low),
        Point::new(high, high),
    ]))
}

#[test]
fn a_diagram_survives_json() {
    let diagram = heaps("1/2 p2").diagram(View::default());
    let json = serde_json::to_value(&diagram).expect("JSON");
    assert_eq!(json["caption"], "p2 to move");
    assert_eq!(json["owners"], serde_json::json!(["p1", "p2"]));
    let gesture = serde_json::json!({ "code": "b2", "spots": ["b2"] });
    assert_eq!(json["gestures"][2], gesture);
    let read: Board = serde_json::from_value(json).expect("a diagram");
    assert_eq!(read, diagram);
}

#[test]
fn arrow_keys_lead_to_the_nearest_spot() {
    let diagram = heaps("3/3/3 p1").diagram(View::default());
    let spot = diagram.spots.iter().find(|spot| spot.id == "b2");
    let next = &spot.expect("the middle stone").neighbours;
    let arrows = [
        Direction::Up,
        Direction::Right,
        Direction::Down,
        Direction::Left,
    ];
    let found = arrows.map(|arrow| next.get(&arrow).map(String::as_str));
    assert_eq!(found, [Some("a2"), Some("b1"), Some("c2"), Some("b3")]);
}

#[test]
fn diagonal_keys_lead_to_another_row_and_file() {
    let diagram = heaps("3/3/3 p1").diagram(View::default());
    let next = |id: &str| {
        let spot = diagram.spots.iter().find(|spot| spot.id == id);
        let next = &spot.expect("a stone").neighbours;
        [
            Direction::UpLeft,
            Direction::UpRight,
            Direction::DownLeft,
            Direction::DownRight,
        ]
        .map(|diagonal| next.get(&diagonal).map(String::as_str))
    };
    // b1 is to the right of b2: the stones of a heap count from the right.
    assert_eq!(next("b2"), [Some("a3"), Some("a1"), Some("c3"), Some("c1")]);
    assert_eq!(next("a1"), [None, None, Some("b2"), None], "a corner");
}

#[test]
fn a_diagram_begins_at_the_corner_and_turns_clockwise() {
    let mut page = square("turned", None);
    page.put(Role::Piece, Form::circle(Point::new(4.0, 0.0), 0.5));
    let diagram = page.turned(90).finish();
    assert_eq!((diagram.width, diagram.height), (10.4, 10.4));
    let piece = Form::circle(Point::new(5.2, 9.2), 0.5);
    assert_eq!(
        diagram.shapes[1].form, piece,
        "what was at the right is below"
    );
}

#[test]
fn colours_change_hands_with_their_names() {
    let mut page = square("after a swap", None);
    page.set_owner_of_one(Side::P2);
    let diagram = page.finish();
    assert_eq!(diagram.owners, [Side::P2, Side::P1]);
    assert_eq!(diagram.names, ["p2", "p1"]);
}

#[test]
fn a_small_focus_is_shown_enlarged() {
    let lenses = |focus| {
        svg::write(&square("focus", focus).finish(), Theme::Light)
            .matches("<use ")
            .count()
    };
    assert_eq!(lenses(corners(0.0, 2.0)), 1);
    assert_eq!(lenses(corners(-4.0, 4.0)), 0);
    assert_eq!(lenses(None), 0);
}

#[test]
fn a_picture_is_one_line_and_its_texts_are_escaped() {
    let picture = svg::write(&square("a < b & c", None).finish(), Theme::Auto);
    assert!(
        picture.contains("<title>a &lt; b &amp; c</title>"),
        "{picture}"
    );
    assert!(picture.contains("prefers-color-scheme:dark"));
    assert!(!picture.contains('\n'));
    let dark = svg::write(&square("dark", None).finish(), Theme::Dark);
    assert!(!dark.contains("prefers-color-scheme"));
}
