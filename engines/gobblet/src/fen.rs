//! Codes of cells and position strings.

use kit::notation::excerpt;
use kit::{Rejection, Side, fen};

use crate::pieces::{Pieces, Size};
use crate::position::{Gobblet, Position};
use crate::square::Square;

/// The letters of the players' pieces.
const LETTERS: [char; 2] = ['r', 'y'];

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

/// The colour of a player's pieces.
pub(crate) fn colour(side: Side) -> &'static str {
    match side {
        Side::P1 => "red",
        Side::P2 => "yellow",
    }
}

impl Gobblet {
    pub(crate) fn parse_size(&self, word: &str) -> Result<Size, Rejection> {
        let word = word.trim();
        let size = word.parse().ok().filter(|_| word.len() == 1);
        size.filter(|size| (1..=self.largest()).contains(size))
            .ok_or_else(|| {
                let (word, largest) = (excerpt(word), self.largest());
                Rejection(format!(
                    "no piece has size {word:?}: expected 1 to {largest}"
                ))
            })
    }

    pub(crate) fn parse_square(&self, word: &str) -> Result<Square, Rejection> {
        let word = word.trim();
        self.find_square(word).ok_or_else(|| {
            let (word, width) = (excerpt(word), self.board.width());
            let last = Square::at(width - 1, width - 1);
            Rejection(format!("no square {word:?}: expected a1 to {last}"))
        })
    }

    fn find_square(&self, word: &str) -> Option<Square> {
        fen::parse_square(word, self.board.width()).map(|(file, rank)| Square::at(file, rank))
    }
}

/// The position as a string.
pub(crate) fn format_fen(game: &Gobblet, position: &Position) -> String {
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
fn format_pile(pile: impl Iterator<Item = (Side, Size)>) -> String {
    pile.map(|(side, size)| format!("{}{size}", letter(side)))
        .collect()
}

/// The fields of a position string, for errors.
const FIELDS: &str = "ranks and player to move, as in .,.,./.,r1y3,./.,.,. r";

/// The board and the position of a string.
pub(crate) fn parse_fen(game: &Gobblet, text: &str) -> Result<(Gobblet, Position), Rejection> {
    let [ranks, mover] = fen::fields(text, FIELDS)?;
    let (game, pieces) = parse_ranks(game, ranks)?;
    for side in Side::BOTH {
        check_counts(&game, pieces, side)?;
    }
    let position = Position {
        pieces,
        side: fen::parse_side(mover, LETTERS)?,
        reversible: 0,
    };
    Ok((game, position))
}

fn parse_ranks(game: &Gobblet, text: &str) -> Result<(Gobblet, Pieces), Rejection> {
    let ranks: Vec<&str> = text.split('/').collect();
    let width = match ranks.len() {
        3 => 3,
        4 => 4,
        n => {
            let found = fen::counted(n, "rank");
            return Err(format!("{found}: expected 3 or 4, split by /").into());
        }
    };
    let game = game.resized(width);
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
            "rank {} {:?} has {}: expected {width}, split by commas",
            rank + 1,
            excerpt(text),
            fen::counted(words.len(), "square")
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

/// Checks that there are no more pieces of a size than exist and, with stacks, no more than of the next larger size.
fn check_counts(game: &Gobblet, pieces: Pieces, side: Side) -> Result<(), Rejection> {
    let (colour, most) = (colour(side), game.n_each());
    for size in 1..=game.largest() {
        let n = pieces.count(side, size);
        if n > most {
            return Err(Rejection(format!(
                "{colour} has {} of size {size}: expected at most {most}",
                fen::counted(n as usize, "piece")
            )));
        }
    }
    for size in 1..game.largest() {
        let (n, n_larger) = (pieces.count(side, size), pieces.count(side, size + 1));
        if game.has_stacks() && n > n_larger {
            return Err(Rejection(format!(
                "{colour} has {} of size {size} on the board but {n_larger} of size {}: \
                 off the board the larger lie on the smaller",
                fen::counted(n as usize, "piece"),
                size + 1
            )));
        }
    }
    Ok(())
}
