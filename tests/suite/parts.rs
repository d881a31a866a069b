//! A match in parts (`match --shard`), whose ledgers `stats` reads together.

use std::fs;

use serde_json::Value;

use crate::support::{Done, Folder};

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

fn refused(folder: &Folder, words: &str, why: &str) -> Done {
    let done = folder.linesman(words).fails(2, why);
    assert!(done.stdout.is_empty(), "{words}: {:?}", done.stdout);
    done
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

#[test]
fn what_is_missing_is_named() {
    let folder = Folder::new("parts-missing");
    part(&folder, "2/3", "p2");
    let (_, warnings) = stats(&folder, "p2");
    assert_eq!(
        warnings,
        "warning: 2 of 3 parts are missing, with 5 games: 1/3, 3/3\n"
    );
    part(&folder, "1/3", "p1");
    let text = folder.read("p1");
    let lines: Vec<&str> = text.lines().take(3).collect();
    fs::write(folder.path("p1"), lines.join("\n") + "\n").expect("it is written");
    let (numbers, warnings) = stats(&folder, "p2 p1");
    assert_eq!(
        warnings,
        "warning: p1: 2 of the 3 games of its part\nwarning: 1 of 3 parts are missing, with 2 games: 3/3\n"
    );
    assert_eq!(numbers["report"]["repeats"]["games"], 4);
}

#[test]
fn what_is_no_part_of_the_match_is_refused() {
    let folder = Folder::new("parts-refused");
    part(&folder, "1/2", "p1");
    part(&folder, "1/2", "again");
    part(&folder, "2/3", "third");
    let other = MATCH.replace("--games 7", "--games 5");
    folder
        .linesman(&format!("{other} --shard 2/2 --ledger other"))
        .done();
    folder.linesman(&format!("{MATCH} --ledger whole")).done();
    for (files, why) in [
        (
            "p1 other",
            "other is of another match than p1: games differs: expected parts of one match",
        ),
        (
            "p1 again",
            "again is part 1/2, as p1 is: expected each part once",
        ),
        (
            "p1 third",
            "third is part 2/3 and p1 one of 2: expected parts of one division",
        ),
        ("p1 whole", "whole is the whole match of which p1 is a part"),
    ] {
        refused(&folder, &format!("stats {files}"), why);
    }
    // Another match may be counted with them.
    let words = MATCH.replace("--games 7", "--games 2");
    let line = format!("{words} --ledger unlike");
    folder.linesman(&line).exits(0);
    let (numbers, _) = stats(&folder, "p1 unlike");
    assert_eq!(numbers["report"]["repeats"]["games"], 6);
    let words = MATCH.replace(" --seed 7", "");
    refused(
        &folder,
        &format!("{words} --shard 1/2"),
        "--shard: without --seed",
    );
    folder.linesman(&format!("{MATCH} --shard 3/2")).exits(2);
}
