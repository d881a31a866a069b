//! Move codes and position strings: `3@b2`, `.,.,./.,r1y3,./.,.,. r`.
//!
//! A position string lists ranks from the top, squares from the left, pieces from the bottom up, then the side to move.
//! Reading is strict and rejects piece counts that no game can reach. Drawn boards are written by `diagram` and read by
//! `parse_diagram`.

use kit::parse_diagram::is_diagram;
use kit::{Diagram, DrawRequest, FigureLine, Notation, Outcome, Rejection, Setup, Side, TextBoard};

use crate::position::{Gobblet, Move, Origin, Position, SIZE};
use crate::{diagram, parse_diagram};

use crate::fen::{colour, format_fen, parse_fen};

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
        let read = if is_diagram(text) {
            parse_diagram::parse(self, text)?
        } else {
            parse_fen(self, text)?
        };
        Ok(Setup::at(read))
    }

    fn figure_line(above: &[String], line: &str) -> FigureLine {
        parse_diagram::figure_line(above, line)
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        colour(side).to_owned()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Gobblet>) -> TextBoard {
        diagram::draw(self, request)
    }

    fn diagram(&self, request: &DrawRequest<Gobblet>) -> Diagram {
        diagram::diagram(self, request)
    }
}
