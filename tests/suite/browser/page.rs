//! A page from the server's point of view: its HTTP requests and its WebSocket.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::{HandshakeError, Message, WebSocket};

use super::seat::seat;
use crate::schemas::Schema;
use crate::support::{Done, Folder, Run, begins};

/// The messages that a page may receive.
static SCHEMAS: LazyLock<[Schema; 3]> =
    LazyLock::new(|| ["table", "page", "match"].map(Schema::of));

/// An event matches a schema. What hundreds of pages receive is compared once.
fn check(text: &str, event: &Value) {
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if KNOWN
        .lock()
        .expect("nobody panics with it")
        .insert(text.to_owned())
    {
        let is_known = SCHEMAS.iter().any(|schema| schema.matches(event));
        assert!(is_known, "{text}");
    }
}

/// Timeout of any answer; even on a slow, busy machine none takes nearly as long.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A running `linesman gui`.
pub(super) struct Gui {
    /// Its own folder, if nothing else is done there.
    _folder: Option<Folder>,
    run: Run,
    /// The address that it printed.
    pub(super) link: String,
}

impl Gui {
    /// Starts the command with these words and waits for its address.
    pub(super) fn start(folder: &Folder, words: &str) -> Gui {
        Gui::of(folder.linesman(&format!("gui {words}")))
    }

    /// A started command, as soon as it has printed its address.
    pub(super) fn of(run: Run) -> Gui {
        let link = run.line().expect("the address");
        begins(&link, "http://127.0.0.1:");
        Gui {
            _folder: None,
            run,
            link,
        }
    }

    /// As [`start`](Gui::start), in a new folder.
    pub(super) fn alone(words: &str) -> Gui {
        let folder = Folder::new("gui");
        let gui = Gui::start(&folder, words);
        Gui {
            _folder: Some(folder),
            ..gui
        }
    }

    /// `127.0.0.1:PORT`.
    pub(super) fn address(&self) -> &str {
        split(&self.link).0
    }

    pub(super) fn token(&self) -> &str {
        split(&self.link).1
    }

    /// A page of the host that has received its `hello`.
    pub(super) fn page(&self) -> Page {
        Page::open(&self.link)
    }

    pub(super) fn pid(&self) -> u32 {
        self.run.pid()
    }

    /// Kills it, and waits for its end.
    pub(super) fn kill(self) {
        self.run.signal(Signal::KILL);
        self.run.done();
    }

    /// Sends SIGTERM and waits for the exit.
    pub(super) fn terminate(self) -> Done {
        self.run.signal(Signal::TERM);
        self.run.done()
    }
}

/// Splits a link into address and token.
fn split(link: &str) -> (&str, &str) {
    let rest = link.strip_prefix("http://").expect("a link");
    rest.split_once("/?token=").expect("a link with a token")
}

