//! The board for people, and its caption: the side to move, or the result with its reason.

use draw::{Board, Cell, DiagramColour, Form, Input, Piece, Point, Role, Sign};
use kit::{DrawRequest, Outcome, Side};

use crate::geometry::{BOARD, SIDE, Square, Squares, neighbours};
use crate::position::{Entropy, Move, Position, name};

/// The board with the last move, isolated pieces, finished pieces and, in a finished game, the pieces that reached the
/// goal. As text it has the distances of the FAQ's figures, with blank lines between the ranks, so that diagonals are as
/// steep as on a real board.
pub(crate) fn board(game: &Entropy, request: &DrawRequest<Entropy>) -> Board {
    let position = request.position;
    let mut note = String::new();
    if position.passes > 0 {
        note += " after a pass";
    }
    if position.isolated() != 0 {
        note += &format!(", in check: {}", Square::names(position.isolated()));
    }
    let mut page = request.board(game, &note, |mv| match mv {
        Move::Slide { from, to } => Input::spots(from.to_string(), to.to_string()),
        Move::Pass => Input::Button("pass".to_owned()),
    });
    page.turn = 90;
    page.text.scale = Some([6.0, 2.0]);
    page.put_square_ground(SIDE, [0.5; 2]);
    let finished = finished(game, position);
    let cell = |square| cell(request, square, finished);
    let cells: Vec<Cell> = Square::of(BOARD).map(cell).collect();
    page.put_cells(".", &cells);
    page.put_pieces(&cells);
    page
}

fn cell(request: &DrawRequest<Entropy>, square: Square, finished: Squares) -> Cell {
    let position = request.position;
    let owner = position.owner(square);
    let piece = owner.map(|side| Piece {
        colour: DiagramColour::of(side),
        radius: 0.36,
        sign: match side {
            Side::P1 => Sign::Disc,
            Side::P2 => Sign::Letter(name(side)),
        },
        name: name(side),
        glyph: name(side),
    });
    let is_of = |set: Squares| set & square.bit() != 0;
    let mut marks = Vec::new();
    if request.outcome.is_none() && is_of(position.isolated()) {
        marks.push((Role::Danger, "isolated"));
    }
    // All pieces of a winner are finished, and ringed.
    if owner.is_some_and(|side| request.outcome == Some(Outcome::Win(side))) {
        marks.push((Role::Decisive, ""));
    } else if is_of(finished) {
        marks.push((Role::Finished, "finished"));
    }
    let at = Point::of_square(square.file(), square.rank(), SIDE);
    Cell {
        id: square.to_string(),
        outline: Form::rectangle(at, 1.0, 1.0),
        pieces: piece.into_iter().collect(),
        marks,
    }
}

/// The pieces that fulfil the goal's condition for each piece.
fn finished(game: &Entropy, position: &Position) -> Squares {
    let of = |side: Side| {
        let (own, enemy) = (position.pieces.of(side), position.pieces.of(side.other()));
        let near = game.goal.wanted(neighbours(enemy));
        own & near & !neighbours(own)
    };
    of(Side::P1) | of(Side::P2)
}
