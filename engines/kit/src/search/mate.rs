//! `go mate`: a proof search for a forced win, followed by a short search for a move if there is none.

use std::time::Instant;

use super::proof::{Proof, ProofTable, Verdict, prove};
use super::score::win_in;
use super::{Control, Limits, Line, Progress, Request, Searcher};
use crate::{Evaluate, PositionHistory};

/// Maximum nodes of the search for a move.
const NODES_WITHOUT_WIN: u64 = 10_000;
/// The proof search leaves one part in this many of the limits for the search for a move.
const SHARE_WITHOUT_WIN: u32 = 8;

impl Searcher {
    /// Searches for a win within `within` plies. If there is none, or a limit ends the proof search, a short search
    /// within the remaining limits finds a move.
    pub(super) fn find_win<G: Evaluate>(
        &mut self,
        within: u32,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let started = Instant::now();
        let at = |nodes, lines, depth| Progress {
            depth,
            seldepth: depth,
            lines,
            nodes,
            time: started.elapsed(),
            ..Progress::default()
        };
        let limits = proof_limits(&request.limits);
        let (verdict, nodes) = match ProofTable::new(self.hash_mib) {
            Some(mut table) => {
                let Proof { verdict, nodes, .. } = prove(
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
        let request = Request {
            limits: limits_left(&request.limits, nodes),
            ..request.clone()
        };
        let in_all = |found: &Progress<G::Move>| Progress {
            nodes: nodes + found.nodes,
            time: started.elapsed(),
            ..found.clone()
        };
        let mut report = |found: &Progress<G::Move>| progress(&in_all(found));
        let found = self.search(history, &request, control, &mut report);
        in_all(&found)
    }
}

/// Limits of the proof search: all except the reserve for the search for a move.
fn proof_limits(limits: &Limits) -> Limits {
    let share = |all: std::time::Duration| all - all / SHARE_WITHOUT_WIN;
    Limits {
        nodes: limits.nodes.map(|nodes| nodes - reserve(nodes)),
        budget: limits.budget.map(share),
        ..Limits::default()
    }
}

/// Nodes reserved for the search for a move, at least one.
fn reserve(nodes: u64) -> u64 {
    (nodes / u64::from(SHARE_WITHOUT_WIN)).clamp(1, NODES_WITHOUT_WIN)
}

/// Limits of the search for a move after a proof search of `nodes` nodes. The clock has run since the start of both.
fn limits_left(limits: &Limits, nodes: u64) -> Limits {
    let left = limits.nodes.map(|all| all.saturating_sub(nodes).max(1));
    Limits {
        nodes: Some(left.unwrap_or(u64::MAX).min(NODES_WITHOUT_WIN)),
        mate: None,
        ..limits.clone()
    }
}
