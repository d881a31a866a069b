//! A game by e-mail.

use crate::support::{Folder, holds};

/// The last e-mail that the command `mail` wrote.
fn email(stdout: &[String]) -> String {
    let start = stdout
        .iter()
        .rposition(|line| line.contains("Linesman game "))
        .expect("an e-mail");
    let end = stdout
        .iter()
        .rposition(|line| line.contains("MOVE"))
        .expect("its end");
    let text = stdout[start..=end].join("\n");
    text[text.find("Linesman game").expect("its beginning")..].to_owned()
}

/// A reply: the answer above the quoted e-mail.
fn answer(email: &str, answer: &str) -> String {
    let quoted: String = email.lines().map(|line| format!("> {line}\n")).collect();
    format!("Dear Ann,\n\n{quoted}\n{answer}\n\nBob\n")
}

#[test]
fn a_game_goes_to_and_fro() {
    let (ann, bob) = (Folder::new("console-ann"), Folder::new("console-bob"));
    let seats = "--p1 'human name=Ann' --p2 'human name=Bob'";
    let done = ann
        .shell(&format!(
            "printf 'e5\\nmail\\n' | LINESMAN play susan:Size=4 {seats}"
        ))
        .done();
    let first = email(&done.stdout);
    assert!(
        first.contains("\n1. e5\n") && first.contains("Move 2 is for Bob (o)"),
        "{first}"
    );

    // Bob does not have the game yet: the e-mail contains it, with its board and players.
    std::fs::write(bob.path("in"), &first).expect("an e-mail");
    let done = bob
        .shell("printf 'b2\\nmail\\n' | LINESMAN play susan --mail in")
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("susan:Size=4: Ann (x) vs Bob (o)").len(),
        1,
        "{:?}",
        done.stdout
    );
    let second = email(&done.stdout);

    // Bob's e-mail, without changes, plays the move at Ann's console, but only once.
    // An editor may write a byte order mark.
    std::fs::write(ann.path("in"), format!("\u{feff}{second}")).expect("an e-mail");
    let take = || {
        ann.shell("printf 'c3\\nmail\\n' | LINESMAN play susan --mail in")
            .done()
    };
    let done = take();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("move 2 was read from the e-mail: b2").len(),
        1,
        "{:?}",
        done.stdout
    );
    let third = email(&done.stdout);
    let done = take();
    assert_eq!(done.status, Some(1));
    assert_eq!(
        done.stderr,
        "error: --mail in: move 2 was already played: expected move 4\n"
    );

    // Bob types the reply above the quotation; from here on only one reply is valid.
    for (line, wrong) in [
        ("3. c4", "move 3 is c3 here, and c4 in the e-mail"),
        ("3. c3", "move 3 was already played: expected move 4"),
        ("5. d4", "move 5 is too early: expected move 4"),
        ("4. d4\n4. d5", "move 4 appears twice: expected it once"),
        ("4. d4\n5. d5", "move 5 is also new: expected one new move"),
        ("4. c3", "move 4: c3: c3 holds a stone of the opponent's"),
        ("see you", "no move in it: expected a line such as 4. MOVE"),
    ] {
        std::fs::write(ann.path("in"), answer(&third, line)).expect("an e-mail");
        let done = take();
        assert_eq!(done.status, Some(1), "{line}: {:?}", done.stdout);
        assert!(done.stderr.contains(wrong), "{line}: {}", done.stderr);
    }
    std::fs::write(ann.path("in"), answer(&third, "4. B2 -> b3")).expect("an e-mail");
    let done = ann.shell("LINESMAN play susan --mail - < in").done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("move 4 was read from the e-mail: b2->b3").len(),
        1,
        "{:?}",
        done.stdout
    );
}

