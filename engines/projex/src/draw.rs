//! The board drawn for a person: as the old Projex server laid it out, on request with the far side around it.

use std::collections::BTreeMap;

use kit::Game;

use crate::board::{Board, Cell, Place};
use crate::loops::winning_loop;
use crate::notation::{format_cell, letter_name};
use crate::position::Position;
use crate::rules::Projex;

/// The board, and below it who is to move or has won. A stone is `x` or `o`, in a finished game a capital where
/// it lies on the winning loop. With the far side, each place around the board shows what is met there across the
/// edge: a stone, or the code of an empty cell in lower case.
pub(crate) fn draw(game: &Projex, position: &Position, has_far_side: bool) -> String {
    let board = game.board();
    let winning = winning_loop(board, position);
    let show = |cell| match position.stone(cell) {
        Some(stone) if winning.contains(&cell) => stone.symbol().to_ascii_uppercase(),
        Some(stone) => stone.symbol(),
        None => '.',
    };
    let mut picture = Picture::new(if has_far_side { 4 } else { 2 });
    for cell in board.cells() {
        picture.put(board.place(cell), &show(cell).to_string());
    }
    if has_far_side {
        put_far_side(&mut picture, board, position, show);
    }
    put_names(&mut picture, board, if has_far_side { 2 } else { 1 });
    format!("{}\n\n{}", picture.text(), status(game, position))
}

fn put_far_side(
    picture: &mut Picture,
    board: &Board,
    position: &Position,
    show: impl Fn(Cell) -> char,
) {
    for (place, cell) in board.rim() {
        let text = match position.stone(cell) {
            Some(_) => show(cell).to_string(),
            None => format_cell(board, cell).to_lowercase(),
        };
        picture.put(place, &text);
    }
}

/// Rows are named at their left, diagonals at their lower right, so many steps from the board.
fn put_names(picture: &mut Picture, board: &Board, steps: i32) {
    for row in 1..=board.n_rows() {
        let letter = board.letters(row).0 - steps;
        picture.put(Place { row, letter }, &row.to_string());
    }
    for letter in 1..=board.n_rows() {
        let row = board.last_row(letter) + steps;
        picture.put(Place { row, letter }, &letter_name(letter).to_string());
    }
}

fn status(game: &Projex, position: &Position) -> String {
    if let Some(holder) = position.holder() {
        let (stone, winner) = (holder.symbol(), position.owner(holder));
        return format!("{stone} holds a global loop: {winner} wins");
    }
    let (stone, side) = (position.turn().symbol(), game.side(position));
    let swap = if game.can_swap(position) {
        ", or swap"
    } else {
        ""
    };
    format!("{side} to move: {stone}{swap}")
}

/// Short texts at places of the board.
struct Picture {
    /// Columns from one cell of a row to the next.
    pitch: i32,
    /// Texts by line and the column of their middle.
    texts: BTreeMap<(i32, i32), String>,
}

impl Picture {
    fn new(pitch: i32) -> Picture {
        Picture {
            pitch,
            texts: BTreeMap::new(),
        }
    }

    /// Puts a text with its middle at a place; of an even length, the right one of the two middle characters.
    fn put(&mut self, place: Place, text: &str) {
        let Place { row, letter } = place;
        let middle = self.pitch * letter + self.pitch / 2 * row;
        let start = middle - text.len() as i32 / 2;
        self.texts.insert((row, start), text.to_owned());
    }

    /// The lines, without space that all of them begin with.
    fn text(&self) -> String {
        let starts = self.texts.keys().map(|&(_, start)| start);
        let left = starts.min().unwrap_or(0);
        let mut lines: BTreeMap<i32, String> = BTreeMap::new();
        for (&(row, start), text) in &self.texts {
            let line = lines.entry(row).or_default();
            let gap = (start - left) as usize;
            *line = format!("{line:gap$}{text}");
        }
        let trimmed = |line: String| line.trim_end().to_owned();
        lines
            .into_values()
            .map(trimmed)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
