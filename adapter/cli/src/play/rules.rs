//! The short rules of a game with a picture, on one screen.

use std::vec;

use kit::game_entry::PositionLine;
use kit::{GameEntry, Options};

use super::style::BoardStyle;

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
    let picture = about.rules.iter().find_map(|section| section.picture);
    let mut rows = picture.map_or_else(Vec::new, |picture| draw(entry, picture.position, style));
    let picture = picture.filter(|_| width_of(&rows) <= width);
    if picture.is_none() {
        rows.clear();
    }
    let mut page = Page::new(width);
    page.add(&format!("{}. {}", about.heading(), about.idea));
    page.put_picture(rows);
    if let Some(picture) = picture {
        page.add(&format!("Here {}", picture.caption));
    }
    for section in &about.rules {
        page.add(&format!("{}: {}", section.heading, section.text));
    }
    page.finish()
}

/// The rows of a board, without the text below it.
fn draw(entry: &GameEntry, position: &str, style: &BoardStyle) -> Vec<String> {
    let line = PositionLine {
        fen: Some(position),
        moves: &[],
    };
    let plain = BoardStyle {
        is_ascii: style.is_ascii,
        ..BoardStyle::default()
    };
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

/// Paragraphs wrapped at a width, with the rows of a picture to their left.
struct Page {
    width: usize,
    lines: Vec<String>,
    picture: vec::IntoIter<String>,
    picture_width: usize,
}

impl Page {
    fn new(width: usize) -> Page {
        Page {
            width,
            lines: Vec::new(),
            picture: Vec::new().into_iter(),
            picture_width: 0,
        }
    }

    fn put_picture(&mut self, rows: Vec<String>) {
        self.picture_width = width_of(&rows);
        if self.picture_width + GAP + MIN_TEXT > self.width {
            return self.lines.extend(rows);
        }
        self.picture = rows.into_iter();
    }

    /// Adds a paragraph, without the backticks around codes.
    fn add(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.replace('`', "").split(' ') {
            if !line.is_empty() && line.len() + 1 + word.len() > self.room() {
                self.end_line(&std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.end_line(&line);
    }

    /// The width of the next line of text.
    fn room(&self) -> usize {
        if self.picture.len() == 0 {
            self.width
        } else {
            self.width - self.picture_width - GAP
        }
    }

    fn end_line(&mut self, text: &str) {
        let line = match self.picture.next() {
            Some(row) => format!("{row:<width$}{text}", width = self.picture_width + GAP),
            None => text.to_owned(),
        };
        self.lines.push(line.trim_end().to_owned());
    }

    fn finish(mut self) -> String {
        while self.picture.len() > 0 {
            self.end_line("");
        }
        self.lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;
    use crate::play::text::WIDTH;

    /// The lines of a screen with 24 lines, without the prompt.
    const HEIGHT: usize = 23;

    #[test]
    fn the_rules_of_every_game_fit_a_screen() {
        for entry in GAMES.games() {
            for is_ascii in [false, true] {
                let style = BoardStyle {
                    is_ascii,
                    ..BoardStyle::default()
                };
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
        let mut page = Page::new(WIDTH);
        page.add("Above.");
        page.put_picture(vec!["o o".to_owned(), " o".to_owned()]);
        page.add("Take `b2`.");
        page.add("Or not.");
        page.add("Below.");
        assert_eq!(
            page.finish(),
            "Above.\no o   Take b2.\n o    Or not.\nBelow."
        );
    }

    #[test]
    fn a_picture_that_is_taller_than_the_text_is_shown_whole() {
        let mut page = Page::new(WIDTH);
        page.put_picture(vec!["o".to_owned(); 3]);
        page.add("One line.");
        assert_eq!(page.finish(), "o   One line.\no\no");
    }

    #[test]
    fn lines_are_filled() {
        let mut page = Page::new(WIDTH);
        let picture = "o".repeat(WIDTH - GAP - MIN_TEXT);
        page.put_picture(vec![picture.clone()]);
        let [beside, below] = ["one ".repeat(MIN_TEXT / 4), "two three".to_owned()];
        page.add(&format!("{beside}{below}"));
        let beside = beside.trim_end();
        assert_eq!(page.finish(), format!("{picture}   {beside}\n{below}"));
    }
}
