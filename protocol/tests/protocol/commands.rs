//! Tests of command parsing, rule by rule.

use std::time::Duration;

use protocol::{Base, Command, Dialect, Go, Query};

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

#[track_caller]
fn read_go(line: &str) -> Go {
    match read(line) {
        Command::Go(go) => go,
        other => panic!("{line}: {other:?}"),
    }
}

/// The codes after `moves`.
#[track_caller]
fn read_moves(line: &str) -> Vec<String> {
    match read(line) {
        Command::Position { moves, .. } => moves,
        other => panic!("{line}: {other:?}"),
    }
}

/// The position string after `fen`.
#[track_caller]
fn read_fen(line: &str) -> String {
    match read(line) {
        Command::Position {
            base: Base::Fen(text),
            ..
        } => text,
        other => panic!("{line}: {other:?}"),
    }
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    }
}

#[test]
fn single_words() {
    assert_eq!(read("ugi"), Command::Handshake(Dialect::Ugi));
    assert_eq!(read("uci"), Command::Handshake(Dialect::Uci));
    assert_eq!(read("isready"), Command::IsReady);
    assert_eq!(read("uginewgame"), Command::NewGame);
    assert_eq!(read("ucinewgame"), Command::NewGame);
    assert_eq!(read("stop"), Command::Stop);
    assert_eq!(read("ponderhit"), Command::PonderHit);
    assert_eq!(read("quit"), Command::Quit);
}

#[test]
fn a_line_without_a_word_is_nothing_to_do() {
    assert_eq!(read(""), Command::Blank);
    assert_eq!(read(" \t \r"), Command::Blank);
}

#[test]
fn words_are_read_in_any_letter_case() {
    assert_eq!(read("IsReady"), Command::IsReady);
    assert_eq!(read("QUERY P1Turn"), Command::Query(Query::P1Turn));
    assert_eq!(read_go("Go Depth 3").depth, Some(3));
    assert_eq!(read("SetOption Name Hash VALUE 1"), set("Hash", Some("1")));
    assert_eq!(read_moves("Position StartPos Moves E5"), ["E5"]);
}

#[test]
fn blanks_around_words_do_not_count() {
    assert_eq!(read("  \t isready \r"), Command::IsReady);
    assert_eq!(read("go\0depth\0\0 4").to_owned(), read("go depth 4"));
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
fn debug_is_on_or_off() {
    assert_eq!(read("debug on"), Command::Debug(true));
    assert_eq!(read("debug off"), Command::Debug(false));
}

#[test]
fn the_board_is_drawn_in_a_style_or_the_usual_way() {
    assert_eq!(read("d"), Command::Display { style: None });
    let style = Some("farside".to_owned());
    assert_eq!(read("d farside"), Command::Display { style });
}

#[test]
fn every_query_is_known_by_its_word() {
    for query in Query::ALL {
        let line = format!("query {}", query.word());
        assert_eq!(read(&line), Command::Query(query));
    }
}

#[test]
fn options_are_set_by_name() {
    assert_eq!(
        read("setoption name Hash value 64"),
        set("Hash", Some("64"))
    );
    assert_eq!(
        read("setoption name Skill   Level value 5"),
        set("Skill Level", Some("5"))
    );
    assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", None));
}

#[test]
fn an_option_s_text_stands_as_it_is() {
    assert_eq!(
        read("setoption name Book value  C:\\my  book value.bin "),
        set("Book", Some("C:\\my  book value.bin"))
    );
    assert_eq!(
        read("setoption name Book value <empty>"),
        set("Book", Some(""))
    );
    assert_eq!(read("setoption name Book value"), set("Book", Some("")));
}

#[test]
fn a_position_begins_at_the_start_or_at_a_string() {
    let base = Base::Start;
    let moves = vec![];
    assert_eq!(read("position startpos"), Command::Position { base, moves });
    assert_eq!(
        read_fen("position fen 5/6/7/8/9/8/7/6/5 x 0"),
        "5/6/7/8/9/8/7/6/5 x 0"
    );
}

#[test]
fn a_position_string_is_kept_but_for_its_blanks() {
    assert_eq!(read_fen("position fen  4x8   - moves G"), "4x8 -");
    assert_eq!(read_fen("position fen a -> b @ c"), "a -> b @ c");
    assert_eq!(read_fen("position fen rK w - - 0 1 moves"), "rK w - - 0 1");
}

#[test]
fn an_empty_list_of_moves_is_legal() {
    assert_eq!(read("position startpos moves"), read("position startpos"));
}

#[test]
fn blanks_within_a_move_are_dropped() {
    for slide in ["b2->c3", "b2 -> c3", "b2-> c3", "b2 ->c3", "b2 - > c3"] {
        let line = format!("position startpos moves e5 {slide} d4");
        assert_eq!(read_moves(&line), ["e5", "b2->c3", "d4"], "{slide}");
    }
    assert_eq!(
        read_moves("position startpos moves a4 - c4 3 @ b2 3@ b1 a1 -b1"),
        ["a4-c4", "3@b2", "3@b1", "a1-b1"]
    );
    assert_eq!(
        read_go("go searchmoves b2 -> c3 a1 depth 2").search_moves,
        ["b2->c3", "a1"]
    );
}

#[test]
fn a_joint_without_a_neighbour_stays() {
    assert_eq!(read_moves("position startpos moves -"), ["-"]);
    assert_eq!(read_moves("position startpos moves - c4"), ["-c4"]);
    assert_eq!(read_moves("position startpos moves c4 ->"), ["c4->"]);
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
    assert_eq!(read_go(line), go);
    assert_eq!(read_go("go"), Go::default());
}

#[test]
fn both_dialects_are_read() {
    assert_eq!(
        read_go("go wtime 1 btime 2 winc 3 binc 4"),
        read_go("go p1time 1 p2time 2 p1inc 3 p2inc 4")
    );
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
    assert_eq!(
        Command::NewGame.display(Dialect::Ugi).to_string(),
        "uginewgame"
    );
    assert_eq!(
        Command::NewGame.display(Dialect::Uci).to_string(),
        "ucinewgame"
    );
}

#[test]
fn a_clock_that_has_run_out_reads_as_zero() {
    let go = read_go("go p1time -5 p2time -9000000000 movetime -1");
    assert_eq!(go.p1_time, Some(Duration::ZERO));
    assert_eq!(go.p2_time, Some(Duration::ZERO));
    assert_eq!(go.move_time, Some(Duration::ZERO));
}

#[test]
fn perft_stands_alone() {
    assert_eq!(read("go perft 5"), Command::Perft(5));
}

#[test]
fn a_command_is_written_on_one_line() {
    let command = set("Book", Some("a\nquit\r\0b"));
    assert_eq!(
        command.display(Dialect::Ugi).to_string(),
        "setoption name Book value a quit  b"
    );
}
