//! The four programs: what each does first, and how they find each other.
//!
//! `linesman lab ARGS` starts `linesman-lab ARGS`, as cargo and git start theirs; `linesman-lab` starts `linesman` as the
//! built-in engine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, fs, io, thread};

use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use crossbeam_channel::bounded;

use crate::args::{RulesArgs, foreign};
use crate::output::print_raw;
use crate::platform;
use crate::usage::{Done, Failure, OrFail, fail, refuse, trouble};

/// The programs that `linesman WORD ARGS` starts: the word, which `linesman-` precedes in the program's name and which
/// names the folder of its crate, and the help of the word.
const OTHERS: &[(&str, &str)] = &[
    ("club", "Games by e-mail: starts linesman-club"),
    ("fleet", "Matches over many machines: starts linesman-fleet"),
    (
        "lab",
        "Learning, tuning, suites and perfect play: starts linesman-lab",
    ),
];

/// Former commands of `linesman`, and what to write now. `match --fleet` is the command with this flag.
const MOVED: &[(&str, &str)] = &[
    ("match --fleet", "linesman-fleet match --fleet"),
    ("worker", "linesman-fleet worker"),
    ("learn", "linesman-lab learn"),
    ("learner", "linesman-lab learner"),
    ("mail", "linesman-club mail"),
    ("mine", "linesman-lab mine"),
    ("prove", "linesman-lab prove"),
    ("pupil", "linesman-lab learner"),
    ("solve", "linesman-lab solve"),
    ("table", "linesman-lab table"),
    ("tune", "linesman-lab tune"),
    ("tune-options", "linesman-lab tune-options"),
];

/// The program whose engine is the built-in one.
const LINESMAN: &str = "linesman";

/// The name of this program.
static NAME: OnceLock<&str> = OnceLock::new();

/// The name of this program, as people type it.
pub(crate) fn name() -> &'static str {
    NAME.get().copied().unwrap_or(LINESMAN)
}

/// Runs a program of this name, such as `linesman-lab`, with the arguments of the process. Returns the exit status.
pub fn run(name: &'static str, execute: impl FnOnce(Vec<OsString>) -> Done<ExitCode>) -> ExitCode {
    let _ = NAME.set(name);
    platform::catch_limits();
    execute(env::args_os().collect()).unwrap_or_else(|failure| failure.report())
}

/// The arguments of a program with these commands.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli<C: Subcommand> {
    /// The rules of the game, for every command.
    #[command(flatten)]
    pub rules: RulesArgs,

    /// The command.
    #[command(subcommand)]
    pub command: C,
}

impl<C: Subcommand> Cli<C> {
    /// The shapes of the arguments, with their help.
    pub fn shapes(name: &'static str, about: &'static str) -> clap::Command {
        with_help(Cli::<C>::command().name(name).about(about), name)
    }

    /// Reads the arguments. Flags that other match runners have lead to ours.
    pub fn read(args: Vec<OsString>, shapes: clap::Command) -> Done<(Cli<C>, ArgMatches)> {
        foreign::refuse(&args, &shapes)?;
        let failure = |error| Failure::Clap(Box::new(error));
        let matches = shapes.try_get_matches_from(args).map_err(failure)?;
        Ok((Cli::from_arg_matches(&matches).map_err(failure)?, matches))
    }
}

/// A command whose `--help` fits a screen. `PROGRAM help COMMAND` shows all of it.
fn with_help(command: clap::Command, path: &str) -> clap::Command {
    let is_more = |arg: &Arg| arg.is_hide_short_help_set() || arg.get_long_help().is_some();
    let has_more = command.get_arguments().any(is_more);
    let (program, words) = path.split_once(' ').unwrap_or((path, ""));
    let about = match has_more && !words.is_empty() {
        true => format!("Print this help; `{program} help {words}` has more flags and details"),
        false => "Print this help".to_owned(),
    };
    let help = Arg::new("help").short('h').long("help").help(about);
    let command = command
        .disable_help_flag(true)
        .arg(help.action(ArgAction::HelpShort));
    command.mut_subcommands(|command| {
        let path = format!("{path} {}", command.get_name());
        with_help(command, &path)
    })
}

/// Adds the words that start other programs.
pub(crate) fn with_others(command: clap::Command) -> clap::Command {
    let words = OTHERS.iter();
    command.subcommands(words.map(|(name, about)| clap::Command::new(*name).about(*about)))
}

/// `true` if `linesman` starts another program for this word.
pub(crate) fn is_other(word: &str) -> bool {
    OTHERS.iter().any(|(name, _)| *name == word)
}

/// Becomes the program that the first argument asks for, if one does.
///
/// # Errors
/// The program is not there, or the command is one that another program has now.
pub(crate) fn dispatch(args: &[OsString]) -> Done {
    let word = args.get(1).and_then(|word| word.to_str());
    let word = word.unwrap_or_default();
    if let Some((old, new)) = MOVED.iter().find(|(old, _)| is_written(old, word, args)) {
        return refuse!("linesman {old} is now {new}");
    }
    if !is_other(word) {
        return Ok(());
    }
    let path = find(&format!("{LINESMAN}-{word}"))?;
    let error = platform::replace(&path, &args[2..]);
    Err(trouble(path.display(), error))
}

