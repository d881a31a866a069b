//! A whole screen, and the output that changes one screen into the next.

use draw::{Glyph, anstyle};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Style};
use ratatui_core::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::screen::{Row, Size};

/// The characters of a screen, and the cursor in its last row.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) buffer: Buffer,
    cursor: u16,
}

impl Frame {
    /// An empty screen of this size.
    pub(crate) fn new(size: Size) -> Frame {
        let [columns, lines] = [size.columns, size.lines].map(|n| n.try_into().unwrap_or(u16::MAX));
        Frame {
            buffer: Buffer::empty(Rect::new(0, 0, columns, lines)),
            cursor: 0,
        }
    }

    /// Writes text at a place; it is cut at the edge of the screen.
    pub(crate) fn put<'a>(&mut self, column: usize, row: usize, line: impl Into<Line<'a>>) {
        let place = (u16::try_from(column), u16::try_from(row));
        if let (Ok(column), Ok(row)) = place
            && self.buffer.area.contains((column, row).into())
        {
            let width = self.buffer.area.width - column;
            self.buffer.set_line(column, row, &line.into(), width);
        }
    }

    /// Writes the last row, with the cursor in it.
    pub(crate) fn put_last(&mut self, row: &Row) {
        let last = usize::from(self.buffer.area.height).saturating_sub(1);
        self.put(0, last, row.text.as_str());
        let most = self.buffer.area.width.saturating_sub(1);
        self.cursor = row.cursor.try_into().unwrap_or(most).min(most);
    }

    /// The output that replaces the frame on the screen by this one: in each row that differs, from the first to the last
    /// cell that does. Without an old frame of the same size, the screen is cleared first.
    pub(crate) fn changes(&self, shown: Option<&Frame>) -> String {
        let area = self.buffer.area;
        let mut out = String::new();
        let empty = Buffer::empty(area);
        let old = match shown.filter(|frame| frame.buffer.area == area) {
            Some(frame) => &frame.buffer,
            None => {
                out.push_str("\x1b[2J");
                &empty
            }
        };
        for row in 0..area.height {
            self.change_row(&mut out, row, old);
        }
        out.push_str(&place(area.height.saturating_sub(1), self.cursor));
        out
    }

    fn change_row(&self, out: &mut String, row: u16, old: &Buffer) {
        let (new, width) = (&self.buffer, self.buffer.area.width);
        let differs = |column: &u16| new[(*column, row)] != old[(*column, row)];
        let (Some(mut first), Some(mut last)) =
            ((0..width).find(differs), (0..width).rev().find(differs))
        else {
            return;
        };
        let is_narrow =
            |column: u16| is_narrow(&new[(column, row)]) && is_narrow(&old[(column, row)]);
        // Behind a character that may be two columns wide, places are unknown; and the prompt is read as a whole.
        if !(0..width).all(is_narrow) || row + 1 == self.buffer.area.height {
            let is_blank = |column: &u16| new[(*column, row)] == Cell::EMPTY;
            first = 0;
            last = (0..width)
                .rev()
                .find(|column| !is_blank(column))
                .unwrap_or(0);
            out.push_str(&format!("{}\x1b[K", place(row, 0)));
        } else {
            out.push_str(&place(row, first));
        }
        let mut style = anstyle::Style::new();
        let mut column = first;
        while column <= last {
            let cell = &new[(column, row)];
            if style_of(cell) != style {
                let end = style.render_reset();
                style = style_of(cell);
                out.push_str(&format!("{end}{}", style.render()));
            }
            out.push_str(cell.symbol());
            column += cell.symbol().width().max(1) as u16;
        }
        out.push_str(&style.render_reset().to_string());
    }
}

/// A row of a board.
pub(crate) fn line(glyphs: &[Glyph]) -> Line<'static> {
    let span = |(letter, style): &Glyph| Span::styled(letter.to_string(), Style::from(*style));
    glyphs.iter().map(span).collect()
}

fn style_of(cell: &Cell) -> anstyle::Style {
    let colour = |colour: Color| Some(colour).filter(|colour| *colour != Color::Reset);
    let style = Style {
        fg: colour(cell.fg),
        bg: colour(cell.bg),
        ..cell.style()
    };
    style.into()
}

/// `true` if a character certainly takes one column.
fn is_narrow(cell: &Cell) -> bool {
    let mut letters = cell.symbol().chars();
    letters.all(|letter| letter.is_ascii() || matches!(letter, '·' | '\u{2800}'..='\u{28ff}'))
}

/// Moves the cursor; row and column are counted from 0.
fn place(row: u16, column: u16) -> String {
    format!("\x1b[{};{}H", row + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(rows: &[&str], prompt: &str) -> Frame {
        let size = Size {
            columns: 20,
            lines: rows.len() + 1,
        };
        let mut frame = Frame::new(size);
        for (number, row) in rows.iter().enumerate() {
            frame.put(0, number, *row);
        }
        frame.put_last(&Row::new(prompt));
        frame
    }

    #[test]
    fn a_first_frame_clears_the_screen() {
        let text = frame(&["ab", ""], "1>").changes(None);
        assert_eq!(text, "\x1b[2J\x1b[1;1Hab\x1b[3;1H\x1b[K1>\x1b[3;3H");
    }

    #[test]
    fn what_differs_alone_is_written() {
        let old = frame(&["abcdef       g", "xyz"], "1>");
        let new = frame(&["abXdeY       g", "x"], "1>");
        let changes = "\x1b[1;3HXdeY\x1b[2;2H  \x1b[3;3H";
        assert_eq!(new.changes(Some(&old)), changes);
        assert_eq!(new.changes(Some(&new)), "\x1b[3;3H");
        let smaller = frame(&["abXdeY"], "1>");
        assert!(smaller.changes(Some(&new)).starts_with("\x1b[2J"));
    }

    #[test]
    fn the_prompt_and_rows_with_wide_characters_are_written_whole() {
        let old = frame(&["日本 a"], "1> e");
        let new = frame(&["日本 b"], "1> e5");
        let changes = "\x1b[1;1H\x1b[K日本 b\x1b[2;1H\x1b[K1> e5\x1b[2;6H";
        assert_eq!(new.changes(Some(&old)), changes);
    }

    #[test]
    fn the_cursor_is_after_the_columns_of_the_prompt() {
        let text = frame(&[], "1> 日本").changes(None);
        assert!(text.ends_with("\x1b[1;8H"), "{text:?}");
    }

    #[test]
    fn styles_count_as_differences() {
        let old = frame(&["ab"], "");
        let mut new = old.clone();
        new.put(1, 0, line(&[('b', anstyle::Style::new().invert())]));
        assert_eq!(new.changes(Some(&old)), "\x1b[1;2H\x1b[7mb\x1b[0m\x1b[2;1H");
    }
}
