//! An engine on a system with fewer resources than its options request uses the available ones and reports it.

#![cfg(target_os = "linux")]

use crate::support::{Done, Folder, lacks};

/// Address space of the engine, in kilobytes.
const MEMORY: u32 = 400_000;

fn engine(test: &str, game: &str, lines: &str) -> Done {
    let folder = Folder::new(test);
    let line = format!("printf '{lines}' | (ulimit -v {MEMORY}; exec LINESMAN engine {game})");
    folder.shell(&line).exits(0)
}

#[test]
fn less_memory_than_hash_is_said_and_used() {
    for game in ["susan", "projex"] {
        let lines = "setoption name Hash value 8192\\ngo mate 3 nodes 2000\\ngo nodes 2000\\n";
        let done = engine(&format!("hash-{game}"), game, lines);
        assert!(!done.lines("info string Hash: only").is_empty());
        done.shows(2, "bestmove");
    }
}

#[test]
fn threads_that_cannot_be_started_are_said_and_done_without() {
    for game in ["susan", "projex"] {
        let lines = "setoption name Threads value 250\\ngo nodes 40000\\ngo nodes 40000\\n";
        let done = engine(&format!("threads-{game}"), game, lines);
        assert!(!done.lines("info string Threads: only").is_empty());
        done.shows(2, "bestmove");
    }
}

/// From the first limit on at which the engine finds memory for a move, it finds one at each higher limit, too.
#[test]
fn a_search_uses_what_memory_there_is() {
    let folder = Folder::new("little");
    for game in ["projex", "susan"] {
        let lines = "setoption name Threads value 8\\ngo nodes 500\\n";
        let mut n_answers = 0;
        for mib in (20..).step_by(2) {
            let line = format!(
                "printf '{lines}' | (ulimit -v {}; exec LINESMAN engine {game})",
                mib << 10
            );
            let done = folder.shell(&line).done();
            lacks(&done.stderr, "panicked");
            let has_move = done.status == Some(0) && done.lines("bestmove").len() == 1;
            assert!(
                has_move || n_answers == 0,
                "{game}, {mib} MiB: {}",
                done.stderr
            );
            n_answers += u32::from(has_move);
            if n_answers == 20 {
                break;
            }
        }
    }
}
