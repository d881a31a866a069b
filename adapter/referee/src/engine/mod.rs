//! One engine: a child process and the dialogue with it.
//!
//! [`Engine::ask`] sends a [`Request`] and returns, [`Engine::poll`] returns the next [`EngineEvent`] or the engine's
//! fault; neither blocks. A match and a worker call [`Engine::wait`], which blocks until an event, a fault or an absolute
//! deadline; a table waits for several engines and its people by [`wait_any`]. The dialogue is one state machine: what is sent
//! is in `dialogue`, what arrives in `hear`, what happens before the first move in `setup`. Moves are not checked here, and
//! there is no game clock.

mod config;
mod dialogue;
mod fault;
mod hear;
mod lines;
mod setup;

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::time::{Duration, Instant};

use dialogue::{Queued, Stage, State, WRITE_PAUSE, Watch};
use hear::Filter;
use kit::Options;
use protocol::{Go, OptionDecl, Query};
use record::engine_spec::Restart;

use crate::process::{self, Alarm, Life, Process, QUIT_TIMEOUT};

pub use config::{EngineConfig, MAX_NAME, RESIGN, Timeouts};
pub(crate) use dialogue::MAX_OPTIONS;
pub use dialogue::{Facts, Request, Search};
pub(crate) use fault::RULES_FAILURE;
pub use fault::{Complaint, Fault};
pub use hear::{BestMove, EngineEvent, Heard, Infos, NOTE};
pub use lines::Lines;
pub use record::engine_spec::SetOption;
pub use setup::choose_options;

/// Interval at which a wait checks for a stop request.
pub(crate) const STOP_CHECK: Duration = Duration::from_millis(50);

/// An engine. Its process may not be running yet.
pub struct Engine {
    /// Its command and settings, and the options that it declared at its first start.
    pub config: EngineConfig,
    /// The facts collected from the engine's replies.
    pub facts: Facts,
    process: Option<Box<Process>>,
    /// Replaces the process in tests.
    script: Option<Box<dyn Script>>,
    filter: Filter,
    /// Events and faults that [`poll`](Engine::poll) has not returned yet.
    events: VecDeque<Result<EngineEvent, Fault>>,
    /// Lines to be sent.
    lines: String,
    /// The time of the step that is being taken.
    now: Instant,
    state: State,
    stage: Stage,
    /// The outstanding reply.
    watch: Watch,
    queue: VecDeque<Queued>,
    /// The seed of the last game.
    seed: Option<u64>,
    /// The process has the seed of a game as its option `Seed`.
    is_seeded: bool,
    /// The position of the current pondering search.
    pondered: Option<String>,
    /// Options set during the handshake. The engine receives those that it declares.
    late_options: Vec<SetOption>,
    /// `query moves` was sent to an engine that may not know it, and not answered yet.
    is_moves_tried: bool,
    /// The position of the last queries, until anything else is sent. A search of it needs no second `position`.
    asked: String,
}

impl Engine {
    /// Creates an engine without starting its process.
    pub fn new(config: EngineConfig) -> Engine {
        Engine {
            facts: Facts::default(),
            process: None,
            script: config.script.as_ref().map(|script| script.fresh()),
            filter: Filter::of(config.infos, config.spec.proto),
            events: VecDeque::new(),
            lines: String::new(),
            now: Instant::now(),
            state: State::Idle,
            stage: Stage::Running,
            watch: Watch::default(),
            queue: VecDeque::new(),
            seed: None,
            is_seeded: false,
            pondered: None,
            late_options: Vec::new(),
            is_moves_tried: false,
            asked: String::new(),
            config,
        }
    }

    /// The name of the engine: the user's, else that of its program.
    pub fn name(&self) -> &str {
        self.config.label()
    }

