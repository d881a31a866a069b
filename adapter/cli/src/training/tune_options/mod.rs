//! `linesman tune-options`: tunes an engine's spin options by matches against itself (SPSA; Spall 1992).

mod spsa;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use record::adjudication::Adjudication;
use record::date::today;
use record::engine_spec::{EngineSpec, Program};
use record::event::Event;
use record::game_spec::{ANY, GameSpec};
use record::opening::Opening;
use record::plan::{Plan, new_plan_id};
use record::registry::{Registry, Rules};
use referee::match_error::MatchError;
use referee::stop::Stop;
use spsa::{Course, Gains, Iteration, Param, Score, StateFile, Trial, Tuner, Tuning};

use crate::args::TuneOptionsArgs;
use crate::config::read_words;
use crate::engines::words::quote;
use crate::game_name::{looks_like_game, missing_game, parse_game};
use crate::matches::host::{heed_signals, host};
use crate::matches::openings::{opening_source, openings};
use crate::output::{one_line, print};
use crate::usage::{Failure, INTERRUPTED, OrFail, refuse, usage};

/// Number of iterations without `--iterations` and `--games`.
const DEFAULT_ITERATIONS: u64 = 1000;

/// A tuning run.
struct Run {
    /// The state file.
    path: PathBuf,
    /// Number of iterations after which the values are shown.
    interval: u64,
    tuning: Tuning,
    course: Course,
    file: StateFile,
}

/// Tunes until the last iteration or a signal. Returns the exit status.
pub(crate) fn run(args: &TuneOptionsArgs, registry: Registry) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let host = host(registry)?;
    let known = match args.state.exists() {
        true => Some(open(args)?),
        false => None,
    };
    let old = known.as_ref().map(|(_, tuning, _)| tuning);
    let (tuning, plan) = read(args, registry, old)?;
    if let Some(old) = old
        && let Some(setting) = tuning.difference(old)
    {
        let path = args.state.display();
        return refuse!(
            "--state: {path} was started with another setting of {setting}: expected the same command, or a new file"
        );
    }
    let path = args.state.clone();
    let interval = args.interval as u64;
    let (file, course) = match known {
        Some((file, _, course)) if course.next_trial().is_none() => {
            return Run {
                path,
                interval,
                tuning,
                course,
                file,
            }
            .finish();
        }
        Some((file, _, course)) => (Some(file), course),
        None => (None, Course::new(&tuning)),
    };
    let tuner = Tuner::prepare(plan, &tuning, &host)?;
    // If the engine does not start, no file is created.
    let file = match file {
        Some(file) => file,
        None => StateFile::create(&args.state, &tuning, args.sync.into()).or_fail()?,
    };
    let mut run = Run {
        path,
        interval,
        tuning,
        course,
        file,
    };
    run.begin(&tuner)?;
    let played = run.play(&tuner, &host.stop);
    tuner.shut_down();
    match played? {
        true => run.finish(),
        false => run.interrupted(),
    }
}

fn open(args: &TuneOptionsArgs) -> Result<(StateFile, Tuning, Course), Failure> {
    StateFile::open(&args.state, args.sync.into()).or_fail()
}

/// The settings of the arguments; missing ones are taken from the file of a resumed tuning.
fn read(
    args: &TuneOptionsArgs,
    registry: Registry,
    old: Option<&Tuning>,
) -> Result<(Tuning, Plan), Failure> {
    let game = game(args, registry)?;
    let rules = registry.rules(&game)?;
    let params = args.param.iter().map(|text| Param::parse(text));
    let params = params.collect::<Result<Vec<_>, _>>().or_usage("--param")?;
    let engine = engine(args, rules.as_ref())?;
    let pairs = args.pairs.or(old.map(|old| old.pairs));
    let pairs = pairs.unwrap_or(args.concurrency.div_ceil(2));
    let iterations = match (args.iterations, args.games, old) {
        (Some(iterations), ..) => iterations as u64,
        (None, Some(games), _) => games.div_ceil(2 * pairs) as u64,
        (None, None, Some(old)) => old.gains.iterations,
        (None, None, None) => DEFAULT_ITERATIONS,
    };
    let srand = args.seed.or(old.map(|old| old.srand));
    let srand = srand.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let source = opening_source(&args.openings, rules.is_some())?;
    let n_openings = usize::try_from(iterations)
        .unwrap_or(usize::MAX)
        .saturating_mul(pairs);
    let openings = openings(&source, rules.as_ref(), srand, n_openings)?;
    let id = old.map(|old| old.id.clone()).filter(|id| !id.is_empty());
    let tuning = Tuning {
        id: id.unwrap_or_else(new_plan_id),
        game: game.clone(),
        engine: engine.clone(),
        params,
        gains: Gains {
            iterations,
            rate: args.rate,
        },
        pairs,
        srand,
        openings: source.clone(),
        openings_crc32: checksum(&openings),
    };
    let engines = [vec![engine.clone()], vec![engine]];
    let plan = Plan {
        id: tuning.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        games: n_openings.saturating_mul(2),
        swaps: true,
        concurrency: args.concurrency.min(tuning.n_games()),
        srand,
        opening_source: Some(source),
        openings,
        adjudication: Adjudication {
            max_plies: args.max_plies,
            draw: None,
            resign: None,
        },
        startup_ms: args.timeouts.startup_ms,
        ping_ms: args.timeouts.ping_ms,
        search_timeout_ms: args.search_timeout.search_timeout_ms,
        ..Plan::one_game(game, engines, PathBuf::new())
    };
    Ok((tuning, plan))
}

