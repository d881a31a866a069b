//! Notation: move codes and position strings. Diagrams are drawn in `diagram` and read in `parse_diagram`.

use kit::notation::excerpt;
use kit::parse_diagram::is_diagram;
use kit::{
    Diagram, DrawRequest, FigureLine, Notation, Outcome, Rejection, Setup, Side, TextBoard, fen,
};

use crate::cells::{Cell, Cells};
use crate::geometry::n_rows;
use crate::rules::{MAX_SIZE, MIN_SIZE, Move, Position, Susan};
use crate::{diagram, parse_diagram};

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
        diagram::draw(request, self)
    }

    fn diagram(&self, request: &DrawRequest<Susan>) -> Diagram {
        diagram::diagram(self, request)
    }
}

impl Susan {
    fn parse_string(&self, text: &str) -> Result<(Susan, Position), Rejection> {
        let [rows, side, slides] = fen::fields(text, FIELDS)?;
        let rows: Vec<&str> = rows.split('/').collect();
        let game = self.resized(parse_size(rows.len())?);
        let stones = game.parse_rows(&rows)?;
        let position = game.position(
            stones,
            fen::parse_side(side, LETTERS)?,
            parse_slides(slides)?,
        );
        Ok((game, position))
    }

    /// The code of a cell: the letter of its row, and its number within the row.
    pub(crate) fn name(&self, cell: Cell) -> String {
        let (row, number) = self.board.coordinates(cell);
        format!("{}{number}", row_letter(row))
    }

    fn parse_cell(&self, word: &str) -> Result<Cell, Rejection> {
        let (row, number) =
            split_cell(word).ok_or("expected a cell such as b2, or a slide such as b2->c3")?;
        let letter = row_letter(row);
        let rows = self.board.rows();
        if !rows.contains(&row) {
            let last = row_letter(rows.end - 1);
            return Err(format!("no row {letter}: the rows are a to {last}").into());
        }
        let cells = self.board.row(row);
        fen::parse_number(number)
            .filter(|k| (1..=cells.len()).contains(k))
            .map(|k| cells.start + (k - 1) as Cell)
            .ok_or_else(|| {
                let (number, len) = (excerpt(number), cells.len());
                format!("no cell {letter}{number}: row {letter} holds {letter}1 to {letter}{len}")
                    .into()
            })
    }

    fn format_row(&self, position: &Position, row: u8) -> String {
        let letter_on = |cell| position.stone(cell).map(letter);
        fen::format_row(self.board.row(row).map(letter_on))
    }

    fn parse_rows(&self, rows: &[&str]) -> Result<[Cells; 2], Rejection> {
        let mut stones = [Cells::default(); 2];
        for (row, text) in self.board.rows().zip(rows) {
            let cells = self.board.row(row);
            let contents = fen::parse_row(text, LETTERS, cells.len()).map_err(|why| {
                let (row, text) = (row_letter(row), excerpt(text));
                Rejection(format!("row {row} ({text:?}): {why}"))
            })?;
            for (cell, content) in cells.zip(contents) {
                if let Some(side) = content {
                    stones[side].flip(cell);
                }
            }
        }
        Ok(stones)
    }
}

/// The letters of the players' stones.
const LETTERS: [char; 2] = ['x', 'o'];

/// The fields of a position string, for errors.
const FIELDS: &str = "rows, player to move and slides in a row, as in 5/6/7/8/9/8/7/6/5 x 0";

/// The letter of a player's stones, in text and drawings.
pub(crate) const fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

/// The name of a row, from 0 at the top.
pub(crate) const fn row_letter(row: u8) -> char {
    (b'a' + row) as char
}

/// Splits a cell code into row and number, which may be off the board; `None` if it is malformed.
fn split_cell(word: &str) -> Option<(u8, &str)> {
    let letter = word.bytes().next()?.to_ascii_lowercase();
    let number = word.get(1..)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_cell = letter.is_ascii_lowercase() && is_number;
    is_cell.then(|| (letter - b'a', number))
}

/// The size of a board with this number of rows.
pub(crate) fn parse_size(rows: usize) -> Result<u8, Rejection> {
    (MIN_SIZE..=MAX_SIZE)
        .find(|&size| usize::from(n_rows(size)) == rows)
        .ok_or_else(|| {
            let found = fen::counted(rows, "row");
            format!("{found}: expected 5, 7, 9, 11, 13 or 15").into()
        })
}

fn parse_slides(word: &str) -> Result<u64, Rejection> {
    fen::parse_number(word).ok_or_else(|| {
        let word = excerpt(word);
        format!("slides in a row {word:?}: expected a whole number, without zeros in front").into()
    })
}
