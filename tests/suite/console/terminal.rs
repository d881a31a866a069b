//! Whole games typed at a terminal, and what only a terminal has.

use super::typist::Typist;
use crate::support::Folder;

const PROMPT_OR_END: &str = r"\d+\. \w+> |Game over: [^\r\n]*";

/// Plays p1 against the engine, by legal moves from all over the list, until the game is over; how many were typed.
fn play_out(typist: &mut Typist) -> usize {
    let mut n_typed = 0;
    loop {
        let (_, found) = typist.finds(PROMPT_OR_END);
        if found.starts_with("Game over") {
            return n_typed;
        }
        typist.types("moves");
        typist.finds(r"\d+ moves?:\s");
        let (list, _) = typist.finds(PROMPT_OR_END);
        let codes: Vec<&str> = list.split_whitespace().collect();
        typist.types(codes[n_typed * 7 % codes.len()]);
        n_typed += 1;
        assert!(n_typed < 400, "the engine does not win");
    }
}

/// A whole game against a quick engine; the records hold it as those of a match do.
fn whole_game(game: &str) {
    let folder = Folder::new(&format!(
        "console-{}",
        game.split(':').next().expect("a name")
    ));
    let mut typist = Typist::new(
        &folder,
        &format!("play {game} --st 0.02 --sure --ledger l --pgn p"),
    );
    let n_typed = play_out(&mut typist);
    typist.sees("game over> ");
    typist.types("quit");
    typist.leaves();
    let text = folder.read("l");
    let games: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .filter(|line: &serde_json::Value| line.get("result").is_some())
        .collect();
    let [record] = games.as_slice() else {
        panic!("one game in {text}");
    };
    let n_moves = record["moves"].as_array().expect("moves").len();
    assert_eq!(n_moves.div_ceil(2), n_typed);
    assert_eq!(
        (&record["p1"], &record["termination"]),
        (&"human".into(), &"normal".into())
    );
    assert_eq!(record["plies"].as_array().expect("plies").len(), n_moves);
    let pgn = folder.read("p");
    assert!(
        pgn.contains("[White \"human\"]") && pgn.contains(&format!("[PlyCount \"{n_moves}\"]")),
        "{pgn}"
    );
    let shown = folder.linesman("show l").done();
    assert_eq!(shown.status, Some(0), "{}", shown.stderr);
    for file in ["l", "p"] {
        let stats = folder.linesman(&format!("stats {file}")).done();
        assert_eq!(stats.status, Some(0), "{}", stats.stderr);
    }
}

#[test]
fn a_whole_game_of_graph_hockey() {
    whole_game("graph-hockey:Side=1,Gap=1");
}

#[test]
fn a_whole_game_of_gobblet() {
    whole_game("gobblet");
}

#[test]
fn a_whole_game_of_susan() {
    whole_game("susan:Size=3");
}

#[test]
fn a_whole_game_of_projex() {
    whole_game("projex:Size=4");
}

/// Two people, who write their moves in all ways; the game ends with the third occurrence of a position.
#[test]
fn a_whole_game_of_entropy() {
    const MOVES: &str = "a2-d2 a4-c4 b1-a2 e5-c3 d1-c2 c5-a3 c1-b2 d5-d3 a2-b3 e4-e3 b3-b4 b5-c5 a1-a2 c5-b5 a2-b3 \
                         a5-a4 e1-a1 b5-c5 a1-a2 a4-b5 a2-a1 d3-d4 c2-e4 e3-d3 a1-b1 d4-e5 b1-c1 c5-d4 c1-c2 d4-c5 \
                         e2-e3 c5-d4 e4-d5 e5-e4 b2-b1 d3-e2 b1-c1 d4-d3 c1-b1 e2-d1 b1-c1 e4-d4 c1-b2 b5-c5 e3-e4 \
                         c5-b5 e4-e3 b5-c5 e3-e4 c5-b5 e4-e3";
    let folder = Folder::new("console-entropy");
    let mut typist = Typist::new(&folder, "play entropy --p2 human --sure --ledger l");
    for (index, code) in MOVES.split_whitespace().enumerate() {
        typist.sees(&format!("{}. {}> ", index + 1, ["O", "S"][index % 2]));
        match index % 4 {
            0 => typist.types(code),
            1 => typist.types(&code.replace('-', "").to_uppercase()),
            2 => typist.types(&code.replace('-', " -> ")),
            _ => typist.types(&code.replace('-', " ")),
        }
    }
    typist.sees("Game over: draw: third occurrence of this position, 1/2-1/2");
    typist.sees("game over> ");
    typist.types("quit");
    typist.leaves();
    let codes: Vec<String> = MOVES
        .split_whitespace()
        .map(|code| format!("{code:?}"))
        .collect();
    assert!(folder.read("l").contains(&format!(
        "\"moves\":[{}],\"result\":\"1/2-1/2\"",
        codes.join(",")
    )));
}

