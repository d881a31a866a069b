//! Workers, servers and coordinators that fail, and workers that are refused.

use rustix::process::Signal;

use super::{Fleet, SLEEPY, SMALL, ended};
use crate::support::{SCRIPTED, has};

/// 200 pairs, three workers. Two workers are killed in mid-game, then the server, which restarts with its files, then
/// the coordinator, which is resumed.
#[test]
fn what_is_killed_costs_no_game_and_doubles_none() {
    let mut fleet = or_skip!(Fleet::start("fleet-kill"));
    fleet
        .linesman(&format!(
            "match {SMALL} --games 180 --pgn alone.pgn --quiet"
        ))
        .exits(0);
    let [one, two, three] = [(); 3].map(|()| fleet.worker("--concurrency 1"));
    let more = "--pgn fleet.pgn --sync off --lost-after-s 3 --attempts 20";
    let first = fleet.begin(&format!("{SMALL} --games 180 --ledger fleet.jsonl {more}"));
    first.finishes(40);
    one.signal(Signal::KILL);
    two.signal(Signal::KILL);
    first.finishes(20);
    fleet.server.restart();
    first.finishes(60);
    first.signal(Signal::KILL);
    drop(first);
    fleet
        .begin(&format!("--resume fleet.jsonl {more}"))
        .exits(0);
    fleet.has_each_game_once("fleet.jsonl", 180);
    fleet.has_same_games();
    ended(three);
}

/// The server restarts without its files, as after the loss of a disk: its pairs are offered again.
#[test]
fn a_server_that_loses_its_files_costs_no_game() {
    let mut fleet = or_skip!(Fleet::start("fleet-empty"));
    let player = fleet.worker("--concurrency 1");
    let run = fleet.begin(&format!(
        "{SMALL} --games 60 --ledger l.jsonl --lost-after-s 3 --sync off"
    ));
    run.finishes(10);
    fleet.server.restart_empty();
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 60);
    ended(player);
}

#[test]
fn a_decided_test_stops_all_workers_within_a_pair() {
    let fleet = or_skip!(Fleet::start("fleet-sprt"));
    let players = [(); 3].map(|()| fleet.worker("--concurrency 1"));
    fleet.begin("susan:Size=3 --engine builtin name=A nodes=400 --engine builtin name=B nodes=1 --games 4000 --seed 3 \
             --sprt elo0=0 elo1=60 --ledger l.jsonl --sync off").exits(0);
    let games = fleet.games("l.jsonl");
    assert!((2..1000).contains(&games.len()), "{}", games.len());
    let played = players.map(|player| ended(player).lines("Finished game").len());
    // All played games are on record: no pair was begun after the test was decided.
    assert_eq!(played.iter().sum::<usize>(), games.len(), "{played:?}");
    fleet.linesman("match --resume l.jsonl").exits(0);
}

#[test]
fn sigterm_hands_the_pair_back() {
    let fleet = or_skip!(Fleet::start("fleet-term"));
    let first = fleet.sleepy_worker("--concurrency 1");
    let run = fleet.begin(&format!(
        "{SLEEPY} --games 2 --ledger l.jsonl --lost-after-s 3600 --attempts 1"
    ));
    let found = fleet.until_playing();
    let status = &found["matches"][0];
    assert_eq!(status["coordinator"]["total"], 2, "{found}");
    assert_eq!(
        (status["leased"].as_u64(), status["waiting"].as_u64()),
        (Some(1), Some(0)),
        "{found}"
    );
    first.signal(Signal::TERM);
    let gone = first.exits(0);
    assert!(gone.lines("Finished game").len() < 2, "{:?}", gone.stdout);
    let second = fleet.sleepy_worker("--idle-s 1");
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 2);
    // The first worker was not lost, so the pair did not fail.
    let second = second.exits(0);
    second.shows(2, "Finished game");
    // The match is removed from the server completely.
    fleet.is_empty();
}

