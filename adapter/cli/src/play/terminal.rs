//! A terminal that passes on each key: at a prompt, messages appear above the line that is typed, or the whole screen is
//! painted.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use draw::anstyle;
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Style};
use unicode_width::UnicodeWidthStr;

use super::line::{InputLine, Row};
use super::screen::{Frame, Input, InputMode, Prompt, Screen, Size};
use crate::output::{printable, write};
use crate::platform::terminal::{
    await_input, enter_full_screen, leave_full_screen, restore, suspend, take, terminal_size,
};

/// Maximum number of lines shown of a pasted text.
const MAX_SHOWN: usize = 40;

/// Time for which another key is awaited after one. If it ran out before the keys that are read already were looked at,
/// they would stay there until the next one: it is longer than a busy machine stops a thread.
const NEXT_KEY_TIMEOUT: Duration = Duration::from_millis(200);

/// A terminal in raw mode.
pub(crate) struct RawTerminal {
    input: Receiver<Input>,
    /// The row of the cursor, with the prompt and the line.
    row: Option<Row>,
    /// The painted screen.
    painted: Option<Frame>,
}

impl RawTerminal {
    /// Takes over the terminal, and starts the thread that sends its keys to `sender`.
    ///
    /// # Errors
    /// There is no terminal, or no thread can be started.
    pub(crate) fn open(sender: Sender<Input>, input: Receiver<Input>) -> io::Result<RawTerminal> {
        // It is restored if this fails.
        let terminal = RawTerminal {
            input,
            row: None,
            painted: None,
        };
        // Text typed before the prompt then appears after it, and Ctrl-C is already a key.
        take()?;
        thread::Builder::new().spawn(move || {
            // The receiver may be gone.
            let _ = read_keys(&sender).or_else(|_| sender.send(Input::End));
        })?;
        Ok(terminal)
    }
}

/// Sends what is typed and pasted, until the terminal is closed.
fn read_keys(input: &Sender<Input>) -> io::Result<()> {
    loop {
        await_input()?;
        while event::poll(NEXT_KEY_TIMEOUT)? {
            let heard = match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => continue,
                Event::Key(key) if key.modifiers == KeyModifiers::CONTROL => match key.code {
                    KeyCode::Char('c') => Input::Interrupt,
                    KeyCode::Char('z') => Input::Suspend,
                    _ => Input::Key(key),
                },
                Event::Key(key) => Input::Key(key),
                Event::Paste(text) => Input::pasted(&text),
                // A new size is noticed when the screen is painted.
                _ => continue,
            };
            if input.send(heard).is_err() {
                return Ok(());
            }
        }
    }
}

impl Screen for RawTerminal {
    fn input_mode(&self) -> InputMode {
        InputMode::Terminal
    }

    fn size(&self) -> Option<Size> {
        terminal_size()
    }

