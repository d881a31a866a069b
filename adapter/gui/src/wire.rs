//! The messages between page and server. `spec/browser.md` documents them.

use std::path::PathBuf;

use kit::Side;
use protocol::text::without_error_number;
use referee::event::Event;
use referee::table::{SeatId, TableCommand, TableEvent};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::games::GameInfo;
use crate::lobby::TableInfo;
use crate::look::{Look, Shown};
use crate::server::Start;
use crate::workers::MatchWorker;

/// The number that a page gives a message; its answer bears the same.
pub(crate) type MessageId = u64;

/// A message of a page.
#[derive(Debug, Deserialize)]
struct Message {
    id: MessageId,
    #[serde(flatten)]
    ask: Ask,
}

/// What a page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Ask {
    /// Begins a table, and looks at it.
    Open(OpenAsk),
    /// Begins a table with a game from elsewhere, and looks at it.
    OpenRecord(RecordAsk),
    /// Looks at a table.
    Attach {
        table: String,
        #[serde(default)]
        name: String,
    },
    /// Goes back to the lobby.
    Leave,
    /// Asks the table something.
    Table { command: TableCommand },
    /// Has another player take a seat.
    Seat(SeatAsk),
    /// Sets what is looked at.
    Look(Look),
    /// Reads a typed move.
    Read { code: String },
    /// A board outside any table.
    Diagram(DiagramAsk),
    /// What is looked at, as a file.
    Export { what: Export },
    /// A link for a guest; without a side, to watch.
    Invite { side: Option<Side> },
    /// A finished game of the match.
    Replay { game: usize },
    /// The tables, and the games that can be opened again.
    Games,
    /// Goes on with the game of a ledger.
    OpenFile {
        path: PathBuf,
        /// Whether its commands may run if it was not begun here.
        #[serde(default)]
        trust: bool,
    },
}

/// A table to be begun.
#[derive(Debug, Deserialize)]
pub(crate) struct OpenAsk {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    pub(crate) seats: [String; 2],
    #[serde(default = "no_clock")]
    pub(crate) clock: String,
    pub(crate) level: Option<u32>,
    pub(crate) opening: Option<String>,
}

fn no_clock() -> String {
    "-".to_owned()
}

/// A game from a file.
#[derive(Debug, Deserialize)]
pub(crate) struct RecordAsk {
    /// A ledger, a PGN file, a position string, a drawn board, or `startpos moves ...`.
    pub(crate) text: String,
    /// What the text is of, where it does not tell.
    pub(crate) game: Option<String>,
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    #[serde(default = "two_persons")]
    pub(crate) seats: [String; 2],
}

fn two_persons() -> [String; 2] {
    ["human".to_owned(), "human".to_owned()]
}

/// Who takes a seat.
#[derive(Debug, Deserialize)]
pub(crate) struct SeatAsk {
    pub(crate) side: SeatId,
    pub(crate) seat: String,
    #[serde(default = "no_clock")]
    pub(crate) clock: String,
    pub(crate) level: Option<u32>,
}

/// A board to be drawn.
#[derive(Debug, Deserialize)]
pub(crate) struct DiagramAsk {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    pub(crate) position: Option<String>,
    #[serde(flatten)]
    pub(crate) look: Look,
}

/// What can be written as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Export {
    Ledger,
    Pgn,
    Fen,
    Svg,
}

/// A message that cannot be read: its number, if that can be, and why.
pub(crate) type Unreadable = (Option<MessageId>, String);

/// Reads a message of a page.
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
pub(crate) fn answer_text(id: Option<MessageId>, answer: &Result<Value, String>) -> String {
    let answer = match answer {
        Ok(done) => json!({ "id": id, "done": done }),
        Err(why) => json!({ "id": id, "refused": without_error_number(why) }),
    };
    answer.to_string()
}

/// The last text before a connection is closed.
pub(crate) fn error_text(why: &str) -> String {
    json!({ "event": "error", "text": why }).to_string()
}

/// What a server tells a page beside a table's own events.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Told<'a> {
    Hello {
        version: &'static str,
        rights: &'static str,
        games: &'a [GameInfo],
        tables: Vec<TableInfo>,
        #[serde(rename = "match")]
        is_match: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        start: Option<Start>,
    },
    View(&'a Shown),
    /// The report of a match, an HTML element.
    Report {
        html: &'a str,
    },
    /// Who plays the match, where others do: so many at most, of so many in all.
    Workers {
        workers: &'a [MatchWorker],
        total: usize,
    },
    /// The match is over: the last event of its pages.
    MatchOver {
        text: &'a str,
    },
}

impl Told<'_> {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("it is plain data")
    }
}

/// An event of a table as text. An analysis bears the number of the page's own message.
pub(crate) fn event_text(event: &Event, number: impl Fn(u64) -> Option<MessageId>) -> String {
    let mut event = event.clone();
    if let Event::Table(
        TableEvent::Analysis { request, .. } | TableEvent::AnalysisLine { request, .. },
    ) = &mut event
        && let Some(id) = number(request.0)
    {
        request.0 = id;
    }
    serde_json::to_string(&event).expect("it is plain data")
}
