//! Monte Carlo tree search with AMAF and proofs of forced ends, for games that are best searched so.

mod climber;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use super::score::{DRAW, Score, mate_distance, to_root};
use super::{Control, Line, Progress, Request};
use crate::playout::Playout;
use crate::{Evaluate, History};
use climber::{Climber, Moves, conclusion};
use tree::{ROOT, Tree};

/// How often, in playouts, the clock is looked at.
const POLL: u64 = 16;
/// Playouts after which the first report is made; the next ones after twice as many each.
const FIRST_REPORT: u64 = 1_000;

/// What is kept from one search to the next.
#[derive(Debug)]
pub(super) struct Forest {
    tree: Tree,
    /// The memory that the tree moves into when its root moves on.
    spare: Tree,
    /// Of the root: its ply in the game and its hash.
    stands_at: Option<(usize, u64)>,
}

impl Forest {
    pub(super) fn new(mib: usize) -> Forest {
        Forest { tree: Tree::new(mib), spare: Tree::new(mib), stands_at: None }
    }

    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.stands_at = None;
    }

    /// Makes the position the root, with what the tree knows of it already.
    fn replant<G: Evaluate>(&mut self, history: &History<G>) {
        let found = self.find(history);
        self.stands_at = Some((history.ply(), search_key(history)));
        match found {
            Some(ROOT) => {}
            Some(id) => {
                self.spare.transplant(&self.tree, id);
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
            None => self.tree.clear(),
        }
    }

    /// The node of the position, if it came about from that of the last search.
    fn find<G: Evaluate>(&self, history: &History<G>) -> Option<usize> {
        if std::env::var("M_NOREUSE").is_ok() { return None; }
        let (ply, key) = self.stands_at?;
        let mut before = history.clone();
        before.rewind(ply);
        if before.ply() != ply || search_key(&before) != key {
            return None;
        }
        let step = |id: usize, mv| {
            let index = history.game().move_index(mv);
            self.tree.node(id).children().find(|&child| self.tree.node(child).index() == index)
        };
        history.played().skip(ply).try_fold(ROOT, step)
    }
}

fn search_key<G: Evaluate>(history: &History<G>) -> u64 {
    history.game().search_key(history.position())
}

/// Finds the best move by random games from a tree that grows where it is worth it.
pub(super) fn search<G: Evaluate>(
    forest: &mut Forest,
    threads: usize,
    history: &History<G>,
    request: &Request<G::Move>,
    control: &Control,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Progress<G::Move> {
    forest.replant(history);
    let moves = Moves::new(history.game().n_move_indices());
    let legal = history.moves();
    for &mv in &legal {
        moves.meet(history.game().move_index(mv), mv);
    }
    let candidates: Vec<usize> = (0..legal.len()).filter(|&i| request.moves.contains(&legal[i])).collect();
    let search = Search {
        tree: &forest.tree,
        moves: &moves,
        candidates: &candidates,
        history,
        request,
        control,
        started: Instant::now(),
        playouts: AtomicU64::new(0),
        halt: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let mut first = search.climber(0);
        first.climb();
        search.playouts.fetch_add(1, Relaxed);
        for i in 1..threads {
            let search = &search;
            scope.spawn(move || search.help(i as u64));
        }
        let end = search.run(&mut first, progress);
        search.halt.store(true, Relaxed);
        end
    })
}

/// What the threads of one search share.
struct Search<'a, G: Evaluate> {
    tree: &'a Tree,
    moves: &'a Moves<G::Move>,
    candidates: &'a [usize],
    history: &'a History<G>,
    request: &'a Request<G::Move>,
    control: &'a Control,
    started: Instant,
    playouts: AtomicU64,
    halt: AtomicBool,
}

