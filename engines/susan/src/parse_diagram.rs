//! Reads diagrams, as in games by mail.
//!
//! A row is its letter, its cells and, optionally, the number of the diagonal that ends there. Lines of numbers alone
//! are ignored. The side to move may follow below the board. A row may also have the numbers of its cells and its
//! letter at both ends: such a diagram is the empty board.

use kit::notation::excerpt;
use kit::parse_diagram as drawn;
use kit::{FigureLine, Rejection, Side};

use crate::cells::Cells;
use crate::fen::{letter, parse_size, row_letter};
use crate::geometry::{indent, n_rows};
use crate::position::{MAX_SIZE, MIN_SIZE, Position, Susan};

/// Classifies a line of pasted text, given the rows of the diagram above it.
pub(crate) fn figure_line(above: &[String], line: &str) -> FigureLine {
    let line = drawn::bare(line);
    let row = above.len();
    let size = match above.first() {
        Some(first) => n_cells(&drawn::bare(first), 0),
        None => n_cells(&line, 0),
    };
    let is_size = |size: &usize| (MIN_SIZE.into()..=MAX_SIZE.into()).contains(size);
    if let Some(size) = size.filter(is_size) {
        let n_rows = 2 * size - 1;
        let expected = size + row.min(n_rows.saturating_sub(row + 1));
        if row < n_rows && n_cells(&line, row) == Some(expected) {
            return FigureLine::row(row, n_rows);
        }
    }
    if is_frame(&line) {
        FigureLine::Frame
    } else if parse_turn(&line, 0).is_ok() {
        FigureLine::Turn
    } else {
        FigureLine::Other
    }
}

/// Number of cells in a line, if it has the form of this row.
fn n_cells(line: &str, row: usize) -> Option<usize> {
    let rest = split_row(line, row)?;
    let cells = rest.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let signs = cells.chars().filter(|sign| !sign.is_whitespace());
    let is_cell = |sign| matches!(sign, '.' | 'x' | 'o' | 'X' | 'O');
    signs.clone().all(is_cell).then(|| signs.count())
}

/// The game and the position of a diagram. If no side to move is named, `o` is to move if `x` has more stones,
/// otherwise `x`, and the count of slides is 0.
pub(crate) fn parse(rules: &Susan, text: &str) -> Result<(Susan, Position), Rejection> {
    let mut rows: Vec<String> = Vec::new();
    let mut turn = None;
    for line in drawn::lines(text).filter(|line| !is_frame(line)) {
        match split_row(&line, rows.len()) {
            Some(row) if turn.is_none() => rows.push(row),
            _ => turn = Some(parse_turn(&line, rows.len())?),
        }
    }
    let game = rules.resized(parse_size(rows.len())?);
    let stones = parse_rows(&game, &rows)?;
    let x_is_ahead = stones[0].len() > stones[1].len();
    let by_count = if x_is_ahead { Side::P2 } else { Side::P1 };
    let (side, slides) = turn.unwrap_or((by_count, 0));
    let position = game.position(stones, side, slides);
    Ok((game, position))
}

/// `true` if a line consists only of the numbers of diagonals.
fn is_frame(line: &str) -> bool {
    line.chars()
        .all(|sign| sign.is_ascii_digit() || sign == ' ')
}

/// The text after the row's letter, if the line is this row; cell numbers become empty cells.
fn split_row(line: &str, row: usize) -> Option<String> {
    let is_on_largest = row < usize::from(n_rows(MAX_SIZE));
    let letter = is_on_largest.then(|| row_letter(row as u8))?;
    let rest = line.strip_prefix(letter)?;
    if let Some(numbers) = rest.strip_suffix(letter) {
        let is_next = |(word, number): (&str, u32)| word == number.to_string();
        let are_numbers = numbers.split_whitespace().zip(1..).all(is_next);
        return are_numbers.then(|| ".".repeat(numbers.split_whitespace().count()));
    }
    rest.trim_start()
        .starts_with(['.', 'x', 'o', 'X', 'O'])
        .then(|| rest.to_owned())
}

/// Parses the side to move and the count of slides: `x to move, 3 slides in a row`.
fn parse_turn(line: &str, n_rows: usize) -> Result<(Side, u64), Rejection> {
    let (turn, slides) = line.split_once(',').unwrap_or((line, ""));
    let side = Side::BOTH
        .into_iter()
        .find(|&side| turn.eq_ignore_ascii_case(&format!("{} to move", letter(side))));
    let count = match slides.trim() {
        "" => Some(0),
        slides => slides
            .strip_suffix("s in a row")
            .or(slides.strip_suffix(" in a row"))
            .and_then(|slides| slides.strip_suffix(" slide")?.parse().ok()),
    };
    side.zip(count).ok_or_else(|| {
        let (line, next) = (excerpt(line), row_letter(n_rows as u8));
        Rejection(format!(
            "{line:?}: expected row {next} of the diagram, or \"x to move\" or \"o to move\" below it"
        ))
    })
}

fn parse_rows(game: &Susan, rows: &[String]) -> Result<[Cells; 2], Rejection> {
    let mut stones = [Cells::default(); 2];
    for (row, text) in game.board.rows().zip(rows) {
        let contents = parse_row(game, row, text)?;
        for (cell, content) in game.board.row(row).zip(contents) {
            if let Some(side) = content {
                stones[side.index()].insert(cell);
            }
        }
    }
    Ok(stones)
}

/// The owner of the stone on each cell of a row, from the left.
fn parse_row(game: &Susan, row: u8, text: &str) -> Result<Vec<Option<Side>>, Rejection> {
    let n_cells = game.board.row(row).len();
    let end = match indent(game.board.size(), row) {
        0 => String::new(),
        _ => (n_cells + 1).to_string(),
    };
    let cells = drawn::parse_cells(text, Side::BOTH.map(letter), n_cells, &end)
        .map_err(|why| Rejection(format!("row {} {why}", row_letter(row))))?;
    let owner = |cell: Option<usize>| cell.map(|index| Side::BOTH[index]);
    Ok(cells.into_iter().map(owner).collect())
}
