//! The parts of a match that `match --shard` has played, read together.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;
use record::format::Shard;
use record::outputs::Outputs;
use record::plan::Plan;
use record::schedule::Schedule;

use crate::output::printable;
use crate::usage::Failure;

/// A ledger of a match, or of a part of one.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) path: &'a Path,
    pub(crate) plan: &'a Plan,
    /// Number of games that were counted.
    pub(crate) n_games: usize,
}

/// Checks that all parts are of one match and that no game is in two of them. Names the parts and games that are
/// missing on standard error.
pub(crate) fn check(ledgers: &[Part<'_>]) -> Result<(), Failure> {
    let Some((first, Shard { of, .. })) = ledgers
        .iter()
        .find_map(|ledger| Some((ledger, ledger.plan.shard?)))
    else {
        return Ok(());
    };
    let mut parts: BTreeMap<usize, Part<'_>> = BTreeMap::new();
    for ledger in ledgers {
        let (name, first_name) = (ledger.path.display(), first.path.display());
        let difference = first_difference(first.plan, ledger.plan);
        return Err(Failure::Usage(match (ledger.plan.shard, difference) {
            (None, Some(_)) => continue,
            (None, None) => {
                format!(
                    "{name} is the whole match of which {first_name} is a part: name the parts alone"
                )
            }
            (Some(_), Some(field)) => format!(
                "{name} is of another match than {first_name}: {field} differs: name parts of one match"
            ),
            (Some(shard), None) if shard.of != of => format!(
                "{name} is part {shard} and {first_name} one of {of}: name parts of one division"
            ),
            (Some(shard), None) => match parts.get_mut(&shard.number) {
                None => {
                    parts.insert(shard.number, *ledger);
                    continue;
                }
                // The games of a copy were not counted again.
                Some(known) if known.plan.id == ledger.plan.id => {
                    known.n_games += ledger.n_games;
                    continue;
                }
                Some(known) => {
                    let known = known.path.display();
                    format!("{name} is part {shard}, as {known} is: name each part once")
                }
            },
        }));
    }
    // A closed standard error does not matter here.
    let _ = tell_missing(first.plan, of, &parts);
    Ok(())
}

fn tell_missing(plan: &Plan, of: usize, parts: &BTreeMap<usize, Part<'_>>) -> io::Result<()> {
    let mut out = io::stderr().lock();
    let n_games = |shard: Option<Shard>| {
        let plan = Plan {
            shard,
            ..plan.clone()
        };
        Schedule::new(&plan).n_games()
    };
    let mut n_missing = n_games(None);
    for (number, part) in parts {
        let shard = Shard {
            number: *number,
            of,
        };
        let (n_played, n_planned) = (part.n_games, n_games(Some(shard)));
        n_missing -= n_planned;
        if n_played < n_planned {
            let name = part.path.display();
            let text = format!("warning: {name}: {n_played} of the {n_planned} games of its part");
            writeln!(out, "{}", printable(&text))?;
        }
    }
    if parts.len() == of {
        return Ok(());
    }
    const SHOWN: usize = 8;
    let missing = (1..=of).filter(|number| !parts.contains_key(number));
    let mut shown = missing.take(SHOWN).map(|number| format!("{number}/{of}"));
    let mut shown = shown.join(", ");
    if of - parts.len() > SHOWN {
        shown += ", …";
    }
    writeln!(
        out,
        "warning: {} of {of} parts are missing, with {n_missing} games: {shown}",
        of - parts.len()
    )
}

/// The first field in which two plans differ, among the fields that determine the games.
fn first_difference(one: &Plan, other: &Plan) -> Option<String> {
    let shape = |plan: &Plan| Plan {
        id: String::new(),
        version: String::new(),
        date: String::new(),
        shard: None,
        concurrency: 1,
        ledger: PathBuf::new(),
        pgn: None,
        log: None,
        affinity: None,
        outputs: Outputs::default(),
        ..plan.clone()
    };
    let value = |plan: &Plan| serde_json::to_value(shape(plan)).unwrap_or_default();
    let (one, other) = (value(one), value(other));
    let fields = one.as_object()?.keys().chain(other.as_object()?.keys());
    let differs = |field: &&String| one.get(field.as_str()) != other.get(field.as_str());
    fields.into_iter().find(differs).cloned()
}
