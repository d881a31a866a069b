//! Each command's effect, and who may send it.

use super::{Case, DAY, Report, address, to};
use crate::support::{begins, has, lacks};

#[test]
fn a_game_begins_and_both_get_the_board_after_each_move() {
    let (mut case, ann, bob) = Case::playing("mail-begin", "susan:Size=3");
    has(&ann.text, "Move 1 is for ann (x).");
    assert!(
        ann.text
            .contains(&format!("    move 1 ann {} MOVE#1", ann.token()))
    );
    assert!(!bob.text.contains(&ann.token()) && !ann.text.contains(&bob.token()));
    case.answer("ann", &ann, "b2\n");
    let letters = case.letters();
    assert_eq!(letters.len(), 2, "{letters:#?}");
    for letter in &letters {
        has(&letter.text, "b  .[x]. . 5");
        has(&letter.text, "1. b2");
    }
    let to_bob = to(&letters, "bob");
    assert_eq!(to_bob.subject, "[susan 1] ann plays b2. Your move 2");
    assert_eq!(
        to_bob.in_reply_to.as_deref(),
        Some(bob.id.as_str()),
        "one thread"
    );
    assert!(to_bob.references.contains(&bob.id));
    let to_ann = to(&letters, "ann");
    assert!(
        to_ann.references.contains(&ann.id),
        "one thread: {}",
        to_ann.raw
    );
    has(&to_ann.raw, "\nAuto-Submitted: auto-replied\n");
    has(&to_bob.raw, "\nAuto-Submitted: auto-generated\n");
}

#[test]
fn the_forms_of_the_documents_are_taken() {
    let (mut case, ann, bob) = Case::with_two("mail-forms");
    let words = format!("projex challenge -size=3 bob ann {ann}");
    case.send("ann", &words, "");
    assert!(
        case.letters()
            .iter()
            .any(|letter| letter.subject.contains("[projex 1]"))
    );
    case.send("bob", &format!("accept 1 {bob}"), "");
    let letters = case.letters();
    let token = |name: &str| to(&letters, name).token();
    let (ann, bob) = (token("ann"), token("bob"));
    // Bob was named first, so Bob moves first.
    for (name, token, code) in [
        ("bob", &bob, "A3"),
        ("ann", &ann, "b3"),
        ("bob", &bob, "C3#3"),
        ("ann", &ann, "swap"),
    ] {
        let report = case.send(name, &format!("projex move 1 {name} {token} {code}"), "");
        assert_eq!(report, Report::Done);
    }
    has(&case.moves(1), "4. swap");
    case.letters();
    let refused = case.ask("ann", &format!("susan move 1 ann {ann} B4"));
    has(&refused, "board 1 is a game of projex, not of susan");
    case.send("ann", &format!("projex move 1 ann {ann} resign"), "");
    case.all_have("ann resigns");
}

#[test]
fn options_and_levels_are_checked() {
    let (mut case, ann, _) = Case::with_two("mail-options");
    for (words, why) in [
        ("challenge chess bob", "no game \"chess\""),
        ("challenge susan:Size=99 bob", "99"),
        ("challenge susan -colour=2 bob", "colour"),
        (
            "challenge susan level=5 bob",
            "level is for games against linesman",
        ),
        (
            "challenge susan level=21 linesman",
            "expected a whole number from 0 to 20, or adaptive",
        ),
        ("challenge susan days=0 bob", "expected 1 to 60"),
        ("challenge susan carl", "there is no user \"carl\""),
        ("challenge susan ann", "you cannot play against yourself"),
        ("challenge susan bob linesman", "name yourself as one"),
        ("challenge susan", "expected challenge GAME USER TOKEN"),
    ] {
        let told = case.ask("ann", &format!("{words} {ann}"));
        assert!(told.replace('\n', " ").contains(why), "{words}: {told}");
    }
    case.send("ann", &format!("challenge SUSAN:size=4 Bob {ann} "), "");
    case.any_has("susan:Size=4");
}

