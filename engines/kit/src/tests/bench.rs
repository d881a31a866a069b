//! Tests of the bench: the node count is reproducible.

use crate::tests::nim::{self, Nim};
use kit::bench::{Total, run};
use kit::{Bench, Engine};

fn bench() -> (Total, String) {
    let mut out = Vec::new();
    let total = run(&nim::GAME, &mut out).expect("a vector takes all");
    (total, String::from_utf8(out).expect("text"))
}

/// The number after `nodes` in each position's line.
fn shares(text: &str) -> Vec<u64> {
    let lines = text.lines().filter(|line| line.starts_with("bestmove "));
    lines
        .map(|line| {
            let (_, nodes) = line.rsplit_once(" nodes ").expect("each tells its nodes");
            nodes.parse().expect("a number")
        })
        .collect()
}

#[test]
fn two_runs_count_the_same_nodes() {
    let ((one, first), (other, second)) = (bench(), bench());
    assert_eq!(one.nodes, other.nodes);
    assert_eq!(shares(&first), shares(&second));
}

#[test]
fn the_total_is_the_sum_over_all_positions() {
    let (total, text) = bench();
    let shares = shares(&text);
    let Bench { positions, .. } = Nim::BENCH;
    assert_eq!(shares.len(), positions.lines().count());
    assert!(shares.iter().all(|&nodes| nodes > 0), "{text}");
    assert_eq!(total.nodes, shares.iter().sum::<u64>());
    let line = format!("Nodes searched  : {}", total.nodes);
    assert!(text.lines().any(|told| told == line), "{text}");
}
