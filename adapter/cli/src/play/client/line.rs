//! The line that a person types at a terminal: its text and cursor, the lines entered before, and completion.

use std::fs;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::text::is_unsafe;
use tui_input::{Input, InputRequest};
use unicode_truncate::UnicodeTruncateStr;
use unicode_width::UnicodeWidthStr;

use crate::play::screen::Row;
use crate::play::word::{self, Typed, Word};

/// Maximum length of a line, in bytes: a long text pasted by mistake is cut off.
const MAX_BYTES: usize = 4096;

/// A line, and its history.
#[derive(Debug, Default)]
pub(crate) struct InputLine {
    input: Input,
    /// The lines entered before, and the index of the recalled one; the line itself is after them.
    entered: Vec<String>,
    recalled: usize,
    /// What was typed before another line was recalled.
    draft: String,
}

impl InputLine {
    pub(super) fn text(&self) -> &str {
        self.input.value()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// Replaces the text; the cursor is at its end.
    fn set(&mut self, text: &str) {
        self.input = std::mem::take(&mut self.input).with_value(text.to_owned());
    }

    /// Begins a new line with a text.
    pub(super) fn begin(&mut self, text: &str) {
        self.recalled = self.entered.len();
        self.set(text);
    }

    /// `true` if a pasted text becomes part of the line: it has no line break, and there is room for it.
    pub(super) fn admits(&self, text: &str) -> bool {
        !text.contains('\n') && self.text().len() + text.len() <= MAX_BYTES
    }

    /// Inserts a text at the cursor.
    pub(super) fn insert(&mut self, text: &str) {
        let (before, after) = self.parts();
        let cursor = before.chars().count() + text.chars().count();
        let text = [before, text, after].concat();
        self.set(&text);
        self.input.handle(InputRequest::SetCursor(cursor));
    }

    /// The text before the cursor, and the rest.
    fn parts(&self) -> (&str, &str) {
        let text = self.text();
        let at = text.char_indices().nth(self.input.cursor());
        text.split_at(at.map_or(text.len(), |(at, _)| at))
    }

    /// Ends the line and returns it.
    pub(super) fn enter(&mut self) -> String {
        let line = self.input.value_and_reset();
        if !line.trim().is_empty() && self.entered.last() != Some(&line) {
            self.entered.push(line.clone());
        }
        self.recalled = self.entered.len();
        line
    }

    /// Edits the line by a key, or recalls another one.
    pub(super) fn edit(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Up => self.recall(-1),
            KeyCode::Down => self.recall(1),
            KeyCode::Char('p') if is_control => self.recall(-1),
            KeyCode::Char('n') if is_control => self.recall(1),
            _ => {
                let request = request(key).filter(|request| {
                    let is_longer =
                        matches!(request, InputRequest::InsertChar(_) | InputRequest::Yank);
                    !is_longer || self.text().len() < MAX_BYTES
                });
                // What the key has changed does not matter.
                let _ = request.map(|request| self.input.handle(request));
            }
        }
    }

    /// Replaces the line by the one entered before it or after it.
    fn recall(&mut self, step: isize) {
        let index = self.recalled.saturating_add_signed(step);
        if index > self.entered.len() || index == self.recalled {
            return;
        }
        if self.recalled == self.entered.len() {
            self.draft = self.text().to_owned();
        }
        self.recalled = index;
        let text = self.entered.get(index).unwrap_or(&self.draft).clone();
        self.set(&text);
    }

    /// Completes the word before the cursor to the longest common beginning of those that it may be. If it is already
    /// there, returns them.
    pub(super) fn complete(&mut self, words: &[String]) -> Vec<String> {
        let (before, _) = self.parts();
        let (start, found) = candidates(before, words);
        let (n_typed, common) = (before.len() - start, common_beginning(&found).to_owned());
        if common.len() <= n_typed {
            return found;
        }
        let n_letters = before[start..].chars().count();
        for _ in 0..n_letters {
            self.input.handle(InputRequest::DeletePrevChar);
        }
        self.insert(&common);
        Vec::new()
    }

    /// The line behind a prompt, in one row of so many columns. Of a long one, the part with the cursor is shown.
    pub(crate) fn row(&self, prompt: &str, width: usize) -> Row {
        let (before, after) = self.parts();
        let shown = |letter: char| match letter {
            '\t' => ' ',
            letter if is_unsafe(letter) => char::REPLACEMENT_CHARACTER,
            letter => letter,
        };
        let [before, after] =
            [before, after].map(|text| text.chars().map(shown).collect::<String>());
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
pub(super) fn is_text(key: KeyEvent) -> bool {
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

/// The beginning of the last word of a typed text, and the words or names of files that complete it.
fn candidates(typed: &str, words: &[String]) -> (usize, Vec<String>) {
    if let Ok(Typed::Word(Word::Save | Word::Load, _)) = word::read(typed)
        && let Some((_, name)) = typed.trim_start().split_once(' ')
    {
        let name = name.trim_start();
        return (typed.len() - name.len(), files(name));
    }
    let start = typed.rfind([' ', ':']).map_or(0, |before| before + 1);
    let beginning = typed[start..].to_ascii_lowercase();
    let fits = |word: &&String| word.to_ascii_lowercase().starts_with(&beginning);
    (start, words.iter().filter(fits).cloned().collect())
}

/// The files and folders whose path begins with a text. Hidden ones are found by their dot.
fn files(path: &str) -> Vec<String> {
    let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
    let entries = fs::read_dir(if folder.is_empty() { "." } else { folder });
    let entries = entries.into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let found = entry.file_name().into_string().ok()?;
        let is_shown =
            found.starts_with(name) && (!found.starts_with('.') || name.starts_with('.'));
        let slash = if entry.path().is_dir() { "/" } else { "" };
        is_shown.then(|| format!("{folder}{found}{slash}"))
    });
    let mut found: Vec<String> = found.collect();
    found.sort();
    found
}

/// The longest text with which all these begin.
fn common_beginning(texts: &[String]) -> &str {
    let Some((first, rest)) = texts.split_first() else {
        return "";
    };
    let n_common = |other: &String| {
        let same = first
            .chars()
            .zip(other.chars())
            .take_while(|(one, other)| one == other);
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
    fn a_word_is_completed_as_far_as_it_is_known() {
        let words = ["resign", "review", "redo", "a1-b2", "a1-c3"].map(str::to_owned);
        for (before, after, found) in [
            ("resi", "resign|", 0),
            ("RE", "RE|", 3),
            ("rev", "review|", 0),
            (":und", ":und|", 0),
            ("A1", "a1-|", 0),
            ("b2 a1-b", "b2 a1-b2|", 0),
        ] {
            let mut line = InputLine::default();
            line.set(before);
            assert_eq!(line.complete(&words).len(), found, "{before}");
            assert_eq!(typed(&mut line, ""), after);
        }
        let mut line = InputLine::default();
        typed(&mut line, "revb2<<");
        line.complete(&words);
        assert_eq!(typed(&mut line, ""), "review|b2");
    }

    #[test]
    fn files_are_completed_after_save_and_load() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a game.pgn");
        fs::write(&path, "").expect("a file");
        let beginning = folder.path().join("a g");
        let mut line = InputLine::default();
        line.set(&format!("load {}", beginning.display()));
        assert!(line.complete(&[]).is_empty());
        assert_eq!(line.text(), format!("load {}", path.display()));
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
        line.set(&"x".repeat(MAX_BYTES));
        assert!(!line.admits("y"));
        typed(&mut line, "y");
        assert_eq!(line.text().len(), MAX_BYTES);
    }
}
