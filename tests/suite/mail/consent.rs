//! Actions that need the other player's consent, and the engine as a player.

use super::Case;
use crate::support::has;

#[test]
fn a_draw_is_agreed_by_mail() {
    let (mut case, _, _) = Case::playing("mail-draw", "susan:Size=3");
    case.talk(
        "ann: b2, draw => bob: ann plays b2 and offers a draw. | ann (x) offers a draw
        ann: draw 1 => ann: Your draw offer is still open & 1 letters
        bob^ accept 1 => all: 1/2-1/2 {drawn by agreement}",
    );
}

#[test]
fn a_move_declines_a_draw() {
    let (mut case, _, _) = Case::playing("mail-no-draw", "susan:Size=3");
    case.talk(
        "ann: b2
        ann: draw 1
        bob: move 1 c3
        bob: accept 1 => bob: There is no proposal to answer. & 1 letters
        bob: draw 1
        ann: decline 1 => all: ann declines.
        bob: decline 1 => bob: There is no proposal to answer. & 1 letters",
    );
}

#[test]
fn a_move_is_taken_back_by_consent() {
    let (mut case, _, _) = Case::playing("mail-undo", "susan:Size=3");
    case.talk(
        "// There is nothing to take back.
        ann: undo 1 => ann: Not done & 1 letters
        ann: b2
        ann: undo 1 => bob: ann asks to take back & moves 1. b2
        bob^ accept 1 => moves
        // A move in place of an answer declines.
        ann: move 1 b3
        ann: undo 1
        bob: move 1 c3
        bob: accept 1 => bob: There is no proposal to answer. & 1 letters
        // If the player who is not to move asks for an undo, two moves are taken back.
        ann: undo 1
        bob: undo 1 => moves",
    );
}

#[test]
fn a_request_can_be_declined() {
    let (mut case, _, _) = Case::playing("mail-undo-no", "susan:Size=3");
    case.talk(
        "ann: b2
        ann: undo 1
        bob: reject 1
        bob: accept 1 => bob: There is no proposal to answer. & 1 letters & moves 1. b2",
    );
}

#[test]
fn the_engine_answers_at_once_in_a_transaction_of_its_own() {
    let (mut case, ann, _) = Case::with_two("mail-engine");
    let challenge = format!("challenge susan:Size=3 level=0 linesman ann {ann}");
    let none = case.sends("ann", &challenge);
    assert!(
        none.is_empty(),
        "the engine is to move: its letter says all"
    );
    let play = |case: &mut Case| {
        let notes = case.club.play_engines(case.now);
        assert_eq!(notes.expect("the store is there"), [""; 0]);
    };
    play(&mut case);
    let letter = case.letter_to("ann");
    has(&letter, "linesman plays ");
    play(&mut case);
    assert!(case.letters().is_empty(), "it is Ann's turn");
    has(&case.reply("ann", &letter, "undo\n"), "Not done");
    let told = case.reply("ann", &letter, "draw 1\n");
    has(&told, "linesman (x) declines the draw");
    let is_taken = case.moves(1).contains("c3");
    case.answer("ann", &letter, if is_taken { "a1\n" } else { "c3\n" });
    play(&mut case);
    let letter = case.letter_to("ann");
    has(&letter, "Move 4 is for ann (o)");
    let back = case.reply("ann", &letter, "undo\n");
    has(&back, "Move 2 is for ann (o)");
    has(&case.reply("ann", &back, "resign 1\n"), "ann resigns");
    has(&case.command("standings").0, "linesman");
}
