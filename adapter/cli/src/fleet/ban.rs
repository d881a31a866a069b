//! `linesman fleet ban` and `linesman fleet purge`: the results of a worker are accepted no longer, and its games are
//! played again.

use std::path::Path;

use fleet::ban;
use record::ledger::purge_ledger;
use referee::queue::is_same_worker;

use super::connect::{connect, failure};
use crate::args::{BanArgs, PurgeArgs};
use crate::output::{one_line, print};
use crate::play::text::count;
use crate::records::trust;
use crate::usage::{Failure, OrFail};

pub(super) fn run_ban(args: &BanArgs) -> Result<(), Failure> {
    let link = connect(&args.url, &args.credentials)?;
    let matches = ban(&link, &args.worker, false).map_err(failure)?;
    show(&format!(
        "Worker {} is banned from {}: {}",
        args.worker,
        count(matches.len(), "match"),
        matches.join(", ")
    ))
}

pub(super) fn run_purge(args: &PurgeArgs) -> Result<(), Failure> {
    let worker = &args.worker;
    if args.place.contains("://") {
        let link = connect(&args.place, &args.credentials)?;
        let matches = ban(&link, worker, true).map_err(failure)?;
        return show(&format!(
            "Worker {worker} is banned from {}, and its games are played again: {}",
            count(matches.len(), "match"),
            matches.join(", ")
        ));
    }
    let path = Path::new(&args.place);
    let n_removed = purge(path, |name| is_same_worker(name, worker))?;
    show(&format!(
        "{} of {worker} removed from {}",
        count(n_removed, "game"),
        path.display()
    ))
}

/// Removes the games of workers from a ledger. `is_its` is called with names of workers and of machines.
pub(crate) fn purge(path: &Path, is_its: impl Fn(&str) -> bool) -> Result<usize, Failure> {
    let key = trust::key();
    let purged = purge_ledger(path, key.as_ref().ok(), |game| {
        let machine = game.machine.as_ref();
        machine.is_some_and(|machine| is_its(&machine.worker) || is_its(&machine.name))
    });
    purged.or_trouble(path.display())
}

fn show(line: &str) -> Result<(), Failure> {
    print(&one_line(line), false)
}
