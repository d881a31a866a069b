//! Workers, servers and coordinators that fail, and workers that are refused.

use std::time::Instant;

use serde_json::Value;

use super::server::{PATIENCE, Server};
use super::signals::{kill, terminate};
use super::{
    SLEEPY, SMALL, announced, assert_each_game_once, assert_same_games, ended, refused,
    sleepy_worker, succeeded, worker,
};
use crate::support::{Folder, Run, has};

/// Reads the output of a match until `n_games` games are finished.
fn until_finished(run: &Run, n_games: usize) {
    let mut n_finished = 0;
    while n_finished < n_games {
        let line = run.line().expect("the match goes on");
        n_finished += usize::from(line.starts_with("Finished game"));
    }
}

/// The output of `linesman fleet status --json`.
pub(super) fn status(folder: &Folder, server: &Server) -> Value {
    let done = succeeded(folder.linesman(&format!("fleet status {} --json", server.url())));
    serde_json::from_str(&done.stdout[0]).expect("an object")
}

/// Waits until the server's status meets a condition, and returns it.
pub(super) fn until(folder: &Folder, server: &Server, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let status = status(folder, server);
        if is_so(&status) {
            return status;
        }
        assert!(Instant::now() < deadline, "{status}");
    }
}

/// Waits until a worker plays a pair.
fn until_playing(folder: &Folder, server: &Server) -> Value {
    until(folder, server, |status| {
        let workers = status["matches"][0]["workers"].as_array();
        let mut playing = workers
            .into_iter()
            .flatten()
            .map(|worker| &worker["playing"]);
        playing.any(|pairs| pairs.as_array().is_some_and(|pairs| !pairs.is_empty()))
    })
}

/// 200 pairs, three workers. Two workers are killed in mid-game, then the server, which restarts with its files, then
/// the coordinator, which is resumed.
#[test]
fn what_is_killed_costs_no_game_and_doubles_none() {
    let mut server = or_skip!(Server::start("fleet-kill"));
    let folder = Folder::new("fleet-kill");
    succeeded(folder.linesman(&format!(
        "match {SMALL} --games 180 --pgn alone.pgn --quiet"
    )));
    let [one, two, three] = [(); 3].map(|()| worker(&folder, &server, "--concurrency 1"));
    let fleet = format!("--fleet {} --lost-after-s 3 --attempts 20", server.url());
    let files = "--ledger fleet.jsonl --pgn fleet.pgn --sync off";
    let first = folder.linesman(&format!("fleet match {SMALL} --games 180 {files} {fleet}"));
    until_finished(&first, 40);
    kill(&one);
    kill(&two);
    until_finished(&first, 20);
    server.restart();
    until_finished(&first, 60);
    kill(&first);
    drop(first);
    succeeded(folder.linesman(&format!(
        "fleet match --resume fleet.jsonl --pgn fleet.pgn --sync off {fleet}"
    )));
    assert_each_game_once(&folder, "fleet.jsonl", 180);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    ended(three);
}

/// The server restarts without its files, as after the loss of a disk: its pairs are offered again.
#[test]
fn a_server_that_loses_its_files_costs_no_game() {
    let mut server = or_skip!(Server::start("fleet-empty"));
    let folder = Folder::new("fleet-empty");
    let player = worker(&folder, &server, "--concurrency 1");
    let fleet = format!("--fleet {} --lost-after-s 3 --sync off", server.url());
    let run = folder.linesman(&format!(
        "fleet match {SMALL} --games 60 --ledger l.jsonl {fleet}"
    ));
    until_finished(&run, 10);
    server.restart_empty();
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 60);
    ended(player);
}

#[test]
fn a_decided_test_stops_all_workers_within_a_pair() {
    let server = or_skip!(Server::start("fleet-sprt"));
    let folder = Folder::new("fleet-sprt");
    let players = [(); 3].map(|()| worker(&folder, &server, "--concurrency 1"));
    succeeded(folder
        .linesman(&format!(
            "fleet match susan:Size=3 --engine builtin name=A nodes=400 --engine builtin name=B nodes=1 --games 4000 --seed 3 \
             --sprt elo0=0 elo1=60 --ledger l.jsonl --sync off --fleet {}",
            server.url()
        )));
    let (_, games) = folder.ledger("l.jsonl");
    assert!((2..1000).contains(&games.len()), "{}", games.len());
    let played = players.map(|player| ended(player).lines("Finished game").len());
    // All played games are on record: no pair was begun after the test was decided.
    assert_eq!(played.iter().sum::<usize>(), games.len(), "{played:?}");
    folder.linesman("match --resume l.jsonl").exits(0);
}

#[test]
fn sigterm_hands_the_pair_back() {
    let server = or_skip!(Server::start("fleet-term"));
    let folder = Folder::new("fleet-term");
    let first = sleepy_worker(&folder, &server, "--concurrency 1");
    let run = folder.linesman(&format!(
        "fleet match {SLEEPY} --games 2 --ledger l.jsonl --lost-after-s 3600 --attempts 1 --fleet {}",
        server.url()
    ));
    let found = until_playing(&folder, &server);
    let status = &found["matches"][0];
    assert_eq!(status["coordinator"]["total"], 2, "{found}");
    assert_eq!(
        (status["leased"].as_u64(), status["waiting"].as_u64()),
        (Some(1), Some(0)),
        "{found}"
    );
    terminate(&first);
    let gone = first.exits(0);
    assert!(gone.lines("Finished game").len() < 2, "{:?}", gone.stdout);
    let second = sleepy_worker(&folder, &server, "--idle-s 1");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 2);
    // The first worker was not lost, so the pair did not fail.
    let second = succeeded(second);
    second.shows(2, "Finished game");
    // The match is removed from the server completely.
    let left = self::status(&folder, &server);
    assert_eq!(left["matches"].as_array().map(Vec::len), Some(0), "{left}");
}

