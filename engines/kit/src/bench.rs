//! The fingerprint of a search: fixed positions, a fixed limit, the node count, and nodes per second.
//!
//! A commit that does not change the search shows the same count on every machine: the bench uses one thread, a table
//! of fixed size that is cleared before each position, and no clock. Only rules, evaluation and search can change the
//! count.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::game_entry::PositionLine;
use crate::search::{Control, Limits, Request, Searcher};
use crate::{BenchLimit, GameEntry, Options};

/// Size of the table in MiB, independent of the option `Hash`.
const HASH_MIB: usize = 16;

/// Runs the `bench` command on standard output. The exit code is 0, also if the reader closes the pipe; it is 1, with a
/// line on standard error, on any other write error.
pub fn main(entry: &GameEntry) -> ExitCode {
    match run(entry, &mut io::stdout()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let name = entry.name;
            let _ = writeln!(
                io::stderr(),
                "error: {name}: cannot write to standard output: {error}"
            );
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Searches the game's bench positions. Writes the nodes of each position after its search, and the total at the end.
/// Returns the total.
///
/// # Errors
/// Those of the output.
///
/// # Panics
/// If the game has no engine, or a position cannot be read or is a finished game.
pub fn run(entry: &GameEntry, out: &mut impl Write) -> io::Result<u64> {
    let (_, bench) = entry.source.engine().expect("a game with an engine");
    let limits = match bench.limit {
        BenchLimit::Depth(depth) => Limits::depth(depth),
        BenchLimit::Games(games) => Limits::nodes(games),
    };
    let options = Options::new(entry.source.options());
    let all: Vec<&str> = bench.positions.lines().collect();
    let mut searcher = Searcher::new(HASH_MIB, 1);
    let (mut total, mut time) = (0, Duration::ZERO);
    for (text, number) in all.iter().zip(1..) {
        let (fen, moves) = (Some(*text), &[][..]);
        let opened = entry.source.open(&options, PositionLine { fen, moves });
        let history = opened.unwrap_or_else(|why| panic!("bench position {text:?}: {why}"));
        writeln!(out, "Position: {number}/{} ({})", all.len(), history.fen())?;
        searcher.clear();
        let started = Instant::now();
        let request = Request::new(history.moves(), limits.clone());
        let found = history.search(&mut searcher, &request, &Control::default(), &mut |_| {});
        time += started.elapsed();
        let nodes = found.positions.unwrap_or(found.nodes);
        total += nodes;
        let line = &found.lines[0];
        let (code, score) = (&line.pv[0], line.score);
        writeln!(out, "bestmove {code} score {score} nodes {nodes}")?;
    }
    let millis = time.as_millis().max(1);
    writeln!(out, "\n===========================")?;
    writeln!(out, "Total time (ms) : {millis}")?;
    writeln!(out, "Nodes searched  : {total}")?;
    writeln!(
        out,
        "Nodes/second    : {}",
        u128::from(total) * 1000 / millis
    )?;
    out.flush()?;
    Ok(total)
}
