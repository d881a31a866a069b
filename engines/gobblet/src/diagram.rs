//! The board for people, seen from above, and its caption: the side to move, or the result with its reason. Each player's
//! pieces off the board are on the player's side of it, and as text below it.

use draw::{Board, Cell, DiagramColour, Form, Input, Outline, Piece, Point, Rectangle, Role, Sign};
use kit::{DrawRequest, Game, Outcome, Side};

use crate::notation::colour;
use crate::pieces::{Size, Square, Squares, squares};
use crate::position::{Gobblet, Move, Origin, Position};

/// The style that shows covered pieces: as text each pile from the bottom up, in pictures nested within each other. In the
/// physical game they are hidden.
pub(crate) const PEEK: &str = "peek";
/// The text before the pieces off the board.
pub(crate) const OFF_BOARD: &str = "off the board:";
/// Radius of the largest piece.
const LARGEST: f64 = 0.45;
/// Distance from the edge of the squares to the centre of the pieces off the board.
const BESIDE: f64 = 0.98;
/// Distance between pieces off the board.
const GAP: f64 = 0.08;
/// Offset of the edge of what lies beneath the top of a stack.
const BENEATH: f64 = 0.05;

/// The board with the last move, the lines that the opponent threatens to complete, the visible pieces, those off the
/// board, and the winning line.
pub(crate) fn board(game: &Gobblet, request: &DrawRequest<Gobblet>) -> Board {
    let (side, width) = (request.position.side, game.board.width());
    let (caption, threats) = (caption(game, request), threatened(game, request.position));
    let full_caption = caption.clone() + &warning(side.other(), &threats);
    let mut page = request.board(game, full_caption, |mv| input(side, mv));
    let n_shown = if request.view.style == PEEK { width } else { 1 };
    page.turn = 90;
    page.text.width = 2 * usize::from(n_shown);
    page.text.scale = Some([2.0 * f64::from(n_shown) + 3.0, 2.0]);
    page.text.notes = vec![caption];
    page.put_square_ground(width);
    put_frame(&mut page, width);
    let cells: Vec<Cell> = squares(game.board.all())
        .map(|square| cell(game, request, square))
        .collect();
    page.put_cells(Outline::Square, "", &cells);
    for &line in &threats {
        let points = squares(line).map(|square| place(game, square));
        page.put(Role::Danger, Form::line(points, 0.08));
    }
    if let Some(Outcome::Win(winner)) = request.outcome {
        let line = line_of(game, request.position, winner).unwrap_or_default();
        let points = || squares(line).map(|square| place(game, square));
        for at in points() {
            page.put(Role::Decisive, Form::circle(at, LARGEST + 0.04));
        }
        page.put(Role::Decisive, Form::line(points(), 0.1));
    }
    page.put_pieces(Outline::Square, &cells);
    // The board keeps its size while the pieces off the board are placed.
    let all = off_board(game, &game.start(), Side::P1);
    let x = all
        .iter()
        .map(|stack| piece(game, Side::P1, stack[0]).radius + GAP / 2.0);
    let corner = Point::new(
        x.sum(),
        f64::from(width) / 2.0 + BESIDE + LARGEST + GAP / 2.0,
    );
    page.frame = Some(Rectangle::around([
        corner,
        Point::new(-corner.x, -corner.y),
    ]));
    for side in Side::BOTH {
        put_reserve(&mut page, game, request.position, side);
        page.text
            .below
            .push(reserve_line(game, request.position, side));
    }
    page
}

