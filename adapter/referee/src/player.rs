//! Those who play: whoever can be asked for a move.
//!
//! [`Player`] is what a game needs of them. [`EnginePlayer`] is an engine together with all that it takes to start
//! it, and to start it again after a fault.

use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

use protocol::{Go, OptionDecl, Query};

use crate::client::{BestMove, Client, Fault};
use crate::clock::{Clock, Limit};
use crate::plan::{EngineSpec, Program, Restart};
use crate::process::{Launch, QUIT_PATIENCE};
use crate::stop::MoveNow;

/// A player at the board.
pub trait Player {
    /// The name to show.
    fn name(&self) -> &str;

    /// A fresh clock for one game.
    fn clock(&self) -> Clock;

    /// Gets ready for another game.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Asks for a move in the position that a `position` line tells; `allowance` is what the clock allows, `None`
    /// where time is no limit.
    fn choose(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<BestMove, Fault>;

    /// Lets it think on the other's time about the position that it expects. Nothing comes of it where it does not
    /// ponder.
    fn ponder(&mut self, position: String, go: Go);

    /// Whether it answers this question.
    fn answers(&self, question: Query) -> bool;

    /// Puts questions about a position, told by a `position` line, without waiting.
    fn ask(&mut self, position: &str, questions: &[Query]) -> Result<(), Fault>;

    /// The answer to the next question.
    fn response(&mut self) -> Result<String, Fault>;

    /// Takes notice that a game was lost through a fault.
    fn blame(&mut self);

    /// The last lines exchanged and the end of what went to standard error, for a report.
    fn last_words(&self) -> (Vec<String>, String);
}

/// An option's name and the value to set it to; a button has none.
pub type SetOption = (String, Option<String>);

/// How long engines may take where no clock runs.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the handshake.
    pub startup: Duration,
    /// For any other answer.
    pub ping: Duration,
}

/// An engine, running or about to run.
#[derive(Debug)]
pub struct EnginePlayer {
    name: String,
    spec: EngineSpec,
    launch: Launch,
    options: Vec<SetOption>,
    patience: Timeouts,
    answers: Vec<Query>,
    asked: Instant,
    /// The position that it ponders on.
    pondered: Option<String>,
    /// Who may have it move at once; nobody in a match.
    nudge: Option<MoveNow>,
    client: Option<Client>,
}

impl EnginePlayer {
    /// An engine that is not running yet; `options` are sent to it at each start, `answers` are the questions that
    /// it answers, as far as that was found out.
    pub fn new(
        spec: EngineSpec,
        launch: Launch,
        options: Vec<SetOption>,
        answers: Vec<Query>,
        patience: Timeouts,
    ) -> EnginePlayer {
        EnginePlayer {
            name: spec.name.clone().unwrap_or_default(),
            spec,
            launch,
            options,
            patience,
            answers,
            asked: Instant::now(),
            pondered: None,
            nudge: None,
            client: None,
        }
    }

    /// Starts the process and greets it, without waiting for an answer.
    pub fn launch(&mut self) -> Result<(), Fault> {
        let mut client = Client::start(&self.launch, self.spec.proto.into())
            .map_err(|error| Fault::Start(error.to_string()))?;
        if let Some(nudge) = &self.nudge {
            client.heed(nudge.clone());
        }
        self.client = Some(client);
        Ok(())
    }

    /// Hears the handshake: the options that the engine declares.
    pub fn shake_hands(&mut self) -> Result<&[OptionDecl], Fault> {
        let deadline = Instant::now() + self.patience.startup;
        let client = self.running()?;
        client.shake_hands(deadline)?;
        Ok(client.declared())
    }

    /// The name that the engine gave itself, once it has.
    pub fn id_name(&self) -> Option<&str> {
        self.client.as_ref().and_then(Client::id_name)
    }

    /// Settles the name and the options after the first handshake, and sets the options.
    pub fn settle(&mut self, name: String, options: Vec<SetOption>) -> Result<(), Fault> {
        self.launch.who.clone_from(&name);
        if let Some(client) = &self.client {
            client.process().rename(&name);
        }
        self.name = name;
        self.options = options;
        self.set_options()
    }

    /// Finds out which questions the engine answers.
    pub fn probe(&mut self) -> Result<&[Query], Fault> {
        const ALL: [Query; 4] = [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];
        let deadline = Instant::now() + self.patience.ping;
        self.answers = self.running()?.probe(&ALL, deadline)?;
        Ok(&self.answers)
    }

    /// From here on, whoever holds the nudge can have the engine move at once.
    pub fn heed(&mut self, nudge: MoveNow) {
        if let Some(client) = &mut self.client {
            client.heed(nudge.clone());
        }
        self.nudge = Some(nudge);
    }

    /// Goes by another name from here on.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// How long it may think in a game from here on.
    pub fn limit(&mut self, limit: Limit) {
        self.spec.limit = limit;
    }

