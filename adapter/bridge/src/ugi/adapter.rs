//! A UGI engine that wraps a program of another protocol.
//!
//! `isready` sets up the game in the program, so that its client learns before the first move what it cannot do. Beside
//! the protocol, `bestmove resign` is a resignation, `info string note TEXT` a note for the user, and with
//! [`shows_wire`](BridgeSetup::shows_wire) `info string wire > LINE` and `< LINE` are the program's own lines.

use std::io::Write;
use std::time::{Duration, Instant};

use kit::{DynHistory, Options};
use protocol::text::excerpt;
use protocol::{Command, Go, Info, OptionDecl, Reply};
use record::opening::Opening;
use referee::engine::{NOTE, RESIGN};
use referee::process::WIRE;

use super::client::Client;
use super::pipe::{Happened, Pipe};
use crate::{BridgeError, BridgeSetup, Lines};

/// Timeout of the handshake, if the client has not named its own.
const STARTUP_MS: u64 = 10_000;

/// Serves a UGI client until it quits, or until its input ends and all commands are done.
///
/// # Errors
/// The program cannot be started or ends unexpectedly, or the output cannot be written.
pub(super) fn run(
    setup: &BridgeSetup,
    lines: &Lines,
    output: &mut dyn Write,
    program: impl Program,
) -> Result<(), BridgeError> {
    let mut adapter = Adapter {
        client: Client::new(&setup.rules()?, output),
        program,
        pipe: Pipe::start(setup)?,
        started: Instant::now(),
        heard: None,
        state: State::ShakingHands {
            is_ready_due: false,
        },
        known: None,
        claim: None,
        options: Vec::new(),
        setup,
    };
    let served = adapter.serve(lines);
    adapter.quit();
    adapter.pipe.end();
    served
}

/// State of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    ShakingHands {
        /// `true` in a process that was started for a game that waits.
        is_ready_due: bool,
    },
    Idle,
    /// Setting up a game for `isready`.
    Preparing,
    Thinking {
        /// `true` while the answer must wait for `stop`.
        is_held: bool,
        /// The waiting answer.
        best: Option<String>,
    },
}

struct Adapter<'a, P> {
    client: Client<'a>,
    program: P,
    pipe: Pipe,
    /// Start of the process, and its last line.
    started: Instant,
    heard: Option<Instant>,
    state: State,
    /// The line on the program's board; `None` if it is unknown.
    known: Option<Opening>,
    /// The program's announcement of the end of the game while no move was awaited.
    claim: Option<ProgramEvent>,
    /// The program's options that were set, for its next process.
    options: Vec<(String, Option<String>)>,
    setup: &'a BridgeSetup,
}

