//! Limits of answers to a sender: none for what people send, and an end for programs that answer each answer.

use super::{Case, Letter, Report, address, to};
use crate::support::{has, lacks};

/// Letters to a user among those sent since the last call.
fn to_user(case: &mut Case, name: &str) -> Vec<Letter> {
    let mut letters = case.letters();
    letters.retain(|letter| letter.to == address(name));
    letters
}

/// A program answers the last letter of the club, so many times. Returns the number of letters, and the last one.
fn responds(case: &mut Case, name: &str, mut letter: Letter, n_answers: usize) -> (usize, Letter) {
    let mut n_letters = 0;
    for _ in 0..n_answers {
        let report = case.answer(name, &letter, "I am away until Monday.\n");
        assert_eq!(report, Report::Done);
        for new in case.letters() {
            n_letters += 1;
            letter = new;
        }
    }
    (n_letters, letter)
}

#[test]
fn an_exchange_with_a_program_that_answers_each_answer_ends() {
    let (mut case, ann, _) = Case::playing("mail-responder", "susan:Size=3");
    let (n_letters, last) = responds(&mut case, "ann", ann.clone(), 100);
    assert_eq!(n_letters, 30);
    has(
        &last,
        "message 30 within an hour in which nothing could be done",
    );
    // Neither a move nor a command of the same person is held up.
    case.answer("ann", &ann, "b2\n");
    assert_eq!(case.moves(1), "1. b2");
    assert_eq!(case.letters().len(), 2);
    has(&case.reply("ann", &ann, "show 1\n"), "1. b2");
    // An hour later, the next ones are answered again.
    case.now += 3600;
    has(&case.reply("ann", &ann, "Hello!\n"), "Not done");
}

#[test]
fn a_stranger_with_a_program_that_answers_each_answer_gets_few() {
    let mut case = Case::new("mail-responder-stranger");
    let letter = case.ask("eve", "hello");
    let (n_letters, _) = responds(&mut case, "eve", letter, 100);
    assert!(n_letters <= 30, "{n_letters}");
}

/// A program that does not even say what it answers, at an address that the mail server verifies.
#[test]
fn a_verified_program_gets_few_answers() {
    let (mut case, _, _) = Case::with_two("mail-responder-verified");
    case.trust("mx.example.net");
    let verified = "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n";
    let mut n_letters = 0;
    for _ in 0..100 {
        case.send_with("ann", verified, "Away", "I am away.\n");
        n_letters += case.letters().len();
    }
    assert_eq!(n_letters, 30);
}

#[test]
fn valid_commands_and_replies_are_always_answered() {
    let (mut case, ann, _) = Case::playing("mail-answered", "susan:Size=3");
    let account = {
        case.send("ann", "signup ann", "");
        case.letter_to("ann")
    };
    let token = account.token();
    for number in 0..20 {
        // A token in a command that needs none, a reply about a board, and a reply to an answer without a token.
        case.send("elsewhere", &format!("show 1 ann {token}"), "");
        let shown = case.letter_to("ann");
        has(&shown, "move 1 is for ann");
        case.answer("ann", &ann, "show 1\n");
        assert_eq!(to_user(&mut case, "ann").len(), 1, "{number}");
        case.answer("ann", &shown, "games\n");
        assert_eq!(to_user(&mut case, "ann").len(), 1, "{number}");
    }
}

#[test]
fn the_last_answer_to_messages_without_a_token_says_so() {
    let (mut case, _, _) = Case::with_two("mail-last-answer");
    case.now += 3600;
    let mut told = Vec::new();
    for _ in 0..20 {
        case.send("ann", "games", "");
        told.extend(to_user(&mut case, "ann"));
    }
    assert_eq!(told.len(), 5);
    let limit = "the last answer for now to messages without a token";
    for letter in &told[..4] {
        lacks(&letter, limit);
    }
    let last = &told[4];
    has(&last, limit);
    // Its advice helps.
    for _ in 0..30 {
        case.answer("ann", last, "games\n");
        assert_eq!(to_user(&mut case, "ann").len(), 1);
    }
}

