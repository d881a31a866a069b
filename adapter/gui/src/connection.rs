//! The traffic between a page and the server: the messages, which `spec/page.schema.json` describes, and the WebSocket
//! between which and the page's [`tab`](crate::tab) texts are moved. A page that sends too fast is read more slowly; one
//! that reads too slowly is disconnected. When nothing is left to send, the server closes the connection and waits for the
//! page's answer.
//!
//! This code never draws and never waits for a table, so it does not block the runtime.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{self, WebSocket};
use crossbeam_channel::Sender;
use kit::Side;
use protocol::text::without_error_number;
use record::clock::Limit;
use referee::token_bucket::TokenBucket;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use table::{LevelChoice, SeatId, SeatSpec, TableCommand};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::exercise::ExerciseAsk;
use crate::limits::{BURST, PER_SECOND};
use crate::lobby::TableInfo;
use crate::view_state::{Shown, ViewState};

/// A text of a page, with its time of arrival.
pub(crate) type FromPage = (String, Instant);

/// Ping interval, and maximum time without a message from the page.
const PING: Duration = Duration::from_secs(25);
const MAX_SILENCE: Duration = Duration::from_secs(90);

/// Pause in reading from a page that exceeds its rate or whose tab is busy.
const PAUSE: Duration = Duration::from_millis(5);

/// The page was closed, reads too slowly, or violated the protocol.
struct Gone;

/// The queues to and from the thread of a page.
pub(crate) type Queues = (Sender<FromPage>, mpsc::Receiver<ws::Message>);

/// Serves a page until it disconnects, or is disconnected for a fault.
pub(crate) async fn run(socket: WebSocket, (to_tab, from_tab): Queues, send_timeout: Duration) {
    let mut pump = Pump {
        socket,
        to_tab,
        from_tab,
        rate: TokenBucket::full(BURST, PER_SECOND, Instant::now()),
        heard: Instant::now(),
        send_timeout,
    };
    if pump.run().await.is_ok() {
        // Errors do not matter: the page may be gone already.
        let _ = timeout(send_timeout, pump.close_handshake()).await;
    }
}

struct Pump {
    socket: WebSocket,
    to_tab: Sender<FromPage>,
    from_tab: mpsc::Receiver<ws::Message>,
    /// The messages that may be read.
    rate: TokenBucket,
    /// Time of the last message from the page.
    heard: Instant,
    send_timeout: Duration,
}

impl Pump {
    /// Moves messages until nothing is left to send.
    async fn run(&mut self) -> Result<(), Gone> {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_slow_enough = self.rate.wait(1.0, Instant::now()).is_zero();
            let may_read = is_slow_enough && !self.to_tab.is_full();
            tokio::select! {
                message = self.socket.recv(), if may_read => match message {
                    Some(Ok(message)) => self.take(message).await?,
                    Some(Err(_)) => {
                        let text = "a message that is too long or malformed";
                        self.send_text(json(&Told::Error { text })).await?;
                        self.send(ws::Message::Close(None)).await?;
                        return Err(Gone);
                    }
                    None => return Err(Gone),
                },
                () = sleep(PAUSE), if !may_read => {}
                message = self.from_tab.recv() => match message {
                    Some(message) => self.send(message).await?,
                    None => return Ok(()),
                },
                _ = ping.tick() => {
                    if self.heard.elapsed() > MAX_SILENCE {
                        return Err(Gone);
                    }
                    self.send(ws::Message::Ping(Bytes::new())).await?;
                }
            }
        }
    }

    /// Passes a message to the tab, whose queue has room.
    async fn take(&mut self, message: ws::Message) -> Result<(), Gone> {
        self.heard = Instant::now();
        self.rate.take(1.0, self.heard);
        match message {
            ws::Message::Text(text) => {
                let text = text.as_str().to_owned();
                self.to_tab.try_send((text, self.heard)).map_err(|_| Gone)
            }
            ws::Message::Binary(_) => {
                let why = "not a message: send text".to_owned();
                self.send_text(answer_text(None, &Err(why))).await
            }
            ws::Message::Ping(_) | ws::Message::Pong(_) => Ok(()),
            ws::Message::Close(_) => Err(Gone),
        }
    }

    async fn send_text(&mut self, text: String) -> Result<(), Gone> {
        self.send(ws::Message::Text(text.into())).await
    }

    /// Performs the closing handshake: the page answers once it has read everything.
    async fn close_handshake(&mut self) -> Result<(), Gone> {
        self.send(ws::Message::Close(None)).await?;
        while let Some(Ok(_)) = self.socket.recv().await {}
        Ok(())
    }

    /// Sends a message. The timeout covers the whole message, so that a page cannot keep it going by reading a little
    /// at a time.
    async fn send(&mut self, message: ws::Message) -> Result<(), Gone> {
        let sent = timeout(self.send_timeout, self.socket.send(message)).await;
        sent.map_err(|_| Gone)?.map_err(|_| Gone)
    }
}

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
    #[serde(default)]
    pub(crate) clock: Limit,
    pub(crate) level: Option<LevelChoice>,
    pub(crate) opening: Option<String>,
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
    #[serde(default)]
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

/// Parses a message of a page. The error has the number of the message, if that can be parsed.
pub(crate) fn read(text: &str) -> Result<(MessageId, Ask), (Option<MessageId>, String)> {
    let read = serde_json::from_str(text).map(|Message { id, ask }| (id, ask));
    read.map_err(|error| {
        let id = serde_json::from_str::<Value>(text).ok();
        let id = id.and_then(|value| value["id"].as_u64());
        (id, format!("not a message: {error}"))
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
    /// The reason for closing the connection.
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

/// Formats an event of a match or a table.
pub(crate) fn json(event: &impl Serialize) -> String {
    serde_json::to_string(event).expect("it is plain data")
}
