//! Characters at lines and columns, and the page that they make.

use std::collections::BTreeMap;
use std::ops::Range;

use anstyle::Style;

/// The place of a [spot](crate::Spot) on a board as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpot {
    /// The id of the spot.
    pub id: String,
    /// Its line.
    pub line: i32,
    /// Its columns.
    pub columns: Range<i32>,
}

/// A character with its style.
pub type Glyph = (char, Style);

/// A laid-out board: lines of characters, with the places of the spots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPage {
    /// The lines, without trailing blanks.
    pub lines: Vec<Vec<Glyph>>,
    /// The visible spots. Lines and columns count from 0.
    pub spots: Vec<TextSpot>,
    /// `true` if the whole board is visible.
    pub is_whole: bool,
}

/// Line and column.
pub(crate) type Place = (i32, i32);

/// The sign of an empty place.
pub(crate) const BLANK: Glyph = (' ', Style::new());

/// A place that a glyph leaves as it is.
pub(crate) const CLEAR: char = '\0';

/// Characters at lines and columns, which may be negative. Later ones cover earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    pub(crate) glyphs: BTreeMap<Place, Glyph>,
    pub(crate) spots: Vec<TextSpot>,
    /// Line and column to keep visible if only a part fits.
    pub(crate) focus: Option<Place>,
}

impl Canvas {
    pub(crate) fn write(&mut self, (line, column): Place, text: &str, style: Style) {
        let letters = (column..).zip(text.chars());
        let shown = letters.filter(|(_, letter)| *letter != CLEAR);
        let glyphs = shown.map(|(column, letter)| ((line, column), (letter, style)));
        self.glyphs.extend(glyphs);
    }

    /// Writes lines of plain text below one another.
    pub(crate) fn write_lines(&mut self, (line, column): Place, lines: &[String]) {
        for (line, text) in (line..).zip(lines) {
            self.write((line, column), text, Style::new());
        }
    }

    pub(crate) fn at(&self, place: Place) -> Glyph {
        self.glyphs.get(&place).copied().unwrap_or(BLANK)
    }

    /// All of it, some lines and columns further.
    pub(crate) fn moved(self, (down, right): Place) -> Canvas {
        let there = |(line, column): Place| (line + down, column + right);
        let glyphs = self.glyphs.into_iter();
        let spots = self.spots.into_iter().map(|spot| TextSpot {
            id: spot.id,
            line: spot.line + down,
            columns: spot.columns.start + right..spot.columns.end + right,
        });
        Canvas {
            glyphs: glyphs.map(|(at, glyph)| (there(at), glyph)).collect(),
            spots: spots.collect(),
            focus: self.focus.map(there),
        }
    }

    /// All of it, with the upper left character at (0, 0).
    pub(crate) fn at_corner(self) -> Canvas {
        let top = self.glyphs.keys().map(|place| place.0).min().unwrap_or(0);
        let left = self.glyphs.keys().map(|place| place.1).min().unwrap_or(0);
        self.moved((-top, -left))
    }

    /// The part in these lines and columns, with its upper left character at (0, 0).
    pub(crate) fn part(self, lines: &Range<usize>, columns: &Range<usize>) -> Canvas {
        let mut part = self.moved((-(lines.start as i32), -(columns.start as i32)));
        let (lines, columns) = (0..lines.len() as i32, 0..columns.len() as i32);
        part.glyphs
            .retain(|(line, column), _| lines.contains(line) && columns.contains(column));
        part.spots.retain(|spot| {
            let is_in_columns = spot.columns.start >= 0 && spot.columns.end <= columns.end;
            is_in_columns && lines.contains(&spot.line)
        });
        part
    }

    /// Lines and columns from (0, 0). Blanks count at the left, where they are a margin, but not at the right.
    pub(crate) fn size(&self) -> [usize; 2] {
        let lines = self.glyphs.keys().map(|place| place.0 as usize + 1);
        let letters = self.glyphs.iter().filter(|(_, glyph)| glyph.0 != ' ');
        let columns = letters.map(|(place, _)| place.1 as usize + 1);
        [lines.max().unwrap_or(0), columns.max().unwrap_or(0)]
    }

    /// The page from (0, 0).
    pub(crate) fn page(self, is_whole: bool) -> TextPage {
        let [n_lines, n_columns] = self.size();
        // The last lines may have spots and no characters.
        let spot_lines = self.spots.iter().map(|spot| spot.line + 1);
        let end = spot_lines.fold(n_lines as i32, i32::max);
        let line = |line| {
            let columns = 0..n_columns as i32;
            let mut glyphs: Vec<Glyph> = columns.map(|column| self.at((line, column))).collect();
            let last = glyphs.iter().rposition(|(letter, _)| *letter != ' ');
            glyphs.truncate(last.map_or(0, |last| last + 1));
            glyphs
        };
        TextPage {
            lines: (0..end).map(line).collect(),
            spots: self.spots,
            is_whole,
        }
    }
}
