//! What a game knows about its positions beyond the rules: a static score, and hints for the search.

use std::sync::Arc;

use crate::network::{Network, Seen};
use crate::playout::Playout;
use crate::policy::Policy;
use crate::{Game, PositionHistory};

/// What is known of a position without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult {
    /// The side to move forces a win in this many plies.
    Win(u32),
    /// The side to move makes no progress as long as it keeps the opponent from moving. The search scores this close to a
    /// draw; it proves nothing.
    NoProgress,
}

/// What a game can prove of a position without a search. Plies are upper bounds: the end may come sooner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forced<M> {
    /// The side to move wins within so many plies.
    Win {
        /// Plies to the end.
        plies: u32,
    },
    /// The opponent wins within so many plies.
    Loss {
        /// Plies to the end.
        plies: u32,
    },
    /// Every move but these, at least one, loses within so many plies, the move included.
    Only {
        /// The legal moves that may not lose.
        moves: Vec<M>,
        /// Plies to the end after any other move.
        plies: u32,
    },
}

/// A game's evaluation of its positions.
pub trait Evaluate: Game {
    /// Late move pruning: near the leaves, at depth `d`, the search tries only so many moves and `d * d` more, the first in its
    /// order. By default it tries all. Matches tell which number a game gains from, if any.
    const N_UNPRUNED_MOVES: Option<usize> = None;

    /// Static score in hundredths of the game's unit, from the side to move; a balanced position is 0. The absolute value is
    /// below 20,000. The search never asks for finished positions.
    /// By default that of the [network](Evaluate::network), or the weighted sum of the [features](Evaluate::features).
    fn evaluate(&self, position: &Self::Position) -> i32 {
        let side = self.side(position);
        match self.network() {
            Some(network) if Self::IS_SEEN_BY_BOTH => {
                let sums = network.sums(|mut add| self.inputs(position, &mut add));
                network.score(&sums, side)
            }
            Some(network) => {
                let part = network.part(|add| {
                    self.inputs(position, &mut |seen: Seen| add(seen[side.index()]));
                });
                network.score_of_part(&part)
            }
            None => self.weighted_sum(position),
        }
    }

    /// The weighted sum of the features.
    fn weighted_sum(&self, position: &Self::Position) -> i32 {
        let weights = self.weights();
        let mut sum = 0;
        self.features(position, &mut |index, count| {
            sum += i32::from(weights[index]) * count;
        });
        sum
    }

    /// What each feature is worth to the side to move, in hundredths; empty if the evaluation is no such sum.
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Calls `add` with the index of each feature of the position and how often it occurs.
    fn features(&self, _position: &Self::Position, _add: &mut impl FnMut(usize, i32)) {}

    /// Inputs of the [`Network`] that evaluates positions; 0, the default, for a game that has none.
    const N_INPUTS: usize = 0;

    /// The network that evaluates positions, if there is one. It has [`N_INPUTS`](Evaluate::N_INPUTS) inputs.
    fn network(&self) -> Option<&Arc<Network>> {
        None
    }

    /// The same game with this network, for games that have one.
    fn with_network(&self, _network: Arc<Network>) -> Self {
        self.clone()
    }

    /// Calls `add` with each active input of the position, at most [`MAX_ACTIVE`](crate::network::MAX_ACTIVE).
    fn inputs(&self, _position: &Self::Position, _add: &mut impl FnMut(Seen)) {}

    /// Whether a move changes so few inputs that the search updates the network's sums move by move. Otherwise it adds up
    /// all inputs of each position that it evaluates.
    const IS_INCREMENTAL: bool = true;

    /// Whether the network sees a position as both players do. Otherwise it sees it only as the player to move does, and the inputs
    /// must not be [incremental](Evaluate::IS_INCREMENTAL).
    const IS_SEEN_BY_BOTH: bool = true;

    /// The share of what follows a position, against its own score, in what the network learns from it; what follows is made up
    /// in the same way (lambda of TD(lambda)). With 1, the default, the game's result counts, however far off it is.
    const FORESIGHT: f32 = 1.0;

    /// Calls `add` with those active inputs of the position that this move can change. The position is the one before the
    /// move or the one after it. Never called if the inputs are not [incremental](Evaluate::IS_INCREMENTAL).
    fn inputs_near(
        &self,
        _position: &Self::Position,
        _mv: Self::Move,
        _add: &mut impl FnMut(Seen),
    ) {
    }

    /// A move that wins at once, if the game can tell more cheaply than by trying all moves. The move always wins; `None`
    /// does not mean that there is none.
    fn win_in_one(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Whether the game overrides [`forced`](Evaluate::forced).
    const KNOWS_FORCED: bool = false;

    /// What the game can prove of a position without a search; `None` if that is nothing. It must hold whatever positions
    /// stood before. A win that a single move brings about need not be told, because the position after it is lost. May take as
    /// long as visiting some hundred positions. The position is not over.
    fn forced(&self, _position: &Self::Position) -> Option<Forced<Self::Move>> {
        None
    }

    /// A key as [`search_key`](Game::search_key), but the same for positions that are alike by a symmetry of the board.
    /// Proofs are stored by it.
    fn symmetric_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// The game with tables for [`known_result`](Evaluate::known_result), worked out before a search from this position.
    /// May look at `max_positions` positions. `is_drawn` names positions that stood so often before that their next
    /// occurrence is a draw: no win may lead through them. By default the game itself.
    fn with_known_results(
        &self,
        _position: &Self::Position,
        _max_positions: usize,
        _is_drawn: &dyn Fn(&Self::Position) -> bool,
    ) -> Self {
        self.clone()
    }

    /// What the tables of [`with_known_results`](Evaluate::with_known_results) say of a position. `None` if they say nothing.
    fn known_result(&self, _position: &Self::Position) -> Option<KnownResult> {
        None
    }

    /// Scores that order moves before they are searched, the larger the better. Monte Carlo tree search asks the
    /// [`policy`](Evaluate::policy) instead. The outer call does once what is common
    /// to all moves of the position. The search adds at most
    /// [`MAX_ORDERING_BONUS`](crate::search::ordering::MAX_ORDERING_BONUS) for killers and history, so a larger prior outweighs
    /// both.
    fn move_priors<'a>(&'a self, _position: &'a Self::Position) -> impl Fn(Self::Move) -> i32 + 'a {
        |_| 0
    }

    /// Features of moves of the [`Policy`]; 0, the default, for a game that has none.
    const N_MOVE_FEATURES: usize = 0;

    /// The policy that tells Monte Carlo tree search which moves are likely to be good, if there is one. It has
    /// [`N_MOVE_FEATURES`](Evaluate::N_MOVE_FEATURES) features.
    fn policy(&self) -> Option<&Arc<Policy>> {
        None
    }

    /// The same game with this policy, for games that have one.
    fn with_policy(&self, _policy: Arc<Policy>) -> Self {
        self.clone()
    }

    /// Calls `add` with the index and the active features of each legal move, in canonical order; at most
    /// [`MAX_ACTIVE`](crate::policy::MAX_ACTIVE) features of a move. The game goes on there.
    fn move_features(_history: &PositionHistory<Self>, _add: &mut impl FnMut(usize, &[u16])) {}

    /// Random games, for a game that Monte Carlo tree search plays best. `None`, the default, for principal variation
    /// search over the static score.
    fn playout(&self) -> Option<Box<dyn Playout<Self>>> {
        None
    }
}
