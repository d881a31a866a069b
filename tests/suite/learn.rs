//! `linesman-lab learn`: small rounds, stopped, damaged, and continued.

use std::fs;

use crate::support::{Folder, Run, begins, has};

const ROUNDS: &str =
    "susan:Size=3 net --games 30 --nodes 40 --match-games 6 --epochs 2 --from-zero --seed 5";

fn learn(folder: &Folder, words: &str) -> Run {
    folder.linesman(&format!("lab learn {ROUNDS} {words}"))
}

fn network(folder: &Folder, round: usize) -> Vec<u8> {
    fs::read(folder.path(&format!("net/network-{round}.net"))).expect("a network")
}

#[test]
fn rounds_end_with_a_network_each() {
    let folder = Folder::new("learn");
    let done = learn(&folder, "--rounds 2").exits(0);
    for round in 1..=2 {
        let epochs = done.lines(&format!("round {round}: epoch "));
        assert_eq!(epochs.len(), 2, "{:?}", done.stdout);
        let matches = done.lines(&format!("round {round}: against the previous network: "));
        has(&matches[0], " of 6 points");
    }
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("the last network is net/network-2.net")
    );
    assert_ne!(network(&folder, 1), network(&folder, 2));
}

#[test]
fn a_run_goes_on_where_it_was_broken_off_to_the_same_networks() {
    let whole = Folder::new("learn-whole");
    learn(&whole, "--rounds 2 --threads 2").exits(0);
    let broken = Folder::new("learn-broken");
    learn(&broken, "--rounds 1 --threads 1").exits(0);
    // A run that was killed in the second round, while it wrote its twelfth game.
    let games = whole.read("net/games-2.jsonl");
    let end = games.match_indices('\n').nth(10).expect("games").0 + 7;
    broken.write("net/games-2.jsonl", &games[..end]);
    let done = learn(&broken, "--rounds 2 --threads 1").exits(0);
    assert_eq!(done.stdout[0], "round 1: already done");
    for round in 1..=2 {
        assert_eq!(
            network(&broken, round),
            network(&whole, round),
            "round {round}"
        );
    }
}

#[test]
fn other_settings_and_damaged_networks_are_refused() {
    let folder = Folder::new("learn-refused");
    learn(&folder, "--rounds 1").exits(0);
    let other = folder
        .linesman("lab learn susan:Size=3 net --games 31")
        .exits(2);
    let why = "error: net: started with other settings: use {\"game\":\"susan\"";
    begins(&other.stderr, why);
    let mut bytes = network(&folder, 1);
    bytes[100] ^= 1;
    folder.write("net/network-1.net", bytes);
    let damaged = learn(&folder, "--rounds 1").exits(1);
    let why = "error: net/network-1.net: damaged: the checksum is wrong\n";
    assert_eq!(damaged.stderr, why);
}

/// A policy for the tree search is learned in the same rounds.
#[test]
fn a_policy_is_learned_in_rounds_and_gone_on_with() {
    let rounds =
        "lab learn projex:Size=3 net --games 20 --nodes 60 --match-games 4 --epochs 2 --from-zero";
    let folder = Folder::new("learn-policy");
    let done = folder.linesman(&format!("{rounds} --rounds 1")).exits(0);
    let matches = done.lines("round 1: against the previous policy: ");
    has(&matches[0], " of 4 points");
    let done = folder.linesman(&format!("{rounds} --rounds 2")).exits(0);
    assert_eq!(done.stdout[0], "round 1: already done");
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("the last policy is net/policy-2.policy")
    );
    let whole = Folder::new("learn-policy-whole");
    whole.linesman(&format!("{rounds} --rounds 2")).exits(0);
    for round in 1..=2 {
        let policy = |folder: &Folder| fs::read(folder.path(&format!("net/policy-{round}.policy")));
        let [one, other] = [&folder, &whole].map(|folder| policy(folder).expect("a policy"));
        assert!(one == other, "round {round}");
    }
}
