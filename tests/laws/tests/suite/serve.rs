//! Tests of an engine over pipes: answers during a search, and the end of the conversation.

use std::io::{self, PipeWriter, Write};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::Receiver;
use kit::Session;
use kit::serve::{read_lines, serve};
use protocol::Line;

/// Longer than any answer takes; a test that waits this long has failed.
const DEADLINE: Duration = Duration::from_secs(60);

/// The client's end of the pipes to an engine.
struct Client {
    output: PipeWriter,
    lines: Receiver<Line>,
}

/// A client of an engine, whose thread ends with the conversation.
fn engine() -> (Client, JoinHandle<io::Result<()>>) {
    let [(input, output), (from_engine, to_client)] = [(); 2].map(|()| io::pipe().expect("a pipe"));
    let [commands, lines] = [input, from_engine].map(|input| read_lines(input).expect("a thread"));
    let engine = thread::spawn(|| serve(Session::new(nim::GAME), commands, to_client));
    (Client { output, lines }, engine)
}

fn send(client: &mut Client, lines: &str) {
    writeln!(client.output, "{lines}").expect("the engine reads");
}

/// The next line from the engine.
#[track_caller]
fn line(client: &Client) -> String {
    let line = client.lines.recv_timeout(DEADLINE).expect("an answer");
    line.text().expect("a short line").to_owned()
}

/// The engine's lines up to its end, which comes with that of its input.
fn rest(client: Client, engine: JoinHandle<io::Result<()>>) -> Vec<String> {
    let Client { lines, output } = client;
    drop(output);
    assert!(engine.join().expect("no panic").is_ok());
    let text = |line: Line| line.text().expect("a short line").to_owned();
    lines.iter().map(text).collect()
}

/// The next answer that is not an `info` line, except `info error`.
#[track_caller]
fn answer(client: &Client) -> String {
    loop {
        let line = line(client);
        if !line.starts_with("info ") || line.starts_with("info error") {
            return line;
        }
    }
}

/// `true` for a legal move with heaps of one and two; a search stopped at once may return any of them.
fn is_move(line: &str) -> bool {
    ["bestmove a1", "bestmove b1", "bestmove b2"].contains(&line)
}

#[test]
fn a_search_without_limit_is_held_until_stop_and_isready_is_answered_meanwhile() {
    let (mut client, _engine) = engine();
    send(&mut client, "position fen 1/2 p1\ngo infinite\nisready");
    assert_eq!(answer(&client), "readyok");
    send(&mut client, "query fen\nisready");
    assert_eq!(answer(&client), "readyok");
    send(&mut client, "stop");
    assert!(is_move(&answer(&client)));
    assert_eq!(answer(&client), "response 1/2 p1");
    send(&mut client, "stop\nquery gameover");
    assert_eq!(answer(&client), "response false");
}

/// The search is over when its move is written: what comes then is answered in order.
#[test]
fn a_line_right_after_a_move_is_not_overtaken_by_isready() {
    let (mut client, _engine) = engine();
    for _ in 0..500 {
        send(&mut client, "position fen 1/2 p1\ngo depth 1");
        assert!(is_move(&answer(&client)));
        send(&mut client, "query gameover\nisready");
        assert_eq!(answer(&client), "response false");
        assert_eq!(answer(&client), "readyok");
    }
}

#[test]
fn a_pondering_search_waits_for_the_hit() {
    let (mut client, _engine) = engine();
    send(
        &mut client,
        "position fen 1/2 p1\ngo ponder p1time 60000 p2time 60000\nisready",
    );
    assert_eq!(answer(&client), "readyok");
    send(&mut client, "ponderhit");
    assert_eq!(answer(&client), "bestmove b1");
    send(&mut client, "ponderhit");
    assert_eq!(
        answer(&client),
        "info error ponderhit: no search is pondering"
    );
    send(&mut client, "go ponder depth 3\nstop");
    assert!(is_move(&answer(&client)));
}

#[test]
fn quit_stops_a_search_and_prints_its_move() {
    let (mut client, engine) = engine();
    send(&mut client, "position fen 1/2 p1\ngo\nquit");
    assert!(is_move(&answer(&client)));
    assert!(engine.join().expect("no panic").is_ok());
}