/// The caption's part on the lines that a player threatens to complete.
fn warning(side: Side, lines: &[Squares]) -> String {
    match lines {
        [] => String::new(),
        lines => {
            let lines: Vec<String> = lines.iter().map(|&line| names(line)).collect();
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

/// Writes the borders, and the names of files and ranks on all four sides.
fn put_frame(page: &mut Board, width: u8) {
    let (room, middle) = (page.text.width, f64::from(width) / 2.0);
    let line = |post: &str, fill: &str| {
        format!(
            "{post}{}",
            (fill.repeat(room + 2) + post).repeat(width.into())
        )
    };
    page.write(Point::new(0.0, middle), line("+", "-"));
    for i in 0..width {
        let (Point { x, y }, rank) = (Point::of_square(i, i, width), i + 1);
        page.write(Point::new(0.0, y - 0.5), line("+", "-"));
        page.write(
            Point::new(0.0, y),
            format!("{rank} {} {rank}", line("|", " ")),
        );
        for (y, aside) in [(-middle, -1), (middle, 1)] {
            let file = format!("{:^room$}", char::from(b'a' + i));
            page.write(Point::new(x, y), file).aside(0, aside);
        }
    }
}

fn cell(game: &Gobblet, request: &DrawRequest<Gobblet>, square: Square) -> Cell {
    let mut pile: Vec<(Side, Size)> = request.position.pieces.pile(square).collect();
    pile.reverse();
    if request.view.style != PEEK {
        pile.truncate(1);
    }
    let last = request.last.and_then(|mv| match square {
        _ if mv.to == square => Some(Role::To),
        _ => (mv.from == Origin::Square(square)).then_some(Role::From),
    });
    Cell {
        id: square.to_string(),
        at: place(game, square),
        pieces: pile
            .into_iter()
            .map(|(side, size)| piece(game, side, size))
            .collect(),
        last,
        marks: Vec::new(),
    }
}

/// A piece. As text, red pieces have capital letters, yellow ones small letters.
fn piece(game: &Gobblet, side: Side, size: Size) -> Piece {
    let smaller = f64::from(game.largest() - size) / f64::from(game.largest());
    Piece {
        colour: DiagramColour::of(side),
        radius: LARGEST * (1.0 - 0.85 * smaller),
        sign: Sign::Cup(size.to_string()),
        name: format!("{} {size}", colour(side)),
        glyph: match side {
            Side::P1 => format!("R{size}"),
            Side::P2 => format!("y{size}"),
        },
    }
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
        sizes()
            .flat_map(|size| (0..n_left(size)).map(move |_| vec![size]))
            .collect()
    };
    stacks.retain(|stack| !stack.is_empty());
    stacks
}

/// Draws a player's pieces off the board in a row. Of a stack only the top piece is shown, which determines those below,
/// and an edge of what lies beneath.
fn put_reserve(page: &mut Board, game: &Gobblet, position: &Position, side: Side) {
    let stacks = off_board(game, position, side);
    let top = |stack: &Vec<Size>| Piece {
        glyph: String::new(),
        ..piece(game, side, stack[0])
    };
    let wide = |piece: &Piece| 2.0 * piece.radius + GAP;
    let width: f64 = stacks.iter().map(|stack| wide(&top(stack))).sum();
    let y = f64::from(game.board.width()) / 2.0 + BESIDE;
    // Player 1 is at the bottom. Both rows run from their player's left.
    let sign = if side == Side::P1 { 1.0 } else { -1.0 };
    let mut x = -width / 2.0;
    for group in stacks.chunk_by(|one, other| one[0] == other[0]) {
        let (start, top, size) = (x, top(&group[0]), group[0][0]);
        for stack in group {
            let at = Point::new(sign * (x + wide(&top) / 2.0), sign * y);
            if stack.len() > 1 {
                let beneath = Form::circle(at.moved(BENEATH, sign * -BENEATH), top.radius);
                page.put_of(top.colour, Role::Ghost, beneath);
            }
            page.put_pile(at, std::slice::from_ref(&top));
            x += wide(&top);
        }
        let middle = Point::new(sign * (start + x) / 2.0, sign * y);
        let label = format!("{} off the board, {} left", top.name, group.len());
        page.spot(
            reserve(side, size),
            label,
            Form::rectangle(middle, x - start, wide(&top)),
        );
    }
}

/// The line with the pieces off the board, in parts. Stacks with equal tops are one spot.
fn reserve_line(game: &Gobblet, position: &Position, side: Side) -> Vec<(String, Option<String>)> {
    let mut line = vec![(format!("{:6} ({side}) {OFF_BOARD}", colour(side)), None)];
    for group in off_board(game, position, side).chunk_by(|one, other| one[0] == other[0]) {
        let word = |stack: &Vec<Size>| stack.iter().map(Size::to_string).collect::<String>();
        let words: Vec<String> = group.iter().map(word).collect();
        line.push((" ".to_owned(), None));
        line.push((words.join(" "), Some(reserve(side, group[0][0]))));
    }
    line
}

fn place(game: &Gobblet, square: Square) -> Point {
    Point::of_square(square.file(), square.rank(), game.board.width())
}

fn names(line: Squares) -> String {
    let names: Vec<String> = squares(line).map(|square| square.to_string()).collect();
    names.join(" ")
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

fn caption(game: &Gobblet, request: &DrawRequest<Gobblet>) -> String {
    let position = request.position;
    explain(game, position, request.outcome)
        .unwrap_or_else(|| format!("{} to move", colour(position.side)))
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(
    game: &Gobblet,
    position: &Position,
    outcome: Option<Outcome>,
) -> Option<String> {
    Some(match outcome? {
        Outcome::Win(side) => {
            let line = line_of(game, position, side).unwrap_or_default();
            format!("{} wins: line {}", colour(side), names(line))
        }
        Outcome::Draw => "draw: third occurrence of this position".to_owned(),
    })
}

/// The first full line of a player's visible pieces.
fn line_of(game: &Gobblet, position: &Position, side: Side) -> Option<Squares> {
    let own = position.pieces.visible().of(side);
    let is_full = |&&line: &&Squares| own & line == line;
    game.board.lines().iter().find(is_full).copied()
}
