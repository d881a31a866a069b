//! Building a table: requirements, steps and progress.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16};
use std::time::{Duration, Instant};

use super::cells::{COUNT, Cell, Decoded, OPEN, decode};
use super::file::{self, Counts, Identity, TableInfo};
use super::numbering::{MoveGraph, Numbering, Order, Tabulated};
use super::snapshot::Snapshot;
use super::solver::{N_PER_ITEM, Run, Solver};
use super::{BuildError, TableError, distance, sections};
use crate::Rejection;
use crate::lock::{LockError, WriterLock};
use crate::parallel::{block, for_each};
use crate::puzzle::Value;

/// Settings of a build.
#[derive(Debug, Clone, Copy)]
pub struct BuildSettings<'a> {
    /// The file to write, which must not exist. A lock and a snapshot are next to it during the build.
    pub path: &'a Path,
    /// Number of solving threads.
    pub n_threads: usize,
    /// Set by another thread, ends the build after a snapshot.
    pub stop: &'a AtomicBool,
    /// Interval between snapshots.
    pub snapshot_every: Duration,
}

/// The requirements of a build, computed before it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The game with the options that the values depend on: `susan Size=3 SlideLimit=6`.
    pub name: String,
    /// Name of the file in a folder of tables.
    pub file_name: String,
    /// Number of indices to solve.
    pub n_numbers: u64,
    /// Required memory in bytes. A snapshot takes the same amount on disk.
    pub n_bytes: u64,
}

/// The progress of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A snapshot is being resumed.
    Resumed,
    /// Layers are being solved.
    Layers {
        /// Indices solved.
        n_solved: u64,
        /// Total number of indices.
        n_numbers: u64,
    },
    /// Positions at one distance to the end are being solved. The number of distances is not known in advance.
    Distance {
        /// The distance in plies.
        plies: u32,
        /// Positions found won or lost since the build began or was resumed. Recent wins are not counted yet.
        n_solved: u64,
        /// Finished parts of this distance.
        done: u64,
        /// Total number of parts.
        of: u64,
    },
    /// A snapshot is being written.
    Saving,
    /// The file is being written.
    Writing {
        /// Blocks written.
        done: u64,
        /// Total number of blocks.
        of: u64,
    },
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Progress::Resumed => f.write_str("resuming from a snapshot"),
            Progress::Layers { n_solved, .. } => write!(f, "{n_solved} positions solved"),
            Progress::Distance {
                plies, n_solved, ..
            } => {
                write!(
                    f,
                    "{plies} plies from the end, {n_solved} positions won or lost"
                )
            }
            Progress::Saving => f.write_str("writing a snapshot"),
            Progress::Writing { .. } => f.write_str("writing the table"),
        }
    }
}

/// Computes the requirements of a build of this game's table.
///
/// # Errors
/// There is no table for these options.
pub fn plan<G: Tabulated>(game: &G) -> Result<Plan, Rejection> {
    let graph = game.graph()?;
    let identity = Identity::of(&graph);
    let n_numbers = graph.n_numbers();
    let n_cell_bytes = match is_narrow::<G>(&graph) {
        true => AtomicU8::N_BYTES,
        false => AtomicU16::N_BYTES,
    };
    let n_work_bytes = match graph.order() {
        Order::Layers(_) => 0,
        Order::Distance => distance::n_flag_bytes(n_numbers),
        Order::Sections { .. } => sections::n_list_bytes(n_numbers),
    };
    Ok(Plan {
        name: identity.to_string(),
        file_name: identity.file_name(),
        n_numbers,
        n_bytes: n_numbers * n_cell_bytes as u64 + n_work_bytes + graph.n_bytes(),
    })
}

/// Solves all positions of this game's board and writes the table. Resumes from the snapshot of an earlier build of the
/// same file.
///
/// # Errors
/// [`BuildError::Stopped`] after `stop` was set, otherwise the reason of the failure. Snapshots written so far are
/// kept.
pub fn build<G: Tabulated>(
    game: &G,
    settings: &BuildSettings<'_>,
    tell: &mut dyn FnMut(Progress),
) -> Result<TableInfo, BuildError> {
    let graph = game.graph().map_err(BuildError::Options)?;
    match is_narrow::<G>(&graph) {
        true => build_in::<G, AtomicU8>(game, &graph, settings, tell),
        false => build_in::<G, AtomicU16>(game, &graph, settings, tell),
    }
}

/// `true` if one byte per index is enough.
fn is_narrow<G: Tabulated>(graph: &G::Graph) -> bool {
    let counts_moves = matches!(graph.order(), Order::Sections { .. });
    !counts_moves && <G::Graph as MoveGraph<G>>::MAX_PLIES <= AtomicU8::MAX_PLIES
}

