//! An engine for tests: it implements UGI without the kit, plays SUSAN instantly and badly, and commits a fault on
//! request.
//!
//! `scripted-engine [FAULT] [at=N] [shuttle|counts] [once=FILE]`: a fault that concerns a move is committed at the N-th
//! `go` of the process (default 1). A `late` answer takes 300 ms, or those of `late-ms=MS`. The engine fills the board cell by cell; with `shuttle` it slides back and forth,
//! so that games last as long as the rules allow. With `counts` it plays another game: after six moves, `m1` to `m6`,
//! player 1 has won; it answers queries about that game. With `once=FILE` the first process exits at its first `go`,
//! and all later ones never finish the handshake.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};

const ROWS: [usize; 9] = [5, 6, 7, 8, 9, 8, 7, 6, 5];
/// Plies of a counting game.
const N_COUNTED: usize = 6;
const MEGABYTE: usize = 1 << 20;
const FOREVER: Duration = Duration::from_secs(600);

fn main() {
    let mut engine = Engine::from_args();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        engine.obey(&line);
    }
    if engine.has("silent-quit") {
        sleep(FOREVER);
    }
}

#[derive(Default)]
struct Engine {
    fault: String,
    at: usize,
    shuttles: bool,
    counts: bool,
    once: Option<String>,
    /// Time that a `late` answer takes.
    late_ms: u64,
    n_go: usize,
    moves: Vec<String>,
}