    /// Sends a request, or keeps it until the answer to an earlier one has arrived. Does not block.
    ///
    /// # Errors
    /// The process does not start or is not running; [`Fault::Unasked`] if the engine has already sent a move.
    pub fn ask(&mut self, request: Request<'_>) -> Result<(), Fault> {
        if let Some(script) = &mut self.script {
            return script.ask(&request);
        }
        let idle_start = Stage::Starting { is_game_due: false };
        match (&request, &self.process) {
            (Request::Start, _) => return self.launch(idle_start),
            (Request::NewGame { .. }, None) => self.launch(idle_start)?,
            (Request::Forfeit, process) => {
                let is_dead = process
                    .as_ref()
                    .is_some_and(|process| process.exited().is_some());
                if self.config.spec.restart != Restart::Off || is_dead {
                    self.process = None;
                }
                return Ok(());
            }
            (Request::Go(_) | Request::Query { .. } | Request::SetUp(_), None) => {
                return Err(Fault::Start("it is not running".to_owned()));
            }
            (_, None) => return Ok(()),
            // Lines that arrived before a request do not answer it. An engine that speaks UGI is fenced by `isready`.
            (Request::Go(_), _) if !self.is_pondering() && self.config.is_fenced() => {}
            (Request::Go(_) | Request::Ponder { .. }, _) => self.read_all(),
            (Request::NewGame { .. } | Request::GameOver { .. }, _) => self.read_all(),
            _ => {}
        }
        // The clock runs from here: what was read above came before.
        self.now = Instant::now();
        let is_end = matches!(request, Request::Quit);
        let asked = self.tell(request);
        self.write();
        if let Some(process) = self.process.as_mut().filter(|_| is_end) {
            process.close_input();
        }
        asked
    }

    /// Returns the next event, or `None` if there is none yet. Reads what has arrived. Does not block.
    ///
    /// # Errors
    /// The engine's fault, including a missed deadline. It can still be used while its process is alive.
    pub fn poll(&mut self, now: Instant) -> Heard {
        if self.events.is_empty() {
            self.read();
        }
        self.step(now)
    }

    /// Blocks until an event that `pick` accepts; others are dropped. The output of another engine, `beside` this one, is
    /// read meanwhile.
    ///
    /// # Errors
    /// Those of [`poll`](Engine::poll), and [`Fault::Stopped`].
    pub fn wait<T>(
        &mut self,
        mut beside: Option<&mut Engine>,
        mut pick: impl FnMut(EngineEvent) -> Option<T>,
    ) -> Result<T, Fault> {
        self.now = Instant::now();
        loop {
            let now = self.now;
            if let Some(event) = self.step(now)? {
                match pick(event) {
                    Some(picked) => return Ok(picked),
                    None => continue,
                }
            }
            let stop = &self.config.stop;
            // No game waits for an idle start: there is nothing to finish.
            if stop.is_now() || stop.is_asked() && self.is_idle_start() {
                return Err(Fault::Stopped);
            }
            let check = now + STOP_CHECK;
            let due = self.deadline(now).map_or(check, |due| due.min(check));
            if !process::read_at_once(now, due, || self.read() == Some(true)) {
                wait_any([&mut *self], beside.as_deref_mut(), None, Some(due));
                self.now = Instant::now();
            }
        }
    }

