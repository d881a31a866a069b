//! Tests of the figures of the game's FAQ, and of its statements on them.

use kit::{DynHistory, PositionHistory, Side};

use crate::tests::{Case, game};

const FIGURE_1: &str = "
    S     S     S     S     S  <---5

    S     .     .     .     S  <---4

    .     .     .     .     .  <---3

    O     .     .     .     O  <---2

    O     O     O     O     O  <---1
    ________________________________

    a     b     c     d     e
";

const FIGURE_2: &str = "
    S     .     O     .     S
    O     .     .     .     O
    O     S     S     O     S
    S     .     .     .     .
    .     .     O     O     S
";

const FIGURE_3: &str = "
    S     .     O     .     O
    O     .     S     O     S
    S     .     .     .     .
    O     O     S     S     O
    S     .     .     .     .
";

pub(crate) const PUZZLE: &str = "
    S     .     O     S     O
    O     .     .     .     S
    O     .     .     .     O
    .     O     .     .     S
    S     S     S     .     O
";

pub(crate) const FIGURE_4: &str = "
    S     O     S     O     S
    .     S     .     .     .
    O     .     O     .     O
    .     .     S     .     .
    S     O     S     O     .
";

const FIGURE_5: &str = "
    S     O     S     O     S
    .     .     .     .     O
    O     .     S     .     O
    .     .     .     .     .
    S     O     S     O     S
";

#[test]
fn figure_1_is_the_start() {
    let start = PositionHistory::start(game("contact"));
    assert_eq!(Case::new(FIGURE_1).fen(), DynHistory::fen(&start));
    assert_eq!(DynHistory::fen(&start), "sssss/s3s/5/o3o/ooooo o 0");
}

#[test]
fn figure_2_is_check_by_the_isolated_piece_on_c5() {
    let case = Case::new(FIGURE_2);
    assert!(case.picture().ends_with("O to move, in check: c5"));
    assert_eq!(
        case.refusal("c5-c4"),
        "c5-c4: the piece on c5 is isolated, so it cannot move"
    );
}

#[test]
fn figure_2_a4_c4_clears_the_check_and_creates_one() {
    let case = Case::new(FIGURE_2).play("a4-c4");
    assert!(
        case.picture().ends_with("S to move, in check: a5"),
        "{}",
        case.picture()
    );
}

#[test]
fn figure_3_s_threatens_d2_e1() {
    let text = format!("{FIGURE_3} S");
    Case::new(&text).goes_on().play("d2-e1").won_by(Side::P2);
}

#[test]
fn figure_3_b2_b4_denies_c2_its_connection() {
    let case = Case::new(FIGURE_3).play("b2-b4 d2-e1").goes_on();
    let after = case.play("b4-b5");
    assert!(
        after.picture().ends_with("S to move, in check: c2"),
        "{}",
        after.picture()
    );
}

#[test]
fn figure_4_has_o_in_check() {
    let case = Case::new(FIGURE_4);
    assert!(case.picture().ends_with("O to move, in check: e3"));
    assert_eq!(case.moves(), ["pass"]);
}

#[test]
fn figure_4_both_reach_the_goal_at_once() {
    Case::new(FIGURE_4)
        .play("pass b4-b3 pass")
        .goes_on()
        .play("c2-e2")
        .drawn();
}

#[test]
fn figure_4_s_wins_by_a_second_isolation() {
    let before = Case::new(FIGURE_4).play("pass b4-c4 pass c2-d2 pass d2-e1 pass");
    let after = before.goes_on().play("c4-d3").won_by(Side::P2);
    assert_eq!(after.fen(), "sosos/5/o1oso/5/sosos o 0");
}

#[test]
fn figure_5_s_cannot_move_again() {
    assert_eq!(Case::new(&format!("{FIGURE_5} S")).moves(), ["pass"]);
}

/// The squares around c3 on ranks 4, 3 and 2 of the figure, each as the position string with the piece of e3 on it.
const O_NEXT_TO_C3: [&str; 8] = [
    "sosos/1o2o/o1s2/5/sosos o 0",
    "sosos/2o1o/o1s2/5/sosos o 0",
    "sosos/3oo/o1s2/5/sosos o 0",
    "sosos/4o/oos2/5/sosos o 0",
    "sosos/4o/o1so1/5/sosos o 0",
    "sosos/4o/o1s2/1o3/sosos o 0",
    "sosos/4o/o1s2/2o2/sosos o 0",
    "sosos/4o/o1s2/3o1/sosos o 0",
];

#[test]
fn figure_5_an_o_next_to_c3_is_a_win_for_s() {
    for position in O_NEXT_TO_C3 {
        Case::new(position).won_by(Side::P2);
    }
}

#[test]
fn figure_5_o_cannot_win_either() {
    let around = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"];
    for code in Case::new(FIGURE_5).moves() {
        let (_, to) = code.split_once('-').expect("O can slide");
        let after = Case::new(FIGURE_5).play(&code);
        if around.contains(&to) {
            after.won_by(Side::P2);
        } else {
            after.goes_on();
        }
    }
}
