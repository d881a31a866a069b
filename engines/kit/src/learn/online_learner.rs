//! Online learning: network weights that are trained after each finished game and stored in a file.
//!
//! After a game, each of its positions and some random neighbours are searched briefly with the current weights. A
//! position's training target is the score of its search (Veness and others 2009), mixed with the result of the game;
//! the result counts more towards the end of the game. Each training step also uses positions of earlier games, so that
//! earlier knowledge is retained.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman learner 1` and two line feeds |
//! | 8 | games learned from |
//! | 4 | number of inputs |
//! | 4 | [`HIDDEN`] |
//! | 4 x (inputs + 3) x `HIDDEN` | input weights, hidden-layer bias, output weights |
//! | 4 | number of positions kept from earlier games; for each of them: |
//! | 4 + 2 + 2 + 2 x inputs | target; numbers of active inputs from both points of view; these inputs |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian, weights and targets floating point.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;

use super::{Example, NetworkTrainer, Trainer, logistic};
use crate::bytes::{Decoder, Encoder};
use crate::lock::{LockError, WriterLock};
use crate::network::{HIDDEN, Network, SCALE};
use crate::search::{Searcher, mate_distance};
use crate::{DynEngine, Engine, Outcome, PositionHistory, Rejection};

const MAGIC: &[u8; 20] = b"linesman learner 1\n\n";

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
/// Learning rate.
const RATE: f32 = 0.0005;

/// Weights in training, with the file that stores them.
#[derive(Debug)]
pub struct OnlineLearner {
    path: PathBuf,
    _lock: WriterLock,
    trainer: NetworkTrainer,
    /// Number of games learned from.
    n_games: u64,
    /// Positions of recent games, the oldest first.
    kept: Vec<Example>,
}

