//! A game's texts for new players: its introduction, its lesson, and a recorded game. The introduction has the idea, how
//! to type a move, and the rules in short sections with positions as pictures. The program shows it; the complete rules
//! are on the game's page under `spec/`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Role;

/// The texts of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct GameTexts {
    /// The introduction.
    pub about: About,
    /// Options to ask a person for before a game, each with its question.
    pub questions: Vec<(&'static str, &'static str)>,
    /// The lesson.
    pub lesson: Lesson,
    /// A game between two engines that ends by the rules: a position string, ` moves ` and codes. Empty if there is none.
    pub game: &'static str,
}

/// The texts of a game that has none.
pub static NO_TEXTS: LazyLock<GameTexts> = LazyLock::new(GameTexts::default);

impl GameTexts {
    /// Reads the texts of a game's crate from JSON.
    ///
    /// # Panics
    /// If they are of another form.
    pub fn parse(json: &'static str) -> GameTexts {
        serde_json::from_str(json).unwrap_or_else(|why| panic!("the texts of a game: {why}"))
    }
}

/// A game in words. Each text is one paragraph in 7-bit ASCII, with move codes between backquotes. Sides have the names
/// that the board shows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The name as people write it.
    pub title: &'static str,
    /// Year of invention or publication.
    pub year: u16,
    /// Inventor.
    pub author: &'static str,
    /// The aim of the game in one sentence.
    pub idea: &'static str,
    /// A typed move by example: `` `e5` places a stone ``.
    pub example: &'static str,
    /// The rules, in the order in which to learn them.
    pub rules: Vec<RuleSection>,
}

/// A part of a game's rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSection {
    /// The subject, in one or two words.
    pub heading: &'static str,
    /// The text.
    pub text: &'static str,
    /// A position that illustrates the text.
    #[serde(flatten)]
    pub picture: Option<Picture>,
}

impl About {
    /// The title with author and year, as far as they are known.
    pub fn heading(&self) -> String {
        match self.author {
            "" => self.title.to_owned(),
            author => format!("{} ({author}, {})", self.title, self.year),
        }
    }

    /// The answer to `query about`: title, names of the sides, a typed move, and the rules, as JSON.
    pub fn json(&self, sides: [String; 2]) -> String {
        let sections = self.rules.iter().map(|section| section.text);
        let rules: Vec<&str> = [self.idea].into_iter().chain(sections).collect();
        serde_json::json!({
            "title": self.title,
            "sides": sides,
            "move": self.example,
            "rules": rules.join(" "),
        })
        .to_string()
    }
}

/// A position with a caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The position string.
    pub position: &'static str,
    /// The caption. Move codes in it are legal in the position.
    pub caption: &'static str,
}

/// A game's lesson for new players, and the names of its marks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Lesson {
    /// The exercises, in order.
    pub steps: Vec<LessonStep>,
    /// Meanings of the marks on the board whose meaning depends on the game.
    pub marks: Vec<(Role, &'static str)>,
}

/// A position in which a new player makes one move. The texts are in the form of [`About`].
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
