//! A whole match: plays the schedule on as many threads as games run at once, and keeps its records. Or has others play it,
//! or plays for others: [`queue`](crate::queue).
//!
//! [`Tournament::prepare`] fails before the first game where a match cannot be played; after that no engine stops it.

mod error;
mod games;
mod local;
mod worker;

pub use error::MatchError;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, Scope};
use std::time::Duration;

use crossbeam_channel::bounded;

use crate::capacity::Capacity;
use crate::client::Fault;
use crate::event::{Broadcast, Event, Recorder};
use crate::game_table::GameTable;
use crate::opening::asked;
use crate::plan::{EngineSpec, Plan, Program};
use crate::pool::EnginePool;
use crate::process::Log;
use crate::queue::{Coordinator, Dispatch, Queue, QueueControl};
use crate::record::GameRecord;
use crate::registry::{Registry, Rules};
use crate::schedule::SharedSchedule;
use crate::scoreboard::Scoreboard;
use crate::stats::Standing;
use crate::stop::Stop;
use games::{GameRunner, Place};
use local::LocalQueue;

/// The longest name of an engine, in characters.
pub const MAX_NAME: usize = 60;

const MIB: u64 = 1 << 20;

/// What a match needs of the program that it runs in.
#[derive(Debug, Clone)]
pub struct Host {
    /// The games that are known.
    pub registry: Registry,
    /// The executable that is a built-in engine when called with `engine GAME`.
    pub executable: PathBuf,
    /// How the match is told to end early.
    pub stop: Stop,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// How it stood then.
    pub standing: Standing,
    /// Whether all games of the schedule were played, or a test has decided the match.
    pub is_complete: bool,
}

/// A match whose engines are ready.
#[derive(Debug)]
pub struct Tournament {
    runner: GameRunner,
    log: Option<Arc<Log>>,
    enough: AtomicBool,
}

impl Tournament {
    /// Starts every engine once, settles names and options, and checks the openings.
    pub fn prepare(mut plan: Plan, host: &Host) -> Result<Tournament, MatchError> {
        refuse_people(&plan)?;
        let rules = host.registry.rules(&plan.game).map_err(MatchError::Game)?;
        if let Some(rules) = &rules {
            check_openings(rules, &plan)?;
        }
        let table = rules.as_ref().zip(plan.adjudicate_table.as_deref());
        let table = table.map(|(rules, path)| GameTable::open_existing(rules, path));
        let table = table.transpose().map_err(MatchError::Table)?;
        Capacity::of(&plan).check().map_err(MatchError::Trouble)?;
        let open_log = |path| {
            let max_bytes = plan.outputs.log_mib.map(|mib| mib.saturating_mul(MIB));
            Log::open_with(path, plan.outputs.log_level, max_bytes, host.stop.clone())
        };
        let log = plan.log.as_deref().map(open_log).transpose();
        let log = log.map_err(MatchError::Log)?.map(Arc::new);
        let pool = EnginePool::start(&plan, rules.as_ref(), host, log.as_ref());
        let pool = pool.map_err(|error| match host.stop.failure() {
            Some(why) => MatchError::Trouble(why.to_owned()),
            None => error,
        })?;
        if rules.is_none() {
            asked::complete(&mut plan, &pool)?;
        }
        let mut tournament = Tournament::new(plan, rules, host.stop.clone(), pool);
        tournament.runner.table = table;
        tournament.log = log;
        Ok(tournament)
    }

    /// A match of engines that are started; the plan gets their names.
    fn new(mut plan: Plan, rules: Option<Rules>, stop: Stop, pool: EnginePool) -> Tournament {
        for (engine, spec) in plan.engines.iter_mut().chain(&mut plan.arbiter).enumerate() {
            spec.name = Some(pool.name(engine).to_owned());
        }
        Tournament {
            runner: GameRunner::new(plan, rules, stop, pool),
            log: None,
            enough: AtomicBool::new(false),
        }
    }

    /// The plan, with the names that were settled.
    pub fn plan(&self) -> &Plan {
        &self.runner.plan
    }

    /// Gives the ledger another name, where that of the plan is taken.
    pub fn rename_ledger(&mut self, path: PathBuf) {
        self.runner.plan.ledger = path;
    }

    /// Plays all games that are not `done` yet. The recorders are called in their order, then the watchers are told.
    pub fn run(
        self,
        done: &[GameRecord],
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        let schedule = Arc::new(SharedSchedule::new(self.plan(), done));
        let mut scoreboard = self.scoreboard(&schedule, done, recorders, watchers);
        self.play_all(&schedule, &mut scoreboard, watchers.tells_moves());
        self.shut_down(&mut scoreboard);
        watchers.close();
        scoreboard.close()
    }

