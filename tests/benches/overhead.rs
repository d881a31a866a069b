//! What a ply of a match costs when engines answer at once: the referee's own time, beside the raw floor of two pipes.
//!
//! `cargo bench -p linesman-tests --bench overhead`. Pinned to one core, then unpinned. The floor is one line and one answer through two
//! pipes, without threads; a known game takes one such trip a ply, an unknown one two.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::Pid;
use referee::adjudication::Adjudication;
use referee::event::{Broadcast, Recorder};
use referee::opening::Opening;
use referee::plan::{ANY, EngineSpec, Format, GameSpec, Plan, Program, Proto, Restart};
use referee::record::{LedgerWriter, SyncPolicy};
use referee::stop::Stop;
use referee::tournament::{Host, Tournament};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// Plies and trips of a round. Rounds are short and many, for the best of them is the least disturbed.
const PLIES: usize = 8_000;
const TRIPS: u32 = 8_000;
const ROUNDS: usize = 15;

fn main() -> io::Result<()> {
    let all = sched_getaffinity(Pid::from_raw(0))?;
    let mut one = CpuSet::new();
    one.set(
        (0..CpuSet::count())
            .find(|cpu| all.is_set(*cpu).unwrap_or(false))
            .unwrap_or(0),
    )?;
    for (title, cpus) in [("pinned to one core", one), ("unpinned", all)] {
        sched_setaffinity(Pid::from_raw(0), &cpus)?;
        print(format_args!("{title}"))?;
        measure()?;
    }
    Ok(())
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
        "  {what:<14} {game_plies:>5} plies  {:7.2} us a ply = {:4.1} x floor; runner CPU {:.2} us, {:.1} context switches a ply; peak {:.1} MiB",
        micros(cost.wall),
        cost.wall.as_secs_f64() / floor.as_secs_f64(),
        micros(cost.cpu),
        cost.switches,
        cost.peak_kib as f64 / 1024.0,
    ))
}

/// What one ply, or one trip, costs.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
    switches: f64,
    peak_kib: u64,
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
    let before = getrusage(UsageWho::RUSAGE_SELF)?;
    let start = Instant::now();
    work()?;
    let wall = start.elapsed();
    let after = getrusage(UsageWho::RUSAGE_SELF)?;
    let cpu = |usage: &nix::sys::resource::Usage| {
        let time = usage.user_time() + usage.system_time();
        Duration::from_micros(time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64)
    };
    let switches = |usage: &nix::sys::resource::Usage| {
        usage.voluntary_context_switches() + usage.involuntary_context_switches()
    };
    Ok(Cost {
        wall: wall / n,
        cpu: (cpu(&after) - cpu(&before)) / n,
        switches: (switches(&after) - switches(&before)) as f64 / f64::from(n),
        peak_kib: peak_kib()?,
    })
}

/// The most memory that this process has held; what the system accounts to it also counts who started it.
fn peak_kib() -> io::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| io::Error::other("/proc/self/status holds no VmHWM"))
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
