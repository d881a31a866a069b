//! Exercises: positions with the moves that they ask for. A game's lesson consists of them.

use serde::{Deserialize, Serialize};

use crate::Role;

/// A game's lesson for new players, and the names of its marks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Lesson {
    /// The exercises, in order.
    pub steps: Vec<LessonStep>,
    /// Meanings of the marks on the board whose meaning depends on the game.
    pub marks: Vec<(Role, &'static str)>,
}

/// A position in which a new player makes one move. The texts are in the form of [`About`](crate::About).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonStep {
    /// The position string.
    pub position: &'static str,
    /// A rule, in one sentence.
    pub text: &'static str,
    /// The task, in one sentence. Move codes in it are legal in the position.
    pub task: &'static str,
    /// The moves that fulfil the task.
    #[serde(skip_serializing)]
    pub goal: Goal,
}

/// The moves that an exercise asks for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", bound(deserialize = "'de: 'static"))]
pub enum Goal {
    /// Any legal move.
    Any,
    /// One of these moves.
    OneOf(Vec<&'static str>),
    /// A move that does not lose, after which the opponent cannot win at once.
    Safe,
    /// A move that wins within this many plies against any defence.
    Win(u32),
}
