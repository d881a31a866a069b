//! A board as text, from its shapes: letters at their places, lines as dots, marks as brackets.

use anstyle::{AnsiColor, Style};

use crate::canvas::{Canvas, Place, TextSpot};
use crate::dots::{ALL_DOTS, Dot, MIDDLE_DOT, ascii};
use crate::{Board, Form, Point, Role, Shape, View};

/// The style of any game that is drawn in ASCII.
pub const ASCII: &str = "ascii";
/// Maximum columns and lines of a map of the whole board.
const MAP: [f64; 2] = [22.0, 5.0];
/// Larger than rounding errors of places.
const TINY: f64 = 1e-6;

impl Board {
    /// The board as text, in a view, as usual or drawn larger.
    pub(crate) fn drawn(&self, view: &View, is_close: bool) -> Canvas {
        let usual = self.text.scale.unwrap_or([1.0; 2]);
        let close = self.text.close.filter(|_| is_close);
        let mut pen = Pen::new(self, view, close.unwrap_or(usual));
        pen.put_lines();
        pen.put_targets();
        pen.put_glyphs(&self.text.frame);
        pen.put_glyphs(&self.shapes);
        pen.put_last_move();
        pen.put_spots();
        pen.finish()
    }

    /// A small map of the whole field, whose upper left corner is (0, 0), with its lines and the puck; `None` for a board
    /// without a puck. The number of units in a dot is whole.
    pub(crate) fn small_map(&self, view: &View) -> Option<Canvas> {
        let puck = self.shapes_of(Role::Puck).next()?;
        let field = self.shapes_of(Role::Cell).next()?.form.bounds().high;
        let ends = [field.x / 2.0 / MAP[0], field.y / 4.0 / MAP[1]];
        let units = ends[0].max(ends[1]).floor() + 1.0;
        let mut pen = Pen::new(self, view, [0.5 / units, 0.25 / units]);
        pen.put_lines();
        pen.put_glyphs([puck]);
        Some(pen.finish())
    }

    fn shapes_of(&self, role: Role) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| shape.role == role)
    }

    fn style(&self, shape: &Shape) -> Style {
        let ink = match shape.colour.map(|colour| self.hue(colour)) {
            None => return Style::new(),
            Some("yellow") => AnsiColor::Yellow,
            Some("red") => AnsiColor::Red,
            Some(_) => AnsiColor::Cyan,
        };
        let style = ink.on_default().bold();
        match shape.role {
            Role::LastTrail => style.invert(),
            _ => style,
        }
    }
}

/// A board being drawn.
struct Pen<'a> {
    board: &'a Board,
    scale: [f64; 2],
    is_flipped: bool,
    is_ascii: bool,
    canvas: Canvas,
}

impl Pen<'_> {
    fn new<'a>(board: &'a Board, view: &View, scale: [f64; 2]) -> Pen<'a> {
        Pen {
            board,
            scale,
            is_flipped: view.is_flipped && board.turn > 0,
            is_ascii: view.is_ascii || view.style == ASCII,
            canvas: Canvas::default(),
        }
    }

    fn finish(mut self) -> Canvas {
        if self.is_ascii {
            for (letter, _) in self.canvas.glyphs.values_mut() {
                *letter = ascii(*letter);
            }
        }
        self.canvas.at_corner()
    }

    /// Line and first column of a text of this width around a point.
    fn place(&self, at: Point, width: usize) -> Place {
        let (x, y) = (at.x * self.scale[0], at.y * self.scale[1]);
        let half = (width as f64 - 1.0) / 2.0;
        match self.is_flipped {
            true => ((TINY - y).floor() as i32, (-x - half - TINY).ceil() as i32),
            false => ((y + TINY).floor() as i32, (x - half + TINY).floor() as i32),
        }
    }

    /// Line and first column of the letters of a shape.
    fn place_of(&self, shape: &Shape) -> Place {
        let at = match &shape.form {
            // A line has its letter at its start.
            Form::Path { lines, .. } => lines[0][0],
            form => form.bounds().centre(),
        };
        let (line, column) = self.place(at, shape.glyph.chars().count().max(1));
        let [right, down] = shape.aside;
        match self.is_flipped {
            true => (line - down, column - right),
            false => (line + down, column + right),
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
            let lines = match (&shape.form, shape.role) {
                (Form::Path { lines, .. }, Role::Trail | Role::LastTrail) => lines.clone(),
                (Form::Polygon { points }, Role::Goal) => {
                    vec![[&points[..], &points[..1]].concat()]
                }
                _ => continue,
            };
            for ends in lines.iter().flat_map(|line| line.windows(2)) {
                let (from, to) = (self.dot(ends[0]), self.dot(ends[1]));
                self.canvas.line(from, to, self.board.style(shape));
            }
        }
    }

    /// Marks the ends of legal moves by dots that hide no line: small ones where points share a character.
    fn put_targets(&mut self) {
        for target in self.board.shapes_of(Role::Target) {
            let Form::Circle { centre, .. } = target.form else {
                continue;
            };
            let (place, inverse) = (self.place_of(target), Style::new().invert());
            if self.scale[1] < 1.0 {
                let style = AnsiColor::Yellow.on_default().bold();
                self.canvas.mark(self.dot(centre), style);
            } else {
                let letter = match self.canvas.at(place).0 {
                    ' ' => MIDDLE_DOT,
                    _ => ALL_DOTS,
                };
                self.canvas.glyphs.insert(place, (letter, inverse));
            }
        }
    }

    /// Writes the letters of shapes at their places. A puck becomes the focus.
    fn put_glyphs<'s>(&mut self, shapes: impl IntoIterator<Item = &'s Shape>) {
        for shape in shapes {
            let (place, mut style) = (self.place_of(shape), self.board.style(shape));
            if shape.role == Role::Puck {
                self.canvas.focus = Some(place);
                style = style.bold();
            }
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
            let glyphs = (start..)
                .take(width)
                .map(|column| self.canvas.at((line, column)));
            let (text, styles): (String, Vec<Style>) = glyphs.unzip();
            let own = styles.into_iter().rfind(|style| *style != Style::new());
            mover = own.unwrap_or(mover);
            // The brackets of cells next to each other would share a column.
            let is_beside = |to: Place| to.0 == line && (to.1 - start).abs() < width as i32 + 2;
            let (column, text) = match to {
                Some(to) if to == (line, start) => (start - 1, format!("[{text}]")),
                Some(to) if is_beside(to) => (start, text),
                _ => (start - 1, format!("({text})")),
            };
            self.canvas.write((line, column), &text, mover.invert());
        }
        self.canvas.focus = to.or(self.canvas.focus);
    }

    /// Adds the places of the spots on the board.
    fn put_spots(&mut self) {
        let (width, margin) = (self.board.text.width.max(1), self.board.text.margin);
        for spot in &self.board.spots {
            let (line, start) = self.place(spot.outline.bounds().centre(), width);
            self.canvas.spots.push(TextSpot {
                id: spot.id.clone(),
                line,
                columns: start - margin..start + width as i32 + margin,
            });
        }
    }
}
