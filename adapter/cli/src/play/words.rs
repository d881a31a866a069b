//! The words of the console: the commands of a table by the names that people type, and those of the console alone. Any
//! other typed text is a move.

use std::fs;
use std::sync::LazyLock;

use itertools::Itertools;
use protocol::text::excerpt;
use table::{ClientGame, CommandId, Help, Role};

/// A word that a person can type instead of a move.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) help: Help,
    /// The command that it sends; `None` for a word of the console.
    pub(crate) command: Option<CommandId>,
}

impl Word {
    pub(crate) fn name(&self) -> &'static str {
        self.help.name()
    }

    /// `true` if the word is executed before moves that wait for their turn, and no line waits for its answer.
    pub(crate) fn is_aside(&self) -> bool {
        const ASIDE: [&str; 12] = [
            "stop", "?", "rules", "clock", "say", "hint", "eval", "claim", "resign", "quit", "yes",
            "no",
        ];
        ASIDE.contains(&self.name())
    }
}

/// All words, in the order of the list: those of the board, of the table, and the rest.
pub(crate) static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let own = Help::read(include_str!("commands.txt")).collect::<Vec<_>>();
    let (board, rest) = own.split_at(N_OF_BOARD);
    let all = board.iter().chain(Help::of_commands()).chain(rest);
    let word = |help: &Help| Word {
        help: *help,
        command: CommandId::typed(help.name()).filter(|_| !own.contains(help)),
    };
    all.map(word).collect()
});

/// Number of words of the board in `commands.txt`, which come first.
const N_OF_BOARD: usize = 7;

/// A typed line, classified by its first word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed<'a> {
    /// A word and the text after it.
    Word(&'static Word, &'a str),
    /// Anything else, which must be a move.
    Other(&'a str),
}

/// Classifies a line that is not empty. A complete word is a word even if a move is spelled like it; after `:`, any
/// unambiguous abbreviation is a word.
pub(crate) fn read(line: &str) -> Result<Typed<'_>, String> {
    let line = line.trim();
    let split = |text| -> (&str, &str) {
        let (first, rest) = str::split_once(text, char::is_whitespace).unwrap_or((text, ""));
        (first, rest.trim())
    };
    if let Some(beginning) = line.strip_prefix(':') {
        let (first, rest) = split(beginning);
        let is_quit = matches!(beginning, "q" | "Q");
        let first = if is_quit { "quit" } else { first };
        return find(first).map(|word| Typed::Word(word, rest));
    }
    let (first, rest) = match line.strip_prefix('?') {
        Some(asked) => ("?", asked.trim()),
        None => split(line),
    };
    match named(first) {
        // A word without arguments must be alone on its line.
        Some(word) if word.name() == word.help.usage && !rest.is_empty() => Err(format!(
            "{0} takes no {1:?} after it: type {0} alone",
            word.name(),
            excerpt(rest)
        )),
        Some(word) => Ok(Typed::Word(word, rest)),
        None => Ok(Typed::Other(line)),
    }
}

/// The word with this whole name; `help` is `?`.
pub(crate) fn named(name: &str) -> Option<&'static Word> {
    let is_help = name.eq_ignore_ascii_case("help");
    let name = if is_help { "?" } else { name };
    let mut words = WORDS.iter();
    words.find(|word| word.name().eq_ignore_ascii_case(name))
}

/// Finds the word with this name or unambiguous abbreviation.
///
/// # Errors
/// No word starts with the text, or several do.
pub(crate) fn find(beginning: &str) -> Result<&'static Word, String> {
    let beginning = beginning.to_ascii_lowercase();
    let starts = |word: &&Word| word.name().starts_with(&beginning);
    let known: Vec<&Word> = WORDS.iter().filter(starts).collect();
    let exact = known.iter().find(|word| word.name() == beginning);
    match (exact, known.as_slice()) {
        (Some(word), _) | (None, [word]) => Ok(word),
        (None, []) => Err(format!(
            ":{}: unknown command; ? lists them",
            excerpt(&beginning)
        )),
        (None, several) => {
            let names = several.iter().map(|word| word.name()).join(", ");
            Err(format!(":{beginning} may be {names}: type more letters"))
        }
    }
}

/// `true` if the name of a word, or `help`, begins with a text.
pub(crate) fn begins(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut names = WORDS.iter().map(Word::name).chain(["help"]);
    names.any(|name| name.starts_with(&text))
}

/// The word that a mistyped text probably means.
pub(crate) fn nearest(text: &str) -> Option<&'static str> {
    let first = text.split_whitespace().next()?.to_ascii_lowercase();
    if !(3..=12).contains(&first.len()) {
        return None;
    }
    let distance = |word: &&Word| strsim::damerau_levenshtein(word.name(), &first);
    let best = WORDS.iter().min_by_key(distance)?;
    (distance(&best) * 2 < first.len().min(6)).then_some(best.name())
}

