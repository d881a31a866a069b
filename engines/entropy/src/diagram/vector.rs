//! The board as a diagram: squares have sides of one unit, and c3 is at (0, 0) before the diagram is rotated.

use draw::{Board, DiagramBuilder, DiagramColour, Form, Input, Point, Role};
use kit::{DrawRequest, Outcome, Side};

use super::caption::{caption, name};
use super::text::piece;
use crate::geometry::{BOARD, SIDE, Square, Squares, neighbours, squares};
use crate::position::{Entropy, Goal, Move, Position};

const PIECE: f64 = 0.36;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.26;
/// The mark of a finished piece, and its offset to the right of and above the centre of the piece.
const TICK: char = '\u{2713}';
const CORNER: f64 = 0.36;

/// Draws the last move, isolated pieces, finished pieces and, in a finished game, the pieces that reached the goal.
pub(crate) fn diagram(game: &Entropy, request: &DrawRequest<Entropy>) -> Board {
    let mut page = request.board(game, caption(game, request), input);
    put_board(&mut page);
    if let Some(Move::Slide { from, to }) = request.last {
        page.put(Role::From, cell(from, 0.88));
        page.put(Role::To, cell(to, 0.88));
    }
    let (danger, decisive) = (in_danger(request), decisive(request));
    let finished = finished(game, request.position);
    for square in squares(BOARD) {
        let mut label = square.to_string();
        if let Some(side) = piece(request.position, square) {
            put_piece(&mut page, side, place(square));
            if finished & square.bit() != 0 {
                put_tick(&mut page, side, place(square));
            }
            label += &format!(", {}", name(side));
        }
        let ring = Form::circle(place(square), PIECE + 0.08);
        if danger & square.bit() != 0 {
            page.put(Role::Danger, ring);
            label += ", isolated";
        } else if decisive & square.bit() != 0 {
            page.put(Role::Decisive, ring);
        }
        if finished & square.bit() != 0 {
            label += ", finished";
        }
        page.spot(square.to_string(), label, cell(square, 1.0));
    }
    let half_turns = u32::from(request.view.is_flipped);
    let degrees = 180 * half_turns + 90 * u32::from(request.view.turns);
    page.turned(degrees).finish()
}

fn input(mv: Move) -> Input {
    match mv {
        Move::Slide { from, to } => Input::spots(from.to_string(), to.to_string()),
        Move::Pass => Input::Button("pass".to_owned()),
    }
}

fn put_board(page: &mut DiagramBuilder) {
    let side = f64::from(SIDE) + 1.0;
    let middle = Point::new(0.0, 0.0);
    page.put(Role::Board, Form::rectangle(middle, side, side));
    for square in squares(BOARD) {
        page.put(Role::Cell, cell(square, 0.98));
    }
    for square in squares(BOARD) {
        let at = place(square);
        if square.rank() == 0 {
            let file = char::from(b'a' + square.file());
            page.put(Role::Label, Form::text(at.moved(0.0, 0.78), LABEL, file));
        }
        if square.file() == 0 {
            let rank = (square.rank() + 1).to_string();
            page.put(Role::Label, Form::text(at.moved(-0.78, 0.0), LABEL, rank));
        }
    }
}

fn put_piece(page: &mut DiagramBuilder, side: Side, at: Point) {
    let colour = DiagramColour::of(side);
    let sign = match side {
        Side::P1 => Form::circle(at, 0.16),
        Side::P2 => Form::text(at, 0.42, name(side)),
    };
    page.put_of(colour, Role::Piece, Form::circle(at, PIECE));
    page.put_of(colour, Role::Sign, sign);
}

/// Draws a tick in the corner next to a piece.
fn put_tick(page: &mut DiagramBuilder, side: Side, at: Point) {
    let tick = Form::text(at.moved(CORNER, -CORNER), LABEL, TICK);
    page.put_of(DiagramColour::of(side), Role::Finished, tick);
}

/// The pieces that fulfil the goal's condition for each piece.
fn finished(game: &Entropy, position: &Position) -> Squares {
    let of = |side: Side| {
        let (own, enemy) = (position.pieces.of(side), position.pieces.of(side.other()));
        let near = match game.goal() {
            Goal::Contact => neighbours(enemy),
            Goal::Apart => BOARD,
        };
        own & near & !neighbours(own)
    };
    of(Side::P1) | of(Side::P2)
}

/// The isolated pieces of the player to move.
fn in_danger(request: &DrawRequest<Entropy>) -> Squares {
    match request.outcome {
        None => request.position.isolated(),
        Some(_) => 0,
    }
}

/// The pieces of the winner.
fn decisive(request: &DrawRequest<Entropy>) -> Squares {
    match request.outcome {
        Some(Outcome::Win(side)) => request.position.pieces.of(side),
        _ => 0,
    }
}

fn cell(square: Square, side: f64) -> Form {
    Form::rectangle(place(square), side, side)
}

fn place(square: Square) -> Point {
    let middle = f64::from(SIDE - 1) / 2.0;
    let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
    Point::new(file - middle, middle - rank)
}
