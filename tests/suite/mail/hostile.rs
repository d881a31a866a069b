//! Hostile messages: loops, floods, garbage.

use std::panic::{AssertUnwindSafe, catch_unwind};

use laws::testing::full;

use super::{CLUB, Case, DAY, Letter, Report, address};
use crate::support::has;

#[test]
fn two_clubs_do_not_answer_each_other() {
    let (mut one, mut two) = (Case::new("mail-loop-1"), Case::new("mail-loop-2"));
    two.club
        .set_addresses("other@example.org", "host@example.org", "")
        .expect("addresses");
    // Forged: the message to one club seems to come from the other one.
    let report = one.send("other", "signup other", "");
    assert_eq!(report, Report::Done);
    let letter = one.letter_to("other");
    assert_eq!(
        two.deliver(&letter.raw),
        Report::Automatic("an e-mail of a club")
    );
    assert!(two.letters().is_empty());
    // Recognized even without our header field.
    let stripped: String = letter
        .raw
        .lines()
        .filter(|line| !line.starts_with("X-"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(two.deliver(&stripped), Report::Again, "it came already");
    let other = stripped.replace("Message-ID: <", "Message-ID: <x");
    assert_eq!(two.deliver(&other), Report::Automatic("Auto-Submitted"));
    assert!(two.letters().is_empty() && one.letters().is_empty());
    // A club receives its own e-mail.
    let back = format!("From: {CLUB}\nSubject: help\n\nhelp\n");
    assert_eq!(one.deliver(&back), Report::Automatic("our own address"));
    assert!(one.letters().is_empty());
}

#[test]
fn what_programs_send_moves_nothing() {
    let (mut case, ann, _) = Case::playing("mail-automatic", "susan:Size=3");
    for header in [
        "Auto-Submitted: auto-replied",
        "Precedence: bulk",
        "Return-Path: <>",
        "List-Id: <x.y>",
    ] {
        let header = format!("{header}\nIn-Reply-To: <{}>\n", ann.id);
        let report = case.send_with("ann", &header, "vacation", "b2\n");
        assert!(
            matches!(report, Report::Automatic(_)),
            "{header}: {report:?}"
        );
    }
    assert!(case.letters().is_empty());
    assert_eq!(case.moves(1), "");
}

#[test]
fn floods_end() {
    let mut case = Case::new("mail-flood");
    for _ in 0..100 {
        let report = case.send("eve", "help", "");
        assert!(
            matches!(report, Report::Done | Report::TooMany),
            "{report:?}"
        );
    }
    assert_eq!(case.letters().len(), 1, "a stranger gets no more in a day");
    assert_eq!(case.send("eve", "help", ""), Report::TooMany);
    case.now += 3601;
    assert_eq!(case.send("eve", "help", ""), Report::Done);
    assert!(case.letters().is_empty());
    case.now += DAY;
    assert_eq!(case.send("eve", "help", ""), Report::Done);
    assert_eq!(case.letters().len(), 1);
}

#[test]
fn a_damaged_message_costs_itself_and_a_note() {
    let mut case = Case::new("mail-damaged");
    for message in [
        String::new(),
        "\0\0\0".to_owned(),
        "Subject: help\n\nhelp\n".to_owned(),
        "x".repeat((1 << 20) + 1),
    ] {
        let report = case.deliver(&message);
        assert!(matches!(report, Report::Damaged(_)), "{report:?}");
    }
    let notes = case.letters();
    assert_eq!(notes.len(), 4);
    for note in &notes {
        assert_eq!(note.to, address("host"));
        has(&note, "could not be read");
    }
    for _ in 0..20 {
        case.n_sent += 1;
        let message = format!("Message: {}\n\n", case.n_sent);
        case.deliver(&message);
    }
    assert_eq!(case.letters().len(), 1, "the host gets five in an hour");
    assert_eq!(case.send("ann", "signup ann", ""), Report::Done);
}

#[test]
fn nothing_of_a_message_becomes_a_path_or_an_option() {
    let (mut case, ann, _) = Case::with_two("mail-paths");
    for words in [
        "challenge ../../etc/passwd bob",
        "challenge susan:Size=../x bob",
        "challenge susan:$(touch x) bob",
        "show `touch x`",
        "show 1;touch x",
    ] {
        has(&case.ask("ann", &format!("{words} {ann}")), "Not done");
    }
    let report = case.deliver("From: <-oQ/tmp/x@example.org>\nSubject: help\n\nhelp\n");
    assert!(matches!(report, Report::Damaged(_)), "{report:?}");
    let report = case.deliver("From: eve@example.org\nMessage-ID: <a@b>\n\tBcc: bob@example.org\nSubject: =?utf-8?Q?x=0ABcc:_bob@example.org?=\n\nx\n");
    assert_eq!(report, Report::Done);
    for letter in case.letters() {
        assert!(
            !letter
                .raw
                .lines()
                .any(|line| line.to_lowercase().starts_with("bcc")),
            "{}",
            letter.raw
        );
    }
}

/// Pieces of the random messages. `{t}` is replaced by a token.
const PIECES: [&str; 40] = [
    "From: ann@example.org\n",
    "From: bob <bob@example.org>\n",
    "From: =?utf-8?B?////?= <eve@example.org>\n",
    "Subject: move 1 ann {t} b2\n",
    "Subject: =?iso-8859-1?Q?=FF=00?=\n",
    "Message-ID: <",
    "@x>\n",
    "In-Reply-To: <{i}>\n",
    "References: <{i}> <{i}>\n",
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: text/html; charset=utf-7\n",
    "Content-Type: text/plain; charset=utf-16\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Type: message/rfc822\n",
    "\n",
    "\n\n",
    "--b\n",
    "--b--\n",
    "show 1\n",
    "move 1 ann {t} b2\n",
    "queue 1 bob {t} c3#2\n",
    "draw 1 ann {t}\n",
    "undo 1 bob {t}\n",
    "accept 1 bob {t}\n",
    "challenge susan:Size=3 bob {t}\n",
    "message bob {t}\n",
    "note 1 ann {t} x\n",
    "history 1\n",
    "> quoted\n",
    "b2\n",
    "c3\n",
    "1. b2\n",
    "=FF=\n",
    "\u{fffd}\u{202e}\n",
    "<p>show 1</p>\n",
    "signup carl\n",
    "    1 2 3\na   . . . 4\n",
    "-- \n",
    "\0",
];

/// A message of random pieces, with random damage.
fn fuzzed(random: &mut fastrand::Rng, letters: &[Letter], sound: &str) -> Vec<u8> {
    let letter = &letters[random.usize(..letters.len())];
    let mut text = String::new();
    if random.u8(..4) > 0 {
        text.push_str(PIECES[random.usize(..2)]);
    }
    for _ in 0..random.usize(..12) {
        text.push_str(PIECES[random.usize(..PIECES.len())]);
    }
    if random.u8(..8) == 0 {
        text = sound.to_owned();
    }
    let text = text
        .replace("{t}", &letter.token())
        .replace("{i}", &letter.id);
    let mut bytes = text.into_bytes();
    for _ in 0..random.usize(..4) {
        let at = random.usize(..=bytes.len());
        match random.u8(..4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = random.u8(..),
            2 => bytes.insert(at, random.u8(..)),
            _ => {
                let again: Vec<u8> = bytes[at..].iter().copied().take(50).collect();
                bytes.splice(at..at, again);
            }
        }
    }
    bytes
}

/// Sends fuzzed messages to one club, with a game in progress.
fn fuzz(seed: u64, n_messages: usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut case, ann, bob) = Case::playing("mail-fuzz", "susan:Size=3");
    let letters = [ann, bob];
    let sound = format!(
        "From: ann@example.org\nSubject: Re: x\nIn-Reply-To: <{}>\nContent-Type: text/plain; charset=utf-8\n\nshow 1\n",
        letters[0].id
    );
    for number in 0..n_messages {
        let bytes = fuzzed(&mut random, &letters, &sound);
        case.now += 200;
        let club = &mut case.club;
        let received = catch_unwind(AssertUnwindSafe(|| club.receive(&bytes, case.now)));
        let shown = || {
            let text = String::from_utf8_lossy(&bytes);
            format!("seed {seed}, message {number}: {text:?}")
        };
        let report = received.unwrap_or_else(|_| panic!("{}", shown()));
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", shown()));
        assert_ne!(
            report,
            Report::Damaged("an internal error of the club"),
            "{}",
            shown()
        );
        assert_ne!(report, Report::Damaged("no message"), "{}", shown());
    }
    let (_, faults) = case.club.overview(case.now).expect("the store is there");
    assert!(faults.is_empty(), "seed {seed}: {faults:?}");
    let (text, is_done) = case.command("history 1");
    assert!(is_done, "seed {seed}: {text}");
    has(&text, "susan:Size=3");
}

/// The journal of a board grows with each message, so many clubs take less time than one.
#[test]
fn fuzzed_messages_leave_the_store_sound() {
    for seed in 0..if full() { 20 } else { 4 } {
        fuzz(seed, 500);
    }
}