/// All workers that get the first pair are lost. The match stops with the reason, and can be resumed.
#[test]
fn a_pair_that_nobody_survives_stops_the_match() {
    let server = or_skip!(Server::start("fleet-lost"));
    let folder = Folder::new("fleet-lost");
    let first = sleepy_worker(&folder, &server, "--concurrency 1");
    let run = folder.linesman(&format!(
        "fleet match {SLEEPY} --games 4 --ledger l.jsonl --lost-after-s 1 --attempts 1 --fleet {}",
        server.url()
    ));
    until_playing(&folder, &server);
    kill(&first);
    let second = sleepy_worker(&folder, &server, "--concurrency 1");
    let done = run.exits(1);
    has(&done.stderr, "error: 1 worker lost while playing pair 1: ");
    let fleet = format!("--fleet {} --lost-after-s 1 --attempts 1", server.url());
    let command = format!("fleet match --resume l.jsonl {fleet}");
    has(&done.stderr, format!("; to resume: linesman-{command}\n"));
    succeeded(folder.linesman(&command));
    assert_each_game_once(&folder, "l.jsonl", 4);
    let (_, games) = folder.ledger("l.jsonl");
    assert!(games.iter().all(|game| game["result"] != "*"), "{games:?}");
    ended(second);
}

/// Three workers cannot start the engines of the second game. Their machine is one, so the match waits for another.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_cannot_play_a_pair_hands_it_back_and_says_why() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let server = or_skip!(Server::start("fleet-back"));
    let folder = Folder::new("fleet-back");
    let run = announced(
        &folder,
        &server,
        &format!(
            "{SLEEPY} --each restart=on --games 4 --ledger l.jsonl --lost-after-s 3600 --attempts 2"
        ),
    );
    for _ in 0..3 {
        let broken = sleepy_worker(&folder, &server, "--concurrency 1");
        until_playing(&folder, &server);
        let pid = Pid::from_raw(broken.pid().cast_signed());
        let limit = Rlimit {
            current: Some(3),
            maximum: Some(4096),
        };
        prlimit(pid, Resource::Nofile, limit).expect("our own child");
        has(&broken.exits(1).stderr, "Too many open files");
        let note = std::iter::from_fn(|| run.line()).find(|line| line.contains(" handed pair "));
        let note = note.expect("a note");
        has(&note, " handed pair 1 back: ");
        has(&note, "Too many open files");
    }
    let player = sleepy_worker(&folder, &server, "");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 4);
    ended(player);
}

#[test]
fn a_worker_whose_engine_is_another_one_is_refused_and_says_so() {
    let server = or_skip!(Server::start("fleet-other"));
    let folder = Folder::new("fleet-other");
    std::fs::write(folder.path("other"), "#!/bin/sh\nexit 1\n").expect("a file");
    let engines = |cmd: &str| format!("[[engine]]\nname = \"S\"\ncmd = \"{cmd}\"\n");
    std::fs::write(folder.path("other.toml"), engines("./other")).expect("a file");
    std::fs::write(
        folder.path("empty.toml"),
        engines("./other").replace("\"S\"", "\"T\""),
    )
    .expect("a file");
    std::fs::write(folder.path("same.toml"), engines(crate::support::SCRIPTED)).expect("a file");
    let run = announced(
        &folder,
        &server,
        "susan --engine cmd=SCRIPTED name=S nodes=1 --engine cmd=SCRIPTED name=S2 nodes=1 --games 2 --ledger l.jsonl",
    );
    for (file, words) in [("other.toml", "has"), ("empty.toml", "not in")] {
        let error = refused(worker(
            &folder,
            &server,
            &format!("--engines {file} --idle-s 1"),
        ));
        has(&error, "engine S: ");
        has(&error, words);
        has(&error, "add it there, with content ");
    }
    let player = worker(&folder, &server, "--engines same.toml --idle-s 1");
    succeeded(run);
    succeeded(player);
}

#[test]
fn without_a_server_one_line_says_how_to_start_one() {
    let folder = Folder::new("fleet-none");
    // No server listens on this port, which is reserved for privileged programs.
    for words in [
        "fleet match susan --ledger l.jsonl --fleet nats://127.0.0.1:1",
        "fleet worker nats://user@127.0.0.1:1",
        "fleet status nats://127.0.0.1:1",
    ] {
        let done = folder.linesman(words).exits(1);
        assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
        has(&done.stderr, "nats-server -js -a 127.0.0.1 -sd DIR");
    }
    assert!(!folder.path("l.jsonl").exists());
    for words in [
        "fleet worker localhost",
        "fleet worker http://127.0.0.1:4222",
        "fleet match susan --fleet x",
    ] {
        folder.linesman(words).fails(2, "write nats://HOST:4222");
    }
}
