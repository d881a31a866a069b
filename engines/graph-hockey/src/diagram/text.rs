//! The field as text: lines, goals, puck and legal moves. The text below it is in `legend`.
//!
//! A character is one unit wide and two units tall, about as wide as it is high, so a field of `Side` and `Gap` takes
//! `16 * Side + 9` columns and `4 * Gap + 9` lines: 73 by 41 for the default. `dot_canvas` turns lines into characters.

use kit::anstyle::Style;
use kit::text_canvas::side_style;
use kit::{DrawRequest, Game, Side};

use super::caption::{is_ruled_out, legal};
use super::dot_canvas::{self, DotCanvas};
use super::legend::Legend;
use crate::field::Field;
use crate::plane::{Point, Segment};
use crate::rules::GraphHockey;

/// Units in a line of characters.
const UNITS_DOWN: i32 = 2;
/// Dots from one lattice point to the next.
const DOTS: i32 = 2;

/// The style of 7-bit characters.
pub(crate) const ASCII: &str = "ascii";

/// The board in Braille dots, or in 7-bit characters. It looks the same from both sides: a letter stands for a
/// direction on the page, which a rotation would change.
pub(crate) fn draw(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> String {
    let glyph = match request.view.is_ascii || request.view.style == ASCII {
        true => dot_canvas::ascii,
        false => dot_canvas::braille,
    };
    let board = Drawing::new(game, request).dots().text_canvas(glyph);
    let board = board.text(request.view.is_coloured);
    format!(
        "{board}\n\n{}",
        Legend::new(game, request).lines().join("\n")
    )
}

/// The field while it is drawn.
struct Drawing<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    canvas: DotCanvas,
}

impl Drawing<'_> {
    fn new<'a>(game: &'a GraphHockey, request: &'a DrawRequest<'a, GraphHockey>) -> Drawing<'a> {
        let field = game.field();
        Drawing {
            game,
            request,
            canvas: DotCanvas::new(field.width() + 1, field.height() / UNITS_DOWN + 1),
        }
    }

    fn dots(mut self) -> DotCanvas {
        self.draw_field();
        self.draw_path();
        self.draw_turn();
        self.draw_origin();
        self.draw_moves();
        self.canvas
    }

    fn draw_field(&mut self) {
        for segment in self.game.field().boundary() {
            self.draw_line(segment, Style::new());
        }
        for side in Side::BOTH {
            for segment in self.game.field().outline(side) {
                self.draw_line(segment, side_style(side));
            }
        }
    }

    /// The initial segment, and each move in the colour of its player, the last one highlighted.
    fn draw_path(&mut self) {
        let n_moves = self.request.position.path.len();
        for (number, segment) in self.game.lines(self.request.position).enumerate() {
            let style = match number {
                0 => Style::new(),
                last if last == n_moves => mover(last).invert(),
                number => mover(number),
            };
            self.draw_line(segment, style);
        }
    }

    /// Lines are drawn from the left, so that a line looks the same in both directions.
    fn draw_line(&mut self, segment: Segment, style: Style) {
        let field = self.game.field();
        let (from, to) = (dot(field, segment.from), dot(field, segment.to));
        let (from, to) = if to.x < from.x {
            (to, from)
        } else {
            (from, to)
        };
        self.canvas.line(Segment { from, to }, style);
    }

    /// Writes each player's name into the goal he plays for, and marks the player to move.
    fn draw_turn(&mut self) {
        for side in Side::BOTH {
            let (low, high) = self.game.field().goal(side);
            let is_turn =
                side == self.game.side(self.request.position) && self.request.outcome.is_none();
            let label = if is_turn {
                format!(">{side}<")
            } else {
                format!(" {side} ")
            };
            // On the line next to the boundary, which the puck rarely reaches.
            let y = match side {
                Side::P1 => low.y + UNITS_DOWN,
                Side::P2 => high.y - UNITS_DOWN,
            };
            let x = (low.x + high.x) / 2;
            let (column, line) = place(self.game.field(), Point { x, y });
            self.canvas
                .write(column - 2, line, &label, side_style(side));
        }
    }

    /// Marks the origin of the last move, at the place of the letter that would lead back.
    fn draw_origin(&mut self) {
        if let Some(last) = self.request.position.path.last() {
            let (column, line) = self.spot(Point { x: 0, y: 0 } - last.step());
            let style = mover(self.request.position.path.len());
            self.canvas.write(column, line, "o", style.invert());
        }
    }

    /// Writes the puck and, at their destinations, the letters of the legal moves that are not ruled out.
    fn draw_moves(&mut self) {
        for mv in legal(self.game, self.request) {
            if !is_ruled_out(self.request, mv) {
                let (column, line) = self.spot(mv.step());
                self.canvas
                    .write(column, line, &mv.to_string(), Style::new());
            }
        }
        let (column, line) = self.spot(Point { x: 0, y: 0 });
        self.canvas.write(column, line, "*", Style::new().bold());
    }

    /// The character at a step from the puck. A line is two units tall, so steps of one unit up or down are moved
    /// outwards.
    fn spot(&self, step: Point) -> (i32, i32) {
        let aside = if step.y.abs() == 1 {
            step.x.signum()
        } else {
            0
        };
        let (column, line) = place(self.game.field(), self.request.position.puck + step);
        (column + aside, line)
    }
}

/// The colour of the player who made the move of this number, from 1.
fn mover(number: usize) -> Style {
    side_style(Side::BOTH[(number + 1) % 2])
}

/// The dot for a lattice point.
fn dot(field: &Field, point: Point) -> Point {
    Point {
        x: DOTS * point.x,
        y: DOTS * (field.height() - point.y),
    }
}

/// The column and line of the character that contains a lattice point.
fn place(field: &Field, point: Point) -> (i32, i32) {
    (point.x, (field.height() - point.y) / UNITS_DOWN)
}
