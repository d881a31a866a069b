//! A position that is typed or pasted, while it comes in.

use table::figure::{Figure, FigureReader};

/// Maximum size of a pasted text, in bytes; larger than any board with the text around it.
pub(super) const MAX_BYTES: usize = 1 << 16;

/// A position that is being entered.
pub(super) struct Paste {
    pub(super) reader: FigureReader,
    pub(super) n_bytes: usize,
    pub(super) question: Question,
}

/// The question that the next line answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// The rows of a board.
    Rows,
    /// The choice among several figures.
    Which(Vec<Figure>),
    /// The side to move in the figure with this index.
    Turn(usize, Figure),
}

/// A figure from which the game has started. More text may follow below it.
pub(super) struct Pasted {
    pub(super) reader: FigureReader,
    /// Its index among the figures.
    pub(super) index: usize,
    pub(super) fen: String,
}

impl Paste {
    /// Adds a line; `false` if the text is too long.
    pub(super) fn push(&mut self, line: &str) -> bool {
        self.n_bytes += line.len() + 1;
        let is_taken = self.n_bytes < MAX_BYTES;
        if is_taken {
            self.reader.push(line);
        }
        is_taken
    }
}
