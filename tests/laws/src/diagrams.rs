//! Properties of diagrams: every legal move has one gesture, and all shapes are valid.

use std::collections::{BTreeMap, BTreeSet};

use crate::boards::check_connected;
use draw::{Board, Direction, Form, Input, Neighbours, Point, Rectangle, Role, Spot, View};
use kit::{DynHistory, Outcome, Side};

/// Orientations of the board: `true` if seen from the other side, and the number of turns.
const TURNED: [(bool, u8); 4] = [(false, 0), (true, 0), (false, 1), (true, 3)];
/// Least width and height of a piece on a spot, as a share of the spot's.
const LEAST_COVER: f64 = 0.2;

/// Checks a diagram in every style, in the `n`th orientation. Each legal code must have one gesture, and no gesture may
/// be the prefix of another. Spots must be distinct and reachable by the keyboard. All shapes must be within the edges.
pub(super) fn check(history: &dyn DynHistory, n: usize, at: &str) {
    let (is_flipped, turns) = TURNED[n % TURNED.len()];
    let seen = |style| View {
        is_flipped,
        turns,
        ..View::styled(style)
    };
    let plain = history.diagram(seen(""));
    check_diagram(history, &plain, &format!("{at}: {:?}", seen("")));
    let json = plain.json();
    for style in history.styles() {
        let drawn = history.diagram(seen(style));
        let at = format!("{at}: {:?}", seen(style));
        match history.diagram_styles().contains(style) {
            true => check_diagram(history, &drawn, &at),
            false => assert!(drawn.json() == json, "{at}: the style changes the diagram"),
        }
    }
    check_explanation(history, &plain, at);
}

fn check_diagram(history: &dyn DynHistory, drawn: &Board, at: &str) {
    check_gestures(history, drawn, at);
    check_spots(drawn, at);
    check_shapes(drawn, at);
    check_pieces(drawn, at);
}

fn check_gestures(history: &dyn DynHistory, diagram: &Board, at: &str) {
    check_codes(diagram, &history.moves(), at);
    let ids: BTreeSet<&String> = diagram.spots.iter().map(|spot| &spot.id).collect();
    let mut buttons = BTreeSet::new();
    let mut clicked = BTreeSet::new();
    for gesture in &diagram.gestures {
        match &gesture.input {
            Input::Button(name) => {
                assert!(
                    !name.is_empty() && buttons.insert(name),
                    "{at}: button {name:?}"
                );
            }
            Input::Spots(spots) => {
                assert!(
                    !spots.is_empty() && spots.iter().all(|spot| ids.contains(spot)),
                    "{at}: {gesture:?} clicks spots"
                );
                assert!(
                    clicked.insert(spots),
                    "{at}: {gesture:?} is another move's too"
                );
            }
        }
    }
    // In sorted order, a text follows directly after its prefix.
    for (one, next) in clicked.iter().zip(clicked.iter().skip(1)) {
        assert!(!next.starts_with(one), "{at}: {one:?} begins {next:?}");
    }
}

fn check_spots(diagram: &Board, at: &str) {
    let by_id: BTreeMap<&str, &Spot> = diagram
        .spots
        .iter()
        .map(|spot| (spot.id.as_str(), spot))
        .collect();
    assert_eq!(
        by_id.len(),
        diagram.spots.len(),
        "{at}: each spot has an id of its own"
    );
    for spot in &diagram.spots {
        let id = &spot.id;
        assert!(
            !id.is_empty() && !spot.label.is_empty(),
            "{at}: spot {id:?} has a label"
        );
        assert!(
            matches!(spot.outline, Form::Circle { .. } | Form::Polygon { .. }),
            "{at}: spot {id} has an area"
        );
        check_within(diagram, &spot.outline, at);
        for next in onward(&spot.neighbours).chain(diagonals(&spot.neighbours)) {
            assert!(
                next != id && by_id.contains_key(next.as_str()),
                "{at}: {id} leads to {next}"
            );
        }
    }
    let ids: BTreeSet<&str> = by_id.keys().copied().collect();
    let mut back: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for spot in &diagram.spots {
        for next in onward(&spot.neighbours) {
            back.entry(next).or_default().push(&spot.id);
        }
    }
    let next = |id: &str| {
        let next = onward(&by_id[id].neighbours);
        next.map(String::as_str).collect()
    };
    check_connected(&ids, next, at);
    check_connected(&ids, |id| back.get(id).cloned().unwrap_or_default(), at);
}

fn onward(neighbours: &Neighbours) -> impl Iterator<Item = &String> {
    neighbours.range(..=Direction::Left).map(|(_, id)| id)
}

fn diagonals(neighbours: &Neighbours) -> impl Iterator<Item = &String> {
    neighbours.range(Direction::UpLeft..).map(|(_, id)| id)
}

fn check_shapes(diagram: &Board, at: &str) {
    assert!(
        !diagram.shapes.is_empty() && !diagram.caption.is_empty(),
        "{at}: drawn"
    );
    for shape in &diagram.shapes {
        check_within(diagram, &shape.form, at);
        if let Some(shown) = &shape.spot {
            let is_spot = diagram.spots.iter().any(|spot| spot.id == *shown);
            assert!(is_spot, "{at}: a shape shows the spot {shown:?}");
        }
    }
    for point in diagram.focus.iter().flat_map(Rectangle::corners) {
        assert!(contains(page(diagram), point), "{at}: focus at {point:?}");
    }
}

