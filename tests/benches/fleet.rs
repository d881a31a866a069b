//! Cost of the queue in a fleet, and a simulation of a large one.
//!
//! `cargo bench -p linesman-tests --bench fleet`. The first part measures the time per pair of short games, played by
//! one worker through a real nats-server, and compares it with the same match on one machine. It is skipped if
//! nats-server is not installed. The second part is a simulation: the coordinator's real state and rules keep 10,000
//! workers busy. The workers' speeds differ by a factor of ten, 5 % of them are lost per hour, and the pair of a lost
//! worker is given to another one after 10 s. The seed is fixed, so the output is the same on every machine.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use record::game::{GameRecord, GameResult, Termination};
use record::game_spec::GameSpec;
use record::plan::Plan;
use referee::queue::{Dispatch, PairOrder, PlayedPair};
use server::Server;

#[path = "../suite/fleet/server.rs"]
#[allow(dead_code, reason = "tests restart it too")]
mod server;

const LINESMAN: &str = env!("CARGO_BIN_EXE_linesman-test");
const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// Measured pairs, played after the warm-up.
const PAIRS: usize = 500;
const WARM_UP: usize = 50;
const ROUNDS: usize = 3;

fn main() -> io::Result<()> {
    throughput()?;
    let cpu_a_pair = measure()?;
    simulate(cpu_a_pair)
}

