//! The drawn board: the diagram that SUSAN is played with by mail.

use crate::board::{Board, indent};
use crate::notation::{letter, row_letter};
use crate::rules::Position;

/// Draws a position. A cell's number stands at the end of its diagonal: the one to the upper right in the upper
/// half, the one to the lower right in the lower half.
pub(crate) fn draw(board: &Board, position: &Position) -> String {
    let numbers = draw_numbers(board.size());
    let mut lines = vec![numbers.clone()];
    lines.extend(board.rows().map(|row| draw_row(board, position, row)));
    lines.push(numbers);
    lines.join("\n")
}

/// The line above the board and below it: the numbers of the diagonals that leave by its top or bottom side.
fn draw_numbers(size: u8) -> String {
    let numbers: Vec<String> = (1..=size).map(|number| number.to_string()).collect();
    " ".repeat(usize::from(size) + 2) + &numbers.join(" ")
}

fn draw_row(board: &Board, position: &Position, row: u8) -> String {
    let indent = indent(board.size(), row);
    let cells = board.row(row);
    let past_end = cells.len() + 1;
    let draw_cell = |cell| position.stone(cell).map_or('.', letter).to_string();
    let mut words: Vec<String> = cells.map(draw_cell).collect();
    if indent > 0 {
        words.push(past_end.to_string());
    }
    let blanks = " ".repeat(usize::from(indent) + 1);
    format!("{}{blanks}{}", row_letter(row), words.join(" "))
}
