//! Notation: move codes and position strings. Diagrams are drawn in `diagram` and read in `parse_diagram`.

use kit::parse_diagram::is_diagram;
use kit::{Diagram, DrawRequest, FigureLine, Notation, Outcome, Rejection, Setup, Side, TextBoard};

use crate::position::{Move, Position, Susan};
use crate::{diagram, parse_diagram};

use crate::fen::letter;

impl Notation for Susan {
    const READABLE_STYLES: &'static [&'static str] = &[""];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![("Size", self.board.size().to_string())]
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        let to = self.name(mv.to());
        match mv.from() {
            None => to,
            Some(from) => format!("{}->{to}", self.name(from)),
        }
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        let code: String = code.split_whitespace().collect();
        match code.split_once("->") {
            None => Ok(Move::place(self.parse_cell(&code)?)),
            Some((from, to)) => Ok(Move::slide(self.parse_cell(from)?, self.parse_cell(to)?)),
        }
    }

    fn format_position(&self, position: &Position) -> String {
        let rows = self.board.rows().map(|row| self.format_row(position, row));
        let rows = rows.collect::<Vec<String>>().join("/");
        format!("{rows} {} {}", letter(position.side), position.slides)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Susan>, Rejection> {
        let read = if is_diagram(text) {
            parse_diagram::parse(self, text)?
        } else {
            self.parse_string(text)?
        };
        Ok(Setup::at(read))
    }

    fn figure_line(above: &[String], line: &str) -> FigureLine {
        parse_diagram::figure_line(above, line)
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        letter(side).to_string()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Susan>) -> TextBoard {
        diagram::draw(self, request)
    }

    fn diagram(&self, request: &DrawRequest<Susan>) -> Diagram {
        diagram::diagram(self, request)
    }
}
