//! A board as text, from its shapes: letters at their places, lines as dots, marks as brackets.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Style};

use crate::canvas::{CLEAR, Canvas, Place, TextSpot};
use crate::dots::{Dot, ascii};
use crate::{Board, Form, Point, Rectangle, Role, Shape, View};

/// The style of any game that is drawn in ASCII.
pub const ASCII: &str = "ascii";
/// Larger than rounding errors of places.
const TINY: f64 = 1e-6;

impl Board {
    /// The board as text, in a view.
    pub(crate) fn drawn(&self, view: &View) -> Canvas {
        let mut pen = Pen::new(self, view, self.text.scale.unwrap_or([1.0; 2]));
        pen.put_lines();
        pen.put_glyphs(&self.text.frame);
        let is_move = |shape: &&Shape| matches!(shape.role, Role::Target | Role::RuledOut);
        let moves = self.text.moves_scale.map(|scale| {
            let mut pen = Pen::new(self, view, scale);
            pen.put_glyphs(self.shapes.iter().filter(is_move));
            pen.put_glyphs(self.shapes_of(Role::Puck));
            pen.finish()
        });
        let is_here = |shape: &&Shape| moves.is_none() || !is_move(shape);
        pen.put_glyphs(self.shapes.iter().filter(is_here));
        pen.put_last_move();
        pen.put_spots();
        let mut canvas = pen.finish();
        if let Some(moves) = moves.filter(|_| !self.spots.is_empty()) {
            // Without the blank lines on the way to far ends.
            let lines: BTreeSet<i32> = moves.glyphs.keys().map(|place| place.0).collect();
            for (below, line) in (canvas.size()[0] as i32 + 1..).zip(lines) {
                let glyphs = moves.glyphs.range((line, i32::MIN)..(line + 1, i32::MIN));
                let glyphs = glyphs.map(|(&(_, column), &glyph)| ((below, column), glyph));
                canvas.glyphs.extend(glyphs);
            }
        }
        for (line, parts) in (canvas.size()[0] as i32 + 1..).zip(&self.text.below) {
            let mut start = 0;
            for (text, id) in parts {
                canvas.write((line, start), text, Style::new());
                let end = start + text.chars().count() as i32;
                // In a picture it is on the board.
                let mut spots = canvas.spots.iter_mut();
                if let Some(spot) = spots.find(|spot| Some(&spot.id) == id.as_ref()) {
                    (spot.line, spot.columns) = (line, start..end);
                }
                start = end;
            }
        }
        canvas
    }

    /// A map of the lines and the puck in this many columns and lines.
    pub(crate) fn overview(&self, view: &View, n_columns: usize, n_lines: usize) -> Canvas {
        let Rectangle { low, high } = self.bounds();
        let across = n_columns as f64 / (high.x - low.x);
        let down = n_lines as f64 / (high.y - low.y);
        let scale = across.min(2.0 * down);
        let mut pen = Pen::new(self, view, [scale, scale / 2.0]);
        pen.put_lines();
        pen.put_glyphs(self.shapes_of(Role::Puck));
        pen.finish()
    }

    fn shapes_of(&self, role: Role) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| shape.role == role)
    }

    fn style(&self, shape: &Shape) -> Style {
        let style = match shape.colour.map(|colour| self.hue(colour)) {
            None => Style::new(),
            Some("yellow") => AnsiColor::Yellow.on_default().bold(),
            Some("red") => AnsiColor::Red.on_default().bold(),
            Some(_) => AnsiColor::Cyan.on_default().bold(),
        };
        match shape.role {
            Role::LastTrail | Role::Target => style.invert(),
            Role::Puck => style.bold(),
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

    /// Writes the letters of shapes at their places. A puck becomes the focus.
    fn put_glyphs<'s>(&mut self, shapes: impl IntoIterator<Item = &'s Shape>) {
        for shape in shapes {
            let at = match &shape.form {
                // A line has its letter at its start.
                Form::Path { lines, .. } => lines[0][0],
                form => form.bounds().centre(),
            };
            let place = self.place(at, shape.glyph.chars().count().max(1));
            if shape.role == Role::Puck {
                self.canvas.focus = Some(place);
            }
            self.canvas
                .write(place, &shape.glyph, self.board.style(shape));
        }
    }

    /// Highlights the ends of the last move, in brackets if there is room for them. Its target becomes the focus.
    fn put_last_move(&mut self) {
        let width = self.board.text.width.max(1);
        for (role, brackets) in [(Role::To, ['[', ']']), (Role::From, ['(', ')'])] {
            for shape in self.board.shapes_of(role) {
                let (line, start) = self.place(shape.form.bounds().centre(), width);
                let is_free = |side: &i32| self.canvas.at((line, *side)).0 == ' ';
                let has_room = [start - 1, start + width as i32].iter().all(is_free);
                let [open, close] = if has_room { brackets } else { [CLEAR; 2] };
                let columns = (start..).take(width);
                let glyphs = columns.map(|column| self.canvas.at((line, column)));
                let (text, styles): (String, Vec<Style>) = glyphs.unzip();
                let own = styles.into_iter().rfind(|style| *style != Style::new());
                let text = format!("{open}{text}{close}");
                let style = own.unwrap_or_default().invert();
                self.canvas.write((line, start - 1), &text, style);
                self.canvas.focus.get_or_insert((line, start));
            }
        }
    }

    /// Adds the places of the spots on the board.
    fn put_spots(&mut self) {
        let width = self.board.text.width.max(1);
        for spot in &self.board.spots {
            let (line, start) = self.place(spot.outline.bounds().centre(), width);
            self.canvas.spots.push(TextSpot {
                id: spot.id.clone(),
                line,
                columns: start..start + width as i32,
            });
        }
    }
}
