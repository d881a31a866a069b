//! Coordinators: one per match, several on one server, and one with a full disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::client::Client;
use super::hostile::match_id;
use super::server::Server;
use super::signals::{kill, pause, resume};
use super::{SMALL, announced, assert_each_game_once, ended, succeeded, worker};
use crate::support::{Folder, Run, begins, has};

/// The ledger of a match has one writer, so a match has one coordinator.
#[test]
fn a_match_has_one_coordinator() {
    let server = or_skip!(Server::start("fleet-second"));
    let folder = Folder::new("fleet-second");
    let fleet = format!("--fleet {}", server.url());
    let first = announced(
        &folder,
        &server,
        &format!("{SMALL} --games 4 --ledger l.jsonl"),
    );
    std::fs::copy(folder.path("l.jsonl"), folder.path("copy.jsonl")).expect("a copy");
    folder
        .linesman(&format!("fleet match --resume copy.jsonl {fleet}"))
        .fails(1, "has a coordinator");
    // One worker plays two matches of the same server.
    let other = folder.linesman(&format!(
        "fleet match {SMALL} --games 4 --ledger other.jsonl {fleet}"
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
    let server = or_skip!(Server::start("fleet-race"));
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
        folder.linesman(&format!(
            "fleet match --resume {ledger} --fleet {}",
            server.url()
        ))
    };
    let runs: Vec<(&str, Run)> = copies
        .map(|copy| (copy, resume(copy)))
        .into_iter()
        .collect();
    let player = worker(&folder, &server, "--idle-s 60");
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
    let server = or_skip!(Server::start("fleet-fence"));
    let folder = Folder::new("fleet-fence");
    let fleet = format!("--fleet {}", server.url());
    let words = format!("{SMALL} --games 40 --ledger l.jsonl");
    let first = announced(&folder, &server, &words);
    pause(&first);
    std::fs::copy(folder.path("l.jsonl"), folder.path("copy.jsonl")).expect("a copy");
    let second = folder.linesman(&format!("fleet match --resume copy.jsonl {fleet}"));
    assert!(second.line().is_some(), "{}", second.done().stderr);
    resume(&first);
    first.fails(1, "has a coordinator that began later");
    let player = worker(&folder, &server, "");
    succeeded(second);
    assert_each_game_once(&folder, "copy.jsonl", 40);
    ended(player);
}

/// A subscriber to all subjects receives the question for a coordinator, and does not answer.
#[test]
fn a_silent_subscriber_is_no_coordinator() {
    let server = or_skip!(Server::start("fleet-silence"));
    let folder = Folder::new("fleet-silence");
    let mut client = Client::connect(&server);
    client.subscribe_to_all();
    let player = worker(&folder, &server, "");
    succeeded(folder.linesman(&format!(
        "fleet match {SMALL} --games 4 --ledger l.jsonl --fleet {}",
        server.url()
    )));
    assert_each_game_once(&folder, "l.jsonl", 4);
    ended(player);
}

/// The messages are no results. The pairs are offered all the same, their results are recorded, and the match ends.
#[test]
fn messages_without_a_pause_do_not_keep_a_coordinator_from_its_work() {
    let server = or_skip!(Server::start("fleet-flood"));
    let folder = Folder::new("fleet-flood");
    let words = format!("{SMALL} --games 4 --ledger l.jsonl");
    // The stream of results exists before the coordinator that is flooded.
    let first = announced(&folder, &server, &words);
    kill(&first);
    drop(first);
    let subject = format!("linesman.result.{}", match_id(&folder, "l.jsonl"));
    let mut client = Client::connect(&server);
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
        let fleet = format!("--fleet {}", server.url());
        let run = folder.linesman(&format!("fleet match --resume l.jsonl {fleet}"));
        let player = worker(&folder, &server, "");
        let done = run.done();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        has(&done.stdout, "rejected a message: not a result");
        ended(player);
    });
    assert_each_game_once(&folder, "l.jsonl", 4);
}

/// Ctrl-C while there is no server ends a coordinator and a worker; `--idle-s` counts then too.
#[test]
fn without_its_server_a_program_can_be_ended() {
    let server = or_skip!(Server::start("fleet-vanished"));
    let folder = Folder::new("fleet-vanished");
    let words = format!("{SMALL} --games 40 --ledger l.jsonl");
    let run = announced(&folder, &server, &words);
    let url = server.url();
    kill(&run);
    drop(run);
    // Without a coordinator, the workers play the window and wait.
    let idle = worker(&folder, &server, "--idle-s 2");
    let player = worker(&folder, &server, "");
    for worker in [&idle, &player] {
        assert!(worker.line().is_some());
    }
    let run = folder.linesman(&format!("fleet match --resume l.jsonl --fleet {url}"));
    assert!(run.line().is_some());
    drop(server);
    idle.exits(0);
    super::signals::interrupt(&run);
    let done = run.done();
    assert!(matches!(done.status, Some(0 | 3)), "{}", done.stderr);
    ended(player);
}

#[test]
fn a_coordinator_whose_disk_is_full_says_so_and_can_be_resumed() {
    let server = or_skip!(Server::start("fleet-full"));
    let folder = Folder::new("fleet-full");
    let player = worker(&folder, &server, "");
    let fleet = format!("--fleet {}", server.url());
    let done = folder
        .shell(&format!(
            "trap '' XFSZ; ulimit -f 8; exec LINESMAN fleet match {SMALL} --games 60 --ledger l.jsonl {fleet}"
        ))
        .done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    let error = done.stderr.lines().last().unwrap_or_default();
    begins(error, "error: l.jsonl: File too large");
    succeeded(folder.linesman(&format!("fleet match --resume l.jsonl {fleet}")));
    assert_each_game_once(&folder, "l.jsonl", 60);
    ended(player);
}
