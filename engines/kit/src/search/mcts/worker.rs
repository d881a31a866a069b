//! One thread's part: down the tree, a random game from its leaf, and up again.

use fastrand::Rng;

use super::super::score::{DRAW, Score, loss_in, win_in};
use super::Plan;
use super::deferred::DeferredUpdates;
use super::node::{Node, Nodes, Tally};
use crate::playout::{AmafMoves, Playout};
use crate::{Evaluate, Outcome, PositionHistory, Side};

/// A leaf is given children when so many games went through it, and these are credited with what the game promises.
const GROW_AT: u32 = 12;
/// For each such share of the memory that is used, in thousandths, it takes twice as many.
const SCARCITY: u32 = 250;
/// How much of AMAF's weight the games of a move's own take away: the larger, the sooner they alone count.
const BIAS: f32 = 0.0003;
/// The most won games of AMAF that a move is credited with.
const CREDIT: f32 = 30.0;
/// A promise that is worth three quarters of it.
const PROMISING: f32 = 3_000.0;

/// One thread.
pub(super) struct MctsWorker<'a, G: Evaluate> {
    history: PositionHistory<G>,
    plan: &'a Plan<'a, G>,
    playout: Box<dyn Playout<G>>,
    rng: Rng,
    uses: AmafMoves,
    backlog: DeferredUpdates<'a>,
    /// The nodes gone through, the root first.
    path: Vec<Step<'a>>,
    listed: Vec<G::Move>,
    /// Plies of the longest line in the tree.
    pub(super) longest_line: usize,
}

/// A node gone through.
struct Step<'a> {
    node: Node<'a>,
    /// Whether its results go to the backlog.
    is_held_back: bool,
}

impl<'a, G: Evaluate> MctsWorker<'a, G> {
    pub(super) fn new(
        history: PositionHistory<G>,
        plan: &'a Plan<'a, G>,
        playout: Box<dyn Playout<G>>,
        seed: u64,
    ) -> MctsWorker<'a, G> {
        let uses = AmafMoves::new(history.game().n_move_indices());
        MctsWorker {
            history,
            plan,
            playout,
            rng: Rng::with_seed(seed),
            uses,
            backlog: DeferredUpdates::new(plan.n_threads),
            path: Vec::new(),
            listed: Vec::new(),
            longest_line: 0,
        }
    }

    /// Sees to it that the root has children.
    pub(super) fn begin(&mut self) {
        self.grow(self.plan.tree.root());
    }

    /// One random game.
    pub(super) fn climb(&mut self) {
        self.uses.clear();
        let outcome = self.descend();
        self.longest_line = self.longest_line.max(self.path.len() - 1);
        self.ascend(outcome);
    }

    /// Goes down to a leaf and plays on from there.
    fn descend(&mut self) -> Outcome {
        let tree = self.plan.tree;
        self.path.clear();
        let mut node = tree.root();
        loop {
            let is_held_back = self.backlog.takes(node);
            self.path.push(Step { node, is_held_back });
            let visits = if is_held_back {
                node.own().visits
            } else {
                node.visit()
            };
            if let Some(outcome) = self.settled(node, visits) {
                return outcome;
            }
            if visits > GROW_AT << (tree.fullness() / SCARCITY) && node.block().is_none() {
                self.grow(node);
            }
            let children = tree.children(node);
            if children.is_empty() {
                let (history, rng) = (&self.history, &mut self.rng);
                return self.playout.play(history, rng, &mut self.uses);
            }
            node = self.go_down(children);
        }
    }

    /// The outcome where it is certain.
    fn settled(&self, node: Node<'_>, visits: u32) -> Option<Outcome> {
        // The root is searched all the same: a move is asked for.
        if self.path.len() == 1 {
            return None;
        }
        if visits == 1
            && let Some(score) = self.look()
        {
            node.settle(score);
        }
        let side = self.history.side();
        node.known().map(|score| match score {
            DRAW => Outcome::Draw,
            score if score > DRAW => Outcome::Win(side),
            _ => Outcome::Win(side.other()),
        })
    }

    /// The score of a position that is over, or as good as over.
    fn look(&self) -> Option<Score> {
        let (game, position) = (self.history.game(), self.history.position());
        match self.history.outcome() {
            Some(Outcome::Draw) => Some(DRAW),
            Some(Outcome::Win(side)) if side == self.history.side() => Some(win_in(0)),
            Some(Outcome::Win(_)) => Some(loss_in(0)),
            None => game.win_in_one(position).map(|_| win_in(1)),
        }
    }

    fn grow(&mut self, node: Node<'_>) {
        let (game, position) = (self.history.game(), self.history.position());
        self.listed.clear();
        game.moves(position, &mut self.listed);
        let indices = self.listed.iter().map(|&mv| self.plan.moves.meet(game, mv));
        if self.plan.tree.grow(node, indices) {
            self.advise(self.plan.tree.children(node));
        }
    }

    /// Credits moves with what the game promises of them.
    fn advise(&self, children: Nodes<'_>) {
        let history = &self.history;
        let promise = history.game().move_priors(history.position());
        for child in children.iter() {
            let promised = promise(self.plan.moves.get(history, child.index())) as f32;
            let won = (CREDIT * (promised / PROMISING).tanh()).max(0.0) as u32;
            child.add_amaf(Tally {
                visits: won,
                points: 2 * won,
            });
        }
    }

    /// Makes the move that is worth the next game.
    fn go_down(&mut self, children: Nodes<'a>) -> Node<'a> {
        let chosen = if self.path.len() == 1 {
            choose(self.plan.candidates(children))
        } else {
            choose(children.iter().enumerate())
        };
        let child = children.get(chosen);
        let mv = self.plan.moves.get(&self.history, child.index());
        self.history.play(mv);
        child
    }

    /// Goes back up and tells every node on the way.
    fn ascend(&mut self, outcome: Outcome) {
        let mut child_is_known = false;
        while let Some(step) = self.path.pop() {
            let node = step.node;
            let children = self.plan.tree.children(node);
            if child_is_known && let Some(score) = conclusion(children.iter()) {
                node.settle(score);
            }
            child_is_known = node.known().is_some();
            self.tell(&step, children, outcome);
            if !self.path.is_empty() {
                self.note(node);
            }
        }
    }

    /// Tells a node, or will tell it, how a game through it ended.
    fn tell(&mut self, step: &Step<'a>, children: Nodes<'a>, outcome: Outcome) {
        let &Step { node, is_held_back } = step;
        let side = self.history.side();
        let (mine, others) = (points(outcome, side), points(outcome, side.other()));
        let uses = &self.uses;
        let use_of = |child: Node<'_>| {
            let visits = u32::from(uses.has(child.index(), side));
            Tally {
                visits,
                points: visits * mine,
            }
        };
        if is_held_back {
            self.backlog.add(node, children, others, use_of);
        } else {
            node.add(Tally {
                visits: 0,
                points: others,
            });
            let children = children.iter();
            children.for_each(|child| child.add_amaf(use_of(child)));
        }
    }

    /// Holds nothing back any more.
    pub(super) fn tell_all(&mut self) {
        self.backlog.tell_all();
    }

    /// Takes the move back that led to a node.
    fn note(&mut self, node: Node<'_>) {
        let mv = self.history.undo().expect("a move led here");
        if self.playout.is_watershed(mv) {
            self.uses.clear();
        }
        self.uses.note(node.index(), self.history.side());
    }
}