impl<'a, G: Evaluate> Search<'a, G> {
    fn climber(&'a self, number: u64) -> Climber<'a, G> {
        let playout = self.history.game().playout().expect("the game has playouts");
        let seed = self.request.seed ^ number << 56;
        Climber::new(self.history.clone(), self.tree, self.moves, self.candidates, playout, seed)
    }

    fn help(&self, number: u64) {
        let mut climber = self.climber(number);
        while !self.halt.load(Relaxed) && !self.control.is_stopped() {
            climber.climb();
            self.playouts.fetch_add(1, Relaxed);
        }
    }

    fn run(&self, climber: &mut Climber<'a, G>, progress: &mut dyn FnMut(&Progress<G::Move>)) -> Progress<G::Move> {
        let mut next_report = FIRST_REPORT;
        let nodes = self.request.limits.nodes.unwrap_or(u64::MAX);
        let mut n = 0u64;
        loop {
            let playouts = self.playouts.load(Relaxed);
            if playouts >= nodes || self.control.is_stopped() || self.is_decided() {
                break;
            }
            if n.is_multiple_of(POLL) && self.is_out_of_time() {
                break;
            }
            if playouts >= next_report {
                progress(&self.progress(climber.longest_line));
                next_report = playouts * 2;
            }
            climber.climb();
            self.playouts.fetch_add(1, Relaxed);
            n += 1;
        }
        let end = self.progress(climber.longest_line);
        progress(&end);
        end
    }

    fn is_out_of_time(&self) -> bool {
        let (Some(budget), Some(elapsed)) = (self.request.limits.budget, self.control.elapsed()) else {
            return false;
        };
        elapsed >= budget.soft.min(budget.hard)
    }

    /// Whether the best move is known for certain.
    fn is_decided(&self) -> bool {
        let children = self.tree.node(ROOT).children();
        let all = self.candidates.iter().map(|i| children.start + i);
        // More lines are not known as long as one of them is not.
        conclusion(self.tree, all).is_some()
    }

    fn progress(&self, longest_line: usize) -> Progress<G::Move> {
        let children = self.tree.node(ROOT).children();
        let mut ids: Vec<usize> = self.candidates.iter().map(|i| children.start + i).collect();
        ids.sort_by_key(|&id| std::cmp::Reverse(self.rank(id)));
        let lines: Vec<Line<G::Move>> = ids.iter().take(self.request.n_lines).map(|&id| self.line(id)).collect();
        Progress {
            depth: lines[0].pv.len() as u32,
            seldepth: longest_line as u32,
            lines,
            nodes: self.playouts.load(Relaxed),
            time: self.started.elapsed(),
            hashfull: self.tree.fullness(),
        }
    }

    /// The higher, the better the move to this node: sure wins first, the nearest of them before others, then by
    /// visits, sure losses last.
    fn rank(&self, id: usize) -> (Score, u32) {
        let node = self.tree.node(id);
        let known = node.known().map_or(DRAW, |score| -score);
        (known, node.tally().visits)
    }

    fn line(&self, mut id: usize) -> Line<G::Move> {
        let node = self.tree.node(id);
        let score = match node.known() {
            Some(score) => to_root(-score, 1),
            None => {
                let tally = node.tally();
                centi((f64::from(tally.points) + 1.0) / (2.0 * f64::from(tally.visits) + 2.0))
            }
        };
        let mut history = self.history.clone();
        let mut pv = Vec::new();
        loop {
            let mv = self.moves.get(self.tree.node(id).index());
            pv.push(mv);
            history.play(mv);
            let best = self.tree.node(id).children().max_by_key(|&child| self.rank(child));
            match best.filter(|&child| self.tree.node(child).tally().visits > 0) {
                Some(best) => id = best,
                None => break,
            }
        }
        if history.outcome().is_none() {
            pv.extend(history.game().winning_move(history.position()));
        }
        let _ = mate_distance(score);
        Line { score, pv }
    }
}

fn centi(share: f64) -> Score {
    (400.0 * (share / (1.0 - share)).log10()) as Score
}
