//! Explanations of illegal moves, in the game's terms.
//!
//! This is a second statement of the rules, square by square and independent of the sets from which `rules` generates
//! moves.

use kit::Rejection;

use crate::geometry::{BOARD, Square, Squares, neighbours, way};
use crate::position::{Entropy, Move, Position, letter};

/// Checks a move of the side to move.
pub(crate) fn check(game: &Entropy, position: &Position, mv: Move) -> Result<(), Rejection> {
    match mv {
        Move::Slide { from, to } => check_slide(position, from, to),
        // A long game may consist mostly of passes, and computing the reason for an error is slow.
        Move::Pass if game.must_pass(position) => Ok(()),
        Move::Pass => check_pass(position),
    }
}

fn check_slide(position: &Position, from: Square, to: Square) -> Result<(), Rejection> {
    check_piece(position, from)?;
    check_way(position, from, to)?;
    check_isolated(position, from, to)
}

/// Checks that the side to move has to pass, which is legal only without another legal move.
fn check_pass(position: &Position) -> Result<(), Rejection> {
    let all = || Square::of(BOARD);
    let mut slides = all().flat_map(|from| all().map(move |to| (from, to)));
    match slides.find(|&(from, to)| check_slide(position, from, to).is_ok()) {
        Some((from, to)) => Err(format!(
            "{} has a legal move, such as {from}-{to}",
            letter(position.side)
        )
        .into()),
        None => Ok(()),
    }
}

/// Checks that the piece belongs to the side to move and has a neighbour of its colour.
fn check_piece(position: &Position, from: Square) -> Result<(), Rejection> {
    if holds(position.enemy(), from) {
        return Err(format!("the piece on {from} is the opponent's").into());
    }
    if !holds(position.own(), from) {
        return Err(format!("{from} is empty").into());
    }
    if has_neighbour(position.own(), from) {
        return Ok(());
    }
    Err((if has_neighbour(position.enemy(), from) {
        format!("the piece on {from} has no neighbour of its own colour, so it cannot move")
    } else {
        format!("the piece on {from} is isolated, so it cannot move")
    })
    .into())
}

/// Checks that the piece slides along a line over empty squares to an empty one.
fn check_way(position: &Position, from: Square, to: Square) -> Result<(), Rejection> {
    if from == to {
        return Err(format!("the piece on {from} is there already").into());
    }
    if holds(position.occupied(), to) {
        return Err(format!("there is a piece on {to}").into());
    }
    let Some(mut way) = way(from, to) else {
        return Err(format!("no straight line leads from {from} to {to}").into());
    };
    match way.find(|&square| holds(position.occupied(), square)) {
        Some(square) => {
            Err(format!("the piece on {square} is in the way from {from} to {to}").into())
        }
        None => Ok(()),
    }
}

/// Checks that the move gives a neighbour to every piece that was isolated at the start of the turn.
fn check_isolated(position: &Position, from: Square, to: Square) -> Result<(), Rejection> {
    let before = position.occupied();
    let after = before ^ from.bit() ^ to.bit();
    let mut isolated = Square::of(position.own()).filter(|&piece| !has_neighbour(before, piece));
    match isolated.find(|&piece| !has_neighbour(after, piece)) {
        Some(piece) => Err(format!(
            "{} is in check, and this leaves the piece on {piece} isolated",
            letter(position.side)
        )
        .into()),
        None => Ok(()),
    }
}

fn holds(set: Squares, square: Square) -> bool {
    set & square.bit() != 0
}

fn has_neighbour(set: Squares, square: Square) -> bool {
    set & neighbours(square.bit()) != 0
}
