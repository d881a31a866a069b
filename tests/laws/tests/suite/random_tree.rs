//! Searches of trees with random leaves, in which neither table entries nor move ordering help.

use std::time::Duration;

use kit::hash::mix;
use kit::search::proof::Verdict;
use kit::search::score::win_in;
use kit::search::{Budget, Heuristics, Limits, Request, Searcher, mate_distance};
use kit::{
    Bench, BenchLimit, DrawRequest, Engine, Evaluate, Game, Notation, OptionDecl, Options, Outcome,
    PositionHistory, Rejection, Setup, Side,
};
use laws::negamax;
use laws::searches::{EXACT, find, follow, prove, request};

/// A tree whose nodes are identified by the paths to them.
#[derive(Debug, Clone)]
struct Tree {
    seed: u64,
    /// One node in this many ends the game; 0 for none.
    ends: u64,
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    hash: u64,
    ply: u32,
}

impl Game for Tree {
    const NAME: &'static str = "tree";
    type Position = Node;
    type Move = u8;
    type Undo = u64;

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }
    fn new(_: &Options) -> Tree {
        Tree { seed: 0, ends: 0 }
    }
    fn start(&self) -> Node {
        Node {
            hash: mix(self.seed),
            ply: 0,
        }
    }
    fn side(&self, node: &Node) -> Side {
        Side::BOTH[node.ply as usize % 2]
    }
    fn outcome(&self, node: &Node) -> Option<Outcome> {
        let is_end = node.ply > 0 && self.ends > 0 && mix(node.hash ^ 1).is_multiple_of(self.ends);
        is_end.then(|| match mix(node.hash ^ 2) % 3 {
            0 => Outcome::Draw,
            1 => Outcome::Win(Side::P1),
            _ => Outcome::Win(Side::P2),
        })
    }
    fn moves(&self, node: &Node, moves: &mut Vec<u8>) {
        moves.extend(0..1 + (node.hash % 6) as u8);
    }
    fn check(&self, node: &Node, mv: u8) -> Result<(), Rejection> {
        if u64::from(mv) <= node.hash % 6 {
            Ok(())
        } else {
            Err("no such branch".into())
        }
    }
    fn play(&self, node: &mut Node, mv: u8) -> u64 {
        let before = node.hash;
        *node = Node {
            hash: mix(node.hash ^ u64::from(mv) << 56 ^ 3),
            ply: node.ply + 1,
        };
        before
    }
    fn undo(&self, node: &mut Node, _: u8, before: u64) {
        *node = Node {
            hash: before,
            ply: node.ply - 1,
        };
    }
    fn key(&self, node: &Node) -> u64 {
        node.hash
    }
    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }
    fn n_move_indices(&self) -> usize {
        6
    }
}

/// Moves are their numbers. Positions are not read, and a tree cannot be drawn.
impl Notation for Tree {
    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    fn format_move(&self, _: &Node, mv: u8) -> String {
        mv.to_string()
    }
    fn parse_move(&self, _: &Node, code: &str) -> Result<u8, Rejection> {
        code.parse().map_err(|_| "no move".into())
    }
    fn format_position(&self, node: &Node) -> String {
        format!("{node:?}")
    }
    fn parse_position(&self, _: &str) -> Result<Setup<Tree>, Rejection> {
        Err("positions are not read".into())
    }
    fn explain(&self, _: &Node, _: Option<Outcome>) -> Option<String> {
        None
    }
    fn board(&self, _: &DrawRequest<Tree>) -> draw::Board {
        panic!("a tree cannot be drawn")
    }
}

impl Evaluate for Tree {
    type Sums = ();
    fn evaluate(&self, node: &Node, (): &()) -> i32 {
        (mix(node.hash ^ 4) % 401) as i32 - 200
    }
}

impl Engine for Tree {
    const AUTHOR: &'static str = "Jane Doe";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(1),
        positions: "",
    };
}

fn search(tree: &Tree, heuristics: Heuristics, limits: Limits, threads: usize) -> i32 {
    let history = PositionHistory::start(tree.clone());
    let request = Request {
        heuristics,
        ..request(&history, limits)
    };
    find(&mut Searcher::new(1, threads), &history, &request).lines[0].score
}

