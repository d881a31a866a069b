//! A match's files besides its ledger: PGN with more comments, final positions, the log.

use crate::support::{Folder, has, lacks};

#[test]
fn comments_tell_what_was_asked_for() {
    let folder = Folder::new("pgn-comments");
    let line = "match susan --each nodes=300 --games 2 --seed 4";
    folder
        .linesman(&format!("{line} --ledger a --pgn plain"))
        .exits(0);
    folder
        .linesman(&format!(
            "{line} --ledger b --pgn p --pgn-comments pv,nodes,nps"
        ))
        .exits(0);
    let (plain, told) = (folder.read("plain"), folder.read("p"));
    has(&plain, "[Event \"Linesman match\"]\n[Site \"?\"]\n");
    lacks(&plain, ", n=");
    lacks(&plain, "pv=");
    lacks(&folder.read("a"), "\"pv\"");
    let (_, games) = folder.ledger("b");
    let joined = told.replace('\n', " ");
    for ply in games[0]["plies"].as_array().expect("plies").iter().skip(2) {
        let nodes = ply["nodes"].as_u64().expect("nodes");
        let pv = ply["pv"].as_array().expect("a line").iter();
        let pv: Vec<&str> = pv.map(|code| code.as_str().expect("a code")).collect();
        assert!(!pv.is_empty());
        has(&joined, format!("s, n={nodes}, nps="));
        has(&joined, format!(", pv=\"{}\"}}", pv.join(" ")));
    }
    // The moves are read from it as from a PGN without comments.
    let schedule = |file: &str| {
        let words = format!("match susan --openings file={file} plies=6 --games 4 --dry-run");
        folder.linesman(&words).exits(0).stdout
    };
    assert_eq!(schedule("p"), schedule("plain"));
    let [n_told, n_plain] = ["p", "plain"].map(|file| {
        folder
            .linesman(&format!("stats {file}"))
            .exits(0)
            .lines(" 1  ")
            .len()
    });
    assert_eq!(n_told, n_plain);
    let mut widths = told.lines().map(|line| line.chars().count());
    assert!(widths.all(|width| width <= 80), "{told}");
}