    /// Sets an option that the engine must have declared, now and at each start.
    ///
    /// # Errors
    /// Says that the engine has no such option, or what it did wrong.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let deadline = Instant::now() + self.patience.ping;
        let option = (name.to_owned(), Some(value.to_owned()));
        if let Some(client) = &mut self.client {
            let is_it = |decl: &OptionDecl| decl.name.eq_ignore_ascii_case(name);
            if !client.declared().iter().any(is_it) {
                return Err(format!("{} has no option {name}", self.name));
            }
            self.pondered = None;
            let set = client
                .stop_search(deadline)
                .and_then(|()| client.set_options(slice::from_ref(&option), deadline));
            set.map_err(|fault| format!("{}: {fault}", self.name))?;
        }
        self.options
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.options.push(option);
        Ok(())
    }

    /// Tells the process to quit; dropping the player or [`end`](EnginePlayer::end) waits for it.
    pub fn ask_to_quit(&mut self) {
        if let Some(client) = &mut self.client {
            client.ask_to_quit();
        }
    }

    /// Waits until the deadline for the process to quit, then kills it. Whether it went by itself.
    pub fn end(&mut self, deadline: Instant) -> bool {
        self.client.take().is_none_or(|client| client.end(deadline))
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.launch()?;
        self.shake_hands()?;
        self.set_options()
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.patience.ping;
        self.running()?.new_game(deadline)
    }

    fn set_options(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.patience.startup;
        let Some(client) = &mut self.client else {
            return Err(not_running());
        };
        client.set_options(&self.options, deadline)
    }

    fn running(&mut self) -> Result<&mut Client, Fault> {
        self.client.as_mut().ok_or_else(not_running)
    }
}

fn not_running() -> Fault {
    Fault::Start("it is not running".to_owned())
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn clock(&self) -> Clock {
        Clock::new(self.spec.limit, self.spec.margin())
    }

    fn begin(&mut self) -> Result<(), Fault> {
        self.pondered = None;
        if self.client.is_some() {
            match self.new_game() {
                // It died when its last game was over, which costs nothing: the next one gets a fresh process.
                Err(fault) if fault.is_death() => self.client = None,
                begun => return begun,
            }
        }
        self.restart()?;
        self.new_game()
    }

    fn choose(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<BestMove, Fault> {
        let patience = allowance.unwrap_or(self.patience.ping);
        let ping = self.patience.ping;
        let pondered = self.pondered.take();
        let client = self.running()?;
        match pondered {
            Some(pondered) if pondered == position => return client.ponder_hit(patience),
            Some(_) => client.stop_search(Instant::now() + ping)?,
            None => {}
        }
        client.go(position, go, patience)
    }

    fn ponder(&mut self, position: String, go: Go) {
        let deadline = Instant::now() + self.patience.ping;
        let client = self.client.as_mut().filter(|_| self.spec.ponder);
        // A fault shows again when the answer is due, and is judged there.
        if client.is_some_and(|client| client.ponder(&position, go, deadline).is_ok()) {
            self.pondered = Some(position);
        }
    }

    fn answers(&self, question: Query) -> bool {
        self.answers.contains(&question)
    }

    fn ask(&mut self, position: &str, questions: &[Query]) -> Result<(), Fault> {
        self.asked = Instant::now();
        let deadline = self.asked + self.patience.ping;
        self.running()?.ask(position, questions, deadline)
    }

    fn response(&mut self) -> Result<String, Fault> {
        let deadline = self.asked + self.patience.ping;
        self.running()?.hear_response(deadline)
    }

    fn blame(&mut self) {
        let is_dead = self
            .client
            .as_ref()
            .is_none_or(|client| client.process().is_dead());
        if is_dead || self.spec.restart != Restart::Off {
            self.client = None;
        }
    }

    fn last_words(&self) -> (Vec<String>, String) {
        self.client
            .as_ref()
            .map_or_else(Default::default, |client| {
                let process = client.process();
                (process.transcript(), process.stderr())
            })
    }
}

impl EnginePlayer {
    /// Takes notice that a game is over: an engine that wants a fresh process for each game is told to quit.
    pub fn game_over(&mut self) {
        if self.spec.restart == Restart::On {
            self.ask_to_quit();
            self.end(Instant::now() + QUIT_PATIENCE);
        }
    }
}

/// What to start for an engine of a plan.
pub fn executable(
    program: &Program,
    game: &str,
    own: &Path,
) -> (PathBuf, Vec<String>, Option<PathBuf>) {
    match program {
        Program::Builtin | Program::Person => (
            own.to_owned(),
            vec!["engine".to_owned(), game.to_owned()],
            None,
        ),
        Program::Command { path, args, dir } => (path.clone(), args.clone(), dir.clone()),
    }
}
