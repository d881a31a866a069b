//! A match in parts (`match --shard`), whose ledgers `stats` reads together.

use std::fs;

use serde_json::Value;

use crate::support::Folder;

const MATCH: &str = "match susan:Size=4 --engine builtin name=A --engine builtin name=B --games 7 --each nodes=30 --seed 7 --quiet";

fn part(folder: &Folder, shard: &str, ledger: &str) {
    let words = format!("{MATCH} --shard {shard} --ledger {ledger}");
    folder.linesman(&words).exits(0);
}

/// The statistics of files, and the warnings.
fn stats(folder: &Folder, files: &str) -> (Value, String) {
    let done = folder.linesman(&format!("stats {files} --json")).exits(0);
    let numbers = serde_json::from_str(&done.stdout.concat());
    (numbers.expect("one object"), done.stderr)
}

#[test]
fn the_parts_of_a_match_make_the_whole() {
    let folder = Folder::new("parts");
    for number in 1..=3 {
        part(&folder, &format!("{number}/3"), &format!("p{number}"));
    }
    folder.linesman(&format!("{MATCH} --ledger whole")).exits(0);
    let moves = |names: &[&str]| -> Vec<_> {
        let games = names.iter().flat_map(|name| folder.ledger(name).1);
        let mut games: Vec<Value> = games.collect();
        games.sort_by_key(|game| game["game"].as_u64());
        let fields = ["game", "pair", "p1", "opening", "moves", "result"];
        let game = |game: &Value| fields.map(|key| game[key].to_string());
        games.iter().map(game).collect()
    };
    assert_eq!(
        moves(&["p3", "p1", "p2"]),
        moves(&["whole"]),
        "one seed, node limits: the same games"
    );
    let (whole, _) = stats(&folder, "whole");
    fs::copy(folder.path("p1"), folder.path("copy")).expect("it is copied");
    for files in ["p3 p1 p2", "p1 copy p2 p3"] {
        let (parts, warnings) = stats(&folder, files);
        assert_eq!(parts["report"], whole["report"], "{files}");
        assert_eq!(warnings, "", "{files}");
    }
}
