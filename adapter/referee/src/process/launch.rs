//! Description of a process to start.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use record::engine_spec::{EngineSpec, OwnProgram, Program};
use record::file::naming;

use super::log::Log;
use crate::platform;

/// Describes a process to start.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// Name in logs.
    pub name: String,
    /// Path of the executable.
    pub program: PathBuf,
    /// Command-line arguments.
    pub args: Vec<OsString>,
    /// Working folder; the caller's if `None`.
    pub dir: Option<PathBuf>,
    /// File for standard error. If `None`, its end is kept in memory.
    pub stderr: Option<PathBuf>,
    /// Log of all lines.
    pub log: Option<Arc<Log>>,
    /// CPUs on which the process may run; empty for any.
    pub cpus: Vec<usize>,
    /// Limit of its private memory in MiB, and of each process that it starts.
    pub memory: Option<u32>,
}

impl Launch {
    /// The command of an engine. The program itself runs its built-in engine, and bridges to programs of other protocols,
    /// which are told the timeout of the handshake.
    pub fn of(spec: &EngineSpec, own: OwnProgram<'_>, startup: Duration) -> Launch {
        let (Program::Command { path, args, dir }, true) = (&spec.program, spec.proto.is_bridged())
        else {
            return Launch::command_of(spec, own);
        };
        let mut words = Vec::from(["bridge", "ugi", own.game, "--engine"].map(str::to_owned));
        words.push(format!("cmd={}", path.display()));
        words.extend(args.iter().map(|arg| format!("arg={arg}")));
        words.extend(dir.iter().map(|dir| format!("dir={}", dir.display())));
        words.push(format!("proto={}", spec.proto));
        words.push(format!("startup-ms={}", startup.as_millis()));
        words.extend(own.args.iter().cloned());
        Launch {
            program: own.path.to_owned(),
            args: words.into_iter().map(Into::into).collect(),
            dir: None,
            ..Launch::command_of(spec, own)
        }
    }

    /// The command of an engine without a bridge. An engine without a name is `builtin`, or named after its program.
    pub fn command_of(spec: &EngineSpec, own: OwnProgram<'_>) -> Launch {
        let (program, args, dir) = spec.program.command(own);
        let name = || match spec.program {
            Program::Builtin => "builtin".to_owned(),
            _ => program.display().to_string(),
        };
        Launch {
            name: spec.name.clone().unwrap_or_else(name),
            program,
            args: args.into_iter().map(Into::into).collect(),
            dir,
            stderr: spec.stderr.clone(),
            memory: spec.process.memory.and_then(|mib| u32::try_from(mib).ok()),
            ..Launch::default()
        }
    }

    /// Starts the process with piped streams.
    ///
    /// # Errors
    /// Those of the system; if the working folder does not exist; if the file for standard error cannot be opened.
    ///
    /// Also returns the mark by which its descendants are found.
    pub(super) fn spawn(&self) -> io::Result<(Child, String)> {
        let mut command = self.command()?;
        let mark = platform::mark(&mut command);
        let spawned = platform::spawn_on(&self.cpus, &mut command);
        let child = spawned.map_err(|error| self.explain(error))?;
        let limit = |mib| platform::limit_memory(&child, mib);
        let limited = self.memory.map_or(Ok(()), limit);
        let child = platform::or_killed(child, limited)?;
        platform::watch_group('+', child.id());
        Ok((child, mark))
    }

    /// Adds the program, and what to do, to the error of one that the system does not start.
    fn explain(&self, error: io::Error) -> io::Error {
        let advice = match error.kind() {
            ErrorKind::NotFound if self.program.exists() => {
                ": its first line, #!, names no program"
            }
            ErrorKind::NotFound if self.program.components().count() == 1 => {
                ": it is not in PATH; arguments are arg=WORD"
            }
            ErrorKind::PermissionDenied if self.program.is_file() => ": chmod +x lets it run",
            ErrorKind::NotFound | ErrorKind::PermissionDenied => "",
            _ if platform::is_no_program(&error) => ": a script begins with #!",
            _ => return error,
        };
        let named = naming(self.program.display(), &error);
        io::Error::new(error.kind(), format!("{named}{advice}"))
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
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
            let named = |error| naming(format_args!("stderr={}", path.display()), &error);
            command.stderr(platform::open_to_append(path).map_err(named)?);
        }
        Ok(command)
    }
}
