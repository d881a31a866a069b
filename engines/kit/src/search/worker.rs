//! The recursive search of one thread: principal variation search over make and undo.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::control::Control;
use super::ordering::{MoveOrdering, Ranked, pick};
use super::score::{
    DRAW, INFINITE, LEAST_WIN, MAX_PLY, Score, loss_in, mate_distance, score_from_tt, score_to_tt,
    win_in,
};
use super::table::{Bound, Entry, TranspositionTable};
use super::{Heuristic, SharedState};
use crate::{Evaluate, Game, KnownResult, Outcome, PositionHistory, Side};

/// How often, in nodes, the clock is looked at.
const POLL: u64 = 64;
/// Half the width of the first window around the last score.
const ASPIRATION: Score = 40;
/// What a turn in a dead end costs.
const WAITING: Score = 40;
/// Moves tried at full depth before reductions begin.
const FULL_DEPTH_MOVES: usize = 3;

/// One thread's search.
pub(crate) struct Worker<'a, G: Evaluate> {
    history: PositionHistory<G>,
    table: &'a TranspositionTable,
    control: &'a Control,
    technique: Heuristic,
    /// Set when another thread has finished the search for all.
    halt: &'a AtomicBool,
    /// Where the other threads read how many nodes this one has searched.
    progress: &'a AtomicU64,
    node_limit: u64,
    hard_limit: Option<Duration>,
    experience: MoveOrdering<G>,
    plies: Vec<Ply<G>>,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    is_stopped: bool,
}

/// What the search keeps for each distance from the root, so that the recursion does not allocate.
struct Ply<G: Game> {
    listed: Vec<G::Move>,
    ranked: Vec<Ranked<G::Move>>,
    pv: Vec<G::Move>,
}

/// A root move with what is known of it.
#[derive(Debug, Clone)]
pub(crate) struct RootMove<M> {
    /// The move and the line expected after it.
    pub(crate) pv: Vec<M>,
    /// Its score in the last iteration that looked at it as a candidate.
    pub(crate) score: Score,
}

impl<M: Copy> RootMove<M> {
    pub(crate) fn mv(&self) -> M {
        self.pv[0]
    }
}

