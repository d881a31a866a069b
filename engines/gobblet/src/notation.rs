//! Move codes and position strings: `3@b2`, `.,.,./.,r1y3,./.,.,. r`.
//!
//! A position string lists ranks from the top, squares from the left, pieces from the bottom up, then the side to move.
//! Reading is strict and rejects piece counts that no game can reach. Drawn boards are written by `diagram` and read by
//! `drawn_fen`.

use draw::{
    Board,
    grid::{DrawnBoard, Grid, GridRow},
};
use kit::fen::counted;
use kit::{DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::diagram;
use crate::position::{Gobblet, Move, Origin, Position, SIZE};

use crate::fen::{colour, format_fen, letter, parse_fen};

impl Notation for Gobblet {
    const STYLES: &'static [&'static str] = &[diagram::PEEK];
    const DIAGRAM_STYLES: &'static [&'static str] = &[diagram::PEEK];
    const READABLE_STYLES: &'static [&'static str] = &[diagram::PEEK];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![(SIZE, self.board.width().to_string())]
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        match mv.from {
            Origin::Reserve(size) => format!("{size}@{}", mv.to),
            Origin::Square(from) => format!("{from}-{}", mv.to),
        }
    }

    fn parse_move(&self, _position: &Position, code: &str) -> Result<Move, Rejection> {
        let (from, to) = if let Some((size, to)) = code.split_once('@') {
            (Origin::Reserve(self.parse_size(size)?), to)
        } else if let Some((from, to)) = code.split_once('-') {
            (Origin::Square(self.parse_square(from)?), to)
        } else {
            return Err("expected a placement such as 3@b2 or a move such as a1-b2".into());
        };
        let to = self.parse_square(to)?;
        Ok(Move { from, to })
    }

    fn format_position(&self, position: &Position) -> String {
        format_fen(self, position)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Gobblet>, Rejection> {
        parse_fen(self, text).map(Setup::at)
    }

    fn grid() -> Option<Grid> {
        let rank = |width: usize| {
            move |rank: usize| GridRow {
                label: rank.to_string(),
                n_cells: width,
                ..GridRow::default()
            }
        };
        let ranks = |width| (1..=width).rev().map(rank(width)).collect();
        Some(Grid {
            boards: vec![ranks(3), ranks(4)],
            marks: ".ry1234",
            wall: Some('|'),
            has_labels: false,
            names: ["red", "yellow"],
        })
    }

    /// If no side to move is named, red is to move.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let ranks: Vec<String> = board.rows.iter().map(|squares| squares.join(",")).collect();
        let mover = letter(Side::BOTH[board.turn.unwrap_or(0)]);
        let fen = format!("{} {mover}", ranks.join("/"));
        let (game, position) = parse_fen(self, &fen)?;
        for side in Side::BOTH {
            let reserve = board.below.iter().find_map(|line| {
                let (name, sizes) = line.split_once(diagram::OFF_BOARD)?;
                name.starts_with(colour(side)).then_some(sizes)
            });
            if let Some(sizes) = reserve {
                check_reserve(&game, &position, side, sizes)?;
            }
        }
        Ok(fen)
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        colour(side).to_owned()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn board(&self, request: &DrawRequest<Gobblet>) -> Board {
        diagram::board(self, request)
    }
}

/// Checks the pieces off the board: a piece that is neither there nor visible is covered.
fn check_reserve(
    game: &Gobblet,
    position: &Position,
    side: Side,
    sizes: &str,
) -> Result<(), Rejection> {
    for size in 1..=game.largest() {
        let (on, off) = (
            position.pieces.count(side, size),
            sizes.matches(&size.to_string()).count() as u32,
        );
        let (colour, expected) = (colour(side), game.n_each());
        if on + off != expected {
            return Err(Rejection(format!(
                "{colour} has {} of size {size} on the board and {off} off it: expected {expected} in all \
                 (the style {} shows covered ones)",
                counted(on as usize, "piece"),
                diagram::PEEK
            )));
        }
    }
    Ok(())
}
