//! The drawn board, line by line.

use kit::{Board, View};

use crate::Case;

#[track_caller]
fn draws(case: &Case, style: &str, expected: &str) {
    let expected: Vec<&str> = expected.trim_matches('\n').lines().collect();
    assert_eq!(
        Board::draw(&case.0, View::styled(style)),
        expected.join("\n")
    );
}

#[test]
fn the_start_of_3x3() {
    draws(
        &Case::start(3),
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
yellow has a line and wins
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
yellow has a line and wins
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
red has a line and wins
",
    );
}

#[test]
fn nothing_is_left_off_the_board() {
    let case = Case::new("r3,y3,r3/y3,r2,y2/r1y2,y1r2,y1 r");
    let drawn = Board::draw(&case.0, View::default());
    assert!(drawn.contains("\nyellow (p2) off the board:\n"), "{drawn}");
}
