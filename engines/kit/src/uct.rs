//! Monte Carlo tree search over any rules, for games that have no engine yet, and as the baseline of those that have one.
//!
//! Plain UCT (Kocsis and Szepesvári 2006) with random playouts. Results of finished games are exact, and a node whose
//! moves are all decided is decided too (MCTS-Solver, Winands et al. 2008).

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::search::{Control, Line, Progress, Request, SearchScore};
use crate::{DynHistory, Outcome, Side};

/// Weight of the exploration term in the upper confidence bound.
const EXPLORATION: f64 = 1.0;
/// Length in plies at which a playout counts as a draw.
const LONGEST_PLAYOUT: usize = 400;
/// Maximum number of nodes; the tree then only counts visits.
const MAX_NODES: usize = 1 << 21;

/// Playouts for each ply of a limit of `depth` or `mate`.
const PLAYOUTS_A_PLY: u64 = 1000;
/// Interval of reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Searches until a limit or the control ends it, as [`Searcher::search`](crate::search::Searcher::search) does.
pub fn search(
    board: Box<dyn DynHistory>,
    request: &Request,
    control: &Control,
    on_progress: &mut dyn FnMut(&Progress),
) -> Progress {
    let limits = &request.limits;
    let plies = limits.depth.or(limits.mate);
    let max_playouts = plies.map_or(u64::MAX, |plies| u64::from(plies.max(1)) * PLAYOUTS_A_PLY);
    let max_positions = limits.nodes.unwrap_or(u64::MAX);
    let must_stop = || control.is_stopped() || control.is_past(limits.budget.soft());
    let mut tree = UctTree::new(board, &request.moves, request.seed);
    let mut reported = Instant::now();
    while !must_stop()
        && tree.play_once(&must_stop)
        && !tree.is_solved()
        && tree.n_playouts < max_playouts
        && tree.n_positions < max_positions
    {
        if reported.elapsed() >= REPORT_INTERVAL {
            reported = Instant::now();
            on_progress(&tree.progress());
        }
    }
    let found = tree.progress();
    on_progress(&found);
    found
}

/// A move and the position after it.
#[derive(Debug)]
struct Node {
    code: Box<str>,
    visits: u32,
    /// Points of the player who made the move: 1 for a win, 0.5 for a draw.
    points: f64,
    /// The result with best play, if it is known.
    outcome: Option<Outcome>,
    /// The nodes after it; empty until the second visit.
    children: Range<usize>,
}

/// A search tree.
struct UctTree {
    board: Box<dyn DynHistory>,
    nodes: Vec<Node>,
    root: Range<usize>,
    rng: fastrand::Rng,
    /// Moves made.
    n_positions: u64,
    /// Games played.
    n_playouts: u64,
}

impl UctTree {
    /// Creates a tree for a position that is not over. Only these moves are considered. Equal seeds give equal searches.
    fn new(board: Box<dyn DynHistory>, moves: &[String], seed: u64) -> UctTree {
        let mut tree = UctTree {
            board,
            nodes: Vec::new(),
            root: 0..0,
            rng: fastrand::Rng::with_seed(seed),
            n_positions: 0,
            n_playouts: 0,
        };
        tree.root = tree.add(moves);
        tree
    }

    /// `true` once the value of the best move is known.
    fn is_solved(&self) -> bool {
        self.decided(self.root.clone(), self.board.side()).is_some()
    }

    /// Plays one game to its end, or until `must_stop`; then it does not count. Returns `false` if the rules have failed.
    fn play_once(&mut self, must_stop: &dyn Fn() -> bool) -> bool {
        let mut path = Vec::new();
        let mut children = self.root.clone();
        let mut outcome = None;
        while outcome.is_none() && !children.is_empty() {
            let chosen = self.choose(children, self.board.side());
            let side = self.board.side();
            let code = self.nodes[chosen].code.clone();
            if self.board.play(&code).is_err() {
                return false;
            }
            self.n_positions += 1;
            path.push((chosen, side));
            outcome = self.nodes[chosen].outcome.or_else(|| self.board.outcome());
            if outcome.is_none() && self.nodes[chosen].visits == 1 {
                let moves = self.board.moves();
                self.nodes[chosen].children = self.add(&moves);
            }
            children = self.nodes[chosen].children.clone();
        }
        if let (Some(outcome), Some((last, _))) = (outcome, path.last()) {
            self.nodes[*last].outcome = Some(outcome);
        }
        let result = match outcome {
            Some(outcome) => Some(Some(outcome)),
            None => self.play_out(must_stop),
        };
        if let Some(result) = result {
            self.back_up(&path, result);
            self.n_playouts += 1;
        }
        for _ in &path {
            self.board.undo();
        }
        self.board.fault().is_none()
    }

