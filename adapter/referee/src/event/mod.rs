//! What happens in a match or at a table: one [`Event`] for all who follow it.
//!
//! A [`Recorder`] keeps what happens: it is called first, and its failure stops the match. Everybody else reads from a
//! bounded queue, a [`Watcher`], and never delays anything. [`Broadcast`] serves the watchers of a match.
//! `spec/events.md` documents every event.

mod broadcast;
mod feed;

pub use broadcast::{Broadcast, RunningGame};
pub use feed::{Feed, Watcher, feed};

use std::fmt::Display;
use std::io;

use protocol::text::without_error_number;
use serde::{Deserialize, Serialize};

use crate::opening::Opening;
use crate::plan::Plan;
use crate::record::{GameRecord, PlyRecord};
use crate::stats::Standing;
use crate::table::TableEvent;
use crate::table::event::Placed;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// All engines are ready, and their names known. Sent on resume as well.
    MatchStarted {
        /// What will be played.
        plan: Box<Plan>,
        /// The results so far: those of the games finished before a match was resumed, else none.
        standing: Standing,
    },
    /// The state of a match, for a watcher that joins late or has lost events.
    MatchSnapshot {
        /// What is played.
        plan: Box<Plan>,
        /// The games under way, in the order of their numbers.
        running: Vec<RunningGame>,
        /// The results so far.
        standing: Standing,
    },
    /// A game begins.
    GameStarted {
        /// The number in the schedule, from 1.
        game: usize,
        /// The number of the pair, from 1.
        pair: usize,
        /// Who moves first.
        p1: String,
        /// Who moves second.
        p2: String,
        /// Where it begins.
        opening: Opening,
    },
    /// A legal move was played.
    MovePlayed {
        /// The game's number.
        game: usize,
        /// How many moves there are now, those of the opening included.
        ply: usize,
        /// Its canonical code.
        #[serde(rename = "move")]
        code: String,
        /// The name of who made it, if partners take turns on this side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// At a table, where the move stands in the tree. Read before `record`, for `by` is this one's here.
        #[serde(flatten)]
        placed: Option<Placed>,
        /// Its time, score, depth and nodes. `by` is told as `player`.
        #[serde(flatten)]
        record: PlyRecord,
    },
    /// A game ended. The fields are those of its line in the ledger.
    GameOver {
        /// The finished game.
        #[serde(flatten)]
        record: Box<GameRecord>,
    },
    /// Something worth knowing that costs nobody a game.
    Note {
        /// The engine it is about.
        engine: String,
        /// What was noticed.
        text: String,
    },
    /// The results of the match, after each game.
    Standing {
        /// Games played and to be played, and the score.
        standing: Standing,
    },
    /// This watcher read too slowly and has lost events. A snapshot follows.
    Lagged {
        /// How many events were lost.
        dropped: u64,
        /// The numbers of the games whose end was among them; the ledger holds these games.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        games: Vec<usize>,
    },
    /// Something that happens at tables alone.
    #[serde(untagged)]
    Table(TableEvent),
}

impl Event {
    /// A legal move was played: in this game, as the ply of this number.
    pub(crate) fn move_played(
        game: usize,
        ply: usize,
        code: String,
        mut record: PlyRecord,
        placed: Option<Placed>,
    ) -> Event {
        Event::MovePlayed {
            game,
            ply,
            code,
            player: record.by.take(),
            placed,
            record,
        }
    }
}

/// Keeps what happens, as the ledger and the PGN file do. It is called before any watcher hears of the event.
pub trait Recorder: Send {
    /// Records an event; most events need no record. An error stops the match; it names what could not be written.
    fn record(&mut self, event: &Event) -> io::Result<()>;
}

/// The same error, naming the file or whatever else could not be read or written.
pub fn naming(what: impl Display, error: &io::Error) -> io::Error {
    let why = without_error_number(&error.to_string());
    io::Error::new(error.kind(), format!("{what}: {why}"))
}

#[cfg(test)]
mod tests {
    use kit::Side;
    use serde_json::Value;

    use super::*;
    use crate::table::tree::{Mover, NodeId};

    const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/events.md"));

    fn examples() -> impl Iterator<Item = &'static str> {
        PAGE.lines().filter(|line| line.starts_with("{\"event\":"))
    }

    /// Whether all of `part` stands in `whole` with the same values.
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
    fn a_move_is_told_with_its_player() {
        let record = PlyRecord {
            by: Some("Ann".to_owned()),
            ..PlyRecord::default()
        };
        let placed = Placed {
            node: NodeId(1),
            from: NodeId::ROOT,
            side: Side::P1,
            by: Mover::Person,
        };
        for placed in [None, Some(placed)] {
            let event = Event::move_played(1, 1, "e5".to_owned(), record.clone(), placed);
            let json = serde_json::to_value(&event).expect("plain data");
            assert_eq!(json["player"], "Ann");
            assert_eq!(json.get("by").is_some(), placed.is_some(), "{json}");
            assert_eq!(serde_json::from_value::<Event>(json).ok(), Some(event));
        }
    }

    #[test]
    fn every_event_of_a_match_has_an_example() {
        for name in [
            "match-started",
            "match-snapshot",
            "game-started",
            "move-played",
            "game-over",
            "note",
            "standing",
            "lagged",
        ] {
            let begins = format!("{{\"event\":\"{name}\"");
            assert!(examples().any(|line| line.starts_with(&begins)), "{name}");
            assert!(PAGE.contains(&format!("\n## {name}\n")), "{name}");
        }
    }
}
