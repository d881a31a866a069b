//! The board for people: cells are hexagons, and neighbours are one unit apart; the cells across the edge are shown around
//! it. And its caption: the side to move, or the result with its reason.

use std::collections::BTreeMap;

use draw::{Board, BoardCopy, Cell as BoardCell, DiagramColour, Form, Input, Piece, Point, Role};
use kit::DrawRequest;

use crate::fen::{SWAP, format_cell, letter_name};
use crate::geometry::{Cell, Geometry, Place};
use crate::loops::{threats, winning_loop};
use crate::position::{Colour, Position};
use crate::rules::{Move, Projex};
use crate::sides::{BoardSide, sides};

/// The style that shows the cells across the edge as text, and the board without copies beyond its sides.
pub(crate) const FAR_SIDE: &str = "farside";
/// Distance from the centre of a cell to its corners.
const CELL: f64 = 0.577;
const STONE: f64 = 0.39;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.4;
/// Font size of cell codes.
const CODE: f64 = 0.27;
/// Largest number of loops drawn of those that lack one stone of a colour.
const MAX_LOOPS: usize = 4;
/// Radius of the dots at the sides.
const DOT: f64 = 0.12;

/// The stones with the last one marked, ghosts of the cells across the edge, the loops that lack one stone, and the winning
/// loop. As text it has the layout of the old Projex server, where the stones of the winning loop are capital letters.
pub(crate) fn board(game: &Projex, request: &DrawRequest<Projex>) -> Board {
    let (board, position) = (game.board(), request.position);
    let threats = Colour::BOTH.map(|colour| threats(board, position, colour));
    let is_empty = |cell: &Cell| position.stone(*cell).is_none();
    let completing = |colour: Colour| -> Vec<Cell> {
        let cells = threats[colour.index()].iter().flatten().copied();
        cells.filter(is_empty).collect()
    };
    let against = position.turn().other();
    let swap = match request.last {
        Some(Move::Swap) => ", after swap",
        _ if game.can_swap(position) => ", or swap",
        _ => "",
    };
    let mut picture = ProjexPicture {
        board,
        position,
        page: request.board(game, swap, |mv| match mv {
            Move::Place(cell) => Input::spot(format_cell(board, cell)),
            Move::Swap => Input::Button(SWAP.to_owned()),
        }),
        ghosts: board.rim().collect(),
        winning: winning_loop(board, position),
        is_far: request.view.style == FAR_SIDE,
    };
    let cells: Vec<BoardCell> = board.cells().map(|cell| picture.cell(cell)).collect();
    let sides = sides(board);
    let page = &mut picture.page;
    page.names = Colour::BOTH.map(|colour| colour.symbol().to_string());
    page.owners = Colour::BOTH.map(|colour| position.owner(colour));
    page.turn = 60;
    let columns = if picture.is_far { 4.0 } else { 2.0 };
    page.text.scale = Some([columns, 1.0 / 0.75_f64.sqrt()]);
    // As text with the owner of the colour, who is shown elsewhere beside a picture.
    if request.outcome.is_none() {
        page.text.notes = vec![format!(
            "{} to move{swap}",
            owned(position, position.turn())
        )];
    }
    let threatened = completing(against).into_iter();
    let threatened: Vec<String> = threatened.map(|cell| format_cell(board, cell)).collect();
    page.add_threats(&against.symbol().to_string(), &threatened);
    picture.put_ghosts();
    picture.page.put_cells(".", &cells);
    picture.put_names();
    picture.put_sides(&sides);
    for (colour, loops) in Colour::BOTH.into_iter().zip(&threats) {
        let drawn = &loops[..loops.len().min(MAX_LOOPS)];
        let look = (Role::Threat, Some(self::colour(colour)), 0.09, STONE);
        picture.put_loops(look, drawn, &completing(colour));
    }
    let winning = picture.winning.clone();
    if !winning.is_empty() {
        let look = (Role::Decisive, None, 0.2, STONE + 0.07);
        picture.put_loops(look, std::slice::from_ref(&winning), &winning);
    }
    picture.page.put_pieces(&cells);
    if !picture.is_far {
        picture.page.copies = sides.iter().map(copy).collect();
    }
    picture.page
}

/// The copy of the board beyond a side.
fn copy(side: &BoardSide) -> BoardCopy {
    let places = [(0, 0), (0, 1), (1, 0)].map(|(row, letter)| Place { row, letter });
    BoardCopy {
        from: places.map(point),
        to: places.map(|place| point(side.beyond.of(place))),
    }
}

struct ProjexPicture<'a> {
    board: &'a Geometry,
    position: &'a Position,
    page: Board,
    /// The cells across the edge, at the places around the board that show them.
    ghosts: BTreeMap<Place, Cell>,
    /// The winning loop, or nothing.
    winning: Vec<Cell>,
    /// `true` if text shows the cells across the edge.
    is_far: bool,
}

