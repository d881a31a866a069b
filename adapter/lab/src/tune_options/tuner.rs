//! The games of a tuning: the engine against itself, with different values on each side.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kit::Options;
use kit::options::or_list;
use lab::parallel::Threads;
use parking_lot::Mutex;
use protocol::{OptionDecl, OptionKind};
use record::game::{GameRecord, GameResult};
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;
use referee::engine::Engine;
use referee::host::Host;
use referee::live_game::Halt;
use referee::match_error::MatchError;
use referee::play::GameRunner;
use referee::tournament::Tournament;

use super::course::{Param, Trial, Tuning};
use super::state_file::TrialScore;

/// Indices of the two engines in the plan and the pool.
pub(crate) const PLUS: usize = 0;
const MINUS: usize = 1;

/// The engines of a tuning, kept running over all iterations.
pub(crate) struct Tuner {
    pub(crate) runner: GameRunner,
    params: Vec<Param>,
    n_games: usize,
}

impl Tuner {
    /// Starts both engines, and checks the openings and parameters. The two engines of the plan are identical.
    ///
    /// # Errors
    /// As for a match; also a parameter that the engine does not have or whose range is too small.
    pub(crate) fn prepare(plan: Plan, tuning: &Tuning, host: &Host) -> Result<Tuner, MatchError> {
        let tuner = Tuner {
            runner: Tournament::prepare(plan, host)?.runner,
            params: tuning.params.clone(),
            n_games: tuning.n_games(),
        };
        let checked = tuner.with_engines(PLUS, 1, |engine| {
            let rules = tuner.runner.rules.as_ref();
            check_params(rules, &engine.facts.declared, &tuner.params)
        });
        if checked.is_err() {
            tuner.runner.pool.shut_down();
        }
        checked.map(|()| tuner)
    }

    /// Plays the games of an iteration, up to the plan's concurrency at the same time.
    ///
    /// # Errors
    /// The tuning was stopped or cannot continue; the results of the iteration are discarded.
    pub(crate) fn play(&self, trial: &Trial) -> Result<TrialScore, MatchError> {
        let n_threads = self.runner.plan.concurrency.min(self.n_games);
        for (engine, values) in [(PLUS, &trial.plus), (MINUS, &trial.minus)] {
            self.set_values(engine, values, n_threads)?;
        }
        let score = Mutex::new(Ok(TrialScore::default()));
        let has_failed = AtomicBool::new(false);
        let work = |(): &mut (), game: u64| {
            let played = self.play_game(trial.iteration, game as usize);
            let mut score = score.lock();
            match (played, &mut *score) {
                (Ok(record), Ok(score)) => {
                    match record.result {
                        GameResult::Draw | GameResult::Unknown => score.draws += 1,
                        result if (result == GameResult::P1Win) != is_swapped(game as usize) => {
                            score.wins += 1;
                        }
                        _ => score.losses += 1,
                    }
                    score.faults.extend(record.fault.map(|_| record.reason));
                }
                (Err(error), Ok(_)) => {
                    *score = Err(error);
                    has_failed.store(true, Relaxed);
                }
                (_, Err(_)) => {}
            }
        };
        let n_games = self.n_games as u64;
        let threads = Threads {
            count: n_threads,
            stop: &has_failed,
        };
        threads.for_each(n_games, || (), work, &mut |_| {});
        match self.runner.stop.failure() {
            Some(why) => Err(MatchError::Trouble(why.to_owned())),
            None => score.into_inner(),
        }
    }

    /// Plays one game of an iteration; `game` is its index in the iteration.
    fn play_game(&self, iteration: u64, game: usize) -> Result<GameRecord, MatchError> {
        let runner = &self.runner;
        let n_before = usize::try_from(iteration - 1).unwrap_or_default() * self.n_games;
        let number = n_before + game + 1;
        let (p1, p2) = match is_swapped(game) {
            false => (PLUS, MINUS),
            true => (MINUS, PLUS),
        };
        let slot = Slot {
            game: number,
            pair: number.div_ceil(2),
            p1,
            p2,
            opening: (number - 1) / 2,
        };
        let opening = runner.plan.opening_of(slot.opening, runner.rules.as_ref());
        let played = runner.play(&slot, &opening, 0, &|_| {});
        played.map_err(|halt| match halt {
            Halt::Trouble(why) => MatchError::Trouble(why),
            Halt::Over(_) | Halt::Stopped => MatchError::Stopped,
        })
    }

    /// Sets the parameters of all engines of one side that play at the same time.
    fn set_values(&self, engine: usize, values: &[i64], n: usize) -> Result<(), MatchError> {
        self.with_engines(engine, n, |player| {
            let mut settings = self.params.iter().zip(values);
            settings
                .try_for_each(|(param, value)| player.set_option(&param.name, &value.to_string()))
        })
    }

    /// Takes engines of one side from the pool, uses them and puts them back.
    fn with_engines(
        &self,
        engine: usize,
        n: usize,
        act: impl Fn(&mut Engine) -> Result<(), String>,
    ) -> Result<(), MatchError> {
        let pool = &self.runner.pool;
        let mut players: Vec<Engine> = (0..n).map(|_| pool.take(engine, 0)).collect();
        let done = players.iter_mut().try_for_each(act);
        for player in players {
            pool.put(engine, 0, player);
        }
        done.map_err(|why| MatchError::Usage(format!("engine {}: {why}", pool.name(engine))))
    }
}

/// `true` if the engine with the values `plus` is player 2, in every second game.
fn is_swapped(game: usize) -> bool {
    game % 2 == 1
}

/// Checks that the engine has the options and that their ranges include the parameters' bounds.
fn check_params(
    rules: Option<&Rules>,
    declared: &[OptionDecl],
    params: &[Param],
) -> Result<(), String> {
    let board = rules.map(|rules| Options::new(rules.entry().source.options()));
    let is_spin = |decl: &&OptionDecl| matches!(decl.kind, OptionKind::Spin { .. });
    let mut spins = Options::new(declared.iter().filter(is_spin).cloned().collect());
    for (at, param) in params.iter().enumerate() {
        let (name, flag) = (&param.name, format!("--param {}", param.name));
        let is_it = |other: &Param| other.name.eq_ignore_ascii_case(name);
        if params[..at].iter().any(is_it) {
            return Err(format!("{flag}: appears twice: name each option once"));
        }
        if board.as_ref().is_some_and(|board| board.has(name)) {
            return Err(format!(
                "{flag}: an option of the board: name one of how the engine plays"
            ));
        }
        if !spins.has(name) {
            let names: Vec<&str> = spins.values().map(|(name, _)| name).collect();
            return Err(match names.as_slice() {
                [] => format!("{flag}: the engine declares no spin option to tune"),
                names => format!(
                    "{flag}: no spin option of the engine: name {}",
                    or_list(names)
                ),
            });
        }
        for bound in [param.min, param.max] {
            let set = spins.set(name, Some(&bound.to_string()));
            set.map_err(|why| format!("{flag}: {why}"))?;
        }
    }
    Ok(())
}
