//! Input and output of a person: the interface to a terminal, a pipe or a socket, what is typed there, the line with its
//! history and completion, and the painted screen of a terminal.

use std::io;
use std::time::Instant;

use crossbeam_channel::Receiver;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use draw::{Glyph, anstyle};
use protocol::Line as TypedLine;
use protocol::text::is_unsafe;
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Style};
use ratatui_core::text::{Line, Span};
use tui_input::InputRequest;
use unicode_truncate::UnicodeTruncateStr;
use unicode_width::UnicodeWidthStr;

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
    Line(Instant, TypedLine),
    /// A key of a terminal.
    Key(KeyEvent),
    /// A text that was pasted at once, with its line breaks, and its time.
    Paste(Instant, String),
    /// A rejected paste, with the reason.
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

    /// The output that replaces the frame on the screen by this one: each row that differs, as a whole, since the places
    /// behind a character that may be two columns wide are unknown. Without an old frame of the same size, the screen is
    /// cleared first.
    pub(crate) fn changes(&self, shown: Option<&Frame>) -> String {
        let area = self.buffer.area;
        let old = shown.filter(|frame| frame.buffer.area == area);
        let mut out = if old.is_none() { "\x1b[2J" } else { "" }.to_owned();
        let (empty, width) = (Buffer::empty(area), usize::from(area.width).max(1));
        let old = old.map_or(&empty, |frame| &frame.buffer);
        let rows = self.buffer.content.chunks(width);
        for (number, (new, old)) in (1..).zip(rows.zip(old.content.chunks(width))) {
            if new != old {
                out.push_str(&format!("\x1b[{number};1H\x1b[K{}", row_text(new)));
            }
        }
        out.push_str(&format!("\x1b[{};{}H", area.height, self.cursor + 1));
        out
    }
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

/// Maximum length of a line, in bytes: a long text pasted by mistake is cut off.
const MAX_LINE: usize = 4096;

/// A row of a screen, and the column of the cursor in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) cursor: usize,
}

impl Row {
    /// A row with the cursor behind it.
    pub(crate) fn new(text: &str) -> Row {
        Row {
            text: text.to_owned(),
            cursor: text.width(),
        }
    }
}

/// A line, and its history.
#[derive(Debug, Default)]
pub(crate) struct InputLine {
    input: tui_input::Input,
    /// The lines entered before, and the index of the recalled one; the line itself is after them.
    entered: Vec<String>,
    recalled: usize,
    /// The line typed before another one was recalled.
    draft: String,
    /// The text that a search in the history looks for.
    wanted: Option<String>,
}

impl InputLine {
    pub(crate) fn text(&self) -> &str {
        self.input.value()
    }

