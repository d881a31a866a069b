//! Monte Carlo tree search, for games that are better judged by random games than by a static score.
//!
//! [`SearchTree::search`] begins it. A `climber` goes down the tree, where the moves are chosen by their share of won games
//! and by AMAF, plays a random game from the leaf (the game's own [`Playout`](crate::playout::Playout)), and tells all
//! nodes on the way up. Ends that are certain are carried up too, so that forced wins are proved (Winands, Björnsson and
//! Saito 2008). All threads climb the same tree.

mod deferred;
mod node;
mod report;
mod tree;
mod worker;

use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::{Budget, Control, Progress, Request};
use crate::{Evaluate, Game, PositionHistory};
use node::{Node, Nodes, Tally};
use tree::Tree;
use worker::{MctsWorker, conclusion};

/// How often, in games, the clock is looked at.
const POLL: u64 = 4;
/// Games after which the first report is made; the next ones after twice as many each.
const FIRST_REPORT: u64 = 1_000;
/// How much longer than the soft limit a search may take whose most visited move is not the best any more.
const IN_DOUBT: f64 = 2.0;
/// A move is no better if it was visited less than so many times as seldom.
const TO_COUNT: u32 = 8;

/// The tree, kept from one search to the next.
#[derive(Debug)]
pub(super) struct SearchTree {
    tree: Tree,
    /// Ply and hash of the root.
    stands_at: Option<(usize, u64)>,
}

impl SearchTree {
    /// No tree, and room for so many MiB of one.
    pub(super) fn new(mib: usize) -> SearchTree {
        SearchTree {
            tree: Tree::new(mib),
            stands_at: None,
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.stands_at = None;
    }

    /// Searches the position, of a game that has playouts, until a limit or `control` ends it.
    pub(super) fn search<G: Evaluate>(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        self.replant(history);
        let plan = Plan::new(&self.tree, n_threads, history, request, control);
        let mut first = plan.climber(0);
        first.begin();
        thread::scope(|scope| {
            for number in 1..n_threads {
                let plan = &plan;
                scope.spawn(move || plan.help(number as u64));
            }
            plan.lead(&mut first, progress);
            plan.halt.store(true, Relaxed);
        });
        let end = plan.progress(first.longest_line);
        progress(&end);
        end
    }

    /// Makes the position the root, with what is known of it if it came about from the last one.
    fn replant<G: Game>(&mut self, history: &PositionHistory<G>) {
        let game = history.game();
        let key = PositionHistory::search_key;
        let stood_at = self.stands_at.replace((history.ply(), key(history)));
        let is_later = |&(ply, before): &(usize, u64)| {
            let mut earlier = history.clone();
            earlier.rewind(ply);
            earlier.ply() == ply && key(&earlier) == before
        };
        match stood_at.filter(is_later) {
            Some((ply, _)) => {
                let played = history.played().skip(ply);
                self.tree.follow(played.map(|mv| game.move_index(mv)));
            }
            None => self.tree.clear(),
        }
    }
}

/// The moves of a board by their indices, as far as this search has met them.
pub(super) struct Moves<G: Game>(Vec<OnceLock<G::Move>>);

impl<G: Game> Moves<G> {
    fn new(game: &G) -> Moves<G> {
        let n_indices = game.n_move_indices();
        Moves((0..n_indices).map(|_| OnceLock::new()).collect())
    }

    /// The index of a move, which is known from now on.
    pub(super) fn meet(&self, game: &G, mv: G::Move) -> usize {
        let index = game.move_index(mv);
        self.0[index].get_or_init(|| mv);
        index
    }

    /// The legal move with this index.
    #[inline]
    pub(super) fn get(&self, history: &PositionHistory<G>, index: usize) -> G::Move {
        *self.0[index].get_or_init(|| find_move(history, index))
    }
}

/// A node that an earlier search gave its children may have moves that this one has not met.
#[cold]
fn find_move<G: Game>(history: &PositionHistory<G>, index: usize) -> G::Move {
    let mut moves = history.moves().into_iter();
    let found = moves.find(|&mv| history.game().move_index(mv) == index);
    found.expect("a node's children are legal moves")
}

/// What the threads of one search share.
pub(super) struct Plan<'a, G: Evaluate> {
    tree: &'a Tree,
    n_threads: usize,
    moves: Moves<G>,
    /// The indices of the moves to choose from at the root; `None` for all.
    chosen: Option<HashSet<usize>>,
    history: &'a PositionHistory<G>,
    request: &'a Request<G::Move>,
    control: &'a Control,
    started: Instant,
    /// Games begun; far from what the threads read, for they all write it.
    games: CachePadded<AtomicU64>,
    max_games: u64,
    halt: AtomicBool,
}

