//! Move codes, position strings, and the rows of drawn boards.

use draw::{Board, grid::DrawnBoard};
use kit::{DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::diagram;
use crate::position::{Colour, Position};
use crate::rules::{Move, Projex};

use crate::fen::{SWAP, format_cell, format_row, parse_cell};
use crate::loops::winning_loop;

impl Notation for Projex {
    const STYLES: &'static [&'static str] = &[diagram::FAR_SIDE];
    const DIAGRAM_STYLES: &'static [&'static str] = &[diagram::FAR_SIDE];
    const READABLE_STYLES: &'static [&'static str] = &["", diagram::FAR_SIDE];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![("Size", self.board().size().to_string())]
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        match mv {
            Move::Place(cell) => format_cell(self.board(), cell),
            Move::Swap => SWAP.to_owned(),
        }
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        let code: String = code.split_whitespace().collect();
        if code.eq_ignore_ascii_case(SWAP) {
            return Ok(Move::Swap);
        }
        parse_cell(self.board(), &code).map(Move::Place)
    }

    fn format_position(&self, position: &Position) -> String {
        let row = |row| format_row(self.board(), position, row);
        let rows: Vec<String> = (1..=self.board().n_rows()).map(row).collect();
        let owner = match position.owner(Colour::X) {
            Side::P1 => 1,
            Side::P2 => 2,
        };
        format!("{} {} {owner}", rows.join("/"), position.turn().symbol())
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Projex>, Rejection> {
        self.parse_string(text).map(Setup::at)
    }

    /// The number of stones determines the colour to move. If no player is named, player 1 owns `x`.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        let rows = board.packed();
        let x_is_ahead = rows.matches('x').count() > rows.matches('o').count();
        let turn = board.turn.unwrap_or(usize::from(x_is_ahead));
        let x_is_of_p2 = ["x p2", "o p1"].iter().any(|owner| board.tells(owner));
        let owner = if x_is_of_p2 { 2 } else { 1 };
        Ok(format!("{rows} {} {owner}", ["x", "o"][turn]))
    }

    fn side_name(&self, position: &Position, side: Side) -> String {
        let is_own = |colour: &Colour| position.owner(*colour) == side;
        let colour = Colour::BOTH.into_iter().find(is_own);
        colour.map(Colour::symbol).into_iter().collect()
    }

    fn explain(&self, position: &Position, _: Option<Outcome>) -> Option<String> {
        let holder = position.holder()?;
        let n_stones = winning_loop(self.board(), position).len();
        // Once the sides were swapped, a drawn board is read by this: whose stones won.
        let winner = match position.owner(Colour::X) {
            Side::P1 => holder.symbol().to_string(),
            Side::P2 => diagram::owned(position, holder),
        };
        Some(format!("{winner} wins: a global loop of {n_stones} stones"))
    }

    fn board(&self, request: &DrawRequest<Projex>) -> Board {
        diagram::board(self, request)
    }
}
