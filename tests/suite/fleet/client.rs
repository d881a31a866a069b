//! A NATS client that sends plain protocol lines, including those that no library would send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

use super::server::{PATIENCE, Server};

/// A worker that sends results without playing.
pub(super) struct Forger(KeyPair);

impl Forger {
    pub(super) fn new() -> Forger {
        Forger(KeyPair::new_user())
    }

    pub(super) fn key(&self) -> String {
        self.0.public_key()
    }

    /// Its name, which contains a part of its key.
    pub(super) fn name(&self) -> String {
        format!("forger-{}", &self.key()[1..17])
    }

    /// The description of its machine in a game.
    pub(super) fn machine(&self) -> Value {
        json!({"name": "elsewhere", "worker": self.name(), "cpu": "", "scale": 1.0, "load": 0.0})
    }

    /// Sends a signed result for a match.
    pub(super) fn send(&self, client: &mut Client, id: &str, result: &Value) {
        let results = json!([result]).to_string();
        let signed = [
            b"linesman results\n",
            id.as_bytes(),
            b"\n",
            results.as_bytes(),
        ]
        .concat();
        let signature = BASE64URL_NOPAD.encode(&self.0.sign(&signed).expect("a secret key"));
        let headers = format!(
            "Linesman-Key: {}\r\nLinesman-Signature: {signature}\r\n",
            self.key()
        );
        client.publish_with(
            &format!("linesman.result.{id}"),
            &headers,
            results.as_bytes(),
        );
    }
}

/// A plain connection to a NATS server.
pub(super) struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    /// Connects to a server on this machine without TLS.
    pub(super) fn connect(server: &Server) -> Client {
        Client::connect_with(
            server.port(),
            |_| json!({"verbose": false, "headers": true}),
        )
    }

    /// Connects with a key.
    pub(super) fn connect_as(port: u16, key: &KeyPair) -> Client {
        Client::connect_with(port, |info| {
            let nonce = info["nonce"].as_str().expect("a nonce");
            let signature = key.sign(nonce.as_bytes()).expect("a secret key");
            json!({"verbose": false, "headers": true, "nkey": key.public_key(),
                   "sig": BASE64URL_NOPAD.encode(&signature)})
        })
    }

    /// Connects with the options that `options` makes of the server's description.
    fn connect_with(port: u16, options: impl FnOnce(Value) -> Value) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut client = Client {
            reader: BufReader::new(stream.try_clone().expect("a second handle")),
            stream,
        };
        let info = client.line();
        let info = info
            .strip_prefix("INFO ")
            .expect("the server's description");
        let options = options(serde_json::from_str(info).expect("JSON"));
        client.send(format!("CONNECT {options}\r\n").as_bytes());
        client
    }

    /// Publishes an empty message. Returns `true` if the server permits it.
    pub(super) fn may_publish(&mut self, subject: &str) -> bool {
        self.is_permitted(&format!("PUB {subject} 0\r\n\r\n"))
    }

    /// Subscribes. Returns `true` if the server permits it.
    pub(super) fn may_subscribe(&mut self, subject: &str) -> bool {
        let sid = fastrand::u32(..);
        self.is_permitted(&format!("SUB {subject} {sid}\r\nUNSUB {sid}\r\n"))
    }

    fn is_permitted(&mut self, command: &str) -> bool {
        self.send(command.as_bytes());
        self.send(b"PING\r\n");
        let mut is_permitted = true;
        loop {
            let line = self.line();
            is_permitted &= !line.starts_with("-ERR 'Permissions Violation");
            if line.starts_with("PONG") {
                return is_permitted;
            }
        }
    }

    /// Publishes bytes.
    pub(super) fn publish(&mut self, subject: &str, payload: &[u8]) {
        let head = format!("PUB {subject} {}\r\n", payload.len());
        self.send(&[head.as_bytes(), payload, b"\r\n"].concat());
    }

    /// Publishes bytes with header lines, each of which ends with CR LF.
    pub(super) fn publish_with(&mut self, subject: &str, headers: &str, payload: &[u8]) {
        let headers = format!("NATS/1.0\r\n{headers}\r\n");
        let n_bytes = headers.len() + payload.len();
        let head = format!("HPUB {subject} {} {n_bytes}\r\n{headers}", headers.len());
        self.send(&[head.as_bytes(), payload, b"\r\n"].concat());
    }

    /// Subscribes to all subjects, and never reads what arrives.
    pub(super) fn subscribe_to_all(&mut self) {
        self.send(b"SUB > 1\r\nPING\r\n");
        while !self.line().starts_with("PONG") {}
    }

    /// Sends a request and returns the answer.
    pub(super) fn request(&mut self, subject: &str, payload: &[u8]) -> Vec<u8> {
        let inbox = format!("_INBOX.test.{}", fastrand::u64(..));
        self.send(format!("SUB {inbox} 1\r\nUNSUB 1 1\r\n").as_bytes());
        let head = format!("PUB {subject} {inbox} {}\r\n", payload.len());
        self.send(&[head.as_bytes(), payload, b"\r\n"].concat());
        loop {
            let line = self.line();
            if let Some(words) = line.strip_prefix("MSG ") {
                let n_bytes = words.rsplit(' ').next().and_then(|n| n.trim().parse().ok());
                let mut payload = vec![0; n_bytes.expect("a length")];
                self.reader.read_exact(&mut payload).expect("a payload");
                return payload;
            }
            if line.starts_with("HMSG ") {
                return Vec::new();
            }
        }
    }

    /// Waits until the server has received everything.
    pub(super) fn flush(&mut self) {
        self.send(b"PING\r\n");
        while !self.line().starts_with("PONG") {}
    }

    fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("it reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line");
        if line.starts_with("PING") {
            self.send(b"PONG\r\n");
        }
        line
    }
}
