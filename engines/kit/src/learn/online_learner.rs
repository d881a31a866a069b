//! Online learning: network weights that are trained after each finished game and stored in a file.
//!
//! After a game, each of its positions and some random neighbours are searched briefly with the current weights. A
//! position's training target is the score of its search (Veness and others 2009), mixed with the result of the game;
//! the result counts more towards the end of the game. Each training step also uses positions of earlier games, so that
//! earlier knowledge is retained.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman learner 3` and two line feeds |
//! | 8 | games learned from |
//! | 4 | number of inputs |
//! | 4 | [`HIDDEN`] |
//! | 4 x (inputs + 3) x `HIDDEN` | input weights, hidden-layer bias, output weights |
//! | (4 + 8 x `HIDDEN`) x (inputs + 3) | for each of these rows: steps made; decaying means of the gradients, and of their squares |
//! | 4 | number of positions kept from earlier games; for each of them: |
//! | 4 + 2 + 2 + 2 x inputs | target; numbers of active inputs from both points of view; these inputs |
//! | 4 + length | the board of the last game: length and text |
//! | 4 | number of games on record; for each of them: |
//! | 8 + 1 | seconds since the Unix epoch; half points of the engine, or 255 |
//! | 4 | 0, reserved |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian; weights, means and targets are floating point.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;

use super::{Adam, Example, LearningHistory, NetworkTrainer, Row, Trainer, logistic};
use crate::bytes::{Decoder, Encoder};
use crate::lock::WriterLock;
use crate::network::{HIDDEN, Network, SCALE};
use crate::platform::{read_regular, without_waiting};
use crate::search::{SearchScore, Searcher, mate_distance};
use crate::{DynHistory, Outcome, Rejection, Side};

const MAGIC: &[u8; 20] = b"linesman learner 3\n\n";

/// Nodes of the search that computes a position's target.
const NODES: u64 = 100;
/// Random neighbours for each position of the game, one random move away from it.
const N_BESIDE: usize = 2;
/// Share of the result in the target of the last position, and its factor for each ply before that.
const RESULT_SHARE: f32 = 0.3;
const FADING: f32 = 0.98;
/// Maximum number of positions kept from earlier games.
const KEPT: usize = 30_000;
/// Training steps after each game, and examples per step.
const STEPS: usize = 16;
const BATCH: usize = 128;
/// More bytes than any file has: the numbers of inputs have two bytes.
const MAX_BYTES: u64 = 256 << 20;
/// Learning rate.
const RATE: f32 = 0.0005;

/// Plies of a game that are its opening.
const OPENING_PLIES: usize = 4;

/// Weights that learn by playing, as their file holds them.
#[derive(Debug)]
pub struct Learner {
    /// Number of games learned from.
    pub n_games: u64,
    trainer: NetworkTrainer,
    /// Positions of recent games, the oldest first.
    kept: Vec<Example>,
    /// Their history.
    pub history: LearningHistory,
}

/// Weights in training, with the file that stores them.
#[derive(Debug)]
pub struct OnlineLearner {
    path: PathBuf,
    _lock: WriterLock,
    learner: Learner,
}

/// The effect of a game on the weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedChange {
    /// The first moves of the game.
    pub opening: Vec<String>,
    /// The score after the opening before and after learning, for the engine's side, or else for the first player.
    pub scores: [SearchScore; 2],
    /// The best first move before and after learning.
    pub first_moves: [String; 2],
}

impl OnlineLearner {
    /// Opens a file of weights, or starts with untrained weights if the file does not exist.
    ///
    /// # Errors
    /// The file belongs to another game, is damaged or cannot be read, or another process is learning in it.
    pub fn open(path: &Path, n_inputs: usize) -> Result<OnlineLearner, Rejection> {
        let lock = WriterLock::acquire(path, "another engine uses this file to learn")?;
        let learner = match path.try_exists() {
            Ok(false) => Learner {
                n_games: 0,
                trainer: NetworkTrainer::untrained(n_inputs, 1),
                kept: Vec::new(),
                history: LearningHistory::default(),
            },
            _ => Learner::read(path)?,
        };
        let opened = OnlineLearner {
            path: path.to_owned(),
            _lock: lock,
            learner,
        };
        match opened.check_inputs(n_inputs) {
            Ok(()) => Ok(opened),
            Err(why) => Err(Rejection(format!("{}: {why}", path.display()))),
        }
    }

    /// `true` if this path names the file.
    pub(crate) fn is_of(&self, path: &Path) -> bool {
        let [own, other] = [&self.path, path].map(fs::canonicalize);
        self.path == path || own.is_ok_and(|own| other.is_ok_and(|other| own == other))
    }

    /// Checks that the weights are those of a game with this number of inputs.
    pub(crate) fn check_inputs(&self, n_inputs: usize) -> Result<(), Rejection> {
        match self.learner.n_inputs() == n_inputs {
            true => Ok(()),
            false => Err(format!("weights of another game: expected {n_inputs} inputs").into()),
        }
    }

    /// The current weights.
    pub fn network(&self) -> Arc<Network> {
        Arc::new(self.learner.trainer.weights())
    }

