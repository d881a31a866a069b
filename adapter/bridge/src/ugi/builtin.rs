//! A UGI engine for any rules, such as those of a program: tree search.

use std::io::Write;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use kit::Side;
use kit::search::{Budget, Clock, Control};
use kit::uct::UctTree;
use protocol::{Command, Go, Info, Reply, Score};
use record::registry::{Registry, Rules};

use super::client::Client;
use super::server::Server;
use crate::{BridgeError, Lines};

/// Time that a move loses outside the search.
const OVERHEAD: Duration = Duration::from_millis(30);
/// Playouts for each ply of `mate`.
const PLAYOUTS_A_PLY: u64 = 1000;
/// Interval of `info` lines.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Serves a UGI client until it quits, or until its input ends and all commands are done.
///
/// # Errors
/// The output cannot be written.
pub fn run_builtin(
    registry: Registry,
    rules: Rules,
    lines: &Lines,
    output: &mut dyn Write,
) -> Result<(), BridgeError> {
    let (found, findings) = unbounded();
    let mut client = Client::new(Server::new(registry, rules.entry().name, rules), output);
    client.name = Some(format!("Linesman {} (tree search)", client.server.name()));
    client.author = Some("the Linesman authors");
    let mut engine = Builtin {
        client,
        running: None,
        found,
    };
    let served = engine.serve(lines, &findings);
    engine.stop();
    served
}

struct Builtin<'a> {
    client: Client<'a>,
    running: Option<Running>,
    found: Sender<Finding>,
}

/// A running search.
struct Running {
    control: Arc<Control>,
    /// Its move is sent after `stop`.
    is_held: bool,
}

/// News of a search.
enum Finding {
    Thought(Info),
    /// The rules have failed.
    Failed(String),
    Moved(String),
}

impl Builtin<'_> {
    fn serve(&mut self, lines: &Lines, findings: &Receiver<Finding>) -> Result<(), BridgeError> {
        let (mut hears_client, silent) = (true, never());
        loop {
            while self.running.is_none()
                && let Some(command) = self.client.next()?
            {
                match command {
                    Command::Go(go) => self.think(&go)?,
                    Command::Perft(depth) => self.perft(depth)?,
                    Command::IsReady => self.client.reply(&Reply::ReadyOk)?,
                    _ => {}
                }
            }
            if !hears_client && self.running.is_none() {
                return Ok(());
            }
            let client = if hears_client { &lines.lines } else { &silent };
            select! {
                recv(lines.stop) -> _ => return Ok(()),
                recv(findings) -> finding => match finding {
                    Ok(Finding::Thought(info)) => self.client.reply(&Reply::Info(info))?,
                    Ok(Finding::Failed(why)) => self.client.complain(&why)?,
                    Ok(Finding::Moved(code)) => {
                        self.running = None;
                        self.client.best_move(&code)?;
                    }
                    Err(_) => return Ok(()),
                },
                recv(client) -> received => match received {
                    Ok(received) => {
                        match self.client.receive(&received.line, self.running.is_some())? {
                            Some(Command::Quit) => return Ok(()),
                            Some(_) => self.stop(),
                            None => {}
                        }
                    }
                    Err(_) => {
                        hears_client = false;
                        if self.running.as_ref().is_some_and(|running| running.is_held) {
                            self.stop();
                        }
                    }
                },
            }
        }
    }

    fn perft(&mut self, depth: u32) -> Result<(), BridgeError> {
        let board = &mut self.client.server.board;
        let mut lines = Vec::new();
        let mut each = |code, count| lines.push(format!("{code}: {count}"));
        let nodes = board.divide(depth, &|| false, &mut each);
        lines.extend(nodes.map(|nodes| format!("nodes {nodes}")));
        let mut lines = lines.into_iter().map(Reply::Text);
        lines.try_for_each(|line| self.client.reply(&line))
    }

    fn think(&mut self, go: &Go) -> Result<(), BridgeError> {
        let board = &self.client.server.board;
        if board.outcome().is_some() || board.fault().is_some() {
            let why = board.fault().unwrap_or_else(|| "game is over".to_owned());
            self.client.complain(&why)?;
            return self.client.best_move("none");
        }
        if go.depth.is_some() {
            return self.client.complain(referee::engine::NO_DEPTH);
        }
        let legal = board.moves();
        let moves: Vec<String> = match go.search_moves.as_slice() {
            [] => legal,
            chosen => legal
                .into_iter()
                .filter(|code| chosen.contains(code))
                .collect(),
        };
        if moves.is_empty() {
            return self.client.complain("searchmoves: expected legal moves");
        }
        let side = board.side();
        let is_endless = go.infinite || go.ponder;
        let or_endless = |n: Option<u64>| n.filter(|_| !is_endless).unwrap_or(u64::MAX);
        let control = Arc::new(Control::default());
        let mut search = TreeSearch {
            tree: UctTree::new(board.fork(), &moves, fastrand::u64(..)),
            time: time_limit(go, side).filter(|_| !is_endless),
            playouts: or_endless(
                go.mate
                    .map(|plies| u64::from(plies.max(1)) * PLAYOUTS_A_PLY),
            ),
            positions: or_endless(go.nodes),
            is_held: false,
            control: Arc::clone(&control),
            found: self.found.clone(),
        };
        let is_bounded = search.time.is_some() || go.nodes.is_some() || go.mate.is_some();
        let is_held = is_endless || !is_bounded;
        search.is_held = is_held;
        let thread = thread::Builder::new().name("search".to_owned());
        thread
            .spawn(move || search.run())
            .map_err(BridgeError::Thread)?;
        self.running = Some(Running { control, is_held });
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }
}

