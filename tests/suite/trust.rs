//! No ledger names an output or opens a port, and one that was not begun on this machine runs nothing unasked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use record::ledger::crc32;
use serde_json::{Value, json};

use crate::support::{Done, Folder};

/// A name that a shell would run.
const EVIL: &str = "$(id>PWNED)";

/// The list of ledgers that were begun here, in the test's state folder.
const LIST: &str = "state/linesman/plans";

/// The reason for a question.
const ASKS: &str = " was not begun on this machine, or was changed, and ";

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
    let words =
        format!("match susan --engine {engine} --games 2 --each nodes=20 --ledger {ledger}");
    ends(run(folder, &words), 0);
}

/// As if the ledgers of the folder came from another machine.
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

fn exists(folder: &Folder, name: &str) -> bool {
    folder.path(name).exists()
}

#[test]
fn a_ledger_names_no_output() {
    let folder = Folder::new("names-no-output");
    let words = "match susan --engine builtin stderr=e --games 2 --each nodes=20 --ledger l --pgn p --log g --epdout f";
    ends(run(&folder, words), 0);
    let plan = &lines(&folder, "l")[0];
    for field in ["\"pgn\"", "\"log\"", "epdout", "stderr"] {
        assert!(!plan.contains(field), "{plan}");
    }
    for name in ["p", "g", "e", "f"] {
        fs::remove_file(folder.path(name)).expect(name);
    }
    cut(&folder, "l", 2);
    ends(run(&folder, "match --resume l"), 0);
    for name in ["p", "g", "e", "f"] {
        assert!(!exists(&folder, name), "{name}");
    }
}

#[test]
fn a_received_match_names_no_output() {
    let folder = Folder::new("received-match");
    play_match(&folder, &format!("builtin 'name={EVIL}'"), "l.jsonl");
    forget_user(&folder);
    cut(&folder, "l.jsonl", 2);
    name_outputs(&folder, "l.jsonl");
    ends(run(&folder, "match --resume l.jsonl --pgn given"), 0);
    assert_untouched(&folder);
    assert_eq!(folder.read("given").matches("[Round ").count(), 2);
    cut(&folder, "l.jsonl", 2);
    ends(run(&folder, "match --resume l.jsonl --trust"), 0);
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
    ends(run(&folder, "match --resume l.jsonl"), 0);
    assert!(!exists(&folder, "l.pgn"));
    ends(run(&folder, "match --resume l.jsonl --pgn given"), 0);
    assert_eq!(folder.read("given").matches("[Round ").count(), 2);
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
    let go_on = "printf 'resign\\nresign\\n' | LINESMAN play --continue l.jsonl --pgn given";
    ends(folder.shell(go_on).done(), 0);
    assert_untouched(&folder);
    assert_eq!(folder.read("given").matches("[Round ").count(), 1);
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
    let fails = |words: &str, what: &str| fails(run(&folder, words), 2, &format!("{ASKS}{what}"));
    fails("match --resume l", "learns in ");
    fs::write(folder.path("l"), &whole).expect("the ledger");
    change_plan(&folder, "l", |plan| {
        plan["opening_source"] = json!({"file": {"path": "/etc/passwd", "is_shuffled": false, "start": 1, "plies": null}});
    });
    let what = "reads the openings of /etc/passwd. With --trust, it runs";
    fails("match --resume l --games 20", what);
    fs::write(folder.path("l"), &whole).expect("the ledger");
    change_plan(&folder, "l", |plan| {
        plan["adjudicate_table"] = json!("/etc");
    });
    let what = "reads the tables of /etc. With --trust, it runs";
    fails("match --resume l", what);
}

