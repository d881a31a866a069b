//! The fingerprint of every game's search: the node count of `bench`.
//!
//! A commit that changes a count changes the search, the evaluation or the rules. If that is intended, the commit
//! updates the table below and gives the reason in its message.

use crate::support::Folder;

/// Game and node count.
const NODE_COUNTS: [(&str, u64); 5] = [
    ("entropy", 1_492_967),
    ("gobblet", 2_612_073),
    ("graph-hockey", 1_607_772),
    ("projex", 137_210),
    ("susan", 214_802),
];

/// The node count of a game.
pub(crate) fn node_count(game: &str) -> u64 {
    let known = NODE_COUNTS.iter().find(|(name, _)| *name == game);
    known.expect("a game of the table").1
}

fn bench(game: &str) -> u64 {
    let folder = Folder::new(&format!("bench-{game}"));
    let done = folder.linesman(&format!("engine {game} bench")).exits(0);
    done.shows(1, "Nodes/second");
    let line = done.lines("Nodes searched").join(" ");
    let count = line.rsplit(' ').next().unwrap_or_default();
    count.parse().expect("a node count")
}

#[test]
fn every_game_has_its_node_count() {
    let counts = NODE_COUNTS.map(|(game, _)| (game, bench(game)));
    assert_eq!(counts, NODE_COUNTS);
}

#[test]
fn the_table_holds_every_game() {
    let mut games: Vec<&str> = linesman::GAMES
        .games()
        .iter()
        .map(|entry| entry.name)
        .collect();
    games.sort_unstable();
    assert_eq!(games, NODE_COUNTS.map(|(game, _)| game));
}
