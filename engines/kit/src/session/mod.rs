//! An engine's side of the conversation: lines in, replies out.
//!
//! A [`Session`] starts no thread, does no input or output and reads no clock. A `go` becomes a [`Job`], which whoever
//! drives the session runs where it likes (`serve` has a thread for it) and hands back with [`Session::finish`]. Lines
//! that come while a job runs wait in the session; after `finish` they are carried out by [`Session::next_waiting`].

mod answers;
mod go;
mod job;
mod learning;
mod options;
mod report;
mod tables;
mod waiting;

use std::sync::Arc;
use std::time::Instant;

use protocol::text::excerpt;
use protocol::{Base, Command, Dialect, Line, Parsed, Reply};

pub use job::{Finished, Job};
pub use options::LEARN;

use crate::crash_log::CrashLog;
use crate::dyn_history::{parse_history, parse_legal};
use crate::search::{Control, Searcher};
use crate::tablebase::TableError;
use crate::{Engine, Options, PositionHistory, Rejection};
use learning::Learning;
use tables::OpenTable;
use waiting::WaitingLines;

/// One engine's side of a conversation.
pub struct Session<G: Engine> {
    options: Options,
    /// The rules that the options ask for; the position may be on another board.
    game: G,
    dialect: Dialect,
    is_debugging: bool,
    history: PositionHistory<G>,
    /// `None` while a search runs.
    searcher: Option<Searcher>,
    table: OpenTable<G>,
    learning: Learning,
    running: Option<Running>,
    /// Lines to carry out when the job has ended.
    waiting: WaitingLines,
    is_input_closed: bool,
    crash_log: Arc<CrashLog>,
}

/// What the session knows of the job that runs.
struct Running {
    control: Arc<Control>,
    is_infinite: bool,
    /// Whether it ends without another command.
    is_bounded: bool,
}

/// What a line led to.
pub enum Step<G: Engine> {
    /// These replies.
    Replies(Vec<Reply>),
    /// These replies, and a job to run.
    Start(Vec<Reply>, Box<Job<G>>),
    /// The end of the conversation, once the job that runs has ended.
    Quit,
}

impl<G: Engine> Default for Session<G> {
    fn default() -> Session<G> {
        Session::new()
    }
}

impl<G: Engine> Session<G> {
    /// An engine at the start position, its options at their defaults.
    pub fn new() -> Session<G> {
        let options = Options::new(options::declared::<G>());
        let game = G::new(&options);
        let history = PositionHistory::start(game.clone());
        let searcher = Some(options::searcher(&options));
        Session {
            options,
            game,
            dialect: Dialect::Ugi,
            is_debugging: false,
            history,
            searcher,
            table: OpenTable::default(),
            learning: Learning::default(),
            running: None,
            waiting: WaitingLines::default(),
            is_input_closed: false,
            crash_log: Arc::default(),
        }
    }

    /// Carries out a line that arrived at `arrival`. While a job runs, a line with any other command than `isready`,
    /// `stop`, `ponderhit`, `debug` and `quit` waits, and is answered by [`next_waiting`](Session::next_waiting).
    ///
    /// A line that cannot be carried out changes nothing and is answered with `info error`.
    pub fn receive(&mut self, line: &Line, arrival: Instant) -> Step<G> {
        match line.command() {
            Err(why) => Step::Replies(vec![Reply::Error(why.to_string())]),
            Ok(parsed) if self.is_running() && must_wait(&parsed.command) => {
                Step::Replies(self.wait(parsed, line).into_iter().collect())
            }
            Ok(parsed) => self.carry_out(parsed, arrival),
        }
    }

    /// Carries out the next line that waited for the job to end; `None` if there is none, or if a job runs.
    pub fn next_waiting(&mut self, now: Instant) -> Option<Step<G>> {
        if self.is_running() {
            return None;
        }
        let line = self.waiting.pop()?;
        let step = self.carry_out(line.parsed, now);
        if line.is_stopped {
            self.stop_job();
        }
        Some(step)
    }

