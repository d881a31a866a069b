//! The fingerprint of a search: fixed positions to a fixed depth, one node count, and nodes a second.
//!
//! A commit that should not change the search shows the same count on every machine. One thread, a table of fixed
//! size that is empty before each position, and no clock: nothing but rules, judgement and search can change it.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::dyn_history::{DynHistory, parse_history};
use crate::search::{Control, Limits, Progress, Request, Searcher};
use crate::{Engine, Options, PositionHistory};

/// MiB of the table, whatever the option `Hash` says by default.
const HASH_MIB: usize = 16;

/// What a game is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// Plies to search each position.
    pub depth: u32,
    /// Position strings, one a line; none is a finished game.
    pub positions: &'static str,
}

/// What a bench came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Positions searched in all.
    pub nodes: u64,
    /// Time spent in searching them.
    pub time: Duration,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.time.as_millis().max(1);
        let nps = u128::from(self.nodes) * 1000 / millis;
        writeln!(f, "===========================")?;
        writeln!(f, "Total time (ms) : {millis}")?;
        writeln!(f, "Nodes searched  : {}", self.nodes)?;
        writeln!(f, "Nodes/second    : {nps}")
    }
}

/// The whole of the `bench` command, on standard output. The exit code is 0, also when nobody reads the output any
/// more; 1, with a line on standard error, when writing fails otherwise.
pub fn main<G: Engine>() -> ExitCode {
    match run::<G>(&mut io::stdout()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let name = G::NAME;
            let _ = writeln!(
                io::stderr(),
                "error: {name}: cannot write to standard output: {error}"
            );
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Searches the game's positions and tells each one's nodes as it goes, the total at the end.
///
/// # Errors
/// Those of the output.
///
/// # Panics
/// As [`positions`].
pub fn run<G: Engine>(out: &mut impl Write) -> io::Result<Total> {
    let all = positions::<G>();
    let mut searcher = Searcher::new(HASH_MIB, 1);
    let mut total = Total {
        nodes: 0,
        time: Duration::ZERO,
    };
    for (history, number) in all.iter().zip(1..) {
        writeln!(out, "Position: {number}/{} ({})", all.len(), history.fen())?;
        searcher.clear();
        let started = Instant::now();
        let found = search(&mut searcher, history);
        total.time += started.elapsed();
        total.nodes += found.nodes;
        let line = &found.lines[0];
        let code = history.game().format_move(history.position(), line.pv[0]);
        let (score, nodes) = (line.score, found.nodes);
        writeln!(out, "bestmove {code} score {score} nodes {nodes}")?;
    }
    write!(out, "\n{total}")?;
    out.flush()?;
    Ok(total)
}

/// The positions of the game's own, at the defaults of its options.
///
/// # Panics
/// When one cannot be read, or is a finished game.
pub fn positions<G: Engine>() -> Vec<PositionHistory<G>> {
    let game = G::new(&Options::new(G::options()));
    let read = |text: &str| {
        let history = parse_history(&game, text)
            .unwrap_or_else(|why| panic!("{}: bench position {text:?}: {why}", G::NAME));
        assert!(history.outcome().is_none(), "{text}: a game that goes on");
        history
    };
    G::BENCH.positions.lines().map(read).collect()
}

fn search<G: Engine>(searcher: &mut Searcher, history: &PositionHistory<G>) -> Progress<G::Move> {
    let limits = Limits {
        depth: Some(G::BENCH.depth),
        ..Limits::default()
    };
    let request = Request::new(history.moves(), limits);
    let control = Control::new(Instant::now(), false);
    searcher.search(history, &request, &control, &mut |_| {})
}
