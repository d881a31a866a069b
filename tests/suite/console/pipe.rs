//! A game through a pipe: a script with one line per prompt.

use crate::schemas::Schema;
use crate::support::{Folder, has};

/// The line can be pasted into a shell.
#[test]
fn the_line_that_resumes_a_game_quotes_its_ledger() {
    let folder = Folder::new("console-quoted");
    let play = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger \"Ann's game\"";
    let done = folder.shell(play).done();
    let start = "the game is saved; to resume: ";
    let lines = done.lines(start);
    let [line] = lines.as_slice() else {
        panic!("{:?}", done.stdout);
    };
    let resumed = line.replace(start, "").replace("linesman", "LINESMAN");
    let done = folder.shell(&format!("{resumed} < /dev/null")).exits(0);
    done.shows(1, "2. o> ");
}

#[test]
fn words_do_what_they_say() {
    let folder = Folder::new("console-words");
    let script = [
        ("moves", "61 moves:"),
        ("moves b2", "1 move: b2"),
        ("e5", ""),
        (":u", "were taken back; move 1 is next"),
        ("redo", "were played again; move 3 is next"),
        ("back 2", "1. e5 and 2. "),
        ("forward", "1. e5 was played again; move 2 is next"),
        ("hint", "hint: "),
        ("eval", "eval: "),
        ("auto", "x is played by a person, o is played by an engine"),
        (
            "auto off",
            "x is played by a person, o is played by a person",
        ),
        ("a1", ""),
        ("back", "a1 were played from here"),
        ("level 3", "engines play at level 3 (beginner, Elo "),
        (
            "level 21",
            "level: \"21\": write a whole number from 0 to 20, or adaptive",
        ),
        ("auto p3", "auto: \"p3\": type x, o, both or off"),
        ("clock", "x has no clock, o has no clock"),
        ("board x", "board: \"x\": type one of plain"),
        ("peek on", "peek: susan has no covered pieces"),
        ("mark G", "mark: susan marks no moves on its board"),
        ("save game", "saved in game"),
        ("save game", "game: File exists"),
        ("load nowhere", "nowhere: "),
        ("new", "a new game"),
        ("load game", "after 1 move; "),
        ("back x", "back: \"x\": type a whole number above 0"),
        (":m", "may be moves, mark"),
        ("mvoes", ""),
        ("# a comment", ""),
        ("c3c5", ""),
        ("played", "1. e5"),
        ("draw", "offers a draw: yes agrees, no or a move declines"),
        ("resign", "Game over: "),
        ("e5", ""),
        ("undo", "1. e5 was taken back; move 1 is next"),
        ("?", "A move is typed as its code: e5 places"),
    ];
    let lines: String = script.iter().map(|(line, _)| format!("{line}\n")).collect();
    folder.write("script", lines);
    let done = folder
        .shell("LINESMAN play susan --st 0.02 < script")
        .exits(0);
    let mut rest = done.stdout.join("\n");
    for why in [
        "or did you mean the command moves?",
        "c3->c5: c3 is empty; nothing to slide",
        "The game is over. Use new to start another, or undo to take a move back.",
    ] {
        assert_eq!(done.stderr.matches(why).count(), 1, "{}", done.stderr);
    }
    for (line, answer) in script {
        let echo = rest
            .find(&format!("> {line}\n"))
            .unwrap_or_else(|| panic!("{line} is not reached: {rest}"));
        rest.drain(..echo);
        has(&rest, answer);
        let at = rest.find(answer).unwrap_or_default();
        rest.drain(..at);
    }
}

#[test]
fn bad_input_through_a_pipe_gets_a_clear_word() {
    let folder = Folder::new("console-bad-pipe");
    let lines = "printf '\\n'; head -c 1100000 /dev/zero | tr '\\0' x; printf '\\n\\001\\033[A\\n\\377\\376\\n'; printf 'e5\\nb2'";
    let words = format!("({lines}) | LINESMAN play susan --p2 human --ledger l");
    let done = folder.shell(&words).exits(0);
    let shown = done.stdout.join("\n");
    for answer in [
        "1. x> \nType a move or a command; ? lists",
        "The line is longer than 1048576 bytes and is ignored: write a shorter one.",
        "The line contains control characters",
    ] {
        assert_eq!(shown.matches(answer).count(), 1, "{answer}: {shown}");
    }
    has(&done.stderr, "expected a cell such as b2");
    assert_eq!(
        folder.read("l").matches("{\"journal\":{\"move\"").count(),
        2
    );
}

/// Output after a typed line, up to the next prompt.
fn shown_after(stdout: &[String], line: &str) -> Vec<String> {
    let typed = stdout
        .iter()
        .rposition(|shown| shown.ends_with(&format!("> {line}")));
    let start = typed.unwrap_or_else(|| panic!("{line} is not in {stdout:?}")) + 1;
    let rest = stdout[start..].iter();
    let is_prompt = |line: &&String| {
        line.split(' ')
            .nth(1)
            .is_some_and(|word| word.ends_with('>'))
    };
    rest.take_while(|line| !is_prompt(line)).cloned().collect()
}

