//! The output files other than the ledger: the PGN file, the file of final positions, the log.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::event::Recorder;
use record::file::read_text;
use record::ledger::ledger_games;
use record::outputs::{LogLevel, Outputs};
use record::plan::Plan;
use record::registry::Registry;
use referee::derived_file::{DerivedFile, KnownGames};
use referee::process::Log;
use referee::stop::Stop;

use crate::args::MatchArgs;
use crate::paths::absolute;
use crate::records::new_files::refuse_ledger;
use crate::usage::{Failure, OrFail, refuse};

/// Size in bytes of the PGN file to which the match appends; `None` if the match creates the file.
pub(crate) fn pgn_start(args: &MatchArgs) -> Result<Option<u64>, Failure> {
    let Some(path) = args.pgn.as_deref().filter(|_| args.new.pgn_append) else {
        return Ok(None);
    };
    if !path.exists() {
        return Ok(Some(0));
    }
    let flag = format!("--pgn: {}", path.display());
    let text = read_text(path).or_usage(&flag)?;
    let games = text.trim_start_matches('\u{feff}').trim_start();
    match games.is_empty() || games.starts_with(['[', '%', ';']) {
        true => Ok(Some(text.len() as u64)),
        false => refuse!(
            "{flag}: contains no games: name a PGN file to append to, or leave out --pgn-append"
        ),
    }
}

/// The outputs other than the files.
pub(crate) fn outputs(args: &MatchArgs, pgn_start: Option<u64>) -> Outputs {
    Outputs {
        pgn_comments: args.pgn_comments.clone(),
        pgn_start,
        epdout: None,
        log_level: args.log_level.unwrap_or_default(),
    }
}

/// Rejects a file that two outputs of a match would write to. Only engines may share the file of their error output.
pub(crate) fn check_distinct(plan: &Plan) -> Result<(), Failure> {
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    let own = [
        ("--ledger", Some(&plan.ledger)),
        ("--pgn", plan.pgn.as_ref()),
        ("--epdout", plan.outputs.epdout.as_ref()),
        ("--log", plan.log.as_ref()),
    ];
    for (flag, file) in own {
        if let Some(file) = file {
            refuse_shared(flag, file, &files)?;
            files.push((flag, place(file)));
        }
    }
    let errors = plan.engines.iter().flat_map(|engine| &engine.stderr);
    for file in errors.clone() {
        refuse_shared("stderr=", file, &files)?;
    }
    let logs = plan.log.iter().map(|file| ("--log", file));
    let mut appended = logs.chain(errors.map(|file| ("stderr=", file)));
    appended.try_for_each(|(flag, file)| refuse_ledger(flag, file))
}

/// Opens the file of `--log`, if there is one.
pub(crate) fn open_log(path: Option<&Path>, stop: &Stop) -> Result<Option<Arc<Log>>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    refuse_ledger("--log", path)?;
    let log = Log::open(path, LogLevel::default(), stop.clone());
    Ok(Some(Arc::new(log.or_trouble("--log")?)))
}

fn refuse_shared(flag: &str, file: &Path, others: &[(&str, PathBuf)]) -> Result<(), Failure> {
    let file = place(file);
    // A device may be used several times.
    if file.exists() && !file.is_file() {
        return Ok(());
    }
    if let Some((other, _)) = others.iter().find(|(_, other)| *other == file) {
        return refuse!("{flag} and {other} name the same file: name two");
    }
    Ok(())
}

/// A path that is the same for all names of an existing file.
fn place(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| absolute(file))
}

/// Creates the files that a new match writes in addition to its ledger; for a resumed match, rebuilds them from the games
/// of its ledger, one by one.
pub(crate) fn open(
    plan: &Plan,
    resumed: Option<&Path>,
    registry: Registry,
) -> Result<Vec<Box<dyn Recorder>>, Failure> {
    let known = || {
        let games = resumed.map(ledger_games).transpose().or_fail()?;
        Ok::<_, Failure>(games.map(|games| Box::new(games) as KnownGames<'_>))
    };
    let mut recorders: Vec<Box<dyn Recorder>> = Vec::new();
    if let Some(path) = &plan.pgn {
        let pgn = DerivedFile::pgn(path, registry, plan, known()?);
        recorders.push(Box::new(pgn.or_fail()?));
    }
    if let Some(path) = &plan.outputs.epdout {
        let rules = registry.rules(&plan.game).ok().flatten();
        let epd = DerivedFile::epd(path, rules, known()?);
        recorders.push(Box::new(epd.or_fail()?));
    }
    Ok(recorders)
}
