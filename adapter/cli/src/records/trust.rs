//! Protection against ledgers that were not begun here.
//!
//! A plan contains the commands of its engines and the names of files, and a journal those of other players and an
//! address. So a ledger from another source is a program. The ledgers that this user writes are signed with the user's
//! key. Any other ledger is foreign: it never names an output, and the user must confirm its commands and the files it
//! reads. Older versions did not sign, but listed the hashes of their plans in the state folder; for such a ledger, the
//! plan is known and the other lines are foreign.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use protocol::text::without_error_number;
use record::digest::hash_of;
use record::engine_spec::{EngineSpec, Program, SetOption};
use record::ledger::LedgerKey;
use record::opening::source::OpeningSource;
use record::plan::Plan;
use referee::player::TABLE_PATH;

use super::ledger_key;
use crate::engines::table_path::use_tables;
use crate::output::printable;
use crate::paths;
use crate::paths::absolute;
use crate::usage::{Failure, refuse};

/// The origin of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Signed with the user's key.
    Here,
    /// Begun here by an older version: the plan is unchanged, other lines may be changed.
    OlderHere,
    /// Begun elsewhere, or changed.
    Elsewhere,
}

/// The key that signs a new ledger; `None` if there is none. If the ledger will need `--trust` for that reason, a note
/// says so.
pub(crate) fn signing_key(plan: &Plan) -> Option<LedgerKey> {
    let error = match key() {
        Ok(key) => return Some(key),
        Err(error) => error,
    };
    if engines(plan).any(|engine| wish(engine).is_some()) {
        let ledger = plan.ledger.display();
        let note = format!("note: {error}: going on with {ledger} will need --trust");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    }
    None
}

/// The user's key.
///
/// # Errors
/// The reason, which names the file.
pub(crate) fn key() -> Result<LedgerKey, String> {
    ledger_key::load().map_err(|error| without_error_number(&error.to_string()))
}

/// The origin of a ledger with this plan. `is_signed` means that all its lines are signed with the user's key.
pub(crate) fn origin(plan_line: &[u8], is_signed: bool) -> Origin {
    if is_signed {
        return Origin::Here;
    }
    let hash = hash_of(plan_line);
    let known = paths::state().and_then(|folder| fs::read_to_string(folder.join("plans")));
    match known.is_ok_and(|text| text.lines().any(|line| line == hash)) {
        true => Origin::OlderHere,
        false => Origin::Elsewhere,
    }
}

/// Asks the user to confirm what a foreign ledger would do. Without a terminal, the error lists it. `flag` is the flag
/// that named the ledger.
pub(crate) fn check(flag: &str, wishes: &[String], ledger: &Path) -> Result<(), Failure> {
    if wishes.is_empty() {
        return Ok(());
    }
    let ledger = ledger.display();
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let reason = key().err().map(|error| format!(" ({error})"));
        let (reason, wishes) = (reason.unwrap_or_default(), wishes.join("; "));
        return refuse!(
            "{flag}: {ledger} was not created here{reason} and {wishes}: expected --trust"
        );
    }
    let mut question = format!("{ledger} was not created here. It\n");
    wishes
        .iter()
        .for_each(|wish| question += &format!("  {wish}\n"));
    question += "Run this? [y/N] ";
    match ask(&question) {
        Ok(answer) if matches!(answer.trim(), "y" | "Y" | "yes") => Ok(()),
        _ => refuse!("{flag}: not run: expected yes or --trust"),
    }
}

fn ask(question: &str) -> io::Result<String> {
    let mut err = io::stderr();
    write!(err, "{}", printable(question))?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer)
}

/// All engines of a plan.
pub(crate) fn engines(plan: &Plan) -> impl Iterator<Item = &EngineSpec> {
    plan.engines.iter()
}

