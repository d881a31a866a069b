//! Characters at lines and columns.

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
    /// Line and column to keep visible.
    pub(crate) focus: (i32, i32),
}

/// A place that a glyph leaves as it is.
const CLEAR: char = '\0';

/// Characters at lines and columns, which may be negative. Later ones cover earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    glyphs: BTreeMap<(i32, i32), Glyph>,
    pub(crate) spots: Vec<TextSpot>,
    /// Line and column to keep visible if only a part fits.
    pub(crate) focus: Option<(i32, i32)>,
}

impl Canvas {
    pub(crate) fn write(&mut self, (line, column): (i32, i32), text: &str, style: Style) {
        let letters = (column..).zip(text.chars());
        let shown = letters.filter(|(_, letter)| *letter != CLEAR);
        let shown = shown.map(|(column, letter)| ((line, column), (letter, style)));
        self.glyphs.extend(shown);
    }

    pub(crate) fn spot(&mut self, (line, column): (i32, i32), width: i32, id: &str) {
        self.spots.push(TextSpot {
            id: id.to_owned(),
            line,
            columns: column..column + width,
        });
    }

    pub(crate) fn at(&self, place: (i32, i32)) -> Glyph {
        self.glyphs
            .get(&place)
            .copied()
            .unwrap_or((' ', Style::new()))
    }

    /// First and last of the lines, and of the columns.
    pub(crate) fn bounds(&self) -> [(i32, i32); 2] {
        let ends = |of: fn(&(i32, i32)) -> i32| {
            let all = || self.glyphs.keys().map(of);
            (all().min().unwrap_or(0), all().max().unwrap_or(-1))
        };
        [ends(|place| place.0), ends(|place| place.1)]
    }

    /// The lines from the first character to the last, without margins and trailing blanks.
    pub(crate) fn page(self) -> TextPage {
        let [(top, bottom), (left, right)] = self.bounds();
        let line = |line| {
            let mut glyphs: Vec<Glyph> = (left..=right)
                .map(|column| self.at((line, column)))
                .collect();
            trim(&mut glyphs);
            glyphs
        };
        let lines: Vec<Vec<Glyph>> = (top..=bottom).map(line).collect();
        let middle = (lines.len() as i32 / 2, (right - left + 1) / 2);
        let spots = self.spots.iter().map(|spot| spot.moved(-top, -left));
        TextPage {
            spots: spots.collect(),
            focus: self
                .focus
                .map_or(middle, |(line, column)| (line - top, column - left)),
            is_whole: true,
            lines,
        }
    }
}

impl TextSpot {
    pub(crate) fn moved(&self, lines: i32, columns: i32) -> TextSpot {
        TextSpot {
            id: self.id.clone(),
            line: self.line + lines,
            columns: self.columns.start + columns..self.columns.end + columns,
        }
    }
}

/// Removes trailing blanks.
pub(crate) fn trim(line: &mut Vec<Glyph>) {
    let end = line.iter().rposition(|&(letter, _)| letter != ' ');
    line.truncate(end.map_or(0, |last| last + 1));
}

/// A line with ANSI colours.
pub fn paint(line: &[Glyph]) -> String {
    let runs = line.chunk_by(|(_, one), (_, other)| one == other);
    let painted = |run: &[Glyph]| {
        let text: String = run.iter().map(|(letter, _)| letter).collect();
        format!("{0}{text}{0:#}", run[0].1)
    };
    runs.map(painted).collect()
}
