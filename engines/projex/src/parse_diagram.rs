//! Reads boards drawn as text.
//!
//! A row is its number, its cells and, optionally, the letter of the diagonal that ends above it. The line of letters
//! is ignored. The side to move or the winner may follow below it. With the far side, each row is between two places of
//! the far side, and there is a line of these places above and below the board; all of them are ignored.

use kit::notation::excerpt;
use kit::parse_diagram as drawn;
use kit::{FigureLine, Game, Rejection, Side};

use crate::board::Projex;
use crate::fen::{check_counts, judge, letter_name, parse_size};
use crate::geometry::Geometry;
use crate::position::{Colour, Position};

/// The content of the line below the board.
struct Caption {
    /// The colour to move; `None` if the game is over.
    turn: Option<Colour>,
    x_owner: Side,
}

/// Classifies a line of pasted text, given the lines of the drawn board above it.
pub(crate) fn figure_line(above: &[String], line: &str) -> FigureLine {
    let line = drawn::bare(line);
    let first = above
        .first()
        .map_or_else(|| line.clone(), |first| drawn::bare(first));
    let (size, is_far) = match split_row(&first, 1) {
        Some(cells) => (
            cells.chars().filter(|sign| is_cell(*sign)).count() + 1,
            false,
        ),
        None if is_far_line(&first) => (first.split_whitespace().count(), true),
        None if is_servers(above.len(), &line) => {
            return FigureLine::row(above.len(), SERVERS_BOARD.lines().count());
        }
        None => (0, false),
    };
    let is_size = i32::try_from(size).is_ok_and(|size| Geometry::SIZES.contains(&size));
    let n_rows = 2 * size.max(1) - 2;
    let n_lines = if is_far { n_rows + 2 } else { n_rows };
    if is_size && above.len() < n_lines && is_row(&line, above.len(), size, is_far) {
        FigureLine::row(above.len(), n_lines)
    } else if is_frame(&line) {
        FigureLine::Frame
    } else if parse_caption(&line, 0).is_ok() {
        FigureLine::Turn
    } else {
        FigureLine::Other
    }
}

/// `true` if a line is the one below `n_above` others of a board of this size.
fn is_row(line: &str, n_above: usize, size: usize, is_far: bool) -> bool {
    let n_rows = 2 * size - 2;
    let row = if is_far { n_above } else { n_above + 1 };
    if row == 0 || row > n_rows {
        let n_places = if row == 0 { size } else { size + 1 };
        return is_far_line(line) && has_words(line, n_places);
    }
    let n_cells = (size - 2 + row).min(3 * size - 2 - row);
    match split_row(line, row) {
        Some(rest) if is_far => has_words(rest, n_cells + 2),
        Some(rest) => {
            let signs: Vec<char> = rest.chars().filter(|sign| !sign.is_whitespace()).collect();
            let n_more = signs.len().checked_sub(n_cells);
            let is_end = |end: &[char]| end.iter().all(char::is_ascii_uppercase);
            n_more.is_some_and(|n_more| n_more <= 1 && is_end(&signs[n_cells..]))
                && signs[..n_cells].iter().copied().all(is_cell)
        }
        None => false,
    }
}

fn is_cell(sign: char) -> bool {
    matches!(sign, '.' | 'x' | 'o' | 'X' | 'O')
}

/// `true` if a line has `n_words` words, or one more that names a diagonal.
fn has_words(line: &str, n_words: usize) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_name =
        |word: &&str| word.len() == 1 && word.bytes().all(|name| name.is_ascii_uppercase());
    words.len() == n_words || words.len() == n_words + 1 && words.last().is_some_and(is_name)
}

