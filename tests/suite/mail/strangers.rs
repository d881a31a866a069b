//! Limits of strangers and forged senders: they block no e-mails, use up no limits and flood no user.

use linesman_club::Post;
use rusqlite::Connection;

use super::{Case, DAY, Letter, Report, address, open, to};
use crate::support::{begins, has, lacks};

const HOUR: i64 = 3600;

/// A stand-in for sendmail that rejects e-mails to `victim` and files the others.
fn particular_sendmail(case: &Case) -> Post {
    let script = case.folder.path("sendmail");
    let taken = case.folder.path("taken");
    std::fs::create_dir(&taken).expect("a folder");
    let text = format!(
        "case $4 in victim*) echo 'no such user' >&2; exit 67;; esac\ncat > {}/$4\n",
        taken.display()
    );
    std::fs::write(&script, text).expect("it is written");
    Post::sendmail(&format!("sh {}", script.display())).expect("a command")
}

/// `true` if all that is due has been sent.
fn settles(case: &mut Case, post: &Post) -> bool {
    let notes = case.club.settle(post, case.now).expect("the store");
    notes.is_empty()
}

#[test]
fn a_rejected_letter_is_tried_again_alone() {
    let mut case = Case::new("mail-rejected");
    let post = particular_sendmail(&case);
    for name in ["victim1", "victim2", "victim3", "victim4", "ann"] {
        case.send(name, "help", "");
    }
    let notes = case.club.settle(&post, case.now).expect("the store");
    assert_eq!(notes.len(), 1, "{notes:?}");
    begins(&notes[0], "4 e-mails are waiting");
    has(&notes[0], "no such user");
    assert!(case.folder.path("taken").join(address("ann")).exists());
    // Until its next attempt, a rejected letter costs nothing.
    assert!(settles(&mut case, &post));
    case.send("bob", "help", "");
    assert!(settles(&mut case, &post));
    assert!(case.folder.path("taken").join(address("bob")).exists());
    let n_attempts = (0..5 * 24)
        .filter(|_| {
            case.now += HOUR;
            !settles(&mut case, &post)
        })
        .count();
    assert!((10..30).contains(&n_attempts), "{n_attempts}");
    case.now += DAY;
    assert!(settles(&mut case, &post));
}

#[test]
fn forged_messages_do_not_use_up_the_limit_of_a_player() {
    let (mut case, ann, _) = Case::playing("mail-forged", "susan:Size=3");
    for number in 0..62 {
        let report = case.send("ann", "help", "");
        // The sign-up was the first one.
        let expected = if number < 59 {
            Report::Done
        } else {
            Report::TooMany
        };
        assert_eq!(report, expected, "{number}");
    }
    case.letters();
    // A wrong token shows nothing.
    let wrong = "move 1 ann aaaaaaaaaaaaaaaa b2";
    assert_eq!(case.send("ann", wrong, ""), Report::TooMany);
    assert_eq!(
        case.send("ann", &format!("move 1 ann {} b2", ann.token()), ""),
        Report::Done
    );
    assert_eq!(case.moves(1), "1. b2");
    assert_eq!(case.letters().len(), 2);
    // Nor do answers to the club's letters, whose ids are secret, count.
    has(&case.reply("ann", &ann, "show 1\n"), "1. b2");
}

#[test]
fn a_rejected_command_confirms_its_sender() {
    let mut case = Case::new("mail-confirms");
    let [ann, bob] = ["ann", "bob"].map(|name| {
        case.send(name, &format!("signup {name}"), "");
        case.letter_to(name)
    });
    has(&ann, format!("    whoami {}\n", ann.token()));
    has(
        &case.ask("ann", &format!("challenge susan bob {}", ann.token())),
        "bob has not confirmed",
    );
    let letters = case.sends("bob", &format!("challenge susan ann {}", bob.token()));
    assert_eq!(to(&letters, "ann").subject, "[susan 1] bob challenges you");
    // The new address too.
    assert!(case.command("address new@example.org ann").1);
    let token = case.letter_to("new").token();
    has(
        &case.ask("new", &format!("challenge susan carl {token}")),
        "there is no user",
    );
    let words = format!("whoami {token}");
    has(&case.ask("new", &words), "new@example.org");
}

