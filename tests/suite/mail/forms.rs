//! Forms of an answer, and of the e-mails that it answers.

use std::io::Write;
use std::process::{Command, Stdio};

use super::{CLUB, Case, Letter, address, create, to};
use crate::support::{Folder, has, installed, program};

#[test]
fn chat_is_no_move() {
    let (mut case, ann, _) = Case::playing("mail-chat", "susan:Size=3");
    for text in [
        "Hi Bob, nice game!\n",
        "",
        "b2 c3\n",
        "z9\n",
        "Hi!\n\n2. b2\n",
        "Hi!\n\n1. b2\n\nor c3?\n\n1. c3\n",
        "nice game! 1. b2 of course.\n",
    ] {
        has(&case.reply("ann", &ann, text), "Not done");
    }
    assert_eq!(case.moves(1), "");
}

#[test]
fn a_move_below_other_words_counts() {
    let (mut case, ann, _) = Case::playing("mail-words", "susan:Size=3");
    case.answer("ann", &ann, "Hi Bob,\n\nnice game!\n\n1. b2\n\nAnn\n");
    assert_eq!(case.moves(1), "1. b2");
    // The e-mails explain the club's commands only.
    let sent = case.letters();
    assert_eq!(sent.len(), 2, "{sent:#?}");
    for letter in &sent {
        has(&letter, "Move 2 is for bob (o).");
    }
    // A reply may copy the game without quotation marks.
    let to_bob = to(&sent, "bob");
    let copied = format!("Thank you!\n\nc3\n\n{}", to_bob.text);
    case.answer("bob", to_bob, &copied);
    assert_eq!(case.moves(1), "1. b2 2. c3");
}

#[test]
fn letters_are_narrow_on_any_board() {
    for (game, code) in [
        ("graph-hockey:Side=8,Gap=16", "B"),
        ("projex:Size=10", "H3"),
        ("gobblet:Size=4", "4@b2"),
        ("entropy", "a2-c4"),
    ] {
        let (mut case, ann, _) = Case::playing("mail-width", game);
        let letters = case.answers("ann", &ann, &format!("{code}\n"));
        assert_eq!(letters.len(), 2, "{game}: {letters:#?}");
        for letter in &letters {
            let mut lines = letter.raw.lines();
            assert!(
                lines.all(|line| line.is_ascii() && line.len() <= 78),
                "{game}: {}",
                letter.raw
            );
            has(&letter, format!("\n1. {code}\n"));
        }
    }
}

/// Mutt writes the message itself and passes it to linesman-club as its sendmail program.
#[test]
fn mutt_plays() {
    let mutt = or_skip!(installed("mutt"));
    let folder = Folder::new("mail-mutt");
    create(&folder);
    let club = program("linesman-club").display().to_string();
    let script = format!("#!/bin/sh\nexec {club} mail --store club.db --out out\n");
    folder.write("deliver", script);
    let settings = "set sendmail=\"sh deliver\"\nset copy=no\nset from=\"ann@example.org\"\nset use_from=yes\n\
                    set realname=\"Ann\u{e9}\"\nset charset=utf-8\nset send_charset=\"us-ascii:iso-8859-1:utf-8\"\n";
    folder.write("muttrc", settings);
    let send = |draft: &str| {
        folder.write("draft", draft);
        let mut child = Command::new(&mutt)
            .current_dir(folder.path(""))
            .env("HOME", folder.path(""))
            .env("LC_ALL", "C.UTF-8")
            .args(["-n", "-F", "muttrc", "-H", "draft"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("mutt runs");
        child
            .stdin
            .take()
            .expect("piped")
            .flush()
            .expect("it is there");
        assert!(child.wait().expect("mutt ends").success());
    };
    let last = |n: usize| {
        let mut letters: Vec<_> = std::fs::read_dir(folder.path("out"))
            .expect("letters")
            .map(|file| file.expect("a file").path())
            .collect();
        letters.sort();
        assert_eq!(letters.len(), n, "{letters:?}");
        Letter::parse(&std::fs::read_to_string(&letters[n - 1]).expect("a letter"))
    };
    send(&format!("To: {CLUB}\nSubject: signup ann\n\nHello\n"));
    let account = last(1);
    assert_eq!(account.to, address("ann"));
    let answer = |letter: &Letter, text: &str| {
        send(&format!(
            "To: {CLUB}\nSubject: Re: {}\nIn-Reply-To: <{}>\nReferences: <{}>\n\n{text}\n",
            letter.subject, letter.id, letter.id
        ));
    };
    answer(
        &account,
        "challenge susan:Size=3 level=0 linesman\nGr\u{fc}\u{df}e, \u{2603}",
    );
    let board = last(2);
    answer(&board, "b2\n\n> quoted\n\nGr\u{fc}\u{df}e");
    let board = last(3);
    has(&board, "1. b2\n2. ");
}
