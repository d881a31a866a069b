//! Proposals that need the other person's consent.

use record::table::{Role, SideSet};

use super::case::Case;
use crate::request::TableCommand;

#[test]
fn undo_between_two_people_needs_the_others_yes() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    case.play(&bob, "b1");
    assert_eq!(
        case.ask(&ann, TableCommand::Undo),
        ["Ann proposes move 0", "done"]
    );
    assert_eq!(case.moves(), "a1 b1", "nothing is taken back yet");
    bob.events();
    assert_eq!(
        case.ask(&bob, TableCommand::Accept),
        ["accepted", "went to 0", "turn of p1", "done"]
    );
    assert_eq!(case.moves(), "");
}

#[test]
fn a_declined_undo_changes_nothing() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Undo);
    bob.events();
    assert_eq!(case.ask(&bob, TableCommand::Decline), ["declined", "done"]);
    case.ask(&ann, TableCommand::Undo);
    bob.events();
    assert_eq!(
        case.play(&bob, "b1"),
        ["p2 plays b1", "declined", "turn of p1", "done"],
        "a move declines"
    );
    assert_eq!(
        case.ask(&bob, TableCommand::Accept),
        ["refused: there is no proposal to accept"]
    );
}

#[test]
fn nobody_accepts_his_own_proposal() {
    let (mut case, ann, _bob) = Case::two_people();
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Undo);
    assert_eq!(
        case.ask(&ann, TableCommand::Accept),
        ["refused: there is no proposal to accept"]
    );
    assert_eq!(case.ask(&ann, TableCommand::Decline), ["withdrawn", "done"]);
}

#[test]
fn one_proposal_at_a_time() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::OfferDraw);
    assert_eq!(
        case.ask(&bob, TableCommand::Undo),
        ["refused: there is no move to take back"]
    );
    case.play(&bob, "b1");
    case.ask(&ann, TableCommand::OfferDraw);
    assert_eq!(
        case.ask(&bob, TableCommand::Undo),
        ["refused: p1 offers a draw: answer that first"]
    );
}

#[test]
fn a_draw_is_offered_once_and_agreed() {
    let (mut case, ann, bob) = Case::two_people();
    assert_eq!(
        case.ask(&ann, TableCommand::OfferDraw),
        ["Ann proposes a draw", "done"]
    );
    assert_eq!(
        case.ask(&ann, TableCommand::OfferDraw),
        ["refused: your draw offer is still open: wait"]
    );
    case.play(&ann, "a1");
    bob.events();
    assert_eq!(
        case.ask(&bob, TableCommand::OfferDraw),
        [
            "accepted",
            "over: 1/2-1/2 {drawn by agreement}",
            "no turn",
            "done"
        ],
        "the offer stands over the move of the one who made it, and an offer agrees to an offer"
    );
}

#[test]
fn a_move_declines_a_draw() {
    let (mut case, ann, bob) = Case::two_people();
    case.ask(&ann, TableCommand::OfferDraw);
    case.play(&ann, "a1");
    assert_eq!(
        case.play(&bob, "b1"),
        ["p2 plays b1", "declined", "turn of p1", "done"]
    );
}

#[test]
fn an_engine_answers_an_offer_at_once() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(
        case.ask(&ann, TableCommand::OfferDraw),
        ["refused: Bot (p2) declines the draw"]
    );
}

#[test]
fn one_person_in_both_seats_needs_nobodys_yes() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "a1");
    case.play(&ann, "b1");
    case.ask(&ann, TableCommand::Undo);
    assert_eq!(case.moves(), "a1");
    case.ask(&ann, TableCommand::OfferDraw);
    let agreed = case.ask(&ann, TableCommand::OfferDraw);
    assert_eq!(
        agreed[0], "accepted",
        "whoever sits on the other side agrees"
    );
}

#[test]
fn another_game_needs_consent_while_one_is_under_way() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    let new = || TableCommand::New {
        opening: None,
        lines: Vec::new(),
    };
    assert_eq!(case.ask(&ann, new()), ["Ann proposes another game", "done"]);
    bob.events();
    assert_eq!(
        case.ask(&bob, TableCommand::Accept),
        ["accepted", "a new game", "snapshot", "turn of p1", "done"]
    );
    assert_eq!(case.moves(), "");
    case.ask(&bob, TableCommand::Resign);
    let begun = case.ask(&ann, new());
    assert_eq!(begun[0], "a new game", "the old one is over");
}

#[test]
fn two_people_get_hints_only_if_both_agree_before_the_first_move() {
    let (mut case, ann, bob) = Case::two_people();
    case.table.allows_hints = false;
    let told = case.ask(&bob, TableCommand::Hint);
    assert!(told[0].contains("hints"), "{told:?}");
    assert!(told[1].contains("is asked to allow them"), "{told:?}");
    case.ask(&ann, TableCommand::Accept);
    case.forget(&[&ann, &bob]);
    assert_eq!(case.ask(&ann, TableCommand::Hint), ["Ann asked for Hint"]);
    // Another game begins without them, and a move ends the time to agree.
    let (mut case, ann, _bob) = Case::two_people();
    case.table.allows_hints = false;
    case.play(&ann, "a1");
    let told = case.ask(&ann, TableCommand::Eval);
    assert!(told[0].contains("before the first move"), "{told:?}");
    case.ask(&ann, TableCommand::Resign);
    let review = TableCommand::Review { seconds: 0.01 };
    let told = case.ask(&ann, review);
    assert!(
        told.iter().all(|line| !line.starts_with("refused")),
        "{told:?}"
    );
}