#[test]
fn a_corrected_command_answers_the_rejection() {
    let (mut case, ann, bob) = Case::playing("mail-corrected", "susan:Size=3");
    case.answer("ann", &ann, "z9\n");
    let rejected = case.letter_to("ann");
    has(&rejected, "Not done");
    case.answer("ann", &rejected, "b2\n");
    assert_eq!(case.moves(1), "1. b2");
    case.letters();
    // The answer to `show`, in the thread and without one.
    case.answer("bob", &bob, "show\n");
    let shown = case.letter_to("bob");
    case.answer("bob", &shown, "c3\n");
    assert_eq!(case.moves(1), "1. b2 2. c3");
    case.letters();
    let shown = case.ask("ann", "show 1");
    case.answer("ann", &shown, "a1\n");
    assert_eq!(case.moves(1), "1. b2 2. c3 3. a1");
    case.letters();
    // An answer that concerns no board, in the thread of one.
    case.answer("bob", &bob, "standings\n");
    let standings = case.letter_to("bob");
    let header = format!(
        "In-Reply-To: <{}>\nReferences: <{}> <{}>\n",
        standings.id, bob.id, standings.id
    );
    case.send_with("bob", &header, "Re: standings", "a2#4\n");
    assert!(case.moves(1).ends_with("4. a2"), "{}", case.moves(1));
    case.letters();
    // With the account's letter.
    let account = case.ask("ann", "signup ann");
    case.answer("ann", &account, "challenge susan:Size=99 bob\n");
    let rejected = case.letter_to("ann");
    let header = format!(
        "In-Reply-To: <{}>\nReferences: <{}> <{}>\n",
        rejected.id, account.id, rejected.id
    );
    case.send_with(
        "ann",
        &header,
        "Re: challenge",
        "challenge susan:Size=3 bob\n",
    );
    assert_eq!(case.letters().len(), 2);
    // The answer to a stranger gives a stranger nothing.
    let shown = case.ask("eve", "show 1");
    has(&case.reply("eve", &shown, "resign 1\n"), "Not done");
}

#[test]
fn a_forged_sender_gets_one_letter_a_day() {
    let mut case = Case::new("mail-bombs");
    let twenty = "signup victim\nsignup victim2\n".repeat(10);
    for _ in 0..60 {
        case.send("victim", "", &twenty);
        case.send("victim", "help", "");
    }
    let letters = case.letters();
    assert_eq!(letters.len(), 1, "{}", letters.len());
    case.now += DAY;
    let help = case.ask("victim", "help");
    // An answer proves that the address is read.
    let n_answers: usize = (0..30)
        .map(|_| {
            case.answer("victim", &help, "players\n");
            case.letters().len()
        })
        .sum();
    assert_eq!(n_answers, 30);
    // The token of a confirmed account is not mailed without end either.
    let ann = case.sign_up("ann");
    case.now += HOUR;
    for _ in 0..60 {
        case.send("ann", "", &"signup ann\n".repeat(20));
    }
    assert_eq!(case.letters().len(), 5);
    for number in 0..20 {
        case.send("ann", &format!("address new{number}@example.org {ann}"), "");
        case.send("ann", &format!("address other@example.org {ann}"), "");
    }
    let letters = case.letters();
    let is_own = |letter: &&Letter| letter.to == address("ann");
    assert_eq!(
        letters.iter().filter(is_own).count(),
        40,
        "each is answered"
    );
    assert_eq!(letters.len(), 43);
    case.now += DAY;
    has(
        &case.ask("ann", &format!("whoami {ann}")),
        "ann@example.org",
    );
}

#[test]
fn no_user_fills_the_boards_or_the_mailbox_of_another_one() {
    let (mut case, ann, bob) = Case::with_two("mail-flooded");
    for _ in 0..5 {
        assert!(case.command("challenge susan bob ann").1);
    }
    let (told, is_done) = case.command("challenge susan bob ann");
    assert!(!is_done, "{told}");
    has(&told, "5 challenges to bob are unanswered");
    case.letters();
    for _ in 0..60 {
        case.send("ann", &format!("message bob {ann}"), "Hello\n");
    }
    let to_bob = case
        .letters()
        .iter()
        .filter(|letter| letter.to == address("bob"))
        .count();
    assert_eq!(to_bob, 50);
    case.now += DAY;
    has(
        &case.ask("bob", &format!("block ann {bob}")),
        "ann can no longer challenge you",
    );
    for words in ["message bob", "challenge susan bob"] {
        case.send("ann", &format!("{words} {ann}"), "Hello\n");
        let told = case.letter_to("ann");
        has(&told, "bob takes no challenges and messages from ann");
    }
    has(
        &case.ask("bob", &format!("unblock ann {bob}")),
        "ann can challenge you",
    );
    case.send("ann", &format!("message bob {ann}"), "Hello\n");
    assert_eq!(case.letters().len(), 2);
    has(
        &case.ask("bob", &format!("block bob {bob}")),
        "name another user",
    );
}

