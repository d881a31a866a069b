//! Notation: move codes, position strings, and the rows of drawn boards.

use draw::{
    Board,
    grid::{DrawnBoard, Grid, GridRow},
};
use kit::{DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::diagram;
use crate::position::{MAX_SIZE, MIN_SIZE, Move, Position, Susan};

use crate::fen::{letter, row_letter};
use crate::geometry::{n_rows, row_len};

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
        self.parse_string(text).map(Setup::at)
    }

    fn grid() -> Option<Grid> {
        let rows = |size| {
            (0..n_rows(size))
                .map(move |row| grid_row(size, row))
                .collect()
        };
        Some(Grid {
            boards: (MIN_SIZE..=MAX_SIZE).map(rows).collect(),
            marks: ".xo",
            wall: None,
            has_labels: true,
            names: ["x", "o"],
        })
    }

    /// If no side to move is named, `o` is to move if `x` has more stones, otherwise `x`.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let rows = board.packed();
        let x_is_ahead = rows.matches('x').count() > rows.matches('o').count();
        let side = Side::BOTH[board.turn.unwrap_or(usize::from(x_is_ahead))];
        let slides = board.below.iter().find_map(|line| {
            let (_, slides) = line.split_once(", ")?;
            slides.split_once(" slide")?.0.parse().ok()
        });
        let slides: u64 = slides.unwrap_or(0);
        Ok(format!("{rows} {} {slides}", letter(side)))
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        letter(side).to_string()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn board(&self, request: &DrawRequest<Susan>) -> Board {
        diagram::board(self, request)
    }
}

/// A row of the diagram: its letter, its cells, and the number of the diagonal that ends there.
fn grid_row(size: u8, row: u8) -> GridRow {
    let n_cells = usize::from(row_len(size, row));
    GridRow {
        label: row_letter(row).to_string(),
        n_cells,
        end: (n_cells + 1).to_string(),
        ..GridRow::default()
    }
}
