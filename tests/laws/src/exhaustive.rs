//! Forced ends by exhaustive search: all moves, no evaluation, no window, no ordering.

use std::collections::HashMap;

use kit::{Evaluate, Outcome, PositionHistory};

/// Results for a position: within which numbers of plies the side to move forces a win.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// Largest number of plies known to contain no forced win.
    no_win: i32,
    /// Smallest number of plies known to contain a forced win.
    win: i32,
}

/// Forced ends below one position. There must be no earlier position whose next occurrence is a draw by repetition.
/// Repetition can then be ignored: a shortest forced win repeats no position, because the distance to the end falls
/// with every move.
#[derive(Debug)]
pub(super) struct Exhaustive<G: Evaluate> {
    history: PositionHistory<G>,
    known: HashMap<u64, Known>,
}

impl<G: Evaluate> Exhaustive<G> {
    pub(super) fn new(history: &PositionHistory<G>) -> Exhaustive<G> {
        let drawn = history.keys_drawn_on_return();
        assert!(drawn.is_empty(), "no position is drawn on return");
        Exhaustive {
            history: history.clone(),
            known: HashMap::new(),
        }
    }

    /// `true` if a move of the root forces a win within `plies`, or loses within `-plies`.
    pub(super) fn is_end(&mut self, mv: G::Move, plies: i32) -> bool {
        self.history.play(mv);
        let is_end = match plies {
            1.. => self.is_lost(plies - 1),
            _ => self.is_won(-plies - 1),
        };
        self.history.undo();
        is_end
    }

    /// `true` if the side to move wins within `plies`.
    fn is_won(&mut self, plies: i32) -> bool {
        let game = self.history.game();
        if let Some(outcome) = game.outcome(self.history.position()) {
            return outcome == Outcome::Win(self.history.side());
        }
        let key = self.history.search_key();
        let mut known = *self.known.get(&key).unwrap_or(&Known {
            no_win: 0,
            win: i32::MAX,
        });
        if plies <= known.no_win || plies >= known.win {
            return plies >= known.win;
        }
        let is_won = self.moves().into_iter().any(|mv| {
            self.history.play(mv);
            let is_lost = self.is_lost(plies - 1);
            self.history.undo();
            is_lost
        });
        match is_won {
            true => known.win = plies,
            false => known.no_win = plies,
        }
        self.known.insert(key, known);
        is_won
    }

    /// `true` if the side to move loses within `plies`.
    fn is_lost(&mut self, plies: i32) -> bool {
        let game = self.history.game();
        if let Some(outcome) = game.outcome(self.history.position()) {
            return outcome == Outcome::Win(self.history.side().other());
        }
        plies > 0
            && self.moves().into_iter().all(|mv| {
                self.history.play(mv);
                let is_won = self.is_won(plies - 1);
                self.history.undo();
                is_won
            })
    }

    /// The legal moves of a position that is not over.
    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        let game = self.history.game();
        game.moves(self.history.position(), &mut moves);
        moves
    }
}
