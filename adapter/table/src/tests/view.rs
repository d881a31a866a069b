//! Views of each client, and the actions that it has.

use crate::model::TableCommand;
use crate::model::{Action, ActionId, CommandId, Place, Refusal, SideSet, TableView};

use super::case::Case;

fn view(case: &Case, name: &str) -> TableView {
    case.table.view(case.people[name].id)
}

/// The ids of the possible actions of a place, in their order.
fn possible(view: &TableView, place: Place) -> Vec<ActionId> {
    let actions = view.actions.iter();
    let possible = actions.filter(|action| action.place == place && action.refused.is_none());
    possible.map(|action| action.id).collect()
}

fn find(view: &TableView, id: ActionId) -> &Action {
    let mut actions = view.actions.iter();
    let found = actions.find(|action| action.id == id);
    found.unwrap_or_else(|| panic!("{id:?} is not among {:?}", view.actions))
}

#[test]
fn each_player_sees_the_own_turn_and_what_is_possible() {
    let (mut case, ..) = Case::two_people();
    let (ann, bob) = (view(&case, "Ann"), view(&case, "Bob"));
    assert_eq!(ann.heading.as_deref(), Some("Your turn"));
    assert_eq!(ann.note, "You play player 1.");
    assert_eq!((ann.is_own_turn, &ann.cannot_move), (true, &None));
    assert_eq!((bob.heading, bob.is_own_turn), (None, false));
    let player = "p1".to_owned();
    assert_eq!(bob.cannot_move, Some(Refusal::OthersTurn { player }));
    let undo = find(&ann, ActionId::Undo);
    assert_eq!(undo.refused, Some(Refusal::NothingToUndo));
    assert_eq!(undo.why.as_deref(), Some("There is no move to take back."));
    case.talk("Ann plays a1 / Ann: offer-draw");
    let (ann, bob) = (view(&case, "Ann"), view(&case, "Bob"));
    assert_eq!(
        find(&ann, ActionId::Draw).refused,
        Some(Refusal::OfferIsOpen)
    );
    assert_eq!(find(&ann, ActionId::Decline).label, "Withdraw");
    let answers = [ActionId::Accept, ActionId::Decline];
    assert_eq!(possible(&bob, Place::Proposal), answers);
    let undo = find(&ann, ActionId::Undo);
    assert_eq!((undo.command, &undo.refused), (CommandId::Undo, &None));
    assert!(find(&bob, ActionId::Resign).confirm.is_some());
    case.talk("Bob: resign");
    let (ann, bob) = (view(&case, "Ann"), view(&case, "Bob"));
    assert_eq!(ann.heading.as_deref(), Some("You won"));
    assert_eq!(
        (bob.heading.as_deref(), bob.note.as_str()),
        (Some("You lost"), "p2 resigns")
    );
    let again = [ActionId::Again, ActionId::Rematch];
    assert_eq!(possible(&ann, Place::Ending), again);
    assert_eq!(possible(&bob, Place::Ending), again[1..]);
    assert_eq!(find(&bob, ActionId::Hint).refused, Some(Refusal::GameOver));
}

/// As after a reload of a page: the client has another number.
#[test]
fn a_proposer_who_comes_back_may_withdraw() {
    let (mut case, ..) = Case::two_people();
    case.talk("Ann plays a1 / Ann: undo / Ann: leave / host Ann joins");
    let ann = view(&case, "Ann");
    assert_eq!(find(&ann, ActionId::Decline).label, "Withdraw");
    case.talk(
        "Bob: undo => refused: There is no move to take back.
        Ann hears .. / Ann: decline => withdrawn | done
        Ann: offer-draw / Ann: leave / host Ann joins",
    );
    let refused = find(&view(&case, "Ann"), ActionId::Draw).refused.clone();
    assert_eq!(refused, Some(Refusal::OfferIsOpen));
    case.talk("Ann: offer-draw => refused: Your draw offer is still open. Wait for the answer.");
}

#[test]
fn a_spectator_sees_the_result_and_does_nothing() {
    let (mut case, ..) = Case::two_people();
    case.talk("spectator Eve joins / Ann plays a1 / Bob: resign");
    let eve = view(&case, "Eve");
    assert_eq!(
        (eve.heading.as_deref(), eve.note.as_str()),
        (Some("p1 wins"), "p2 resigns")
    );
    assert!(eve.actions.is_empty() && eve.plays.is_empty());
    assert_eq!(eve.cannot_move, Some(Refusal::NotPlaying));
}

#[test]
fn the_host_drives_engines_and_changes_their_pace() {
    let mut case = Case::with(["One", "Two"], "depth=1", SideSet::NONE);
    case.talk("host Ann joins / Ann: pause");
    let ann = view(&case, "Ann");
    let at_turn = possible(&ann, Place::Turn);
    let moving = [ActionId::MoveNow, ActionId::Pause, ActionId::Slower];
    assert_eq!(at_turn, moving);
    assert_eq!(find(&ann, ActionId::Slower).args.seconds, Some(0.3));
    case.talk("One moves a1");
    let ann = view(&case, "Ann");
    assert_eq!(possible(&ann, Place::Turn), [ActionId::Go, ActionId::Step]);
    assert_eq!(
        (ann.cannot_move, ann.note.as_str()),
        (None, "The engine is waiting.")
    );
    // One move, then they wait again.
    let ann = case.people["Ann"].clone();
    let step = TableCommand::Go {
        limit: None,
        once: true,
    };
    case.ask(&ann, step);
    case.talk("Two moves b1");
    assert_eq!(
        possible(&view(&case, "Ann"), Place::Turn),
        [ActionId::Go, ActionId::Step]
    );
}
