//! Random and mutated bytes: no input causes a panic, lines are split at line breaks, and parsed lines round-trip.

use std::io::{self, Read};

use fastrand::Rng;
use protocol::{Command, Dialect, Line, LineReader, Parsed, Reply};

/// Lines to start from: every command and every reply with all its fields.
const VALID: &str = include_str!("valid.txt");

/// Fragments that are likely to confuse parsers, with `~` between them.
const PIECES: &[u8] =
    b"99999999999999999999999999~-1~4294967296~18446744073709551615~+7~0x10~1e9~\xff\xfe~\xc3~\
    \xed\xa0\x80~\0~\r~\t~\x0b~ ~->~ - ~ @~ moves ~ value ~ depth ~ pv ~ ponder ~<empty>~: 3~\
    \xe2\x86\x92\xe2\x80\xae\xc3\xa9";

/// Line limit of the readers in these tests; some lines are longer.
const LIMIT: usize = 200;

#[test]
fn a_million_lines_do_no_harm() {
    // Without `LINESMAN_TEST_FULL`, a quarter of them.
    let is_full = std::env::var_os("LINESMAN_TEST_FULL").is_some_and(|value| value == "1");
    let n_batches = if is_full { 1_000 } else { 250 };
    let mut rng = Rng::with_seed(0x5eed);
    let valid: Vec<&[u8]> = VALID.lines().map(str::as_bytes).collect();
    for _ in 0..n_batches {
        let lines: Vec<Vec<u8>> = (0..1_000).map(|_| random_line(&mut rng, &valid)).collect();
        check_batch(&lines.join(&b'\n'), &mut rng);
    }
}

#[test]
fn lines_as_long_as_may_be_do_no_harm() {
    let mut rng = Rng::with_seed(7);
    let pieces: Vec<&[u8]> = b"a ,- ,moves ,depth 1 ,var x ,\xff,@\0,pv a "
        .split(|&byte| byte == b',')
        .collect();
    for start in VALID.lines() {
        let piece = rng.choice(&pieces).expect("there are pieces");
        let line: Vec<u8> = start
            .bytes()
            .chain(piece.repeat(1 << 17))
            .take(1 << 20)
            .collect();
        let mut lines = LineReader::new(&line[..]);
        check_line(&lines.next().expect("a line").expect("memory can be read"));
    }
}

/// Reads a batch in pieces and checks each of its lines.
fn check_batch(bytes: &[u8], rng: &mut Rng) {
    let expected = bytes.split(|&byte| byte == b'\n').map(naive_line);
    let pieces = Pieces { bytes, rng };
    let mut lines = LineReader::with_limit(pieces, LIMIT);
    for expected in expected {
        match lines.next() {
            Some(line) => {
                let line = line.expect("memory can be read");
                assert_eq!(line, expected);
                check_line(&line);
            }
            // Nothing after the last line break is not a line.
            None => assert_eq!(expected, Line::Text(String::new())),
        }
    }
    assert!(lines.next().is_none());
}

fn naive_line(bytes: &[u8]) -> Line {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.len() > LIMIT {
        return Line::TooLong(LIMIT);
    }
    let is_blank = |c: char| c == '\0' || c == '\r';
    Line::Text(String::from_utf8_lossy(bytes).replace(is_blank, " "))
}

/// Checks that a parsed line round-trips through its text, and that an error fits on one line.
fn check_line(line: &Line) {
    match line.text().and_then(Command::parse) {
        Ok(Parsed { command, surplus }) => {
            check_round_trip(&command);
            surplus.iter().for_each(check_error);
        }
        Err(error) => check_error(&error),
    }
    match line.text().and_then(Reply::parse) {
        Ok(reply) => assert_eq!(
            Reply::parse(&reply.to_string()).as_ref(),
            Ok(&reply),
            "{line:?}"
        ),
        Err(error) => check_error(&error),
    }
}

fn check_round_trip(command: &Command) {
    for dialect in [Dialect::Ugi, Dialect::Uci] {
        let text = command.display(dialect).to_string();
        let again = Command::parse(&text).expect(&text);
        assert_eq!((&again.command, again.surplus), (command, None), "{text}");
    }
}

fn check_error(error: &impl ToString) {
    let text = error.to_string();
    assert!(
        text.chars().count() < 300 && !text.contains(char::is_control),
        "{text:?}"
    );
}

/// An input that returns pieces of random size.
struct Pieces<'a> {
    bytes: &'a [u8],
    rng: &'a mut Rng,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.rng.usize(1..3_000).min(buffer.len());
        self.bytes.read(&mut buffer[..most])
    }
}

fn random_line(rng: &mut Rng, valid: &[&[u8]]) -> Vec<u8> {
    if rng.u8(..10) == 0 {
        return (0..rng.usize(..60)).map(|_| rng.u8(..)).collect();
    }
    let mut line = rng.choice(valid).expect("there are lines").to_vec();
    for _ in 0..rng.usize(..4) {
        mutate(&mut line, rng, valid);
    }
    line
}

fn mutate(line: &mut Vec<u8>, rng: &mut Rng, valid: &[&[u8]]) {
    let at = rng.usize(..=line.len());
    match rng.u8(..8) {
        0 => line.truncate(at),
        1 => drop(line.drain(..at)),
        2 => insert(line, at, piece(rng)),
        3 => insert(line, at, rng.choice(valid).expect("there are lines")),
        4 => insert(line, at, &line.clone()),
        5 => line.make_ascii_uppercase(),
        6 => line.retain(|_| rng.u8(..20) > 0),
        _ => line
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte ^= 1 << rng.u8(..8)),
    }
}

fn piece(rng: &mut Rng) -> &'static [u8] {
    let pieces = PIECES.split(|&byte| byte == b'~');
    let pieces: Vec<&[u8]> = pieces.collect();
    rng.choice(pieces).expect("there are pieces")
}

fn insert(line: &mut Vec<u8>, at: usize, piece: &[u8]) {
    line.splice(at..at, piece.iter().copied());
}
