//! The board for people, seen from above, and its caption: the side to move, or the result with its reason. Each player's
//! pieces off the board are on the player's side of it, and as text below it.

use std::collections::BTreeSet;

use draw::{Board, Cell, DiagramColour, Form, Input, Piece, Point, Role, Sign};
use kit::{DrawRequest, Game, Outcome, Side};

use crate::pieces::{Size, Square, Squares};
use crate::position::{Gobblet, Origin, Position, colour};

/// The style that shows covered pieces: as text each pile from the bottom up, in pictures nested within each other. In the
/// physical game they are hidden.
pub(crate) const PEEK: &str = "peek";
/// The text before the pieces off the board.
pub(crate) const OFF_BOARD: &str = "off the board:";
/// Radius of the largest piece.
const LARGEST: f64 = 0.45;
/// Distance from the edge of the squares to the centre of the pieces off the board.
const BESIDE: f64 = 0.98;
/// Width and height of the ground beyond the squares, with space for all pieces off the board.
const GROUND: [f64; 2] = [0.72, 1.5];
/// Distance between pieces off the board.
const GAP: f64 = 0.08;
/// Offset of the edge of what lies beneath the top of a stack.
const BENEATH: f64 = 0.05;

/// The board with the last move, the lines that the opponent threatens to complete, the visible pieces, those off the
/// board, and the winning line.
pub(crate) fn board(game: &Gobblet, request: &DrawRequest<Gobblet>) -> Board {
    let (position, width) = (request.position, game.board.width);
    let mut page = request.board(game, "", |mv| {
        let from = match mv.from {
            Origin::Reserve(size) => reserve(position.side, size),
            Origin::Square(from) => from.to_string(),
        };
        Input::spots(from, mv.to.to_string())
    });
    let threats = match request.outcome {
        None => threatened(game, position),
        Some(_) => BTreeSet::new(),
    };
    let threatened: Vec<String> = threats.iter().map(|&line| Square::names(line)).collect();
    page.add_threats(colour(position.side.other()), &threatened);
    let n_shown = if request.view.style == PEEK { width } else { 1 };
    page.turn = 90;
    page.text.width = 2 * usize::from(n_shown);
    page.text.scale = Some([2.0 * f64::from(n_shown) + 3.0, 2.0]);
    page.put_square_ground(width, GROUND);
    put_frame(&mut page, width);
    let cell = |square: Square| {
        let mut pile: Vec<(Side, Size)> = position.pieces.pile(square).collect();
        pile.reverse();
        pile.truncate(n_shown.into());
        let pieces = pile.into_iter().map(|(side, size)| piece(game, side, size));
        Cell {
            id: square.to_string(),
            outline: Form::rectangle(place(game, square), 1.0, 1.0),
            pieces: pieces.collect(),
            marks: Vec::new(),
        }
    };
    let cells: Vec<Cell> = Square::of(game.board.all).map(cell).collect();
    page.put_cells("", &cells);
    let points = |line| Square::of(line).map(|square| place(game, square));
    for &line in &threats {
        page.put(Role::Danger, Form::line(points(line), 0.08));
    }
    if let Some(Outcome::Win(winner)) = request.outcome {
        let line = line_of(game, position, winner).unwrap_or_default();
        for at in points(line) {
            page.put(Role::Decisive, Form::circle(at, LARGEST + 0.04));
        }
        page.put(Role::Decisive, Form::line(points(line), 0.1));
    }
    page.put_pieces(&cells);
    for side in Side::BOTH {
        put_reserve(&mut page, game, position, side);
    }
    page
}

/// The spot of a player's pieces of a size off the board; equal pieces share it.
fn reserve(side: Side, size: Size) -> String {
    format!("reserve {side} {size}")
}

/// Writes the borders of the squares.
fn put_frame(page: &mut Board, width: u8) {
    let (room, middle) = (page.text.width, f64::from(width) / 2.0);
    let line = |post: &str, fill: &str| {
        let cell = fill.repeat(room + 2) + post;
        format!("{post}{}", cell.repeat(width.into()))
    };
    page.write(Point::new(0.0, middle), line("+", "-"));
    for rank in 0..width {
        let y = Point::of_square(0, rank, width).y;
        page.write(Point::new(0.0, y - 0.5), line("+", "-"));
        page.write(Point::new(0.0, y), line("|", " "));
    }
}

