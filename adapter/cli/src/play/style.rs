//! How the board is shown.

use kit::{DynHistory, Room, TextPage, View};

use super::screen::Size;

/// Lines of a screen that the board leaves free: a blank one above and below it, the last move, and the prompt.
const OTHER_LINES: usize = 4;

/// How much of the board is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What fits the screen, where its size is known.
    #[default]
    Screen,
    /// What fits a screen of this size.
    Given(Size),
    /// All of it.
    All,
}

/// How somebody wants to see the board.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoardStyle {
    /// Empty, or one of the game's styles.
    pub(crate) name: String,
    pub(crate) is_flipped: bool,
    pub(crate) is_ascii: bool,
    pub(crate) is_coloured: bool,
    /// Moves whose marks are left out.
    pub(crate) unmarked: Vec<String>,
    pub(crate) extent: Extent,
}

impl BoardStyle {
    /// The board as it is wanted, on a page without limits.
    pub(crate) fn draw(&self, board: &dyn DynHistory) -> String {
        board.draw(self.view())
    }

    /// The board as it is wanted, with this spot on it where it has to be shown.
    pub(crate) fn page(
        &self,
        board: &dyn DynHistory,
        screen: Option<Size>,
        shows: &str,
    ) -> TextPage {
        let size = match self.extent {
            Extent::Screen => screen,
            Extent::Given(size) => Some(size),
            Extent::All => None,
        };
        board.page(View {
            room: size.map(|size| Room {
                columns: size.columns,
                lines: size.lines.saturating_sub(OTHER_LINES).max(1),
                shows,
            }),
            ..self.view()
        })
    }

    /// The view without its limits.
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

    /// Whether the board marks the legal moves, so that marks can be left out.
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

    /// The text, in ASCII if that is wanted.
    pub(crate) fn fit(&self, text: &str) -> String {
        if self.is_ascii {
            text.replace(|c: char| !c.is_ascii(), "?")
        } else {
            text.to_owned()
        }
    }
}
