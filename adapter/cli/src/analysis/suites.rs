//! The built-in suites, and puzzles for a table.

use std::sync::Arc;

use check::suite;
use check::suite::Puzzle;
use record::registry::Registry;

use crate::usage::Failure;

/// The built-in suites, by game.
const SUITES: &[(&str, &str)] = &[
    (
        "graph-hockey",
        include_str!("../../suites/graph-hockey.epd"),
    ),
    ("gobblet", include_str!("../../suites/gobblet.epd")),
    ("susan", include_str!("../../suites/susan.epd")),
    ("projex", include_str!("../../suites/projex.epd")),
    ("entropy", include_str!("../../suites/entropy.epd")),
];

/// Puzzles, and the number of the one that opens the table, if one does.
#[derive(Debug, Clone)]
pub(crate) struct PuzzleSet {
    pub(crate) puzzles: Arc<[Puzzle]>,
    pub(crate) first: Option<usize>,
}

/// The built-in suite of a game; empty if it has none.
pub(crate) fn built_in(game: &str, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let own = SUITES.iter().find(|(name, _)| *name == game);
    let text = own.map_or("", |(_, text)| text);
    suite::parse(text, registry)
        .map_err(|(line, why)| Failure::Trouble(format!("the suite of {game}, line {line}: {why}")))
}
