//! A complete match: plays the schedule in concurrent games, one thread each, and records the results.
//!
//! [`Tournament::prepare`] reports errors that prevent a match before the first game. After that, faults of engines do
//! not stop the match. Other machines can play its games, too: one [coordinates](Coordinate), the others
//! [serve](Tournament::serve). How games and results travel between them is not decided here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, bounded};
use parking_lot::Mutex;
use record::engine_spec::{EngineSpec, Program};
use record::event::{Event, Recorder};
use record::game::GameRecord;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Schedule;
use record::stats::{Standing, Summary};

use crate::broadcast::Broadcast;
use crate::capacity;
use crate::engine::Fault;
use crate::game_table::GameTable;
use crate::host::Host;
use crate::live_game::Halt;
use crate::match_error::MatchError;
use crate::opening;
use crate::play::GameRunner;
use crate::pool::EnginePool;
use crate::process::Log;
use crate::stop::Stop;

/// Records the games of a match that other machines play.
pub type Coordinate = Box<dyn FnOnce(&GameRunner, &mut Scoreboard<'_>, Schedule)>;

/// A match with engines that have been started.
pub struct Tournament {
    /// Plays its games. Its plan has the final names of the engines.
    pub runner: GameRunner,
    log: Option<Arc<Log>>,
}

impl Tournament {
    /// Starts every engine once, determines names and options, and checks the openings.
    pub fn prepare(mut plan: Plan, host: &Host) -> Result<Tournament, MatchError> {
        refuse_people(&plan)?;
        let rules = host.registry.rules(&plan.game).map_err(MatchError::Game)?;
        if let Some(rules) = &rules {
            check_openings(rules, &plan)?;
        }
        let table = rules.as_ref().zip(plan.adjudicate_table.as_deref());
        let table = table.map(|(rules, path)| GameTable::open_existing(rules, path));
        let table = table.transpose();
        let table = table.map_err(|why| MatchError::Start(format!("--adjudicate-table: {why}")))?;
        capacity::check(&plan).map_err(MatchError::Trouble)?;
        let open = |path| Log::open(path, plan.outputs.log_level, host.stop.clone());
        let log = plan.log.as_deref().map(open).transpose();
        let log = log.map_err(|why| MatchError::Start(format!("--log: {why}")))?;
        let log = log.map(Arc::new);
        let pool = EnginePool::start(&plan, rules.as_ref(), host, log.as_ref());
        refuse_failed(&host.stop)?;
        let pool = pool?;
        if rules.is_none() {
            opening::complete(&mut plan, &pool)?;
        }
        let mut tournament = Tournament::new(plan, rules, host.stop.clone(), pool);
        tournament.runner.table = table;
        tournament.log = log;
        Ok(tournament)
    }

    /// Creates a match from started engines, whose names are copied to the plan.
    pub(crate) fn new(
        mut plan: Plan,
        rules: Option<Rules>,
        stop: Stop,
        pool: EnginePool,
    ) -> Tournament {
        for (engine, spec) in plan.engines.iter_mut().enumerate() {
            spec.name = Some(pool.name(engine).to_owned());
        }
        Tournament {
            runner: GameRunner {
                plan,
                rules,
                table: None,
                stop,
                pool,
                tells_moves: false,
                is_hinted: AtomicBool::new(false),
            },
            log: None,
        }
    }

    /// Records the games that are not in `done`: they are played here, or `elsewhere`, and then the engines here are shut
    /// down before. Each event is passed to the recorders in order, then to the watchers.
    ///
    /// # Errors
    /// The games in `done` are not those of the schedule, a record cannot be written, or the match was failed elsewhere.
    pub fn run(
        mut self,
        done: Summary,
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
        elsewhere: Option<Coordinate>,
    ) -> Result<Conclusion, MatchError> {
        self.runner.tells_moves = watchers.sends_moves;
        let runner = &self.runner;
        let schedule = Schedule::resume(&runner.plan, done.results(0));
        let schedule = schedule.map_err(MatchError::Trouble)?;
        let mut scoreboard = Scoreboard {
            recorders,
            watchers,
            summary: done,
            n_planned: schedule.n_games(),
            stop: runner.stop.clone(),
            is_decided: Arc::default(),
            is_broken: false,
            log: self.log,
        };
        scoreboard.note_decision();
        scoreboard.take(vec![Event::MatchStarted {
            plan: Box::new(runner.plan.clone()),
            standing: scoreboard.standing(),
        }]);
        scoreboard.take(runner.pool.notes(runner.rules.as_ref()));
        match elsewhere {
            Some(coordinate) => {
                scoreboard.take(runner.pool.shut_down());
                coordinate(runner, &mut scoreboard, schedule);
            }
            None => {
                play_all(runner, schedule, &mut scoreboard);
                scoreboard.take(runner.pool.shut_down());
            }
        }
        watchers.close();
        refuse_failed(&runner.stop)?;
        let standing = scoreboard.standing();
        Ok(Conclusion {
            is_complete: standing.games >= scoreboard.n_planned || scoreboard.is_decided(),
            standing,
            summary: scoreboard.summary,
        })
    }

    /// Runs `work` in one thread for each concurrent game, with the number of its place.
    ///
    /// # Errors
    /// If the system is short of a resource.
    pub fn serve(
        self,
        tell: &(dyn Fn(Event) + Sync),
        work: &(dyn Fn(&GameRunner, usize) + Sync),
    ) -> Result<(), MatchError> {
        let runner = &self.runner;
        thread::scope(|scope| {
            (0..runner.plan.concurrency)
                .all(|place| spawn(scope, &runner.stop, move || work(runner, place)));
        });
        runner.pool.shut_down().into_iter().for_each(tell);
        refuse_failed(&runner.stop)
    }
}

/// Plays round after round; a match without rounds is one. The games of a round end before those of the next begin.
fn play_all(runner: &GameRunner, schedule: Schedule, scoreboard: &mut Scoreboard<'_>) {
    let schedule = Mutex::new(schedule);
    let n_rounds = || schedule.lock().rounds().len();
    let is_decided = Arc::clone(&scoreboard.is_decided);
    loop {
        let round = n_rounds();
        let next_game = || {
            let mut schedule = schedule.lock();
            let is_over = runner.stop.is_asked() || is_decided.load(Ordering::Relaxed);
            // The last result of a round opens the next one.
            let is_later = schedule.rounds().len() != round;
            (!is_over && !is_later).then(|| schedule.take()).flatten()
        };
        let (events, receiver) = bounded(1024);
        let play = |place: usize, tell: &dyn Fn(Event)| {
            while let Some(slot) = next_game() {
                let opening = runner.plan.opening_of(slot.opening, runner.rules.as_ref());
                match runner.play(&slot, &opening, place, tell) {
                    Ok(record) => {
                        schedule.lock().finish(&slot, record.result);
                        let record = Box::new(record);
                        tell(Event::GameOver { record });
                    }
                    Err(Halt::Trouble(why)) => runner.stop.fail(why),
                    Err(Halt::Over(_) | Halt::Stopped) => {}
                }
            }
        };
        thread::scope(|scope| {
            let is_started = |place| {
                let (events, play) = (events.clone(), &play);
                // Sending fails only after the match is over, when the receiver has been dropped.
                let work = move || play(place, &|event| drop(events.send(event)));
                spawn(scope, &runner.stop, work)
            };
            (0..runner.plan.concurrency).all(is_started);
            // The channel closes when the last game thread has ended.
            drop(events);
            scoreboard.run(&receiver);
        });
        if n_rounds() == round {
            break;
        }
    }
}

/// Maximum number of events that are recorded together.
const MAX_TOGETHER: usize = 255;

/// Result of a match.
#[derive(Debug)]
pub struct Conclusion {
    /// The final standing.
    pub standing: Standing,
    /// The statistics of all games.
    pub summary: Summary,
    /// All games of the schedule were played, or a test has decided the match.
    pub is_complete: bool,
}

/// Counts finished games, and forwards the events of all games to recorders and watchers.
pub struct Scoreboard<'a> {
    recorders: &'a mut [Box<dyn Recorder>],
    watchers: &'a Broadcast,
    summary: Summary,
    /// Number of games of the match.
    n_planned: usize,
    /// Requests to end the match early.
    pub stop: Stop,
    /// Set when the sequential test has decided the match.
    is_decided: Arc<AtomicBool>,
    /// A game could not be recorded.
    is_broken: bool,
    log: Option<Arc<Log>>,
}

