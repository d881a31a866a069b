//! Taking moves back, replaying them, going to other branches, and adding variations.

use crate::model::{
    Amount, ClientId, Mover, NodeId, Ply, ProposalEnd, Proposed, Refusal, SeatId, TableEvent,
};
use record::opening::Opening;

use crate::error::{TableError, refuse};
use crate::journal::JournalEntry;
use crate::state::Table;

/// The longest variation that can be added at once, in plies.
const MAX_LINE: f64 = 256.0;

impl Table {
    /// Goes back to this client's last turn; if engines play both sides, by one move.
    pub(super) fn undo(&mut self, client: ClientId) -> Result<(), TableError> {
        let target = self.undo_target(client).ok_or(Refusal::NothingToUndo)?;
        self.propose_node(client, target, self.is_watched())
    }

    /// The node of this client's last turn.
    pub(super) fn undo_target(&self, client: ClientId) -> Option<NodeId> {
        let own = self.own_turns(client);
        let path = self.tree.path(self.tree.here());
        let is_own = |node: &&NodeId| self.is_turn_of(&own, **node);
        let last = path.iter().rev().find(is_own);
        last.map(|node| self.tree.parent(*node))
    }

    /// Goes forward to this client's next turn, or to the end of the line.
    pub(super) fn redo(&mut self, client: ClientId) -> Result<(), TableError> {
        let own = self.own_turns(client);
        let mut target = self.tree.here();
        while let Some(next) = self.tree.next(target) {
            target = next;
            let after = self.tree.next(target);
            if after.is_none_or(|after| self.is_turn_of(&own, after)) {
                break;
            }
        }
        if target == self.tree.here() {
            return refuse(Refusal::NothingToRedo);
        }
        self.propose_node(client, target, self.is_watched())
    }

    /// Goes to a node on request; engines then wait for `go`.
    pub(super) fn look(&mut self, client: ClientId, node: NodeId) -> Result<(), TableError> {
        self.refuse_unknown(node)?;
        if node == self.tree.here() {
            return refuse(Refusal::NoFurtherMove);
        }
        self.propose_node(client, node, true)
    }

    /// Goes to a node, once all other persons agree. If `is_held`, engines wait there for `go`.
    fn propose_node(
        &mut self,
        client: ClientId,
        node: NodeId,
        is_held: bool,
    ) -> Result<(), TableError> {
        self.propose(client, self.going_to(node, is_held), None)
    }

    pub(super) fn going_to(&self, node: NodeId, is_held: bool) -> Proposed {
        let ply = self.opening.moves.len() + self.tree.path(node).len();
        Proposed::GoTo { node, ply, is_held }
    }

    pub(super) fn refuse_unknown(&self, node: NodeId) -> Result<(), TableError> {
        if self.tree.contains(node) {
            return Ok(());
        }
        let last = self.tree.n_nodes() - 1;
        let node = node.0;
        refuse(Refusal::NoNode { node, last })
    }

    /// The seats whose turns `undo` and `redo` look for: the client's; if it has none, those of all persons; if engines
    /// play both sides, all.
    fn own_turns(&self, client: ClientId) -> Vec<SeatId> {
        let is_person = |id: &SeatId| !self.seat_at(*id).is_auto;
        let persons: Vec<SeatId> = self.seat_ids().filter(is_person).collect();
        let own = persons.iter().filter(|id| self.owns(client, **id));
        let own: Vec<SeatId> = own.copied().collect();
        if !own.is_empty() {
            own
        } else if persons.is_empty() {
            self.seat_ids().collect()
        } else {
            persons
        }
    }

    /// `true` if the move that leads to a node was made by one of these seats.
    fn is_turn_of(&self, seats: &[SeatId], node: NodeId) -> bool {
        self.mover(node).is_some_and(|id| seats.contains(&id))
    }

    /// Moves the game to a node, writes this to the journal, and notifies the clients.
    pub(super) fn go_to(&mut self, node: NodeId) -> Result<(), TableError> {
        self.give_up_searches();
        self.end_proposal(ProposalEnd::Withdrawn);
        self.stand_at(node)?;
        self.over = None;
        self.note(&JournalEntry::At(node))?;
        self.timer.reset();
        self.tell_all(TableEvent::WentTo { node });
        self.check_outcome()
    }

    /// Takes back and replays the moves between the current node and another one, and restores the clocks of that node.
    pub(super) fn stand_at(&mut self, target: NodeId) -> Result<(), TableError> {
        let from = self.tree.path(self.tree.here());
        let to = self.tree.path(target);
        let pairs = from.iter().zip(&to);
        let n_shared = pairs.take_while(|(one, other)| one == other).count();
        for _ in n_shared..from.len() {
            self.game.take_back();
        }
        for &node in &to[n_shared..] {
            if let Some(ply) = self.tree.ply(node) {
                self.game.replay(&ply.code, ply.record.clone())?;
            }
        }
        self.tree.go(target);
        self.count_clocks();
        Ok(())
    }

    /// Adds moves after a node; the current node does not change.
    ///
    /// # Errors
    /// There is no such node, or a move is illegal; the message names the first such move. Nothing is added then.
    pub(super) fn add_line(&mut self, from: NodeId, codes: &[String]) -> Result<(), TableError> {
        self.refuse_unknown(from)?;
        Amount::Moves.check(codes.len() as f64, 1.0..=MAX_LINE)?;
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
        self.tell_all(TableEvent::LineAdded { from, plies, nodes });
        Ok(())
    }
}
