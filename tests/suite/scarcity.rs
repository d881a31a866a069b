//! An engine on a system with fewer resources than its options request uses the available ones and reports it.

#![cfg(target_os = "linux")]

use crate::support::{Done, Folder};

/// Address space of the engine, in kilobytes.
const MEMORY: u32 = 400_000;

fn engine(test: &str, game: &str, lines: &str) -> Done {
    let folder = Folder::new(test);
    let line = format!("printf '{lines}' | (ulimit -v {MEMORY}; exec LINESMAN engine {game})");
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done
}

#[test]
fn less_memory_than_hash_is_said_and_used() {
    for game in ["susan", "projex"] {
        let lines = "setoption name Hash value 8192\\ngo mate 3 nodes 2000\\ngo nodes 2000\\n";
        let done = engine(&format!("hash-{game}"), game, lines);
        assert!(!done.lines("info string Hash: only").is_empty());
        assert_eq!(done.lines("bestmove").len(), 2, "{:?}", done.stdout);
    }
}

#[test]
fn threads_that_cannot_be_started_are_said_and_done_without() {
    for game in ["susan", "projex"] {
        let lines = "setoption name Threads value 250\\ngo nodes 200000\\ngo nodes 200000\\n";
        let done = engine(&format!("threads-{game}"), game, lines);
        assert!(!done.lines("info string Threads: only").is_empty());
        assert_eq!(done.lines("bestmove").len(), 2, "{:?}", done.stdout);
    }
}