#[test]
fn names_that_look_like_another_one_are_refused() {
    let (mut case, _, _) = Case::with_two("mail-lookalikes");
    case.sign_up("billy");
    for (name, why) in [
        ("B1lly", "looks like billy"),
        ("biIly", "looks like billy"),
        ("b0b", "looks like bob"),
        ("\u{430}nn", "Latin letters"),
        ("\u{3b1}nn", "Latin letters"),
        ("\u{ff41}nn", "Latin letters"),
        ("ann.", "Latin letters"),
    ] {
        case.now += DAY;
        has(&case.ask("eve", &format!("signup {name}")), why);
    }
    case.send("eve", "=?utf-8?Q?signup_=C3=86gir?=", "");
    case.now += DAY;
    case.send("zoe", "signup Zo\u{eb}", "");
    assert_eq!(
        case.letters().len(),
        1,
        "eve's letter of the day is used up"
    );
}

#[test]
fn surplus_words_are_mentioned() {
    let mut case = Case::new("mail-surplus");
    let letter = case.ask("ann", "signup ann pass23 ann@elsewhere.org");
    has(&letter, "The words after the name had no effect");
    lacks(&letter, "pass23");
    has(
        &case.ask("ann", &format!("whoami please {}", letter.token())),
        "\"please\" is too much: write only whoami TOKEN",
    );
}

#[test]
fn the_sender_of_a_message_that_is_too_long_is_informed() {
    let (mut case, ann, _) = Case::playing("mail-long", "susan:Size=3");
    let message = format!(
        "From: ann@example.org\nMessage-ID: <long@x>\nSubject: move 1 ann {} b2\n\n{}",
        ann.token(),
        "x".repeat(1 << 20)
    );
    let cut = &message[..=1 << 20];
    assert!(matches!(case.deliver(cut), Report::Damaged(_)));
    let told = case.letter_to("ann");
    has(&told, "it has a fault: too long");
    assert_eq!(case.moves(1), "");
    assert_eq!(case.deliver(cut), Report::Again);
    let automatic = message.replace(
        "\nMessage-ID: <long",
        "\nAuto-Submitted: auto-replied\nMessage-ID: <long2",
    );
    assert_eq!(
        case.deliver(&automatic),
        Report::Automatic("Auto-Submitted")
    );
    assert!(case.letters().is_empty());
}

#[test]
fn one_process_at_a_time_computes_the_moves_of_the_engine() {
    let (mut case, ann, _) = Case::with_two("mail-engines-lock");
    let challenge = format!("challenge susan:Size=3 level=0 linesman ann {ann}");
    case.send("ann", &challenge, "");
    let lock = std::fs::File::create(case.folder.path("club.db.engines")).expect("a file");
    lock.lock().expect("it is free");
    let play = |case: &mut Case| case.club.play_engines(case.now).expect("the store");
    assert!(play(&mut case).is_empty());
    assert!(case.letters().is_empty(), "another process computes it");
    lock.unlock().expect("it is ours");
    assert!(play(&mut case).is_empty());
    assert_eq!(case.letters().len(), 1);
}

/// The tables of the second version, in place of those that later ones changed.
const SECOND_VERSION: &str = "
    ALTER TABLE blocks RENAME TO relations; ALTER TABLE relations ADD COLUMN is_blocked INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE watchers (board INTEGER NOT NULL, user INTEGER NOT NULL, PRIMARY KEY (board, user)) STRICT;
    CREATE TABLE submitted (board INTEGER NOT NULL, user INTEGER NOT NULL, number INTEGER NOT NULL, code TEXT NOT NULL,
        PRIMARY KEY (board, user)) STRICT;
    ALTER TABLE users ADD COLUMN vacation INTEGER NOT NULL DEFAULT 0; ALTER TABLE users DROP COLUMN old_code;
    ALTER TABLE inbox DROP COLUMN proven; PRAGMA user_version = 2;";

#[test]
fn a_store_of_the_second_version_is_upgraded() {
    let (mut case, _, _) = Case::playing("mail-upgrade", "susan:Size=3 days=3");
    assert!(case.command("block bob ann").1);
    let Case { folder, .. } = case;
    let db = Connection::open(folder.path("club.db")).expect("the store");
    db.execute_batch(SECOND_VERSION)
        .expect("the second version");
    // Bob welcomes Ann, and watches a board.
    db.execute_batch(
        "INSERT INTO relations SELECT bob.id, ann.id, 0 FROM users ann, users bob
             WHERE ann.name = 'ann' AND bob.name = 'bob';
         INSERT INTO watchers VALUES (1, 1); INSERT INTO settings VALUES ('url', 'https://example.org');",
    )
    .expect("its rows");
    drop(db);
    let mut club = open(&folder);
    let mut command = |words: &str| club.command(words, super::BEGIN).expect("the store").0;
    has(&command("show 1"), "until 2026-11-25");
    let told = command("challenge susan ann bob");
    has(&told, "ann takes no challenges");
    let told = command("challenge susan bob ann");
    has(&told, "bob is challenged");
}

