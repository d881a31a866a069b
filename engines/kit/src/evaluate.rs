//! How good a position looks, before anyone knows.

use crate::Game;
use crate::playout::Playout;

/// What is known to come of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult {
    /// The player to move wins within so many plies.
    Win(u32),
    /// The player to move can go on like this for ever and gets no further.
    KnownDraw,
}

/// A game's judgement of its positions.
pub trait Evaluate: Game {
    /// Static score in hundredths of the game's unit, from the side to move; a balanced position is 0. Its size
    /// stays under 20,000: finished positions are never asked about, the search scores them.
    /// The weighted sum of the [features](Evaluate::features), unless the game judges in another way.
    fn evaluate(&self, position: &Self::Position) -> i32 {
        let weights = self.weights();
        let mut sum = 0;
        self.features(position, &mut |index, count| {
            sum += i32::from(weights[index]) * count;
        });
        sum
    }

    /// What each feature is worth to the side to move, in hundredths; none where the evaluation is no such sum.
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Calls `add` with the index of each feature that a position has, and how often it has it.
    fn features(&self, _position: &Self::Position, _add: &mut impl FnMut(usize, i32)) {}

    /// A move that wins at once, where the game can tell more cheaply than by trying all. Never wrong; `None`
    /// promises nothing.
    fn win_in_one(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// The game that a search from this position is carried out with: itself, with the prospects that a look at so many
    /// positions can work out beforehand.
    fn attuned(&self, _position: &Self::Position, _most: usize) -> Self {
        self.clone()
    }

    /// What the game knows of a position without a search, beyond its rules. `None` promises nothing.
    fn prospect(&self, _position: &Self::Position) -> Option<KnownResult> {
        None
    }

    /// How promising each move looks before it is tried, the larger the better; what is common to all moves of the
    /// position can be worked out once, before the first. The search adds up to
    /// [`ordering::MAX_ORDERING_BONUS`](crate::search::ordering::MAX_ORDERING_BONUS) for what it has learned of a move; a promise beyond that
    /// stands above all experience.
    fn move_priors<'a>(&'a self, _position: &'a Self::Position) -> impl Fn(Self::Move) -> i32 + 'a {
        |_| 0
    }

    /// Random games, where the game is best searched by them (Monte Carlo tree search). None by default: principal
    /// variation search over the static score plays best.
    fn playout(&self) -> Option<Box<dyn Playout<Self>>> {
        None
    }
}