/// What the plan of a foreign match needs the user's consent for. `is_extended` means that more openings are drawn.
pub(crate) fn wishes(plan: &Plan, is_extended: bool) -> Vec<String> {
    let table = plan.adjudicate_table.as_ref();
    let table = table.map(|path| format!("reads the tables of {}", path.display()));
    let openings = match &plan.opening_source {
        Some(OpeningSource::Book { path, .. } | OpeningSource::File { path, .. })
            if is_extended =>
        {
            Some(format!("reads the openings of {}", path.display()))
        }
        _ => None,
    };
    let rules = plan.rules.as_ref();
    let rules =
        rules.map(|rules| format!("runs rules {}", rules.words.join(" ").replace('\n', "\\n")));
    let engines = engines(plan).filter_map(wish);
    engines.chain(rules).chain(table).chain(openings).collect()
}

/// What a foreign engine needs the user's consent for; `None` for a built-in engine that does not learn.
pub(crate) fn wish(engine: &EngineSpec) -> Option<String> {
    let Some(mut line) = command(engine) else {
        return Some(format!("learns in {}", engine.learning_file()?));
    };
    for (name, value) in &engine.options {
        line += &format!(" option.{name}={}", value.as_deref().unwrap_or_default());
    }
    Some(format!("runs {}", line.replace('\n', "\\n")))
}

/// Changes the plan of a foreign match or table so that it names no output. The only one left is the PGN file, if the
/// plan has one: `pgn`, as the command line names it, or else a file with the name of the ledger.
///
/// # Errors
/// A link has the name of the PGN file.
pub(crate) fn confine(
    plan: &mut Plan,
    ledger: &Path,
    pgn: Option<&Path>,
    is_trusted: bool,
) -> Result<(), Failure> {
    plan.pgn = match (pgn, &plan.pgn) {
        (Some(pgn), _) => Some(absolute(pgn)),
        (None, Some(_)) => Some(derived_pgn(ledger)?),
        (None, None) => None,
    };
    plan.log = None;
    plan.outputs.epdout = None;
    plan.outputs.pgn_start = None;
    let engines = plan.engines.iter_mut();
    engines.for_each(|engine| confine_engine(engine, is_trusted));
    Ok(())
}

/// Changes a foreign engine so that it names no file that the user was not asked for.
pub(crate) fn confine_engine(engine: &mut EngineSpec, is_trusted: bool) {
    engine.stderr = None;
    let is_table_path = |(name, _): &SetOption| name.eq_ignore_ascii_case(TABLE_PATH);
    if !is_trusted && engine.program == Program::Builtin && engine.options.iter().any(is_table_path)
    {
        engine.unset(TABLE_PATH);
        use_tables(engine);
    }
}

/// The PGN file of a foreign ledger: it has the ledger's name, and is neither hidden nor a link.
fn derived_pgn(ledger: &Path) -> Result<PathBuf, Failure> {
    let stem = ledger.file_stem().unwrap_or_default().to_string_lossy();
    let stem = match stem.trim_start_matches('.') {
        "" => "ledger",
        stem => stem,
    };
    let mut path = ledger.with_file_name(format!("{stem}.pgn"));
    if path == ledger {
        path.set_file_name(format!("{stem}-games.pgn"));
    }
    if path.is_symlink() {
        let (path, ledger) = (path.display(), ledger.display());
        return refuse!(
            "--pgn: {path} is a link, and {ledger} was not created here: expected a file"
        );
    }
    Ok(absolute(&path))
}

/// The commands of these engines, except built-in ones.
pub(crate) fn commands<'a>(engines: impl Iterator<Item = &'a EngineSpec>) -> Vec<String> {
    engines.filter_map(command).collect()
}

/// The command of an engine on one line; `None` for a built-in engine.
fn command(engine: &EngineSpec) -> Option<String> {
    let Program::Command { path, args, dir } = &engine.program else {
        return None;
    };
    let path = path.to_string_lossy();
    let words = std::iter::once(&*path).chain(args.iter().map(String::as_str));
    // A line break in a word must not look like the end of the command.
    let mut line = shlex::try_join(words).unwrap_or_else(|_| format!("{path:?} {args:?}"));
    if let Some(dir) = dir {
        line += &format!(" (in {})", dir.display());
    }
    Some(line.replace('\n', "\\n"))
}
