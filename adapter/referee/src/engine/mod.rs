//! One engine: a child process and the dialogue with it.
//!
//! [`Engine::ask`] sends a [`Request`] and returns, [`Engine::poll`] returns the next [`EngineEvent`] or the engine's
//! fault; neither blocks. A match and a worker call [`Engine::wait`], which blocks until an event, a fault or an absolute
//! deadline; a table waits for several engines and its people by [`wait_any`]. The state of the dialogue is in `dialogue`,
//! and what is known of the engine in [`Facts`]. Moves are not checked here, and there is no game clock.

mod config;
mod dialogue;
mod fault;
mod hear;
mod lines;
mod setup;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dialogue::Dialogue;
use hear::{EngineFilter, Message};
use kit::Options;
use protocol::{Go, OptionDecl, Query, Reply};
use record::engine_spec::Restart;

use crate::process::{self, Alarm, Process, QUIT_TIMEOUT};

pub use config::{EngineConfig, MAX_NAME, RESIGN, Timeouts};
pub(crate) use dialogue::MAX_OPTIONS;
pub use dialogue::{Facts, Request, Search};
pub(crate) use fault::RULES_FAILURE;
pub use fault::{Complaint, Fault};
pub use hear::{BestMove, EngineEvent, Infos, NOTE};
pub use lines::Lines;
pub use record::engine_spec::SetOption;
pub use setup::{TABLE_PATH, choose_options};

/// Interval at which a wait checks for a stop request.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// An engine. Its process may not be running yet.
pub struct Engine {
    /// Its command and settings, and the options that it declared at its first start.
    pub config: EngineConfig,
    dialogue: Dialogue,
    filter: EngineFilter,
    process: Option<Process>,
    /// Replaces the process in tests.
    script: Option<Box<dyn Script>>,
}

impl Engine {
    /// Creates an engine without starting its process.
    pub fn new(config: EngineConfig) -> Engine {
        Engine {
            dialogue: Dialogue::default(),
            filter: EngineFilter::new(config.infos),
            process: None,
            script: config.script.as_ref().map(MakeScript::make),
            config,
        }
    }

    /// The name of the engine: the user's, else that of its program.
    pub fn name(&self) -> &str {
        self.config.label()
    }

    /// The facts collected from the engine's replies.
    pub fn facts(&mut self) -> &mut Facts {
        &mut self.dialogue.facts
    }

    /// The engine's error message about the last position or `go`.
    pub fn complaint(&self) -> Option<&Complaint> {
        self.dialogue.facts.complaint.as_ref()
    }

    /// Sends a request, or keeps it until the answer to an earlier one has arrived. Does not block.
    ///
    /// # Errors
    /// The process does not start or is not running; [`Fault::Unasked`] if the engine has already sent a move.
    pub fn ask(&mut self, request: Request<'_>, now: Instant) -> Result<(), Fault> {
        if let Some(script) = &mut self.script {
            return script.ask(&request);
        }
        match request {
            Request::Start => return self.launch(Dialogue::begin(&self.config, now)),
            Request::NewGame { .. } if self.process.is_none() => {
                self.launch(Dialogue::begin(&self.config, now))?;
            }
            Request::Forfeit => {
                let is_dead = |process: &Process| process.exited().is_some();
                if self.config.spec.restart != Restart::Off
                    || self.process.as_ref().is_some_and(is_dead)
                {
                    self.process = None;
                }
                return Ok(());
            }
            // Lines that arrived before a request do not answer it. An engine that speaks UGI is fenced by `isready`.
            Request::Go(_) if self.dialogue.is_pondering() || !self.config.is_fenced() => {
                self.read_all();
            }
            Request::Ponder { .. } | Request::NewGame { .. } | Request::GameOver { .. } => {
                self.read_all();
            }
            _ => {}
        }
        if self.process.is_none() {
            return match request {
                Request::Go(_) | Request::Query { .. } | Request::SetUp(_) => {
                    Err(Fault::Start("it is not running".to_owned()))
                }
                _ => Ok(()),
            };
        }
        let is_end = matches!(request, Request::Quit);
        // The clock runs from here: what was read above came before.
        let is_search = matches!(request, Request::Go(_));
        let now = if is_search { Instant::now() } else { now };
        let asked = self.dialogue.ask(request, &mut self.config, now);
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
    pub fn poll(&mut self, now: Instant) -> Result<Option<EngineEvent>, Fault> {
        if self.dialogue.inbox.is_empty() {
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
        loop {
            let now = Instant::now();
            if let Some(event) = self.step(now)? {
                match pick(event) {
                    Some(picked) => return Ok(picked),
                    None => continue,
                }
            }
            let stop = &self.config.stop;
            // No game waits for an idle start: there is nothing to finish.
            if stop.is_now() || stop.is_asked() && self.dialogue.is_idle_start() {
                return Err(Fault::Stopped);
            }
            let check = now + STOP_CHECK;
            let due = self.deadline(now).map_or(check, |due| due.min(check));
            if self.dialogue.inbox.is_empty() && !process::read_at_once(due, || self.read()) {
                wait_any([&mut *self], beside.as_deref_mut(), None, Some(due));
            }
        }
    }

    /// Latest time of the next [`poll`](Engine::poll): now if there are unread messages, `None` if nothing is expected.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        match (&self.script, &mut self.process) {
            (Some(script), _) => script.is_due().then_some(now),
            (None, Some(process)) => self.dialogue.deadline(process, now),
            (None, None) => None,
        }
    }

