//! The board as text: in the layout of the old Projex server, optionally with the far side around it.

use draw::{LastMove, TextBoard, TextCanvas, anstyle::Style, side_style};
use kit::{DrawRequest, Side};

use super::caption::caption;
use super::loops::winning_loop;
use crate::board::{Move, Projex};
use crate::fen::{format_cell, letter_name};
use crate::geometry::{Cell, Geometry, Place};
use crate::position::{Colour, Position};

/// The style that shows the cells across the edge.
pub(crate) const FAR_SIDE: &str = "farside";

/// Draws the board, with the side to move or the winner below it. A stone is `x` or `o`, or a capital letter if it is
/// on the winning loop; the last one is in brackets. With the far side, each place around the board shows the cell
/// across the edge: a stone, or the code of an empty cell in lower case. From player 2's side the whole diagram is
/// rotated.
pub(crate) fn draw(game: &Projex, request: &DrawRequest<Projex>) -> TextBoard {
    let mut picture = TextPicture::new(game, request);
    for cell in game.board().cells() {
        let (text, style) = picture.stone(cell);
        let place = game.board().place(cell);
        let (line, column) = picture.start(place, &text);
        picture.put(place, &text, style);
        let code = format_cell(game.board(), cell);
        picture.canvas.spot(line, column, 1, code);
    }
    if picture.has_far_side {
        picture.put_far_side();
    }
    picture.put_names();
    picture.mark_last(request.last);
    let canvas = match request.view.is_flipped {
        true => picture.canvas.turned(),
        false => picture.canvas,
    };
    TextBoard::new(canvas, [caption(game, request)])
}

/// A page being drawn.
struct TextPicture<'a> {
    board: &'a Geometry,
    position: &'a Position,
    winning: Vec<Cell>,
    has_far_side: bool,
    canvas: TextCanvas,
}

impl TextPicture<'_> {
    fn new<'a>(game: &'a Projex, request: &DrawRequest<'a, Projex>) -> TextPicture<'a> {
        TextPicture {
            board: game.board(),
            position: request.position,
            winning: winning_loop(game.board(), request.position),
            has_far_side: request.view.style == FAR_SIDE,
            canvas: TextCanvas::new(),
        }
    }

    /// The text of a cell, in the colour of its stone.
    fn stone(&self, cell: Cell) -> (String, Style) {
        let Some(colour) = self.position.stone(cell) else {
            return (".".to_owned(), Style::new());
        };
        let symbol = match self.winning.contains(&cell) {
            true => colour.symbol().to_ascii_uppercase(),
            false => colour.symbol(),
        };
        (symbol.to_string(), stone_ink(colour))
    }

    fn put_far_side(&mut self) {
        for (place, cell) in self.board.rim() {
            let (text, style) = match self.position.stone(cell) {
                Some(_) => self.stone(cell),
                None => (format_cell(self.board, cell).to_lowercase(), Style::new()),
            };
            self.put(place, &text, style);
        }
    }

    /// Labels rows on their left and diagonals at their lower right, beyond the far side if it is shown.
    fn put_names(&mut self) {
        let steps = if self.has_far_side { 2 } else { 1 };
        for row in 1..=self.board.n_rows() {
            let letter = self.board.letters(row).0 - steps;
            self.put(Place { row, letter }, &row.to_string(), Style::new());
        }
        for letter in 1..=self.board.n_rows() {
            let row = self.board.last_row(letter) + steps;
            let name = letter_name(letter).to_string();
            self.put(Place { row, letter }, &name, Style::new());
        }
    }

    fn mark_last(&mut self, last: Option<Move>) {
        if let Some(Move::Place(cell)) = last {
            let (text, style) = self.stone(cell);
            let (line, column) = self.start(self.board.place(cell), &text);
            self.canvas.mark(line, column, &text, style, LastMove::To);
        }
    }

    fn put(&mut self, place: Place, text: &str, style: Style) {
        let (line, column) = self.start(place, text);
        self.canvas.put(line, column, text, style);
    }

    /// Line and first column of a text centred at a place; for an even length, the right one of the two middle
    /// characters is at the place.
    fn start(&self, Place { row, letter }: Place, text: &str) -> (i32, i32) {
        let pitch = if self.has_far_side { 4 } else { 2 };
        (
            row,
            pitch * letter + pitch / 2 * row - text.len() as i32 / 2,
        )
    }
}

/// Stones keep their colour when their owner changes.
fn stone_ink(colour: Colour) -> Style {
    side_style(Side::BOTH[colour.index()])
}
