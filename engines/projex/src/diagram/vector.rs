//! The board as a diagram: cells are hexagons, and neighbours are one unit apart. The cells across the edge are shown
//! around it.

use std::collections::BTreeMap;

use draw::{Board, BoardCopy, DiagramBuilder, DiagramColour, Form, Input, Point, Role};
use kit::DrawRequest;

use super::caption::{short_caption, warning};
use super::loops::{threats, winning_loop};
use super::text::FAR_SIDE;
use crate::board::{Move, Projex};
use crate::fen::{SWAP, format_cell, letter_name};
use crate::geometry::{Cell, Geometry, Place};
use crate::position::{Colour, Position};
use crate::sides::{BoardSide, sides};

/// Distance from the centre of a cell to its corners.
const CELL: f64 = 0.577;
const STONE: f64 = 0.39;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.4;
/// Font size of cell codes.
const CODE: f64 = 0.27;
/// Largest number of loops drawn of those that lack one stone of a colour.
const MAX_LOOPS: usize = 4;
/// Length of the arrows at the sides, and half their width.
const ARROW: [f64; 2] = [0.44, 0.16];

/// Draws the stones with the last one marked, ghosts of the cells across the edge, the loops that lack one stone, and the
/// winning loop. The diagram has the copies of the board beyond its sides, unless the style is `farside`.
pub(crate) fn diagram(game: &Projex, request: &DrawRequest<Projex>) -> Board {
    let (board, position) = (game.board(), request.position);
    let threats = Colour::BOTH.map(|colour| threats(board, position, colour));
    let completing = |colour: Colour| -> Vec<Cell> {
        let cells = threats[colour.index()].iter().flatten().copied();
        cells
            .filter(|&cell| position.stone(cell).is_none())
            .collect()
    };
    let against = completing(position.turn().other());
    let caption = short_caption(game, request) + &warning(game, position, &against);
    let sides = sides(board);
    let mut picture = ProjexPicture {
        board,
        position,
        page: request.board(game, caption, |mv| input(board, mv)),
        ghosts: board.rim().collect(),
    };
    picture.page.set_owner_of_one(position.owner(Colour::X));
    picture.put_ghosts();
    picture.put_cells(request.last);
    picture.put_names();
    picture.put_sides(&sides);
    for colour in Colour::BOTH {
        picture.put_threats(colour, &threats[colour.index()], &completing(colour));
    }
    picture.put_loop(&winning_loop(board, position));
    picture.put_stones();
    if request.view.style != FAR_SIDE {
        picture.page.copies(sides.iter().map(copy).collect());
    }
    let half_turns = u32::from(request.view.is_flipped);
    let degrees = 180 * half_turns + 60 * u32::from(request.view.turns);
    picture.page.turned(degrees).finish()
}

/// The copy of the board beyond a side.
fn copy(side: &BoardSide) -> BoardCopy {
    let places = [(0, 0), (0, 1), (1, 0)].map(|(row, letter)| Place { row, letter });
    BoardCopy {
        from: places.map(point),
        to: places.map(|place| point(side.beyond.of(place))),
    }
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
    /// The cells across the edge, at the places around the board that show them.
    ghosts: BTreeMap<Place, Cell>,
}

