//! Results that come twice, do not fit, or do not come.

use serde_json::{Value, json};

use super::client::Client;
use super::faults::until;
use super::hostile::match_id;
use super::server::Server;
use super::{SMALL, announced, assert_each_game_once, assert_same_games, ended, succeeded, worker};
use crate::support::{Folder, has};

/// The result of the first pair of [`SMALL`], as a worker would send it; `change` changes its first game.
fn result(folder: &Folder, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (_, mut games) = folder.ledger("alone.jsonl");
    games.retain(|game| game["pair"] == 1);
    let machine = json!({"name": "m", "worker": "w", "scale": 1.0});
    for game in &mut games {
        game["machine"] = machine.clone();
        game.as_object_mut().expect("a game").remove("crc32");
    }
    change(&mut games[0]);
    let result = json!({"pair": 1, "worker": "w", "outcome": {"played": games}});
    result.to_string().into_bytes()
}

/// Starts a match whose games are also played here. Returns it, its server's client, and its subject of results.
fn begin(folder: &Folder, server: &Server) -> (crate::support::Run, Client, String) {
    succeeded(folder.linesman(&format!(
        "match {SMALL} --games 20 --pgn alone.pgn --ledger alone.jsonl --quiet"
    )));
    let words = format!("{SMALL} --games 20 --pgn fleet.pgn --ledger fleet.jsonl");
    let run = announced(folder, server, &words);
    let subject = format!("linesman.result.{}", match_id(folder, "fleet.jsonl"));
    (run, Client::connect(server), subject)
}

/// The server delivers a result that was recorded and not acknowledged again, and two workers may play one pair.
#[test]
fn a_pair_whose_result_comes_twice_is_recorded_once() {
    let server = or_skip!(Server::start("fleet-twice"));
    let folder = Folder::new("fleet-twice");
    let (run, mut client, subject) = begin(&folder, &server);
    until(&folder, &server, |status| {
        status["matches"][0]["waiting"] == 10
    });
    for _ in 0..2 {
        client.publish(&subject, &result(&folder, |_| {}));
    }
    client.flush();
    until(&folder, &server, |status| {
        status["matches"][0]["coordinator"]["games"] == 2
    });
    // The queue still holds the pair, so the worker plays it, too.
    let player = worker(&folder, &server, "");
    succeeded(run);
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    ended(player);
}

#[test]
fn a_result_that_does_not_fit_is_rejected_and_its_pair_is_played() {
    let server = or_skip!(Server::start("fleet-unfit"));
    let folder = Folder::new("fleet-unfit");
    let (run, mut client, subject) = begin(&folder, &server);
    let no_player = result(&folder, |game| game["p1"] = "C".into());
    let no_time = result(&folder, |game| game["plies"][2]["time"] = (-1.0).into());
    for bytes in [no_player, no_time] {
        client.publish(&subject, &bytes);
    }
    client.flush();
    let player = worker(&folder, &server, "");
    let done = succeeded(run);
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    let notes = done.lines("Note: fleet rejected a result from worker w: game 1: ");
    assert_eq!(notes.len(), 2, "{:?}", done.stdout);
    ended(player);
}

/// The next result of the pair would not fit, either.
#[test]
fn three_rejected_results_of_a_pair_stop_the_match() {
    let server = or_skip!(Server::start("fleet-three"));
    let folder = Folder::new("fleet-three");
    let (run, mut client, subject) = begin(&folder, &server);
    for _ in 0..3 {
        client.publish(&subject, &result(&folder, |game| game["p1"] = "C".into()));
    }
    client.flush();
    let done = run.exits(1);
    let why = "3 results of pair 1 were rejected, the last one because of game 1: not the game of A and B in pair 1";
    has(&done.stderr, why);
    let player = worker(&folder, &server, "");
    let fleet = format!("--fleet {}", server.url());
    succeeded(folder.linesman(&format!("fleet match --resume fleet.jsonl {fleet}")));
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    ended(player);
}

/// A worker removes a pair from the queue and is killed before it puts the pair back; or a server has lost it.
#[test]
fn a_pair_that_the_queue_has_lost_is_offered_again() {
    let server = or_skip!(Server::start("fleet-gone"));
    let folder = Folder::new("fleet-gone");
    let (run, mut client, subject) = begin(&folder, &server);
    until(&folder, &server, |status| {
        status["matches"][0]["waiting"] == 10
    });
    let id = subject.rsplit('.').next().expect("an id");
    for sequence in [2, 5] {
        let asked = format!("$JS.API.STREAM.MSG.DELETE.LINESMAN_WORK_{id}");
        let answer = client.request(&asked, format!("{{\"seq\":{sequence}}}").as_bytes());
        assert!(String::from_utf8_lossy(&answer).contains("\"success\":true"));
    }
    let player = worker(&folder, &server, "");
    succeeded(run);
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    ended(player);
}

/// Three names of one machine count once. Five machines have the same reason, so nobody can play the pair.
#[test]
fn a_pair_that_machines_hand_back_stops_the_match() {
    let server = or_skip!(Server::start("fleet-handed-back"));
    let folder = Folder::new("fleet-handed-back");
    let (run, mut client, subject) = begin(&folder, &server);
    let hand_back = |client: &mut Client, worker: &str, machine: &str| {
        let outcome = json!({"handed-back": {"machine": machine, "reason": "no rules"}});
        let result = json!({"pair": 1, "worker": worker, "outcome": outcome});
        client.publish(&subject, result.to_string().as_bytes());
        client.flush();
    };
    let five_names = ["a", "b", "c", "d", "e"].map(|worker| (worker, "one"));
    let machines = ["two", "three", "four"].map(|machine| ("w", machine));
    for (worker, machine) in five_names.into_iter().chain(machines) {
        hand_back(&mut client, worker, machine);
        let note = std::iter::from_fn(|| run.line()).find(|line| line.contains(" handed pair "));
        let expected = format!("Note: fleet worker {worker} handed pair 1 back: no rules");
        assert_eq!(note, Some(expected));
    }
    hand_back(&mut client, "w", "five");
    let done = run.exits(1);
    let why = "5 machines handed pair 1 back, the last one because of no rules; ";
    has(&done.stderr, why);
    has(&done.stderr, "match --resume fleet.jsonl");
    let player = worker(&folder, &server, "");
    let fleet = format!("--fleet {}", server.url());
    succeeded(folder.linesman(&format!("fleet match --resume fleet.jsonl {fleet}")));
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    ended(player);
}
