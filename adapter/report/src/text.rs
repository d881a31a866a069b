//! Names cut to fit a table.

use std::borrow::Cow;

use protocol::text::one_line;

/// Like [`one_line`], cut to at most `max` characters; a cut text ends with `…`.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    let line = one_line(text);
    if line.chars().count() <= max {
        return line;
    }
    let begin: String = line.chars().take(max.saturating_sub(1)).collect();
    Cow::Owned(begin.trim_end().to_owned() + "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_at_characters() {
        assert_eq!(shortened("山田山田", 4), "山田山田");
        assert_eq!(shortened("山田 山田", 4), "山田…");
    }
}
