//! Output that cannot be written: a full disk, a full or closed standard output.

use crate::support::Folder;

/// Limits files to 8 KiB, as on a nearly full disk.
const NEARLY_FULL: &str = "ulimit -f 8; exec";
const MATCH: &str = "LINESMAN match susan --games 40 --each nodes=20 --seed 1 --ledger l --pgn p";

#[test]
fn a_match_that_fills_the_disk_says_so_and_can_be_resumed() {
    let folder = Folder::new("full-disk");
    let path = folder.path("p").display().to_string();
    let hint =
        format!("error: l: File too large; to resume: linesman match --resume l --pgn {path}\n");
    let done = folder.shell(&format!("{NEARLY_FULL} {MATCH}")).exits(1);
    assert_eq!(done.stderr, hint);
    let before = done.lines("Finished game ").len();
    assert!(before < 40, "the ledger outgrows 8 KiB");

    std::fs::remove_file(folder.path("p")).expect("the match wrote it");
    std::os::unix::fs::symlink("/dev/full", folder.path("p")).expect("a link");
    // The disk was full in the middle of a game's line, of which a warning tells, or between two.
    let why = format!("error: {path}: not a regular file: name a file on disk\n");
    folder
        .shell("LINESMAN match --resume l --pgn p")
        .fails(1, why);

    std::fs::remove_file(folder.path("p")).expect("the link");
    folder.shell("LINESMAN match --resume l --pgn p").exits(0);
    let games = folder.games("l");
    let mut numbers: Vec<Option<u64>> = games.iter().map(|game| game["game"].as_u64()).collect();
    numbers.sort_unstable();
    assert!(
        numbers.into_iter().eq((1..=40).map(Some)),
        "each game exactly once"
    );
    assert_eq!(folder.read("p").matches("[Round ").count(), 40);
}
