//! Characters at lines and columns.

use std::collections::BTreeMap;
use std::ops::Range;

use anstyle::Style;

use crate::Room;
use crate::dots::ascii;

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

/// A place that a glyph leaves as it is.
const CLEAR: char = '\0';

/// Characters at lines and columns, which may be negative. Later ones cover earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    glyphs: BTreeMap<Place, Glyph>,
    pub(crate) spots: Vec<TextSpot>,
    /// Line and column to keep visible if only a part fits.
    pub(crate) focus: Option<Place>,
}

/// A part of a canvas.
#[derive(Debug, Clone)]
pub(crate) struct Area {
    pub(crate) lines: Range<i32>,
    pub(crate) columns: Range<i32>,
}

impl Canvas {
    pub(crate) fn put(&mut self, (line, column): Place, glyphs: impl IntoIterator<Item = Glyph>) {
        let glyphs = (column..).zip(glyphs);
        let shown = glyphs.filter(|(_, (letter, _))| *letter != CLEAR);
        self.glyphs
            .extend(shown.map(|(column, glyph)| ((line, column), glyph)));
    }

    pub(crate) fn write(&mut self, place: Place, text: &str, style: Style) {
        self.put(place, text.chars().map(|letter| (letter, style)));
    }

    /// Writes plain lines below one another.
    pub(crate) fn write_lines(
        &mut self,
        (top, column): Place,
        lines: impl IntoIterator<Item = String>,
    ) {
        for (line, text) in (top..).zip(lines) {
            self.write((line, column), &text, Style::new());
        }
    }

    pub(crate) fn spot(&mut self, (line, column): Place, width: i32, id: &str) {
        self.spots.push(TextSpot {
            id: id.to_owned(),
            line,
            columns: column..column + width,
        });
    }

    pub(crate) fn at(&self, place: Place) -> Glyph {
        let glyph = self.glyphs.get(&place);
        glyph.copied().unwrap_or((' ', Style::new()))
    }

    /// Replaces all characters that are not ASCII by similar ones.
    pub(crate) fn make_ascii(&mut self) {
        for (letter, _) in self.glyphs.values_mut() {
            *letter = ascii(*letter);
        }
    }

    /// The part with characters. Blanks count at the left, where they are a margin, but not at the right.
    pub(crate) fn area(&self) -> Area {
        let lines = self.glyphs.keys().map(|place| place.0);
        let columns = self.glyphs.keys().map(|place| place.1);
        let visible = self.glyphs.iter().filter(|(_, glyph)| glyph.0 != ' ');
        let end = |last: Option<i32>| last.map_or(0, |last| last + 1);
        Area {
            lines: lines.clone().min().unwrap_or(0)..end(lines.max()),
            columns: columns.min().unwrap_or(0)..end(visible.map(|(place, _)| place.1).max()),
        }
    }

    pub(crate) fn fits(&self, room: Room) -> bool {
        let Area { lines, columns } = self.area();
        lines.len() <= room.lines && columns.len() <= room.columns
    }

    /// The same without the characters and spots outside an area.
    pub(crate) fn cut(&self, Area { lines, columns }: &Area) -> Canvas {
        let is_in = |place: &Place| lines.contains(&place.0) && columns.contains(&place.1);
        let mut part = self.clone();
        part.glyphs.retain(|place, _| is_in(place));
        part.spots.retain(|spot| {
            let is_left = spot.columns.end <= columns.end;
            lines.contains(&spot.line) && columns.start <= spot.columns.start && is_left
        });
        part
    }

    /// The characters in an area, and all spots, counted from its upper left corner.
    pub(crate) fn page(&self, Area { lines, columns }: Area, is_whole: bool) -> TextPage {
        let glyphs = |line| {
            let glyphs = columns.clone().map(|column| self.at((line, column)));
            let mut glyphs: Vec<Glyph> = glyphs.collect();
            let last = glyphs.iter().rposition(|&(letter, _)| letter != ' ');
            glyphs.truncate(last.map_or(0, |last| last + 1));
            glyphs
        };
        let left = columns.start;
        let spots = self.spots.iter().map(|spot| TextSpot {
            id: spot.id.clone(),
            line: spot.line - lines.start,
            columns: spot.columns.start - left..spot.columns.end - left,
        });
        TextPage {
            spots: spots.collect(),
            lines: lines.clone().map(glyphs).collect(),
            is_whole,
        }
    }
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
