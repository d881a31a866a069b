//! Results that come twice, do not fit, or do not come.

use serde_json::{Value, json};

use super::client::Client;
use super::{Fleet, SMALL};
use crate::support::{Run, has};

/// The result of the first pair of [`SMALL`], as a worker would send it; `change` changes its first game.
fn result(fleet: &Fleet, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut games = fleet.games("alone.jsonl");
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
fn begin(fleet: &Fleet) -> (Run, Client, String) {
    let alone = "--pgn alone.pgn --ledger alone.jsonl --quiet";
    fleet
        .linesman(&format!("match {SMALL} --games 20 {alone}"))
        .exits(0);
    let words = format!("{SMALL} --games 20 --pgn fleet.pgn --ledger fleet.jsonl");
    let run = fleet.announced(&words);
    let subject = format!("linesman.result.{}", fleet.match_id("fleet.jsonl"));
    (run, Client::connect(&fleet.server), subject)
}

/// The server delivers a result that was recorded and not acknowledged again, and two workers may play one pair.
#[test]
fn a_pair_whose_result_comes_twice_is_recorded_once() {
    let fleet = or_skip!(Fleet::start("fleet-twice"));
    let (run, mut client, subject) = begin(&fleet);
    fleet.until_waiting(10);
    for _ in 0..2 {
        client.publish(&subject, &result(&fleet, |_| {}));
    }
    client.flush();
    fleet.until(|status| status["matches"][0]["coordinator"]["games"] == 2);
    // The queue still holds the pair, so the worker plays it, too.
    fleet.is_played(run, "fleet.jsonl", 20);
    fleet.has_same_games();
}

#[test]
fn a_result_that_does_not_fit_is_rejected_and_its_pair_is_played() {
    let fleet = or_skip!(Fleet::start("fleet-unfit"));
    let (run, mut client, subject) = begin(&fleet);
    let no_player = result(&fleet, |game| game["p1"] = "C".into());
    let no_time = result(&fleet, |game| game["plies"][2]["time"] = (-1.0).into());
    for bytes in [no_player, no_time] {
        client.publish(&subject, &bytes);
    }
    client.flush();
    let done = fleet.is_played(run, "fleet.jsonl", 20);
    fleet.has_same_games();
    done.shows(2, "Note: fleet rejected a result from worker w: game 1: ");
}

/// The next result of the pair would not fit, either.
#[test]
fn three_rejected_results_of_a_pair_stop_the_match() {
    let fleet = or_skip!(Fleet::start("fleet-three"));
    let (run, mut client, subject) = begin(&fleet);
    for _ in 0..3 {
        client.publish(&subject, &result(&fleet, |game| game["p1"] = "C".into()));
    }
    client.flush();
    let why = "3 results of pair 1 were rejected, the last one because of game 1: not the game of A and B in pair 1";
    run.fails(1, why);
    fleet.is_played(fleet.begin("--resume fleet.jsonl"), "fleet.jsonl", 20);
}

/// A worker removes a pair from the queue and is killed before it puts the pair back; or a server has lost it.
#[test]
fn a_pair_that_the_queue_has_lost_is_offered_again() {
    let fleet = or_skip!(Fleet::start("fleet-gone"));
    let (run, mut client, subject) = begin(&fleet);
    fleet.until_waiting(10);
    let id = subject.rsplit('.').next().expect("an id");
    for sequence in [2, 5] {
        let asked = format!("$JS.API.STREAM.MSG.DELETE.LINESMAN_WORK_{id}");
        let answer = client.request(&asked, format!("{{\"seq\":{sequence}}}").as_bytes());
        assert!(String::from_utf8_lossy(&answer).contains("\"success\":true"));
    }
    fleet.is_played(run, "fleet.jsonl", 20);
    fleet.has_same_games();
}

/// Three names of one machine count once. Five machines have the same reason, so no worker can play the pair.
#[test]
fn a_pair_that_machines_hand_back_stops_the_match() {
    let fleet = or_skip!(Fleet::start("fleet-handed-back"));
    let (run, mut client, subject) = begin(&fleet);
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
        let expected = format!("Note: fleet worker {worker} handed pair 1 back: no rules");
        assert_eq!(run.until(" handed pair "), expected);
    }
    hand_back(&mut client, "w", "five");
    let done = run.fails(
        1,
        "5 machines handed pair 1 back, the last one because of no rules; ",
    );
    has(&done.stderr, "match --resume fleet.jsonl");
    fleet.is_played(fleet.begin("--resume fleet.jsonl"), "fleet.jsonl", 20);
}
