//! The engine's side of the conversation: lines in, replies out.
//!
//! A [`Session`] starts no thread, measures no time and does not touch the connection. The only files that it opens are
//! those that the options `TablePath` (`tables`) and `Learn` (`learning`) name; the latter holds the date of each game. A
//! `go` leaves a [`Job`], which the caller takes and runs anywhere (`serve` has a thread for it), then calls
//! [`Session::finish`]. Lines that arrive while a job runs are queued; after `finish`, [`Session::next_waiting`] carries
//! them out.

mod answers;
mod go;
mod learning;
mod options;
mod tables;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use protocol::text::excerpt;
use protocol::{Base, Command, Dialect, Parsed, Reply};

pub use options::{
    DEFAULT_ELO, ELO, LEARN, LEARN_RESULT, LIMIT_STRENGTH, SEED, SKILL_LEVEL, TABLE_PATH, declared,
    errs_at_random,
};

use crate::crash_log::CrashLog;
use crate::game_entry::PositionLine;
use crate::search::{Control, Searcher};
use crate::{DynHistory, GameEntry, Options, Outcome, Rejection};

use learning::Learning;
use tables::OpenTable;

/// A search or a perft with all its data. It runs until a limit or the session ends it, and passes its replies on; the
/// last one is `bestmove` or `nodes`.
pub type Job = Box<dyn FnOnce(&mut dyn FnMut(Reply)) + Send>;

/// Maximum number of lines that wait for the end of a job.
const MAX_WAITING: usize = 1_000;
/// Maximum size of all of them in bytes. A command takes up to about 25 times the memory of its line.
const MAX_WAITING_BYTES: usize = 4 << 20;

/// A line that came while a job runs.
struct WaitingLine {
    parsed: Parsed,
    text: String,
    /// Set if a `stop` came after it: a `go` then ends at once.
    is_stopped: bool,
}

/// The engine's side of one conversation.
pub struct Session {
    entry: GameEntry,
    options: Options,
    /// The start position with the current options and weights; the position may be on another board.
    game: Box<dyn DynHistory>,
    dialect: Dialect,
    is_debugging: bool,
    history: Box<dyn DynHistory>,
    /// Locked while a search runs.
    searcher: Arc<Mutex<Searcher>>,
    /// The seed of this game for players that err at random.
    game_seed: u64,
    table: OpenTable,
    learning: Learning,
    /// The control of the running job.
    running: Option<Arc<Control>>,
    /// The running job, until the caller takes it.
    job: Option<Job>,
    /// Lines to carry out after the current job.
    waiting: VecDeque<WaitingLine>,
    is_closed: bool,
    crash_log: Arc<CrashLog>,
}

impl Session {
    /// Creates a session in the start position, with the options at their defaults.
    pub fn new(entry: GameEntry) -> Session {
        Session::on(entry, &Options::new(entry.source.options()))
    }

    /// As [`new`](Session::new), with these options of the board as its defaults.
    pub fn on(entry: GameEntry, board: &Options) -> Session {
        let game = start(entry, board);
        let options = Options::new(options::declared(game.n_inputs() > 0, board.to_defaults()));
        let searcher = Arc::new(Mutex::new(options::searcher(&options)));
        Session {
            entry,
            options,
            history: game.fork(),
            game,
            dialect: Dialect::Ugi,
            is_debugging: false,
            searcher,
            game_seed: fresh_seed(),
            table: OpenTable::default(),
            learning: Learning::default(),
            running: None,
            job: None,
            waiting: VecDeque::new(),
            is_closed: false,
            crash_log: Arc::default(),
        }
    }

    /// Checks that the system has memory for the table.
    ///
    /// # Errors
    /// It has not; the text names the size.
    pub fn check_memory(&self) -> Result<(), Rejection> {
        match lock(&self.searcher).has_memory() {
            true => Ok(()),
            false => Err(no_memory(&self.options)),
        }
    }

    /// Carries out a line that arrived at `arrival` and returns the replies to send. If it starts a job,
    /// [`take_job`](Session::take_job) returns it then. While a job runs, only `isready`, `stop`, `ponderhit`, `debug` and
    /// `quit` are carried out; any other command is queued and answered by [`next_waiting`](Session::next_waiting).
    ///
    /// A line that cannot be carried out changes nothing and is answered with `info error`.
    pub fn receive(&mut self, line: &str, arrival: Instant) -> Vec<Reply> {
        match Command::parse(line) {
            Err(why) => vec![Reply::Error(why.to_string())],
            Ok(parsed) if self.is_running() && must_wait(&parsed.command) => {
                self.wait(parsed, line).into_iter().collect()
            }
            Ok(parsed) => self.carry_out(parsed, line, arrival),
        }
    }

