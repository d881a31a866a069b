//! Each command's effect, and who may send it.

use super::{Case, DAY, Report, address, to};
use crate::support::{begins, has, lacks};

#[test]
fn a_game_begins_and_both_get_the_board_after_each_move() {
    let (mut case, ann, bob) = Case::playing("mail-begin", "susan:Size=3");
    has(&ann, "Move 1 is for ann (x).");
    has(&ann, format!("    move 1 ann {} MOVE#1", ann.token()));
    lacks(&bob, ann.token());
    lacks(&ann, bob.token());
    let letters = case.answers("ann", &ann, "b2\n");
    assert_eq!(letters.len(), 2, "{letters:#?}");
    for letter in &letters {
        has(letter, "b  .[x]. . 5");
        has(letter, "1. b2");
    }
    let to_bob = to(&letters, "bob");
    assert_eq!(to_bob.subject, "[susan 1] ann plays b2. Your move 2");
    assert_eq!(
        to_bob.in_reply_to.as_deref(),
        Some(bob.id.as_str()),
        "one thread"
    );
    has(&to_bob.references, &bob.id);
    let to_ann = to(&letters, "ann");
    has(&to_ann.references, &ann.id);
    has(&to_ann.raw, "\nAuto-Submitted: auto-replied\n");
    has(&to_bob.raw, "\nAuto-Submitted: auto-generated\n");
}

#[test]
fn the_forms_of_the_documents_are_taken() {
    let (mut case, ann, bob) = Case::with_two("mail-forms");
    let words = format!("projex challenge -size=3 bob ann {ann}");
    let letters = case.sends("ann", &words);
    assert!(
        letters
            .iter()
            .any(|letter| letter.subject.contains("[projex 1]"))
    );
    let letters = case.sends("bob", &format!("accept 1 {bob}"));
    let [ann, bob] = ["ann", "bob"].map(|name| to(&letters, name).token());
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
    let (mut case, _, _) = Case::with_two("mail-options");
    case.talk(
        r#"ann> challenge chess bob {ann} => ann: no game "chess"
        ann> challenge susan:Size=99 bob {ann} => ann: 99
        ann> challenge susan -colour=2 bob {ann} => ann: colour
        ann> challenge susan level=5 bob {ann} => ann: level is for games against linesman
        ann> challenge susan level=21 linesman {ann} => ann: write a whole number from 0 to 20, or adaptive
        ann> challenge susan days=0 bob {ann} => ann: choose 1 to 60
        ann> challenge susan carl {ann} => ann: there is no user "carl"
        ann> challenge susan ann {ann} => ann: you cannot play against yourself
        ann> challenge susan bob linesman {ann} => ann: name yourself as one
        ann> challenge susan {ann} => ann: write challenge GAME USER TOKEN
        ann> challenge SUSAN:size=4 Bob {ann} => bob: susan:Size=4"#,
    );
}

#[test]
fn the_engine_of_a_rules_program_has_no_levels() {
    let mut case = Case::with_counts("mail-rules-levels");
    let ann = case.sign_up("ann");
    for level in ["3", "adaptive"] {
        let told = case.ask(
            "ann",
            &format!("challenge counts level={level} linesman {ann}"),
        );
        has(&told, "linesman has no levels in counts");
    }
    let letters = case.sends("ann", &format!("challenge counts linesman {ann}"));
    has(to(&letters, "ann"), "ann plays linesman");
    // The ledger names the program.
    let ledger = case.folder.read("club.db.games/counts-1.jsonl");
    has(
        &ledger,
        format!("arg={}", case.folder.path("counts.py").display()),
    );
}

#[test]
fn a_level_follows_the_results_of_a_user() {
    let (mut case, ann, _) = Case::with_two("mail-adaptive");
    let challenge = format!("challenge susan:Size=3 level=adaptive linesman {ann}");
    for (number, level) in [(1, 3), (2, 0)] {
        let told = format!("linesman plays at level {level} ");
        let letter = case.ask("ann", &challenge);
        has(&letter, told);
        has(&letter, ", by the results of ann.");
        case.send("ann", &format!("move {number} ann {ann} a1"), "");
        case.sends("ann", &format!("resign {number} ann {ann}"));
    }
    has(
        &case.ask("ann", &format!("forget {ann}")),
        "no longer follows",
    );
    has(&case.ask("ann", &challenge), "linesman plays at level 3 ");
}

