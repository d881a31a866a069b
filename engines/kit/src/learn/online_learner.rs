//! Online learning: network weights that are trained after each finished game and stored in a file.
//!
//! After a game, each of its positions and some random neighbours are searched briefly with the current weights. A
//! position's training target is the score of its search (Veness and others 2009), mixed with the result of the game;
//! the result counts more towards the end of the game. Each training step also uses positions of earlier games, so that
//! earlier knowledge is retained.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman learner 2` and two line feeds |
//! | 8 | games learned from |
//! | 4 | number of inputs |
//! | 4 | [`HIDDEN`] |
//! | 4 x (inputs + 3) x `HIDDEN` | input weights, hidden-layer bias, output weights |
//! | (4 + 8 x `HIDDEN`) x (inputs + 3) | for each of these rows: steps made; decaying means of the gradients, and of their squares |
//! | 4 | number of positions kept from earlier games; for each of them: |
//! | 4 + 2 + 2 + 2 x inputs | target; numbers of active inputs from both points of view; these inputs |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian; weights, means and targets are floating point. A file of version 1, which has no means, is
//! also read.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;

use super::{Adam, Example, NetworkTrainer, Row, Trainer, logistic};
use crate::bytes::{Decoder, Encoder};
use crate::lock::{LockError, WriterLock};
use crate::network::{HIDDEN, MAX_ACTIVE, Network, SCALE};
use crate::platform::{read_regular, without_waiting};
use crate::search::{Searcher, mate_distance};
use crate::{DynEngine, Engine, Outcome, PositionHistory, Rejection};

const MAGIC: &[u8; 20] = b"linesman learner 2\n\n";
const MAGIC_1: &[u8; 20] = b"linesman learner 1\n\n";

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
        let (n_games, trainer, kept) = match read_regular(path, max_bytes(n_inputs)) {
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

    /// `true` if this path names the file.
    pub(crate) fn is_of(&self, path: &Path) -> bool {
        let [own, other] = [&self.path, path].map(fs::canonicalize);
        self.path == path || own.is_ok_and(|own| other.is_ok_and(|other| own == other))
    }

    /// Checks that the weights are those of a game with this number of inputs.
    pub(crate) fn check_inputs(&self, n_inputs: usize) -> Result<(), Rejection> {
        match self.trainer.rows().count() - 3 == n_inputs {
            true => Ok(()),
            false => Err(another_game(n_inputs)),
        }
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
            let mut options = File::options();
            options.write(true).create(true).truncate(true);
            let mut file = without_waiting(&mut options).open(&new)?;
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

/// The most bytes of a file with this number of inputs.
fn max_bytes(n_inputs: usize) -> u64 {
    let example = 4 + 2 * (2 + 2 * MAX_ACTIVE);
    let row = 4 + 3 * 4 * HIDDEN;
    (64 + (n_inputs + 3) * row + KEPT * example) as u64
}

fn another_game(n_inputs: usize) -> Rejection {
    Rejection(format!(
        "weights of another game: expected {n_inputs} inputs"
    ))
}

/// Reads the content of a file: number of games, weights, kept positions.
fn read(bytes: &[u8], n_inputs: usize) -> Result<(u64, NetworkTrainer, Vec<Example>), Rejection> {
    let has_means = !bytes.starts_with(MAGIC_1);
    let magic = if has_means { MAGIC } else { MAGIC_1 };
    let mut body = Decoder::checked(bytes, magic, "weights")?;
    let damaged = || Rejection::from("damaged: invalid numbers");
    let n_games = body.u64().ok_or_else(damaged)?;
    if body.shape(HIDDEN).ok_or_else(damaged)? != n_inputs {
        return Err(another_game(n_inputs));
    }
    let rows: Option<Vec<_>> = (0..n_inputs + 3)
        .map(|_| body.f32s().map(Row::new))
        .collect();
    let mut rows = rows.ok_or_else(damaged)?;
    if has_means {
        for row in &mut rows {
            row.adam = read_adam(&mut body).ok_or_else(damaged)?;
        }
    }
    let trainer = NetworkTrainer::from_rows(rows).ok_or_else(damaged)?;
    let n_kept = body.u32().ok_or_else(damaged)?;
    let kept: Option<Vec<Example>> = (0..n_kept).map(|_| read_example(&mut body)).collect();
    let kept = kept.ok_or_else(damaged)?;
    let inputs = kept.iter().flat_map(|example| &example.inputs);
    match inputs.flatten().all(|&input| usize::from(input) < n_inputs) {
        true => Ok((n_games, trainer, kept)),
        false => Err(damaged()),
    }
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
    let target = body.f32()?;
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
    fn file(magic: &[u8; 20], weight: f32, target: f32) -> Vec<u8> {
        let mut bytes = Encoder(magic.to_vec());
        bytes.put_u64(7);
        bytes.put_u32(N_INPUTS as u32);
        bytes.put_u32(HIDDEN as u32);
        let mut row = [0.5; HIDDEN];
        row[3] = weight;
        for _ in 0..N_INPUTS + 3 {
            bytes.put_f32s(&row);
        }
        if magic == MAGIC {
            for _ in 0..N_INPUTS + 3 {
                bytes.put_u32(5);
                bytes.put_f32s(&[0.25; HIDDEN]);
                bytes.put_f32s(&[0.125; HIDDEN]);
            }
        }
        bytes.put_u32(1);
        bytes.put_f32s(&[target]);
        bytes.0.extend([1, 0, 0, 0, 1, 0]);
        bytes.finish()
    }

    #[test]
    fn files_of_both_versions_are_read() {
        for (magic, means) in [(MAGIC_1, (0, 0.0, 0.0)), (MAGIC, (5, 0.25, 0.125))] {
            let read = read(&file(magic, 0.75, 1.0), N_INPUTS);
            let (n_games, trainer, kept) = read.expect("a sound file");
            assert_eq!((n_games, kept[0].target), (7, 1.0));
            for row in trainer.rows() {
                assert_eq!(row.weights[3], 0.75);
                let adam = &row.adam;
                assert_eq!((adam.steps, adam.mean[9], adam.square[9]), means);
            }
        }
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
            let why = read(&file(MAGIC, weight, target), N_INPUTS).map(|_| ());
            let why = why.expect_err("beyond its range").to_string();
            assert_eq!(why, "damaged: invalid numbers", "{weight} {target}");
        }
    }
}
