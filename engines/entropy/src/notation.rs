//! Move codes and position strings: `a4-c4`, `sssss/s3s/5/o3o/ooooo o 0`.
//!
//! Position strings are read strictly. Figures are written by `diagram` and read by `parse_diagram`.

use kit::{Diagram, DrawRequest, FigureLine, Notation, Outcome, Rejection, Setup, Side, TextBoard};

use crate::position::{Entropy, Move, Position};
use crate::{diagram, parse_diagram};

use crate::fen::{format_fen, parse_fen, parse_square};

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
        let position = if parse_diagram::is_diagram(text) {
            parse_diagram::parse(text)?
        } else {
            parse_fen(text)?
        };
        Ok(Setup::at((self.clone(), position)))
    }

    fn figure_line(above: &[String], line: &str) -> FigureLine {
        parse_diagram::figure_line(above, line)
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        diagram::name(side)
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Entropy>) -> TextBoard {
        diagram::draw(self, request)
    }

    fn diagram(&self, request: &DrawRequest<Entropy>) -> Diagram {
        diagram::diagram(self, request)
    }
}
