//! One thread's part: down the tree, a playout from its leaf, and up again.

use std::ops::Range;
use std::sync::OnceLock;

use fastrand::Rng;

use super::super::score::{DRAW, Score, from_root, loss_in, to_root, win_in};
use super::tree::{ROOT, Tally, Tree};
use crate::playout::{Playout, Uses};
use crate::{Evaluate, Game, History, Outcome, Side};

fn param(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Params {
    expand: u32,
    explore: f32,
    bias: f32,
    prior: f32,
    scale: f32,
}

impl Params {
    fn new() -> Params {
        Params {
            expand: param("M_EXPAND", 8.0) as u32,
            explore: param("M_EXPLORE", 0.0),
            bias: param("M_BIAS", 0.0003),
            prior: param("M_PRIOR", 0.0),
            scale: param("M_SCALE", 3000.0),
        }
    }
}

/// The moves of a board by their indices, known as soon as the tree has met them.
pub(super) struct Moves<M>(Vec<OnceLock<M>>);

impl<M: Copy> Moves<M> {
    pub(super) fn new(n_indices: usize) -> Moves<M> {
        Moves((0..n_indices).map(|_| OnceLock::new()).collect())
    }

    pub(super) fn meet(&self, index: usize, mv: M) {
        self.0[index].get_or_init(|| mv);
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> M {
        *self.0[index].get().expect("the tree has met the move")
    }
}

/// One thread.
pub(super) struct Climber<'a, G: Evaluate> {
    history: History<G>,
    tree: &'a Tree,
    moves: &'a Moves<G::Move>,
    /// The root's children to choose from.
    candidates: &'a [usize],
    playout: Box<dyn Playout<G>>,
    rng: Rng,
    uses: Uses,
    /// The nodes gone through, the root first.
    path: Vec<usize>,
    listed: Vec<G::Move>,
    grown: Vec<(usize, Tally)>,
    pub(super) longest_line: usize,
    p: Params,
}

impl<'a, G: Evaluate> Climber<'a, G> {
    pub(super) fn new(
        history: History<G>,
        tree: &'a Tree,
        moves: &'a Moves<G::Move>,
        candidates: &'a [usize],
        playout: Box<dyn Playout<G>>,
        seed: u64,
    ) -> Climber<'a, G> {
        let n_indices = history.game().n_move_indices();
        Climber {
            history,
            tree,
            moves,
            candidates,
            playout,
            rng: Rng::with_seed(seed),
            uses: Uses::new(n_indices),
            path: Vec::new(),
            listed: Vec::new(),
            grown: Vec::new(),
            longest_line: 0,
            p: Params::new(),
        }
    }

    /// One playout.
    pub(super) fn climb(&mut self) {
        self.path.clear();
        let outcome = self.descend();
        self.longest_line = self.longest_line.max(self.path.len() - 1);
        self.ascend(outcome);
    }

    /// Goes down to a leaf and plays on from there.
    fn descend(&mut self) -> Outcome {
        let mut id = ROOT;
        self.uses.clear();
        loop {
            self.path.push(id);
            let node = self.tree.node(id);
            let visits = node.visit();
            if id != ROOT && let Some(score) = node.known() {
                return self.end(score);
            }
            if let Some(outcome) = self.history.outcome() {
                node.settle(self.value(outcome));
                return outcome;
            }
            let mut children = node.children();
            if children.is_empty() && (visits > self.p.expand || id == ROOT) {
                if let Some(outcome) = self.grow(id) {
                    return outcome;
                }
                children = node.children();
            }
            if children.is_empty() {
                return self.playout.play(&self.history, &mut self.rng, &mut self.uses);
            }
            id = if id == ROOT {
                self.choose(self.candidates.iter().map(|i| children.start + i))
            } else {
                self.choose(children)
            };
            let mv = self.moves.get(self.tree.node(id).index());
            self.history.play(mv);
        }
    }

    /// The outcome by a score of the side to move.
    fn end(&self, score: Score) -> Outcome {
        match score {
            DRAW => Outcome::Draw,
            score if score > DRAW => Outcome::Win(self.history.side()),
            _ => Outcome::Win(self.history.side().other()),
        }
    }

    fn value(&self, outcome: Outcome) -> Score {
        match outcome {
            Outcome::Draw => DRAW,
            Outcome::Win(side) if side == self.history.side() => win_in(0),
            Outcome::Win(_) => loss_in(0),
        }
    }

    /// Lists the children of a leaf, unless it is won at once.
    fn grow(&mut self, id: usize) -> Option<Outcome> {
        let (game, position) = (self.history.game(), self.history.position());
        if id != ROOT && game.winning_move(position).is_some() {
            self.tree.node(id).settle(win_in(1));
            return Some(Outcome::Win(self.history.side()));
        }
        self.listed.clear();
        game.moves(position, &mut self.listed);
        self.grown.clear();
        let prior = self.p.prior as u32;
        if prior > 0 {
            let promise = game.promises(position);
            for &mv in &self.listed {
                let index = game.move_index(mv);
                self.moves.meet(index, mv);
                let share = 0.5 + 0.5 * (promise(mv) as f32 / self.p.scale).tanh();
                let points = (2.0 * self.p.prior * share) as u32;
                self.grown.push((index, Tally { visits: prior, points }));
            }
        } else {
            for &mv in &self.listed {
                let index = game.move_index(mv);
                self.moves.meet(index, mv);
                self.grown.push((index, Tally { visits: 2, points: 2 }));
            }
        }
        self.tree.grow(id, &self.grown);
        None
    }

    fn choose(&mut self, children: impl Iterator<Item = usize>) -> usize {
        let (mut best, mut best_value) = (usize::MAX, f32::MIN);
        let log = if self.p.explore > 0.0 {
            (self.tree.node(*self.path.last().expect("a node")).tally().visits as f32).ln()
        } else {
            0.0
        };
        for id in children {
            let node = self.tree.node(id);
            let value = match node.known() {
                Some(score) if score > DRAW => -1.0,
                Some(score) if score < DRAW => 2.0,
                _ => self.worth(node.tally(), node.amaf(), log),
            };
            if value > best_value {
                (best, best_value) = (id, value);
            }
        }
        best
    }

    #[inline]
    fn worth(&self, own: Tally, amaf: Tally, log: f32) -> f32 {
        if own.visits == 0 {
            return amaf.share() + self.p.explore * log.sqrt();
        }
        let (n, a) = (own.visits as f32, amaf.visits as f32);
        let weight = a / (n + a + self.p.bias * n * a);
        let explore = if self.p.explore > 0.0 { self.p.explore * (log / n).sqrt() } else { 0.0 };
        own.share() * (1.0 - weight) + amaf.share() * weight + explore
    }

    /// Goes back up and tells every node on the way.
    fn ascend(&mut self, outcome: Outcome) {
        for at in (0..self.path.len()).rev() {
            let id = self.path[at];
            let side = self.history.side();
            let node = self.tree.node(id);
            node.score(points(outcome, side.other()));
            let mine = points(outcome, side);
            for child in node.children() {
                let child = self.tree.node(child);
                if self.uses.has(child.index(), side) {
                    child.score_amaf(1, mine);
                }
            }
            if at == 0 {
                break;
            }
            self.history.undo();
            if node.known().is_some() && at > 1 {
                self.settle(self.path[at - 1]);
            }
            self.uses.note(node.index(), self.history.side());
        }
    }

    /// Draws the conclusion of the children's known scores.
    fn settle(&self, id: usize) {
        if let Some(score) = conclusion(self.tree, self.tree.node(id).children()) {
            self.tree.node(id).settle(score);
        }
    }
}

/// What is known of a position by its children: a win if one of them is lost, else the best of all if all are known.
pub(super) fn conclusion(tree: &Tree, children: impl Iterator<Item = usize>) -> Option<Score> {
    let (mut best, mut is_whole) = (None, true);
    for id in children {
        match tree.node(id).known() {
            Some(score) => best = best.max(Some(-score)),
            None => is_whole = false,
        }
    }
    // One ply more than from the child.
    best.filter(|&score| is_whole || score > DRAW).map(|score| to_root(score, 1))
}

/// 2 for a win, 1 for a draw.
fn points(outcome: Outcome, side: Side) -> u32 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == side => 2,
        Outcome::Win(_) => 0,
    }
}
