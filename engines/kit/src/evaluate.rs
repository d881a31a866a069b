//! A game's knowledge beyond its rules: a static score, and hints for the search.
//!
//! [`Evaluate`] is what every game implements. The search always scores a position by [`Evaluate::evaluate`], and hands it
//! the [`Sums`] that it has updated with each move. A game that learns also implements [`NetworkInputs`].

use std::sync::Arc;

use crate::Game;
use crate::network::{FeaturePair, Network, NetworkSums, PlacedInput};
use crate::search::request::NewSearch;

/// A result known without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult {
    /// The side to move forces a win in this many plies.
    Win(u32),
    /// The side to move makes no progress as long as it keeps the opponent from moving. The search scores this close to
    /// a draw; it is not a proof.
    NoProgress,
}

/// A proof about a position without a search. Plies are upper bounds: the game may end sooner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forced<M> {
    /// The side to move wins within `plies`.
    Win {
        /// Plies to the end.
        plies: u32,
    },
    /// The opponent wins within `plies`.
    Loss {
        /// Plies to the end.
        plies: u32,
    },
    /// Every move except these loses within `plies`, the move included. `moves` is not empty.
    Only {
        /// The legal moves that may not lose.
        moves: Vec<M>,
        /// Plies to the end after any other move.
        plies: u32,
    },
    /// Nothing.
    Open,
}

/// A game's evaluation of its positions.
pub trait Evaluate: Game {
    /// Late move pruning: near the leaves, at depth `d`, the search tries only the first `N + d * d` moves of its move
    /// ordering, where `N` is this number. `None`, the default, disables pruning. Whether a game gains from it, and
    /// from which number, is found by matches.
    const N_UNPRUNED_MOVES: Option<usize> = None;

    /// The sums over a position that the search updates with each move: [`NetworkSums`] for a network, `()` for an
    /// evaluation that needs none.
    type Sums: Sums<Self>;

    /// Static score in hundredths of the game's unit, from the side to move; a balanced position is 0. The absolute
    /// value is below 20,000. `sums` are those of the position. The search never calls it for finished positions.
    fn evaluate(&self, position: &Self::Position, sums: &Self::Sums) -> i32;

    /// The weight of each feature for the side to move, in hundredths; empty if the evaluation is not a
    /// [`weighted_sum`].
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Calls `add` with the index of each feature of the position and its count.
    fn features(&self, _position: &Self::Position, _add: &mut impl FnMut(usize, i32)) {}

    /// A move that wins at once, if the game can find one more cheaply than by trying all moves. The move returned
    /// always wins; `None` does not mean that there is none.
    fn win_in_one(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Scores that order moves before they are searched; larger is better. The outer call computes what all moves of
    /// the position have in common. The search adds at most
    /// [`MAX_ORDERING_BONUS`](crate::search::ordering::MAX_ORDERING_BONUS) for killers and history, so a larger prior
    /// outweighs both.
    fn move_priors<'a>(&'a self, _position: &'a Self::Position) -> impl Fn(Self::Move) -> i32 + 'a {
        |_| 0
    }

    /// A search by which the engine plays better than by principal variation search over the static score; `None`, the
    /// default, if there is none.
    fn own_search(&self) -> Option<NewSearch<Self>> {
        None
    }

    /// The game as one that learns.
    fn network_inputs(&self) -> Option<&dyn NetworkInputs<Self>> {
        None
    }

    /// A result that the game proves without a search; `None`, the default, for a game that proves nothing of any
    /// position. It must hold regardless of the positions that occurred before. A win in one move need not be reported,
    /// since the position after that move is lost. The call may take as long as visiting some hundred positions. The game
    /// must not be over.
    fn forced(&self, _position: &Self::Position) -> Option<Forced<Self::Move>> {
        None
    }

    /// A key like [`search_key`](Game::search_key), but equal for positions that are symmetric to each other. Proofs
    /// are stored under it. If earlier positions draw by [repetition](Game::repetition_limit), one of two symmetric
    /// positions can be drawn and the other won, so a proof then uses the plain key.
    fn symmetric_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// The game with tables for [`known_result`](Evaluate::known_result), computed before a search of this position. The
    /// computation visits at most `max_positions` positions. `is_drawn` is `true` for positions whose next occurrence
    /// draws the game by repetition: no win may lead through them.
    #[must_use]
    fn with_known_results(
        &self,
        _position: &Self::Position,
        _max_positions: usize,
        _is_drawn: &dyn Fn(&Self::Position) -> bool,
    ) -> Self {
        self.clone()
    }

    /// The result of a position in the tables; `None` if it is not in them.
    #[inline]
    fn known_result(&self, _position: &Self::Position) -> Option<KnownResult> {
        None
    }
}

/// Sums over the position that a search updates with each move. The search has those of each ply.
pub trait Sums<G: Evaluate>: Clone + Send {
    /// The sums of a position, computed from nothing.
    fn of(game: &G, position: &G::Position) -> Self;

