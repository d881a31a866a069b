//! A game in progress: the current position, the moves played, and the repetition count.

use std::fmt;

use crate::{Game, Outcome, Side};

/// A game in progress. Moves are played and taken back, and the outcome includes repetition.
#[derive(Clone)]
pub struct PositionHistory<G: Game> {
    game: G,
    position: G::Position,
    played: Vec<(G::Move, G::Undo)>,
    /// Keys of the positions before each played move; empty if repetition has no effect.
    keys: Vec<u64>,
    repetition_limit: Option<usize>,
    rules_key: u64,
}

impl<G: Game> PositionHistory<G> {
    /// A game that begins with `position`; this is its first occurrence.
    pub fn new(game: G, position: G::Position) -> PositionHistory<G> {
        let repetition_limit = game.repetition_limit();
        let rules_key = game.rules_key();
        PositionHistory {
            game,
            position,
            played: Vec::new(),
            keys: Vec::new(),
            repetition_limit,
            rules_key,
        }
    }

    /// The same history with another value of the game, equal in all that the rules depend on.
    #[must_use]
    pub fn with_game(&self, game: G) -> PositionHistory<G> {
        PositionHistory {
            game,
            ..self.clone()
        }
    }

    /// A game in the start position.
    pub fn start(game: G) -> PositionHistory<G> {
        let position = game.start();
        PositionHistory::new(game, position)
    }

    /// The rules and the board.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        self.game.side(&self.position)
    }

    /// Number of moves played since the beginning.
    pub fn ply(&self) -> usize {
        self.played.len()
    }

    /// The moves played since the beginning.
    pub fn played(&self) -> impl DoubleEndedIterator<Item = G::Move> + '_ {
        self.played.iter().map(|(mv, _)| *mv)
    }

    /// The move that led to the current position; `None` at the beginning.
    #[inline]
    pub fn last(&self) -> Option<G::Move> {
        self.played.last().map(|(mv, _)| *mv)
    }

    /// The result by the rules or by repetition; `None` if the game is not over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_by_history_to(self.keys.len())
    }

    /// The outcome if only the earlier positions up to ply `last` count for repetition.
    #[inline]
    pub(crate) fn outcome_by_history_to(&self, last: usize) -> Option<Outcome> {
        let is_drawn = || {
            let plies_since = self.keys.len().saturating_sub(last);
            let earlier = self.returns().filter(|&ago| ago >= plies_since);
            let limit = self.repetition_limit;
            limit.is_some_and(|limit| 1 + earlier.count() >= limit)
        };
        let outcome = self.game.outcome(&self.position);
        outcome.or_else(|| is_drawn().then_some(Outcome::Draw))
    }

    /// Occurrences of the current position, this one included; always 1 if repetition has no effect.
    pub fn occurrences(&self) -> usize {
        1 + self.returns().count()
    }

    /// `true` if the position draws the game by repetition, or has occurred before within the last `plies` moves.
    #[inline]
    pub fn is_drawn_or_repeats_within(&self, plies: usize) -> bool {
        let limit = self.repetition_limit.unwrap_or(usize::MAX);
        let mut returns = self.returns().zip(2..);
        returns.any(|(ago, occurrences)| ago <= plies || occurrences >= limit)
    }

    /// The numbers of plies since the earlier occurrences of the position, the latest first.
    #[inline]
    fn returns(&self) -> impl Iterator<Item = usize> + '_ {
        let reach = self.game.reversible_plies(&self.position);
        let reach = reach.min(self.keys.len());
        // The same player is to move every second ply only.
        let earlier = self.keys[self.keys.len() - reach..].iter().rev();
        let key = (reach >= 2).then(|| self.game.key(&self.position));
        let earlier = earlier.zip(1..).skip(1).step_by(2);
        earlier.filter_map(move |(earlier, ago)| (Some(*earlier) == key).then_some(ago))
    }

    /// [`Game::rules_key`].
    pub(crate) fn rules_key(&self) -> u64 {
        self.rules_key
    }

    /// A hash of the board, its rules and everything in the position that the rest of the game depends on except
    /// repetition.
    #[inline]
    pub fn search_key(&self) -> u64 {
        self.game.search_key(&self.position) ^ self.rules_key
    }

    /// Keys of the positions that can return and whose next occurrence would draw the game, the current one included.
    /// Sorted, without duplicates.
    pub fn keys_drawn_on_return(&self) -> Vec<u64> {
        let Some(limit) = self.repetition_limit else {
            return Vec::new();
        };
        let reach = self
            .game
            .reversible_plies(&self.position)
            .min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(self.game.key(&self.position));
        keys.sort_unstable();
        let drawn = keys.chunk_by(|a, b| a == b);
        let drawn = drawn.filter(|occurrences| occurrences.len() + 1 >= limit);
        drawn.map(|occurrences| occurrences[0]).collect()
    }

    /// The legal moves in canonical order; empty if the game is over.
    pub fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.game.moves(&self.position, &mut moves);
        }
        moves
    }

    /// Plays a legal move in a game that is not over.
    #[inline]
    pub fn play(&mut self, mv: G::Move) {
        if self.repetition_limit.is_some() {
            self.keys.push(self.game.key(&self.position));
        }
        let undo = self.game.play(&mut self.position, mv);
        self.played.push((mv, undo));
    }

    /// Takes the last move back and returns it; `None` if there was none.
    #[inline]
    pub fn undo(&mut self) -> Option<G::Move> {
        let (mv, undo) = self.played.pop()?;
        self.keys.pop();
        self.game.undo(&mut self.position, mv, undo);
        Some(mv)
    }

    /// Takes moves back until only `ply` are played.
    pub fn rewind(&mut self, ply: usize) {
        while self.ply() > ply && self.undo().is_some() {}
    }
}

impl<G: Game> fmt::Debug for PositionHistory<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionHistory")
            .field("position", &self.position)
            .field("played", &self.played)
            .finish_non_exhaustive()
    }
}