    /// Takes back a job that has run; returns its last replies, `bestmove` or `nodes` at the end.
    pub fn finish(&mut self, finished: Finished) -> Vec<Reply> {
        let Finished { searcher, replies } = finished;
        self.searcher = searcher.or(self.searcher.take());
        self.running = None;
        replies
    }

    /// Whether a job runs.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// No more lines will come: a search that needs `stop` to end is stopped, now or when it is carried out.
    pub fn end_of_input(&mut self) {
        self.is_input_closed = true;
        if let Some(running) = self.running.as_ref().filter(|running| !running.is_bounded) {
            running.control.stop();
        }
    }

    /// What the session was doing, for a panic hook.
    pub fn crash_log(&self) -> Arc<CrashLog> {
        Arc::clone(&self.crash_log)
    }

    /// Keeps a command until the job has ended; an error if too much waits already.
    fn wait(&mut self, parsed: Parsed, line: &Line) -> Option<Reply> {
        let n_bytes = line.n_bytes();
        let Some(limit) = self.waiting.limit_reached(n_bytes) else {
            self.waiting.push(parsed, n_bytes);
            return None;
        };
        let text = parsed.command.display(self.dialect).to_string();
        let word = text.split(' ').next().unwrap_or_default();
        let why = format!("{word}: {limit} wait for the end of the search, expected stop first");
        Some(Reply::Error(why))
    }

    fn carry_out(&mut self, parsed: Parsed, arrival: Instant) -> Step<G> {
        let line = parsed.command.display(self.dialect).to_string();
        self.crash_log.begin(line.clone());
        let is_position = matches!(parsed.command, Command::Position { .. });
        let step = match self.try_carry_out(parsed.command, arrival) {
            Ok(step) if is_position => {
                let learned = self.learn(&line);
                self.crash_log.set_position(line);
                step.and(learned)
            }
            Ok(step) => step,
            Err(why) => Step::Replies(vec![error(&why)]),
        };
        let surplus = parsed
            .surplus
            .map(|surplus| Reply::Error(surplus.to_string()));
        step.after(surplus)
    }

    fn try_carry_out(&mut self, command: Command, arrival: Instant) -> Result<Step<G>, Rejection> {
        let replies = match command {
            Command::Blank => Vec::new(),
            Command::IsReady => vec![Reply::ReadyOk],
            Command::Debug(on) => {
                self.is_debugging = on;
                Vec::new()
            }
            Command::Stop => {
                self.stop();
                Vec::new()
            }
            Command::PonderHit => {
                self.ponderhit(arrival)?;
                Vec::new()
            }
            Command::Quit => {
                self.stop();
                self.waiting.clear();
                return Ok(Step::Quit);
            }
            Command::Handshake(dialect) => self.handshake(dialect),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::NewGame => {
                self.new_game();
                self.open_table(&self.game.clone())
            }
            Command::Position { base, moves } => {
                self.history = self.read_position(&base, &moves)?;
                self.open_table(&self.history.game().clone())
            }
            Command::Perft(depth) => return self.perft(depth, arrival),
            Command::Go(go) => return self.go(&go, arrival),
            Command::Query(query) => vec![Reply::Response(self.answer(query))],
            Command::Display { style } => self.draw(style.as_deref())?,
        };
        Ok(Step::Replies(replies))
    }

    /// Ends the job that runs, and each `go` that waits as soon as it is carried out: all that came before this `stop`.
    fn stop(&mut self) {
        self.stop_job();
        self.waiting.stop();
    }

