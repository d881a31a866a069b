//! A board as text, from its shapes: letters at their places, lines as dots, marks as brackets.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Style};

use crate::canvas::{Canvas, Place};
use crate::dots::{Dot, MIDDLE_DOT};
use crate::{Board, DiagramColour, Form, Point, Rectangle, Role, Shape, View};

/// Maximum columns and lines of a map of the whole board.
const MAP: [f64; 2] = [22.0, 5.0];
/// Larger than rounding errors of places.
const TINY: f64 = 1e-6;

/// The size of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Map,
    Usual,
    Close,
}

impl Board {
    /// The board as text, in a view and a size.
    pub(crate) fn drawn(&self, view: &View, detail: Detail) -> Canvas {
        let is_turned = view.is_flipped && self.turn > 0;
        let scale = self.text.scale.unwrap_or([1.0; 2]);
        let mut pen = Pen {
            board: self,
            detail,
            scale: match detail {
                Detail::Usual => scale,
                Detail::Close => self.text.close.unwrap_or(scale),
                Detail::Map => self.map_scale(),
            },
            direction: if is_turned { -1 } else { 1 },
            canvas: Canvas::default(),
        };
        pen.put_lines();
        if detail != Detail::Map {
            pen.put_targets();
        }
        pen.put_glyphs();
        if detail != Detail::Map {
            pen.put_last_move();
            pen.put_goal_names();
            pen.put_below();
            pen.put_spots();
        }
        if view.is_ascii || self.text.is_ascii {
            pen.canvas.make_ascii();
        }
        pen.canvas
    }

    fn shapes_of(&self, role: Role) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| shape.role == role)
    }

    /// The scale at which the whole field, whose upper left corner is (0, 0), is a small map: the number of units in a
    /// dot is whole.
    fn map_scale(&self) -> [f64; 2] {
        let cells = self.shapes_of(Role::Cell).map(|cell| cell.form.bounds());
        let field = Rectangle::around(cells.map(|cell| cell.high)).high;
        let ends = [field.x / 2.0 / MAP[0], field.y / 4.0 / MAP[1]];
        let units = ends[0].max(ends[1]).floor() + 1.0;
        [0.5 / units, 0.25 / units]
    }

    fn style(&self, colour: Option<DiagramColour>) -> Style {
        let Some(colour) = colour else {
            return Style::new();
        };
        let ink = match (self.names[colour.index()].as_str(), colour) {
            ("yellow", _) => AnsiColor::Yellow,
            (_, DiagramColour::One) => AnsiColor::Red,
            (_, DiagramColour::Two) => AnsiColor::Cyan,
        };
        ink.on_default().bold()
    }
}

/// A board being drawn.
struct Pen<'a> {
    board: &'a Board,
    detail: Detail,
    scale: [f64; 2],
    /// -1 for a board that is turned around.
    direction: i32,
    canvas: Canvas,
}

