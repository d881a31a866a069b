//! Tests of reply parsing, rule by rule.

use std::time::Duration;

use protocol::{Bound, Info, Reply, Score};

#[track_caller]
fn read(line: &str) -> Reply {
    Reply::parse(line).expect(line)
}

#[track_caller]
fn read_info(line: &str) -> Info {
    match read(line) {
        Reply::Info(info) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn text(text: &str) -> Reply {
    Reply::Text(text.to_owned())
}

/// Lines, each with the reply that it is read as.
#[test]
fn lines_are_read_as_in_the_table() {
    let rows = include_str!("replies.txt").lines();
    for row in rows.filter(|row| !row.starts_with('#')) {
        let (line, reply) = row.split_once(" => ").expect(row);
        assert_eq!(format!("{:?}", read(line)), reply, "{row}");
    }
}

#[test]
fn empty_texts_are_written_without_a_blank() {
    assert_eq!(Reply::Response(String::new()).to_string(), "response");
    let book = read("option name Book type string");
    assert_eq!(
        book.to_string(),
        "option name Book type string default <empty>"
    );
}

#[test]
fn info_with_every_field() {
    let line = "info depth 9 seldepth 12 multipv 2 score cp -35 upperbound hashfull 7 tbhits 11 nodes 4000 nps 2000000 \
                time 2 pv e5 b2->c3 string so far";
    let info = Info {
        depth: Some(9),
        seldepth: Some(12),
        time: Some(Duration::from_millis(2)),
        nodes: Some(4000),
        nps: Some(2_000_000),
        hashfull: Some(7),
        tb_hits: Some(11),
        multipv: Some(2),
        score: Some(Score::Cp(-35)),
        bound: Some(Bound::Upper),
        pv: vec!["e5".to_owned(), "b2->c3".to_owned()],
        string: Some("so far".to_owned()),
    };
    assert_eq!(read_info(line), info);
    assert_eq!(Reply::Info(info).to_string(), line);
}

#[test]
fn mates_count_for_and_against() {
    assert_eq!(read_info("info score mate 3").score, Some(Score::Mate(3)));
    assert_eq!(read_info("info score mate -2").score, Some(Score::Mate(-2)));
    assert_eq!(
        read_info("info score cp 0 exact nodes 3").score,
        Some(Score::Draw)
    );
    assert_eq!(read_info("info score cp 7 exact").score, Some(Score::Cp(7)));
    assert_eq!(read_info("info score cp 0 pv a1").score, Some(Score::Cp(0)));
    let bounded = read_info("info score lowerbound cp 4 depth 1");
    assert_eq!(bounded.bound, Some(Bound::Lower));
    assert_eq!(bounded.score, Some(Score::Cp(4)));
}

#[test]
fn words_that_info_does_not_know_are_passed_over() {
    let info = read_info("info currmove e5 depth 3 wdl 1 2 3 pv a b time 7 refutation x");
    let known = read_info("info depth 3 time 7 pv a b");
    assert_eq!(info, known);
}

#[test]
fn any_other_line_is_text_as_it_stands() {
    for line in [
        "",
        "   . x o  ",
        "fen: 5/6/5 x 0",
        "nodes searched: 5",
        ": 5",
        "a1: 5 6",
        "Hello, I am an engine",
    ] {
        assert_eq!(read(line), text(line));
        assert_eq!(text(line).to_string(), line);
    }
}

#[test]
fn a_reply_is_written_on_one_line() {
    assert_eq!(text("a\nbestmove b\r\n").to_string(), "a bestmove b  ");
}
