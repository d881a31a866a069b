//! `linesman-lab learner train`: games of an engine that learns against the one that does not.

use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use fastrand::Rng;
use kit::learn::{Learner, OnlineLearner};
use kit::search::Searcher;
use kit::{DynHistory, Outcome, Side};
use record::registry::Registry;

use super::board;
use crate::args::LearnerTrainArgs;
use crate::long_work::{bar, stop_on_signals};
use linesman::game_name::rules_of;
use linesman::learner::learner;
use linesman::output::say;
use linesman::usage::{Failure, INTERRUPTED, OrFail, refuse};

/// Random moves at the beginning of a game.
const OPENING: usize = 2;
/// Length in plies at which a game counts as drawn.
const LONGEST_GAME: usize = 4_000;
/// Games whose score is shown as one.
const STRETCH: usize = 100;

/// Plays the games, each of which is learned from at once.
pub(super) fn run(args: &LearnerTrainArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let rules = match (&args.game, args.file.exists()) {
        (None, false) => return refuse!("--game: the file is new: name the game to learn"),
        (Some(game), false) => rules_of(game, registry)?,
        (game, true) => {
            let known = Learner::read(&args.file).or_fail()?;
            board(game.as_deref(), &known, registry)?
        }
    };
    let name = rules.entry().name;
    let engine = learner(&rules, registry, args.file.display())?;
    let mut learner = OnlineLearner::open(&args.file, engine.n_inputs()).or_fail()?;
    let stop = stop_on_signals()?;
    let bar = bar(args.games as u64, String::new());
    let mut halves = Vec::new();
    for number in 1..=args.games {
        if stop.load(Relaxed) {
            bar.finish_and_clear();
            let n_games = learner.n_games();
            say(&format!("stopped after game {n_games}, which is kept"))?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let own = Side::BOTH[(number - 1) % 2];
        halves.push(play(args, name, engine.as_ref(), &mut learner, own)?);
        let first = (number - 1) / STRETCH * STRETCH;
        let score = score(&halves[first..]);
        bar.inc(1);
        bar.set_message(format!("{score} in games {} to {number}", first + 1));
        if number % STRETCH == 0 || number == args.games {
            let line = format!("games {} to {number}: {score}", first + 1);
            bar.suspend(|| say(&line))?;
        }
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

fn score(halves: &[u32]) -> String {
    let sum: u32 = halves.iter().sum();
    format!("{:.1} %", 50.0 * f64::from(sum) / halves.len() as f64)
}

/// Plays a game on this side and learns from it. Returns the half points.
fn play(
    args: &LearnerTrainArgs,
    name: &str,
    engine: &dyn DynHistory,
    learner: &mut OnlineLearner,
    own: Side,
) -> Result<u32, Failure> {
    let seed = kit::hash::hash([args.seed, learner.n_games()]);
    let mut rng = Rng::with_seed(seed);
    let mut teacher = engine.fork();
    let mut learning = engine.with_network(learner.network());
    let mut searchers = [Searcher::new(1, 1), Searcher::new(1, 1)];
    while teacher.outcome().is_none() && teacher.ply() < LONGEST_GAME {
        let is_own = teacher.side() == own;
        let code = if teacher.ply() < OPENING {
            let moves = teacher.moves();
            moves[rng.usize(..moves.len())].clone()
        } else if is_own {
            let line = learning.search_nodes(&mut searchers[0], args.nodes as u64, rng.u64(1..));
            line.pv[0].clone()
        } else {
            teacher.move_at_level(&mut searchers[1], args.level, rng.u64(1..))
        };
        for engine in [&mut teacher, &mut learning] {
            engine.play(&code).expect("the engine names legal moves");
        }
    }
    let outcome = teacher.outcome().unwrap_or(Outcome::Draw);
    let learned = learner.learn(name, teacher.as_ref(), outcome, Some(own));
    learned.or_fail()?;
    Ok((2.0 * outcome.points(own)) as u32)
}