    /// Number of games learned from so far.
    pub fn n_games(&self) -> u64 {
        self.learner.n_games
    }

    /// Learns from a game of this name with this outcome and writes the file. `own` is the side of the engine that learns,
    /// if it played one. Returns what changed.
    ///
    /// # Errors
    /// The file cannot be written. It then keeps its previous content, and the new weights are used until the process
    /// ends.
    ///
    /// # Panics
    /// If the game has no network.
    pub fn learn(
        &mut self,
        game: &str,
        history: &dyn DynHistory,
        outcome: Outcome,
        own: Option<Side>,
    ) -> Result<LearnedChange, Rejection> {
        let before = self.opinion(history);
        let mut rng = Rng::with_seed(self.learner.n_games);
        let examples = self.examples(history, outcome, &mut rng);
        let learner = &mut self.learner;
        learner.kept.extend(examples);
        let surplus = learner.kept.len().saturating_sub(KEPT);
        learner.kept.drain(..surplus);
        learner.n_games += 1;
        for _ in 0..STEPS {
            let batch = (0..BATCH).filter_map(|_| rng.choice(&learner.kept));
            learner.trainer.learn(&batch.collect::<Vec<_>>(), RATE);
        }
        let board = format!("{game} {}", history.shape());
        let half_points = own.map(|side| outcome.half_points(side) as u8);
        learner.history.add_game(board.trim_end(), half_points);
        let written = self.write();
        written.map_err(|error| Rejection(format!("{}: {error}", self.path.display())))?;
        let after = self.opinion(history);
        let sign = if own == Some(Side::P2) { -1 } else { 1 };
        Ok(LearnedChange {
            opening: opening_of(&history.played()).to_vec(),
            scores: [sign * before.0, sign * after.0],
            first_moves: [before.1, after.1],
        })
    }

    /// The score of the first player after the opening of a game, and the best first move, by the current weights.
    fn opinion(&self, history: &dyn DynHistory) -> (SearchScore, String) {
        let mut history = history.with_network(self.network());
        let moves = history.played();
        history.rewind();
        let mut searcher = Searcher::new(1, 1);
        let mut first = history.search_nodes(&mut searcher, NODES, 0);
        for mv in opening_of(&moves) {
            history.play(mv).expect("a legal move");
        }
        let score = history.search_nodes(&mut searcher, NODES, 0).score;
        let is_first = history.side() == Side::P1;
        let score = if is_first { score } else { -score };
        (score, first.pv.swap_remove(0))
    }

    /// The positions of a game and their random neighbours, with targets.
    fn examples(&self, history: &dyn DynHistory, outcome: Outcome, rng: &mut Rng) -> Vec<Example> {
        let mut history = history.with_network(self.network());
        let moves = history.played();
        history.rewind();
        let mut searcher = Searcher::new(1, 1);
        let mut examples = Vec::new();
        let mut result_share = RESULT_SHARE * FADING.powi(moves.len() as i32);
        for mv in &moves {
            result_share /= FADING;
            let result = (outcome.points(history.side()), result_share);
            examples.push(example(history.as_ref(), &mut searcher, result));
            for _ in 0..N_BESIDE {
                let moves = history.moves();
                history
                    .play(&moves[rng.usize(..moves.len())])
                    .expect("a legal move");
                if history.outcome().is_none() {
                    examples.push(example(history.as_ref(), &mut searcher, (0.5, 0.0)));
                }
                history.undo();
            }
            history.play(mv).expect("a legal move");
        }
        examples
    }

    /// Replaces the file atomically.
    fn write(&self) -> io::Result<()> {
        let new = self.path.with_added_extension("new");
        let written = (|| {
            let mut options = File::options();
            options.write(true).create(true).truncate(true);
            let mut file = without_waiting(&mut options).open(&new)?;
            file.write_all(&self.learner.to_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        })();
        if written.is_err() {
            // Remove the partial file.
            let _ = fs::remove_file(&new);
        }
        written
    }
}

impl Learner {
    /// Reads a file of weights, of any game.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn read(path: &Path) -> Result<Learner, Rejection> {
        let bytes = read_regular(path, MAX_BYTES).map_err(|why| Rejection(why.to_string()));
        let read = bytes.and_then(|bytes| read(&bytes));
        read.map_err(|why| Rejection(format!("{}: {why}", path.display())))
    }

    /// Number of inputs of the network.
    pub fn n_inputs(&self) -> usize {
        self.trainer.n_inputs()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u64(self.n_games);
        bytes.put_u32(self.n_inputs() as u32);
        bytes.put_u32(HIDDEN as u32);
        for row in self.trainer.rows() {
            bytes.put_f32s(&row.weights);
        }
        for Row { adam, .. } in self.trainer.rows() {
            bytes.put_u32(adam.steps as u32);
            bytes.put_f32s(&adam.mean);
            bytes.put_f32s(&adam.square);
        }
        bytes.put_u32(self.kept.len() as u32);
        for example in &self.kept {
            bytes.0.extend(example.target.to_le_bytes());
            for inputs in &example.inputs {
                bytes.0.extend((inputs.len() as u16).to_le_bytes());
            }
            for input in example.inputs.iter().flatten() {
                bytes.0.extend(input.to_le_bytes());
            }
        }
        self.history.encode(&mut bytes);
        bytes.finish()
    }
}

