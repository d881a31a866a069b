//! Verification of a table: each value is compared with those of the successors, by the rules of the game and not by
//! the move lists that the builder used.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::parallel::{Threads, block};
use kit::Value;
use kit::tablebase::code::{UNUSED, decode};
use kit::tablebase::file::N_PER_BLOCK;
use kit::tablebase::{Indexing, TableError, TableFile, Tabulated};

/// The positions to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckedPositions {
    /// All positions. The codes are read into memory first, with two bytes per index.
    All,
    /// A random sample.
    Random {
        /// Number of positions.
        n: u64,
        /// Seed of the sample.
        seed: u64,
    },
}

/// The reason why verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system does not have enough memory.
    #[error(
        "all positions need {} MiB of memory, more than is available: verify a sample",
        n_bytes.div_ceil(1 << 20)
    )]
    Memory {
        /// Bytes for all codes.
        n_bytes: u64,
    },
    /// A value does not follow from those of the successors.
    #[error("index {number}: {what}")]
    Wrong {
        /// The index in the table.
        number: u64,
        /// The table's value and the one that follows from the rules.
        what: String,
    },
}

/// Verifies positions of a table. Calls `on_progress` with the number of positions done and the total. Returns the number
/// of verified positions, which is lower if it was stopped.
///
/// # Errors
/// The first wrong value, or the reason why the table cannot be read.
pub fn verify<G: Tabulated>(
    game: &G,
    graph: &G::Graph,
    file: &TableFile,
    sample: CheckedPositions,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<u64, VerifyError> {
    let n_indices = file.info().identity.n_indices;
    match sample {
        CheckedPositions::All => {
            let codes = read_all(file)?;
            let code = |number| Ok(codes[number as usize]);
            let check = Check { game, graph, code };
            let n_items = n_indices.div_ceil(N_PER_BLOCK);
            let on_progress =
                &mut |done: u64| on_progress((done * N_PER_BLOCK).min(n_indices), n_indices);
            let numbers = |item| block(item, N_PER_BLOCK, n_indices);
            check.run(n_items, numbers, threads, on_progress)
        }
        CheckedPositions::Random { n, seed } => {
            let code = |number| file.code(number);
            let check = Check { game, graph, code };
            let numbers = |item| {
                let seed = kit::hash::hash([seed, item]);
                let number = fastrand::Rng::with_seed(seed).u64(0..n_indices);
                number..number + 1
            };
            check.run(n, numbers, threads, &mut |done| on_progress(done, n))
        }
    }
}

fn read_all(file: &TableFile) -> Result<Vec<u16>, VerifyError> {
    let n_indices = file.info().identity.n_indices;
    let mut codes = Vec::new();
    let short = |_| VerifyError::Memory {
        n_bytes: 2 * n_indices,
    };
    codes.try_reserve_exact(n_indices as usize).map_err(short)?;
    for block in 0..n_indices.div_ceil(N_PER_BLOCK) {
        codes.extend(file.codes(block)?);
    }
    Ok(codes)
}

struct Check<'a, G: Tabulated, F> {
    game: &'a G,
    graph: &'a G::Graph,
    code: F,
}

impl<G: Tabulated, F: Fn(u64) -> Result<u16, TableError> + Sync> Check<'_, G, F> {
    /// Checks the indices of each item.
    fn run(
        &self,
        n_items: u64,
        numbers: impl Fn(u64) -> std::ops::Range<u64> + Sync,
        threads: Threads<'_>,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<u64, VerifyError> {
        let n_checked = AtomicU64::new(0);
        let is_over = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let check = |moves: &mut Vec<G::Move>, item| {
            for number in numbers(item) {
                if threads.stop.load(Relaxed) {
                    is_over.store(true, Relaxed);
                }
                if is_over.load(Relaxed) {
                    return;
                }
                if let Err(error) = self.check(number, moves) {
                    is_over.store(true, Relaxed);
                    *failure.lock().expect("no holder of this lock panics") = Some(error);
                }
                n_checked.fetch_add(1, Relaxed);
            }
        };
        let threads = Threads {
            stop: &is_over,
            ..threads
        };
        threads.for_each(n_items, Vec::new, check, on_progress);
        match failure.into_inner().expect("no holder of this lock panics") {
            Some(error) => Err(error),
            None => Ok(n_checked.into_inner()),
        }
    }

    fn check(&self, number: u64, moves: &mut Vec<G::Move>) -> Result<(), VerifyError> {
        let code = (self.code)(number)?;
        let wrong = |what: String| VerifyError::Wrong { number, what };
        let Some(position) = self.graph.position(number) else {
            return match code {
                UNUSED => Ok(()),
                _ => Err(wrong("no position has this index".to_owned())),
            };
        };
        if code == UNUSED {
            return Err(wrong("the table has no value".to_owned()));
        }
        let again = self.graph.index(&position);
        if self.game.outcome(&position).is_none() && again != Some(number) {
            return Err(wrong(format!("the position has the index {again:?}")));
        }
        let found = value(code);
        let Some(expected) = self.by_rules(&position, moves)? else {
            return Err(wrong(
                "a move leads to a position without an index".to_owned(),
            ));
        };
        if found != expected {
            return Err(wrong(format!(
                "the table has {found}, the moves give {expected}"
            )));
        }
        Ok(())
    }

    /// The value that follows from the moves and the table's values after them; `None` if a position after a move has
    /// no index.
    fn by_rules(
        &self,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
    ) -> Result<Option<Value>, VerifyError> {
        let side = self.game.side(position);
        if let Some(outcome) = self.game.outcome(position) {
            return Ok(Some(Value::of(outcome, side)));
        }
        moves.clear();
        self.game.moves(position, moves);
        let mut after = position.clone();
        let mut best = None;
        for &mv in moves.iter() {
            let undo = self.game.play(&mut after, mv);
            let value = match self.game.outcome(&after) {
                Some(outcome) => Value::of(outcome, side),
                None => {
                    let Some(number) = self.graph.index(&after) else {
                        return Ok(None);
                    };
                    value((self.code)(number)?).flipped()
                }
            };
            self.game.undo(&mut after, mv, undo);
            best = best
                .into_iter()
                .chain([value.before_move()])
                .max_by_key(|value| value.score());
        }
        Ok(best)
    }
}

/// The value of a code; a draw if no position has its number.
fn value(code: u16) -> Value {
    decode(code).unwrap_or(Value::Draw)
}
