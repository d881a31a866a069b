//! The columns of a terminal that characters take: two for a wide one, none for a combining one.

use draw::Glyph;
use unicode_width::UnicodeWidthChar;

/// The number of columns of a text.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// The number of columns of a row of the screen.
pub(crate) fn row_columns(row: &[Glyph]) -> usize {
    row.iter().map(|(letter, _)| columns_of(*letter)).sum()
}

/// Splits a text after the characters that fit into `n_columns`.
pub(crate) fn split_at_column(text: &str, n_columns: usize) -> (&str, &str) {
    let mut n_taken = 0;
    let end = text.char_indices().find_map(|(at, letter)| {
        n_taken += columns_of(letter);
        (n_taken > n_columns).then_some(at)
    });
    text.split_at(end.unwrap_or(text.len()))
}

/// The beginning of a text that fits into `n_columns`, filled up with blanks.
pub(crate) fn padded(text: &str, n_columns: usize) -> String {
    let (start, _) = split_at_column(text, n_columns);
    let blanks = " ".repeat(n_columns - columns(start));
    format!("{start}{blanks}")
}

fn columns_of(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_characters_are_counted_as_terminals_do() {
        assert_eq!(
            ["ab", "\u{65e5}\u{672c}", "e\u{301}"].map(columns),
            [2, 4, 1]
        );
    }

    #[test]
    fn a_character_that_does_not_fit_is_left_out() {
        let split = |n_columns| split_at_column("a\u{65e5}e\u{301}", n_columns);
        assert_eq!(split(2), ("a", "\u{65e5}e\u{301}"));
        assert_eq!(split(3), ("a\u{65e5}", "e\u{301}"));
        assert_eq!(split(4), ("a\u{65e5}e\u{301}", ""));
        assert_eq!(padded("a\u{65e5}", 2), "a ");
        assert_eq!(padded("a\u{65e5}", 5), "a\u{65e5}  ");
    }
}
