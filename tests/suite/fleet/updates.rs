//! Newer programs that matches send to their workers.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::roles::{free_port, serve};
use super::signals::terminate;
use super::{SMALL, assert_each_game_once, ended, succeeded};
use crate::support::{Folder, installed};

/// A worker that trusts the key of the coordinator continues as the newer program, with its own arguments. One that
/// trusts another key says so and plays.
#[test]
fn a_worker_continues_as_the_newer_program_of_a_trusted_coordinator() {
    if installed("nats-server").is_none() {
        return;
    }
    let folder = Folder::new("fleet-updates");
    let port = free_port();
    let server = serve(&folder, port, "--worker beta --send-engines");
    let said = std::iter::from_fn(|| server.line());
    let key = said
        .filter_map(|line| Some(line.split_once("for worker --update: ")?.1.to_owned()))
        .next();
    let key = key.expect("the key of the coordinator");
    let other = folder.read("server/trusted.keys");
    let other = other.lines().last().and_then(|line| line.split(' ').next());
    let other = other.expect("a key").to_owned();
    // It stores its arguments instead of playing.
    let newer = "#!/bin/sh\ncase \"$1\" in --version) echo linesman 99.0.0;; *) echo \"$@\" >> updated;; esac\n";
    fs::write(folder.path("newer"), newer).expect("a file");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("newer"), mode).expect("ours");
    let fleet = format!("nats://127.0.0.1:{port}");
    let words = |key: &str| format!("worker {fleet} --creds server/beta.nk --quiet --update {key}");
    let updated = folder.linesman(&words(&key));
    let player = folder.linesman(&words(&other));
    succeeded(folder.linesman(&format!(
        "match {SMALL} --games 4 --ledger l.jsonl --fleet {fleet} --creds server/coordinator.nk --send-program newer"
    )));
    assert_each_game_once(&folder, "l.jsonl", 4);
    let done = succeeded(updated);
    let last = done.stdout.last().expect("a note");
    assert!(
        last.starts_with("Note: linesman 99.0.0 of match ") && last.ends_with(" continues"),
        "{last}"
    );
    assert_eq!(folder.read("updated").trim(), words(&key));
    let done = ended(player);
    let why = format!(" is not used: it has the key {key}: expected {other}");
    let notes = done.lines("Note: linesman 99.0.0 of match ");
    assert!(notes.len() == 1 && notes[0].ends_with(&why), "{notes:?}");
    // Without the key that signs it, no program is sent.
    let done = folder.linesman(&format!(
        "match {SMALL} --fleet {fleet} --send-program newer"
    ));
    let done = done.done();
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    terminate(&server);
}
