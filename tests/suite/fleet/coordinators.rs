//! Coordinators: one per match, several on one server, and one with a full disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::Signal;

use super::client::Client;
use super::{Fleet, SMALL, ended, refused};
use crate::support::{begins, has};

/// The ledger of a match has one writer, so a match has one coordinator.
#[test]
fn a_match_has_one_coordinator() {
    let fleet = or_skip!(Fleet::start("fleet-second"));
    let first = fleet.announced(&format!("{SMALL} --games 4 --ledger l.jsonl"));
    std::fs::copy(fleet.path("l.jsonl"), fleet.path("copy.jsonl")).expect("a copy");
    fleet
        .begin("--resume copy.jsonl")
        .fails(1, "has a coordinator");
    // One worker plays two matches of the same server.
    let other = fleet.begin(&format!("{SMALL} --games 4 --ledger other.jsonl"));
    let player = fleet.worker("");
    for (run, ledger) in [(first, "l.jsonl"), (other, "other.jsonl")] {
        run.exits(0);
        fleet.has_each_game_once(ledger, 4);
    }
    ended(player);
}

/// All of them check for a coordinator before one is registered.
#[test]
fn of_coordinators_that_begin_at_the_same_time_one_goes_on() {
    let fleet = or_skip!(Fleet::start("fleet-race"));
    let first = fleet.announced(&format!("{SMALL} --games 40 --ledger l0.jsonl"));
    first.signal(Signal::KILL);
    drop(first);
    let copies = ["l1.jsonl", "l2.jsonl", "l3.jsonl"];
    for copy in copies {
        std::fs::copy(fleet.path("l0.jsonl"), fleet.path(copy)).expect("a copy");
    }
    let runs = copies.map(|copy| (copy, fleet.begin(&format!("--resume {copy}"))));
    let player = fleet.worker("--idle-s 60");
    let mut n_ended = 0;
    for (ledger, run) in runs {
        let done = run.done();
        match done.status {
            Some(0) => {
                n_ended += 1;
                fleet.has_each_game_once(ledger, 40);
            }
            status => {
                assert_eq!(status, Some(1), "{}", done.stderr);
                has(&done.stderr, "has a coordinator");
            }
        }
    }
    assert!(n_ended >= 1, "one of them");
    ended(player);
}

/// The second one begins while the first one is stopped, from a copy of its ledger.
#[test]
fn a_coordinator_that_was_stopped_makes_way_for_a_later_one() {
    let fleet = or_skip!(Fleet::start("fleet-fence"));
    let words = format!("{SMALL} --games 40 --ledger l.jsonl");
    let first = fleet.announced(&words);
    first.signal(Signal::STOP);
    std::fs::copy(fleet.path("l.jsonl"), fleet.path("copy.jsonl")).expect("a copy");
    let second = fleet.announced("--resume copy.jsonl");
    first.signal(Signal::CONT);
    first.fails(1, "has a coordinator that began later");
    fleet.is_played(second, "copy.jsonl", 40);
}

/// A subscriber to all subjects receives the question for a coordinator, and does not answer.
#[test]
fn a_silent_subscriber_is_no_coordinator() {
    let fleet = or_skip!(Fleet::start("fleet-silence"));
    let mut client = Client::connect(&fleet.server);
    client.subscribe_to_all();
    let run = fleet.begin(&format!("{SMALL} --games 4 --ledger l.jsonl"));
    fleet.is_played(run, "l.jsonl", 4);
}

/// The messages are no results. The pairs are offered nevertheless, their results are recorded, and the match ends.
#[test]
fn messages_without_a_pause_do_not_keep_a_coordinator_from_its_work() {
    let fleet = or_skip!(Fleet::start("fleet-flood"));
    let words = format!("{SMALL} --games 4 --ledger l.jsonl");
    // The stream of results exists before the coordinator that is flooded.
    let first = fleet.announced(&words);
    first.signal(Signal::KILL);
    drop(first);
    let subject = format!("linesman.result.{}", fleet.match_id("l.jsonl"));
    let mut client = Client::connect(&fleet.server);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n_left = 12_000;
            while n_left > 0 && !is_over.load(Ordering::Relaxed) {
                client.publish(&subject, b"nonsense");
                client.flush();
                std::thread::sleep(Duration::from_millis(5));
                n_left -= 1;
            }
        });
        let run = fleet.begin("--resume l.jsonl");
        let player = fleet.worker("");
        let done = run.done();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        has(&done.stdout, "rejected a message: not a result");
        ended(player);
    });
    fleet.has_each_game_once("l.jsonl", 4);
}

/// Ctrl-C while there is no server ends a coordinator and a worker; `--idle-s` counts then too.
#[test]
fn without_its_server_a_program_can_be_ended() {
    let fleet = or_skip!(Fleet::start("fleet-vanished"));
    let words = format!("{SMALL} --games 40 --ledger l.jsonl");
    let run = fleet.announced(&words);
    run.signal(Signal::KILL);
    drop(run);
    // Without a coordinator, the workers play the window and wait.
    let idle = fleet.worker("--idle-s 2");
    let player = fleet.worker("");
    for worker in [&idle, &player] {
        assert!(worker.line().is_some());
    }
    let run = fleet.announced("--resume l.jsonl");
    let Fleet { server, folder } = fleet;
    drop(server);
    idle.exits(0);
    run.signal(Signal::INT);
    let done = run.done();
    assert!(matches!(done.status, Some(0 | 3)), "{}", done.stderr);
    ended(player);
    drop(folder);
}

#[test]
fn a_coordinator_whose_disk_is_full_says_so_and_can_be_resumed() {
    let fleet = or_skip!(Fleet::start("fleet-full"));
    let player = fleet.worker("");
    let words = format!(
        "{SMALL} --games 60 --ledger l.jsonl --fleet {}",
        fleet.url()
    );
    let line = format!("trap '' XFSZ; ulimit -f 8; exec LINESMAN fleet match {words}");
    begins(
        &refused(fleet.shell(&line)),
        "error: l.jsonl: File too large",
    );
    fleet.begin("--resume l.jsonl").exits(0);
    fleet.has_each_game_once("l.jsonl", 60);
    ended(player);
}
