//! A canvas on which a board is drawn: short texts at positions, with or without colour.
//!
//! Colour is added to the finished page, so it never changes the layout. This module depends on no game.

use std::ops::Range;

use anstyle::{AnsiColor, Style};

use crate::Side;

/// Texts at lines and columns, which may be negative; of two that overlap, the later one is shown.
#[derive(Debug, Clone, Default)]
pub struct TextCanvas {
    texts: Vec<Text>,
}

#[derive(Debug, Clone)]
struct Text {
    line: i32,
    column: i32,
    text: String,
    style: Style,
}

/// A character of the page and its style.
type Glyph = (char, Style);

const BLANK: Glyph = (' ', Style::new());

/// The colour of a player's pieces.
pub const fn side_style(side: Side) -> Style {
    match side {
        Side::P1 => coloured(AnsiColor::Red),
        Side::P2 => coloured(AnsiColor::Cyan),
    }
}

/// Bold in this colour.
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

    /// Puts a text at a position, without colour.
    pub fn write(&mut self, line: i32, column: i32, text: impl Into<String>) {
        self.put(line, column, text, Style::new());
    }

    /// Puts a text at a position.
    pub fn put(&mut self, line: i32, column: i32, text: impl Into<String>, style: Style) {
        self.texts.push(Text {
            line,
            column,
            text: text.into(),
            style,
        });
    }

    /// Puts a highlighted text at a position, with the brackets of a mark around it.
    pub fn mark(&mut self, line: i32, column: i32, text: &str, style: Style, mark: LastMove) {
        let text = match mark {
            LastMove::From => format!("({text})"),
            LastMove::To => format!("[{text}]"),
        };
        self.put(line, column - 1, text, style.invert());
    }

    /// The page as seen from the other side of the table: turned by 180 degrees, each text upright.
    pub fn turned(mut self) -> TextCanvas {
        for text in &mut self.texts {
            text.line = -text.line;
            text.column = -text.columns().end;
        }
        self
    }

    /// The lines from the first text to the last, without margins and blank ends.
    pub fn text(&self, is_coloured: bool) -> String {
        let lines: Vec<String> = self
            .glyphs()
            .iter()
            .map(|line| {
                if is_coloured {
                    paint(line)
                } else {
                    plain(line)
                }
            })
            .collect();
        lines.join("\n")
    }

    fn glyphs(&self) -> Vec<Vec<Glyph>> {
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
        for line in &mut page {
            let end = line.iter().rposition(|&(letter, _)| letter != ' ');
            line.truncate(end.map_or(0, |last| last + 1));
        }
        page
    }
}

impl Text {
    fn columns(&self) -> Range<i32> {
        self.column..self.column + self.text.chars().count() as i32
    }
}

/// The smallest range that contains all of these.
fn span(ranges: impl Iterator<Item = Range<i32>>) -> Range<i32> {
    let join = |a: Range<i32>, b: Range<i32>| a.start.min(b.start)..a.end.max(b.end);
    ranges.reduce(join).unwrap_or_default()
}

fn plain(line: &[Glyph]) -> String {
    line.iter().map(|(letter, _)| letter).collect()
}

fn paint(line: &[Glyph]) -> String {
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
    fn colours_stand_around_runs() {
        assert_eq!(
            canvas().text(true),
            " ab\n\u{1b}[1m\u{1b}[31mx\u{1b}[0m\u{1b}[1m\u{1b}[7m\u{1b}[36m[o]\u{1b}[0m"
        );
    }
}