impl Engine {
    fn from_args() -> Engine {
        let mut engine = Engine {
            at: 1,
            late_ms: 300,
            ..Engine::default()
        };
        for arg in std::env::args().skip(1) {
            match arg.split_once('=') {
                Some(("at", n)) => engine.at = n.parse().expect("at=N"),
                Some(("late-ms", ms)) => engine.late_ms = ms.parse().expect("late-ms=MS"),
                Some(("once", path)) => engine.once = Some(path.to_owned()),
                _ if arg == "shuttle" => engine.shuttles = true,
                _ if arg == "counts" => engine.counts = true,
                _ => engine.fault = arg,
            }
        }
        engine
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn obey(&mut self, line: &str) {
        match line.split(' ').next().unwrap_or_default() {
            "ugi" => self.shake_hands(),
            "isready" if self.has("silent-isready") => {}
            "isready" => say("readyok"),
            "uginewgame" if self.has("unasked") => say("bestmove a1"),
            "position" => {
                let moves = line.split_once(" moves").map_or("", |(_, moves)| moves);
                self.moves = moves.split_whitespace().map(str::to_owned).collect();
                if self.has("rejects") {
                    say("info error the board is too large");
                }
                if self.has("early") {
                    say(&format!("bestmove {}", self.choose()));
                }
            }
            "go" => self.go(),
            "query" => self.answer(line.split(' ').nth(1).unwrap_or_default()),
            "quit" if self.has("silent-quit") => {}
            "quit" => exit(0),
            _ => {}
        }
    }

    fn shake_hands(&self) {
        let has_started = self
            .once
            .as_ref()
            .is_some_and(|path| Path::new(path).exists());
        match self.fault.as_str() {
            "silent-handshake" => sleep(FOREVER),
            "flood-handshake" => loop {
                say("id name again and again");
            },
            "exit-handshake" => exit(7),
            "options" => say("option name Hash type spin default 1 min 1 max 8"),
            "sigterm" => {
                let flag = std::sync::Arc::default();
                signal_hook::flag::register(signal_hook::consts::SIGTERM, flag).expect("a handler");
            }
            _ if has_started => sleep(FOREVER),
            _ => {}
        }
        say("id name Scripted\nid author nobody\nugiok");
    }

    /// Answers queries about the counting game; about SUSAN it knows only the side to move.
    fn answer(&self, question: &str) {
        let n_moves = self.moves.len();
        let lies = self.has("lie") && n_moves >= 3;
        let is_over = n_moves >= N_COUNTED;
        match question {
            _ if self.has("silent-query") && n_moves > 0 => {}
            "gameover" if self.has("nonsense") && is_over => say("response who knows"),
            "p1turn" => say(&format!("response {}", n_moves.is_multiple_of(2) != lies)),
            _ if !self.counts => say("info error unknown query"),
            "gameover" => say(&format!("response {}", is_over || lies)),
            "result" => say(if is_over {
                "response p1win"
            } else {
                "response none"
            }),
            "moves" if self.has("listless") => say("info error unknown query"),
            "moves" if is_over => say("response"),
            "moves" => say(&format!("response m{} x{}", n_moves + 1, n_moves + 1)),
            _ => say("info error unknown query"),
        }
    }

    fn go(&mut self) {
        self.n_go += 1;
        if let Some(path) = &self.once {
            std::fs::write(path, "").expect("a file to remember by");
            exit(4);
        }
        let answer = format!("bestmove {}", self.choose());
        if self.n_go < self.at {
            return say(&answer);
        }
        match self.fault.as_str() {
            "exit" => exit(3),
            "exit-after" => {
                say(&answer);
                exit(5);
            }
            "crash" => std::process::abort(),
            "kill" => kill_process(getpid(), Signal::KILL).expect("one may kill oneself"),
            "silent-go" => {}
            "illegal" | "rejects" => say("bestmove z9"),
            "occupied" => say(&format!(
                "bestmove {}",
                self.moves.last().map_or("z9", String::as_str)
            )),
            "garbled" => write_all(b"bestmove \xff\xfe\x00\n"),
            "empty" => say("bestmove"),
            "doubled" => say(&format!("{answer}\n{answer}")),
            "endless-line" => spill(None),
            "endless-line-then-move" => {
                spill(Some(100));
                say(&format!("\n{answer}"));
            }
            "flood" => loop {
                say(&"info depth 1 score cp 0 string again\n".repeat(100));
            },
            "flood-then-move" => {
                let start = Instant::now();
                while start.elapsed() < Duration::from_millis(50) {
                    say(&"info depth 1 score cp 0 string again\n".repeat(100));
                }
                say(&answer);
            }
            "stderr" => {
                shout(100);
                say(&answer);
            }
            "late" => {
                sleep(Duration::from_millis(self.late_ms));
                say(&answer);
            }
            "half-line" => write_all(b"bestmove a"),
            "nul" => write_all(format!("\0\0junk\0\n\0\n{answer}\n").as_bytes()),
            "crlf" => write_all(format!("\r\nso be it\r\n{answer}\r\n").as_bytes()),
            "utf8" => write_all(&[b"\xff\xc0\x80\n", answer.as_bytes(), b"\n"].concat()),
            "grandchild" => {
                Command::new("sleep")
                    .arg("30")
                    .spawn()
                    .expect("sleep is everywhere");
                exit(6);
            }
            "closed-stdout" => {
                let null = std::fs::File::options()
                    .write(true)
                    .open("/dev/null")
                    .expect("a null device");
                rustix::stdio::dup2_stdout(&null).expect("stdout can be replaced");
            }
            "unread" => sleep(FOREVER),
            "hungry" => {
                drop(std::hint::black_box(vec![1_u8; 1024 * MEGABYTE]));
                say(&answer);
            }
            _ => say(&answer),
        }
    }

    /// The first empty cell, or the next slide out of the corner or back.
    fn choose(&self) -> String {
        if self.counts {
            return format!("m{}", self.moves.len() + 1);
        }
        if self.shuttles {
            let corners = [["a1", "a1->a2", "a2->a1"], ["i1", "i1->i2", "i2->i1"]];
            let corner = corners[self.moves.len() % 2];
            let turn = self.moves.len() / 2;
            return corner[if turn == 0 { 0 } else { 2 - turn % 2 }].to_owned();
        }
        let mut taken: Vec<&str> = Vec::new();
        for mv in &self.moves {
            let (from, to) = mv.split_once("->").unwrap_or(("", mv));
            taken.retain(|cell| *cell != from);
            taken.push(to);
        }
        cells()
            .find(|cell| !taken.contains(&cell.as_str()))
            .unwrap_or_default()
    }
}

/// The cells of `Size=5`, in order.
fn cells() -> impl Iterator<Item = String> {
    let row = |(row, len): (usize, &usize)| {
        let letter = char::from(b'a' + row as u8);
        (1..=*len)
            .map(move |cell| format!("{letter}{cell}"))
            .collect::<Vec<_>>()
    };
    ROWS.iter().enumerate().flat_map(row)
}

fn say(text: &str) {
    write_all(format!("{text}\n").as_bytes());
}

/// Writes to standard output; exits when it is closed.
fn write_all(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// Writes this many megabytes without a line break; `None` for unlimited output.
fn spill(megabytes: Option<usize>) {
    let chunk = vec![b'x'; MEGABYTE];
    let mut n = 0;
    while megabytes.is_none_or(|limit| n < limit) {
        write_all(&chunk);
        n += 1;
    }
}

fn shout(megabytes: usize) {
    let chunk = vec![b'!'; MEGABYTE];
    for _ in 0..megabytes {
        io::stderr().write_all(&chunk).expect("stderr is heard");
    }
}
