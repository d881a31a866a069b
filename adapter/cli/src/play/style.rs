//! The display of the board, and of text in lines of a width.

use draw::{Board, Gesture, Input, Room, TextPage, View};
use kit::DynHistory;
use protocol::text::wrap;
use unicode_truncate::UnicodeTruncateStr;
use unicode_width::UnicodeWidthStr;

use super::screen::Size;

/// Maximum width of listings, in characters.
pub(crate) const WIDTH: usize = 78;

/// Lines of the screen reserved for other output: a blank line above and below the board, the last move, and the
/// prompt.
pub(crate) const OTHER_LINES: usize = 4;

/// Next to a part of the board, a screen has a line for messages in each of so many lines.
const LINES_A_MESSAGE: usize = 5;

/// The displayed part of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The part that fits the screen, if its size is known.
    #[default]
    Screen,
    /// The part that fits a screen of this size.
    Given(Size),
    /// The whole board.
    All,
}

/// A person's display style of the board.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoardStyle {
    /// Empty, or one of the game's styles.
    pub(crate) name: String,
    pub(crate) is_flipped: bool,
    pub(crate) is_ascii: bool,
    pub(crate) is_coloured: bool,
    /// Moves whose marks are not shown.
    pub(crate) unmarked: Vec<String>,
    pub(crate) extent: Extent,
}

impl BoardStyle {
    /// The usual style without colours.
    pub(crate) fn plain(is_ascii: bool) -> BoardStyle {
        BoardStyle {
            is_ascii,
            ..BoardStyle::default()
        }
    }

    /// Draws the board in this style. If it is cut, the part with the spot `shows` is visible. `ending` is as in a
    /// [`View`]. The other lines of the screen give way to the board: all of them except the prompt, to a whole one.
    pub(crate) fn page(
        &self,
        board: &dyn DynHistory,
        screen: Option<Size>,
        shows: &str,
        ending: Option<&str>,
    ) -> TextPage {
        let size = match self.extent {
            Extent::Screen => screen,
            Extent::Given(size) => Some(size),
            Extent::All => None,
        };
        let page = |n_other: usize| {
            board.page(View {
                room: size.map(|size| Room {
                    columns: size.columns,
                    lines: size.lines.saturating_sub(n_other).max(1),
                    shows,
                }),
                ending,
                ..self.view()
            })
        };
        let n_lines = size.map_or(usize::MAX, |size| size.lines);
        let n_other = OTHER_LINES.min(1 + n_lines / LINES_A_MESSAGE);
        let mut pages = [OTHER_LINES, 1].into_iter().map(page);
        let whole = pages.find(|page| page.is_whole);
        whole.unwrap_or_else(|| page(n_other))
    }

    /// The view without a limit of size.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            style: &self.name,
            is_ascii: self.is_ascii,
            is_flipped: self.is_flipped,
            is_coloured: self.is_coloured,
            ruled_out: &self.unmarked,
            ..View::default()
        }
    }

    /// `true` if the board marks the legal moves, so that marks can be removed.
    pub(crate) fn has_marks(&self, board: &dyn DynHistory) -> bool {
        let draw = |ruled_out: &[String]| {
            board.draw(View {
                ruled_out,
                is_ascii: self.is_ascii,
                ..View::default()
            })
        };
        draw(&[]) != draw(&board.moves())
    }

    /// The text; in ASCII if this style requires it.
    pub(crate) fn fit(&self, text: &str) -> String {
        let plain = |c: char| match c {
            c if c.is_ascii() || !self.is_ascii => c,
            c if c.is_whitespace() => ' ',
            _ => '?',
        };
        text.chars().map(plain).collect()
    }
}

/// The names of the buttons next to the board.
pub(crate) fn buttons(diagram: &Board) -> impl Iterator<Item = String> {
    let name = |gesture: &Gesture| match &gesture.input {
        Input::Button(name) => Some(name.clone()),
        Input::Spots(_) => None,
    };
    diagram.gestures.iter().filter_map(name)
}

/// A paragraph in lines of at most `width` characters.
pub(crate) fn fill(text: &str, width: usize) -> String {
    wrap(&text.split(' ').collect::<Vec<_>>(), width)
}

/// The rows of the first page of these lines, and the number of lines on it, at least one.
pub(crate) fn page_of(lines: &[String], size: Size) -> (Vec<String>, usize) {
    let n_rows = size.lines.saturating_sub(1);
    let mut rows: Vec<String> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let folded = fold(line, size.columns);
        if number > 0 && rows.len() + folded.len() > n_rows {
            return (rows, number);
        }
        rows.extend(folded.into_iter().take(n_rows));
    }
    (rows, lines.len())
}

/// The rows of the last messages that fit whole; of a single new one that does not, its beginning.
pub(crate) fn last_of(said: &[String], is_new: bool, width: usize, n_rows: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in said.iter().rev() {
        let folded = fold(line, width);
        if rows.len() + folded.len() > n_rows {
            if rows.is_empty() && is_new {
                rows.extend(folded.into_iter().take(n_rows));
            }
            break;
        }
        rows.splice(..0, folded);
    }
    rows
}

/// A line of text, wrapped at the width of the screen: between words, or within one that is longer.
pub(crate) fn fold(line: &str, width: usize) -> Vec<String> {
    let mut line = line.to_owned();
    if line.width() > width {
        line = fill(&line, width);
    }
    line.lines().flat_map(|line| cut(line, width)).collect()
}

/// The parts of a line that fit the screen.
fn cut(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        // Each row takes a character, which may be wide, with what belongs to it.
        let (row, _) = rest.unicode_truncate(width.max(2));
        let end = match row.len() {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            end => end,
        };
        rows.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    rows
}
