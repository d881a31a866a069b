//! The lines of a GTP controller, the form of an answer, and half moves: a point, or `pass`.
//!
//! In GTP version 2, a line is an optional number, a command name and its arguments. Control characters are removed,
//! tabs count as spaces, and `#` begins a comment.

use std::fmt;

use kit::Side;

use crate::points::Point;

/// All commands in alphabetical order, each with an example of its arguments.
pub(super) const COMMANDS: [(&str, &str); 27] = [
    ("boardsize", "9"),
    ("clear_board", ""),
    ("final_score", ""),
    ("genmove", "black"),
    ("gogui-analyze_commands", ""),
    // Supports the comment `# interrupt`, which makes the engine move at once.
    ("gogui-interrupt", ""),
    ("gogui-rules_board", ""),
    ("gogui-rules_board_gfx", ""),
    ("gogui-rules_board_size", ""),
    ("gogui-rules_final_result", ""),
    ("gogui-rules_game_id", ""),
    ("gogui-rules_legal_moves", ""),
    ("gogui-rules_side_to_move", ""),
    ("known_command", "play"),
    ("komi", "0"),
    ("linesman-moves", ""),
    ("linesman-position", ""),
    ("list_commands", ""),
    ("name", ""),
    ("play", "black C3"),
    ("protocol_version", ""),
    ("quit", ""),
    ("showboard", ""),
    ("time_left", "black 60 0"),
    ("time_settings", "60 10 5"),
    ("undo", ""),
    ("version", ""),
];

/// `true` for the comment with which a controller interrupts the running command.
pub(super) fn is_interrupt(line: &str) -> bool {
    line.trim() == "# interrupt"
}

/// A line that holds a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// Number that the answer repeats.
    pub(super) id: Option<u32>,
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

/// Parses a line; `None` if it holds no command.
pub(super) fn parse(line: &str) -> Option<Request> {
    let line = line.split('#').next().unwrap_or_default();
    let clean = line.replace('\t', " ").replace(char::is_control, "");
    let words = clean.split(' ').filter(|word| !word.is_empty());
    let mut words = words.map(str::to_owned);
    let mut name = words.next()?;
    let id = name.parse().ok();
    if id.is_some() {
        name = words.next()?;
    }
    let words = words.collect();
    Some(Request { id, name, words })
}

/// Parses a colour, ignoring case. Black is player 1.
pub(super) fn parse_colour(word: &str) -> Option<Side> {
    let word = word.to_ascii_lowercase();
    let is_named = |side: &Side| word == colour(*side) || word == colour(*side)[..1];
    Side::BOTH.into_iter().find(is_named)
}

/// Returns GTP's name of a side.
pub(super) fn colour(side: Side) -> &'static str {
    match side {
        Side::P1 => "black",
        Side::P2 => "white",
    }
}

/// Formats an answer with the empty line that ends it. Empty lines in the text are left out, since they would end it
/// too.
pub(super) fn format_answer(id: Option<u32>, answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(why) => ('?', why),
    };
    let id = id.map_or(String::new(), |id| id.to_string());
    // A text of several lines may begin on the line after the sign.
    let start = if text.starts_with('\n') { "\n" } else { "" };
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    format!("{sign}{id} {start}{}\n\n", lines.join("\n"))
}

/// Letters of the columns. Two letters follow `Z`.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// GoGui's maximum board size, which two letters cover.
const MAX_SIZE: u8 = 52;

/// A half move. `A1` is the lower left corner, the letter I is skipped, and `AA` follows `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Click {
    /// A point of the board.
    At(Point),
    /// A move without a point, which GUIs send as a pass.
    Pass,
}

impl Click {
    /// Parses a vertex, ignoring case: the half move that is written like this.
    pub fn parse(word: &str) -> Option<Click> {
        let column = |column| (0..MAX_SIZE).map(move |row| Click::At(Point { column, row }));
        let mut clicks = (0..MAX_SIZE).flat_map(column).chain([Click::Pass]);
        clicks.find(|click| click.to_string().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Click {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Click::At(Point { column, row }) = *self else {
            return f.write_str("pass");
        };
        let (tens, ones) = (usize::from(column) / 25, usize::from(column) % 25);
        if let Some(tens) = tens.checked_sub(1) {
            write!(f, "{}", char::from(LETTERS[tens]))?;
        }
        write!(f, "{}{}", char::from(LETTERS[ones]), u32::from(row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_comments_and_control_characters_are_handled() {
        assert_eq!(parse("# a comment"), None);
        assert_eq!(parse("  \u{7} "), None);
        assert_eq!(parse("17"), None);
        let request = Request {
            id: Some(12),
            name: "genmove".to_owned(),
            words: vec!["WHITE".to_owned()],
        };
        assert_eq!(parse("12\tgenmove\tWHITE # now"), Some(request));
        assert_eq!(parse("name").expect("a command").id, None);
        assert!(is_interrupt("# interrupt\r"));
        assert!(!is_interrupt("interrupt"));
    }

    #[test]
    fn an_answer_ends_with_an_empty_line_and_holds_none() {
        for (id, text, expected) in [
            (None, Ok(""), "= \n\n"),
            (Some(7), Ok("A1"), "=7 A1\n\n"),
            (None, Ok("a \n\n  b\n"), "= a\n  b\n\n"),
            (None, Ok("\n. X\nO .\n"), "= \n. X\nO .\n\n"),
            (Some(0), Err("unknown command"), "?0 unknown command\n\n"),
        ] {
            let text = text.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(format_answer(id, &text), expected);
        }
    }

    fn at(column: u8, row: u8) -> Click {
        Click::At(Point { column, row })
    }

    #[test]
    fn points_are_written_as_gogui_reads_them() {
        for (vertex, text) in [
            (at(0, 0), "A1"),
            (at(7, 1), "H2"),
            (at(8, 2), "J3"),
            (at(24, 24), "Z25"),
            (at(25, 25), "AA26"),
            (at(34, 0), "AK1"),
            (at(50, 51), "BA52"),
            (Click::Pass, "pass"),
        ] {
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Click::parse(text), Some(vertex));
            assert_eq!(Click::parse(&text.to_lowercase()), Some(vertex));
        }
    }

    #[test]
    fn every_point_reads_back() {
        for column in 0..MAX_SIZE {
            for row in [0, 8, 51] {
                let vertex = at(column, row);
                assert_eq!(Click::parse(&vertex.to_string()), Some(vertex));
            }
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in [
            "", "A", "1", "I1", "A0", "A53", "A+1", "A256", "AAA1", "ZZ1", "A 1", "Ä1", "resign",
        ] {
            assert_eq!(Click::parse(text), None, "{text:?}");
        }
    }
}