/// Returns the time of a search; `None` without a limit.
fn time_limit(go: &Go, side: Side) -> Option<Duration> {
    let (left, increment) = match side {
        Side::P1 => (go.p1_time.or(go.p2_time), go.p1_inc),
        Side::P2 => (go.p2_time.or(go.p1_time), go.p2_inc),
    };
    let clock = left.map(|left| Clock {
        left,
        increment: increment.unwrap_or_default(),
        moves_to_go: go.moves_to_go,
    });
    let budget = clock.map(|clock| Budget::for_clock(clock, OVERHEAD));
    let budget = budget.unwrap_or_default();
    match go.move_time {
        Some(time) => budget.within(time, OVERHEAD),
        None => budget,
    }
    .soft()
}

/// A search in its own thread.
struct TreeSearch {
    tree: UctTree,
    time: Option<Duration>,
    playouts: u64,
    positions: u64,
    is_held: bool,
    control: Arc<Control>,
    found: Sender<Finding>,
}

impl TreeSearch {
    /// Searches until a limit or `stop`, and sends the move, which a held search keeps until `stop`.
    fn run(mut self) {
        let mut reported = Instant::now();
        let (control, time) = (Arc::clone(&self.control), self.time);
        let is_late = || time.is_some_and(|time| control.elapsed() >= Some(time));
        let must_stop = || control.is_stopped() || is_late();
        while !must_stop()
            && self.tree.play_once(&must_stop)
            && !self.tree.is_solved()
            && self.tree.n_playouts < self.playouts
            && self.tree.n_positions < self.positions
        {
            if reported.elapsed() >= REPORT_INTERVAL {
                reported = Instant::now();
                self.report();
            }
        }
        self.report();
        if let Some(why) = self.tree.fault() {
            let _ = self.found.send(Finding::Failed(why));
        }
        control.wait_for_release(self.is_held);
        let (line, _) = self.tree.best();
        let code = line.into_iter().next().unwrap_or_else(|| "none".to_owned());
        // After the client has quit there is no receiver.
        let _ = self.found.send(Finding::Moved(code));
    }

    fn report(&self) {
        let (pv, score) = self.tree.best();
        let time = self.control.elapsed().unwrap_or_default();
        let nodes = self.tree.n_positions;
        let info = Info {
            depth: u32::try_from(pv.len()).ok(),
            score: Some(Score::Cp(score)),
            nodes: Some(nodes),
            nps: Some((nodes as f64 / time.as_secs_f64().max(1e-3)) as u64),
            time: Some(time),
            pv,
            ..Info::default()
        };
        let _ = self.found.send(Finding::Thought(info));
    }
}
