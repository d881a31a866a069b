//! The history of weights that learn by playing: their games, and their earlier versions.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::bytes::{Decoder, Encoder};
use crate::network::{HIDDEN, Network};
use crate::weights::Weights;

/// Maximum number of games on record.
const MAX_GAMES: usize = 1_000_000;
/// The weights are kept after this number of games, and then each time that the number has doubled.
const FIRST_KEPT: u64 = 25;
/// Code of a game without points.
const NO_POINTS: u8 = 255;
/// Upper bound of the doublings of [`FIRST_KEPT`] that a number of games can reach.
const MAX_EARLIER: usize = 40;

/// A game that was learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearnedGame {
    /// Seconds since the Unix epoch.
    pub at: u64,
    /// Half points of the engine that learned; `None` if it played both sides or none.
    pub half_points: Option<u8>,
}

/// Weights as they were after some games.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierWeights {
    /// Number of games learned from.
    pub n_games: u64,
    /// The weights.
    pub network: Arc<Network>,
}

/// The history of weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Biography {
    /// The board of the last game, as `query game` gives it; empty if there was none on record.
    pub board: String,
    /// The last games, the oldest first. Older versions of the file kept no record.
    pub games: Vec<LearnedGame>,
    /// Earlier versions of the weights, the oldest first.
    pub earlier: Vec<EarlierWeights>,
}

impl Biography {
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

    /// Stores the weights if they are due after this number of games.
    pub(super) fn keep(&mut self, n_games: u64, network: impl FnOnce() -> Network) {
        let is_due = n_games.is_multiple_of(FIRST_KEPT) && (n_games / FIRST_KEPT).is_power_of_two();
        if is_due {
            let network = Arc::new(network());
            self.earlier.push(EarlierWeights { n_games, network });
        }
    }

    pub(super) fn encode(&self, bytes: &mut Encoder) {
        bytes.put_text(&self.board);
        bytes.put_u32(self.games.len() as u32);
        for game in &self.games {
            bytes.put_u64(game.at);
            bytes.0.push(game.half_points.unwrap_or(NO_POINTS));
        }
        bytes.put_u32(self.earlier.len() as u32);
        for earlier in &self.earlier {
            let network = earlier.network.to_bytes();
            bytes.put_u64(earlier.n_games);
            bytes.put_u32(network.len() as u32);
            bytes.0.extend(network);
        }
    }

    /// Reads a history of weights with this number of inputs; `None` if it is not sound.
    pub(super) fn decode(body: &mut Decoder<'_>, n_inputs: usize) -> Option<Biography> {
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
        let n_earlier = body.u32()?;
        let earlier = |_| {
            let n_games = body.u64()?;
            let n_bytes = body.u32()? as usize;
            let network = Network::from_bytes(body.bytes(n_bytes)?).ok()?;
            (network.n_inputs() == n_inputs).then(|| EarlierWeights {
                n_games,
                network: Arc::new(network),
            })
        };
        let earlier = (0..n_earlier).map(earlier).collect::<Option<_>>()?;
        Some(Biography {
            board,
            games,
            earlier,
        })
    }

    /// Maximum size in bytes of a history of weights with this number of inputs.
    pub(super) fn max_bytes(n_inputs: usize) -> u64 {
        let network = 64 + (n_inputs + 6) * HIDDEN;
        (1024 + 9 * MAX_GAMES + MAX_EARLIER * network) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{NetworkTrainer, Trainer};

    #[test]
    fn a_history_is_read_as_it_was_written() {
        let network = || NetworkTrainer::untrained(3, 1).weights();
        let mut biography = Biography::default();
        for (n_games, points) in [(24, Some(0)), (25, None), (26, Some(2)), (50, Some(1))] {
            biography.add_game("susan Size=5", points);
            biography.keep(n_games, network);
        }
        let kept: Vec<u64> = biography.earlier.iter().map(|one| one.n_games).collect();
        assert_eq!(kept, [25, 50]);
        let mut bytes = Encoder::default();
        biography.encode(&mut bytes);
        assert!(bytes.0.len() as u64 <= Biography::max_bytes(3));
        let read = |bytes: &[u8], n_inputs| Biography::decode(&mut Decoder(bytes), n_inputs);
        assert_eq!(read(&bytes.0, 3), Some(biography));
        assert_eq!(read(&bytes.0, 4), None);
        assert_eq!(read(&bytes.0[..bytes.0.len() - 1], 3), None);
    }
}
