//! The line with which a guest joins: `join WORD [p1|p2|watch] [NAME]`.

use record::table::{Role, SeatId, SideSet};

/// The form of the line, for errors.
pub(crate) const USAGE: &str = "join PASSWORD [p1|p2|watch] [NAME]";

/// The request of a guest who has just connected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JoinLine {
    /// The password, or the token of a seat that the guest has left.
    pub(crate) word: String,
    /// Requested role.
    pub(crate) role: Role,
    /// Requested seat of a partner.
    pub(crate) seat: Option<SeatId>,
    pub(crate) name: Option<String>,
}

/// Parses the line; `None` if it has another form. Only the password and the name are case-sensitive.
pub(crate) fn parse(line: &str) -> Option<JoinLine> {
    let mut words = line.split_whitespace();
    words.next().filter(|join| is(join, "join"))?;
    let word = words.next()?.to_owned();
    let mut rest = words.clone();
    let place = rest.next().and_then(place);
    let names: Vec<&str> = if place.is_some() { rest } else { words }.collect();
    // Another place is a typing error, not a name.
    if names.iter().any(|name| is_like_place(name)) {
        return None;
    }
    let (role, seat) = place.unwrap_or((Role::Player(SideSet::NONE), None));
    let name = Some(names.join(" ")).filter(|name| !name.is_empty());
    Some(JoinLine {
        word,
        role,
        seat,
        name,
    })
}

/// Parses `p1`, `p2.2` or `watch`.
fn place(word: &str) -> Option<(Role, Option<SeatId>)> {
    let word = word.to_ascii_lowercase();
    if word == "watch" {
        return Some((Role::Spectator, None));
    }
    let seat: SeatId = word.parse().ok()?;
    let is_exact = word.contains('.');
    Some((Role::Player(seat.side.into()), is_exact.then_some(seat)))
}

fn is_like_place(word: &str) -> bool {
    let number = word.strip_prefix(['p', 'P']);
    is(word, "watch")
        || number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

fn is(text: &str, word: &str) -> bool {
    text.eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use kit::Side;

    use super::*;

    #[test]
    fn the_line_is_read() {
        let read = |line: &str| {
            let join = parse(line).expect(line);
            assert_eq!(join.word, "Xy7", "{line}");
            let seat = join.seat.map(|seat| seat.to_string());
            (join.role, seat, join.name)
        };
        let name = |name: &str| Some(name.to_owned());
        let any = Role::Player(SideSet::NONE);
        let [p1, p2] = Side::BOTH.map(|side| Role::Player(side.into()));
        assert_eq!(read("join Xy7"), (any, None, None));
        assert_eq!(read(" JOIN  Xy7 P1 "), (p1, None, None));
        assert_eq!(read("join Xy7 p2 Bob"), (p2, None, name("Bob")));
        assert_eq!(read("join Xy7 p2.2"), (p2, name("p2.2"), None));
        assert_eq!(read("join Xy7 Bob  Jr"), (any, None, name("Bob Jr")));
        assert_eq!(
            read("join Xy7 watch Eve"),
            (Role::Spectator, None, name("Eve"))
        );
    }

    #[test]
    fn another_line_joins_nobody() {
        for line in [
            "",
            "join",
            "join Xy7 p3",
            "join Xy7 p1 p2",
            "join Xy7 Bob p2.2",
            "GET / HTTP/1.1",
            "Xy7",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
