//! Tests of a connection's input and output.

use std::io;
use std::sync::{Arc, Mutex};

use protocol::{Connection, Line, Reply};

#[test]
fn a_closed_output_is_an_error_value() {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut connection = Connection::new(io::empty(), writer).unwrap();
    let error = connection.output.send([Reply::ReadyOk]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

/// A sink that records its calls.
#[derive(Clone, Default)]
struct Spy(Arc<Mutex<Vec<String>>>);

impl io::Write for Spy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        self.0.lock().unwrap().push(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap().push("flush".to_owned());
        Ok(())
    }
}

#[test]
fn a_batch_is_written_and_flushed_at_once() {
    let spy = Spy::default();
    let mut connection = Connection::new(io::empty(), spy.clone()).unwrap();
    connection.output.send(["a", "b"]).unwrap();
    connection.output.send([""; 0]).unwrap();
    connection.output.send([Reply::ReadyOk]).unwrap();
    assert_eq!(
        *spy.0.lock().unwrap(),
        ["a\nb\n", "flush", "readyok\n", "flush"]
    );
}

#[test]
fn a_reader_that_nobody_hears_waits_and_loses_nothing() {
    let input: String = (0..10_000).map(|number| format!("{number}\n")).collect();
    let connection = Connection::new(io::Cursor::new(input), io::sink()).unwrap();
    let expected = (0..10_000).map(|number| Line::Text(format!("{number}")));
    assert!(connection.lines.iter().eq(expected));
}

#[test]
fn an_input_that_fails_has_ended() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Other.into())
        }
    }
    let connection = Connection::new(Broken, io::sink()).unwrap();
    assert_eq!(connection.lines.iter().count(), 0);
}

#[test]
fn lines_without_a_word_are_dropped_by_the_reader() {
    let input = "\n \t\r\n\0\x0b\x0c\nisready\n\n\nquit\n\n";
    let connection = Connection::new(io::Cursor::new(input), io::sink()).unwrap();
    let lines: Vec<Line> = connection.lines.iter().collect();
    assert_eq!(
        lines,
        ["isready", "quit"].map(|text| Line::Text(text.to_owned()))
    );
}
