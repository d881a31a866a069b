//! A whole screen as characters, and the output that changes one screen into the next.

use draw::{Glyph, anstyle::Style, paint};

use super::columns::columns;

/// Rows of characters, from the top of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) rows: Vec<Vec<Glyph>>,
    /// The last row, which is also the prompt of the key reader.
    pub(crate) status: String,
}

impl Frame {
    /// The output that replaces the frame on the screen by this one: each character that differs, at its position.
    /// Without an old frame, the screen is cleared first.
    pub(crate) fn changes(&self, shown: Option<&Frame>) -> String {
        let mut out = String::new();
        if shown.is_none() {
            out.push_str("\x1b[2J");
        }
        let n_rows = shown.map_or(0, |frame| frame.rows.len());
        for at in 0..self.rows.len().max(n_rows) {
            let row = self.rows.get(at).map_or(&[][..], Vec::as_slice);
            let old = shown.and_then(|frame| frame.rows.get(at));
            change_row(&mut out, at, row, old.map_or(&[][..], Vec::as_slice));
        }
        if shown.is_none_or(|shown| shown.status != self.status) {
            out.push_str(&format!(
                "{}\x1b[K{}",
                place(self.rows.len(), 0),
                self.status
            ));
        }
        // The cursor ends up after the status.
        let column = columns(&self.status);
        out.push_str(&place(self.rows.len(), column));
        out
    }
}

fn change_row(out: &mut String, at: usize, row: &[Glyph], old: &[Glyph]) {
    if row == old {
        return;
    }
    if !row.iter().chain(old).all(is_narrow) {
        // If a character may be two columns wide, the positions after it are unknown.
        out.push_str(&format!("{}\x1b[K{}", place(at, 0), paint(row)));
        return;
    }
    let glyph = |row: &[Glyph], column: usize| row.get(column).copied().unwrap_or(BLANK);
    let n_columns = row.len().max(old.len());
    let differs = |column: usize| glyph(row, column) != glyph(old, column);
    let differing: Vec<usize> = (0..n_columns).filter(|&column| differs(column)).collect();
    for run in differing.chunk_by(|one, next| next - one <= MAX_GAP) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let glyphs: Vec<Glyph> = (first..=last).map(|column| glyph(row, column)).collect();
        out.push_str(&place(at, first));
        out.push_str(&paint(&glyphs));
    }
}

/// Maximum distance of characters that are written with those between them, which is shorter than a cursor movement.
const MAX_GAP: usize = 6;

const BLANK: Glyph = (' ', Style::new());

/// `true` if a character certainly takes one column.
fn is_narrow(glyph: &Glyph) -> bool {
    glyph.0.is_ascii() || matches!(glyph.0, '·' | '\u{2800}'..='\u{28ff}')
}

/// Moves the cursor; row and column are counted from 0.
fn place(row: usize, column: usize) -> String {
    format!("\x1b[{};{}H", row + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(rows: &[&str], status: &str) -> Frame {
        let row = |row: &&str| row.chars().map(|letter| (letter, Style::new())).collect();
        Frame {
            rows: rows.iter().map(row).collect(),
            status: status.to_owned(),
        }
    }

    #[test]
    fn a_first_frame_clears_the_screen() {
        let text = frame(&["ab", ""], "1>").changes(None);
        assert_eq!(text, "\x1b[2J\x1b[1;1Hab\x1b[3;1H\x1b[K1>\x1b[3;3H");
    }

    #[test]
    fn what_differs_alone_is_written() {
        let old = frame(&["abcdef       g", "xyz"], "1>");
        let new = frame(&["abXdeY       Z", "x"], "1>");
        assert_eq!(
            new.changes(Some(&old)),
            "\x1b[1;3HXdeY\x1b[1;14HZ\x1b[2;2H  \x1b[3;3H"
        );
        assert_eq!(new.changes(Some(&new)), "\x1b[3;3H");
    }

    #[test]
    fn a_row_with_wide_characters_is_written_whole() {
        let old = frame(&["日本 a"], "");
        let new = frame(&["日本 b"], "");
        assert_eq!(new.changes(Some(&old)), "\x1b[1;1H\x1b[K日本 b\x1b[2;1H");
    }

    #[test]
    fn the_cursor_is_after_the_columns_of_the_status() {
        let text = frame(&[], "1> 日本").changes(None);
        assert!(text.ends_with("\x1b[1;8H"), "{text:?}");
    }

    #[test]
    fn styles_count_as_differences() {
        let old = frame(&["ab"], "");
        let mut new = old.clone();
        new.rows[0][1].1 = Style::new().invert();
        assert_eq!(new.changes(Some(&old)), "\x1b[1;2H\x1b[7mb\x1b[0m\x1b[2;1H");
    }
}