#[test]
fn the_bound_of_valid_commands_is_said_once() {
    let (mut case, ann, _) = Case::with_two("mail-bound");
    case.now += 3600;
    let words = format!("whoami {ann}");
    let mut letters = Vec::new();
    for _ in 0..150 {
        case.send("ann", &words, "");
        letters.extend(to_user(&mut case, "ann"));
    }
    assert_eq!(letters.len(), 101);
    has(&letters[100], "100 messages of yours came within an hour");
    has(&letters[100], "none of them is kept");
    // Bob is another sender.
    case.send("bob", "whoami", "");
    assert_eq!(to_user(&mut case, "bob").len(), 1);
    case.now += 3600;
    case.letters();
    has(&case.ask("ann", &words), "You are ann");
}

#[test]
fn a_change_of_address_needs_the_old_one() {
    let (mut case, ann, _) = Case::with_two("mail-old-address");
    case.trust("mx.example.net");
    let verified = "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n";
    let account = case.ask("ann", "signup ann");
    // With the token, in an answer that grants the account, and from a verified sender.
    for number in 0..3 {
        let new = format!("new{number}");
        match number {
            0 => case.send("ann", &format!("address {} {ann}", address(&new)), ""),
            1 => case.answer("ann", &account, &format!("address {}\n", address(&new))),
            _ => case.send_with("ann", verified, &format!("address {}", address(&new)), ""),
        };
        let letters = case.letters();
        let (to_new, to_old) = (to(&letters, &new).clone(), to(&letters, "ann").clone());
        has(&to_old, address(&new));
        let line = to_old
            .text
            .lines()
            .find(|line| line.starts_with("    address "));
        let confirm = line.expect("a command to confirm").trim().to_owned();
        // Answers without the command confirm nothing, nor does the new token before it.
        case.answer("ann", &to_old, "Who was that?\n");
        case.answer(&new, &to_new, &format!("address {}\n", to_new.token()));
        let told = case.letters();
        has(to(&told, &new), "not confirmed from your old address");
        let (shown, _) = case.command("whoami ann");
        has(&shown, "ann@example.org");
        if number < 2 {
            continue;
        }
        case.send("elsewhere", &confirm, "");
        has(&case.letter_to("ann").text, "Confirmed");
        case.answer(&new, &to_new, &format!("address {}\n", to_new.token()));
        has(&case.letter_to(&new).text, address(&new));
        has(&case.command("whoami ann").0, address(&new));
        // The code is used up, and a new token of the account ends a change.
        case.send(&new, &confirm, "");
        lacks(&case.command("whoami ann").0, "ann@example.org");
    }
    case.letters();
    case.send("bob", "signup bob", "");
    let bob = case.letter_to("bob").token();
    let letters = case.sends("bob", &format!("address eve@example.org {bob}"));
    let (code, new) = (
        to(&letters, "bob").text.clone(),
        to(&letters, "eve").token(),
    );
    let code = code.split("    address ").nth(1).expect("a command").trim();
    case.send("bob", &format!("token {bob}"), "");
    case.send("bob", &format!("address {code}"), "");
    case.send("eve", &format!("address {new}"), "");
    has(&case.command("whoami bob").0, "bob@example.org");
}

/// The host helps a user who has lost the old address.
#[test]
fn the_host_changes_an_address_that_is_lost() {
    let (mut case, _, _) = Case::with_two("mail-host-address");
    let (told, is_done) = case.command("address new@example.org ann");
    assert!(is_done, "{told}");
    let letter = case.letter_to("new");
    case.answer("new", &letter, &format!("address {}\n", letter.token()));
    has(&case.command("whoami ann").0, "new@example.org");
}

#[test]
fn a_message_executes_twenty_commands() {
    let (mut case, letter, _) = Case::playing("mail-twenty", "susan:Size=3");
    for (n_commands, n_left_out) in [(20, 0), (21, 1), (33, 13)] {
        assert_eq!(
            case.answer("ann", &letter, &"show 1\n".repeat(n_commands)),
            Report::Done
        );
        let answer = case.letter_to("ann");
        let n_shown = answer.text.matches("> show").count();
        assert_eq!(n_shown, n_commands - n_left_out, "{}", answer.text);
        match n_left_out {
            0 => lacks(&answer, "Not done"),
            n => has(
                &answer,
                format!("Not done: the last {n} of these commands."),
            ),
        }
    }
}
