//! What a ply of a match costs when engines answer at once: the referee's own time, beside the raw floor of two pipes.
//!
//! `cargo bench -p linesman-tests --bench overhead`. Pinned to one core, then unpinned. The floor is one line and one answer through two
//! pipes, without threads; a known game takes one such trip a ply, an unknown one two.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use referee::adjudication::Adjudication;
use referee::event::{Broadcast, Recorder};
use referee::opening::Opening;
use referee::plan::{ANY, EngineSpec, Format, GameSpec, Plan, Program, Proto, Restart};
use referee::record::{LedgerWriter, SyncPolicy};
use referee::stop::Stop;
use referee::tournament::{Host, Tournament};
use rustix::time::{ClockId, clock_gettime};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// Plies and trips of a round. Rounds are short and many, for the best of them is the least disturbed.
const PLIES: usize = 8_000;
const TRIPS: u32 = 8_000;
const ROUNDS: usize = 15;

fn main() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let all = pin_to_one_core()?;
        print(format_args!("pinned to one core"))?;
        measure()?;
        rustix::thread::sched_setaffinity(None, &all)?;
    }
    print(format_args!("unpinned"))?;
    measure()
}

/// Lets this process and its children run on one core alone; the cores it could run on before.
#[cfg(target_os = "linux")]
fn pin_to_one_core() -> io::Result<rustix::thread::CpuSet> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let all = sched_getaffinity(None)?;
    let first = (0..CpuSet::MAX_CPU).find(|cpu| all.is_set(*cpu));
    let mut one = CpuSet::new();
    one.set(first.unwrap_or(0));
    sched_setaffinity(None, &one)?;
    Ok(all)
}

fn measure() -> io::Result<()> {
    let floor = best(floor)?;
    print(format_args!(
        "  raw floor of two pipes      {:7.2} us a trip",
        micros(floor.wall)
    ))?;
    for game_plies in [20, 100, 1000] {
        show("known game", "susan", game_plies, floor.wall)?;
    }
    show("any, by query", ANY, 100, floor.wall)?;
    show_run()
}

/// The whole life of the process that plays two games of one move each: mostly starting and quitting.
fn show_run() -> io::Result<()> {
    let mut times = (0..ROUNDS)
        .map(|_| run())
        .collect::<io::Result<Vec<Duration>>>()?;
    times.sort();
    print(format_args!(
        "  a whole run of two games    {:7.2} ms; median {:.2} ms, longest {:.2} ms",
        micros(times[0]) / 1e3,
        micros(times[ROUNDS / 2]) / 1e3,
        micros(times[ROUNDS - 1]) / 1e3
    ))
}

fn run() -> io::Result<Duration> {
    let ledger = std::env::temp_dir().join(format!("linesman-run-{}.jsonl", std::process::id()));
    let engine = format!("cmd={ENGINE}");
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_linesman-test"))
        .args(["match", "susan", "--engine", &engine, "--engine", &engine])
        .args(["--games", "2", "--max-plies", "1", "--openings", "none"])
        .args(["--sync", "off", "--ledger"])
        .arg(&ledger)
        .env("XDG_STATE_HOME", std::env::temp_dir())
        .stdout(Stdio::null())
        .status()?;
    let wall = start.elapsed();
    std::fs::remove_file(&ledger)?;
    assert!(status.success(), "the match is played to its end");
    Ok(wall)
}

fn show(what: &str, game: &str, game_plies: usize, floor: Duration) -> io::Result<()> {
    let cost = best(|| matched(game, game_plies))?;
    print(format_args!(
        "  {what:<14} {game_plies:>5} plies  {:7.2} us a ply = {:4.2} x floor; referee's CPU {:.2} us{}",
        micros(cost.wall),
        cost.wall.as_secs_f64() / floor.as_secs_f64(),
        micros(cost.cpu),
        cost.peak_mib
            .map_or(String::new(), |peak| format!("; peak {peak:.1} MiB")),
    ))
}

/// What one ply, or one trip, costs.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// Of this process alone.
    cpu: Duration,
    peak_mib: Option<f64>,
}

