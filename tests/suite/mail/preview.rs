//! Moves that are shown before they are made, games that are deleted, and challenges that are accepted in advance.

use super::{Case, to};

#[test]
fn a_preview_makes_no_move() {
    let (mut case, ann, bob) = Case::playing("mail-preview", "susan:Size=3");
    case.answer("ann", &ann, "preview b2\n");
    let shown = case.letter_to("ann").text;
    assert!(shown.contains("After b2, which is not played"), "{shown}");
    assert!(shown.contains("b  .[x]. . 5"), "{shown}");
    assert_eq!(case.moves(1), "");
    case.answer("ann", &ann, "preview z9\n");
    assert!(case.letter_to("ann").text.contains("Not done"));
    let told = case.ask("bob", &format!("preview 1 bob {} b2", ann.token()));
    assert!(told.contains("wrong token"), "{told}");
    case.answer("bob", &bob, "preview b2\n");
    assert!(case.letter_to("bob").text.contains("After b2"));
}

#[test]
fn a_submitted_move_is_made_when_it_is_confirmed() {
    let (mut case, ann, bob) = Case::playing("mail-submit", "susan:Size=3");
    case.answer("ann", &ann, "confirm\n");
    assert!(case.letter_to("ann").text.contains("no move is submitted"));
    case.answer("bob", &bob, "submit b2\n");
    assert!(case.letter_to("bob").text.contains("ann is to move"));
    case.answer("ann", &ann, "submit b3\n");
    case.letters();
    case.answer("ann", &ann, "submit b2\n");
    let submitted = case.letter_to("ann");
    assert!(
        submitted.text.contains("b  .[x]. . 5"),
        "{}",
        submitted.text
    );
    let line = format!("    confirm 1 ann {}\n", ann.token());
    assert!(submitted.text.contains(&line), "{}", submitted.text);
    assert_eq!(case.moves(1), "");
    case.answer("ann", &submitted, "confirm\n");
    assert_eq!(case.moves(1), "1. b2");
    case.letters();
    // Another move makes a submitted one void.
    case.answer("bob", &bob, "submit c3\n");
    case.letters();
    case.answer("bob", &bob, "move c2\n");
    case.letters();
    case.send("bob", &format!("confirm 1 bob {}", bob.token()), "");
    let told = case.letter_to("bob").text;
    assert!(told.contains("move 2 was already played"), "{told}");
    // A takeback makes it void too: the position of this number may be another one.
    case.answer("ann", &ann, "submit a1#3\n");
    assert!(case.letter_to("ann").text.contains("Not done"));
    case.send("ann", &format!("submit 1 ann {} a1", ann.token()), "");
    assert!(case.letter_to("ann").text.contains("confirm"));
    for words in ["undo 1 bob", "undo 1 ann", "move 1 bob c3"] {
        assert!(case.command(words).1, "{words}");
    }
    case.letters();
    case.send("ann", &format!("confirm 1 ann {}", ann.token()), "");
    let told = case.letter_to("ann").text;
    assert!(told.contains("no move is submitted"), "{told}");
}

#[test]
fn a_game_that_has_hardly_begun_can_be_deleted() {
    let (mut case, ann, bob) = Case::playing("mail-delete", "susan:Size=3");
    case.answer("ann", &ann, "b2\n");
    case.letters();
    case.answer("bob", &bob, "delete 1\n");
    let letters = case.letters();
    assert_eq!(to(&letters, "ann").subject, "[susan 1] bob deletes");
    case.answer("ann", &ann, "b3\n");
    let told = case.letter_to("ann").text;
    assert!(told.contains("was called off"), "{told}");
    assert!(case.command("show 1").0.contains("deleted"));
    assert!(case.command("standings").0.contains("no finished games"));
    for words in [
        "challenge susan:Size=3 bob ann",
        "accept 2 bob",
        "move 2 ann b2",
        "move 2 bob c3",
    ] {
        assert!(case.command(words).1, "{words}");
    }
    let letters = case.letters();
    case.answer("ann", to(&letters, "ann"), "delete 2\n");
    let told = case.letter_to("ann").text;
    assert!(told.contains("expected resign or draw"), "{told}");
    assert!(case.command("delete 2 ann").1, "the host can");
}

#[test]
fn challenges_of_a_welcome_user_begin_at_once() {
    let (mut case, ann, bob) = Case::with_two("mail-welcome");
    let told = case.ask("bob", &format!("welcome ann {bob}"));
    assert!(told.contains("Challenges from ann begin at once"), "{told}");
    case.send("ann", &format!("challenge susan:Size=3 bob {ann}"), "");
    let letters = case.letters();
    assert_eq!(letters.len(), 2);
    case.answer("ann", to(&letters, "ann"), "b2\n");
    assert_eq!(case.moves(1), "1. b2");
    case.letters();
    // It is not mutual.
    case.send("bob", &format!("challenge susan:Size=3 ann {bob}"), "");
    assert_eq!(
        to(&case.letters(), "ann").subject,
        "[susan 2] bob challenges you"
    );
    case.ask("bob", &format!("unwelcome ann {bob}"));
    case.send("ann", &format!("challenge susan:Size=3 bob {ann}"), "");
    assert_eq!(
        to(&case.letters(), "bob").subject,
        "[susan 3] ann challenges you"
    );
}
