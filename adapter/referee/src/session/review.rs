//! Looking back: moves are taken back, played again, and branch.

use kit::Side;

use super::journal::JournalEntry;
use super::tree::NodeId;
use super::{Table, TableError};

impl Table {
    /// Goes back to the last turn of a person; one move where no person plays.
    pub fn undo(&mut self) -> Result<(), TableError> {
        let target = self.last_own_turn();
        let target = target
            .ok_or_else(|| TableError::Refused("there is no move to take back".to_owned()))?;
        self.goto(target)?;
        self.is_held = self.is_watched();
        Ok(())
    }

    /// Goes forward to the next turn of a person, or to the end of the line.
    pub fn redo(&mut self) -> Result<(), TableError> {
        let mut node = self.tree.here();
        while let Some(next) = self.tree.next(node) {
            node = next;
            let mover = self.tree.next(node).and_then(|after| self.tree.ply(after));
            if mover.is_none_or(|ply| !self.is_auto(ply.side)) || self.is_watched() {
                break;
            }
        }
        if node == self.tree.here() {
            return Err(TableError::Refused(
                "there is no move to play again".to_owned(),
            ));
        }
        self.goto(node)?;
        self.is_held = self.is_watched();
        Ok(())
    }

    /// Goes back so many moves, at most to the beginning; engines wait there. How many it were.
    pub fn back(&mut self, n: usize) -> Result<usize, TableError> {
        self.look(self.tree.back(n), "back")
    }

    /// Plays so many moves again that were taken back; engines wait there. How many it were.
    pub fn forward(&mut self, n: usize) -> Result<usize, TableError> {
        self.look(self.tree.forward(n), "forward")
    }

    fn look(&mut self, target: NodeId, way: &str) -> Result<usize, TableError> {
        let before = self.moves().len();
        if target == self.tree.here() {
            return Err(TableError::Refused(format!(
                "there is no move further {way}"
            )));
        }
        self.goto(target)?;
        self.is_held = true;
        Ok(before.abs_diff(self.moves().len()))
    }

    fn is_watched(&self) -> bool {
        Side::BOTH.iter().all(|side| self.is_auto(*side))
    }

    fn last_own_turn(&self) -> Option<NodeId> {
        let path = self.tree.path(self.tree.here());
        let is_own = |node: &&NodeId| {
            let side = self.tree.ply(**node).map(|ply| ply.side);
            side.is_some_and(|side| !self.is_auto(side))
        };
        let last = if self.is_watched() {
            path.last()
        } else {
            path.iter().rev().find(is_own)
        };
        last.map(|node| self.tree.parent(*node))
    }

    fn goto(&mut self, target: NodeId) -> Result<(), TableError> {
        self.stand_at(target)?;
        self.over = None;
        self.offer = None;
        self.note(&JournalEntry::At(target))?;
        self.settle_outcome()
    }

    /// Plays and takes back what leads from here to a node; the clocks show what they did there.
    pub(super) fn stand_at(&mut self, target: NodeId) -> Result<(), TableError> {
        let from = self.tree.path(self.tree.here());
        let to = self.tree.path(target);
        let shared = from
            .iter()
            .zip(&to)
            .take_while(|(one, other)| one == other)
            .count();
        for _ in shared..from.len() {
            self.round.take_back();
        }
        for &node in &to[shared..] {
            if let Some(ply) = self.tree.ply(node) {
                self.round.replay(&ply.code, ply.record)?;
            }
        }
        self.tree.go(target);
        self.reset_clocks();
        Ok(())
    }

    fn reset_clocks(&mut self) {
        let mut clocks = self.chairs.each_ref().map(super::Seat::clock);
        for ply in self.tree.line() {
            let seconds = ply.record.map_or(0.0, |record| record.time);
            let elapsed = std::time::Duration::try_from_secs_f64(seconds).unwrap_or_default();
            // A move that was made was in time; another clock than then runs out later.
            let _ = clocks[ply.side.index()].spend(elapsed);
        }
        for (side, clock) in Side::BOTH.into_iter().zip(clocks) {
            self.round.set_clock(side, clock);
        }
    }
}
