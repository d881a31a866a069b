//! Move codes and position strings; boards are drawn in `diagram` and read in `parse_diagram`.

use kit::parse_diagram::is_diagram;
use kit::{Diagram, DrawRequest, FigureLine, Notation, Outcome, Rejection, Setup, Side, TextBoard};

use crate::board::{Move, Projex};
use crate::position::{Colour, Position};
use crate::{diagram, parse_diagram};

use crate::fen::{SWAP, format_cell, format_row, parse_cell};

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

    fn side_name(&self, position: &Position, side: Side) -> String {
        let is_own = |colour: &Colour| position.owner(*colour) == side;
        let colour = Colour::BOTH.into_iter().find(is_own);
        colour.map(Colour::symbol).into_iter().collect()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Projex>) -> TextBoard {
        diagram::draw(self, request)
    }

    fn diagram(&self, request: &DrawRequest<Projex>) -> Diagram {
        diagram::diagram(self, request)
    }
}
