//! The words of the console. Any other typed text is a move.

use std::sync::LazyLock;

use clap::ValueEnum;
use protocol::text::excerpt;

/// A word that a person can type instead of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Word {
    Moves,
    Played,
    Undo,
    Redo,
    Back,
    Forward,
    Hint,
    Eval,
    Analyse,
    Review,
    Stop,
    Go,
    Auto,
    Level,
    Pace,
    Board,
    Flip,
    Mark,
    Keys,
    Peek,
    Clock,
    Draw,
    Claim,
    Yes,
    No,
    Say,
    Kick,
    Password,
    New,
    Setup,
    Puzzle,
    Save,
    Load,
    Resign,
    Quit,
    Rules,
    #[value(name = "?")]
    Help,
}

impl Word {
    /// `true` if the word is executed before moves that wait for their turn.
    pub(crate) fn overtakes(self) -> bool {
        use Word::{Claim, Clock, Help, Hint, No, Quit, Resign, Rules, Say, Stop, Yes};
        matches!(
            self,
            Stop | Help | Rules | Clock | Say | Hint | Claim | Resign | Quit | Yes | No
        )
    }
}

/// Maximum length of an explanation, in characters, so that it fits its line.
#[cfg(test)]
const MAX_ABOUT: usize = 46;

/// A word and its explanations.
pub(crate) struct Entry {
    pub(crate) word: Word,
    pub(crate) name: &'static str,
    /// The word with its arguments.
    pub(crate) usage: &'static str,
    /// At most 46 characters. Consecutive words with the same explanation are listed in one line.
    pub(crate) about: &'static str,
    /// The full explanation, in several lines.
    pub(crate) full: &'static str,
}

/// All words, in the order of the list.
pub(crate) static WORDS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries = include_str!("commands.txt").trim_end().split("\n\n");
    entries.filter_map(parse).collect()
});

fn parse(text: &'static str) -> Option<Entry> {
    let (usage, rest) = text.split_once('\n')?;
    let (about, full) = rest.split_once('\n')?;
    let name = usage.split(' ').next()?;
    let word = Word::from_str(name, false).ok()?;
    Some(Entry {
        word,
        name,
        usage,
        about,
        full,
    })
}

/// A typed line, classified by its first word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed<'a> {
    /// A word and the text after it.
    Word(Word, &'a str),
    /// Anything else, which must be a move.
    Other(&'a str),
}

/// Classifies a line that is not empty. A complete word is a word even if a move is spelled like it; after `:`, any
/// unambiguous abbreviation is a word.
pub(crate) fn read(line: &str) -> Result<Typed<'_>, String> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if let Some(beginning) = line.strip_prefix(':') {
        if matches!(beginning, "q" | "Q") {
            return Ok(Typed::Word(Word::Quit, ""));
        }
        let (first, rest) = beginning
            .split_once(char::is_whitespace)
            .unwrap_or((beginning, ""));
        return find(first).map(|word| Typed::Word(word, rest.trim()));
    }
    let is_it = |entry: &&Entry| entry.name.eq_ignore_ascii_case(first);
    let known = WORDS.iter().find(is_it);
    let help = || {
        first
            .eq_ignore_ascii_case("help")
            .then(|| entry(Word::Help))
    };
    if let Some(asked) = line.strip_prefix('?') {
        return Ok(Typed::Word(Word::Help, asked.trim()));
    }
    match known.or_else(help) {
        // A word without arguments must be alone on its line.
        Some(Entry { name, usage, .. }) if name == usage && !rest.is_empty() => Err(format!(
            "{name} takes no {:?} after it: type {name} alone",
            excerpt(rest)
        )),
        Some(entry) => Ok(Typed::Word(entry.word, rest)),
        None => Ok(Typed::Other(line)),
    }
}

/// The entry of a word.
pub(crate) fn entry(word: Word) -> &'static Entry {
    let entry = WORDS.iter().find(|entry| entry.word == word);
    entry.expect("each word has an entry")
}

/// Finds the word with this name or unambiguous abbreviation.
///
/// # Errors
/// No word starts with the text, or several do.
pub(crate) fn find(beginning: &str) -> Result<Word, String> {
    let beginning = beginning.to_ascii_lowercase();
    let known: Vec<&Entry> = WORDS
        .iter()
        .filter(|entry| entry.name.starts_with(&beginning))
        .collect();
    let exact = known.iter().find(|entry| entry.name == beginning);
    match (exact, known.as_slice()) {
        (Some(entry), _) | (None, [entry]) => Ok(entry.word),
        (None, []) => Err(format!(
            ":{}: unknown command; ? lists them",
            excerpt(&beginning)
        )),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|entry| entry.name).collect();
            Err(format!(
                ":{beginning} may be {}: type more letters",
                names.join(", ")
            ))
        }
    }
}

/// `true` if the name of a word, or `help`, begins with a text.
pub(crate) fn begins(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut names = WORDS.iter().map(|entry| entry.name).chain(["help"]);
    names.any(|name| name.starts_with(&text))
}

/// The word that a mistyped text probably means.
pub(crate) fn nearest(text: &str) -> Option<&'static str> {
    let first = text.split_whitespace().next()?.to_ascii_lowercase();
    if !(3..=12).contains(&first.len()) {
        return None;
    }
    let distance = |entry: &&Entry| strsim::damerau_levenshtein(entry.name, &first);
    let best = WORDS.iter().min_by_key(distance)?;
    (distance(&best) * 2 < first.len().min(6)).then_some(best.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        for (line, typed) in [
            ("undo", Typed::Word(Word::Undo, "")),
            (" UNDO ", Typed::Word(Word::Undo, "")),
            (":u", Typed::Word(Word::Undo, "")),
            (":ba 3", Typed::Word(Word::Back, "3")),
            ("back 3", Typed::Word(Word::Back, "3")),
            ("save my file", Typed::Word(Word::Save, "my file")),
            ("?", Typed::Word(Word::Help, "")),
            ("? undo", Typed::Word(Word::Help, "undo")),
            ("?undo", Typed::Word(Word::Help, "undo")),
            ("help undo", Typed::Word(Word::Help, "undo")),
            (":? undo", Typed::Word(Word::Help, "undo")),
            (":q", Typed::Word(Word::Quit, "")),
            ("q", Typed::Other("q")),
            ("help", Typed::Word(Word::Help, "")),
            ("draw", Typed::Word(Word::Draw, "")),
            ("d r a w", Typed::Other("d r a w")),
            ("b2 -> c3", Typed::Other("b2 -> c3")),
            ("b", Typed::Other("b")),
        ] {
            assert_eq!(read(line).as_ref(), Ok(&typed), "{line}");
        }
    }

    #[test]
    fn explanations_fit_their_column() {
        for entry in WORDS.iter() {
            assert!(entry.about.len() <= MAX_ABOUT, "{}", entry.about);
        }
    }

    #[test]
    fn what_is_no_word_is_explained() {
        for (line, part) in [
            (":b", "back, board"),
            (":", "moves, played, undo"),
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
}
