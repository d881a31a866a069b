//! The protocol of an engine. A thread reads the commands, so that a search can carry out those that cannot wait.
//! The game and its search are in `game.rs`.

mod game;

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use game::Game;

const LONGEST: usize = 1 << 20; // bytes of a line
const RESERVE: f64 = 0.05; // seconds of a clock that are not used
const TIMES: [&str; 5] = ["p1time", "p2time", "p1inc", "p2inc", "movetime"];
const COUNTS: [&str; 3] = ["movestogo", "depth", "nodes"];
const OTHERS: [&str; 3] = ["infinite", "ponder", "searchmoves"];
const ENDING: [&str; 5] = ["p1time", "p2time", "movetime", "depth", "nodes"]; // the limits that end a search

/// A line of the input; `None` at its end.
type Line = Option<Vec<u8>>;

/// The limits of a `go`, with their numbers.
type Limits = HashMap<&'static str, f64>;

/// Writes a line. If the client has gone, the engine ends.
pub fn say(line: &str) {
    let mut out = io::stdout();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// A word for an error, printable and not too long.
pub fn quote(word: &str) -> String {
    let text: String = word.chars().take(80).collect();
    format!("{:?}", text.replace(|c: char| !(' '..='~').contains(&c), "?"))
}

/// The words of a line; the first one in lower case, or empty.
fn words_of(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line);
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c' | '\0');
    let mut words: Vec<String> = text.split(is_blank).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    if words.is_empty() {
        words.push(String::new());
    }
    words[0].make_ascii_lowercase();
    words
}

/// The lines of the input.
struct Input {
    arrived: Receiver<Line>,
    /// Lines that came during a search and are carried out after it.
    waiting: VecDeque<Line>,
}

/// A search that runs: its limits, and the commands that arrive meanwhile.
pub struct Search<'a> {
    input: &'a mut Input,
    pub depth: f64,
    max_nodes: f64,
    nodes: u64,
    seconds: f64,
    begin: Instant,
    is_pondering: bool,
    is_bounded: bool,
    pub is_stopped: bool,
}

impl<'a> Search<'a> {
    fn new(input: &'a mut Input, limits: &Limits, seconds: f64) -> Search<'a> {
        let number = |name: &str| limits.get(name).copied().unwrap_or(f64::INFINITY);
        let waiting = std::mem::take(&mut input.waiting);
        let mut search = Search {
            input,
            depth: number("depth"),
            max_nodes: number("nodes"),
            nodes: 0,
            seconds,
            begin: Instant::now(),
            is_pondering: limits.contains_key("ponder"),
            is_bounded: !limits.contains_key("infinite") && ENDING.iter().any(|name| limits.contains_key(name)),
            is_stopped: false,
        };
        waiting.into_iter().for_each(|line| search.notice(line));
        search
    }

    /// Counts a position, and returns whether the search must end. To be called at each position.
    pub fn must_stop(&mut self) -> bool {
        if self.is_stopped {
            return true;
        }
        self.nodes += 1;
        let mut is_over = self.nodes as f64 >= self.max_nodes;
        if self.nodes % 1024 == 0 {
            while let Ok(line) = self.input.arrived.try_recv() {
                self.notice(line);
            }
            is_over |= self.begin.elapsed().as_secs_f64() >= self.seconds;
        }
        self.is_stopped |= is_over && self.is_bounded && !self.is_pondering;
        self.is_stopped
    }

    /// `true` if `bestmove` must not be written yet.
    fn must_hold(&self) -> bool {
        !self.is_stopped && (self.is_pondering || !self.is_bounded)
    }

    pub fn report(&self, depth: u32, best: &str) {
        let time = self.begin.elapsed().max(Duration::from_micros(1));
        let nodes = self.nodes.max(1);
        let rate = (nodes as f64 / time.as_secs_f64()) as u64;
        say(&format!("info depth {depth} nodes {nodes} time {} nps {rate} pv {best}", time.as_millis()));
    }

    /// Carries out a command during the search, or lets it wait.
    fn notice(&mut self, line: Line) {
        let words = line.as_deref().map_or(Vec::new(), words_of);
        let alone = if words.len() == 1 { words[0].as_str() } else { "" };
        match alone {
            "isready" => return say("readyok"),
            "ponderhit" if self.is_pondering => {
                (self.is_pondering, self.begin) = (false, Instant::now());
                return;
            }
            "quit" => self.input.waiting.clear(),
            _ => {}
        }
        self.is_stopped |= matches!(alone, "stop" | "quit") || (line.is_none() && self.must_hold());
        if alone != "stop" || !self.input.waiting.is_empty() {
            self.input.waiting.push_back(line); // a `stop` ends the searches that wait, too
        }
    }
}

/// The time for a move in seconds, by the clock of the player to move.
fn seconds_for_move(limits: &Limits, player: usize) -> f64 {
    let number = |name: &str| limits.get(name).copied();
    let names = [["p1time", "p2time"], ["p2time", "p1time"]][player - 1];
    let clock = number(names[0]).or(number(names[1])).unwrap_or(f64::INFINITY);
    let moves = number("movestogo").filter(|n| *n > 0.0).unwrap_or(20.0).min(20.0);
    let share = clock / moves + number(["p1inc", "p2inc"][player - 1]).unwrap_or(0.0);
    let own = number("movetime").unwrap_or(f64::INFINITY);
    own.min(share).min(clock - RESERVE * 1000.0) / 1000.0
}

fn limit(word: &str) -> Option<&'static str> {
    let mut names = TIMES.into_iter().chain(COUNTS).chain(OTHERS);
    names.find(|name| name.eq_ignore_ascii_case(word))
}