#[test]
fn the_engine_of_a_rules_program_has_no_levels() {
    let mut case = Case::with_counts("mail-rules-levels");
    let ann = case.sign_up("ann");
    for level in ["3", "adaptive"] {
        let words = format!("challenge counts level={level} linesman {ann}");
        let told = case.ask("ann", &words);
        has(&told, "linesman has no levels in counts");
    }
    case.send("ann", &format!("challenge counts linesman {ann}"), "");
    let letters = case.letters();
    assert!(
        letters
            .iter()
            .any(|letter| letter.text.contains("ann plays linesman")),
        "{letters:?}"
    );
    // The ledger names the program.
    let ledger = case.folder.read("club.db.games/counts-1.jsonl");
    let rules = format!("arg={}", case.folder.path("counts.py").display());
    has(&ledger, &rules);
}

#[test]
fn a_level_follows_the_results_of_a_user() {
    let (mut case, ann, _) = Case::with_two("mail-adaptive");
    let mut game = |number: usize| {
        let words = format!("challenge susan:Size=3 level=adaptive linesman {ann}");
        case.send("ann", &words, "");
        let letter = case.letter_to("ann").text.replace('\n', " ");
        let (_, level) = letter
            .split_once("linesman plays at level ")
            .expect("a level");
        has(&level, ", by the results of ann.");
        case.send("ann", &format!("move {number} ann {ann} a1"), "");
        case.send("ann", &format!("resign {number} ann {ann}"), "");
        case.letters();
        level.split(' ').next().unwrap_or_default().to_owned()
    };
    assert_eq!([game(1), game(2)], ["3", "0"]);
    let told = case.ask("ann", &format!("forget {ann}"));
    has(&told, "no longer follows");
    let words = format!("challenge susan:Size=3 level=adaptive linesman {ann}");
    case.send("ann", &words, "");
    let letter = case.letter_to("ann").text;
    has(&letter, "linesman plays at level 3 ");
}

#[test]
fn only_a_token_opens_anything() {
    let (mut case, ann, bob) = Case::playing("mail-tokens", "susan:Size=3");
    // The address is Ann's; the token is wrong or missing.
    for words in [
        "move 1 ann e5".to_owned(),
        "move 1 ann aaaaaaaaaaaaaaaa e5".to_owned(),
        format!("move 1 ann {} b2", bob.token()),
        "resign 1 ann".to_owned(),
        "challenge susan bob".to_owned(),
        "token 1 ann".to_owned(),
        "signoff".to_owned(),
        "signoff aaaaaaaaaaaaaaaa".to_owned(),
        "address eve@example.org".to_owned(),
        "move 1 linesman b2".to_owned(),
        "b2".to_owned(),
    ] {
        case.now += DAY;
        let told = case.ask("ann", &words);
        has(&told, "Not done");
    }
    // A reply to Bob's e-mail counts as Bob's, even from Ann's address.
    case.answer("ann", &bob, "b2\n");
    let told = case.letter_to("bob").text;
    has(&told, "ann (x) is to move. Wait, or use queue");
    // The token is sufficient from any address.
    let words = format!("move 1 ann {} b2", ann.token().to_uppercase());
    case.send("elsewhere", &words, "");
    assert_eq!(case.moves(1), "1. b2");
    assert!(
        case.letters()
            .iter()
            .all(|letter| letter.to != address("elsewhere"))
    );
}

