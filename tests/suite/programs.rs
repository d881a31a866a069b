//! The programs other than `linesman`: how they find each other, and the commands that they took over.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Folder, begins, has, program};

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("it starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A program in a separate folder. It is a link, not a copy: a file that was just written may be busy.
fn alone(name: &str) -> (TempDir, Command) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let path = folder.path().join(name);
    fs::hard_link(program(name), &path).expect("a link");
    let mut command = Command::new(path);
    command.current_dir(folder.path()).env("PATH", "/nowhere");
    (folder, command)
}

/// Runs the built-in engine on a suite.
fn solve(mut lab: Command) -> (Option<i32>, String, String) {
    let suite = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../adapter/cli/suites/susan.epd"
    );
    output(lab.args(["solve", suite, "--nodes", "20"]))
}

/// The folder of all programs.
fn all() -> PathBuf {
    program("linesman").parent().expect("a folder").to_owned()
}

/// The help of a command and of all commands below it, with its words: `linesman-lab table build`.
fn add_helps(words: &str, helps: &mut Vec<(String, String)>) {
    let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
    let mut command = Command::new(program(name));
    command.args(rest.split_whitespace()).arg("--help");
    let (status, help, why) = output(command.env("COLUMNS", "80"));
    assert_eq!(status, Some(0), "{words}: {why}");
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest);
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let names = names.filter_map(|line| line.split(' ').next());
    let others = ["help", "club", "fleet", "lab"];
    for name in names.filter(|name| !others.contains(name)) {
        add_helps(&format!("{words} {name}"), helps);
    }
    helps.push((words.to_owned(), help));
}

/// The flags and their values in a help text: `--games <N>`.
fn flags(help: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = help.lines().map(str::trim_start);
    lines.filter_map(|line| {
        let at = if line.starts_with("--") {
            0
        } else {
            line.find(", --")? + 2
        };
        let mut words = line[at..].split([' ', '=', '[']);
        let value = line[at..].split_once('<').map_or("", |(_, rest)| rest);
        Some((words.next()?, value.split('>').next()?))
    })
}

#[test]
fn every_help_fits_a_screen_and_says_one_thing_by_one_name() {
    let mut helps = Vec::new();
    for program in [
        "linesman",
        "linesman-club",
        "linesman-fleet",
        "linesman-lab",
    ] {
        add_helps(program, &mut helps);
    }
    assert!(helps.len() > 40, "{}", helps.len());
    for (words, help) in &helps {
        let n_lines = help.lines().count();
        assert!(n_lines <= 60, "{words}: {n_lines} lines");
        let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
        let mut long = Command::new(program(name));
        long.arg("help").args(rest.split_whitespace());
        let (status, long, why) = output(&mut long);
        assert_eq!(status, Some(0), "{words}: {why}");
        for (flag, _) in flags(help) {
            has(&long, flag);
        }
        for (flag, value) in flags(&long) {
            let unit = match (flag, value) {
                ("--st" | "--tc", _) => "",
                (_, "SECONDS") => "-s",
                (_, "MS") => "-ms",
                _ => "",
            };
            assert!(flag.ends_with(unit), "{words}: {flag} <{value}>");
            let is_old = matches!(flag, "--srand" | "--output" | "--file");
            assert!(!is_old, "{words}: {flag}");
            // A table is one of perfect play.
            let is_of_tables = flag == "--adjudicate-table" || words.starts_with("linesman-lab");
            assert!(!flag.contains("table") || is_of_tables, "{words}: {flag}");
        }
    }
    has(
        &output(Command::new(program("linesman")).args(["help", "match"])).1,
        "--pgn-comments",
    );
}

#[test]
fn a_program_in_path_is_found() {
    let (_folder, mut linesman) = alone("linesman");
    let (status, version, _) = output(linesman.args(["lab", "-V"]).env("PATH", all()));
    assert_eq!(status, Some(0));
    begins(&version, "linesman-lab ");
    let (_folder, mut lab) = alone("linesman-lab");
    lab.env("PATH", all());
    let (status, solved, why) = solve(lab);
    assert_eq!(status, Some(0), "{why}");
    has(&solved, "solved ");
}

#[test]
fn a_program_that_is_not_there_is_one_line() {
    let (_folder, mut linesman) = alone("linesman");
    let missing = output(linesman.arg("lab"));
    let why = "error: linesman-lab is neither beside linesman nor in PATH: it is in the archive of a release, and \
               `cargo install --path adapter/lab` installs it from the sources\n";
    assert_eq!(missing, (Some(1), String::new(), why.to_owned()));
    let (_folder, lab) = alone("linesman-lab");
    let (status, _, why) = solve(lab);
    assert_eq!(status, Some(1), "{why}");
    begins(
        &why,
        "error: linesman is neither beside linesman-lab nor in PATH: ",
    );
    has(&why, "adapter/cli");
}

#[test]
fn the_built_in_engine_has_the_version_of_the_program() {
    for (script, said) in [
        (
            "#!/bin/sh\necho linesman 0.0.1\n",
            "is \"linesman 0.0.1\": linesman-lab needs linesman ",
        ),
        (
            "#!/bin/sh\nexit 1\n",
            "is \"\": linesman-lab needs linesman ",
        ),
        ("no program", "Exec format error"),
    ] {
        let (folder, lab) = alone("linesman-lab");
        // This process does not open the file for writing: it would be busy when it starts.
        let mut write = Command::new("sh");
        write.args([
            "-c",
            "printf \"$1\" >linesman; chmod +x linesman",
            "sh",
            script,
        ]);
        assert_eq!(output(write.current_dir(folder.path())).0, Some(0));
        let (status, _, why) = solve(lab);
        assert_eq!((status, why.lines().count()), (Some(1), 1), "{why}");
        has(&why, said);
        has(&why, folder.path().join("linesman").display().to_string());
    }
    // A file that is no program is passed over.
    let (folder, mut lab) = alone("linesman-lab");
    fs::create_dir(folder.path().join("linesman")).expect("a folder");
    lab.env("PATH", all());
    assert_eq!(solve(lab).0, Some(0));
}

/// A mail server returns a message to its sender unless the status tells it to try again.
#[test]
fn a_message_to_a_club_without_an_engine_comes_again() {
    let (folder, mut club) = alone("linesman-club");
    let create = "create --store club.db --address a@b --host a@b";
    let (status, _, why) = output(club.args(create.split(' ')).env("PATH", all()));
    assert_eq!(status, Some(0), "{why}");
    let mut club = Command::new(folder.path().join("linesman-club"));
    club.current_dir(folder.path()).env("PATH", "/nowhere");
    let (status, _, why) = output(club.args(["mail", "--store", "club.db", "--out", "out"]));
    assert_eq!(status, Some(75), "{why}");
    begins(
        &why,
        "error: linesman is neither beside linesman-club nor in PATH: ",
    );
}

/// `/usr/bin/linesman` may be a link to where all programs are.
#[test]
fn a_link_leads_to_the_programs_beside_its_target() {
    let folder = Folder::new("link");
    symlink(program("linesman"), folder.path("l")).expect("a link");
    let mut command = folder.command(Path::new("./l"));
    let (status, version, why) = output(command.args(["lab", "--version"]).env("PATH", ""));
    assert_eq!(status, Some(0), "{why}");
    begins(&version, "linesman-lab ");
}