/// Sends an HTTP request. Returns the status line with the headers, and the body.
pub(super) fn http(address: &str, path: &str, headers: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// One page.
pub(super) struct Page {
    socket: WebSocket<TcpStream>,
    n_asked: u64,
    /// Received events that were not yet read.
    heard: Vec<Value>,
    pub(super) hello: Value,
}

impl Page {
    /// Opens the page of a link.
    pub(super) fn open(link: &str) -> Page {
        let (address, token) = split(link);
        Page::connect(address, token, &[]).expect("the server takes the page")
    }

    /// As [`open`](Page::open), with other headers; the error is the HTTP status.
    pub(super) fn connect(
        address: &str,
        token: &str,
        headers: &[(&str, &str)],
    ) -> Result<Page, u16> {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(TIME_LIMIT)).expect("a time");
        let mut request = Request::builder()
            .uri(format!("ws://{address}/ws?token={token}"))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request = request.header("Host", address);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        let socket = match tungstenite::client(request, stream) {
            Ok((socket, _)) => socket,
            Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                return Err(answer.status().as_u16());
            }
            Err(error) => panic!("{error}"),
        };
        let mut page = Page {
            socket,
            n_asked: 0,
            heard: Vec::new(),
            hello: Value::Null,
        };
        page.hello = page.event("hello");
        Ok(page)
    }

    /// Sends a message without changes.
    pub(super) fn send(&mut self, message: Message) -> tungstenite::Result<()> {
        self.socket.send(message)
    }

    /// Sends a request and returns its number.
    pub(super) fn begin(&mut self, mut ask: Value) -> u64 {
        self.n_asked += 1;
        ask["id"] = json!(self.n_asked);
        self.send(Message::text(ask.to_string()))
            .expect("the server reads");
        self.n_asked
    }

    /// Sends a request and waits for the answer.
    pub(super) fn try_ask(&mut self, ask: Value) -> Result<Value, String> {
        let id = self.begin(ask);
        let answer = self.wait(|event| event["id"] == id);
        match answer["refused"].as_str() {
            Some(why) => Err(why.to_owned()),
            None => Ok(answer["done"].clone()),
        }
    }

    /// Sends a request that must succeed.
    pub(super) fn ask(&mut self, ask: Value) -> Value {
        let shown = ask.to_string();
        self.try_ask(ask)
            .unwrap_or_else(|why| panic!("{shown}: {why}"))
    }

    /// Sends a table command that must succeed.
    pub(super) fn table(&mut self, command: Value) {
        self.ask(json!({"ask": "table", "command": command}));
    }

    /// Sends a request that must be refused, and returns the reason.
    #[track_caller]
    pub(super) fn is_refused(&mut self, ask: Value) -> String {
        let shown = ask.to_string();
        self.try_ask(ask).expect_err(&shown)
    }

    pub(super) fn play(&mut self, code: &str) {
        self.table(json!({"command": "play", "code": code}));
    }

    /// The first table of the server.
    pub(super) fn first_table(&mut self) -> Value {
        self.ask(json!({"ask": "games"}))["tables"][0]["table"].clone()
    }

    /// Joins a table and returns its state.
    pub(super) fn attach(&mut self, table: &Value) -> Value {
        self.ask(json!({"ask": "attach", "table": table}));
        self.event("snapshot")
    }

    /// Waits for the next event of this name with this value of a field.
    pub(super) fn event_with(&mut self, name: &str, field: &str, value: impl Into<Value>) -> Value {
        let value = value.into();
        self.wait(|event| event["event"] == name && event[field] == value)
    }

    /// Waits for the state of a table whose players are there.
    pub(super) fn started(&mut self) -> Value {
        self.wait(|event| event["event"] == "snapshot" && event["turn"] != "starting")
    }

    /// Waits for the next event of this name; events before it are kept.
    pub(super) fn event(&mut self, name: &str) -> Value {
        self.wait(|event| event["event"] == name)
    }

    /// Waits for the next event for which `is_wanted` is true; events before it are kept.
    pub(super) fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_wanted) {
            return self.heard.remove(at);
        }
        let deadline = Instant::now() + TIME_LIMIT;
        while Instant::now() < deadline {
            let event = self.next().expect("the server goes on");
            if is_wanted(&event) {
                return event;
            }
            self.heard.push(event);
        }
        panic!("not heard: {:?}", self.heard);
    }

    /// Drops the events received so far.
    pub(super) fn forget(&mut self) {
        self.heard.clear();
    }

    /// Waits for the next event, which matches the schemas; `None` if the connection is closed.
    pub(super) fn next(&mut self) -> Option<Value> {
        let deadline = Instant::now() + TIME_LIMIT;
        while Instant::now() < deadline {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let event = serde_json::from_str(&text).expect("JSON");
                    check(&text, &event);
                    return Some(event);
                }
                Ok(Message::Close(_)) => {
                    // Completes the closing handshake, as a browser does; the server waits for it.
                    let _ = self.socket.flush();
                    return None;
                }
                // A read with a timeout ends when the process is stopped and continued.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
                Ok(_) => {}
            }
        }
        panic!("nothing comes but pings: {:?}", self.heard);
    }

    /// All events not yet read, and those that arrive until the connection is closed.
    pub(super) fn rest(&mut self) -> Vec<Value> {
        let mut rest = std::mem::take(&mut self.heard);
        rest.extend(std::iter::from_fn(|| self.next()));
        rest
    }

    /// `true` if the server has closed the connection; checked without reading from it.
    pub(super) fn is_cut_off(&mut self) -> bool {
        const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];
        let stream = self.socket.get_mut();
        stream.set_nonblocking(true).expect("a socket");
        let sent = stream.write(&PONG);
        stream.set_nonblocking(false).expect("a socket");
        sent.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    }

    /// Opens a table for this game and returns the `view` of its start.
    pub(super) fn begin_game(&mut self, game: &str, p1: &str, p2: &str) -> Value {
        self.ask(json!({"ask": "open", "game": game, "seats": [seat(p1), seat(p2)]}));
        self.started();
        self.forget();
        self.ask(json!({"ask": "look"}));
        self.event("view")
    }
}