fn game(args: &TuneOptionsArgs, registry: Registry) -> Result<GameSpec, Failure> {
    if let Some(text) = &args.game {
        return parse_game(text, registry);
    }
    let mut words = args.engine.iter().flatten().chain(&args.each);
    Err(match words.find(|word| looks_like_game(word)) {
        None => missing_game(registry, ANY),
        Some(word) => {
            let why = format!(
                "{word:?} is after --engine or --each: expected it before them, as in linesman tune-options {word} \
                 --param ..."
            );
            usage("GAME", &why)
        }
    })
}

fn engine(args: &TuneOptionsArgs, rules: Option<&Rules>) -> Result<EngineSpec, Failure> {
    let each = read_words("--each", &args.each)?;
    let own = args.engine.as_deref().unwrap_or_default();
    let words = read_words("--engine", own)?.or_builtin();
    let engine = words.spec("--engine", &each)?;
    if rules.is_none() && engine.program == Program::Builtin {
        return refuse!("--engine: builtin: any has no built-in engine: expected cmd=PATH");
    }
    Ok(engine)
}

/// The CRC-32 of the openings, one per line.
fn checksum(openings: &[Opening]) -> u32 {
    let lines = openings.iter().map(|opening| format!("{opening}\n"));
    record::ledger::crc32(lines.collect::<String>().as_bytes())
}

impl Run {
    fn begin(&self, tuner: &Tuner) -> Result<(), Failure> {
        let tuning = &self.tuning;
        let n_done = match self.course.n_done() {
            0 => String::new(),
            n_done => format!(", {n_done} of them played"),
        };
        say(&format!(
            "{}: tuning {}, {} iterations of {} games{n_done}, seed {}",
            tuning.game,
            tuner.name(),
            tuning.gains.iterations,
            tuning.n_games(),
            tuning.srand
        ))?;
        say(&format!("state: {}", self.path.display()))?;
        for note in tuner.notes() {
            if let Event::Note { engine, text } = note {
                say(&format!("{engine} {text}"))?;
            }
        }
        Ok(())
    }

    /// Plays the remaining iterations; `false` if a signal stopped them.
    fn play(&mut self, tuner: &Tuner, stop: &Stop) -> Result<bool, Failure> {
        while let Some(trial) = self.course.next_trial() {
            if stop.is_asked() {
                return Ok(false);
            }
            let score = match tuner.play(&trial) {
                Ok(score) => score,
                Err(MatchError::Stopped) => return Ok(false),
                Err(MatchError::Trouble(why)) => {
                    return Err(Failure::Trouble(format!("{why}; {}", self.to_go_on())));
                }
                Err(error) => return Err(error.into()),
            };
            self.take(&trial, &score)?;
        }
        Ok(true)
    }

    /// Stores the score of an iteration and updates the values.
    fn take(&mut self, trial: &Trial, score: &Score) -> Result<(), Failure> {
        let mut iteration = Iteration {
            iteration: trial.iteration,
            plus: trial.plus.clone(),
            minus: trial.minus.clone(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            values: Vec::new(),
        };
        self.course.take(trial, iteration.margin());
        iteration.values = self.course.values().to_vec();
        self.file.keep(&iteration).or_fail()?;
        for fault in &score.faults {
            say(&format!("Iteration {}: {fault}", trial.iteration))?;
        }
        match trial.iteration.is_multiple_of(self.interval) {
            true => say(&self.progress()),
            false => Ok(()),
        }
    }

    fn progress(&self) -> String {
        let (n_done, n_all) = (self.course.n_done(), self.tuning.gains.iterations);
        let values = self.tuning.params.iter().zip(self.course.values());
        let values: Vec<String> = values
            .map(|(param, value)| format!("{} {value:.2}", param.name))
            .collect();
        format!("Iteration {n_done} of {n_all}: {}", values.join(", "))
    }

    /// Shows the tuned values, and the words that set them.
    fn report(&self) -> Result<(), Failure> {
        let n_games = self.course.n_done() * self.tuning.n_games() as u64;
        let n_done = self.course.n_done();
        say(&format!(
            "\nValues after {n_done} iterations, {n_games} games:"
        ))?;
        let params = &self.tuning.params;
        let width = params.iter().map(|param| param.name.chars().count()).max();
        for (param, value) in params.iter().zip(self.course.values()) {
            let width = width.unwrap_or_default();
            say(&format!(
                "  {:<width$}  {} -> {value:.2}",
                param.name, param.start
            ))?;
        }
        let words = params.iter().zip(self.course.rounded());
        let words: Vec<String> = words
            .map(|(param, value)| {
                let word = format!("option.{}={value}", param.name);
                quote(word)
            })
            .collect();
        say(&words.join(" "))
    }

    fn finish(&self) -> Result<ExitCode, Failure> {
        self.report().map(|()| ExitCode::SUCCESS)
    }

    fn interrupted(&self) -> Result<ExitCode, Failure> {
        self.report()?;
        let line = format!("interrupted; {}", self.to_go_on());
        let _ = writeln!(io::stderr(), "{}", one_line(&line));
        Ok(ExitCode::from(INTERRUPTED))
    }

    fn to_go_on(&self) -> String {
        let path = self.path.display();
        format!("to resume: the same command, which continues with {path}")
    }
}

fn say(line: &str) -> Result<(), Failure> {
    print(line, false)
}
