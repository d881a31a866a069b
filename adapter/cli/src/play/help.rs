//! The texts of `?`: the list of available words, the full explanation of one word, and the keys of the painted screen; and of
//! `rules`: the short rules of a game with a picture, on one screen.

use draw::View;
use itertools::Itertools;
use kit::game_entry::PositionLine;
use kit::{GameEntry, Options};
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
        let typed = row.iter().map(|word| word.help.usage).join(", ");
        let (typed, about) = (format!("  {typed}"), row[0].help.about);
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

/// A paragraph in lines that begin with `indent` blanks.
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
    for name in buttons(&game.board().diagram(View::default())) {
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

/// Width of the gap between the picture and the text, in characters.
const GAP: usize = 3;

/// Minimum width of the text next to the picture. If there is less, the picture is above it, or left out if it does not
/// fit.
const MIN_TEXT: usize = 24;

/// The short rules of a game in lines of this width, with their first picture to the left of the text.
pub(crate) fn rules(entry: &GameEntry, style: &BoardStyle, width: usize) -> String {
    let about = entry.about();
    if about.idea.is_empty() {
        return format!("{} has no text of its rules.", entry.name);
    }
    let heading = format!("{}. {}", about.heading(), about.idea);
    let picture = about.rules.iter().find_map(|section| section.picture);
    let rows = picture.map_or_else(Vec::new, |picture| draw(entry, picture.position, style));
    let caption = picture.filter(|_| width_of(&rows) <= width);
    let rows = caption.map_or_else(Vec::new, |_| rows);
    let caption = caption.map(|picture| format!("Here {}", picture.caption));
    let sections = about.rules.iter();
    let sections = sections.map(|section| format!("{}: {}", section.heading, section.text));
    let text: Vec<String> = caption.into_iter().chain(sections).collect();
    let page = [
        beside(Vec::new(), &[heading], width),
        beside(rows, &text, width),
    ]
    .concat();
    page.join("\n")
}

/// The rows of a board, without the text below it.
fn draw(entry: &GameEntry, position: &str, style: &BoardStyle) -> Vec<String> {
    let line = PositionLine {
        fen: Some(position),
        moves: &[],
    };
    let plain = BoardStyle::plain(style.is_ascii);
    // The kit's laws check that each position in the rules is a valid one.
    let Ok(board) = entry
        .source
        .open(&Options::new(entry.source.options()), line)
    else {
        return Vec::new();
    };
    let text = board.draw(plain.view());
    let rows = text.lines().take_while(|row| !row.trim().is_empty());
    rows.map(str::to_owned).collect()
}

fn width_of(rows: &[String]) -> usize {
    let widths = rows.iter().map(|row| row.chars().count());
    widths.max().unwrap_or(0)
}

/// Paragraphs wrapped at a width, to the right of a picture or below it.
fn beside(rows: Vec<String>, paragraphs: &[String], width: usize) -> Vec<String> {
    let indent = width_of(&rows) + GAP;
    let (mut lines, mut rows) = match indent + MIN_TEXT > width {
        true => (rows, Vec::new().into_iter()),
        false => (Vec::new(), rows.into_iter()),
    };
    for paragraph in paragraphs {
        let paragraph = paragraph.replace('`', "");
        let mut rest = paragraph.as_str();
        while !rest.is_empty() {
            let row = rows.next();
            let filled = fill(rest, row.as_ref().map_or(width, |_| width - indent));
            let line = filled.lines().next().unwrap_or(rest);
            rest = rest[line.len()..].trim_start();
            let row = row.map_or_else(String::new, |row| format!("{row:<indent$}"));
            lines.push(format!("{row}{line}"));
        }
    }
    lines.extend(rows);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

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

    /// The lines of a screen with 24 lines, without the prompt.
    const HEIGHT: usize = 23;

    #[test]
    fn the_rules_of_every_game_fit_a_screen() {
        for entry in GAMES.games() {
            for is_ascii in [false, true] {
                let style = BoardStyle::plain(is_ascii);
                for width in [19, 39, 59, WIDTH] {
                    let page = rules(entry, &style, width);
                    let is_narrow = |line: &str| line.chars().count() <= width;
                    assert!(page.lines().all(is_narrow), "{page}");
                }
                let page = rules(entry, &style, WIDTH);
                assert!(page.lines().count() <= HEIGHT, "{page}");
                assert!(!is_ascii || page.is_ascii(), "{page}");
            }
        }
    }

    #[test]
    fn text_stands_beside_the_picture_and_below_it() {
        let rows = |n_rows: usize, width: usize| vec!["o".repeat(width); n_rows];
        let wide = WIDTH - GAP - MIN_TEXT;
        let [long, below] = ["one ".repeat(MIN_TEXT / 4), "two three".to_owned()];
        for (picture, text, lines) in [
            (
                rows(2, 3),
                "Take `b2`./Or not./Below.",
                "ooo   Take b2.\nooo   Or not.\nBelow.",
            ),
            (rows(3, 1), "One line.", "o   One line.\no\no"),
            (
                rows(1, wide),
                &format!("{long}{below}"),
                &format!("{}   {}\n{below}", "o".repeat(wide), long.trim_end()),
            ),
            (
                rows(2, wide + 1),
                "Below.",
                &format!("{0}\n{0}\nBelow.", "o".repeat(wide + 1)),
            ),
        ] {
            let text: Vec<String> = text.split('/').map(str::to_owned).collect();
            assert_eq!(beside(picture, &text, WIDTH).join("\n"), lines);
        }
    }
}
