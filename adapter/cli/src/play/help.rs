//! The texts of `?`: the list of available words, the full explanation of one word, and the keys of the painted screen.

use draw::View;
use protocol::text::excerpt;
use table::{ClientGame, Role, Sitter, Users};

use super::style::{BoardStyle, WIDTH, buttons, fill};
use super::text::example;
use super::words::{self, WORDS, Word};

/// Columns of the explanations of words and of keys.
const COLUMN: usize = 32;
const KEY_COLUMN: usize = 20;

/// The words available to this person at this table, one per line; words with the same explanation share a line.
pub(crate) fn list(game: &ClientGame, style: &BoardStyle, width: usize) -> String {
    let start = match game.snapshot().role {
        Role::Spectator => "You are watching.".to_owned(),
        _ => example(game, width),
    };
    let how = "A command, or : and its first letters. ? COMMAND explains one:";
    let mut text = format!("{start}\n{}\n", fill(how, width));
    let words = WORDS.iter().filter(|word| is_offered(word, game, style));
    let words: Vec<&Word> = words.collect();
    for row in words.chunk_by(|one, next| one.help.about == next.help.about) {
        let typed: Vec<&str> = row.iter().map(|word| word.help.usage).collect();
        let (typed, about) = (format!("  {}", typed.join(", ")), row[0].help.about);
        text.push_str(&match width < WIDTH {
            true => format!("{typed}\n{}\n", indented(about, 6, width)),
            false => format!("{typed:<COLUMN$}{about}\n"),
        });
    }
    if game.board().split_codes("draw").len() != 1 {
        // Such as in Graph Hockey, whose moves are letters.
        let how = "The command draw overrides moves that are spelled like it: type those apart.\n";
        text.push_str(&fill(how, width));
    }
    text
}

/// `true` if the list offers a word to this person. Other words are rejected with a reason.
fn is_offered(word: &Word, game: &ClientGame, style: &BoardStyle) -> bool {
    let snapshot = game.snapshot();
    let mut seats = snapshot.seats.iter();
    let has_guests = seats.any(|seat| seat.sitter != Sitter::Host);
    let users = match word.name() {
        "mark" if !style.has_marks(game.board()) => return false,
        "peek" if !game.board().styles().contains(&"peek") => return false,
        "keys" => Users::Players,
        "setup" | "puzzle" | "password" => Users::Host,
        _ => word.command.map_or(Users::All, |id| id.row().users),
    };
    let is_among_people = ["say", "kick", "claim", "yes", "no", "password"].contains(&word.name());
    users.include(snapshot.role) && (has_guests || !is_among_people)
}

/// A paragraph in lines that begin with so many blanks.
fn indented(text: &str, n_blanks: usize, width: usize) -> String {
    let indent = " ".repeat(n_blanks);
    let lines = fill(text, width.saturating_sub(n_blanks).max(1));
    format!("{indent}{}", lines.replace('\n', &format!("\n{indent}")))
}

/// The keys of the painted screen in this game, one a line.
pub(crate) fn keys(game: &ClientGame, style: &BoardStyle, width: usize) -> String {
    let title = game.rules().entry().about().title;
    let mut text = format!("The keys in {title}\n{}\n", example(game, width));
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
    let word = words::find(text).map_err(|why| format!("? {}: {why}", excerpt(text)))?;
    let full = indented(&word.help.full.replace('\n', " "), 2, width);
    Ok(format!("{}\n{full}", word.help.usage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained_in_78_columns() {
        for word in WORDS.iter() {
            let text = one(word.name(), WIDTH).expect("it is a word");
            assert!(text.starts_with(word.name()), "{text}");
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            assert!(word.help.about.len() <= 46, "{}", word.help.about);
        }
    }

    #[test]
    fn a_beginning_explains_a_word_too() {
        assert_eq!(one("und", WIDTH), one("undo", WIDTH));
        assert_eq!(one(":undo", WIDTH), one("undo", WIDTH));
        let error = one("b", WIDTH).expect_err("there are two");
        assert!(error.contains("board, back"), "{error}");
        let error = one("xyzzy", WIDTH).expect_err("no such word");
        assert!(error.starts_with("? xyzzy: "), "{error}");
    }
}
