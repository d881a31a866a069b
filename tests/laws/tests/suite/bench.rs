//! Tests of the bench: the node count is reproducible.

use kit::Engine;
use kit::bench::run;
use nim::Nim;

fn bench() -> (u64, String) {
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
fn two_runs_count_the_same_nodes_and_the_total_is_their_sum() {
    let ((total, text), (other, second)) = (bench(), bench());
    let all = shares(&text);
    assert_eq!((total, &all), (other, &shares(&second)));
    assert_eq!(all.len(), Nim::BENCH.positions.lines().count());
    assert!(all.iter().all(|&nodes| nodes > 0), "{text}");
    assert_eq!(total, all.iter().sum::<u64>());
    let line = format!("Nodes searched  : {total}");
    assert!(text.lines().any(|told| told == line), "{text}");
}
