//! `linesman analyse`: reviews a recorded game with an engine, move by move, and lists the most expensive moves.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use kit::{DynHistory, Side};
use referee::analysis::{Review, ReviewedPly, win_share};
use referee::opening::Opening;
use referee::record::{GameRecord, Points, format_annotated_pgn};
use referee::registry::{Registry, Rules};
use referee::solve::Solver;
use serde_json::json;

use crate::args::AnalyseArgs;
use crate::output::{is_ascii_locale, put};
use crate::solve::{limited_engine, start};
use crate::source::{self, Source};
use crate::usage::Failure;

/// Number of the worst moves that are repeated at the end.
const N_WORST: usize = 3;

/// Maximum number of moves shown of a better line.
pub(crate) const LINE: usize = 6;

/// Bars for scores, from a sure loss to a sure win.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// `BARS` in ASCII.
const DIGITS: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];

/// A reviewed move with its number and the mover's name.
pub(crate) struct Told {
    /// Counted from 1.
    number: usize,
    /// The mover's name on the board.
    name: String,
    ply: ReviewedPly,
}

/// Reviews one game of a file.
pub(crate) fn run(args: &AnalyseArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let source = source::read(&args.file)?;
    let record = source.find(args.game)?;
    let file = args.file.display();
    let rules = source
        .game
        .as_ref()
        .and_then(|game| registry.rules(game).ok().flatten());
    let rules = rules.ok_or_else(|| {
        Failure::Trouble(format!(
            "{file}: the rules of its game are not known here, so it cannot be analysed"
        ))
    })?;
    let trouble =
        |why: &dyn Display| Failure::Trouble(format!("{file}: game {}: {why}", args.game));
    let mut pgn = args.pgn.as_deref().map(create).transpose()?;
    let spec = limited_engine(args.engine.as_deref(), &args.limit)?;
    let mut solver = start(&spec, &rules, &args.timeouts)?;
    let told = review(args, &rules, record, &mut solver, &trouble)?;
    if !args.json {
        put(&summary(&told, args.ascii || is_ascii_locale()), false).map_err(Failure::Output)?;
    }
    if let Some((path, file)) = &mut pgn {
        let text = annotated(registry, &source, record, &told);
        let written = file.write_all(text.as_bytes());
        written.map_err(|why| Failure::Trouble(format!("{}: {why}", path.display())))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates a new file before the analysis starts, so that no file is overwritten and an error costs no search time.
fn create(path: &Path) -> Result<(&Path, File), Failure> {
    let file = File::create_new(path);
    let file = file.map_err(|why| Failure::Trouble(format!("{}: {why}", path.display())))?;
    Ok((path, file))
}

/// The game as PGN, with a comment on each move.
fn annotated(registry: Registry, source: &Source, record: &GameRecord, told: &[Told]) -> String {
    let comment = |told: &Told| {
        let score = told.ply.after.map(|score| score.to_string());
        let words = [score, cost(&told.ply)];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let comments: Vec<String> = told.iter().map(comment).collect();
    let game = source.game.as_ref();
    let game = game.expect("its rules are known");
    format_annotated_pgn(registry, game, source.plan.as_ref(), record, &comments)
}

/// Reviews the game and shows each move when it is done.
fn review(
    args: &AnalyseArgs,
    rules: &Rules,
    record: &GameRecord,
    solver: &mut Solver,
    trouble: &dyn Fn(&dyn Display) -> Failure,
) -> Result<Vec<Told>, Failure> {
    let opening = Opening {
        fen: record.opening.fen.clone(),
        moves: Vec::new(),
    };
    let mut board = rules.open(&opening).map_err(|why| trouble(&why))?;
    let review = Review::new(rules, &opening, record.moves.clone());
    let mut review = review.map_err(|why| trouble(&why))?;
    if review.position().is_none() {
        return Err(trouble(&"it has no moves"));
    }
    let fault = |why: &dyn Display| Failure::Trouble(format!("--engine: {why}"));
    solver.new_game().map_err(|why| fault(&why))?;
    let mut told = Vec::new();
    while let Some(position) = review.position() {
        let best = solver.search(position, review.side());
        let best = best.map_err(|why| fault(&why))?;
        for ply in review.take(&best.code, &best.thought) {
            let entry = tell(board.as_mut(), told.len() + 1, ply);
            show(args, &entry)?;
            told.push(entry);
        }
    }
    Ok(told)
}

/// Adds the mover's name to a reviewed move and makes the move on `board`.
pub(crate) fn tell(board: &mut dyn DynHistory, number: usize, ply: ReviewedPly) -> Told {
    let name = board.side_names()[ply.side.index()].clone();
    // The review has made the same move.
    let _ = board.play(&ply.code);
    Told { number, name, ply }
}

fn show(args: &AnalyseArgs, told: &Told) -> Result<(), Failure> {
    let text = if args.json {
        let mut object = json!(told.ply);
        object["ply"] = json!(told.number);
        object.to_string()
    } else {
        line(told)
    };
    put(&text, args.json).map_err(Failure::Output)
}

/// A line of text: a move, its score from the mover's view, and the better move if there is one.
fn line(told: &Told) -> String {
    let Told { number, name, ply } = told;
    let score = ply
        .after
        .map_or_else(|| "?".to_owned(), |score| score.to_string());
    let text = format!("{number:>4}. {name:<7}{:<10}{score:>8}", ply.code);
    match cost(ply) {
        Some(cost) => format!("{text}  {cost}"),
        None => text,
    }
}

/// The loss of a move as text; `None` below half a percent of a win.
fn cost(ply: &ReviewedPly) -> Option<String> {
    if ply.loss < 0.005 {
        return None;
    }
    let proven = if ply.is_exact { ", proven" } else { "" };
    let mark = if ply.threw_away { "!! " } else { "" };
    let better = match (&ply.line[..], &ply.best) {
        ([], None) => String::new(),
        ([], Some(best)) => format!("; better {best}"),
        (line, _) => format!("; better {}", line[..line.len().min(LINE)].join(" ")),
    };
    let before = ply
        .before
        .map_or_else(String::new, |score| format!(" ({score})"));
    Some(format!(
        "{mark}costs {:.2} of a win{proven}{better}{before}",
        ply.loss
    ))
}

/// A chart of the score over the game, and the worst moves.
pub(crate) fn summary(told: &[Told], is_ascii: bool) -> String {
    let bars = if is_ascii { DIGITS } else { BARS };
    let spark: String = told.iter().map(|told| bar(&told.ply, bars)).collect();
    let first = told.iter().find(|told| told.ply.side == Side::P1);
    let name = first.map_or("p1", |told| &told.name);
    let mut text = format!("\nscore of {name} after each move:\n{spark}\n");
    let mut worst: Vec<&Told> = told
        .iter()
        .filter(|told| cost(&told.ply).is_some())
        .collect();
    worst.sort_by(|one, other| other.ply.loss.total_cmp(&one.ply.loss));
    worst.truncate(N_WORST);
    if worst.is_empty() {
        text.push_str("\nno move cost anything");
        return text;
    }
    text.push_str("\nworst moves:");
    for told in worst {
        text.push('\n');
        text.push_str(&line(told));
    }
    text
}

/// The score after a move as a bar, from player 1's view; a blank if the move has no score.
fn bar(ply: &ReviewedPly, bars: [char; 8]) -> char {
    let Some(score) = ply.after else {
        return ' ';
    };
    let share = win_share(score);
    let share = match ply.side {
        Side::P1 => share,
        Side::P2 => 1.0 - share,
    };
    let is_draw = matches!(score, Points::Cp(0) | Points::Draw);
    let at = if is_draw { 3 } else { (share * 8.0) as usize };
    bars[at.min(bars.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: usize, side: Side, after: Points, loss: f64) -> Told {
        Told {
            number,
            name: if side == Side::P1 { "x" } else { "o" }.to_owned(),
            ply: ReviewedPly {
                code: format!("a{number}"),
                side,
                before: Some(Points::Cp(30)),
                after: Some(after),
                best: Some("b2".to_owned()),
                line: vec!["b2".to_owned(), "b3".to_owned()],
                loss,
                threw_away: loss >= 0.2,
                is_exact: false,
            },
        }
    }

    #[test]
    fn a_move_is_a_line() {
        assert_eq!(
            line(&told(12, Side::P2, Points::Cp(-120), 0.25)),
            "  12. o      a12          -1.20  !! costs 0.25 of a win; better b2 b3 (+0.30)"
        );
        assert_eq!(
            line(&told(1, Side::P1, Points::Mate(5), 0.0)),
            "   1. x      a1             +M5"
        );
    }

    #[test]
    fn the_worst_moves_come_first_and_the_score_is_player_1s() {
        let game = [
            told(1, Side::P1, Points::Cp(0), 0.0),
            told(2, Side::P2, Points::Mate(-3), 0.9),
            told(3, Side::P1, Points::Mate(-3), 1.0),
            told(4, Side::P2, Points::Cp(20), 0.01),
            told(5, Side::P1, Points::Cp(20), 0.02),
        ];
        let text = summary(&game, true);
        assert!(text.contains("\n37034\n"), "{text}");
        let worst: Vec<&str> = text
            .lines()
            .skip_while(|line| *line != "worst moves:")
            .skip(1)
            .map(|line| line.trim_start().split('.').next().expect("a number"))
            .collect();
        assert_eq!(worst, ["3", "2", "5"]);
    }

    #[test]
    fn a_game_without_errors_says_so() {
        let game = [told(1, Side::P1, Points::Cp(0), 0.0)];
        assert!(summary(&game, true).ends_with("no move cost anything"));
    }
}
