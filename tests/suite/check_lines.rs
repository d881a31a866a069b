//! The lines that `linesman check` prints to reproduce a fault: those needed in a fresh process, and no others.

use crate::support::{Folder, begins, lacks};

const UNSOUND: &str = env!("CARGO_BIN_EXE_unsound-engine");

/// The failed step's text and its lines.
fn failure(fault: &str, step: &str) -> (String, Vec<String>) {
    let folder = Folder::new(&format!("check-lines-{fault}"));
    let words = format!(
        "check cmd={UNSOUND} arg={fault} susan --json --seed 1 --ping-ms 3000 --only {step}"
    );
    folder.linesman(&words).done().failed_step()
}

#[track_caller]
fn is_one_search(lines: &[String], go: &str) -> String {
    match lines {
        [ugi, position, last] if ugi == "ugi" && last == go => {
            begins(position, "position startpos moves ");
            position.clone()
        }
        _ => panic!("{lines:?}"),
    }
}

#[test]
fn a_late_move_is_shown_by_one_search() {
    let (text, lines) = failure("movetime", "movetime");
    assert!(text.ends_with("it would lose on time"), "{text}");
    is_one_search(&lines, "go movetime 100");
}

#[test]
fn a_crash_names_the_position_and_the_command() {
    let (text, lines) = failure("die", "depth");
    let position = is_one_search(&lines, "go depth 1");
    let expected =
        format!("exited with status 3 before sending bestmove after {position}, go depth 1");
    assert_eq!(text, expected);
}

#[test]
fn silence_tells_after_what() {
    let (text, lines) = failure("hang", "depth");
    let position = is_one_search(&lines, "go depth 1");
    assert_eq!(
        text,
        format!("no bestmove in time after {position}, go depth 1")
    );
    // The isready without an answer is one of the lines.
    let (text, lines) = failure("isready-in-search", "isready-in-search");
    assert_eq!(text, "no readyok in time after go infinite");
    assert_eq!(lines, ["ugi", "go infinite", "isready"]);
}

#[test]
fn an_answer_after_readyok_is_blamed_on_no_rule() {
    for step in ["query-then-isready", "rules-moves"] {
        let (text, lines) = failure("query-then-isready", step);
        begins(&text, "readyok came before the answer to query ");
        let [ugi, position, query, isready] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(ugi == "ugi" && isready == "isready", "{lines:?}");
        assert!(
            position.starts_with("position startpos") && query.starts_with("query "),
            "{lines:?}"
        );
    }
}

#[test]
fn a_position_string_replaces_moves_that_do_not_matter() {
    let (text, lines) = failure("late-turn", "rules-p1turn");
    let [_, position, query] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    begins(position, "position fen ");
    lacks(&position, " moves ");
    assert_eq!(query, "query p1turn");
    begins(&text, position);
}

#[test]
fn a_leak_is_shown_by_one_game_and_a_number() {
    let (_, lines) = failure("200-games", "200-games");
    assert_eq!(lines[..2], ["ugi", "uginewgame"]);
    let n_searches = lines.iter().filter(|line| *line == "go depth 1").count();
    assert_eq!(n_searches, 5);
    let last = lines.last().expect("a line");
    assert!(
        last.starts_with("(... the same game ") && last.ends_with(" times ...)"),
        "{last}"
    );
}
