//! The referee's overhead per ply with engines that answer at once, compared with the minimum cost of two pipes; and
//! the cost of `--sync game` per game.
//!
//! `cargo bench -p linesman-tests --bench overhead`. All measurements are made twice: with this process and its engines
//! pinned to one core, then with all cores that it may use. The minimum is one line and one answer through two pipes,
//! without threads. A game of the catalogue takes one such round trip per ply; an unknown game takes two, and the
//! second one asks both engines.
//!
//! The last part compares rules from a program with `any`: the same script as both engines, with and without it as the
//! rules. It needs `python3`.
//!
//! Each round measures everything once, so that a slowdown of the machine affects all measurements. The fastest round
//! counts, since the others were disturbed.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use record::adjudication::Adjudication;
use record::engine_spec::{EngineSpec, ProcessLimits, Program, Proto, Restart};
use record::event::Recorder;
use record::game_spec::{ANY, GameSpec};
use record::ledger::{LedgerReader, LedgerWriter, NO_LINES, SyncPolicy};
use record::plan::Plan;
use record::registry::Registry;
use record::stats::Summary;
use referee::broadcast::Broadcast;
use referee::engine::Timeouts;
use referee::host::Host;
use referee::rules_program;
use referee::stop::Stop;
use referee::tournament::Tournament;
use rustix::time::{ClockId, clock_gettime};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// Plies and round trips per round. Many short rounds, since the best one is the least disturbed.
const PLIES: usize = 8_000;
const TRIPS: u32 = 8_000;
const ROUNDS: usize = 15;

/// Measured matches. Shape: game, label, plies per game.
const MATCHES: [(&str, &str, usize); 6] = [
    ("susan", "known game", 20),
    ("susan", "known game", 100),
    ("susan", "known game", 1000),
    (ANY, "any, by query", 20),
    (ANY, "any, by query", 100),
    (ANY, "any, by query", 1000),
];

fn main() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::sched_setaffinity;

        let all = cores()?;
        let first = numbers(&all).next().unwrap_or_default();
        let mut one = rustix::thread::CpuSet::new();
        one.set(first);
        sched_setaffinity(None, &one)?;
        print(format_args!("pinned to core {first}"))?;
        measure()?;
        sched_setaffinity(None, &all)?;
        let cores: Vec<String> = numbers(&all).map(|core| core.to_string()).collect();
        print(format_args!("not pinned, on core {}", cores.join(", ")))?;
    }
    #[cfg(not(target_os = "linux"))]
    print(format_args!("not pinned"))?;
    measure()?;
    show_run()?;
    show_sync()?;
    show_rules()
}

/// CPUs that this process may use.
#[cfg(target_os = "linux")]
fn cores() -> io::Result<rustix::thread::CpuSet> {
    Ok(rustix::thread::sched_getaffinity(None)?)
}

#[cfg(target_os = "linux")]
fn numbers(cores: &rustix::thread::CpuSet) -> impl Iterator<Item = usize> {
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| cores.is_set(*core))
}

fn measure() -> io::Result<()> {
    let mut trip: Option<Cost> = None;
    let mut plies = [None; MATCHES.len()];
    for _ in 0..ROUNDS {
        keep_best(&mut trip, floor()?);
        for (best, (game, _, game_plies)) in plies.iter_mut().zip(MATCHES) {
            keep_best(best, matched(game, game_plies, SyncPolicy::Off)?);
        }
    }
    let floor = trip.expect("there are rounds").wall;
    print(format_args!(
        "  raw floor of two pipes      {:7.2} us a trip",
        micros(floor)
    ))?;
    for (cost, (_, name, game_plies)) in plies.into_iter().flatten().zip(MATCHES) {
        print(format_args!(
            "  {name:<14} {game_plies:>5} plies  {:7.2} us a ply = {:4.2} x floor; referee's CPU {:.2} us",
            micros(cost.wall),
            cost.wall.as_secs_f64() / floor.as_secs_f64(),
            micros(cost.cpu),
        ))?;
    }
    let peak = peak_mib().map_or("unknown".to_owned(), |peak| format!("{peak:.1} MiB"));
    print(format_args!("  peak memory of the referee  {peak}"))
}

/// Cost per game of syncing the ledger to disk after each game.
fn show_sync() -> io::Result<()> {
    const GAME_PLIES: usize = 100;
    let mut best = [None; 2];
    for _ in 0..ROUNDS {
        for (best, sync) in best.iter_mut().zip([SyncPolicy::Off, SyncPolicy::EachGame]) {
            keep_best(best, matched("susan", GAME_PLIES, sync)?);
        }
    }
    let [off, game] = best
        .map(|cost| cost.expect("there are rounds").wall.as_secs_f64() * 1e3 * GAME_PLIES as f64);
    print(format_args!(
        "a game of {GAME_PLIES} plies, ledger in {}\n  --sync off {off:.2} ms, --sync game {game:.2} ms: {:+.2} ms, {:.2} x",
        env!("CARGO_TARGET_TMPDIR"),
        game - off,
        game / off,
    ))
}

/// Total run time of the process for two games of one move each: mostly startup and shutdown.
fn show_run() -> io::Result<()> {
    let mut times = (0..ROUNDS)
        .map(|_| run())
        .collect::<io::Result<Vec<Duration>>>()?;
    times.sort();
    print(format_args!(
        "a whole run of two games      {:7.2} ms; median {:.2} ms, longest {:.2} ms",
        micros(times[0]) / 1e3,
        micros(times[ROUNDS / 2]) / 1e3,
        micros(times[ROUNDS - 1]) / 1e3
    ))
}

