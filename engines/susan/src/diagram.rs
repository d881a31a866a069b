//! The board for people, and its caption: the side to move, or the result with its reason.

use draw::{
    Board, Cell as BoardCell, DiagramColour, Form, Input, Outline, Piece, Point, Role, Shape,
};
use kit::{DrawRequest, Outcome};

use crate::cells::Cell;
use crate::geometry::{indent, n_rows, row_letter};
use crate::position::{Susan, slides};

/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.34;
/// Maximum number of dots below the board, for `SlideLimit`.
const MAX_DOTS: u64 = 12;

/// The board with the last move, stones with one liberty, surrounded stones and, below the board, the count of consecutive
/// slides. As text it is the diagram used for games by mail, where surrounded stones are capital letters.
pub(crate) fn board(game: &Susan, request: &DrawRequest<Susan>) -> Board {
    let note = match request.position.slides {
        0 => String::new(),
        n => format!(", {}", slides(n)),
    };
    let mut page = request.board(game, &note, |mv| match mv.from() {
        None => Input::spot(game.name(mv.to)),
        Some(from) => Input::spots(game.name(from), game.name(mv.to)),
    });
    page.turn = 60;
    page.text.scale = Some([2.0, 1.0 / 0.75_f64.sqrt()]);
    put_ground(&mut page, game);
    let cells = game.board.cells();
    let cells: Vec<BoardCell> = cells.map(|at| cell(game, request, at)).collect();
    page.put_cells(Outline::Hexagon, ".", &cells);
    page.put_pieces(Outline::Hexagon, &cells);
    // The ring of a loss, unlike that of a win, has the colour of its side.
    if let Some(Outcome::Win(winner)) = request.outcome {
        let shapes = page.shapes.iter_mut();
        for ring in shapes.filter(|shape| shape.role == Role::Decisive) {
            ring.colour = Some(DiagramColour::of(winner.other()));
        }
    }
    // Below the board one dot for each slide up to the limit.
    let limit = game.slide_limit.min(MAX_DOTS);
    let below = Point::new(0.0, 0.87 * f64::from(game.board.size) + 1.2);
    for i in 0..limit {
        let role = [Role::Pending, Role::Counted][usize::from(i < request.position.slides)];
        let dot = below.moved(0.5 * i as f64 - 0.25 * (limit as f64 - 1.0), 0.0);
        page.beside.push(Shape::new(role, Form::circle(dot, 0.13)));
    }
    if limit > 0 {
        let note = Form::text(below.moved(0.0, 0.45), 0.3, "slides in a row");
        page.beside.push(Shape::new(Role::Note, note));
    }
    page
}

/// Draws the ground with the letters of rows and the numbers of diagonals. The number of a diagonal is at its end: the
/// upper right end in the upper half, the lower right end in the lower half.
fn put_ground(page: &mut Board, game: &Susan) {
    let (board, size) = (&game.board, game.board.size);
    let (radius, height) = (f64::from(size) + 0.55, 0.75_f64.sqrt());
    let corner = |sixth: i32| Point::default().towards(60 * sixth, radius);
    page.put(Role::Board, Form::polygon((3..9).map(corner)));
    for row in board.rows() {
        let (first, last) = (board.row(row).start, board.row(row).end - 1);
        let indent = indent(size, row);
        let start = place(game, first).moved(-1.0, 0.0);
        let letter = page.label(start, LABEL, row_letter(row));
        // As text, the letters are below one another.
        letter.aside(-i32::from(indent), 0);
        let (end, past_end) = (place(game, last).moved(1.0, 0.0), board.row(row).len() + 1);
        if indent > 0 {
            let number = page.label(end, LABEL, past_end.to_string());
            number.aside(past_end as i32 / 10, 0);
        }
    }
    let (first, last) = (board.rows().start, board.rows().end - 1);
    for (row, y) in [(first, -height), (last, height)] {
        for (number, cell) in (1..).zip(board.row(row)) {
            page.label(place(game, cell).moved(0.5, y), LABEL, number.to_string());
        }
    }
}

fn cell(game: &Susan, request: &DrawRequest<Susan>, cell: Cell) -> BoardCell {
    let position = request.position;
    let stone = position.stone(cell);
    let n_liberties = game.liberties(&position.empty, cell).count_ones();
    let mark = stone.and_then(|_| match n_liberties {
        0 => Some((Role::Decisive, "surrounded")),
        1 if request.outcome.is_none() => Some((Role::Danger, "in danger")),
        _ => None,
    });
    let piece = stone.map(|side| Piece::x_or_o(DiagramColour::of(side), n_liberties == 0));
    BoardCell {
        id: game.name(cell),
        at: place(game, cell),
        pieces: piece.into_iter().collect(),
        marks: mark.into_iter().collect(),
    }
}

fn place(game: &Susan, cell: Cell) -> Point {
    let (row, number) = game.board.coordinates(cell);
    let size = game.board.size;
    let half_steps = 2 * i32::from(number - 1) + i32::from(indent(size, row));
    let from_middle = i32::from(row) - i32::from(n_rows(size) / 2);
    let x = f64::from(half_steps - i32::from(n_rows(size) - 1)) / 2.0;
    Point::new(x, f64::from(from_middle) * 0.75_f64.sqrt())
}
