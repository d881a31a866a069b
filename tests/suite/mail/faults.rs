//! Processes that are killed, run at the same time, or find the store locked.

use std::fs;
use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Stdio};

use rusqlite::Connection;

use super::{Letter, create};
use crate::support::{Folder, begins, has, program};

fn start(folder: &Folder, post: &[&str], message: &str) -> Child {
    let mut child = Command::new(program("linesman-club"))
        .current_dir(folder.path(""))
        .args(["mail", "--store", "club.db"])
        .args(post)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("linesman runs");
    let mut stdin = child.stdin.take().expect("piped");
    let written = stdin.write_all(message.as_bytes());
    // A program that fails at its start does not read the message.
    if let Err(error) = written {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    child
}

fn deliver(folder: &Folder, post: &[&str], message: &str) -> (Option<i32>, String) {
    let done = start(folder, post, message)
        .wait_with_output()
        .expect("it ends");
    (
        done.status.code(),
        String::from_utf8_lossy(&done.stderr).into_owned(),
    )
}

fn message(name: &str, number: usize, subject: &str) -> String {
    format!("From: {name}@example.org\nSubject: {subject}\nMessage-ID: <{number}@{name}>\n\n")
}

/// The e-mails in a folder, in the order of their numbers.
fn letters(folder: &Folder, out: &str) -> Vec<Letter> {
    let Ok(files) = fs::read_dir(folder.path(out)) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| Letter::parse(&fs::read_to_string(path).expect("a letter")))
        .collect()
}

/// A stand-in for sendmail: it does `act` with the e-mail, whose number is `$n`.
fn sendmail(folder: &Folder, act: &str) {
    let script = format!("n=$(cat /proc/sys/kernel/random/uuid)\nmkdir -p taken\n{act}\n");
    folder.write("sendmail", script);
}

const SENDMAIL: [&str; 2] = ["--sendmail", "sh sendmail"];

#[test]
fn killed_before_the_hand_over_the_letter_is_sent_once() {
    let folder = Folder::new("mail-killed");
    create(&folder);
    sendmail(&folder, "kill -9 $PPID");
    let signup = message("ann", 1, "signup ann");
    let (status, _) = deliver(&folder, &SENDMAIL, &signup);
    assert_eq!(status, None, "it was killed");
    assert!(letters(&folder, "taken").is_empty());
    sendmail(&folder, "cat > taken/$n");
    let sent = (Some(0), String::new());
    // The mail server delivers the message again, since the process did not confirm that it was stored.
    assert_eq!(deliver(&folder, &SENDMAIL, &signup), sent);
    assert_eq!(letters(&folder, "taken").len(), 1);
    assert_eq!(deliver(&folder, &SENDMAIL, &signup), sent);
    let taken = letters(&folder, "taken");
    assert_eq!(taken.len(), 1, "once");
    assert_eq!(taken[0].to, "ann@example.org");
}

#[test]
fn killed_after_the_hand_over_the_letter_may_come_again_with_its_id() {
    let folder = Folder::new("mail-killed-after");
    create(&folder);
    sendmail(&folder, "cat > taken/$n; kill -9 $PPID");
    let (status, _) = deliver(&folder, &SENDMAIL, &message("ann", 1, "signup ann"));
    assert_eq!(status, None, "it was killed");
    sendmail(&folder, "cat > taken/$n");
    // Any run sends what is still in the queue.
    folder
        .linesman("club tick --store club.db --sendmail 'sh sendmail'")
        .exits(0);
    let taken = letters(&folder, "taken");
    assert_eq!(taken.len(), 2);
    assert_eq!(
        taken[0].raw, taken[1].raw,
        "the same letter with the same Message-ID"
    );
}

