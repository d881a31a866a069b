//! Position strings: `.,.,./.,r1y3,./.,.,. r`.
//!
//! Ranks from the top, squares from the left, pieces from the bottom up, then the player to move. Reading is strict,
//! and refuses what no play could leave.

use kit::notation::excerpt;
use kit::{Rejection, Side};

use crate::geometry::Square;
use crate::notation::{colour, letter};
use crate::pieces::{Pieces, Size};
use crate::rules::{Gobblet, Position};

/// The position as a string.
pub(crate) fn format(game: &Gobblet, position: &Position) -> String {
    let width = game.board.width();
    let square = |at| match format_pile(position.pieces.pile(at)) {
        pile if pile.is_empty() => ".".to_owned(),
        pile => pile,
    };
    let rank = |rank| {
        let squares: Vec<String> = (0..width)
            .map(|file| square(Square::at(file, rank)))
            .collect();
        squares.join(",")
    };
    let ranks: Vec<String> = (0..width).rev().map(rank).collect();
    format!("{} {}", ranks.join("/"), letter(position.side))
}

/// Pieces from the bottom up, such as `r1y3`.
pub(crate) fn format_pile(pile: impl Iterator<Item = (Side, Size)>) -> String {
    pile.map(|(side, size)| format!("{}{size}", letter(side)))
        .collect()
}

/// The board and the position of a string.
pub(crate) fn parse(text: &str) -> Result<(Gobblet, Position), Rejection> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [ranks, mover] = fields[..] else {
        return Err(Rejection(format!(
            "{} fields: expected the ranks and the player to move, split by one blank",
            fields.len()
        )));
    };
    let (game, pieces) = parse_ranks(ranks)?;
    for side in Side::BOTH {
        check_counts(&game, pieces, side)?;
    }
    let position = Position {
        pieces,
        side: parse_mover(mover)?,
        reversible: 0,
    };
    Ok((game, position))
}

fn parse_mover(word: &str) -> Result<Side, Rejection> {
    match word {
        "r" => Ok(Side::P1),
        "y" => Ok(Side::P2),
        _ => Err(Rejection(format!(
            "player to move {:?}: expected r or y",
            excerpt(word)
        ))),
    }
}

fn parse_ranks(text: &str) -> Result<(Gobblet, Pieces), Rejection> {
    let ranks: Vec<&str> = text.split('/').collect();
    let width = match ranks.len() {
        3 => 3,
        4 => 4,
        n => return Err(Rejection(format!("{n} ranks: expected 3 or 4, split by /"))),
    };
    let game = Gobblet::with_width(width);
    let mut pieces = Pieces::default();
    for (rank, text) in (0..width).rev().zip(ranks) {
        parse_rank(&game, rank, text, &mut pieces)?;
    }
    Ok((game, pieces))
}

fn parse_rank(game: &Gobblet, rank: u8, text: &str, pieces: &mut Pieces) -> Result<(), Rejection> {
    let words: Vec<&str> = text.split(',').collect();
    let width = game.board.width();
    if words.len() != usize::from(width) {
        return Err(Rejection(format!(
            "rank {} {:?} has {} squares: expected {width}, split by commas",
            rank + 1,
            excerpt(text),
            words.len()
        )));
    }
    for (file, word) in (0..width).zip(words) {
        parse_pile(game, Square::at(file, rank), word, pieces)?;
    }
    Ok(())
}

/// Reads `.`, or pieces from the bottom up.
fn parse_pile(
    game: &Gobblet,
    at: Square,
    word: &str,
    pieces: &mut Pieces,
) -> Result<(), Rejection> {
    let largest = game.largest();
    let malformed = || {
        let word = excerpt(word);
        Rejection(format!(
            "{word:?} on {at}: expected . or pieces, each r or y and a size from 1 to {largest}"
        ))
    };
    let (pairs, rest) = match word.as_bytes() {
        b"." => return Ok(()),
        bytes => bytes.as_chunks::<2>(),
    };
    if pairs.is_empty() || !rest.is_empty() {
        return Err(malformed());
    }
    let mut below = 0;
    for &pair in pairs {
        let (side, size) = parse_piece(pair, largest).ok_or_else(malformed)?;
        if size <= below {
            let word = excerpt(word);
            return Err(Rejection(format!(
                "{word:?} on {at}: a piece covers only smaller ones, from the bottom up"
            )));
        }
        pieces.put(side, size, at);
        below = size;
    }
    Ok(())
}

fn parse_piece([colour, size]: [u8; 2], largest: Size) -> Option<(Side, Size)> {
    let side = match colour {
        b'r' => Side::P1,
        b'y' => Side::P2,
        _ => return None,
    };
    let size = size.wrapping_sub(b'0');
    (1..=largest).contains(&size).then_some((side, size))
}

/// No more pieces of a size than there are; where they come from stacks, no more of a size than of the next larger.
fn check_counts(game: &Gobblet, pieces: Pieces, side: Side) -> Result<(), Rejection> {
    let (colour, most) = (colour(side), game.n_each());
    for size in 1..=game.largest() {
        let n = pieces.count(side, size);
        if n > most {
            return Err(Rejection(format!(
                "{colour} has {n} pieces of size {size}: expected at most {most}"
            )));
        }
    }
    for size in 1..game.largest() {
        let (n, n_larger) = (pieces.count(side, size), pieces.count(side, size + 1));
        if game.has_stacks() && n > n_larger {
            return Err(Rejection(format!(
                "{colour} has {n} pieces of size {size} on the board but {n_larger} of size {}: \
                 off the board the larger lie on the smaller",
                size + 1
            )));
        }
    }
    Ok(())
}
