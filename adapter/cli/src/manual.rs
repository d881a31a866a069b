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
        /// The shell: bash, elvish, fish, powershell or zsh
        #[arg(value_parser = shell)]
        shell: Shell,
    },
    /// Write the man pages into a folder
    Man {
        /// The folder; created if absent
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

fn shell(text: &str) -> Result<Shell, String> {
    text.parse()
        .map_err(|_| "expected bash, elvish, fish, powershell or zsh".to_owned())
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
            ManualCommand::Man { folder } => write_pages(&program, folder)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes a page for the program and one for each of its commands to a folder, which is created if absent.
fn write_pages(program: &clap::Command, folder: &Path) -> Result<(), Failure> {
    let pages = pages(program).map_err(Failure::Output)?;
    fs::create_dir_all(folder).or_trouble(folder.display())?;
    for (name, page) in pages {
        let path = folder.join(name);
        fs::write(&path, page).or_trouble(path.display())?;
    }
    Ok(())
}

/// Names and texts of all pages: `linesman.1`, `linesman-match.1`, ... A program writes its own pages:
/// `linesman-lab.1` is none of those of `linesman`.
fn pages(command: &clap::Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.clone();
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages)?;
    Ok(pages)
}

/// Adds the page of a command, then those of its subcommands.
fn add_pages(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let (man, mut text) = (Man::new(command.clone()), Vec::new());
    man.render(&mut text)?;
    pages.push((man.get_filename(), text));
    let subcommands = command.get_subcommands();
    let is_own =
        |sub: &&clap::Command| sub.get_name() != "help" && !program::is_other(sub.get_name());
    for sub in subcommands.filter(is_own) {
        add_pages(sub, pages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    #[test]
    fn every_command_has_a_page() {
        let pages = pages(&command()).expect("memory takes all");
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for command in command().get_subcommands() {
            let name = format!("linesman-{}.1", command.get_name());
            let is_expected = !program::is_other(command.get_name());
            assert_eq!(
                names.contains(&name.as_str()),
                is_expected,
                "{name} among {names:?}"
            );
        }
        let (_, page) = &pages[names
            .iter()
            .position(|name| *name == "linesman-match.1")
            .expect("a page")];
        let page = String::from_utf8_lossy(page);
        assert!(
            page.contains(".TH linesman\\-match 1") || page.contains(".TH linesman-match 1"),
            "{page}"
        );
        assert!(page.contains("concurrency"), "{page}");
    }
}
