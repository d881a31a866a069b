//! Codes of cells and position strings.

use kit::notation::excerpt;
use kit::{Rejection, Side, fen};

use crate::geometry::{SIDE, Square, Squares, from_the_top};
use crate::position::{Pieces, Position};

/// The letters of the players' pieces.
const LETTERS: [char; 2] = ['o', 's'];

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

pub(crate) fn parse_square(word: &str) -> Result<Square, Rejection> {
    let square = fen::parse_square(word, SIDE);
    let on_board = square.and_then(|(file, rank)| Square::new(file, rank));
    on_board.ok_or_else(|| {
        let word = excerpt(word.trim());
        Rejection(format!("{word:?} is not a square: expected a1 to e5"))
    })
}

/// Number of pieces per player.
const N_PIECES: u32 = 7;

/// The content of a square.
pub(crate) type Content = Option<Side>;

/// The squares of a position, in the order of [`from_the_top`].
fn cells(position: &Position) -> Vec<Content> {
    let holds = |side: Side, bit| position.pieces.of(side) & bit != 0;
    let owner = |bit| Side::BOTH.into_iter().find(|&side| holds(side, bit));
    from_the_top().map(|square| owner(square.bit())).collect()
}

/// The pieces on these squares, given in the order of [`from_the_top`]. An error unless each player has seven.
pub(crate) fn place(cells: &[Content]) -> Result<Pieces, Rejection> {
    let set = |side| {
        let held = from_the_top()
            .zip(cells)
            .filter(|&(_, &cell)| cell == Some(side));
        held.fold(0, |set: Squares, (square, _)| set | square.bit())
    };
    let sets = Side::BOTH.map(set);
    for (side, set) in Side::BOTH.into_iter().zip(sets) {
        let count = set.count_ones();
        if count != N_PIECES {
            return Err(Rejection(format!(
                "there are {count} {} pieces: expected {N_PIECES}",
                letter(side)
            )));
        }
    }
    Ok(Pieces::new(sets[0], sets[1]))
}

/// The position string.
pub(crate) fn format_fen(position: &Position) -> String {
    let cells = cells(position);
    let ranks: Vec<String> = cells.chunks(SIDE.into()).map(format_rank).collect();
    format!(
        "{} {} {}",
        ranks.join("/"),
        letter(position.side),
        position.passes
    )
}

/// The fields of a position string, for errors.
const FIELDS: &str = "ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0";

/// The possible numbers of consecutive passes, from none to a draw.
const PASSES: [char; 3] = ['0', '1', '2'];

/// Reads a position string.
pub(crate) fn parse_fen(text: &str) -> Result<Position, Rejection> {
    let [ranks, side, passes] = fen::fields(text, FIELDS)?;
    Ok(Position {
        pieces: parse_ranks(ranks)?,
        side: fen::parse_side(side, LETTERS)?,
        passes: fen::parse_choice("passes", passes, PASSES)? as u8,
    })
}

fn format_rank(cells: &[Content]) -> String {
    fen::format_row(cells.iter().map(|cell| cell.map(letter)))
}

fn parse_ranks(text: &str) -> Result<Pieces, Rejection> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(SIDE) {
        return Err(Rejection(format!(
            "{}: expected {SIDE}",
            fen::counted(ranks.len(), "rank")
        )));
    }
    let mut cells = Vec::new();
    for (rank, number) in ranks.into_iter().zip((1..=SIDE).rev()) {
        let contents = fen::parse_row(rank, LETTERS, SIDE.into()).map_err(|why| {
            let rank = excerpt(rank);
            Rejection(format!("rank {number} ({rank:?}): {why}"))
        })?;
        cells.extend(contents.into_iter().map(|side| side.map(|i| Side::BOTH[i])));
    }
    place(&cells)
}
