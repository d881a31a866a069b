//! Suite files, line by line.

use check::suite::{EXPECTED_GAME, parse};
use kit::Value;

use crate::suites::proved;
use crate::support::has;

const PUZZLE: &str = "s1oso/o3s/o3o/1o2s/sss1o o 0";

fn fault(text: &str) -> (usize, String) {
    parse(text, linesman::GAMES).expect_err("something is wrong with it")
}

#[test]
fn a_line_says_what_is_known_of_a_position() {
    let line = format!("{PUZZLE}; bm A4 - c4;win 7; id \"one; the first\"; c0 hard;");
    let text = format!(
        "# a comment\n\ngame entropy\n{}\n",
        line.replace(" - ", "-")
    );
    let puzzles = parse(&text, linesman::GAMES).expect("a suite");
    let [puzzle] = puzzles.as_slice() else {
        panic!("{puzzles:?}");
    };
    assert_eq!(puzzle.line, 4);
    assert_eq!(puzzle.opening.fen.as_deref(), Some(PUZZLE));
    assert_eq!(puzzle.best, ["a4-c4"]);
    assert_eq!(puzzle.value, Some(Value::Win(7)));
    assert_eq!(puzzle.name(), "one; the first");
    assert_eq!(puzzle.comment.as_deref(), Some("hard"));
}

#[test]
fn each_game_line_holds_until_the_next() {
    let text =
        format!("game susan:Size=3\nstartpos moves a1; bm b2;\ngame entropy\n{PUZZLE}; win 7\n");
    let puzzles = parse(&text, linesman::GAMES).expect("a suite");
    let games: Vec<&str> = puzzles
        .iter()
        .map(|puzzle| puzzle.rules.entry().name)
        .collect();
    assert_eq!(games, ["susan", "entropy"]);
    assert_eq!(puzzles[0].opening.moves, ["a1"]);
    assert_eq!(puzzles[0].name(), "line 2");
}

#[test]
fn faults_are_told_with_their_line() {
    for (line, expected, named) in [
        ("5/5 o 0; bm a4-c4;", 2, "expected 5"),
        (&format!("{PUZZLE}; bm a1-a2"), 2, "a1-a2"),
        (&format!("{PUZZLE}; bm"), 2, "bm without a move: add one"),
        (
            &format!("{PUZZLE};"),
            2,
            "add bm CODE, win N, loss N or draw",
        ),
        (&format!("{PUZZLE}; win seven"), 2, "win seven"),
        (&format!("{PUZZLE}; win 7; draw"), 2, "second draw"),
        (&format!("{PUZZLE}; win 7; pv a4-c4"), 2, "pv a4-c4"),
        ("game chess", 2, "chess"),
        ("game susan:Size=1", 2, "Size"),
    ] {
        let (number, why) = fault(&format!("game entropy\n{line}\n"));
        assert_eq!(number, expected, "{line}");
        has(&why, named);
    }
    assert_eq!(fault(PUZZLE), (1, EXPECTED_GAME.to_owned()));
}

#[test]
fn what_a_line_says_is_proved() {
    for (fields, is_true) in [
        ("bm a4-c4; win 7", true),
        ("win 7", true),
        ("bm a4-c4; win 9", false),
        ("bm a4-c4; win 6", false),
        ("bm a4-c4 a3-a2; win 7", false),
        ("bm a4-c4; loss 7", false),
        ("bm a4-c4; draw", false),
        ("bm a4-c4", false),
    ] {
        let suite = format!("game entropy\n{PUZZLE}; {fields}\n");
        let verdict = proved(&parse(&suite, linesman::GAMES).expect("a suite")[0]);
        assert_eq!(verdict.is_ok(), is_true, "{fields}: {verdict:?}");
    }
}
