//! Malformed and hostile messages.

use serde_json::{Value, json};

use super::client::Client;
use super::{Fleet, SMALL, ended};
use crate::fingerprints::node_count;
use crate::support::has;

/// A random message of one of several kinds, all of them invalid.
fn hostile(number: usize, rng: &mut fastrand::Rng) -> Vec<u8> {
    let pair = rng.usize(0..2000);
    let result = json!({"pair": pair, "worker": "nobody", "outcome": {"played": [
        {"game": 2 * pair, "pair": pair, "p1": "A", "p2": "B", "opening": "startpos", "moves": ["z9"], "result": "1-0",
         "termination": "normal", "reason": "", "plies": [null], "date": ""}]}});
    let order = json!({"pair": pair, "opening": "startpos moves z9\nquit",
                       "games": [{"game": 1, "pair": pair, "p1": 0, "p2": 77, "opening": 0}]});
    match number % 8 {
        0 => (0..rng.usize(0..300)).map(|_| rng.u8(..)).collect(),
        1 => b"{\"pair\":1,\"outcome\":{\"played\":".to_vec(),
        2 => "[".repeat(10_000).into_bytes(),
        3 => vec![b'x'; 200_000],
        4 => result.to_string().into_bytes(),
        5 => order.to_string().into_bytes(),
        6 => br#"{"pair":-1,"worker":"","outcome":{"failed":""}}"#.to_vec(),
        _ => br#"{"pair":18446744073709551615,"worker":"","outcome":{"stored":["..",9]}}"#.to_vec(),
    }
}

#[test]
fn a_thousand_hostile_messages_cost_themselves() {
    let fleet = or_skip!(Fleet::start("fleet-hostile"));
    fleet
        .linesman(&format!("match {SMALL} --games 40 --pgn alone.pgn --quiet"))
        .exits(0);
    let words = format!("{SMALL} --games 40 --pgn fleet.pgn --ledger fleet.jsonl");
    let run = fleet.announced(&words);
    let id = fleet.match_id("fleet.jsonl");
    let subjects = [
        format!("linesman.work.{id}."),
        format!("linesman.result.{id}"),
        format!("linesman.match.{id}"),
        "linesman.match.nonsense".to_owned(),
        "linesman.worker.nobody".to_owned(),
        format!("linesman.coordinator.{id}"),
        "linesman.ping".to_owned(),
    ];
    let mut client = Client::connect(&fleet.server);
    let mut rng = fastrand::Rng::with_seed(20);
    for number in 0..1000 {
        let mut subject = subjects[number / 8 % subjects.len()].clone();
        if subject.ends_with('.') {
            subject += &number.to_string();
        }
        client.publish(&subject, &hostile(number, &mut rng));
    }
    client.flush();
    let players = [(); 2].map(|()| fleet.worker(""));
    let done = run.exits(0);
    fleet.has_each_game_once("fleet.jsonl", 40);
    fleet.has_same_games();
    has(&done.stdout, "Note: fleet rejected");
    let mut n_notes = 0;
    for player in players {
        n_notes += ended(player).lines("Note: rejected a message").len();
    }
    assert!(n_notes > 0);
}

/// The announcement of a match of the built-in engine, by a client that is no coordinator.
pub(super) struct Announcement {
    pub(super) id: &'static str,
    plan: Value,
}

impl Announcement {
    /// Takes the plan of a match that is played in this fleet.
    pub(super) fn new(fleet: &Fleet) -> Announcement {
        fleet
            .linesman(&format!(
                "match {SMALL} --games 2 --ledger announced.jsonl --quiet"
            ))
            .exits(0);
        let (line, _) = fleet.ledger("announced.jsonl");
        let id = "0123456789abcdef";
        let mut plan = line["plan"].clone();
        plan["id"] = id.into();
        Announcement { id, plan }
    }

    /// Announces the match; `change` replaces valid fields.
    pub(super) fn publish(&self, client: &mut Client, change: impl FnOnce(&mut Value)) {
        let mut found = json!({"version": env!("CARGO_PKG_VERSION"), "host": "elsewhere", "coordinator": "",
            "state": "open", "plan": self.plan, "engines": [null, null], "rules": null, "lost_after_ms": 30000,
            "attempts": 5, "bench": {"game": "susan", "nodes": node_count("susan"), "nps": null}});
        change(&mut found);
        let subject = format!("linesman.match.{}", self.id);
        client.request(&subject, found.to_string().as_bytes());
    }
}

/// There is no coordinator: a worker checks the announcement and reports why it does not play the match.
#[test]
fn a_worker_refuses_what_it_may_not_play() {
    let fleet = or_skip!(Fleet::start("fleet-refuse"));
    // The first match creates the stream of announcements.
    let first = fleet.announced(&format!("{SMALL} --games 2 --ledger l.jsonl"));
    let player = fleet.worker("--idle-s 1");
    first.exits(0);
    player.exits(0);
    let sent = Announcement::new(&fleet);
    let mut client = Client::connect(&fleet.server);
    type Change = fn(&mut Value);
    let other = format!(
        "the built-in engine differs: bench of susan counts {} nodes",
        node_count("susan")
    );
    let cases: [(Change, &str); 4] = [
        (|found| found["bench"]["nodes"] = 1.into(), &other),
        (
            |found| found["version"] = "0.0.1".into(),
            "of version 0.0.1",
        ),
        (
            |found| found["plan"]["game"]["name"] = "chess".into(),
            "unknown game",
        ),
        (
            |found| found["engines"][0] = json!({"hash": "00"}),
            "engine A: not in",
        ),
    ];
    for (change, why) in cases {
        sent.publish(&mut client, change);
        has(&fleet.refuses("--idle-s 1"), why);
    }
    // It waits for a match that it can play.
    let player = fleet.worker("");
    let line = player.line().unwrap_or_default();
    has(&line, "rejected: engine A");
    fleet
        .announced(&format!("{SMALL} --games 2 --ledger next.jsonl"))
        .exits(0);
    fleet.has_each_game_once("next.jsonl", 2);
    ended(player);
}