#[test]
fn a_board_is_pasted_back() {
    for (game, moves) in [
        ("susan", "e5 b2 c3"),
        ("projex", "F6 G7 F7"),
        ("gobblet", "3@b2 1@a1"),
        ("entropy", "a2-a3 b4-b3"),
    ] {
        let folder = Folder::new(&format!("console-paste-{game}"));
        let script = format!("{}\nboard\n", moves.replace(' ', "\n"));
        let play = |script: &str| {
            folder.write("script", script);
            let done = folder
                .shell(&format!("LINESMAN play {game} --p2 human < script"))
                .exits(0);
            done.stdout
        };
        let unmarked = |lines: &[String]| -> Vec<String> {
            let plain = lines.iter().map(|line| {
                line.replace(['[', ']', '(', ')'], " ")
                    .trim_end()
                    .to_owned()
            });
            plain.filter(|line| !line.is_empty()).collect()
        };
        let before = shown_after(&play(&script), "board");
        let paste = before.join("\n");
        let words = format!("setup\n{}\n\nboard\n", paste.trim_matches('\n'));
        let after = shown_after(&play(&words), "board");
        assert_eq!(unmarked(&before), unmarked(&after), "{game}");
    }
}

#[test]
fn boards_are_looked_at_in_many_ways() {
    let folder = Folder::new("console-looks");
    let looks = |game: &str, script: &str| {
        folder.write("script", script);
        let done = folder
            .shell(&format!("LINESMAN play {game} --p2 human --ascii < script"))
            .done();
        assert!(
            done.stdout.iter().all(|line| line.is_ascii()),
            "{:?}",
            done.stdout
        );
        done.stdout
    };
    let stdout = looks("gobblet", "1@b2\n3@b2\npeek on\npeek off\nflip\n");
    let piles = |line: &str| shown_after(&stdout, line).join("\n").contains("R1y3");
    assert!(piles("peek on") && !piles("peek off"), "{stdout:?}");
    let mut stdout = Vec::new();
    for (game, script, pairs) in [
        (
            "gobblet",
            "1@b2/3@b2/peek off/flip",
            vec![("peek off", "flip", false)],
        ),
        (
            "projex",
            "board farside/board/board plain",
            vec![
                ("board farside", "board", true),
                ("board", "board plain", false),
            ],
        ),
        (
            "graph-hockey:Side=1,Gap=1",
            "board/mark gh/mark g/mark/mark 7",
            vec![("board", "mark gh", false), ("mark gh", "mark g", false)],
        ),
    ] {
        stdout = looks(game, &(script.replace('/', "\n") + "\n"));
        for (one, other, is_same) in pairs {
            let [one, other] = [one, other].map(|line| shown_after(&stdout, line));
            assert_eq!(one == other, is_same, "{stdout:?}");
        }
    }
    // The command for the board prints its string too.
    let board = shown_after(&stdout, "board");
    let (fen, board) = board.split_first().expect("the string");
    assert_eq!(fen, "fen: 1x1 -");
    assert_eq!(board, shown_after(&stdout, "mark"));
    assert!(
        shown_after(&stdout, "mark 7")[0].starts_with("mark: '7' is not a move"),
        "{stdout:?}"
    );
}

/// Requests and events of a table as lines, each of them as `spec/table.schema.json` describes it.
#[test]
fn a_script_plays_by_lines_of_json() {
    let folder = Folder::new("console-json");
    let requests = [
        r#"{"command":"play","code":"e5"}"#,
        r#"{"command":"play","code":"e5"}"#,
        r#"{"command":"dance"}"#,
        r#"{"command":"play","code":"b2"}"#,
        r#"{"command":"hint"}"#,
        r#"{"command":"resign"}"#,
    ];
    folder.write("script", requests.join("\n"));
    let line = "LINESMAN play susan --p2 human --json --strict --ledger l < script";
    let done = folder.shell(line).exits(4);
    let schema = Schema::of("table");
    done.stdout.iter().for_each(|line| schema.check(line));
    let events: Vec<serde_json::Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(events[0]["event"], "snapshot");
    let joined = r#"{"event":"done","request":1}"#;
    assert_eq!(done.stdout[1], joined);
    let with_engine = folder
        .shell("LINESMAN play susan --json < /dev/null")
        .done();
    assert_eq!(with_engine.stdout[1], joined, "the engine starts first");
    let of = |what: &str| {
        events
            .iter()
            .filter(|event| event["event"] == *what)
            .collect::<Vec<_>>()
    };
    let moves: Vec<_> = of("move-played")
        .iter()
        .map(|event| event["move"].clone())
        .collect();
    assert_eq!(moves, ["e5", "b2"]);
    let mut refused: Vec<_> = of("refused")
        .iter()
        .map(|event| event["request"].as_u64())
        .collect();
    refused.sort_unstable();
    assert_eq!(refused, [Some(0), Some(3)]);
    let malformed = of("refused")
        .into_iter()
        .find(|event| event["request"] == 0);
    assert_eq!(malformed.expect("a line")["refusal"], "malformed");
    // The input ends at once, and the hint is answered nevertheless.
    assert_eq!(of("analysis").len(), 1, "{:?}", done.stdout);
    assert_eq!(
        events.last().map(|event| event["event"].clone()),
        Some("closed".into())
    );
}
