//! Faults of lines: each changes a line of the input or of the output; the engine between them is sound.
//!
//! A fault has the name of the step of `check` that must find it; a second fault for the same step has a number. `die` and
//! `hang` happen at any `go`. `refuses` rejects positions that end with a1. `late-turn` concerns position strings and ten
//! or more moves. `one-board` plays on a board of size 4 alone. `no-queries` answers no query. `five-types` is not a fault:
//! it adds two options, a button and a string. Those of [`ANYWHERE`] concern every game, the others SUSAN.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::process::{ExitCode, exit};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, sleep};
use std::time::Duration;

use crossbeam_channel::unbounded;
use kit::{GameEntry, Session};
use protocol::LineReader;

const FOREVER: Duration = Duration::from_secs(600);
const MEBIBYTE: usize = 1 << 20;

/// Faults that every game is tested with.
pub(crate) const ANYWHERE: [&str; 7] = [
    "mate-in-moves",
    "mate-one-more",
    "mate-one-less",
    "mate-for-the-other",
    "no-mate-in-1",
    "dies-after-60-plies",
    "illegal-40th",
];

/// Serves the engine with this fault, if it is one of lines.
pub(crate) fn serve(entry: GameEntry, fault: &str) -> ExitCode {
    let spoiler = Arc::new(Mutex::new(Spoiler {
        fault: fault.to_owned(),
        ..Spoiler::default()
    }));
    let (sender, lines) = unbounded();
    let input = Arc::clone(&spoiler);
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut bytes = Vec::new();
        while stdin.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
            let passed = lock(&input).incoming(&bytes);
            let mut reader = LineReader::new(passed.as_slice());
            while let Some(Ok(line)) = reader.next() {
                let _ = sender.send(line);
            }
            bytes.clear();
        }
        let fault = lock(&input).fault.clone();
        match fault.as_str() {
            "end-of-input" => sleep(FOREVER),
            "end-in-search" => exit(0),
            _ => {}
        }
    });
    match kit::serve::serve(Session::new(entry), lines, Spoilt(spoiler)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn lock(spoiler: &Mutex<Spoiler>) -> MutexGuard<'_, Spoiler> {
    spoiler.lock().expect("no filter panics")
}

/// Standard output, changed by the fault.
struct Spoilt(Arc<Mutex<Spoiler>>);

