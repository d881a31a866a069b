//! Coordinators: one per match, several on one server, and one with a full disk.

use super::server::Server;
use super::signals::kill;
use super::{SMALL, announced, assert_each_game_once, ended, succeeded, worker};
use crate::support::{Folder, Run};

/// The ledger of a match has one writer, so a match has one coordinator.
#[test]
fn a_match_has_one_coordinator() {
    let Some(server) = Server::start("fleet-second") else {
        return;
    };
    let folder = Folder::new("fleet-second");
    let fleet = format!("--fleet {}", server.url());
    let first = announced(
        &folder,
        &server,
        &format!("{SMALL} --games 4 --ledger l.jsonl"),
    );
    std::fs::copy(folder.path("l.jsonl"), folder.path("copy.jsonl")).expect("a copy");
    let second = folder
        .linesman(&format!("match --resume copy.jsonl {fleet}"))
        .done();
    assert_eq!(second.status, Some(1), "{:?}", second.stdout);
    assert!(
        second.stderr.contains("has a coordinator"),
        "{}",
        second.stderr
    );
    // One worker plays two matches of the same server.
    let other = folder.linesman(&format!(
        "match {SMALL} --games 4 --ledger other.jsonl {fleet}"
    ));
    let player = worker(&folder, &server, "");
    for (run, ledger) in [(first, "l.jsonl"), (other, "other.jsonl")] {
        succeeded(run);
        assert_each_game_once(&folder, ledger, 4);
    }
    ended(player);
}

/// All of them check for a coordinator before one is registered.
#[test]
fn of_coordinators_that_begin_at_the_same_time_one_goes_on() {
    let Some(server) = Server::start("fleet-race") else {
        return;
    };
    let folder = Folder::new("fleet-race");
    let first = announced(
        &folder,
        &server,
        &format!("{SMALL} --games 40 --ledger l0.jsonl"),
    );
    kill(&first);
    drop(first);
    let copies = ["l1.jsonl", "l2.jsonl", "l3.jsonl"];
    for copy in copies {
        std::fs::copy(folder.path("l0.jsonl"), folder.path(copy)).expect("a copy");
    }
    let resume = |ledger: &str| {
        folder.linesman(&format!("match --resume {ledger} --fleet {}", server.url()))
    };
    let runs: Vec<(&str, Run)> = copies
        .map(|copy| (copy, resume(copy)))
        .into_iter()
        .collect();
    let player = worker(&folder, &server, "--idle 60");
    let mut n_ended = 0;
    for (ledger, run) in runs {
        let done = run.done();
        match done.status {
            Some(0) => {
                n_ended += 1;
                assert_each_game_once(&folder, ledger, 40);
            }
            status => {
                assert_eq!(status, Some(1), "{}", done.stderr);
                assert!(done.stderr.contains("has a coordinator"), "{}", done.stderr);
            }
        }
    }
    assert!(n_ended >= 1, "one of them");
    ended(player);
}

#[test]
fn a_coordinator_whose_disk_is_full_says_so_and_can_be_resumed() {
    let Some(server) = Server::start("fleet-full") else {
        return;
    };
    let folder = Folder::new("fleet-full");
    let player = worker(&folder, &server, "");
    let fleet = format!("--fleet {}", server.url());
    let done = folder
        .shell(&format!(
            "trap '' XFSZ; ulimit -f 8; exec LINESMAN match {SMALL} --games 60 --ledger l.jsonl {fleet}"
        ))
        .done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    let error = done.stderr.lines().last().unwrap_or_default();
    assert!(
        error.starts_with("error: l.jsonl: File too large"),
        "{error}"
    );
    succeeded(folder.linesman(&format!("match --resume l.jsonl {fleet}")));
    assert_each_game_once(&folder, "l.jsonl", 60);
    ended(player);
}
