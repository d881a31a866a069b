//! Removing a match's data from a server by hand.

use super::faults::{status, until};
use super::hostile::match_id;
use super::server::Server;
use super::signals::kill;
use super::{SMALL, announced, assert_each_game_once, ended, succeeded, worker};
use crate::support::{Folder, has};

#[test]
fn a_match_that_nobody_resumes_is_removed() {
    let server = or_skip!(Server::start("fleet-remove"));
    let folder = Folder::new("fleet-remove");
    let run = announced(
        &folder,
        &server,
        &format!("{SMALL} --games 260 --ledger l.jsonl"),
    );
    let id = match_id(&folder, "l.jsonl");
    let remove = |id: &str| folder.linesman(&format!("fleet remove {} {id}", server.url()));
    remove(&id).fails(1, "has a coordinator");
    // All pairs are in the queue.
    until(&folder, &server, |status| {
        status["matches"][0]["waiting"] == 130
    });
    kill(&run);
    drop(run);
    let stuck = &status(&folder, &server)["matches"][0]["stuck"];
    has(&stuck.to_string(), "fleet remove");
    let removed = succeeded(remove(&id));
    let line = format!("Match {id} removed, with 130 unplayed pairs and 0 unrecorded results");
    assert_eq!(removed.stdout, [line]);
    let left = status(&folder, &server);
    assert_eq!(left["matches"].as_array().map(Vec::len), Some(0), "{left}");
    for (id, status, why) in [
        (id.as_str(), 1, "no match"),
        ("*", 2, "is not the id of a match"),
    ] {
        remove(id).fails(status, why);
    }
    // The ledger can still be resumed.
    let player = worker(&folder, &server, "");
    let fleet = format!("--fleet {}", server.url());
    succeeded(folder.linesman(&format!("fleet match --resume l.jsonl {fleet}")));
    assert_each_game_once(&folder, "l.jsonl", 260);
    ended(player);
}
