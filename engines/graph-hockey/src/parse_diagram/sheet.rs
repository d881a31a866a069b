//! The characters of a drawing, with the dots that each of them represents.

use std::sync::OnceLock;

use kit::anstyle::Style;
use kit::{Rejection, Side};

use super::{border, field};
use crate::diagram::{DotCanvas, ascii, braille};
use crate::field::Field;
use crate::moves::Move;
use crate::plane::{GridPoint, Segment};

/// Dots between adjacent lattice points, and units per line of characters.
const DOTS: i32 = 2;
const UNITS_DOWN: i32 = 2;

/// The possible dots of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PossibleDots {
    /// Any dots: something is written over them.
    Hidden,
    /// Exactly these dots.
    Braille(u8),
    /// Dots that are drawn as this ASCII character.
    Ascii(char),
}

/// A drawing of a field, character by character.
#[derive(Debug)]
pub(super) struct Sheet {
    field: Field,
    n_columns: usize,
    glyphs: Vec<PossibleDots>,
    /// The lines of the field, without trailing blanks, and the text on their right.
    lines: Vec<String>,
    beside: String,
    /// The possible lattice points of the puck: a line is two units high.
    pucks: [GridPoint; 2],
}

impl Sheet {
    pub(super) fn read(rows: &[String]) -> Result<Sheet, Rejection> {
        let margin = super::margin(&rows[0]);
        let n_columns = border(&rows[0]).chars().count();
        let split = |row: &String| -> (String, String) {
            let mut signs = row.chars().skip(margin);
            let line: String = signs.by_ref().take(n_columns).collect();
            (line.trim_end().to_owned(), signs.collect())
        };
        let (lines, beside): (Vec<String>, Vec<String>) = rows.iter().map(split).unzip();
        let field = field(n_columns, lines.len())?;
        let is_braille = lines.concat().chars().any(|sign| dots_of(sign).is_some());
        let mut glyphs = Vec::with_capacity(n_columns * lines.len());
        let mut puck = None;
        for (number, line) in lines.iter().enumerate() {
            let signs = line.chars().chain(std::iter::repeat(' ')).take(n_columns);
            for (column, sign) in signs.enumerate() {
                glyphs.push(glyph(sign, is_braille));
                if sign == '*' && puck.replace((column, number)).is_some() {
                    return Err("two pucks: expected one *".into());
                }
            }
        }
        let (column, line) = puck.ok_or("no puck in the drawing: expected *")?;
        let (x, y) = (column as i32, field.height() - UNITS_DOWN * line as i32);
        let mut sheet = Sheet {
            field,
            n_columns,
            glyphs,
            lines,
            beside: beside.join("\n"),
            pucks: [GridPoint { x, y }, GridPoint { x, y: y - 1 }],
        };
        sheet.hide_names();
        Ok(sheet)
    }

    /// Marks the dots below the names of the players as unknown.
    fn hide_names(&mut self) {
        for (number, line) in (0..).zip(self.lines.clone()) {
            for name in Side::BOTH.map(|side| side.to_string()) {
                let before = line.find(&name).map(|at| line[..at].chars().count() as i32);
                for column in before.into_iter().flat_map(|column| column - 1..column + 3) {
                    self.hide_at(column, number);
                }
            }
        }
    }

    /// The same drawing with the dots at the ends of moves marked as unknown, since moves may be marked there.
    pub(super) fn with_marks(mut self) -> Sheet {
        for puck in self.pucks {
            let ends = Move::all().map(|mv| puck + mv.step());
            for GridPoint { x, y } in ends.chain([puck]) {
                let line = (self.field.height() - y).div_euclid(UNITS_DOWN);
                (x - 1..=x + 1).for_each(|column| self.hide_at(column, line));
            }
        }
        self
    }

    fn hide_at(&mut self, column: i32, line: i32) {
        let (n_columns, n_lines) = (self.n_columns as i32, self.lines.len() as i32);
        if (0..n_columns).contains(&column) && (0..n_lines).contains(&line) {
            self.glyphs[(line * n_columns + column) as usize] = PossibleDots::Hidden;
        }
    }

