//! A player that is an engine.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::session::{LEARN, LEARN_RESULT, SEED, errs_at_random};
use kit::{Options, Outcome};
use protocol::text::visible;
use protocol::{Go, OptionDecl, OptionKind, Query, Score};
use record::clock::{Clock, Limit};
use record::engine_spec::{Proto, Restart, SetOption};

use super::config::EngineConfig;
use super::names::MAX_NAME;
use super::options::choose_options;
use super::source::SeatEngine;
use super::{Oracle, Player, PlayerEvent};
use crate::client::{BestMove, Client, ClientEvent, Complaint, Fault, Message, RESIGN};
use crate::process::{Batch, QUIT_TIMEOUT};
use crate::rules_program;

/// Interval at which a wait checks for a stop request.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// Time in which a built-in engine reports that its process of a rules program does not answer: five seconds, and as much
/// for a busy machine.
const RULES_REPORT: Duration = Duration::from_secs(10);

/// An engine as a player. Its process may not be running yet.
#[derive(Debug)]
pub struct EnginePlayer {
    config: EngineConfig,
    client: Option<Client>,
    stage: EngineStage,
    /// Options set during the handshake. The engine receives those that it declares.
    late_options: Vec<SetOption>,
    /// The position of the current pondering search.
    pondered: Option<String>,
    /// `query moves` was sent to an engine that may not know it, and not answered yet.
    is_moves_tried: bool,
    /// The seed of the next game; see [`set_game_seed`](EnginePlayer::set_game_seed).
    game_seed: Option<u64>,
    /// The process has the seed of a game as its option `Seed`.
    is_seeded: bool,
    /// A game has ended, and what the engine learned from it is not known yet.
    is_learning: bool,
}

/// Progress of starting an engine and its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EngineStage {
    /// Starting: handshake, options, queries. If `is_game_due`, a new game follows.
    Starting { is_game_due: bool },
    /// A new game was announced. `is_fresh` if the process was started for it.
    Preparing { is_fresh: bool },
    /// Ready for requests.
    Running,
}

impl EnginePlayer {
    /// Creates a player without starting the process.
    pub fn new(config: EngineConfig) -> EnginePlayer {
        EnginePlayer {
            config,
            client: None,
            stage: EngineStage::Running,
            late_options: Vec::new(),
            pondered: None,
            is_moves_tried: false,
            game_seed: None,
            is_learning: false,
            is_seeded: false,
        }
    }

    /// Sends this position string for the start position, which is not `startpos` to this engine.
    pub(crate) fn set_start(&mut self, fen: Option<String>) {
        self.config.start = fen;
    }

    /// Starts the process and blocks until its options are set.
    ///
    /// # Errors
    /// A fault of the engine, or [`Fault::Stopped`].
    pub fn start_and_wait(&mut self) -> Result<(), Fault> {
        self.start(Instant::now())?;
        while self.wait()? != PlayerEvent::Started {}
        Ok(())
    }

