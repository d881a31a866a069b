//! Tests of command parsing, rule by rule.

use std::time::Duration;

use protocol::{Command, Dialect, Go, Query};

/// The command of a line without surplus words.
#[track_caller]
fn read(line: &str) -> Command {
    let parsed = Command::parse(line).expect(line);
    assert_eq!(parsed.surplus, None, "{line}");
    parsed.command
}

/// The error of an invalid command line.
#[track_caller]
fn refuse(line: &str) -> String {
    let error = Command::parse(line).expect_err(line);
    error.to_string()
}

/// The command of a line, with the error for its surplus word.
#[track_caller]
fn read_with_surplus(line: &str) -> (Command, String) {
    let parsed = Command::parse(line).expect(line);
    let surplus = parsed.surplus.expect("the line holds a word too many");
    (parsed.command, surplus.to_string())
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    }
}

/// Lines, each with the command that it is read as. What a command's text says is tested by `round_trip`.
const READ: &str = include_str!("commands.txt");

#[test]
fn lines_are_read_as_written_in_the_table() {
    for row in READ.lines().filter(|row| !row.starts_with('#')) {
        let (line, command) = row.split_once(" => ").expect(row);
        let found = read(&line.replace("\\t", "\t").replace("\\0", "\0"));
        assert_eq!(found.display(Dialect::Ugi).to_string(), command, "{row}");
    }
    assert_eq!(read(" \t \r"), Command::Blank);
}

#[test]
fn every_query_is_known_by_its_word() {
    for &query in Query::ALL {
        let line = format!("query {}", query.word());
        assert_eq!(read(&line), Command::Query(query));
    }
}

#[test]
fn unknown_commands_are_named() {
    let error = refuse("xyzzy 1 2");
    assert!(error.starts_with("unknown command \"xyzzy\": expected ugi, uci"));
}

#[test]
fn errors_repeat_at_most_80_printable_characters() {
    let error = refuse(&"ä\u{7}\u{202e}".repeat(1000));
    let word = error.split('"').nth(1).unwrap();
    assert_eq!(word.chars().count(), 80);
    assert!(word.starts_with("ä??ä??") && word.ends_with("..."));
}

#[test]
fn a_surplus_word_is_reported_and_the_command_stands() {
    let (command, surplus) = read_with_surplus("isready now please");
    assert_eq!(command, Command::IsReady);
    assert_eq!(
        surplus,
        "surplus word \"now\" after isready: expected the end of the line"
    );
    let (command, surplus) = read_with_surplus("QUERY  fen x");
    assert_eq!(command, Command::Query(Query::Fen));
    assert!(surplus.contains("\"x\" after QUERY  fen:"), "{surplus}");
    assert_eq!(read_with_surplus("debug on off").0, Command::Debug(true));
    let drawn = Command::Display {
        style: Some("ascii".to_owned()),
    };
    assert_eq!(read_with_surplus("d ascii art").0, drawn);
}

#[test]
fn limits_combine_freely() {
    let line = "go ponder p1time 1 p2time 2 p1inc 3 p2inc 4 movestogo 5 movetime 6 depth 7 nodes 8 mate 9 \
                infinite searchmoves a b";
    let millis = |count| Some(Duration::from_millis(count));
    let go = Go {
        p1_time: millis(1),
        p2_time: millis(2),
        p1_inc: millis(3),
        p2_inc: millis(4),
        moves_to_go: Some(5),
        move_time: millis(6),
        depth: Some(7),
        nodes: Some(8),
        mate: Some(9),
        infinite: true,
        ponder: true,
        search_moves: vec!["a".to_owned(), "b".to_owned()],
    };
    assert_eq!(read(line), Command::Go(go));
    assert_eq!(read("go"), Command::Go(Go::default()));
}

#[test]
fn one_dialect_is_written() {
    let command = read("go wtime 1 p2time 2 winc 3 p2inc 4 searchmoves a depth 5");
    assert_eq!(
        command.display(Dialect::Ugi).to_string(),
        "go p1time 1 p2time 2 p1inc 3 p2inc 4 depth 5 searchmoves a"
    );
    assert_eq!(
        command.display(Dialect::Uci).to_string(),
        "go wtime 1 btime 2 winc 3 binc 4 depth 5 searchmoves a"
    );
    for (dialect, line) in [(Dialect::Ugi, "uginewgame"), (Dialect::Uci, "ucinewgame")] {
        assert_eq!(Command::NewGame.display(dialect).to_string(), line);
    }
}

#[test]
fn a_clock_that_has_run_out_reads_as_zero() {
    let zero = read("go p1time 0 p2time 0 movetime 0");
    assert_eq!(read("go p1time -5 p2time -9000000000 movetime -1"), zero);
}

#[test]
fn a_command_is_written_on_one_line() {
    let command = set("Book", Some("a\nquit\r\0b"));
    assert_eq!(
        command.display(Dialect::Ugi).to_string(),
        "setoption name Book value a quit  b"
    );
}