    /// `true` while nothing is typed or looked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.text().is_empty() && self.wanted.is_none()
    }

    /// Replaces the text; the cursor is at its end.
    fn set(&mut self, text: &str) {
        self.input = std::mem::take(&mut self.input).with_value(text.to_owned());
    }

    /// Begins a new line with a text.
    pub(crate) fn begin(&mut self, text: &str) {
        self.recalled = self.entered.len();
        self.wanted = None;
        self.set(text);
    }

    /// `true` if a pasted text becomes part of the line: it has no line break, and there is room for it.
    pub(crate) fn admits(&self, text: &str) -> bool {
        !text.contains('\n') && self.text().len() + text.len() <= MAX_LINE
    }

    /// Inserts a text at the cursor.
    pub(crate) fn insert(&mut self, text: &str) {
        for letter in text.chars() {
            self.input.handle(InputRequest::InsertChar(letter));
        }
    }

    /// The text before the cursor, and the rest.
    fn parts(&self) -> (&str, &str) {
        let text = self.text();
        let at = text.char_indices().nth(self.input.cursor());
        text.split_at(at.map_or(text.len(), |(at, _)| at))
    }

    /// Ends the line and returns it.
    pub(crate) fn enter(&mut self) -> String {
        let line = self.input.value_and_reset();
        self.wanted = None;
        if !line.trim().is_empty() && self.entered.last() != Some(&line) {
            self.entered.push(line.clone());
        }
        self.recalled = self.entered.len();
        line
    }

    /// Edits the line by a key, or recalls another one.
    pub(crate) fn edit(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.search(key, is_control) {
            return;
        }
        self.wanted = None;
        match key.code {
            KeyCode::Up => self.recall(-1),
            KeyCode::Down => self.recall(1),
            KeyCode::Char('p') if is_control => self.recall(-1),
            KeyCode::Char('n') if is_control => self.recall(1),
            _ => {
                let request = request(key).filter(|request| {
                    let is_longer =
                        matches!(request, InputRequest::InsertChar(_) | InputRequest::Yank);
                    !is_longer || self.text().len() < MAX_LINE
                });
                // The change by the key does not matter.
                let _ = request.map(|request| self.input.handle(request));
            }
        }
    }

    /// Searches the history: Ctrl-R begins, and finds the next older line; letters add to the text. `false` for a key that
    /// edits the line that was found.
    fn search(&mut self, key: KeyEvent, is_control: bool) -> bool {
        let older = match (key.code, &mut self.wanted) {
            (KeyCode::Char('r'), _) if is_control => {
                self.wanted.get_or_insert_default();
                self.recalled
            }
            (KeyCode::Char('g'), Some(_)) if is_control => {
                self.begin("");
                return true;
            }
            (KeyCode::Char(letter), Some(wanted)) if is_text(key) => {
                wanted.push(letter);
                (self.recalled + 1).min(self.entered.len())
            }
            (KeyCode::Backspace, Some(wanted)) => {
                wanted.pop();
                self.entered.len()
            }
            _ => return false,
        };
        let wanted = self.wanted.as_deref().unwrap_or_default();
        let mut found = self.entered[..older].iter();
        if let Some(index) = found.rposition(|line| line.contains(wanted)) {
            self.recall_at(index);
        }
        true
    }

    /// Replaces the line by the one entered before it or after it.
    fn recall(&mut self, step: isize) {
        let index = self.recalled.saturating_add_signed(step);
        if index <= self.entered.len() && index != self.recalled {
            self.recall_at(index);
        }
    }

    fn recall_at(&mut self, index: usize) {
        if self.recalled == self.entered.len() {
            self.draft = self.text().to_owned();
        }
        self.recalled = index;
        self.set(&self.entered.get(index).unwrap_or(&self.draft).clone());
    }

    /// The text before the cursor.
    pub(crate) fn before(&self) -> &str {
        self.parts().0
    }

    /// Completes the text before the cursor from byte `start` on to the longest common beginning of what it may be. If it
    /// is already there, returns `false`.
    pub(crate) fn complete(&mut self, start: usize, found: &[String]) -> bool {
        let before = self.before();
        let (n_typed, common) = (before.len() - start, common_beginning(found).to_owned());
        if common.len() <= n_typed {
            return false;
        }
        for _ in 0..before[start..].chars().count() {
            self.input.handle(InputRequest::DeletePrevChar);
        }
        self.insert(&common);
        true
    }

    /// The line behind a prompt, in one row of `width` columns. Of a long one, the part with the cursor is shown.
    pub(crate) fn row(&self, prompt: &str, width: usize) -> Row {
        let search = self.wanted.as_ref();
        let search = search.map(|wanted| format!("(search) {wanted}: "));
        let prompt = search.as_deref().unwrap_or(prompt);
        let (before, after) = self.parts();
        let shown = |letter: char| match letter {
            '\t' => ' ',
            letter if is_unsafe(letter) => char::REPLACEMENT_CHARACTER,
            letter => letter,
        };
        let shown = |text: &str| text.chars().map(shown).collect::<String>();
        let (before, after) = (shown(before), shown(after));
        let room = width.saturating_sub(prompt.width() + 1);
        let (before, n_before) = match before.width() > room {
            true => before.unicode_truncate_start(room),
            false => (before.as_str(), before.width()),
        };
        let text = format!("{prompt}{before}{after}");
        Row {
            text: text.unicode_truncate(width).0.to_owned(),
            cursor: prompt.width() + n_before,
        }
    }
}

/// `true` for a key that only adds to the line.
pub(crate) fn is_text(key: KeyEvent) -> bool {
    matches!(request(key), Some(InputRequest::InsertChar(_)))
}

