//! `go mate`: a proof that a win is forced, and a short search for a move if there is none.

use super::proof::{self, Proof, ProofTable, Verdict};
use super::score::win_in;
use super::{Budget, Control, Limits, Line, Progress, Request, Searcher};
use crate::{Evaluate, Notation, PositionHistory};

/// Maximum nodes of the search for a move.
const NODES_WITHOUT_WIN: u64 = 10_000;
/// The proof search leaves one part in this many of the limits for the search for a move.
const SHARE_WITHOUT_WIN: u64 = 8;

impl Searcher {
    /// Searches for a win within `within` plies. If there is none, or a limit ends the proof search, a short search
    /// within the remaining limits finds a move.
    pub(super) fn find_win<G: Evaluate + Notation>(
        &mut self,
        within: u32,
        history: &PositionHistory<G>,
        request: &Request,
        control: &Control,
        progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        let at = |nodes, lines, depth| Progress {
            depth,
            seldepth: depth,
            lines,
            nodes,
            ..Progress::default()
        };
        // The proof leaves nodes, at least one, and time for the search for a move.
        let reserve = |nodes: u64| (nodes / SHARE_WITHOUT_WIN).clamp(1, NODES_WITHOUT_WIN);
        let limits = Limits {
            nodes: request.limits.nodes.map(|nodes| nodes - reserve(nodes)),
            budget: (request.limits.budget.hard()).map_or(Budget::None, |time| {
                Budget::Fixed(time - time / SHARE_WITHOUT_WIN as u32)
            }),
            ..Limits::default()
        };
        let (verdict, nodes) = match ProofTable::new(self.hash_mib) {
            Some(mut table) => {
                let Proof { verdict, nodes, .. } = proof::prove(
                    &mut table,
                    history,
                    &request.moves,
                    within,
                    (&limits, control),
                    &mut |nodes| progress(&at(nodes, Vec::new(), 0)),
                );
                (verdict, nodes)
            }
            None => {
                let note = "not enough memory to prove a win: set a smaller Hash";
                progress(&Progress::note(note.to_owned()));
                (Verdict::Unknown, 0)
            }
        };
        if let Verdict::Win { plies, pv } = verdict {
            let score = win_in(plies as usize);
            let found = at(nodes, vec![Line::exact(score, pv)], plies);
            progress(&found);
            return found;
        }
        // The clock has run since the start of both searches.
        let mut request = request.clone();
        let left = |all: u64| all.saturating_sub(nodes).max(1);
        request.limits.nodes = request.limits.nodes.map(left);
        request.limits.cap_nodes(NODES_WITHOUT_WIN);
        request.limits.mate = None;
        let in_all = |found: &Progress| Progress {
            nodes: nodes + found.nodes,
            ..found.clone()
        };
        let mut report = |found: &Progress| progress(&in_all(found));
        let found = self.search(history, &request, control, &mut report);
        in_all(&found)
    }
}
