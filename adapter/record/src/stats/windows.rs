//! A player's score over consecutive windows of a match, which shows the progress of an engine that learns.

use serde::Serialize;

use super::tally::Wdl;
use crate::finished::Finished;
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

/// Counts the score of a player in windows of equally many games with a result. The last window may be shorter.
#[derive(Debug, Clone)]
pub struct WindowCounter {
    every: usize,
    windows: Vec<Window>,
    /// Points in the last window.
    points: f64,
}

impl WindowCounter {
    /// Starts with windows of `every` games, at least 1.
    pub fn new(every: usize) -> WindowCounter {
        WindowCounter {
            every: every.max(1),
            windows: Vec::new(),
            points: 0.0,
        }
    }

    /// Counts a game if the player played it.
    pub fn count(&mut self, game: &GameRecord, player: &str) {
        let wdl = Wdl::of(game.result, Finished::from(game).side_of(player));
        if wdl.games() == 0 || (game.p1 != player && game.p2 != player) {
            return;
        }
        let n_before = self.windows.last().map_or(0, |window| window.last);
        if n_before.is_multiple_of(self.every) {
            self.points = 0.0;
            self.windows.push(Window {
                first: n_before + 1,
                last: n_before,
                score: 0.0,
            });
        }
        let window = self.windows.last_mut().expect("one is open");
        self.points += wdl.score();
        window.last += 1;
        window.score = self.points / (window.last + 1 - window.first) as f64;
    }

    /// The windows so far.
    pub fn windows(self) -> Vec<Window> {
        self.windows
    }
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
        let windows = |player| {
            let mut counter = WindowCounter::new(2);
            games.iter().for_each(|game| counter.count(game, player));
            counter.windows()
        };
        let found = windows("A");
        let shown: Vec<_> = found.iter().map(|w| (w.first, w.last, w.score)).collect();
        // A moves first in games 1, 3 and 5; game 3 has no result.
        assert_eq!(shown, [(1, 2, 0.75), (3, 4, 0.0), (5, 5, 0.0)]);
        assert!(windows("nobody").is_empty());
    }
}