/// The usual keys of a line, as in readline.
fn request(key: KeyEvent) -> Option<InputRequest> {
    use InputRequest::{
        DeleteFromStart, DeleteNextChar, DeleteNextWord, DeletePrevChar, DeletePrevWord,
        DeleteTillEnd, GoToEnd, GoToNextChar, GoToNextWord, GoToPrevChar, GoToPrevWord, GoToStart,
        InsertChar, Yank,
    };
    let is = |modifiers| key.modifiers.contains(modifiers);
    let (is_control, is_alt) = (is(KeyModifiers::CONTROL), is(KeyModifiers::ALT));
    Some(match (key.code, is_control, is_alt) {
        (KeyCode::Char(letter), false, false) => InsertChar(letter),
        (KeyCode::Home, ..) | (KeyCode::Char('a'), true, _) => GoToStart,
        (KeyCode::End, ..) | (KeyCode::Char('e'), true, _) => GoToEnd,
        (KeyCode::Left, false, false) | (KeyCode::Char('b'), true, _) => GoToPrevChar,
        (KeyCode::Right, false, false) | (KeyCode::Char('f'), true, _) => GoToNextChar,
        (KeyCode::Left, ..) | (KeyCode::Char('b'), _, true) => GoToPrevWord,
        (KeyCode::Right, ..) | (KeyCode::Char('f'), _, true) => GoToNextWord,
        (KeyCode::Backspace, false, false) | (KeyCode::Char('h'), true, _) => DeletePrevChar,
        (KeyCode::Delete, false, false) | (KeyCode::Char('d'), true, _) => DeleteNextChar,
        (KeyCode::Backspace, ..) | (KeyCode::Char('w'), true, _) => DeletePrevWord,
        (KeyCode::Delete, ..) | (KeyCode::Char('d'), _, true) => DeleteNextWord,
        (KeyCode::Char('u'), true, _) => DeleteFromStart,
        (KeyCode::Char('k'), true, _) => DeleteTillEnd,
        (KeyCode::Char('y'), true, _) => Yank,
        _ => return None,
    })
}

