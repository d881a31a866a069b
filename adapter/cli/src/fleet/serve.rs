//! `linesman fleet serve`: writes the configuration and the keys of a NATS server, and becomes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fleet::{ServerSettings, new_key, public_key, server_config};

use crate::args::{COORDINATOR, ServeArgs};
use crate::output::{one_line, print};
use crate::paths::absolute;
use crate::platform::{become_program, make_private_folder, write_private};
use crate::usage::{Failure, OrFail, trouble};

/// The server's program.
const SERVER: &str = "nats-server";

/// File with the public keys of the workers, for `match --trusted`.
const TRUSTED: &str = "trusted.keys";

/// Extension of key files.
const EXTENSION: &str = "nk";

/// Starts the server; returns only if that fails.
pub(super) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let dir = absolute(&args.dir);
    make_private_folder(&dir).or_trouble(dir.display())?;
    let coordinator = key(&dir, COORDINATOR)?;
    for name in &args.worker {
        key(&dir, name)?;
    }
    let mut workers = workers(&dir)?;
    if workers.is_empty() {
        let name = "workers".to_owned();
        workers.push((name.clone(), key(&dir, &name)?));
    }
    let tls = args.tls_cert.as_deref().zip(args.tls_key.as_deref());
    let tls = tls.map(|(cert, key)| [cert, key].map(absolute));
    let config = server_config(&ServerSettings {
        listen: &args.listen,
        store: &dir.join("jetstream"),
        tls: tls
            .as_ref()
            .map(|files| files.each_ref().map(PathBuf::as_path)),
        coordinator: &coordinator,
        workers: &workers,
        sends_engines: args.send_engines,
    });
    let path = dir.join("server.conf");
    write_private(&path, &config).or_trouble(path.display())?;
    let keys = workers.iter().map(|(name, key)| format!("{key} {name}\n"));
    let trusted = dir.join(TRUSTED);
    let text = format!(
        "# Written by linesman fleet serve.\n{}",
        keys.collect::<String>()
    );
    write_private(&trusted, &text).or_trouble(trusted.display())?;
    let scheme = if tls.is_some() { "tls" } else { "nats" };
    let url = format!("{scheme}://{}", args.listen);
    let file = |name: &str| key_file(&dir, name).display().to_string();
    let creds = file(COORDINATOR);
    show(&format!(
        "coordinator: linesman match ... --fleet {url} --creds {creds} --trusted {}",
        trusted.display()
    ))?;
    for (name, _) in &workers {
        show(&format!(
            "{name}: linesman worker {url} --creds {}",
            file(name)
        ))?;
    }
    show(&format!(
        "public key of the coordinator, for worker --update: {coordinator}"
    ))?;
    let error = become_program(SERVER, &["-c".as_ref(), path.as_os_str()]);
    Err(Failure::Trouble(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "{SERVER}: not found: expected it in PATH, as apt-get install nats-server installs it"
        ),
        _ => format!("{SERVER}: {error}"),
    }))
}

fn show(line: &str) -> Result<(), Failure> {
    print(&one_line(line), false)
}

fn key_file(dir: &Path, name: &str) -> PathBuf {
    dir.join(name).with_extension(EXTENSION)
}

/// Returns the public key of this name. Creates the file of the secret one if it does not exist.
fn key(dir: &Path, name: &str) -> Result<String, Failure> {
    let path = key_file(dir, name);
    let seed = match fs::read_to_string(&path) {
        Ok(seed) => seed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let seed = new_key().or_trouble(path.display())?;
            write_private(&path, format!("{seed}\n")).or_trouble(path.display())?;
            seed
        }
        Err(error) => return Err(trouble(path.display(), error)),
    };
    public_key(&seed).or_trouble(path.display())
}

/// Names and public keys of the workers, sorted by name.
fn workers(dir: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut workers = Vec::new();
    for entry in fs::read_dir(dir).or_trouble(dir.display())? {
        let path = entry.or_trouble(dir.display())?.path();
        let is_key = path.extension().is_some_and(|found| found == EXTENSION);
        let name = path.file_stem().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|name| is_key && *name != COORDINATOR) {
            workers.push((name.to_owned(), key(dir, name)?));
        }
    }
    workers.sort();
    Ok(workers)
}
