//! The texts of `?`: the list of available words, the full explanation of one word, and the keys of the painted screen.

use draw::View;
use protocol::text::excerpt;
use table::{ClientGame, CommandId, Role, Sitter, Users};

use super::client::buttons;
use super::style::BoardStyle;
use super::text::{WIDTH, fill};
use super::word::{self, Entry, WORDS, Word};

/// Column of the explanations of words.
const COLUMN: usize = 32;

/// The words available to this person at this table, one per line; words with the same explanation share a line.
pub(crate) fn list(game: &ClientGame, style: &BoardStyle, width: usize) -> String {
    let mut text = opening_lines(game, width);
    let words: Vec<&Entry> = WORDS
        .iter()
        .filter(|entry| is_offered(entry.word, game, style))
        .collect();
    for row in words.chunk_by(|one, next| one.about == next.about) {
        let typed: Vec<&str> = row.iter().map(|entry| entry.usage).collect();
        let typed = format!("  {}", typed.join(", "));
        match width < WIDTH {
            true => text.push_str(&format!("{typed}\n{}\n", indented(row[0].about, 6, width))),
            false => text.push_str(&format!("{typed:<COLUMN$}{}\n", row[0].about)),
        }
    }
    text.push_str(&fill(&closing_line(game), width));
    text
}

fn opening_lines(game: &ClientGame, width: usize) -> String {
    let words = fill(
        "A command, or : and its first letters. ? COMMAND explains one:\n",
        width,
    );
    if game.snapshot().role == Role::Spectator {
        return format!("You are watching.\n{words}");
    }
    let example = game.rules().entry().about().example.replace('`', "");
    let example = fill(&format!("A move is typed as its code: {example}."), width);
    format!("{example}\n{words}")
}

/// A warning for games with moves that are spelled like a word.
fn closing_line(game: &ClientGame) -> String {
    let draw = word::entry(Word::Draw).name;
    if game.board().split_codes(draw).len() == 1 {
        return String::new();
    }
    format!("The command {draw} overrides moves that are spelled like it: type those apart.\n")
}

/// `true` if the list offers a word to this person. Other words are rejected with a reason.
fn is_offered(word: Word, game: &ClientGame, style: &BoardStyle) -> bool {
    use Word::{Board, Claim, Clock, Flip, Help, Keys, Kick, Mark, Moves, No, Password, Peek};
    use Word::{Played, Puzzle, Quit, Rules, Say, Setup, Yes};
    let snapshot = game.snapshot();
    let mut seats = snapshot.seats.iter();
    let has_guests = seats.any(|seat| seat.sitter != Sitter::Host);
    let users = match word {
        Moves | Played | Flip | Board | Clock | Rules | Help | Quit => return true,
        Mark => return style.has_marks(game.board()),
        Peek => return game.board().styles().contains(&"peek"),
        Keys => Users::Players,
        Setup | Puzzle | Password => Users::Host,
        word => CommandId::typed(word::entry(word).name).map_or(Users::All, |id| id.row().users),
    };
    let is_among_people = matches!(word, Say | Kick | Claim | Yes | No | Password);
    users.include(snapshot.role) && (has_guests || !is_among_people)
}

/// A paragraph in lines that begin with so many blanks.
fn indented(text: &str, n_blanks: usize, width: usize) -> String {
    let indent = " ".repeat(n_blanks);
    let lines = fill(text, width.saturating_sub(n_blanks).max(1));
    format!("{indent}{}", lines.replace('\n', &format!("\n{indent}")))
}

/// Column of the explanations of keys.
const KEY_COLUMN: usize = 20;

/// The keys of the painted screen in this game, one a line.
pub(crate) fn keys(game: &ClientGame, style: &BoardStyle, width: usize) -> String {
    let entry = game.rules().entry();
    let example = entry.about().example.replace('`', "");
    let mut text = format!("The keys in {}\n", entry.about().title);
    text += &fill(&format!("A move is typed as its code: {example}.\n"), width);
    let mut put = |key: &str, about: &str| {
        text += &match width < WIDTH {
            true => fill(&format!("{key}: {about}"), width),
            false => format!("{key:<KEY_COLUMN$}{about}"),
        };
        text.push('\n');
    };
    let diagram = game.board().diagram(View::default());
    for name in buttons(&diagram) {
        let letter = name.chars().take(1).collect::<String>();
        put(&letter, &format!("chooses {name}, which Enter plays"));
    }
    // Those of boards whose legal moves are marked, those of others, and those of all.
    let mut groups = include_str!("keys.txt").split("\n\n");
    let own = groups.nth(usize::from(!style.has_marks(game.board())));
    let all = groups.last();
    for line in [own, all].into_iter().flatten().flat_map(str::lines) {
        let (key, about) = line.split_at(KEY_COLUMN.min(line.len()));
        put(key.trim_end(), about);
    }
    text
}

/// The full explanation of one word in lines of this width. `text` is the word or an abbreviation.
///
/// # Errors
/// No word starts with `text`, or several do.
pub(crate) fn one(text: &str, width: usize) -> Result<String, String> {
    let text = text.trim_start_matches(':');
    let found = word::find(text).map_err(|why| format!("? {}: {why}", excerpt(text)))?;
    let Entry { usage, full, .. } = word::entry(found);
    let full = indented(&full.replace('\n', " "), 2, width);
    Ok(format!("{usage}\n{full}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained_in_78_columns() {
        for entry in WORDS.iter() {
            let text = one(entry.name, WIDTH).expect("it is a word");
            assert!(text.starts_with(entry.name), "{text}");
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
    }

    #[test]
    fn a_beginning_explains_a_word_too() {
        assert_eq!(one("und", WIDTH), one("undo", WIDTH));
        assert_eq!(one(":undo", WIDTH), one("undo", WIDTH));
        let error = one("b", WIDTH).expect_err("there are two");
        assert!(error.contains("back, board"), "{error}");
        let error = one("xyzzy", WIDTH).expect_err("no such word");
        assert!(error.starts_with("? xyzzy: "), "{error}");
    }
}
