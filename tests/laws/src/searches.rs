//! Searches, proofs and scores as tests ask for them: without reports, until a limit ends them.

use kit::dyn_history::parse_legal;
use kit::evaluate::Sums as _;
use kit::search::proof::{ProofTable, Verdict};
use kit::search::{Control, Heuristics, Limits, Line, Progress, Request, Searcher};
use kit::{Engine, Evaluate, Notation, PositionHistory};

/// Only the heuristics that do not change the minimax value at a given depth.
pub const EXACT: Heuristics = Heuristics {
    reductions: false,
    pruning: false,
    aspiration: false,
    deeper_entries: false,
    extensions: false,
    known_results: false,
    ..Heuristics::FULL
};

/// A request for the best of all moves.
pub fn request<G: Notation>(history: &PositionHistory<G>, limits: Limits) -> Request {
    let moves = history.moves().into_iter();
    Request::new(moves.map(|mv| history.code(mv)).collect(), limits)
}

/// The first move of a line.
///
/// # Panics
/// If it is not legal.
pub fn first<G: Notation>(history: &PositionHistory<G>, line: &Line) -> G::Move {
    parse_legal(history, &line.pv[0]).expect("a legal move")
}

/// Plays the moves of a line.
///
/// # Panics
/// If one is not legal.
pub fn follow<G: Notation>(history: &mut PositionHistory<G>, line: &[String]) {
    for code in line {
        let mv = parse_legal(history, code).expect("a legal move");
        history.play(mv);
    }
}

/// Searches until a limit ends it.
pub fn find<G: Engine>(
    searcher: &mut Searcher,
    history: &PositionHistory<G>,
    request: &Request,
) -> Progress {
    G::erased(history).search(searcher, request, &Control::default(), &mut |_| {})
}

/// Searches for a win within `within` plies that begins with one of these moves, in a table of so many MiB, until it is
/// proved or refuted or after `nodes` positions. Returns the verdict and the number of visited positions.
///
/// # Panics
/// If there is no memory for the table.
pub fn prove<G: Engine>(
    history: &PositionHistory<G>,
    moves: &[G::Move],
    within: u32,
    table_mib: usize,
    nodes: Option<u64>,
) -> (Verdict, u64) {
    let mut table = ProofTable::new(table_mib).expect("memory");
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let limits = (&limits, &Control::default());
    let moves: Vec<String> = moves.iter().map(|&mv| history.code(mv)).collect();
    let proof = G::erased(history).prove(&mut table, &moves, within, limits);
    (proof.verdict, proof.nodes)
}

/// The static score of a position by itself, as [`Evaluate::evaluate`] gives it.
pub fn static_score<G: Evaluate>(game: &G, position: &G::Position) -> i32 {
    game.evaluate(position, &G::Sums::of(game, position))
}
