//! Remarks among commands and moves: what is carried out, and what an answer names.

use super::{Case, Report, last_to, to};
use crate::support::{begins, has, lacks};

/// Lines that begin like a command and are none, in each way that one of them can be read.
const REMARKS: [&str; 44] = [
    "Watch this!",
    "Show me what you've got!",
    "Show me",
    "Show 1 more time how it is done",
    "Note: I am away next week",
    "Note that I am away",
    "Note:",
    "Message: received",
    "Message received",
    "Games are fun",
    "Games bob wins are short",
    "History repeats",
    "History repeats itself",
    "History 1 repeats",
    "Accept my apologies",
    "Address the issue",
    "Add me to your friends",
    "Block that!",
    "Challenge accepted",
    "Change is good",
    "Chat: hello",
    "Decline is sad",
    "Delete this mail",
    "Draw your own conclusions",
    "Forget about it",
    "Help yourself",
    "List of my sins follows",
    "Move over",
    "Pass the salt",
    "Players like you are rare",
    "Propose a toast",
    "Queue up",
    "Ratings go up and down",
    "Reject the premise",
    "Resign yourself to a long fight",
    "Signoff for today",
    "Signup is easy, thank you",
    "Standings susan look good",
    "Swap you for a coffee",
    "Token of my esteem",
    "Unblock the road",
    "Undo the knot",
    "Whoami to judge",
    "Susan is a fine game",
];

#[test]
fn a_remark_above_the_move_does_not_lose_it() {
    for (at, remark) in REMARKS.iter().enumerate() {
        let (mut case, ann, _) = Case::playing(&format!("mail-remark-{at}"), "susan:Size=3");
        // As the first line of the text.
        case.answer("ann", &ann, &format!("{remark}\n\nb2\n"));
        assert_eq!(case.moves(1), "1. b2", "{remark}");
        let letters = case.letters();
        assert_eq!(letters.len(), 2, "{remark}: {letters:#?}");
        // As the subject.
        let letter = to(&letters, "bob").clone();
        let header = format!("In-Reply-To: <{}>\n", letter.id);
        case.send_with("bob", &header, remark, "c3\n");
        assert_eq!(case.moves(1), "1. b2 2. c3", "{remark}");
        assert_eq!(case.letters().len(), 2, "{remark}");
        let (text, _) = case.command("history 1");
        assert_eq!(text.lines().count(), 4, "no note: {text}");
    }
}

/// Words that need the number of the board, or more.
const INCOMPLETE: [&str; 12] = [
    "Resign yourself to a long fight, Ann!",
    "Accept this",
    "Show ann what you can",
    "Help susan please",
    "Confirm this please",
    "I resign.",
    "2. resign",
    "draw",
    "accept",
    "resign",
    "delete",
    "move draw",
];

#[test]
fn a_remark_alone_is_answered_and_changes_nothing() {
    let (mut case, _, bob) = Case::playing("mail-remark-alone", "susan:Size=3");
    case.talk("ann: b2, draw");
    for remark in REMARKS.into_iter().chain(INCOMPLETE) {
        case.now += 3600;
        has(&case.reply("bob", &bob, &format!("{remark}\n")), "Not done");
    }
    let (history, _) = case.command("history 1");
    assert_eq!(history.lines().count(), 4, "no note: {history}");
    case.talk(
        "host> show 1 => ann (x) offers a draw
        bob: resign => bob: write resign 1 & 1 letters & moves 1. b2
        bob: accept bob {bob 1}
        host> show 1 => 1/2-1/2",
    );
}

/// The answer is about the move, not about the remark above it.
#[test]
fn a_wrong_move_below_a_remark_is_named() {
    let (mut case, ann, _) = Case::playing("mail-remark-wrong", "susan:Size=3");
    for (wrong, why) in [("z9", "z9"), ("b2b2", "b2->b2: b2 is empty")] {
        case.answer(
            "ann",
            &ann,
            &format!("Show me what you've got!\n\n{wrong}\n"),
        );
        let told = case.letter_to("ann").text;
        begins(&told, format!("Not done: {why}"));
        lacks(&told, "show USER");
    }
}

/// The same lines in a message that is no answer.
#[test]
fn a_remark_above_a_whole_move_does_not_lose_it() {
    let (mut case, ann, bob) = Case::playing("mail-remark-whole", "susan:Size=3");
    let text = format!("Watch this!\n\nmove 1 ann {} b2\n", ann.token());
    case.send("ann", "", &text);
    assert_eq!(case.moves(1), "1. b2");
    let text = format!("Show me what you've got!\nmove 1 bob {} c3\n", bob.token());
    case.send("bob", "hello", &text);
    assert_eq!(case.moves(1), "1. b2 2. c3");
}

#[test]
fn commands_around_a_move_are_carried_out() {
    let (mut case, ann, _) = Case::playing("mail-around", "susan:Size=3");
    case.answer("ann", &ann, "show 1#0\nb2\nqueue 1 a1#3\n");
    assert_eq!(case.moves(1), "1. b2");
    let letters = case.letters();
    let told = letters.last().expect("an answer");
    has(&told, "After move 0:");
    has(&told, "Move 3 on board 1 will be a1");
    lacks(&told, "Nothing was done");
}

