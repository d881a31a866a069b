//! Checks a rules program alone, without an engine: what it says about random games must agree with itself.
//!
//! The program is asked twice, by two processes: [`run`] plays games with one, and asks the other about the same positions
//! in another order, so that nothing comes from memory.

use std::io;
use std::time::{Duration, Instant};

use draw::{Gesture, Input, View};
use fastrand::Rng;
use kit::dyn_history::expected_reply;
use kit::{DynHistory, Outcome as GameOutcome};
use protocol::Query;
use record::opening::Opening;
use record::registry::Rules;
use referee::arbiter::is_same;
use referee::stop::Stop;

use crate::games::{Bias, play};
use crate::report::{Checked, Finding, Outcome, fail, skip_unless, warning};
use crate::run::{CheckError, CheckEvent, ended};

/// Maximum length of a game in plies.
const LONGEST_GAME: usize = 300;

/// Time for the games, and for each step; slow programs are tested on fewer positions.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Positions a second below which a match waits for its rules.
const SLOW: f64 = 100.0;

/// The steps in order: name and test.
const STEPS: [(&str, Test); 7] = [
    ("moves", moves),
    ("result", results),
    ("ends", ends),
    ("fen", position_strings),
    ("undo", undo),
    ("diagram", diagram),
    ("speed", speed),
];

type Test = fn(&OwnRules<'_>, &Games) -> Outcome;

/// Random games, and a failure of the program that ended them.
type Games = (Vec<Opening>, Option<Finding>);

/// A rules program to check.
#[derive(Debug, Clone)]
pub struct OwnRules<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The same program, with separate processes.
    pub again: &'a Rules,
    /// Number of random games.
    pub games: usize,
    /// Seed of the games.
    pub seed: u64,
    /// Names of the steps to run; empty for all.
    pub only: &'a [String],
    /// Stops the check.
    pub stop: Stop,
}

/// The names of the steps.
pub fn steps() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|(name, _)| *name)
}

/// Runs the selected steps, and emits the report of each one when it ends.
///
/// # Errors
/// If `emit` fails, or the check is stopped.
pub fn run(
    own: &OwnRules<'_>,
    emit: &mut dyn FnMut(CheckEvent<'_>) -> io::Result<()>,
) -> Result<(), CheckError> {
    let mut emit = |event: CheckEvent<'_>| emit(event).map_err(CheckError::Subscriber);
    let (name, game) = (own.rules.entry().about().title, Ok(own.rules));
    emit(CheckEvent::Started { name, game })?;
    let games = play_games(own);
    let is_wanted = |name: &str| own.only.is_empty() || own.only.iter().any(|only| only == name);
    for &(name, test) in STEPS.iter().filter(|(name, _)| is_wanted(name)) {
        let started_at = Instant::now();
        let outcome = test(own, &games);
        if own.stop.is_asked() {
            return Err(CheckError::Stopped);
        }
        // A failure of the second process shows in the answers alone.
        let fault = own.again.start().fault().filter(|_| outcome.is_ok());
        let outcome = fault.map_or(outcome, |why| Err(fail!("{why}")));
        // `spec/rules.md` has no clauses.
        emit(ended(name, "", outcome, started_at))?;
    }
    Ok(())
}

fn play_games(own: &OwnRules<'_>) -> Games {
    let mut rng = Rng::with_seed(own.seed);
    let mut games = Vec::new();
    for index in in_time(0..own.games).take_while(|_| !own.stop.is_asked()) {
        let bias = [Bias::None, Bias::None, Bias::Ends][index % 3];
        let game = play(own.rules, bias, LONGEST_GAME, &mut rng);
        if let Err(finding) = open(own.rules, &game) {
            return (games, Some(finding));
        }
        games.push(game);
    }
    (games, None)
}

/// The first of these items, until the time of a step is over.
fn in_time<T>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let deadline = Instant::now() + TIME_LIMIT;
    let items = items.into_iter().enumerate();
    let in_time = items.take_while(move |(index, _)| *index == 0 || Instant::now() < deadline);
    in_time.map(|(_, item)| item)
}

/// Every listed move was played.
fn moves(_: &OwnRules<'_>, (games, fault): &Games) -> Outcome {
    let n_positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    let text = format!("{n_positions} positions of {} games", games.len());
    fault.clone().map_or(Ok(text), Err)
}

/// Random games end, with every result.
fn results(own: &OwnRules<'_>, (games, _): &Games) -> Outcome {
    let (mut won, mut draws, mut n_open) = ([0; 2], 0, 0);
    for game in games {
        match open(own.rules, game)?.outcome() {
            Some(GameOutcome::Win(side)) => won[side.index()] += 1,
            Some(GameOutcome::Draw) => draws += 1,
            None => n_open += 1,
        }
    }
    let [p1, p2] = won;
    let text = format!("{p1} won by player 1, {p2} by player 2, {draws} drawn");
    skip_unless!(!games.is_empty(), "no game was played");
    match n_open {
        0 => Ok(text),
        n if n == games.len() => Err(warning!("no random game ended within {LONGEST_GAME} plies")),
        n => Ok(format!("{text}, {n} longer than {LONGEST_GAME} plies")),
    }
}

