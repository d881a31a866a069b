//! The board as a diagram: cells are hexagons, neighbours are one unit apart, and the middle cell is at (0, 0) before
//! the diagram is rotated.

use draw::{Board, DiagramBuilder, DiagramColour, Form, Input, Point, Role};
use kit::{DrawRequest, Side};

use super::caption::caption;
use crate::cells::Cell;
use crate::fen::{letter, row_letter};
use crate::geometry::{indent, n_rows};
use crate::position::{Move, Position, Susan};

/// Distance from the centre of a cell to its corners.
const CELL: f64 = 0.577;
const STONE: f64 = 0.39;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.34;
/// Maximum `SlideLimit` that is shown as dots below the board.
const MOST_DOTS: u64 = 12;

/// Draws the last move, stones with one liberty, surrounded stones and, below the board, the count of consecutive
/// slides.
pub(crate) fn diagram(game: &Susan, request: &DrawRequest<Susan>) -> Board {
    let caption = caption(game, request);
    let page = request.board(game, caption, |mv| input(game, mv));
    let mut picture = SusanPicture { game, page };
    picture.put_board();
    picture.put_last_move(request.last);
    for cell in game.board.cells() {
        picture.put_cell(request, cell);
    }
    let half_turns = u32::from(request.view.is_flipped);
    picture.page = picture
        .page
        .turned(180 * half_turns + 60 * u32::from(request.view.turns));
    picture.put_slides(request.position);
    picture.page.finish()
}

fn input(game: &Susan, mv: Move) -> Input {
    let to = game.name(mv.to());
    match mv.from() {
        None => Input::spot(to),
        Some(from) => Input::spots(game.name(from), to),
    }
}

struct SusanPicture<'a> {
    game: &'a Susan,
    page: DiagramBuilder,
}

impl SusanPicture<'_> {
    /// Draws the empty board with the letters of its rows and the numbers of its diagonals.
    fn put_board(&mut self) {
        let board = &self.game.board;
        let size = board.size();
        let radius = f64::from(size) + 0.55;
        let corner = |(x, y): (f64, f64)| Point::new(radius * x, radius * y);
        let height = 0.75_f64.sqrt();
        let corners = [
            (-1.0, 0.0),
            (-0.5, -height),
            (0.5, -height),
            (1.0, 0.0),
            (0.5, height),
            (-0.5, height),
        ];
        self.page
            .put(Role::Board, Form::polygon(corners.map(corner)));
        for cell in board.cells() {
            let cell = Form::hexagon(self.place(cell), CELL);
            self.page.put(Role::Cell, cell);
        }
        for row in board.rows() {
            let (first, last) = (board.row(row).start, board.row(row).end - 1);
            let letter = Form::text(self.place(first).moved(-1.0, 0.0), LABEL, row_letter(row));
            self.page.put(Role::Label, letter);
            let past_end = board.row(row).len() + 1;
            if indent(size, row) > 0 {
                let at = self.place(last).moved(1.0, 0.0);
                let number = Form::text(at, LABEL, past_end.to_string());
                self.page.put(Role::Label, number);
            }
        }
        let (up, down) = (board.rows().start, board.rows().end - 1);
        for (row, y) in [(up, -height), (down, height)] {
            for (number, cell) in (1..).zip(board.row(row)) {
                let at = self.place(cell).moved(0.5, y);
                self.page
                    .put(Role::Label, Form::text(at, LABEL, number.to_string()));
            }
        }
    }

    fn put_last_move(&mut self, last: Option<Move>) {
        let Some(mv) = last else { return };
        let cell = |cell| Form::hexagon(self.place(cell), 0.88 * CELL);
        let (from, to) = (mv.from().map(cell), cell(mv.to()));
        if let Some(from) = from {
            self.page.put(Role::From, from);
        }
        self.page.put(Role::To, to);
    }

    /// Draws the content of a cell and adds its spot.
    fn put_cell(&mut self, request: &DrawRequest<Susan>, cell: Cell) {
        let (game, position, at) = (self.game, request.position, self.place(cell));
        let mut label = game.name(cell);
        if let Some(side) = position.stone(cell) {
            self.put_stone(side, at);
            label += &format!(", {}", letter(side));
            if game.is_surrounded(position, cell) {
                self.page.put(Role::Decisive, Form::circle(at, STONE + 0.1));
                label += ", surrounded";
            } else if request.outcome.is_none() && is_in_danger(game, position, cell) {
                self.page.put(Role::Danger, Form::circle(at, STONE + 0.1));
                label += ", in danger";
            }
        }
        let id = game.name(cell);
        self.page.spot(id, label, Form::hexagon(at, CELL));
    }

    fn put_stone(&mut self, side: Side, at: Point) {
        let colour = DiagramColour::of(side);
        let stone = Form::circle(at, STONE);
        let sign = match side {
            Side::P1 => Form::cross(at, 0.21, 0.075),
            Side::P2 => Form::circle(at, 0.17),
        };
        self.page.put_of(colour, Role::Piece, stone);
        self.page.put_of(colour, Role::Sign, sign);
    }

    /// Draws the count of consecutive slides: one dot for each slide up to the limit, or a number if there would be too
    /// many dots.
    fn put_slides(&mut self, position: &Position) {
        let (slides, limit) = (position.slides, self.game.slide_limit);
        let at = Point::new(0.0, f64::from(self.game.board.size()) * 0.87 + 1.2);
        if (1..=MOST_DOTS).contains(&limit) {
            let start = at.moved(-0.25 * (limit as f64 - 1.0), 0.0);
            for i in 0..limit {
                let role = match i < slides {
                    true => Role::Counted,
                    false => Role::Pending,
                };
                let dot = Form::circle(start.moved(0.5 * i as f64, 0.0), 0.13);
                self.page.put(role, dot);
            }
        } else if slides > 0 {
            let text = match limit {
                0 => format!("{slides} in a row"),
                _ => format!("{slides} of {limit} in a row"),
            };
            self.page.put(Role::Note, Form::text(at, LABEL, text));
        }
    }

    fn place(&self, cell: Cell) -> Point {
        let (row, number) = self.game.board.coordinates(cell);
        let size = self.game.board.size();
        let half_steps = 2 * i32::from(number - 1) + i32::from(indent(size, row));
        let from_middle = i32::from(row) - i32::from(n_rows(size) / 2);
        let x = f64::from(half_steps - i32::from(n_rows(size) - 1)) / 2.0;
        Point::new(x, f64::from(from_middle) * 0.75_f64.sqrt())
    }
}

/// `true` if a stone has exactly one liberty.
fn is_in_danger(game: &Susan, position: &Position, cell: Cell) -> bool {
    game.liberties(&position.empty, cell).count_ones() == 1
}