    /// Requests a move and blocks until it arrives.
    ///
    /// # Errors
    /// A fault of the engine, or [`Fault::Stopped`].
    pub fn move_and_wait(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<BestMove, Fault> {
        self.start_move(position, go, allowance)?;
        self.wait_for_move()
    }

    /// The configuration, including what was learned at the first start.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The name from the engine's `id name`, once received.
    pub fn id_name(&self) -> Option<&str> {
        self.client.as_ref().and_then(Client::id_name)
    }

    /// The options that the running engine declared.
    pub fn declared(&self) -> &[OptionDecl] {
        self.client.as_ref().map_or(&[], Client::declared)
    }

    /// Sets the time or search limit for later games.
    pub fn limit(&mut self, limit: Limit) {
        self.config.spec.limit = limit;
    }

    /// Makes the next game repeatable for an engine that plays below full strength: before the game, it receives a
    /// value of its option `Seed` that depends on this number, unless the user has set that option.
    pub fn set_game_seed(&mut self, seed: u64) {
        self.game_seed = Some(seed);
    }

    /// Sends `quit` and blocks until the process has exited; kills it after [`QUIT_TIMEOUT`].
    pub fn quit(&mut self) {
        self.ask_to_quit();
        self.end(Instant::now() + QUIT_TIMEOUT);
    }

    /// Starts an engine for the options that it declares, and ends it.
    ///
    /// # Errors
    /// A fault of the engine, or [`Fault::Stopped`].
    pub fn declarations(config: EngineConfig) -> Result<Vec<OptionDecl>, Fault> {
        let mut player = EnginePlayer::new(config);
        let started = player.start_and_wait();
        let declared = player.declared().to_vec();
        player.quit();
        started.map(|()| declared)
    }

    /// Ends the process after a game if the engine is configured to restart for each game. Blocks until it has exited.
    pub fn game_over(&mut self) {
        if self.config.spec.restart == Restart::On {
            self.quit();
        }
    }

    /// Processes received messages until an event results.
    fn step(&mut self, now: Instant) -> Result<Option<PlayerEvent>, Fault> {
        loop {
            let Some(client) = &mut self.client else {
                return Ok(None);
            };
            match client.poll(now) {
                // The process died after its last game, which is no fault: this game gets a new process.
                Err(fault)
                    if fault.is_death()
                        && self.stage == (EngineStage::Preparing { is_fresh: false }) =>
                {
                    self.start(now)?;
                    self.stage = EngineStage::Starting { is_game_due: true };
                }
                Err(fault) if fault.is_silence() && self.config.searches_program() => {
                    return Err(Fault::Rules(self.config.slow_rules(&fault)));
                }
                Err(fault) => return Err(fault.with_memory(self.config.launch.memory)),
                Ok(None) => return Ok(None),
                Ok(Some(event)) => {
                    if let Some(event) = self.take(event, now)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
    }

    /// A score as the engine counts it: a CECP program counts the moves to a mate, its bridge the plies.
    fn counted(&self, score: Score) -> Score {
        match (self.config.spec.proto, score) {
            (Proto::Cecp, Score::Mate(plies)) => Score::Mate(plies / 2 + plies.rem_euclid(2)),
            _ => score,
        }
    }

    /// Sets up a game from a position in a program behind a bridge. Blocks.
    ///
    /// # Errors
    /// [`Fault::Unsuitable`] if it cannot be done, and other faults.
    pub(crate) fn try_position(&mut self, position: &str) -> Result<(), Fault> {
        self.stage = EngineStage::Preparing { is_fresh: true };
        self.running()?.try_position(position, Instant::now());
        self.wait_until_ready()
    }

    fn running(&mut self) -> Result<&mut Client, Fault> {
        self.client
            .as_mut()
            .ok_or_else(|| Fault::Start("it is not running".to_owned()))
    }

    /// Handles an event of the client at the current stage.
    fn take(&mut self, event: ClientEvent, now: Instant) -> Result<Option<PlayerEvent>, Fault> {
        Ok(match event {
            ClientEvent::Greeted => {
                self.greeted(now)?;
                None
            }
            ClientEvent::Set => self.set(now),
            ClientEvent::Probed(answers) => {
                self.is_moves_tried = false;
                self.config.answers = answers;
                self.started(now)
            }
            ClientEvent::Ready => {
                self.stage = EngineStage::Running;
                // A bridge has set up the game in its program.
                if let Some(why) = self
                    .complaint()
                    .filter(|_| self.config.spec.proto.is_bridged())
                {
                    return Err(Fault::Unsuitable(why.words.clone()));
                }
                Some(PlayerEvent::Ready)
            }
            ClientEvent::BestMove(mut best) => {
                best.thought.score = best.thought.score.map(|score| self.counted(score));
                Some(PlayerEvent::Moved(best))
            }
            ClientEvent::Response(text) => Some(PlayerEvent::Response(text)),
            ClientEvent::Info(mut info) => {
                info.score = info.score.map(|score| self.counted(score));
                Some(PlayerEvent::Info(info))
            }
            ClientEvent::Learned(text) => {
                self.is_learning = false;
                Some(PlayerEvent::Learned(text))
            }
        })
    }

    fn greeted(&mut self, now: Instant) -> Result<(), Fault> {
        let config = &mut self.config;
        let Some(client) = &mut self.client else {
            return Ok(());
        };
        if let Some(why) = config.unsuitable_limit() {
            return Err(Fault::Unsuitable(why));
        }
        let options = match config.options.take() {
            Some(options) => options,
            None => choose_options(config.rules.as_ref(), &config.spec, client.declared())
                .map_err(Fault::Option)?,
        };
        let options = config.options.insert(options);
        for (name, value) in self.late_options.drain(..) {
            let mut known = Options::new(client.declared().to_vec());
            if known.set(&name, value.as_deref()).is_ok() {
                replace_option(options, (name, value));
            }
        }
        client.set_options(options, now);
        Ok(())
    }

    fn set(&mut self, now: Instant) -> Option<PlayerEvent> {
        const ALL: [Query; 6] = [
            Query::P1Turn,
            Query::GameOver,
            Query::Result,
            Query::Moves,
            Query::Fen,
            Query::Game,
        ];
        const STANDARD: [Query; 3] = [Query::P1Turn, Query::GameOver, Query::Result];
        let EngineStage::Starting { .. } = self.stage else {
            return None;
        };
        if !std::mem::take(&mut self.config.is_probed) {
            return self.started(now);
        }
        self.is_moves_tried = !self.config.is_fragile;
        let queries = match self.config.is_fragile {
            true => &STANDARD[..],
            false => &ALL[..],
        };
        if let Some(client) = &mut self.client {
            client.probe(queries, now);
        }
        None
    }

    /// After a death while `query moves` was tried: lets the next start try the standard queries alone. Returns `false`
    /// if the engine did not die of that.
    pub(crate) fn probe_less(&mut self) -> bool {
        let was_tried = std::mem::take(&mut self.is_moves_tried);
        self.config.is_fragile |= was_tried;
        self.config.is_probed |= was_tried;
        was_tried
    }

    fn started(&mut self, now: Instant) -> Option<PlayerEvent> {
        if self.stage == (EngineStage::Starting { is_game_due: true }) {
            self.new_game(true, now);
            return None;
        }
        self.stage = EngineStage::Running;
        Some(PlayerEvent::Started)
    }

    fn new_game(&mut self, is_fresh: bool, now: Instant) {
        self.stage = EngineStage::Preparing { is_fresh };
        let seed = self.seed_option();
        if let Some(client) = &mut self.client {
            if let Some(seed) = seed {
                client.set_options(&[seed], now);
            }
            client.new_game(now);
        }
    }

    /// The option `Seed` for the game that begins; its default if only an earlier game needed a seed.
    fn seed_option(&mut self) -> Option<SetOption> {
        let seed = self.game_seed?;
        let set = self.config.options.as_deref().unwrap_or_default();
        if set.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED)) {
            return None;
        }
        let mut options = Options::new(self.declared().to_vec());
        for (name, value) in set {
            // The engine's handshake has accepted them, or reported them.
            let _ = options.set(name, value.as_deref());
        }
        let mut declared = options.declared();
        let decl = declared.find(|decl| decl.name.eq_ignore_ascii_case(SEED))?;
        let OptionKind::Spin { default, min, max } = decl.kind else {
            return None;
        };
        let value = match errs_at_random(&options) {
            true => in_range(seed, min.max(1), max)?,
            false if self.is_seeded => default,
            false => return None,
        };
        self.is_seeded = value != default;
        Some((decl.name.clone(), Some(value.to_string())))
    }
}

/// A number of this range that depends on the seed; `None` if the range is empty.
fn in_range(seed: u64, min: i64, max: i64) -> Option<i64> {
    let n_others = u64::try_from(max.checked_sub(min)?).ok()?;
    let above = seed % n_others.checked_add(1)?;
    min.checked_add(i64::try_from(above).ok()?)
}

fn replace_option(options: &mut Vec<SetOption>, option: SetOption) {
    options.retain(|(known, _)| !known.eq_ignore_ascii_case(&option.0));
    options.push(option);
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        self.config.label()
    }

    fn clock(&self) -> Clock {
        Clock::new(self.config.spec.limit, self.config.spec.margin())
    }

    fn begin(&mut self, now: Instant) -> Result<(), Fault> {
        self.pondered = None;
        self.is_learning = false;
        if self.client.is_none() {
            self.start(now)?;
        }
        match &mut self.stage {
            EngineStage::Starting { is_game_due } => *is_game_due = true,
            _ => self.new_game(false, now),
        }
        Ok(())
    }

    fn start_move(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<(), Fault> {
        let mut timeout = allowance.unwrap_or(self.config.timeouts.search);
        if self.config.searches_program() {
            timeout += RULES_REPORT;
        }
        let line = self.config.position(position);
        let is_hit = self
            .pondered
            .take()
            .is_some_and(|pondered| pondered == position);
        let client = self.running()?;
        let now = Instant::now();
        match is_hit {
            true => client.ponder_hit(timeout, now),
            false => client.go(&line, go, timeout, now),
        }
    }

    fn move_now(&mut self) {
        if let Some(client) = &mut self.client {
            client.move_now();
        }
    }

    fn give_up(&mut self) {
        self.pondered = None;
        if let Some(client) = &mut self.client {
            client.give_up(Instant::now());
        }
    }

    fn ponder(&mut self, position: String, go: Go) {
        let client = self.client.as_mut().filter(|_| self.config.spec.ponder);
        let line = self.config.position(&position);
        if client.is_some_and(|client| client.ponder(&line, go, Instant::now())) {
            self.pondered = Some(position);
        }
    }

    fn end_game(&mut self, position: &str, result: Option<Outcome>) {
        let Some(client) = &mut self.client else {
            return;
        };
        let declares = |name: &str| {
            let mut declared = client.declared().iter();
            declared.any(|decl| decl.name.eq_ignore_ascii_case(name))
        };
        if declares(LEARN) && (result.is_none() || declares(LEARN_RESULT)) {
            self.pondered = None;
            self.is_learning = self.config.spec.learning_file().is_some();
            let line = self.config.position(position);
            client.end_game(&line, result, Instant::now());
        }
    }

    fn poll(&mut self, now: Instant) -> Result<Option<PlayerEvent>, Fault> {
        if let Some(client) = &mut self.client {
            client.fetch();
        }
        self.step(now)
    }

    fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.client.as_mut().and_then(|client| client.deadline(now))
    }

    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.client.as_ref().and_then(Client::receiver)
    }

