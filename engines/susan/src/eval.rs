//! Evaluation: stones on the board count for their owner, nearly surrounded stones against him.
//!
//! The empty neighbours of a stone are its *liberties*. [`evaluate`](Evaluate::evaluate) adds up the values of the
//! stones by their liberties and subtracts a penalty for each cell that a player can no longer fill safely: the
//! player who first runs out of safe cells has to weaken his own stones. The [prior](Evaluate::move_priors) of a move
//! is the change in the value of the stones. An opponent's stone with one liberty usually means a win, which
//! [`win_in_one`](Evaluate::win_in_one) finds without search. The weights come from matches of the engine against
//! itself.

use std::iter;

use kit::{Evaluate, Game, Outcome, Side};

use crate::cells::{Cell, Cells, Window, cells_in};
use crate::rules::{Move, Position, Susan};

/// The weights of the features, in hundredths; `spec/susan.md` gives the games they come from.
const WEIGHTS: [i16; N_FEATURES] = include!("weights.in");

/// A stone by its liberties; with none it has lost the game.
const LIBERTIES: usize = 0;
/// A cell that the player can no longer fill safely.
const CLOSED: usize = LIBERTIES + 7;
/// Features of the player to move; those of the opponent follow.
const N_OWN: usize = CLOSED + 1;
const N_FEATURES: usize = 2 * N_OWN;

/// The value of a stone by its liberties, for move ordering.
const WORTH: [i32; 7] = [-2_000, -160, -10, 30, 40, 40, 40];

/// A stone with at most this many liberties is weak: one or two moves surround it.
const WEAK: u32 = 2;

/// A cell with at least this many empty neighbours has room for a stone.
const ROOM: u32 = 2;

/// The weight of a prior relative to killers and history: large enough that they never outweigh surrounding an own
/// stone.
const PRIOR_WEIGHT: i32 = 20;

impl Evaluate for Susan {
    fn weights(&self) -> &'static [i16] {
        &WEIGHTS
    }

    /// Shape: the features of the player to move, then those of the opponent. The weights differ, because the player
    /// to move can still save a stone.
    fn features(&self, position: &Position, add: &mut impl FnMut(usize, i32)) {
        self.add_standing(position, position.side, add);
        let enemy = position.side.other();
        self.add_standing(position, enemy, &mut |index, count| {
            add(N_OWN + index, -count);
        });
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
    /// The change that a move makes to the value of the stones.
    fn prior(&self, position: &Position, mv: Move) -> i32 {
        let empty = after(&position.empty, mv);
        let stone = self.worth(&empty, mv.to());
        let gain = match mv.from() {
            None => stone + self.gain_around(position, &empty, mv.to()),
            Some(from) => {
                // The sliding stone is still counted at its origin, among the neighbours of its destination.
                // Neighbours of both cells are counted twice, but their liberties do not change.
                stone - self.worth(&empty, from)
                    + self.gain_around(position, &empty, mv.to())
                    + self.gain_around(position, &empty, from)
            }
        };
        gain * PRIOR_WEIGHT
    }

    fn add_standing(&self, position: &Position, side: Side, add: &mut impl FnMut(usize, i32)) {
        for stone in position.stones[side.index()].iter() {
            let liberties = self.liberties(&position.empty, stone).count_ones();
            add(LIBERTIES + liberties as usize, 1);
        }
        add(CLOSED, self.closed(position, side).len() as i32);
    }

    /// The value of a stone, given the empty cells.
    fn worth(&self, empty: &Cells, stone: Cell) -> i32 {
        WORTH[self.liberties(empty, stone).count_ones() as usize]
    }

    /// The cells with room that a player cannot fill without weakening one of his weak stones.
    fn closed(&self, position: &Position, side: Side) -> Cells {
        let liberties = |cell| self.liberties(&position.empty, cell);
        let stones = position.stones[side.index()].iter();
        stones
            .map(|stone| (liberties(stone), stone))
            .filter(|(window, _)| window.count_ones() <= WEAK)
            .flat_map(|(window, stone)| cells_in(window, stone))
            .filter(|&cell| liberties(cell).count_ones() >= ROOM)
            .collect()
    }

    /// The change in value for the side to move, over the stones around a cell, when these become the empty cells.
    fn gain_around(&self, position: &Position, empty: &Cells, centre: Cell) -> i32 {
        let gain = |side: Side| -> i32 {
            cells_in(self.stones_around(position, side, centre), centre)
                .map(|stone| self.worth(empty, stone) - self.worth(&position.empty, stone))
                .sum()
        };
        gain(position.side) - gain(position.side.other())
    }

    /// A player's stones next to a cell, in the window around it.
    fn stones_around(&self, position: &Position, side: Side, centre: Cell) -> Window {
        self.board.near(centre) & position.stones[side.index()].window(centre)
    }

    /// The only liberty of a stone; `None` if it has more.
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
    use kit::{Options, PositionHistory};

    /// Calls `look` with the unfinished positions of random games, and with a message for failures.
    fn along_random_games(look: impl Fn(&Susan, &Position, &str)) {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut options = Options::new(Susan::options());
            let size = rng.u8(3..=8).to_string();
            options.set("Size", Some(&size)).expect("a size");
            let mut history = PositionHistory::start(Susan::new(&options));
            while let Some(mv) = rng.choice(history.moves()) {
                let at = format!("seed {seed}: {}", kit::DynHistory::fen(&history));
                look(history.game(), history.position(), &at);
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
    fn a_cell_is_closed_where_it_has_room_and_belongs_to_a_weak_stone() {
        let game = Susan::new(&Options::new(Susan::options()));
        let closed = |position: &str, side| -> Vec<String> {
            let history = kit::dyn_history::parse_history(&game, position).expect("a position");
            let (game, position) = (history.game(), history.position());
            let cells = game.closed(position, side).iter();
            cells.map(|cell| game.name(cell)).collect()
        };
        // x on a1 has b1 and b2 left, o on a2 has a3, b2 and b3.
        assert_eq!(closed("xo1/4/5/4/3 x 0", Side::P1), ["b1", "b2"]);
        assert!(closed("xo1/4/5/4/3 x 0", Side::P2).is_empty());
        // Next to b1 only b2 is empty.
        assert_eq!(closed("xo1/4/oo3/4/3 x 0", Side::P1), ["b2"]);
    }

    #[test]
    fn the_prior_of_a_move_is_what_it_adds_to_the_worth_of_stones() {
        along_random_games(|game, position, at| {
            let worth = |position: &Position, side: Side| -> i32 {
                let stones = position.stones[side.index()].iter();
                stones.map(|stone| game.worth(&position.empty, stone)).sum()
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
