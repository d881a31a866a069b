//! Puzzles: the built-in suites, and the effect of a best move in words.

use std::sync::Arc;

use check::suite;
use check::suite::Puzzle;
use kit::Value;
use record::registry::Registry;

use crate::output::printable;
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

/// Puzzles, and the number of the first one to pose.
#[derive(Debug, Clone)]
pub(crate) struct PuzzleSet {
    pub(crate) puzzles: Arc<[Puzzle]>,
    pub(crate) first: usize,
}

impl PuzzleSet {
    pub(crate) fn new(puzzles: Vec<Puzzle>, first: usize) -> PuzzleSet {
        PuzzleSet {
            puzzles: puzzles.into(),
            first,
        }
    }
}

/// The built-in suite of a game; empty if it has none.
pub(crate) fn built_in(game: &str, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let own = SUITES.iter().find(|(name, _)| *name == game);
    let text = own.map_or("", |(_, text)| text);
    suite::parse(text, registry)
        .map_err(|(line, why)| Failure::Trouble(format!("the suite of {game}, line {line}: {why}")))
}

/// The effect of the best move, in words.
pub(crate) fn worth(puzzle: &Puzzle) -> String {
    let told = match puzzle.value {
        Some(Value::Win(1)) => "wins at once".to_owned(),
        Some(Value::Win(plies)) => format!("wins in {plies} plies"),
        Some(Value::Loss(plies)) => format!("delays the loss longest: {plies} plies"),
        Some(Value::Draw) => "keeps the draw".to_owned(),
        None => "is best".to_owned(),
    };
    match &puzzle.comment {
        Some(comment) => format!("{told} ({})", printable(comment)),
        None => told,
    }
}
