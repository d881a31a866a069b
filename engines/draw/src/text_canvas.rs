//! A canvas for drawing boards: short texts at positions, with or without colour.
//!
//! Colours are added to the finished page, so they never change the layout. This module does not depend on any game.

use std::ops::Range;

use anstyle::{AnsiColor, Style};

use crate::Side;

/// Texts at lines and columns, which may be negative. Later texts cover earlier ones.
#[derive(Debug, Clone, Default)]
pub struct TextCanvas {
    texts: Vec<Text>,
    spots: Vec<TextSpot>,
    /// Line and column to keep visible if only a part fits.
    focus: Option<(i32, i32)>,
}

#[derive(Debug, Clone)]
struct Text {
    line: i32,
    column: i32,
    text: String,
    style: Style,
}

/// The place of a [diagram](crate::Spot) spot on a board as text.
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

const BLANK: Glyph = (' ', Style::new());

/// The colour of a player's pieces.
pub const fn side_style(side: Side) -> Style {
    match side {
        Side::P1 => coloured(AnsiColor::Red),
        Side::P2 => coloured(AnsiColor::Cyan),
    }
}

/// Bold text in this colour.
pub const fn coloured(colour: AnsiColor) -> Style {
    colour.on_default().bold()
}

/// Brackets that mark the last move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastMove {
    /// Round brackets.
    From,
    /// Square brackets.
    To,
}

impl TextCanvas {
    /// An empty page.
    pub fn new() -> TextCanvas {
        TextCanvas::default()
    }

    /// Writes a text without colour at a position.
    pub fn write(&mut self, line: i32, column: i32, text: impl Into<String>) {
        self.put(line, column, text, Style::new());
    }

    /// Writes a text with a style at a position.
    pub fn put(&mut self, line: i32, column: i32, text: impl Into<String>, style: Style) {
        self.texts.push(Text {
            line,
            column,
            text: text.into(),
            style,
        });
    }

    /// Writes a highlighted text at a position, in the brackets of a mark. The target of the last move becomes the
    /// focus of the page.
    pub fn mark(&mut self, line: i32, column: i32, text: &str, style: Style, mark: LastMove) {
        let text = match mark {
            LastMove::From => format!("({text})"),
            LastMove::To => {
                self.focus(line, column);
                format!("[{text}]")
            }
        };
        self.put(line, column - 1, text, style.invert());
    }

    /// Sets the place of a diagram spot: its line, first column and width.
    pub fn spot(&mut self, line: i32, column: i32, width: i32, id: impl Into<String>) {
        self.spots.push(TextSpot {
            id: id.into(),
            line,
            columns: column..column + width,
        });
    }

    /// Sets the focus: the place to keep visible if only a part of the page fits.
    pub fn focus(&mut self, line: i32, column: i32) {
        self.focus = Some((line, column));
    }

    /// Rotates the page by 180 degrees, as seen from the other side of the table; each text stays upright.
    pub fn turned(mut self) -> TextCanvas {
        for text in &mut self.texts {
            text.line = -text.line;
            text.column = -text.columns().end;
        }
        for spot in &mut self.spots {
            spot.line = -spot.line;
            spot.columns = -spot.columns.end..-spot.columns.start;
        }
        self.focus = self.focus.map(|(line, column)| (-line, -column - 1));
        self
    }

    /// The lines from the first text to the last, without margins and trailing blanks.
    pub fn text(&self, is_coloured: bool) -> String {
        text(&self.page().lines, is_coloured)
    }

    /// Renders the texts to characters, without margins.
    pub(crate) fn page(&self) -> CanvasPage {
        let lines = span(self.texts.iter().map(|text| text.line..text.line + 1));
        let columns = span(self.texts.iter().map(Text::columns));
        let mut page = vec![vec![BLANK; columns.len()]; lines.len()];
        for text in &self.texts {
            let line = &mut page[(text.line - lines.start) as usize];
            let first = (text.column - columns.start) as usize;
            for (glyph, letter) in line[first..].iter_mut().zip(text.text.chars()) {
                *glyph = (letter, text.style);
            }
        }
        page.iter_mut().for_each(trim);
        let moved = |spot: &TextSpot| TextSpot {
            line: spot.line - lines.start,
            columns: spot.columns.start - columns.start..spot.columns.end - columns.start,
            ..spot.clone()
        };
        let middle = (lines.len() as i32 / 2, columns.len() as i32 / 2);
        CanvasPage {
            lines: page,
            n_columns: columns.len(),
            spots: self.spots.iter().map(moved).collect(),
            focus: self.focus.map_or(middle, |(line, column)| {
                (line - lines.start, column - columns.start)
            }),
        }
    }
}

