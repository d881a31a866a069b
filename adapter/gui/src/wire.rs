//! Messages between page and server, which `spec/page.schema.json` describes. For pages that ask for it (`packed=1`) they
//! are smaller: long texts are compressed, and a view contains only the parts of its diagram that the previous one did not
//! contain.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use axum::body::Bytes;
use axum::extract::ws::{self, Utf8Bytes};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use kit::Side;
use protocol::text::without_error_number;
use record::clock::Limit;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use table::{LevelChoice, SeatId, SeatSpec, TableCommand};

use crate::exercise::ExerciseAsk;
use crate::lobby::TableInfo;
use crate::view_state::{Shown, ViewState};

/// Number that a page gives to a message, repeated in the answer.
pub(crate) type MessageId = u64;

/// A message of a page.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Message {
    id: MessageId,
    #[serde(flatten)]
    ask: Ask,
}

/// A request of a page.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Ask {
    /// Opens a table and attaches the page to it.
    Open(OpenAsk),
    /// Opens the game of the command line, once.
    OpenStart,
    /// Opens a table with an existing game and attaches the page to it.
    OpenRecord(RecordAsk),
    /// Attaches the page to a table.
    Attach {
        table: String,
        #[serde(default)]
        name: String,
    },
    /// Leaves the table for the lobby.
    Leave,
    /// Sends a command to the table.
    Table { command: TableCommand },
    /// Assigns a seat to another player.
    Seat(SeatAsk),
    /// Selects the position to show.
    Look(ViewState),
    /// Parses a typed move.
    Read { code: String },
    /// Returns the reason why a move is illegal.
    Why { code: String },
    /// Draws a board outside any table.
    Diagram(DiagramAsk),
    /// Shows an exercise, or judges a move in it.
    Exercise(ExerciseAsk),
    /// Returns a recorded game of each game, as pictures.
    Recorded,
    /// Exports the game or the shown position as a file.
    Export { what: Export },
    /// Creates a link for a guest; without a side, for a spectator.
    Invite {
        side: Option<Side>,
        /// Replaces the link, and removes the guests of the old one.
        #[serde(default)]
        renew: bool,
        /// The position that a spectator sees first, in place of the latest one.
        #[serde(default)]
        node: Option<usize>,
    },
    /// Returns a finished game of the match that is shown, or of the match in a ledger.
    Replay {
        game: usize,
        #[serde(default)]
        path: Option<PathBuf>,
    },
    /// Returns the plan and the report of the match in a ledger.
    Match { path: PathBuf },
    /// Lists the open tables, the games that can be resumed, and the matches.
    Games,
    /// Resumes the game of a ledger.
    OpenFile {
        path: PathBuf,
        /// Permits the commands of a ledger from elsewhere.
        #[serde(default)]
        trust: bool,
    },
}

/// A game with the options of its board and rules.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct GameAsk {
    #[serde(rename = "game")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "option_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub(crate) options: Vec<(String, String)>,
}

/// Parameters of a new table.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OpenAsk {
    #[serde(flatten)]
    pub(crate) game: GameAsk,
    pub(crate) seats: [SeatSpec; 2],
    #[serde(default = "no_clock")]
    pub(crate) clock: Limit,
    pub(crate) level: Option<LevelChoice>,
    pub(crate) opening: Option<String>,
}

fn no_clock() -> Limit {
    Limit::Unlimited
}

/// A game from a file.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RecordAsk {
    /// A ledger, a PGN file, a position string, a drawn board, or `startpos moves ...`.
    pub(crate) text: String,
    /// The game, if the text does not name it.
    pub(crate) game: Option<String>,
    #[serde(default, deserialize_with = "option_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub(crate) options: Vec<(String, String)>,
    #[serde(default = "two_persons")]
    pub(crate) seats: [SeatSpec; 2],
}

fn two_persons() -> [SeatSpec; 2] {
    [SeatSpec::PERSON, SeatSpec::PERSON]
}

/// Reads options, which a page sends as texts, numbers and truth values.
fn option_texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    let options = Map::deserialize(deserializer)?.into_iter();
    let texts = options.map(|(name, value)| match value {
        Value::String(text) => Ok((name, text)),
        Value::Bool(_) | Value::Number(_) => Ok((name, value.to_string())),
        _ => Err(D::Error::custom(format!(
            "option {name}: neither a text nor a number nor a truth value"
        ))),
    });
    texts.collect()
}

/// A new player for a seat.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SeatAsk {
    pub(crate) side: SeatId,
    pub(crate) seat: SeatSpec,
    #[serde(default = "no_clock")]
    pub(crate) clock: Limit,
    pub(crate) level: Option<LevelChoice>,
}

/// A board to be drawn.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DiagramAsk {
    #[serde(flatten)]
    pub(crate) game: GameAsk,
    pub(crate) position: Option<String>,
    #[serde(flatten)]
    pub(crate) look: ViewState,
}

/// Export format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Export {
    Ledger,
    Pgn,
    Fen,
    Svg,
}

/// An invalid message: its number, if that can be parsed, and the error.
pub(crate) type Unreadable = (Option<MessageId>, String);

/// Parses a message of a page.
pub(crate) fn read(text: &str) -> Result<(MessageId, Ask), Unreadable> {
    #[derive(Deserialize)]
    struct Numbered {
        id: MessageId,
    }
    let read = serde_json::from_str::<Message>(text);
    read.map(|message| (message.id, message.ask))
        .map_err(|error| {
            let numbered = serde_json::from_str::<Numbered>(text).ok();
            let why = format!("not a message: {error}");
            (numbered.map(|numbered| numbered.id), why)
        })
}

