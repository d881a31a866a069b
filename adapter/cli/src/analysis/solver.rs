//! The engine of the commands that analyse: one engine, searching position after position.

use check::solve::Solver;
use record::engine_spec::EngineSpec;
use record::registry::Rules;
use referee::engine::{Fault, Timeouts};

use crate::args::{LimitArgs, SolverTimeoutArgs};
use crate::config::read_words;
use crate::engines::words::{Words, use_tables};
use crate::program::linesman;
use crate::records::render::program_name;
use crate::usage::{Failure, trouble, usage};

/// The engine of `--engine`, or the built-in one, with the limit of the flags unless its words set one.
pub fn limited_engine(words: Option<&[String]>, limit: &LimitArgs) -> Result<EngineSpec, Failure> {
    let limit = limit.word().unwrap_or_else(|| "st=1".to_owned());
    let key = limit.split('=').next().unwrap_or_default();
    let each = read_words(&format!("--{key}"), std::slice::from_ref(&limit))?;
    let words = match words {
        Some(words) => read_words("--engine", words)?,
        None => Words::builtin(),
    };
    let mut spec = words.spec("--engine", &each)?;
    use_tables(&mut spec);
    Ok(spec)
}

/// Starts an engine and waits until it is ready.
pub fn start(
    spec: &EngineSpec,
    rules: &Rules,
    timeouts: &SolverTimeoutArgs,
) -> Result<Solver, Failure> {
    let own = linesman()?;
    let timeouts = Timeouts::of_ms(timeouts.startup_ms, timeouts.ping_ms);
    Solver::start(spec, rules, timeouts, &own).map_err(|error| match error {
        Fault::Option(why) => usage("--engine", why),
        fault => trouble(format!("--engine {}", program_name(&spec.program)), fault),
    })
}