    /// The characters that a line passes, by their index, with its dots in them.
    pub(super) fn stroke(&self, line: Segment) -> Vec<(usize, u8)> {
        let dot = |point: GridPoint| {
            GridPoint::new(DOTS * point.x, DOTS * (self.field.height() - point.y))
        };
        let (from, to) = (dot(line.from), dot(line.to));
        // A line is drawn from the left, so that it looks the same in both directions.
        let (from, to) = if to.x < from.x {
            (to, from)
        } else {
            (from, to)
        };
        let mut canvas = DotCanvas::new(self.n_columns as i32, self.lines.len() as i32);
        canvas.line(Segment { from, to }, Style::new());
        let dots = canvas.dots().iter().copied().enumerate();
        dots.filter(|(_, dots)| *dots != 0).collect()
    }

    /// The lines of the field.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The text on the right of the field.
    pub(super) fn beside(&self) -> &str {
        &self.beside
    }

    pub(super) fn field(&self) -> Field {
        self.field
    }

    /// The player whose name is marked in the goal.
    pub(super) fn turn(&self) -> Option<Side> {
        let is_marked = |side: &Side| {
            let label = format!(">{side}<");
            self.lines.iter().any(|line| line.contains(&label))
        };
        Side::BOTH.into_iter().find(is_marked)
    }

    /// `true` if the puck may be at this point.
    pub(super) fn has_puck(&self, point: GridPoint) -> bool {
        self.pucks.contains(&point)
    }

    /// Number of characters.
    pub(super) fn len(&self) -> usize {
        self.glyphs.len()
    }

    /// `true` if the character at this index represents exactly these dots.
    pub(super) fn shows(&self, at: usize, dots: u8) -> bool {
        match self.glyphs[at] {
            PossibleDots::Hidden => true,
            PossibleDots::Braille(shown) => shown == dots,
            PossibleDots::Ascii(shown) => shown == shapes()[usize::from(dots)],
        }
    }

    /// `true` if the character at this index represents these dots or a superset.
    pub(super) fn may_show(&self, at: usize, dots: u8) -> bool {
        match self.glyphs[at] {
            PossibleDots::Hidden => true,
            PossibleDots::Braille(shown) => dots & !shown == 0,
            PossibleDots::Ascii(shown) => superset_shapes()[usize::from(dots)].contains(&shown),
        }
    }
}

/// The ASCII character of each set of dots.
fn shapes() -> &'static [char] {
    static SHAPES: OnceLock<Vec<char>> = OnceLock::new();
    SHAPES.get_or_init(|| (0..=u8::MAX).map(ascii).collect())
}

/// For each set of dots, the ASCII characters of the set and of all its supersets.
fn superset_shapes() -> &'static [Vec<char>] {
    static SHAPES: OnceLock<Vec<Vec<char>>> = OnceLock::new();
    let of = |dots: u8| {
        let holding = (0..=u8::MAX).filter(|more| more & dots == dots);
        let mut shapes: Vec<char> = holding.map(|more| shapes()[usize::from(more)]).collect();
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    };
    SHAPES.get_or_init(|| (0..=u8::MAX).map(of).collect())
}

fn glyph(sign: char, is_braille: bool) -> PossibleDots {
    match (dots_of(sign), sign) {
        (Some(dots), _) => PossibleDots::Braille(dots),
        (None, ' ') if is_braille => PossibleDots::Braille(0),
        (None, ' ' | '\'' | '.' | ':' | '|' | '-' | '_' | '\\' | '/' | '+' | '#')
            if !is_braille =>
        {
            PossibleDots::Ascii(sign)
        }
        _ => PossibleDots::Hidden,
    }
}

/// The dots of a character of the Braille block.
fn dots_of(sign: char) -> Option<u8> {
    let is_braille = ('\u{2801}'..='\u{28ff}').contains(&sign);
    (1..=u8::MAX).find(|dots| is_braille && braille(*dots) == sign)
}
