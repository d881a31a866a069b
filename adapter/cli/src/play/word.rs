//! The words of the console. Everything else that is typed is a move.

/// What a person can type besides a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Moves,
    Undo,
    Redo,
    Back,
    Forward,
    Go,
    Hint,
    Eval,
    Analyse,
    Review,
    Auto,
    Level,
    Flip,
    Board,
    Mark,
    Keys,
    Peek,
    Touch,
    Save,
    Load,
    New,
    Setup,
    Mail,
    Clock,
    Draw,
    Yes,
    No,
    Say,
    Stop,
    Resign,
    Quit,
    Rules,
    Help,
}

impl Word {
    /// Whether the word is carried out before moves that wait for their turn.
    pub(crate) fn overtakes(self) -> bool {
        use Word::{Clock, Help, Hint, No, Quit, Resign, Rules, Say, Stop, Yes};
        matches!(
            self,
            Stop | Help | Rules | Clock | Say | Hint | Resign | Quit | Yes | No
        )
    }
}

/// A word as it is typed, its arguments, and what it does.
struct Entry {
    word: Word,
    name: &'static str,
    args: &'static str,
    about: &'static str,
}

const fn entry(word: Word, name: &'static str, args: &'static str, about: &'static str) -> Entry {
    Entry {
        word,
        name,
        args,
        about,
    }
}

const WORDS: &[Entry] = &[
    entry(
        Word::Moves,
        "moves",
        "[SQUARE]",
        "what is legal, or what is legal from and to a square",
    ),
    entry(Word::Undo, "undo", "", "take back to your last turn"),
    entry(Word::Redo, "redo", "", "play again what was taken back"),
    entry(
        Word::Back,
        "back",
        "[N]",
        "look N moves back; another move from there begins a branch",
    ),
    entry(Word::Forward, "forward", "[N]", "look N moves on again"),
    entry(Word::Go, "go", "", "the engine moves, whoever's turn it is"),
    entry(
        Word::Hint,
        "hint",
        "",
        "what the engine would play, its score and its line",
    ),
    entry(Word::Eval, "eval", "", "how the engine judges the position"),
    entry(
        Word::Analyse,
        "analyse",
        "[SECONDS]",
        "the engine's best lines here",
    ),
    entry(
        Word::Review,
        "review",
        "[SECONDS]",
        "what each move of the game cost, so long a position",
    ),
    entry(
        Word::Auto,
        "auto",
        "[SIDE|both|off]",
        "which sides an engine plays from now on, by their names on the board or as p1 and p2",
    ),
    entry(Word::Level, "level", "0..20", "how well the engines play"),
    entry(Word::Flip, "flip", "", "see the board from the other side"),
    entry(
        Word::Board,
        "board",
        "[STYLE|all|fit]",
        "show the board, from now on in this style, or all of it, or what fits",
    ),
    entry(
        Word::Mark,
        "mark",
        "[LETTERS|all|none]",
        "leave out the marks of these moves, or set them again",
    ),
    entry(
        Word::Keys,
        "keys",
        "",
        "one key a move: letters or arrows, Enter plays, Escape ends it",
    ),
    entry(Word::Peek, "peek", "on|off", "show covered pieces"),
    entry(
        Word::Touch,
        "touch",
        "on|off|SQUARE",
        "a piece that is touched must move; touch yours on this square",
    ),
    entry(
        Word::Save,
        "save",
        "FILE",
        "write the game with its branches to a new file",
    ),
    entry(Word::Load, "load", "FILE", "go on with the game of a file"),
    entry(Word::New, "new", "", "begin another game"),
    entry(
        Word::Setup,
        "setup",
        "[POSITION]",
        "begin from a position: a string, or a diagram pasted below and an empty line",
    ),
    entry(Word::Mail, "mail", "", "the game as an e-mail"),
    entry(Word::Clock, "clock", "", "the time left"),
    entry(Word::Draw, "draw", "", "offer a draw, or agree to one"),
    entry(
        Word::Yes,
        "yes",
        "",
        "agree to what the other person proposes",
    ),
    entry(
        Word::No,
        "no",
        "",
        "decline it, or withdraw your own proposal",
    ),
    entry(Word::Say, "say", "TEXT", "say something to everyone"),
    entry(
        Word::Stop,
        "stop",
        "",
        "a thinking engine moves or answers at once",
    ),
    entry(Word::Resign, "resign", "", "give up"),
    entry(Word::Quit, "quit", "", "leave; the game is saved"),
    entry(Word::Rules, "rules", "", "how the game is played"),
    entry(Word::Help, "?", "", "these words"),
];