    /// Checks an option against those that the running engine declares; any passes until the handshake is over. The
    /// error text says what the engine rejects.
    ///
    /// # Errors
    /// The engine has no such option, or it rejects the value.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), String> {
        let mut known = Options::new(self.dialogue.facts.declared.clone());
        match (&self.script, &self.process) {
            (Some(script), _) if script.has_option(name) => return Ok(()),
            (None, Some(_)) if self.dialogue.is_greeted() && known.has(name) => {}
            (None, process) if process.is_none() || !self.dialogue.is_greeted() => return Ok(()),
            _ => return Err(format!("{} has no option {name}", self.name())),
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
            let is_kept = self.dialogue.set_option(&option, Instant::now());
            self.write();
            if !is_kept {
                return Ok(());
            }
        }
        let config = &mut self.config;
        let known = config.options.as_mut().unwrap_or(&mut config.spec.options);
        setup::replace_option(known, option);
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
        match (&self.script, &mut self.process) {
            (Some(script), _) => (script.last_lines(), String::new()),
            (None, Some(process)) => (process.transcript(), process.stderr()),
            (None, None) => Default::default(),
        }
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
    fn launch(&mut self, dialogue: Dialogue) -> Result<(), Fault> {
        self.process = None;
        let process = Process::start(&self.config.launch);
        let process = process.map_err(|error| Fault::of_start(self.name(), &error))?;
        self.process = Some(process);
        self.filter = EngineFilter::new(self.config.infos);
        self.dialogue = dialogue;
        self.write();
        Ok(())
    }

    /// Handles what was read until an event results.
    fn step(&mut self, now: Instant) -> Result<Option<EngineEvent>, Fault> {
        if let Some(script) = &mut self.script {
            return script.poll();
        }
        loop {
            let Some(process) = &mut self.process else {
                return Ok(None);
            };
            let step = self.dialogue.step(&mut self.config, process, now);
            self.write();
            match step {
                Err(fault)
                    if fault.is_death() && self.dialogue.may_begin_again(&mut self.config) =>
                {
                    let again = self.dialogue.begin_again(&self.config, now);
                    self.launch(again)?;
                }
                Err(fault) if fault.is_silence() && self.config.searches_program() => {
                    return Err(Fault::Rules(self.config.slow_rules(&fault)));
                }
                Err(fault) => return Err(fault.with_memory(self.config.launch.memory)),
                Ok(event) => return Ok(event),
            }
        }
    }

    /// Sends the lines that the dialogue has written.
    fn write(&mut self) {
        let lines = &mut self.dialogue.lines;
        if let Some(process) = self.process.as_mut().filter(|_| !lines.is_empty()) {
            process.send(lines.as_bytes());
        }
        lines.clear();
    }