/// All workers that get the first pair are lost. The match stops with the reason, and can be resumed.
#[test]
fn a_pair_that_nobody_survives_stops_the_match() {
    let fleet = or_skip!(Fleet::start("fleet-lost"));
    let first = fleet.sleepy_worker("--concurrency 1");
    let run = fleet.begin(&format!(
        "{SLEEPY} --games 4 --ledger l.jsonl --lost-after-s 1 --attempts 1"
    ));
    fleet.until_playing();
    first.signal(Signal::KILL);
    let second = fleet.sleepy_worker("--concurrency 1");
    let done = run.fails(1, "error: 1 worker lost while playing pair 1: ");
    let flags = format!("--fleet {} --lost-after-s 1 --attempts 1", fleet.url());
    let command = format!("fleet match --resume l.jsonl {flags}");
    has(&done.stderr, format!("; to resume: linesman-{command}\n"));
    fleet.linesman(&command).exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    let games = fleet.games("l.jsonl");
    assert!(games.iter().all(|game| game["result"] != "*"), "{games:?}");
    ended(second);
}

/// Three workers cannot start the engines of the second game. Their machine is one, so the match waits for another.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_cannot_play_a_pair_hands_it_back_and_says_why() {
    let fleet = or_skip!(Fleet::start("fleet-back"));
    let run = fleet.announced(&format!(
        "{SLEEPY} --each restart=on --games 4 --ledger l.jsonl --lost-after-s 3600 --attempts 2"
    ));
    for _ in 0..3 {
        let broken = fleet.sleepy_worker("--concurrency 1");
        fleet.until_playing();
        broken.opens_no_more();
        has(&broken.exits(1).stderr, "Too many open files");
        let note = run.until(" handed pair ");
        has(&note, " handed pair 1 back: ");
        has(&note, "Too many open files");
    }
    let player = fleet.sleepy_worker("");
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    ended(player);
}

#[test]
fn a_worker_whose_engine_is_another_one_is_refused_and_says_so() {
    let fleet = or_skip!(Fleet::start("fleet-other"));
    fleet.write("other", "#!/bin/sh\nexit 1\n");
    for (file, name, cmd) in [
        ("other", "S", "./other"),
        ("empty", "T", "./other"),
        ("same", "S", SCRIPTED),
    ] {
        let engine = format!("[[engine]]\nname = \"{name}\"\ncmd = \"{cmd}\"\n");
        fleet.write(&format!("{file}.toml"), engine);
    }
    let run = fleet.announced("susan --engine cmd=SCRIPTED name=S nodes=1 --engine cmd=SCRIPTED name=S2 nodes=1 --games 2 --ledger l.jsonl",
    );
    for (file, words) in [("other.toml", "has"), ("empty.toml", "not in")] {
        let error = fleet.refuses(&format!("--engines {file} --idle-s 1"));
        has(&error, "engine S: ");
        has(&error, words);
        has(&error, "add it there, with content ");
    }
    let player = fleet.worker("--engines same.toml --idle-s 1");
    run.exits(0);
    player.exits(0);
}

/// Its data is removed from the server by hand.
#[test]
fn a_match_that_nobody_resumes_is_removed() {
    let fleet = or_skip!(Fleet::start("fleet-remove"));
    let run = fleet.announced(&format!("{SMALL} --games 260 --ledger l.jsonl"));
    let id = fleet.match_id("l.jsonl");
    let remove = |id: &str| fleet.linesman(&format!("fleet remove {} {id}", fleet.url()));
    remove(&id).fails(1, "has a coordinator");
    // All pairs are in the queue.
    fleet.until_waiting(130);
    run.signal(Signal::KILL);
    drop(run);
    let stuck = &fleet.status()["matches"][0]["stuck"];
    has(&stuck.to_string(), "fleet remove");
    let removed = remove(&id).exits(0);
    let line = format!("Match {id} removed, with 130 unplayed pairs and 0 unrecorded results");
    assert_eq!(removed.stdout, [line]);
    fleet.is_empty();
    remove(&id).fails(1, "no match");
    remove("*").fails(2, "is not the id of a match");
    // The ledger can still be resumed.
    fleet.is_played(fleet.begin("--resume l.jsonl"), "l.jsonl", 260);
}
