//! The games of a tuning on the machines of workers: its iterations are the parts of one match.

use std::io;
use std::sync::Arc;

use kit::Side;
use parking_lot::Mutex;
use record::event::{Event, Recorder};
use record::finished::{Finished, FinishedGames};
use record::game::{GameRecord, GameResult, Termination};
use record::plan::Plan;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::queue::{PairValues, SpinValues};
use referee::tournament::Tournament;

use super::spsa::{Score, Trial};
use super::{Run, say};
use crate::fleet::Fleet;
use crate::usage::Failure;

/// Has workers play the remaining iterations. Returns the run, and `false` if a signal stopped it.
pub(super) fn play(
    run: Run,
    mut plan: Plan,
    fleet: &Fleet,
    host: &Host,
) -> Result<(Run, bool), Failure> {
    plan.concurrency = 1;
    let to_go_on = run.to_go_on();
    let tournament = Tournament::prepare(plan, host)?;
    let announced = fleet.announce(tournament.plan(), host)?;
    let mut names = tournament.plan().engines.iter();
    let [plus, minus] = [(); 2].map(|()| {
        names
            .next()
            .and_then(|spec| spec.name.clone())
            .unwrap_or_default()
    });
    let done = finished(&run, &plus, &minus);
    let run = Arc::new(Mutex::new(run));
    let source = Arc::clone(&run);
    let values = PairValues::new(move |pair| source.lock().values_of(pair));
    let keeper = Keeper {
        run: Arc::clone(&run),
        plus,
        score: Score::default(),
    };
    let tournament = tournament.with_values(values);
    let ended = announced.run(
        tournament,
        &done,
        &mut [Box::new(keeper)],
        &Broadcast::new(false),
    );
    match ended {
        Ok(_) | Err(MatchError::Stopped) => {}
        Err(MatchError::Trouble(why)) => {
            return Err(Failure::Trouble(format!("{why}; {to_go_on}")));
        }
        Err(error) => return Err(error.into()),
    }
    let run = Arc::into_inner(run)
        .expect("the match has ended")
        .into_inner();
    let is_whole = run.course.next_trial().is_none();
    Ok((run, is_whole))
}

/// The games of the finished iterations, whose results are in the state file.
fn finished(run: &Run, plus: &str, minus: &str) -> FinishedGames {
    let n_done = usize::try_from(run.course.n_done()).unwrap_or(usize::MAX);
    let mut done = FinishedGames::default();
    for game in 1..=n_done.saturating_mul(run.tuning.n_games()) {
        done.push(Finished {
            game,
            pair: game.div_ceil(2),
            p1: plus,
            p2: minus,
            first: Side::P1,
            result: GameResult::Unknown,
            termination: Termination::Unterminated,
            worker: "",
        });
    }
    done
}

impl Run {
    /// The values of both engines in a pair, if it belongs to the next iteration.
    fn values_of(&self, pair: usize) -> Option<Vec<SpinValues>> {
        let trial = self.course.next_trial()?;
        let iteration = pair.div_ceil(self.tuning.pairs) as u64;
        let named = |values: &Vec<i64>| {
            let names = self.tuning.params.iter().map(|param| param.name.clone());
            names.zip(values.iter().copied()).collect()
        };
        let Trial { plus, minus, .. } = &trial;
        (iteration == trial.iteration).then(|| [plus, minus].map(named).to_vec())
    }
}

/// Counts the games of an iteration, and stores it with its last game.
struct Keeper {
    run: Arc<Mutex<Run>>,
    /// Name of the engine with the values `plus`.
    plus: String,
    score: Score,
}

impl Keeper {
    fn count(&mut self, record: &GameRecord) -> Result<(), Failure> {
        let fault = record.fault.is_some().then_some(&*record.reason);
        let is_swapped = record.p1 != self.plus;
        self.score.count(record.result, is_swapped, fault);
        let mut run = self.run.lock();
        if self.score.n_games() < run.tuning.n_games() {
            return Ok(());
        }
        let trial = run.course.next_trial().expect("it was played");
        run.take(&trial, &std::mem::take(&mut self.score))
    }
}

impl Recorder for Keeper {
    fn record(&mut self, event: &Event) -> io::Result<()> {
        let recorded = match event {
            Event::GameOver { record } => self.count(record),
            Event::Note { engine, text } => say(&format!("Note: {engine} {text}")),
            _ => Ok(()),
        };
        recorded.map_err(|failure| match failure {
            Failure::Output(error) => error,
            failure => io::Error::other(failure.text()),
        })
    }
}