#[test]
fn a_new_token_makes_the_old_one_worthless() {
    let (mut case, ann, _) = Case::playing("mail-new-token", "susan:Size=3");
    case.answer("ann", &ann, "token 1\n");
    let new = case.letter_to("ann");
    assert_ne!(new.token(), ann.token());
    case.send("ann", &format!("move 1 ann {} b2", ann.token()), "");
    case.answer("ann", &ann, "b2\n");
    assert_eq!(
        case.moves(1),
        "",
        "neither the old token nor the old letter moves"
    );
    case.letters();
    case.answer("ann", &new, "b2\n");
    assert_eq!(case.moves(1), "1. b2");
    case.letters();

    let token = case.sign_up("carl");
    case.send("carl", &format!("token {token}"), "");
    let new = case.letter_to("carl").token();
    let told = case.ask("carl", &format!("whoami {token}"));
    has(&told, "Not done");
    let told = case.ask("carl", &format!("whoami {new}"));
    has(&told, "You are carl");
}

#[test]
fn an_unconfirmed_account_is_not_challenged() {
    let (mut case, ann, _) = Case::with_two("mail-unconfirmed");
    case.send("carl", "signup carl", "");
    let carl = case.letter_to("carl");
    let told = case.ask("ann", &format!("challenge susan carl {ann}"));
    has(
        &told.replace('\n', " "),
        "carl has not confirmed their address",
    );
    // A second e-mail has the same token: a stranger cannot invalidate it.
    case.now += DAY;
    case.send("carl", "signup carl", "");
    assert_eq!(case.letter_to("carl").token(), carl.token());
    let told = case.ask("eve", "signup Carl");
    has(&told, "the name Carl is already used");
    case.answer("carl", &carl, "whoami\n");
    case.letters();
    case.send("ann", &format!("challenge susan carl {ann}"), "");
    assert_eq!(case.letters().len(), 2);
}

#[test]
fn names_that_would_be_read_as_something_else_are_refused() {
    let mut case = Case::new("mail-names");
    for name in [
        "linesman",
        "Next",
        "move",
        "susan",
        "e5",
        "x",
        "5ann",
        "a b@c",
        "a/../b",
        &"x".repeat(21),
        "\u{1b}[31m",
    ] {
        case.now += DAY;
        let told = case.ask("ann", &format!("signup {name}"));
        if name != "a b@c" {
            has(&told, "Not done");
        }
        assert!(!told.contains('\u{1b}'), "{told}");
    }
}

#[test]
fn a_name_with_an_accent_plays() {
    let (mut case, ann, _) = Case::with_two("mail-accent");
    case.send("zoe", "=?utf-8?Q?signup_Zo=C3=AB?=", "");
    let letter = case.letter_to("zoe");
    begins(&letter.text, "Hello Zo\u{eb},");
    assert!(letter.raw.is_ascii());
    has(&letter.raw, "quoted-printable");
    case.answer("zoe", &letter, "whoami\n");
    case.letters();
    let words = format!("=?iso-8859-1?Q?challenge_susan_zo=EB_{ann}?=");
    case.send("ann", &words, "");
    let letters = case.letters();
    let invitation = to(&letters, "zoe");
    case.answer("zoe", invitation, "accept\n");
    for letter in case.letters() {
        assert!(letter.raw.is_ascii(), "{}", letter.raw);
        assert!(
            letter.raw.lines().all(|line| line.len() <= 78),
            "{}",
            letter.raw
        );
        has(&letter.text, "Zo\u{eb} accepts the challenge.");
    }
}

#[test]
fn moves_in_advance_are_made_in_their_turn() {
    let (mut case, ann, bob) = Case::playing("mail-queue", "susan:Size=3");
    case.answer("bob", &bob, "queue 1 c3#2\n");
    case.answer("bob", &bob, "queue 1 b1#4\n");
    case.answer("ann", &ann, "queue 1 a1#3\n");
    case.letters();
    case.answer("ann", &ann, "b2\n");
    assert_eq!(case.moves(1), "1. b2 2. c3 3. a1 4. b1");
    let refused = case.letters();
    assert_eq!(refused.len(), 8, "two letters a move");
    // If a queued move is illegal in its turn, its player is notified.
    case.answer("bob", &bob, "queue 1 b2#6\n");
    case.letters();
    case.answer(
        "ann",
        refused
            .last()
            .filter(|letter| letter.to == address("ann"))
            .unwrap_or(&refused[6]),
        "e1\n",
    );
    let told = case.letters();
    let about = told
        .iter()
        .find(|letter| letter.subject.contains("your queued move"));
    assert_eq!(
        about.map(|letter| letter.to.clone()),
        Some(address("bob")),
        "{told:#?}"
    );
    for words in ["queue 1 c1\n", "queue 1 c1#3\n", "queue 1 c1#7\n"] {
        case.answer("bob", &bob, words);
        let told = case.letter_to("bob").text;
        has(&told, "Not done");
    }
}

