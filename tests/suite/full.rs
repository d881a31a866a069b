//! Output that cannot be written: a full disk, a full or closed standard output.

use crate::support::{Done, Folder};

/// Limits files to 8 KiB, as on a nearly full disk.
const NEARLY_FULL: &str = "ulimit -f 8; exec";
const MATCH: &str = "LINESMAN match susan --games 40 --each nodes=20 --seed 1 --ledger l --pgn p";

fn assert_one_line(done: &Done, line: &str) {
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(done.stderr, format!("error: {line}\n"));
}

#[test]
fn a_match_that_fills_the_disk_says_so_and_can_be_resumed() {
    let folder = Folder::new("full-disk");
    let done = folder.shell(&format!("{NEARLY_FULL} {MATCH}")).done();
    let path = folder.path("p");
    let hint = format!(
        "l: File too large; to resume: linesman match --resume l --pgn {}",
        path.display()
    );
    assert_one_line(&done, &hint);
    let before = done.lines("Finished game ").len();
    assert!(before < 40, "the ledger outgrows 8 KiB");

    std::fs::remove_file(folder.path("p")).expect("the match wrote it");
    std::os::unix::fs::symlink("/dev/full", folder.path("p")).expect("a link");
    let done = folder.shell("LINESMAN match --resume l --pgn p").done();
    let why = "not a regular file: expected a file on disk";
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    // The disk was full in the middle of a game's line, or between two.
    let torn =
        |line: &&str| line.starts_with("warning: l: line ") && line.ends_with(" is left out");
    let errors: Vec<&str> = done.stderr.lines().skip_while(torn).collect();
    assert_eq!(
        errors,
        [format!("error: {}: {why}", path.display())],
        "{}",
        done.stderr
    );

    std::fs::remove_file(folder.path("p")).expect("the link");
    folder.shell("LINESMAN match --resume l --pgn p").exits(0);
    let (_, games) = folder.ledger("l");
    let mut numbers: Vec<u64> = games
        .iter()
        .map(|game| game["game"].as_u64().expect("a number"))
        .collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=40), "each game exactly once");
    assert_eq!(folder.read("p").matches("[Round ").count(), 40);
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("full-log");
    let full = "--log: /dev/full: No space left on device";
    let done = folder.shell(&format!("{MATCH} --log /dev/full")).done();
    assert_one_line(&done, full);
    let check = "LINESMAN check cmd=SCRIPTED susan --only handshake --log /dev/full";
    assert_one_line(&folder.shell(check).done(), full);
}

#[test]
fn a_full_standard_output_is_one_line() {
    let folder = Folder::new("full-stdout");
    let full = "standard output: No space left on device";
    assert_one_line(&folder.shell("LINESMAN games > /dev/full").done(), full);
    for help in ["--help", "match --help", "--version"] {
        let done = folder.shell(&format!("LINESMAN {help} > /dev/full"));
        assert_one_line(&done.done(), full);
    }
    for (index, more) in ["", "--json", "--quiet"].iter().enumerate() {
        let line = format!(
            "LINESMAN match susan --games 2 --each nodes=20 --ledger l{index} {more} > /dev/full"
        );
        assert_one_line(&folder.shell(&line).done(), full);
    }
    assert_one_line(&folder.shell("LINESMAN stats l2 > /dev/full").done(), full);
    assert_one_line(&folder.shell("LINESMAN show l2 > /dev/full").done(), full);
}

/// A page that cannot be written is named, not the temporary file before it.
#[test]
fn a_page_that_cannot_be_written_is_named() {
    let folder = Folder::new("full-page");
    let line = "match susan --games 2 --each nodes=20 --ledger l";
    folder.linesman(line).exits(0);
    let stats = "LINESMAN stats l --html";
    let done = folder.shell(&format!("{stats} none/p.html")).done();
    assert_one_line(&done, "none/p.html: No such file or directory");
    let limited = format!("ulimit -f 1; {stats} p.html");
    let done = folder.shell(&limited).done();
    assert_one_line(&done, "p.html: File too large");
    assert!(!folder.path("p.html").exists());
}

#[test]
fn a_closed_standard_output_changes_no_record() {
    let folder = Folder::new("closed-stdout");
    folder
        .shell("LINESMAN match susan --games 2 --each nodes=20 --ledger l >&-")
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 2);
}

#[test]
fn a_record_that_cannot_be_made_is_one_line_before_the_first_game() {
    let folder = Folder::new("no-folder");
    for (files, missing) in [
        ("--ledger missing/l", "missing/l".into()),
        ("--ledger l --pgn missing/p", folder.path("missing/p")),
    ] {
        let line = format!("match susan --games 2 --each nodes=20 {files}");
        let done = folder.linesman(&line).done();
        let line = format!("{}: No such file or directory", missing.display());
        assert_one_line(&done, &line);
        assert!(done.stdout.is_empty(), "{:?}", done.stdout);
    }
    assert!(!folder.path("l").exists(), "no game can be recorded");
}