    /// Reads once. Returns `true` if there was anything.
    fn read(&mut self) -> bool {
        let (filter, inbox) = (&mut self.filter, &mut self.dialogue.inbox);
        let process = self.process.as_mut();
        process.is_some_and(|process| process.read(|at, line| filter.take(at, line, inbox)))
    }

    /// Reads what has arrived, within a bound.
    fn read_all(&mut self) {
        const MAX_READS: usize = 16;
        (0..MAX_READS).take_while(|_| self.read()).for_each(drop);
    }

    /// Reads the output of an engine that owes no answer, and drops what its pondering reports.
    fn overhear(&mut self) {
        if self.is_readable() && self.read() {
            let is_report = |message: &Message| matches!(message, Message::Reply(Reply::Info(_)));
            let inbox = &mut self.dialogue.inbox;
            inbox.retain(|received| !is_report(&received.message));
        }
    }

    /// `true` if there is output to wait for: what was read before is handled.
    fn is_readable(&self) -> bool {
        let is_open = |process: &Process| !process.is_output_closed();
        self.dialogue.inbox.is_empty() && self.process.as_ref().is_some_and(is_open)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Engine").field(&self.name()).finish()
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
        let processes = heard.filter_map(|engine| engine.process.as_mut());
        let is_woken = process::wait_any(&mut processes.collect::<Vec<_>>(), wake, until);
        idle.iter_mut().for_each(|engine| engine.overhear());
        let mut is_heard = false;
        for engine in &mut engines {
            // Reports of a search that nothing uses are read and dropped.
            is_heard |= engine.is_readable() && engine.read() && !engine.is_readable();
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
    engine.ask(request, Instant::now())?;
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
    call(engine, request, EngineEvent::response)
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
    let _ = engine.ask(Request::Quit, Instant::now());
    engine.end(Instant::now() + QUIT_TIMEOUT);
}

/// Starts an engine for the options that it declares, and ends it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn declarations(config: EngineConfig) -> Result<Vec<OptionDecl>, Fault> {
    let mut engine = Engine::new(config);
    let started = start(&mut engine);
    let declared = std::mem::take(&mut engine.facts().declared);
    quit(&mut engine);
    started.map(|()| declared)
}

/// The user's name for an engine; by default its `id name`, else the name of its program.
pub fn given_name(engine: &Engine) -> String {
    let id_name = engine.dialogue.facts.id_name.as_deref();
    engine.config.given_name(id_name)
}

/// The name, with a number appended if it is taken.
pub fn unique_name(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name} #{n}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let unique = names.find(|name| taken.insert(name.clone()));
    unique.expect("an unused number exists")
}

/// An engine in memory: it takes requests and gives events, without lines.
pub trait Script: Send {
    /// Takes a request.
    ///
    /// # Errors
    /// As for [`Engine::ask`].
    fn ask(&mut self, request: &Request<'_>) -> Result<(), Fault>;

    /// The next event.
    ///
    /// # Errors
    /// As for [`Engine::poll`].
    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault>;

    /// `true` if there is an event.
    fn is_due(&self) -> bool {
        true
    }

    /// `true` if the engine has this option.
    fn has_option(&self, _name: &str) -> bool {
        true
    }

    /// Sets an option.
    fn set_option(&mut self, _option: &SetOption) {}

    /// The last lines exchanged.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// The process has ended.
    fn end(&mut self) {}
}

/// Makes the [`Script`] of each engine.
#[derive(Clone)]
pub struct MakeScript(Arc<dyn Fn() -> Box<dyn Script> + Send + Sync>);

impl MakeScript {
    /// Scripts that this function makes.
    pub fn new(make: impl Fn() -> Box<dyn Script> + Send + Sync + 'static) -> MakeScript {
        MakeScript(Arc::new(make))
    }

    fn make(&self) -> Box<dyn Script> {
        (self.0)()
    }
}

impl fmt::Debug for MakeScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MakeScript")
    }
}
