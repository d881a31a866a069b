//! A match in parts, and merging their ledgers.

use std::fs;

use crate::support::{Done, Folder};

const MATCH: &str = "match susan:Size=4 --engine builtin name=A --engine builtin name=B --games 7 --each nodes=30 --srand 7 --quiet";

fn part(folder: &Folder, shard: &str, ledger: &str) {
    let words = format!("{MATCH} --shard {shard} --ledger {ledger}");
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
}

fn refused(folder: &Folder, words: &str, why: &str) -> Done {
    let done = folder.linesman(words).done();
    assert_eq!(done.status, Some(2), "{words}: {}", done.stderr);
    assert!(done.stderr.contains(why), "{words}: {}", done.stderr);
    done
}

#[test]
fn the_parts_of_a_match_make_the_whole() {
    let folder = Folder::new("merge");
    for number in 1..=3 {
        part(&folder, &format!("{number}/3"), &format!("p{number}"));
    }
    let done = folder.linesman("merge p3 p1 p2 --out all").done();
    assert_eq!(
        done.lines("all: "),
        ["all: 7 games of 3 files"],
        "{}",
        done.stderr
    );
    let whole = folder.linesman(&format!("{MATCH} --ledger whole")).done();
    assert_eq!(whole.status, Some(0), "{}", whole.stderr);
    let moves = |name: &str| -> Vec<_> {
        let (_, games) = folder.ledger(name);
        let game = |game: &serde_json::Value| {
            ["game", "pair", "p1", "opening", "moves", "result"].map(|key| game[key].to_string())
        };
        games.iter().map(game).collect()
    };
    assert_eq!(
        moves("all"),
        moves("whole"),
        "one seed, node limits: the same games"
    );
    // Of the whole and its parts, each game counts once.
    let count = |files: &str| {
        let done = folder.linesman(&format!("stats {files} --json")).done();
        let numbers = serde_json::from_str::<serde_json::Value>(&done.stdout.concat());
        let report = &numbers.expect("one object")["report"];
        report["repeats"]["games"].clone()
    };
    for files in ["all", "all p1 p2 p3", "p1 all p3"] {
        assert_eq!(count(files), 7, "{files}");
    }
    assert_eq!(count("all whole"), 14, "another match has its own games");
    // The match is complete and was begun here: nothing is played, and no question is asked.
    let resumed = folder.linesman("match --resume all --quiet").done();
    assert_eq!(resumed.status, Some(0), "{}", resumed.stderr);
    assert_eq!(moves("all").len(), 7);
}

#[test]
fn what_is_missing_is_played_by_resume_and_copies_count_once() {
    let folder = Folder::new("merge-missing");
    part(&folder, "1/2", "p1");
    fs::copy(folder.path("p1"), folder.path("copy")).expect("it is copied");
    let done = folder.linesman("merge p1 copy --out all").done();
    assert_eq!(
        done.lines("all: "),
        [
            "all: 4 games of 2 files, 4 of them in several files; 7 are planned; to play the rest: linesman match \
             --resume all"
        ]
    );
    let resumed = folder.linesman("match --resume all --quiet").done();
    assert_eq!(resumed.status, Some(0), "{}", resumed.stderr);
    assert_eq!(folder.ledger("all").1.len(), 7);
}

#[test]
fn what_is_no_part_of_the_match_is_refused() {
    let folder = Folder::new("merge-refused");
    part(&folder, "1/2", "p1");
    let other = MATCH.replace("--games 7", "--games 5");
    folder.linesman(&format!("{other} --ledger other")).done();
    refused(
        &folder,
        "merge p1 other --out all",
        "other is of another match than p1: games differs",
    );
    // The same game with different moves.
    let (plan, games) = folder.ledger("p1");
    let mut game = games[0].clone();
    game["result"] = if game["result"] == "1-0" {
        "0-1"
    } else {
        "1-0"
    }
    .into();
    game.as_object_mut().map(|game| game.remove("crc32"));
    fs::write(folder.path("changed"), format!("{plan}\n{game}\n")).expect("it is written");
    refused(
        &folder,
        "merge p1 changed --out all",
        "differs from the one in another file",
    );
    assert!(!folder.path("all").exists());
    let words = MATCH.replace(" --srand 7", "");
    refused(
        &folder,
        &format!("{words} --shard 1/2"),
        "--shard: without --srand",
    );
    let done = folder.linesman(&format!("{MATCH} --shard 3/2")).done();
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    // An existing file stays as it is.
    let taken = folder.linesman("merge p1 --out other").done();
    assert_eq!(taken.status, Some(2), "{}", taken.stderr);
    assert!(
        taken.stderr.contains("--out: other exists"),
        "{}",
        taken.stderr
    );
    let missing = folder.linesman("merge p1 nowhere --out all").done();
    assert_eq!(missing.status, Some(1), "{}", missing.stderr);
}
