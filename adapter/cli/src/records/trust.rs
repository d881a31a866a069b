//! Consent before a ledger's programs run.
//!
//! A plan contains the commands of its engines, and the journal of a table those of players that joined later. So a
//! ledger from another source is a program. This machine keeps the hash of the first line of each ledger that it began:
//! what that line names runs without a question, and the user is asked about anything else.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::{fs, iter};

use kit::session::TABLE_PATH;
use record::engine_spec::{EngineSpec, Program, SetOption};
use record::ledger::BegunHere;
use record::opening::source::OpeningSource;
use record::plan::Plan;
use table::token::{Secret, random_bytes};

use crate::engines::words::use_tables;
use crate::output::printable;
use crate::paths;
use crate::platform::{PRIVATE, write_whole};
use crate::usage::{Failure, refuse};

/// `true` if a ledger with this first line was begun on this machine.
pub(crate) fn is_begun_here(first_line: &[u8]) -> bool {
    begun_here().is_some_and(|list| list.contains(first_line))
}

/// Asks the user to confirm what a ledger would do. Without a terminal, the error lists it. `flag` is the flag that named
/// the ledger.
pub(crate) fn check(flag: &str, ledger: &Path, wishes: &[String]) -> Result<(), Failure> {
    if wishes.is_empty() {
        return Ok(());
    }
    let ledger = ledger.display();
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return refuse!(
            "{flag}: {}. With --trust, it runs",
            told(&ledger.to_string(), wishes)
        );
    }
    let wishes = wishes.join("\n  ");
    let question = format!("{ledger} {UNKNOWN}. It\n  {wishes}\nRun this? [y/N] ");
    let (mut err, mut answer) = (io::stderr(), String::new());
    let shown = write!(err, "{}", printable(&question)).and_then(|()| err.flush());
    let read = shown.and_then(|()| io::stdin().read_line(&mut answer));
    match read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes") {
        true => Ok(()),
        false => refuse!("{flag}: not run: answer yes, or give --trust"),
    }
}

const UNKNOWN: &str = "was not begun on this machine, or was changed";

/// The reason for which a ledger needs consent, on one line.
pub(crate) fn told(ledger: &str, wishes: &[String]) -> String {
    format!("{ledger} {UNKNOWN}, and {}", wishes.join("; "))
}

/// The programs and files for which the plan of a match begun elsewhere needs the user's consent. `reads_openings` means
/// that openings are drawn again.
pub(crate) fn wishes(plan: &Plan, reads_openings: bool) -> Vec<String> {
    let mut wishes: Vec<String> = plan.engines.iter().filter_map(wish).collect();
    if let Some(rules) = &plan.rules {
        let words = rules.words.join(" ").replace('\n', "\\n");
        wishes.push(format!("runs rules {words}"));
    }
    if let Some(path) = &plan.adjudicate_table {
        wishes.push(format!("reads the tables of {}", path.display()));
    }
    if let Some(OpeningSource::Book { path, .. } | OpeningSource::File { path, .. }) =
        &plan.opening_source
        && reads_openings
    {
        wishes.push(format!("reads the openings of {}", path.display()));
    }
    wishes
}

/// The program or file for which an engine needs the user's consent; `None` for a built-in engine that does not learn.
pub(crate) fn wish(engine: &EngineSpec) -> Option<String> {
    let Some(mut line) = command(engine) else {
        return Some(format!("learns in {}", engine.learning_file()?));
    };
    for (name, value) in &engine.options {
        line += &format!(" option.{name}={}", value.as_deref().unwrap_or_default());
    }
    Some(format!("runs {}", line.replace('\n', "\\n")))
}

/// A built-in engine of a ledger from elsewhere reads this user's tables.
pub(crate) fn use_own_tables(engine: &mut EngineSpec) {
    let is_table_path = |(name, _): &SetOption| name.eq_ignore_ascii_case(TABLE_PATH);
    if engine.program == Program::Builtin && engine.options.iter().any(is_table_path) {
        engine.unset(TABLE_PATH);
        use_tables(engine);
    }
}

/// The command of an engine on one line; `None` for a built-in engine.
pub(crate) fn command(engine: &EngineSpec) -> Option<String> {
    let Program::Command { path, args, dir } = &engine.program else {
        return None;
    };
    let path = path.to_string_lossy();
    let words = iter::once(&*path).chain(args.iter().map(String::as_str));
    // A line break in a word must not look like the end of the command.
    let mut line = shlex::try_join(words).unwrap_or_else(|_| format!("{path:?} {args:?}"));
    if let Some(dir) = dir {
        line += &format!(" (in {})", dir.display());
    }
    Some(line.replace('\n', "\\n"))
}

/// The list of the ledgers that were begun on this machine, in the file `plans`; `None` without a state folder.
pub(crate) fn begun_here() -> Option<BegunHere> {
    let folder = paths::state().ok()?;
    Some(BegunHere(folder.join("plans")))
}

/// The secret of this user, in the file `secret`. The first call creates it; only the user can read it. `None` if the file
/// cannot be read or created, or has another length.
pub(crate) fn secret() -> Option<Secret> {
    let folder = paths::state().ok()?;
    let path = folder.join("secret");
    if !path.exists() {
        fs::create_dir_all(folder).ok()?;
        let secret = random_bytes::<{ Secret::BYTES }>().ok()?;
        // If another process creates it first, that file stays.
        let _ = write_whole(&path, &secret, PRIVATE, false);
    }
    fs::read(path).ok()?.try_into().ok().map(Secret::new)
}