    fn stop_job(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    fn ponderhit(&mut self, arrival: Instant) -> Result<(), Rejection> {
        let pondering = self
            .running
            .as_mut()
            .filter(|running| !running.control.is_stopped() && running.control.ponderhit(arrival));
        match pondering {
            Some(running) => running.is_bounded = !running.is_infinite,
            None if self.waiting.ponderhit() => {}
            None => return Err("ponderhit: no search is pondering".into()),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Vec<Reply>, Rejection> {
        let before = self.options.clone();
        let set = self.options.set(name, value);
        set.map_err(|why| Rejection(why.to_string()))?;
        self.crash_log.set_options(options::changed(&self.options));
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        if is("Hash") || is("Threads") {
            self.searcher = Some(options::searcher(&self.options));
        } else if G::options().iter().any(|decl| is(&decl.name)) {
            self.game = self.learning.equip(G::new(&self.options));
            return Ok(self.open_table(&self.game.clone()));
        } else if is(options::TABLE_PATH) {
            let path = self.options.text(options::TABLE_PATH);
            if let Err(error) = self.table.turn_to(path, &self.game) {
                self.options = before;
                return Err(table_error(&error));
            }
        } else if is(LEARN) {
            let path = self.options.text(LEARN);
            let board = G::new(&self.options);
            let turned = self.learning.turn_to(path, &board);
            self.game = self.learning.equip(board);
            if turned.is_err() {
                self.options
                    .set(name, Some(""))
                    .expect("an empty path is a value");
            }
            turned?;
        }
        Ok(Vec::new())
    }

    /// Learns from the game if it is over. The next one is played with what was learned.
    fn learn(&mut self, line: &str) -> Option<Reply> {
        let learned = self.learning.learn(&self.history, line)?;
        self.game = self.learning.equip(self.game.clone());
        if let Some(searcher) = &mut self.searcher {
            // It keeps scores of the weights before.
            searcher.clear();
        }
        Some(learned.map_or_else(|why| error(&why), Reply::string))
    }

    fn new_game(&mut self) {
        self.learning.new_game();
        self.history = PositionHistory::start(self.game.clone());
        self.crash_log.set_position("position startpos".to_owned());
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Opens the table of this board; an error if there is one that cannot be used.
    fn open_table(&mut self, game: &G) -> Vec<Reply> {
        let opened = self
            .table
            .turn_to(self.options.text(options::TABLE_PATH), game);
        let error = opened
            .err()
            .map(|error| Reply::Error(format!("{}: {error}", options::TABLE_PATH)));
        error.into_iter().collect()
    }

    fn read_position(
        &self,
        base: &Base,
        moves: &[String],
    ) -> Result<PositionHistory<G>, Rejection> {
        let mut history = match base {
            Base::Start => PositionHistory::start(self.game.clone()),
            Base::Fen(text) => parse_history(&self.game, text)
                .map_err(|why| Rejection(format!("position \"{}\": {why}", excerpt(text))))?,
        };
        for word in moves {
            for code in history.game().clone().split_codes(word) {
                let mv = parse_legal(&history, code)?;
                history.play(mv);
            }
        }
        Ok(history)
    }
}

impl<G: Engine> Step<G> {
    /// The same step with a reply behind all others.
    fn and(self, last: Option<Reply>) -> Step<G> {
        match self {
            Step::Replies(mut replies) => {
                replies.extend(last);
                Step::Replies(replies)
            }
            step => step,
        }
    }

    /// The same step with a reply before all others.
    fn after(self, first: Option<Reply>) -> Step<G> {
        let join = |replies| first.into_iter().chain(replies).collect();
        match self {
            Step::Replies(replies) => Step::Replies(join(replies)),
            Step::Start(replies, job) => Step::Start(join(replies), job),
            Step::Quit => Step::Quit,
        }
    }
}

/// Whether a command that comes while a job runs is carried out only after it.
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

fn table_error(why: &TableError) -> Rejection {
    Rejection(format!("{}: {why}", options::TABLE_PATH))
}

fn error(why: &Rejection) -> Reply {
    Reply::Error(why.to_string())
}
