//! Codes of cells and moves, position strings, and the rows of drawn boards.

use draw::Board;
use draw::grid::DrawnBoard;
use kit::notation::excerpt;
use kit::{DrawRequest, Game, Notation, Outcome, Rejection, Setup, Side, fen};

use crate::cells::Cell;
use crate::diagram;
use crate::geometry::{n_rows, row_letter};
use crate::position::{LETTERS, MAX_SIZE, MIN_SIZE, Move, Position, Susan, letter, slides};

/// The fields of a position string, for errors.
const FIELDS: &str = "rows, player to move and slides in a row, as in 5/6/7/8/9/8/7/6/5 x 0";

impl Notation for Susan {
    const READABLE_STYLES: &'static [&'static str] = &[""];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![("Size", self.board.size.to_string())]
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        let mut code = String::new();
        if let Some(from) = mv.from() {
            self.write_name(&mut code, from);
            code.push_str("->");
        }
        self.write_name(&mut code, mv.to);
        code
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        let code: String = code.split_whitespace().collect();
        match code.split_once("->") {
            None => Ok(Move::place(self.parse_cell(&code)?)),
            Some((from, to)) => Ok(Move::slide(self.parse_cell(from)?, self.parse_cell(to)?)),
        }
    }

    fn format_position(&self, position: &Position) -> String {
        let letter_on = |cell| position.stone(cell).map(letter);
        let row = |row| fen::format_row(self.board.row(row).map(letter_on));
        let rows: Vec<String> = self.board.rows().map(row).collect();
        let (side, slides) = (letter(position.side), position.slides);
        format!("{} {side} {slides}", rows.join("/"))
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Susan>, Rejection> {
        let [rows, side, slides] = fen::fields(text, FIELDS)?;
        let game = self.resized(parse_size(rows.split('/').count())?);
        let board = &game.board;
        let lengths = board.rows().map(|row| board.row(row).len());
        let stones = fen::parse_rows(rows, LETTERS, lengths, |row| {
            format!("row {}", row_letter(row as u8))
        })?;
        let of = |side| {
            let cells = board.cells().zip(&stones);
            let own = cells.filter(|&(_, &stone)| stone == Some(side));
            own.map(|(cell, _)| cell).collect()
        };
        let side = fen::parse_side(side, LETTERS)?;
        let position = game.position([of(0), of(1)], side, parse_slides(slides)?);
        Ok(Setup::at((game, position)))
    }

    /// If no side to move is named, `o` is to move if `x` has more stones, otherwise `x`.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let rows = board.packed();
        let x_is_ahead = rows.matches('x').count() > rows.matches('o').count();
        let side = Side::BOTH[board.turn.unwrap_or(usize::from(x_is_ahead))];
        let slides = board.below.iter().find_map(|line| {
            // `x to move, 2 of 6 slides in a row`
            let (_, slides) = line.split_once(", ")?;
            slides.split(' ').next()?.parse().ok()
        });
        let slides: u64 = slides.unwrap_or(0);
        Ok(format!("{rows} {} {slides}", letter(side)))
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        letter(side).to_string()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        Some(match outcome? {
            Outcome::Win(side) => {
                format!("{} wins: {}", letter(side), reason(self, position, side))
            }
            Outcome::Draw if self.outcome(position).is_some() => {
                format!("draw: {}", slides(position.slides))
            }
            Outcome::Draw => "draw: repetition".to_owned(),
        })
    }

    fn board(&self, request: &DrawRequest<Susan>) -> Board {
        diagram::board(self, request)
    }
}

impl Susan {
    /// The code of a cell: the letter of its row, and its number within the row.
    pub(crate) fn name(&self, cell: Cell) -> String {
        let mut name = String::new();
        self.write_name(&mut name, cell);
        name
    }

    fn write_name(&self, code: &mut String, cell: Cell) {
        let (row, number) = self.board.coordinates(cell);
        code.push(row_letter(row));
        if number > 9 {
            code.push('1');
        }
        code.push(char::from(b'0' + number % 10));
    }

    fn parse_cell(&self, word: &str) -> Result<Cell, Rejection> {
        let (letter, number) =
            split_cell(word).ok_or("expected a cell such as b2, or a slide such as b2->c3")?;
        let row = letter as u8 - b'a';
        let rows = self.board.rows();
        if !rows.contains(&row) {
            let last = row_letter(rows.end - 1);
            return Err(format!("no row {letter}: the rows are a to {last}").into());
        }
        let cells = self.board.row(row);
        let cell =
            fen::parse_number(number).and_then(|k: usize| cells.clone().nth(k.checked_sub(1)?));
        cell.ok_or_else(|| {
            let (number, len) = (excerpt(number), cells.len());
            format!("no cell {letter}{number}: row {letter} holds {letter}1 to {letter}{len}")
                .into()
        })
    }
}

/// The reason for a win.
fn reason(game: &Susan, position: &Position, winner: Side) -> String {
    let loser = winner.other();
    let stones = position.stones[loser.index()].iter();
    let lost = stones.filter(|&cell| game.liberties(&position.empty, cell) == 0);
    let names: Vec<String> = lost.map(|cell| game.name(cell)).collect();
    format!("{} is surrounded on {}", letter(loser), names.join(" and "))
}

/// Splits a cell code into the letter of its row and its number, which may be off the board; `None` if it is malformed.
fn split_cell(word: &str) -> Option<(char, &str)> {
    let letter = word.chars().next()?.to_ascii_lowercase();
    let number = word.get(1..)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (letter.is_ascii_lowercase() && is_number).then_some((letter, number))
}

/// The size of a board with this number of rows.
fn parse_size(rows: usize) -> Result<u8, Rejection> {
    let size = (MIN_SIZE..=MAX_SIZE).find(|&size| usize::from(n_rows(size)) == rows);
    size.ok_or_else(|| {
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
