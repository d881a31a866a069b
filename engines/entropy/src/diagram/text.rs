//! The board as text, in the layout of the FAQ's figures, with the side to move or the result below it.

use draw::{LastMove, TextBoard, TextCanvas, View, side_style};
use kit::{DrawRequest, Side};

use super::caption::{caption, name};
use crate::geometry::{SIDE, Square};
use crate::position::{Entropy, Move, Position};

/// Distance between adjacent files in columns.
const PITCH: i32 = 6;
/// The column of the rank marks, to the right of the last file.
const MARKS: i32 = PITCH * SIDE as i32 - 3;
/// Width from the first file to the last in columns.
const WIDTH: usize = PITCH as usize * (SIDE as usize - 1) + 1;

/// Draws the board as in the figures, with the squares of the last move in brackets. Drawn larger, it has the figures'
/// blank lines between the ranks, so that diagonals are as steep as on a real board. From player 2's side, ranks and
/// files and their labels run in the opposite order.
pub(crate) fn draw(game: &Entropy, request: &DrawRequest<Entropy>) -> TextBoard {
    let view = &request.view;
    let mut canvas = TextCanvas::new();
    for rank in 0..SIDE {
        for file in 0..SIDE {
            let square = Square::new(file, rank).expect("files and ranks of the board");
            let (line, column) = place(square, view);
            let style = piece(request.position, square)
                .map(side_style)
                .unwrap_or_default();
            canvas.put(line, column, symbol(request.position, square), style);
            canvas.spot(line, column - 1, 3, square.to_string());
        }
    }
    put_frame(&mut canvas, view);
    mark_last(&mut canvas, request);
    TextBoard::new(canvas, [caption(game, request)])
}

/// Labels ranks and files. One blank column on the left leaves space for a bracket.
fn put_frame(canvas: &mut TextCanvas, view: &View) {
    let below = lines_a_rank(view) * i32::from(SIDE - 1) + 1;
    canvas.write(below, -1, format!(" {:_<WIDTH$}", ""));
    for i in 0..SIDE {
        let square = Square::new(i, i).expect("a square of the diagonal");
        let (line, column) = place(square, view);
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
        let (line, column) = place(square, &request.view);
        canvas.mark(line, column, &symbol(request.position, square), style, mark);
    }
}

/// Line and column of a square.
fn place(square: Square, view: &View) -> (i32, i32) {
    let last = SIDE - 1;
    let (row, file) = match view.is_flipped {
        false => (last - square.rank(), square.file()),
        true => (square.rank(), last - square.file()),
    };
    (lines_a_rank(view) * i32::from(row), PITCH * i32::from(file))
}

/// Distance between adjacent ranks in lines.
fn lines_a_rank(view: &View) -> i32 {
    if view.is_close { 2 } else { 1 }
}

/// The owner of the piece on a square.
pub(super) fn piece(position: &Position, square: Square) -> Option<Side> {
    let stands = |&side: &Side| position.pieces.of(side) & square.bit() != 0;
    Side::BOTH.into_iter().find(stands)
}

fn symbol(position: &Position, square: Square) -> String {
    piece(position, square).map_or(".".to_owned(), name)
}
