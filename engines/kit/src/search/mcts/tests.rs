//! Counts near their limit, and reuse of the tree.

use super::node::Tally;
use super::*;
use crate::hash::mix;
use crate::playout::{AmafMoves, Playout};
use crate::policy::{Policy, QA, QB, WIDTH};
use crate::search::Limits;
use crate::{OptionDecl, Options, Outcome, PolicyFeatures, Rejection, Side};
use std::sync::Arc;

/// A long game whose result is random: a player takes 1 or 2 of 60 stones, and the last stone wins or loses by chance.
/// The policy, if there is one, has one feature for taking 1 and one for taking 2.
#[derive(Clone, Default)]
struct Stones(Option<Arc<Policy>>);

impl Game for Stones {
    const NAME: &'static str = "stones";
    type Position = u64;
    type Move = u64;
    type Undo = ();

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }
    fn new(_: &Options) -> Stones {
        Stones::default()
    }
    fn start(&self) -> u64 {
        0
    }
    fn side(&self, taken: &u64) -> Side {
        Side::BOTH[(taken >> 32) as usize % 2]
    }
    fn outcome(&self, taken: &u64) -> Option<Outcome> {
        let is_over = taken & 0xffff_ffff >= 60;
        is_over.then(|| Outcome::Win(Side::BOTH[mix(*taken) as usize % 2]))
    }
    fn moves(&self, _: &u64, moves: &mut Vec<u64>) {
        moves.extend([1, 2]);
    }
    fn check(&self, _: &u64, _: u64) -> Result<(), Rejection> {
        Ok(())
    }
    fn play(&self, taken: &mut u64, count: u64) {
        *taken += count + (1 << 32);
    }
    fn undo(&self, taken: &mut u64, count: u64, (): ()) {
        *taken -= count + (1 << 32);
    }
    fn key(&self, taken: &u64) -> u64 {
        *taken
    }
    fn move_index(&self, count: u64) -> usize {
        count as usize
    }
    fn n_move_indices(&self) -> usize {
        3
    }
}

impl Evaluate for Stones {
    fn evaluate(&self, _: &u64) -> i32 {
        0
    }
    fn playout(&self) -> Option<Box<dyn Playout<Stones>>> {
        Some(Box::new(Chance))
    }
    fn policy_features(&self) -> Option<&dyn PolicyFeatures<Stones>> {
        Some(self)
    }
}

impl PolicyFeatures<Stones> for Stones {
    fn n_features(&self) -> usize {
        2
    }
    fn policy(&self) -> Option<&Arc<Policy>> {
        self.0.as_ref()
    }
    fn with_policy(&self, policy: Arc<Policy>) -> Stones {
        Stones(Some(policy))
    }
    fn move_features(&self, _: &PositionHistory<Stones>, add: &mut dyn FnMut(usize, &[u16])) {
        add(1, &[0]);
        add(2, &[1]);
    }
}

struct Chance;

impl Playout<Stones> for Chance {
    fn play(
        &mut self,
        history: &PositionHistory<Stones>,
        rng: &mut fastrand::Rng,
        _: &mut AmafMoves,
    ) -> Outcome {
        assert_eq!(history.outcome(), None, "a finished game has no more moves");
        Outcome::Win(Side::BOTH[rng.usize(..2)])
    }
}

fn search(tree: &mut SearchTree, n_threads: usize, games: u64) -> Progress<u64> {
    search_with(None, tree, n_threads, games)
}

fn search_with(
    policy: Option<Arc<Policy>>,
    tree: &mut SearchTree,
    n_threads: usize,
    games: u64,
) -> Progress<u64> {
    search_from(
        &PositionHistory::start(Stones(policy)),
        tree,
        n_threads,
        games,
    )
}

fn search_from(
    history: &PositionHistory<Stones>,
    tree: &mut SearchTree,
    n_threads: usize,
    games: u64,
) -> Progress<u64> {
    let limits = Limits::nodes(games);
    let request = Request::new(history.moves(), limits);
    tree.search(
        n_threads,
        history,
        &request,
        &Control::default(),
        &mut |_| {},
    )
}

/// Counts as after hours of analysis: one move has won nearly all of its games, the other has lost nearly all.
#[test]
fn counts_near_their_bound_do_not_overflow() {
    for n_threads in [1, 2] {
        let mut tree = SearchTree::new(2).expect("memory");
        search(&mut tree, n_threads, 1_000);
        let many = (1 << 30) - 100;
        let children = tree.pool.children(tree.pool.root());
        for (child, points) in children.iter().zip([2 * many, many / 4]) {
            let games = Tally {
                visits: many / 2,
                points: points / 2,
            };
            child.add(games);
            child.add_amaf(games);
            tree.pool.root().add(games);
        }
        let found = search(&mut tree, n_threads, 20_000);
        assert_eq!(found.nodes, 20_000);
        let line = &found.lines[0];
        assert_eq!(line.pv[0], 1);
        assert!(line.score > 1_000, "{line:?}");
        let visits = tree.pool.root().own().visits;
        assert!(visits > 1 << 28 && visits <= 1 << 30, "{visits}");
    }
}

/// Another thread has begun its first visit to each move, and has not yet proved that one of them ends the game.
#[test]
fn no_random_game_begins_in_a_finished_game() {
    let history = PositionHistory::new(Stones::default(), 58);
    let mut tree = SearchTree::new(2).expect("memory");
    tree.set_root(&history);
    assert!(tree.pool.expand(tree.pool.root(), [1, 2].into_iter()));
    for child in tree.pool.children(tree.pool.root()).iter() {
        child.visit(1);
    }
    let found = search_from(&history, &mut tree, 1, 20);
    assert_eq!(found.nodes, 20);
}

/// If games give no information, the policy decides which move gets the most of them.
#[test]
fn moves_of_larger_shares_are_tried_more_often() {
    for better in [0, 1] {
        let mut features = vec![[0; WIDTH]; 2];
        features[better][0] = 2 * QA;
        let policy = Policy {
            features,
            bias: [0; WIDTH],
            output: [QB; WIDTH],
        };
        let mut tree = SearchTree::new(2).expect("memory");
        search_with(Some(Arc::new(policy)), &mut tree, 1, 20);
        let visits = tree.root_visits();
        let [one, two] = visits[..] else {
            panic!("{visits:?}")
        };
        assert_eq!((one.0, two.0), (1, 2));
        assert_eq!(one.1 > two.1, better == 0, "{visits:?}");
    }
}

#[test]
fn the_tree_is_kept_only_for_the_same_game() {
    let mut tree = SearchTree::new(2).expect("memory");
    let mut history = PositionHistory::start(Stones::default());
    tree.set_root(&history);
    let id = tree.root;
    history.play(1);
    history.play(2);
    assert_eq!(RootId::at(&history, 0), id);
    let mut other = PositionHistory::start(Stones::default());
    other.play(2);
    other.play(1);
    assert_eq!(history.position(), other.position());
    assert_ne!(RootId::at(&history, 2), RootId::at(&other, 2));
    assert_eq!(RootId::at(&history, 3), None);
}
