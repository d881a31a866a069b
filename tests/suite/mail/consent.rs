//! Actions that need the other player's consent, and the engine as a player.

use super::{Case, to};
use crate::support::has;

#[test]
fn a_draw_is_agreed_by_mail() {
    let (mut case, ann, _) = Case::playing("mail-draw", "susan:Size=3");
    case.answer("ann", &ann, "b2, draw\n");
    let letters = case.letters();
    let to_bob = to(&letters, "bob");
    has(&to_bob.text, "ann plays b2 and offers a draw.");
    has(&to_bob.text, "ann (x) offers a draw");
    case.answer("ann", &ann, "draw 1\n");
    has(&case.letter_to("ann").text, "Your draw offer is still open");
    case.answer("bob", to_bob, "accept 1\n");
    case.all_have("1/2-1/2 {drawn by agreement}");
}

#[test]
fn a_move_declines_a_draw() {
    let (mut case, ann, bob) = Case::playing("mail-no-draw", "susan:Size=3");
    case.answer("ann", &ann, "b2\n");
    case.answer("ann", &ann, "draw 1\n");
    case.answer("bob", &bob, "move 1 c3\n");
    case.letters();
    case.answer("bob", &bob, "accept 1\n");
    let told = case.letter_to("bob").text;
    has(&told, "There is no proposal to answer.");
    case.answer("bob", &bob, "draw 1\n");
    case.letters();
    case.answer("ann", &ann, "decline 1\n");
    case.all_have("ann declines.");
    case.answer("bob", &bob, "decline 1\n");
    has(
        &case.letter_to("bob").text,
        "There is no proposal to answer.",
    );
}

#[test]
fn a_move_is_taken_back_by_consent() {
    let (mut case, ann, bob) = Case::playing("mail-undo", "susan:Size=3");
    case.answer("ann", &ann, "undo 1\n");
    assert!(
        case.letter_to("ann").text.contains("Not done"),
        "nothing to take back"
    );
    case.answer("ann", &ann, "b2\n");
    case.letters();
    case.answer("ann", &ann, "undo 1\n");
    let letters = case.letters();
    let asked = to(&letters, "bob");
    has(&asked.text, "ann asks to take back");
    assert_eq!(case.moves(1), "1. b2");
    case.answer("bob", asked, "accept 1\n");
    assert_eq!(case.moves(1), "");
    case.letters();
    // A move in place of an answer declines.
    case.answer("ann", &ann, "move 1 b3\n");
    case.answer("ann", &ann, "undo 1\n");
    case.answer("bob", &bob, "move 1 c3\n");
    case.letters();
    case.answer("bob", &bob, "accept 1\n");
    has(
        &case.letter_to("bob").text.replace('\n', " "),
        "There is no proposal to answer.",
    );
    // If the player who is not to move asks for an undo, two moves are taken back.
    case.answer("ann", &ann, "undo 1\n");
    case.answer("bob", &bob, "undo 1\n");
    assert_eq!(case.moves(1), "");
}

#[test]
fn a_request_can_be_declined() {
    let (mut case, ann, bob) = Case::playing("mail-undo-no", "susan:Size=3");
    case.answer("ann", &ann, "b2\n");
    case.answer("ann", &ann, "undo 1\n");
    case.answer("bob", &bob, "reject 1\n");
    case.letters();
    case.answer("bob", &bob, "accept 1\n");
    has(
        &case.letter_to("bob").text.replace('\n', " "),
        "There is no proposal to answer.",
    );
    assert_eq!(case.moves(1), "1. b2");
}

#[test]
fn the_engine_answers_at_once_in_a_transaction_of_its_own() {
    let (mut case, ann, _) = Case::with_two("mail-engine");
    let words = format!("challenge susan:Size=3 level=0 linesman ann {ann}");
    case.send("ann", &words, "");
    assert!(
        case.letters().is_empty(),
        "the engine is to move: its letter says all"
    );
    let play = |case: &mut Case| {
        let notes = case
            .club
            .play_engines(case.now)
            .expect("the store is there");
        assert!(notes.is_empty(), "{notes:?}");
    };
    play(&mut case);
    let letter = case.letter_to("ann");
    has(&letter.text, "linesman plays ");
    play(&mut case);
    assert!(case.letters().is_empty(), "it is Ann's turn");
    case.answer("ann", &letter, "undo\n");
    assert!(
        case.letter_to("ann").text.contains("Not done"),
        "nothing of hers to take back"
    );
    case.answer("ann", &letter, "draw 1\n");
    let told = case.letter_to("ann").text;
    has(&told, "linesman (x) declines the draw");
    let free = if case.moves(1).contains("c3") {
        "a1"
    } else {
        "c3"
    };
    case.answer("ann", &letter, &format!("{free}\n"));
    play(&mut case);
    let letter = case.letter_to("ann");
    has(&letter.text, "Move 4 is for ann (o)");
    case.answer("ann", &letter, "undo\n");
    let back = case.letter_to("ann");
    has(&back.text, "Move 2 is for ann (o)");
    case.answer("ann", &back, "resign 1\n");
    has(&case.letter_to("ann").text, "ann resigns");
    let (standings, _) = case.command("standings");
    has(&standings, "linesman");
}
