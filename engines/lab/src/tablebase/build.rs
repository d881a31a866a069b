//! Building a table: its requirements, its steps, and the builders of all games.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

use crate::parallel::{Threads, block};
use kit::lock::WriterLock;
use kit::tablebase::code::{COUNT, N_CODES, OPEN, decode};
use kit::tablebase::{Counts, Indexing, MoveGraph, TableError, TableInfo, Tabulated, open_file};
use kit::{Options, Rejection, Value};

use super::solver::{BuildError, BuildProgress, N_PER_ITEM, Solver};
use super::verify::{CheckedPositions, VerifyError, verify};
use super::write::write;
use super::{sections, sweeps};

/// The requirements of a build, computed before it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlan {
    /// The game with the options that the values depend on: `susan Size=3 SlideLimit=6`.
    pub name: String,
    /// Name of the file in a folder of tables.
    pub file_name: String,
    /// Number of indices to solve.
    pub n_indices: u64,
    /// The memory in bytes.
    pub n_bytes: u64,
}

/// The header of the table that was built, or the reason why none was.
pub type Built = Result<TableInfo, BuildError>;

/// Verifies the table in a file and reports its progress: positions done and in all. Returns the number of positions
/// verified.
pub type Verify = fn(
    &Options,
    &Path,
    CheckedPositions,
    Threads<'_>,
    &mut dyn FnMut(u64, u64),
) -> Result<u64, VerifyError>;

/// Builds and verifies the tables of a game, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct TableBuilder {
    /// The game's name.
    pub game: &'static str,
    /// Computes the requirements of a build: [`plan`].
    pub plan: fn(&Options) -> Result<BuildPlan, Rejection>,
    /// Builds: [`build`](fn@build).
    pub build: fn(&Options, &Path, Threads<'_>, &mut dyn FnMut(BuildProgress)) -> Built,
    /// Verifies the table in a file: [`verify`].
    pub verify: Verify,
}

impl TableBuilder {
    /// The tables of this game.
    pub const fn of<G: Tabulated>() -> TableBuilder {
        TableBuilder {
            game: G::NAME,
            plan: |options| plan(&G::new(options)),
            build: |options, path, threads, on_progress| {
                build(&G::new(options), path, threads, on_progress)
            },
            verify: |options, path, sample, threads, on_progress| {
                let game = G::new(options);
                let graph = game.graph().map_err(TableError::at(path))?;
                let file = open_file(path, &graph.identity())?;
                verify(&game, &graph, &file, sample, threads, on_progress)
            },
        }
    }
}

/// Computes the requirements of a build of this game's table.
///
/// # Errors
/// There is no table for these options.
pub fn plan<G: Tabulated>(game: &G) -> Result<BuildPlan, Rejection> {
    let graph = game.graph()?;
    let identity = graph.identity();
    let n_indices = graph.n_indices();
    let n_work_bytes = match graph.section_size() {
        None => 0,
        Some(_) => sections::n_list_bytes(n_indices),
    };
    Ok(BuildPlan {
        name: identity.to_string(),
        file_name: identity.file_name(),
        n_indices,
        n_bytes: n_indices * size_of::<AtomicU16>() as u64 + n_work_bytes + graph.n_bytes(),
    })
}

/// Solves all positions of this game's board on these threads, and writes the table to a file; none of this name may exist.
/// A lock has its name with `.lock` until it is written.
///
/// # Errors
/// [`BuildError::Stopped`] if it was stopped; otherwise what went wrong. Nothing is written then.
pub fn build<G: Tabulated>(
    game: &G,
    path: &Path,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Built {
    let graph = game.graph().map_err(BuildError::Options)?;
    let lock = WriterLock::acquire(path, "another build writes this table");
    let _lock = lock.map_err(BuildError::Locked)?;
    if path.symlink_metadata().is_ok() {
        return Err(BuildError::Exists(path.to_owned()));
    }
    let solver = Solver::new(&graph, graph.n_indices(), threads)?;
    match graph.section_size() {
        None => sweeps::run(&solver, on_progress)?,
        Some(size) => sections::run(&solver, size, on_progress)?,
    }
    let mut info = describe(game, &solver);
    let mut on_progress = |done, of| {
        let stage = "writing the table".to_owned();
        on_progress(BuildProgress { stage, done, of })
    };
    match write(path, &mut info, &solver.cells, threads, &mut on_progress)? {
        true => Ok(info),
        false => Err(BuildError::Stopped),
    }
}

/// The description of the table; the size of its file is not yet known.
fn describe<G: Tabulated>(game: &G, solver: &Solver<'_, G::Graph>) -> TableInfo {
    let histogram = histogram(&solver.cells, solver.threads.count);
    let mut counts = Counts::default();
    let mut longest = None;
    for (code, &n) in (0..).zip(&histogram).filter(|&(_, &n)| n > 0) {
        match decode(code) {
            None => {}
            Some(Value::Draw) => counts.drawn += n,
            Some(Value::Loss(_)) => counts.lost += n,
            Some(Value::Win(plies)) => {
                counts.won += n;
                longest = Some((plies, code));
            }
        }
    }
    let mut cells = solver.cells.iter();
    let longest_win = longest.map(|(plies, code)| {
        let number = cells.position(|cell| cell.load(Relaxed) == code);
        (plies, number.unwrap_or(0) as u64)
    });
    let start = solver.graph.index(&game.start());
    let start = start.map(|number| solver.cell(number).load(Relaxed));
    TableInfo {
        identity: solver.graph.identity(),
        counts,
        longest_win,
        start: start.and_then(decode).unwrap_or(Value::Draw),
        n_bytes: 0,
    }
}

/// Number of occurrences of each code.
fn histogram(cells: &[AtomicU16], n_threads: usize) -> Vec<u64> {
    let total = Mutex::new(vec![0; N_CODES]);
    let never = AtomicBool::new(false);
    let n_indices = cells.len() as u64;
    let n_items = n_indices.div_ceil(N_PER_ITEM);
    let count = |(): &mut (), item| {
        let mut counts = [0_u32; N_CODES];
        let numbers = block(item, N_PER_ITEM, n_indices);
        for cell in &cells[numbers.start as usize..numbers.end as usize] {
            let code = cell.load(Relaxed);
            // All open positions are draws.
            counts[usize::from(if code < COUNT { code } else { OPEN })] += 1;
        }
        let mut total = total.lock().expect("no holder of this lock panics");
        for (sum, n) in total.iter_mut().zip(counts) {
            *sum += u64::from(n);
        }
    };
    let threads = Threads {
        count: n_threads,
        stop: &never,
    };
    threads.for_each(n_items, || (), count, &mut |_| {});
    total.into_inner().expect("no holder of this lock panics")
}
