//! Reads boards drawn as text.
//!
//! A row is its number, its cells and, optionally, the letter of the diagonal that ends above it. The line of letters
//! is ignored. The player to move or the winner may follow below it.

use kit::notation::excerpt;
use kit::parse_diagram as drawn;
use kit::{Rejection, Side};

use crate::geometry::Geometry;
use crate::notation::{check_counts, judge, letter_name, parse_size};
use crate::position::{Colour, Position};
use crate::rules::Projex;

/// The content of the line below the board.
struct Caption {
    /// The colour to move, unless the game is over.
    turn: Option<Colour>,
    x_owner: Side,
}

/// The game and the position of a drawn board. The number of stones determines the colour to move. If no player is
/// named, player 1 owns `x`.
pub(crate) fn parse(rules: &Projex, text: &str) -> Result<(Projex, Position), Rejection> {
    let mut rows: Vec<String> = Vec::new();
    let mut caption = None;
    for line in drawn::lines(text).filter(|line| !is_frame(line)) {
        match split_row(&line, rows.len() + 1) {
            Some(row) if caption.is_none() => rows.push(row.to_owned()),
            _ => caption = Some(parse_caption(&line, rows.len() + 1)?),
        }
    }
    let game = rules.with_size(parse_size(rows.len())?);
    let stones = parse_rows(game.board(), &rows)?;
    let x_owner = caption.as_ref().map_or(Side::P1, |caption| caption.x_owner);
    let position = judge(&game, &stones, x_owner)?;
    let turn = caption.and_then(|caption| caption.turn);
    check_counts(&stones, turn.unwrap_or(position.turn()), x_owner)?;
    Ok((game, position))
}

/// Whether a line holds nothing but the letters of diagonals.
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
