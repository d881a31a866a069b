//! Explanations of illegal moves, in the game's terms.
//!
//! This is a second statement of the rules, square by square and independent of the sets from which `rules` generates
//! moves.

use kit::{Rejection, Side};

use crate::pieces::{Size, Square, bit};
use crate::position::{Gobblet, Move, Origin, Position};

/// Checks a move of the side to move.
pub(crate) fn check(game: &Gobblet, position: &Position, mv: Move) -> Result<(), Rejection> {
    match mv.from {
        Origin::Reserve(size) => {
            check_reserve(game, position, size)?;
            check_landing(position, size, mv.to)?;
            check_cover(game, position, mv.to)
        }
        Origin::Square(from) => {
            let size = check_piece(position, from)?;
            if from == mv.to {
                return Err("a piece has to land on another square".into());
            }
            check_landing(position, size, mv.to).map_err(|Rejection(why)| {
                Rejection(format!("the piece on {from} is yours, but {why}"))
            })
        }
    }
}

/// Checks that a piece of this size is off the board and, on 4x4, on top of its stack.
fn check_reserve(game: &Gobblet, position: &Position, size: Size) -> Result<(), Rejection> {
    let n_out = |size| position.pieces.count(position.side, size);
    if n_out(size) == game.n_each() {
        return Err(format!("you have no size-{size} piece left").into());
    }
    if game.has_stacks() && size < game.largest() && n_out(size) == n_out(size + 1) {
        let mut larger = size + 1..=game.largest();
        let larger = larger.find(|&size| check_reserve(game, position, size).is_ok());
        let larger = larger.unwrap_or(game.largest());
        return Err(format!(
            "your size-{size} pieces off the board lie under larger ones: place a size-{larger} piece first"
        ).into());
    }
    Ok(())
}

/// The size of the visible piece on a square, which must exist and belong to the side to move.
fn check_piece(position: &Position, from: Square) -> Result<Size, Rejection> {
    match visible(position, from) {
        None => Err(Rejection(format!("{from} is empty"))),
        Some((side, _)) if side != position.side => {
            Err(Rejection(format!("the piece on {from} is your opponent's")))
        }
        Some((_, size)) => Ok(size),
    }
}

/// Checks that a piece lands on an empty square or on a smaller piece.
fn check_landing(position: &Position, size: Size, to: Square) -> Result<(), Rejection> {
    match visible(position, to) {
        Some((_, below)) if below == size => {
            Err(format!("{to} holds a piece of the same size").into())
        }
        Some((_, below)) if below > size => Err(format!("{to} holds a larger piece").into()),
        _ => Ok(()),
    }
}

/// Checks the rule of 4x4 that a placement covers nothing, or breaks a line of three.
fn check_cover(game: &Gobblet, position: &Position, to: Square) -> Result<(), Rejection> {
    const RULE: &str = "on 4x4 a placement may cover only an opponent's piece in a line of three";
    let enemy = position.side.other();
    let is_enemy = |square| side_at(position, square) == Some(enemy);
    let Some(side) = side_at(position, to).filter(|_| game.has_stacks()) else {
        return Ok(());
    };
    if side == position.side {
        return Err(format!("{RULE}; the piece on {to} is yours").into());
    }
    let mut lines = game.board.lines().iter().copied();
    let is_three = |line| Square::of(line).filter(|&at| is_enemy(at)).count() == 3;
    match lines.any(|line| line & bit(to) != 0 && is_three(line)) {
        true => Ok(()),
        false => Err(format!("{RULE}; the piece on {to} is in none").into()),
    }
}

/// The visible piece on a square.
fn visible(position: &Position, square: Square) -> Option<(Side, Size)> {
    position.pieces.pile(square).last()
}

fn side_at(position: &Position, square: Square) -> Option<Side> {
    visible(position, square).map(|(side, _)| side)
}
