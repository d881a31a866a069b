//! Invalid arguments and their error messages.

use crate::console::Terminal;
use crate::support::{Done, Folder, has, in_parallel, lacks};

fn refused(words: &str, status: i32, named: &[&str]) -> Done {
    let folder = Folder::new("refused");
    let done = folder.linesman(words).fails(status, "");
    for name in named {
        has(&done.stderr, name);
    }
    lacks(&done.stderr, "panicked");
    done
}

#[test]
fn usage_errors_name_the_word_and_what_was_expected() {
    let rows: Vec<&str> = include_str!("../data/refused.txt")
        .lines()
        .skip(1)
        .collect();
    in_parallel(&rows, |row| {
        let mut fields = row.split(" | ");
        let words = fields.next().expect("a command line");
        refused(words, 2, &fields.collect::<Vec<_>>());
    });
}

#[test]
fn a_program_that_cannot_be_started_says_what_to_do() {
    let folder = Folder::new("not-started");
    folder.write_program("windows", "#!/bin/sh\r\nexec cat\r\n");
    folder.write_program("bare", "exec cat\n");
    folder.write("flat", "#!/bin/sh\n");
    for (cmd, why) in [
        (
            "./windows",
            "directory: its first line, #!, names no program",
        ),
        ("./bare", "bare: Exec format error: a script begins with #!"),
        ("./flat", "flat: Permission denied: chmod +x lets it run"),
        ("absent -x", "it is not in PATH; arguments are arg=WORD"),
    ] {
        let words = format!("match susan --engine 'cmd={cmd}'");
        folder.linesman(&words).fails(1, why);
    }
}

/// At a terminal the program alone shows what people do with it, in lines that can be copied; elsewhere it needs a command.
#[test]
fn the_program_alone_shows_what_it_is_for() {
    let folder = Folder::new("command-line-alone");
    let shown = Terminal::shell(&folder, "LINESMAN").leaves();
    let commands: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .collect();
    let starts = commands.iter().map(|line| line.split(' ').nth(1));
    let starts: Vec<&str> = starts.flatten().collect();
    assert_eq!(starts, ["match", "play", "gui", "check"], "{shown}");
    assert!(shown.lines().count() < 24, "{shown}");
    assert!(
        shown.lines().all(|line| line.trim_end().len() < 80),
        "{shown}"
    );
    for command in &commands {
        let help = command.replace("linesman", "LINESMAN") + " --help";
        folder.shell(&help).exits(0);
    }
    let done = folder
        .shell("LINESMAN < /dev/null 2>&1 | cat; exit ${PIPESTATUS[0]}")
        .exits(2);
    has(&done.stdout.join("\n"), "Usage: ");
}
