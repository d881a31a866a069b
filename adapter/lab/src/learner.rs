//! `linesman-lab learner`: the record of an engine that learns by playing, its games and its scores, and its training in
//! games against the engine that does not learn.

use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use fastrand::Rng;
use kit::fen::counted;
use kit::learn::{Learner, OnlineLearner};
use kit::search::Searcher;
use kit::{DynHistory, Outcome, Side};
use linesman::game_name::rules_of;
use linesman::learner::{MAX_WINDOWS, Record, learner};
use linesman::output::{print, say, shows_unicode};
use linesman::records::files::OwnFile;
use linesman::usage::{Failure, INTERRUPTED, OrFail, refuse};
use record::registry::{Registry, Rules};

use crate::args::{LearnerArgs, LearnerCommand, LearnerRecordArgs, LearnerTrainArgs};
use crate::long_work::{bar, stop_on_signals};

/// Rows of the plot.
const ROWS: usize = 10;
/// Parts of a row, from empty to full.
const PARTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Random moves at the beginning of a game.
const OPENING: usize = 2;
/// Length in plies at which a game counts as drawn.
const LONGEST_GAME: usize = 4_000;
/// Games whose score is shown as one.
const STRETCH: usize = 100;

/// Shows a record, or trains.
pub(crate) fn run(args: &LearnerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(LearnerCommand::Train(args)) => train(args, registry),
        None => show(&args.record, registry),
    }
}

/// The board of an existing file: the named one, or that of its last game.
fn board(named: Option<&str>, learner: &Learner, registry: Registry) -> Result<Rules, Failure> {
    let recorded = learner.history.board.replacen(' ', ":", 1);
    rules_of(named.unwrap_or(&recorded.replace(' ', ",")), registry)
}

/// Shows the record of a file.
fn show(args: &LearnerRecordArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let path = args.file.as_deref().expect("a required argument");
    let svg = args.plot.as_deref();
    let svg = svg.map(|path| OwnFile::check(path, "--plot", report::is_svg));
    let svg = svg.transpose()?;
    let known = Learner::read(path).or_fail()?;
    learner(&board(None, &known, registry)?, registry, path.display())?;
    let record = Record::of(&known, args.every);
    print(text(&known, &record, shows_unicode()).trim_end(), false)?;
    if let Some(file) = svg {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let plot = report::score_svg(&name, &record.windows);
        let why = format!(
            "--plot: too few games: a plot needs two columns of {}",
            record.every
        );
        file.write(plot.ok_or(Failure::Trouble(why))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The summary of a record with a plot.
fn text(learner: &Learner, record: &Record, has_unicode: bool) -> String {
    let board = &learner.history.board;
    let mut text = format!("board: {board}\n{}\n", record.summary());
    if record.windows.is_empty() {
        return text + "no game with a result of its own is on record\n";
    }
    let scores: Vec<f64> = record.windows.iter().map(|window| window.score).collect();
    for part in scores.chunks(MAX_WINDOWS) {
        text += &format!("\n{}", columns(part, has_unicode));
    }
    let games = counted(record.every, "game");
    text + &format!("      a column for each {games}\n")
}

/// A column for each score from 0 to 1, with a line at the bottom.
fn columns(scores: &[f64], has_unicode: bool) -> String {
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row + 1 {
            top if top % 5 == 0 => format!("{:3} %", 100 * top / ROWS),
            _ => String::new(),
        };
        let columns: String = scores
            .iter()
            .map(|score| column(*score, row, has_unicode))
            .collect();
        text += format!("{label:>5} |{columns}").trim_end();
        text.push('\n');
    }
    text + &format!("{:>5} +{}\n", "0 %", "-".repeat(2 * scores.len()))
}

fn column(score: f64, row: usize, has_unicode: bool) -> String {
    let parts = (score * ROWS as f64 - row as f64).clamp(0.0, 1.0) * 8.0;
    let part = match has_unicode {
        true => PARTS[parts.round() as usize],
        false if parts >= 4.0 => '#',
        false => ' ',
    };
    format!("{part} ")
}

/// Plays the games, each of which is learned from at once.
fn train(args: &LearnerTrainArgs, registry: Registry) -> Result<ExitCode, Failure> {
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

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn a_column_is_as_high_as_its_score() {
        let text = columns(&[0.0, 0.55, 1.0], true);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[0], "100 % |    █");
        assert_eq!(rows[4], "      |  ▄ █");
        assert_eq!(rows[5], " 50 % |  █ █");
        assert_eq!(rows[10], "  0 % +------");
        assert_eq!(columns(&[0.55], false).lines().nth(4), Some("      |#"));
    }
}
