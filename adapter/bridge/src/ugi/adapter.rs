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
use crate::{BridgeError, BridgeSetup, Done, Lines};

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
) -> Done {
    let mut adapter = Adapter {
        client: Client::new(&setup.rules()?, output),
        program,
        pipe: Pipe::start(setup)?,
        lines,
        hears_client: true,
        handshake_end: None,
        heard: None,
        is_thinking: false,
        is_held: false,
        known: None,
        claim: None,
        options: Vec::new(),
        setup,
    };
    let served = adapter.serve();
    adapter.quit();
    adapter.pipe.end();
    served.or_else(|ended| ended.map_or(Ok(()), Err))
}

/// The end of the dialogue: a failure, or `None` if the client or a signal asked for it.
type Ended = Option<BridgeError>;

struct Adapter<'a, P> {
    client: Client<'a>,
    program: P,
    pipe: Pipe,
    lines: &'a Lines,
    /// `false` after the end of the client's input.
    hears_client: bool,
    /// During the handshake, the time at which a program counts as ready that has said nothing at all: shortly before the
    /// client gives it up, since a busy machine starts it slowly.
    handshake_end: Option<Instant>,
    /// Time of its last line.
    heard: Option<Instant>,
    /// `true` until the program has moved.
    is_thinking: bool,
    /// `true` while its answer must wait for `stop`.
    is_held: bool,
    /// The line on the program's board; `None` if it is unknown.
    known: Option<Opening>,
    /// The program's announcement of the end of the game while no move was awaited.
    claim: Option<ProgramEvent>,
    /// The program's options that were set, for its next process.
    options: Vec<(String, Option<String>)>,
    setup: &'a BridgeSetup,
}

