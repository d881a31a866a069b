//! `linesman-lab solve`: runs an engine on a suite; shows one line per position and the score at the end.

use std::process::ExitCode;

use check::solve::{Answer, Solver};
use check::suite;
use check::suite::Puzzle;
use record::game::PlyRecord;
use record::pgn::format_thought;
use record::registry::{Registry, Rules};
use referee::game_table::GameTable;
use serde::Serialize;
use serde_json::json;

use crate::args::SolveArgs;
use linesman::output::print;
use linesman::paths;
use linesman::usage::{Failure, OrFail};

/// Runs the engine on the suite. The exit status does not depend on its score, only on the suite's agreement with a
/// table.
pub(crate) fn run(args: &SolveArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let puzzles = suite::load(&args.file, registry)?;
    let spec = args.solver.spec()?;
    let mut tally = Tally::default();
    // Each game needs a separate engine process.
    for game in puzzles.chunk_by(|one, other| one.rules.is_same(&other.rules)) {
        let table = table(&game[0].rules)?;
        let mut solver = args.solver.start(&spec, &game[0].rules)?;
        for puzzle in game {
            let answer = solver.solve(puzzle);
            let answer = answer.map_err(|fault| trouble(&solver, puzzle, &fault))?;
            let wrong = differences(puzzle, table.as_ref())?;
            tally.count(&answer, wrong.as_deref());
            show(args, puzzle, &answer, wrong.as_deref())?;
        }
    }
    print(&tally.text(args.json), args.json)?;
    Ok(match tally.wrong {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The table of a game in the user's folder, if it exists.
fn table(rules: &Rules) -> Result<Option<GameTable>, Failure> {
    let Some(folder) = paths::tables().ok().filter(|folder| folder.is_dir()) else {
        return Ok(None);
    };
    GameTable::open(rules, &folder).or_fail()
}

/// Contradictions between a puzzle and the table; `None` if the table does not contain the position.
fn differences(puzzle: &Puzzle, table: Option<&GameTable>) -> Result<Option<Vec<String>>, Failure> {
    let found = table.map(|table| puzzle.differences(table)).transpose();
    Ok(found.or_fail()?.flatten())
}

fn trouble(solver: &Solver, puzzle: &Puzzle, fault: &dyn std::fmt::Display) -> Failure {
    let (engine, name) = (solver.engine.name(), puzzle.name());
    Failure::Trouble(format!("engine {engine}: {name}: {fault}"))
}

fn show(
    args: &SolveArgs,
    puzzle: &Puzzle,
    answer: &Answer,
    wrong: Option<&[String]>,
) -> Result<(), Failure> {
    let text = match args.json {
        true => json!({
            "line": puzzle.line,
            "id": puzzle.id,
            "game": puzzle.rules.entry().name,
            "position": puzzle.opening,
            "best": puzzle.best,
            "value": puzzle.value.map(|value| value.to_string()),
            "answer": answer,
            "table": wrong,
        })
        .to_string(),
        false => line(puzzle, answer, wrong),
    };
    print(&text, args.json)
}

fn line(puzzle: &Puzzle, answer: &Answer, wrong: Option<&[String]>) -> String {
    let verdict = if answer.solved { "solved" } else { "FAILED" };
    let thought = format_thought(&PlyRecord {
        time: answer.time,
        score: answer.score,
        depth: answer.depth,
        nodes: answer.nodes,
        ..PlyRecord::default()
    });
    let value = puzzle.value.map(|value| value.to_string());
    let mut expected = vec![value.unwrap_or_else(|| "best move".to_owned())];
    match &answer.illegal {
        Some(why) => expected.push(format!("illegal: {why}")),
        None if answer.told == Some(true) => expected.push("told".to_owned()),
        None => {}
    }
    if !answer.solved && !puzzle.best.is_empty() {
        expected.push(format!("expected {}", puzzle.best.join(" or ")));
    }
    if let Some(wrong) = wrong.filter(|wrong| !wrong.is_empty()) {
        expected.push(format!("WRONG, the table says: {}", wrong.join(", ")));
    }
    let (name, mv) = (puzzle.name(), &answer.mv);
    format!(
        "{verdict} {name}: {mv} {{{thought}}} {}",
        expected.join(", ")
    )
}

/// Number of solved puzzles, correct values and contradictions with a table.
#[derive(Default, Serialize)]
struct Tally {
    /// Positions found in a table, and those that contradict it.
    known: usize,
    of: usize,
    solved: usize,
    told: usize,
    values: usize,
    wrong: usize,
}

impl Tally {
    fn count(&mut self, answer: &Answer, wrong: Option<&[String]>) {
        self.known += usize::from(wrong.is_some());
        self.wrong += usize::from(wrong.is_some_and(|wrong| !wrong.is_empty()));
        self.of += 1;
        self.solved += usize::from(answer.solved);
        self.values += usize::from(answer.told.is_some());
        self.told += usize::from(answer.told == Some(true));
    }

    fn text(&self, is_json: bool) -> String {
        if is_json {
            return json!(self).to_string();
        }
        let by_table = match self.known {
            0 => String::new(),
            known => format!("contradicted by a table {} of {known}\n", self.wrong),
        };
        let [told, values] = [self.told, self.values];
        let [solved, of] = [self.solved, self.of];
        format!("{by_table}values found {told} of {values}\nsolved {solved} of {of}")
    }
}