#[test]
fn only_a_token_opens_anything() {
    let (mut case, ann, bob) = Case::playing("mail-tokens", "susan:Size=3");
    // The address is Ann's; the token is wrong or missing.
    for words in [
        "move 1 ann e5",
        "move 1 ann aaaaaaaaaaaaaaaa e5",
        &format!("move 1 ann {} b2", bob.token()),
        "resign 1 ann",
        "challenge susan bob",
        "token 1 ann",
        "signoff",
        "signoff aaaaaaaaaaaaaaaa",
        "address eve@example.org",
        "move 1 linesman b2",
        "b2",
    ] {
        case.now += DAY;
        has(&case.ask("ann", words), "Not done");
    }
    // A reply to Bob's e-mail counts as Bob's, even from Ann's address.
    case.answer("ann", &bob, "b2\n");
    let told = case.letter_to("bob");
    has(&told, "ann (x) is to move. Wait, or use queue");
    // The token is sufficient from any address.
    let words = format!("move 1 ann {} b2", ann.token().to_uppercase());
    let letters = case.sends("elsewhere", &words);
    assert_eq!(case.moves(1), "1. b2");
    assert!(
        letters
            .iter()
            .all(|letter| letter.to != address("elsewhere"))
    );
}

#[test]
fn a_new_token_makes_the_old_one_worthless() {
    let (mut case, ann, _) = Case::playing("mail-new-token", "susan:Size=3");
    let new = case.reply("ann", &ann, "token 1\n");
    assert_ne!(new.token(), ann.token());
    // Neither the old token nor the old letter moves.
    case.talk(
        "ann> move 1 ann {ann 1} b2
        ann: b2 => moves",
    );
    case.answers("ann", &new, "b2\n");
    assert_eq!(case.moves(1), "1. b2");

    let token = case.sign_up("carl");
    let new = case.ask("carl", &format!("token {token}")).token();
    has(&case.ask("carl", &format!("whoami {token}")), "Not done");
    has(&case.ask("carl", &format!("whoami {new}")), "You are carl");
}

#[test]
fn an_unconfirmed_account_is_not_challenged() {
    let (mut case, ann, _) = Case::with_two("mail-unconfirmed");
    let carl = case.ask("carl", "signup carl");
    let challenge = format!("challenge susan carl {ann}");
    has(
        &case.ask("ann", &challenge),
        "carl has not confirmed their address",
    );
    // A second e-mail has the same token: a stranger cannot invalidate it.
    case.now += DAY;
    assert_eq!(case.ask("carl", "signup carl").token(), carl.token());
    has(
        &case.ask("eve", "signup Carl"),
        "the name Carl is already used",
    );
    case.answers("carl", &carl, "whoami\n");
    assert_eq!(case.sends("ann", &challenge).len(), 2);
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
        lacks(&told, "\u{1b}");
    }
}

#[test]
fn a_name_with_an_accent_plays() {
    let (mut case, ann, _) = Case::with_two("mail-accent");
    let letter = case.ask("zoe", "=?utf-8?Q?signup_Zo=C3=AB?=");
    begins(&letter.text, "Hello Zo\u{eb},");
    assert!(letter.raw.is_ascii());
    has(&letter.raw, "quoted-printable");
    case.answers("zoe", &letter, "whoami\n");
    let words = format!("=?iso-8859-1?Q?challenge_susan_zo=EB_{ann}?=");
    let letters = case.sends("ann", &words);
    for letter in case.answers("zoe", to(&letters, "zoe"), "accept\n") {
        let mut lines = letter.raw.lines();
        assert!(
            lines.all(|line| line.is_ascii() && line.len() <= 78),
            "{}",
            letter.raw
        );
        has(&letter, "Zo\u{eb} accepts the challenge.");
    }
}

#[test]
fn moves_in_advance_are_made_in_their_turn() {
    let (mut case, _, _) = Case::playing("mail-queue", "susan:Size=3");
    case.talk(
        "bob: queue 1 c3#2
        bob: queue 1 b1#4
        ann: queue 1 a1#3
        // Two letters a move.
        ann: b2 => moves 1. b2 2. c3 3. a1 4. b1 & 8 letters
        bob: queue 1 b2#6",
    );
    // If a queued move is illegal in its turn, its player is notified.
    let last = case
        .known
        .iter()
        .rfind(|letter| letter.to == address("ann"));
    let told = case.answers("ann", &last.expect("a letter").clone(), "e1\n");
    let about = told
        .iter()
        .find(|letter| letter.subject.contains("your queued move"));
    assert_eq!(
        about.map(|letter| &letter.to),
        Some(&address("bob")),
        "{told:#?}"
    );
    case.talk(
        "bob: queue 1 c1 => bob: Not done & 1 letters
        bob: queue 1 c1#3 => bob: Not done & 1 letters
        bob: queue 1 c1#7 => bob: Not done & 1 letters",
    );
}

