//! Figures: drawn boards as they stand in documents, letters and pastes, with captions, quotation marks and other
//! figures around them.
//!
//! [`clean`] takes off a line what mail and archives put before it. [`FigureReader`] finds the boards in a text, line by
//! line, with the help of the game's [`figure_line`](crate::Notation::figure_line); the board itself is read by the
//! game's [`parse_position`](crate::Notation::parse_position).

mod clean;
mod reader;
mod turn;

pub use clean::clean;
pub use reader::{Candidate, Figure, FigureReader};

/// What a line is to a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureLine {
    /// A row of the board; more follow.
    Row,
    /// The row that completes the board.
    LastRow,
    /// Below the board: who is to move.
    Turn,
    /// Below the board: what else belongs to the position, such as the pieces off the board.
    Foot,
    /// A border, labels or a key.
    Frame,
    /// No part of a drawn board.
    Other,
}

impl FigureLine {
    /// A row, the last one of a board of `n_rows` if so many stand above it.
    pub fn row(n_above: usize, n_rows: usize) -> FigureLine {
        if n_above + 1 == n_rows {
            FigureLine::LastRow
        } else {
            FigureLine::Row
        }
    }

    fn is_row(self) -> bool {
        matches!(self, FigureLine::Row | FigureLine::LastRow)
    }
}
