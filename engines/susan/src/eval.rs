//! Evaluation.
//!
//! A learned network scores positions, from the [`inputs`](crate::inputs). The empty neighbours of a stone are its *liberties*.
//! The [prior](Evaluate::move_priors) of a move is the change in the value of the stones by their liberties. An
//! opponent's stone with one liberty usually means a win, which [`win_in_one`](Evaluate::win_in_one) finds without a
//! search.

use std::iter;

use kit::{Evaluate, Game, NetworkInputs, Outcome, Side};

use crate::cells::{Cell, Cells, Window, cells_in};
use crate::position::{Move, Position, Susan};

/// Value of a stone by its number of liberties, for move ordering.
const LIBERTY_VALUES: [i32; 7] = [-2_000, -160, -10, 30, 40, 40, 40];

/// Weight of a prior relative to killers and history: large enough that they never outweigh the loss of surrounding
/// one's own stone.
const PRIOR_WEIGHT: i32 = 20;

impl Evaluate for Susan {
    const N_UNPRUNED_MOVES: Option<usize> = Some(16);
    fn network_inputs(&self) -> Option<&dyn NetworkInputs<Susan>> {
        Some(self)
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let targets = position.stones[position.side.other().index()].iter();
        targets
            .filter_map(|stone| self.last_liberty(position, stone))
            .find_map(|cell| self.winning_fill(position, cell))
    }

    fn move_priors<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        move |mv| self.prior(position, mv)
    }
}

impl Susan {
    /// The change in the value of the stones by a move.
    fn prior(&self, position: &Position, mv: Move) -> i32 {
        let empty = after(&position.empty, mv);
        let stone = self.liberty_value(&empty, mv.to());
        let gain = match mv.from() {
            None => stone + self.gain_around(position, &empty, mv.to()),
            Some(from) => {
                // The sliding stone is still counted at its origin, among the neighbours of its destination.
                // Neighbours of both cells are counted twice, but their liberties do not change.
                stone - self.liberty_value(&empty, from)
                    + self.gain_around(position, &empty, mv.to())
                    + self.gain_around(position, &empty, from)
            }
        };
        gain * PRIOR_WEIGHT
    }

    /// The value of a stone, given the empty cells.
    fn liberty_value(&self, empty: &Cells, stone: Cell) -> i32 {
        LIBERTY_VALUES[self.liberties(empty, stone).count_ones() as usize]
    }

    /// The change in value for the side to move, over the stones around a cell, if the empty cells become `empty`.
    fn gain_around(&self, position: &Position, empty: &Cells, centre: Cell) -> i32 {
        let gain = |side: Side| -> i32 {
            cells_in(self.stones_around(position, side, centre), centre)
                .map(|stone| {
                    self.liberty_value(empty, stone) - self.liberty_value(&position.empty, stone)
                })
                .sum()
        };
        gain(position.side) - gain(position.side.other())
    }

    /// A player's stones next to a cell, in the window around it.
    fn stones_around(&self, position: &Position, side: Side, centre: Cell) -> Window {
        self.board.near(centre) & position.stones[side.index()].window(centre)
    }

    /// The only liberty of a stone; `None` if it has none or several.
    fn last_liberty(&self, position: &Position, stone: Cell) -> Option<Cell> {
        let liberties = self.liberties(&position.empty, stone);
        cells_in(liberties, stone)
            .next()
            .filter(|_| liberties.is_power_of_two())
    }

    /// A move to this empty cell that wins at once.
    fn winning_fill(&self, position: &Position, to: Cell) -> Option<Move> {
        let sliders = cells_in(self.stones_around(position, position.side, to), to);
        iter::once(Move::place(to))
            .chain(sliders.map(|from| Move::slide(from, to)))
            .find(|&mv| self.wins(position, mv))
    }

    fn wins(&self, position: &Position, mv: Move) -> bool {
        let mut after = position.clone();
        self.play(&mut after, mv);
        self.outcome(&after) == Some(Outcome::Win(position.side))
    }
}

/// The empty cells after a move.
fn after(empty: &Cells, mv: Move) -> Cells {
    let mut after = *empty;
    after.flip(mv.to());
    if let Some(from) = mv.from() {
        after.flip(from);
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::PositionHistory;
    use laws::testing::at;

    /// Calls `look` with the unfinished positions of random games, and with a message for failures.
    fn along_random_games(look: impl Fn(&Susan, &Position, &str)) {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut history: PositionHistory<Susan> =
                at(&format!("Size={}", rng.u8(3..=8)), "startpos");
            while let Some(mv) = rng.choice(history.moves()) {
                let here = format!("seed {seed}: {}", kit::DynHistory::fen(&history));
                look(history.game(), history.position(), &here);
                history.play(mv);
            }
        }
    }

    fn moves(game: &Susan, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
    }

    #[test]
    fn the_prior_of_a_move_is_what_it_adds_to_the_worth_of_stones() {
        along_random_games(|game, position, at| {
            let worth = |position: &Position, side: Side| -> i32 {
                let stones = position.stones[side.index()].iter();
                stones
                    .map(|stone| game.liberty_value(&position.empty, stone))
                    .sum()
            };
            let balance = |position: &Position, side: Side| {
                worth(position, side) - worth(position, side.other())
            };
            for mv in moves(game, position) {
                let mut after = position.clone();
                game.play(&mut after, mv);
                let gain = balance(&after, position.side) - balance(position, position.side);
                assert_eq!(
                    game.prior(position, mv),
                    gain * PRIOR_WEIGHT,
                    "{at}: {mv:?}"
                );
            }
        });
    }

    #[test]
    fn a_move_that_wins_at_once_is_seen_wherever_there_is_one() {
        along_random_games(|game, position, at| {
            let wins = moves(game, position)
                .into_iter()
                .any(|mv| game.wins(position, mv));
            let seen = game.win_in_one(position);
            assert_eq!(seen.is_some(), wins, "{at}");
            assert!(
                seen.is_none_or(|mv| game.wins(position, mv)),
                "{at}: {seen:?}"
            );
        });
    }
}
