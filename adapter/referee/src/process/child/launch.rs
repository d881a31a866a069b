//! What is started, as the system's command.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use crate::platform;
use crate::process::log::Log;

/// What to start.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The name in logs.
    pub name: String,
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder; the caller's if absent.
    pub dir: Option<PathBuf>,
    /// Where its standard error goes; if absent, its end is kept in memory.
    pub stderr: Option<PathBuf>,
    /// The log of all lines.
    pub log: Option<Arc<Log>>,
    /// The CPUs that it runs on; any if there are none.
    pub cpus: Vec<usize>,
}

impl Launch {
    /// Starts it with piped streams.
    ///
    /// # Errors
    /// Those of the system; the folder does not exist, or the file for standard error cannot be opened.
    pub(super) fn spawn(&self) -> io::Result<Child> {
        platform::spawn_on(&self.cpus, &mut self.command()?)
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
        platform::own_group(&mut command);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            if !dir.is_dir() {
                let why = format!("dir={}: no such folder", dir.display());
                return Err(io::Error::new(ErrorKind::NotFound, why));
            }
            command.current_dir(dir);
        }
        if let Some(path) = &self.stderr {
            let file = File::options().create(true).append(true).open(path);
            let named = |error: io::Error| {
                io::Error::new(error.kind(), format!("stderr={}: {error}", path.display()))
            };
            command.stderr(file.map_err(named)?);
        }
        Ok(command)
    }
}