/// A piece. As text, red pieces have capital letters, yellow ones small letters.
fn piece(game: &Gobblet, side: Side, size: Size) -> Piece {
    Piece {
        colour: DiagramColour::of(side),
        radius: radius(game, size),
        sign: Sign::Cup(size.to_string()),
        name: format!("{} {size}", colour(side)),
        glyph: format!("{}{size}", ["R", "y"][side.index()]),
    }
}

fn radius(game: &Gobblet, size: Size) -> f64 {
    let smaller = f64::from(game.largest() - size) / f64::from(game.largest());
    LARGEST * (1.0 - 0.85 * smaller)
}

/// The stacks off the board, each as the sizes of its pieces from the top down; pieces that are not stacked, one by one.
/// The larger ones first.
fn off_board(game: &Gobblet, position: &Position, side: Side) -> Vec<Vec<Size>> {
    let n_left = move |size| game.n_each() - position.pieces.count(side, size);
    let sizes = || (1..=game.largest()).rev();
    let mut stacks: Vec<Vec<Size>> = if game.has_stacks() {
        let stack = |i| sizes().filter(move |&size| i < n_left(size)).collect();
        (0..game.n_each()).map(stack).collect()
    } else {
        let pieces = |size| vec![vec![size]; n_left(size) as usize];
        sizes().flat_map(pieces).collect()
    };
    stacks.retain(|stack| !stack.is_empty());
    stacks
}

/// Draws a player's pieces off the board in a row. Of a stack only the top piece is shown, which determines those below,
/// and an edge of what lies beneath; as text, each stack with all its sizes. Stacks with equal tops are one spot.
fn put_reserve(page: &mut Board, game: &Gobblet, position: &Position, side: Side) {
    let stacks = off_board(game, position, side);
    let wide = |stack: &Vec<Size>| 2.0 * radius(game, stack[0]) + GAP;
    // Player 1 is at the bottom. Both rows run from their player's left.
    let sign = if side == Side::P1 { 1.0 } else { -1.0 };
    let y = sign * (f64::from(game.board.width) / 2.0 + BESIDE);
    let mut x = stacks.iter().map(wide).sum::<f64>() / -2.0;
    let mut line = vec![(format!("{:6} ({side}) {OFF_BOARD}", colour(side)), None)];
    for group in stacks.chunk_by(|one, other| one[0] == other[0]) {
        let (step, id) = (wide(&group[0]), reserve(side, group[0][0]));
        let mut top = piece(game, side, group[0][0]);
        let label = format!("{} off the board, {} left", top.name, group.len());
        let width = step * group.len() as f64;
        let area = Form::rectangle(Point::new(sign * (x + width / 2.0), y), width, step);
        page.spot(&id, label, area);
        top.glyph.clear();
        for stack in group {
            let at = Point::new(sign * (x + step / 2.0), y);
            if stack.len() > 1 {
                let beneath = Form::circle(at.moved(BENEATH, sign * -BENEATH), top.radius);
                page.put_of(top.colour, Role::Ghost, beneath);
            }
            page.put_pile(at, std::slice::from_ref(&top));
            x += step;
        }
        let word = |stack: &Vec<Size>| stack.iter().map(Size::to_string).collect::<String>();
        let words: Vec<String> = group.iter().map(word).collect();
        line.extend([(" ".to_owned(), None), (words.join(" "), Some(id))]);
    }
    page.text.below.push(line);
}

fn place(game: &Gobblet, square: Square) -> Point {
    Point::of_square(square.file(), square.rank(), game.board.width)
}

/// The lines that the player who is not to move threatens to complete.
fn threatened(game: &Gobblet, position: &Position) -> BTreeSet<Squares> {
    let side = position.side.other();
    let turned = Position { side, ..*position };
    let mut moves = Vec::new();
    game.moves(&turned, &mut moves);
    let completed = |mv| {
        let mut next = turned;
        game.play(&mut next, mv);
        let is_won = game.outcome(&next) == Some(Outcome::Win(side));
        line_of(game, &next, side).filter(|_| is_won)
    };
    moves.into_iter().filter_map(completed).collect()
}

/// The first full line of a player's visible pieces.
pub(crate) fn line_of(game: &Gobblet, position: &Position, side: Side) -> Option<Squares> {
    let own = position.pieces.visible()[side.index()];
    let is_full = |&&line: &&Squares| own & line == line;
    game.board.lines().iter().find(is_full).copied()
}