    /// Carries out the next queued line, as [`receive`](Session::receive) does; `None` if there is none or a job is
    /// running.
    pub fn next_waiting(&mut self, now: Instant) -> Option<Vec<Reply>> {
        if self.is_running() {
            return None;
        }
        let line = self.waiting.pop_front()?;
        let replies = self.carry_out(line.parsed, &line.text, now);
        if line.is_stopped {
            self.stop_job();
        }
        Some(replies)
    }

    /// The job that the last line started, to be run now.
    pub fn take_job(&mut self) -> Option<Job> {
        self.job.take()
    }

    /// Ends the running job soon: a search then returns the best move so far, or any move.
    pub fn stop_job(&self) {
        if let Some(control) = &self.running {
            control.stop();
        }
    }

    /// Notes that the job has ended.
    pub fn finish(&mut self) {
        self.running = None;
    }

    /// The current position.
    pub fn history(&self) -> &dyn DynHistory {
        self.history.as_ref()
    }

    /// `true` while a job runs.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// `true` after `quit` and after the end of the input. The conversation ends once the running job has ended.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Handles the end of the input: a search that needs `stop` to end is stopped, now or as soon as it starts.
    pub fn end_of_input(&mut self) {
        self.is_closed = true;
        let running = self.running.as_ref();
        if let Some(control) = running.filter(|control| !control.is_bounded()) {
            control.stop();
        }
    }

    /// The lines that led to the current state, for a panic hook.
    pub fn crash_log(&self) -> Arc<CrashLog> {
        Arc::clone(&self.crash_log)
    }

    /// Queues a command until the job has ended. Returns an error if the queue is full.
    fn wait(&mut self, parsed: Parsed, text: &str) -> Option<Reply> {
        let n_bytes: usize = self.waiting.iter().map(|line| line.text.len()).sum();
        let limit = match self.waiting.len() < MAX_WAITING {
            true if n_bytes + text.len() <= MAX_WAITING_BYTES => {
                self.waiting.push_back(WaitingLine {
                    parsed,
                    text: text.to_owned(),
                    is_stopped: false,
                });
                return None;
            }
            true => format!("{MAX_WAITING_BYTES} bytes"),
            false => format!("{MAX_WAITING} lines"),
        };
        let word = text.split_whitespace().next().unwrap_or_default();
        let why = format!("{word}: {limit} are waiting for the end of the search: send stop first");
        Some(Reply::Error(why))
    }

    fn carry_out(&mut self, parsed: Parsed, line: &str, arrival: Instant) -> Vec<Reply> {
        if !self.is_running() {
            line.clone_into(&mut self.crash_log.lock().current);
        }
        let surplus = parsed.surplus.iter();
        let mut replies: Vec<Reply> = surplus.map(|why| Reply::Error(why.to_string())).collect();
        match self.try_carry_out(parsed.command, line, arrival) {
            Ok(answers) => replies.extend(answers),
            Err(why) => replies.push(error(&why)),
        }
        replies
    }