impl OnlineLearner {
    /// Opens a file of weights, or starts with untrained weights if the file does not exist.
    ///
    /// # Errors
    /// The file belongs to another game, is damaged or cannot be read, or another process is learning in it.
    pub fn open(path: &Path, n_inputs: usize) -> Result<OnlineLearner, Rejection> {
        let named = |why: &dyn std::fmt::Display| Rejection(format!("{}: {why}", path.display()));
        let lock = WriterLock::acquire(path).map_err(|error| match error {
            LockError::Held => named(&"another engine uses this file to learn"),
            LockError::Io(lock, error) => Rejection(format!("{}: {error}", lock.display())),
        })?;
        // Reading a device might never end.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(named(&"expected a file"));
        }
        let (n_games, trainer, kept) = match fs::read(path) {
            Ok(bytes) => read(&bytes, n_inputs).map_err(|why| named(&why))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (0, NetworkTrainer::untrained(n_inputs, 1), Vec::new())
            }
            Err(error) => return Err(named(&error)),
        };
        Ok(OnlineLearner {
            path: path.to_owned(),
            _lock: lock,
            trainer,
            n_games,
            kept,
        })
    }

    /// The current weights.
    pub fn network(&self) -> Arc<Network> {
        Arc::new(self.trainer.weights())
    }

    /// Number of games learned from so far.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Learns from a finished game and writes the file. A game that is not over is ignored.
    ///
    /// # Errors
    /// The file cannot be written. It then keeps its previous content, and the new weights are used until the process
    /// ends.
    ///
    /// # Panics
    /// If the game has no network.
    pub fn learn<G: Engine>(&mut self, history: &PositionHistory<G>) -> Result<(), Rejection> {
        let Some(outcome) = history.outcome() else {
            return Ok(());
        };
        let mut rng = Rng::with_seed(self.n_games);
        let examples = self.examples(history, outcome, &mut rng);
        self.kept.extend(examples);
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
        self.n_games += 1;
        for _ in 0..STEPS {
            let batch: Vec<&Example> = (0..BATCH).filter_map(|_| rng.choice(&self.kept)).collect();
            self.trainer.learn(&batch, RATE);
        }
        let written = self.write();
        written.map_err(|error| Rejection(format!("{}: {error}", self.path.display())))
    }

    /// The positions of a game and their random neighbours, with targets.
    fn examples<G: Engine>(
        &self,
        history: &PositionHistory<G>,
        outcome: Outcome,
        rng: &mut Rng,
    ) -> Vec<Example> {
        let moves: Vec<G::Move> = history.played().collect();
        let mut first = history.clone();
        while first.undo().is_some() {}
        let inputs = history.game().network_inputs();
        let game = inputs
            .expect("a game with a network")
            .with_network(self.network());
        let mut history = PositionHistory::new(game, first.position().clone());
        let mut searcher = Searcher::new(1, 1);
        let mut examples = Vec::new();
        let mut result_share = RESULT_SHARE * FADING.powi(moves.len() as i32);
        for mv in moves {
            result_share /= FADING;
            let result = outcome.points(history.side());
            examples.push(example(&history, &mut searcher, (result, result_share)));
            for _ in 0..N_BESIDE {
                let moves = history.moves();
                let beside = moves[rng.usize(..moves.len())];
                history.play(beside);
                if history.outcome().is_none() {
                    examples.push(example(&history, &mut searcher, (0.5, 0.0)));
                }
                history.undo();
            }
            history.play(mv);
        }
        examples
    }

    /// Replaces the file atomically.
    fn write(&self) -> io::Result<()> {
        let mut new = self.path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let written = (|| {
            let mut file = File::create(&new)?;
            file.write_all(&self.to_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        })();
        if written.is_err() {
            // Remove the partial file.
            let _ = fs::remove_file(&new);
        }
        written
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u64(self.n_games);
        bytes.put_u32(self.trainer.rows().count() as u32 - 3);
        bytes.put_u32(HIDDEN as u32);
        for weight in self.trainer.rows().flatten() {
            bytes.0.extend(weight.to_le_bytes());
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
        bytes.finish()
    }
}

/// A position with its target, the score of a short search. The game's result has the given share in it, unless the
/// search finds a forced end.
fn example<G: Engine>(
    history: &PositionHistory<G>,
    searcher: &mut Searcher,
    (result, share): (f32, f32),
) -> Example {
    let score = searcher.search_nodes(history, NODES, 0).score;
    let target = match mate_distance(score) {
        Some(plies) => f32::from(u8::from(plies > 0)),
        None => share * result + (1.0 - share) * logistic(score as f32 / SCALE as f32),
    };
    Example {
        inputs: history.inputs(),
        target,
    }
}

/// Reads the content of a file: number of games, weights, kept positions.
fn read(bytes: &[u8], n_inputs: usize) -> Result<(u64, NetworkTrainer, Vec<Example>), Rejection> {
    let mut body = Decoder::checked(bytes, MAGIC, "weights")?;
    let damaged = || Rejection::from("damaged: invalid numbers");
    let n_games = body.u64().ok_or_else(damaged)?;
    if body.shape(HIDDEN).ok_or_else(damaged)? != n_inputs {
        let why = format!("weights of another game: expected {n_inputs} inputs");
        return Err(Rejection(why));
    }
    let rows: Option<Vec<_>> = (0..n_inputs + 3).map(|_| read_row(&mut body)).collect();
    let trainer = rows
        .and_then(NetworkTrainer::from_rows)
        .ok_or_else(damaged)?;
    let n_kept = body.u32().ok_or_else(damaged)?;
    let kept: Option<Vec<Example>> = (0..n_kept).map(|_| read_example(&mut body)).collect();
    let kept = kept.ok_or_else(damaged)?;
    let inputs = kept.iter().flat_map(|example| &example.inputs);
    match inputs.flatten().all(|&input| usize::from(input) < n_inputs) {
        true => Ok((n_games, trainer, kept)),
        false => Err(damaged()),
    }
}

fn read_row(body: &mut Decoder<'_>) -> Option<[f32; HIDDEN]> {
    let mut row = [0.0; HIDDEN];
    for weight in &mut row {
        *weight = body.f32()?;
    }
    row.iter().all(|weight| weight.is_finite()).then_some(row)
}

fn read_example(body: &mut Decoder<'_>) -> Option<Example> {
    let target = body.f32()?;
    let lengths = [body.u16()?, body.u16()?];
    let [own, enemy] = lengths.map(|n| (0..n).map(|_| body.u16()).collect::<Option<Vec<u16>>>());
    Some(Example {
        inputs: [own?, enemy?],
        target,
    })
}