impl<P: Program> Adapter<'_, P> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        let greeting = self.program.shake_hands();
        self.send(&greeting)?;
        let mut hears_client = true;
        loop {
            while self.state == State::Idle
                && let Some(command) = self.client.next()?
            {
                let no_perft = "go perft: this engine does not support perft";
                match command {
                    Command::Go(go) => self.think(&go)?,
                    Command::IsReady => self.get_ready()?,
                    Command::SetOption { name, value } => self.set_option(name, value)?,
                    _ => self.client.complain(no_perft)?,
                }
            }
            if !hears_client && self.state == State::Idle {
                return Ok(());
            }
            match self.pipe.wait(lines, hears_client, self.end_of_handshake()) {
                Happened::Line(received) => {
                    let is_thinking = matches!(self.state, State::Thinking { .. });
                    match self.client.receive(&received.line, is_thinking)? {
                        Some(Command::Quit) => return Ok(()),
                        Some(Command::Stop) => {
                            self.release()?;
                            let is_thinking = matches!(self.state, State::Thinking { .. });
                            let line = self.program.move_now().filter(|_| is_thinking);
                            self.send(line.map(str::to_owned).as_slice())?;
                        }
                        _ => {}
                    }
                }
                Happened::End => {
                    hears_client = false;
                    self.release()?;
                }
                Happened::Stopped => return Ok(()),
                Happened::FromEngine(line) => self.hear(&line)?,
                Happened::EngineClosed => return self.pipe.check_end(false),
                Happened::TimedOut => self.on_silence()?,
            }
        }
    }

    /// The time at which a program counts as ready although it has not ended its handshake: after some silence, or if it
    /// has said nothing at all, since a busy machine starts it slowly, shortly before the client gives it up.
    fn end_of_handshake(&self) -> Option<Instant> {
        let State::ShakingHands { .. } = self.state else {
            return None;
        };
        let silence = self.program.handshake_silence()?;
        let startup_ms = self.setup.engine.process.startup_ms.unwrap_or(STARTUP_MS);
        let end = self.started + Duration::from_millis(startup_ms) * 3 / 4;
        Some(self.heard.map_or(end, |heard| end.min(heard + silence)))
    }

    /// Asks a program again that has not answered. Then it counts as ready.
    fn on_silence(&mut self) -> Result<(), BridgeError> {
        let lines = self.program.ask_again();
        if lines.is_empty() {
            return self.greeted();
        }
        self.heard = Some(Instant::now());
        self.send(&lines)
    }

    /// Begins with the game after the handshake of a process.
    fn greeted(&mut self) -> Result<(), BridgeError> {
        let State::ShakingHands { is_ready_due } = self.state else {
            return Ok(());
        };
        self.state = State::Idle;
        if is_ready_due {
            for (name, value) in self.options.clone() {
                let lines = self.program.set_option(&name, value.as_deref());
                self.send(&lines)?;
            }
            return self.prepare();
        }
        self.client.name = self.program.name();
        self.client.options = Options::new(self.program.options().to_vec());
        Ok(())
    }

    fn set_option(&mut self, name: String, value: Option<String>) -> Result<(), BridgeError> {
        let lines = self.program.set_option(&name, value.as_deref());
        // A match sets `Seed` before each game: only the last value is for the next process.
        self.options
            .retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.options.push((name, value));
        self.send(&lines)
    }

    /// `isready`: sets up the game, in a new process if the old one plays only one game.
    fn get_ready(&mut self) -> Result<(), BridgeError> {
        if !std::mem::take(&mut self.client.is_new_position) {
            return self.client.reply(&Reply::ReadyOk);
        }
        if !(self.program.is_used_up() && self.client.is_new_game) {
            return self.prepare();
        }
        self.quit();
        let pipe = Pipe::start(self.setup)?;
        std::mem::replace(&mut self.pipe, pipe).end();
        (self.started, self.heard) = (Instant::now(), None);
        self.state = State::ShakingHands { is_ready_due: true };
        let greeting = self.program.shake_hands();
        self.send(&greeting)
    }

    fn prepare(&mut self) -> Result<(), BridgeError> {
        let mut lines = Vec::new();
        let done = self.set_up(&mut lines);
        let is_answered = done.is_ok() && self.program.asks_if_ready(&mut lines);
        self.state = State::Preparing;
        self.send(&lines)?;
        if is_answered {
            return Ok(());
        }
        self.prepared(done)
    }

    /// Adds the lines that bring the program's board to the client's position. Moves that are already on it are not sent
    /// again.
    fn set_up(&mut self, lines: &mut Outgoing) -> Attempt {
        let line = self.client.line();
        let is_new_game = self.client.is_new_game;
        let known = self.known.take().filter(|known| {
            !is_new_game && known.fen == line.fen && line.moves.starts_with(&known.moves)
        });
        let next = &line.moves[known.as_ref().map_or(0, |known| known.moves.len())..];
        let mut board = self.client.board().fork();
        for _ in next {
            board.undo();
        }
        if known.is_some() {
            self.program.go_on(lines);
        } else {
            self.claim = None;
            self.program
                .begin(board.as_ref(), line.fen.as_deref(), lines)?;
        }
        for code in next {
            self.program.play(board.as_ref(), code, lines)?;
            board.play(code).map_err(|why| why.to_string())?;
        }
        self.known = Some(line);
        Ok(())
    }

    fn prepared(&mut self, done: Attempt) -> Result<(), BridgeError> {
        self.state = State::Idle;
        match done {
            Ok(()) => self.client.is_new_game = false,
            Err(why) => {
                self.known = None;
                self.client.complain(&why)?;
            }
        }
        self.client.reply(&Reply::ReadyOk)
    }

    fn think(&mut self, go: &Go) -> Result<(), BridgeError> {
        if self.client.board().outcome().is_some() {
            self.client.complain("game is over")?;
            return self.client.best_move("none");
        }
        let mut lines = Vec::new();
        let done = self.set_up(&mut lines);
        let done = done.and_then(|()| self.program.go(go, self.client.board(), &mut lines));
        self.send(&lines)?;
        if let Err(why) = done {
            self.known = None;
            self.client.complain(&why)?;
            return self.client.best_move("none");
        }
        self.client.is_new_game = false;
        self.state = State::Thinking {
            is_held: go.infinite || *go == Go::default(),
            best: None,
        };
        let claim = self.claim.take();
        claim.map_or(Ok(()), |claim| self.act(claim))
    }

    /// Sends the waiting answer, and lets a later one pass at once.
    fn release(&mut self) -> Result<(), BridgeError> {
        if let State::Thinking { is_held, best, .. } = &mut self.state {
            *is_held = false;
            if let Some(best) = best.take() {
                return self.finish(&best);
            }
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> Result<(), BridgeError> {
        self.heard = Some(Instant::now());
        self.show_wire('<', line)?;
        let mut lines = Vec::new();
        let event = self.program.hear(line, &mut lines);
        self.send(&lines)?;
        event.map_or(Ok(()), |event| self.act(event))
    }

    fn act(&mut self, event: ProgramEvent) -> Result<(), BridgeError> {
        let is_preparing = self.state == State::Preparing;
        let is_thinking = matches!(self.state, State::Thinking { best: None, .. });
        match event {
            ProgramEvent::Ready => self.greeted(),
            ProgramEvent::Prepared if is_preparing => self.prepared(Ok(())),
            ProgramEvent::Failed(why) if is_preparing => self.prepared(Err(why)),
            ProgramEvent::Thought(info) if is_thinking => {
                let pv = self.codes(&info.pv);
                self.client.reply(&Reply::Info(Info { pv, ..info }))
            }
            ProgramEvent::Moved(text) if is_thinking => {
                let code = self.moved(&text);
                // An illegal move is passed on unchanged; the referee judges it.
                self.finish(&code.unwrap_or_else(|| excerpt(&text).replace(' ', "_")))
            }
            ProgramEvent::Resigned if is_thinking => {
                self.known = None;
                self.finish(RESIGN)
            }
            ProgramEvent::Noted(text) if is_thinking => {
                self.client.reply(&Reply::string(format!("{NOTE} {text}")))
            }
            ProgramEvent::Failed(why) if is_thinking => {
                self.known = None;
                self.client.complain(&why)?;
                self.finish("none")
            }
            ProgramEvent::Resigned | ProgramEvent::Noted(_)
                if self.claim != Some(ProgramEvent::Resigned) =>
            {
                self.claim = Some(event);
                Ok(())
            }
            // It has not been asked, or not any more.
            _ => Ok(()),
        }
    }

    /// Adds the program's move to the line on its board, and returns its code; `None` if it is not legal.
    fn moved(&mut self, text: &str) -> Option<String> {
        let mut known = self.known.take()?;
        let mut board = self.client.board().fork();
        let code = self.program.code(board.as_ref(), text)?;
        known.moves.push(board.play(&code).ok()?);
        self.known = Some(known);
        Some(code)
    }

    /// Converts a principal variation to codes, up to the first illegal move.
    fn codes(&self, pv: &[String]) -> Vec<String> {
        let mut board = self.client.board().fork();
        let codes = pv.iter().map_while(|word| {
            let code = self.program.code(board.as_ref(), word)?;
            board.play(&code).ok().map(|_| code)
        });
        codes.collect()
    }

    /// Sends the program's move, or keeps it until `stop`.
    fn finish(&mut self, code: &str) -> Result<(), BridgeError> {
        let State::Thinking { is_held, best } = &mut self.state else {
            return Ok(());
        };
        if *is_held {
            *best = Some(code.to_owned());
            return Ok(());
        }
        self.state = State::Idle;
        self.client.best_move(code)
    }

    fn send(&mut self, lines: &[String]) -> Result<(), BridgeError> {
        lines.iter().try_for_each(|line| {
            self.show_wire('>', line)?;
            self.pipe.send(line)
        })
    }

    fn show_wire(&mut self, arrow: char, line: &str) -> Result<(), BridgeError> {
        if !self.setup.shows_wire {
            return Ok(());
        }
        let text = format!("{WIRE} {arrow} {line}");
        self.client.reply(&Reply::string(text))
    }

    /// Asks the process to end. The client, which may read no more, is not shown this line.
    fn quit(&mut self) {
        // Fails only if it has ended already.
        let _ = self.pipe.send("quit");
    }
}

/// Lines to be sent to a program.
pub(crate) type Outgoing = Vec<String>;

/// A feature that a protocol may lack; the text gives the reason.
pub(crate) type Attempt = Result<(), String>;

/// A program of another protocol, as a state machine: it converts requests to lines for the program, and lines of the
/// program to events. It neither waits nor accesses the process. What it says at a wrong time is the adapter's matter.
pub(crate) trait Program {
    /// Returns the lines of the handshake. [`ProgramEvent::Ready`] follows.
    fn shake_hands(&mut self) -> Vec<String>;

    /// The silence after which a program counts as ready although it has not ended its handshake; `None` if that always has
    /// an end.
    fn handshake_silence(&self) -> Option<Duration> {
        None
    }

    /// Returns the lines of the handshake again, if the program has answered none of them.
    fn ask_again(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The program's name, if it has reported one.
    fn name(&self) -> Option<String>;

    /// Options that the program has declared in its handshake.
    fn options(&self) -> &[OptionDecl] {
        &[]
    }

    /// Returns the lines that set one of the program's options.
    fn set_option(&mut self, _name: &str, _value: Option<&str>) -> Vec<String> {
        Vec::new()
    }

    /// `true` if the program must be started anew for another game.
    fn is_used_up(&self) -> bool {
        false
    }

    /// Adds the lines that begin a game in the position of `board`; `fen` is its string if it is not the start position.
    ///
    /// # Errors
    /// The protocol or the program cannot do it; the text gives the reason.
    fn begin(&mut self, board: &dyn DynHistory, fen: Option<&str>, send: &mut Outgoing) -> Attempt;

    /// Adds the lines after which moves of the current game can follow.
    fn go_on(&mut self, _send: &mut Outgoing) {}

    /// Adds the lines that make a legal move on the program's board, in this position.
    ///
    /// # Errors
    /// The protocol cannot express the move.
    fn play(&mut self, board: &dyn DynHistory, code: &str, send: &mut Outgoing) -> Attempt;

    /// Returns `true` if [`ProgramEvent::Prepared`] or [`ProgramEvent::Failed`] follows the lines sent so far, perhaps
    /// because of one more.
    fn asks_if_ready(&mut self, send: &mut Outgoing) -> bool;

    /// Adds the lines that start a search in this position. [`ProgramEvent::Moved`] or [`ProgramEvent::Failed`] follows.
    ///
    /// # Errors
    /// The protocol has no such limit.
    fn go(&mut self, go: &Go, board: &dyn DynHistory, send: &mut Outgoing) -> Attempt;

    /// Returns the code of the move that the program means in this position.
    fn code(&self, board: &dyn DynHistory, text: &str) -> Option<String> {
        board.read(text).ok()
    }

    /// Returns the line that makes a thinking program move at once; `None` if it cannot be interrupted.
    fn move_now(&self) -> Option<&'static str>;

    /// Handles a line of the program. Lines to be sent in response are added to `send`.
    fn hear(&mut self, line: &str, send: &mut Outgoing) -> Option<ProgramEvent>;
}

/// Event of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ProgramEvent {
    /// The handshake is complete.
    Ready,
    /// The game is set up.
    Prepared,
    /// The program has made this move, in its own words.
    Moved(String),
    /// Search information, with the moves in the program's words.
    Thought(Info),
    /// The program resigns in place of a move.
    Resigned,
    /// A message for the user; the game is not affected.
    Noted(String),
    /// The program failed to move or to set up the game, with the reason.
    Failed(String),
}