#[test]
fn an_old_letter_does_nothing() {
    let (mut case, ann, bob) = Case::playing("mail-old", "susan:Size=3");
    case.answer("ann", &ann, "b2\n");
    let to_bob = case
        .letters()
        .into_iter()
        .find(|letter| letter.to == address("bob"))
        .expect("a letter");
    case.answer("bob", &to_bob, "c3\n");
    case.letters();
    case.answer("ann", &ann, "a1\n");
    let told = case.letter_to("ann").text;
    has(&told, "move 1 was already played: expected move 3");
    case.send("ann", &format!("move 1 ann {} a1#1", ann.token()), "");
    has(&case.letter_to("ann").text, "Not done");
    case.answer("bob", &bob, "7. a1\n");
    has(&case.letter_to("bob").text, "move 7 is too early");
    assert_eq!(case.moves(1), "1. b2 2. c3");
}

#[test]
fn several_commands_are_carried_out_each_by_itself() {
    let (mut case, ann, _) = Case::playing("mail-several", "susan:Size=3");
    let text = format!(
        "move 1 ann {} b2\nshow 99\nshow 1#0\nHello\nresign 1 ann {}\n",
        ann.token(),
        ann.token()
    );
    case.send("ann", "games", &text);
    assert_eq!(case.moves(1), "1. b2");
    let letters = case.letters();
    let told = &letters.last().expect("an answer").text;
    for part in [
        "> games",
        "> show 99\n\nNot done: there is no board 99.",
        "> show 1#0",
        "After move 0:",
    ] {
        has(&told, part);
    }
    has(&told, "> Hello\n> resign 1 ann TOKEN\n");
    has(&case.command("show 1").0, "move 2 is for bob");
}

#[test]
fn what_is_public_is_shown() {
    let (mut case, ann, _) = Case::playing("mail-public", "susan:Size=3");
    case.answer("ann", &ann, "b2\n");
    case.answer("ann", &ann, "note 1 a fine beginning\n");
    case.letters();
    for (words, part) in [
        ("show 1", "b  .[x]. . 5"),
        ("show susan 1", "b  .[x]. . 5"),
        ("susan show 1#0", "After move 0:"),
        ("show ann", "move 2 is for bob"),
        ("all show bob next", "bob is to move on:"),
        ("show ann next", "ann is not to move on any board."),
        ("games", "susan:Size=3"),
        ("projex games", "No games are in play."),
        ("players", "ann, bob, linesman"),
        ("history 1", "1. b2"),
        ("history 1", "a fine beginning"),
        ("history ann", "ann has no finished games."),
        ("help", "challenge GAME USER TOKEN"),
        ("help susan", "Stephen Linhart"),
        ("graph-hockey help", "Options: Side, Gap"),
        ("show 2", "there is no board 2"),
        ("show 1#7", "has only"),
        ("show nobody", "there is no user"),
        ("standings chess", "no game \"chess\""),
        ("frobnicate", "no command in it"),
        ("", "no command in it"),
    ] {
        case.now += DAY;
        let told = case.ask("eve", words);
        has(&told, part);
        lacks(&told, ann.token());
    }
}

