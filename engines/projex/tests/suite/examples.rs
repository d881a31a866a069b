//! Worked examples of the rules, codes, positions and drawn boards.

use draw::{BoardCopy, DiagramColour, Input, Point, Role, Shape, View};
use kit::{DynHistory, Outcome, Side};
use laws::testing::play;

use crate::{after, at};
use projex::Projex;

#[test]
fn rules() {
    laws::check_cases::<Projex>(include_str!("data/rules.txt"));
}

#[test]
fn notation() {
    laws::check_cases::<Projex>(include_str!("data/notation.txt"));
}

#[test]
fn diagram() {
    laws::check_cases::<Projex>(include_str!("data/diagram.txt"));
}

#[test]
fn trees_have_the_counted_leaves() {
    laws::check_leaves::<Projex>(include_str!("data/perft.txt"));
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(laws::check_transcripts(projex::GAME, include_str!("../../../../spec/projex.md")) >= 4);
}

/// The stones of `x` on a board of size 5, the last of which may end the game, and whether it does. The `o` stones are
/// out of the way.
const LOOPS: [(&str, bool); 8] = [
    ("A5 B5 C5 D5 E5 F5 G5 H5", true),
    // The middle last.
    ("A5 H5 B5 G5 C5 F5 E5 D5", true),
    // H4 meets A5 and A6 across the edge, but not B4.
    ("B4 C4 D4 E4 F4 G4 H4", false),
    ("B4 C4 D4 E4 F4 G4 H4 A5", true),
    // Within the board.
    ("D4 E4 E5 D6 C6 C5", false),
    // Two crossings: H4-A6 and A6-H3.
    ("H4 A6 H3 G4", false),
    // Three: E8-E1, E1-D8 and F7-C3.
    ("E8 E1 D8 D7 D6 D5 D4 D3 C3 F7", true),
    // Four: F7-C3, C3-G6, C8-F1 and E1-E8, back to F7.
    ("F7 C3 G6 G5 F5 E6 D7 C8 F1 E1 E8", false),
];

#[test]
fn only_global_loops_win() {
    for (x, wins) in LOOPS {
        let mut game = after("Size=5 Swap=false", "");
        let cells: Vec<&str> = x.split(' ').collect();
        for cell in &cells {
            assert_eq!(game.outcome(), None, "{x}: before {cell}");
            play(&mut game, cell);
            let mut free = DynHistory::moves(&game).into_iter().rev();
            let aside = free.find(|code| !cells.contains(&code.as_str()));
            play(&mut game, &aside.unwrap_or_default());
        }
        let expected = wins.then_some(Outcome::Win(Side::P1));
        assert_eq!(game.outcome(), expected, "{x}");
    }
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
