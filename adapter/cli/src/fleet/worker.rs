//! `linesman worker`: plays the games of matches that other machines coordinate.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use fleet::worker::{WorkerNews, run as work};
use fleet::{LocalEngine, WorkerKey, WorkerSettings, check_public, host_name, new_key};
use record::event::Event;
use record::file::naming;
use record::registry::Registry;

use super::connect::{connect, failure};
use crate::args::WorkerArgs;
use crate::config::EnginesFile;
use crate::engines::words::Words;
use crate::matches::host::{heed_signals, host};
use crate::output::{one_line, put};
use crate::paths::{self, absolute};
use crate::platform::{become_program, create_private, make_private_folder};
use crate::play::text::count;
use crate::records::render;
use crate::usage::{Failure, OrFail, trouble, usage};

/// Plays until a signal stops it or it is idle for too long.
pub(crate) fn run(args: &WorkerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    if let Some(key) = &args.update {
        check_public(key).or_usage("--update")?;
    }
    heed_signals()?;
    let host = host(registry)?;
    let settings = settings(args)?;
    let link = connect(&args.url, &args.credentials)?;
    let key = key(args)?;
    let tell = |news: WorkerNews| {
        if let Some(line) = line(&news, args.quiet) {
            // A closed output does not stop the games.
            let _ = put(&line, false);
        }
    };
    let newer = work(&link, &key, &settings, &host, &tell).map_err(failure)?;
    let Some(program) = newer else {
        return Ok(ExitCode::SUCCESS);
    };
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    let path = program.path.to_string_lossy();
    let error = become_program(&path, &words);
    Err(trouble("--update", naming(&path, &error)))
}

/// The key that signs the results: that of `--key`, that of `--creds`, or the one of this machine. The latter is created
/// at the first start; where it cannot be stored, it lasts as long as the worker.
fn key(args: &WorkerArgs) -> Result<WorkerKey, Failure> {
    let parse = |flag: &str, path: &Path, text: &str| {
        WorkerKey::parse(text).map_err(|why| usage(flag, format!("{}: {why}", path.display())))
    };
    let io_error = |flag: &str, path: &Path, error: &io::Error| {
        usage(flag, naming(path.display(), error).to_string())
    };
    if let Some(path) = &args.key {
        let seed = seed(path).map_err(|error| io_error("--key", path, &error))?;
        return parse("--key", path, &seed);
    }
    if let Some(path) = &args.credentials.creds {
        let text = fs::read_to_string(path).map_err(|error| io_error("--creds", path, &error))?;
        return parse("--creds", path, &text);
    }
    let own = paths::data().and_then(|folder| {
        make_private_folder(&folder)?;
        // Machines may share a home folder.
        seed(&folder.join(format!("worker-{}.nk", host_name())))
    });
    let seed = own.or_else(|_| new_key().map_err(io::Error::other));
    let seed = seed.or_trouble("key")?;
    WorkerKey::parse(&seed).or_trouble("key")
}

/// Reads the seed of a key from a file, which is created if it does not exist.
fn seed(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let seed = new_key().map_err(io::Error::other)?;
            // Another worker may start at the same time: both use the key that is stored.
            create_private(&absolute(path), format!("{seed}\n"))?;
            fs::read_to_string(path)
        }
        read => read,
    }
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
        measure_every: Duration::from_secs(args.measure_every),
        max_memory_mib: args.max_memory.map(|mib| mib as u64),
        max_threads: args.max_threads,
        max_load: args.max_load,
        trust: args.trust,
        update: args.update.clone(),
        engines: described
            .iter()
            .map(local)
            .collect::<Result<_, Failure>>()?,
        engines_file: path.display().to_string(),
        cache: cache(args)?,
    })
}

/// The folder for engines and programs received from coordinators; empty unless they are trusted.
fn cache(args: &WorkerArgs) -> Result<PathBuf, Failure> {
    let flag = match (args.trust, &args.update) {
        (true, _) => "--trust",
        (_, Some(_)) => "--update",
        _ => return Ok(PathBuf::new()),
    };
    Ok(paths::cache().or_trouble(flag)?.join("engines"))
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
