//! `linesman-lab tune-options`: tunes an engine's spin options by matches against itself (SPSA; Spall 1992).

mod course;
mod state_file;
mod tuner;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use course::{Course, Gains, Param, Trial, Tuning};
use record::adjudication::Adjudication;
use record::engine_spec::{EngineSpec, Program};
use record::event::Event;
use record::game_spec::{ANY, GameSpec};
use record::ledger::LedgerWriter;
use record::opening::Opening;
use record::plan::{Plan, new_plan_id};
use record::registry::{Registry, Rules};
use referee::date::today;
use referee::match_error::MatchError;
use referee::stop::Stop;
use state_file::{Iteration, TrialScore};
use tuner::{PLUS, Tuner};

use crate::args::TuneOptionsArgs;
use linesman::config::read_words;
use linesman::engines::words::quote;
use linesman::game_name::{looks_like_game, missing_game, parse_game_or_any};
use linesman::matches::openings::{opening_source, openings};
use linesman::matches::{heed_signals, host};
use linesman::output::{one_line, say};
use linesman::usage::{Failure, INTERRUPTED, OrFail, fail, refuse, usage};

/// Number of iterations without `--iterations` and `--games`.
const DEFAULT_ITERATIONS: u64 = 1000;

/// A tuning run.
struct Run<'a> {
    args: &'a TuneOptionsArgs,
    course: Course,
    file: LedgerWriter,
    tuner: Tuner,
}

/// Tunes until the last iteration or a signal. Returns the exit status.
pub(crate) fn run(args: &TuneOptionsArgs, registry: Registry) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let host = host(registry)?;
    let open = || state_file::open(&args.state, args.sync);
    let (file, old) = match args.state.exists() {
        true => Some(open().or_fail()?).unzip(),
        false => (None, None),
    };
    let old_tuning = old.as_ref().map(|course| &course.tuning);
    let (tuning, plan) = read(args, registry, old_tuning)?;
    if let Some(setting) = old_tuning.and_then(|old| tuning.difference(old)) {
        let path = args.state.display();
        return refuse!(
            "--state: {path} was started with another setting of {setting}: repeat that command, or name a new file"
        );
    }
    let course = old.unwrap_or_else(|| Course::new(tuning));
    if course.next_trial().is_none() {
        return report(&course).map(|()| ExitCode::SUCCESS);
    }
    let tuner = Tuner::prepare(plan, &course.tuning, &host)?;
    // If the engine does not start, no file is created.
    let file = match file {
        Some(file) => file,
        None => state_file::create(&args.state, &course.tuning, args.sync).or_fail()?,
    };
    let mut run = Run {
        args,
        course,
        file,
        tuner,
    };
    run.begin()?;
    let played = run.play(&host.stop);
    run.tuner.runner.pool.shut_down();
    let is_complete = played?;
    report(&run.course)?;
    if is_complete {
        return Ok(ExitCode::SUCCESS);
    }
    let line = format!("interrupted; {}", run.to_go_on());
    let _ = writeln!(io::stderr(), "{}", one_line(&line));
    Ok(ExitCode::from(INTERRUPTED))
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
        return parse_game_or_any(text, registry);
    }
    let mut words = args.engine.iter().flatten().chain(&args.each);
    Err(match words.find(|word| looks_like_game(word)) {
        None => missing_game(registry, ANY),
        Some(word) => {
            let why = format!(
                "{word:?} is after --engine or --each: write the game before them, as in linesman-lab tune-options {word} \
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
        return refuse!(
            "--engine: builtin: any has no built-in engine: name a program with cmd=PATH"
        );
    }
    Ok(engine)
}

/// The CRC-32 of the openings, one per line.
fn checksum(openings: &[Opening]) -> u32 {
    let lines = openings.iter().map(|opening| format!("{opening}\n"));
    record::ledger::crc32(lines.collect::<String>().as_bytes())
}

impl Run<'_> {
    fn begin(&self) -> Result<(), Failure> {
        let Course { tuning, n_done, .. } = &self.course;
        let runner = &self.tuner.runner;
        let n_done = match n_done {
            0 => String::new(),
            n_done => format!(", {n_done} of them played"),
        };
        say(&format!(
            "{}: tuning {}, {} iterations of {} games{n_done}, seed {}",
            tuning.game,
            runner.pool.name(PLUS),
            tuning.gains.iterations,
            tuning.n_games(),
            tuning.srand
        ))?;
        say(&format!("state: {}", self.args.state.display()))?;
        for note in runner.pool.notes(runner.rules.as_ref()) {
            if let Event::Note { engine, text } = note {
                say(&format!("{engine} {text}"))?;
            }
        }
        Ok(())
    }

    /// Plays the remaining iterations; `false` if a signal stopped them.
    fn play(&mut self, stop: &Stop) -> Result<bool, Failure> {
        while let Some(trial) = self.course.next_trial() {
            if stop.is_asked() {
                return Ok(false);
            }
            match self.tuner.play(&trial) {
                Ok(score) => self.take(trial, score)?,
                Err(MatchError::Stopped) => return Ok(false),
                Err(MatchError::Trouble(why)) => return fail!("{why}; {}", self.to_go_on()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Stores the score of an iteration and updates the values.
    fn take(&mut self, trial: Trial, score: TrialScore) -> Result<(), Failure> {
        self.course.take(&trial, score.margin());
        let values = self.course.values.clone();
        let iteration = Iteration {
            trial,
            score,
            values,
        };
        self.file.sealed_line(&iteration).or_fail()?;
        let n_done = self.course.n_done;
        for fault in &iteration.score.faults {
            say(&format!("Iteration {n_done}: {fault}"))?;
        }
        if !n_done.is_multiple_of(self.args.interval as u64) {
            return Ok(());
        }
        let Tuning { params, gains, .. } = &self.course.tuning;
        let values = params.iter().zip(&self.course.values);
        let values = values.map(|(param, value)| format!("{} {value:.2}", param.name));
        let values = values.collect::<Vec<_>>().join(", ");
        say(&format!(
            "Iteration {n_done} of {}: {values}",
            gains.iterations
        ))
    }

    fn to_go_on(&self) -> String {
        let path = self.args.state.display();
        format!("to resume: the same command, which continues with {path}")
    }
}

/// Shows the tuned values, and the words that set them.
fn report(course: &Course) -> Result<(), Failure> {
    let (params, n_done) = (&course.tuning.params, course.n_done);
    let n_games = n_done * course.tuning.n_games() as u64;
    say(&format!(
        "\nValues after {n_done} iterations, {n_games} games:"
    ))?;
    let width = params.iter().map(|param| param.name.chars().count()).max();
    let width = width.unwrap_or_default();
    let mut words = Vec::new();
    for (param, value) in params.iter().zip(&course.values) {
        let (name, start) = (&param.name, param.start);
        say(&format!("  {name:<width$}  {start} -> {value:.2}"))?;
        words.push(quote(format!("option.{name}={}", value.round() as i64)));
    }
    say(&words.join(" "))
}
