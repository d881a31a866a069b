//! How the board is shown.

use kit::{DynHistory, View};

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
}

impl BoardStyle {
    /// The board as it is wanted.
    pub(crate) fn draw(&self, board: &dyn DynHistory) -> String {
        board.draw(View {
            style: &self.name,
            is_ascii: self.is_ascii,
            is_flipped: self.is_flipped,
            is_coloured: self.is_coloured,
            ruled_out: &self.unmarked,
            ..View::default()
        })
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