/// The number of the child with the largest share of points; one that wins before all, those that lose last.
fn choose<'a>(mut children: impl Iterator<Item = (usize, Node<'a>)>) -> usize {
    let (mut best, child) = children.next().expect("a position has moves");
    let mut most = worth(child);
    for (i, child) in children {
        let worth = worth(child);
        if worth > most {
            (best, most) = (i, worth);
        }
    }
    best
}

/// The share of the points, 2 a game, in a move's own games together with those of AMAF.
#[inline]
fn worth(child: Node<'_>) -> f32 {
    match child.known() {
        Some(score) if score < DRAW => 4.0,
        Some(score) if score > DRAW => -2.0,
        // There is no more to learn of it, but perhaps of the others.
        Some(_) => -1.0,
        None => mean(child.own(), child.amaf()),
    }
}

/// AMAF alone where there is nothing else; the more games, the less of it (Gelly and Silver 2007).
#[inline]
fn mean(own: Tally, amaf: Tally) -> f32 {
    let weight = 1.0 + BIAS * amaf.visits as f32;
    let points = own.points as f32 * weight + amaf.points as f32;
    points / (own.visits as f32 * weight + amaf.visits as f32)
}

/// What is certain of a position by its children: a win if one of them is lost, else the best of all if all are known.
pub(super) fn conclusion<'a>(children: impl Iterator<Item = Node<'a>>) -> Option<Score> {
    let (mut best, mut is_whole) = (None, true);
    for child in children {
        match child.known() {
            Some(score) => best = best.max(Some(from_child(score))),
            None => is_whole = false,
        }
    }
    best.filter(|&score| is_whole || score > DRAW)
}

/// A child's score as its parent sees it: of the other side, and an end is a ply farther.
pub(super) fn from_child(score: Score) -> Score {
    -score - (-score).signum()
}

/// 2 for a win, 1 for a draw.
fn points(outcome: Outcome, side: Side) -> u32 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == side => 2,
        Outcome::Win(_) => 0,
    }
}
