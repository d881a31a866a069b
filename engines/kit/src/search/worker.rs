//! The recursive principal variation search (PVS) of one thread, on one position with make and undo.

use std::array;
use std::cmp::Reverse;
use std::mem;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

use super::limits::StopCheck;
use super::ordering::{MAX_DEPTH_WITHOUT_PRIORS, MoveOrdering, Ranked, pick};
use super::score::{
    DRAW, INFINITE, LEAST_WIN, MAX_PLY, SearchScore, bound, loss_in, mate_distance, score_from_tt,
    score_to_tt, win_in,
};
use super::shared::{RootMove, Shared};
use super::table::{TranspositionTable, TtEntry};
use super::{Budget, Heuristics};
use crate::evaluate::Sums;
use crate::hash::hash;
use crate::{Evaluate, Game, KnownResult, Notation, Outcome, PositionHistory};
use protocol::Bound;

/// Half the width of the first aspiration window.
const ASPIRATION: SearchScore = 40;
/// Score penalty for each turn without progress.
const NO_PROGRESS_COST: SearchScore = 40;
/// Moves searched at full depth before late move reductions begin.
const FULL_DEPTH_MOVES: usize = 3;
/// Maximum depth for late move pruning.
const PRUNING_DEPTH: i32 = 6;

/// Logarithms of the numbers below this are in the table; that of a larger number counts as the last one's.
const N_LOGARITHMS: usize = 1 << 10;

/// Natural logarithms. The standard library's differ between systems in the last digit, and so would node counts.
static LOGARITHMS: LazyLock<[f64; N_LOGARITHMS]> =
    LazyLock::new(|| array::from_fn(|number| libm::log(number as f64)));

/// 0.4 + ln(depth) ln(i) / 2.4, rounded down.
fn reduction(depth: usize, i: usize) -> i32 {
    let [depth, i] = [depth, i].map(|n| LOGARITHMS[n.min(N_LOGARITHMS - 1)]);
    (0.4 + depth * i / 2.4) as i32
}

/// The scores between which an exact one is needed.
type Window = [SearchScore; 2];

/// The search state of one thread.
pub(crate) struct PvsWorker<'a, G: Evaluate> {
    pub(super) history: PositionHistory<G>,
    shared: &'a Shared<'a, G::Move>,
    /// The number of the thread, 0 for the first.
    number: usize,
    table: &'a TranspositionTable,
    check: StopCheck<'a>,
    heuristics: Heuristics,
    /// Depth of the current iteration.
    depth: u32,
    /// Mixed into the table keys: the rules and the positions whose next occurrence is a draw.
    salt: u64,
    budget: Budget,
    ordering: MoveOrdering,
    plies: Vec<Ply<G>>,
    /// The sums for each ply from the root, those below the current node out of date.
    sums: Vec<G::Sums>,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    is_stopped: bool,
    /// Set while all root moves of this iteration score far below the last iteration.
    is_failing_low: bool,
}

/// Buffers for one ply from the root, so that the recursion does not allocate.
struct Ply<G: Game> {
    listed: Vec<G::Move>,
    ranked: Vec<Ranked>,
    pv: Vec<G::Move>,
}

