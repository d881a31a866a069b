//! The board as text: the diagram used for games by mail, with the side to move or the result below it.

use draw::{LastMove, TextBoard, TextCanvas, side_style};
use kit::DrawRequest;

use super::caption::caption;
use crate::cells::Cell;
use crate::fen::{letter, row_letter};
use crate::geometry::indent;
use crate::position::{Position, Susan};

/// Draws a position. The number of a diagonal is at its end: the upper right end in the upper half, the lower right end
/// in the lower half. The last move is in brackets, the origin of a slide only if it is in another row. Surrounded
/// stones are capital letters. From player 2's side the whole diagram is rotated.
pub(crate) fn draw(game: &Susan, request: &DrawRequest<Susan>) -> TextBoard {
    let mut canvas = TextCanvas::new();
    put_numbers(&mut canvas, game.board.size());
    for row in game.board.rows() {
        put_row(&mut canvas, game, request.position, row);
    }
    mark_last(&mut canvas, game, request);
    if request.view.is_flipped {
        canvas = canvas.turned();
    }
    TextBoard::new(canvas, [caption(game, request)])
}

/// Writes the numbers of the diagonals that end at the top or bottom side, above and below the board.
fn put_numbers(canvas: &mut TextCanvas, size: u8) {
    let column = i32::from(size) + 2;
    for (number, column) in (1..=size).zip((column..).step_by(2)) {
        canvas.write(0, column, number.to_string());
        canvas.write(2 * i32::from(size), column, number.to_string());
    }
}

fn put_row(canvas: &mut TextCanvas, game: &Susan, position: &Position, row: u8) {
    let board = &game.board;
    let cells = board.row(row);
    let past_end = cells.len() + 1;
    let (line, first) = place(game, cells.start);
    canvas.write(line, 0, row_letter(row));
    for cell in cells {
        let (line, column) = place(game, cell);
        let style = position.stone(cell).map(side_style).unwrap_or_default();
        canvas.put(line, column, symbol(game, position, cell), style);
        canvas.spot(line, column, 1, game.name(cell));
    }
    if indent(board.size(), row) > 0 {
        canvas.write(line, first + 2 * past_end as i32 - 2, past_end.to_string());
    }
}

/// Line and column of a cell.
fn place(game: &Susan, cell: Cell) -> (i32, i32) {
    let (row, number) = game.board.coordinates(cell);
    let column = indent(game.board.size(), row) + 2 * number;
    (i32::from(row) + 1, i32::from(column))
}

fn symbol(game: &Susan, position: &Position, cell: Cell) -> String {
    let symbol = position.stone(cell).map_or('.', letter);
    match game.is_surrounded(position, cell) {
        true => symbol.to_ascii_uppercase(),
        false => symbol,
    }
    .to_string()
}

fn mark_last(canvas: &mut TextCanvas, game: &Susan, request: &DrawRequest<Susan>) {
    let Some(mv) = request.last else { return };
    let style = side_style(request.position.side.other());
    let (to_line, to_column) = place(game, mv.to());
    if let Some(from) = mv.from() {
        let (line, column) = place(game, from);
        let symbol = symbol(game, request.position, from);
        match line == to_line {
            // The brackets of cells next to each other would share a column.
            true => canvas.put(line, column, symbol, style.invert()),
            false => canvas.mark(line, column, &symbol, style, LastMove::From),
        }
    }
    let symbol = symbol(game, request.position, mv.to());
    canvas.mark(to_line, to_column, &symbol, style, LastMove::To);
}
