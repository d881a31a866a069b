//! Cleaning of pasted lines: removes the additions of mail programs, archives and word processors.

/// Distance between tab stops in columns.
const TAB: usize = 8;

/// Removes quotation marks (`> `), the number of a list item (`14.`) and invisible characters, and replaces tabs and
/// no-break spaces by blanks. The remaining characters keep their columns.
pub fn clean(line: &str) -> String {
    let mut text = clean_text(line);
    blank_number(&mut text);
    text.truncate(text.trim_end().len());
    text
}

/// The same as [`clean`], but keeps the number of a list item, which may be the number of a move.
pub fn clean_text(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut n_columns = 0;
    for sign in unquoted(line).chars() {
        let old_len = text.len();
        match sign {
            '\t' => {
                let width = TAB - n_columns % TAB;
                text.extend(std::iter::repeat_n(' ', width));
            }
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
            '\u{2010}'..='\u{2015}' | '\u{2212}' => text.push('-'),
            '\u{2018}' | '\u{2019}' => text.push('\''),
            '\u{b7}' => text.push('.'),
            '\u{2026}' => text.push_str("..."),
            '\u{2800}' => text.push(' '),
            _ if sign.is_whitespace() || sign.is_control() => text.push(' '),
            _ => text.push(sign),
        }
        n_columns += text[old_len..].chars().count();
    }
    text.truncate(text.trim_end().len());
    text
}

/// Removes the quotation marks of a line. A line without them keeps its margin.
fn unquoted(line: &str) -> &str {
    let mut rest = line;
    while let Some(quoted) = rest.trim_start().strip_prefix('>') {
        rest = quoted;
    }
    rest
}

/// Replaces the number of a list item by blanks.
fn blank_number(line: &mut String) {
    let start = line.len() - line.trim_start().len();
    let n_digits = line[start..].bytes().take_while(u8::is_ascii_digit).count();
    let end = start + n_digits + 1;
    let is_number = n_digits > 0 && line.as_bytes().get(end - 1) == Some(&b'.');
    if is_number && line.as_bytes().get(end).is_none_or(|next| *next == b' ') {
        line.replace_range(start..end, &" ".repeat(end - start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_line_is_taken_off() {
        for (line, cleaned) in [
            ("> > a . x 6\r", " a . x 6"),
            (">a . x", "a . x"),
            ("  71.\u{a0}a\u{a0}. x", "      a . x"),
            ("14. ", ""),
            ("14.", ""),
            ("1 . x", "1 . x"),
            ("1.5 inches", "1.5 inches"),
            ("\t|--*\t|", "        |--*    |"),
            ("\u{feff}S \u{b7} O\u{2026}", "S . O..."),
            ("a4\u{2013}c4", "a4-c4"),
            ("\u{0}\u{1b}[A", "  [A"),
            ("   ", ""),
        ] {
            assert_eq!(clean(line), cleaned, "{line:?}");
        }
    }

    #[test]
    fn columns_stay() {
        let drawn = ["  8. \u{a0}S . O", " 17. \u{a0}  . .", "100. \u{a0}S"];
        let columns = drawn.map(|line| clean(line).find(['S', '.']));
        assert_eq!(columns, [Some(6), Some(8), Some(6)]);
    }
}
