//! Claims of forced wins and losses: every claim that a search makes must be true, whenever the search is stopped.

use super::exhaustive::Exhaustive;
use kit::search::proof::Verdict;
use kit::search::{Bound, Limits, Line, Method, Request, Searcher, mate_distance};
use kit::{Engine, Outcome, PositionHistory};
use std::collections::HashMap;

use crate::searches::{find, first, prove, request};
use crate::testing::{at, full};

/// Node limit for proving or refuting a claim. A claim that takes more is not checked.
const PROOF_NODES: u64 = 300_000;
/// The largest node count at which a search is stopped.
const LAST_STOP: u64 = 5_000;

/// Checks every claim by a proof search. The claims come from a principal variation search with `n_lines` lines that is
/// stopped at each of these node counts.
///
/// # Panics
/// With the position and the claim, if it is false.
pub fn check_claims<G: Engine>(
    history: &PositionHistory<G>,
    stops: impl IntoIterator<Item = u64>,
    n_lines: usize,
) {
    let mut claims = Claims::new(history, n_lines, |mv, plies| is_end(history, mv, plies));
    for nodes in stops {
        claims.check_stop(nodes, Method::Pvs);
    }
}

/// Checks every claim by exhaustive search and returns the number of claims. The claims come from a search by this
/// method with `n_lines` lines. It is stopped at every node count from 1 to 5,000, or until it ends by itself; unless the
/// tests are [`full`], at every seventh. The next occurrence of an earlier position must not be a draw by repetition.
///
/// # Panics
/// With the position and the claim, if it is false.
pub fn check_every_stop<G: Engine>(
    history: &PositionHistory<G>,
    method: Method,
    n_lines: usize,
) -> usize {
    let mut exhaustive = Exhaustive::new(history);
    let mut claims = Claims::new(history, n_lines, |mv, plies| exhaustive.is_end(mv, plies));
    for nodes in (1..=LAST_STOP).step_by(if full() { 1 } else { 7 }) {
        if claims.check_stop(nodes, method) < nodes {
            break;
        }
    }
    claims.n_claims
}

/// Checks every claim about each of these positions, with its number of lines, as [`check_every_stop`] does. Each must
/// give some claims.
///
/// # Panics
/// With the position.
pub fn check_ends<G: Engine>(ends: &[(&str, usize)]) {
    for &(position, n_lines) in ends {
        let n_claims = check_every_stop(&at::<G>("", position), Method::Pvs, n_lines);
        assert!(n_claims > 0, "{position}: no claim");
    }
}

/// The moves by which the side to move forces a win within `plies`, by exhaustive search. The next occurrence of an earlier
/// position must not be a draw by repetition.
pub fn winning_moves<G: Engine>(history: &PositionHistory<G>, plies: u32) -> Vec<G::Move> {
    let mut exhaustive = Exhaustive::new(history);
    let mut moves = history.moves();
    moves.retain(|&mv| exhaustive.is_end(mv, plies as i32));
    moves
}

/// The claims about one position.
struct Claims<'a, G: Engine, F> {
    history: &'a PositionHistory<G>,
    n_lines: usize,
    /// `true` if a move forces a win within `n` plies, or for `n <= 0`, loses within `-n` plies.
    is_end: F,
    /// Results by plies, positive for a win, and move; `None` stands for all moves.
    is_true: HashMap<(i32, Option<G::Move>), bool>,
    n_claims: usize,
}

impl<'a, G: Engine, F: FnMut(G::Move, i32) -> bool> Claims<'a, G, F> {
    fn new(history: &'a PositionHistory<G>, n_lines: usize, is_end: F) -> Claims<'a, G, F> {
        Claims {
            history,
            n_lines,
            is_end,
            is_true: HashMap::new(),
            n_claims: 0,
        }
    }

    /// Checks the lines of a search with this limit. Returns the nodes that it searched.
    fn check_stop(&mut self, nodes: u64, method: Method) -> u64 {
        let limits = Limits::nodes(nodes);
        let request = Request {
            n_lines: self.n_lines,
            method,
            ..request(self.history, limits)
        };
        let found = find(&mut Searcher::new(1, 1), self.history, &request);
        for line in &found.lines {
            self.check(line, nodes);
        }
        found.nodes
    }

    fn check(&mut self, line: &Line, nodes: u64) {
        let Some(plies) = mate_distance(line.score) else {
            return;
        };
        self.n_claims += 1;
        let is_proof = match line.bound {
            None => true,
            Some(Bound::Lower) => plies > 0,
            Some(Bound::Upper) => plies <= 0,
        };
        let mv = first(self.history, line);
        // A single losing line claims that every move loses.
        let subject = (plies > 0 || self.n_lines > 1).then_some(mv);
        let (history, is_end) = (self.history, &mut self.is_end);
        let is_true = *self
            .is_true
            .entry((plies, subject))
            .or_insert_with(|| match subject {
                Some(mv) => is_end(mv, plies),
                None => history.moves().into_iter().all(|mv| is_end(mv, plies)),
            });
        assert!(
            is_proof && is_true,
            "{}: {history:?}: after {nodes} nodes, {mv:?} is claimed to end the game in {plies} plies ({:?})",
            G::NAME,
            line.bound
        );
    }
}

/// `true` if a move forces a win within `plies`, or loses within `-plies`, and also if the proof takes too long.
fn is_end<G: Engine>(history: &PositionHistory<G>, mv: G::Move, plies: i32) -> bool {
    let prove = |history: &PositionHistory<G>, moves: &[G::Move], within| {
        prove(history, moves, within, 8, Some(PROOF_NODES)).0 != Verdict::NoWin
    };
    if plies > 0 {
        return prove(history, &[mv], plies.unsigned_abs());
    }
    let mut after = history.clone();
    after.play(mv);
    match after.outcome() {
        Some(outcome) => outcome == Outcome::Win(after.side()),
        None => prove(
            &after,
            &after.moves(),
            plies.unsigned_abs().saturating_sub(1),
        ),
    }
}
