//! Worked examples of the rules, on the default field unless a case says otherwise. The puck starts on (2, 72).

use kit::{Game, Outcome, Side};

use crate::tests::Case;

/// A game that ends with the third occurrence of a position, by moves back and forth.
pub(crate) const DRAWN: &str = "2x3 HVQHFRRIISFGTTUDFFEGKTRTUDFYTISFSFETEFYSISHUFWYJTQSFUQHRHAHFGTGFRYYTYUDSDWYSKWKATHRF\
                     UQJEJQQFKSIEJEKEISSFYKFFYTYUDSISFSITYTSEUFUUFYFSTQDEFIRFQHDUQHQJQUQRUAIAI";

#[test]
fn the_puck_starts_at_the_initial_segment() {
    assert_eq!(crate::tests::letters(&Case::new("4x8 -")), "ERTYUIKFGHJBL");
}

#[test]
fn a_move_may_end_on_a_line() {
    let case = Case::new("4x8 IGA");
    assert!(
        crate::tests::letters(&case).contains('R'),
        "{}",
        crate::tests::letters(&case)
    );
    let back_on_the_initial_segment = case.play("R");
    assert!(crate::tests::letters(&back_on_the_initial_segment).contains('E'));
}

#[test]
fn a_move_may_not_cross_a_line_between_lattice_points() {
    let case = Case::new("4x8 TA");
    assert!(crate::tests::letters(&case).contains('H'));
    assert_eq!(
        case.refusal("J"),
        "J: it would touch or cross the line of move 1 (T)"
    );
}

#[test]
fn a_move_may_not_touch_the_end_of_a_line_on_its_way() {
    let case = Case::new("4x8 IGA");
    assert_eq!(
        case.refusal("V"),
        "V: it would touch or cross the initial segment"
    );
}

#[test]
fn a_move_may_not_run_along_a_line() {
    let case = Case::new("4x8 B");
    assert_eq!(
        case.refusal("r"),
        "r: it would run along the line of move 1 (B)"
    );
    assert_eq!(
        Case::new("4x8 -").refusal("A"),
        "A: it would end at (0, 72), and a move has to end inside the boundary"
    );
}

#[test]
fn goals_may_be_entered_but_not_run_along() {
    let case = Case::new("4x8 LLLIII");
    assert_eq!(
        case.refusal("I"),
        "I: it would run along the outline of the top goal"
    );
    assert!(crate::tests::letters(&case).contains('U'));
}

#[test]
fn on_the_outline_and_right_through_is_no_win() {
    assert_eq!(Case::new("4x8 LLLIIRRI").outcome(), None);
    assert_eq!(Case::new("4x8 LLLIIRRIL").outcome(), None);
}

#[test]
fn a_goal_counts_for_its_player_whoever_moved() {
    let into_the_top_by_p1 = Case::new("4x8 LLLIIRRII").outcome();
    assert_eq!(into_the_top_by_p1, Some(Outcome::Win(Side::P2)));
    let into_the_bottom_by_p1 = Case::new("4x8 LLLGLBBBBBBBB").outcome();
    assert_eq!(into_the_bottom_by_p1, Some(Outcome::Win(Side::P1)));
    let into_the_bottom_by_p2 = Case::new("4x8 LLLIIGLBBBBBBBB").outcome();
    assert_eq!(into_the_bottom_by_p2, Some(Outcome::Win(Side::P1)));
}

#[test]
fn a_finished_game_has_no_moves() {
    assert_eq!(crate::tests::letters(&Case::new("4x8 LLLIIRRII")), "");
}

#[test]
fn where_no_move_is_ordinary_lines_may_be_crossed() {
    let case = Case::new("2x3 RRFRRHRUAF");
    assert_eq!(crate::tests::letters(&case), "YUIKHJL");
    assert_eq!(
        case.refusal("T"),
        "T: even a free jump may not run along the line of move 10 (F)"
    );
    assert_eq!(
        case.refusal("Z"),
        "Z: it would end at (-7, 37), and a move has to end inside the boundary"
    );
}

#[test]
fn where_no_jump_is_left_anything_inside_goes() {
    let last_but_one = &DRAWN[..DRAWN.len() - 1];
    let case = Case::new(last_but_one);
    let game = case.0.game();
    assert!(game.reversible_plies(case.0.position()) > 0);
    assert!(
        crate::tests::letters(&case).contains('I'),
        "{}",
        crate::tests::letters(&case)
    );
    assert!(case.refusal("A").contains("inside the boundary"));
}

#[test]
fn the_third_occurrence_draws() {
    assert_eq!(Case::new(DRAWN).outcome(), Some(Outcome::Draw));
    let twice = &DRAWN[..DRAWN.len() - 2];
    let case = Case::new(twice);
    assert_eq!(case.outcome(), None);
    assert_eq!(case.0.occurrences(), 2);
}
