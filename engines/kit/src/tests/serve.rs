//! Tests of an engine over a connection: answers during a search, and the end of the conversation.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::tests::nim;
use protocol::connection::{Client, Connection};

/// Longer than any answer takes; a test that waits this long has failed.
const DEADLINE: Duration = Duration::from_secs(60);

fn engine() -> (Client, JoinHandle<std::io::Result<()>>) {
    let (connection, client) = Connection::memory();
    (
        client,
        thread::spawn(|| kit::serve::serve(nim::GAME, connection)),
    )
}

/// The next answer that is not an `info` line, except `info error`.
#[track_caller]
fn answer(client: &Client) -> String {
    loop {
        let line = client.replies.recv_timeout(DEADLINE).expect("an answer");
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
    let (client, _engine) = engine();
    client.send("position fen 1/2 p1");
    client.send("go infinite");
    client.send("isready");
    assert_eq!(answer(&client), "readyok");
    client.send("query fen");
    client.send("isready");
    assert_eq!(answer(&client), "readyok");
    client.send("stop");
    assert!(is_move(&answer(&client)));
    assert_eq!(answer(&client), "response 1/2 p1");
    client.send("stop");
    client.send("query gameover");
    assert_eq!(answer(&client), "response false");
}

#[test]
fn a_pondering_search_waits_for_the_hit() {
    let (client, _engine) = engine();
    client.send("position fen 1/2 p1");
    client.send("go ponder p1time 60000 p2time 60000");
    client.send("isready");
    assert_eq!(answer(&client), "readyok");
    client.send("ponderhit");
    assert_eq!(answer(&client), "bestmove b1");
    client.send("ponderhit");
    assert_eq!(
        answer(&client),
        "info error ponderhit: no search is pondering"
    );
    client.send("go ponder depth 3");
    client.send("stop");
    assert!(is_move(&answer(&client)));
}

#[test]
fn quit_stops_a_search_and_prints_its_move() {
    let (client, engine) = engine();
    client.send("position fen 1/2 p1");
    client.send("go");
    client.send("quit");
    assert!(is_move(&answer(&client)));
    assert!(engine.join().expect("no panic").is_ok());
}

#[test]
fn at_the_end_of_input_a_bounded_search_is_finished_and_another_stopped() {
    for go in ["go depth 4", "go infinite", "go ponder p1time 1000", "go"] {
        let (client, engine) = engine();
        client.send("position fen 1/2 p1");
        client.send(go);
        let Client { lines, replies } = client;
        drop(lines);
        assert!(engine.join().expect("no panic").is_ok());
        let last = replies.iter().last().expect("an answer");
        assert!(is_move(&last), "{go}: {last}");
    }
}

#[test]
fn at_the_end_of_input_all_that_waits_is_carried_out() {
    let (client, engine) = engine();
    for line in [
        "position fen 1/3 p1",
        "go depth 6",
        "position fen 0/2 p1",
        "go",
        "query fen",
        "go ponder depth 3",
    ] {
        client.send(line);
    }
    let Client { lines, replies } = client;
    drop(lines);
    assert!(engine.join().expect("no panic").is_ok());
    let answers: Vec<String> = replies
        .iter()
        .filter(|line| !line.starts_with("info "))
        .collect();
    assert_eq!(answers[0], "bestmove b2");
    assert!(answers[1].starts_with("bestmove b"));
    assert_eq!(answers[2], "response 0/2 p1");
    assert!(answers[3].starts_with("bestmove b"));
}

#[test]
fn a_long_perft_is_stopped() {
    let (client, engine) = engine();
    client.send("setoption name Heaps value 9");
    client.send("position startpos");
    client.send("go perft 60");
    client.send("isready");
    assert_eq!(answer(&client), "readyok");
    client.send("stop");
    let line = client.replies.recv_timeout(DEADLINE).expect("an answer");
    assert_eq!(line, "info string perft stopped");
    client.send("go perft 60");
    client.send("quit");
    let line = client.replies.recv_timeout(DEADLINE).expect("an answer");
    assert_eq!(line, "info string perft stopped");
    assert!(engine.join().expect("no panic").is_ok());
}

#[test]
fn a_closed_output_is_an_error_that_ends_the_conversation() {
    let (client, engine) = engine();
    let Client { lines, replies } = client;
    drop(replies);
    lines
        .send(protocol::Line::Text("isready".into()))
        .expect("the engine reads");
    let error = engine.join().expect("no panic").expect_err("nobody reads");
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn what_cannot_be_read_is_an_error_and_changes_nothing() {
    let (client, _engine) = engine();
    for (line, answers) in [
        ("", vec!["readyok"]),
        ("xyzzy", vec!["info error ", "readyok"]),
        ("go depth", vec!["info error ", "readyok"]),
        (
            "go depth 99999999999999999999",
            vec!["info error ", "readyok"],
        ),
        ("go sideways", vec!["info error ", "readyok"]),
        ("stop now", vec!["info error ", "readyok"]),
        (
            "query fen now",
            vec!["info error ", "response 1/2/3/4 p1", "readyok"],
        ),
    ] {
        client.send(line);
        client.send("isready");
        for expected in answers {
            let got = answer(&client);
            assert!(
                got.starts_with(expected),
                "{line:?}: {got:?}, expected {expected:?}"
            );
        }
    }
}