#[test]
fn a_store_of_the_first_version_is_upgraded() {
    let (case, _, _) = Case::playing("mail-upgrade-first", "susan:Size=3 days=3");
    let Case { folder, .. } = case;
    let db = Connection::open(folder.path("club.db")).expect("the store");
    db.execute_batch(SECOND_VERSION)
        .expect("the second version");
    db.execute_batch(
        "DROP INDEX outbox_by_cause; DROP TABLE relations; DROP TABLE submitted;
         ALTER TABLE outbox DROP COLUMN tries; ALTER TABLE outbox DROP COLUMN due;
         ALTER TABLE outbox DROP COLUMN cause; DELETE FROM settings WHERE key IN ('ticked', 'authserv_id');
         UPDATE users SET vacation = 1796169600 WHERE name = 'ann'; PRAGMA user_version = 1;",
    )
    .expect("the first version");
    drop(db);
    let mut club = open(&folder);
    let (shown, _) = club.command("show 1", super::BEGIN).expect("the store");
    has(&shown, "until 2026-12-05");
}

#[test]
fn a_verified_sender_needs_no_token_if_the_host_says_so() {
    let (mut case, _, _) = Case::playing("mail-verified", "susan:Size=3");
    let results = |server: &str, domain: &str| {
        format!("Authentication-Results: {server}; dkim=pass header.d={domain}\n")
    };
    let good = results("mx.example.net", "example.org");
    case.send_with("ann", &good, "move 1 ann b2", "");
    assert!(
        case.letter_to("ann").text.contains("wrong token"),
        "not yet set"
    );
    case.trust("MX.example.net");
    let forged = [
        results("mx.example.net", "evil.test"),
        results("mx.evil.test", "example.org"),
        results("mx.evil.test", "example.org") + &good,
        format!("From: eve@example.org\n{good}"),
    ];
    for header in forged {
        case.now += DAY;
        case.send_with("ann", &header, "move 1 b2", "");
        assert_eq!(case.moves(1), "", "{header}");
    }
    let elsewhere =
        format!("From: ann@example.org\nTo: eve@example.org\nSubject: move 1 b2\n{good}\n");
    case.deliver(&elsewhere);
    assert_eq!(case.moves(1), "");
    case.letters();
    case.send_with("ann", &good, "move 1 b2", "");
    assert_eq!(case.moves(1), "1. b2");
    case.letters();
    case.send_with("ann", &good, "challenge susan:Size=3 bob", "");
    assert_eq!(case.letters().len(), 2);
    // Not for another player, and no more once it is switched off.
    case.send_with("ann", &good, "move 1 bob c3", "");
    has(&case.letter_to("ann").text, "wrong token");
    case.trust("");
    case.send_with("ann", &good, "challenge susan:Size=3 bob", "");
    has(&case.letter_to("ann").text, "Not done");
}

/// The lines of older versions have no `crc32`.
#[test]
fn a_board_from_before_checksums_is_played_on() {
    let (mut case, ann, _) = Case::playing("mail-unchecked", "susan:Size=3");
    let letters = case.answers("ann", &ann, "b2\n");
    let db = Connection::open(case.folder.path("club.db")).expect("the store");
    let mut rows = db.prepare("SELECT id, lines FROM journal").expect("rows");
    let rows = rows.query_map([], |row| row.try_into()).expect("rows");
    let rows: Vec<(i64, Vec<u8>)> = rows.collect::<Result<_, _>>().expect("rows");
    let mut n_cut = 0;
    for (id, lines) in rows {
        let text = String::from_utf8(lines).expect("JSON");
        n_cut += usize::from(text.contains("crc32"));
        let older = text
            .split_inclusive('\n')
            .map(|line| match line.rfind(",\"crc32\":\"") {
                Some(at) => format!("{}}}\n", &line[..at]),
                None => line.to_owned(),
            });
        let older: String = older.collect();
        let update = "UPDATE journal SET lines = ?2 WHERE id = ?1";
        db.execute(update, rusqlite::params![id, older.into_bytes()])
            .expect("the store");
    }
    assert!(n_cut > 1, "the game and its moves");
    case.answer("bob", to(&letters, "bob"), "c3\n");
    assert_eq!(case.moves(1), "1. b2 2. c3");
}
