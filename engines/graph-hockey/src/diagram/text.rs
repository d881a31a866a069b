//! The field as text: lines, goals, puck and legal moves. The text next to it is in `legend`.
//!
//! At the usual scale a field of `Side` and `Gap` takes `16 * Side + 9` columns and `4 * Gap + 9` lines: 73 by 41 for
//! the default. `dot_canvas` converts lines to characters.

use std::collections::HashSet;

use draw::{
    TextBoard, TextCanvas,
    anstyle::{AnsiColor, Style},
    coloured, side_style,
};
use kit::{DrawRequest, Game, Side};

use super::caption::{is_ruled_out, legal};
use super::dot_canvas::{self, DotCanvas};
use super::legend::Legend;
use super::scale::Scale;
use crate::moves::Move;
use crate::plane::{GridPoint, Segment};
use crate::position::GraphHockey;

/// The style that uses ASCII characters.
pub(crate) const ASCII: &str = "ascii";
/// The style that writes the letter of each legal move at its end.
pub(crate) const LETTERS: &str = "letters";

/// Draws the field in Braille dots or ASCII characters. It is the same from both sides: a letter means a direction on
/// the page, which a rotation would change.
pub(crate) fn draw(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> TextBoard {
    let scale = match request.view.is_close {
        true => Scale::CLOSE,
        false => Scale::USUAL,
    };
    let legend = Legend::new(game, request);
    TextBoard {
        canvas: Drawing::new(game, request, scale).board(),
        key: legend.key(),
        notes: legend.notes(),
        map: Some(Drawing::new(game, request, Scale::map(game.field())).map()),
    }
}

/// A field being drawn.
struct Drawing<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    scale: Scale,
    canvas: DotCanvas,
}