#[test]
fn a_letter_that_cannot_leave_waits() {
    let folder = Folder::new("mail-waits");
    create(&folder);
    sendmail(
        &folder,
        "cat >/dev/null; echo 'no route: \u{1b}[31m' >&2; exit 75",
    );
    let (status, stderr) = deliver(&folder, &SENDMAIL, &message("ann", 1, "signup ann"));
    assert_eq!(status, Some(0), "the message is stored");
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    begins(
        lines[0],
        "error: club.db: 1 e-mail is waiting for a later run: sh: exit status: 75 no route",
    );
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
    let (status, stderr) = deliver(
        &folder,
        &["--sendmail", "./absent"],
        &message("eve", 1, "help"),
    );
    assert_eq!(status, Some(0));
    has(&stderr, "./absent: No such file or directory\n");
    let (status, stderr) = deliver(&folder, &["--out", "out"], &message("eve", 2, "help"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let sent = letters(&folder, "out");
    assert_eq!(sent.len(), 1, "the other one was rejected and waits alone");
    assert_eq!(sent[0].to, "eve@example.org");
}

#[test]
fn the_envelope_goes_to_the_program_and_no_shell_reads_it() {
    let folder = Folder::new("mail-envelope");
    create(&folder);
    sendmail(
        &folder,
        "cat >/dev/null; for word; do echo \"$word\" >> taken/words; done",
    );
    let post = ["--sendmail", "sh sendmail '$HOME `x`'"];
    let (status, stderr) = deliver(&folder, &post, &message("ann", 1, "help"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let words = folder.read("taken/words");
    let expected = "$HOME `x`\n-f\nclub@example.org\n--\nann@example.org\n";
    assert_eq!(words, expected);
}

#[test]
fn two_messages_at_once_are_both_carried_out() {
    let folder = Folder::new("mail-at-once");
    create(&folder);
    for words in ["signup ann ann@example.org", "signup bob bob@example.org"] {
        folder
            .linesman(&format!(
                "club mail --store club.db --out out --cli '{words}'"
            ))
            .exits(0);
    }
    let tokens: Vec<String> = letters(&folder, "out").iter().map(Letter::token).collect();
    let [ann, bob] = tokens.as_slice() else {
        panic!("two letters");
    };
    for (name, words) in [
        ("bob", format!("whoami {bob}")),
        ("ann", format!("challenge susan bob {ann}")),
        ("bob", format!("accept 1 {bob}")),
    ] {
        let number = words.len();
        assert_eq!(
            deliver(&folder, &["--out", "out"], &message(name, number, &words)),
            (Some(0), String::new())
        );
    }
    let before = letters(&folder, "out").len();
    // Eight messages at once: notes of both players, and a move.
    let messages: Vec<String> = (0..8)
        .map(|number| {
            let (name, token) = [("ann", ann), ("bob", bob)][number % 2];
            let words = match number {
                0 => format!("move 1 ann {token} e5"),
                _ => format!("note 1 {name} {token} note-{number}"),
            };
            message(name, 1000 + number, &words)
        })
        .collect();
    let running: Vec<Child> = messages
        .iter()
        .map(|message| start(&folder, &["--out", "out"], message))
        .collect();
    for child in running {
        let done = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&done.stderr);
        assert_eq!((done.status.code(), stderr.as_ref()), (Some(0), ""));
    }
    let shown = folder
        .linesman("club mail --store club.db --out out --cli 'history 1'")
        .done();
    let text = shown.stdout.join("\n");
    has(&text, "1. e5");
    for number in 1..8 {
        has(&text, format!("note-{number}"));
    }
    // Each note is sent to the other player and confirmed; the move is sent to both.
    assert_eq!(letters(&folder, "out").len() - before, 7 * 2 + 2);
}

#[test]
fn what_cannot_be_stored_is_to_come_again() {
    let folder = Folder::new("mail-again");
    let out = ["--out", "out"];
    folder.write(
        "club.db",
        "no database, but long enough to be looked at as one".repeat(30),
    );
    let (status, stderr) = deliver(&folder, &out, &message("ann", 1, "help"));
    assert_eq!(status, Some(75), "{stderr}");
    assert_eq!(stderr, "error: club.db: file is not a database\n");
    fs::remove_file(folder.path("club.db")).expect("it is there");
    fs::create_dir(folder.path("club.db")).expect("a folder");
    let (status, stderr) = deliver(&folder, &out, &message("ann", 1, "help"));
    assert_eq!(status, Some(75), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    fs::remove_dir(folder.path("club.db")).expect("it is empty");
    Connection::open(folder.path("club.db"))
        .and_then(|db| db.execute_batch("CREATE TABLE x (y)"))
        .expect("a database");
    let (status, stderr) = deliver(&folder, &out, &message("ann", 1, "help"));
    assert_eq!(status, Some(75), "{stderr}");
    has(&stderr, "not a club: linesman-club create");
}

#[test]
fn a_damaged_board_is_told_and_the_rest_is_repaired() {
    let folder = Folder::new("mail-repair");
    create(&folder);
    let host = |words: &str| {
        folder
            .linesman(&format!(
                "club mail --store club.db --out out --cli '{words}'"
            ))
            .exits(0);
    };
    host("signup ann ann@example.org");
    let token = letters(&folder, "out")[0].token();
    let words = format!("challenge susan:Size=3 level=0 linesman {token}");
    deliver(&folder, &["--out", "out"], &message("ann", 1, &words));
    host("move 1 ann b2");
    let ledger = folder.read("club.db.games/susan-1.jsonl");
    fs::remove_dir_all(folder.path("club.db.games")).expect("a folder");
    let db = Connection::open(folder.path("club.db")).expect("the store");
    db.execute_batch("UPDATE boards SET plies = 7, to_move = 1")
        .expect("the store");
    let done = folder.linesman("club games --store club.db").exits(0);
    has(&done.stdout.join("\n"), "move 3 is for ann");
    assert_eq!(
        folder.read("club.db.games/susan-1.jsonl"),
        ledger,
        "exported again"
    );
    db.execute_batch("UPDATE journal SET lines = x'7b7d0a' WHERE id = 1")
        .expect("the store");
    folder
        .linesman("club games --store club.db")
        .fails(1, "error: club.db: board 1: ");
    host("standings");
}

/// A store from elsewhere names no program and no file.
#[test]
fn a_stored_board_runs_no_program_and_names_no_file() {
    let folder = Folder::new("mail-foreign");
    create(&folder);
    let host = |words: &str| {
        let words = format!("club mail --store club.db --out out --cli '{words}'");
        folder.linesman(&words).done()
    };
    assert_eq!(host("signup ann ann@example.org").status, Some(0));
    let token = letters(&folder, "out")[0].token();
    let challenge = format!("challenge susan:Size=3 level=0 linesman {token}");
    deliver(&folder, &["--out", "out"], &message("ann", 1, &challenge));
    let db = Connection::open(folder.path("club.db")).expect("the store");
    let read = "SELECT lines FROM journal WHERE id = 1";
    let lines: Vec<u8> = db
        .query_row(read, [], |row| row.get(0))
        .expect("the first lines");
    let own = String::from_utf8(lines).expect("JSON is UTF-8");
    let command = r#""program":{"command":{"path":"/bin/evil","args":[],"dir":null}}"#;
    for (from, to) in [
        ("\"program\":\"builtin\"", command),
        ("\"options\":[]", "\"options\":[[\"Learn\",\"evil\"]]"),
    ] {
        let changed = own.replacen(from, to, 1);
        assert_ne!(own, changed);
        db.execute(
            "UPDATE journal SET lines = ?1 WHERE id = 1",
            [changed.into_bytes()],
        )
        .expect("the store");
        let done = host("move 1 ann b2");
        assert_ne!(done.status, Some(0), "{to}");
        let all = done.stdout.join("\n") + &done.stderr;
        has(&all, "names a program or a file");
        assert!(!folder.has("evil"));
    }
}

/// A path with a typing mistake must not become a club that swallows the mail.
#[test]
fn a_missing_club_is_not_made() {
    let folder = Folder::new("mail-missing");
    let out = ["--out", "out"];
    let (status, stderr) = deliver(&folder, &out, &message("ann", 1, "signup ann"));
    assert_eq!(status, Some(75), "the mail server keeps the message");
    assert_eq!(
        stderr,
        "error: club.db: no such file: linesman-club create --store FILE creates a club\n"
    );
    assert!(!folder.has("club.db") && !folder.has("out"));
}

/// OpenSMTPD removes an empty return path from the message, and leaves the variable empty.
#[test]
fn an_empty_sender_in_the_environment_is_a_program() {
    let folder = Folder::new("mail-sender");
    create(&folder);
    let signup = message("ann", 1, "signup ann");
    folder.write("message", &signup);
    let run = |sender: &str| {
        let line =
            format!("SENDER={sender} LINESMAN-club mail --store club.db --out out < message");
        let done = folder.shell(&line).done();
        assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    };
    run("''");
    assert!(letters(&folder, "out").is_empty());
    let other = signup.replace("<1@", "<2@");
    folder.write("message", other);
    run("ann@example.org");
    assert_eq!(letters(&folder, "out").len(), 1);
}
