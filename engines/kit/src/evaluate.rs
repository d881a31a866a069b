//! A game's knowledge beyond its rules: a static score, and hints for the search.
//!
//! [`Evaluate`] is what every game implements; all of it has defaults. A game with a network or proofs also
//! implements [`NetworkInputs`], [`ForcedResults`] or [`KnownResults`] and returns itself from the
//! method of [`Evaluate`] with that name.

use std::sync::Arc;

use crate::Game;
use crate::network::{FeaturePair, Network, PlacedInput};
use crate::search::NewSearch;

/// A result known without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult {
    /// The side to move forces a win in this many plies.
    Win(u32),
    /// The side to move makes no progress as long as it keeps the opponent from moving. The search scores this close to
    /// a draw; it is not a proof.
    NoProgress,
}

/// A result that a game proves without a search. Plies are upper bounds: the game may end sooner.
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
}

/// A game's evaluation of its positions.
pub trait Evaluate: Game {
    /// Late move pruning: near the leaves, at depth `d`, the search tries only the first `N + d * d` moves of its move
    /// ordering, where `N` is this number. `None`, the default, disables pruning. Whether a game gains from it, and
    /// from which number, is found by matches.
    const N_UNPRUNED_MOVES: Option<usize> = None;

    /// Static score in hundredths of the game's unit, from the side to move; a balanced position is 0. The absolute
    /// value is below 20,000. The search never calls it for finished positions. The default is the score of the
    /// [network](NetworkInputs::network) if there is one, otherwise the [`weighted_sum`].
    fn evaluate(&self, position: &Self::Position) -> i32 {
        match self.network_inputs().zip(network(self)) {
            Some((inputs, network)) => {
                let sums = network.accumulator(|add| inputs.inputs(position, add));
                network.score(&sums, self.side(position))
            }
            None => weighted_sum(self, position),
        }
    }

    /// The weight of each feature for the side to move, in hundredths; empty if the evaluation is not a weighted sum.
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

    /// The game as one with a network.
    fn network_inputs(&self) -> Option<&dyn NetworkInputs<Self>> {
        None
    }

    /// The game as one that proves results without a search.
    fn forced_results(&self) -> Option<&dyn ForcedResults<Self>> {
        None
    }

    /// The game as one that computes results before a search.
    fn known_results(&self) -> Option<&dyn KnownResults<Self>> {
        None
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

/// The network of a game; `None` without one.
#[inline]
pub fn network<G: Evaluate>(game: &G) -> Option<&Arc<Network>> {
    game.network_inputs()?.network()
}

/// A game whose positions a [`Network`] evaluates.
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

    /// Appends what places of the position hold: after a move, only those that it can have changed; without one, all. The
    /// search updates the network's sums by it. Never called without
    /// [two perspectives](NetworkInputs::has_two_perspectives).
    fn placed_inputs(
        &self,
        _position: &G::Position,
        _last: Option<G::Move>,
        _placed: &mut Vec<PlacedInput>,
    ) {
    }

    /// `true` if the network sees a position from both players' side. If `false`, it sees only the side to move's, and
    /// the game overrides [`evaluate`](Evaluate::evaluate), which the search calls for each position.
    fn has_two_perspectives(&self) -> bool {
        true
    }

    /// Lambda of TD(lambda) in the network's training targets: the weight of the target of the next position against
    /// the position's own score. With 1, the default, the target is the game's result, however far away it is.
    fn td_lambda(&self) -> f32 {
        1.0
    }
}

/// A game that proves results of its positions.
pub trait ForcedResults<G: Game> {
    /// A result that the game proves without a search; `None` if it proves nothing. It must hold regardless of the
    /// positions that occurred before. A win in one move need not be reported, since the position after that move is
    /// lost. The call may take as long as visiting some hundred positions. The game must not be over.
    fn forced(&self, position: &G::Position) -> Option<Forced<G::Move>>;

    /// A key like [`search_key`](Game::search_key), but equal for positions that are symmetric to each other. Proofs
    /// are stored under it. If earlier positions draw by [repetition](Game::repetition_limit), one of two symmetric
    /// positions can be drawn and the other won, so a proof then uses the plain key.
    fn symmetric_key(&self, position: &G::Position) -> u64;
}

/// A game that computes tables of results before a search.
pub trait KnownResults<G: Game> {
    /// Returns the game with tables for [`known_result`](KnownResults::known_result), computed before a search of this
    /// position. The computation visits at most `max_positions` positions. `is_drawn` is `true` for positions whose
    /// next occurrence draws the game by repetition: no win may lead through them.
    fn with_known_results(
        &self,
        position: &G::Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&G::Position) -> bool,
    ) -> G;

    /// The result of a position in the tables; `None` if it is not in them.
    fn known_result(&self, position: &G::Position) -> Option<KnownResult>;
}