/// A finished game lists no moves, and a position string of its end is finished too. A draw may follow from the moves.
fn ends(own: &OwnRules<'_>, games: &Games) -> Outcome {
    let at = |board: &dyn DynHistory, game| match board.outcome()? {
        GameOutcome::Draw => Some(game),
        GameOutcome::Win(_) => Some(Opening::at(board.fen())),
    };
    let n_ends = ask_again(own, games, usize::MAX, at, &[Query::Result])?;
    skip_unless!(n_ends > 0, "no game ended");
    Ok(format!("{n_ends} ends"))
}

/// A position string leads to the same position.
fn position_strings(own: &OwnRules<'_>, games: &Games) -> Outcome {
    let at =
        |board: &dyn DynHistory, _| board.outcome().is_none().then(|| Opening::at(board.fen()));
    let queries = [Query::Fen, Query::P1Turn, Query::Moves];
    let n_positions = ask_again(own, games, 3, at, &queries)?;
    Ok(format!("{n_positions} position strings"))
}

/// A `position` line with fewer moves takes moves back.
fn undo(own: &OwnRules<'_>, games: &Games) -> Outcome {
    let queries = [Query::Moves, Query::P1Turn, Query::Result, Query::Fen];
    let n_positions = ask_again(own, games, 1, |_, opening| Some(opening), &queries)?;
    Ok(format!(
        "{n_positions} positions, from the last to the first"
    ))
}

/// Asks the second process about each `stride`th position of the games from the last one back, each reached as `at` says,
/// or left out. Returns their number.
fn ask_again(
    own: &OwnRules<'_>,
    (games, _): &Games,
    stride: usize,
    at: impl Fn(&dyn DynHistory, Opening) -> Option<Opening>,
    queries: &[Query],
) -> Checked<usize> {
    let mut n_positions = 0;
    let plies = |game: &Opening| (0..=game.moves.len()).rev().step_by(stride);
    let of_game = |game| plies(game).map(|plies| game.prefix(plies));
    for opening in in_time(games.iter().flat_map(of_game)) {
        let board = open(own.rules, &opening)?;
        let Some(at) = at(board.as_ref(), opening) else {
            continue;
        };
        let again = open(own.again, &at)?;
        for &query in queries {
            let answers = [&again, &board].map(|board| expected_reply(board.as_ref(), query));
            let [is, was] = answers.map(Option::unwrap_or_default);
            if !is_same(query, &is, &was) {
                let how = format!("\"{is}\" here, and \"{was}\" when the game was played");
                return Err(shown(fail!("query {}: {how}", query.word()), &at));
            }
        }
        n_positions += 1;
    }
    Ok(n_positions)
}

/// The drawing of a position is one, with a gesture for each move.
fn diagram(own: &OwnRules<'_>, (games, _): &Games) -> Outcome {
    let mut n_drawn = 0;
    for game in in_time(games) {
        for plies in (0..=game.moves.len()).step_by(7) {
            let opening = game.prefix(plies);
            let drawn = open(own.rules, &opening)?.diagram(View::default());
            if drawn.caption.starts_with("query diagram: ") {
                return Err(shown(fail!("{}", drawn.caption), &opening));
            }
            let is_button =
                |gesture: &Gesture| gesture.input == Input::Button(gesture.code.clone());
            let is_drawn = !drawn.spots.is_empty() || !drawn.gestures.iter().all(is_button);
            let why = "no answer to query diagram: people get a button for each move";
            skip_unless!(is_drawn, "{why}");
            n_drawn += 1;
        }
    }
    Ok(format!("{n_drawn} drawings"))
}

/// The time for all answers about a position.
fn speed(own: &OwnRules<'_>, _: &Games) -> Outcome {
    const N_GAMES: usize = 3;
    let mut rng = Rng::with_seed(!own.seed);
    let start = Instant::now();
    let games = in_time(0..N_GAMES).map(|_| play(own.again, Bias::None, LONGEST_GAME, &mut rng));
    let n_positions: usize = games.map(|game| game.moves.len() + 1).sum();
    let rate = n_positions as f64 / start.elapsed().as_secs_f64().max(1e-6);
    let text = format!("{rate:.0} positions a second");
    if rate < SLOW {
        return Err(warning!("{text}: a match waits for its rules"));
    }
    Ok(text)
}

fn open(rules: &Rules, opening: &Opening) -> Checked<Box<dyn DynHistory>> {
    let opened = rules.open(opening).map_err(|why| why.to_string());
    let opened = opened.and_then(|board| board.fault().map_or(Ok(board), Err));
    opened.map_err(|why| shown(fail!("{why}"), opening))
}

/// Adds the line that shows a fault.
fn shown(mut finding: Finding, opening: &Opening) -> Finding {
    finding.lines.push(format!("position {opening}"));
    finding
}