/// A rendered canvas. Lines and columns count from 0.
#[derive(Debug)]
pub(crate) struct CanvasPage {
    /// The lines, without trailing blanks.
    pub(crate) lines: Vec<Vec<Glyph>>,
    /// The width of the longest line.
    pub(crate) n_columns: usize,
    pub(crate) spots: Vec<TextSpot>,
    /// Line and column of the focus; the middle of the page if none is set.
    pub(crate) focus: (i32, i32),
}

impl Text {
    fn columns(&self) -> Range<i32> {
        self.column..self.column + self.text.chars().count() as i32
    }
}

/// Removes trailing blanks.
pub(crate) fn trim(line: &mut Vec<Glyph>) {
    let end = line.iter().rposition(|&(letter, _)| letter != ' ');
    line.truncate(end.map_or(0, |last| last + 1));
}

/// A line of plain text.
pub(crate) fn plain_line(text: &str) -> Vec<Glyph> {
    text.chars().map(|letter| (letter, Style::new())).collect()
}

/// Converts lines of characters to text.
pub(crate) fn text(lines: &[Vec<Glyph>], is_coloured: bool) -> String {
    let draw = if is_coloured { paint } else { plain };
    let lines: Vec<String> = lines.iter().map(|line| draw(line)).collect();
    lines.join("\n")
}

/// The smallest range that contains all of these.
fn span(ranges: impl Iterator<Item = Range<i32>>) -> Range<i32> {
    let join = |a: Range<i32>, b: Range<i32>| a.start.min(b.start)..a.end.max(b.end);
    ranges.reduce(join).unwrap_or_default()
}

fn plain(line: &[Glyph]) -> String {
    line.iter().map(|(letter, _)| letter).collect()
}

/// A line with ANSI colours.
pub fn paint(line: &[Glyph]) -> String {
    let runs = line.chunk_by(|(_, one), (_, other)| one == other);
    let painted = |run: &[Glyph]| {
        let style = run[0].1;
        format!("{style}{}{style:#}", plain(run))
    };
    runs.map(painted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> TextCanvas {
        let mut canvas = TextCanvas::new();
        canvas.write(0, 4, "ab");
        canvas.put(1, 3, "x", side_style(Side::P1));
        canvas.mark(1, 5, "o", side_style(Side::P2), LastMove::To);
        canvas
    }

    #[test]
    fn the_page_begins_at_its_first_text() {
        assert_eq!(canvas().text(false), " ab\nx[o]");
        assert_eq!(TextCanvas::new().text(true), "");
    }

    #[test]
    fn turned_texts_stay_upright() {
        assert_eq!(canvas().turned().text(false), "[o]x\n ab");
        assert_eq!(canvas().turned().turned().text(true), canvas().text(true));
    }

    #[test]
    fn later_texts_cover_earlier_ones_and_ends_are_cut() {
        let mut canvas = canvas();
        canvas.write(1, 5, "   ");
        assert_eq!(canvas.text(false), " ab\nx[");
    }

    #[test]
    fn spots_and_the_focus_turn_with_the_page() {
        let mut canvas = canvas();
        canvas.spot(0, 4, 2, "ab");
        let page = canvas.page();
        assert_eq!((page.n_columns, page.focus), (4, (1, 2)));
        assert_eq!(
            (page.spots[0].line, page.spots[0].columns.clone()),
            (0, 1..3)
        );
        let page = canvas.turned().page();
        assert_eq!(page.focus, (0, 1));
        assert_eq!(
            (page.spots[0].line, page.spots[0].columns.clone()),
            (1, 1..3)
        );
    }

    #[test]
    fn colours_stand_around_runs() {
        assert_eq!(
            canvas().text(true),
            " ab\n\u{1b}[1m\u{1b}[31mx\u{1b}[0m\u{1b}[1m\u{1b}[7m\u{1b}[36m[o]\u{1b}[0m"
        );
    }
}