    fn wait(&mut self) -> Result<PlayerEvent, Fault> {
        loop {
            let now = Instant::now();
            if let Some(event) = self.step(now)? {
                return Ok(event);
            }
            // No game waits for this start: there is nothing to finish.
            let is_idle = self.stage == (EngineStage::Starting { is_game_due: false });
            let stop = &self.config.stop;
            if stop.is_now() || is_idle && stop.is_asked() {
                return Err(Fault::Stopped);
            }
            let client = self.running()?;
            let check = now + STOP_CHECK;
            let until = client
                .deadline(now)
                .map_or(check, |deadline| deadline.min(check));
            client.wait(until);
        }
    }

    fn oracle(&mut self) -> Option<&mut dyn Oracle> {
        Some(self)
    }

    fn on_forfeit(&mut self) {
        let is_dead = |client: &Client| client.transport().exited().is_some();
        if self.config.spec.restart != Restart::Off || self.client.as_ref().is_some_and(is_dead) {
            self.client = None;
        }
    }

    fn resigns(&self, answer: &str) -> bool {
        self.config.spec.proto.is_bridged() && answer == RESIGN
    }

    fn drain_notes(&mut self) -> Vec<String> {
        let client = self.client.as_mut();
        client.map_or_else(Vec::new, Client::drain_notes)
    }