impl ProjexPicture<'_> {
    fn put_ghosts(&mut self) {
        for (&place, &cell) in &self.ghosts {
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

    fn put_cells(&mut self, last: Option<Move>) {
        for cell in self.board.cells() {
            let at = self.at(cell);
            let code = format_cell(self.board, cell);
            self.page.put(Role::Cell, Form::hexagon(at, CELL));
            if last == Some(Move::Place(cell)) {
                self.page.put(Role::To, Form::hexagon(at, 0.88 * CELL));
            }
            let label = match self.position.stone(cell) {
                None => code.clone(),
                Some(stone) => format!("{code}, {}", stone.symbol()),
            };
            self.page.spot(code, label, Form::hexagon(at, CELL));
        }
    }

    /// The middle of a cell.
    fn at(&self, cell: Cell) -> Point {
        point(self.board.place(cell))
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

    /// Draws the edges of the sides, with one, two or three arrows in their middle. Opposite sides meet with their arrows
    /// in the same direction.
    fn put_sides(&mut self, sides: &[BoardSide]) {
        let roles = [Role::FirstEdge, Role::SecondEdge, Role::ThirdEdge];
        for (i, side) in sides.iter().enumerate() {
            let role = roles[i % roles.len()];
            let line = outline(&side.edges);
            let (start, end) = (line[0], line[line.len() - 1]);
            self.page.put(
                role,
                Form::Path {
                    lines: vec![line],
                    width: 0.09,
                },
            );
            let n_arrows = i % roles.len() + 1;
            for k in 0..n_arrows {
                let shift = (k as f64 - (n_arrows - 1) as f64 / 2.0) * 0.8 * ARROW[0];
                self.page.put(role, arrow(start, end, shift));
            }
        }
    }

    /// Draws loops that lack one stone, and rings at the cells of these stones.
    fn put_threats(&mut self, colour: Colour, loops: &[Vec<Cell>], completing: &[Cell]) {
        let colour = self::colour(colour);
        for cells in loops.iter().take(MAX_LOOPS) {
            let lines = self.lines(cells);
            let form = Form::Path { lines, width: 0.09 };
            self.page.put_of(colour, Role::Threat, form);
        }
        for &cell in completing {
            let ring = Form::circle(self.at(cell), STONE);
            self.page.put_of(colour, Role::Threat, ring);
        }
    }

    /// Draws the winning loop.
    fn put_loop(&mut self, cells: &[Cell]) {
        if !cells.is_empty() {
            let lines = self.lines(cells);
            let form = Form::Path { lines, width: 0.2 };
            self.page.put(Role::Decisive, form);
        }
        for &cell in cells {
            let ring = Form::circle(self.at(cell), STONE + 0.07);
            self.page.put(Role::Decisive, ring);
        }
    }

    /// The lines of a loop. Where it crosses the edge it is cut and continues to the ghost of its next cell.
    fn lines(&self, cells: &[Cell]) -> Vec<Vec<Point>> {
        let next = cells.iter().cycle().skip(1);
        cells
            .iter()
            .zip(next)
            .flat_map(|(&one, &other)| self.steps_between(one, other))
            .map(|(from, to)| vec![point(from), point(to)])
            .collect()
    }

    /// The step from a cell to its neighbour, or to the neighbour's ghost and from the cell's ghost to the neighbour.
    fn steps_between(&self, one: Cell, other: Cell) -> Vec<(Place, Place)> {
        let (from, to) = (self.board.place(one), self.board.place(other));
        if !self.board.steps(one).any(|step| step == (other, true)) {
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
        let around = self.board.place(cell).around();
        around.filter(move |place| self.ghosts.get(place) == Some(&neighbour))
    }

    fn put_stones(&mut self) {
        for cell in self.board.cells() {
            if let Some(stone) = self.position.stone(cell) {
                let (colour, at) = (colour(stone), self.at(cell));
                self.page
                    .put_of(colour, Role::Piece, Form::circle(at, STONE));
                self.page.put_of(colour, Role::Sign, sign(stone, at, 1.0));
            }
        }
    }
}

/// The corners along the edges of a side, clockwise.
fn outline(edges: &[(Place, usize)]) -> Vec<Point> {
    let corner = |&(place, direction): &(Place, usize), degrees: f64| {
        // Direction 0 is to the left.
        let angle = (180.0 + 60.0 * direction as f64 + degrees).to_radians();
        point(place).moved(CELL * angle.cos(), CELL * angle.sin())
    };
    let starts = edges.iter().map(|edge| corner(edge, -30.0));
    let end = edges.last().map(|edge| corner(edge, 30.0));
    starts.chain(end).collect()
}

/// An arrow in the middle between two points, shifted by some length in its direction.
fn arrow(start: Point, end: Point, shift: f64) -> Form {
    let length = (end.x - start.x).hypot(end.y - start.y);
    let (x, y) = ((end.x - start.x) / length, (end.y - start.y) / length);
    let middle = Point::new((start.x + end.x) / 2.0, (start.y + end.y) / 2.0);
    let at = |along: f64, across: f64| {
        let along = along + shift;
        middle.moved(along * x - across * y, along * y + across * x)
    };
    let [along, across] = ARROW;
    Form::polygon([
        at(along / 2.0, 0.0),
        at(-along / 2.0, across),
        at(-along / 4.0, 0.0),
        at(-along / 2.0, -across),
    ])
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
