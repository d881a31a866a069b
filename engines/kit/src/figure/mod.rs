//! Figures: drawn boards in documents, mail and pasted text, with captions, quotation marks and other figures around
//! them.
//!
//! [`clean`] removes from a line what mail programs and archives add. [`FigureReader`] finds the boards in a text, line
//! by line, using the game's [`figure_line`](crate::Notation::figure_line). The board is then read by the game's
//! [`parse_position`](crate::Notation::parse_position).

mod clean;
mod reader;
mod turn;

pub use clean::clean;
pub use reader::{Candidate, Figure, FigureReader};

/// The role of a line in a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureLine {
    /// A row of the board that is not the last.
    Row,
    /// The last row of the board.
    LastRow,
    /// A line below the board that names the side to move.
    Turn,
    /// A line below the board with other parts of the position, such as the pieces off the board.
    Foot,
    /// A border, labels or a key.
    Frame,
    /// Not part of a drawn board.
    Other,
}

impl FigureLine {
    /// The classification of a row with `n_above` rows above it, in a board of `n_rows`.
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
