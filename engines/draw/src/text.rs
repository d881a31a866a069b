//! A board as text, from its shapes: letters at their places, lines as dots, marks as brackets.

use anstyle::{AnsiColor, Style};

use crate::canvas::{Canvas, Place, TextPage, TextSpot};
use crate::dots::{Dot, MIDDLE_DOT, ascii};
use crate::{Board, DiagramColour, Form, Point, Rectangle, Role, Shape, View};

/// Maximum columns and lines of a map of the whole board.
const MAP: [f64; 2] = [22.0, 5.0];
/// Larger than rounding errors of places.
const TINY: f64 = 1e-6;

/// The size of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The lines and the puck only.
    Map,
    Usual,
    Close,
}

impl Board {
    /// The board as text, in a view and a size, with the place to keep visible if only a part fits.
    pub(crate) fn drawn(&self, view: &View, detail: Detail) -> (TextPage, Option<Place>) {
        let is_turned = view.is_flipped && self.turn > 0;
        let usual = self.text.scale.unwrap_or([1.0; 2]);
        let mut pen = Pen {
            board: self,
            detail,
            scale: match detail {
                Detail::Usual => usual,
                Detail::Close => self.text.close.unwrap_or(usual),
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
            pen.put_spots();
        }
        if view.is_ascii || self.text.is_ascii {
            for (letter, _) in pen.canvas.glyphs.values_mut() {
                *letter = ascii(*letter);
            }
        }
        pen.canvas.page()
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
        let ink = match colour.map(|colour| self.hue(colour)) {
            None => return Style::new(),
            Some("yellow") => AnsiColor::Yellow,
            Some("red") => AnsiColor::Red,
            Some(_) => AnsiColor::Cyan,
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
    fn place(&self, at: Point, width: usize) -> Place {
        let direction = f64::from(self.direction);
        let [x, y] = [at.x * self.scale[0], at.y * self.scale[1]].map(|end| end * direction);
        let start = x - (width as f64 - 1.0) / 2.0;
        let start = match self.direction {
            1 => (start + TINY).floor(),
            _ => (start - TINY).ceil(),
        };
        ((y + TINY).floor() as i32, start as i32)
    }

    /// Line and first column of the letters of a shape. Those of the ends of moves stand aside only where they share a line
    /// with others.
    fn place_of(&self, shape: &Shape) -> Place {
        let at = match &shape.form {
            // A line has its letter at its start.
            Form::Path { lines, .. } => lines[0][0],
            form => form.bounds().centre(),
        };
        let (line, column) = self.place(at, shape.glyph.chars().count().max(1));
        let is_end = matches!(shape.role, Role::Target | Role::RuledOut | Role::LastTrail);
        match is_end && self.detail != Detail::Usual {
            true => (line, column),
            false => {
                let [right, down] = shape.aside.map(|length| length * self.direction);
                (line + down, column + right)
            }
        }
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
                    self.put_paths(lines, style.invert());
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
        for target in self.board.shapes_of(Role::Target) {
            let Form::Circle { centre, .. } = target.form else {
                continue;
            };
            let (place, inverse) = (self.place_of(target), Style::new().invert());
            if !target.glyph.is_empty() {
                continue;
            } else if self.detail == Detail::Usual {
                let style = AnsiColor::Yellow.on_default().bold();
                self.canvas.mark(self.dot(centre), style);
            } else if self.canvas.at(place).0 == ' ' {
                self.canvas.glyphs.insert(place, (MIDDLE_DOT, inverse));
            } else {
                self.canvas.fill(place, inverse);
            }
        }
    }

    /// Writes the letters of shapes at their places.
    fn put_glyphs(&mut self) {
        let board = self.board;
        for shape in board.text.frame.iter().chain(&board.shapes) {
            let (place, style) = (self.place_of(shape), board.style(shape.colour));
            let style = match shape.role {
                Role::Puck => {
                    self.canvas.focus = Some(place);
                    style.bold()
                }
                _ if self.detail == Detail::Map => continue,
                Role::Goal => continue,
                Role::LastTrail => style.invert(),
                _ => style,
            };
            self.canvas.write(place, &shape.glyph, style);
        }
    }

    /// Highlights the ends of the last move, in brackets. Its target becomes the focus.
    fn put_last_move(&mut self) {
        let width = self.board.text.width.max(1);
        let [to, from] = [Role::To, Role::From].map(|role| {
            let shape = self.board.shapes_of(role).next()?;
            Some(self.place(shape.form.bounds().centre(), width))
        });
        let mut mover = Style::new();
        for (line, start) in [to, from].into_iter().flatten() {
            let columns = (start..).take(width);
            let glyphs = columns.map(|column| self.canvas.at((line, column)));
            let (text, styles): (String, Vec<Style>) = glyphs.unzip();
            let own = styles.into_iter().rfind(|style| *style != Style::new());
            let style = own.unwrap_or(mover);
            // The brackets of cells next to each other would share a column.
            let is_beside =
                to.is_some_and(|to| to.0 == line && (to.1 - start).abs() < width as i32 + 2);
            let (column, text) = match to == Some((line, start)) {
                true => (start - 1, format!("[{text}]")),
                false if is_beside => (start, text),
                false => (start - 1, format!("({text})")),
            };
            self.canvas.write((line, column), &text, style.invert());
            mover = style;
        }
        self.canvas.focus = to.or(self.canvas.focus);
    }

    /// Writes the name of each goal into it, without hiding the puck or the letter of a move, and hiding as few lines as
    /// possible. It is preferably in the middle of the line next to the boundary, which the puck rarely reaches.
    fn put_goal_names(&mut self) {
        for goal in self.board.shapes_of(Role::Goal) {
            let Rectangle { low, high } = goal.form.bounds();
            let [(top, left), (bottom, right)] = [low, high].map(|end| self.place(end, 1));
            let width = goal.glyph.chars().count() as i32;
            let middle = (left + right) / 2 - 2;
            // The boundary is above the upper goal, at 0, and below the lower one.
            let edge = if low.y > 0.0 { bottom - 1 } else { top + 1 };
            let starts = left + 1..=right - width;
            let places =
                (top + 1..bottom).flat_map(|line| starts.clone().map(move |at| (line, at)));
            let cost = |&(line, start): &Place| {
                let hidden = (start..start + width).map(|column| self.canvas.at((line, column)).0);
                let harm = hidden.map(|letter| match letter {
                    ' ' => 0,
                    '\u{2800}'.. => 1,
                    _ => 100,
                });
                (
                    harm.sum::<i32>(),
                    (line - edge).abs(),
                    (start - middle).abs(),
                )
            };
            let place = places.min_by_key(cost).unwrap_or((edge, middle));
            let style = self.board.style(goal.colour);
            self.canvas.write(place, &goal.glyph, style);
        }
    }

    /// Adds the places of the spots on the board.
    fn put_spots(&mut self) {
        let (width, margin) = (self.board.text.width.max(1), self.board.text.margin);
        let below = || self.board.text.below.iter().flatten();
        for spot in &self.board.spots {
            if below().any(|(_, id)| id.as_ref() == Some(&spot.id)) {
                continue;
            }
            let mut targets = self.board.shapes.iter();
            let target = targets.find(|shape| {
                matches!(shape.role, Role::Target | Role::RuledOut) && shape.form == spot.outline
            });
            let (line, start) = match target {
                Some(target) => self.place_of(target),
                None => self.place(spot.outline.bounds().centre(), width),
            };
            self.canvas.spots.push(TextSpot {
                id: spot.id.clone(),
                line,
                columns: start - margin..start + width as i32 + margin,
            });
        }
    }
}
