//! `linesman worker`: plays the games of matches that other machines coordinate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use fleet::worker::{WorkerNews, run as work};
use fleet::{LocalEngine, WorkerSettings};
use record::event::Event;
use record::registry::Registry;

use super::connect::{connect, failure};
use crate::args::WorkerArgs;
use crate::config::EnginesFile;
use crate::engines::words::Words;
use crate::matches::host::{heed_signals, host};
use crate::output::{one_line, put};
use crate::paths;
use crate::play::text::count;
use crate::records::render;
use crate::usage::{Failure, OrFail};

/// Plays until a signal stops it or it is idle for too long.
pub(crate) fn run(args: &WorkerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let host = host(registry)?;
    let settings = settings(args)?;
    let link = connect(&args.url, &args.credentials)?;
    let tell = |news: WorkerNews| {
        if let Some(line) = line(&news, args.quiet) {
            // A closed output does not stop the games.
            let _ = put(&line, false);
        }
    };
    work(&link, &settings, &host, &tell).map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}

fn settings(args: &WorkerArgs) -> Result<WorkerSettings, Failure> {
    let file = EnginesFile::new(args.engines.as_deref());
    let path = file.path()?;
    let described = match args.engines.is_none() && !path.exists() {
        true => Vec::new(),
        false => file.read()?,
    };
    let local = |engine: &crate::config::Described| {
        let words = file.words(&engine.name, &engine.words)?;
        Ok(LocalEngine {
            name: engine.name.clone(),
            spec: words.spec(&engine.name, &Words::default())?,
        })
    };
    Ok(WorkerSettings {
        concurrency: args.concurrency,
        idle: args.idle.map(Duration::from_secs),
        max_memory_mib: args.max_memory.map(|mib| mib as u64),
        max_threads: args.max_threads,
        accepts_engines: args.accept_engines,
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

/// The line that is shown for an event, if any.
fn line(news: &WorkerNews, is_quiet: bool) -> Option<String> {
    let line = match news {
        WorkerNews::Joined {
            id,
            host,
            game,
            concurrency,
            scale,
        } => {
            let time = match scale {
                1.0 => String::new(),
                scale => format!(", times multiplied by {scale:.2}"),
            };
            let games = count(*concurrency, "game");
            format!("Match {id} of {host}: {game}, {games} at once{time}")
        }
        WorkerNews::Fetches(hash, n_bytes) => {
            format!(
                "Engine {hash:.12} from the coordinator, {} KiB",
                n_bytes.div_ceil(1024)
            )
        }
        WorkerNews::Left(id) => format!("Match {id}: no more games to play"),
        WorkerNews::Refused { id, why } => format!("Match {id} rejected: {why}"),
        WorkerNews::Note(text) => format!("Note: {text}"),
        WorkerNews::Game(event) => match &**event {
            Event::GameOver { record } if !is_quiet => return Some(render::finished(record)),
            Event::Note { engine, text } => format!("Note: {engine} {text}"),
            _ => return None,
        },
    };
    Some(one_line(&line).into_owned())
}
