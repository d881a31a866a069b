//! Built-in engines that learn from the games that they play: who can learn, and what a file of one has learned.

use std::fmt::Display;
use std::path::Path;

use itertools::Itertools;
use kit::DynHistory;
use kit::fen::counted;
use kit::learn::{Learner, OnlineLearner};
use record::opening::Opening;
use record::registry::{Registry, Rules};
use record::stats::Window;

use crate::date::moment;
use crate::game_name::rules_of;
use crate::usage::{Done, OrFail, refuse};

/// Maximum number of windows of a record whose size is not given.
pub const MAX_WINDOWS: usize = 30;

/// Checks that an engine of this board can learn in this file. Returns a message about what the file knows.
pub(crate) fn check(rules: &Rules, path: &Path, registry: Registry) -> Done<String> {
    let engine = learner(rules, registry, "--learn")?;
    let shown = path.display();
    let mut told = format!("{shown} is new: the engine knows nothing yet");
    // The engine opens the file too; the lock is free again until then.
    drop(OnlineLearner::open(path, engine.n_inputs()).or_trouble("--learn")?);
    if path.exists() {
        let learner = Learner::read(path).or_trouble("--learn")?;
        told = format!("{shown}: {}", Record::of(&learner, None).summary());
    }
    let counts = "The engine learns from each game that ends by the rules, by resignation or by an agreed draw.";
    Ok(format!("{told}\n{counts}"))
}

/// The engine of a board, if it can learn. Otherwise the failure begins with the file or the flag that names the board.
pub fn learner(
    rules: &Rules,
    registry: Registry,
    named_by: impl Display,
) -> Done<Box<dyn DynHistory>> {
    let engine = engine_of(rules)?;
    if engine.n_inputs() > 0 {
        return Ok(engine);
    }
    let name = rules.entry().name;
    let learns = |name: &&str| {
        let engine = rules_of(name, registry).and_then(|rules| engine_of(&rules));
        engine.is_ok_and(|engine| engine.n_inputs() > 0)
    };
    let games = registry.games().iter().map(|entry| entry.name);
    let games = games.filter(learns).join(", ");
    refuse!(
        "{named_by}: {name} is played without a network, so its engine does not learn: choose one of {games}"
    )
}

/// The engine of a board.
pub fn engine_of(rules: &Rules) -> Done<Box<dyn DynHistory>> {
    rules.open(&Opening::default()).or_usage("GAME")
}

/// The record of an engine that learns.
pub struct Record<'a> {
    learner: &'a Learner,
    /// Games per window.
    pub every: usize,
    /// The scores of successive games.
    pub windows: Vec<Window>,
}

impl<'a> Record<'a> {
    /// The scores of each `every` games; of a round number if absent.
    pub fn of(learner: &'a Learner, every: Option<usize>) -> Record<'a> {
        let games = learner.history.games.iter();
        let points = games.filter_map(|game| Some(f64::from(game.half_points?) / 2.0));
        let points: Vec<f64> = points.collect();
        let every = every.unwrap_or_else(|| round_size(points.len()));
        let windows = Window::of(&points, every);
        Record {
            learner,
            every,
            windows,
        }
    }

    /// Number of games, since when, and the first and the last score.
    pub fn summary(&self) -> String {
        let n_games = self.learner.n_games as usize;
        let games = &self.learner.history.games;
        let mut text = format!("learned from {}", counted(n_games, "game"));
        if let Some(first) = games.first() {
            let since = moment(i64::try_from(first.at).unwrap_or(i64::MAX));
            let has_more = n_games > games.len();
            let recorded = if has_more { ", on record" } else { "" };
            text += &format!("{recorded} since {since}");
        }
        match &self.windows[..] {
            [] => text,
            [only] => format!("{text}; its score: {}", stretch(only)),
            [first, .., last] => {
                format!("{text}; its score: {}, {}", stretch(first), stretch(last))
            }
        }
    }
}

fn stretch(window: &Window) -> String {
    let (percent, first, last) = (100.0 * window.score, window.first, window.last);
    format!("{percent:.1} % in games {first} to {last}")
}

/// The least round number, at least 10, by which this number of games gives few windows.
fn round_size(n_games: usize) -> usize {
    let powers = std::iter::successors(Some(10), |power| Some(power * 10));
    let mut sizes = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    let size = sizes.find(|size| n_games.div_ceil(*size) <= MAX_WINDOWS);
    size.expect("sizes grow without end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_few_windows() {
        for (n_games, size) in [
            (0, 10),
            (300, 10),
            (301, 20),
            (2_400, 100),
            (100_000, 5_000),
        ] {
            assert_eq!(round_size(n_games), size, "{n_games}");
        }
    }
}
