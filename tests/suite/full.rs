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
    let why = "not a regular file: name a file on disk";
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
