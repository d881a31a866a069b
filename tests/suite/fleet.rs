//! Matches on many machines: a real nats-server, and workers as processes. Without nats-server these tests are reported
//! as skipped.

mod accounts;
mod client;
mod coordinators;
mod engines;
mod faults;
mod hostile;
mod machines;
mod removal;
mod results;
mod security;
pub(crate) mod server;
mod signals;

use std::fs;

use crate::support::{Done, Folder, Run, SCRIPTED};
use server::Server;

/// A match between two built-in engines on a small board with a fixed number of nodes: short, deterministic games.
const SMALL: &str = "susan:Size=3 --each nodes=30 option.Hash=1 --engine builtin name=A --engine builtin name=B \
     --seed 7";

/// A match between two engines that sleep for each move. Its games last longer than those of [`SMALL`] and take no
/// computing time.
const SLEEPY: &str = "susan --engine cmd=SCRIPTED arg=late name=A nodes=1 --engine cmd=SCRIPTED arg=late name=B nodes=1";

/// Starts a worker that has the engines of [`SLEEPY`].
fn sleepy_worker(folder: &Folder, server: &Server, more: &str) -> Run {
    let engine = |name: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncmd = \"{SCRIPTED}\"\nargs = [\"late\"]\n")
    };
    let engines = ["A", "B"].map(engine).concat();
    fs::write(folder.path("sleepy.toml"), engines).expect("a file");
    worker(folder, server, &format!("--engines sleepy.toml {more}"))
}

/// The games of a PGN file in schedule order, without what depends on the clock: dates, and seconds in comments.
fn games(pgn: &str) -> Vec<String> {
    let mut games: Vec<(Vec<usize>, String)> = Vec::new();
    for game in pgn.split("[Event ").skip(1) {
        let round = game
            .split("[Round \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let round = round
            .expect("a round")
            .split('.')
            .map(|part| part.parse().expect("a number"));
        let lines = game.lines().filter(|line| !line.starts_with("[Date "));
        let text: Vec<String> = lines.map(without_seconds).collect();
        games.push((round.collect(), text.join("\n")));
    }
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

/// A line of a PGN file without its times, such as `0.513s}`. The length of these words changes the line breaks, so
/// games are compared word by word.
fn without_seconds(line: &str) -> String {
    let is_time =
        |word: &&str| word.trim_end_matches(['}', ',']).ends_with('s') && word.contains('.');
    let words = line.split(' ').filter(|word| !is_time(word));
    words.collect::<Vec<_>>().join(" ")
}

fn words(game: &str) -> Vec<&str> {
    game.split_whitespace().collect()
}

/// Compares the games of two PGN files, ignoring what depends on the clock.
#[track_caller]
fn assert_same_games(one: &str, other: &str) {
    let (one, other) = (games(one), games(other));
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(words(one), words(other));
    }
}

/// Checks that a ledger contains each game exactly once.
#[track_caller]
fn assert_each_game_once(folder: &Folder, ledger: &str, n_games: usize) {
    let (_, games) = folder.ledger(ledger);
    let mut numbers: Vec<u64> = games
        .iter()
        .filter_map(|game| game["game"].as_u64())
        .collect();
    numbers.sort_unstable();
    let all: Vec<u64> = (1..=n_games as u64).collect();
    assert_eq!(numbers, all);
}

pub(crate) fn worker(folder: &Folder, server: &Server, more: &str) -> Run {
    folder.linesman(&format!("fleet worker {} {more}", server.url()))
}

/// Starts a match that workers play. Returns when it is announced.
#[track_caller]
fn announced(folder: &Folder, server: &Server, words: &str) -> Run {
    let run = folder.linesman(&format!("fleet match {words} --fleet {}", server.url()));
    assert!(run.line().is_some(), "{}", run.done().stderr);
    run
}

/// Waits for the end of a command that succeeds.
#[track_caller]
fn succeeded(run: Run) -> Done {
    run.exits(0)
}

/// Interrupts a worker as Ctrl-C does, which is not a failure.
#[track_caller]
fn ended(worker: Run) -> Done {
    signals::interrupt(&worker);
    succeeded(worker)
}

/// Waits for the exit of a worker that is refused. Returns its last line.
#[track_caller]
fn refused(worker: Run) -> String {
    let done = worker.exits(1);
    done.stderr.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn two_workers_play_the_match_that_one_machine_plays() {
    let server = or_skip!(Server::start("fleet-two"));
    let folder = Folder::new("fleet-two");
    succeeded(folder.linesman(&format!("match {SMALL} --games 20 --pgn alone.pgn --quiet")));
    let workers = [
        worker(&folder, &server, "--idle-s 60"),
        worker(&folder, &server, "--idle-s 60"),
    ];
    let done = succeeded(folder.linesman(&format!(
        "fleet match {SMALL} --games 20 --pgn fleet.pgn --ledger fleet.jsonl --fleet {}",
        server.url()
    )));
    done.shows(20, "Finished game");
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    let (_, games) = folder.ledger("fleet.jsonl");
    for game in &games {
        let machine = &game["machine"];
        assert!(
            machine["name"]
                .as_str()
                .is_some_and(|name| !name.is_empty()),
            "{game}"
        );
        assert_eq!(machine["scale"], 1.0, "{game}");
    }
    workers.into_iter().for_each(|worker| drop(ended(worker)));
}
