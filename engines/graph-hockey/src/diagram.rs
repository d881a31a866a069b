//! The field drawn for a person: lines, goals and puck, the legal moves, and the key of the letters.
//!
//! A character is one unit wide and two units tall, about as wide as it is high, so a field of `Side` and `Gap` takes
//! `16 * Side + 9` columns and `4 * Gap + 9` lines: 73 by 41 for the default. `canvas` turns lines into characters.

use kit::{Game, Outcome, Side};

use crate::canvas::{self, Canvas};
use crate::field::Field;
use crate::geometry::{Point, Segment};
use crate::moves::Moves;
use crate::rules::{GraphHockey, Level, Position};

/// Units in a line of characters.
const UNITS_DOWN: i32 = 2;
/// Dots from one lattice point to the next.
const DOTS: i32 = 2;

/// Where the letters stand around the puck.
const KEY: [&str; 7] = [
    "          V",
    "        WERTY",
    "        Q   U",
    "  Z     A * I     L",
    "        S   K",
    "        DFGHJ",
    "          B",
];

/// The board in Braille dots, or in 7-bit characters if `style` is `ascii`.
pub(crate) fn draw(game: &GraphHockey, position: &Position, style: &str) -> String {
    let field = game.field();
    let glyph = match style {
        "ascii" => canvas::ascii,
        _ => canvas::braille,
    };
    let mut canvas = Canvas::new(field.width() + 1, field.height() / UNITS_DOWN + 1);
    draw_lines(&mut canvas, game, position);
    draw_turn(&mut canvas, game, position);
    draw_moves(&mut canvas, game, position);
    let mut lines = canvas.lines(glyph);
    lines.push(String::new());
    lines.extend(legend(game, position));
    lines.join("\n")
}

fn draw_lines(canvas: &mut Canvas, game: &GraphHockey, position: &Position) {
    let field = game.field();
    let goals = Side::BOTH.map(|side| field.outline(side));
    let path = game.lines(position);
    let fixed = field
        .boundary()
        .into_iter()
        .chain(goals.into_iter().flatten());
    for segment in fixed.chain(path) {
        let (from, to) = (dot(field, segment.from), dot(field, segment.to));
        // Lines are drawn from the left, so that one way and its reverse look the same.
        let (from, to) = if to.x < from.x {
            (to, from)
        } else {
            (from, to)
        };
        canvas.line(Segment { from, to });
    }
}

/// Names the players in the goals they play for, and marks the one to move.
fn draw_turn(canvas: &mut Canvas, game: &GraphHockey, position: &Position) {
    let is_over = game.outcome(position).is_some();
    for side in Side::BOTH {
        let (low, high) = game.field().goal(side);
        let label = match side == game.side(position) && !is_over {
            true => format!(">{side}<"),
            false => format!(" {side} "),
        };
        // Next to the boundary, where the puck comes last.
        let y = match side {
            Side::P1 => low.y + UNITS_DOWN,
            Side::P2 => high.y - UNITS_DOWN,
        };
        let x = (low.x + high.x) / 2;
        let (column, line) = place(game.field(), Point { x, y });
        canvas.write(column - 2, line, &label);
    }
}

/// Writes the letters of the legal moves where they lead, and the puck.
fn draw_moves(canvas: &mut Canvas, game: &GraphHockey, position: &Position) {
    let moves = match game.outcome(position) {
        None => game.level(position).1,
        Some(_) => Moves::default(),
    };
    for mv in moves {
        let step = mv.step();
        let (column, line) = place(game.field(), position.puck + step);
        // A line is two units tall: moves of one unit up or down make room for those beside them.
        let aside = if step.y.abs() == 1 {
            step.x.signum()
        } else {
            0
        };
        canvas.write(column + aside, line, &mv.to_string());
    }
    let (column, line) = place(game.field(), position.puck);
    canvas.write(column, line, "*");
}

/// The key of the letters, and beside it what there is to say.
fn legend(game: &GraphHockey, position: &Position) -> Vec<String> {
    let mut notes = vec![String::new(), turn(game, position)];
    if game.outcome(position).is_none() {
        notes.push(level(game, position).to_owned());
    }
    if let Some(mv) = position.path.last() {
        notes.push(format!("last move: {mv} (number {})", position.path.len()));
    }
    let notes = notes
        .iter()
        .map(String::as_str)
        .chain([""].into_iter().cycle());
    KEY.iter()
        .zip(notes)
        .map(|(key, note)| format!("{key:26}{note}").trim_end().to_owned())
        .collect()
}

fn turn(game: &GraphHockey, position: &Position) -> String {
    match (game.outcome(position), game.side(position)) {
        (Some(Outcome::Win(side)), _) => format!("{side} has won"),
        (_, Side::P1) => "p1 to move, towards the bottom goal".to_owned(),
        (_, Side::P2) => "p2 to move, towards the top goal".to_owned(),
    }
}

fn level(game: &GraphHockey, position: &Position) -> &'static str {
    match game.level(position).0 {
        Level::Ordinary => "no line may be touched or crossed",
        Level::FreeJump => "free jump: lines may be crossed",
        Level::Strangeness => "strangeness: any move inside the boundary",
    }
}

/// The dot of a lattice point.
fn dot(field: &Field, point: Point) -> Point {
    Point {
        x: DOTS * point.x,
        y: DOTS * (field.height() - point.y),
    }
}

/// Column and line of the character that holds a lattice point.
fn place(field: &Field, point: Point) -> (i32, i32) {
    (point.x, (field.height() - point.y) / UNITS_DOWN)
}
