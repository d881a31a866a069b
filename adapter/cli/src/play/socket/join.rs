//! The lines of a guest who has just connected: `join WORD [TABLE] [p1|p2|watch] [80x24] [NAME]`, and for several
//! tables `tables WORD` and `open WORD GAME [p1|p2|watch] [80x24] [NAME]`.

use record::table::{Role, SeatId, SideSet};

use crate::play::screen::Size;

/// The form of the line to join, for errors.
pub(crate) const USAGE: &str = "join PASSWORD [p1|p2|watch] [NAME]";

/// The forms of the lines where guests can open tables.
pub(crate) const ROOM_USAGE: &str =
    "tables PASSWORD, join PASSWORD [TABLE] [p1|p2|watch] [NAME], or open PASSWORD GAME [NAME]";

/// The request of a guest who has just connected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LobbyRequest {
    Join(JoinLine),
    /// Open a table of this game, and join it.
    Open(String, JoinLine),
    /// List the tables; the password.
    List(String),
}

/// The request to join.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JoinLine {
    /// The password, or the token of a seat that the guest has left.
    pub(crate) word: String,
    /// Requested role.
    pub(crate) role: Role,
    /// Requested seat of a partner.
    pub(crate) seat: Option<SeatId>,
    pub(crate) name: Option<String>,
    /// Number of the table.
    pub(crate) table: Option<usize>,
    /// Size of the guest's screen.
    pub(crate) size: Option<Size>,
}

/// Parses the line; `None` if it has another form. Only the password and the name are case-sensitive.
pub(crate) fn parse(line: &str) -> Option<LobbyRequest> {
    let mut words = line.split_whitespace().peekable();
    let command = words.next()?.to_ascii_lowercase();
    let word = words.next()?.to_owned();
    match command.as_str() {
        "join" => {
            let table = words.peek().and_then(|word| word.parse().ok());
            let rest = words.skip(usize::from(table.is_some()));
            join_line(word, table, rest.collect()).map(LobbyRequest::Join)
        }
        "open" => {
            let game = words.next()?.to_owned();
            let line = join_line(word, None, words.collect())?;
            Some(LobbyRequest::Open(game, line))
        }
        "tables" if words.next().is_none() => Some(LobbyRequest::List(word)),
        _ => None,
    }
}

/// Reads what follows the password: a place, a size, and a name, which is last.
fn join_line(word: String, table: Option<usize>, mut words: Vec<&str>) -> Option<JoinLine> {
    let mut take = |index: usize, is_it: &dyn Fn(&str) -> bool| {
        let found = words.get(index).is_some_and(|word| is_it(word));
        found.then(|| words.remove(index))
    };
    let is_place = |word: &str| place(word).is_some();
    let is_size = |word: &str| Size::parse(word).is_some();
    let wanted = take(0, &is_place);
    let size = take(0, &is_size);
    let wanted = wanted.or_else(|| take(0, &is_place));
    // Another place is a typing error, not a name.
    if words.iter().any(|name| is_like_place(name)) {
        return None;
    }
    let wanted = wanted.and_then(place);
    let (role, seat) = wanted.unwrap_or((Role::Player(SideSet::NONE), None));
    let name = Some(words.join(" ")).filter(|name| !name.is_empty());
    Some(JoinLine {
        word,
        role,
        seat,
        name,
        table,
        size: size.and_then(Size::parse),
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
            let Some(LobbyRequest::Join(join)) = parse(line) else {
                panic!("{line}");
            };
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
    fn tables_and_sizes_are_read() {
        let join = |line: &str| match parse(line) {
            Some(LobbyRequest::Join(join) | LobbyRequest::Open(_, join)) => join,
            other => panic!("{line}: {other:?}"),
        };
        let size = |line: &str| join(line).size.map(|size| (size.columns, size.lines));
        assert_eq!(join("join Xy7 2 p1 Bob").table, Some(2));
        assert_eq!(size("join Xy7 p1 40x12 Bob"), Some((40, 12)));
        assert_eq!(size("join Xy7 3 40x12 watch Bob"), Some((40, 12)));
        assert_eq!(join("join Xy7 3 40x12 watch Bob").role, Role::Spectator);
        assert_eq!(join("open Xy7 susan Bob").name.as_deref(), Some("Bob"));
        assert_eq!(
            parse("tables Xy7"),
            Some(LobbyRequest::List("Xy7".to_owned()))
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
            "tables",
            "tables Xy7 2",
            "open Xy7",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
