//! Protection against commands in the ledgers of resumed matches and games.
//!
//! A plan contains the commands of its engines, so a ledger from another source is a program. The user's state folder
//! stores the hashes of all plans created here. For any other plan with commands, the user sees them and must confirm.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use kit::session::LEARN;
use protocol::text::without_error_number;
use record::engine_spec::{EngineSpec, Program};
use record::ledger::{Ledger, read_ledger};
use record::plan::Plan;
use sha2::{Digest, Sha256};

use crate::output::printable;
use crate::paths;
use crate::paths::absolute;
use crate::usage::Failure;

/// The origin of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Created here, or trusted by the user.
    Here,
    /// Created elsewhere or by an older version.
    Elsewhere,
}

/// Records that the plan of this new ledger was created here. If that fails, a note says that resuming it will need
/// `--trust`.
pub(crate) fn remember(ledger: &Path) {
    // An unreadable ledger cannot be resumed either.
    let Ok(Ledger {
        plan, plan_line, ..
    }) = read_ledger(ledger)
    else {
        return;
    };
    if let Err(error) = append(&hash(&plan_line))
        && engines(&plan).any(|engine| command(engine).is_some())
    {
        let ledger = ledger.display();
        let why = without_error_number(&error.to_string());
        let note = format!("note: {why}: going on with {ledger} will need --trust");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    }
}

/// The origin of the plan with this line of a ledger.
pub(crate) fn origin(plan_line: &[u8], is_trusted: bool) -> Origin {
    let hash = hash(plan_line);
    let is_known = || {
        let known = plans_file().and_then(fs::read_to_string);
        known.is_ok_and(|text| text.lines().any(|line| line == hash))
    };
    if is_trusted || is_known() {
        Origin::Here
    } else {
        Origin::Elsewhere
    }
}

/// Checks whether the commands of these engines may run, and asks the user if necessary. Without a terminal, the error
/// lists the commands. `flag` is the flag that named the ledger.
pub(crate) fn check<'a>(
    flag: &str,
    engines: impl Iterator<Item = &'a EngineSpec>,
    origin: Origin,
    ledger: &Path,
) -> Result<(), Failure> {
    let commands = commands(engines);
    if origin == Origin::Here || commands.is_empty() {
        return Ok(());
    }
    let ledger = ledger.display();
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let commands = commands.join("; ");
        return Err(Failure::Usage(format!(
            "{flag}: {ledger} was not created here and runs {commands}: expected --trust"
        )));
    }
    let mut question = format!("{ledger} was not created here. It runs\n");
    commands
        .iter()
        .for_each(|command| question += &format!("  {command}\n"));
    question += "Run this? [y/N] ";
    match ask(&question) {
        Ok(answer) if matches!(answer.trim(), "y" | "Y" | "yes") => Ok(()),
        _ => Err(Failure::Usage(format!(
            "{flag}: not run: expected yes or --trust"
        ))),
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
    plan.engines.iter().chain(&plan.arbiter)
}

/// Removes the output files from a plan of unknown origin. Only its PGN file stays; it is expected next to the ledger.
pub(crate) fn drop_foreign_paths(plan: &mut Plan, ledger: &Path) {
    let beside = |pgn: &PathBuf| Some(absolute(&ledger.with_file_name(pgn.file_name()?)));
    plan.pgn = plan.pgn.as_ref().and_then(beside);
    plan.log = None;
    plan.outputs.epdout = None;
    plan.outputs.pgn_start = None;
    let engines = plan.engines.iter_mut().chain(&mut plan.arbiter);
    engines.for_each(|engine| {
        engine.stderr = None;
        engine
            .options
            .retain(|(name, _)| !name.eq_ignore_ascii_case(LEARN));
    });
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

fn hash(line: &[u8]) -> String {
    let digest = Sha256::digest(line);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Appends a hash to the file, one per line.
fn append(hash: &str) -> io::Result<()> {
    let path = plans_file()?;
    let naming = |error: io::Error| record::file::naming(path.display(), &error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(naming)?;
    }
    let file = File::options().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(format!("{hash}\n").as_bytes()));
    written.map_err(naming)
}

/// The path of the file of hashes.
fn plans_file() -> io::Result<PathBuf> {
    Ok(paths::state()?.join("plans"))
}
