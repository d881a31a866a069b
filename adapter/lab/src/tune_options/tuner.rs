//! The games of a tuning: the engine against itself, with different values on each side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use kit::Options;
use parking_lot::Mutex;
use protocol::{OptionDecl, OptionKind};
use record::event::Event;
use record::game::{Ending, GameResult};
use record::plan::Plan;
use record::registry::Rules;
use referee::capacity::Capacity;
use referee::engine::Engine;
use referee::host::Host;
use referee::live_game::{Halt, LiveGame};
use referee::match_error::MatchError;
use referee::opening::asked;
use referee::play::{arbiter, game_seed, play_out};
use referee::pool::EnginePool;
use referee::stop::Stop;
use referee::tournament::check_openings;

use super::course::{Param, Trial, Tuning};
use super::state_file::Score;

/// Indices of the two engines in the plan and the pool.
const PLUS: usize = 0;
const MINUS: usize = 1;

/// The engines of a tuning, kept running over all iterations.
pub(crate) struct Tuner {
    plan: Plan,
    rules: Option<Rules>,
    params: Vec<Param>,
    n_games: usize,
    pool: EnginePool,
    stop: Stop,
}

impl Tuner {
    /// Starts both engines, and checks the openings and parameters. The two engines of the plan are identical.
    ///
    /// # Errors
    /// As for a match; also a parameter that the engine does not have or whose range is too small.
    pub(crate) fn prepare(
        mut plan: Plan,
        tuning: &Tuning,
        host: &Host,
    ) -> Result<Tuner, MatchError> {
        let rules = host.registry.rules(&plan.game).map_err(MatchError::Game)?;
        if let Some(rules) = &rules {
            check_openings(rules, &plan)?;
        }
        Capacity::of(&plan).check().map_err(MatchError::Trouble)?;
        let pool = EnginePool::start(&plan, rules.as_ref(), host, None)?;
        if rules.is_none() {
            asked::complete(&mut plan, &pool)?;
        }
        let tuner = Tuner {
            plan,
            rules,
            params: tuning.params.clone(),
            n_games: tuning.n_games(),
            pool,
            stop: host.stop.clone(),
        };
        match tuner.check_params() {
            Ok(()) => Ok(tuner),
            Err(error) => {
                tuner.shut_down();
                Err(error)
            }
        }
    }

    /// The name of the engine.
    pub(crate) fn name(&self) -> &str {
        self.pool.name(PLUS)
    }

    /// Notes before the first game.
    pub(crate) fn notes(&self) -> Vec<Event> {
        self.pool.notes(self.rules.as_ref())
    }

    /// Sends `quit` to the engines. Blocks.
    pub(crate) fn shut_down(&self) {
        self.pool.shut_down();
    }

    fn check_params(&self) -> Result<(), MatchError> {
        let mut engine = self.pool.take(PLUS, 0);
        let declared = &engine.facts().declared;
        let checked = check_params(self.rules.as_ref(), declared, &self.params);
        self.pool.put(PLUS, 0, engine);
        checked.map_err(|why| MatchError::Usage(format!("engine {}: {why}", self.name())))
    }

