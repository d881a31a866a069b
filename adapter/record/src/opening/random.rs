//! Random openings.

use fastrand::Rng;
use kit::Rejection;

use super::position::Opening;
use crate::registry::Rules;

impl Opening {
    /// Draws `plies` random legal moves that do not end the game. Depends only on `seed` and `index`.
    ///
    /// # Errors
    /// Nearly every game ends within this number of plies.
    pub fn random(
        rules: &Rules,
        plies: usize,
        seed: u64,
        index: u64,
    ) -> Result<Opening, Rejection> {
        draw(rules, plies, &mut generator(seed, index))
    }
}

/// The random number generator of one opening.
pub fn generator(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Draws random legal moves that do not end the game.
pub(super) fn draw(rules: &Rules, plies: usize, rng: &mut Rng) -> Result<Opening, Rejection> {
    const ATTEMPTS: usize = 1000;
    (0..ATTEMPTS)
        .find_map(|_| attempt(rules, plies, rng))
        .map(|moves| Opening { fen: None, moves })
        .ok_or_else(|| {
            Rejection(format!(
                "no game lasts {plies} random plies: expected fewer"
            ))
        })
}

fn attempt(rules: &Rules, plies: usize, rng: &mut Rng) -> Option<Vec<String>> {
    let mut board = rules.start();
    let mut codes = Vec::new();
    for _ in 0..plies {
        let code = rng.choice(board.moves())?;
        codes.push(board.play(&code).ok()?);
    }
    board.outcome().is_none().then_some(codes)
}
