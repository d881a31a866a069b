//! Adding variations to the tree.

use record::opening::Opening;
use record::table::{Mover, NodeId, Ply, TableEvent};

use crate::error::{TableError, refuse};
use crate::journal::JournalEntry;
use crate::state::Table;

/// The longest variation that can be added at once, in plies.
const MAX_LINE: usize = 256;

impl Table {
    /// Adds moves after a node; the current node does not change.
    ///
    /// # Errors
    /// There is no such node, or a move is illegal; the message names the first such move. Nothing is added then.
    pub(super) fn add_line(&mut self, from: NodeId, codes: &[String]) -> Result<(), TableError> {
        self.refuse_unknown(from)?;
        if !(1..=MAX_LINE).contains(&codes.len()) {
            return refuse!("{} moves: expected 1 to {MAX_LINE}", codes.len());
        }
        let path = self.tree.path(from).into_iter();
        let played = path.filter_map(|node| Some(self.tree.ply(node)?.code.clone()));
        let opening = Opening {
            fen: self.opening.fen.clone(),
            moves: self.opening.moves.iter().cloned().chain(played).collect(),
        };
        let mut board = self.rules.open(&opening)?;
        let mut plies = Vec::with_capacity(codes.len());
        for code in codes {
            plies.push(Ply {
                side: board.side(),
                code: board.play(code)?,
                by: Mover::Person,
                record: None,
            });
        }
        let nodes = self.tree.add_line(from, &plies);
        let codes = plies.iter().map(|ply| ply.code.clone()).collect();
        self.note(&JournalEntry::Line { from, codes })?;
        self.clients
            .send_to_all(TableEvent::LineAdded { from, plies, nodes });
        Ok(())
    }
}