    fn complaint(&self) -> Option<&Complaint> {
        self.client.as_ref().and_then(Client::complaint)
    }

    fn rules_failure(&self) -> Option<String> {
        let is_theirs = self.config.searches_program();
        let complaint = self.complaint().filter(|_| is_theirs)?;
        let words = complaint.words.starts_with(rules_program::FAILURE);
        words.then(|| complaint.words.clone())
    }

    fn last_output(&self) -> (Vec<String>, String) {
        let client = self.client.as_ref();
        client.map_or_else(Default::default, |client| client.transport().last_output())
    }
}

impl SeatEngine for EnginePlayer {
    fn start(&mut self, now: Instant) -> Result<(), Fault> {
        self.client = None;
        let transport = self.config.connect();
        let transport = transport.map_err(|error| Fault::of_start(self.config.label(), &error))?;
        let (dialect, timeouts) = (self.config.spec.proto.into(), self.config.timeouts);
        self.client = Some(Client::new(transport, dialect, timeouts, now));
        self.stage = EngineStage::Starting { is_game_due: false };
        self.pondered = None;
        self.is_seeded = false;
        Ok(())
    }

    fn given_name(&self) -> String {
        if let Some(name) = &self.config.spec.name {
            return name.clone();
        }
        let id_name = visible(self.id_name().unwrap_or_default());
        let name = id_name.replace(['"', '\\'], "");
        let name: String = name.chars().take(MAX_NAME).collect();
        if !name.trim().is_empty() {
            return name.trim().to_owned();
        }
        let stem = self.config.launch.program.file_stem();
        stem.map_or_else(
            || "engine".to_owned(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }

    fn rename(&mut self, name: &str) {
        self.config.spec.name = Some(name.to_owned());
        name.clone_into(&mut self.config.launch.name);
        if let Some(client) = &self.client {
            client.transport().rename(name);
        }
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), String> {
        let Some(client) = self.client.as_ref().filter(|client| client.is_greeted()) else {
            return Ok(());
        };
        let mut known = Options::new(client.declared().to_vec());
        if !known.has(name) {
            return Err(format!("{} has no option {name}", self.config.label()));
        }
        let set = known.set(name, Some(value));
        set.map_err(|error| error.to_string())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.check_option(name, value)?;
        let option = (name.to_owned(), Some(value.to_owned()));
        match &mut self.client {
            Some(client) if !client.is_greeted() => {
                self.late_options.push(option);
                return Ok(());
            }
            Some(client) => {
                self.pondered = None;
                client.set_options(std::slice::from_ref(&option), Instant::now());
            }
            None => {}
        }
        let options = match &mut self.config.options {
            Some(options) => options,
            None => &mut self.config.spec.options,
        };
        replace_option(options, option);
        Ok(())
    }

    fn is_learning(&self) -> bool {
        self.is_learning
    }

    fn ask_to_quit(&mut self) {
        if let Some(client) = &mut self.client {
            client.ask_to_quit();
        }
    }

    fn end(&mut self, deadline: Instant) -> bool {
        self.client.take().is_none_or(|client| client.end(deadline))
    }
}

impl Oracle for EnginePlayer {
    fn answers(&self, question: Query) -> bool {
        self.config.answers.contains(&question)
    }

    fn ask(&mut self, position: &str, questions: &[Query]) -> Result<(), Fault> {
        let line = self.config.position(position);
        self.running()?.ask(&line, questions, Instant::now())
    }

    fn fetch(&mut self) {
        if let Some(client) = &mut self.client {
            client.fetch();
        }
    }

    fn response(&mut self) -> Result<String, Fault> {
        loop {
            if let PlayerEvent::Response(text) = self.wait()? {
                return Ok(text);
            }
        }
    }
}
