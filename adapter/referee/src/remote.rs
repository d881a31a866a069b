//! A match over several machines: one schedules and records its games, the others play them. How games and results travel
//! between them is not decided here.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use record::event::{Event, Recorder};
use record::game::GameRecord;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Schedule;
use record::stats::{Standing, Summary};

use crate::broadcast::Broadcast;
use crate::match_error::MatchError;
use crate::play::GameRunner;
use crate::scoreboard::{Conclusion, Scoreboard};
use crate::stop::Stop;
use crate::tournament::{Tournament, spawn};

/// A match whose games are played elsewhere.
pub struct RemoteMatch<'a, 'm> {
    /// The plan.
    pub plan: &'a Plan,
    /// The rules, if the game has some.
    pub rules: Option<&'a Rules>,
    /// Requests to end the match early.
    pub stop: &'a Stop,
    scoreboard: &'a mut Scoreboard<'m>,
    /// Set when the sequential test has decided the match.
    enough: &'a AtomicBool,
}

impl RemoteMatch<'_, '_> {
    /// Records a finished game.
    pub fn record(&mut self, record: GameRecord) {
        let record = Box::new(record);
        self.scoreboard.take(vec![Event::GameOver { record }]);
    }

    /// Records a note about an engine, a worker or the network.
    pub fn note(&mut self, about: &str, text: String) {
        self.scoreboard.take(vec![Event::note(about, text)]);
    }

    /// The current standing.
    pub fn standing(&self) -> Standing {
        self.scoreboard.standing()
    }

    /// `true` if the sequential test has decided the match.
    pub fn is_decided(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }
}

impl Tournament {
    /// Records the games that are not in `done`, which `coordinate` lets others play. The engines here are shut down.
    ///
    /// # Errors
    /// The games in `done` are not those of the schedule, a record cannot be written, or `coordinate` failed the match.
    pub fn coordinate(
        self,
        done: Summary,
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
        coordinate: impl FnOnce(&mut RemoteMatch<'_, '_>, Schedule),
    ) -> Result<Conclusion, MatchError> {
        let schedule =
            Schedule::resume(self.plan(), done.results(0)).map_err(MatchError::Trouble)?;
        let mut scoreboard = self.scoreboard(schedule.n_games(), done, recorders, watchers);
        self.shut_down(&mut scoreboard);
        let mut games = RemoteMatch {
            plan: self.plan(),
            rules: self.runner.rules.as_ref(),
            stop: &self.runner.stop,
            scoreboard: &mut scoreboard,
            enough: &self.enough,
        };
        coordinate(&mut games, schedule);
        watchers.close();
        scoreboard.close()
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
            for place in 0..runner.plan.concurrency {
                if !spawn(scope, &runner.stop, move || work(runner, place)) {
                    break;
                }
            }
        });
        runner.pool.shut_down().into_iter().for_each(tell);
        match runner.stop.failure() {
            Some(why) => Err(MatchError::Trouble(why.to_owned())),
            None => Ok(()),
        }
    }
}
