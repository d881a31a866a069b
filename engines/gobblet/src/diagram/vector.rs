//! The board as a diagram, seen from above: squares have sides of one unit, and the centre of the board is at (0, 0)
//! before the diagram is rotated. Each player's pieces off the board are on the player's side of it.

use draw::{Board, DiagramBuilder, DiagramColour, Form, Input, Point, Role};
use kit::{DrawRequest, Game, Outcome, Side};

use super::caption::{caption, line_of};
use super::text::shown;
use crate::fen::colour;
use crate::pieces::Size;
use crate::position::{Gobblet, Move, Origin, Position};
use crate::square::{Square, Squares, squares};

/// Radius of the largest piece.
const LARGEST: f64 = 0.45;
/// Radius of the inside of a piece, relative to that of the piece.
const INSIDE: f64 = 0.74;
/// Distance from the edge of the squares to the centre of the pieces off the board.
const OFF_BOARD: f64 = 0.98;
/// Font size of letters and numbers around the board.
const LABEL: f64 = 0.2;

/// Draws the last move, the lines that the opponent threatens to complete, the visible pieces, those off the board, and
/// the winning line. The style `peek` also shows covered pieces, nested within each other.
pub(crate) fn diagram(game: &Gobblet, request: &DrawRequest<Gobblet>) -> Board {
    let side = request.position.side;
    let threats = threatened(game, request.position);
    let caption = caption(game, request) + &warning(side.other(), &threats);
    let page = request.board(game, caption, |mv| input(side, mv));
    let mut picture = GobbletPicture {
        game,
        request,
        page,
    };
    picture.put_board();
    picture.put_last_move();
    picture.put_threats(&threats);
    picture.put_line();
    for square in squares(game.board.all()) {
        picture.put_square(square);
    }
    for side in Side::BOTH {
        picture.put_reserve(side);
    }
    let half_turns = u32::from(request.view.is_flipped);
    let degrees = 180 * half_turns + 90 * u32::from(request.view.turns);
    picture.page.turned(degrees).finish()
}

/// The caption's part on the lines that a player threatens to complete.
fn warning(side: Side, lines: &[Squares]) -> String {
    let names = |&line: &Squares| -> String {
        let names: Vec<String> = squares(line).map(|square| square.to_string()).collect();
        names.join(" ")
    };
    match lines {
        [] => String::new(),
        lines => {
            let lines: Vec<String> = lines.iter().map(names).collect();
            format!("; {} threatens {}", colour(side), lines.join(" and "))
        }
    }
}

fn input(side: Side, mv: Move) -> Input {
    match mv.from {
        Origin::Reserve(size) => Input::spots(reserve(side, size), mv.to.to_string()),
        Origin::Square(from) => Input::spots(from.to_string(), mv.to.to_string()),
    }
}

/// The spot of a player's pieces of a size off the board; equal pieces share it.
fn reserve(side: Side, size: Size) -> String {
    format!("reserve {side} {size}")
}

struct GobbletPicture<'a> {
    game: &'a Gobblet,
    request: &'a DrawRequest<'a, Gobblet>,
    page: DiagramBuilder,
}