fn build_in<G: Tabulated, C: Cell>(
    game: &G,
    graph: &G::Graph,
    settings: &BuildSettings<'_>,
    tell: &mut dyn FnMut(Progress),
) -> Result<TableInfo, BuildError> {
    let &BuildSettings {
        path,
        n_threads,
        stop,
        ..
    } = settings;
    let n_threads = n_threads.max(1);
    let _lock = WriterLock::acquire(path).map_err(|error| match error {
        LockError::Held => BuildError::Locked(path.to_owned()),
        LockError::Io(lock, error) => TableError::io(&lock)(error).into(),
    })?;
    if path.symlink_metadata().is_ok() {
        return Err(BuildError::Exists(path.to_owned()));
    }
    let identity = Identity::of(graph);
    let snapshot = Snapshot::at(path);
    let mut solver = Solver::<_, C>::new(graph, n_threads, stop)?;
    if snapshot.restore(&identity, &mut solver)? {
        tell(Progress::Resumed);
    }
    let mut last = Instant::now();
    let run = solver.run(tell, &mut |solver, tell| {
        if last.elapsed() >= settings.snapshot_every {
            tell(Progress::Saving);
            snapshot.save(&identity, solver)?;
            last = Instant::now();
        }
        Ok(())
    })?;
    if run == Run::Complete {
        let mut info = describe(game, graph, &solver);
        let mut tell = |done, of| tell(Progress::Writing { done, of });
        let with = (n_threads, stop);
        if file::write(
            path,
            &temporary(path),
            &mut info,
            &solver.cells,
            with,
            &mut tell,
        )? {
            snapshot.remove()?;
            return Ok(info);
        }
    }
    if solver.stage == 0 {
        return Err(BuildError::Stopped(None));
    }
    tell(Progress::Saving);
    snapshot.save(&identity, &solver)?;
    Err(BuildError::Stopped(Some(snapshot.path)))
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// The description of the table; the size of its file is not yet known.
fn describe<G: Tabulated, C: Cell>(
    game: &G,
    graph: &G::Graph,
    solver: &Solver<'_, G::Graph, C>,
) -> TableInfo {
    let histogram = histogram(&solver.cells, solver.n_threads);
    let mut counts = Counts::default();
    let mut longest = None;
    for (code, &n) in (0..).zip(&histogram).filter(|&(_, &n)| n > 0) {
        match decode(code) {
            Decoded::Unused => {}
            Decoded::Draw => counts.drawn += n,
            Decoded::Loss(_) => counts.lost += n,
            Decoded::Win(plies) => {
                counts.won += n;
                longest = Some((u32::from(plies), code));
            }
        }
    }
    let number = |code| solver.cells.iter().position(|cell| cell.load() == code);
    let start = graph
        .number(&game.start())
        .map(|number| solver.cell(number).load());
    let identity = Identity::of(graph);
    TableInfo {
        game: identity.game,
        options: identity.options,
        n_numbers: identity.n_numbers,
        counts,
        longest_win: longest.map(|(plies, code)| (plies, number(code).unwrap_or(0) as u64)),
        start: start.map_or(Value::Draw, value),
        n_bytes: 0,
    }
}

/// The value of a code; a draw for an unused index.
pub(super) fn value(code: u16) -> Value {
    match decode(code) {
        Decoded::Draw | Decoded::Unused => Value::Draw,
        Decoded::Win(plies) => Value::Win(plies.into()),
        Decoded::Loss(plies) => Value::Loss(plies.into()),
    }
}

/// Number of occurrences of each code.
fn histogram<C: Cell>(cells: &[C], n_threads: usize) -> Vec<u64> {
    const N_CODES: usize = super::cells::N_CODES;
    let total = Mutex::new(vec![0; N_CODES]);
    let never = AtomicBool::new(false);
    let n_numbers = cells.len() as u64;
    let n_items = n_numbers.div_ceil(N_PER_ITEM);
    let count = |(): &mut (), item| {
        let mut counts = [0_u32; N_CODES];
        let numbers = block(item, N_PER_ITEM, n_numbers);
        for cell in &cells[numbers.start as usize..numbers.end as usize] {
            let code = cell.load();
            // All open positions are draws.
            counts[usize::from(if code < COUNT { code } else { OPEN })] += 1;
        }
        let mut total = total.lock().expect("no holder of this lock panics");
        total
            .iter_mut()
            .zip(counts)
            .for_each(|(sum, n)| *sum += u64::from(n));
    };
    for_each(n_items, n_threads, &never, || (), count, &mut |_| {});
    total.into_inner().expect("no holder of this lock panics")
}