impl Drawing<'_> {
    fn new<'a>(
        game: &'a GraphHockey,
        request: &'a DrawRequest<'a, GraphHockey>,
        scale: Scale,
    ) -> Drawing<'a> {
        let (columns, lines) = scale.size(game.field());
        Drawing {
            game,
            request,
            scale,
            canvas: DotCanvas::new(columns, lines),
        }
    }

    /// The field with everything on it, and the focus at the puck.
    fn board(mut self) -> TextCanvas {
        self.draw_field();
        self.draw_path();
        self.draw_origin();
        self.draw_moves();
        self.draw_puck();
        self.draw_goal_names();
        let mut canvas = self.text_canvas();
        let (column, line) = self.place(self.puck());
        canvas.focus(line, column);
        for mv in legal(self.game, self.request) {
            let (column, line) = self.spot(mv.step());
            canvas.spot(line, column, 1, mv.to_string());
        }
        canvas
    }

    /// The field, the path and the puck.
    fn map(mut self) -> TextCanvas {
        self.draw_field();
        self.draw_path();
        self.draw_puck();
        self.text_canvas()
    }

    fn text_canvas(&self) -> TextCanvas {
        self.canvas.text_canvas(match self.is_ascii() {
            true => dot_canvas::ascii,
            false => dot_canvas::braille,
        })
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

    /// Draws the initial segment, and each move in the colour of its player, the last one highlighted.
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

    /// Draws a line from the left, so that it looks the same in both directions.
    fn draw_line(&mut self, segment: Segment, style: Style) {
        let dot = |point| self.scale.dot(self.game.field(), point);
        let (from, to) = (dot(segment.from), dot(segment.to));
        let (from, to) = if to.x < from.x {
            (to, from)
        } else {
            (from, to)
        };
        self.canvas.line(Segment { from, to }, style);
    }

    /// Marks the origin of the last move.
    fn draw_origin(&mut self) {
        if let Some(last) = self.request.position.path.last() {
            let (column, line) = self.spot(GridPoint::new(0, 0) - last.step());
            let style = mover(self.request.position.path.len());
            self.canvas.write(column, line, "o", style.invert());
        }
    }

    /// Marks the ends of the legal moves that are not excluded: by their letters, or by dots that hide no line.
    fn draw_moves(&mut self) {
        for mv in legal(self.game, self.request).filter(|&mv| !is_ruled_out(self.request, mv)) {
            let (column, line) = self.spot(mv.step());
            if self.has_letters() {
                self.canvas
                    .write(column, line, &mv.to_string(), Style::new());
            } else if self.scale == Scale::CLOSE {
                let dot = if self.is_ascii() { '.' } else { '·' };
                let style = Style::new().invert();
                self.canvas.mark_character(column, line, dot, style);
            } else {
                let dot = self.scale.dot(self.game.field(), self.puck() + mv.step());
                self.canvas.mark(dot, coloured(AnsiColor::Yellow));
            }
        }
    }

    fn draw_puck(&mut self) {
        let (column, line) = self.place(self.puck());
        self.canvas.write(column, line, "*", Style::new().bold());
    }

    /// Writes each player's name into the player's goal, and marks the side to move.
    fn draw_goal_names(&mut self) {
        let to_move = self.game.side(self.request.position);
        let taken = self.taken();
        for side in Side::BOTH {
            let is_turn = side == to_move && !self.request.is_over();
            let label = if is_turn {
                format!(">{side}<")
            } else {
                format!(" {side} ")
            };
            let (column, line) = self.place_for_name(side, label.len() as i32, &taken);
            self.canvas.write(column, line, &label, side_style(side));
        }
    }

    /// The place for the name of a goal: inside the goal, without hiding the puck or the end of a move, and hiding as
    /// few lines as possible. It is preferably in the middle of the line next to the boundary, which the puck rarely
    /// reaches.
    fn place_for_name(&self, side: Side, width: i32, taken: &HashSet<(i32, i32)>) -> (i32, i32) {
        let (low, high) = self.game.field().goal(side);
        let ((left, bottom), (right, top)) = (self.place(low), self.place(high));
        let middle = (left + right) / 2 - 2;
        let edge = match side {
            Side::P1 => bottom - 1,
            Side::P2 => top + 1,
        };
        let places = (top + 1..bottom)
            .flat_map(|line| (left + 1..=right - width).map(move |column| (column, line)));
        let cost = |&(column, line): &(i32, i32)| {
            let characters = || (column..column + width).map(|column| (column, line));
            let n_taken = characters().filter(|at| taken.contains(at)).count();
            let is_drawn = |&(column, line): &(i32, i32)| !self.canvas.is_blank(column, line);
            let n_drawn = characters().filter(is_drawn).count();
            (
                n_taken,
                n_drawn,
                (line - edge).abs(),
                (column - middle).abs(),
            )
        };
        places.min_by_key(cost).unwrap_or((middle, edge))
    }

    /// The characters of the puck, of the origin of the last move, and of the ends of all legal moves. They include
    /// excluded moves, so that a name does not move when a move is excluded.
    fn taken(&self) -> HashSet<(i32, i32)> {
        let last = self.request.position.path.last();
        let origin = last.map(|mv| GridPoint::new(0, 0) - mv.step());
        let ends = legal(self.game, self.request).map(Move::step);
        let steps = ends.chain(origin).chain([GridPoint::new(0, 0)]);
        steps.map(|step| self.spot(step)).collect()
    }

    /// Column and line of a step from the puck. At the usual scale a line is two units high; letters one unit up or
    /// down are then shifted outwards, so that each has a separate place.
    fn spot(&self, step: GridPoint) -> (i32, i32) {
        let is_moved = self.scale == Scale::USUAL && self.has_letters() && step.y.abs() == 1;
        let aside = if is_moved { step.x.signum() } else { 0 };
        let (column, line) = self.place(self.puck() + step);
        (column + aside, line)
    }

    fn place(&self, point: GridPoint) -> (i32, i32) {
        self.scale.place(self.game.field(), point)
    }

    fn puck(&self) -> GridPoint {
        self.request.position.puck
    }

    fn has_letters(&self) -> bool {
        self.request.view.style == LETTERS
    }

    fn is_ascii(&self) -> bool {
        self.request.view.is_ascii || self.request.view.style == ASCII
    }
}

/// The colour of the player who made the move of this number, counted from 1.
fn mover(number: usize) -> Style {
    side_style(Side::BOTH[(number + 1) % 2])
}
