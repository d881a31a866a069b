//! The filter of an engine's lines.

use protocol::Score;

use super::*;

fn filtered<'a>(filter: &mut Filter, line: &'a str) -> (Option<Message<'a>>, bool) {
    filter.sift(RawLine::Bytes(line.as_bytes()))
}

#[test]
fn info_goes_along_with_the_best_move() {
    let mut filter = Filter::default();
    for line in [
        "info depth 3 score cp 5 pv a1",
        "info depth 4 multipv 2 score cp -9",
        "info string score",
        "info string the score is good",
        "info depth 9 string a score of cp 100",
        "info score of nothing",
    ] {
        let dropped = filtered(&mut filter, line);
        assert!(dropped.0.is_none() && dropped.1, "{line}");
    }
    let Some(Message::BestMove { line, info }) = filtered(&mut filter, "bestmove a1").0 else {
        panic!("a best move");
    };
    assert_eq!(line, "bestmove a1");
    assert_eq!(info.expect("a scored line").depth, Some(3));
    let Some(Message::BestMove { info: None, .. }) = filtered(&mut filter, "bestmove b1").0 else {
        panic!("a score belongs to one move");
    };
}

#[test]
fn a_line_unsets_nothing_that_another_said() {
    let mut filter = Filter::default();
    for line in [
        "info depth 3 score cp 5 nodes 100 pv a1 b1",
        "info score cp 7 upperbound",
        "info depth 4 score mate string none",
        "info score mate 2 string score cp 9 depth 20",
    ] {
        filtered(&mut filter, line);
    }
    let message = filtered(&mut filter, "bestmove a1").0;
    let Some(Message::BestMove {
        info: Some(info), ..
    }) = message
    else {
        panic!("{message:?}");
    };
    assert_eq!((info.depth, info.nodes), (Some(3), Some(100)));
    assert_eq!((info.score, info.pv.len()), (Some(Score::Mate(2)), 2));
    assert_eq!(info.bound, None);
}

#[test]
fn an_endless_greeting_is_cut_off() {
    let mut filter = Filter::default();
    let line = format!("option name A type string default {}", "x".repeat(1 << 19));
    let messages: Vec<Message<'_>> = (0..1000)
        .filter_map(|_| filtered(&mut filter, &line).0)
        .collect();
    assert!(filter.is_endless());
    assert!(messages.len() * line.len() <= MAX_GREETING + line.len());
    let mut filter = Filter::default();
    filtered(&mut filter, "ugiok");
    let is_kept = |_: &i32| filtered(&mut filter, &line).0.is_some();
    assert_eq!(
        (0..100).filter(is_kept).count(),
        100,
        "the greeting is over"
    );
}

#[test]
fn errors_and_what_an_engine_learned_are_passed_on() {
    let learned = "learned from game 7 (lost)".to_owned();
    for (line, reply) in [
        (
            "info error no such cell",
            Reply::Error("no such cell".to_owned()),
        ),
        (
            "info string learned from game 7 (lost)",
            Reply::string(learned),
        ),
    ] {
        let (message, is_noise) = filtered(&mut Filter::default(), line);
        assert_eq!(message, Some(Message::Reply(reply)));
        assert!(!is_noise, "{line}");
    }
}

#[test]
fn a_flood_of_info_is_thinned_out() {
    for (infos, least) in [(Infos::Best, 1), (Infos::All, 256)] {
        let mut filter = Filter::of(infos, Proto::Ugi);
        let told = |_: &i32| {
            let line = "info depth 1 score cp 0";
            filtered(&mut filter, line).0.is_some()
        };
        let n_told = (0..10_000).filter(told).count();
        assert!((least..10_000).contains(&n_told), "{infos:?}: {n_told}");
    }
}

#[test]
fn other_lines_than_the_best_are_for_an_analysis() {
    let line = "info depth 4 multipv 2 score cp -9 pv b1";
    for (infos, is_told) in [
        (Infos::None, false),
        (Infos::Best, false),
        (Infos::All, true),
    ] {
        let mut filter = Filter::of(infos, Proto::Ugi);
        let message = filtered(&mut filter, line).0;
        assert_eq!(message.is_some(), is_told, "{infos:?}");
        let Some(Message::BestMove { info: None, .. }) = filtered(&mut filter, "bestmove a1").0
        else {
            panic!("{infos:?}: it is not the score of the best move");
        };
    }
}

#[test]
fn junk_is_dropped_and_not_forgotten() {
    for line in ["", "junk", "\0\0junk\0", "option name", "bestmoves a1"] {
        let junk = filtered(&mut Filter::default(), line);
        assert!(junk.0.is_none() && !junk.1, "{line:?}");
    }
}