impl Write for Spoilt {
    fn write(&mut self, batch: &[u8]) -> io::Result<usize> {
        let mut spoiler = lock(&self.0);
        for line in String::from_utf8_lossy(batch).lines() {
            if let Some(line) = spoiler.outgoing(line) {
                say(&line);
            }
        }
        Ok(batch.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn say(lines: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{lines}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

#[derive(Default)]
struct Spoiler {
    fault: String,
    n_handshakes: usize,
    /// Answered searches.
    n_searches: usize,
    is_searching: bool,
    /// The last `position` line.
    position: String,
    /// Queries that wait for a response, each after its `position` line, and `None` for each `isready`: commands are read
    /// while earlier ones are answered.
    due: VecDeque<Option<Asked>>,
    /// The query that the last response answered.
    asked: Asked,
    /// A response to write after the next `readyok`.
    withheld: Option<String>,
    n_games: usize,
    leaked: Vec<Vec<u8>>,
    handles: Vec<File>,
}

#[derive(Default)]
struct Asked {
    position: String,
    query: String,
}

impl Spoiler {
    /// The line to pass on in place of this one; empty for none.
    fn incoming(&mut self, bytes: &[u8]) -> Vec<u8> {
        match self.fault.as_str() {
            "cr-lf" if bytes.ends_with(b"\r\n") => return Vec::new(),
            "long-lines" if bytes.len() > MEBIBYTE => exit(3),
            "garbage" if std::str::from_utf8(bytes).is_err() => exit(3),
            "end-of-input/2" if !bytes.ends_with(b"\n") => exit(3),
            _ => {}
        }
        match std::str::from_utf8(bytes) {
            Ok(line) => self.command(line).into_bytes(),
            Err(_) => bytes.to_vec(),
        }
    }

    /// The text to pass on in place of a line; both may end with a line break.
    fn command(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let was_searching = self.is_searching;
        match words.as_slice() {
            ["ugi"] => self.n_handshakes += 1,
            ["position", ..] => line.clone_into(&mut self.position),
            ["query", what] => self.due.push_back(Some(Asked {
                position: self.position.clone(),
                query: (*what).to_owned(),
            })),
            ["isready"] => self.due.push_back(None),
            ["go", "perft", ..] => {}
            ["go", ..] => self.is_searching = true,
            _ => {}
        }
        match (self.fault.as_str(), words.as_slice()) {
            ("option-values", ["setoption", "name", "Ponder", ..]) => answer("info error not now"),
            ("bad-options", ["setoption", "name", "Xyzzy", ..])
            | ("bad-go", ["go", "xyzzy", ..])
            | ("die", ["go", ..])
            | ("bad-position/2", ["position", "fen", "xyzzy"]) => exit(3),
            ("hang", ["go", ..]) | ("five-types", ["setoption", "name", "Clear" | "Path", ..]) => {
                nothing()
            }
            ("unknown-words", ["xyzzy"]) => answer("bestmove a1"),
            ("isready-in-search", ["isready"]) if was_searching => nothing(),
            ("uginewgame", ["uginewgame"]) => nothing(),
            ("stop-at-rest", ["stop"]) if !was_searching => answer("bestmove a1"),
            ("position-forms", ["position", "fen", ..]) => cut(line, " moves"),
            ("bad-position", ["position", .., last]) if last.ends_with("xyzzy") => {
                "position startpos\n".to_owned()
            }
            ("bad-position/3", ["position", .., last]) if last.ends_with("xyzzy") => {
                format!("{}\n", words[..words.len() - 1].join(" "))
            }
            ("no-queries", ["query", ..]) => answer("info error unknown command"),
            ("one-board", ["ugi"]) => "setoption name Size value 4\nuginewgame\nugi\n".to_owned(),
            ("refuses", ["position", .., "a1"]) => answer("info error a1: no such cell, nor b2"),
            ("long-games", ["go", ..]) if self.is_long() => nothing(),
            ("nodes", ["go", "nodes", _]) => "go nodes 100000\n".to_owned(),
            ("movetime", ["go", "movetime", "100"]) => late(300, "go nodes 100\n"),
            ("clock", ["go", "p1time", ..]) => late(600, "go nodes 100\n"),
            ("clock-of-player-2", ["go", "p1time", ..]) => {
                let swapped = line.replace("p1", "p3").replace("p2", "p1");
                swapped.replace("p3", "p2")
            }
            ("tight-limits", ["go", "movetime", "0"]) | ("mate", ["go", "mate", _]) => nothing(),
            ("combined-limits", ["go", "depth", _, "nodes", ..]) => "go nodes 100000\n".to_owned(),
            ("searchmoves", ["go", ..]) => cut(line, " searchmoves"),
            // A search that is complete takes no processor time until `stop`.
            ("stop", ["go", "infinite"]) => "go infinite nodes 100\n".to_owned(),
            ("stop", ["stop"]) => late(1100, line),
            ("infinite", ["go", "infinite"]) | ("ponder", ["go", "ponder", ..]) => {
                answer("bestmove a1")
            }
            ("commands-in-search", ["query", ..]) if was_searching => answer("bestmove a1"),
            ("lines-after-stop", ["position", ..]) if was_searching => nothing(),
            ("quit", ["quit"]) => exit(1),
            ("quit-in-search", ["quit"]) if was_searching => nothing(),
            ("200-games", ["uginewgame"]) => {
                // The check compares with the memory after 20 games, and a slow machine plays few more.
                self.n_games += 1;
                if self.n_games > 20 {
                    self.leaked.push([1].repeat(4 * MEBIBYTE));
                }
                line.to_owned()
            }
            ("200-games/2", ["uginewgame"]) => {
                self.handles
                    .push(File::open("/dev/null").expect("a null device"));
                line.to_owned()
            }
            ("standard-output", ["go", ..]) => {
                say("thinking hard");
                line.to_owned()
            }
            _ => line.to_owned(),
        }
    }

    /// The line to write in place of this one; `None` to write nothing.
    fn outgoing(&mut self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"bestmove") {
            self.is_searching = false;
            self.n_searches += 1;
        }
        match words.as_slice() {
            // Queries that were rejected have no response.
            ["readyok"] => while self.due.pop_front().flatten().is_some() {},
            ["response", ..] => {
                if let Some(asked) = self.due.pop_front_if(|due| due.is_some()).flatten() {
                    self.asked = asked;
                }
            }
            _ => {}
        }
        let spoilt = match (self.fault.as_str(), words.as_slice()) {
            ("handshake", ["id", "author", ..])
            | ("multipv", ["info", _, _, _, _, "multipv", "2", ..]) => {
                return None;
            }
            ("second-handshake", ["option", ..]) if self.n_handshakes > 1 => return None,
            ("display", ["fen:", ..]) | ("one-board", ["option", "name", "Size", ..]) => {
                return None;
            }
            ("five-types", ["ugiok"]) => {
                "option name Clear Hash type button\noption name Path type string default <empty>\nugiok".to_owned()
            }
            ("option-lines", ["option", "name", "Hash", ..]) => {
                "option name Hash type spin default 99 min 1 max 8".to_owned()
            }
            ("isready", ["readyok"]) | ("one-answer", ["bestmove", ..]) => {
                format!("{line}\n{line}")
            }
            ("queries", ["response", "true"]) => "response true indeed".to_owned(),
            ("perft", ["nodes", n]) => format!("nodes {}0", n),
            ("depth", ["info", "depth", n, rest @ ..]) => {
                format!("info depth 9{n} {}", rest.join(" "))
            }
            ("finished-game", ["bestmove", "none"]) => "bestmove a1".to_owned(),
            ("two-words", ["bestmove", code]) => format!("bestmove {code} ponder {code}"),
            ("final-info", ["info", ..]) => line.replace(" nps ", " speed "),
            ("dies-after-60-plies", ["bestmove", ..]) if self.is_long() => exit(3),
            ("illegal-40th", ["bestmove", ..]) if self.n_searches.is_multiple_of(40) => {
                "bestmove a0".to_owned()
            }
            ("no-mate-in-1", ["bestmove", ..]) => format!("info string no mate in 1\n{line}"),
            ("mate-in-moves", _) => mate(line, |plies| plies - plies / 2),
            ("mate-one-more", _) => mate(line, |plies| plies + plies.signum()),
            ("mate-one-less", _) => mate(line, |plies| plies - plies.signum()),
            ("mate-for-the-other", _) => mate(line, |plies| -plies),
            ("variations", ["info", .., last]) if line.contains(" pv ") => format!("{line} {last}"),
            ("mate-distances", ["info", ..]) if line.contains(" score ") => {
                let (before, after) = line.split_once(" score ").expect("it is there");
                let after: Vec<&str> = after.split(' ').skip(2).collect();
                format!("{before} score mate 1 {}", after.join(" "))
            }
            ("query-then-isready", ["response", ..]) => {
                self.withheld = Some(line.to_owned());
                return None;
            }
            ("query-then-isready", ["readyok"]) => {
                let lines = [Some(line.to_owned()), self.withheld.take()];
                lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
            (_, ["response", ..]) => self.response(line),
            ("rules-perft", [code, "1"]) if is_marked(&self.position) => format!("{code} 2"),
            ("rules-perft", ["nodes", n]) if is_marked(&self.position) => format!("nodes {n}1"),
            _ => line.to_owned(),
        };
        Some(spoilt)
    }

    /// `true` if more than 60 moves were played.
    fn is_long(&self) -> bool {
        self.position.split(' ').count() > 63
    }

    fn response(&self, line: &str) -> String {
        let Asked { position, query } = &self.asked;
        let is_marked = is_marked(position);
        match (self.fault.as_str(), query.as_str()) {
            ("late-turn", "p1turn")
                if position.contains(" fen ") || position.split(' ').count() > 12 =>
            {
                "response both".to_owned()
            }
            ("listed-moves", "moves") => {
                format!("{line} {}", line.split(' ').next_back().unwrap_or_default())
            }
            ("position-string", "fen") => format!("{line} 0"),
            ("query-game", "game") => "response gobblet Size=3".to_owned(),
            ("rules-p1turn", "p1turn") | ("rules-gameover", "gameover") if is_marked => {
                match line {
                    "response true" => "response false".to_owned(),
                    _ => "response true".to_owned(),
                }
            }
            // A stone on i5, a corner, whose last empty neighbour is i4.
            ("rules-places", "result") if position.contains("/7/4oo/4x o") => {
                "response draw".to_owned()
            }
            ("rules-result" | "rules-positions", "result") if is_marked => {
                "response draw".to_owned()
            }
            ("rules-moves", "moves") if is_marked => line.replacen(' ', " a1 ", 1),
            ("rules-moves/2", "moves") if is_marked => {
                let mut codes: Vec<&str> = line.split(' ').skip(1).collect();
                codes.reverse();
                format!("response {}", codes.join(" "))
            }
            ("rules-fen", "fen") if is_marked => line.replace(" x ", " X "),
            _ => line.to_owned(),
        }
    }
}

/// Changes the number after `score mate`.
fn mate(line: &str, change: fn(i32) -> i32) -> String {
    let Some((before, after)) = line.split_once(" score mate ") else {
        return line.to_owned();
    };
    let (number, rest) = after.split_once(' ').unwrap_or((after, ""));
    let plies = number.parse().map_or(0, change);
    format!("{before} score mate {plies} {rest}")
}

/// `true` if a1 was played: faults against the rules are committed only then.
fn is_marked(position: &str) -> bool {
    position.split_whitespace().any(|word| word == "a1")
}

/// A line up to this text.
fn cut(line: &str, end: &str) -> String {
    let start = line.split(end).next().unwrap_or_default();
    format!("{}\n", start.trim_end())
}

fn answer(line: &str) -> String {
    say(line);
    nothing()
}

/// Passes on a line after a delay.
fn late(ms: u64, line: &str) -> String {
    sleep(Duration::from_millis(ms));
    line.to_owned()
}

fn nothing() -> String {
    String::new()
}
