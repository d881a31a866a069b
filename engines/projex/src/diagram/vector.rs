//! The board as a diagram: cells are hexagons, and neighbours are one unit apart. The cells across the edge are shown
//! around it.

use kit::diagram::{DiagramColour, Form, Input, Point, Role};
use kit::{Diagram, DiagramBuilder, DrawRequest};

use super::caption::short_caption;
use super::layout::PageLayout;
use super::loops::winning_loop;
use crate::board::{Move, Projex};
use crate::fen::{SWAP, format_cell, letter_name, parse_cell};
use crate::geometry::{Cell, Geometry, Place};
use crate::position::{Colour, Position};

/// Distance from the centre of a cell to its corners.
const CELL: f64 = 0.577;
const STONE: f64 = 0.39;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.4;
/// Font size of cell codes on the board.
const CODE: f64 = 0.27;

/// Draws the stones with the last one marked, ghosts of the cells across the edge, and the winning loop. A view with a
/// centre moves that cell to the middle of the board, and labels the cells with their codes.
pub(crate) fn diagram(game: &Projex, request: &DrawRequest<Projex>) -> Diagram {
    let board = game.board();
    let centre = parse_cell(board, request.view.centre).ok();
    let layout = match centre {
        None => PageLayout::standard(board),
        Some(centre) => PageLayout::rolled(board, centre),
    };
    let mut picture = ProjexPicture {
        board,
        position: request.position,
        page: DiagramBuilder::new(game, request, short_caption(game, request), |mv| {
            input(board, mv)
        }),
        layout,
    };
    picture
        .page
        .set_owner_of_one(request.position.owner(Colour::X));
    picture.put_ghosts();
    picture.put_cells(request.last, centre.is_some());
    if centre.is_none() {
        picture.put_names();
    }
    picture.put_loop(&winning_loop(board, request.position));
    picture.put_stones();
    let half_turns = u32::from(request.view.is_flipped);
    let degrees = 180 * half_turns + 60 * u32::from(request.view.turns);
    picture.page.turned(degrees).finish()
}

fn input(board: &Geometry, mv: Move) -> Input {
    match mv {
        Move::Place(cell) => Input::spot(format_cell(board, cell)),
        Move::Swap => Input::Button(SWAP.to_owned()),
    }
}

struct ProjexPicture<'a> {
    board: &'a Geometry,
    position: &'a Position,
    page: DiagramBuilder,
    layout: PageLayout,
}

impl ProjexPicture<'_> {
    fn put_ghosts(&mut self) {
        for (&place, &cell) in &self.layout.ghosts {
            let at = point(place);
            let code = format_cell(self.board, cell);
            self.page.put_ghost(code.as_str(), Form::hexagon(at, CELL));
            match self.position.stone(cell) {
                None => self.page.put(Role::Label, Form::text(at, CODE, code)),
                Some(stone) => {
                    let colour = colour(stone);
                    let ghost = Form::circle(at, 0.8 * STONE);
                    self.page.put_of(colour, Role::Ghost, ghost);
                    self.page
                        .put_of(colour, Role::GhostSign, sign(stone, at, 0.8));
                }
            }
        }
    }

    fn put_cells(&mut self, last: Option<Move>, has_codes: bool) {
        for cell in self.board.cells() {
            let at = point(self.layout.place(cell));
            let code = format_cell(self.board, cell);
            self.page.put(Role::Cell, Form::hexagon(at, CELL));
            if last == Some(Move::Place(cell)) {
                self.page.put(Role::To, Form::hexagon(at, 0.88 * CELL));
            }
            if has_codes {
                self.page
                    .put(Role::Label, Form::text(at, CODE, code.as_str()));
            }
            let label = match self.position.stone(cell) {
                None => code.clone(),
                Some(stone) => format!("{code}, {}", stone.symbol()),
            };
            self.page.spot(code, label, Form::hexagon(at, CELL));
        }
    }

    /// Labels rows on their left and diagonals at their lower right, beyond the ghosts.
    fn put_names(&mut self) {
        for row in 1..=self.board.n_rows() {
            let letter = self.board.letters(row).0 - 2;
            self.put_name(Place { row, letter }, row.to_string());
        }
        for letter in 1..=self.board.n_rows() {
            let row = self.board.last_row(letter) + 2;
            self.put_name(Place { row, letter }, letter_name(letter).to_string());
        }
    }

    fn put_name(&mut self, place: Place, name: String) {
        self.page
            .put(Role::Label, Form::text(point(place), LABEL, name));
    }

    /// Draws the winning loop. Where it crosses the edge it is cut and continues to the ghost of its next stone.
    fn put_loop(&mut self, cells: &[Cell]) {
        let next = cells.iter().cycle().skip(1);
        let lines = cells
            .iter()
            .zip(next)
            .flat_map(|(&one, &other)| self.steps_between(one, other))
            .map(|(from, to)| vec![point(from), point(to)])
            .collect();
        if !cells.is_empty() {
            let form = Form::Path { lines, width: 0.2 };
            self.page.put(Role::Decisive, form);
        }
        for &cell in cells {
            let ring = Form::circle(point(self.layout.place(cell)), STONE + 0.07);
            self.page.put(Role::Decisive, ring);
        }
    }

    /// The step from a cell to its neighbour, or to the neighbour's ghost and from the cell's ghost to the neighbour.
    fn steps_between(&self, one: Cell, other: Cell) -> Vec<(Place, Place)> {
        let (from, to) = (self.layout.place(one), self.layout.place(other));
        let is_beside = from.around().any(|place| place == to);
        let crossing = self.board.steps(one).any(|step| step == (other, true));
        if is_beside && (!crossing || self.ghosts_beside(one, other).next().is_none()) {
            return vec![(from, to)];
        }
        let out = self.ghosts_beside(one, other).take(1);
        let back = self.ghosts_beside(other, one).take(1);
        out.map(|ghost| (from, ghost))
            .chain(back.map(|ghost| (to, ghost)))
            .collect()
    }

    /// The places next to a cell that show a neighbour as a ghost.
    fn ghosts_beside(&self, cell: Cell, neighbour: Cell) -> impl Iterator<Item = Place> {
        let around = self.layout.place(cell).around();
        around.filter(move |place| self.layout.ghosts.get(place) == Some(&neighbour))
    }

    fn put_stones(&mut self) {
        for cell in self.board.cells() {
            if let Some(stone) = self.position.stone(cell) {
                let (colour, at) = (colour(stone), point(self.layout.place(cell)));
                self.page
                    .put_of(colour, Role::Piece, Form::circle(at, STONE));
                self.page.put_of(colour, Role::Sign, sign(stone, at, 1.0));
            }
        }
    }
}

fn colour(stone: Colour) -> DiagramColour {
    DiagramColour::BOTH[stone.index()]
}

/// The sign of a stone, scaled by this factor.
fn sign(stone: Colour, at: Point, scale: f64) -> Form {
    match stone {
        Colour::X => Form::cross(at, 0.21 * scale, 0.075 * scale),
        Colour::O => Form::circle(at, 0.17 * scale),
    }
}

fn point(Place { row, letter }: Place) -> Point {
    let (row, letter) = (f64::from(row), f64::from(letter));
    Point::new(letter + row / 2.0, row * 0.75_f64.sqrt())
}