/// The number of a limit; only times can be negative.
fn number(name: &str, word: Option<&String>) -> Result<f64, String> {
    let word = word.map_or("", String::as_str);
    let digits = word.strip_prefix(if TIMES.contains(&name) { &['+', '-'][..] } else { &['+'][..] });
    let digits = digits.unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{name}: expected a whole number"));
    }
    word.parse().map_err(|_| format!("{name}: expected a whole number"))
}

fn go(words: &[String], game: &mut Game, input: &mut Input) -> Result<(), String> {
    let (player, legal) = game.to_move()?;
    let (mut limits, mut moves, mut words) = (Limits::new(), legal.clone(), words.iter().peekable());
    while let Some(word) = words.next() {
        let name = limit(word).filter(|name| !limits.contains_key(name));
        let name = name.ok_or_else(|| format!("unexpected {} after go: expected limits, each once", quote(word)))?;
        let has_number = !OTHERS.contains(&name);
        limits.insert(name, if has_number { number(name, words.next())? } else { 0.0 });
        if name == "searchmoves" {
            moves.clear();
            while let Some(word) = words.next_if(|word| limit(word).is_none()) {
                moves.push(word.clone());
            }
            if moves.is_empty() || !moves.iter().all(|code| legal.contains(code)) {
                return Err("searchmoves: expected legal moves".to_owned());
            }
        }
    }
    if moves.is_empty() {
        say("info error game is over\nbestmove none");
        return Ok(());
    }
    let mut search = Search::new(input, &limits, seconds_for_move(&limits, player));
    let (depth, best) = game.search(&moves, &mut search);
    search.report(depth, &best);
    while search.must_hold() {
        let line = search.input.arrived.recv().unwrap_or_default();
        search.notice(line);
    }
    say(&format!("bestmove {best}"));
    Ok(())
}

/// Carries out a command that is a single word. Returns whether it is one.
fn simple(command: &str, game: &mut Game) -> Result<bool, String> {
    match command {
        "ugi" => {
            say(&format!("id name {}\nid author {}", game::NAME, game::AUTHOR));
            say("option name Ponder type check default false");
            game::OPTIONS.iter().for_each(|line| say(line));
            say("ugiok");
        }
        "isready" => say("readyok"),
        "uginewgame" => relay(&["uginewgame".to_owned()], game)?,
        "quit" => exit(0),
        "stop" | "" => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// Lets the game carry out a command. The option `Ponder` is for the client alone.
fn relay(words: &[String], game: &mut Game) -> Result<(), String> {
    let line = words.join(" ").to_ascii_lowercase();
    if !["true", "false"].iter().any(|value| line == format!("setoption name ponder value {value}")) {
        game.answer(words)?.iter().for_each(|line| say(line));
    }
    Ok(())
}

fn carry_out(line: &[u8], game: &mut Game, input: &mut Input) -> Result<(), String> {
    if line.strip_suffix(b"\r").unwrap_or(line).len() > LONGEST {
        return Err(format!("line too long: expected at most {LONGEST} bytes"));
    }
    let words = words_of(line);
    let command = words[0].as_str();
    match command {
        "go" => return go(&words[1..], game, input),
        "setoption" | "position" | "query" => return relay(&words, game),
        "ugi" | "isready" | "uginewgame" | "stop" | "quit" if words.len() > 1 => {
            say(&format!("info error surplus word {}: expected the end of the line", quote(&words[1])));
        }
        _ => {}
    }
    match simple(command, game)? {
        true => Ok(()),
        false => Err(format!("unknown command {}: expected ugi, isready, go, ...", quote(command))),
    }
}

fn main() {
    let (sender, arrived) = mpsc::channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let _ = sender.send(Some(line));
        }
        let _ = sender.send(None);
    });
    let (mut game, mut input) = (Game::new(), Input { arrived, waiting: VecDeque::new() });
    while let Some(line) = input.waiting.pop_front().unwrap_or_else(|| input.arrived.recv().unwrap_or_default()) {
        if let Err(why) = carry_out(&line, &mut game, &mut input) {
            say(&format!("info error {why}"));
        }
    }
}
