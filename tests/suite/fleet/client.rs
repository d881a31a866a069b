//! A NATS client that sends plain protocol lines, including those that no library would send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use super::server::{PATIENCE, Server};

/// A plain connection to a NATS server.
pub(super) struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    /// Connects to a server on this machine without TLS.
    pub(super) fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", server.port())).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut client = Client {
            reader: BufReader::new(stream.try_clone().expect("a second handle")),
            stream,
        };
        assert!(
            client.line().starts_with("INFO "),
            "the server's description"
        );
        client.send(b"CONNECT {\"verbose\":false,\"headers\":true}\r\n");
        client
    }

    /// Publishes bytes.
    pub(super) fn publish(&mut self, subject: &str, payload: &[u8]) {
        let head = format!("PUB {subject} {}\r\n", payload.len());
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
