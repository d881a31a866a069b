//! The other person sits at a socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::typist::Typist;
use crate::support::Folder;

/// Someone at nc, or at telnet.
struct Other {
    lines: BufReader<TcpStream>,
}

impl Other {
    fn comes(typist: &mut Typist) -> Other {
        let (_, found) = typist.finds(r"nc 127\.0\.0\.1 \d+\r\n");
        let port: u16 = found
            .trim()
            .rsplit(' ')
            .next()
            .expect("a port")
            .parse()
            .expect("a port");
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("linesman listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("a deadline");
        Other {
            lines: BufReader::new(stream),
        }
    }

    fn types(&mut self, bytes: &[u8]) {
        self.lines
            .get_mut()
            .write_all(bytes)
            .expect("linesman reads");
    }

    /// Waits until a text is there.
    fn sees(&mut self, text: &str) {
        let mut seen = Vec::new();
        while !seen.ends_with(text.as_bytes()) {
            let mut byte = [0];
            let n_read = self.lines.read(&mut byte).unwrap_or(0);
            assert!(
                n_read == 1,
                "{text:?} is not in {}",
                String::from_utf8_lossy(&seen)
            );
            seen.push(byte[0]);
        }
    }

    fn rest(mut self) -> String {
        let mut rest = String::new();
        while self
            .lines
            .read_line(&mut rest)
            .is_ok_and(|n_bytes| n_bytes > 0)
        {}
        rest
    }
}

#[test]
fn a_whole_game_over_a_socket() {
    let folder = Folder::new("console-socket");
    let mut typist = Typist::new(
        &folder,
        "play gobblet --listen 127.0.0.1:0 --ledger l --sure",
    );
    let mut other = Other::comes(&mut typist);
    typist.sees("1. p1> ");
    // Telnet negotiates before anyone types; a move out of turn is no move.
    other.types(b"\xff\xfd\x03\xff\xfb\x181@a1\r\n");
    other.sees("it is the turn of p1: wait");
    typist.types("3@b2");
    other.sees("1. p1 (human): 3@b2");
    other.sees("2. p2> ");
    other.types(b"save x\r\n");
    other.sees("only who sits at the console may");
    other.types(b"\x1b[A\r\n");
    other.sees("control characters");
    other.types(b"1@a1\r\0");
    typist.sees("2. p2 (human #2): 1@a1");
    typist.sees("3. p1> ");
    typist.types("3@a3");
    other.sees("4. p2> ");
    other.types(b"1 b1\n");
    typist.sees("5. p1> ");
    typist.types("2@c1");
    other.sees("Game over: p1 wins, 1-0 {human wins}");
    typist.sees("Game over: p1 wins");
    typist.sees("game over> ");
    typist.types("quit");
    typist.leaves();
    let rest = other.rest();
    assert!(
        !rest.contains("ledger") && !rest.contains("--continue"),
        "{rest}"
    );
    assert!(folder.read("l").contains("\"result\":\"1-0\""));
}

#[test]
fn a_lost_line_leaves_the_game_to_be_gone_on_with() {
    let folder = Folder::new("console-lost");
    let mut typist = Typist::new(&folder, "play susan --listen 127.0.0.1:0 --ledger l.jsonl");
    let mut other = Other::comes(&mut typist);
    typist.sees("1. p1> ");
    typist.types("e5");
    other.sees("2. p2> ");
    drop(other);
    typist.sees("the line to the other person is lost");
    let rest = typist.leaves();
    assert!(
        rest.contains("linesman play susan --continue l.jsonl"),
        "{rest}"
    );
    let mut typist = Typist::new(&folder, "play susan --continue --listen 127.0.0.1:0");
    let mut other = Other::comes(&mut typist);
    other.sees("2. p2> ");
    other.types(b"b2\n");
    typist.sees("3. p1> ");
    other.types(b"resign\n");
    // The prompt from before still stands.
    typist.sees("Game over: p1 wins, 1-0 {human #2 resigns}");
    typist.controls('d');
    typist.leaves();
}

#[test]
fn a_flood_does_no_harm() {
    let folder = Folder::new("console-flood");
    let mut typist = Typist::new(&folder, "play susan --listen 127.0.0.1:0");
    let mut other = Other::comes(&mut typist);
    typist.sees("1. p1> ");
    other.types(&[b'x'; (1 << 20) + 1]);
    other.types(b"\n\n");
    other.sees("the line is longer than 1048576 bytes");
    other.sees("nothing typed");
    other.types(b"quit\n");
    typist.sees("the other person leaves");
    typist.leaves();
}

#[test]
fn only_this_machine_is_listened_to_unless_told() {
    let folder = Folder::new("console-address");
    for address in ["nowhere", "127.0.0.1:99999"] {
        let done = folder
            .linesman(&format!("play susan --listen {address}"))
            .done();
        assert_eq!(done.status, Some(2));
        let files = std::fs::read_dir(folder.path("."))
            .expect("a folder")
            .count();
        assert_eq!(files, 0, "no ledger of a game that there is not");
        assert!(
            done.stderr.starts_with("error: --listen: ") && done.stderr.contains("expected"),
            "{}",
            done.stderr
        );
    }
    let done = folder.linesman("play susan --p2 remote").done();
    assert_eq!(done.status, Some(2), "{}", done.stderr);
}
