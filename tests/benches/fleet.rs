//! Cost of the queue in a fleet: `cargo bench -p linesman-tests --bench fleet`.
//!
//! It measures the games a second of a match with short searches, and the time per pair of the shortest possible games,
//! both played by workers through a real nats-server and by the same match on one machine. All processes run on this
//! machine, so the results say what a pair costs, not how many machines a server can serve. Without nats-server,
//! nothing is measured.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use server::Server;

#[path = "../suite/fleet/server.rs"]
#[allow(dead_code, reason = "tests restart it too")]
mod server;

/// The programs, which find each other in one folder.
const PROGRAMS: [(&str, &str); 2] = [
    ("linesman", env!("CARGO_BIN_EXE_linesman-test")),
    ("linesman-fleet", env!("CARGO_BIN_EXE_linesman-fleet-test")),
];
const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// Measured pairs, played after the warm-up.
const PAIRS: usize = 500;
const WARM_UP: usize = 50;
const ROUNDS: usize = 3;

fn main() -> io::Result<()> {
    throughput()?;
    measure()
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
    let Some(server) = Server::start_with("bench-throughput", |_| String::new()) else {
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
    let words = "match susan:Size=3 --each nodes=30 --engine builtin name=A --engine builtin name=B --seed 7 \
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
    let worker = Command::new(folder.0.join("linesman-fleet"))
        .args(["worker", url, "--quiet"])
        .args(more)
        .current_dir(&folder.0)
        .env("XDG_STATE_HOME", &folder.0)
        .stdout(Stdio::null())
        .spawn();
    worker.map(Running)
}

/// Time of a pair here and through nats-server, and CPU time of nats-server per pair.
fn measure() -> io::Result<()> {
    let folder = Folder::new()?;
    let alone = best(|| pair_time(&folder, &[]))?;
    print(format_args!(
        "a pair of games of 20 plies on one machine   {:8.2} ms",
        millis(alone)
    ))?;
    let Some(server) = Server::start_with("bench", |_| String::new()) else {
        return Ok(());
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
    server_cpu.map_or(Ok(()), |cpu| {
        let each = cpu / n_pairs;
        print(format_args!(
            "CPU of nats-server a pair                     {:8.2} ms, {:.2} of a pair on one machine",
            1e3 * each,
            each / alone.as_secs_f64()
        ))
    })
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
        for (name, built) in PROGRAMS {
            std::fs::hard_link(built, path.join(name))?;
        }
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
    let program = match args.contains(&"--fleet") {
        true => "linesman-fleet",
        false => "linesman",
    };
    let child = Command::new(folder.0.join(program))
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