#[test]
fn every_exact_set_of_heuristics_returns_the_negamax_value() {
    for seed in 0..200 {
        let tree = Tree {
            seed,
            ends: seed % 2 * 12,
        };
        for depth in 1..=6 {
            let value = negamax(&mut PositionHistory::start(tree.clone()), depth, 0);
            for aspiration in [false, true] {
                for deeper_entries in [false, true] {
                    let heuristics = Heuristics {
                        aspiration,
                        deeper_entries,
                        ..EXACT
                    };
                    let found = search(&tree, heuristics, Limits::depth(depth), 1);
                    assert_eq!(found, value, "seed {seed}, depth {depth}, {heuristics:?}");
                }
            }
        }
    }
}

/// This also holds if the clock's limits are equal, which does not make them a fixed time.
#[test]
fn a_forced_reply_uses_no_time_of_a_clock() {
    let history = PositionHistory::start(Tree { seed: 1, ends: 0 });
    let hour = Duration::from_secs(3_600);
    let limits = Limits {
        budget: Budget::Clock {
            soft: hour,
            hard: hour,
        },
        ..Limits::default()
    };
    let mut request = request(&history, limits);
    request.moves.truncate(1);
    let found = find(&mut Searcher::new(1, 1), &history, &request);
    assert_eq!(found.depth, 1);
}

#[test]
fn helper_threads_do_not_change_an_exact_value() {
    for seed in 0..20 {
        let tree = Tree { seed, ends: 12 };
        let value = negamax(&mut PositionHistory::start(tree.clone()), 6, 0);
        assert_eq!(
            search(&tree, EXACT, Limits::depth(6), 3),
            value,
            "seed {seed}"
        );
    }
}

#[test]
fn a_forced_win_is_never_claimed_falsely_and_its_shortest_way_is_found_by_mate() {
    let mut n_wins = 0;
    for seed in 0..300 {
        let tree = Tree { seed, ends: 9 };
        let exact = negamax(&mut PositionHistory::start(tree.clone()), 7, 0);
        let full = search(&tree, Heuristics::FULL, Limits::depth(7), 1);
        if let Some(n) = mate_distance(full).filter(|n| n.abs() <= 7) {
            let known = mate_distance(exact);
            assert!(
                known.is_some_and(|known| known.signum() == n.signum()),
                "seed {seed}: {full} {exact}"
            );
        }
        if let Some(n) = mate_distance(exact).filter(|&n| n > 0) {
            n_wins += 1;
            let limits = Limits {
                mate: Some(n as u32),
                ..Limits::default()
            };
            assert_eq!(
                search(&tree, Heuristics::FULL, limits, 1),
                win_in(n as usize),
                "seed {seed}"
            );
        }
    }
    assert!(n_wins > 30, "the trees hold {n_wins} wins");
}

#[test]
fn proof_search_agrees_with_negamax_on_every_limit() {
    let mut verdicts = [0, 0];
    for seed in 0..300 {
        let history = PositionHistory::start(Tree { seed, ends: 5 });
        for within in 0..=7 {
            let exact = negamax_of_ends(&mut history.clone(), within, 0);
            let (verdict, _) = prove(&history, &history.moves(), within, 1, None);
            match mate_distance(exact).filter(|&n| n > 0) {
                Some(n) => {
                    let Verdict::Win { plies, pv } = verdict else {
                        panic!("seed {seed}: a win in {n} was missed within {within}: {verdict:?}")
                    };
                    assert!(
                        plies >= n as u32 && plies <= within,
                        "seed {seed}: {plies} for {n} within {within}"
                    );
                    let mut end = history.clone();
                    follow(&mut end, &pv);
                    assert_eq!(
                        end.outcome(),
                        Some(Outcome::Win(Side::P1)),
                        "seed {seed}: the line wins"
                    );
                    verdicts[0] += 1;
                }
                None => {
                    assert_eq!(verdict, Verdict::NoWin, "seed {seed}, within {within}");
                    verdicts[1] += 1;
                }
            }
        }
    }
    assert!(verdicts.iter().all(|&n| n > 100), "{verdicts:?}");
}

/// The forced end of the game within a depth, if any; every position at the horizon is a draw.
fn negamax_of_ends(history: &mut PositionHistory<Tree>, depth: u32, ply: usize) -> i32 {
    match history.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(side)) => {
            return if side == history.side() {
                win_in(ply)
            } else {
                -win_in(ply)
            };
        }
        None if depth == 0 => return 0,
        None => {}
    }
    let mut best = i32::MIN;
    for mv in history.moves() {
        history.play(mv);
        best = best.max(-negamax_of_ends(history, depth - 1, ply + 1));
        history.undo();
    }
    best
}