impl ProjexPicture<'_> {
    fn cell(&self, cell: Cell) -> BoardCell {
        BoardCell {
            id: format_cell(self.board, cell),
            outline: Form::hexagon(point(self.board.place(cell))),
            pieces: self.piece(cell).into_iter().collect(),
            marks: Vec::new(),
        }
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        let stone = self.position.stone(cell)?;
        Some(Piece::x_or_o(colour(stone), self.winning.contains(&cell)))
    }

    fn put_ghosts(&mut self) {
        for (&place, &cell) in &self.ghosts {
            let (at, code) = (point(place), format_cell(self.board, cell));
            let shown = |text: String| if self.is_far { text } else { String::new() };
            self.page.put(Role::Ghost, Form::hexagon(at)).spot = Some(code.clone());
            if let Some(piece) = self.piece(cell) {
                let (colour, radius) = (piece.colour, 0.8 * piece.radius);
                let disc = self
                    .page
                    .put_of(colour, Role::Ghost, Form::circle(at, radius));
                disc.glyph(shown(piece.glyph));
                let sign = piece.sign.form(at, radius);
                self.page.put_of(colour, Role::GhostSign, sign);
            } else {
                let text = Form::text(at, CODE, code.as_str());
                let label = self.page.put(Role::Label, text);
                label.glyph(shown(code.to_lowercase()));
            }
        }
    }

    /// Labels rows on their left and diagonals at their lower right, beyond the ghosts.
    fn put_names(&mut self) {
        // As text without ghosts, they are one step nearer.
        let near = if self.is_far { 0.0 } else { 1.0 };
        for row in 1..=self.board.n_rows() {
            let letter = self.board.letters(row).0 - 2;
            let at = point(Place { row, letter });
            self.page.label(at, [near, 0.0], LABEL, row.to_string());
        }
        for letter in 1..=self.board.n_rows() {
            let row = self.board.last_row(letter) + 2;
            let at = point(Place { row, letter });
            let aside = [-0.5 * near, -0.75_f64.sqrt() * near];
            self.page.label(at, aside, LABEL, letter_name(letter));
        }
    }

    /// Draws the edges of the sides, with one, two or three dots next to their start. Opposite sides meet dot to dot.
    fn put_sides(&mut self, sides: &[BoardSide]) {
        let roles = [Role::FirstEdge, Role::SecondEdge, Role::ThirdEdge];
        for (side, (i, role)) in sides.iter().zip(roles.into_iter().enumerate().cycle()) {
            let line = outline(&side.edges);
            for &corner in &line[1..=i + 1] {
                self.page.put(role, Form::circle(corner, DOT));
            }
            self.page.put(role, Form::line(line, 0.09));
        }
    }

    /// Draws loops in lines of a width, and rings of a radius around some of their cells.
    fn put_loops(
        &mut self,
        (role, colour, width, radius): (Role, Option<DiagramColour>, f64, f64),
        loops: &[Vec<Cell>],
        ringed: &[Cell],
    ) {
        let lines = loops.iter().map(|cells| self.lines(cells));
        let lines = lines.map(|lines| Form::Path { lines, width });
        let places = ringed.iter().map(|&cell| point(self.board.place(cell)));
        let rings = places.map(|at| Form::circle(at, radius));
        for form in lines.chain(rings).collect::<Vec<_>>() {
            self.page.put(role, form).colour = colour;
        }
    }

    /// The lines of a loop. Where it crosses the edge it is cut and continues to the ghost of its next cell.
    fn lines(&self, cells: &[Cell]) -> Vec<Vec<Point>> {
        let next = cells.iter().cycle().skip(1);
        let steps = cells.iter().zip(next).flat_map(|(&one, &other)| {
            let [there, back] = [(one, other), (other, one)].map(|(from, to)| self.step(from, to));
            let is_across = there[1] != back[0];
            [there].into_iter().chain(is_across.then_some(back))
        });
        steps.map(|ends| ends.map(point).to_vec()).collect()
    }

    /// The step from a cell to its neighbour, or to the neighbour's ghost next to it.
    fn step(&self, from: Cell, to: Cell) -> [Place; 2] {
        let (from, own) = (self.board.place(from), self.board.place(to));
        let shows = |place: &Place| *place == own || self.ghosts.get(place) == Some(&to);
        [from, from.around().find(shows).unwrap_or(own)]
    }
}

/// The corners along the edges of a side, clockwise.
fn outline(edges: &[(Place, usize)]) -> Vec<Point> {
    let corner = |&(place, direction): &(Place, usize), degrees: i32| {
        // Direction 0 is to the left.
        point(place).towards(180 + 60 * direction as i32 + degrees, CELL)
    };
    let starts = edges.iter().map(|edge| corner(edge, -30));
    let end = edges.last().map(|edge| corner(edge, 30));
    starts.chain(end).collect()
}

fn colour(stone: Colour) -> DiagramColour {
    DiagramColour::BOTH[stone.index()]
}

fn point(Place { row, letter }: Place) -> Point {
    let (row, letter) = (f64::from(row), f64::from(letter));
    Point::new(letter + row / 2.0, row * 0.75_f64.sqrt())
}

/// A colour with its owner: `x (p1)`.
pub(crate) fn owned(position: &Position, colour: Colour) -> String {
    format!("{} ({})", colour.symbol(), position.owner(colour))
}