    fn reads_keys(&self) -> bool {
        true
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn paint(&mut self, frame: &Frame) -> io::Result<()> {
        if self.row.take().is_some() {
            write("\r\x1b[K")?;
        }
        if enter_full_screen()? {
            self.painted = None;
        }
        write(&repaint(frame, self.painted.as_ref()))?;
        self.painted = Some(frame.clone());
        Ok(())
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        // The line stays on its row.
        let ended = self.row.take().map_or(Ok(()), |_| write("\n"));
        match (ended, input) {
            // The terminal may be closed.
            (_, Input::End) => Ok(()),
            (Err(error), _) => Err(error),
            (Ok(()), Input::Suspend) => {
                self.painted = None;
                suspend()
            }
            // The terminal does not echo pasted text.
            (Ok(()), Input::Paste(_, text)) if self.painted.is_none() => write(&shown(text)),
            (Ok(()), _) => Ok(()),
        }
    }

    fn show(&mut self, text: &str, prompt: &Prompt, line: &InputLine) -> io::Result<()> {
        leave_full_screen()?;
        self.painted = None;
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = prompt;
        let width = terminal_size().map_or(80, |size| size.columns);
        let row = line.row(prompt, width.saturating_sub(1));
        let mut out = String::new();
        if !text.is_empty() {
            let erase = self.row.take().map_or("", |_| "\r\x1b[J");
            out.push_str(&format!("{erase}{text}"));
        }
        change_row(&mut out, &row, self.row.as_ref());
        self.row = Some(row);
        write(&out)
    }

    fn close(&mut self, text: &str) {
        let erase = self.row.take().map_or("", |_| "\r\x1b[J");
        let _ = leave_full_screen().and_then(|()| write(&format!("{erase}{text}")));
        restore();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Replaces the row of the cursor by another one.
fn change_row(out: &mut String, row: &Row, old: Option<&Row>) {
    let end = row.text.width();
    let is_at_end = |old: &Row| old.cursor == old.text.width();
    match old {
        Some(old) if old == row => return,
        Some(old) if is_at_end(old) && row.text.starts_with(&old.text) => {
            out.push_str(&row.text[old.text.len()..]);
        }
        Some(_) => out.push_str(&format!("\r\x1b[K{}", row.text)),
        None => out.push_str(&row.text),
    }
    if row.cursor < end {
        out.push_str(&format!("\x1b[{}D", end - row.cursor));
    }
}

/// The displayed part of a pasted text.
fn shown(text: &str) -> String {
    let lines = text.lines().take(MAX_SHOWN);
    let shown = lines.map(|line| format!("{}\n", printable(line)));
    let n_more = text.lines().count().saturating_sub(MAX_SHOWN);
    let more = (n_more > 0).then(|| format!("... and {n_more} more lines\n"));
    shown.chain(more).collect()
}

/// The output that replaces the frame on the screen by this one: each row that differs, as a whole, since the places
/// behind a character that may be two columns wide are unknown. Without an old frame of the same size, the screen is
/// cleared first.
fn repaint(frame: &Frame, shown: Option<&Frame>) -> String {
    let area = frame.buffer.area;
    let old = shown.filter(|shown| shown.buffer.area == area);
    let mut out = if old.is_none() { "\x1b[2J" } else { "" }.to_owned();
    let (empty, width) = (Buffer::empty(area), usize::from(area.width).max(1));
    let old = old.map_or(&empty, |shown| &shown.buffer);
    let rows = frame.buffer.content.chunks(width);
    for (number, (new, old)) in (1..).zip(rows.zip(old.content.chunks(width))) {
        if new != old {
            out.push_str(&format!("\x1b[{number};1H\x1b[K{}", row_text(new)));
        }
    }
    out.push_str(&format!("\x1b[{};{}H", area.height, frame.cursor + 1));
    out
}

/// A row with its styles, without the blanks at its end.
fn row_text(cells: &[Cell]) -> String {
    let end = cells.iter().rposition(|cell| *cell != Cell::EMPTY);
    let (mut text, mut style) = (String::new(), anstyle::Style::new());
    let mut rest = &cells[..end.map_or(0, |end| end + 1)];
    while let Some(cell) = rest.first() {
        if style_of(cell) != style {
            let end = style.render_reset();
            style = style_of(cell);
            text.push_str(&format!("{end}{}", style.render()));
        }
        text.push_str(cell.symbol());
        // A wide character covers the cell behind it.
        rest = &rest[cell.symbol().width().clamp(1, rest.len())..];
    }
    text + &style.render_reset().to_string()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::screen::line;

    #[test]
    fn what_is_added_to_a_row_is_written_alone() {
        let row = |text: &str, cursor| Row {
            text: text.to_owned(),
            cursor,
        };
        for (old, new, written) in [
            (None, row("1> e", 4), "1> e"),
            (Some(row("1> e", 4)), row("1> e5", 5), "5"),
            (Some(row("1> e", 4)), row("1> e", 4), ""),
            (Some(row("1> e5", 5)), row("1> e5", 3), "\x1b[2D"),
            (
                Some(row("1> e5", 3)),
                row("1> ae5", 4),
                "\r\x1b[K1> ae5\x1b[2D",
            ),
            (Some(row("1> e5", 5)), row("1> e", 4), "\r\x1b[K1> e"),
        ] {
            let mut out = String::new();
            change_row(&mut out, &new, old.as_ref());
            assert_eq!(out, written);
        }
    }

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
        let text = repaint(&frame(&["ab", ""], "1>"), None);
        assert_eq!(text, "\x1b[2J\x1b[1;1H\x1b[Kab\x1b[3;1H\x1b[K1>\x1b[3;3H");
    }

    #[test]
    fn rows_that_differ_are_written() {
        let old = frame(&["abcdef       g", "xyz"], "1>");
        let new = frame(&["abXdeY       g", "x"], "1>");
        let changes = "\x1b[1;1H\x1b[KabXdeY       g\x1b[2;1H\x1b[Kx\x1b[3;3H";
        assert_eq!(repaint(&new, Some(&old)), changes);
        assert_eq!(repaint(&new, Some(&new)), "\x1b[3;3H");
        let smaller = frame(&["abXdeY"], "1>");
        assert!(repaint(&smaller, Some(&new)).starts_with("\x1b[2J"));
    }

    #[test]
    fn wide_characters_keep_their_places() {
        let old = frame(&["日本 a"], "1> e");
        let new = frame(&["日本 b"], "1> e5");
        let changes = "\x1b[1;1H\x1b[K日本 b\x1b[2;1H\x1b[K1> e5\x1b[2;6H";
        assert_eq!(repaint(&new, Some(&old)), changes);
    }

    #[test]
    fn the_cursor_is_after_the_columns_of_the_prompt() {
        let text = repaint(&frame(&[], "1> 日本"), None);
        assert!(text.ends_with("\x1b[1;8H"), "{text:?}");
    }

    #[test]
    fn styles_count_as_differences() {
        let old = frame(&["ab"], "");
        let mut new = old.clone();
        new.put(1, 0, line(&[('b', anstyle::Style::new().invert())]));
        assert_eq!(
            repaint(&new, Some(&old)),
            "\x1b[1;1H\x1b[Ka\x1b[7mb\x1b[0m\x1b[2;1H"
        );
    }
}