impl GobbletPicture<'_> {
    fn put_board(&mut self) {
        let width = self.game.board.width();
        let middle = Point::new(0.0, 0.0);
        let side = f64::from(width) + 0.9;
        self.page
            .put(Role::Board, Form::rectangle(middle, side, side));
        for square in squares(self.game.board.all()) {
            let cell = Form::rectangle(self.place(square), 0.98, 0.98);
            self.page.put(Role::Cell, cell);
        }
        for i in 0..width {
            let (file, rank) = (char::from(b'a' + i), i + 1);
            let below = self.place(Square::at(i, 0)).moved(0.0, 0.72);
            let beside = self.place(Square::at(0, i)).moved(-0.72, 0.0);
            self.page.put(Role::Label, Form::text(below, LABEL, file));
            self.page
                .put(Role::Label, Form::text(beside, LABEL, rank.to_string()));
        }
    }

    fn put_last_move(&mut self) {
        let Some(mv) = self.request.last else { return };
        let cell = |square| Form::rectangle(self.place(square), 0.9, 0.9);
        let to = cell(mv.to);
        if let Origin::Square(from) = mv.from {
            let from = cell(from);
            self.page.put(Role::From, from);
        }
        self.page.put(Role::To, to);
    }

    fn put_threats(&mut self, lines: &[Squares]) {
        for &line in lines {
            let points: Vec<Point> = squares(line).map(|square| self.place(square)).collect();
            self.page.put(Role::Danger, Form::line(points, 0.08));
        }
    }

    fn put_line(&mut self) {
        let Some(Outcome::Win(side)) = self.request.outcome else {
            return;
        };
        let line = line_of(self.game, self.request.position, side).unwrap_or_default();
        let points: Vec<Point> = squares(line).map(|square| self.place(square)).collect();
        for &at in &points {
            let ring = Form::circle(at, LARGEST + 0.04);
            self.page.put(Role::Decisive, ring);
        }
        self.page.put(Role::Decisive, Form::line(points, 0.1));
    }

    fn put_square(&mut self, square: Square) {
        let at = self.place(square);
        let pile = shown(self.request, square);
        let is_nested = pile.len() > 1;
        for (i, &(side, size)) in pile.iter().rev().enumerate() {
            let radius = radius(self.game, size);
            let role = if i == 0 { Role::Piece } else { Role::Covered };
            self.page
                .put_of(DiagramColour::of(side), role, Form::circle(at, radius));
            if !is_nested {
                self.put_inside(side, at, radius);
            }
            // With covered pieces shown inside, a piece's number is at its rim.
            let is_innermost = i + 1 == pile.len();
            let (at, font) = match is_nested && !is_innermost {
                true => (at.moved(0.0, 0.07 - radius), 0.11),
                false => (at, 1.1 * radius),
            };
            let sign = Form::text(at, font, size.to_string());
            let role = if i == 0 { Role::Sign } else { Role::Label };
            self.page.put_of(DiagramColour::of(side), role, sign);
        }
        let names: Vec<String> = pile
            .iter()
            .rev()
            .map(|&(side, size)| format!("{} {size}", colour(side)))
            .collect();
        let label = match names.is_empty() {
            true => square.to_string(),
            false => format!("{square}, {}", names.join(" over ")),
        };
        let outline = Form::rectangle(at, 1.0, 1.0);
        self.page.spot(square.to_string(), label, outline);
    }

    /// Draws a player's pieces off the board in a row, the larger ones first. Of a stack only the top piece is shown;
    /// it determines those below.
    fn put_reserve(&mut self, side: Side) {
        let game = self.game;
        let sizes = off_board(game, self.request.position, side);
        let radius = |size: Size| radius(game, size);
        let gap = 0.08;
        let width: f64 = sizes.iter().map(|&size| 2.0 * radius(size) + gap).sum();
        let y = f64::from(self.game.board.width()) / 2.0 + OFF_BOARD;
        // Player 1 is at the bottom. Both rows run from their player's left.
        let sign = match side {
            Side::P1 => 1.0,
            Side::P2 => -1.0,
        };
        let mut x = -width / 2.0;
        for group in sizes.chunk_by(|one, other| one == other) {
            let (size, radius) = (group[0], radius(group[0]));
            let start = x;
            for _ in group {
                let at = Point::new(sign * (x + radius + gap / 2.0), sign * y);
                let colour = DiagramColour::of(side);
                self.page
                    .put_of(colour, Role::Piece, Form::circle(at, radius));
                self.put_inside(side, at, radius);
                let digit = Form::text(at, 1.1 * radius, size.to_string());
                self.page.put_of(colour, Role::Sign, digit);
                x += 2.0 * radius + gap;
            }
            let middle = Point::new(sign * (start + x) / 2.0, sign * y);
            let outline = Form::rectangle(middle, x - start, 2.0 * radius + gap);
            let label = format!(
                "{} {size} off the board, {} left",
                colour(side),
                group.len()
            );
            self.page.spot(reserve(side, size), label, outline);
        }
    }

    /// Draws the inside of a cup.
    fn put_inside(&mut self, side: Side, at: Point, radius: f64) {
        let inside = Form::circle(at, INSIDE * radius);
        self.page
            .put_of(DiagramColour::of(side), Role::Hollow, inside);
    }

    fn place(&self, square: Square) -> Point {
        let last = f64::from(self.game.board.width() - 1);
        let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
        Point::new(file - last / 2.0, last / 2.0 - rank)
    }
}

fn radius(game: &Gobblet, size: Size) -> f64 {
    let smaller = f64::from(game.largest() - size) / f64::from(game.largest());
    LARGEST * (1.0 - 0.85 * smaller)
}

/// The sizes of the pieces off the board that can be placed, the larger ones first; for a stack, the top piece.
fn off_board(game: &Gobblet, position: &Position, side: Side) -> Vec<Size> {
    let n_left = |size| game.n_each() - position.pieces.count(side, size);
    let sizes = (1..=game.largest()).rev();
    if game.has_stacks() {
        let top = |stack: u32| sizes.clone().find(|&size| stack < n_left(size));
        return (0..game.n_each()).filter_map(top).collect();
    }
    sizes
        .flat_map(|size| std::iter::repeat_n(size, n_left(size) as usize))
        .collect()
}

/// The lines that the player who is not to move threatens to complete; none in a finished game.
fn threatened(game: &Gobblet, position: &Position) -> Vec<Squares> {
    if game.outcome(position).is_some() {
        return Vec::new();
    }
    let side = position.side.other();
    let turned = Position { side, ..*position };
    let mut moves = Vec::new();
    game.moves(&turned, &mut moves);
    let completed = |mv| {
        let mut next = turned;
        game.play(&mut next, mv);
        let is_won = game.outcome(&next) == Some(Outcome::Win(side));
        is_won.then(|| line_of(game, &next, side)).flatten()
    };
    let mut lines: Vec<Squares> = moves.into_iter().filter_map(completed).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
