//! A game in play with its engine, with the type erased: what learning, tuning and mining need of any game.

use crate::dyn_history::parse_legal;
use crate::evaluate::network;
use crate::learn::{LearnedChange, OnlineLearner};
use crate::network::Network;
use crate::search::proof::{MoveProof, ProofSettings, Verdict, prove, prove_moves};
use crate::search::{Limits, Line, Request, Searcher};
use crate::{DynHistory, Engine, Outcome, PositionHistory, Rejection, Side};
use std::any::Any;
use std::sync::Arc;

/// MiB for the table of one proof.
const PROOF_MIB: usize = 16;

/// Depth limit of a player below full strength, whose level limits its nodes.
const LEVEL_DEPTH: u32 = 64;

/// Receives each move as it is proved; returns `false` to stop.
pub type ProofListener<'a> = &'a mut dyn FnMut(&MoveProof<String>) -> bool;

/// A game in play with its engine, of any game; moves are text. The game's own crate can be asked for what only it has: then
/// the engine is a [`PositionHistory`] of that game.
pub trait DynEngine: DynHistory + Sync + Any {
    /// The same game in play, separate from this one.
    fn fork_engine(&self) -> Box<dyn DynEngine>;

    /// The same position without the moves that led to it.
    fn without_past(&self) -> Box<dyn DynEngine>;

    /// The best line of a search of this many nodes. The game is not over. The seed is that of [`Request`].
    fn search(&self, searcher: &mut Searcher, nodes: u64, seed: u64) -> Line<String>;

    /// The move of a player of this skill level. The game is not over. The seed is that of [`Request`].
    fn move_at_level(&self, searcher: &mut Searcher, level: u32, seed: u64) -> String;

    /// Looks for a win within this many plies by one of these moves, in at most `nodes` positions. The game is not over.
    ///
    /// # Errors
    /// A move is illegal.
    fn find_win(
        &self,
        moves: &[String],
        within: u32,
        nodes: Option<u64>,
    ) -> Result<Verdict<String>, Rejection>;

    /// Proves the value of each legal move, one after another, until `tell` returns `false`.
    fn prove_moves(&self, settings: &ProofSettings, tell: ProofListener<'_>);

    /// `true` if the game finds a move that wins at once, without a search.
    fn has_win_in_one(&self) -> bool {
        false
    }

    /// The weights of the evaluation; empty if it is not a weighted sum.
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Indices of the evaluation's features, and how often each occurs.
    fn features(&self) -> Vec<(u32, i32)> {
        Vec::new()
    }

    /// Inputs of the network; 0 for a game without one.
    fn n_inputs(&self) -> usize {
        0
    }

    /// The network that evaluates positions.
    fn network(&self) -> Option<Arc<Network>> {
        None
    }

    /// The same game in play with this network.
    ///
    /// # Panics
    /// If the game has no network.
    fn with_network(&self, _network: Arc<Network>) -> Box<dyn DynEngine> {
        panic!("the game has no network")
    }

    /// Lets weights learn from this game, which ended with this outcome; `own` is their side.
    ///
    /// # Errors
    /// The file of the weights cannot be written.
    ///
    /// # Panics
    /// If the game has no network.
    fn teach(
        &self,
        _learner: &mut OnlineLearner,
        _outcome: Outcome,
        _own: Side,
    ) -> Result<LearnedChange, Rejection> {
        panic!("the game has no network")
    }

    /// The network's active inputs as the player to move sees them, then as the opponent does if the network has both views.
    fn inputs(&self) -> [Vec<u16>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// The share of the following positions in the network's targets: lambda of TD(lambda).
    fn td_lambda(&self) -> f32 {
        1.0
    }
}

impl<G: Engine> DynEngine for PositionHistory<G> {
    fn fork_engine(&self) -> Box<dyn DynEngine> {
        Box::new(self.clone())
    }

    fn without_past(&self) -> Box<dyn DynEngine> {
        let (game, position) = (self.game().clone(), self.position().clone());
        Box::new(PositionHistory::new(game, position))
    }

    fn search(&self, searcher: &mut Searcher, nodes: u64, seed: u64) -> Line<String> {
        let Line { score, bound, pv } = searcher.search_nodes(self, nodes, seed);
        let pv = self.codes(&pv);
        Line { score, bound, pv }
    }

    fn move_at_level(&self, searcher: &mut Searcher, level: u32, seed: u64) -> String {
        let moves = PositionHistory::moves(self);
        let request = Request {
            seed,
            skill: self.game().ladder().at_level(level),
            ..Request::new(moves, Limits::depth(LEVEL_DEPTH))
        };
        let found = searcher.find(self, &request);
        self.code(found.lines[0].pv[0])
    }

    fn find_win(
        &self,
        moves: &[String],
        within: u32,
        nodes: Option<u64>,
    ) -> Result<Verdict<String>, Rejection> {
        let read = |code: &String| parse_legal(self, code);
        let moves: Vec<G::Move> = moves.iter().map(read).collect::<Result<_, _>>()?;
        if moves.is_empty() {
            return Ok(Verdict::NoWin);
        }
        Ok(match prove(self, &moves, within, PROOF_MIB, nodes).0 {
            Verdict::Win { plies, pv } => Verdict::Win {
                plies,
                pv: self.codes(&pv),
            },
            Verdict::NoWin => Verdict::NoWin,
            Verdict::Unknown => Verdict::Unknown,
        })
    }

    fn prove_moves(&self, settings: &ProofSettings, tell: ProofListener<'_>) {
        let moves = PositionHistory::moves(self);
        let mut tell = |proof: MoveProof<G::Move>| tell(&proof.map(|mv| self.code(mv)));
        prove_moves(self, &moves, settings, &mut tell);
    }

    fn has_win_in_one(&self) -> bool {
        self.game().win_in_one(self.position()).is_some()
    }

    fn weights(&self) -> &'static [i16] {
        self.game().weights()
    }

    fn features(&self) -> Vec<(u32, i32)> {
        let mut features = Vec::new();
        let mut add = |index, count| features.push((index as u32, count));
        self.game().features(self.position(), &mut add);
        features
    }

    fn n_inputs(&self) -> usize {
        let inputs = self.game().network_inputs();
        inputs.map_or(0, |inputs| inputs.n_inputs())
    }

    fn network(&self) -> Option<Arc<Network>> {
        network(self.game()).cloned()
    }

    fn with_network(&self, network: Arc<Network>) -> Box<dyn DynEngine> {
        let inputs = self.game().network_inputs().expect("a game with a network");
        Box::new(self.with_game(inputs.with_network(network)))
    }

    fn teach(
        &self,
        learner: &mut OnlineLearner,
        outcome: Outcome,
        own: Side,
    ) -> Result<LearnedChange, Rejection> {
        learner.learn(self, outcome, Some(own))
    }

    fn inputs(&self) -> [Vec<u16>; 2] {
        let mut inputs = [Vec::new(), Vec::new()];
        let side = PositionHistory::side(self);
        if let Some(network) = self.game().network_inputs() {
            network.inputs(self.position(), &mut |seen| {
                inputs[0].push(seen[side.index()]);
                if network.has_two_perspectives() {
                    inputs[1].push(seen[side.other().index()]);
                }
            });
        }
        inputs
    }

    fn td_lambda(&self) -> f32 {
        let inputs = self.game().network_inputs();
        inputs.map_or(1.0, |inputs| inputs.td_lambda())
    }
}