impl Pen<'_> {
    /// Line and first column of a text of this width around a point.
    fn place(&self, at: Point, width: usize, aside: [i32; 2]) -> Place {
        let [x, y] =
            [at.x * self.scale[0], at.y * self.scale[1]].map(|end| end * f64::from(self.direction));
        let start = x - (width as f64 - 1.0) / 2.0;
        let start = match self.direction {
            1 => (start + TINY).floor(),
            _ => (start - TINY).ceil(),
        };
        let [columns, lines] = aside.map(|length| length * self.direction);
        ((y + TINY).floor() as i32 + lines, start as i32 + columns)
    }

    /// Line and column of a shape that is one character wide. The letters of targets that share a line with others stand
    /// aside.
    fn place_of(&self, shape: &Shape) -> Place {
        let at = match &shape.form {
            // A line has its letter at its start.
            Form::Path { lines, .. } => lines[0][0],
            form => form.bounds().centre(),
        };
        let is_aside = self.detail == Detail::Usual;
        self.place(at, 1, if is_aside { shape.aside } else { [0, 0] })
    }

    /// The dot of a point.
    fn dot(&self, at: Point) -> Dot {
        let [x, y] = [at.x * self.scale[0] * 2.0, at.y * self.scale[1] * 4.0];
        ((x + TINY).floor() as i32, (y + TINY).floor() as i32)
    }

    /// Draws the lines of the players and of the field, those without a colour first.
    fn put_lines(&mut self) {
        let mut shapes: Vec<&Shape> = self.board.shapes.iter().collect();
        shapes.sort_by_key(|shape| shape.colour.is_some());
        for shape in shapes {
            let style = self.board.style(shape.colour);
            match (&shape.form, shape.role) {
                (Form::Path { lines, .. }, Role::Trail) => self.put_paths(lines, style),
                (Form::Path { lines, .. }, Role::LastTrail) => {
                    self.put_paths(lines, style.invert())
                }
                (Form::Polygon { points }, Role::Goal) => {
                    let outline = points.iter().chain(points.first()).copied();
                    self.put_paths(&[outline.collect()], style);
                }
                _ => {}
            }
        }
    }

    fn put_paths(&mut self, lines: &[Vec<Point>], style: Style) {
        for ends in lines.iter().flat_map(|line| line.windows(2)) {
            let (from, to) = (self.dot(ends[0]), self.dot(ends[1]));
            self.canvas.line(from, to, style);
        }
    }

    /// Marks the ends of legal moves by dots that hide no line, if they are not shown by their letters.
    fn put_targets(&mut self) {
        let targets = self.board.shapes_of(Role::Target);
        for target in targets.filter(|target| target.glyph.is_empty()) {
            let Form::Circle { centre, .. } = target.form else {
                continue;
            };
            let place = self.place(centre, 1, [0, 0]);
            if self.detail == Detail::Usual {
                let style = AnsiColor::Yellow.on_default().bold();
                self.canvas.mark(self.dot(centre), style);
            } else if self.canvas.at(place).0 == ' ' {
                self.canvas
                    .put(place, [(MIDDLE_DOT, Style::new().invert())]);
            } else {
                self.canvas.fill(place, Style::new().invert());
            }
        }
    }

    /// Writes the letters of shapes at their places.
    fn put_glyphs(&mut self) {
        let board = self.board;
        for shape in board.text.frame.iter().chain(&board.shapes) {
            let style = board.style(shape.colour);
            let (place, style) = match shape.role {
                _ if shape.glyph.is_empty() => continue,
                Role::Puck => (self.place_of(shape), style.bold()),
                _ if self.detail == Detail::Map => continue,
                Role::Goal => continue,
                Role::Target => (self.place_of(shape), style),
                Role::LastTrail => (self.place_of(shape), style.invert()),
                _ => {
                    let (at, width) = (shape.form.bounds().centre(), shape.glyph.chars().count());
                    (self.place(at, width, shape.aside), style)
                }
            };
            self.canvas.write(place, &shape.glyph, style);
            if shape.role == Role::Puck {
                self.canvas.focus = Some(place);
            }
        }
    }

    /// Highlights the ends of the last move, in brackets. Its target becomes the focus.
    fn put_last_move(&mut self) {
        let (board, width) = (self.board, self.board.text.width.max(1));
        let place = |shape: &Shape| self.place(shape.form.bounds().centre(), width, [0, 0]);
        let end = |role| board.shapes_of(role).next().map(place);
        let (from, to) = (end(Role::From), end(Role::To));
        let mut mover = Style::new();
        for (place, is_to) in [(to, true), (from, false)] {
            let Some((line, start)) = place else { continue };
            let glyphs = (start..)
                .take(width)
                .map(|column| self.canvas.at((line, column)));
            let (text, styles): (String, Vec<Style>) = glyphs.unzip();
            let own = styles.into_iter().rfind(|style| *style != Style::new());
            let style = own.unwrap_or(mover);
            // The brackets of cells next to each other would share a column.
            let is_beside =
                to.is_some_and(|to| to.0 == line && (to.1 - start).abs() < width as i32 + 2);
            let (place, text) = match is_to {
                true => ((line, start - 1), format!("[{text}]")),
                false if is_beside => ((line, start), text),
                false => ((line, start - 1), format!("({text})")),
            };
            self.canvas.write(place, &text, style.invert());
            if is_to {
                (mover, self.canvas.focus) = (style, Some((line, start)));
            }
        }
    }

    /// Writes the name of each goal into it, without hiding the puck or the end of a move, and hiding as few lines as
    /// possible. It is preferably in the middle of the line next to the boundary, which the puck rarely reaches.
    fn put_goal_names(&mut self) {
        let ends = [Role::Puck, Role::LastTrail, Role::Target, Role::RuledOut];
        let ends = ends.into_iter().flat_map(|role| self.board.shapes_of(role));
        let taken: BTreeSet<Place> = ends.map(|shape| self.place_of(shape)).collect();
        let goals = self.board.shapes_of(Role::Goal);
        for goal in goals.filter(|goal| !goal.glyph.is_empty()) {
            let Rectangle { low, high } = goal.form.bounds();
            let [(top, left), (bottom, right)] = [low, high].map(|end| self.place(end, 1, [0, 0]));
            let width = goal.glyph.chars().count() as i32;
            let middle = (left + right) / 2 - 2;
            // The boundary is above the upper goal, at 0, and below the lower one.
            let edge = if low.y > 0.0 { bottom - 1 } else { top + 1 };
            let starts = left + 1..=right - width;
            let places =
                (top + 1..bottom).flat_map(|line| starts.clone().map(move |at| (line, at)));
            let cost = |&(line, start): &Place| {
                let places = || (start..start + width).map(|column| (line, column));
                let n_taken = places().filter(|place| taken.contains(place)).count();
                let n_drawn = places()
                    .filter(|place| self.canvas.at(*place).0 != ' ')
                    .count();
                (
                    n_taken,
                    n_drawn,
                    (line - edge).abs(),
                    (start - middle).abs(),
                )
            };
            let place = places.min_by_key(cost).unwrap_or((edge, middle));
            let style = self.board.style(goal.colour);
            self.canvas.write(place, &goal.glyph, style);
        }
    }

    /// Adds the places of the other spots, on the board.
    fn put_spots(&mut self) {
        let (width, margin) = (self.board.text.width.max(1), self.board.text.margin);
        for spot in &self.board.spots {
            // Those below the board are there.
            if self.canvas.spots.iter().any(|shown| shown.id == spot.id) {
                continue;
            }
            let mut targets = self.board.shapes.iter();
            let target = targets.find(|shape| {
                matches!(shape.role, Role::Target | Role::RuledOut) && shape.form == spot.outline
            });
            let (line, start) = match target {
                Some(target) => self.place_of(target),
                None => self.place(spot.outline.bounds().centre(), width, [0, 0]),
            };
            self.canvas
                .spot((line, start - margin), width as i32 + 2 * margin, &spot.id);
        }
    }

    /// Writes the lines below the board.
    fn put_below(&mut self) {
        let area = self.canvas.area();
        for (line, parts) in (area.lines.end + 1..).zip(&self.board.text.below) {
            let mut column = area.columns.start;
            for (text, spot) in parts {
                let width = text.chars().count() as i32;
                self.canvas.write((line, column), text, Style::new());
                if let Some(id) = spot {
                    self.canvas.spot((line, column), width, id);
                }
                column += width;
            }
        }
    }
}