/// They need the number of the board, and say so; the move below them is played.
#[test]
fn an_offer_above_the_move_does_not_lose_it() {
    for (at, offer) in ["Draw?", "draw", "I resign!", "Resign"].iter().enumerate() {
        let (mut case, ann, _) = Case::playing(&format!("mail-offer-{at}"), "susan:Size=3");
        case.answer("ann", &ann, &format!("{offer}\n\nb2\n"));
        assert_eq!(case.moves(1), "1. b2", "{offer}");
        let letters = case.letters();
        assert_eq!(letters.len(), 3, "{offer}: {letters:#?}");
        has(&letters[2], "needs the number of the board");
        has(&case.command("show 1").0, "move 2 is for bob");
    }
}

#[test]
fn lines_without_effect_are_named() {
    let (mut case, ann, _) = Case::playing("mail-unread", "susan:Size=3");
    let token = ann.token();
    let send = |case: &mut Case, text: &str| {
        case.send("ann", "", text);
        last_to(&case.letters(), "ann").clone()
    };
    // Below an unknown command.
    let told = send(
        &mut case,
        &format!("whoami {token}\nbroadcast hello\nresign 1 ann {token}\nshow 1\n"),
    );
    for part in [
        "Nothing was done for the lines below.",
        "\n> broadcast hello\n> resign 1 ann TOKEN\n> show 1\n",
    ] {
        has(&told, part);
    }
    lacks(&told, &token);
    // The move needs no answer; the command that was not carried out does.
    let told = send(&mut case, &format!("move 1 ann {token} b2\nHi!\nshow 1\n"));
    has(&told, "\n> Hi!\n> show 1\n");
    // Nothing stands above them.
    let told = send(&mut case, &format!("Hello,\nresign 1 ann {token}\n"));
    has(&told, "no command in it");
    has(&told, "\n> Hello,\n> resign 1 ann TOKEN\n");
    // Long texts are cut.
    let told = send(&mut case, &format!("show 1\n{}", "hm\n".repeat(30)));
    has(&told, "> hm\nand 25 more\n");
    has(&case.command("show 1").0, "move 2 is for bob");
}

#[test]
fn a_copy_of_the_letter_without_quotation_marks_is_not_carried_out() {
    let (mut case, ann, _) = Case::playing("mail-copy", "susan:Size=3");
    case.answer("ann", &ann, &format!("b2\n\nCheers, Ann\n\n{}", ann.text));
    assert_eq!(case.moves(1), "1. b2");
    let letters = case.letters();
    assert_eq!(letters.len(), 2, "nothing is named: {letters:#?}");
    let bob = to(&letters, "bob").clone();
    for text in ["Thank you!", "Show me what you've got!", "Well played."] {
        let told = case.reply("bob", &bob, &format!("{text}\n\n{}", bob.text));
        has(&told, "Not done");
        lacks(&told, "> resign");
    }
    has(&case.command("show 1").0, "move 2 is for bob");
}

#[test]
fn a_command_fits_the_form_that_its_refusal_shows() {
    let (mut case, ann, bob) = Case::with_two("mail-own-form");
    assert!(case.command("challenge susan:Size=3 bob ann").1);
    assert!(case.command("accept 1 bob").1);
    case.letters();
    for (words, part) in [
        ("show 1 ann TOKEN", "move 1 is for ann"),
        ("show 1 TOKEN", "move 1 is for ann"),
        ("show 1#0 ann TOKEN", "After move 0:"),
        ("show susan 1 ann TOKEN", "move 1 is for ann"),
        ("show ann TOKEN", "The games of ann"),
        ("show ann next TOKEN", "ann is to move on"),
        ("history 1 ann TOKEN", "ann - bob"),
        ("history ann TOKEN", "ann has no finished games"),
        ("games TOKEN", "susan:Size=3"),
        ("games ann TOKEN", "The games of ann"),
        ("players TOKEN", "ann, bob, linesman"),
        ("standings TOKEN", "no finished games"),
        ("ratings susan TOKEN", "no finished games"),
        ("help TOKEN", "challenge GAME USER TOKEN"),
        ("help susan TOKEN", "Stephen Linhart"),
        ("history", "write history BOARD."),
        ("show", "write show BOARD."),
        ("move", "write move BOARD USER TOKEN CODE."),
        ("move 1", "write move 1 USER TOKEN CODE."),
        ("queue 1 carl", "write queue 1 USER TOKEN CODE#N."),
        ("note", "write note BOARD USER TOKEN TEXT."),
        ("resign", "write resign BOARD USER TOKEN."),
    ] {
        // From elsewhere: the answer to a token goes to its user.
        let words = words.replace("TOKEN", &ann);
        let name = if words.contains(&ann) {
            "elsewhere"
        } else {
            "ann"
        };
        case.now += 3600;
        case.send(name, &words, "");
        let told = case.letter_to("ann");
        has(&told, part);
    }
    for (words, shown) in [
        (
            "projex challenge -size=6 ann bob",
            "projex challenge -size=6 ann bob TOKEN",
        ),
        ("challenge susan bob", "challenge susan bob TOKEN"),
        ("message bob", "message bob TOKEN"),
        ("block bob", "block bob TOKEN"),
        ("address ann@example.net", "address ann@example.net TOKEN"),
        ("whoami", "whoami TOKEN"),
        ("whoami aaaaaaaaaaaaaaaa", "whoami TOKEN"),
        ("signoff", "signoff TOKEN"),
    ] {
        case.now += 3600;
        has(&case.ask("ann", words), format!("\"{shown}\""));
        // The sentence is no empty promise.
        if shown.contains("challenge") {
            let report = case.send("ann", &shown.replace("TOKEN", &ann), "");
            assert_eq!(report, Report::Done);
            has(to(&case.letters(), "bob"), "ann challenges you");
        }
    }
    let _ = bob;
}