/// Checks that a piece on a spot can be seen there: if it covers the middle of the spot, it covers a part of its width
/// and of its height. A piece on several spots, as a domino, does so on each of them.
fn check_pieces(diagram: &Board, at: &str) {
    let pieces = diagram.shapes.iter();
    for piece in pieces.filter(|shape| shape.role == Role::Piece) {
        let piece = piece.form.bounds();
        for spot in &diagram.spots {
            let area = spot.outline.bounds();
            if !contains(piece, area.centre()) {
                continue;
            }
            let cover = |piece: [f64; 2], area: [f64; 2]| {
                (piece[1].min(area[1]) - piece[0].max(area[0])) / (area[1] - area[0])
            };
            let width = cover([piece.low.x, piece.high.x], [area.low.x, area.high.x]);
            let height = cover([piece.low.y, piece.high.y], [area.low.y, area.high.y]);
            let id = &spot.id;
            assert!(
                width >= LEAST_COVER && height >= LEAST_COVER,
                "{at}: a piece on {id} covers {width:.2} of its width and {height:.2} of its height"
            );
        }
    }
}

/// Checks that a form is within the diagram, whose margin exceeds rounding errors.
fn check_within(diagram: &Board, form: &Form, at: &str) {
    for point in form.bounds().corners() {
        assert!(
            contains(page(diagram), point),
            "{at}: {form:?} is beyond the edge"
        );
    }
}

/// Checks that the first gestures of all codes are in the order of these codes. A move may have further gestures.
fn check_codes(diagram: &Board, codes: &[String], at: &str) {
    let mut seen = BTreeSet::new();
    let entered = diagram.gestures.iter().map(|gesture| &gesture.code);
    let first: Vec<&String> = entered.filter(|code| seen.insert(*code)).collect();
    assert_eq!(
        first,
        codes.iter().collect::<Vec<_>>(),
        "{at}: a gesture for each code"
    );
}

/// `true` if a point is inside an area or on its border.
fn contains(area: Rectangle, point: Point) -> bool {
    area.union(Rectangle::around([point])) == area
}

fn page(diagram: &Board) -> Rectangle {
    Rectangle::around([[0.0, 0.0], [diagram.width, diagram.height]].map(Into::into))
}

/// Checks that the end of a game is explained with the board's names, and that a turn with a button as its only move is
/// explained, too.
fn check_explanation(history: &dyn DynHistory, diagram: &Board, at: &str) {
    let text = history.explain().unwrap_or_default();
    let name_of = |side: Side| history.side_names()[side.index()].clone();
    match history.outcome() {
        Some(Outcome::Win(side)) => {
            let name = name_of(side);
            let is_named = text.starts_with(&name) && text.contains(" wins: ");
            assert!(is_named, "{at}: {name} wins, explained as {text:?}");
        }
        Some(Outcome::Draw) => assert!(
            text.starts_with("draw: "),
            "{at}: a draw, explained as {text:?}"
        ),
        None => {
            let only = diagram.gestures.as_slice();
            if let [gesture] = only
                && matches!(gesture.input, Input::Button(_))
            {
                assert!(!text.is_empty(), "{at}: why only {} is legal", gesture.code);
            }
        }
    }
    // The caption may name the winner as the board does, such as `top`, where the explanation has `p2`.
    if let Some(outcome) = history.outcome() {
        let is_explanation = match outcome {
            Outcome::Draw => diagram.caption == text,
            Outcome::Win(side) => {
                let name = name_of(side);
                let names = diagram.names.iter().chain([&name]);
                let mut texts = names.map(|board| text.replacen(&name, board, 1));
                texts.any(|text| diagram.caption == text)
            }
        };
        let caption = &diagram.caption;
        assert!(is_explanation, "{at}: {caption:?} for {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use draw::Shape;

    use super::*;

    /// Two square cells next to each other, with a piece of this height on both.
    fn domino(height: f64) -> Board {
        let square = |x| Spot {
            id: format!("cell {x}"),
            outline: Form::rectangle(Point::new(x, 0.5), 1.0, 1.0),
            label: String::new(),
            neighbours: Neighbours::default(),
        };
        let piece = Form::rectangle(Point::new(1.0, 0.5), 1.8, height);
        Board {
            width: 2.0,
            height: 1.0,
            shapes: vec![Shape::new(Role::Piece, piece)],
            spots: vec![square(0.5), square(1.5)],
            ..Board::default()
        }
    }

    #[test]
    fn a_piece_may_cover_two_cells() {
        check_pieces(&domino(0.8), "a domino");
    }

    #[test]
    fn a_move_may_have_a_gesture_from_either_half() {
        let gesture = |code: &str, first: &str, second: &str| draw::Gesture {
            code: code.to_owned(),
            input: Input::spots(first, second),
        };
        let mut board = domino(0.8);
        board.gestures = vec![
            gesture("a1", "a", "b"),
            gesture("b1", "b", "c"),
            gesture("a1", "b", "a"),
        ];
        check_codes(&board, &["a1", "b1"].map(str::to_owned), "two moves");
    }

    #[test]
    #[should_panic(
        expected = "a piece on cell 0.5 covers 0.90 of its width and 0.10 of its height"
    )]
    fn a_thin_bar_is_no_piece() {
        check_pieces(&domino(0.1), "a bar");
    }
}