/// Control characters of a command cannot hide a part of it.
#[test]
fn a_command_is_shown_in_full() {
    let folder = Folder::new("shown-command");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    cut(&folder, "l", 2);
    change_plan(&folder, "l", |plan| {
        let command = &mut plan["engines"][0]["program"]["command"];
        command["path"] = json!("/bin/\u{1b}[2Kevil");
        command["args"] = json!(["a\nb", "\u{202e}c"]);
    });
    let done = run(&folder, "match --resume l");
    fails(done, 2, r"evil' 'a\nb' ");
    let done = run(&folder, "match --resume l");
    assert!(
        done.stderr.contains(r"/bin/\u{1b}[2Kevil"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains(r"\u{202e}c"), "{}", done.stderr);
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
    ends(folder.shell(begin).done(), 0);
    write(&folder, "l", &change_journal(&folder));
    let go_on = "printf 'hint\\nresign\\nresign\\n' | LINESMAN play --continue l";
    let done = ends(folder.shell(go_on).done(), 0);
    let all = done.stdout.join("\n") + &done.stderr;
    assert!(
        all.contains("to let them join, resume with --listen"),
        "{all}"
    );
    assert!(!all.contains("0.0.0.0"), "{all}");
    assert!(!exists(&folder, "evil"), "{all}");
}

/// Of a ledger that was begun here, the first line alone is known.
#[test]
fn a_player_that_joined_later_is_asked_for() {
    let folder = Folder::new("changed-seat");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger l";
    ends(folder.shell(begin).done(), 0);
    let engine = json!({"name": null, "program": {"command": {"path": "/bin/evil", "args": ["-x"], "dir": null}},
        "proto": "ugi", "limit": "st=1", "margin_ms": 0, "ponder": false, "options": [["A", "b"]], "restart": "auto"});
    let seat = json!({"journal": {"seat": {"side": "p2", "player": engine}}}).to_string();
    let mut all = lines(&folder, "l");
    all.push(sealed(seat.strip_suffix('}').expect("an object")));
    write(&folder, "l", &all);
    let go_on = "play --continue l";
    let why = format!("{ASKS}runs /bin/evil -x option.A=b. With --trust, it runs");
    fails(run(&folder, go_on), 2, &why);
    // A seat that the command line fills runs no command of the ledger.
    ends(run(&folder, "play --continue l --p2 human"), 0);
}

#[test]
fn a_ledger_is_known_by_its_first_line() {
    let folder = Folder::new("first-line");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    cut(&folder, "l", 2);
    fs::rename(folder.path("l"), folder.path("moved")).expect("another name");
    let own = lines(&folder, "moved");
    ends(run(&folder, "match --resume moved"), 0);
    // What happened in the games is no program.
    let (body, _) = own[1].split_once(",\"crc32\"").expect("a checksum");
    let changed = sealed(&body.replacen("\"reason\":\"", "\"reason\":\"x", 1));
    write(&folder, "moved", &[own[0].clone(), changed]);
    ends(run(&folder, "match --resume moved"), 0);
    write(&folder, "moved", &own);
    change_plan(&folder, "moved", |plan| {
        plan["engines"][0]["options"] = json!([["A", "b"]])
    });
    fails(
        run(&folder, "match --resume moved"),
        2,
        "option.A=b. With --trust, it runs",
    );
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
    // A third run takes it up too.
    let running = folder.linesman("match --resume l");
    while folder.read("l").lines().count() < n_lines + 1 {
        assert!(Instant::now() < deadline, "it does not go on");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(running);
}

#[test]
fn an_extended_match_is_still_known() {
    let folder = Folder::new("known-extended");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    ends(run(&folder, "match --resume l --games 4"), 0);
    cut(&folder, "l", 4);
    ends(run(&folder, "match --resume l"), 0);
    assert_eq!(lines(&folder, "l").len(), 6);
}

#[test]
fn matches_that_begin_at_once_are_all_known() {
    let folder = Folder::new("known-at-once");
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
    assert_eq!(lines(&folder, LIST).len(), 8);
    for number in 0..8 {
        cut(&folder, &format!("l{number}"), 2);
        ends(run(&folder, &format!("match --resume l{number}")), 0);
    }
    let others = fs::read_dir(folder.path("state/linesman")).expect("a folder");
    assert_eq!(others.count(), 1, "nothing but the list");
}

#[test]
fn without_a_list_a_match_is_played_and_asks_later() {
    let folder = Folder::new("no-list");
    fs::create_dir_all(folder.path(LIST)).expect("a folder in place of the file");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    cut(&folder, "l", 2);
    fails(run(&folder, "match --resume l"), 2, ASKS);
    ends(run(&folder, "match --resume l --trust"), 0);
}

#[test]
fn the_secret_is_made_once_and_private() {
    let folder = Folder::new("secret");
    let play = || folder.shell("printf 'e5\\n' | LINESMAN play susan --p2 human");
    let runs: Vec<_> = (0..4).map(|_| play()).collect();
    for run in runs {
        ends(run.done(), 0);
    }
    let path = "state/linesman/secret";
    let secret = fs::metadata(folder.path(path)).expect("a secret");
    assert_eq!(
        (secret.len(), secret.permissions().mode() & 0o777),
        (32, 0o600)
    );
    // Without one, only what is derived from it changes.
    fs::write(folder.path(path), "short").expect("a new file");
    ends(play().done(), 0);
}

#[test]
fn a_match_is_played_again_after_the_same_question() {
    let folder = Folder::new("like");
    play_match(&folder, "cmd=SCRIPTED name=A", "l");
    ends(run(&folder, "match --like l --ledger m"), 0);
    // The new match was begun here, too.
    cut(&folder, "m", 2);
    ends(run(&folder, "match --resume m"), 0);
    forget_user(&folder);
    let why = format!("--like: l{ASKS}runs ");
    fails(run(&folder, "match --like l --ledger n"), 2, &why);
    assert!(!exists(&folder, "n"));
    ends(run(&folder, "match --like l --ledger n --trust"), 0);
    assert_eq!(lines(&folder, "n").len(), 3);
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger p";
    ends(folder.shell(begin).done(), 0);
    let why = "--like: p: a game of linesman play, not a match";
    fails(run(&folder, "match --like p"), 2, why);
}
