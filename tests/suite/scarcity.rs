//! An engine on a system with fewer resources than its options request reports it and plays on, or ends with status 1.

#![cfg(target_os = "linux")]

use crate::support::{Folder, lacks};

/// An engine that has no memory for its default table does not start. From the first limit on at which it starts, it
/// finds a move at each limit.
#[test]
fn a_search_uses_what_memory_there_is() {
    let folder = Folder::new("little");
    for game in ["projex", "susan"] {
        let lines = "setoption name Threads value 8\\ngo nodes 500\\n";
        let (mut n_answers, mut n_refused) = (0, 0);
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
            let refused = "cannot start: Hash: 16 MiB cannot be allocated";
            if done.status == Some(1) && done.stderr.contains(refused) {
                n_refused += 1;
            }
            n_answers += u32::from(has_move);
            if n_answers == 20 {
                break;
            }
        }
        assert!(n_refused > 0, "{game}");
    }
}

/// Below some limit the system cannot even load the program. From the first one on at which the program itself ends, it
/// is never a signal that ends it, wherever the memory runs out.
#[test]
fn a_lack_of_memory_is_no_signal() {
    let folder = Folder::new("least");
    for words in ["engine graph-hockey", "engine susan", "games"] {
        let run = |kib: u64| {
            let line = format!("ulimit -v {kib}; exec LINESMAN {words} < /dev/null");
            folder.shell(&line).done()
        };
        let ends = |kib: &u64| matches!(run(*kib).status, Some(0 | 1));
        let found = (10_000..).step_by(2_000).find(ends).expect("a limit");
        let mut n_refused = 0;
        for kib in (found - 2_000..found + 2_000)
            .step_by(100)
            .skip_while(|kib| !ends(kib))
        {
            let done = run(kib);
            assert!(
                matches!(done.status, Some(0 | 1)),
                "{words}, {kib} KiB: {}",
                done.stderr
            );
            n_refused += u32::from(done.status == Some(1));
        }
        assert!(n_refused > 0, "{words}");
    }
}
