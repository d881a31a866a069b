//! Move codes and position strings: `a4-c4`, `sssss/s3s/5/o3o/ooooo o 0`.
//!
//! Position strings are read strictly. The figures of the FAQ are drawn by `diagram`, and described here for reading.

use draw::{
    Board,
    grid::{DrawnBoard, Grid, GridRow},
};
use kit::{DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::diagram;
use crate::position::{Entropy, Move, Position};

use crate::fen::{format_fen, letter, parse_fen, parse_square};
use crate::geometry::SIDE;

impl Notation for Entropy {
    const READABLE_STYLES: &'static [&'static str] = &[""];

    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Slide { from, to } => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, _position: &Position, code: &str) -> Result<Move, Rejection> {
        if code.trim().eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let (from, to) = code
            .split_once('-')
            .ok_or("expected two squares such as a4-c4, or pass")?;
        Ok(Move::Slide {
            from: parse_square(from)?,
            to: parse_square(to)?,
        })
    }

    fn format_position(&self, position: &Position) -> String {
        format_fen(position)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Entropy>, Rejection> {
        let position = parse_fen(text)?;
        Ok(Setup::at((self.clone(), position)))
    }

    /// A rank may have its mark, as in `<---5`.
    fn grid() -> Option<Grid> {
        let rank = |number: u8| GridRow {
            n_cells: SIDE.into(),
            end: format!("<{number}"),
            ..GridRow::default()
        };
        Some(Grid {
            boards: vec![(1..=SIDE).rev().map(rank).collect()],
            marks: ".os",
            wall: None,
            has_labels: false,
            names: ["O", "S"],
        })
    }

    /// If no side to move is named, `o` is to move.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let side = Side::BOTH[board.turn.unwrap_or(0)];
        let passes = u8::from(board.tells("after a pass"));
        Ok(format!("{} {} {passes}", board.packed(), letter(side)))
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        diagram::name(side)
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn board(&self, request: &DrawRequest<Entropy>) -> Board {
        diagram::board(self, request)
    }
}
