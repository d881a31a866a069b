//! Engines at the page's tables: they play, crash, and end with the server.

use std::fs;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::page::Gui;
use super::seat::seat;
use crate::support::{Folder, has, wait_until};

/// Engines of a process, from `/proc`. Its only other child is a shell, the watchdog.
fn engines(pid: u32) -> Vec<i32> {
    let tasks = format!("/proc/{pid}/task");
    let tasks = fs::read_dir(tasks).expect("the process runs").flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let words: Vec<String> = lists
        .flat_map(|list| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let is_engine = |pid: &String| {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim_end() != "sh"
    };
    let engines = words.iter().filter(|pid| is_engine(pid));
    engines.filter_map(|pid| pid.parse().ok()).collect()
}

fn is_running(pid: i32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

#[test]
fn no_engine_runs_before_a_table_is_opened_or_after_the_end() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    assert_eq!(engines(gui.pid()).len(), 0);
    page.begin_game("susan", "builtin depth=2", "builtin depth=2");
    page.event("move-played");
    let running = engines(gui.pid());
    assert_eq!(running.len(), 2);
    let done = gui.terminate();
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    for engine in running {
        assert!(!is_running(engine), "engine {engine}");
    }
    while page.next().is_some() {}
}

#[test]
fn engines_end_some_time_after_the_last_page_has_gone() {
    let gui = Gui::alone("--grace-ms 50");
    let (mut page, mut other) = (gui.page(), gui.page());
    page.begin_game("susan", "human", "builtin nodes=100000000");
    let table = page.first_table();
    other.ask(json!({"ask": "attach", "table": table}));
    page.play("e5");
    page.event("engine-line");
    let running = engines(gui.pid());
    assert_eq!(running.len(), 1);
    drop(page);
    other.forget();
    other.event("engine-line");
    drop(other);
    wait_until("the engine ends", || engines(gui.pid()).is_empty());
    // The game is on record.
    let mut page = gui.page();
    assert_eq!(page.hello["tables"], json!([]));
    let games = page.ask(json!({"ask": "games"}))["games"].clone();
    assert_eq!(
        (&games[0]["plies"], &games[0]["result"]),
        (&json!(1), &json!(null))
    );
    page.ask(json!({"ask": "open-file", "path": games[0]["path"]}));
    page.event("engine-line");
}

#[test]
fn an_engine_that_is_killed_is_told_and_a_fresh_one_goes_on() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    page.begin_game("susan", "human", "builtin nodes=100000000");
    page.play("e5");
    page.event("engine-line");
    let running = engines(gui.pid());
    assert_eq!(running.len(), 1);
    let pid = Pid::from_raw(running[0]).expect("a process");
    kill_process(pid, Signal::KILL).expect("it runs");
    let fault = page.event("fault");
    has(&fault["text"], "killed by signal 9");
    page.forget();
    page.event("engine-line");
    page.table(json!({"command": "move-now"}));
    let played = page.event("move-played");
    assert_eq!(
        (&played["node"], &played["by"]),
        (&json!(2), &json!("engine"))
    );
}

#[test]
fn a_seat_is_taken_by_another_player_at_any_time() {
    let folder = Folder::new("seats");
    let scripted = crate::support::SCRIPTED;
    fs::create_dir_all(folder.path("config/linesman")).expect("a folder");
    let engines = format!("[[engine]]\nname = \"Rob\"\ncmd = {scripted:?}\n");
    folder.write("config/linesman/engines.toml", engines);
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    page.begin_game("susan", "human name=Ann", "builtin nodes=100");
    page.play("e5");
    page.event_with("move-played", "side", "p2");
    page.ask(
        json!({"ask": "seat", "side": "p2", "seat": seat("human name=Bob"), "clock": "tc=60+1"}),
    );
    let changed = page.wait(|event| event["event"] == "seat-changed");
    assert_eq!(
        changed["seat"],
        json!({"name": "Bob", "by": "person", "sitter": "host"})
    );
    page.forget();
    page.ask(json!({"ask": "seat", "side": "p1", "seat": seat(&format!("cmd={scripted}"))}));
    let played = page.event_with("move-played", "side", "p1");
    assert_eq!(played["by"], "engine");
    let named =
        page.wait(|event| event["event"] == "seat-changed" && event["seat"]["name"] != "engine");
    assert_eq!(named["side"], "p1");
    page.ask(json!({"ask": "seat", "side": "p2", "seat": seat("conf=Rob")}));
    let changed = page.event_with("seat-changed", "side", "p2");
    assert_eq!(changed["seat"]["name"], "Rob");
    for (words, clock) in [
        ("conf=nobody", "-"),
        ("builtin", "tc=x"),
        ("human", "soon"),
        ("cmd=", "-"),
    ] {
        let ask = json!({"ask": "seat", "side": "p1", "seat": seat(words), "clock": clock});
        page.is_refused(ask);
    }
}
