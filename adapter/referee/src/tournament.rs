//! A complete match: plays the schedule in concurrent games, one thread each, and records the results.
//!
//! [`Tournament::prepare`] reports errors that prevent a match before the first game. After that, faults of engines do
//! not stop the match. Other machines can play its games, too; see [`remote`](crate::remote).

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope};

use crossbeam_channel::bounded;
use parking_lot::Mutex;
use record::engine_spec::{EngineSpec, Program};
use record::event::{Event, Recorder};
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::{Schedule, Slot};
use record::stats::Summary;

use crate::broadcast::Broadcast;
use crate::capacity::Capacity;
use crate::engine::Fault;
use crate::game_table::GameTable;
use crate::host::Host;
use crate::live_game::Halt;
use crate::match_error::MatchError;
use crate::opening::asked;
use crate::play::GameRunner;
use crate::pool::EnginePool;
use crate::process::Log;
use crate::scoreboard::{Conclusion, Scoreboard};
use crate::stop::Stop;

/// A match with engines that have been started.
#[derive(Debug)]
pub struct Tournament {
    pub(crate) runner: GameRunner,
    log: Option<Arc<Log>>,
    /// Set when the sequential test has decided the match.
    pub(crate) enough: AtomicBool,
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
        let table = table.transpose().map_err(MatchError::Table)?;
        Capacity::of(&plan).check().map_err(MatchError::Trouble)?;
        let open_log = |path| Log::open(path, plan.outputs.log_level, host.stop.clone());
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
            runner: GameRunner::new(plan, rules, stop, pool),
            log: None,
            enough: AtomicBool::new(false),
        }
    }

    /// The plan, including the final engine names.
    pub fn plan(&self) -> &Plan {
        &self.runner.plan
    }

    /// Changes the path of the ledger, for example if the planned one already exists.
    pub fn rename_ledger(&mut self, path: PathBuf) {
        self.runner.plan.ledger = path;
    }

    /// Plays all games that are not in `done`. Each event is passed to the recorders in order, then to the watchers.
    pub fn run(
        self,
        done: Summary,
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        let schedule =
            Schedule::resume(self.plan(), done.results(0)).map_err(MatchError::Trouble)?;
        let mut scoreboard = self.scoreboard(schedule.n_games(), done, recorders, watchers);
        self.play_all(schedule, &mut scoreboard, watchers.sends_moves());
        self.shut_down(&mut scoreboard);
        watchers.close();
        scoreboard.close()
    }

    /// Creates a scoreboard and emits the start of the match.
    pub(crate) fn scoreboard<'a>(
        &'a self,
        n_games: usize,
        done: Summary,
        recorders: &'a mut [Box<dyn Recorder>],
        watchers: &'a Broadcast,
    ) -> Scoreboard<'a> {
        let stop = self.runner.stop.clone();
        let mut scoreboard =
            Scoreboard::new(n_games, done, recorders, watchers, stop, &self.enough)
                .with_log(self.log.clone());
        scoreboard.take(vec![Event::MatchStarted {
            plan: Box::new(self.plan().clone()),
            standing: scoreboard.standing(),
        }]);
        let notes = self.runner.pool.notes(self.runner.rules.as_ref());
        scoreboard.take(notes);
        scoreboard
    }

    /// Shuts down all engines.
    pub(crate) fn shut_down(&self, scoreboard: &mut Scoreboard<'_>) {
        let notes = self.runner.pool.shut_down();
        scoreboard.take(notes);
    }

    /// Plays round after round; a match without rounds is one. The games of a round end before those of the next begin.
    fn play_all(&self, schedule: Schedule, scoreboard: &mut Scoreboard<'_>, wants_moves: bool) {
        let schedule = Mutex::new(schedule);
        loop {
            let n_rounds = schedule.lock().rounds().len();
            self.play_round(&schedule, n_rounds, scoreboard, wants_moves);
            if schedule.lock().rounds().len() == n_rounds {
                break;
            }
        }
    }

    fn play_round(
        &self,
        schedule: &Mutex<Schedule>,
        n_rounds: usize,
        scoreboard: &mut Scoreboard<'_>,
        wants_moves: bool,
    ) {
        let (events, receiver) = bounded(1024);
        let next_game = || {
            let mut schedule = schedule.lock();
            let is_over = self.runner.stop.is_asked() || self.enough.load(Ordering::Relaxed);
            // The last result of a round opens the next one.
            let is_later = schedule.rounds().len() != n_rounds;
            if is_over || is_later {
                None
            } else {
                schedule.take()
            }
        };
        thread::scope(|scope| {
            for place in 0..self.plan().concurrency {
                let (events, next_game) = (events.clone(), &next_game);
                let work = move || {
                    // Sending fails only after the match is over, when the receiver has been dropped.
                    let tell = |event| drop(events.send(event));
                    while let Some(slot) = next_game() {
                        self.play(&slot, place, schedule, wants_moves, &tell);
                    }
                };
                if !spawn(scope, &self.runner.stop, work) {
                    break;
                }
            }
            // The channel closes when the last game thread has ended.
            drop(events);
            scoreboard.run(&receiver);
        });
    }

    fn play(
        &self,
        slot: &Slot,
        place: usize,
        schedule: &Mutex<Schedule>,
        wants_moves: bool,
        tell: &dyn Fn(Event),
    ) {
        let runner = &self.runner;
        let opening = runner.plan.opening_of(slot.opening, runner.rules.as_ref());
        match runner.play(slot, runner.plan.srand, &opening, place, wants_moves, tell) {
            Ok(record) => {
                schedule.lock().finish(slot, record.result);
                let record = Box::new(record);
                tell(Event::GameOver { record });
                runner.late_hint().into_iter().for_each(tell);
            }
            Err(Halt::Trouble(why)) => runner.stop.fail(why),
            Err(Halt::Over(_) | Halt::Stopped) => {}
        }
    }
}

/// Starts a game thread. Stops the match if that fails.
pub(crate) fn spawn<'scope>(
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

/// Rejects games with people, which can only be continued at a table.
fn refuse_people(plan: &Plan) -> Result<(), MatchError> {
    let is_person = |spec: &&EngineSpec| spec.program == Program::Person;
    let person = plan.engines.iter().find(is_person);
    person.map_or(Ok(()), |spec| {
        let why = "is a person: linesman play --continue resumes this ledger";
        Err(MatchError::Engine {
            name: spec.name.clone().unwrap_or_default(),
            fault: Fault::Start(why.to_owned()),
        })
    })
}

/// Checks that the openings are legal in this game.
pub fn check_openings(rules: &Rules, plan: &Plan) -> Result<(), MatchError> {
    for (index, opening) in plan.openings.iter().enumerate() {
        let number = index + 1;
        rules
            .check(opening)
            .map_err(|why| MatchError::Opening { number, why })?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "tests/tournament.rs"]
mod tests;
