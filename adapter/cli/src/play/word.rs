//! The words of the console. Any other typed text is a move.

/// A word that a person can type instead of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Moves,
    Played,
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
    Pace,
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
    Puzzle,
    Mail,
    Clock,
    Draw,
    Claim,
    Yes,
    No,
    Say,
    Kick,
    Tables,
    Stop,
    Sure,
    Resign,
    Quit,
    Rules,
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

/// A word, its arguments, and an explanation.
pub(crate) struct Entry {
    pub(crate) word: Word,
    pub(crate) name: &'static str,
    args: &'static str,
    /// At most 46 characters. Consecutive words with the same explanation are listed in one line.
    pub(crate) about: &'static str,
}

impl Entry {
    /// The word with its arguments.
    pub(crate) fn typed(&self) -> String {
        format!("{} {}", self.name, self.args).trim_end().to_owned()
    }
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
        "legal moves; with a square, from it and to it",
    ),
    entry(Word::Played, "played", "", "the moves of the game so far"),
    entry(Word::Undo, "undo", "", TURNS),
    entry(Word::Redo, "redo", "", TURNS),
    entry(Word::Back, "back", "[N]", LOOKS),
    entry(Word::Forward, "forward", "[N]", LOOKS),
    entry(Word::Hint, "hint", "", JUDGES),
    entry(Word::Eval, "eval", "", JUDGES),
    entry(
        Word::Analyse,
        "analyse",
        "[SECONDS]",
        "the engine's three best lines",
    ),
    entry(
        Word::Review,
        "review",
        "[SECONDS]",
        "the loss of each move of the game",
    ),
    entry(
        Word::Stop,
        "stop",
        "",
        "make a thinking engine move or answer now",
    ),
    entry(Word::Go, "go", "", "let an engine make the next move"),
    entry(
        Word::Auto,
        "auto",
        "[SIDE|both|off]",
        "the sides that engines play from now on",
    ),
    entry(Word::Level, "level", "[LEVEL]", PLAY),
    entry(Word::Pace, "pace", "[SECONDS]", PLAY),
    entry(Word::Board, "board", "[STYLE|all|fit]", BOARD),
    entry(Word::Flip, "flip", "", BOARD),
    entry(
        Word::Mark,
        "mark",
        "[LETTERS|all|none]",
        "remove or restore the marks of these moves",
    ),
    entry(
        Word::Keys,
        "keys",
        "",
        "the screen on which each key acts at once",
    ),
    entry(Word::Peek, "peek", "on|off", "show covered pieces"),
    entry(
        Word::Touch,
        "touch",
        "[on|off|SQUARE]",
        "a touched piece must move",
    ),
    entry(Word::Clock, "clock", "", "the time left"),
    entry(
        Word::Sure,
        "sure",
        "[on|off]",
        "play moves that lose at once unconfirmed",
    ),
    entry(Word::Draw, "draw", "", "offer a draw, or accept one"),
    entry(
        Word::Claim,
        "claim",
        "[draw]",
        "win the game of an opponent who has left",
    ),
    entry(Word::Yes, "yes", "", ANSWERS),
    entry(Word::No, "no", "", ANSWERS),
    entry(Word::Say, "say", "TEXT", "send a message to everyone"),
    entry(
        Word::Kick,
        "kick",
        "NAME",
        "remove a guest; changes the password",
    ),
    entry(
        Word::Tables,
        "tables",
        "",
        "list the tables at this address",
    ),
    entry(
        Word::New,
        "new",
        "[GAME]",
        "start another game: new susan:Size=4",
    ),
    entry(
        Word::Setup,
        "setup",
        "[POSITION]",
        "start from a position: a string or a board",
    ),
    entry(
        Word::Puzzle,
        "puzzle",
        "[N|answer]",
        "find the best move: the next puzzle, or N",
    ),
    entry(Word::Save, "save", "FILE", FILES),
    entry(Word::Load, "load", "FILE", FILES),
    entry(
        Word::Mail,
        "mail",
        "[FILE]",
        "show the game as an e-mail, or write it",
    ),
    entry(Word::Resign, "resign", "", LEAVES),
    entry(Word::Quit, "quit", "", LEAVES),
    entry(Word::Rules, "rules", "", "the rules in short"),
    entry(
        Word::Help,
        "?",
        "[COMMAND]",
        "list the commands, or explain one",
    ),
];

const TURNS: &str = "take moves back to your last turn; replay them";
const LOOKS: &str = "go N moves back or forward";
const JUDGES: &str = "the engine's best move; its score";
const PLAY: &str = "engine strength; a pause between its moves";
const BOARD: &str = "show the board; flip it";
const ANSWERS: &str = "accept the other player's proposal; decline it";
const FILES: &str = "write the game to a new file; load a game";
const LEAVES: &str = "give up the game; leave, with the game saved";

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
    let word = WORDS.iter().find(is_it).map(|entry| entry.word);
    let word = word.or_else(|| first.eq_ignore_ascii_case("help").then_some(Word::Help));
    if let Some(asked) = line.strip_prefix('?') {
        return Ok(Typed::Word(Word::Help, asked.trim()));
    }
    Ok(match word {
        // A word without arguments must be alone on its line.
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
        "{name}: unexpected {:?}: expected nothing after {name}",
        protocol::text::excerpt(rest)
    )
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

/// The name of a word.
pub(crate) fn name(word: Word) -> &'static str {
    entry_of(word).map_or("?", |entry| entry.name)
}

/// The name of a word and its arguments, for errors.
pub(crate) fn usage(word: Word) -> String {
    entry_of(word).map_or_else(String::new, Entry::typed)
}

/// The names of all words, for completion.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|entry| entry.name)
}

/// All words, in the order of the list.
pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    WORDS.iter()
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
        for entry in WORDS {
            assert!(entry.about.len() <= MAX_ABOUT, "{}", entry.about);
        }
    }

    #[test]
    fn what_is_no_word_is_explained() {
        for (line, part) in [
            (":b", "back, board"),
            (":", "moves, played, undo"),
            (":xyz", ":xyz: unknown command"),
            ("undo 3", "undo: unexpected \"3\""),
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
