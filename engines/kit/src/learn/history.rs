//! The history of weights that learn by playing: their games.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::bytes::{Decoder, Encoder};

/// Maximum number of games on record.
const MAX_GAMES: usize = 1_000_000;
/// Code of a game without points.
const NO_POINTS: u8 = 255;

/// A game that was learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearnedGame {
    /// Seconds since the Unix epoch.
    pub at: u64,
    /// Half points of the engine that learned; `None` if it played both sides or none.
    pub half_points: Option<u8>,
}

/// The history of weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LearningHistory {
    /// The board of the last game, as `query game` gives it; empty if there was none on record.
    pub board: String,
    /// The last games, the oldest first.
    pub games: Vec<LearnedGame>,
}

impl LearningHistory {
    /// Adds a game that has just ended.
    pub(super) fn add_game(&mut self, board: &str, half_points: Option<u8>) {
        board.clone_into(&mut self.board);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        self.games.push(LearnedGame {
            at: now.map_or(0, |since| since.as_secs()),
            half_points,
        });
        let surplus = self.games.len().saturating_sub(MAX_GAMES);
        self.games.drain(..surplus);
    }

    pub(super) fn encode(&self, bytes: &mut Encoder) {
        bytes.put_text(&self.board);
        bytes.put_u32(self.games.len() as u32);
        for game in &self.games {
            bytes.put_u64(game.at);
            bytes.0.push(game.half_points.unwrap_or(NO_POINTS));
        }
        // Reserved.
        bytes.put_u32(0);
    }

    /// Reads a history; `None` if it is not sound.
    pub(super) fn decode(body: &mut Decoder<'_>) -> Option<LearningHistory> {
        let board = body.text()?;
        let n_games = body.u32()?;
        let game = |_| {
            let at = body.u64()?;
            let half_points = match body.bytes(1)? {
                [points @ 0..=2] => Some(*points),
                [NO_POINTS] => None,
                _ => return None,
            };
            Some(LearnedGame { at, half_points })
        };
        let games = (0..n_games).map(game).collect::<Option<_>>()?;
        (body.u32()? == 0).then_some(LearningHistory { board, games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_read_as_it_was_written() {
        let mut history = LearningHistory::default();
        for points in [Some(0), None, Some(2), Some(1)] {
            history.add_game("susan Size=5", points);
        }
        let mut bytes = Encoder::default();
        history.encode(&mut bytes);
        let read = |bytes: &[u8]| LearningHistory::decode(&mut Decoder(bytes));
        assert_eq!(read(&bytes.0), Some(history));
        assert_eq!(read(&bytes.0[..bytes.0.len() - 1]), None);
    }
}
