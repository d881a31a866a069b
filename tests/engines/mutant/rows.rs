//! The rows of a position string.

use kit::Side;

/// The characters of each row; each empty cell of a run becomes `.`.
pub(crate) fn rows(fen: &str) -> Vec<Vec<char>> {
    let board = fen.split(' ').next().unwrap_or_default();
    board.split('/').map(row).collect()
}

fn row(text: &str) -> Vec<char> {
    let mut cells = Vec::new();
    let mut run = 0;
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => run = 10 * run + digit as usize,
            None => {
                cells.extend(std::iter::repeat_n('.', std::mem::take(&mut run)));
                cells.push(c);
            }
        }
    }
    cells.extend(std::iter::repeat_n('.', run));
    cells
}

/// A field of a position string, by index from 0; empty if it is missing.
pub(crate) fn field(fen: &str, n: usize) -> &str {
    fen.split(' ').nth(n).unwrap_or_default()
}

/// One value per player, player 1's first.
pub(crate) fn each<T>(of: impl Fn(Side) -> T) -> [T; 2] {
    Side::BOTH.map(of)
}
