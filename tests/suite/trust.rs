//! Ledgers that were not created here, or were changed: they name no output, open no port and run nothing unasked. The
//! ledgers of this user are signed, and resume without a question.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use record::ledger::crc32;
use serde_json::{Value, json};

use crate::support::{Done, Folder};

/// A name that a shell would run.
const EVIL: &str = "$(id>PWNED)";

/// The user's key, in the test's state folder.
const KEY: &str = "state/linesman/ledger.key";

#[track_caller]
fn ends(done: Done, status: i32) -> Done {
    assert_eq!(done.status, Some(status), "{}", done.stderr);
    done
}

#[track_caller]
fn fails(done: Done, status: i32, why: &str) {
    let done = ends(done, status);
    assert!(done.stderr.contains(why), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

fn run(folder: &Folder, words: &str) -> Done {
    folder.linesman(words).done()
}

/// Plays a match of two games; `engine` is the first engine.
fn play_match(folder: &Folder, engine: &str, ledger: &str) {
    let words = format!(
        "match susan --engine {engine} --games 2 --each nodes=20 --pgn {ledger}.old --ledger {ledger}"
    );
    ends(run(folder, &words), 0);
    fs::remove_file(folder.path(&format!("{ledger}.old"))).expect("the PGN");
}

/// As if the ledgers of the folder came from another user.
fn forget_user(folder: &Folder) {
    fs::remove_dir_all(folder.path("state")).expect("the state of the user");
}

fn write(folder: &Folder, name: &str, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.path(name), text).expect("the file can be written");
}

fn lines(folder: &Folder, name: &str) -> Vec<String> {
    folder.read(name).lines().map(str::to_owned).collect()
}

fn cut(folder: &Folder, name: &str, n_lines: usize) {
    write(folder, name, &lines(folder, name)[..n_lines]);
}

/// A line with the checksum that fits its new text.
fn sealed(body: &str) -> String {
    format!("{body},\"crc32\":\"{:08x}\"}}", crc32(body.as_bytes()))
}

/// A line without its signature, with a checksum that fits if it had one.
fn unsigned(line: &str) -> String {
    let (body, had_checksum) = match line.split_once(",\"crc32\"") {
        Some((body, _)) => (body, true),
        None => (line.strip_suffix('}').expect("an object"), false),
    };
    let (body, _) = body.rsplit_once(",\"hmac\"").unwrap_or((body, ""));
    match had_checksum {
        true => sealed(body),
        false => format!("{body}}}"),
    }
}

/// Changes the plan of a ledger; the other lines stay.
fn change_plan(folder: &Folder, name: &str, change: impl Fn(&mut Value)) {
    let mut all = lines(folder, name);
    let mut plan: Value = serde_json::from_str(&all[0]).expect("a plan");
    change(&mut plan["plan"]);
    all[0] = plan.to_string();
    write(folder, name, &all);
}

/// Changes a plan so that it names files in the folder `home`, which a login shell would run.
fn name_outputs(folder: &Folder, name: &str) {
    fs::create_dir_all(folder.path("home")).expect("a folder");
    let home = |file: &str| json!(folder.path("home").join(file));
    change_plan(folder, name, |plan| {
        plan["pgn"] = home(".bash_profile");
        plan["log"] = home(".profile");
        plan["outputs"] = json!({"epdout": home(".zshenv"), "event": EVIL});
        for engine in plan["engines"].as_array_mut().expect("engines") {
            engine["stderr"] = home(".bashrc");
        }
    });
}

#[track_caller]
fn assert_untouched(folder: &Folder) {
    let found = fs::read_dir(folder.path("home")).expect("a folder");
    let names: Vec<_> = found.map(|file| file.expect("a file").path()).collect();
    assert!(names.is_empty(), "{names:?}");
}

fn exists(folder: &Folder, name: &str) -> bool {
    folder.path(name).exists()
}

#[test]
fn a_received_match_names_no_output() {
    let folder = Folder::new("received-match");
    play_match(&folder, &format!("builtin 'name={EVIL}'"), "l.jsonl");
    forget_user(&folder);
    cut(&folder, "l.jsonl", 2);
    name_outputs(&folder, "l.jsonl");
    ends(run(&folder, "match --resume l.jsonl"), 0);
    assert_untouched(&folder);
    assert_eq!(folder.read("l.pgn").matches("[Round ").count(), 2);
    cut(&folder, "l.jsonl", 2);
    ends(run(&folder, "match --resume l.jsonl --trust"), 0);
    assert_untouched(&folder);
}

#[test]
fn a_complete_received_match_names_no_output() {
    let folder = Folder::new("received-complete");
    play_match(&folder, &format!("builtin 'name={EVIL}'"), "l.jsonl");
    forget_user(&folder);
    name_outputs(&folder, "l.jsonl");
    ends(run(&folder, "match --resume l.jsonl"), 0);
    assert_untouched(&folder);
    assert_eq!(folder.read("l.pgn").matches("[Round ").count(), 2);
}

/// Without an answer to the question, nothing is written: the match is complete, so the question is not asked.
#[test]
fn a_complete_received_match_with_commands_writes_nothing() {
    let folder = Folder::new("received-commands");
    play_match(&folder, "cmd=SCRIPTED 'name=$(id>PWNED)'", "l.jsonl");
    forget_user(&folder);
    name_outputs(&folder, "l.jsonl");
    let before = folder.read("l.jsonl");
    ends(run(&folder, "match --resume l.jsonl"), 0);
    assert_untouched(&folder);
    assert!(!exists(&folder, "l.pgn"));
    ends(run(&folder, "match --resume l.jsonl --pgn given"), 0);
    assert_eq!(folder.read("given").matches("[Round ").count(), 2);
    ends(run(&folder, "match --resume l.jsonl --trust"), 0);
    assert_eq!(folder.read("l.pgn").matches("[Round ").count(), 2);
    assert_untouched(&folder);
    assert_eq!(folder.read("l.jsonl"), before);
}

#[test]
fn a_received_game_names_no_output() {
    let folder = Folder::new("received-game");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p1 'human name=\"$(id>PWNED)\"' --p2 human --ledger l.jsonl";
    ends(folder.shell(begin).done(), 0);
    forget_user(&folder);
    name_outputs(&folder, "l.jsonl");
    let go_on = "printf 'resign\\nresign\\n' | LINESMAN play --continue l.jsonl";
    ends(folder.shell(go_on).done(), 0);
    assert_untouched(&folder);
    assert_eq!(folder.read("l.pgn").matches("[Round ").count(), 1);
}

#[test]
fn the_pgn_of_a_received_ledger_is_neither_hidden_nor_a_link() {
    let folder = Folder::new("received-link");
    play_match(&folder, "builtin", ".l.jsonl");
    forget_user(&folder);
    name_outputs(&folder, ".l.jsonl");
    ends(run(&folder, "match --resume .l.jsonl"), 0);
    assert!(exists(&folder, "l.pgn") && !exists(&folder, ".l.pgn"));
    fs::remove_file(folder.path("l.pgn")).expect("the PGN");
    std::os::unix::fs::symlink("home/.bash_profile", folder.path("l.pgn")).expect("a link");
    let why = "l.pgn is a link";
    fails(run(&folder, "match --resume .l.jsonl"), 2, why);
    assert_untouched(&folder);
    ends(run(&folder, "match --resume .l.jsonl --pgn given"), 0);
}

/// Files that a received ledger would have read or written are part of the question.
#[test]
fn files_of_a_received_ledger_are_asked_for() {
    let folder = Folder::new("received-files");
    play_match(&folder, "builtin", "l");
    forget_user(&folder);
    cut(&folder, "l", 2);
    let whole = folder.read("l");
    let weights = folder.path("weights");
    change_plan(&folder, "l", |plan| {
        plan["engines"][0]["options"] = json!([["Learn", weights]]);
    });
    let why = "l was not created here and learns in ";
    fails(run(&folder, "match --resume l"), 2, why);
    fs::write(folder.path("l"), &whole).expect("the ledger");
    fs::write(folder.path("o"), "startpos moves a1 b2\n").expect("a new file");
    change_plan(&folder, "l", |plan| {
        plan["opening_source"] = json!({"file": {"path": "/etc/passwd", "is_shuffled": false, "start": 1, "plies": null}});
    });
    let why = "l was not created here and reads the openings of /etc/passwd: expected --trust";
    fails(run(&folder, "match --resume l --games 20"), 2, why);
    fs::write(folder.path("l"), &whole).expect("the ledger");
    change_plan(&folder, "l", |plan| {
        plan["adjudicate_table"] = json!("/etc");
    });
    let why = "l was not created here and reads the tables of /etc: expected --trust";
    fails(run(&folder, "match --resume l"), 2, why);
}

/// Puts an address and a file into the journal of the game `l`, with right checksums.
fn change_journal(folder: &Folder) -> Vec<String> {
    let mut all = lines(folder, "l");
    let helper = all.iter_mut().find(|line| line.contains("\"helper\""));
    let helper = helper.expect("the helper's line");
    let (body, _) = helper.split_once(",\"crc32\"").expect("a checksum");
    let evil = format!("\"stderr\":{}", json!(folder.path("evil")));
    *helper = sealed(&body.replacen("\"stderr\":null", &evil, 1));
    assert!(helper.contains("evil"), "{helper}");
    let guests = r#"{"journal":{"guests":{"seats":["p2"],"listen":"0.0.0.0:0"}}"#;
    all.push(sealed(guests));
    all
}

#[track_caller]
fn assert_harmless(folder: &Folder) {
    let go_on = "printf 'hint\\nresign\\nresign\\n' | LINESMAN play --continue l";
    let done = ends(folder.shell(go_on).done(), 0);
    let all = done.stdout.join("\n") + &done.stderr;
    assert!(
        !all.contains("listens") && !all.contains("0.0.0.0"),
        "{all}"
    );
    assert!(!exists(folder, "evil"), "{all}");
}

#[test]
fn a_changed_journal_opens_no_port_and_names_no_file() {
    let folder = Folder::new("changed-journal");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger l";
    ends(folder.shell(begin).done(), 0);
    let changed = change_journal(&folder);
    write(&folder, "l", &changed);
    assert_harmless(&folder);
    // Without signatures it is a ledger of an older version; the plan is known here.
    let old: Vec<String> = changed.iter().map(|line| unsigned(line)).collect();
    write(&folder, "l", &old);
    know_plan(&folder, "l");
    assert_harmless(&folder);
}

/// Lists the plan of a ledger as older versions did.
fn know_plan(folder: &Folder, name: &str) {
    let line = format!(
        "mkdir -p state/linesman && head -n 1 {name} | tr -d '\\n' | sha256sum | cut -c 1-64 >> state/linesman/plans"
    );
    ends(folder.shell(&line).done(), 0);
}

#[test]
fn what_an_older_version_began_here_is_resumed_without_a_question() {
    let folder = Folder::new("older-own");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    let old: Vec<String> = lines(&folder, "l")
        .iter()
        .map(|line| unsigned(line))
        .collect();
    write(&folder, "l", &old[..2]);
    let why = "l was not created here and runs ";
    fails(run(&folder, "match --resume l"), 2, why);
    know_plan(&folder, "l");
    ends(run(&folder, "match --resume l"), 0);
    assert!(exists(&folder, "l.old"), "the PGN of the plan");
    cut(&folder, "l", 2);
    ends(run(&folder, "match --resume l"), 0);
}

#[test]
fn a_ledger_without_its_signatures_is_foreign() {
    let folder = Folder::new("unsigned");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    cut(&folder, "l", 2);
    let own = lines(&folder, "l");
    let old: Vec<String> = own.iter().map(|line| unsigned(line)).collect();
    assert_ne!(own, old);
    write(&folder, "l", &old);
    let why = "l was not created here and runs ";
    fails(run(&folder, "match --resume l"), 2, why);
    // One changed game suffices.
    let (body, _) = own[1].split_once(",\"crc32\"").expect("a checksum");
    let changed = sealed(&body.replacen("\"reason\":\"", "\"reason\":\"x", 1));
    write(&folder, "l", &[own[0].clone(), changed]);
    fails(run(&folder, "match --resume l"), 2, why);
    write(&folder, "l", &own);
    ends(run(&folder, "match --resume l"), 0);
}

#[test]
fn a_killed_match_of_this_user_resumes_without_a_question() {
    let folder = Folder::new("killed");
    let words = "match susan --engine cmd=SCRIPTED name=A --games 400 --each nodes=200 --ledger l";
    let running = folder.linesman(words);
    let deadline = Instant::now() + Duration::from_secs(100);
    while !exists(&folder, "l") || folder.read("l").lines().count() < 4 {
        assert!(Instant::now() < deadline, "no game is finished");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Dropping it kills it.
    drop(running);
    // As if the last line were torn.
    let text = folder.read("l");
    fs::write(folder.path("l"), &text[..text.len() - 30]).expect("the ledger");
    let running = folder.linesman("match --resume l");
    let n_lines = text.lines().count();
    while folder.read("l").lines().count() < n_lines + 3 {
        assert!(Instant::now() < deadline, "it does not go on");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(running);
    let n_lines = folder.read("l").lines().count();
    cut(&folder, "l", n_lines - 1);
    // The whole chain is sound: a third run takes it up too.
    let running = folder.linesman("match --resume l");
    while folder.read("l").lines().count() < n_lines + 1 {
        assert!(Instant::now() < deadline, "it does not go on");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(running);
}

#[test]
fn an_extended_match_stays_this_users() {
    let folder = Folder::new("signed-extended");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    ends(run(&folder, "match --resume l --games 4"), 0);
    fs::remove_file(folder.path("l.old")).expect("the PGN");
    cut(&folder, "l", 3);
    ends(run(&folder, "match --resume l"), 0);
}

#[test]
fn the_key_is_made_once() {
    let folder = Folder::new("one-key");
    let words = |number: usize| {
        format!(
            "match susan --engine cmd=SCRIPTED name=A --games 2 --openings none --each nodes=20 --ledger l{number}"
        )
    };
    let runs: Vec<_> = (0..8)
        .map(|number| folder.linesman(&words(number)))
        .collect();
    for run in runs {
        let done = ends(run.done(), 0);
        assert_eq!(done.stderr, "");
    }
    let key = fs::metadata(folder.path(KEY)).expect("a key");
    assert_eq!((key.len(), key.permissions().mode() & 0o777), (32, 0o600));
    for number in 0..8 {
        cut(&folder, &format!("l{number}"), 2);
        ends(run(&folder, &format!("match --resume l{number}")), 0);
    }
    let others = fs::read_dir(folder.path("state/linesman")).expect("a folder");
    assert_eq!(others.count(), 1, "nothing but the key");
}

#[test]
fn a_key_that_cannot_be_read_makes_ledgers_foreign() {
    let folder = Folder::new("bad-key");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    cut(&folder, "l", 2);
    fs::remove_file(folder.path(KEY)).expect("a key");
    fs::create_dir(folder.path(KEY)).expect("a folder");
    let why = "ledger.key: Is a directory";
    let resumed = run(&folder, "match --resume l");
    assert!(
        resumed.stderr.contains("l was not created here"),
        "{}",
        resumed.stderr
    );
    fails(resumed, 2, why);
    let words = "match susan --engine cmd=SCRIPTED name=A --games 2 --each nodes=20 --ledger m";
    let begun = ends(run(&folder, words), 0);
    assert!(
        begun.stderr.contains(why) && begun.stderr.contains("m will need --trust"),
        "{}",
        begun.stderr
    );
    assert_eq!(begun.stderr.lines().count(), 1, "{}", begun.stderr);
    ends(run(&folder, "match --resume l --trust"), 0);
    fs::remove_dir(folder.path(KEY)).expect("a folder");
    fs::write(folder.path(KEY), "short").expect("a new file");
    cut(&folder, "l", 2);
    let why = "ledger.key: 5 bytes: expected 32";
    fails(run(&folder, "match --resume l"), 2, why);
}