#[test]
fn at_the_end_of_input_a_bounded_search_is_finished_and_another_stopped() {
    for go in ["go depth 4", "go infinite", "go ponder p1time 1000", "go"] {
        let (mut client, engine) = engine();
        send(&mut client, "position fen 1/2 p1");
        send(&mut client, go);
        let last = rest(client, engine).pop().expect("an answer");
        assert!(is_move(&last), "{go}: {last}");
    }
}

#[test]
fn at_the_end_of_input_all_that_waits_is_carried_out() {
    let (mut client, engine) = engine();
    send(&mut client, "position fen 1/3 p1\ngo depth 6");
    send(
        &mut client,
        "position fen 0/2 p1\ngo\nquery fen\ngo ponder depth 3",
    );
    let mut answers = rest(client, engine);
    answers.retain(|line| !line.starts_with("info "));
    assert_eq!(answers[0], "bestmove b2");
    assert!(answers[1].starts_with("bestmove b"));
    assert_eq!(answers[2], "response 0/2 p1");
    assert!(answers[3].starts_with("bestmove b"));
}

#[test]
fn a_long_perft_is_stopped() {
    let (mut client, engine) = engine();
    send(
        &mut client,
        "setoption name Heaps value 9\nposition startpos\ngo perft 60\nisready",
    );
    assert_eq!(answer(&client), "readyok");
    send(&mut client, "stop");
    assert_eq!(line(&client), "info string perft stopped");
    send(&mut client, "go perft 60\nquit");
    assert_eq!(line(&client), "info string perft stopped");
    assert!(engine.join().expect("no panic").is_ok());
}

#[test]
fn a_closed_output_is_an_error_that_ends_the_conversation() {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let lines = read_lines(io::Cursor::new("isready\n")).expect("a thread");
    let error = serve(Session::new(nim::GAME), lines, writer).expect_err("nobody reads");
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

/// A sink that records its calls.
#[derive(Default)]
struct Spy(Vec<String>);

impl Write for Spy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.push("flush".to_owned());
        Ok(())
    }
}

#[test]
fn the_replies_to_a_line_are_written_and_flushed_at_once() {
    let mut spy = Spy::default();
    let input = "position fen 1/2 p1\nd\nisready\n";
    let lines = read_lines(io::Cursor::new(input)).expect("a thread");
    serve(Session::new(nim::GAME), lines, &mut spy).expect("a sink");
    let [board, flush, rest @ ..] = &spy.0[..] else {
        panic!("two writes: {:?}", spy.0);
    };
    assert!(board.ends_with("\nfen: 1/2 p1\n"), "{board}");
    assert_eq!(flush, "flush");
    assert_eq!(rest, ["readyok\n", "flush"]);
}

#[test]
fn a_reader_that_nobody_hears_waits_and_loses_nothing() {
    let input: String = (0..10_000).map(|number| format!("{number}\n")).collect();
    let lines = read_lines(io::Cursor::new(input)).expect("a thread");
    let expected = (0..10_000).map(|number| Line::Text(format!("{number}")));
    assert!(lines.iter().eq(expected));
}

#[test]
fn an_input_that_fails_has_ended() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Other.into())
        }
    }
    let lines = read_lines(Broken).expect("a thread");
    assert_eq!(lines.iter().count(), 0);
}

#[test]
fn lines_without_a_word_are_dropped_by_the_reader() {
    let input = "\n \t\r\n\0\x0b\x0c\nisready\n\n\nquit\n\n";
    let lines = read_lines(io::Cursor::new(input)).expect("a thread");
    let expected = ["isready", "quit"].map(|text| Line::Text(text.to_owned()));
    assert!(lines.iter().eq(expected));
}

#[test]
fn what_cannot_be_read_is_an_error_and_changes_nothing() {
    let (mut client, _engine) = engine();
    send(&mut client, "\nisready");
    assert_eq!(answer(&client), "readyok");
    let wrong =
        "xyzzy\ngo depth\ngo depth 99999999999999999999\ngo sideways\nstop now\nquery fen now";
    for line in wrong.lines() {
        send(&mut client, line);
        assert!(answer(&client).starts_with("info error "), "{line}");
    }
    assert_eq!(answer(&client), "response 1/2/3/4 p1");
}
