//! The engine's side of the conversation: lines in, replies out.
//!
//! A [`Session`] starts no thread, measures no time and neither reads nor writes. The only files that it opens are
//! those that the options `TablePath` (`tables`) and `Learn` (`learning`) name; the latter holds the date of each game. A
//! `go` leaves a [`Job`], which the caller takes and runs anywhere (`serve` has a thread for it), then calls
//! [`Session::finish`]. Lines that arrive while a job runs are queued; after `finish`, [`Session::next_waiting`] carries
//! them out.
//!
//! `go` is here, from its limits to its `info` lines and its move; the other commands have a module each.

mod answers;
mod learning;
mod options;
mod position;
mod tables;
mod waiting;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use protocol::{Command, Dialect, Go, Info, Parsed, Reply, Score};

pub use options::{
    DEFAULT_ELO, ELO, LEARN, LEARN_RESULT, LIMIT_STRENGTH, SEED, SKILL_LEVEL, TABLE_PATH, declared,
    errs_at_random,
};

use crate::crash_log::CrashLog;
use crate::search::score::DRAW;
use crate::search::{Control, Limits, Line, Progress, Request, Searcher, mate_distance};
use crate::{DynHistory, GameEntry, Options, Rejection, uct};

use learning::Learning;
use position::{fresh_seed, start};
use tables::OpenTable;
use waiting::{WaitingLines, must_wait};

/// A search or a perft with all its data. It runs until a limit or the session ends it. It passes on its replies on the way
/// and returns the last ones, such as `bestmove`, which are sent after [`Session::finish`].
pub type Job = Box<dyn FnOnce(&mut dyn FnMut(Reply)) -> Vec<Reply> + Send>;

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
    waiting: WaitingLines,
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
            waiting: WaitingLines::default(),
            is_closed: false,
            crash_log: Arc::default(),
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
                let refused = self.waiting.push(parsed, line).err();
                refused.iter().map(error).collect()
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
        let line = self.waiting.0.pop_front()?;
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
                self.waiting.0.clear();
                self.is_closed = true;
            }
            Command::Handshake(dialect) => return Ok(self.handshake(dialect)),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::NewGame => return Ok(self.new_game()),
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
        self.waiting.stop();
    }

    fn ponderhit(&mut self, arrival: Instant) -> Result<(), Rejection> {
        let running = self.running.as_ref();
        let is_hit =
            running.is_some_and(|control| !control.is_stopped() && control.ponderhit(arrival));
        // Otherwise it is for the first `go ponder` that waits.
        match is_hit || self.waiting.ponderhit() {
            true => Ok(()),
            false => Err("ponderhit: no search is pondering".into()),
        }
    }

    fn go(&mut self, go: &Go, arrival: Instant) -> Result<Vec<Reply>, Rejection> {
        let moves = self.candidates(&go.search_moves)?;
        if moves.is_empty() {
            let none = Reply::BestMove {
                mv: "none".to_owned(),
                ponder: None,
            };
            let fault = self.history.fault();
            let why = fault.map_or("game is over".into(), Rejection);
            return Ok(vec![error(&why), none]);
        }
        self.learning.search(self.history.side());
        let overhead = Duration::from_millis(options::spin(&self.options, "Move Overhead"));
        let limits = Limits::of(go, self.dialect, self.history.side(), overhead);
        let replies = self.debug_limits(&limits).into_iter().collect();
        let is_held = go.infinite || limits == Limits::default();
        let request = Request {
            n_lines: options::spin(&self.options, "MultiPV"),
            skill: options::skill(&self.options, self.history.as_ref()),
            seed: self.seed(),
            heuristics: options::heuristics(&self.options),
            method: options::method(&self.options),
            ..Request::new(moves, limits)
        };
        let (searcher, table) = (Arc::clone(&self.searcher), self.table.table.clone());
        let (dialect, can_ponder) = (self.dialect, self.options.check("Ponder"));
        let plays_out = !self.has_engine();
        // A proof is not what playouts look for.
        let mate = go.mate.filter(|_| !plays_out);
        let control = Control::new(arrival, go.ponder, is_held);
        self.start(control, move |history, control, send| {
            let started = Instant::now();
            let mut report = |found: &Progress| {
                infos(dialect, found, started.elapsed()).for_each(&mut *send);
            };
            let answer = table.and_then(|table| table.answer(&*history, &request, control));
            let found = match answer {
                Some(Ok(found)) => {
                    report(&found);
                    found
                }
                failed => {
                    if let Some(Err(error)) = failed {
                        let note = format!("TablePath: {error}; searching without it");
                        report(&Progress::note(note));
                    }
                    match plays_out {
                        true => uct::search(history.fork(), &request, control, &mut report),
                        false => {
                            history.search(&mut lock(&searcher), &request, control, &mut report)
                        }
                    }
                }
            };
            control.wait_for_release();
            let mut last = Vec::from_iter(history.fault().map(Reply::Error));
            let best = &found.lines[0];
            let plies = mate_distance(best.score).filter(|plies| *plies > 0);
            let is_found = |most| plies.is_some_and(|plies| plies as u32 <= most);
            let unfound = mate.filter(|_| !request.limits.mate.is_some_and(is_found));
            last.extend(unfound.map(|mate| Reply::string(format!("no mate in {mate}"))));
            last.push(Reply::BestMove {
                mv: best.pv[0].clone(),
                ponder: best.pv.get(1).filter(|_| can_ponder).cloned(),
            });
            last
        });
        Ok(replies)
    }

    /// The value of `Seed`. If it is 0, a player that errs or plays out games at random has another seed in each game.
    fn seed(&self) -> u64 {
        let is_random = !self.has_engine() || options::errs_at_random(&self.options);
        match options::spin(&self.options, options::SEED) {
            0 if is_random => self.game_seed,
            seed => seed,
        }
    }

    /// Begins a job in the current position.
    fn start(
        &mut self,
        control: Control,
        run: impl FnOnce(&mut dyn DynHistory, &Control, &mut dyn FnMut(Reply)) -> Vec<Reply>
        + Send
        + 'static,
    ) {
        let control = Arc::new(control);
        if self.is_closed && !control.is_bounded() {
            control.stop();
        }
        self.running = Some(Arc::clone(&control));
        let mut history = self.history.fork();
        self.job = Some(Box::new(move |send| run(history.as_mut(), &control, send)));
    }

    /// The moves to choose from: those named, or all of them; none if the game is over.
    fn candidates(&self, named: &[String]) -> Result<Vec<String>, Rejection> {
        let mut legal = self.history.moves();
        if named.is_empty() || legal.is_empty() {
            return Ok(legal);
        }
        let codes = named.iter().flat_map(|word| self.history.split_codes(word));
        let canonical = |code| self.history.fork().play(code);
        let chosen = codes.map(canonical).collect::<Result<Vec<_>, _>>()?;
        legal.retain(|code| chosen.contains(code));
        Ok(legal)
    }

    fn debug_limits(&self, limits: &Limits) -> Option<Reply> {
        let (soft, hard) = (limits.budget.soft()?, limits.budget.hard()?);
        let (soft, hard) = (soft.as_millis(), hard.as_millis());
        let text = format!("no new depth after {soft} ms, stop at {hard} ms");
        self.is_debugging.then(|| Reply::string(text))
    }

    /// `true` if the game has an engine, not just the playouts of [`uct`](crate::uct).
    fn has_engine(&self) -> bool {
        self.entry.source.engine().is_some()
    }
}