    fn progress(&self) -> Progress {
        let (pv, score) = self.best();
        Progress {
            depth: pv.len() as u32,
            seldepth: pv.len() as u32,
            lines: vec![Line::exact(score, pv)],
            nodes: self.n_positions,
            ..Progress::default()
        }
    }

    /// The moves of the best line, at least one, and its score for the side to move.
    fn best(&self) -> (Vec<String>, SearchScore) {
        let (mut line, mut children) = (Vec::new(), self.root.clone());
        let (mut side, mut share) = (self.board.side(), 0.5);
        while let Some(best) = children.clone().max_by_key(|at| self.rank(*at, side)) {
            let node = &self.nodes[best];
            if node.visits == 0 && !line.is_empty() {
                break;
            }
            if line.is_empty() {
                let known = node.outcome.map(|outcome| f64::from(outcome.points(side)));
                share = known.unwrap_or((node.points + 0.5) / (f64::from(node.visits) + 1.0));
            }
            line.push(node.code.to_string());
            children = node.children.clone();
            side = side.other();
        }
        (line, centi(share))
    }

    /// A proven win comes before any open move, and a proven loss after it; otherwise the most visits count.
    fn rank(&self, at: usize, side: Side) -> (u32, u32) {
        let node = &self.nodes[at];
        let points = node.outcome.map_or(1, |outcome| outcome.half_points(side));
        (points, node.visits)
    }

    fn add(&mut self, moves: &[String]) -> Range<usize> {
        let start = self.nodes.len();
        if start + moves.len() > MAX_NODES {
            return 0..0;
        }
        self.nodes.extend(moves.iter().map(|code| Node {
            code: code.as_str().into(),
            visits: 0,
            points: 0.0,
            outcome: None,
            children: 0..0,
        }));
        let range = start..self.nodes.len();
        // Unvisited moves are tried in the order of their nodes.
        for at in range.clone().rev() {
            let other = start + self.rng.usize(..=at - start);
            self.nodes.swap(at, other);
        }
        range
    }

    fn choose(&self, children: Range<usize>, side: Side) -> usize {
        let visits: u32 = children.clone().map(|at| self.nodes[at].visits).sum();
        let log = f64::from(visits.max(1)).ln();
        let bound = |at: usize| {
            let node = &self.nodes[at];
            if let Some(outcome) = node.outcome {
                return 3.0 * f64::from(outcome.points(side)) - 1.0;
            }
            if node.visits == 0 {
                return 1.9;
            }
            let n_visits = f64::from(node.visits);
            node.points / n_visits + EXPLORATION * (log / n_visits).sqrt()
        };
        let best = |a: usize, b: usize| if bound(b) > bound(a) { b } else { a };
        children.reduce(best).expect("it has moves")
    }

    /// The result of random moves, `None` for a game that is too long; `None` if it must stop before.
    fn play_out(&mut self, must_stop: &dyn Fn() -> bool) -> Option<Option<Outcome>> {
        let mut n_moves = 0;
        let mut is_stopped = false;
        while self.board.outcome().is_none() && n_moves < LONGEST_PLAYOUT && !is_stopped {
            is_stopped = must_stop();
            let moves = self.board.moves();
            let Some(code) = self.rng.choice(&moves) else {
                break;
            };
            if self.board.play(code).is_err() {
                break;
            }
            n_moves += 1;
        }
        self.n_positions += n_moves as u64;
        let outcome = self.board.outcome();
        for _ in 0..n_moves {
            self.board.undo();
        }
        (!is_stopped).then_some(outcome)
    }

    fn back_up(&mut self, path: &[(usize, Side)], result: Option<Outcome>) {
        for (chosen, side) in path {
            let points = result.map_or(0.5, |outcome| f64::from(outcome.points(*side)));
            self.nodes[*chosen].visits += 1;
            self.nodes[*chosen].points += points;
        }
        // The value of a node is known if that of its best move is; the last one may have become known now.
        for (at, mover) in path.iter().rev() {
            let children = self.nodes[*at].children.clone();
            if self.nodes[*at].outcome.is_none() {
                self.nodes[*at].outcome = self.decided(children, mover.other());
            }
            if self.nodes[*at].outcome.is_none() {
                return;
            }
        }
    }

    /// The result with best play of the side that chooses between these nodes, if it is known.
    fn decided(&self, children: Range<usize>, side: Side) -> Option<Outcome> {
        let outcomes = || self.nodes[children.clone()].iter().map(|node| node.outcome);
        let best = outcomes().flatten();
        let best = best.max_by_key(|outcome| outcome.half_points(side))?;
        let is_known = best == Outcome::Win(side) || outcomes().all(|outcome| outcome.is_some());
        is_known.then_some(best)
    }
}

/// A share of points as a score: 100 for odds of ten to one.
fn centi(share: f64) -> SearchScore {
    let share = share.clamp(0.001, 0.999);
    (100.0 * (share / (1.0 - share)).log10()) as SearchScore
}