#[test]
fn what_is_no_email_is_refused() {
    let folder = Folder::new("console-no-email");
    for (text, wrong) in [
        ("3. e5\n", "it quotes no e-mail of Linesman"),
        ("", "it quotes no e-mail"),
        (
            "> Linesman game 1\n> Game: susan\n> Start: startpos\n> 2. b2\n",
            "move 2 is too early",
        ),
        (
            "> Linesman game 1\n> Game: susan\n> Start: startpos\n> 1. zz\n",
            "zz: expected a cell",
        ),
        (
            "> Linesman game 1\n> Game: entropy\n> Start: startpos\n",
            "the e-mail is from a game of entropy",
        ),
        (
            "> Linesman game 1\n> Game: susan\n> Start: fen x\n",
            "1 field, expected 3: rows",
        ),
    ] {
        std::fs::write(folder.path("in"), text).expect("an e-mail");
        let done = folder.linesman("play susan --mail in").done();
        assert!(matches!(done.status, Some(1 | 2)), "{text}");
        assert!(done.stderr.contains(wrong), "{text}: {}", done.stderr);
        let files = std::fs::read_dir(folder.path(".")).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name());
        let names: Vec<_> = names.filter(|name| name != "state").collect();
        assert_eq!(names, ["in"], "no ledger of a game that there is not");
    }
}

/// A game between Ann and Bob, each with a folder; the e-mails are exchanged as files.
struct Letters {
    ann: Folder,
    bob: Folder,
}

impl Letters {
    /// Ann starts the game with these lines, and writes the e-mail `out`.
    fn begin(test: &str, lines: &str) -> Letters {
        let (ann, bob) = (
            Folder::new(&format!("letters-ann-{test}")),
            Folder::new(&format!("letters-bob-{test}")),
        );
        let seats = "--p1 'human name=Ann' --p2 'human name=Bob' --ledger l.jsonl";
        let done = ann
            .shell(&format!(
                "printf '{lines}mail out\\n' | LINESMAN play susan:Size=4 {seats}"
            ))
            .done();
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert_eq!(
            done.lines("the e-mail is written to out").len(),
            1,
            "{:?}",
            done.stdout
        );
        Letters { ann, bob }
    }

    /// Delivers the e-mail to the other player, who types these lines and writes an answer. Returns the other player's
    /// output.
    fn carry(from: &Folder, to: &Folder, lines: &str) -> Vec<String> {
        std::fs::write(to.path("in"), from.read("out")).expect("an e-mail");
        let _ = std::fs::remove_file(to.path("out"));
        let done = to
            .shell(&format!(
                "printf '{lines}mail out\\n' | LINESMAN play susan --mail in"
            ))
            .done();
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        done.stdout
    }
}

#[test]
fn a_draw_is_offered_and_agreed_by_letter() {
    let Letters { ann, bob } = Letters::begin("draw", "draw\\ne5\\n");
    let letter = ann.read("out");
    assert!(letter.contains("\n1. e5, draw\n"), "{letter}");
    assert!(
        letter.contains("Ann (x) offers a draw: to agree, write   2. draw"),
        "{letter}"
    );
    assert!(
        letter
            .lines()
            .all(|line| line.is_ascii() && line.len() <= 90),
        "{letter}"
    );
    let seen = Letters::carry(&ann, &bob, "draw\\n");
    assert!(
        holds(&seen, "Ann (x) offers a draw: draw agrees, a move declines"),
        "{seen:?}"
    );
    assert!(holds(&seen, "1/2-1/2 {drawn by agreement}"), "{seen:?}");
    assert!(
        bob.read("out").contains("\n2. draw\n"),
        "{}",
        bob.read("out")
    );
    let seen = Letters::carry(&bob, &ann, "");
    assert!(
        holds(&seen, "the end of the game was read from the e-mail"),
        "{seen:?}"
    );
    assert!(holds(&seen, "1/2-1/2 {drawn by agreement}"), "{seen:?}");
    assert!(ann.read("l.jsonl").contains("\"result\":\"1/2-1/2\""));
}