#[test]
fn an_old_letter_does_nothing() {
    let (mut case, _, _) = Case::playing("mail-old", "susan:Size=3");
    case.talk(
        "ann: b2
        bob^ c3
        ann: a1 => ann: move 1 was already played: move 3 is next & 1 letters
        ann> move 1 ann {ann 1} a1#1 => ann: Not done & 1 letters
        bob: 7. a1 => bob: move 7 is too early & 1 letters & moves 1. b2 2. c3",
    );
}

#[test]
fn several_commands_are_carried_out_each_by_itself() {
    let (mut case, ann, _) = Case::playing("mail-several", "susan:Size=3");
    let token = ann.token();
    let text = format!("move 1 ann {token} b2\nshow 99\nshow 1#0\nHello\nresign 1 ann {token}\n");
    case.send("ann", "games", &text);
    assert_eq!(case.moves(1), "1. b2");
    let letters = case.letters();
    let told = &letters.last().expect("an answer").text;
    for part in [
        "> games",
        "> show 99\n\nNot done: there is no board 99.",
        "> show 1#0",
        "After move 0:",
        "> Hello\n> resign 1 ann TOKEN\n",
    ] {
        has(told, part);
    }
    case.talk("host> show 1 => move 2 is for bob");
}

#[test]
fn what_is_public_is_shown() {
    let (mut case, ann, _) = Case::playing("mail-public", "susan:Size=3");
    case.talk(
        "ann: b2
        ann: note 1 a fine beginning",
    );
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
    let (mut case, ann, _) = Case::playing("mail-standings", "susan:Size=3");
    for letter in case.answers("ann", &ann, "resign 1\n") {
        has(&letter, "The game is over: 0-1 {ann resigns}");
        lacks(&letter, "Token:");
    }
    case.talk(
        "bob: b2 => bob: the game on board 1 is over: 0-1 {ann resigns} & 1 letters
        host> history bob => 0-1 {ann resigns}",
    );
    let (standings, _) = case.command("standings");
    let row = standings.lines().find(|line| line.starts_with("bob"));
    let row: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(row, ["bob", "1", "1", "1", "0", "0"]);
    let (ratings, _) = case.command("susan ratings");
    begins(ratings.lines().nth(3).unwrap_or_default(), "bob");
    let (none, _) = case.command("ratings projex");
    assert_eq!(none, "projex: no finished games.");
}

#[test]
fn talk_reaches_the_other_and_no_address_is_told() {
    let (mut case, ann, _) = Case::with_two("mail-talk");
    let text = "Hello Bob,\n\nhow are\u{202e} you?\u{7}\n-- \nAnn\n";
    case.send("ann", &format!("message bob {ann}"), text);
    let letters = case.letters();
    let to_bob = to(&letters, "bob");
    has(&to_bob.text, "ann writes:\n\nHello Bob,\n\nhow are you?\n");
    lacks(&to_bob.raw, "ann@");
    case.talk(
        "ann> message bob {ann} => ann: no text in it & 1 letters
        ann> message linesman {ann} => ann: linesman cannot receive e-mails & 1 letters",
    );
}

#[test]
fn who_leaves_has_no_games_left() {
    let (mut case, _, _) = Case::playing("mail-signoff", "susan:Size=3");
    case.talk(
        "bob> signoff {bob} => bob: you have games on boards 1 & 1 letters
        bob: resign 1
        bob> signoff {bob} => bob: is closed & 1 letters",
    );
    case.now += DAY;
    case.talk("bob> whoami {bob} => bob: Not done & 1 letters");
    case.now += DAY;
    case.talk(
        "bob> signup bob => bob: is already used & 1 letters
        host> history ann => ann - bob",
    );
}

#[test]
fn a_challenge_can_be_declined() {
    let (mut case, _, bob) = Case::with_two("mail-decline");
    case.talk(
        "ann> challenge susan bob {ann}
        ann> accept 1 {ann} => ann: it is your own challenge & 1 letters",
    );
    let letters = case.sends("bob", &format!("reject 1 {bob}"));
    has(&to(&letters, "ann").subject, "bob declines");
    case.talk("bob> accept 1 {bob} => bob: no longer a challenge & 1 letters");
}

#[test]
fn the_host_needs_no_token() {
    let (mut case, _, _) = Case::with_two("mail-host");
    for (words, is_carried_out, told) in [
        ("challenge susan:Size=3 bob ann", true, ""),
        ("accept 1 bob", true, ""),
        ("move 1 ann b2", true, ""),
        ("move 1 ann b3", false, "bob (o) is to move"),
        ("hello", false, "no command"),
        ("signup carl carl@example.org", true, ""),
        ("signup dora -oQ@example.org", false, ""),
    ] {
        let (text, is_done) = case.command(words);
        assert_eq!(is_done, is_carried_out, "{words}: {text}");
        has(&text, told);
    }
    assert_eq!(case.moves(1), "1. b2");
}
