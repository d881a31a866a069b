//! The short rules of a game with a picture, on one screen.

use kit::game_entry::PositionLine;
use kit::{GameEntry, Options};

use super::style::{BoardStyle, fill};

/// Width of the gap between the picture and the text, in characters.
const GAP: usize = 3;

/// Minimum width of the text beside the picture. If there is less, the picture is above it, or left out if it does not fit.
const MIN_TEXT: usize = 24;

/// The short rules of a game in lines of this width, with their first picture to the left of the text.
pub(crate) fn page(entry: &GameEntry, style: &BoardStyle, width: usize) -> String {
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
    let text = plain.draw(board.as_ref());
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
            let room = row.as_ref().map_or(width, |_| width - indent);
            let filled = fill(rest, room);
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
    use crate::play::style::WIDTH;

    /// The lines of a screen with 24 lines, without the prompt.
    const HEIGHT: usize = 23;

    #[test]
    fn the_rules_of_every_game_fit_a_screen() {
        for entry in GAMES.games() {
            for is_ascii in [false, true] {
                let style = BoardStyle::plain(is_ascii);
                for width in [19, 39, 59, WIDTH] {
                    let page = page(entry, &style, width);
                    let is_narrow = |line: &str| line.chars().count() <= width;
                    assert!(page.lines().all(is_narrow), "{page}");
                }
                let page = page(entry, &style, WIDTH);
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
