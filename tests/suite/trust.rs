//! No ledger names an output or opens a port, and one that was not begun on this machine runs nothing unasked.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use record::ledger::crc32;
use serde_json::{Value, json};

use crate::support::{Folder, has, lacks};

/// A name that a shell would run.
const EVIL: &str = "$(id>PWNED)";

/// The list of ledgers that were begun here, in the test's state folder.
const LIST: &str = "state/linesman/plans";

/// The reason for a question.
const ASKS: &str = " was not begun on this machine, or was changed, and ";

/// Plays a match of two games; `engine` is the first engine.
fn play_match(folder: &Folder, engine: &str, ledger: &str) {
    let words =
        format!("match susan --engine {engine} --games 2 --each nodes=20 --ledger {ledger}");
    folder.linesman(&words).exits(0);
}

/// As if the ledgers of the folder came from another machine.
fn forget_user(folder: &Folder) {
    fs::remove_dir_all(folder.path("state")).expect("the state of the user");
}

fn write(folder: &Folder, name: &str, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    folder.write(name, text);
}

fn lines(folder: &Folder, name: &str) -> Vec<String> {
    folder.read(name).lines().map(str::to_owned).collect()
}

/// A line with the checksum that fits its new text.
fn sealed(body: &str) -> String {
    format!("{body},\"crc32\":\"{:08x}\"}}", crc32(body.as_bytes()))
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
        plan["outputs"] = json!({"epdout": home(".zshenv")});
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

#[test]
fn a_ledger_names_no_output() {
    let folder = Folder::new("names-no-output");
    let words = "match susan --engine builtin stderr=e --games 2 --each nodes=20 --ledger l --pgn p --log g --epdout f";
    folder.linesman(words).exits(0);
    let plan = &lines(&folder, "l")[0];
    for field in ["\"pgn\"", "\"log\"", "epdout", "stderr"] {
        lacks(plan, field);
    }
    for name in ["p", "g", "e", "f"] {
        fs::remove_file(folder.path(name)).expect(name);
    }
    folder.cut("l", "l", 1);
    folder.linesman("match --resume l").exits(0);
    for name in ["p", "g", "e", "f"] {
        assert!(!folder.has(name), "{name}");
    }
}

#[test]
fn a_received_match_names_no_output() {
    let folder = Folder::new("received-match");
    play_match(&folder, &format!("builtin 'name={EVIL}'"), "l.jsonl");
    forget_user(&folder);
    folder.cut("l.jsonl", "l.jsonl", 1);
    name_outputs(&folder, "l.jsonl");
    folder
        .linesman("match --resume l.jsonl --pgn given")
        .exits(0);
    assert_untouched(&folder);
    assert_eq!(folder.read("given").matches("[Round ").count(), 2);
    folder.cut("l.jsonl", "l.jsonl", 1);
    folder.linesman("match --resume l.jsonl --trust").exits(0);
    assert_untouched(&folder);
}

/// The match is complete, so its commands do not run and the question is not asked.
#[test]
fn a_complete_received_match_writes_nothing_but_what_is_asked() {
    let folder = Folder::new("received-commands");
    play_match(&folder, "cmd=SCRIPTED 'name=$(id>PWNED)'", "l.jsonl");
    forget_user(&folder);
    name_outputs(&folder, "l.jsonl");
    let before = folder.read("l.jsonl");
    folder.linesman("match --resume l.jsonl").exits(0);
    assert!(!folder.has("l.pgn"));
    folder
        .linesman("match --resume l.jsonl --pgn given")
        .exits(0);
    assert_eq!(folder.read("given").matches("[Round ").count(), 2);
    assert_untouched(&folder);
    assert_eq!(folder.read("l.jsonl"), before);
}

#[test]
fn a_received_game_names_no_output() {
    let folder = Folder::new("received-game");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p1 'human name=\"$(id>PWNED)\"' --p2 human --ledger l.jsonl";
    folder.shell(begin).exits(0);
    forget_user(&folder);
    name_outputs(&folder, "l.jsonl");
    let go_on = "printf 'resign\\nresign\\n' | LINESMAN play --continue l.jsonl --pgn given";
    folder.shell(go_on).exits(0);
    assert_untouched(&folder);
    assert_eq!(folder.read("given").matches("[Round ").count(), 1);
}

/// Files that a received ledger would have read or written are part of the question.
#[test]
fn files_of_a_received_ledger_are_asked_for() {
    let folder = Folder::new("received-files");
    play_match(&folder, "builtin", "l");
    forget_user(&folder);
    folder.cut("l", "l", 1);
    let whole = folder.read("l");
    let weights = folder.path("weights");
    change_plan(&folder, "l", |plan| {
        plan["engines"][0]["options"] = json!([["Learn", weights]]);
    });
    folder
        .linesman("match --resume l")
        .fails(2, format!("{ASKS}learns in "));
    let openings =
        json!({"file": {"path": "/etc/passwd", "is_shuffled": false, "start": 1, "plies": null}});
    for (field, value, what) in [
        ("opening_source", openings, "openings of /etc/passwd"),
        ("adjudicate_table", json!("/etc"), "tables of /etc"),
    ] {
        folder.write("l", &whole);
        change_plan(&folder, "l", |plan| plan[field] = value.clone());
        let why = format!("{ASKS}reads the {what}. With --trust, it runs");
        folder.linesman("match --resume l --games 20").fails(2, why);
    }
}

/// Control characters of a command cannot hide a part of it.
#[test]
fn a_command_is_shown_in_full() {
    let folder = Folder::new("shown-command");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    folder.cut("l", "l", 1);
    change_plan(&folder, "l", |plan| {
        let command = &mut plan["engines"][0]["program"]["command"];
        command["path"] = json!("/bin/\u{1b}[2Kevil");
        command["args"] = json!(["a\nb", "\u{202e}c"]);
    });
    let done = folder
        .linesman("match --resume l")
        .fails(2, r"evil' 'a\nb' ");
    has(&done.stderr, r"/bin/\u{1b}[2Kevil");
    has(&done.stderr, r"\u{202e}c");
}

/// Puts an address and a file into the journal of the game `l`, with right checksums.
fn change_journal(folder: &Folder) -> Vec<String> {
    let mut all = lines(folder, "l");
    let helper = all.iter_mut().find(|line| line.contains("\"helper\""));
    let helper = helper.expect("the helper's line");
    let (body, _) = helper.split_once(",\"crc32\"").expect("a checksum");
    let evil = format!("\"stderr\":{},\"name\"", json!(folder.path("evil")));
    *helper = sealed(&body.replacen("\"name\"", &evil, 1));
    assert!(helper.contains("evil"), "{helper}");
    let guests = r#"{"journal":{"guests":{"seats":["p2"],"listen":"0.0.0.0:0"}}"#;
    all.push(sealed(guests));
    all
}

#[test]
fn a_changed_journal_opens_no_port_and_names_no_file() {
    let folder = Folder::new("changed-journal");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger l";
    folder.shell(begin).exits(0);
    write(&folder, "l", &change_journal(&folder));
    let go_on = "printf 'hint\\nresign\\nresign\\n' | LINESMAN play --continue l";
    let done = folder.shell(go_on).exits(0);
    has(&done.said(), "to let them join, resume with --listen");
    lacks(&done.said(), "0.0.0.0");
    assert!(!folder.has("evil"));
}

/// Of a ledger that was begun here, the first line alone is known.
#[test]
fn a_player_that_joined_later_is_asked_for() {
    let folder = Folder::new("changed-seat");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger l";
    folder.shell(begin).exits(0);
    let engine = json!({"name": null, "program": {"command": {"path": "/bin/evil", "args": ["-x"], "dir": null}},
        "proto": "ugi", "limit": "st=1", "margin_ms": 0, "ponder": false, "options": [["A", "b"]], "restart": "auto"});
    let seat = json!({"journal": {"seat": {"side": "p2", "player": engine}}}).to_string();
    let mut all = lines(&folder, "l");
    all.push(sealed(seat.strip_suffix('}').expect("an object")));
    write(&folder, "l", &all);
    let go_on = "play --continue l";
    let why = format!("{ASKS}runs /bin/evil -x option.A=b. With --trust, it runs");
    folder.linesman(go_on).fails(2, &why);
    // A seat that the command line fills runs no command of the ledger.
    folder.linesman("play --continue l --p2 human").exits(0);
}

#[test]
fn a_ledger_is_known_by_its_first_line() {
    let folder = Folder::new("first-line");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    folder.cut("l", "l", 1);
    fs::rename(folder.path("l"), folder.path("moved")).expect("another name");
    let own = lines(&folder, "moved");
    folder.linesman("match --resume moved").exits(0);
    // The events of games name no program.
    let (body, _) = own[1].split_once(",\"crc32\"").expect("a checksum");
    let changed = sealed(&body.replacen("\"reason\":\"", "\"reason\":\"x", 1));
    write(&folder, "moved", &[own[0].clone(), changed]);
    folder.linesman("match --resume moved").exits(0);
    write(&folder, "moved", &own);
    change_plan(&folder, "moved", |plan| {
        plan["engines"][0]["options"] = json!([["A", "b"]])
    });
    folder
        .linesman("match --resume moved")
        .fails(2, "option.A=b. With --trust, it runs");
}

#[test]
fn an_extended_match_is_still_known() {
    let folder = Folder::new("known-extended");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    folder.linesman("match --resume l --games 4").exits(0);
    folder.cut("l", "l", 3);
    folder.linesman("match --resume l").exits(0);
    assert_eq!(lines(&folder, "l").len(), 6);
}

#[test]
fn matches_that_begin_at_once_are_all_known() {
    let folder = Folder::new("known-at-once");
    let ledgers: Vec<String> = (0..8).map(|number| format!("l{number}")).collect();
    let begin =
        "match susan --engine cmd=SCRIPTED name=A --games 2 --openings none --each nodes=20";
    let play = |ledger: &String| folder.linesman(&format!("{begin} --ledger {ledger}"));
    let runs: Vec<_> = ledgers.iter().map(play).collect();
    for run in runs {
        assert_eq!(run.exits(0).stderr, "");
    }
    assert_eq!(lines(&folder, LIST).len(), 8);
    for ledger in &ledgers {
        folder.cut(ledger, ledger, 1);
        folder
            .linesman(&format!("match --resume {ledger}"))
            .exits(0);
    }
    let others = fs::read_dir(folder.path("state/linesman")).expect("a folder");
    assert_eq!(others.count(), 1, "nothing but the list");
}

#[test]
fn without_a_list_a_match_is_played_and_asks_later() {
    let folder = Folder::new("no-list");
    fs::create_dir_all(folder.path(LIST)).expect("a folder in place of the file");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    folder.cut("l", "l", 1);
    folder.linesman("match --resume l").fails(2, ASKS);
    folder.linesman("match --resume l --trust").exits(0);
}

#[test]
fn the_secret_is_made_once_and_private() {
    let folder = Folder::new("secret");
    let play = || folder.shell("printf 'e5\\n' | LINESMAN play susan --p2 human");
    let runs: Vec<_> = (0..4).map(|_| play()).collect();
    for run in runs {
        run.exits(0);
    }
    let path = "state/linesman/secret";
    let secret = fs::metadata(folder.path(path)).expect("a secret");
    assert_eq!(
        (secret.len(), secret.permissions().mode() & 0o777),
        (32, 0o600)
    );
    // Without one, only what is derived from it changes.
    folder.write(path, "short");
    play().exits(0);
}

#[test]
fn a_match_is_played_again_after_the_same_question() {
    let folder = Folder::new("like");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    folder.linesman("match --like l --ledger m").exits(0);
    // The new match was begun here, too.
    folder.cut("m", "m", 1);
    folder.linesman("match --resume m").exits(0);
    forget_user(&folder);
    let why = format!("--like: l{ASKS}runs ");
    folder.linesman("match --like l --ledger n").fails(2, &why);
    assert!(!folder.has("n"));
    folder
        .linesman("match --like l --ledger n --trust")
        .exits(0);
    assert_eq!(lines(&folder, "n").len(), 3);
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger p";
    folder.shell(begin).exits(0);
    let why = "--like: p: a game of linesman play, not a match";
    folder.linesman("match --like p").fails(2, why);
}