/// The moves of a game's opening, which does not end the game.
fn opening_of<M>(moves: &[M]) -> &[M] {
    &moves[..OPENING_PLIES.min(moves.len().saturating_sub(1))]
}

/// A position with its target, the score of a short search. The game's result has the given share in it, unless the
/// search finds a forced end.
fn example(
    history: &dyn DynHistory,
    searcher: &mut Searcher,
    (result, share): (f32, f32),
) -> Example {
    let score = history.search_nodes(searcher, NODES, 0).score;
    let target = match mate_distance(score) {
        Some(plies) => f32::from(u8::from(plies > 0)),
        None => share * result + (1.0 - share) * logistic(score as f32 / SCALE as f32),
    };
    Example {
        inputs: history.inputs(),
        target,
    }
}

/// Reads the content of a file.
fn read(bytes: &[u8]) -> Result<Learner, Rejection> {
    let mut body = Decoder::checked(bytes, MAGIC, "weights")?;
    let content = decode(&mut body).filter(|_| body.end().is_some());
    content.ok_or_else(|| Rejection::from("damaged: invalid numbers"))
}

fn decode(body: &mut Decoder<'_>) -> Option<Learner> {
    let n_games = body.u64()?;
    let n_inputs = body.shape(HIDDEN)?;
    let rows: Option<Vec<_>> = (0..n_inputs + 3)
        .map(|_| body.f32s().map(Row::new))
        .collect();
    let mut rows = rows?;
    for row in &mut rows {
        row.adam = read_adam(body)?;
    }
    let trainer = NetworkTrainer::from_rows(rows)?;
    let n_kept = body.u32()?;
    let kept: Option<Vec<Example>> = (0..n_kept).map(|_| read_example(body)).collect();
    let kept = kept?;
    let mut inputs = kept.iter().flat_map(|example| &example.inputs).flatten();
    if !inputs.all(|&input| usize::from(input) < n_inputs) {
        return None;
    }
    Some(Learner {
        n_games,
        trainer,
        kept,
        history: LearningHistory::decode(body)?,
    })
}

fn read_adam(body: &mut Decoder<'_>) -> Option<Adam<[f32; HIDDEN]>> {
    let adam = Adam {
        steps: i32::try_from(body.u32()?).ok()?,
        mean: body.f32s()?,
        square: body.f32s()?,
    };
    let is_sound = adam.square.iter().all(|&square| square >= 0.0);
    is_sound.then_some(adam)
}

fn read_example(body: &mut Decoder<'_>) -> Option<Example> {
    let [target] = body.f32s()?;
    if !(0.0..=1.0).contains(&target) {
        return None;
    }
    let lengths = [body.u16()?, body.u16()?];
    let [own, enemy] = lengths.map(|n| (0..n).map(|_| body.u16()).collect::<Option<Vec<u16>>>());
    Some(Example {
        inputs: [own?, enemy?],
        target,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const N_INPUTS: usize = 2;

    /// A file with this weight among its first ones, and one kept position with this target.
    fn file(weight: f32, target: f32) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u64(7);
        bytes.put_u32(N_INPUTS as u32);
        bytes.put_u32(HIDDEN as u32);
        let mut row = [0.5; HIDDEN];
        row[3] = weight;
        for _ in 0..N_INPUTS + 3 {
            bytes.put_f32s(&row);
        }
        for _ in 0..N_INPUTS + 3 {
            bytes.put_u32(5);
            bytes.put_f32s(&[0.25; HIDDEN]);
            bytes.put_f32s(&[0.125; HIDDEN]);
        }
        bytes.put_u32(1);
        bytes.put_f32s(&[target]);
        bytes.0.extend([1, 0, 0, 0, 1, 0]);
        // No board and no games.
        for number in [0, 0, 0] {
            bytes.put_u32(number);
        }
        bytes.finish()
    }

    #[test]
    fn a_file_is_read() {
        let content = read(&file(0.75, 1.0)).expect("a sound file");
        assert_eq!((content.n_games, content.kept[0].target), (7, 1.0));
        assert_eq!(content.trainer.n_inputs(), N_INPUTS);
        for row in content.trainer.rows() {
            assert_eq!(row.weights[3], 0.75);
            let adam = &row.adam;
            assert_eq!((adam.steps, adam.mean[9], adam.square[9]), (5, 0.25, 0.125));
        }
        assert_eq!(content.to_bytes(), file(0.75, 1.0));
    }

    #[test]
    fn numbers_beyond_their_ranges_are_refused() {
        for (weight, target) in [
            (1e30, 0.5),
            (-1.5, 0.5),
            (f32::NAN, 0.5),
            (0.5, f32::NAN),
            (0.5, 1.5),
            (0.5, -0.5),
        ] {
            let why = read(&file(weight, target)).map(|_| ());
            let why = why.expect_err("beyond its range").to_string();
            assert_eq!(why, "damaged: invalid numbers", "{weight} {target}");
        }
    }
}
