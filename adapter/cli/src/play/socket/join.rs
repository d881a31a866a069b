//! The line with which a guest joins: `join WORD [p1|p2|watch]`.

use kit::Side;
use record::table::{Role, SideSet};

/// The form of the line, for errors.
pub(crate) const USAGE: &str = "join PASSWORD [p1|p2|watch]";

/// The request of a guest who has just connected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JoinLine {
    /// The password, or the token of a seat that the guest has left.
    pub(crate) word: String,
    /// Requested role.
    pub(crate) role: Role,
}

/// Parses the line; `None` if it has another form. Only the password is case-sensitive.
pub(crate) fn parse(line: &str) -> Option<JoinLine> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (word, wish) = match words.as_slice() {
        [join, word] if is(join, "join") => (*word, None),
        [join, word, wish] if is(join, "join") => (*word, Some(*wish)),
        _ => return None,
    };
    let role = match wish {
        None => Role::Player(SideSet::NONE),
        Some(wish) if is(wish, "p1") => Role::Player(Side::P1.into()),
        Some(wish) if is(wish, "p2") => Role::Player(Side::P2.into()),
        Some(wish) if is(wish, "watch") => Role::Spectator,
        Some(_) => return None,
    };
    Some(JoinLine {
        word: word.to_owned(),
        role,
    })
}

fn is(text: &str, word: &str) -> bool {
    text.eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read() {
        let role = |line: &str| parse(line).map(|join| (join.word, join.role));
        let read = |role| Some(("Xy7".to_owned(), role));
        assert_eq!(role("join Xy7"), read(Role::Player(SideSet::NONE)));
        assert_eq!(role(" JOIN  Xy7 P1 "), read(Role::Player(Side::P1.into())));
        assert_eq!(role("join Xy7 p2"), read(Role::Player(Side::P2.into())));
        assert_eq!(role("join Xy7 watch"), read(Role::Spectator));
    }

    #[test]
    fn another_line_joins_nobody() {
        for line in [
            "",
            "join",
            "join Xy7 p3",
            "join Xy7 p1 p2",
            "GET / HTTP/1.1",
            "Xy7",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
