//! Proposals that need the other person's consent.

use record::table::SideSet;

use super::case::Case;

#[test]
fn undo_between_two_people_needs_the_others_yes() {
    Case::two_people().0.talk(
        "Ann plays a1 / Bob plays b1 / Ann: undo => Ann proposes move 0 | done
        // nothing is taken back yet
        moves a1 b1
        Bob hears .. / Bob: accept => accepted | went to 0 | turn of p1 | done
        moves",
    );
}

#[test]
fn a_declined_undo_changes_nothing() {
    Case::two_people().0.talk(
        "Ann plays a1 / Ann: undo / Bob hears .. / Bob: decline => declined | done
        Ann: undo / Bob hears ..
        // a move declines
        Bob: play b1 => p2 plays b1 | declined | turn of p1 | done
        Bob: accept => refused: there is no proposal to accept",
    );
}

#[test]
fn nobody_accepts_his_own_proposal() {
    Case::two_people().0.talk(
        "Ann plays a1 / Ann: undo / Ann: accept => refused: there is no proposal to accept
        Ann: decline => withdrawn | done",
    );
}

#[test]
fn one_proposal_at_a_time() {
    Case::two_people().0.talk(
        "Ann plays a1 / Ann: offer-draw / Bob: undo => refused: there is no move to take back
        Bob plays b1 / Ann: offer-draw
        Bob: undo => refused: p1 offers a draw: answer that first",
    );
}

#[test]
fn a_draw_is_offered_once_and_agreed() {
    Case::two_people().0.talk(
        "Ann: offer-draw => Ann proposes a draw | done
        Ann: offer-draw => refused: your draw offer is still open: wait
        Ann plays a1 / Bob hears ..
        // the offer stands over the move of the one who made it, and an offer agrees to an offer
        Bob: offer-draw => accepted | over: 1/2-1/2 {drawn by agreement} | no turn | done",
    );
}

#[test]
fn a_move_declines_a_draw() {
    Case::two_people().0.talk(
        "Ann: offer-draw / Ann plays a1
        Bob: play b1 => p2 plays b1 | declined | turn of p1 | done",
    );
}

#[test]
fn an_engine_answers_an_offer_at_once() {
    Case::against_engine()
        .talk("host Ann joins / Ann: offer-draw => refused: Bot (p2) declines the draw");
}

#[test]
fn one_person_in_both_seats_needs_nobodys_yes() {
    Case::with(["human", "human"], "-", SideSet::NONE).talk(
        "host Ann joins / Ann plays a1 b1 / Ann: undo / moves a1
        Ann: offer-draw / Ann: offer-draw => accepted | ..",
    );
}

#[test]
fn another_game_needs_consent_while_one_is_under_way() {
    Case::two_people().0.talk(
        "Ann plays a1 / Ann: new => Ann proposes another game | done
        Bob hears .. / Bob: accept => accepted | a new game | snapshot | turn of p1 | done
        moves
        Bob: resign / Ann: new => a new game | ..",
    );
}

#[test]
fn two_people_get_hints_only_if_both_agree_before_the_first_move() {
    let (mut case, ..) = Case::two_people();
    case.table.allows_hints = false;
    case.talk(
        "Bob: hint => *hints* | *is asked to allow them* | ..
        Ann: accept / Ann hears .. / Bob hears .. / Ann: hint => Ann asked for Hint",
    );
    // Another game begins without them, and a move ends the time to agree.
    let (mut case, ..) = Case::two_people();
    case.table.allows_hints = false;
    case.talk(
        "Ann plays a1 / Ann: eval => *before the first move* | ..
        Ann: resign / Ann: review 0.01 => Ann begins a review | done",
    );
}
