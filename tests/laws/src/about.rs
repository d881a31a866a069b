//! Checks that the introduction of a game agrees with its rules and fits a console.

use draw::about::RuleSection;
use kit::game_entry::PositionLine;
use kit::{DynHistory, GameEntry, Options};

/// Number of sections in a game's introduction.
const SECTIONS: std::ops::RangeInclusive<usize> = 4..=7;

/// Maximum length of a text in characters: ten lines of a console.
const LONGEST_TEXT: usize = 780;

/// Maximum length of a word in characters, so that lines are filled well.
const LONGEST_WORD: usize = 24;

/// Checks the introduction of a game. Each position in it must be valid; each move code must be readable, and legal in
/// the position next to it; each text must be one paragraph of short words.
///
/// # Panics
/// With the wrong text.
pub fn check_about(entry: &GameEntry) {
    let about = entry.about();
    let (name, start) = (entry.name, open(entry, None));
    assert!(
        SECTIONS.contains(&about.rules.len()),
        "{name}: {} sections: expected {SECTIONS:?}",
        about.rules.len()
    );
    let mut boards = vec![start];
    for section in &about.rules {
        check_section(entry, section);
        boards.extend(
            section
                .picture
                .map(|picture| open(entry, Some(picture.position))),
        );
    }
    assert!(boards.len() > 1, "{name}: expected a picture");
    for text in [about.idea, about.example] {
        check_text(name, text);
    }
    for text in [about.title, about.author] {
        check_name(name, text);
    }
    let mut shown = codes(about.example).peekable();
    assert!(shown.peek().is_some(), "{name}: expected an example code");
    for code in shown {
        let is_legal = boards.iter().any(|board| is_legal(board.as_ref(), code));
        assert!(is_legal, "{name}: {code} is legal nowhere in the rules");
    }
}

fn check_section(entry: &GameEntry, section: &RuleSection) {
    let (name, start) = (entry.name, open(entry, None));
    check_text(name, section.heading);
    check_text(name, section.text);
    for code in codes(section.text) {
        if let Err(why) = start.read(code) {
            panic!("{name}, {}: {code}: {why}", section.heading);
        }
    }
    let Some(picture) = &section.picture else {
        return;
    };
    check_text(name, picture.caption);
    let board = open(entry, Some(picture.position));
    for code in codes(picture.caption) {
        assert!(
            is_legal(board.as_ref(), code),
            "{name}, {}: {code} is not legal in {}",
            section.heading,
            picture.position
        );
    }
}

/// Checks that a text is one paragraph of printable ASCII, in words that can be wrapped.
pub(super) fn check_text(name: &str, text: &str) {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic();
    assert!(
        !text.is_empty() && text.len() <= LONGEST_TEXT && text.chars().all(is_plain),
        "{name}: {text:?}: expected at most {LONGEST_TEXT} printable characters"
    );
    let is_word = |word: &str| !word.is_empty() && word.len() <= LONGEST_WORD;
    assert!(
        text.split(' ').all(is_word),
        "{name}: {text:?}: expected words of at most {LONGEST_WORD} characters, split by single blanks"
    );
    assert!(
        text.matches('`').count().is_multiple_of(2),
        "{name}: {text:?}: a backquote is not closed"
    );
}

/// Checks that a name is one printable line, in any script.
fn check_name(game: &str, name: &str) {
    let is_printable = |c: char| c == ' ' || !c.is_control() && !c.is_whitespace();
    assert!(
        !name.trim().is_empty() && name.chars().all(is_printable),
        "{game}: {name:?}: expected a printable name"
    );
}

pub(super) fn open(entry: &GameEntry, fen: Option<&str>) -> Box<dyn DynHistory> {
    let line = PositionLine { fen, moves: &[] };
    entry
        .source
        .open(&Options::new(entry.source.options()), line)
        .unwrap_or_else(|why| panic!("{}: {fen:?}: {why}", entry.name))
}

fn is_legal(board: &dyn DynHistory, code: &str) -> bool {
    board.fork().play(code).is_ok()
}

/// The move codes in a text: the parts between backquotes.
pub(super) fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