#[test]
fn graph_hockey_asks_for_its_size() {
    let folder = Folder::new("console-size");
    let mut typist = Typist::new(&folder, "play graph-hockey --p2 human --ascii");
    typist.sees("either side of the goals, in inches [4]: ");
    typist.types("nine");
    typist.sees("expected a whole number from 1 to 12");
    typist.sees("[4]: ");
    typist.types("2");
    typist.sees("between the goals, in inches [8]: ");
    typist.types("");
    typist.sees("graph-hockey:Side=2,Gap=8: human (p1) vs human #2 (p2)");
    typist.sees("1. p1> ");
    typist.types("draw");
    typist.sees("human (p1) offers a draw");
    typist.sees("1. p1> ");
    typist.types("g h j");
    typist.sees("4. p2> ");
    typist.controls('d');
    typist.leaves();
}

#[test]
fn whoever_is_asked_for_a_size_may_leave() {
    let folder = Folder::new("play-size-left");
    let mut typist = Typist::new(&folder, "play graph-hockey");
    typist.sees("goals, in inches [4]: ");
    typist.types("quit");
    typist.leaves();
    let mut typist = Typist::new(&folder, "play graph-hockey");
    typist.sees("goals, in inches [4]: ");
    typist.controls('d');
    typist.leaves();
}

#[test]
fn lines_are_edited_recalled_and_completed() {
    let folder = Folder::new("console-editing");
    let mut typist = Typist::new(&folder, "play susan --p2 human");
    typist.sees("1. x> ");
    // A slip, put right by a backspace; then Tab ends a word.
    typist.presses("e6\x7f5\n");
    typist.sees("2. o> ");
    typist.presses("reso\x7f\t");
    typist.sees("resign");
    typist.presses("\n");
    typist.sees("Type resign again");
    typist.sees("2. o> ");
    // The arrow recalls the word.
    typist.presses("\x1b[A\n");
    typist.sees("Game over: human (x) wins, 1-0 {human #2 resigns}");
    typist.sees("game over> ");
    typist.types("quit");
    typist.leaves();
}

#[test]
fn a_move_that_loses_at_once_is_asked_for_again() {
    let folder = Folder::new("console-danger");
    let mut typist = Typist::new(&folder, "play gobblet --p2 human");
    typist.sees("1. red> ");
    typist.types("setup .,.,./.,r1,./y1,y1,. r");
    typist.sees("1. red> ");
    typist.types("1@a3");
    typist.sees("1@a3 lets yellow win at once by ");
    typist.sees("1. red> ");
    typist.types("2 a3");
    typist.sees("2@a3 lets yellow win at once by ");
    typist.sees("1. red> ");
    typist.types("2@a3");
    typist.sees("2. yellow> ");
    typist.types("quit");
    typist.leaves();
}

#[test]
fn an_interrupt_asks_before_leaving() {
    let folder = Folder::new("console-interrupt");
    let mut typist = Typist::new(&folder, "play susan --p2 human --ledger l");
    typist.sees("1. x> ");
    typist.controls('c');
    typist.sees("Leave? The game is saved.");
    typist.sees("1. x> ");
    typist.types("e5");
    typist.sees("2. o> ");
    typist.controls('c');
    typist.sees("Leave?");
    typist.sees("2. o> ");
    typist.controls('c');
    let rest = typist.leaves();
    assert!(
        rest.contains("to go on: linesman play susan --continue l"),
        "{rest}"
    );
}

#[test]
fn an_interrupt_has_a_thinking_engine_move() {
    let folder = Folder::new("console-nudge");
    let mut typist = Typist::new(&folder, "play susan --st 86400");
    typist.sees("1. x> ");
    typist.types("e5");
    typist.sees("o thinks; Ctrl-C has it move");
    typist.controls('c');
    typist.sees("2. o (Linesman susan");
    typist.types("quit");
    typist.leaves();
}

