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
    let attempts = (0..ATTEMPTS).map(|_| attempt(rules, plies, rng));
    let drawn = attempts.map(Result::transpose).find_map(|drawn| drawn);
    let too_short = || {
        Err(Rejection(format!(
            "no game lasts {plies} random plies: expected fewer"
        )))
    };
    let moves = drawn.unwrap_or_else(too_short)?;
    Ok(Opening { fen: None, moves })
}

/// The moves of one game; `None` if it ends too early.
fn attempt(rules: &Rules, plies: usize, rng: &mut Rng) -> Result<Option<Vec<String>>, Rejection> {
    let mut board = rules.start();
    let mut codes = Vec::new();
    while codes.len() < plies
        && let Some(code) = rng.choice(board.moves())
    {
        codes.push(board.play(&code)?);
    }
    match board.fault() {
        Some(why) => Err(Rejection(why)),
        None if codes.len() < plies || board.outcome().is_some() => Ok(None),
        None => Ok(Some(codes)),
    }
}
