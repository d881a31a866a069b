//! The lines between the client and the sound engine.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio, exit};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use kit::{GameEntry, Options, Outcome, Side};
use record::opening::Opening;

use crate::play::{Play, Spoil, Talk};

/// Runs the sound engine under changed rules until the end of the input.
pub(crate) fn run(entry: &'static GameEntry, spoil: Spoil) -> ExitCode {
    let Ok(mut child) = sound_engine(entry.name) else {
        return ExitCode::FAILURE;
    };
    let talk = Arc::new(Mutex::new(Talk::default()));
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (ask, asked) = channel();
    let (answer, ready) = channel();
    let listener = output.map(|output| {
        let talk = Arc::clone(&talk);
        let ready = Ready { asked, answer };
        thread::spawn(move || pass_back(BufReader::new(output), spoil, &talk, &ready))
    });
    let options = Options::new(entry.source.options());
    let play = Play::start(entry, &options, spoil, None).expect("the start position is sound");
    let mut proxy = Proxy {
        entry,
        spoil,
        options,
        play,
        opening: None,
        engine: input.expect("it is piped"),
        talk,
        ask,
        ready,
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        proxy.line(&line);
    }
    drop(proxy);
    let _ = listener.map(thread::JoinHandle::join);
    match child.wait() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn sound_engine(game: &str) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg(game)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command.spawn()
}

/// The askers of `isready`, in order, and the answers for the proxy.
struct Ready {
    asked: Receiver<Asker>,
    answer: Sender<()>,
}

/// Who sent an `isready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asker {
    Client,
    Proxy,
}

/// Passes the engine's lines to the client.
fn pass_back(lines: impl BufRead, spoil: Spoil, talk: &Mutex<Talk>, ready: &Ready) {
    for line in lines.lines().map_while(Result::ok) {
        if line == "readyok" && ready.asked.recv() == Ok(Asker::Proxy) {
            let _ = ready.answer.send(());
            continue;
        }
        let mut talk = lock(talk);
        if line.starts_with("bestmove") {
            talk.n_searches += 1;
        }
        match spoil {
            Spoil::Said(change) => say(&change(&mut talk, &line)),
            _ => say(&line),
        }
    }
}

fn lock(talk: &Mutex<Talk>) -> MutexGuard<'_, Talk> {
    talk.lock().expect("nobody panics with it")
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

struct Proxy {
    entry: &'static GameEntry,
    spoil: Spoil,
    /// The game's options; they apply from the next position on.
    options: Options,
    play: Play,
    /// The line that set the position; `None` if only some of its moves were played, or if an option was set since.
    opening: Option<Opening>,
    engine: ChildStdin,
    talk: Arc<Mutex<Talk>>,
    ask: Sender<Asker>,
    ready: Receiver<()>,
}

impl Proxy {
    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["position", rest @ ..] => self.set_position(rest),
            ["uginewgame"] => {
                self.set_position(&["startpos"]);
                self.pass(line);
            }
            ["query", what] if *what != "game" => {
                self.catch_up();
                self.answer(what);
            }
            ["isready"] => {
                let _ = self.ask.send(Asker::Client);
                self.pass(line);
            }
            ["go", "perft", ..] => self.pass(line),
            ["go", ..] if self.play.outcome().is_some() => {
                say("info error game is over\nbestmove none");
            }
            ["go", ..] if !self.play.is_sound() => {
                let code = self.play.moves().into_iter().next();
                say(&format!("bestmove {}", code.as_deref().unwrap_or("none")));
            }
            ["setoption", "name", name, "value", value] => {
                let _ = self.options.set(name, Some(value));
                self.opening = None;
                self.pass(line);
            }
            _ => self.pass(line),
        }
    }

    /// Waits until the engine has answered all lines before, as the answer to a query must come after theirs.
    fn catch_up(&mut self) {
        let _ = self.ask.send(Asker::Proxy);
        self.pass("isready");
        let _ = self.ready.recv();
    }

    fn pass(&mut self, line: &str) {
        if writeln!(self.engine, "{line}").is_err() {
            exit(1);
        }
    }

    /// Sets the position here, and in the sound engine if it knows it.
    fn set_position(&mut self, words: &[&str]) {
        let opening = Opening::parse(&words.join(" "));
        match self.read(&opening) {
            Ok(play) => self.play = play,
            Err(why) => return say(&format!("info error {why}")),
        }
        lock(&self.talk).n_moves = opening.moves.len();
        if self.play.is_sound() {
            self.pass(&format!("position {opening}"));
        }
        let is_whole = self.play.codes.len() == opening.moves.len();
        self.opening = is_whole.then_some(opening);
    }

    /// The game after a `position` line. If the line extends the previous one, only the new moves are played: in long
    /// games each line adds one move.
    fn read(&self, opening: &Opening) -> Result<Play, String> {
        let (mut play, n_played) = match &self.opening {
            Some(before)
                if before.fen == opening.fen && opening.moves.starts_with(&before.moves) =>
            {
                (self.play.fork(), before.moves.len())
            }
            _ => {
                let fen = opening.fen.as_deref();
                let play = Play::start(self.entry, &self.options, self.spoil, fen)?;
                (play, 0)
            }
        };
        for word in &opening.moves[n_played..] {
            match play.play_word(word) {
                Err(_) if matches!(self.spoil, Spoil::Partly) => break,
                played => played?,
            }
        }
        Ok(play)
    }

    fn answer(&self, what: &str) {
        let answer = match what {
            "p1turn" => (self.play.side() == Side::P1).to_string(),
            "gameover" => self.play.outcome().is_some().to_string(),
            "result" => result_word(self.play.outcome()).to_owned(),
            "moves" => self.play.moves().join(" "),
            "fen" => self.play.fen().to_owned(),
            _ => return say(&format!("info error unknown query {what:?}")),
        };
        say(format!("response {answer}").trim_end());
    }
}

fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Win(Side::P1)) => "p1win",
        Some(Outcome::Win(Side::P2)) => "p2win",
        Some(Outcome::Draw) => "draw",
    }
}
