//! Codes of cells and position strings.

use kit::{Rejection, Side, fen};

use crate::geometry::{Cell, Geometry, Place};
use crate::position::{Colour, Position};
use crate::rules::{Projex, SWAP_AFTER};

/// The fields of a position string, for errors.
const FIELDS: &str = "the rows, the colour to move and the owner of x, as in 2/3/4/3 x 1";

const SYMBOLS: [char; 2] = ['x', 'o'];

/// The code of [`Move::Swap`].
pub(crate) const SWAP: &str = "swap";

impl Projex {
    pub(crate) fn parse_string(&self, text: &str) -> Result<(Projex, Position), Rejection> {
        let [rows, turn, owner] = fen::fields(text, FIELDS)?;
        let game = self.resized(parse_size(rows.split('/').count())?);
        let lengths = (1..=game.board().n_rows()).map(|row| game.board().row(row).len());
        let name = |i| format!("row {}", i + 1);
        let stones = fen::parse_rows(rows, SYMBOLS, lengths, name)?;
        let stones: Vec<_> = stones
            .into_iter()
            .map(|stone| stone.map(|i| Colour::BOTH[i]))
            .collect();
        let turn = Colour::BOTH[fen::parse_choice("colour to move", turn, SYMBOLS)?];
        let x_owner = Side::BOTH[fen::parse_choice("owner of x", owner, ['1', '2'])?];
        check_counts(&stones, turn, x_owner)?;
        let position = judge(&game, &stones, x_owner)?;
        Ok((game, position))
    }
}

/// The code of a cell, such as `F6`.
pub(crate) fn format_cell(board: &Geometry, cell: Cell) -> String {
    let Place { row, letter } = board.place(cell);
    format!("{}{row}", letter_name(letter))
}

/// The name of a diagonal: `A` for 1.
pub(crate) fn letter_name(letter: i32) -> char {
    let offset = u8::try_from(letter - 1).expect("a board has at most 26 letters");
    (b'A' + offset).into()
}

pub(crate) fn parse_cell(board: &Geometry, code: &str) -> Result<Cell, Rejection> {
    let n = board.n_rows();
    let Some((letter, row)) = split_code(code) else {
        let middle = board.size();
        return Err(format!("expected a cell such as A{middle}, or {SWAP}").into());
    };
    if letter > n {
        return Err(format!("letters run from A to {}", letter_name(n)).into());
    }
    if row > n {
        return Err(format!("rows run from 1 to {n}").into());
    }
    board.cell_at(Place { row, letter }).ok_or_else(|| {
        let (first, last) = board.letters(row);
        let (first, last) = (letter_name(first), letter_name(last));
        format!("row {row} runs from {first} to {last}").into()
    })
}

/// The letter's number and the row of a well-formed code, which need not be on any board.
fn split_code(code: &str) -> Option<(i32, i32)> {
    let (&letter, digits) = code.as_bytes().split_first()?;
    let is_row =
        digits.first().is_some_and(|&first| first != b'0') && digits.iter().all(u8::is_ascii_digit);
    if !letter.is_ascii_alphabetic() || !is_row {
        return None;
    }
    let letter = i32::from(letter.to_ascii_uppercase() - b'A') + 1;
    Some((letter, code[1..].parse().unwrap_or(i32::MAX)))
}

pub(crate) fn format_row(board: &Geometry, position: &Position, row: i32) -> String {
    let stones = &position.stones()[board.row(row)];
    fen::format_row(stones.iter().map(|stone| stone.map(Colour::symbol)))
}

/// The size of a board with this number of rows.
fn parse_size(n_rows: usize) -> Result<i32, Rejection> {
    let size = i32::try_from(n_rows / 2 + 1).unwrap_or(i32::MAX);
    if !n_rows.is_multiple_of(2) || !Geometry::SIZES.contains(&size) {
        let found = fen::counted(n_rows, "row");
        return Err(format!("{found}: expected an even number from 4 to 26").into());
    }
    Ok(size)
}

/// Checks the numbers of stones: the colours alternate, and only `swap`, the fourth move, gives `x` to player 2.
fn check_counts(stones: &[Option<Colour>], turn: Colour, x_owner: Side) -> Result<(), Rejection> {
    let count = |colour| {
        stones
            .iter()
            .filter(|&&stone| stone == Some(colour))
            .count()
    };
    let (n_x, n_o) = (count(Colour::X), count(Colour::O));
    let (lead, rule) = match turn {
        Colour::X => (0, "x has as many as o"),
        Colour::O => (1, "x has one more than o"),
    };
    if n_x != n_o + lead {
        let turn = turn.symbol();
        return Err(format!("{n_x} x and {n_o} o: with {turn} to move, {rule}").into());
    }
    if x_owner == Side::P2 && n_x + n_o < SWAP_AFTER {
        let reason = "player 2 owns x only after swap, the fourth move";
        return Err(format!("{n_x} x and {n_o} o: {reason}").into());
    }
    Ok(())
}

/// The position, adjudicated as if the colour not to move had just moved.
fn judge(game: &Projex, stones: &[Option<Colour>], x_owner: Side) -> Result<Position, Rejection> {
    let position = game.set_up(stones, x_owner);
    let turn = position.turn();
    if position.holder() == Some(turn) {
        let turn = turn.symbol();
        return Err(format!("{turn} is to move and holds a global loop already").into());
    }
    Ok(position)
}