impl<'a, G: Evaluate> Plan<'a, G> {
    fn new(
        tree: &'a Tree,
        n_threads: usize,
        history: &'a PositionHistory<G>,
        request: &'a Request<G::Move>,
        control: &'a Control,
    ) -> Plan<'a, G> {
        let (game, legal) = (history.game(), history.moves());
        let moves = Moves::new(game);
        let meet = |&mv: &G::Move| moves.meet(game, mv);
        let chosen =
            (request.moves.len() < legal.len()).then(|| request.moves.iter().map(meet).collect());
        Plan {
            tree,
            n_threads,
            moves,
            chosen,
            history,
            request,
            control,
            started: Instant::now(),
            games: CachePadded::default(),
            max_games: request.limits.nodes.unwrap_or(u64::MAX).max(1),
            halt: AtomicBool::new(false),
        }
    }

    /// Those of the root's children that may be chosen.
    fn candidates<'b>(&'b self, children: Nodes<'b>) -> impl Iterator<Item = (usize, Node<'b>)> {
        let is_chosen = |(_, child): &(usize, Node<'_>)| {
            let chosen = self.chosen.as_ref();
            chosen.is_none_or(|chosen| chosen.contains(&child.index()))
        };
        children.iter().enumerate().filter(is_chosen)
    }

    /// The moves at the root.
    fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        let children = self.tree.children(self.tree.root());
        self.candidates(children).map(|(_, child)| child)
    }

    fn climber(&self, number: u64) -> MctsWorker<'_, G> {
        let playout = self.history.game().playout();
        let playout = playout.expect("only games with playouts are searched so");
        let seed = self.request.seed ^ number << 48;
        MctsWorker::new(self.history.clone(), self, playout, seed)
    }

    /// What every thread but the first does.
    fn help(&self, number: u64) {
        let mut climber = self.climber(number);
        while !self.halt.load(Relaxed) && self.may_begin() {
            climber.climb();
        }
        climber.tell_all();
    }

    /// What the first thread does: it reports, and ends the search.
    fn lead(&self, climber: &mut MctsWorker<'_, G>, progress: &mut dyn FnMut(&Progress<G::Move>)) {
        let mut next_report = FIRST_REPORT;
        // At least one, so that there is something to tell.
        for n in 0_u64.. {
            if n > 0 && (self.is_over() || n.is_multiple_of(POLL) && self.is_late())
                || !self.may_begin()
            {
                break;
            }
            climber.climb();
            let games = self.games.load(Relaxed);
            if games >= next_report {
                next_report = 2 * games;
                progress(&self.progress(climber.longest_line));
            }
        }
        climber.tell_all();
    }

    /// Counts a game in, unless there were enough.
    fn may_begin(&self) -> bool {
        let one_more = |games| (games < self.max_games).then_some(games + 1);
        let counted = self.games.fetch_update(Relaxed, Relaxed, one_more);
        counted.is_ok()
    }

    /// Whether someone stopped the search, or what is asked for is certain.
    fn is_over(&self) -> bool {
        self.control.is_stopped()
            || if self.request.n_lines == 1 {
                conclusion(self.roots()).is_some()
            } else {
                self.roots().all(|child| child.known().is_some())
            }
    }

    fn is_late(&self) -> bool {
        let Some(elapsed) = self.control.elapsed() else {
            return false;
        };
        match self.request.limits.budget {
            Budget::None => false,
            Budget::Fixed(time) => elapsed >= time,
            Budget::Clock { soft, hard } => {
                let has_choice = self.roots().nth(1).is_some();
                elapsed >= hard || !has_choice || self.is_clear(soft, elapsed)
            }
        }
    }

    /// Whether more time would hardly change the move: no other can be visited as often any more, or the time is up and
    /// the most visited one is also the best.
    fn is_clear(&self, soft: Duration, elapsed: Duration) -> bool {
        let (mut first, mut second) = (Tally::default(), 0);
        for own in self.roots().map(Node::own) {
            second = second.max(own.visits.min(first.visits));
            if own.visits > first.visits {
                first = own;
            }
        }
        let is_better =
            |own: Tally| own.visits >= first.visits / TO_COUNT && own.share() > first.share();
        let is_doubtful = self.roots().any(|child| is_better(child.own()));
        let share_left = soft.saturating_sub(elapsed).as_secs_f64() / elapsed.as_secs_f64();
        let games_left = self.games.load(Relaxed) as f64 * share_left;
        if is_doubtful {
            elapsed >= soft.mul_f64(IN_DOUBT)
        } else {
            elapsed >= soft || f64::from(first.visits - second) > games_left
        }
    }
}
