//! The commands `completions` and `man` of each program, generated from its help texts.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::program;
use crate::usage::{Failure, OrFail};

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
    pub fn run(&self, mut program: clap::Command) -> Result<ExitCode, Failure> {
        match self {
            ManualCommand::Completions { shell } => {
                let (name, mut script) = (program.get_name().to_owned(), Vec::new());
                clap_complete::generate(*shell, &mut program, name, &mut script);
                let written = io::stdout().lock().write_all(&script);
                written.map_err(Failure::Output)?;
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
        if sub.get_name() != "help" && !program::is_other(sub.get_name()) {
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
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let pages = folder.path().to_owned();
        let man = ManualCommand::Man { folder: pages };
        man.run(command()).expect("written");
        for command in command().get_subcommands() {
            let name = format!("linesman-{}.1", command.get_name());
            let is_expected = !program::is_other(command.get_name());
            assert_eq!(folder.path().join(&name).exists(), is_expected, "{name}");
        }
        let page = fs::read_to_string(folder.path().join("linesman-match.1")).expect("a page");
        assert!(page.contains(".TH linesman-match 1"), "{page}");
        assert!(page.contains("concurrency"), "{page}");
    }
}