impl<'a, G: Evaluate + Notation> PvsWorker<'a, G> {
    /// A thread of a search of at most this many nodes. The first thread alone heeds the time limit.
    pub(crate) fn new(
        history: PositionHistory<G>,
        shared: &'a Shared<'a, G::Move>,
        number: usize,
        max_nodes: u64,
    ) -> PvsWorker<'a, G> {
        let heuristics = shared.request.heuristics;
        let ordering = MoveOrdering::new(history.game().n_move_indices(), heuristics);
        let salt = history.rules_key() ^ hash(history.keys_drawn_on_return());
        let sums = vec![G::Sums::of(history.game(), history.position()); MAX_PLY + 1];
        let empty = |_| Ply {
            listed: Vec::new(),
            ranked: Vec::new(),
            pv: Vec::new(),
        };
        PvsWorker {
            history,
            shared,
            number,
            table: shared.table,
            check: StopCheck {
                control: shared.control,
                max_nodes,
            },
            heuristics,
            depth: 0,
            salt,
            budget: match number {
                0 => shared.request.limits.budget,
                _ => Budget::None,
            },
            ordering,
            sums,
            plies: (0..=MAX_PLY).map(empty).collect(),
            nodes: 0,
            seldepth: 0,
            is_stopped: false,
            is_failing_low: false,
        }
    }

    /// The key of the position in the table.
    ///
    /// Scores in the table assume that no position has occurred before, and that a repetition within a line is a draw.
    /// A forced win remains valid under this assumption: a shortest win repeats no position, so it does not depend on
    /// the line that led to it. The exception is a position whose next occurrence draws by the rules; these positions
    /// are part of the salt.
    pub(crate) fn key(&self) -> u64 {
        self.history.game().search_key(self.history.position()) ^ self.salt
    }

    /// The candidate moves in the order of their priors. The seed breaks ties.
    pub(crate) fn root_moves(&self) -> Vec<RootMove<G::Move>> {
        let request = self.shared.request;
        let mut moves = self.history.legal(&request.moves);
        if request.seed != 0 {
            fastrand::Rng::with_seed(request.seed).shuffle(&mut moves);
        }
        let prior = self.history.game().move_priors(self.history.position());
        moves.sort_by_cached_key(|&mv| Reverse(prior(mv)));
        moves.into_iter().map(RootMove::new).collect()
    }

    /// Searches root moves to `depth`, first in an aspiration window around `guess`, and moves the best of them to the
    /// front with its line. Returns `false` if the iteration ended before the score was exact, because the search was
    /// stopped or another thread was faster; each move then has the score of its last visit.
    pub(crate) fn search_root(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        guess: SearchScore,
    ) -> bool {
        let [mut alpha, mut beta] = [-INFINITE, INFINITE];
        if self.heuristics.aspiration && depth >= 4 && mate_distance(guess).is_none() {
            [alpha, beta] = [guess - ASPIRATION, guess + ASPIRATION];
        }
        self.is_failing_low = false;
        self.is_stopped = false;
        self.depth = depth as u32;
        loop {
            let score = self.search_root_window(moves, depth, [alpha, beta], guess);
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
        [mut alpha, beta]: Window,
        guess: SearchScore,
    ) -> SearchScore {
        let mut best = -INFINITE;
        for i in 0..moves.len() {
            let score = self.search_move(moves[i].mv(), i, depth, [alpha, beta], 0);
            if self.is_stopped {
                return best;
            }
            moves[i].pv.truncate(1);
            moves[i].score = score;
            moves[i].bound = bound(score, alpha, beta);
            if i == 0 || score > alpha {
                moves[i].pv.extend_from_slice(&self.plies[1].pv);
                moves[..=i].rotate_right(1);
            }
            best = best.max(score);
            self.is_failing_low = best <= guess - ASPIRATION;
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Scores the move tried as number `i` of a node `ply` plies from the root (PVS with LMR): the first move with the
    /// full window, the others with a null window first, late moves at a reduced depth first.
    fn search_move(
        &mut self,
        mv: G::Move,
        i: usize,
        depth: i32,
        [alpha, beta]: Window,
        ply: usize,
    ) -> SearchScore {
        self.history.play(mv);
        let score = if i == 0 {
            -self.search(depth - 1, [-beta, -alpha], ply + 1)
        } else {
            let null = [-alpha - 1, -alpha];
            let reduction = self.reduction(depth, i);
            let mut score = -self.search(depth - 1 - reduction, null, ply + 1);
            if score > alpha && reduction > 0 {
                score = -self.search(depth - 1, null, ply + 1);
            }
            if score > alpha && score < beta {
                score = -self.search(depth - 1, [-beta, -alpha], ply + 1);
            }
            score
        };
        self.history.undo();
        score
    }

    /// The static score of the position `ply` plies from the root.
    fn evaluate(&mut self, ply: usize) -> SearchScore {
        self.update_sums(ply);
        let (game, position) = (self.history.game(), self.history.position());
        game.evaluate(position, &self.sums[ply])
    }

    /// Brings the sums of the position `ply` plies from the root, at least one, up to date.
    fn update_sums(&mut self, ply: usize) {
        let (game, position) = (self.history.game(), self.history.position());
        if let Some(last) = self.history.last()
            && let (before, [sums, ..]) = self.sums.split_at_mut(ply)
        {
            sums.follow(&before[ply - 1], game, position, last);
        }
    }

    /// Late move reduction in plies for the move tried as number `i`.
    fn reduction(&self, depth: i32, i: usize) -> i32 {
        if !self.heuristics.reductions || depth < 3 || i < FULL_DEPTH_MOVES {
            return 0;
        }
        reduction(depth as usize, i).min(depth - 2)
    }

    /// Late move pruning: maximum number of moves tried at a node, unless all of them lose. There is no maximum in a
    /// full window.
    fn most_moves(&self, depth: i32, is_null_window: bool) -> usize {
        match G::N_UNPRUNED_MOVES {
            Some(n) if self.heuristics.pruning && is_null_window && depth <= PRUNING_DEPTH => {
                n + (depth * depth) as usize
            }
            _ => usize::MAX,
        }
    }

    /// The score of the position within the window, fail-soft.
    fn search(&mut self, depth: i32, window: Window, ply: usize) -> SearchScore {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        match self.known_result() {
            Some(KnownResult::Win(plies)) => win_in(ply + plies as usize),
            Some(KnownResult::NoProgress) => self.search_without_progress(depth, window, ply),
            None => self.search_on(depth, window, ply),
        }
    }

    #[inline]
    fn known_result(&self) -> Option<KnownResult> {
        let game = self.history.game();
        game.known_result(self.history.position())
    }

    /// Searches a position without progress, with a small penalty for each such turn. Without the penalty, the search
    /// would delay the move that ends this phase, since that move is as good a turn later.
    fn search_without_progress(
        &mut self,
        depth: i32,
        [alpha, beta]: Window,
        ply: usize,
    ) -> SearchScore {
        // Scores between a draw and a win are reduced towards the draw, so the window is raised by the same amount. A
        // score that is reduced to a draw reaches a `beta` of one already.
        let raised = |bound: SearchScore| match bound {
            DRAW..LEAST_WIN => (bound + NO_PROGRESS_COST).min(LEAST_WIN),
            _ => bound,
        };
        let beta = if beta == DRAW { DRAW } else { raised(beta) };
        let score = self.search_on(depth, [raised(alpha), beta], ply);
        match score {
            DRAW..LEAST_WIN => (score - NO_PROGRESS_COST).max(DRAW),
            _ => score,
        }
    }

    fn search_on(&mut self, depth: i32, [mut alpha, mut beta]: Window, ply: usize) -> SearchScore {
        // Mate distance pruning: even an end at the next ply cannot be outside these bounds.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.evaluate(ply);
        }
        let key = self.key();
        let known = self.table.probe(key);
        if let Some(score) = known.and_then(|entry| self.cutoff(entry, depth, [alpha, beta], ply)) {
            return score;
        }
        let table_move = known.and_then(|entry| entry.best);
        self.update_sums(ply);
        let mut ranked = self.rank_moves(table_move, depth, ply);
        let extension = i32::from(self.heuristics.extensions && ranked.len() == 1);
        let original_alpha = alpha;
        let most_moves = self.most_moves(depth, beta - alpha == 1);
        let mut best = -INFINITE;
        let mut best_move = None;
        for i in 0..ranked.len() {
            // A loss is only claimed after all moves have been tried.
            if i >= most_moves && best > -LEAST_WIN {
                break;
            }
            let mv = self.plies[ply].listed[pick(&mut ranked, i).number()];
            let score = self.search_move(mv, i, depth + extension, [alpha, beta], ply);
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
                let (game, listed) = (self.history.game(), &self.plies[ply].listed);
                let tried = ranked[..i].iter().map(|tried| listed[tried.number()]);
                let tried = tried.map(|tried| game.move_index(tried));
                let (side, index) = (self.history.side(), game.move_index(mv));
                self.ordering.cutoff(side, ply, depth, index, tried);
                break;
            }
        }
        self.plies[ply].ranked = ranked;
        if !self.is_stopped {
            let best_index = best_move.map(|mv| self.history.game().move_index(mv) as u16);
            let entry = TtEntry {
                best: best_index.or(table_move),
                score: score_to_tt(best, ply),
                depth: depth as u8,
                bound: bound(best, original_alpha, beta),
            };
            self.table.store(key, entry);
        }
        best
    }

    /// Counts the node. Returns its score if the game is over, the search is stopped, the position is a repetition, or
    /// the game finds a win in one.
    fn enter(&mut self, ply: usize) -> Option<SearchScore> {
        self.plies[ply].pv.clear();
        if self.check.must_stop(self.nodes, || self.poll()) {
            self.is_stopped = true;
            return Some(DRAW);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        let history = &self.history;
        match history.game().outcome(history.position()) {
            Some(Outcome::Draw) => Some(DRAW),
            Some(Outcome::Win(winner)) if winner == history.side() => Some(win_in(ply)),
            Some(Outcome::Win(_)) => Some(loss_in(ply)),
            // A position that repeats once can repeat indefinitely.
            None if history.is_drawn_or_repeats_within(ply) => Some(DRAW),
            None if !self.heuristics.win_in_one => None,
            None => {
                let mv = history.game().win_in_one(history.position())?;
                self.plies[ply].pv.push(mv);
                Some(win_in(ply + 1))
            }
        }
    }

    /// Extends a line that ends in a position with a known win to the end of the game.
    pub(crate) fn complete(&mut self, line: &mut Vec<G::Move>) {
        let ply = self.history.ply();
        line.iter().for_each(|&mv| self.history.play(mv));
        while let Some(KnownResult::Win(plies)) = self.known_result() {
            let Some(next) = self.next_of_known_win(plies) else {
                break;
            };
            next.iter().for_each(|&mv| self.history.play(mv));
            line.extend(next);
        }
        self.history.rewind(ply);
    }

    /// Returns the winning move, or a move with its only reply after which the win is two plies nearer.
    fn next_of_known_win(&mut self, plies: u32) -> Option<Vec<G::Move>> {
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
                is_nearer = self.known_result() == Some(KnownResult::Win(plies - 2));
                self.history.undo();
            }
            self.history.undo();
            is_nearer.then(|| vec![mv, replies[0]])
        })
    }

    /// Publishes the node count. Returns `true` if the iteration must end.
    fn poll(&self) -> bool {
        let shared = self.shared;
        shared.nodes[self.number].store(self.nodes, Relaxed);
        let limit = self.budget.iteration_limit(self.is_failing_low);
        let is_overtaken = shared.depth.load(Relaxed) >= self.depth;
        is_overtaken || shared.halt.load(Relaxed) || shared.control.is_past(limit)
    }

    /// The score of a table entry if it makes a search of the position unnecessary.
    fn cutoff(
        &self,
        entry: TtEntry,
        depth: i32,
        [alpha, beta]: Window,
        ply: usize,
    ) -> Option<SearchScore> {
        let is_deep_enough = if self.heuristics.deeper_entries {
            entry.is_deep_enough(depth)
        } else {
            i32::from(entry.depth) == depth
        };
        if !is_deep_enough || beta - alpha > 1 {
            return None;
        }
        let score = score_from_tt(entry.score, ply);
        let is_enough = match entry.bound {
            None => true,
            Some(Bound::Lower) => score >= beta,
            Some(Bound::Upper) => score <= alpha,
        };
        is_enough.then_some(score)
    }

    fn rank_moves(&mut self, table_move: Option<u16>, depth: i32, ply: usize) -> Vec<Ranked> {
        let Ply { listed, ranked, .. } = &mut self.plies[ply];
        let mut ranked = mem::take(ranked);
        let (game, position) = (self.history.game(), self.history.position());
        listed.clear();
        game.moves(position, listed);
        ranked.clear();
        let rank = self.ordering.ranks(game.side(position), ply, table_move);
        let ranked_by = |i, mv, prior| Ranked::new(rank(game.move_index(mv), prior), i);
        let moves = listed.iter().enumerate();
        if self.heuristics.move_priors && depth > MAX_DEPTH_WITHOUT_PRIORS {
            let prior = game.move_priors(position);
            ranked.extend(moves.map(|(i, &mv)| ranked_by(i, mv, prior(mv))));
        } else {
            ranked.extend(moves.map(|(i, &mv)| ranked_by(i, mv, 0)));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A system's mathematical functions must not decide how much is searched.
    #[test]
    fn reductions_are_fixed() {
        assert_eq!([reduction(3, 3), reduction(20, 30)], [0, 4]);
        let late = |depth| (FULL_DEPTH_MOVES..N_LOGARITHMS).map(move |i| reduction(depth, i));
        assert_eq!((3..=MAX_PLY).flat_map(late).sum::<i32>(), 2924692);
    }
}