    fn try_carry_out(
        &mut self,
        command: Command,
        line: &str,
        arrival: Instant,
    ) -> Result<Vec<Reply>, Rejection> {
        match command {
            Command::Blank => {}
            Command::IsReady => return Ok(vec![Reply::ReadyOk]),
            Command::Debug(on) => self.is_debugging = on,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(arrival)?,
            Command::Quit => {
                self.stop();
                self.waiting.clear();
                self.is_closed = true;
            }
            Command::Handshake(dialect) => return Ok(self.handshake(dialect)),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.new_game();
                return Ok(self.open_table());
            }
            Command::Position { base, moves } => return self.set_position(&base, &moves, line),
            Command::Perft(depth) => self.perft(depth, arrival)?,
            Command::Go(go) => return self.go(&go, arrival),
            Command::Query(query) => return Ok(vec![Reply::Response(self.answer(query)?)]),
            Command::Display { style } => return self.draw(style.as_deref()),
        }
        Ok(Vec::new())
    }

    /// Ends the running job, and each queued `go` as soon as it starts, since all of them came before this `stop`.
    fn stop(&mut self) {
        self.stop_job();
        for line in &mut self.waiting {
            line.is_stopped = true;
        }
    }

    fn ponderhit(&mut self, arrival: Instant) -> Result<(), Rejection> {
        let running = self.running.as_ref();
        let is_hit =
            running.is_some_and(|control| !control.is_stopped() && control.ponderhit(arrival));
        // Otherwise it is for the first `go ponder` that waits.
        let waiting = self.waiting.iter_mut().filter(|line| !line.is_stopped);
        let mut pondering = waiting.filter_map(|line| match &mut line.parsed.command {
            Command::Go(go) if go.ponder => Some(&mut go.ponder),
            _ => None,
        });
        match (is_hit, pondering.next()) {
            (true, _) => {}
            (false, Some(ponder)) => *ponder = false,
            (false, None) => return Err("ponderhit: no search is pondering".into()),
        }
        Ok(())
    }

    /// `true` if the game has an engine, not just the playouts of [`uct`](crate::uct).
    fn has_engine(&self) -> bool {
        self.entry.source.engine().is_some()
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Vec<Reply>, Rejection> {
        let mut options = self.options.clone();
        if !self.has_engine() {
            // Only the board's options are declared.
            let mut board = Options::new(self.entry.source.options());
            board.set(name, value)?;
        }
        options.set(name, value)?;
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        if is("Hash") || is("Threads") {
            let searcher = options::searcher(&options);
            if is("Hash") && !searcher.has_memory() {
                return Err(no_memory(&options));
            }
            self.searcher = Arc::new(Mutex::new(searcher));
        } else if self
            .entry
            .source
            .options()
            .iter()
            .any(|decl| is(&decl.name))
        {
            self.game = self.learning.with_weights(start(self.entry, &options));
        } else if is(options::TABLE_PATH) {
            let path = options.text(options::TABLE_PATH);
            let opened = OpenTable::open(path, self.game.as_ref());
            if let Some(Err(why)) = opened.report {
                return Err(Rejection(why));
            }
            self.table = opened;
        } else if is(LEARN) {
            let game = start(self.entry, &options);
            self.learning.open(options.text(LEARN), game.n_inputs())?;
            self.game = self.learning.with_weights(game);
        } else if is(LEARN_RESULT) {
            // It concerns one game, so it is not kept.
            return self.learn_result(options.text(LEARN_RESULT));
        }
        self.options = options;
        Ok(Vec::new())
    }

    /// Learns from the game of the `position` line, which ended with this result; a game is learned from once. The next
    /// game uses the new weights.
    fn learn(&mut self, line: &str, outcome: Outcome) -> Option<Reply> {
        let (game, history) = (self.entry.name, self.history.as_ref());
        let learned = self.learning.learn(game, history, line, outcome)?;
        self.game = self.learning.with_weights(self.game.fork());
        Some(learned.map_or_else(|why| error(&why), Reply::string))
    }

    /// Learns from a game that did not end by the rules.
    fn learn_result(&mut self, result: &str) -> Result<Vec<Reply>, Rejection> {
        let outcome = match result {
            "" => return Ok(Vec::new()),
            word => Outcome::from_result_word(word).flatten(),
        };
        let unknown = || format!("{LEARN_RESULT} {result:?}: expected p1win, p2win or draw");
        let outcome = outcome.ok_or_else(|| Rejection(unknown()))?;
        let line = self.crash_log.lock().position.clone();
        Ok(self.learn(&line, outcome).into_iter().collect())
    }

    fn new_game(&mut self) {
        self.learning.new_game();
        self.game_seed = fresh_seed();
        self.history = self.game.fork();
        "position startpos".clone_into(&mut self.crash_log.lock().position);
        lock(&self.searcher).clear();
    }

    fn set_position(
        &mut self,
        base: &Base,
        moves: &[String],
        line: &str,
    ) -> Result<Vec<Reply>, Rejection> {
        self.history = self.read_position(base, moves)?;
        let mut replies = self.open_table();
        if let Some(outcome) = self.history.outcome() {
            replies.extend(self.learn(line, outcome));
        }
        line.clone_into(&mut self.crash_log.lock().position);
        Ok(replies)
    }

    /// Opens the table of the current board. Returns which table is in use, or why none is, if that is news.
    fn open_table(&mut self) -> Vec<Reply> {
        let path = self.options.text(options::TABLE_PATH);
        Vec::from_iter(self.table.follow(path, self.history.as_ref()))
    }

    fn read_position(
        &self,
        base: &Base,
        moves: &[String],
    ) -> Result<Box<dyn DynHistory>, Rejection> {
        let mut history = match base {
            Base::Start => self.game.fork(),
            Base::Fen(text) => (self.game.begun_at(text))
                .map_err(|why| Rejection(format!("position \"{}\": {why}", excerpt(text))))?,
        };
        for word in moves {
            for code in self.game.split_codes(word) {
                history.play(code)?;
            }
        }
        Ok(history)
    }
}

/// The start position with these options.
fn start(entry: GameEntry, options: &Options) -> Box<dyn DynHistory> {
    let (fen, moves) = (None, &[][..]);
    let opened = entry.source.open(options, PositionLine { fen, moves });
    opened.expect("a game has a start position")
}

/// `true` if a command that arrives during a job must wait for its end.
fn must_wait(command: &Command) -> bool {
    !matches!(
        command,
        Command::Blank
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Debug(_)
            | Command::Quit
    )
}

/// A seed unlike those of other games and processes.
fn fresh_seed() -> u64 {
    fastrand::u64(1..)
}

fn no_memory(options: &Options) -> Rejection {
    let mib = options.text("Hash");
    Rejection(format!("Hash: {mib} MiB cannot be allocated"))
}

fn error(why: &Rejection) -> Reply {
    Reply::Error(why.to_string())
}

fn lock(searcher: &Mutex<Searcher>) -> MutexGuard<'_, Searcher> {
    searcher
        .lock()
        .expect("a panic in a search ends the program")
}
