//! `linesman-fleet worker`: plays the games of matches that other machines coordinate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use linesman::config::{Described, EnginesFile};
use linesman::engines::words::Words;
use linesman::matches::host::{heed_signals, host};
use linesman::paths;
use linesman::usage::{Failure, OrFail};
use record::engine_spec::EngineSpec;
use record::registry::Registry;

use crate::args::WorkerArgs;
use crate::link::Link;
use crate::local_engine::WorkerSettings;
use crate::worker;

/// Plays until a signal stops it or it is idle for too long.
pub(crate) fn run(args: &WorkerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let host = host(registry)?;
    let settings = settings(args)?;
    let link = Link::connect(&args.server.url, &args.server.credentials)?;
    worker::run(&link, &settings, &host)?;
    Ok(ExitCode::SUCCESS)
}

fn settings(args: &WorkerArgs) -> Result<WorkerSettings, Failure> {
    let file = EnginesFile::new(args.engines.as_deref());
    let path = file.path()?;
    let described = match args.engines.is_none() && !path.exists() {
        true => &[],
        false => file.all()?,
    };
    let local = |engine: &Described| {
        let words = file.words(&engine.name, &engine.words)?;
        let spec = words.spec(&engine.name, &Words::default())?;
        Ok(EngineSpec {
            name: Some(engine.name.clone()),
            ..spec
        })
    };
    Ok(WorkerSettings {
        concurrency: args.concurrency,
        idle: args.idle.map(Duration::from_secs),
        accepts_engines: args.accept_engines,
        is_quiet: args.quiet,
        engines: described
            .iter()
            .map(local)
            .collect::<Result<_, Failure>>()?,
        engines_file: path.display().to_string(),
        cache: match args.accept_engines {
            true => paths::cache()
                .or_trouble("--accept-engines")?
                .join("engines"),
            false => PathBuf::new(),
        },
    })
}
