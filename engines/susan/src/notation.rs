//! How the game is written: move codes and position strings. Diagrams are drawn in `diagram` and read in `parse_diagram`.

use std::iter;
use std::str::FromStr;

use kit::notation::excerpt;
use kit::parse_diagram::is_diagram;
use kit::{Diagram, DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::cells::{Cell, Cells};
use crate::geometry::n_rows;
use crate::rules::{MAX_SIZE, MIN_SIZE, Move, Position, Susan};
use crate::{diagram, parse_diagram};

impl Notation for Susan {
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

    fn side_name(&self, _: &Position, side: Side) -> String {
        letter(side).to_string()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Susan>) -> String {
        diagram::draw(request, self)
    }

    fn diagram(&self, request: &DrawRequest<Susan>) -> Diagram {
        diagram::diagram(self, request)
    }
}

impl Susan {
    fn parse_string(&self, text: &str) -> Result<(Susan, Position), Rejection> {
        let fields: Vec<&str> = text.split(' ').collect();
        let &[rows, side, slides] = fields.as_slice() else {
            return Err(format!(
                "{} fields: expected 3, split by single blanks: rows, player to move, slides in a row",
                fields.len()
            )
            .into());
        };
        let rows: Vec<&str> = rows.split('/').collect();
        let game = self.resized(parse_size(rows.len())?);
        let stones = game.parse_rows(&rows)?;
        let position = game.position(stones, parse_side(side)?, parse_slides(slides)?);
        Ok((game, position))
    }

    /// The code of a cell: the letter of its row, and its number there.
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
        parse_number(number)
            .filter(|k| (1..=cells.len()).contains(k))
            .map(|k| cells.start + (k - 1) as Cell)
            .ok_or_else(|| {
                let (number, len) = (excerpt(number), cells.len());
                format!("no cell {letter}{number}: row {letter} holds {letter}1 to {letter}{len}")
                    .into()
            })
    }

    fn format_row(&self, position: &Position, row: u8) -> String {
        let mut text = String::new();
        let mut run = 0;
        for cell in self.board.row(row) {
            match position.stone(cell) {
                None => run += 1,
                Some(side) => {
                    push_run(&mut text, run);
                    run = 0;
                    text.push(letter(side));
                }
            }
        }
        push_run(&mut text, run);
        text
    }

    fn parse_rows(&self, rows: &[&str]) -> Result<[Cells; 2], Rejection> {
        let mut stones = [Cells::default(); 2];
        for (row, text) in self.board.rows().zip(rows) {
            let contents =
                parse_row(text, self.board.row(row).len()).map_err(|Rejection(why)| {
                    let text = excerpt(text);
                    Rejection(format!("row {} ({text:?}): {why}", row_letter(row)))
                })?;
            for (cell, content) in self.board.row(row).zip(contents) {
                if let Some(side) = content {
                    stones[side.index()].flip(cell);
                }
            }
        }
        Ok(stones)
    }
}

/// The stone of a player, as it is written and drawn.
pub(crate) const fn letter(side: Side) -> char {
    match side {
        Side::P1 => 'x',
        Side::P2 => 'o',
    }
}

/// The name of a row, from 0 at the top.
pub(crate) const fn row_letter(row: u8) -> char {
    (b'a' + row) as char
}

/// The row, which may be beyond the board, and the number of a cell; `None` for what does not look like one.
fn split_cell(word: &str) -> Option<(u8, &str)> {
    let letter = word.bytes().next()?.to_ascii_lowercase();
    let number = word.get(1..)?;
    let is_cell = letter.is_ascii_lowercase() && is_digits(number);
    is_cell.then(|| (letter - b'a', number))
}

fn push_run(text: &mut String, run: usize) {
    if run > 0 {
        text.push_str(&run.to_string());
    }
}

/// The size of a board with so many rows.
pub(crate) fn parse_size(rows: usize) -> Result<u8, Rejection> {
    (MIN_SIZE..=MAX_SIZE)
        .find(|&size| usize::from(n_rows(size)) == rows)
        .ok_or_else(|| format!("{rows} rows: expected 5, 7, 9, 11, 13 or 15").into())
}

/// The cells of a row, so many: a stone's owner, or nobody.
fn parse_row(text: &str, len: usize) -> Result<Vec<Option<Side>>, Rejection> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_run = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let (run, after) = rest.split_at(rest.len() - after_run.len());
        if run.is_empty() {
            cells.push(Some(parse_stone(first)?));
            rest = &rest[first.len_utf8()..];
        } else {
            cells.extend(iter::repeat_n(None, parse_run(run)?));
            rest = after;
        }
    }
    if cells.len() == len {
        Ok(cells)
    } else {
        Err(format!("{} cells: expected {len}", cells.len()).into())
    }
}

fn parse_stone(letter: char) -> Result<Side, Rejection> {
    side_of(letter).ok_or_else(|| {
        let letter = excerpt(&letter.to_string());
        format!("{letter:?} is neither x, o nor a number of empty cells").into()
    })
}

fn parse_run(digits: &str) -> Result<usize, Rejection> {
    let longest = usize::from(n_rows(MAX_SIZE));
    parse_number(digits)
        .filter(|run| (1..=longest).contains(run))
        .ok_or_else(|| {
            let digits = excerpt(digits);
            format!("{digits} empty cells: expected a number from 1 to {longest}, without zeros in front").into()
        })
}

fn parse_side(word: &str) -> Result<Side, Rejection> {
    let mut letters = word.chars();
    letters
        .next()
        .filter(|_| letters.as_str().is_empty())
        .and_then(side_of)
        .ok_or_else(|| format!("player to move {:?}: expected x or o", excerpt(word)).into())
}

fn parse_slides(word: &str) -> Result<u64, Rejection> {
    parse_number(word).ok_or_else(|| {
        let word = excerpt(word);
        format!("slides in a row {word:?}: expected a whole number, without zeros in front").into()
    })
}

/// Reads digits as they are written canonically: no sign, no zeros in front.
fn parse_number<N: FromStr>(digits: &str) -> Option<N> {
    let is_canonical = is_digits(digits) && (digits == "0" || !digits.starts_with('0'));
    is_canonical.then(|| digits.parse().ok())?
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn side_of(letter: char) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| self::letter(side) == letter)
}