impl Scoreboard<'_> {
    /// Records a finished game.
    pub fn record(&mut self, record: GameRecord) {
        let record = Box::new(record);
        self.take(vec![Event::GameOver { record }]);
    }

    /// Records a note about an engine, a worker or the network.
    pub fn note(&mut self, about: &str, text: String) {
        self.take(vec![Event::note(about, text)]);
    }

    /// The current standing.
    pub fn standing(&self) -> Standing {
        self.summary.standing(self.n_planned)
    }

    /// `true` if the sequential test has decided the match.
    pub fn is_decided(&self) -> bool {
        self.is_decided.load(Ordering::Relaxed)
    }

    /// Forwards events until all workers have finished. Those that have arrived meanwhile are recorded together.
    fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(first) = events.recv() {
            let later = events.try_iter().take(MAX_TOGETHER);
            self.take(std::iter::once(first).chain(later).collect());
        }
    }

    /// Records the finished games among the events, then counts them and sends all to the watchers. After a failed record,
    /// events are discarded.
    fn take(&mut self, events: Vec<Event>) {
        if self.is_broken {
            return;
        }
        let games = events.iter().filter_map(|event| match event {
            Event::GameOver { record } => Some(record.as_ref()),
            _ => None,
        });
        let games: Vec<&GameRecord> = games.collect();
        let mut recorders = self.recorders.iter_mut().filter(|_| !games.is_empty());
        let recorded = recorders.try_for_each(|recorder| recorder.record_all(&games));
        if let Err(error) = recorded {
            self.stop.fail(error.to_string());
            self.is_broken = true;
            return;
        }
        for event in events {
            if let Some(log) = &self.log {
                log.event(&event);
            }
            let is_counted = match &event {
                Event::GameOver { record } => {
                    self.summary.count(record);
                    self.note_decision();
                    true
                }
                _ => false,
            };
            self.watchers.tell(event);
            if is_counted {
                let standing = self.standing();
                self.watchers.tell(Event::Standing { standing });
            }
        }
    }

    /// Notes whether the sequential test has decided the match.
    fn note_decision(&self) {
        let status = self.summary.sprt();
        if status.is_some_and(|status| status.decision.is_some()) {
            self.is_decided.store(true, Ordering::Relaxed);
        }
    }
}