#[test]
fn finished_games_count() {
    let (mut case, ann, bob) = Case::playing("mail-standings", "susan:Size=3");
    case.answer("ann", &ann, "resign 1\n");
    for letter in case.letters() {
        has(&letter.text, "The game is over: 0-1 {ann resigns}");
        lacks(&letter.text, "Token:");
    }
    case.answer("bob", &bob, "b2\n");
    let told = case.letter_to("bob").text;
    has(&told, "the game on board 1 is over: 0-1 {ann resigns}");
    let (standings, _) = case.command("standings");
    let row = standings
        .lines()
        .find(|line| line.starts_with("bob"))
        .expect("a row");
    let expected = ["bob", "1", "1", "1", "0", "0"];
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), expected);
    let (ratings, _) = case.command("susan ratings");
    assert!(
        ratings
            .lines()
            .nth(3)
            .is_some_and(|line| line.starts_with("bob")),
        "{ratings}"
    );
    let (none, _) = case.command("ratings projex");
    assert_eq!(none, "projex: no finished games.");
    let (history, _) = case.command("history bob");
    has(&history, "0-1 {ann resigns}");
}

#[test]
fn talk_reaches_the_other_and_no_address_is_told() {
    let (mut case, ann, _) = Case::with_two("mail-talk");
    case.send(
        "ann",
        &format!("message bob {ann}"),
        "Hello Bob,\n\nhow are\u{202e} you?\u{7}\n-- \nAnn\n",
    );
    let letters = case.letters();
    let to_bob = to(&letters, "bob");
    has(&to_bob.text, "ann writes:\n\nHello Bob,\n\nhow are you?\n");
    lacks(&to_bob.raw, "ann@");
    let told = case.ask("ann", &format!("message bob {ann}"));
    has(&told, "no text in it");
    let told = case.ask("ann", &format!("message linesman {ann}"));
    has(&told, "linesman cannot receive e-mails");
}

#[test]
fn who_leaves_has_no_games_left() {
    let (mut case, ann, bob) = Case::playing("mail-signoff", "susan:Size=3");
    let account = {
        case.send("bob", "signup bob", "");
        case.letter_to("bob").token()
    };
    let told = case.ask("bob", &format!("signoff {account}"));
    has(&told, "you have games on boards 1");
    case.answer("bob", &bob, "resign 1\n");
    case.letters();
    let told = case.ask("bob", &format!("signoff {account}"));
    has(&told, "is closed");
    case.now += DAY;
    has(&case.ask("bob", &format!("whoami {account}")), "Not done");
    case.now += DAY;
    has(&case.ask("bob", "signup bob"), "is already used");
    has(&case.command("history ann").0, "ann - bob");
    let _ = ann;
}

#[test]
fn a_challenge_can_be_declined() {
    let (mut case, ann, bob) = Case::with_two("mail-decline");
    case.send("ann", &format!("challenge susan bob {ann}"), "");
    case.letters();
    let told = case.ask("ann", &format!("accept 1 {ann}"));
    has(&told, "it is your own challenge");
    case.send("bob", &format!("reject 1 {bob}"), "");
    let letters = case.letters();
    assert!(
        letters
            .iter()
            .any(|letter| letter.to == address("ann") && letter.subject.contains("bob declines"))
    );
    let told = case.ask("bob", &format!("accept 1 {bob}"));
    has(&told, "no longer a challenge");
}

#[test]
fn the_host_needs_no_token() {
    let (mut case, _, _) = Case::with_two("mail-host");
    assert!(case.command("challenge susan:Size=3 bob ann").1);
    assert!(case.command("accept 1 bob").1);
    assert!(case.command("move 1 ann b2").1);
    let (text, is_done) = case.command("move 1 ann b3");
    assert!(!is_done, "{text}");
    has(&text, "bob (o) is to move");
    assert_eq!(case.moves(1), "1. b2");
    let (text, is_done) = case.command("hello");
    assert!(!is_done, "{text}");
    has(&text, "no command");
    assert!(case.command("signup carl carl@example.org").1);
    assert!(!case.command("signup dora -oQ@example.org").1);
}
