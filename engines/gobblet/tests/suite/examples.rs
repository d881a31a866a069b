//! Worked examples of the rules, codes, positions and drawn boards.

use draw::{Form, Input, Role, View};
use kit::DynHistory;

use crate::{Case, start};
use gobblet::Gobblet;

#[test]
fn rules_notation_and_diagrams() {
    laws::check_cases::<Gobblet>(concat!(
        include_str!("data/rules.txt"),
        include_str!("data/notation.txt"),
        include_str!("data/diagram.txt")
    ));
}

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Gobblet>(include_str!("data/perft.txt"));
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(
        laws::check_transcripts(gobblet::GAME, include_str!("../../../../spec/gobblet.md")) >= 3
    );
}

#[test]
fn on_4x4_a_smaller_piece_comes_after_the_larger_of_its_stack() {
    let sizes = |case: &Case| {
        let codes = case.moves().into_iter().filter(|code| code.contains('@'));
        let mut sizes: Vec<String> = codes.map(|code| code[..1].to_owned()).collect();
        sizes.dedup();
        sizes.join(" ")
    };
    let mut case = start(4);
    for (codes, expected) in [
        ("", "4"),
        ("4@a1 4@b1", "4 3"),
        ("3@c1 4@d1", "4 2"),
        ("4@a2 4@b2 4@c2 3@d2", "3 2"),
    ] {
        case = case.play(codes);
        assert_eq!(sizes(&case), expected, "{codes}");
    }
}

#[test]
fn equal_pieces_off_the_board_share_a_spot() {
    let diagram = start(4).play("4@b2 4@c3").0.diagram(View::default());
    let ids = diagram.spots.iter().map(|spot| spot.id.as_str());
    let reserves: Vec<&str> = ids.filter(|id| id.starts_with("reserve")).collect();
    let expected = [
        "reserve p1 4",
        "reserve p1 3",
        "reserve p2 4",
        "reserve p2 3",
    ];
    assert_eq!(reserves, expected);
    let first = &diagram.gestures[0];
    assert_eq!(
        first.input,
        Input::spots("reserve p1 4", "a1"),
        "{}",
        first.code
    );
}

#[test]
fn pieces_are_as_large_beside_the_board_as_on_it() {
    let diagram = start(3).play("3@b2").0.diagram(View::default());
    let radii = diagram.shapes.iter().filter_map(|shape| match shape.form {
        Form::Circle { radius, .. } if shape.role == Role::Piece => Some(radius),
        _ => None,
    });
    let largest: Vec<f64> = radii.filter(|radius| *radius > 0.4).collect();
    assert_eq!(largest, [0.45; 4]);
}
