//! Text in lines of a width.

use record::pgn::wrap;
use unicode_truncate::UnicodeTruncateStr;
use unicode_width::UnicodeWidthStr;

use super::screen::Size;

/// Maximum width of listings, in characters.
pub(crate) const WIDTH: usize = 78;

/// A paragraph in lines of at most `width` characters.
pub(crate) fn fill(text: &str, width: usize) -> String {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    wrap(&words, width)
}

/// The rows of the first page of these lines, and the number of lines on it, at least one.
pub(crate) fn page_of(lines: &[String], size: Size) -> (Vec<String>, usize) {
    let n_rows = size.lines.saturating_sub(1);
    let mut rows: Vec<String> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let folded = fold(line, size.columns);
        if number > 0 && rows.len() + folded.len() > n_rows {
            return (rows, number);
        }
        rows.extend(folded.into_iter().take(n_rows));
    }
    (rows, lines.len())
}

/// The rows of the last messages that fit whole; of a single new one that does not, its beginning.
pub(crate) fn last_of(said: &[String], is_new: bool, width: usize, n_rows: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in said.iter().rev() {
        let folded = fold(line, width);
        if rows.len() + folded.len() > n_rows {
            if rows.is_empty() && is_new {
                rows.extend(folded.into_iter().take(n_rows));
            }
            break;
        }
        rows.splice(..0, folded);
    }
    rows
}

/// A line of text, wrapped at the width of the screen: between words, or within one that is longer.
pub(crate) fn fold(line: &str, width: usize) -> Vec<String> {
    let mut line = line.to_owned();
    if line.width() > width {
        line = fill(&line, width);
    }
    line.lines().flat_map(|line| cut(line, width)).collect()
}

/// The parts of a line that fit the screen.
fn cut(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        // Each row takes a character, which may be wide, with what belongs to it.
        let (row, _) = rest.unicode_truncate(width.max(2));
        let end = match row.len() {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            end => end,
        };
        rows.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    rows
}
