//! Events of matches: one [`Event`] type for all subscribers.
//!
//! A [`Recorder`] stores finished games: it is called first, and its failure stops the match. All other subscribers read
//! from bounded queues in the crate `referee`, and never delay the match. `spec/match.md` documents every event.

use std::io;

use serde::{Deserialize, Serialize};

use crate::game::{GameRecord, PlyRecord};
use crate::opening::Opening;
use crate::plan::Plan;
use crate::stats::Standing;

/// An event of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// All engines are ready and their names are known. Also sent when a match is resumed.
    MatchStarted {
        /// The plan.
        plan: Box<Plan>,
        /// The results so far: those of the games finished before the match was resumed.
        standing: Standing,
    },
    /// The state of a match, for a watcher that joins late or has lost events.
    MatchSnapshot {
        /// The plan.
        plan: Box<Plan>,
        /// The games in progress, by number.
        running: Vec<RunningGame>,
        /// The results so far.
        standing: Standing,
    },
    /// A game begins.
    GameStarted(StartedGame),
    /// A legal move was played.
    MovePlayed {
        /// The game's number.
        game: usize,
        /// The number of moves so far, those of the opening included.
        ply: usize,
        /// Its canonical code.
        #[serde(rename = "move")]
        code: String,
        /// The name of the player, if partners alternate on this side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// Its time, score, depth and nodes. `by` is sent as `player`.
        #[serde(flatten)]
        record: PlyRecord,
    },
    /// A game ended. The fields are those of its line in the ledger.
    GameOver {
        /// The finished game.
        #[serde(flatten)]
        record: Box<GameRecord>,
    },
    /// An observation without an effect on the result.
    Note {
        /// The engine concerned.
        engine: String,
        /// The observation.
        text: String,
    },
    /// The results of the match, after each game.
    Standing {
        /// The numbers of games played and planned, and the score.
        standing: Standing,
    },
    /// This watcher read too slowly and has lost events. A snapshot follows.
    Lagged {
        /// Number of lost events.
        dropped: u64,
        /// The numbers of the games whose end was lost; the ledger holds these games.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        games: Vec<usize>,
    },
}

impl Event {
    /// A note about an engine.
    pub fn note(engine: &str, text: impl Into<String>) -> Event {
        let (engine, text) = (engine.to_owned(), text.into());
        Event::Note { engine, text }
    }
}

/// Stores finished games, like the ledger and the PGN file. It is called before the end of the game is sent to any
/// watcher.
pub trait Recorder: Send {
    /// Records a finished game. An error stops the match; it names the file that could not be written.
    fn record(&mut self, game: &GameRecord) -> io::Result<()>;

    /// Records games that have finished meanwhile, as [`record`](Recorder::record) does.
    fn record_all(&mut self, games: &[&GameRecord]) -> io::Result<()> {
        games.iter().try_for_each(|game| self.record(game))
    }
}

/// A game that has begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartedGame {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair, from 1.
    pub pair: usize,
    /// The player who moves first.
    pub p1: String,
    /// The player who moves second.
    pub p2: String,
    /// The opening.
    pub opening: Opening,
}

/// A game in progress, as part of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningGame {
    /// The game.
    #[serde(flatten)]
    pub start: StartedGame,
    /// Codes of the moves after the opening; empty in a match whose moves are not broadcast.
    pub moves: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/match.md"));

    fn examples() -> impl Iterator<Item = &'static str> {
        PAGE.lines().filter(|line| line.starts_with("{\"event\":"))
    }

    /// `true` if `whole` contains all of `part` with the same values.
    fn holds(whole: &Value, part: &Value) -> bool {
        match (whole, part) {
            (Value::Object(whole), Value::Object(part)) => part
                .iter()
                .all(|(key, part)| whole.get(key).is_some_and(|whole| holds(whole, part))),
            (Value::Array(whole), Value::Array(part)) => {
                whole.len() == part.len() && whole.iter().zip(part).all(|(a, b)| holds(a, b))
            }
            _ => whole == part,
        }
    }

    #[test]
    fn examples_are_events() {
        for example in examples() {
            let event: Event = serde_json::from_str(example).expect(example);
            let written = serde_json::to_value(&event).expect(example);
            let shown: Value = serde_json::from_str(example).expect(example);
            assert!(holds(&written, &shown), "{written} is not {example}");
        }
    }

    #[test]
    fn every_event_of_a_match_has_an_example() {
        let names =
            "match-started match-snapshot game-started move-played game-over note standing lagged";
        for name in names.split(' ') {
            let begins = format!("{{\"event\":\"{name}\"");
            assert!(examples().any(|line| line.starts_with(&begins)), "{name}");
            assert!(PAGE.contains(&format!("\n### {name}\n")), "{name}");
        }
    }
}
