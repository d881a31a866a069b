//! Tests of the board as text: drawing and reading.

use crate::Gobblet;
use kit::diagram::{Form, Input, Role};
use kit::dyn_history::parse_history;
use kit::{DynHistory, View};
use laws::{check_transcripts, without_colours};

use crate::tests::{Case, game};

#[track_caller]
fn draws(case: &Case, style: &str, expected: &str) {
    draws_view(case, View::styled(style), expected);
}

#[track_caller]
fn draws_view(case: &Case, view: View, expected: &str) {
    let drawn = DynHistory::draw(&case.0, view);
    assert_eq!(drawn, expected.trim_matches('\n'), "\n{drawn}");
}

#[test]
fn the_start_of_3x3() {
    draws(
        &crate::tests::start(3),
        "",
        "
    a    b    c
  +----+----+----+
3 |    |    |    | 3
  +----+----+----+
2 |    |    |    | 2
  +----+----+----+
1 |    |    |    | 1
  +----+----+----+
    a    b    c

red    (p1) off the board: 3 3 2 2 1 1
yellow (p2) off the board: 3 3 2 2 1 1
red to move
",
    );
}

#[test]
fn covered_pieces_are_hidden_and_piles_shown_to_those_who_peek() {
    let case = Case::new(".,r3,./r3,y1,./y2,r1y3,y2 r");
    draws(
        &case,
        "",
        "
    a    b    c
  +----+----+----+
3 |    | R3 |    | 3
  +----+----+----+
2 | R3 | y1 |    | 2
  +----+----+----+
1 | y2 | y3 | y2 | 1
  +----+----+----+
    a    b    c

red    (p1) off the board: 2 2 1
yellow (p2) off the board: 3 1
yellow wins: line a1 b1 c1
",
    );
    draws(
        &case,
        "peek",
        "
      a        b        c
  +--------+--------+--------+
3 |        | R3     |        | 3
  +--------+--------+--------+
2 | R3     | y1     |        | 2
  +--------+--------+--------+
1 | y2     | R1y3   | y2     | 1
  +--------+--------+--------+
      a        b        c

red    (p1) off the board: 2 2 1
yellow (p2) off the board: 3 1
yellow wins: line a1 b1 c1
",
    );
}

#[test]
fn stacks_stand_beside_the_4x4_board() {
    let case = Case::new("r4,.,.,./.,r4,.,./.,.,r4,y3/y4,.,r3,r2 y");
    draws(
        &case,
        "",
        "
    a    b    c    d
  +----+----+----+----+
4 | R4 |    |    |    | 4
  +----+----+----+----+
3 |    | R4 |    |    | 3
  +----+----+----+----+
2 |    |    | R4 | y3 | 2
  +----+----+----+----+
1 | y4 |    | R3 | R2 | 1
  +----+----+----+----+
    a    b    c    d

red    (p1) off the board: 321 321 1
yellow (p2) off the board: 4321 4321 21
red wins: line d1 c2 b3 a4
",
    );
}

#[test]
fn nothing_is_left_off_the_board() {
    let case = Case::new("r3,y3,r3/y3,r2,y2/r1y2,y1r2,y1 r");
    let drawn = DynHistory::draw(&case.0, View::default());
    assert!(drawn.contains("\nyellow (p2) off the board:\n"), "{drawn}");
}

/// The piece of b1 moves and uncovers another.
const UNCOVERED: &str = ".,r3,./r3,y1,./y2,r1y3,. y";

#[test]
fn the_last_move_stands_in_brackets() {
    draws(
        &Case::new(UNCOVERED).play("b1-c1"),
        "",
        "
    a    b    c
  +----+----+----+
3 |    | R3 |    | 3
  +----+----+----+
2 | R3 | y1 |    | 2
  +----+----+----+
1 | y2 |(R1)|[y3]| 1
  +----+----+----+
    a    b    c

red    (p1) off the board: 2 2 1
yellow (p2) off the board: 3 2 1
red to move
",
    );
    let peeked = DynHistory::draw(&Case::new(UNCOVERED).play("2@b2").0, View::styled("peek"));
    assert!(
        peeked.contains("2 | R3     |[y1y2  ]|        | 2"),
        "{peeked}"
    );
}

#[test]
fn player_2_sees_the_board_turned() {
    let flipped = View {
        is_flipped: true,
        ..View::default()
    };
    let case = Case::new(UNCOVERED).play("b1-c1");
    draws_view(
        &case,
        flipped,
        "
    c    b    a
  +----+----+----+
1 |[y3]|(R1)| y2 | 1
  +----+----+----+
2 |    | y1 | R3 | 2
  +----+----+----+
3 |    | R3 |    | 3
  +----+----+----+
    c    b    a

red    (p1) off the board: 2 2 1
yellow (p2) off the board: 3 2 1
red to move
",
    );
    let drawn = DynHistory::draw(&case.0, flipped);
    is_refused(
        &drawn,
        "\"1 | y3 | R1 | y2 | 1\": expected row 3 of the board, with 3 cells of . r y 1 2 3 4",
    );
}

