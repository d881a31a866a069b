//! `linesman analyse`, and the console's commands for analysis.

use serde_json::Value;

use crate::support::{Done, Folder, has};

/// A game of Gobblet! Jr. that red wins, in a ledger and a PGN file.
fn game(test: &str) -> Folder {
    let folder = Folder::new(test);
    let moves = "3@b2\\n1@a1\\n3@a3\\n1@b1\\n2@c1\\n";
    let line = format!(
        "printf '{moves}' | LINESMAN play gobblet --p2 'human name=Ann' --ledger l --pgn p"
    );
    folder.shell(&line).exits(0);
    folder
}

fn analyse(folder: &Folder, words: &str) -> Done {
    folder.linesman(&format!("analyse {words}")).exits(0)
}

#[test]
fn each_move_is_a_line_and_the_worst_stand_at_the_end() {
    let folder = game("analyse");
    let done = analyse(&folder, "l --depth 6 --ascii");
    for (number, side, code) in [
        (1, "red", "3@b2"),
        (2, "yellow", "1@a1"),
        (5, "red", "2@c1"),
    ] {
        let line = &done.stdout[number - 1];
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        assert_eq!(words, [format!("{number}."), side.into(), code.into()]);
    }
    let last = &done.stdout[4];
    assert!(last.ends_with("+M1"), "the move that wins: {last}");
    let bars = done.stdout.iter().find(|line| line.len() == 5);
    assert!(bars.expect("five bars").ends_with('7'), "red has won");
    let is_worst = |line: &&String| *line == "worst moves:" || *line == "no mistakes found";
    assert_eq!(done.stdout.iter().filter(is_worst).count(), 1);
}

#[test]
fn the_same_as_json_and_as_comments_in_a_pgn_file() {
    let folder = game("analyse-json");
    let done = analyse(&folder, "p --nodes 2000 --json --pgn annotated");
    let plies: Vec<Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let codes: Vec<&str> = plies
        .iter()
        .map(|ply| ply["move"].as_str().expect("a code"))
        .collect();
    assert_eq!(codes, ["3@b2", "1@a1", "3@a3", "1@b1", "2@c1"]);
    assert_eq!(plies[4]["after"], serde_json::json!({"mate": 1}));
    assert_eq!(
        (&plies[4]["ply"], &plies[4]["is_exact"]),
        (&5.into(), &true.into())
    );
    let pgn = folder.read("annotated");
    has(&pgn, "1. 3@b2 {+");
    assert!(
        pgn.ends_with("{+M1} {red wins: line c1 b2 a3} 1-0\n\n"),
        "{pgn}"
    );
    let shown = folder.linesman("show annotated").exits(0);
    shown.shows(1, "5. red ");
    folder
        .linesman("analyse p --pgn annotated")
        .fails(1, "annotated");
}

#[test]
fn what_cannot_be_analysed_is_named() {
    let folder = game("analyse-errors");
    for (words, status, why) in [
        ("l 2", 2, "GAME: 2 is not among the 1 games of l"),
        ("none", 1, "none"),
        ("l --engine cmd=./none", 1, "none: cannot be started"),
        ("l --depth 0", 2, "depth"),
    ] {
        let done = folder
            .linesman(&format!("analyse {words}"))
            .fails(status, why);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn words_of_the_console() {
    let folder = Folder::new("analyse-console");
    let script = "e5\\nanalyse 0.2\\nreview 0.05\\nreview x\\nundo\\n";
    let done = folder
        .shell(&format!(
            "printf '{script}' | LINESMAN play susan --st 0.02"
        ))
        .exits(0);
    let found = done.lines("analysis for x").len();
    assert_eq!(found, 1, "{:?}", done.stdout);
    done.shows(1, "score of x after each move:");
    done.shows(1, "review [SECONDS]: \"x\": expected seconds above 0");
    done.shows(1, "1. e5 and 2. ");
}
