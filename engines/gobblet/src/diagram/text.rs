//! The board as text.
//!
//! Red pieces are capital letters, yellow pieces small ones. Covered pieces are hidden, as in the physical game; the
//! style [`PEEK`] shows each pile from the bottom up. The pieces off the board are listed below, on 4x4 as stacks.

use draw::{
    LastMove, TextBoard, TextCanvas,
    anstyle::{AnsiColor, Style},
    coloured,
};
use kit::{DrawRequest, Side};

use super::caption::caption;
use crate::fen::colour;
use crate::pieces::Size;
use crate::position::{Gobblet, Origin, Position};
use crate::square::Square;

/// The style that shows covered pieces.
pub(crate) const PEEK: &str = "peek";

/// The first column, which has the names of the ranks.
const LEFT: i32 = -2;

/// The text before the pieces off the board.
pub(crate) const OFF_BOARD: &str = "off the board:";

/// Draws the board with border lines. The target of the last move and its origin are in brackets. From player 2's side,
/// ranks and files run in the opposite order, but the lines below are the same.
pub(crate) fn draw(game: &Gobblet, request: &DrawRequest<Gobblet>) -> TextBoard {
    let mut page = BoardPage::new(game, request);
    page.put_grid();
    for (file, rank) in page.all() {
        page.put_pile(Square::at(file, rank));
    }
    page.mark_last();
    let below = page.below();
    for (side, line) in Side::BOTH.into_iter().zip(below..) {
        put_reserve(&mut page.canvas, line, game, request.position, side);
    }
    let caption = match request.view.ending {
        Some(ending) => ending.to_owned(),
        None => caption(game, request),
    };
    page.canvas.write(below + 2, LEFT, caption);
    TextBoard::new(page.canvas, [])
}

/// A page being drawn.
struct BoardPage<'a> {
    request: &'a DrawRequest<'a, Gobblet>,
    /// Squares per side.
    width: u8,
    /// Columns for the pile of a square.
    room: usize,
    canvas: TextCanvas,
}

impl BoardPage<'_> {
    fn new<'a>(game: &Gobblet, request: &'a DrawRequest<'a, Gobblet>) -> BoardPage<'a> {
        let width = game.board.width();
        let n_shown = if request.view.style == PEEK { width } else { 1 };
        BoardPage {
            request,
            width,
            room: 2 * usize::from(n_shown),
            canvas: TextCanvas::new(),
        }
    }

    /// All files and ranks.
    fn all(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let width = self.width;
        (0..width).flat_map(move |file| (0..width).map(move |rank| (file, rank)))
    }

    /// The borders, and the names of files and ranks on all four sides.
    fn put_grid(&mut self) {
        let room = self.room;
        let edge = format!(
            "+{}",
            format!("{:-<1$}+", "", room + 2).repeat(self.width.into())
        );
        let walls = format!(
            "|{}",
            format!("{:1$}|", "", room + 2).repeat(self.width.into())
        );
        let bottom = 2 * i32::from(self.width) + 1;
        self.canvas.write(bottom, 0, edge.as_str());
        for i in 0..self.width {
            let (line, column) = self.place(Square::at(i, i));
            let (file, rank) = (char::from(b'a' + i), i + 1);
            for line in [0, bottom + 1] {
                self.canvas.write(line, column, format!("{file:^room$}"));
            }
            self.canvas.write(line - 1, 0, edge.as_str());
            self.canvas
                .write(line, LEFT, format!("{rank} {walls} {rank}"));
        }
    }

    /// The second line below the board, after a blank one.
    fn below(&self) -> i32 {
        2 * i32::from(self.width) + 4
    }

    fn put_pile(&mut self, square: Square) {
        let (line, column) = self.place(square);
        let room = self.room as i32;
        self.canvas.spot(line, column, room, square.to_string());
        for ((side, size), column) in shown(self.request, square)
            .into_iter()
            .zip((column..).step_by(2))
        {
            self.canvas
                .put(line, column, name((side, size)), side_style(side));
        }
    }

    fn mark_last(&mut self) {
        let Some(mv) = self.request.last else { return };
        if let Origin::Square(from) = mv.from {
            self.mark(from, LastMove::From);
        }
        self.mark(mv.to, LastMove::To);
    }

    fn mark(&mut self, square: Square, mark: LastMove) {
        let (line, column) = self.place(square);
        let shown = shown(self.request, square);
        let pile: String = shown.iter().copied().map(name).collect();
        let style = shown
            .last()
            .map(|&(side, _)| side_style(side))
            .unwrap_or_default();
        let text = format!("{pile:0$}", self.room);
        self.canvas.mark(line, column, &text, style, mark);
    }

    /// Line and first column of a square's pile.
    fn place(&self, square: Square) -> (i32, i32) {
        let (file, rank) = match self.request.view.is_flipped {
            false => (square.file(), self.width - 1 - square.rank()),
            true => (self.width - 1 - square.file(), square.rank()),
        };
        let pitch = self.room as i32 + 3;
        (2 * i32::from(rank) + 2, 2 + pitch * i32::from(file))
    }
}

/// The pile from the bottom up, or its visible piece.
pub(super) fn shown(request: &DrawRequest<Gobblet>, square: Square) -> Vec<(Side, Size)> {
    let mut pile: Vec<(Side, Size)> = request.position.pieces.pile(square).collect();
    if request.view.style != PEEK {
        pile.drain(..pile.len().saturating_sub(1));
    }
    pile
}

fn name((side, size): (Side, Size)) -> String {
    match side {
        Side::P1 => format!("R{size}"),
        Side::P2 => format!("y{size}"),
    }
}

/// The colour of the pieces.
fn side_style(side: Side) -> Style {
    coloured(match side {
        Side::P1 => AnsiColor::Red,
        Side::P2 => AnsiColor::Yellow,
    })
}

/// Writes a line with the pieces off the board, the larger ones first; stacks from the top down.
fn put_reserve(
    canvas: &mut TextCanvas,
    line: i32,
    game: &Gobblet,
    position: &Position,
    side: Side,
) {
    let n_left = move |size| game.n_each() - position.pieces.count(side, size);
    let digit = |size: Size| char::from(b'0' + size);
    let sizes = || (1..=game.largest()).rev();
    let mut words: Vec<String> = if game.has_stacks() {
        let stack = |i| sizes().filter(move |&size| i < n_left(size)).map(digit);
        (0..game.n_each()).map(|i| stack(i).collect()).collect()
    } else {
        let each = |size| (0..n_left(size)).map(move |_| digit(size).to_string());
        sizes().flat_map(each).collect()
    };
    words.retain(|word| !word.is_empty());
    let label = format!("{:6} ({side}) {OFF_BOARD} ", colour(side));
    let mut column = LEFT + label.len() as i32;
    canvas.write(line, LEFT, label.as_str());
    // Words with the same first character are one spot: equal pieces, or stacks with equal tops.
    for group in words.chunk_by(|one, other| one[..1] == other[..1]) {
        let text = group.join(" ");
        let width = text.len() as i32;
        let size = &group[0][..1];
        canvas.spot(line, column, width, format!("reserve {side} {size}"));
        canvas.write(line, column, text);
        column += width + 1;
    }
}