#[test]
fn a_move_declines_a_draw_by_letter() {
    let Letters { ann, bob } = Letters::begin("declined", "draw\\ne5\\n");
    Letters::carry(&ann, &bob, "b2\\n");
    assert!(bob.read("out").contains("\n2. b2\n"), "{}", bob.read("out"));
    let seen = Letters::carry(&bob, &ann, "");
    assert!(!holds(&seen, "offers a draw"), "{seen:?}");
    // There is no draw offer now.
    std::fs::write(ann.path("in"), answer(&ann.read("out"), "3. draw")).expect("an e-mail");
    let done = ann
        .shell("LINESMAN play susan --mail in < /dev/null")
        .done();
    assert_eq!(done.status, Some(1));
    assert!(
        done.stderr.contains(
            "move 3: no draw is offered here: expected a move, and draw after it to offer one"
        ),
        "{}",
        done.stderr
    );
}

#[test]
fn a_player_resigns_by_letter() {
    let Letters { ann, bob } = Letters::begin("resign", "e5\\n");
    Letters::carry(&ann, &bob, "resign\\n");
    assert!(
        bob.read("out").contains("\n2. resign\n"),
        "{}",
        bob.read("out")
    );
    let seen = Letters::carry(&bob, &ann, "");
    assert!(
        holds(&seen, "Game over: Ann (x) wins, 1-0 {Bob resigns}"),
        "{seen:?}"
    );
    // Typed by hand, in a game that the reader has.
    let Letters { ann, .. } = Letters::begin("resign-by-hand", "e5\\n");
    std::fs::write(ann.path("in"), answer(&ann.read("out"), "2) I resign.")).expect("an e-mail");
    let done = ann
        .shell("LINESMAN play susan --mail in < /dev/null")
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(
        holds(&done.stdout, "1-0 {Bob resigns}"),
        "{:?}",
        done.stdout
    );
}

/// An e-mail accepts a move in every form that the prompt accepts.
#[test]
fn a_letter_takes_what_the_prompt_takes() {
    for line in ["2. b2", "2) B 2", "2: 2b", "2... b2, draw?"] {
        let Letters { ann, .. } = Letters::begin("forms", "e5\\n");
        std::fs::write(ann.path("in"), answer(&ann.read("out"), line)).expect("an e-mail");
        let done = ann
            .shell("LINESMAN play susan --mail in < /dev/null")
            .done();
        assert_eq!(done.status, Some(0), "{line}: {}", done.stderr);
        assert_eq!(
            done.lines("move 2 was read from the e-mail: b2").len(),
            1,
            "{line}"
        );
    }
}

#[test]
fn a_letter_goes_into_a_new_file_only() {
    let Letters { ann, .. } = Letters::begin("new-file", "e5\\n");
    let first = ann.read("out");
    let done = ann
        .shell("printf 'b2\\nmail out\\nmail no/such\\n' | LINESMAN play susan --continue l.jsonl")
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("mail: out: exists: expected a new file").len(),
        1,
        "{:?}",
        done.stdout
    );
    assert_eq!(done.lines("mail: no/such: ").len(), 1, "{:?}", done.stdout);
    assert_eq!(ann.read("out"), first);
}

/// Letters of other people, as a mailbox: one game with all moves, in the game of which most can be read.
#[test]
fn a_thread_of_letters_becomes_one_ledger() {
    let folder = Folder::new("console-thread");
    let thread = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/letters/susan-thread.mbox"
    );
    let line = format!("printf 'played\\n' | LINESMAN play --mail {thread} --ledger l");
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let out = done.stdout.join("\n");
    assert!(out.contains("susan: human (x) vs human (o)"), "{out}");
    assert!(
        out.contains("read: 5/6/7/8/9/8/7/6/5 x 0 (x to move), 3 moves: e5 d4 e4"),
        "{out}"
    );
    assert!(out.contains("1. e5 2. d4 3. e4"), "{out}");
}

/// A text without a board or a move is an error that says what was expected.
#[test]
fn a_letter_without_a_game_is_refused() {
    let folder = Folder::new("console-no-game");
    std::fs::write(folder.path("in"), "Dear Ann,\nhow are you?\n").expect("a letter");
    for game in ["", "susan"] {
        let done = folder
            .shell(&format!("LINESMAN play {game} --mail in"))
            .done();
        assert_eq!(done.status, Some(1), "{:?}", done.stdout);
        assert!(
            done.stderr.contains("--mail in: ") && done.stderr.contains("moves"),
            "{}",
            done.stderr
        );
    }
}
