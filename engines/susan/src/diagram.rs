//! The board for people, and its caption: the side to move, or the result with its reason.

use draw::{Board, Cell as BoardCell, DiagramColour, Form, Input, Piece, Point, Role};
use kit::{DrawRequest, Outcome};

use crate::cells::Cell;
use crate::geometry::{indent, n_rows, row_letter};
use crate::position::{Susan, slides};

/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.34;

/// The board with the last move, stones with one liberty and surrounded stones. As text it is the diagram used for games by
/// mail, where surrounded stones are capital letters.
pub(crate) fn board(game: &Susan, request: &DrawRequest<Susan>) -> Board {
    let note = match (request.position.slides, game.slide_limit) {
        (0, _) => String::new(),
        (n, 0) => format!(", {}", slides(n)),
        (n, limit) => format!(", {n} of {}", slides(limit)),
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
    page.put_cells(".", &cells);
    page.put_pieces(&cells);
    // The ring of a loss, unlike that of a win, has the colour of its side.
    if let Some(Outcome::Win(winner)) = request.outcome {
        let shapes = page.shapes.iter_mut();
        for ring in shapes.filter(|shape| shape.role == Role::Decisive) {
            ring.colour = Some(DiagramColour::of(winner.other()));
        }
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
        // As text, the letters are below one another.
        let aside = f64::from(indent) / -2.0;
        page.label(start, [aside, 0.0], LABEL, row_letter(row));
        let (end, past_end) = (place(game, last).moved(1.0, 0.0), board.row(row).len() + 1);
        if indent > 0 {
            let aside = if past_end < 10 { 0.0 } else { 0.5 };
            page.label(end, [aside, 0.0], LABEL, past_end.to_string());
        }
    }
    let (first, last) = (board.rows().start, board.rows().end - 1);
    for (row, y) in [(first, -height), (last, height)] {
        for (number, cell) in (1..).zip(board.row(row)) {
            let at = place(game, cell).moved(0.5, y);
            page.label(at, [0.0; 2], LABEL, number.to_string());
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
        outline: Form::hexagon(place(game, cell)),
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
