//! A player's score over consecutive windows of a match, which shows the progress of an engine that learns.

use serde::Serialize;

use super::tally::Wdl;
use crate::game::GameRecord;

/// Consecutive games of a player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// Index of the first game among the player's games with a result, from 1.
    pub first: usize,
    /// Index of the last game.
    pub last: usize,
    /// The player's share of points, 0 to 1.
    pub score: f64,
}

/// The score of a player in windows of `every` games with a result, in the order of `games`. The last window may be
/// shorter.
pub fn windows<'a>(
    games: impl Iterator<Item = &'a GameRecord>,
    player: &str,
    every: usize,
) -> Vec<Window> {
    let own = games.filter(|game| game.p1 == player || game.p2 == player);
    let counted = own.map(|game| Wdl::of(game.result, game.side_of(player)));
    let counted: Vec<Wdl> = counted.filter(|wdl| wdl.games() > 0).collect();
    let window = |(at, games): (usize, &[Wdl])| {
        let points: f64 = games.iter().map(|wdl| wdl.score()).sum();
        Window {
            first: at * every + 1,
            last: at * every + games.len(),
            score: points / games.len() as f64,
        }
    };
    counted
        .chunks(every.max(1))
        .enumerate()
        .map(window)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::stats::summary::tests::record;

    #[test]
    fn each_window_has_its_own_score() {
        let results = [
            GameResult::P1Win,
            GameResult::Draw,
            GameResult::Unknown,
            GameResult::P1Win,
            GameResult::P2Win,
            GameResult::P1Win,
        ];
        let games = results.into_iter().enumerate();
        let games: Vec<GameRecord> = games.map(|(at, result)| record(at + 1, result)).collect();
        let found = windows(games.iter(), "A", 2);
        let shown: Vec<_> = found.iter().map(|w| (w.first, w.last, w.score)).collect();
        // A moves first in games 1, 3 and 5; game 3 has no result.
        assert_eq!(shown, [(1, 2, 0.75), (3, 4, 0.0), (5, 5, 0.0)]);
        assert!(windows(games.iter(), "nobody", 2).is_empty());
    }
}