    /// Has workers elsewhere play all games that are not `done` yet, and records what comes back, as
    /// [`run`](Tournament::run) does. No engine runs here.
    pub fn coordinate(
        self,
        queue: &mut dyn QueueControl,
        done: &[GameRecord],
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        let schedule = Arc::new(SharedSchedule::new(self.plan(), done));
        let mut scoreboard = self.scoreboard(&schedule, done, recorders, watchers);
        self.shut_down(&mut scoreboard);
        let rules = self.runner.rules.clone();
        let dispatch = Dispatch::new(self.plan().clone(), rules, schedule);
        let stop = &self.runner.stop;
        Coordinator::new(dispatch, queue, &mut scoreboard, stop, &self.enough).run();
        watchers.close();
        scoreboard.close()
    }

    /// Plays pairs of a queue, as many games at once as the plan says, until the queue has no more. Pairs that are given up
    /// are handed back.
    ///
    /// # Errors
    /// This system lacks something.
    pub fn serve(
        self,
        queue: &dyn Queue,
        keep_every: Duration,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<(), MatchError> {
        worker::serve(&self.runner, queue, keep_every, tell);
        self.runner.pool.shut_down().into_iter().for_each(tell);
        match self.runner.stop.failure() {
            Some(why) => Err(MatchError::Trouble(why.to_owned())),
            None => Ok(()),
        }
    }

    /// A scoreboard that has told how the match begins.
    fn scoreboard<'a>(
        &'a self,
        schedule: &Arc<SharedSchedule>,
        done: &[GameRecord],
        recorders: &'a mut [Box<dyn Recorder>],
        watchers: &'a Broadcast,
    ) -> Scoreboard<'a> {
        let stop = self.runner.stop.clone();
        let schedule = Arc::clone(schedule);
        let mut scoreboard = Scoreboard::new(
            self.plan(),
            schedule,
            done,
            recorders,
            watchers,
            stop,
            &self.enough,
        )
        .with_log(self.log.clone());
        scoreboard.emit(Event::MatchStarted {
            plan: Box::new(self.plan().clone()),
            standing: scoreboard.standing(),
        });
        let notes = self.runner.pool.notes(self.runner.rules.as_ref());
        notes.into_iter().for_each(|note| scoreboard.emit(note));
        scoreboard
    }

    /// Tells all engines to quit.
    fn shut_down(&self, scoreboard: &mut Scoreboard<'_>) {
        let notes = self.runner.pool.shut_down();
        notes.into_iter().for_each(|note| scoreboard.emit(note));
    }

    fn play_all(
        &self,
        schedule: &SharedSchedule,
        scoreboard: &mut Scoreboard<'_>,
        wants_moves: bool,
    ) {
        let (events, receiver) = bounded(1024);
        let queue = LocalQueue {
            plan: self.plan(),
            rules: self.runner.rules.as_ref(),
            schedule,
            stop: &self.runner.stop,
            enough: &self.enough,
            events,
        };
        thread::scope(|scope| {
            let queue = Arc::new(queue);
            for number in 0..self.plan().concurrency {
                let queue = Arc::clone(&queue);
                let work = move || {
                    // Nobody listens any more only where the match is over.
                    let tell = |event| drop(queue.events.send(event));
                    let place = Place {
                        number,
                        tell: &tell,
                        wants_moves,
                    };
                    self.runner.work(&*queue, &place);
                };
                if !spawn(scope, &self.runner.stop, work) {
                    break;
                }
            }
            // The events end with the last game.
            drop(queue);
            scoreboard.run(&receiver);
        });
    }
}

/// Starts the thread of a place; where it cannot be started, the match stops.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    stop: &Stop,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    let thread = thread::Builder::new().name("game".to_owned());
    let spawned = thread.spawn_scoped(scope, work);
    let spawned = spawned.map_err(|error| {
        stop.fail(format!("cannot start a thread for a game: {error}"));
    });
    spawned.is_ok()
}

/// A person's game is gone on with by those who sat at it.
fn refuse_people(plan: &Plan) -> Result<(), MatchError> {
    let is_person = |spec: &&EngineSpec| spec.program == Program::Person;
    let person = plan.engines.iter().find(is_person);
    person.map_or(Ok(()), |spec| {
        let why = "is a person: linesman play --continue goes on with this ledger";
        Err(MatchError::Engine {
            name: spec.name.clone().unwrap_or_default(),
            fault: Fault::Start(why.to_owned()),
        })
    })
}

/// Whether the openings are of this game.
pub(crate) fn check_openings(rules: &Rules, plan: &Plan) -> Result<(), MatchError> {
    for (index, opening) in plan.openings.iter().enumerate() {
        let number = index + 1;
        rules
            .check(opening)
            .map_err(|why| MatchError::Opening { number, why })?;
    }
    Ok(())
}

#[cfg(test)]
mod queue_tests;
#[cfg(test)]
mod tests;
