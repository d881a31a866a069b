//! Matches in rounds.

use serde_json::Value;

use crate::support::{Folder, begins, has};

/// Five copies of the built-in engine, at different strengths.
const FIVE: &str = "match susan:Size=3 --engine builtin name=A nodes=400 --engine builtin name=B nodes=200 --engine builtin \
    name=C nodes=80 --engine builtin name=D nodes=30 --engine builtin name=E nodes=10 --seed 5 --quiet";

/// Number, players and moves of each game, in schedule order.
fn games(folder: &Folder, ledger: &str) -> Vec<[String; 4]> {
    let mut games = folder.games(ledger);
    games.sort_by_key(|game| game["game"].as_u64());
    let told = |game: &Value| ["game", "p1", "p2", "moves"].map(|key| game[key].to_string());
    games.iter().map(told).collect()
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
        folder.cut("three", "cut", n_done);
        folder
            .linesman("match --resume cut --trust --concurrency 2 --quiet")
            .exits(0);
        assert_eq!(games(&folder, "cut"), one, "after {n_done} games");
    }
}
