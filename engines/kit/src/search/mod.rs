//! Choosing a move: iterative deepening over a principal variation search.
//!
//! [`Searcher::search`] drives it: `worker` is the recursion of one thread, [`table`] what the threads share,
//! [`ordering`] which move goes first, [`limits`] when it ends by itself and [`control`] how others end it.
//! Where only a forced win is asked for, [`proof`] looks for it. Nothing here knows text or the protocol.

pub mod control;
pub mod limits;
pub mod ordering;
pub mod proof;
pub mod score;
pub mod skill;
pub mod table;
mod worker;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

pub use control::Control;
pub use limits::{Budget, Clock, Limits};
pub use score::{MAX_PLY, Score, mate_distance};
pub use skill::Skill;
pub use table::TranspositionTable;

use crate::{Evaluate, History};
use proof::Verdict;
use worker::{RootMove, Worker};

/// The deepest iteration; selective lines may go on to [`MAX_PLY`].
const MAX_DEPTH: u32 = 200;
/// Positions that choose a move where `go mate` has found no win.
const NODES_WITHOUT_WIN: u64 = 10_000;

/// Which shortcuts the search takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Technique {
    /// Late moves are first searched less deep.
    pub reductions: bool,
    /// The first window of an iteration is narrow.
    pub aspiration: bool,
    /// The table's results of deeper searches stand for shallower ones.
    pub deeper_entries: bool,
}

impl Technique {
    /// What plays best.
    pub const FULL: Technique = Technique {
        reductions: true,
        aspiration: true,
        deeper_entries: true,
    };
    /// Nothing that could change the value of the tree to the given depth.
    pub const EXACT: Technique = Technique {
        reductions: false,
        aspiration: false,
        deeper_entries: false,
    };
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct Request<M> {
    /// The candidates, at least one, in canonical order.
    pub moves: Vec<M>,
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find.
    pub n_lines: usize,
    /// How well to play.
    pub skill: Skill,
    /// Another seed breaks ties in another way; 0 keeps the canonical order.
    pub seed: u64,
    /// Which shortcuts to take.
    pub technique: Technique,
}

impl<M> Request<M> {
    /// The best line among these moves within these limits, at full strength.
    pub fn new(moves: Vec<M>, limits: Limits) -> Request<M> {
        Request {
            moves,
            limits,
            n_lines: 1,
            skill: Skill::FULL,
            seed: 0,
            technique: Technique::FULL,
        }
    }
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The score from the side to move at the root.
    pub score: Score,
    /// The moves from the root, at least one.
    pub pv: Vec<M>,
}

/// How far a search has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<M> {
    /// Plies searched in full; 0 before the first iteration is done.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line<M>>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the table used by this search, in thousandths.
    pub hashfull: u32,
}

/// Searches, and keeps what it has learned for the next search of the same game.
#[derive(Debug)]
pub struct Searcher {
    /// Made when it is first needed, so that an engine answers its handshake at once.
    table: Option<TranspositionTable>,
    hash_mib: usize,
    threads: usize,
}

/// What all threads of one search share.
pub(crate) struct Crew<'a> {
    table: &'a TranspositionTable,
    control: &'a Control,
    halt: AtomicBool,
    /// Nodes for each thread.
    node_limit: u64,
    hard_limit: Option<Duration>,
}

impl Searcher {
    /// A searcher with a table of `hash_mib` MiB and so many threads.
    pub fn new(hash_mib: usize, threads: usize) -> Searcher {
        Searcher {
            table: None,
            hash_mib,
            threads: threads.max(1),
        }
    }

    /// Forgets all games seen so far, and makes ready for the next.
    pub fn clear(&mut self) {
        match &mut self.table {
            Some(table) => table.clear(),
            None => self.table = Some(TranspositionTable::new(self.hash_mib)),
        }
    }

