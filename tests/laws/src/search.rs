//! Properties of the search: it returns the minimax value, and table entries of one board are never used for another.

use super::claims::check_claims;
use super::searches::{EXACT, find, request, static_score};
use kit::search::score::{DRAW, SearchScore, loss_in, win_in};
use kit::search::{Heuristics, Limits, Method, Request, Searcher};
use kit::{Engine, Evaluate, Options, Outcome, PositionHistory, perft};

/// Maximum depth of a search compared with plain negamax; aspiration windows begin at depth 4.
const MAX_DEPTH: u32 = 6;
/// Maximum number of leaves of such a search.
const MAX_LEAVES: u64 = 20_000;
/// A position with at most this many moves can probably be searched to depth 5 or 6 within this number of leaves.
const FEW_MOVES: usize = 6;
/// Number of lines found at once; the windows of later lines depend on those of earlier ones.
const N_LINES: usize = 3;
/// Number of node counts at which each search is stopped to check its claims.
const N_STOPS: usize = 4;
/// Upper bound of these node counts.
const MAX_NODES: u64 = 2_000;
/// Nodes of each search on one board after another. The table of 1 MiB holds the entries of all of them.
const NODES_A_BOARD: u64 = 1_500;

/// `true` if a position has so few moves that a search of it can be deep.
pub(super) fn is_narrow<G: Evaluate>(history: &PositionHistory<G>) -> bool {
    history.game().count_moves(history.position()) <= FEW_MOVES
}

/// Compares the search of one position with plain negamax, as deep as a small tree allows, and checks its claims by a
/// proof search. Returns `false` if even one ply is too large.
pub(super) fn check<G: Engine>(
    history: &PositionHistory<G>,
    rng: &mut fastrand::Rng,
    at: &str,
) -> bool {
    let fits = |depth: &u32| perft::perft(&mut history.clone(), *depth) <= MAX_LEAVES;
    let Some(depth) = (1..=MAX_DEPTH).take_while(fits).last() else {
        return false;
    };
    check_values(history, depth, at);
    let stops: Vec<u64> = (0..N_STOPS).map(|_| rng.u64(1..MAX_NODES)).collect();
    check_claims(history, stops, N_LINES);
    true
}

/// Compares the search with the minimax value, for each set of heuristics that must not change it.
fn check_values<G: Engine>(history: &PositionHistory<G>, depth: u32, at: &str) {
    let mut reference = Negamax { n_repetitions: 0 };
    let mut values: Vec<SearchScore> = history
        .moves()
        .into_iter()
        .map(|mv| {
            let mut after = history.clone();
            after.play(mv);
            -reference.value(&mut after, depth - 1, 1)
        })
        .collect();
    values.sort_unstable_by(|a, b| b.cmp(a));
    // A repetition is a draw only on the line that repeats. The table does not distinguish lines, so the values may
    // differ.
    if reference.n_repetitions > 0 {
        return;
    }
    for (aspiration, n_lines) in [(false, 1), (true, 1), (true, N_LINES)] {
        let request = Request {
            heuristics: Heuristics {
                aspiration,
                ..EXACT
            },
            n_lines,
            method: Method::Pvs,
            ..request(history, Limits::depth(depth))
        };
        let found = find(&mut Searcher::new(1, 1), history, &request);
        let scores: Vec<SearchScore> = found.lines.iter().map(|line| line.score).collect();
        let expected = &values[..values.len().min(n_lines)];
        assert_eq!(
            scores, expected,
            "{at}: search and negamax to depth {depth}, aspiration {aspiration}"
        );
    }
}

/// Checks that each set of options has a unique rules key, and that a search after one on another board equals a fresh
/// search.
pub(super) fn check_boards_apart<G: Engine>(variants: &[Options]) {
    let games: Vec<G> = variants.iter().map(G::new).collect();
    let keys: Vec<u64> = games.iter().map(G::rules_key).collect();
    for (i, key) in keys.iter().enumerate() {
        let earlier = keys[..i].iter().position(|other| other == key);
        let values = |i: usize| variants[i].values().collect::<Vec<_>>();
        assert!(
            earlier.is_none(),
            "{}: one rules key for {:?} and {:?}",
            G::NAME,
            values(i),
            values(earlier.unwrap_or(i))
        );
    }
    for method in [Method::Best, Method::Pvs] {
        let mut kept = Searcher::new(1, 1);
        for (game, options) in games.iter().zip(variants) {
            let history = PositionHistory::start(game.clone());
            let limits = Limits::nodes(NODES_A_BOARD);
            let request = Request {
                method,
                ..request(&history, limits)
            };
            let after_others = find(&mut kept, &history, &request);
            let fresh = find(&mut Searcher::new(1, 1), &history, &request);
            assert_eq!(
                (after_others.nodes, after_others.lines),
                (fresh.nodes, fresh.lines),
                "{}: {:?} after searches on other boards",
                G::NAME,
                options.values().collect::<Vec<_>>()
            );
        }
    }
}

/// The minimax value of the tree to `depth`, computed by definition: no table, no window, no move ordering. Wins count
/// from the root, which is `ply` plies back.
pub fn negamax<G: Evaluate>(
    history: &mut PositionHistory<G>,
    depth: u32,
    ply: usize,
) -> SearchScore {
    Negamax { n_repetitions: 0 }.value(history, depth, ply)
}

struct Negamax {
    /// Number of positions scored as draws because they occurred before on the line from the root.
    n_repetitions: u64,
}

impl Negamax {
    fn value<G: Evaluate>(
        &mut self,
        history: &mut PositionHistory<G>,
        depth: u32,
        ply: usize,
    ) -> SearchScore {
        match history.outcome() {
            Some(Outcome::Draw) => return DRAW,
            Some(Outcome::Win(side)) if side == history.side() => return win_in(ply),
            Some(Outcome::Win(_)) => return loss_in(ply),
            None if ply > 0 && history.is_drawn_or_repeats_within(ply) => {
                self.n_repetitions += 1;
                return DRAW;
            }
            None => {}
        }
        if depth == 0 {
            let wins = history.game().win_in_one(history.position()).is_some();
            return if wins {
                win_in(ply + 1)
            } else {
                static_score(history.game(), history.position())
            };
        }
        let mut best = SearchScore::MIN;
        for mv in history.moves() {
            history.play(mv);
            best = best.max(-self.value(history, depth - 1, ply + 1));
            history.undo();
        }
        best
    }
}