/// Starts a game thread. Stops the match if that fails.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    stop: &Stop,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    let thread = thread::Builder::new().name("game".to_owned());
    let spawned = thread.spawn_scoped(scope, work);
    let failed = |error| stop.fail(format!("cannot start a thread for a game: {error}"));
    spawned.map_err(failed).is_ok()
}

/// Rejects a match that was stopped by an error of the referee.
fn refuse_failed(stop: &Stop) -> Result<(), MatchError> {
    let failure = stop
        .failure()
        .map(|why| MatchError::Trouble(why.to_owned()));
    failure.map_or(Ok(()), Err)
}

/// Rejects games with people, which can only be continued at a table.
fn refuse_people(plan: &Plan) -> Result<(), MatchError> {
    let is_person = |spec: &&EngineSpec| spec.program == Program::Person;
    let Some(person) = plan.engines.iter().find(is_person) else {
        return Ok(());
    };
    let name = person.name.as_deref().unwrap_or_default();
    let why = "is a person: linesman play --continue resumes this ledger";
    Err(MatchError::of_engine(name, Fault::Start(why.to_owned())))
}

/// Checks that the openings are legal in this game.
pub fn check_openings(rules: &Rules, plan: &Plan) -> Result<(), MatchError> {
    let mut openings = plan.openings.iter().zip(1..);
    openings.try_for_each(|(opening, number)| {
        let checked = rules.check(opening);
        checked.map_err(|why| MatchError::Usage(format!("--openings: opening {number}: {why}")))
    })
}

#[cfg(test)]
#[path = "tests/tournament.rs"]
mod tests;
