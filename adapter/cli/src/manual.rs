//! `linesman completions` and `linesman man`: shell completions and man pages, generated from the help texts.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use clap_mangen::Man;

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::usage::{Failure, OrFail};

/// Writes the completion script of a shell to standard output.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "linesman", &mut script);
    let written = io::stdout().lock().write_all(&script);
    written.map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for `linesman` and one for each of its commands to a folder, which is created if absent.
pub(crate) fn man(args: &ManArgs) -> Result<ExitCode, Failure> {
    let pages = pages(&args::command()).map_err(Failure::Output)?;
    fs::create_dir_all(&args.folder).or_trouble(args.folder.display())?;
    for (name, page) in pages {
        let path = args.folder.join(name);
        fs::write(&path, page).or_trouble(path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Names and texts of all pages: `linesman.1`, `linesman-match.1`, `linesman-table.1`, `linesman-table-build.1`, ...
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
    for sub in subcommands.filter(|sub| sub.get_name() != "help") {
        add_pages(sub, pages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let pages = pages(&args::command()).expect("memory takes all");
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for command in args::command().get_subcommands() {
            let name = format!("linesman-{}.1", command.get_name());
            assert!(names.contains(&name.as_str()), "{name} among {names:?}");
        }
        assert!(names.contains(&"linesman-table-build.1"), "{names:?}");
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
