//! Matches in rounds.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, begins, has};

/// Five copies of the built-in engine, at different strengths.
const FIVE: &str = "match susan:Size=3 --engine builtin name=A nodes=400 --engine builtin name=B nodes=200 --engine builtin \
    name=C nodes=80 --engine builtin name=D nodes=30 --engine builtin name=E nodes=10 --seed 5 --quiet";

/// Number, players and moves of each game, in schedule order.
fn games(folder: &Folder, ledger: &str) -> Vec<[String; 4]> {
    let (_, mut games) = folder.ledger(ledger);
    games.sort_by_key(|game| game["game"].as_u64());
    let told = |game: &Value| ["game", "p1", "p2", "moves"].map(|key| game[key].to_string());
    games.iter().map(told).collect()
}

/// Writes a ledger with the plan and the first games of another one.
fn shorten(folder: &Folder, from: &str, to: &str, n_games: usize) {
    let text = folder.read(from);
    let lines: Vec<&str> = text.lines().take(1 + n_games).collect();
    fs::write(folder.path(to), lines.join("\n") + "\n").expect("it is written");
}

#[test]
fn a_swiss_match_is_the_same_at_any_concurrency_and_after_any_stop() {
    let folder = Folder::new("swiss");
    let swiss = format!("{FIVE} --format swiss --games 2");
    let done = folder.linesman(&format!("{swiss} --ledger one")).exits(0);
    let one = games(&folder, "one");
    assert_eq!(one.len(), 3 * 2 * 2, "three rounds of two meetings");
    done.shows(3, "round ");
    let standing = "swiss standing in round 3 of 3; a bye counts 1";
    let at = done.stdout.iter().position(|line| line == standing);
    let places = &done.stdout[1 + at.expect("a standing")..];
    assert_eq!(places.len(), 5, "{:?}", done.stdout);
    begins(&places[0], " 1  ");
    has(&places[0], " points, Buchholz ");
    folder
        .linesman(&format!("{swiss} --ledger three --concurrency 3"))
        .exits(0);
    assert_eq!(games(&folder, "three"), one);
    for n_done in [0, 3, 4, 11] {
        shorten(&folder, "three", "cut", n_done);
        folder
            .linesman("match --resume cut --trust --concurrency 2 --quiet")
            .exits(0);
        assert_eq!(games(&folder, "cut"), one, "after {n_done} games");
    }
}

#[test]
fn rounds_that_a_ledger_cannot_give_are_refused() {
    let folder = Folder::new("rounds-refused");
    let swiss = format!("{FIVE} --format swiss:rounds=2 --games 2 --ledger l");
    folder.linesman(&swiss).exits(0);
    let text = folder.read("l");
    let lacking: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("{\"game\":1,"))
        .collect();
    fs::write(folder.path("lacking"), lacking.join("\n") + "\n").expect("it is written");
    let done = folder.linesman("match --resume lacking --trust").exits(1);
    let why = "lacking: game 1 is missing, and game 8 of a later round was played";
    has(&done.stderr, why);
    assert_eq!(
        folder.read("lacking"),
        lacking.join("\n") + "\n",
        "it stays as it is"
    );
    folder
        .linesman("match --resume l --games 4")
        .fails(2, "--games: a match with rounds cannot be made longer");
    for (words, named) in [
        ("--format swiss --games 3", "games: expected an even number"),
        ("--format swiss --noswap", "swapped sides"),
        (
            "--format swiss --shard 1/2",
            "shard and sprt: expected round-robin",
        ),
        ("--format swiss:rounds=0", "swiss:rounds=N"),
        ("--format cup", "swiss:rounds=N"),
    ] {
        folder
            .linesman(&format!("{FIVE} {words} --ledger new"))
            .fails(2, named);
        assert!(!folder.path("new").exists());
    }
}

#[test]
fn the_first_round_can_be_shown() {
    let folder = Folder::new("dry-swiss");
    let dry = |words: &str| {
        let done = folder
            .linesman(&format!("{FIVE} {words} --games 2 --dry-run"))
            .exits(0);
        done.stdout
    };
    let shown = dry("--format swiss --openings none");
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[0], "Game 1 (pair 1): A vs C, startpos");
    assert_eq!(
        shown[4],
        "Later rounds depend on the results of these games"
    );
    assert_eq!(dry("--format gauntlet").len(), 8);
}
