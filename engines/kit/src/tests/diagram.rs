//! Tests of boards as data, with Nim as the game.

use crate::tests::nim::Nim;
use draw::{Board, Direction, View};
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, PositionHistory};

fn heaps(position: &str) -> PositionHistory<Nim> {
    let game = Nim::new(&Options::new(Nim::options()));
    parse_history(&game, position).expect("a position")
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