impl<P: Program> Adapter<'_, P> {
    fn serve(&mut self) -> Result<(), Ended> {
        self.shake_hands()?;
        self.client.name = self.program.name();
        self.client.options = Options::new(self.program.options().to_vec());
        loop {
            while let Some(command) = self.client.next()? {
                let no_perft = "go perft: this engine does not support perft";
                match command {
                    Command::Go(go) => self.think(&go)?,
                    Command::IsReady => self.get_ready()?,
                    Command::SetOption { name, value } => self.set_option(name, value)?,
                    _ => self.client.complain(no_perft)?,
                }
            }
            if !self.hears_client {
                return Ok(());
            }
            let event = self.hear()?;
            self.keep_claim(event);
        }
    }

    /// Waits for a line of the program, or of the client, whose commands are queued. Returns the program's event, if the line
    /// is one.
    fn hear(&mut self) -> Result<Option<ProgramEvent>, Ended> {
        let silence = self.program.handshake_silence();
        let silent_until = self
            .heard
            .zip(silence)
            .map(|(heard, silence)| heard + silence);
        let end = self.handshake_end.filter(|_| silence.is_some());
        let end = end.map(|end| silent_until.map_or(end, |silent| silent.min(end)));
        match self.pipe.wait(self.lines, self.hears_client, end) {
            Happened::Line(line) => {
                let is_busy = self.is_thinking || self.is_held;
                match self.client.receive(&line, is_busy)? {
                    Some(Command::Quit) => return Err(None),
                    Some(Command::Stop) => {
                        self.is_held = false;
                        let line = self.program.move_now().filter(|_| self.is_thinking);
                        self.send(line.map(str::to_owned).as_slice())?;
                    }
                    _ => {}
                }
            }
            Happened::End => (self.hears_client, self.is_held) = (false, false),
            Happened::Stopped => return Err(None),
            Happened::FromEngine(line) => {
                self.heard = Some(Instant::now());
                self.show_wire('<', &line)?;
                let mut lines = Vec::new();
                let event = self.program.hear(&line, &mut lines);
                self.send(&lines)?;
                return Ok(event);
            }
            Happened::EngineClosed => self.pipe.check_end(false)?,
            Happened::TimedOut => return Ok(Some(ProgramEvent::Ready)),
        }
        Ok(None)
    }

    /// Keeps what a program announces while no move is awaited.
    fn keep_claim(&mut self, event: Option<ProgramEvent>) {
        let is_claim = matches!(event, Some(ProgramEvent::Resigned | ProgramEvent::Noted(_)));
        if is_claim && self.claim != Some(ProgramEvent::Resigned) {
            self.claim = event;
        }
    }

    /// Waits until a new process is ready. One that is silent is asked again.
    fn shake_hands(&mut self) -> Result<(), Ended> {
        let startup_ms = self.setup.engine.process.startup_ms.unwrap_or(STARTUP_MS);
        self.handshake_end = Some(Instant::now() + Duration::from_millis(startup_ms) * 3 / 4);
        self.heard = None;
        let mut lines = self.program.shake_hands();
        while !lines.is_empty() {
            self.send(&lines)?;
            loop {
                match self.hear()? {
                    Some(ProgramEvent::Ready) => break,
                    event => self.keep_claim(event),
                }
            }
            self.heard = Some(Instant::now());
            lines = self.program.ask_again();
        }
        self.handshake_end = None;
        Ok(())
    }

    fn set_option(&mut self, name: String, value: Option<String>) -> Done {
        let lines = self.program.set_option(&name, value.as_deref());
        // A match sets `Seed` before each game: only the last value is for the next process.
        self.options
            .retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.options.push((name, value));
        self.send(&lines)
    }

    /// `isready`: sets up the game, in a new process if the old one plays only one game.
    fn get_ready(&mut self) -> Result<(), Ended> {
        if !std::mem::take(&mut self.client.is_new_position) {
            return Ok(self.client.reply(&Reply::ReadyOk)?);
        }
        if self.program.is_used_up() && self.client.is_new_game {
            self.quit();
            std::mem::replace(&mut self.pipe, Pipe::start(self.setup)?).end();
            self.shake_hands()?;
            for (name, value) in self.options.clone() {
                let lines = self.program.set_option(&name, value.as_deref());
                self.send(&lines)?;
            }
        }
        let mut lines = Vec::new();
        let mut done = self.set_up(&mut lines);
        let mut is_awaited = done.is_ok() && self.program.asks_if_ready(&mut lines);
        self.send(&lines)?;
        while is_awaited {
            match self.hear()? {
                Some(ProgramEvent::Prepared) => is_awaited = false,
                Some(ProgramEvent::Failed(why)) => (done, is_awaited) = (Err(why), false),
                event => self.keep_claim(event),
            }
        }
        match done {
            // A result announced before the new game belongs to the last one.
            Ok(()) if std::mem::take(&mut self.client.is_new_game) => self.claim = None,
            Ok(()) => {}
            Err(why) => self.complain(&why)?,
        }
        Ok(self.client.reply(&Reply::ReadyOk)?)
    }

    /// Reports a failure, after which the program's board is unknown.
    fn complain(&mut self, why: &str) -> Done {
        self.known = None;
        self.client.complain(why)
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

    /// `go`: searches, and sends the program's move, in an infinite search after `stop`.
    fn think(&mut self, go: &Go) -> Result<(), Ended> {
        if self.client.board().outcome().is_some() {
            self.client.complain("game is over")?;
            return Ok(self.client.best_move("none")?);
        }
        let mut lines = Vec::new();
        let done = self.set_up(&mut lines);
        let done = done.and_then(|()| self.program.go(go, self.client.board(), &mut lines));
        self.send(&lines)?;
        if let Err(why) = done {
            self.complain(&why)?;
            return Ok(self.client.best_move("none")?);
        }
        self.client.is_new_game = false;
        self.is_thinking = true;
        self.is_held = go.infinite || *go == Go::default();
        let best = self.best_move()?;
        self.is_thinking = false;
        while self.is_held {
            let event = self.hear()?;
            self.keep_claim(event);
        }
        Ok(self.client.best_move(&best)?)
    }

    /// Relays the output of a searching program until it moves, resigns or fails. Returns the word after `bestmove`.
    fn best_move(&mut self) -> Result<String, Ended> {
        let mut event = self.claim.take();
        loop {
            match event {
                Some(ProgramEvent::Thought(info)) => {
                    let pv = self.codes(&info.pv);
                    self.client.reply(&Reply::Info(Info { pv, ..info }))?;
                }
                Some(ProgramEvent::Moved(text)) => {
                    let code = self.moved(&text);
                    // An illegal move is passed on unchanged; the referee judges it.
                    return Ok(code.unwrap_or_else(|| excerpt(&text).replace(' ', "_")));
                }
                Some(ProgramEvent::Resigned) => {
                    self.known = None;
                    return Ok(RESIGN.to_owned());
                }
                Some(ProgramEvent::Noted(text)) => {
                    let note = Reply::string(format!("{NOTE} {text}"));
                    self.client.reply(&note)?;
                }
                Some(ProgramEvent::Failed(why)) => {
                    self.complain(&why)?;
                    return Ok("none".to_owned());
                }
                Some(ProgramEvent::Ready | ProgramEvent::Prepared) | None => {}
            }
            event = self.hear()?;
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

    fn send(&mut self, lines: &[String]) -> Done {
        lines.iter().try_for_each(|line| {
            self.show_wire('>', line)?;
            self.pipe.send(line)
        })
    }

    fn show_wire(&mut self, arrow: char, line: &str) -> Done {
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
