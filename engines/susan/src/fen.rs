//! Codes of cells and position strings.

use kit::notation::excerpt;
use kit::{Rejection, Side, fen};

use crate::cells::{Cell, Cells};
use crate::geometry::n_rows;
use crate::position::{MAX_SIZE, MIN_SIZE, Position, Susan};

impl Susan {
    pub(crate) fn parse_string(&self, text: &str) -> Result<(Susan, Position), Rejection> {
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

    pub(crate) fn parse_cell(&self, word: &str) -> Result<Cell, Rejection> {
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

    pub(crate) fn format_row(&self, position: &Position, row: u8) -> String {
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