    /// Becomes the sums of a position after this move, given those before it.
    fn follow(&mut self, before: &Self, game: &G, position: &G::Position, last: G::Move);
}

/// For a game that is evaluated by the position alone.
impl<G: Evaluate> Sums<G> for () {
    fn of(_: &G, _: &G::Position) {}

    fn follow(&mut self, (): &(), _: &G, _: &G::Position, _: G::Move) {}
}

impl<G: Evaluate + NetworkInputs<G>> Sums<G> for NetworkSums {
    fn of(game: &G, position: &G::Position) -> NetworkSums {
        let mut placed = Vec::new();
        game.placed_inputs(position, None, &mut placed);
        NetworkSums::new(game.network().map(|network| &**network), placed)
    }

    #[inline]
    fn follow(&mut self, before: &NetworkSums, game: &G, position: &G::Position, last: G::Move) {
        if let Some(network) = game.network() {
            self.placed.clear();
            game.placed_inputs(position, Some(last), &mut self.placed);
            self.advance(before, network);
        }
    }
}

/// Weighted sum of a position's features, from the side to move, in hundredths.
pub fn weighted_sum<G: Evaluate>(game: &G, position: &G::Position) -> i32 {
    let weights = game.weights();
    let mut sum = 0;
    game.features(position, &mut |index, count| {
        sum += i32::from(weights[index]) * count;
    });
    sum
}

/// A game whose positions a [`Network`] evaluates, and which learns its weights.
pub trait NetworkInputs<G: Game> {
    /// Number of inputs of the network.
    fn n_inputs(&self) -> usize;

    /// The network of this board; `None` without one.
    fn network(&self) -> Option<&Arc<Network>>;

    /// Returns the game with this network.
    fn with_network(&self, network: Arc<Network>) -> G;

    /// Calls `add` with each active input of the position, at most [`MAX_ACTIVE`](crate::network::MAX_ACTIVE) times. The
    /// default are those of all [places](NetworkInputs::placed_inputs).
    fn inputs(&self, position: &G::Position, add: &mut dyn FnMut(FeaturePair)) {
        let mut placed = Vec::new();
        self.placed_inputs(position, None, &mut placed);
        placed
            .iter()
            .filter_map(|placed| placed.input)
            .for_each(add);
    }

    /// Appends what places of the position hold: after a move, only those that it can have changed; without one, all.
    /// Only for [`NetworkSums`].
    fn placed_inputs(
        &self,
        _position: &G::Position,
        _last: Option<G::Move>,
        _placed: &mut Vec<PlacedInput>,
    ) {
    }

    /// `true` if the network sees a position from both players' side, `false` if only from that of the side to move.
    fn has_two_perspectives(&self) -> bool {
        true
    }

    /// Lambda of TD(lambda) in the network's training targets: the weight of the target of the next position against
    /// the position's own score. With 1, the default, the target is the game's result, however far away it is.
    fn td_lambda(&self) -> f32 {
        1.0
    }
}
