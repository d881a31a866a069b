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

impl TextSpot {
    /// The spot some lines and columns further.
    pub(crate) fn moved(&self, (down, right): Place) -> TextSpot {
        TextSpot {
            id: self.id.clone(),
            line: self.line + down,
            columns: self.columns.start + right..self.columns.end + right,
        }
    }
}

/// A character with its style.
pub type Glyph = (char, Style);

/// A line of characters.
pub(crate) type TextLine = Vec<Glyph>;

/// A laid-out board: lines of characters, with the places of the spots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPage {
    /// The lines, without trailing blanks.
    pub lines: Vec<TextLine>,
    /// The visible spots. Lines and columns count from 0.
    pub spots: Vec<TextSpot>,
    /// `true` if the whole board is visible.
    pub is_whole: bool,
    /// Line and column to keep visible if only a part fits.
    pub(crate) focus: Option<Place>,
}

/// Line and column.
pub(crate) type Place = (i32, i32);

/// The sign of an empty place.
pub(crate) const BLANK: Glyph = (' ', Style::new());

/// A place that a glyph leaves as it is.
const CLEAR: char = '\0';

/// Characters at lines and columns, which may be negative. Later ones cover earlier ones.
#[derive(Debug, Default)]
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

    pub(crate) fn at(&self, place: Place) -> Glyph {
        self.glyphs.get(&place).copied().unwrap_or(BLANK)
    }

    /// The page from the upper left character. Blanks count at the left, where they are a margin, but not at the right.
    pub(crate) fn page(self) -> TextPage {
        let top = self.glyphs.keys().map(|place| place.0).min().unwrap_or(0);
        let left = self.glyphs.keys().map(|place| place.1).min().unwrap_or(0);
        let mut lines: Vec<TextLine> = Vec::new();
        for ((line, column), glyph) in self.glyphs {
            lines.resize((line - top) as usize + 1, Vec::new());
            let end = lines.len() - 1;
            lines[end].resize((column - left) as usize, BLANK);
            lines[end].push(glyph);
        }
        lines.iter_mut().for_each(trim);
        let spots = self.spots.iter().map(|spot| spot.moved((-top, -left)));
        TextPage {
            spots: spots.collect(),
            lines,
            is_whole: true,
            focus: self.focus.map(|(line, column)| (line - top, column - left)),
        }
    }
}

/// Removes the blanks at the end of a line.
pub(crate) fn trim(line: &mut TextLine) {
    let last = line.iter().rposition(|(letter, _)| *letter != ' ');
    line.truncate(last.map_or(0, |last| last + 1));
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