/// The `info` lines of one report: one for each note, one for each line of play.
fn infos(dialect: Dialect, progress: &Progress, time: Duration) -> impl Iterator<Item = Reply> {
    let millis = time.as_millis().max(1) as u64;
    let common = Info {
        seldepth: Some(progress.seldepth),
        time: Some(time),
        nodes: Some(progress.nodes),
        nps: Some(progress.nodes.saturating_mul(1000) / millis),
        hashfull: Some(progress.hashfull),
        tb_hits: (progress.tb_hits > 0).then_some(progress.tb_hits),
        ..Info::default()
    };
    let has_ranks = progress.lines.len() > 1;
    // Before depth 1 is complete there is a move but no score.
    let lines = match progress.depth {
        0 => &[],
        _ => &progress.lines[..],
    };
    let ranked = lines.iter().zip(1..).map(|(line, rank)| Info {
        depth: Some(progress.depth),
        multipv: has_ranks.then_some(rank),
        score: Some(score(dialect, progress, line)),
        bound: line.bound,
        pv: line.pv.clone(),
        ..common.clone()
    });
    let mut infos: Vec<Info> = ranked.collect();
    if infos.is_empty() && progress.notes.is_empty() {
        infos.push(common);
    }
    let notes = progress.notes.iter().cloned().map(Reply::string);
    notes.chain(infos.into_iter().map(Reply::Info))
}

/// The score in the dialect's form. A draw is reported as such if it comes from a table.
fn score(dialect: Dialect, progress: &Progress, line: &Line) -> Score {
    match mate_distance(line.score) {
        Some(plies) => Score::Mate(dialect.mate_distance(plies)),
        None if progress.tb_hits > 0 && line.score == DRAW => Score::Draw,
        None => Score::Cp(line.score),
    }
}

fn error(why: &Rejection) -> Reply {
    Reply::Error(why.to_string())
}

fn lock(searcher: &Mutex<Searcher>) -> MutexGuard<'_, Searcher> {
    searcher
        .lock()
        .expect("a panic in a search ends the program")
}
