//! Exercises: the steps of a game's lesson, and puzzles. The rules judge the moves.

use draw::Goal;
use kit::lesson;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::Rules;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Host;
use crate::games::{read_opening, reason, rules_of};
use crate::view_state::{Position, Shown, ViewState};

/// A position with a forced win.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// The game and its options.
    pub rules: Rules,
    /// The position.
    pub opening: Opening,
    /// Plies to the end of the win.
    pub plies: u32,
    /// The source or a remark, for the user.
    pub note: Option<String>,
}

/// A request of a page about an exercise.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ExerciseAsk {
    game: String,
    #[serde(flatten)]
    pub(crate) exercise: ExerciseId,
    /// The moves made so far, of both sides.
    moves: Vec<String>,
    #[serde(flatten)]
    act: ExerciseAct,
}

/// The number of an exercise, from 0.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExerciseId {
    /// A step of the lesson.
    Lesson(usize),
    Puzzle(usize),
}

/// The subject of a request.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "act", rename_all = "kebab-case")]
enum ExerciseAct {
    /// The position after the moves.
    Show,
    /// A move of the user.
    Try { code: String },
    /// The reason why a move is illegal.
    Why { code: String },
    /// The rest of the solution.
    Solve,
}

impl ExerciseAsk {
    /// Returns the fields of the answer.
    ///
    /// # Errors
    /// There is no such exercise, or a move is illegal.
    pub(crate) fn answer(&self, host: &dyn Host) -> Result<Value, String> {
        let (rules, opening, goal) = self.find(host)?;
        let after = |moves: &[String]| Opening {
            moves: [&opening.moves, moves].concat(),
            ..opening.clone()
        };
        let here = after(&self.moves);
        let engine = || rules.open(&here).map_err(|why| why.to_string());
        match &self.act {
            ExerciseAct::Show => {
                let view = show(&rules, &here)?;
                Ok(match goal {
                    Goal::Win(plies) => json!({ "view": view, "plies": plies }),
                    _ => json!({ "view": view }),
                })
            }
            ExerciseAct::Try { code } => {
                let attempt = lesson::judge(&goal, engine()?.as_ref(), code);
                let attempt = attempt.map_err(|why| why.to_string())?;
                let moves = [&self.moves[..], &attempt.moves].concat();
                Ok(json!({ "attempt": attempt, "view": show(&rules, &after(&moves))? }))
            }
            ExerciseAct::Why { code } => Ok(json!({ "why": reason(engine()?.as_ref(), code) })),
            ExerciseAct::Solve => {
                Ok(json!({ "line": lesson::solution(&goal, engine()?.as_ref()) }))
            }
        }
    }

    /// Returns the rules, the position, and the goal after the moves.
    fn find(&self, host: &dyn Host) -> Result<(Rules, Opening, Goal), String> {
        let registry = host.registry();
        match self.exercise {
            ExerciseId::Lesson(at) => {
                let rules = rules_of(registry, &GameSpec::new(&self.game, []))?;
                let steps = &rules.entry().texts().lesson.steps;
                let step = steps.get(at).ok_or_else(|| missing(steps.len()))?;
                let opening = read_opening(&rules, Some(step.position))?;
                Ok((rules, opening, self.rest(step.goal.clone())))
            }
            ExerciseId::Puzzle(at) => {
                let puzzles = host.puzzles(&self.game);
                let puzzle = puzzles.get(at).ok_or_else(|| missing(puzzles.len()))?;
                let goal = self.rest(Goal::Win(puzzle.plies));
                Ok((puzzle.rules.clone(), puzzle.opening.clone(), goal))
            }
        }
    }

    /// The part of a goal that remains after the moves.
    fn rest(&self, goal: Goal) -> Goal {
        match goal {
            Goal::Win(plies) => Goal::Win(plies.saturating_sub(self.moves.len() as u32)),
            other => other,
        }
    }
}

fn missing(count: usize) -> String {
    format!("There is no such exercise. Choose one of {count}, numbered from 0.")
}

fn show(rules: &Rules, opening: &Opening) -> Result<Shown, String> {
    let board = rules.open(opening).map_err(|why| why.to_string())?;
    let position = Position::alone(board, opening.moves.last().cloned());
    Ok(ViewState::default().show(&position))
}