/// `true` if a line consists of places of the far side: stones and codes in lower case. The name of a diagonal may
/// follow at its end.
fn is_far_line(line: &str) -> bool {
    let is_stone =
        |word: &str| word.len() == 1 && word.chars().all(|sign| sign != '.' && is_cell(sign));
    let is_code = |word: &str| {
        let digits = word.strip_prefix(|letter: char| letter.is_ascii_lowercase());
        digits.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.pop_if(|word| word.len() == 1 && !is_stone(word) && is_frame(word));
    words.len() >= 3 && words.iter().all(|word| is_stone(word) || is_code(word))
}

/// The board of size 6 in the help of the old server. Capital letters and # are the cells of its border, small letters
/// the cells across the edge; there are no stones.
const SERVERS_BOARD: &str = "o o p q r s
n A B C D E s
m # . . . . F t
l Z . . . . . G u
k Y . . . . . . H v
j X . . . . . . . I w
j W . . . . . . . . J x
i V . . . . . . . K x
h U . . . . . . L y
g T . . . . . M z
f S R Q P O N #
f e d c b a a";

/// `true` if a line is the one below `n_above` others of the server's board.
fn is_servers(n_above: usize, line: &str) -> bool {
    let expected = SERVERS_BOARD.lines().nth(n_above);
    expected.is_some_and(|expected| expected.split(' ').eq(line.split_whitespace()))
}

/// The game and the position of a drawn board. The number of stones determines the colour to move. If no player is
/// named, player 1 owns `x`.
pub(crate) fn parse(rules: &Projex, text: &str) -> Result<(Projex, Position), Rejection> {
    let lines: Vec<String> = drawn::lines(text).filter(|line| !is_frame(line)).collect();
    let n_servers = SERVERS_BOARD.lines().count();
    let is_its_line = |(n_above, line): (usize, &String)| is_servers(n_above, line);
    if lines.len() == n_servers && lines.iter().enumerate().all(is_its_line) {
        let game = rules.resized(6);
        let start = game.start();
        return Ok((game, start));
    }
    let has_far_side = lines.first().is_some_and(|line| is_far_line(line));
    let mut rows: Vec<String> = Vec::new();
    let mut caption = None;
    for line in lines {
        match split_row(&line, rows.len() + 1) {
            _ if has_far_side && is_far_line(&line) => {}
            Some(row) if caption.is_none() => rows.push(row.to_owned()),
            _ => caption = Some(parse_caption(&line, rows.len() + 1)?),
        }
    }
    let game = rules.resized(parse_size(rows.len())?);
    if has_far_side {
        rows = strip_far_side(game.board(), &rows)?;
    }
    let stones = parse_rows(game.board(), &rows)?;
    let x_owner = caption.as_ref().map_or(Side::P1, |caption| caption.x_owner);
    let position = judge(&game, &stones, x_owner)?;
    let turn = caption.and_then(|caption| caption.turn);
    check_counts(&stones, turn.unwrap_or(position.turn()), x_owner)?;
    Ok((game, position))
}

/// `true` if a line consists of the letters of diagonals.
fn is_frame(line: &str) -> bool {
    let is_name =
        |word: &str| word.len() == 1 && word.bytes().all(|name| name.is_ascii_uppercase());
    line.split_whitespace().all(is_name)
}

/// The text after the row's number, if the line is the row of this number.
fn split_row(line: &str, row: usize) -> Option<&str> {
    let rest = line.strip_prefix(&row.to_string())?;
    (!rest.starts_with(|sign: char| sign.is_ascii_digit())).then_some(rest)
}

/// Reads `x (p2) to move`, optionally followed by a comma and more, or `x (p2) wins: a global loop of 5 stones`.
fn parse_caption(line: &str, next_row: usize) -> Result<Caption, Rejection> {
    // The brackets have been removed from every line.
    let words: Vec<&str> = line
        .split([' ', ',', ':'])
        .filter(|word| !word.is_empty())
        .collect();
    let (colour, player, is_turn) = match words[..] {
        [colour, player, "to", "move"] => (colour, player, true),
        [colour, player, "to", "move", "or" | "after", "swap"] => (colour, player, true),
        [colour, player, "wins", ..] => (colour, player, false),
        _ => ("", "", false),
    };
    let read = colour_of(colour).zip(player_of(player));
    let (colour, player) = read.ok_or_else(|| {
        let line = excerpt(line);
        Rejection(format!(
            "{line:?}: expected row {next_row} of the board, or below it who is to move, as in \"x (p1) to move\""
        ))
    })?;
    Ok(Caption {
        turn: is_turn.then_some(colour),
        x_owner: match colour {
            Colour::X => player,
            Colour::O => player.other(),
        },
    })
}

fn player_of(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == word)
}

fn colour_of(word: &str) -> Option<Colour> {
    let is_it = |colour: &Colour| word == colour.symbol().to_string();
    Colour::BOTH.into_iter().find(is_it)
}

/// The cells of each row, without the places of the far side at both ends.
fn strip_far_side(board: &Geometry, rows: &[String]) -> Result<Vec<String>, Rejection> {
    let strip = |(row, text): (i32, &String)| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let n_cells = board.row(row).len();
        match words.get(1..=n_cells) {
            Some(cells) if has_words(text, n_cells + 2) => Ok(cells.join(" ")),
            _ => Err(Rejection(format!(
                "row {row}: expected {n_cells} cells between two places of the far side"
            ))),
        }
    };
    (1..).zip(rows).map(strip).collect()
}

fn parse_rows(board: &Geometry, rows: &[String]) -> Result<Vec<Option<Colour>>, Rejection> {
    let mut stones = Vec::with_capacity(board.n_cells());
    for (row, text) in (1..).zip(rows) {
        let ends_above = |&letter: &i32| board.last_row(letter) + 1 == row;
        let end = (1..=board.n_rows()).find(ends_above).map(letter_name);
        let end = end.map(String::from).unwrap_or_default();
        let symbols = Colour::BOTH.map(Colour::symbol);
        let cells = drawn::parse_cells(text, symbols, board.row(row).len(), &end)
            .map_err(|why| Rejection(format!("row {row} {why}")))?;
        stones.extend(
            cells
                .iter()
                .map(|cell| cell.map(|index| Colour::BOTH[index])),
        );
    }
    Ok(stones)
}