    /// Latest time of the next [`poll`](Engine::poll): now if an event waits, `None` if nothing is expected.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        match (&self.script, &mut self.process) {
            (Some(script), _) => script.is_due().then_some(now),
            (None, Some(_)) if !self.events.is_empty() => Some(now),
            (None, Some(process)) => {
                let unsent = (!process.flush()).then(|| now + WRITE_PAUSE);
                self.watch.due().into_iter().chain(unsent).min()
            }
            (None, None) => None,
        }
    }

    /// Checks an option against those that the running engine declares; any passes until the handshake is over. The
    /// error text says what the engine rejects.
    ///
    /// # Errors
    /// The engine has no such option, or it rejects the value.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), String> {
        match &self.script {
            Some(script) if script.has_option(name) => return Ok(()),
            None if self.process.is_none() || !self.is_greeted() => return Ok(()),
            _ => {}
        }
        let mut known = Options::new(self.facts.declared.clone());
        if !known.has(name) {
            return Err(format!("{} has no option {name}", self.name()));
        }
        let set = known.set(name, Some(value));
        set.map_err(|error| error.to_string())
    }

    /// Sets an option now and at each start. A searching engine receives it after its move. The error text says what
    /// the engine rejects.
    ///
    /// # Errors
    /// Those of [`check_option`](Engine::check_option).
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.check_option(name, value)?;
        let option = (name.to_owned(), Some(value.to_owned()));
        if let Some(script) = &mut self.script {
            script.set_option(&option);
            return Ok(());
        }
        if self.process.is_some() {
            self.now = Instant::now();
            self.send_option(option);
            self.write();
        } else {
            self.keep_option(option);
        }
        Ok(())
    }

    /// Changes the display name and the name in the log.
    pub fn rename(&mut self, name: &str) {
        self.config.spec.name = Some(name.to_owned());
        name.clone_into(&mut self.config.launch.name);
        if let Some(process) = &mut self.process {
            process.rename(name);
        }
    }

    /// The last lines exchanged and the end of standard error, for a report.
    pub fn last_output(&mut self) -> (Vec<String>, String) {
        let process = self.process.as_mut();
        process.map_or_else(Default::default, |process| {
            (process.transcript(), process.stderr())
        })
    }

    /// Blocks until the process has exited; kills it at the deadline. Returns `true` if it exited by itself.
    pub fn end(&mut self, deadline: Instant) -> bool {
        if let Some(script) = &mut self.script {
            script.end();
        }
        let process = self.process.take();
        process.is_none_or(|mut process| process.await_exit(deadline).is_some())
    }

    /// Kills the process, starts another one, and begins the dialogue with it.
    fn launch(&mut self, stage: Stage) -> Result<(), Fault> {
        self.process = None;
        let process = Process::start(&self.config.launch);
        let process = process.map_err(|error| Fault::of_start(self.name(), &error))?;
        self.now = Instant::now();
        self.begin(stage);
        self.process = Some(Box::new(process));
        self.write();
        Ok(())
    }

    /// Returns the next event, or the fault of a silent or dead process.
    fn step(&mut self, now: Instant) -> Heard {
        if let Some(script) = &mut self.script {
            return script.poll();
        }
        self.now = now;
        while let Some(mut process) = self.process.take() {
            let heard = self.next_event(&mut *process);
            self.process = Some(process);
            match heard {
                Err(fault) if fault.is_death() && self.may_begin_again() => {
                    let is_game_due = !self.is_idle_start();
                    self.launch(Stage::Starting { is_game_due })?;
                }
                Err(fault) if fault.is_silence() && self.config.searches_program() => {
                    return Err(Fault::Rules(self.config.slow_rules(&fault)));
                }
                Err(fault) => return Err(fault.with_memory(self.config.launch.memory)),
                Ok(event) => return Ok(event),
            }
        }
        Ok(None)
    }

    /// Sends the lines that the dialogue has written.
    fn write(&mut self) {
        if let Some(process) = self.process.as_mut().filter(|_| !self.lines.is_empty()) {
            process.send(self.lines.as_bytes());
        }
        self.lines.clear();
    }

    /// Reads once and handles the lines. `None` if there was nothing; `Some(false)` if there was only the noise of a search.
    pub(crate) fn read(&mut self) -> Option<bool> {
        let mut process = self.process.take()?;
        let mut is_news = false;
        let is_read = process.read(|at, line| {
            let is_noise = self.hear(at, line);
            is_news |= !is_noise;
            is_noise
        });
        is_news |= process.is_output_closed() || !self.events.is_empty();
        self.process = Some(process);
        self.write();
        is_read.then_some(is_news)
    }

    /// Reads what has arrived, within a bound.
    fn read_all(&mut self) {
        const MAX_READS: usize = 16;
        (0..MAX_READS)
            .take_while(|_| self.read().is_some())
            .for_each(drop);
    }

    /// `true` if there is output to wait for: what was read before is handled.
    fn is_readable(&self) -> bool {
        let is_open = |process: &Process| !process.is_output_closed();
        self.events.is_empty() && self.process.as_deref().is_some_and(is_open)
    }
}

