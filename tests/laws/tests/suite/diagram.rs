//! Tests of boards as data, with Nim as the game.

use draw::{Board, Direction, View};
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, PositionHistory};
use nim::Nim;

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
    let read: Board = serde_json::from_value(json.clone()).expect("a diagram");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), json);
}

#[test]
fn keys_lead_to_the_nearest_spot_and_diagonal_ones_to_another_row_and_file() {
    use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};
    let diagram = heaps("3/3/3 p1").diagram(View::default());
    let next = |id: &str, keys: [Direction; 4]| {
        let spot = diagram.spots.iter().find(|spot| spot.id == id);
        let next = &spot.expect("a stone").neighbours;
        keys.map(|key| next.get(&key).map_or("none", String::as_str))
    };
    let arrows = [Up, Right, Down, Left];
    assert_eq!(next("b2", arrows), ["a2", "b1", "c2", "b3"]);
    // b1 is to the right of b2: the stones of a heap count from the right.
    let diagonals = [UpLeft, UpRight, DownLeft, DownRight];
    assert_eq!(next("b2", diagonals), ["a3", "a1", "c3", "c1"]);
    assert_eq!(next("a1", diagonals), ["none", "none", "b2", "none"]);
}
