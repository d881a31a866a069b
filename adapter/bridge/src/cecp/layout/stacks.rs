//! Gobblet. Cells are stacks of pieces of increasing size, laid out flat with one square per size. So no piece is
//! hidden, no move captures, and XBoard need not know which piece a move uncovers.
//!
//! On 3x3 a cell is three squares in a row, followed by a hole. On 4x4 it is a block of 2x2 squares, with a line of
//! holes between the blocks, because four squares in a row would exceed XBoard's number of files.

use kit::Side;

use super::super::fen::{EMPTY, Fen, HOLE};
use super::super::square::Move;
use crate::half_moves::{CellNames, Point};

/// White's letters for the sizes, the smallest first.
static LETTERS: [char; 4] = ['A', 'B', 'C', 'D'];

/// Letters of the players in position strings.
const COLOURS: [char; 2] = ['r', 'y'];

/// A board of Gobblet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stacks {
    /// Cells per side: 3 or 4.
    size: u8,
}

impl Stacks {
    /// Reads the size of the board from its start position.
    pub(super) fn new(start: &str) -> Stacks {
        let n_rows = start.split('/').count();
        Stacks { size: n_rows as u8 }
    }

    /// Returns the letter of each size.
    pub(super) fn letters(&self) -> &'static [char] {
        &LETTERS[..self.n_sizes()]
    }

    /// Number of sizes. It equals the number of cells per side.
    fn n_sizes(&self) -> usize {
        usize::from(self.size)
    }

    /// Number of pieces of each size per player.
    fn n_of_a_size(&self) -> usize {
        usize::from(self.size) - 1
    }

    /// Files and ranks of a cell's block.
    fn block(&self) -> (u8, u8) {
        match self.size {
            3 => (3, 1),
            _ => (2, 2),
        }
    }

    /// Files and ranks from one cell to the next, including holes.
    fn stride(&self) -> (u8, u8) {
        match self.block() {
            (width, 1) => (width + 1, 1),
            (width, height) => (width + 1, height + 1),
        }
    }

    pub(super) fn n_files(&self) -> u8 {
        (self.size - 1) * self.stride().0 + self.block().0
    }

    pub(super) fn n_ranks(&self) -> u8 {
        (self.size - 1) * self.stride().1 + self.block().1
    }

    /// Returns the square of a size on a cell: in its block from the left, the upper line first. Column and row count from
    /// 0 at the bottom left.
    fn square(&self, column: u8, row: u8, size: u8) -> Point {
        let ((files, ranks), (width, height)) = (self.stride(), self.block());
        let (file, line) = ((size - 1) % width, (size - 1) / width);
        Point {
            column: column * files + file,
            row: row * ranks + height - 1 - line,
        }
    }

    /// Iterates over the squares of the board, each with its cell and size.
    fn squares(&self) -> impl Iterator<Item = (Point, (u8, u8), u8)> {
        let side = 0..self.size;
        let cells = side
            .clone()
            .flat_map(move |row| side.clone().map(move |column| (column, row)));
        cells.flat_map(move |(column, row)| {
            let sizes = 1..=self.n_sizes() as u8;
            sizes.map(move |size| (self.square(column, row, size), (column, row), size))
        })
    }

    pub(super) fn to_xboard(&self, position: &str) -> Fen {
        let (board, side) = position.split_once(' ').unwrap_or((position, "r"));
        let (n_files, n_ranks) = (usize::from(self.n_files()), usize::from(self.n_ranks()));
        let mut ranks = vec![vec![HOLE; n_files]; n_ranks];
        let mut held = [[self.n_of_a_size(); LETTERS.len()]; 2];
        for (square, (column, row), size) in self.squares() {
            let owner = owner_of(stack(board, column, row, self.size), size);
            let content = match owner {
                None => EMPTY,
                Some(owner) => {
                    let left = &mut held[owner.index()][usize::from(size) - 1];
                    *left = left.saturating_sub(1);
                    letter(owner, size)
                }
            };
            ranks[n_ranks - 1 - usize::from(square.row)][usize::from(square.column)] = content;
        }
        let side = match side.starts_with(COLOURS[0]) {
            true => Side::P1,
            false => Side::P2,
        };
        Fen {
            ranks,
            holdings: Some(self.holdings(&held)),
            side,
        }
    }

    fn holdings(&self, held: &[[usize; LETTERS.len()]; 2]) -> String {
        let pieces = Side::BOTH.into_iter().flat_map(|side| {
            let sizes = 1..=self.n_sizes();
            sizes.map(move |size| (letter(side, size as u8), held[side.index()][size - 1]))
        });
        pieces
            .map(|(letter, n)| letter.to_string().repeat(n))
            .collect()
    }

    /// Converts a position. The holdings follow from the board and are ignored.
    pub(super) fn to_game(&self, fen: &Fen) -> Result<String, String> {
        let mut cells = vec![vec![String::new(); usize::from(self.size)]; usize::from(self.size)];
        let mut n_squares = 0;
        for (square, (column, row), size) in self.squares() {
            let cell = &mut cells[usize::from(row)][usize::from(column)];
            let [white, black] = Side::BOTH.map(|side| letter(side, size));
            let colour = match fen.at(square) {
                Some(EMPTY) => None,
                Some(HOLE) | None => return Err("a hole within a cell".to_owned()),
                Some(piece) if piece == white => Some(COLOURS[0]),
                Some(piece) if piece == black => Some(COLOURS[1]),
                Some(other) => {
                    return Err(format!(
                        "piece {other:?} on a square of {white} and {black}"
                    ));
                }
            };
            cell.extend(colour.map(|colour| format!("{colour}{size}")));
            n_squares += 1;
        }
        let contents = fen.ranks.iter().flatten();
        let n_not_holes = contents.filter(|content| **content != HOLE).count();
        if n_not_holes != n_squares {
            return Err("a square between the cells: expected holes there".to_owned());
        }
        let rows = cells.into_iter().rev().map(|row| {
            let cells = row.into_iter();
            let cells = cells.map(|cell| match cell.is_empty() {
                true => ".".to_owned(),
                false => cell,
            });
            cells.collect::<Vec<_>>().join(",")
        });
        let board = rows.collect::<Vec<_>>().join("/");
        Ok(format!("{board} {}", COLOURS[fen.side.index()]))
    }

    /// Converts a move of the game; `None` if it names no cells or starts at an empty one.
    pub(super) fn mv(&self, position: &str, code: &str) -> Option<Move> {
        if let Some((size, to)) = code.split_once('@') {
            let size: u8 = size.parse().ok()?;
            let (column, row) = cell(to)?;
            return Some(Move::Drop {
                piece: letter(Side::P1, size),
                to: self.square(column, row, size),
            });
        }
        let (from, to) = code.split_once('-')?;
        let ((column, row), (to_column, to_row)) = (cell(from)?, cell(to)?);
        let size = self.visible_size(position, column, row)?;
        Some(Move::Step {
            from: self.square(column, row, size),
            to: self.square(to_column, to_row, size),
        })
    }

    /// Returns the square of a cell's visible piece, or the first square of an empty cell.
    pub(super) fn visible(&self, position: &str, name: &str) -> Option<Point> {
        let (column, row) = cell(name).filter(|(column, row)| (*column).max(*row) < self.size)?;
        let size = self.visible_size(position, column, row);
        Some(self.square(column, row, size.unwrap_or(1)))
    }

    /// Returns the squares of the pieces that a larger one covers.
    pub(super) fn covered(&self, position: &str) -> Vec<Point> {
        let board = position.split(' ').next().unwrap_or_default();
        let is_covered = |(_, (column, row), size): &(Point, (u8, u8), u8)| {
            let visible = self.visible_size(position, *column, *row);
            owner_of(stack(board, *column, *row, self.size), *size).is_some()
                && visible > Some(*size)
        };
        let squares = self.squares().filter(is_covered);
        squares.map(|(square, ..)| square).collect()
    }

    /// Returns the size of the visible piece of a cell.
    fn visible_size(&self, position: &str, column: u8, row: u8) -> Option<u8> {
        let board = position.split(' ').next()?;
        let top = stack(board, column, row, self.size).chars().next_back()?;
        Some(top.to_digit(10)? as u8)
    }
}

/// Column and row of a cell, from 0.
fn cell(name: &str) -> Option<(u8, u8)> {
    let point = CellNames::Squares.point(name, 0, |_| 0)?;
    Some((point.column, point.row))
}

/// Returns the pieces of a cell in a position string, from the bottom up. Rows count from 0 at the bottom.
fn stack(board: &str, column: u8, row: u8, size: u8) -> &str {
    let row = board.split('/').nth(usize::from(size - 1 - row));
    let cell = row.and_then(|row| row.split(',').nth(usize::from(column)));
    cell.unwrap_or_default()
}

/// Returns the owner of the piece of this size in a stack.
fn owner_of(stack: &str, size: u8) -> Option<Side> {
    let at = stack.find(char::from(b'0' + size))?;
    let colour = stack[..at].chars().next_back()?;
    Some(match colour == COLOURS[0] {
        true => Side::P1,
        false => Side::P2,
    })
}

fn letter(side: Side, size: u8) -> char {
    let capital = LETTERS[usize::from(size) - 1];
    match side {
        Side::P1 => capital,
        Side::P2 => capital.to_ascii_lowercase(),
    }
}