/// The longest text with which all these begin.
fn common_beginning(texts: &[String]) -> &str {
    let Some((first, rest)) = texts.split_first() else {
        return "";
    };
    let n_common = |other: &String| {
        let pairs = first.chars().zip(other.chars());
        let same = pairs.take_while(|(one, other)| one == other);
        same.map(|(letter, _)| letter.len_utf8()).sum()
    };
    let end = rest.iter().map(n_common).min().unwrap_or(first.len());
    &first[..end]
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
        assert_eq!(text, "\x1b[2J\x1b[1;1H\x1b[Kab\x1b[3;1H\x1b[K1>\x1b[3;3H");
    }

    #[test]
    fn rows_that_differ_are_written() {
        let old = frame(&["abcdef       g", "xyz"], "1>");
        let new = frame(&["abXdeY       g", "x"], "1>");
        let changes = "\x1b[1;1H\x1b[KabXdeY       g\x1b[2;1H\x1b[Kx\x1b[3;3H";
        assert_eq!(new.changes(Some(&old)), changes);
        assert_eq!(new.changes(Some(&new)), "\x1b[3;3H");
        let smaller = frame(&["abXdeY"], "1>");
        assert!(smaller.changes(Some(&new)).starts_with("\x1b[2J"));
    }

    #[test]
    fn wide_characters_keep_their_places() {
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
        assert_eq!(
            new.changes(Some(&old)),
            "\x1b[1;1H\x1b[Ka\x1b[7mb\x1b[0m\x1b[2;1H"
        );
    }

    /// The row of a line after these keys: `^a` and `~b` are with Ctrl and Alt, `<` and `>` arrows.
    fn typed(line: &mut InputLine, keys: &str) -> String {
        let mut letters = keys.chars();
        while let Some(letter) = letters.next() {
            let with = |letter: Option<char>, modifiers| {
                KeyEvent::new(KeyCode::Char(letter.expect("a letter")), modifiers)
            };
            line.edit(match letter {
                '^' => with(letters.next(), KeyModifiers::CONTROL),
                '~' => with(letters.next(), KeyModifiers::ALT),
                '<' => KeyCode::Left.into(),
                '>' => KeyCode::Right.into(),
                letter => KeyCode::Char(letter).into(),
            });
        }
        let (before, after) = line.parts();
        format!("{before}|{after}")
    }

    #[test]
    fn a_line_is_edited_by_the_usual_keys() {
        for (keys, text) in [
            ("say hello^ax", "x|say hello"),
            ("say hello^a^e!", "say hello!|"),
            ("say hello~b~b>", "s|ay hello"),
            ("say hello^a~f^k", "say |"),
            ("say hello^w", "say |"),
            ("say hello<<^u", "|lo"),
            ("say hello^w^y^y", "say hellohello|"),
            ("say hello^a^d~d", "|hello"),
            ("say^b^b^f^h", "s|y"),
            ("日本<^h", "|本"),
        ] {
            assert_eq!(typed(&mut InputLine::default(), keys), text, "{keys}");
        }
    }

    #[test]
    fn entered_lines_are_recalled_and_the_draft_is_kept() {
        let mut line = InputLine::default();
        for text in ["undo", "hint", "hint", ""] {
            line.set(text);
            line.enter();
        }
        for (keys, text) in [
            ("e^p", "hint|"),
            ("^p", "undo|"),
            ("^p", "undo|"),
            ("^n", "hint|"),
            ("^n", "e|"),
            ("^n", "e|"),
        ] {
            assert_eq!(typed(&mut line, keys), text);
        }
        typed(&mut line, "^p");
        line.begin("");
        assert_eq!(typed(&mut line, "^p"), "hint|");
    }

    #[test]
    fn the_history_is_searched() {
        let mut line = InputLine::default();
        for text in ["undo", "save a", "save b", "hint"] {
            line.set(text);
            line.enter();
        }
        let row = |line: &InputLine| line.row("1> ", 40).text;
        for (keys, shown) in [
            ("dr^r", "(search) : hint"),
            ("sa", "(search) sa: save b"),
            ("^r", "(search) sa: save a"),
            ("^r", "(search) sa: save a"),
            ("x", "(search) sax: save a"),
            ("^a", "1> save a"),
            ("^r^g", "1> "),
        ] {
            typed(&mut line, keys);
            assert_eq!(row(&line), shown, "{keys}");
        }
        typed(&mut line, "^rundo");
        assert_eq!(line.enter(), "undo");
    }

    #[test]
    fn a_word_is_completed_as_far_as_it_is_known() {
        let found = ["a1-b2", "a1-b3"].map(str::to_owned);
        for (before, start, after, is_longer) in [
            ("A1", 0, "a1-b|", true),
            ("b2 a1-", 3, "b2 a1-b|", true),
            ("a1-b", 0, "a1-b|", false),
        ] {
            let mut line = InputLine::default();
            line.set(before);
            assert_eq!(line.complete(start, &found), is_longer, "{before}");
            assert_eq!(typed(&mut line, ""), after);
        }
        let mut line = InputLine::default();
        typed(&mut line, "a1b2<<");
        line.complete(0, &found);
        assert_eq!(typed(&mut line, ""), "a1-b|b2");
    }

    #[test]
    fn a_row_shows_the_part_with_the_cursor() {
        let mut line = InputLine::default();
        let row = |line: &InputLine| {
            let row = line.row("1> ", 8);
            (row.text, row.cursor)
        };
        typed(&mut line, "abcd");
        assert_eq!(row(&line), ("1> abcd".to_owned(), 7));
        typed(&mut line, "ef");
        assert_eq!(row(&line), ("1> cdef".to_owned(), 7));
        typed(&mut line, "^a");
        assert_eq!(row(&line), ("1> abcde".to_owned(), 3));
        line.set("日本語");
        assert_eq!(row(&line), ("1> 本語".to_owned(), 7));
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut line = InputLine::default();
        line.set(&"x".repeat(MAX_LINE));
        assert!(!line.admits("y"));
        typed(&mut line, "y");
        assert_eq!(line.text().len(), MAX_LINE);
    }
}
