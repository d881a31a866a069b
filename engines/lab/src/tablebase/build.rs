//! Building a table: requirements, steps and progress.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16};

use crate::parallel::{Threads, block};
use kit::lock::WriterLock;
use kit::tablebase::code::{COUNT, N_CODES, OPEN, decode};
use kit::tablebase::{Counts, Indexing, MoveGraph, TableInfo, Tabulated};
use kit::{Rejection, Value};

use super::progress::{BuildError, BuildProgress};
use super::solver::{N_PER_ITEM, SharedCode, Solver};
use super::write::write;
use super::{sections, sweeps};

/// Settings of a build.
#[derive(Debug, Clone, Copy)]
pub struct BuildSettings<'a> {
    /// The file; none of this name may exist. A lock has its name with `.lock` until it is written.
    pub path: &'a Path,
    /// The solving threads, and the flag that ends the build.
    pub threads: Threads<'a>,
}

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

/// Computes the requirements of a build of this game's table.
///
/// # Errors
/// There is no table for these options.
pub fn plan<G: Tabulated>(game: &G) -> Result<BuildPlan, Rejection> {
    let graph = game.graph()?;
    let identity = graph.identity();
    let n_indices = graph.n_indices();
    let n_cell_bytes = match is_narrow::<G>(&graph) {
        true => AtomicU8::N_BYTES,
        false => AtomicU16::N_BYTES,
    };
    let n_work_bytes = match graph.section_size() {
        None => 0,
        Some(_) => sections::n_list_bytes(n_indices),
    };
    Ok(BuildPlan {
        name: identity.to_string(),
        file_name: identity.file_name(),
        n_indices,
        n_bytes: n_indices * n_cell_bytes as u64 + n_work_bytes + graph.n_bytes(),
    })
}

/// Solves all positions of this game's board and writes the table.
///
/// # Errors
/// [`BuildError::Stopped`] if it was stopped; otherwise what went wrong. Nothing is written then.
pub fn build<G: Tabulated>(
    game: &G,
    settings: &BuildSettings<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<TableInfo, BuildError> {
    let graph = game.graph().map_err(BuildError::Options)?;
    match is_narrow::<G>(&graph) {
        true => build_in::<G, AtomicU8>(game, &graph, settings, on_progress),
        false => build_in::<G, AtomicU16>(game, &graph, settings, on_progress),
    }
}

/// `true` if one byte per index is enough.
fn is_narrow<G: Tabulated>(graph: &G::Graph) -> bool {
    // Moves are counted in two bytes.
    graph.section_size().is_none() && <G::Graph as MoveGraph>::MAX_PLIES <= AtomicU8::MAX_PLIES
}

fn build_in<G: Tabulated, C: SharedCode>(
    game: &G,
    graph: &G::Graph,
    settings: &BuildSettings<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<TableInfo, BuildError> {
    let &BuildSettings { path, threads } = settings;
    let lock = WriterLock::acquire(path, "another build writes this table");
    let _lock = lock.map_err(BuildError::Locked)?;
    if path.symlink_metadata().is_ok() {
        return Err(BuildError::Exists(path.to_owned()));
    }
    let solver = Solver::<_, C>::new(graph, graph.n_indices(), threads)?;
    match graph.section_size() {
        None => sweeps::run(&solver, on_progress)?,
        Some(size) => sections::run(&solver, size, on_progress)?,
    }
    let mut info = describe(game, graph, &solver);
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
fn describe<G: Tabulated, C: SharedCode>(
    game: &G,
    graph: &G::Graph,
    solver: &Solver<'_, G::Graph, C>,
) -> TableInfo {
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
    let number = |code| solver.cells.iter().position(|cell| cell.load() == code);
    let start = graph
        .index(&game.start())
        .map(|number| solver.cell(number).load());
    TableInfo {
        identity: graph.identity(),
        counts,
        longest_win: longest.map(|(plies, code)| (plies, number(code).unwrap_or(0) as u64)),
        start: start.and_then(decode).unwrap_or(Value::Draw),
        n_bytes: 0,
    }
}

/// Number of occurrences of each code.
fn histogram<C: SharedCode>(cells: &[C], n_threads: usize) -> Vec<u64> {
    let total = Mutex::new(vec![0; N_CODES]);
    let never = AtomicBool::new(false);
    let n_indices = cells.len() as u64;
    let n_items = n_indices.div_ceil(N_PER_ITEM);
    let count = |(): &mut (), item| {
        let mut counts = [0_u32; N_CODES];
        let numbers = block(item, N_PER_ITEM, n_indices);
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
    let threads = Threads {
        count: n_threads,
        stop: &never,
    };
    threads.for_each(n_items, || (), count, &mut |_| {});
    total.into_inner().expect("no holder of this lock panics")
}
