//! The board for people, and its caption: the side to move, or the result with its reason.

use draw::{Board, Cell, DiagramColour, Input, Outline, Piece, Point, Role, Sign};
use kit::{DrawRequest, Game, Outcome, Side};

use crate::geometry::{BOARD, SIDE, Square, Squares, neighbours, squares};
use crate::notation::letter;
use crate::position::{Entropy, Goal, Move, PASSES_TO_DRAW, Position};

/// The board with the last move, isolated pieces, finished pieces and, in a finished game, the pieces that reached the
/// goal. As text it has the layout of the FAQ's figures; drawn larger, also their blank lines between the ranks, so that
/// diagonals are as steep as on a real board.
pub(crate) fn board(game: &Entropy, request: &DrawRequest<Entropy>) -> Board {
    let mut page = request.board(game, caption(game, request), input);
    page.turn = 90;
    page.text.scale = Some([6.0, 1.0]);
    page.text.close = Some([6.0, 2.0]);
    page.text.margin = 1;
    page.put_square_ground(SIDE);
    put_frame(&mut page, request.view.is_flipped);
    let finished = finished(game, request.position);
    let cells: Vec<Cell> = squares(BOARD)
        .map(|square| cell(request, square, finished))
        .collect();
    page.put_cells(Outline::Square, ".", &cells);
    page.put_pieces(Outline::Square, &cells);
    page
}

fn input(mv: Move) -> Input {
    match mv {
        Move::Slide { from, to } => Input::spots(from.to_string(), to.to_string()),
        Move::Pass => Input::Button("pass".to_owned()),
    }
}

/// Writes the names of ranks on the right and those of files below, also on a board that is turned around. A blank on the
/// left leaves space for a bracket.
fn put_frame(page: &mut Board, is_flipped: bool) {
    let turn = if is_flipped { -1 } else { 1 };
    let end = f64::from(turn) * f64::from(SIDE - 1) / 2.0;
    for i in 0..SIDE {
        let Point { x, y } = Point::of_square(i, i, SIDE);
        page.write(Point::new(end, y), format!("<---{}", i + 1))
            .aside(5 * turn, 0);
        page.write(Point::new(x, end), char::from(b'a' + i))
            .aside(0, 2 * turn);
    }
    page.write(Point::new(0.0, end), "_".repeat(25))
        .aside(0, turn);
    page.write(Point::new(-end, end), " ").aside(-turn, turn);
}

fn cell(request: &DrawRequest<Entropy>, square: Square, finished: Squares) -> Cell {
    let position = request.position;
    let owner = position.owner(square);
    let piece = owner.map(|side| Piece {
        colour: DiagramColour::of(side),
        radius: 0.36,
        sign: match side {
            Side::P1 => Sign::Disc,
            Side::P2 => Sign::Letter(name(side)),
        },
        name: name(side),
        glyph: name(side),
    });
    let last = match request.last {
        Some(Move::Slide { from, .. }) if from == square => Some(Role::From),
        Some(Move::Slide { to, .. }) if to == square => Some(Role::To),
        _ => None,
    };
    let is_isolated = request.outcome.is_none() && position.isolated() & square.bit() != 0;
    let is_decisive = owner.is_some_and(|side| request.outcome == Some(Outcome::Win(side)));
    let marks = [
        (is_isolated, (Role::Danger, "isolated")),
        (is_decisive, (Role::Decisive, "")),
        // All pieces of a winner are finished, and ringed.
        (
            finished & square.bit() != 0 && !is_decisive,
            (Role::Finished, "finished"),
        ),
    ];
    Cell {
        id: square.to_string(),
        at: Point::of_square(square.file(), square.rank(), SIDE),
        pieces: piece.into_iter().collect(),
        last,
        marks: marks
            .into_iter()
            .filter(|mark| mark.0)
            .map(|mark| mark.1)
            .collect(),
    }
}

/// The pieces that fulfil the goal's condition for each piece.
fn finished(game: &Entropy, position: &Position) -> Squares {
    let of = |side: Side| {
        let (own, enemy) = (position.pieces.of(side), position.pieces.of(side.other()));
        let near = match game.goal() {
            Goal::Contact => neighbours(enemy),
            Goal::Apart => BOARD,
        };
        own & near & !neighbours(own)
    };
    of(Side::P1) | of(Side::P2)
}

fn caption(game: &Entropy, request: &DrawRequest<Entropy>) -> String {
    let position = request.position;
    if request.outcome.is_some() {
        return explain(game, position, request.outcome).unwrap_or_default();
    }
    let pass = match position.passes {
        0 => "",
        _ => " after a pass",
    };
    let check = match position.isolated() {
        0 => String::new(),
        isolated => format!(", in check: {}", names(isolated)),
    };
    format!("{} to move{pass}{check}", name(position.side))
}

/// The result with its reason, or the reason why only a pass is legal.
pub(crate) fn explain(
    game: &Entropy,
    position: &Position,
    outcome: Option<Outcome>,
) -> Option<String> {
    match outcome {
        Some(Outcome::Win(side)) => Some(format!("{} wins: {}", name(side), reached(game, side))),
        Some(Outcome::Draw) => Some(format!("draw: {}", drawn(game, position))),
        None if game.must_pass(position) => Some(no_slide(position)),
        None => None,
    }
}

/// The letter of a player's pieces on the drawn board.
pub(crate) fn name(side: Side) -> String {
    letter(side).to_ascii_uppercase().to_string()
}

fn reached(game: &Entropy, side: Side) -> String {
    let (own, enemy) = (name(side), name(side.other()));
    match game.goal() {
        Goal::Contact => format!("every {own} touches {enemy} and no {own}"),
        Goal::Apart => format!("no {own} touches {own}"),
    }
}

fn drawn(game: &Entropy, position: &Position) -> &'static str {
    let passes = 0;
    let have_both_reached = game
        .outcome(&Position {
            passes,
            ..*position
        })
        .is_some();
    if have_both_reached {
        "both have reached the goal"
    } else if position.passes >= PASSES_TO_DRAW {
        "two passes in a row"
    } else {
        "third occurrence of this position"
    }
}

fn no_slide(position: &Position) -> String {
    let own = name(position.side);
    match position.isolated() {
        0 => format!(
            "{own} can only pass: no {own} with a neighbour of its own has a free square to slide to"
        ),
        isolated => format!(
            "{own} can only pass: no slide brings a neighbour to every isolated piece ({})",
            names(isolated)
        ),
    }
}

fn names(set: Squares) -> String {
    let names: Vec<String> = squares(set).map(|square| square.to_string()).collect();
    names.join(" ")
}