    /// Plays the games of an iteration, up to the plan's concurrency at the same time.
    ///
    /// # Errors
    /// The tuning was stopped or cannot continue; the results of the iteration are discarded.
    pub(crate) fn play(&self, trial: &Trial) -> Result<Score, MatchError> {
        let score = Mutex::new(Ok(Score::default()));
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= self.n_games || score.lock().is_err() {
                    return;
                }
                let played = self.play_game(trial, game);
                let mut score = score.lock();
                match (played, &mut *score) {
                    (Ok(ending), Ok(score)) => {
                        match ending.result {
                            GameResult::Draw | GameResult::Unknown => score.draws += 1,
                            result if (result == GameResult::P1Win) != is_swapped(game) => {
                                score.wins += 1;
                            }
                            _ => score.losses += 1,
                        }
                        score.faults.extend(ending.fault.map(|_| ending.reason));
                    }
                    (Err(error), Ok(_)) => *score = Err(error),
                    (_, Err(_)) => {}
                }
            }
        };
        thread::scope(|scope| {
            // This thread plays too, so a concurrency of 1 needs no other.
            for _ in 1..self.plan.concurrency.min(self.n_games) {
                let thread = thread::Builder::new().name("game".to_owned());
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    self.stop
                        .fail(format!("cannot start a thread for a game: {error}"));
                    return;
                }
            }
            work();
        });
        let score = score.into_inner();
        match self.stop.failure() {
            Some(why) => Err(MatchError::Trouble(why.to_owned())),
            None => score,
        }
    }

    /// Plays one game of an iteration; `game` is its index in the iteration.
    fn play_game(&self, trial: &Trial, game: usize) -> Result<Ending, MatchError> {
        let n_before = usize::try_from(trial.iteration - 1).unwrap_or_default() * self.n_games;
        let opening = &*self
            .plan
            .opening_of((n_before + game) / 2, self.rules.as_ref());
        let seed = game_seed(self.plan.srand, (n_before + game) as u64 + 1);
        let plus = self.engine(PLUS, &trial.plus)?;
        let minus = self.engine(MINUS, &trial.minus)?;
        let (mut engines, at) = match is_swapped(game) {
            false => ([plus, minus], [PLUS, MINUS]),
            true => ([minus, plus], [MINUS, PLUS]),
        };
        let arbiter = arbiter(self.rules.as_ref(), opening, &engines);
        let names = engines.each_ref().map(|engine| engine.name().to_owned());
        let clocks = engines.each_ref().map(|engine| engine.config.clock());
        let mut live = LiveGame::new(arbiter, names, clocks, self.plan.adjudication);
        let [p1, p2] = &mut engines;
        let halt = play_out(&mut live, [p1, p2], Some(seed), &mut |_| {});
        for (at, engine) in at.into_iter().zip(engines) {
            self.pool.put(at, 0, engine);
        }
        match halt {
            Halt::Over(ending) => Ok(*ending),
            Halt::Trouble(why) => Err(MatchError::Trouble(why)),
            Halt::Stopped => Err(MatchError::Stopped),
        }
    }

    /// Takes an engine for one game and sets its parameters to these values.
    fn engine(&self, engine: usize, values: &[i64]) -> Result<Engine, MatchError> {
        let mut player = self.pool.take(engine, 0);
        for (param, value) in self.params.iter().zip(values) {
            let set = player.set_option(&param.name, &value.to_string());
            let name = self.pool.name(engine);
            set.map_err(|why| MatchError::Usage(format!("engine {name}: {why}")))?;
        }
        Ok(player)
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
    for (at, param) in params.iter().enumerate() {
        let name = &param.name;
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        if params[..at].iter().any(|other| is_it(&other.name)) {
            return Err(format!("--param {name}: appears twice: expected it once"));
        }
        if board.as_ref().is_some_and(|board| board.has(name)) {
            return Err(format!(
                "--param {name}: an option of the board: expected one of how the engine plays"
            ));
        }
        let range = declared.iter().find(|decl| is_it(&decl.name));
        let range = range.and_then(|decl| match decl.kind {
            OptionKind::Spin { min, max, .. } => Some(min..=max),
            _ => None,
        });
        let Some(range) = range else {
            let spins = declared
                .iter()
                .filter(|decl| matches!(decl.kind, OptionKind::Spin { .. }));
            let spins: Vec<&str> = spins.map(|decl| decl.name.as_str()).collect();
            let expected = match spins.as_slice() {
                [] => "an engine that declares some".to_owned(),
                _ => spins.join(", "),
            };
            return Err(format!(
                "--param {name}: no spin option of its: expected {expected}"
            ));
        };
        if !range.contains(&param.min) || !range.contains(&param.max) {
            let (min, max) = (param.min, param.max);
            return Err(format!(
                "--param {name}: from {min} to {max}: expected it within its range, {} to {}",
                range.start(),
                range.end()
            ));
        }
    }
    Ok(())
}