/// `true` if the arguments have the command, and the flag after it if there is one.
fn is_written(old: &str, word: &str, args: &[OsString]) -> bool {
    let (command, flag) = old.split_once(' ').unwrap_or((old, ""));
    let has_flag = || {
        let mut args = args.iter().filter_map(|arg| arg.to_str());
        args.any(|arg| arg.split('=').next() == Some(flag))
    };
    command == word && (flag.is_empty() || has_flag())
}

/// The `linesman` that is the built-in engine: this program, or for another program the one in its folder, else in PATH.
///
/// # Errors
/// There is none, or it has another version.
pub fn linesman() -> Done<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    let Some(name) = NAME.get().filter(|name| **name != LINESMAN) else {
        return platform::this_executable();
    };
    if let Some(path) = FOUND.get() {
        return Ok(path.clone());
    }
    let path = find(LINESMAN)?;
    let own = concat!("linesman ", env!("CARGO_PKG_VERSION"));
    let found = version(&path)?;
    if found != own {
        let path = path.display();
        return fail!("{path} says that it is {found:?}: {name} needs {own}");
    }
    Ok(FOUND.get_or_init(|| path).clone())
}

/// Time limit for a program to print its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(10);

/// The output of `PATH --version`.
fn version(path: &Path) -> Done<String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null());
    command.stderr(Stdio::null());
    let (sender, told) = bounded(1);
    thread::spawn(move || sender.send(command.output()));
    let output = told.recv_timeout(VERSION_TIMEOUT);
    let output = output
        .or_trouble(path.display())?
        .or_trouble(path.display())?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The path of another program: in the folder of this one, else in PATH.
fn find(name: &str) -> Done<PathBuf> {
    let own = platform::this_executable()?;
    let in_path = env::var_os("PATH").unwrap_or_default();
    let in_path = env::split_paths(&in_path).map(|folder| folder.join(name));
    std::iter::once(own.with_file_name(name)).chain(in_path).find(|path| platform::is_executable(path)).ok_or_else(|| {
        let (beside, folder) = (self::name(), name.strip_prefix("linesman-"));
        Failure::Trouble(format!(
            "{name} is neither beside {beside} nor in PATH: it is in the archive of a release, and \
             `cargo install --path adapter/{}` installs it from the sources",
            folder.unwrap_or("cli")
        ))
    })
}

/// The commands that every program has.
#[derive(Debug, Subcommand)]
pub enum ManualCommand {
    /// Write the completion script of a shell to standard output
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the man pages into a folder
    Man {
        /// The folder; created if absent
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl ManualCommand {
    /// Writes what is asked for about the program with these commands.
    pub fn run(&self, mut program: clap::Command) -> Done<ExitCode> {
        match self {
            ManualCommand::Completions { shell } => {
                let (name, mut script) = (program.get_name().to_owned(), Vec::new());
                clap_complete::generate(*shell, &mut program, name, &mut script);
                print_raw(&String::from_utf8_lossy(&script))?;
            }
            ManualCommand::Man { folder } => {
                program.build();
                let made = fs::create_dir_all(folder);
                let written = made.and_then(|()| write_pages(&program, folder));
                written.or_trouble(folder.display())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the page of a command and those of its subcommands: `linesman.1`, `linesman-match.1`, ... A program writes its
/// own pages: `linesman-lab.1` is none of those of `linesman`.
fn write_pages(command: &clap::Command, folder: &Path) -> io::Result<()> {
    for sub in command.get_subcommands() {
        if sub.get_name() != "help" && !is_other(sub.get_name()) {
            write_pages(sub, folder)?;
        }
    }
    Man::new(command.clone()).generate_to(folder).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    #[test]
    fn former_commands_are_found_by_word_and_flag() {
        let is_written = |old: &str, line: &str| {
            let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
            super::is_written(old, args[1].to_str().expect("ASCII"), &args)
        };
        for (old, line, expected) in [
            ("mine", "linesman mine susan", true),
            ("mine", "linesman puzzle mine", false),
            (
                "match --fleet",
                "linesman match susan --fleet nats://a",
                true,
            ),
            (
                "match --fleet",
                "linesman match susan --fleet=nats://a",
                true,
            ),
            ("match --fleet", "linesman match susan --fleet-x", false),
            ("match --fleet", "linesman play susan --fleet a", false),
        ] {
            assert_eq!(is_written(old, line), expected, "{old}: {line}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let pages = folder.path().to_owned();
        let man = ManualCommand::Man { folder: pages };
        man.run(command()).expect("written");
        for command in command().get_subcommands() {
            let name = format!("linesman-{}.1", command.get_name());
            let is_expected = !is_other(command.get_name());
            assert_eq!(folder.path().join(&name).exists(), is_expected, "{name}");
        }
        let page = fs::read_to_string(folder.path().join("linesman-match.1")).expect("a page");
        assert!(page.contains(".TH linesman-match 1"), "{page}");
        assert!(page.contains("concurrency"), "{page}");
    }
}
