//! A game's knowledge beyond its rules: a static score, and hints for the search.

use std::sync::Arc;

use crate::network::{FeaturePair, Network};
use crate::playout::Playout;
use crate::policy::Policy;
use crate::{Game, PositionHistory};

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
    /// [network](Evaluate::network) if there is one, otherwise the weighted sum of the [features](Evaluate::features).
    fn evaluate(&self, position: &Self::Position) -> i32 {
        let side = self.side(position);
        match self.network() {
            Some(network) if Self::TWO_PERSPECTIVES => {
                let sums = network.accumulator(|mut add| self.inputs(position, &mut add));
                network.score(&sums, side)
            }
            Some(network) => {
                let part = network.partial(|add| {
                    self.inputs(position, &mut |seen: FeaturePair| add(seen[side.index()]));
                });
                network.score_of_partial(&part)
            }
            None => self.weighted_sum(position),
        }
    }

    /// Weighted sum of the features, from the side to move, in hundredths.
    fn weighted_sum(&self, position: &Self::Position) -> i32 {
        let weights = self.weights();
        let mut sum = 0;
        self.features(position, &mut |index, count| {
            sum += i32::from(weights[index]) * count;
        });
        sum
    }

    /// The weight of each feature for the side to move, in hundredths; empty if the evaluation is not a weighted sum.
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Calls `add` with the index of each feature of the position and its count.
    fn features(&self, _position: &Self::Position, _add: &mut impl FnMut(usize, i32)) {}

    /// Number of inputs of the [`Network`]; 0, the default, for a game without one.
    const N_INPUTS: usize = 0;

    /// The network that evaluates positions, with [`N_INPUTS`](Evaluate::N_INPUTS) inputs; `None` without one.
    fn network(&self) -> Option<&Arc<Network>> {
        None
    }

    /// Returns the game with this network. By default, for games without one, the game is unchanged.
    fn with_network(&self, _network: Arc<Network>) -> Self {
        self.clone()
    }

    /// Calls `add` with each active input of the position, at most [`MAX_ACTIVE`](crate::network::MAX_ACTIVE) times.
    fn inputs(&self, _position: &Self::Position, _add: &mut impl FnMut(FeaturePair)) {}

    /// Incremental updates: `true` if a move changes so few inputs that the search updates the network's sums move by
    /// move. If `false`, the search adds up all inputs of each position it evaluates.
    const IS_INCREMENTAL: bool = true;

    /// Two perspectives: `true` if the network sees a position from both players' side. If `false`, it sees only the
    /// side to move's, and the inputs must not be [incremental](Evaluate::IS_INCREMENTAL).
    const TWO_PERSPECTIVES: bool = true;

    /// Lambda of TD(lambda) in the network's training targets: the weight of the target of the next position against
    /// the position's own score. With 1, the default, the target is the game's result, however far away it is.
    const TD_LAMBDA: f32 = 1.0;

    /// Calls `add` with those active inputs of the position that this move can change. The position is the one before
    /// or after the move. Never called if the inputs are not [incremental](Evaluate::IS_INCREMENTAL).
    fn changed_features(
        &self,
        _position: &Self::Position,
        _mv: Self::Move,
        _add: &mut impl FnMut(FeaturePair),
    ) {
    }

    /// A move that wins at once, if the game can find one more cheaply than by trying all moves. The move returned
    /// always wins; `None` does not mean that there is none.
    fn win_in_one(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// `true` if the game overrides [`forced`](Evaluate::forced).
    const KNOWS_FORCED: bool = false;

    /// A result that the game proves without a search; `None` if it proves nothing. It must hold regardless of the
    /// positions that occurred before. A win in one move need not be reported, since the position after that move is
    /// lost. The call may take as long as visiting some hundred positions. The game must not be over.
    fn forced(&self, _position: &Self::Position) -> Option<Forced<Self::Move>> {
        None
    }

    /// A key like [`search_key`](Game::search_key), but equal for positions that are symmetric to each other. Proofs
    /// are stored under it.
    fn symmetric_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// Returns the game with tables for [`known_result`](Evaluate::known_result), computed before a search of this
    /// position. The computation visits at most `max_positions` positions. `is_drawn` is `true` for positions whose
    /// next occurrence draws the game by repetition: no win may lead through them. The default returns the game
    /// unchanged.
    fn with_known_results(
        &self,
        _position: &Self::Position,
        _max_positions: usize,
        _is_drawn: &dyn Fn(&Self::Position) -> bool,
    ) -> Self {
        self.clone()
    }

    /// The result of a position in the tables of [`with_known_results`](Evaluate::with_known_results); `None` if it is
    /// not in them.
    fn known_result(&self, _position: &Self::Position) -> Option<KnownResult> {
        None
    }

    /// Scores that order moves before they are searched; larger is better. The outer call computes what all moves of
    /// the position have in common. The search adds at most
    /// [`MAX_ORDERING_BONUS`](crate::search::ordering::MAX_ORDERING_BONUS) for killers and history, so a larger prior
    /// outweighs both. Monte Carlo tree search uses the [`policy`](Evaluate::policy) instead.
    fn move_priors<'a>(&'a self, _position: &'a Self::Position) -> impl Fn(Self::Move) -> i32 + 'a {
        |_| 0
    }

    /// Number of move features of the [`Policy`]; 0, the default, for a game without one.
    const N_MOVE_FEATURES: usize = 0;

    /// The policy that gives Monte Carlo tree search its move priors, with
    /// [`N_MOVE_FEATURES`](Evaluate::N_MOVE_FEATURES) features; `None` without one.
    fn policy(&self) -> Option<&Arc<Policy>> {
        None
    }

    /// Returns the game with this policy. By default, for games without one, the game is unchanged.
    fn with_policy(&self, _policy: Arc<Policy>) -> Self {
        self.clone()
    }

    /// Calls `add` with the index and the active features of each legal move, in canonical order; a move has at most
    /// [`MAX_ACTIVE`](crate::policy::MAX_ACTIVE) features. The game must not be over.
    fn move_features(_history: &PositionHistory<Self>, _add: &mut impl FnMut(usize, &[u16])) {}

    /// A player of random games, for games that Monte Carlo tree search plays best. With `None`, the default, the
    /// engine runs principal variation search over the static score.
    fn playout(&self) -> Option<Box<dyn Playout<Self>>> {
        None
    }
}