#[test]
fn colours_change_no_place() {
    let coloured = View {
        is_coloured: true,
        ..View::styled("peek")
    };
    let case = Case::new(UNCOVERED);
    let drawn = DynHistory::draw(&case.0, coloured);
    let (red, yellow) = (
        "\u{1b}[1m\u{1b}[31mR1\u{1b}[0m",
        "\u{1b}[1m\u{1b}[33my3\u{1b}[0m",
    );
    assert!(drawn.contains(&format!("{red}{yellow}")), "{drawn:?}");
    assert_eq!(
        without_colours(&drawn),
        DynHistory::draw(&case.0, View::styled("peek"))
    );
}

#[test]
fn a_draw_has_its_reason() {
    let there_and_back = "a1-b1 c3-b3 b1-a1 b3-c3 ".repeat(2);
    let case = Case::new(".,.,y1/.,.,./r1,.,. r")
        .play(&there_and_back)
        .drawn();
    let drawn = DynHistory::draw(&case.0, View::default());
    let end = "draw: third occurrence of this position";
    assert_eq!(drawn.lines().last(), Some(end));
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    assert_eq!(Case::new(text).fen(), expected, "{text}");
}

#[track_caller]
fn is_refused(text: &str, expected: &str) {
    let refusal = parse_history(&game(3), text).expect_err("a bad board");
    assert_eq!(refusal.0, expected, "{text}");
}

#[test]
fn boards_are_read_with_frames_and_without() {
    let open = ".,r3,./r3,y1,./y2,.,y3 y";
    let drawn = DynHistory::draw(&Case::new(open).0, View::default());
    reads_as(&drawn, open);
    reads_as("|  |R3|  |\n|R3|y1|  |\n|Y2|  |y3|\nyellow to move", open);
    reads_as(
        "> | |r3| |\n> |(R3)|[y1]| |\n> |y2|.|y3|",
        ".,r3,./r3,y1,./y2,.,y3 r",
    );
}

#[test]
fn covered_pieces_are_missed() {
    let drawn = DynHistory::draw(&Case::new(UNCOVERED).0, View::default());
    is_refused(
        &drawn,
        "red has 0 pieces of size 1 on the board and 1 off it: expected 2 in all (the style peek shows covered ones)",
    );
}

#[test]
fn bad_boards_name_the_rank() {
    let with = |rank_2: &str| format!("| | | |\n{rank_2}\n| | | |");
    for rank_2 in ["| | |", "| |Rx| |", "1 | | | |", "R3"] {
        is_refused(
            &with(rank_2),
            &format!("{rank_2:?}: expected row 2 of the board, with 3 cells of . r y 1 2 3 4"),
        );
    }
    let pile = "expected . or pieces, each r or y and a size from 1 to 3";
    is_refused(&with("| |R4| |"), &format!("\"r4\" on b2: {pile}"));
    let over = format!("{}\nred wins: line a1 b1 c1", with("| | | |"));
    is_refused(
        &over,
        "the game on this board is over. Paste its line `fen: ...`",
    );
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(check_transcripts::<Gobblet>(include_str!("../../../../spec/gobblet.md")) >= 4);
}

#[test]
fn equal_pieces_off_the_board_share_a_spot() {
    let diagram = crate::tests::start(4)
        .play("4@b2 4@c3")
        .0
        .diagram(View::default());
    let reserves = diagram
        .spots
        .iter()
        .filter(|spot| spot.id.starts_with("reserve"));
    let ids: Vec<&str> = reserves.map(|spot| spot.id.as_str()).collect();
    let expected = [
        "reserve p1 4",
        "reserve p1 3",
        "reserve p2 4",
        "reserve p2 3",
    ];
    assert_eq!(ids, expected);
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
    let diagram = crate::tests::start(3)
        .play("3@b2")
        .0
        .diagram(View::default());
    let largest = diagram.shapes.iter().filter_map(|shape| match shape.form {
        Form::Circle { radius, .. } if shape.role == Role::Piece => Some(radius),
        _ => None,
    });
    let largest: Vec<f64> = largest.filter(|radius| *radius > 0.4).collect();
    assert_eq!(largest, [0.45; 4]);
}

#[test]
fn covered_pieces_are_shown_on_request_alone() {
    let case = Case::new(".,r3,./r3,y1,./y2,r1y3,. r");
    let n_covered = |style| {
        let diagram = case.0.diagram(View::styled(style));
        let covered = diagram
            .shapes
            .iter()
            .filter(|shape| shape.role == Role::Covered);
        covered.count()
    };
    assert_eq!([n_covered(""), n_covered("peek")], [0, 1]);
}

#[test]
fn lines_that_the_opponent_threatens_are_drawn_and_told() {
    let drawn = |moves: &str| {
        let diagram = crate::tests::start(3)
            .play(moves)
            .0
            .diagram(View::default());
        let lines = diagram
            .shapes
            .iter()
            .filter(|shape| shape.role == Role::Danger);
        (lines.count(), diagram.caption)
    };
    // Two of red in a row are no threat while red is to move.
    assert_eq!(
        drawn("1@a1 1@c3 1@b1"),
        (1, "yellow to move; red threatens a1 b1 c1".to_owned())
    );
    assert_eq!(drawn("1@a1 1@c3 1@b1 3@b1"), (0, "red to move".to_owned()));
    assert_eq!(
        drawn("3@a1 1@b3 3@b1 1@b2 2@a2 2@c3"),
        (1, "red to move; yellow threatens a3 b3 c3".to_owned()),
    );
}