fn print(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

/// A child process that is killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Games a second of a match with short searches on this machine, with two games at once, and of the same match played
/// by workers: one with one game, one with two, and two with one each.
fn throughput() -> io::Result<()> {
    let Some(server) = Server::start("bench-throughput") else {
        return Ok(());
    };
    let folder = Folder::new()?;
    let url = server.url();
    let fleet = ["--fleet", &*url];
    let with = |places: &[&str]| {
        let workers: io::Result<Vec<Running>> = places
            .iter()
            .map(|places| worker(&folder, &url, &["--concurrency", places]))
            .collect();
        let rate = best_rate(&folder, &fleet);
        drop(workers?);
        rate
    };
    let alone = best_rate(&folder, &["--concurrency", "2"])?;
    let [one, two, both] = [with(&["1"])?, with(&["2"])?, with(&["1", "1"])?];
    print(format_args!(
        "games a second here, two at once {alone:.0}; one worker with two at once {two:.0}, {:.2} of that; \
         two workers with one {both:.0}, {:.2} of the {one:.0} of one",
        two / alone,
        both / one
    ))
}

/// Games of a match that measures the throughput, and of its begin, which does not count.
const GAMES: usize = 3000;
const FIRST_GAMES: usize = 500;

fn best_rate(folder: &Folder, more: &[&str]) -> io::Result<f64> {
    let words = "match susan:Size=3 --each nodes=30 --engine builtin name=A --engine builtin name=B --srand 7 \
                 --rating-interval 0 --sync off";
    let games = GAMES.to_string();
    let mut args: Vec<&str> = words.split_whitespace().collect();
    args.extend(["--games", &games]);
    args.extend(more);
    let time = best(|| finish_time(folder, &args, FIRST_GAMES, GAMES - FIRST_GAMES))?;
    Ok((GAMES - FIRST_GAMES) as f64 / time.as_secs_f64())
}

/// Starts a worker.
fn worker(folder: &Folder, url: &str, more: &[&str]) -> io::Result<Running> {
    let worker = Command::new(LINESMAN)
        .args(["worker", url, "--quiet"])
        .args(more)
        .current_dir(&folder.0)
        .env("XDG_DATA_HOME", &folder.0)
        .stdout(Stdio::null())
        .spawn();
    worker.map(Running)
}

/// CPU time of nats-server per pair, in seconds; `None` without nats-server or without `/proc`.
fn measure() -> io::Result<Option<f64>> {
    let folder = Folder::new()?;
    let alone = best(|| pair_time(&folder, &[]))?;
    print(format_args!(
        "a pair of games of 20 plies on one machine   {:8.2} ms",
        millis(alone)
    ))?;
    let Some(server) = Server::start("bench") else {
        return Ok(None);
    };
    let url = server.url();
    let engines = format!("[[engine]]\nname = \"A\"\ncmd = \"{ENGINE}\"\n");
    std::fs::write(folder.0.join("engines.toml"), engines)?;
    let more = ["--concurrency", "1", "--engines", "engines.toml"];
    let worker = worker(&folder, &url, &more)?;
    let before = cpu(&server);
    let fleet = best(|| pair_time(&folder, &["--fleet", &url]))?;
    let server_cpu = cpu(&server)
        .zip(before)
        .map(|(after, before)| after - before);
    drop(worker);
    print(format_args!(
        "the same through nats-server, one worker      {:8.2} ms",
        millis(fleet)
    ))?;
    print(format_args!(
        "the queue costs a pair                        {:8.2} ms, {:.2} of a pair on one machine",
        millis(fleet) - millis(alone),
        fleet.as_secs_f64() / alone.as_secs_f64() - 1.0
    ))?;
    let n_pairs = (ROUNDS * (PAIRS + WARM_UP)) as f64;
    let cpu_a_pair = server_cpu.map(|cpu| cpu / n_pairs);
    if let Some(each) = cpu_a_pair {
        print(format_args!(
            "CPU of nats-server a pair                     {:8.2} ms, {:.2} of a pair on one machine",
            1e3 * each,
            each / alone.as_secs_f64()
        ))?;
    }
    Ok(cpu_a_pair)
}

fn best(mut measure: impl FnMut() -> io::Result<Duration>) -> io::Result<Duration> {
    let times = (0..ROUNDS)
        .map(|_| measure())
        .collect::<io::Result<Vec<_>>>()?;
    Ok(times.into_iter().min().expect("there are rounds"))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

struct Folder(PathBuf);

impl Folder {
    /// A folder in the build directory, since the folder for temporary files may be in memory.
    fn new() -> io::Result<Folder> {
        let name = format!("fleet-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Time per pair.
fn pair_time(folder: &Folder, more: &[&str]) -> io::Result<Duration> {
    let engine = |name: &str| {
        [
            "--engine".to_owned(),
            format!("cmd={ENGINE}"),
            format!("name={name}"),
        ]
    };
    let games = (2 * (PAIRS + WARM_UP)).to_string();
    let engines = [engine("A"), engine("B")].concat();
    let mut args = vec!["match", "susan:SlideLimit=0"];
    args.extend(engines.iter().map(String::as_str));
    args.extend(["--each", "nodes=1", "--games", &games, "--max-plies", "20"]);
    args.extend([
        "--openings",
        "none",
        "--rating-interval",
        "0",
        "--sync",
        "off",
    ]);
    args.extend(more);
    Ok(finish_time(folder, &args, 2 * WARM_UP, 2 * PAIRS)? / PAIRS as u32)
}

/// Time in which a match finishes `n_games` after its first ones.
fn finish_time(
    folder: &Folder,
    args: &[&str],
    n_first: usize,
    n_games: usize,
) -> io::Result<Duration> {
    let ledger = folder.0.join("match.jsonl");
    let child = Command::new(LINESMAN)
        .args(args)
        .arg("--ledger")
        .arg(&ledger)
        .env("XDG_STATE_HOME", &folder.0)
        .stdout(Stdio::piped())
        .spawn();
    let mut child = Running(child?);
    let lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let mut finished = lines.filter(|line| {
        line.as_ref()
            .is_ok_and(|line| line.starts_with("Finished game"))
    });
    let start = finished.nth(n_first - 1).map(|_| Instant::now());
    let end = finished.nth(n_games - 1).map(|_| Instant::now());
    child.0.wait()?;
    std::fs::remove_file(&ledger)?;
    let times = start
        .zip(end)
        .ok_or_else(|| io::Error::other("the match was not played to its end"))?;
    Ok(times.1 - times.0)
}

/// CPU time of a process in seconds; `None` without `/proc`.
fn cpu(server: &Server) -> Option<f64> {
    let path = format!("/proc/{}/stat", server.pid());
    let stat = std::fs::read_to_string(path).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// The simulated fleet. Times are in seconds.
const WORKERS: usize = 10_000;
const HOURS: f64 = 2.0;
const FASTEST: f64 = 10.0;
const SLOWEST: f64 = 100.0;
const LOST_AN_HOUR: f64 = 0.05;
const LOST_AFTER: f64 = 10.0;
/// Time until a lost worker returns.
const AWAY: f64 = 600.0;
const SEED: u64 = 20;

/// An event of the simulation; the `usize` is the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Lost(usize),
    Back(usize),
    /// A worker finishes the pair of this lease.
    Played(usize, u64),
    /// The lease ends: its pair goes to another worker.
    Expired(u64),
}

struct Worker {
    seconds_a_pair: f64,
    is_there: bool,
    /// Cut off from the server: it keeps playing, and its result comes late.
    is_cut_off: bool,
    lease: u64,
    order: Option<PairOrder>,
}

struct Simulation {
    now: f64,
    rng: fastrand::Rng,
    /// The times are in microseconds, as integers, so that they can be ordered.
    agenda: BinaryHeap<Reverse<(u64, Happening)>>,
    workers: Vec<Worker>,
    idle: VecDeque<usize>,
    dispatch: Dispatch,
    queue: VecDeque<PairOrder>,
    leases: BTreeMap<u64, (usize, PairOrder)>,
    last_lease: u64,
    n_played: u64,
    n_doubled: u64,
    n_recorded: u64,
    most_kept: usize,
}

fn simulate(cpu_a_pair: Option<f64>) -> io::Result<()> {
    let mut simulation = Simulation::new();
    simulation.run(HOURS * 3600.0);
    let ideal: f64 = simulation
        .workers
        .iter()
        .map(|worker| 1.0 / worker.seconds_a_pair)
        .sum();
    let rate = simulation.n_recorded as f64 / (HOURS * 3600.0);
    // Lost workers are away for a while, and the pairs that they were playing are lost.
    let there = 1.0 - simulation.loss_rate() * AWAY;
    print(format_args!(
        "{WORKERS} workers, {FASTEST} to {SLOWEST} s a pair, {:.0} % lost an hour and back after {AWAY} s, \
         a lost pair elsewhere after {LOST_AFTER} s; {HOURS} hours, seed {SEED}",
        100.0 * LOST_AN_HOUR
    ))?;
    print(format_args!(
        "  pairs a second           {rate:.1}, {:.2} % of what workers that are never lost would play, {:.2} % of those there",
        100.0 * rate / ideal,
        100.0 * rate / (ideal * there)
    ))?;
    print(format_args!(
        "  pairs recorded           {}; played twice {} ({:.3} %)",
        simulation.n_recorded,
        simulation.n_doubled,
        100.0 * simulation.n_doubled as f64 / simulation.n_recorded as f64
    ))?;
    print(format_args!(
        "  state of the coordinator {} pairs at most, about {:.1} MiB",
        simulation.most_kept,
        (simulation.most_kept * 300) as f64 / (1 << 20) as f64
    ))?;
    match cpu_a_pair {
        Some(cpu) => print(format_args!(
            "  nats-server              {:.0} % of a core of this machine",
            100.0 * cpu * rate
        )),
        None => Ok(()),
    }
}

impl Simulation {
    fn new() -> Simulation {
        let mut rng = fastrand::Rng::with_seed(SEED);
        let worker = |_| Worker {
            seconds_a_pair: FASTEST * (SLOWEST / FASTEST).powf(rng.f64()),
            is_there: true,
            is_cut_off: false,
            lease: 0,
            order: None,
        };
        let workers: Vec<Worker> = (0..WORKERS).map(worker).collect();
        let mut simulation = Simulation {
            now: 0.0,
            rng,
            agenda: BinaryHeap::new(),
            workers,
            idle: (0..WORKERS).collect(),
            dispatch: Dispatch::of(plan(), None),
            queue: VecDeque::new(),
            leases: BTreeMap::new(),
            last_lease: 0,
            n_played: 0,
            n_doubled: 0,
            n_recorded: 0,
            most_kept: 0,
        };
        (0..WORKERS).for_each(|worker| simulation.plan_loss(worker));
        simulation
    }

    /// Losses per second and worker.
    fn loss_rate(&self) -> f64 {
        -(1.0 - LOST_AN_HOUR).ln() / 3600.0
    }

    fn at(&mut self, seconds: f64, what: Happening) {
        let micros = ((self.now + seconds) * 1e6) as u64;
        self.agenda.push(Reverse((micros, what)));
    }

    fn plan_loss(&mut self, worker: usize) {
        let wait = -(1.0 - self.rng.f64()).ln() / self.loss_rate();
        self.at(wait, Happening::Lost(worker));
    }

    fn run(&mut self, seconds: f64) {
        self.hand_out();
        while let Some(Reverse((micros, what))) = self.agenda.pop() {
            self.now = micros as f64 / 1e6;
            if self.now > seconds {
                return;
            }
            match what {
                Happening::Lost(worker) => self.lose(worker),
                Happening::Back(worker) => {
                    self.workers[worker].is_there = true;
                    self.idle.push_back(worker);
                    self.plan_loss(worker);
                }
                Happening::Played(worker, lease) => self.finish(worker, lease),
                Happening::Expired(lease) => {
                    if let Some((_, order)) = self.leases.remove(&lease) {
                        self.queue.push_front(order);
                    }
                }
            }
            self.hand_out();
        }
    }

    /// Half of the lost workers are only cut off from the server: their results come late.
    fn lose(&mut self, worker: usize) {
        self.workers[worker].is_there = false;
        self.idle.retain(|idle| *idle != worker);
        let lease = self.workers[worker].lease;
        if self.leases.contains_key(&lease) {
            self.at(LOST_AFTER, Happening::Expired(lease));
            self.workers[worker].is_cut_off = self.rng.bool();
        }
        self.at(AWAY, Happening::Back(worker));
    }

    fn finish(&mut self, worker: usize, lease: u64) {
        let found = &mut self.workers[worker];
        if found.lease != lease || !(found.is_there || found.is_cut_off) {
            return;
        }
        let is_there = found.is_there;
        found.is_cut_off = false;
        if let Some(order) = found.order.take() {
            self.record(&order);
        }
        // If the pair was given to another worker as well, that worker plays it too.
        self.leases.remove(&lease);
        if is_there {
            self.idle.push_back(worker);
        }
    }

    fn record(&mut self, order: &PairOrder) {
        self.n_played += 1;
        let games = order
            .games
            .iter()
            .map(|slot| record(order, slot.game, slot.p1))
            .collect();
        let recorded = self.dispatch.finish(PlayedPair {
            pair: order.pair,
            attempt: order.attempt,
            games,
        });
        match recorded.expect("a sound result").is_empty() {
            true => self.n_doubled += 1,
            false => self.n_recorded += 1,
        }
    }

    /// Fills the window and gives pairs to idle workers.
    fn hand_out(&mut self) {
        while self.dispatch.n_offered() < 2 * WORKERS {
            let order = self.dispatch.remove_next().expect("the match is long");
            self.queue.push_back(order.clone());
            self.dispatch.offered(order);
        }
        self.most_kept = self.most_kept.max(self.dispatch.n_kept());
        while !self.queue.is_empty() && !self.idle.is_empty() {
            let (order, worker) = self
                .queue
                .pop_front()
                .zip(self.idle.pop_front())
                .expect("both");
            self.last_lease += 1;
            let lease = self.last_lease;
            self.workers[worker].lease = lease;
            self.workers[worker].order = Some(order.clone());
            self.leases.insert(lease, (worker, order));
            let seconds = self.workers[worker].seconds_a_pair;
            self.at(seconds, Happening::Played(worker, lease));
        }
    }
}

/// The plan of a match too long to finish.
fn plan() -> Plan {
    let spec = |name: &str| record::engine_spec::EngineSpec {
        name: Some(name.to_owned()),
        program: record::engine_spec::Program::Builtin,
        proto: record::engine_spec::Proto::Ugi,
        limit: "nodes=1".parse().expect("a limit"),
        margin_ms: 0,
        ponder: false,
        options: Vec::new(),
        restart: record::engine_spec::Restart::Auto,
        stderr: None,
    };
    let game = GameSpec::new("any", []);
    let one = Plan::one_game(game, [vec![spec("A")], vec![spec("B")]], PathBuf::new());
    Plan {
        games: 100_000_000,
        swaps: true,
        ..one
    }
}

fn record(order: &PairOrder, game: usize, p1: usize) -> GameRecord {
    let name = |engine: usize| ["A", "B"][engine].to_owned();
    GameRecord {
        game,
        pair: order.pair,
        p1: name(p1),
        p2: name(1 - p1),
        first: kit::Side::P1,
        opening: order.opening.clone(),
        moves: Vec::new(),
        result: GameResult::Draw,
        termination: Termination::Normal,
        reason: String::new(),
        plies: Vec::new(),
        date: String::new(),
        notes: Vec::new(),
        fault: None,
        machine: None,
    }
}
