//! Tests of reply parsing, rule by rule.

use std::time::Duration;

use protocol::{Bound, Dialect, Info, OptionDecl, OptionKind, Reply, Score};

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

#[track_caller]
fn read_kind(line: &str) -> OptionKind {
    match read(line) {
        Reply::Option(OptionDecl { kind, .. }) => kind,
        other => panic!("{line}: {other:?}"),
    }
}

fn text(text: &str) -> Reply {
    Reply::Text(text.to_owned())
}

fn best(mv: &str, ponder: Option<&str>) -> Reply {
    Reply::BestMove {
        mv: mv.to_owned(),
        ponder: ponder.map(str::to_owned),
    }
}

#[test]
fn the_handshake() {
    assert_eq!(
        read("id name Susan 1.0 by  day"),
        Reply::IdName("Susan 1.0 by  day".to_owned())
    );
    assert_eq!(read("id author A, B"), Reply::IdAuthor("A, B".to_owned()));
    assert_eq!(read("ugiok"), Reply::HandshakeOk(Dialect::Ugi));
    assert_eq!(read("uciok"), Reply::HandshakeOk(Dialect::Uci));
    assert_eq!(read("readyok"), Reply::ReadyOk);
}

#[test]
fn all_option_types() {
    assert_eq!(
        read("option name Skill  Level type spin default 20 min 0 max 20"),
        Reply::Option(OptionDecl {
            name: "Skill Level".to_owned(),
            kind: OptionKind::Spin {
                default: 20,
                min: 0,
                max: 20
            }
        })
    );
    assert_eq!(
        read_kind("option name Ponder type check default false"),
        OptionKind::Check { default: false }
    );
    assert_eq!(
        read_kind("option name R type combo default off var off var 2 or more"),
        OptionKind::Combo {
            default: "off".to_owned(),
            choices: vec!["off".to_owned(), "2 or more".to_owned()]
        }
    );
    assert_eq!(
        read_kind("option name Clear type button"),
        OptionKind::Button
    );
    assert_eq!(
        read_kind("option name Book type string default a  b default"),
        OptionKind::String {
            default: "a  b default".to_owned()
        }
    );
}

#[test]
fn an_empty_text_has_a_word_of_its_own() {
    let default = String::new();
    let kind = OptionKind::String { default };
    assert_eq!(
        read_kind("option name Book type string default <empty>"),
        kind
    );
    assert_eq!(read_kind("option name Book type string default"), kind);
    assert_eq!(read_kind("option name Book type string"), kind);
    assert_eq!(kind.to_string(), "string default <empty>");
}

#[test]
fn a_spin_without_bounds_takes_any_number() {
    assert_eq!(
        read_kind("option name Hash type spin max 64 default 16"),
        OptionKind::Spin {
            default: 16,
            min: i64::MIN,
            max: 64
        }
    );
}

#[test]
fn a_response_may_be_empty() {
    assert_eq!(read("response true"), Reply::Response("true".to_owned()));
    assert_eq!(
        read("response e5 b2->c3"),
        Reply::Response("e5 b2->c3".to_owned())
    );
    assert_eq!(read("response"), Reply::Response(String::new()));
    assert_eq!(Reply::Response(String::new()).to_string(), "response");
}

#[test]
fn best_move_alone_or_with_a_ponder_move() {
    assert_eq!(read("bestmove e5"), best("e5", None));
    assert_eq!(read("bestmove b2 -> c3"), best("b2->c3", None));
    assert_eq!(
        read("bestmove a4-c4 ponder 3 @ b2"),
        best("a4-c4", Some("3@b2"))
    );
    assert_eq!(read("bestmove e5 ponder"), best("e5", None));
    assert_eq!(read("bestmove none"), best("none", None));
    assert_eq!(best("e5", None).to_string(), "bestmove e5");
    assert_eq!(best("e5", Some("f5")).to_string(), "bestmove e5 ponder f5");
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
fn info_error_is_a_reply_of_its_own() {
    let error = Reply::Error("unknown command \"x\"".to_owned());
    assert_eq!(read("info error unknown command \"x\""), error);
    assert_eq!(error.to_string(), "info error unknown command \"x\"");
}

#[test]
fn perft_lines() {
    let mv = "b2->c3".to_owned();
    assert_eq!(read("b2->c3: 17"), Reply::Divide { mv, nodes: 17 });
    assert_eq!(read("nodes 3660"), Reply::PerftTotal(3660));
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