/// What was typed, as far as words go.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed<'a> {
    /// A word and what stands after it.
    Word(Word, &'a str),
    /// Anything else, which must be a move.
    Other(&'a str),
}

/// Reads a line that is not empty. A whole word is a word, even where a move is spelt like it; after `:` any beginning
/// will do that fits one word alone.
pub(crate) fn read(line: &str) -> Result<Typed<'_>, String> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if let Some(beginning) = line.strip_prefix(':') {
        let (first, rest) = beginning
            .split_once(char::is_whitespace)
            .unwrap_or((beginning, ""));
        return find(first).map(|word| Typed::Word(word, rest.trim()));
    }
    let is_it = |entry: &&Entry| entry.name.eq_ignore_ascii_case(first);
    let word = WORDS.iter().find(is_it).map(|entry| entry.word);
    let word = word.or_else(|| first.eq_ignore_ascii_case("help").then_some(Word::Help));
    Ok(match word {
        // Letters that happen to spell a word and are typed with others are moves all the same.
        Some(word) if rest.is_empty() || takes_argument(word) => Typed::Word(word, rest),
        Some(word) => return Err(surplus(word, rest)),
        None => Typed::Other(line),
    })
}

fn takes_argument(word: Word) -> bool {
    entry_of(word).is_none_or(|entry| !entry.args.is_empty())
}

fn entry_of(word: Word) -> Option<&'static Entry> {
    WORDS.iter().find(|entry| entry.word == word)
}

fn surplus(word: Word, rest: &str) -> String {
    let name = name(word);
    format!(
        "{name}: surplus {:?}: expected nothing after it",
        protocol::text::excerpt(rest)
    )
}

fn find(beginning: &str) -> Result<Word, String> {
    let beginning = beginning.to_ascii_lowercase();
    let known: Vec<&Entry> = WORDS
        .iter()
        .filter(|entry| entry.name.starts_with(&beginning))
        .collect();
    let exact = known.iter().find(|entry| entry.name == beginning);
    match (exact, known.as_slice()) {
        (Some(entry), _) | (None, [entry]) => Ok(entry.word),
        (None, []) => Err(format!(
            ":{}: no word begins so; ? lists them",
            protocol::text::excerpt(&beginning)
        )),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|entry| entry.name).collect();
            Err(format!(
                ":{beginning} may be {}: expected more letters",
                names.join(", ")
            ))
        }
    }
}

/// The word that a text was probably meant to be.
pub(crate) fn nearest(text: &str) -> Option<&'static str> {
    let first = text.split_whitespace().next()?.to_ascii_lowercase();
    if !(3..=12).contains(&first.len()) {
        return None;
    }
    let distance = |entry: &&Entry| strsim::damerau_levenshtein(entry.name, &first);
    let best = WORDS.iter().min_by_key(distance)?;
    (distance(&best) <= 2 && distance(&best) < best.name.len() - 1).then_some(best.name)
}

/// The word as it is typed.
pub(crate) fn name(word: Word) -> &'static str {
    entry_of(word).map_or("?", |entry| entry.name)
}

/// How a word and its argument are typed, for errors.
pub(crate) fn usage(word: Word) -> String {
    entry_of(word).map_or_else(String::new, |entry| {
        format!("{} {}", entry.name, entry.args).trim().to_owned()
    })
}

/// All words, for completion.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|entry| entry.name)
}

/// The list that `?` shows.
pub(crate) fn help() -> String {
    let line = |entry: &Entry| {
        let typed = format!("{} {}", entry.name, entry.args);
        format!("  {typed:<24} {}\n", entry.about)
    };
    let words: String = WORDS.iter().map(line).collect();
    format!(
        "A move is typed as its code. Everything else is a word, or : and enough of its first letters:\n{words}A word \
         wins over a move that is spelt like it: type such letters apart."
    )
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
    fn what_is_no_word_is_explained() {
        for (line, part) in [
            (":b", "back, board"),
            (":", "moves, undo"),
            (":xyz", ":xyz: no word begins so"),
            ("undo 3", "undo: surplus \"3\""),
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