#[test]
fn what_is_typed_while_an_engine_thinks_is_heard() {
    let folder = Folder::new("console-ahead");
    let mut typist = Typist::new(&folder, "play susan --st 86400 --ledger l --sure");
    typist.sees("1. x> ");
    typist.types("e5");
    typist.sees("2. waiting for o> ");
    // A move waits, and holds back what comes after it; some words do not wait.
    typist.types("a1");
    typist.sees("a1 waits for your turn");
    typist.types("moves zz");
    typist.sees("moves zz waits behind a1");
    typist.types("clock");
    typist.sees("x has no clock, o has no clock");
    typist.types("?");
    typist.sees("these words");
    typist.types("say hello");
    // What is half typed is still there when the engine has moved.
    typist.presses("quit");
    typist.sees("quit");
    typist.presses("\x15stop\n");
    typist.sees("2. o (Linesman susan");
    typist.sees("no legal move at zz");
    typist.types("resign");
    typist.sees("Type resign again to give up.");
    typist.types("resign");
    typist.sees("(o) wins, 0-1 {human resigns}");
    typist.types("quit");
    typist.leaves();
    let codes: Vec<String> = folder
        .read("l")
        .lines()
        .filter_map(|line| line.split_once("\"code\":\""))
        .map(|(_, rest)| rest[..rest.find('"').expect("a quote")].to_owned())
        .collect();
    assert_eq!(codes.len(), 3, "{codes:?}");
    assert_eq!((codes[0].as_str(), codes[2].as_str()), ("e5", "a1"));
}

#[test]
fn bad_input_at_a_terminal_loses_nothing() {
    let folder = Folder::new("console-bad-terminal");
    let mut typist = Typist::new(&folder, "play susan --p2 human");
    typist.sees("1. x> ");
    typist.types("");
    typist.sees("nothing typed: expected a move or a word");
    typist.sees("1. x> ");
    typist.presses(&format!("{}\n", "x".repeat(1 << 20)));
    typist.sees("expected a cell such as b2");
    typist.sees("1. x> ");
    typist.presses("\x01\x02\x1b[Z\x7f\x00e5\n");
    typist.sees("2. o> ");
    typist.types("setup");
    typist.sees("setup> ");
    typist.types("");
    typist.sees("nothing pasted; the game stays as it is");
    typist.sees("2. o> ");
    typist.controls('d');
    typist.leaves();
}

#[test]
fn a_clock_is_shown_and_runs_out() {
    let folder = Folder::new("console-clock");
    let mut typist = Typist::new(&folder, "play susan --p2 human --tc 0.3+600 --ledger l");
    typist.finds(r"1\. x 0:00\.\d> ");
    typist.sees("Game over: human #2 (o) wins, 0-1 {human loses on time: ");
    typist.types("new");
    typist.sees("a new game");
    typist.types("e5");
    typist.finds(r"2\. o 0:00\.\d> ");
    typist.controls('d');
    typist.leaves();
    assert!(
        folder
            .read("l")
            .contains("\"termination\":\"time forfeit\"")
    );
}

#[test]
fn colours_and_editing_can_be_done_without() {
    let folder = Folder::new("console-colours");
    let first_screen = |words: &str, no_color: &str| {
        let mut typist = Typist::raw(&folder, words, no_color);
        let seen = typist.sees("1. O> ");
        typist.controls('d');
        typist.leaves();
        seen
    };
    let is_coloured = |seen: &str| {
        let is_digit = |c: char| c.is_ascii_digit() || c == ';';
        let mut escapes = seen.split("\x1b[").skip(1);
        escapes.any(|escape| escape.trim_start_matches(is_digit).starts_with('m'))
    };
    let seen = first_screen("play entropy --p2 human --ledger colour", "");
    assert!(is_coloured(&seen), "{seen:?}");
    let seen = first_screen("play entropy --p2 human --ledger none", "1");
    assert!(!is_coloured(&seen) && seen.contains('\x1b'), "{seen:?}");
    let seen = first_screen("play entropy --p2 human --ledger plain --plain", "");
    assert!(!seen.contains('\x1b'), "{seen:?}");
}

#[test]
fn an_engine_is_interrupted_and_its_seat_taken() {
    let folder = Folder::new("console-take");
    let mut typist = Typist::new(&folder, "play susan --p1 none --st 86400");
    typist.sees("x thinks; Ctrl-C has it move");
    typist.controls('c');
    typist.sees("1. x (Linesman susan");
    typist.sees("2. o (engine waits)> ");
    typist.types("auto off");
    typist.sees("x is played by a person, o is played by a person");
    typist.sees("2. o> ");
    typist.types("moves");
    typist.sees("60 moves:");
    typist.sees("2. o> ");
    typist.types("auto p2");
    typist.sees("o thinks; Ctrl-C has it move");
    typist.controls('c');
    typist.sees("3. x> ");
    typist.types("quit");
    typist.leaves();
}
