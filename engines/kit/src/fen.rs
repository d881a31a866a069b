//! Position strings: fields, rows of pieces with runs of empty cells, numbers. Shared by the games' `notation` modules.

use std::iter::repeat_n;
use std::str::FromStr;

pub use draw::grid::format_row;
pub use protocol::text::counted;

use crate::notation::excerpt;
use crate::options::or_list;
use crate::{Rejection, Side};

/// Splits a position string into its fields, which single blanks separate; `names` lists them for the error.
pub fn fields<'a, const N: usize>(text: &'a str, names: &str) -> Result<[&'a str; N], Rejection> {
    let fields: Vec<&str> = text.split(' ').collect();
    let found = counted(fields.len(), "field");
    let wrong_number = |_| format!("{found}, expected {N}: {names}").into();
    fields.try_into().map_err(wrong_number)
}

/// Reads a row of `n_cells` cells. For each cell, the result has the index in `letters` of its piece, or `None` if the
/// cell is empty.
///
/// # Errors
/// The reason, to be appended to the name of the row.
pub fn parse_row(
    text: &str,
    letters: [char; 2],
    n_cells: usize,
) -> Result<Vec<Option<usize>>, Rejection> {
    let mut cells = Vec::new();
    let mut n = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (word, tail) = rest.split_at(n_digits.max(first.len_utf8()));
        let (cell, run) = match n_digits {
            0 => (Some(parse_piece(first, letters)?), 1),
            _ => (None, parse_run(word, n_cells)?),
        };
        n += run;
        // Does not allocate for a text whose runs exceed the row.
        if n <= n_cells {
            cells.extend(repeat_n(cell, run));
        }
        rest = tail;
    }
    match n == n_cells {
        true => Ok(cells),
        false => Err(format!("{}, expected {n_cells}", counted(n, "cell")).into()),
    }
}

/// Reads the rows of a board, which `/` separates, given their numbers of cells. The result is that of [`parse_row`], row
/// by row. `name` returns the name of a row, counted from 0, for its error. The number of rows has been checked.
pub fn parse_rows(
    text: &str,
    letters: [char; 2],
    lengths: impl IntoIterator<Item = usize>,
    name: impl Fn(usize) -> String,
) -> Result<Vec<Option<usize>>, Rejection> {
    let mut cells = Vec::new();
    for (i, (row, n_cells)) in text.split('/').zip(lengths).enumerate() {
        let contents = parse_row(row, letters, n_cells);
        cells.extend(contents.map_err(|why| {
            let (name, row) = (name(i), excerpt(row));
            Rejection(format!("{name} ({row:?}): {why}"))
        })?);
    }
    Ok(cells)
}

fn parse_piece(sign: char, letters: [char; 2]) -> Result<usize, Rejection> {
    let found = letters.iter().position(|&letter| letter == sign);
    found.ok_or_else(|| {
        let ([one, other], sign) = (letters, excerpt(&sign.to_string()));
        format!("{sign:?}: expected {one}, {other} or a number of empty cells").into()
    })
}

fn parse_run(digits: &str, n_cells: usize) -> Result<usize, Rejection> {
    let run = parse_number(digits).filter(|run| (1..=n_cells).contains(run));
    run.ok_or_else(|| {
        let digits = excerpt(digits);
        format!("{digits:?}: expected a number of empty cells from 1 to {n_cells}").into()
    })
}

/// Reads a word that is one of `choices`, such as the player to move, and returns its index. `what` names it in the
/// error.
pub fn parse_choice<const N: usize>(
    what: &str,
    word: &str,
    choices: [char; N],
) -> Result<usize, Rejection> {
    let choices = choices.map(String::from);
    let found = choices.iter().position(|choice| choice == word);
    found.ok_or_else(|| {
        let (word, expected) = (excerpt(word), or_list(&choices));
        format!("{what} {word:?}: expected {expected}").into()
    })
}

/// Reads the player to move, given each player's letter.
pub fn parse_side(word: &str, letters: [char; 2]) -> Result<Side, Rejection> {
    parse_choice("player to move", word, letters).map(|index| Side::BOTH[index])
}

/// Reads digits in canonical form: no sign, no leading zero. `None` for anything else and for a number out of range.
pub fn parse_number<N: FromStr>(digits: &str) -> Option<N> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_canonical = is_number && (digits == "0" || !digits.starts_with('0'));
    is_canonical.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Result<Vec<Option<usize>>, String> {
        parse_row(text, ['x', 'o'], 12).map_err(|why| why.0)
    }

    #[test]
    fn rows_round_trip() {
        for text in ["12", "x11", "10xo", "1x1o1x1o1x1o", "xoxoxoxoxoxo"] {
            let letter = |cell: Option<usize>| cell.map(|piece| ['x', 'o'][piece]);
            let cells = row(text).expect("a row");
            assert_eq!(cells.len(), 12);
            assert_eq!(format_row(cells.into_iter().map(letter)), text);
        }
    }

    #[test]
    fn bad_rows_say_what_was_expected() {
        let run = |digits| {
            Err(format!(
                "{digits:?}: expected a number of empty cells from 1 to 12"
            ))
        };
        for digits in ["0", "012", "13", "99999999999999999999"] {
            assert_eq!(row(digits), run(digits));
        }
        assert_eq!(
            row("X11"),
            Err("\"X\": expected x, o or a number of empty cells".to_owned())
        );
        assert_eq!(row(""), Err("0 cells, expected 12".to_owned()));
        assert_eq!(row("x"), Err("1 cell, expected 12".to_owned()));
        assert_eq!(row("x12"), Err("13 cells, expected 12".to_owned()));
        let long = "x12".repeat(100_000);
        assert_eq!(row(&long), Err("1300000 cells, expected 12".to_owned()));
    }

    #[test]
    fn fields_are_counted() {
        assert_eq!(fields("a b", "rows and player"), Ok(["a", "b"]));
        let why = fields::<2>("a  b", "rows and player").expect_err("three fields");
        assert_eq!(why.0, "3 fields, expected 2: rows and player");
    }

    #[test]
    fn numbers_are_canonical() {
        assert_eq!(parse_number("0"), Some(0));
        assert_eq!(parse_number("120"), Some(120));
        for word in ["", "+1", "-1", "01", "1 ", "256"] {
            assert_eq!(parse_number::<u8>(word), None, "{word:?}");
        }
    }

    #[test]
    fn a_choice_names_what_was_expected() {
        assert_eq!(parse_side("o", ['x', 'o']), Ok(Side::P2));
        let why = parse_choice("passes", "3", ['0', '1', '2']).expect_err("no choice");
        assert_eq!(why.0, "passes \"3\": expected 0, 1 or 2");
    }
}