    /// Searches the position until a limit or `control` ends it, telling `progress` after each iteration and at
    /// the end. Returns the end's progress; the first line's first move is the one to play.
    pub fn search<G: Evaluate>(
        &mut self,
        history: &History<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        match request.limits.mate {
            Some(within) => self.find_win(within, history, request, control, progress),
            None => self.find_best(history, request, control, progress),
        }
    }

    /// Looks for a forced win; where there is none, a short search names a move all the same.
    fn find_win<G: Evaluate>(
        &mut self,
        within: u32,
        history: &History<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let started = Instant::now();
        let at = |nodes, lines: Vec<Line<G::Move>>, depth| Progress {
            depth,
            seldepth: depth,
            lines,
            nodes,
            time: started.elapsed(),
            hashfull: 0,
        };
        let mut tell = |nodes| progress(&at(nodes, Vec::new(), 0));
        let (verdict, nodes) = proof::prove(
            history,
            &request.moves,
            within,
            self.hash_mib,
            &request.limits,
            control,
            &mut tell,
        );
        if let Verdict::Win { plies, pv } = verdict {
            let line = Line {
                score: score::win_in(plies as usize),
                pv,
            };
            let found = at(nodes, vec![line], plies);
            progress(&found);
            return found;
        }
        let limits = Limits {
            nodes: Some(NODES_WITHOUT_WIN),
            ..Limits::default()
        };
        let request = Request {
            limits,
            ..request.clone()
        };
        self.find_best(history, &request, control, progress)
    }

    fn find_best<G: Evaluate>(
        &mut self,
        history: &History<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let hash_mib = self.hash_mib;
        let table = self
            .table
            .get_or_insert_with(|| TranspositionTable::new(hash_mib));
        table.age();
        let crew = Crew {
            table,
            control,
            halt: AtomicBool::new(false),
            node_limit: request
                .limits
                .nodes
                .unwrap_or(u64::MAX)
                .div_ceil(self.threads as u64),
            hard_limit: request.limits.budget.map(|budget| budget.hard),
        };
        let counts: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        thread::scope(|scope| {
            for (i, count) in counts.iter().enumerate().skip(1) {
                let crew = &crew;
                scope.spawn(move || help(history, request, crew, count, i as u32));
            }
            let worker = Worker::new(history.clone(), &crew, &counts[0], request.technique);
            let mut driver = Driver::new(worker, history, request, &crew, &counts);
            let end = driver.run(progress);
            crew.halt.store(true, Relaxed);
            end
        })
    }
}

/// A helper thread: searches the same root to fill the shared table, one in two a ply deeper.
fn help<G: Evaluate>(
    history: &History<G>,
    request: &Request<G::Move>,
    crew: &Crew<'_>,
    count: &AtomicU64,
    number: u32,
) {
    let mut worker = Worker::new(history.clone(), crew, count, request.technique);
    let mut moves = root_moves(history, request);
    for depth in 1..=last_depth(&request.limits) {
        if !worker.search_root(&mut moves, (depth + number % 2) as i32) {
            break;
        }
    }
}

/// The thread that decides: deepens, reports and ends the search.
struct Driver<'a, G: Evaluate> {
    worker: Worker<'a, G>,
    moves: Vec<RootMove<G::Move>>,
    request: &'a Request<G::Move>,
    crew: &'a Crew<'a>,
    counts: &'a [AtomicU64],
    started: Instant,
    depth: u32,
    /// Iterations in a row that named the same move.
    stability: u32,
}