/// The round with the least wall time: the others were disturbed.
fn best(mut round: impl FnMut() -> io::Result<Cost>) -> io::Result<Cost> {
    let mut costs = (0..ROUNDS)
        .map(|_| round())
        .collect::<io::Result<Vec<Cost>>>()?;
    costs.sort_by_key(|cost| cost.wall);
    Ok(costs[0])
}

fn metered(n: u32, work: impl FnOnce() -> io::Result<()>) -> io::Result<Cost> {
    let before = cpu_time();
    let start = Instant::now();
    work()?;
    let wall = start.elapsed();
    Ok(Cost {
        wall: wall / n,
        cpu: (cpu_time() - before) / n,
        peak_mib: peak_mib(),
    })
}

/// How long this process has computed, all its threads together.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The most memory that this process has held, if the system tells.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

/// `isready` and `readyok`, over and over, with nothing between us and the pipes.
fn floor() -> io::Result<Cost> {
    let mut child: Child = Command::new(ENGINE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut buffer = [0; 64];
    let cost = metered(TRIPS, || {
        for _ in 0..TRIPS {
            stdin.write_all(b"isready\n")?;
            let n_bytes = stdout.read(&mut buffer)?;
            assert_eq!(&buffer[..n_bytes], b"readyok\n");
        }
        Ok(())
    });
    drop(stdin);
    child.wait()?;
    cost
}

fn matched(game: &str, game_plies: usize) -> io::Result<Cost> {
    let n_games = PLIES / game_plies;
    let ledger = std::env::temp_dir().join(format!("linesman-bench-{}.jsonl", std::process::id()));
    let host = Host {
        registry: linesman::GAMES,
        executable: PathBuf::from(ENGINE),
        stop: Stop::default(),
    };
    let plan = plan(game, game_plies, n_games);
    let tournament = Tournament::prepare(plan, &host).map_err(io::Error::other)?;
    let writer = LedgerWriter::create(&ledger, tournament.plan(), SyncPolicy::Off)?;
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(writer)];
    let cost = metered((n_games * game_plies) as u32, || {
        let conclusion = tournament
            .run(&[], &mut recorders, &Broadcast::default())
            .map_err(io::Error::other)?;
        let draws: u64 = conclusion
            .standing
            .tally
            .rows
            .iter()
            .map(|row| row.total().draws)
            .sum();
        assert_eq!(draws as usize, 2 * n_games, "every game lasts to its end");
        Ok(())
    });
    std::fs::remove_file(&ledger)?;
    cost
}

fn plan(game: &str, game_plies: usize, n_games: usize) -> Plan {
    let is_known = game != ANY;
    let endless = ("SlideLimit".to_owned(), "0".to_owned());
    let engine = EngineSpec {
        name: None,
        program: Program::Command {
            path: PathBuf::from(ENGINE),
            args: if is_known {
                Vec::new()
            } else {
                vec![game_plies.to_string()]
            },
            dir: None,
        },
        proto: Proto::Ugi,
        limit: "st=10".parse().expect("a limit"),
        margin_ms: 0,
        ponder: false,
        options: Vec::new(),
        restart: Restart::Auto,
        stderr: None,
    };
    Plan {
        id: String::new(),
        version: String::new(),
        date: String::new(),
        game: GameSpec {
            name: game.to_owned(),
            options: if is_known { vec![endless] } else { Vec::new() },
        },
        engines: vec![engine.clone(), engine],
        format: Format::RoundRobin,
        games: n_games,
        swaps: true,
        concurrency: 1,
        srand: 0,
        opening_source: None,
        openings: vec![Opening::default()],
        adjudication: Adjudication {
            max_plies: game_plies,
            draw: None,
            resign: None,
        },
        sprt: None,
        arbiter: None,
        cross_check: false,
        startup_ms: 10_000,
        ping_ms: 5000,
        search_timeout_ms: 600_000,
        ledger: PathBuf::new(),
        pgn: None,
        log: None,
    }
}

fn print(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