impl<'a, G: Evaluate> Worker<'a, G> {
    pub(crate) fn new(
        history: PositionHistory<G>,
        crew: &'a SharedState<'a>,
        progress: &'a AtomicU64,
        technique: Heuristic,
    ) -> Worker<'a, G> {
        let experience = MoveOrdering::new(history.game(), technique);
        let empty = |_| Ply {
            listed: Vec::new(),
            ranked: Vec::new(),
            pv: Vec::new(),
        };
        Worker {
            history,
            table: crew.table,
            control: crew.control,
            technique,
            halt: &crew.halt,
            progress,
            node_limit: crew.node_limit,
            hard_limit: crew.hard_limit,
            experience,
            plies: (0..=MAX_PLY).map(empty).collect(),
            nodes: 0,
            seldepth: 0,
            is_stopped: false,
        }
    }

    /// Whether a limit or `stop` has ended this search; scores returned since then mean nothing.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// The hash of the position now.
    pub(crate) fn key(&self) -> u64 {
        self.history.game().search_key(self.history.position())
    }

    /// Searches root moves to `depth`, leaves the best of them first with its line and score, and returns
    /// whether it got that far. When stopped, a best move found so far stands first.
    pub(crate) fn search_root(&mut self, moves: &mut [RootMove<G::Move>], depth: i32) -> bool {
        let guess = moves[0].score;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if self.technique.aspiration && depth >= 4 && mate_distance(guess).is_none() {
            (alpha, beta) = (guess - ASPIRATION, guess + ASPIRATION);
        }
        loop {
            let score = self.search_root_window(moves, depth, alpha, beta);
            if self.is_stopped {
                return false;
            }
            if score <= alpha && alpha > -INFINITE {
                alpha = -INFINITE;
            } else if score >= beta && beta < INFINITE {
                beta = INFINITE;
            } else {
                return true;
            }
        }
    }

    fn search_root_window(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut best = -INFINITE;
        for i in 0..moves.len() {
            let mv = moves[i].mv();
            let score = self.search_move(mv, i, depth, alpha, beta, 0);
            if self.is_stopped {
                return best;
            }
            if i == 0 || score > alpha {
                moves[i].score = score;
                moves[i].pv.truncate(1);
                moves[i].pv.extend_from_slice(&self.plies[1].pv);
                moves[..=i].rotate_right(1);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Scores the move tried as number `i` of a node `ply` plies from the root: the first in the full window,
    /// the others first against a null window, late ones first with less depth.
    fn search_move(
        &mut self,
        mv: G::Move,
        i: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.history.play(mv);
        let score = if i == 0 {
            -self.search(depth - 1, -beta, -alpha, ply + 1)
        } else {
            let reduction = self.reduction(depth, i);
            let mut score = -self.search(depth - 1 - reduction, -alpha - 1, -alpha, ply + 1);
            if score > alpha && reduction > 0 {
                score = -self.search(depth - 1, -alpha - 1, -alpha, ply + 1);
            }
            if score > alpha && score < beta {
                score = -self.search(depth - 1, -beta, -alpha, ply + 1);
            }
            score
        };
        self.history.undo();
        score
    }

    /// Plies that a late move is searched less deep.
    fn reduction(&self, depth: i32, i: usize) -> i32 {
        if !self.technique.reductions || depth < 3 || i < FULL_DEPTH_MOVES {
            return 0;
        }
        let plies = 0.4 + f64::from(depth).ln() * (i as f64).ln() / 2.4;
        (plies as i32).clamp(0, depth - 2)
    }

    /// The score of the position within the window, fail-soft.
    fn search(&mut self, depth: i32, alpha: Score, beta: Score, ply: usize) -> Score {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        match self.history.game().prospect(self.history.position()) {
            Some(KnownResult::Win(plies)) => win_in(ply + plies as usize),
            Some(KnownResult::KnownDraw) => self.search_dead_end(depth, alpha, beta, ply),
            None => self.search_on(depth, alpha, beta, ply),
        }
    }

    /// Every turn in a dead end costs a little, or leaving it, which is as good a turn later, would be put off for ever.
    fn search_dead_end(&mut self, depth: i32, alpha: Score, beta: Score, ply: usize) -> Score {
        // A score between a draw and a win sinks towards the draw; the window rises to meet it.
        let raised = |bound: Score| match bound {
            DRAW..LEAST_WIN => (bound + WAITING).min(LEAST_WIN),
            _ => bound,
        };
        let score = self.search_on(depth, raised(alpha), raised(beta), ply);
        match score {
            DRAW..LEAST_WIN => (score - WAITING).max(DRAW),
            _ => score,
        }
    }

    fn search_on(&mut self, depth: i32, mut alpha: Score, mut beta: Score, ply: usize) -> Score {
        // Even an end at the next ply cannot leave these bounds.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.history.game().evaluate(self.history.position());
        }
        let key = self.key();
        let known = self.table.probe(key);
        if let Some(score) = known.and_then(|entry| self.cutoff(entry, depth, alpha, beta, ply)) {
            return score;
        }
        self.search_moves(
            key,
            known.and_then(|entry| entry.best),
            depth,
            alpha,
            beta,
            ply,
        )
    }

    fn search_moves(
        &mut self,
        key: u64,
        table_move: Option<u16>,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let mut ranked = self.rank_moves(table_move, depth, ply);
        let extension = i32::from(self.technique.extensions && ranked.len() == 1);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        for i in 0..ranked.len() {
            let mv = pick(&mut ranked, i);
            let score = self.search_move(mv, i, depth + extension, alpha, beta, ply);
            if self.is_stopped {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score <= alpha {
                continue;
            }
            alpha = score;
            best_move = Some(mv);
            self.extend_pv(mv, ply);
            if alpha >= beta {
                let (game, side) = (self.history.game(), self.history.side());
                self.experience
                    .cutoff(game, side, ply, depth, mv, &ranked[..i]);
                break;
            }
        }
        self.plies[ply].ranked = ranked;
        if !self.is_stopped {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > original_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let best_index = best_move.map(|mv| self.history.game().move_index(mv) as u16);
            let entry = Entry {
                best: best_index.or(table_move),
                score: score_to_tt(best, ply),
                depth: depth as u8,
                bound,
            };
            self.table.store(key, entry);
        }
        best
    }

    /// Counts the position in; its score if it is an end of the game, one move before it, or where the search ends.
    fn enter(&mut self, ply: usize) -> Option<Score> {
        self.plies[ply].pv.clear();
        if self.must_stop() {
            self.is_stopped = true;
            return Some(DRAW);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        match self.history.outcome() {
            Some(Outcome::Draw) => Some(DRAW),
            Some(Outcome::Win(winner)) => Some(self.end_score(winner, ply)),
            // A position that returned once within the search can return for ever.
            None if self.history.repeats_within(ply) => Some(DRAW),
            None => self.win_at_once(ply),
        }
    }

    fn win_at_once(&mut self, ply: usize) -> Option<Score> {
        if !self.technique.win_in_one {
            return None;
        }
        let mv = self.history.game().win_in_one(self.history.position())?;
        self.plies[ply].pv.push(mv);
        Some(win_in(ply + 1))
    }

    /// Adds to a line that ends at a won prospect what is left of it: moves of which each leads to the next prospect.
    pub(crate) fn complete(&mut self, line: &mut Vec<G::Move>) {
        let ply = self.history.ply();
        line.iter().for_each(|&mv| self.history.play(mv));
        while let Some(KnownResult::Win(plies)) =
            self.history.game().prospect(self.history.position())
        {
            let Some(next) = self.towards_win(plies) else {
                break;
            };
            next.iter().for_each(|&mv| self.history.play(mv));
            line.extend(next);
        }
        self.history.rewind(ply);
    }

    /// The winning move, or a move and the only reply, after which the win is two plies nearer.
    fn towards_win(&mut self, plies: u32) -> Option<Vec<G::Move>> {
        if plies == 1 {
            let game = self.history.game();
            return game.win_in_one(self.history.position()).map(|mv| vec![mv]);
        }
        self.history.moves().into_iter().find_map(|mv| {
            self.history.play(mv);
            let replies = self.history.moves();
            let mut is_nearer = false;
            if let [reply] = replies[..] {
                self.history.play(reply);
                let prospect = self.history.game().prospect(self.history.position());
                is_nearer = prospect == Some(KnownResult::Win(plies - 2));
                self.history.undo();
            }
            self.history.undo();
            is_nearer.then(|| vec![mv, replies[0]])
        })
    }

    fn end_score(&self, winner: Side, ply: usize) -> Score {
        if winner == self.history.side() {
            win_in(ply)
        } else {
            loss_in(ply)
        }
    }

    fn must_stop(&self) -> bool {
        self.control.is_stopped()
            || self.nodes >= self.node_limit
            || self.nodes.is_multiple_of(POLL) && self.poll()
    }

    /// Tells others how far this thread is; whether it is time to stop.
    fn poll(&self) -> bool {
        self.progress.store(self.nodes, Relaxed);
        self.halt.load(Relaxed) || self.is_out_of_time()
    }

    fn is_out_of_time(&self) -> bool {
        self.hard_limit.is_some_and(|hard| {
            self.control
                .elapsed()
                .is_some_and(|elapsed| elapsed >= hard)
        })
    }

    /// The score by which a table entry settles the position, if it does.
    fn cutoff(
        &self,
        entry: Entry,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let is_deep_enough = if self.technique.deeper_entries {
            i32::from(entry.depth) >= depth
        } else {
            i32::from(entry.depth) == depth
        };
        if !is_deep_enough || beta - alpha > 1 {
            return None;
        }
        let score = score_from_tt(entry.score, ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some(score)
    }

    fn rank_moves(
        &mut self,
        table_move: Option<u16>,
        depth: i32,
        ply: usize,
    ) -> Vec<Ranked<G::Move>> {
        let Ply { listed, ranked, .. } = &mut self.plies[ply];
        let mut ranked = mem::take(ranked);
        let (game, position) = (self.history.game(), self.history.position());
        listed.clear();
        game.moves(position, listed);
        ranked.clear();
        ranked.extend(listed.iter().map(|&mv| Ranked { mv, rank: 0 }));
        self.experience
            .rank(game, position, depth, ply, table_move, &mut ranked);
        ranked
    }

    fn extend_pv(&mut self, mv: G::Move, ply: usize) {
        let (near, far) = self.plies.split_at_mut(ply + 1);
        let pv = &mut near[ply].pv;
        pv.clear();
        pv.push(mv);
        if let Some(next) = far.first() {
            pv.extend_from_slice(&next.pv);
        }
    }
}
