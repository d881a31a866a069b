//! The line that a person types at a terminal, with its history and completion.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::text::is_unsafe;
use tui_input::InputRequest;
use unicode_truncate::UnicodeTruncateStr;
use unicode_width::UnicodeWidthStr;

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
