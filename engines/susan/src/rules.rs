//! The rules: legal moves, their effects, and the end of the game.
//!
//! Moves are played and taken back in place, and each move is adjudicated at once. A move can only surround the moved
//! stone and its neighbours, so [`play`](Game::play) tests only these.

use std::sync::Arc;

use kit::hash::{hash, mix};
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::cells::{Cell, Cells, cells_in};
use crate::eval::NETWORK;
use crate::legality;
use crate::position::{MAX_SIZE, MIN_SIZE, Move, Position, Susan, board};

impl Game for Susan {
    const NAME: &'static str = "susan";
    type Position = Position;
    type Move = Move;
    /// The number of consecutive slides before the move.
    type Undo = u64;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::spin("Size", 5, MIN_SIZE.into(), MAX_SIZE.into()),
            OptionDecl::spin("SlideLimit", 6, 0, 99),
            OptionDecl::combo("Repetition", &["off", "2", "3", "4", "5"]),
        ]
    }

    fn new(options: &Options) -> Susan {
        Susan {
            board: board(options.spin("Size") as u8),
            network: Arc::clone(&NETWORK),
            slide_limit: options.spin("SlideLimit") as u64,
            repetition: options.text("Repetition").parse().ok(),
        }
    }

    fn start(&self) -> Position {
        self.position([Cells::default(); 2], Side::P1, 0)
    }

    fn side(&self, position: &Position) -> Side {
        position.side
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.extend(position.empty.iter().map(Move::place));
        for from in position.stones[position.side.index()].iter() {
            let liberties = self.liberties(&position.empty, from);
            moves.extend(cells_in(liberties, from).map(|to| Move::slide(from, to)));
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        let stones = position.stones[position.side.index()].iter();
        let slides = stones.map(|from| self.liberties(&position.empty, from).count_ones());
        position.empty.len() + slides.sum::<u32>() as usize
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) -> u64 {
        let before = position.slides;
        position.slides = match mv.from() {
            None => 0,
            Some(_) => before.saturating_add(1),
        };
        self.flip(position, position.side, mv);
        position.side = position.side.other();
        let surrounded = self.surrounded_near(position, mv.to);
        position.outcome = self.judge(position, surrounded);
        before
    }

    fn undo(&self, position: &mut Position, mv: Move, slides: u64) {
        position.side = position.side.other();
        self.flip(position, position.side, mv);
        position.slides = slides;
        // The position before a move was not finished.
        position.outcome = None;
    }

    fn rules_key(&self) -> u64 {
        let repetition = self.repetition.unwrap_or(0) as u64;
        hash([self.board.size.into(), self.slide_limit, repetition])
    }

    fn key(&self, position: &Position) -> u64 {
        position.key ^ self.board.turn_key(position.side)
    }

    fn search_key(&self, position: &Position) -> u64 {
        let slides = position.slides.min(self.slide_limit);
        self.key(position) ^ mix(slides)
    }

    fn repetition_limit(&self) -> Option<usize> {
        self.repetition
    }

    fn reversible_plies(&self, position: &Position) -> usize {
        usize::try_from(position.slides).unwrap_or(usize::MAX)
    }

    /// Seven indices per cell: one for each direction of a slide from it, and one for a placement.
    fn move_index(&self, mv: Move) -> usize {
        let (cell, way) = match mv.from() {
            None => (mv.to, 0),
            Some(from) => (from, 1 + direction(from, mv.to)),
        };
        7 * usize::from(cell) + usize::from(way)
    }

    fn n_move_indices(&self) -> usize {
        7 * self.board.cells().len()
    }
}

/// A number below 6 for the direction from a cell to its neighbour.
fn direction(from: Cell, to: Cell) -> u8 {
    let down = 3 * u8::from(from < to);
    match from.abs_diff(to) {
        1 => down,
        // The two neighbours in the next row have consecutive numbers, one of which is even.
        apart => down + 1 + apart % 2,
    }
}