fn run() -> io::Result<Duration> {
    let ledger = ledger("run");
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

/// A ledger in the build directory, since the folder for temporary files may be in memory.
fn ledger(what: &str) -> PathBuf {
    let name = format!("linesman-{what}-{}.jsonl", std::process::id());
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Cost of one ply or one round trip.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// CPU time of this process, without its children.
    cpu: Duration,
}

/// Keeps the round with the least wall time.
fn keep_best(best: &mut Option<Cost>, cost: Cost) {
    if best.is_none_or(|best| cost.wall < best.wall) {
        *best = Some(cost);
    }
}

fn metered(n: u32, work: impl FnOnce() -> io::Result<()>) -> io::Result<Cost> {
    let before = cpu_time();
    let start = Instant::now();
    work()?;
    let wall = start.elapsed();
    Ok(Cost {
        wall: wall / n,
        cpu: (cpu_time() - before) / n,
    })
}

/// CPU time of this process, summed over its threads.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Peak memory of this process in MiB; `None` without `/proc`.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

/// `isready` and `readyok` in a loop, directly through the pipes.
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

/// Wall time of a ply by the rules of a script, relative to `any`.
fn show_rules() -> io::Result<()> {
    const RULES_ROUNDS: usize = 5;
    if Command::new("python3").arg("--version").output().is_err() {
        return print(format_args!("rules from a program: there is no python3"));
    }
    print(format_args!(
        "rules from a script, a ply with two engines of the same script"
    ))?;
    for name in [
        "connect4",
        "hex",
        "breakthrough",
        "domineering",
        "amazons",
        "othello",
        "draughts",
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
        let program = Program::Command {
            path: "python3".into(),
            args: vec![format!("{folder}/{name}.py")],
            dir: None,
        };
        let timeouts = Timeouts::of_ms(10_000, 5_000);
        let entry = rules_program::entry(None, &program, &[], timeouts)
            .map_err(|why| io::Error::other(why.0))?;
        let registry = linesman::GAMES.led_by(entry);
        let mut best = [Duration::MAX; 2];
        for _ in 0..RULES_ROUNDS {
            for (best, game) in best.iter_mut().zip([ANY, name]) {
                *best = scripted(registry, game, &program)?.min(*best);
            }
        }
        let [any, rules] = best.map(micros);
        print(format_args!(
            "  {name:<14} any {any:6.1} us, rules {rules:6.1} us: {:.2} x",
            rules / any
        ))?;
    }
    Ok(())
}

/// Wall time of a ply in games of random moves.
fn scripted(registry: Registry, game: &str, program: &Program) -> io::Result<Duration> {
    const N_GAMES: usize = 20;
    let ledger = ledger("rules");
    let mut plan = plan(game, usize::MAX, N_GAMES);
    plan.game.options = Vec::new();
    for engine in &mut plan.engines {
        engine.program = program.clone();
        engine.limit = "nodes=1".parse().expect("a limit");
    }
    let host = Host {
        registry,
        executable: PathBuf::from(ENGINE),
        stop: Stop::default(),
    };
    let tournament = Tournament::prepare(plan, &host).map_err(io::Error::other)?;
    let writer = LedgerWriter::create(
        &ledger,
        &tournament.runner.plan,
        NO_LINES,
        SyncPolicy::Off,
        None,
    )?;
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(writer)];
    let (games, events) = (Summary::of(&tournament.runner.plan), Broadcast::default());
    let start = Instant::now();
    let run = tournament.run(games, &mut recorders, &events, None);
    let wall = start.elapsed();
    run.map_err(io::Error::other)?;
    let games = LedgerReader::open(&ledger)
        .and_then(LedgerReader::into_ledger)
        .map_err(io::Error::other)?
        .games;
    std::fs::remove_file(&ledger)?;
    let n_plies: usize = games.iter().map(|game| game.moves.len()).sum();
    Ok(wall / n_plies as u32)
}

fn matched(game: &str, game_plies: usize, sync: SyncPolicy) -> io::Result<Cost> {
    let n_games = PLIES / game_plies;
    let ledger = ledger("bench");
    let host = Host {
        registry: linesman::GAMES,
        executable: PathBuf::from(ENGINE),
        stop: Stop::default(),
    };
    let plan = plan(game, game_plies, n_games);
    let tournament = Tournament::prepare(plan, &host).map_err(io::Error::other)?;
    let writer = LedgerWriter::create(&ledger, &tournament.runner.plan, NO_LINES, sync, None)?;
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(writer)];
    let done = Summary::of(&tournament.runner.plan);
    let cost = metered((n_games * game_plies) as u32, || {
        let conclusion = tournament
            .run(done, &mut recorders, &Broadcast::default(), None)
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
        process: ProcessLimits::default(),
    };
    let game = GameSpec {
        name: game.to_owned(),
        options: if is_known { vec![endless] } else { Vec::new() },
    };
    let one = Plan::one_game(game, [vec![engine.clone()], vec![engine]], PathBuf::new());
    Plan {
        games: n_games,
        swaps: true,
        adjudication: Adjudication {
            max_plies: game_plies,
            ..one.adjudication
        },
        ..one
    }
}

fn print(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
