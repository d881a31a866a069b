//! The interface to a person: the screen of a terminal, a pipe or a socket, and its input.

use std::io;
use std::time::Instant;

use crossbeam_channel::Receiver;
use crossterm::event::{KeyCode, KeyEvent};
use draw::Glyph;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::line::{InputLine, Row};

/// The size of a screen, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: usize,
    pub(crate) lines: usize,
}

impl Size {
    /// Parses a size such as `80x24`.
    pub(crate) fn parse(text: &str) -> Option<Size> {
        let (columns, lines) = text.split_once('x')?;
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some(Size {
            columns: number(columns)?,
            lines: number(lines)?,
        })
    }
}

/// The kind of person who types the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputMode {
    /// A script: each line is read when it can be executed, and refused moves are written to standard error.
    Script,
    /// A person at a terminal.
    Terminal,
    /// A person at a connection.
    Guest,
}

impl InputMode {
    /// A person types the lines, and some words are executed before a waiting move.
    pub(crate) fn is_live(self) -> bool {
        self != InputMode::Script
    }

    /// Moves that lose at once and words that end a game must be typed twice.
    pub(crate) fn asks_twice(self) -> bool {
        self == InputMode::Terminal
    }
}

/// The text before the typed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// A move or word is expected.
    Ask(String),
    /// Other players are to move, but words are allowed.
    Wait(String),
}

/// A person's screen and keyboard.
pub(crate) trait Screen {
    fn input_mode(&self) -> InputMode;

    /// The current size of the screen; `None` if it is unknown, or if there is no screen.
    fn size(&self) -> Option<Size> {
        None
    }

    /// `true` if the input is [keys](Input::Key), not lines. If its size is known, the screen can then be
    /// [painted](Screen::paint).
    fn reads_keys(&self) -> bool {
        false
    }

    /// Paints the whole screen, which lasts until the next call of [`show`](Screen::show).
    ///
    /// # Errors
    /// The screen cannot be written, or cannot be painted.
    fn paint(&mut self, _: &Frame) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The input. A line of a script arrives only after a [`Prompt::Ask`].
    fn input(&self) -> &Receiver<Input>;

    /// Called for each input that is handled, except for keys: ends the line on the screen, or shows one that the person did
    /// not type there. After [`Suspend`](Input::Suspend) it returns when the program continues.
    ///
    /// # Errors
    /// The line cannot be written.
    fn echo(&mut self, input: &Input) -> io::Result<()>;

    /// Shows text, which consists of whole lines and may be empty, and below it the prompt with the line so far.
    ///
    /// # Errors
    /// The text cannot be written.
    fn show(&mut self, text: &str, prompt: &Prompt, line: &InputLine) -> io::Result<()>;

    /// Shows the last lines and ends the input.
    fn close(&mut self, text: &str);
}

/// Maximum size of a pasted text, in bytes; a longer one is refused.
const MAX_PASTE: usize = 1 << 18;

/// Input from a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line and its time.
    Line(Instant, String),
    /// A key of a terminal.
    Key(KeyEvent),
    /// A text that was pasted at once, with its line breaks, and its time.
    Paste(Instant, String),
    /// A line or a paste that is too long, with the reason for its rejection.
    Refused(String),
    /// The end of the input: the end of a pipe, Ctrl-D, a closed connection.
    End,
    /// A guest exceeded the rate limit.
    Flood,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
}

impl Input {
    /// A pasted text. Tabs and line breaks are the only control characters that are kept.
    pub(crate) fn pasted(text: &str) -> Input {
        if text.len() > MAX_PASTE {
            return Input::Refused(format!(
                "More than {MAX_PASTE} bytes were pasted, and all are ignored: paste fewer."
            ));
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_kept = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
        Input::Paste(Instant::now(), text.chars().filter(is_kept).collect())
    }
}

/// The direction of an arrow key, as steps to the right and downwards. The corners of the keypad are the diagonals.
pub(crate) fn direction(code: KeyCode) -> Option<(i8, i8)> {
    Some(match code {
        KeyCode::Left => (-1, 0),
        KeyCode::Right => (1, 0),
        KeyCode::Up => (0, -1),
        KeyCode::Down => (0, 1),
        KeyCode::Home => (-1, -1),
        KeyCode::PageUp => (1, -1),
        KeyCode::End => (-1, 1),
        KeyCode::PageDown => (1, 1),
        _ => return None,
    })
}

/// The characters of a screen, and the cursor in its last row.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) buffer: Buffer,
    pub(crate) cursor: u16,
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
        if let (Ok(column), Ok(row)) = (u16::try_from(column), u16::try_from(row))
            && self.buffer.area.contains((column, row).into())
        {
            let width = self.buffer.area.width - column;
            self.buffer.set_line(column, row, &line.into(), width);
        }
    }

    /// Writes rows of text from this row on.
    pub(crate) fn put_rows<R: AsRef<str>>(
        &mut self,
        first: usize,
        rows: impl IntoIterator<Item = R>,
    ) {
        for (number, row) in (first..).zip(rows) {
            self.put(0, number, row.as_ref());
        }
    }

    /// Writes the last row, with the cursor in it.
    pub(crate) fn put_last(&mut self, row: &Row) {
        let last = usize::from(self.buffer.area.height).saturating_sub(1);
        self.put(0, last, row.text.as_str());
        let most = self.buffer.area.width.saturating_sub(1);
        self.cursor = row.cursor.try_into().unwrap_or(most).min(most);
    }
}

/// A row of a board.
pub(crate) fn line(glyphs: &[Glyph]) -> Line<'static> {
    let span = |(letter, style): &Glyph| Span::styled(letter.to_string(), Style::from(*style));
    glyphs.iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_has_no_control_characters_but_tabs_and_line_breaks() {
        for (pasted, kept) in [
            ("a\r\nb\rc\n\nd", "a\nb\nc\n\nd"),
            ("\ta\u{1}\u{1b}\u{7f}b\u{a0}", "\tab\u{a0}"),
        ] {
            let input = Input::pasted(pasted);
            assert!(
                matches!(&input, Input::Paste(_, text) if text == kept),
                "{input:?}"
            );
        }
        let long = Input::pasted(&"x".repeat(MAX_PASTE + 1));
        assert!(matches!(long, Input::Refused(_)));
    }
}
