//! Whose commands a resumed match may run.
//!
//! A plan holds the commands of its engines, so a ledger that came from elsewhere is a program. The hashes of all plans
//! that were begun here stand in the user's state folder. Any other plan with commands shows them and asks first.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use referee::plan::{EngineSpec, Plan, Program};
use sha2::{Digest, Sha256};

use crate::output::printable;
use crate::usage::Failure;

/// Where a plan comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was begun here, or the user trusts it.
    Here,
    /// Anywhere else, or it was begun by an older version.
    Elsewhere,
}

/// Notes that the plan of a new ledger was begun here. Where that cannot be noted, `--resume` asks.
pub(crate) fn remember(plan: &Plan) {
    let noted = fs::read(&plan.ledger).and_then(|bytes| {
        let line = bytes
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        append(&hash(line))
    });
    if let Err(error) = noted
        && commands(plan).next().is_some()
    {
        let note = format!("note: {error}: --resume will ask for --trust");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    }
}

/// Where the plan with this line comes from.
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

/// Whether the commands of a plan may run. Where nobody can be asked, an error shows them.
pub(crate) fn check(plan: &Plan, origin: &Origin, ledger: &Path) -> Result<(), Failure> {
    let commands: Vec<String> = commands(plan).collect();
    if *origin == Origin::Here || commands.is_empty() {
        return Ok(());
    }
    let ledger = ledger.display();
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let commands = commands.join("; ");
        return Err(Failure::Usage(format!(
            "--resume: {ledger} was not begun here and runs {commands}: expected --trust"
        )));
    }
    let mut question = format!("{ledger} was not begun here. It runs\n");
    commands
        .iter()
        .for_each(|command| question += &format!("  {command}\n"));
    question += "Run this? [y/N] ";
    match ask(&question) {
        Ok(answer) if matches!(answer.trim(), "y" | "Y" | "yes") => Ok(()),
        _ => Err(Failure::Usage(
            "--resume: not run: expected yes or --trust".to_owned(),
        )),
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

/// The commands of all engines that are not built in, each on one line.
fn commands(plan: &Plan) -> impl Iterator<Item = String> {
    plan.engines.iter().chain(&plan.arbiter).filter_map(command)
}

fn command(engine: &EngineSpec) -> Option<String> {
    let Program::Command { path, args, dir } = &engine.program else {
        return None;
    };
    let path = path.to_string_lossy();
    let words = std::iter::once(&*path).chain(args.iter().map(String::as_str));
    // A line break among the words must not look like the end of the command.
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

/// One hash a line.
fn append(hash: &str) -> io::Result<()> {
    let path = plans_file()?;
    let naming = |error: io::Error| referee::event::naming(path.display(), &error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(naming)?;
    }
    let file = File::options().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(format!("{hash}\n").as_bytes()));
    written.map_err(naming)
}

/// The file of hashes: in `$XDG_STATE_HOME`, else in `~/.local/state`.
fn plans_file() -> io::Result<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    let state = state.ok_or_else(|| {
        io::Error::other("no folder for the state: expected HOME or XDG_STATE_HOME")
    })?;
    Ok(state.join("linesman").join("plans"))
}