/// The answer to a message.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Answer<'a> {
    /// The number of the message; `null` if it could not be read.
    id: Option<MessageId>,
    #[serde(flatten)]
    answer: AnswerKind<'a>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum AnswerKind<'a> {
    /// It was carried out.
    Done(&'a Value),
    /// The reason why it was not.
    Refused(String),
}

/// Formats the answer to a message.
pub(crate) fn answer_text(id: Option<MessageId>, answer: &Result<Value, String>) -> String {
    let answer = match answer {
        Ok(done) => AnswerKind::Done(done),
        Err(why) => AnswerKind::Refused(without_error_number(why)),
    };
    json(&Answer { id, answer })
}

/// Events of the server, in addition to a table's own events.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Told<'a> {
    Hello {
        version: &'static str,
        rights: &'static str,
        #[cfg_attr(feature = "schema", schemars(with = "Vec<Map<String, Value>>"))]
        games: &'a RawValue,
        tables: Vec<TableInfo>,
        #[serde(rename = "match")]
        is_match: bool,
        /// `true` if `open-start` opens a game.
        start: bool,
        /// The names of the user's engines.
        engines: Vec<String>,
    },
    View(&'a Shown),
    /// Report of a match, an HTML element.
    Report {
        html: &'a str,
    },
    /// Result of the match, the last event that its pages receive.
    MatchOver {
        text: &'a str,
    },
    /// Why the connection is closed.
    Error {
        text: &'a str,
    },
}

/// The schema of all texts between page and server; those of the table are the requests in `table`, and its events.
#[cfg(feature = "schema")]
pub fn page_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum PageText<'a> {
        Request(Message),
        Answer(Answer<'a>),
        Event(Told<'a>),
    }
    schemars::schema_for!(PageText)
}

impl Told<'_> {
    pub(crate) fn text(&self) -> String {
        json(self)
    }
}

/// Formats an event of a match or a table.
pub(crate) fn json(event: &impl Serialize) -> String {
    serde_json::to_string(event).expect("it is plain data")
}

/// Texts below this length are not compressed, in bytes.
const MIN_PACKED: usize = 1024;

/// The lists of a diagram that are long.
const LISTS: [&str; 3] = ["shapes", "spots", "gestures"];

/// Prepares the messages for one page.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    pub(crate) is_on: bool,
    /// The last diagram that was sent.
    diagram: Value,
}

impl Packing {
    pub(crate) fn new(is_on: bool) -> Packing {
        Packing {
            is_on,
            diagram: Value::Null,
        }
    }

    /// Converts a text to a message.
    pub(crate) fn message(&self, text: String) -> ws::Message {
        if !self.is_on || text.len() < MIN_PACKED {
            return ws::Message::Text(Utf8Bytes::from(text));
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let written = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        ws::Message::Binary(Bytes::from(written.expect("memory takes all")))
    }

    /// Formats a view, with the changes of its diagram since the last one.
    pub(crate) fn view(&mut self, shown: &Shown) -> String {
        let told = Told::View(shown);
        if !self.is_on {
            return told.text();
        }
        let mut told = serde_json::to_value(told).expect("it is plain data");
        let diagram = told["diagram"].clone();
        for name in LISTS {
            if let (Value::Array(old), Value::Array(new)) = (&self.diagram[name], &diagram[name]) {
                told["diagram"][name] = json!({ "changes": changes(old, new) });
            }
        }
        self.diagram = diagram;
        told.to_string()
    }
}

/// Describes a list by another one: `[start, length]` for items that are in the old list in this order, and other items
/// as they are.
pub(crate) fn changes(old: &[Value], new: &[Value]) -> Vec<Value> {
    let at: HashMap<String, usize> = old.iter().map(Value::to_string).zip(0..).collect();
    let mut parts: Vec<Value> = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    for item in new {
        if let Some((start, length)) = &mut run
            && old.get(*start + *length) == Some(item)
        {
            *length += 1;
            continue;
        }
        parts.extend(run.take().map(|run| json!(run)));
        match at.get(&item.to_string()) {
            Some(start) => run = Some((*start, 1)),
            None => parts.push(item.clone()),
        }
    }
    parts.extend(run.map(|run| json!(run)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_restored_from_its_changes() {
        let list =
            |ids: &[u32]| -> Vec<Value> { ids.iter().map(|id| json!({ "id": id })).collect() };
        let old = list(&[1, 2, 3, 4, 5, 6]);
        for (new, n_parts) in [
            (list(&[1, 2, 3, 4, 5, 6]), 1),
            (list(&[1, 2, 4, 5, 6]), 2),
            (list(&[1, 2, 9, 3, 4, 5, 6]), 3),
            (list(&[6, 1, 1, 8]), 4),
            (Vec::new(), 0),
        ] {
            let parts = changes(&old, &new);
            assert_eq!(parts.len(), n_parts, "{parts:?}");
            let restored = parts.iter().flat_map(|part| match part.as_array() {
                Some(run) => {
                    let number = |i: usize| run[i].as_u64().expect("a number") as usize;
                    old[number(0)..number(0) + number(1)].to_vec()
                }
                None => vec![part.clone()],
            });
            assert_eq!(restored.collect::<Vec<_>>(), new);
        }
    }
}
