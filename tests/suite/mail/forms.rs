//! Forms of an answer: sent by mutt, or with the board drawn.

use std::io::Write;
use std::process::{Command, Stdio};

use kit::{DynHistory, View};
use record::game_spec::GameSpec;

use super::{CLUB, Case, Letter, address, create};
use crate::support::{Folder, installed};

fn start(game: &str) -> Box<dyn DynHistory> {
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES.rules(&spec).expect("its options");
    rules.expect("rules").start()
}

#[test]
fn a_drawn_board_is_a_move() {
    for (game, code) in [
        ("susan:Size=3", "b2"),
        ("gobblet", "2@b2"),
        ("projex:Size=4", "D3"),
        ("entropy", "a4-c4"),
    ] {
        let (mut case, ann, _) = Case::playing("mail-drawn", game);
        let mut after = start(game);
        let code = after.play(code).or_else(|_| {
            let first = after.moves()[0].clone();
            after.play(&first)
        });
        let code = code.expect("a legal move");
        let drawn = after.draw(View {
            is_ascii: true,
            ..View::default()
        });
        case.answer("ann", &ann, &drawn);
        assert_eq!(case.moves(1), format!("1. {code}"), "{game}:\n{drawn}");
    }
}

#[test]
fn a_move_below_the_board_of_the_letter_counts() {
    let (mut case, ann, _) = Case::playing("mail-below", "susan:Size=3");
    let drawn = start("susan:Size=3").draw(View {
        is_ascii: true,
        ..View::default()
    });
    case.answer("ann", &ann, &format!("{drawn}\nb2\n"));
    assert_eq!(case.moves(1), "1. b2");
}

#[test]
fn a_board_that_no_move_leads_to_is_refused() {
    let (mut case, ann, _) = Case::playing("mail-wrong-board", "susan:Size=3");
    let mut after = start("susan:Size=3");
    for code in ["b2", "c3"] {
        after.play(code).expect("a legal move");
    }
    let drawn = after.draw(View {
        is_ascii: true,
        ..View::default()
    });
    case.answer("ann", &ann, &drawn);
    let told = case.letter_to("ann").text;
    assert!(told.contains("no legal move leads to the board"), "{told}");
    let start = start("susan:Size=3").draw(View {
        is_ascii: true,
        ..View::default()
    });
    case.answer("ann", &ann, &start);
    let told = case.letter_to("ann").text;
    assert!(
        told.contains("the board in it is that of the quoted e-mail"),
        "{told}"
    );
}

#[test]
fn chat_is_no_move() {
    let (mut case, ann, _) = Case::playing("mail-chat", "susan:Size=3");
    for text in [
        "Hi Bob, nice game!\n",
        "",
        "b2 c3\n",
        "z9\n",
        "Hi!\n\n2. b2\n",
    ] {
        case.answer("ann", &ann, text);
        let told = case.letter_to("ann").text;
        assert!(told.contains("Not done"), "{text}: {told}");
    }
    assert_eq!(case.moves(1), "");
}

#[test]
fn a_move_below_other_words_counts() {
    let (mut case, ann, _) = Case::playing("mail-words", "susan:Size=3");
    case.answer(
        "ann",
        &ann,
        "Hi Bob,\n\nnice game! 1. b2 of course.\n\nAnn\n",
    );
    assert_eq!(case.moves(1), "1. b2");
    // The e-mails explain the club's commands only.
    let sent = case.letters();
    assert_eq!(sent.len(), 2, "{sent:#?}");
    for letter in sent {
        let text = letter.text;
        let is_plain = text.contains("Move 2 is for bob") && !text.contains("To reply");
        assert!(is_plain, "{text}");
    }
}

/// Mutt writes the message itself and passes it to linesman as its sendmail program.
#[test]
fn mutt_plays() {
    let mutt = or_skip!(installed("mutt"));
    let folder = Folder::new("mail-mutt");
    create(&folder);
    let linesman = env!("CARGO_BIN_EXE_linesman-test");
    let script = format!("#!/bin/sh\nexec {linesman} mail --store club.db --out out\n");
    std::fs::write(folder.path("deliver"), script).expect("it is written");
    let settings = "set sendmail=\"sh deliver\"\nset copy=no\nset from=\"ann@example.org\"\nset use_from=yes\n\
                    set realname=\"Ann\u{e9}\"\nset charset=utf-8\nset send_charset=\"us-ascii:iso-8859-1:utf-8\"\n";
    std::fs::write(folder.path("muttrc"), settings).expect("it is written");
    let send = |draft: &str| {
        std::fs::write(folder.path("draft"), draft).expect("it is written");
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
    assert!(board.text.contains("1. b2\n2. "), "{}", board.text);
}