/// Blocks until one of the engines has something to [`poll`](Engine::poll), `wake` rings, or the time is reached. The output of
/// `idle` engines, which may ponder, is read meanwhile, so that they do not block on their pipes.
pub fn wait_any<'e>(
    engines: impl IntoIterator<Item = &'e mut Engine>,
    idle: impl IntoIterator<Item = &'e mut Engine>,
    wake: Option<&Alarm>,
    until: Option<Instant>,
) {
    let mut engines: Vec<_> = engines.into_iter().collect();
    let mut idle: Vec<_> = idle.into_iter().collect();
    loop {
        let hushed = idle.iter_mut().filter(|engine| engine.is_readable());
        let heard = engines.iter_mut().chain(hushed);
        let processes = heard.filter_map(|engine| engine.process.as_deref_mut());
        let is_woken = process::wait_any(&mut processes.collect::<Vec<_>>(), wake, until);
        for engine in idle.iter_mut().filter(|engine| engine.is_readable()) {
            engine.read();
        }
        let mut is_heard = false;
        for engine in &mut engines {
            // Reports of a search that nothing uses are read and dropped.
            is_heard |= engine.is_readable() && engine.read() == Some(true);
        }
        if is_woken || is_heard || until.is_some_and(|until| Instant::now() >= until) {
            return;
        }
    }
}

/// Sends a request and blocks until an event that `pick` accepts.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub(crate) fn call<T>(
    engine: &mut Engine,
    request: Request<'_>,
    pick: impl FnMut(EngineEvent) -> Option<T>,
) -> Result<T, Fault> {
    engine.ask(request)?;
    engine.wait(None, pick)
}

/// Starts an engine and blocks until its options are set.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn start(engine: &mut Engine) -> Result<(), Fault> {
    let is_started = |event| (event == EngineEvent::Started).then_some(());
    call(engine, Request::Start, is_started)
}

/// Begins a game and blocks until the engine is ready for it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn begin(engine: &mut Engine) -> Result<(), Fault> {
    call(engine, Request::NewGame { seed: None }, EngineEvent::ready)
}

/// Asks a query about the position of a `position` line, and blocks until the answer.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn answer(engine: &mut Engine, position: &str, query: Query) -> Result<String, Fault> {
    let queries = &[query];
    let request = Request::Query { position, queries };
    let texts = call(engine, request, EngineEvent::responses)?;
    Ok(texts.lines().next().unwrap_or_default().to_owned())
}

/// Searches the position of a `position` line, and blocks until the move.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn best_move(
    engine: &mut Engine,
    position: &str,
    go: Go,
    allowance: Option<Duration>,
) -> Result<BestMove, Fault> {
    let search = Search {
        position,
        go,
        allowance,
    };
    call(engine, Request::Go(search), EngineEvent::moved)
}

/// Sends `quit` and blocks until the process has exited; kills it after [`QUIT_TIMEOUT`].
pub fn quit(engine: &mut Engine) {
    // A process that is not running has nothing to quit.
    let _ = engine.ask(Request::Quit);
    engine.end(Instant::now() + QUIT_TIMEOUT);
}

/// Starts an engine for the options that it declares, and ends it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn declarations(config: EngineConfig) -> Result<Vec<OptionDecl>, Fault> {
    let mut engine = Engine::new(config);
    let started = start(&mut engine);
    let declared = std::mem::take(&mut engine.facts.declared);
    quit(&mut engine);
    started.map(|()| declared)
}

/// The user's name for an engine; by default its `id name`, else the name of its program.
pub fn given_name(engine: &Engine) -> String {
    engine.config.given_name(engine.facts.id_name.as_deref())
}

/// The name, with a number appended if it is taken.
pub fn unique_name(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name} #{n}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let unique = names.find(|name| taken.insert(name.clone()));
    unique.expect("an unused number exists")
}

/// An engine in memory: it takes requests and gives events, without lines.
pub trait Script: fmt::Debug + Send + Sync {
    /// Another process of the same engine.
    fn fresh(&self) -> Box<dyn Script>;

    /// Takes a request.
    ///
    /// # Errors
    /// As for [`Engine::ask`].
    fn ask(&mut self, request: &Request<'_>) -> Result<(), Fault>;

    /// The next event.
    ///
    /// # Errors
    /// As for [`Engine::poll`].
    fn poll(&mut self) -> Heard;

    /// `true` if there is an event.
    fn is_due(&self) -> bool;

    /// `true` if the engine has this option.
    fn has_option(&self, name: &str) -> bool;

    /// Sets an option.
    fn set_option(&mut self, option: &SetOption);

    /// The process has ended.
    fn end(&mut self);
}
