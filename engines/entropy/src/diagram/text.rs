//! The board as text, in the layout of the FAQ's figures, with the player to move or the result below it.

use kit::text_canvas::side_style;
use kit::{DrawRequest, LastMove, Side, TextCanvas};

use super::caption::{caption, name};
use crate::geometry::{SIDE, Square};
use crate::rules::{Entropy, Move, Position};

/// Columns from one file to the next.
const PITCH: i32 = 6;
/// The column of the rank marks, right of the last file.
const MARKS: i32 = PITCH * SIDE as i32 - 3;
/// Columns from the first file to the last.
const WIDTH: usize = PITCH as usize * (SIDE as usize - 1) + 1;

/// The board as in the figures, with the squares of the last move in brackets. From player 2's side, ranks and files
/// and their labels run in the opposite order.
pub(crate) fn draw(game: &Entropy, request: &DrawRequest<Entropy>) -> String {
    let is_flipped = request.view.is_flipped;
    let mut canvas = TextCanvas::new();
    for rank in 0..SIDE {
        for file in 0..SIDE {
            let square = Square::new(file, rank).expect("files and ranks of the board");
            let (line, column) = place(square, is_flipped);
            let style = piece(request.position, square)
                .map(side_style)
                .unwrap_or_default();
            canvas.put(line, column, symbol(request.position, square), style);
        }
    }
    put_frame(&mut canvas, is_flipped);
    mark_last(&mut canvas, request);
    let board = canvas.text(request.view.is_coloured);
    format!("{board}\n\n{}", caption(game, request))
}

/// Labels ranks and files. One blank column at the left leaves room for a bracket.
fn put_frame(canvas: &mut TextCanvas, is_flipped: bool) {
    let below = i32::from(SIDE);
    canvas.write(below, -1, format!(" {:_<WIDTH$}", ""));
    for i in 0..SIDE {
        let square = Square::new(i, i).expect("a square of the diagonal");
        let (line, column) = place(square, is_flipped);
        canvas.write(line, MARKS, format!("<---{}", i + 1));
        canvas.write(below + 1, column, char::from(b'a' + i));
    }
}

fn mark_last(canvas: &mut TextCanvas, request: &DrawRequest<Entropy>) {
    let Some(Move::Slide { from, to }) = request.last else {
        return;
    };
    let style = side_style(request.position.side.other());
    for (square, mark) in [(from, LastMove::From), (to, LastMove::To)] {
        let (line, column) = place(square, request.view.is_flipped);
        canvas.mark(line, column, &symbol(request.position, square), style, mark);
    }
}

/// The line and the column of a square.
fn place(square: Square, is_flipped: bool) -> (i32, i32) {
    let last = SIDE - 1;
    let (line, file) = match is_flipped {
        false => (last - square.rank(), square.file()),
        true => (square.rank(), last - square.file()),
    };
    (line.into(), PITCH * i32::from(file))
}

/// The owner of the piece on a square.
pub(super) fn piece(position: &Position, square: Square) -> Option<Side> {
    let stands = |&side: &Side| position.pieces.of(side) & square.bit() != 0;
    Side::BOTH.into_iter().find(stands)
}

fn symbol(position: &Position, square: Square) -> String {
    piece(position, square).map_or(".".to_owned(), name)
}
