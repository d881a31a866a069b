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
use crate::records::files::refuse_ledger;
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
    let own = [
        ("--ledger", Some(&plan.ledger)),
        ("--pgn", plan.pgn.as_ref()),
        ("--epdout", plan.outputs.epdout.as_ref()),
        ("--log", plan.log.as_ref()),
    ];
    let engines = plan.engines.iter();
    let errors = engines.map(|engine| ("stderr=", engine.stderr.as_ref()));
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, file) in own.into_iter().chain(errors) {
        let Some(given) = file else { continue };
        // The same for all names of an existing file.
        let file = given.canonicalize().unwrap_or_else(|_| absolute(given));
        // A device may be used several times.
        let is_device = file.exists() && !file.is_file();
        let is_same = |(other, path): &&(&str, PathBuf)| *path == file && *other != flag;
        if let Some((other, _)) = files.iter().find(is_same).filter(|_| !is_device) {
            return refuse!("{flag} and {other} name the same file: name two");
        }
        if matches!(flag, "--log" | "stderr=") {
            refuse_ledger(flag, given)?;
        }
        files.push((flag, file));
    }
    Ok(())
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