impl<'a, G: Evaluate> Driver<'a, G> {
    fn new(
        worker: Worker<'a, G>,
        history: &History<G>,
        request: &'a Request<G::Move>,
        crew: &'a Crew<'a>,
        counts: &'a [AtomicU64],
    ) -> Driver<'a, G> {
        let moves = root_moves(history, request);
        Driver {
            worker,
            moves,
            request,
            crew,
            counts,
            started: Instant::now(),
            depth: 0,
            stability: 0,
        }
    }

    fn run(&mut self, progress: &mut dyn FnMut(&Progress<G::Move>)) -> Progress<G::Move> {
        let n_lines = self
            .request
            .skill
            .lines(self.request.n_lines)
            .min(self.moves.len());
        for depth in 1..=last_depth(&self.request.limits).min(self.request.skill.depth()) {
            if !self.iterate(depth, n_lines) {
                break;
            }
            self.depth = depth;
            progress(&self.progress());
            if self.is_done(n_lines) {
                break;
            }
        }
        if self.worker.is_stopped() {
            progress(&self.progress());
        }
        self.weaken(n_lines);
        self.progress()
    }

    /// Puts the line first that the skill level chooses.
    fn weaken(&mut self, n_lines: usize) {
        let skill = self.request.skill;
        if skill == Skill::FULL || self.depth == 0 {
            return;
        }
        let scores: Vec<Score> = self.moves[..n_lines]
            .iter()
            .map(|root| root.score)
            .collect();
        let chosen = skill.choose(&scores, self.request.seed ^ self.worker.key());
        self.moves[..=chosen].rotate_right(1);
    }

    /// Finds the best lines at one depth; whether it came to its end.
    fn iterate(&mut self, depth: u32, n_lines: usize) -> bool {
        let before = self.moves[0].mv();
        for line in 0..n_lines {
            if !self
                .worker
                .search_root(&mut self.moves[line..], depth as i32)
            {
                return false;
            }
        }
        self.moves[..n_lines].sort_by_key(|root| Reverse(root.score));
        self.stability = if self.moves[0].mv() == before {
            self.stability + 1
        } else {
            0
        };
        true
    }

    /// Whether another iteration would not change the move or would not fit the time.
    fn is_done(&self, n_lines: usize) -> bool {
        self.is_proved(n_lines) || self.is_past_soft_limit()
    }

    /// Whether each line is known to the end.
    fn is_proved(&self, n_lines: usize) -> bool {
        let is_within = |n: i32| n.unsigned_abs() <= self.depth;
        self.moves[..n_lines]
            .iter()
            .all(|root| mate_distance(root.score).is_some_and(is_within))
    }

    fn is_past_soft_limit(&self) -> bool {
        let (Some(budget), Some(elapsed)) =
            (self.request.limits.budget, self.crew.control.elapsed())
        else {
            return false;
        };
        // A fixed time for the move has nothing to save for later.
        if budget.soft == budget.hard {
            return elapsed >= budget.hard;
        }
        let has_choice = self.moves.len() > 1;
        let doubt = if self.stability < 2 { 1.4 } else { 0.9 };
        !has_choice || elapsed >= budget.soft.mul_f64(doubt)
    }

    fn progress(&self) -> Progress<G::Move> {
        let helpers: u64 = self.counts[1..]
            .iter()
            .map(|count| count.load(Relaxed))
            .sum();
        let lines = self.moves.iter().take(self.request.n_lines);
        Progress {
            depth: self.depth,
            seldepth: self.worker.seldepth as u32,
            lines: lines
                .map(|root| Line {
                    score: root.score,
                    pv: root.pv.clone(),
                })
                .collect(),
            nodes: self.worker.nodes + helpers,
            time: self.started.elapsed(),
            hashfull: self.crew.table.hashfull(),
        }
    }
}

fn last_depth(limits: &Limits) -> u32 {
    limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// The candidates, the most promising first; the seed decides among equals.
fn root_moves<G: Evaluate>(
    history: &History<G>,
    request: &Request<G::Move>,
) -> Vec<RootMove<G::Move>> {
    let mut moves = request.moves.clone();
    if request.seed != 0 {
        fastrand::Rng::with_seed(request.seed).shuffle(&mut moves);
    }
    moves.sort_by_cached_key(|&mv| Reverse(history.game().promise(history.position(), mv)));
    moves
        .into_iter()
        .map(|mv| RootMove {
            pv: vec![mv],
            score: score::DRAW,
        })
        .collect()
}