/// The completions of a typed text: the byte at which its last part begins, and the words that this part may become. After
/// a word, its usage tells what may follow, as in `board [STYLE|all|fit]`; otherwise it is a move or a word.
pub(crate) fn completions(typed: &str, game: &ClientGame) -> (usize, Vec<String>) {
    let argument = typed.trim_start().split_once(' ');
    let (Ok(Typed::Word(word, _)), Some((_, argument))) = (read(typed), argument) else {
        let start = typed.rfind([' ', ':']).map_or(0, |before| before + 1);
        let words = WORDS.iter().map(|word| word.name().to_owned());
        let all = game.board().moves().into_iter().chain(words);
        return (start, beginning_with(&typed[start..], all));
    };
    // Names may contain blanks; moves are separate.
    let argument = match word.help.usage.ends_with("FILE") {
        true => argument.trim_start(),
        false => argument.rsplit(' ').next().unwrap_or_default(),
    };
    let usage = word.help.usage.split_once(' ');
    let usage = usage.map_or("", |(_, usage)| usage);
    let parts = usage.trim_matches(['[', ']']).split('|');
    let known = parts.flat_map(|part| arguments(part, argument, game));
    let start = typed.len() - argument.len();
    (start, beginning_with(argument, known))
}

fn beginning_with(beginning: &str, all: impl Iterator<Item = String>) -> Vec<String> {
    let beginning = beginning.to_ascii_lowercase();
    let fits = |text: &String| text.to_ascii_lowercase().starts_with(&beginning);
    all.filter(fits).collect()
}

/// The texts for a part of a usage: a placeholder in capitals, or a word.
fn arguments(part: &str, typed: &str, game: &ClientGame) -> Vec<String> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let is_guest = |who: &&table::ClientInfo| who.role != Role::Host;
    let games = || crate::GAMES.games().iter().map(|entry| entry.name);
    match part {
        "FILE" => files(typed),
        "GAME" => games().map(str::to_owned).collect(),
        "STYLE" => owned(&[&["plain"], game.board().styles()].concat()),
        "SIDE" => game.board().side_names().into(),
        "LEVEL" => owned(&["adaptive", "forget"]),
        "SQUARE" | "LETTERS" => game.board().moves(),
        "COMMAND" => WORDS.iter().map(|word| word.name().to_owned()).collect(),
        "NAME" => {
            let guests = game.snapshot().clients.iter().filter(is_guest);
            guests.map(|who| who.name.clone()).collect()
        }
        word if word.starts_with(|c: char| c.is_ascii_lowercase()) => owned(&[word]),
        _ => Vec::new(),
    }
}

/// The files and folders whose path begins with a text. Hidden ones are found by their dot.
fn files(path: &str) -> Vec<String> {
    let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
    let entries = fs::read_dir(if folder.is_empty() { "." } else { folder });
    let found = entries.into_iter().flatten().flatten().filter_map(|entry| {
        let found = entry.file_name().into_string().ok()?;
        let is_shown = !found.starts_with('.') || name.starts_with('.');
        let slash = if entry.path().is_dir() { "/" } else { "" };
        (is_shown && found.starts_with(name)).then(|| format!("{folder}{found}{slash}"))
    });
    let mut found: Vec<String> = found.collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        for (line, typed) in [
            ("undo", "undo "),
            (" UNDO ", "undo "),
            (":u", "undo "),
            (":ba 3", "back 3"),
            ("back 3", "back 3"),
            ("save my file", "save my file"),
            ("?", "? "),
            ("? undo", "? undo"),
            ("?undo", "? undo"),
            ("help undo", "? undo"),
            (":? undo", "? undo"),
            (":q", "quit "),
            ("q", "a move: q"),
            ("help", "? "),
            ("draw", "draw "),
            ("d r a w", "a move: d r a w"),
            ("b2 -> c3", "a move: b2 -> c3"),
            ("b", "a move: b"),
        ] {
            let found = match read(line).expect(line) {
                Typed::Word(word, rest) => format!("{} {rest}", word.name()),
                Typed::Other(text) => format!("a move: {text}"),
            };
            assert_eq!(found, typed, "{line}");
        }
    }

    #[test]
    fn what_is_no_word_is_explained() {
        for (line, part) in [
            (":b", "board, back"),
            (":", "moves, played, board"),
            (":xyz", ":xyz: unknown command"),
            ("undo 3", "undo takes no \"3\" after it"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_slip_is_recognised() {
        for (text, word) in [
            ("mvoes", Some("moves")),
            ("resgin", Some("resign")),
            ("e5", None),
            ("swap", None),
            ("xyzzy", None),
        ] {
            assert_eq!(nearest(text), word, "{text}");
        }
    }

    #[test]
    fn files_are_found_by_their_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a game.pgn");
        fs::write(&path, "").expect("a file");
        let beginning = folder.path().join("a g");
        let found = files(beginning.to_str().expect("a path"));
        assert_eq!(found, [path.display().to_string()]);
    }
}
