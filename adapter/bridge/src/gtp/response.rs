//! Formats GTP answers.

use std::fmt;

/// Answer to one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    /// Number of the command.
    pub(crate) id: Option<u32>,
    /// Result, or error.
    pub(crate) text: Result<String, String>,
}

/// Writes the answer with the empty line that ends it. Empty lines in the text are removed, because they would end the
/// answer.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(why) => ('?', why),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        f.write_str(" ")?;
        // A text of several lines may begin on the line after the sign.
        if let Some(rest) = text.strip_prefix('\n') {
            f.write_str("\n")?;
            return write_lines(f, rest);
        }
        if text.is_empty() {
            return f.write_str("\n\n");
        }
        write_lines(f, text)
    }
}

fn write_lines(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let lines = text.lines().map(str::trim_end);
    for line in lines.filter(|line| !line.is_empty()) {
        writeln!(f, "{line}")?;
    }
    f.write_str("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(id: Option<u32>, text: Result<&str, &str>) -> String {
        let text = text.map(str::to_owned).map_err(str::to_owned);
        Response { id, text }.to_string()
    }

    #[test]
    fn an_answer_ends_with_an_empty_line_and_holds_none() {
        assert_eq!(written(None, Ok("")), "= \n\n");
        assert_eq!(written(Some(7), Ok("A1")), "=7 A1\n\n");
        assert_eq!(written(None, Ok("a \n\n  b\n")), "= a\n  b\n\n");
        assert_eq!(written(None, Ok("\n. X\nO .\n")), "= \n. X\nO .\n\n");
        assert_eq!(
            written(Some(0), Err("unknown command")),
            "?0 unknown command\n\n"
        );
    }
}
