//! What is left of a game that was broken off, and going on with it.

use super::pty::Terminal;
use crate::support::Folder;

#[test]
fn a_killed_game_goes_on() {
    let folder = Folder::new("console-kill");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger game.jsonl --pgn p");
    for (prompt, move_) in [
        ("1. x> ", "e5"),
        ("2. o> ", "b2"),
        ("3. x> ", "c3"),
        ("4. o> ", "undo"),
        ("3. x (back)> ", "c4"),
    ] {
        terminal.sees(prompt);
        terminal.types(move_);
    }
    terminal.sees("4. o> ");
    terminal.kills();
    // A line that was being written when the end came.
    let torn = folder.read("game.jsonl") + "{\"journal\":{\"mo";
    std::fs::write(folder.path("game.jsonl"), torn).expect("the ledger can be written");
    let mut terminal = Terminal::new(&folder, "play susan --continue");
    terminal.sees("ledger: game.jsonl");
    terminal.sees("4. o> ");
    terminal.types("back");
    terminal.sees("after 2 moves; c3, c4 were played from here");
    terminal.sees("3. x (back)> ");
    terminal.types("forward");
    terminal.sees("4. o> ");
    terminal.types("resign");
    terminal.sees("4. o> ");
    terminal.types("resign");
    terminal.sees("Game over: human (x) wins, 1-0");
    terminal.sees("game over> ");
    terminal.types("quit");
    terminal.leaves();
    let record = folder.read("game.jsonl");
    let last = record.lines().last().expect("a record");
    assert!(
        last.contains("\"moves\":[\"e5\",\"b2\",\"c4\"],\"result\":\"1-0\""),
        "{last}"
    );
    assert_eq!(record.matches("\"result\"").count(), 1);
    assert!(folder.read("p").contains("[PlyCount \"3\"]"));
    let done = folder.linesman("play susan --continue").done();
    assert_eq!(done.status, Some(2));
    assert!(
        done.stderr
            .contains("--continue: no game that is not over in this folder"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_game_that_is_over_is_recorded_once() {
    let folder = Folder::new("console-once");
    let script = "3@b2\\n1@a1\\n3@a3\\n1@b1\\n2@c1\\nback\\nforward\\nundo\\n2@c1\\n";
    let line = format!("printf '{script}' | LINESMAN play gobblet --p2 human --ledger l");
    assert_eq!(folder.shell(&line).done().status, Some(0));
    let done = folder
        .shell("printf 'undo\\n2@c1\\n' | LINESMAN play --continue l")
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("Game over: red wins: line c1 b2 a3, 1-0").len(),
        2,
        "{:?}",
        done.stdout
    );
    assert_eq!(folder.read("l").matches("\"result\"").count(), 1);
}

#[test]
fn an_engine_takes_a_seat_and_hands_it_back() {
    let folder = Folder::new("console-auto");
    let script = "e5\\ngo\\nauto p1\\nauto off\\nresign\\n";
    let line = format!("printf '{script}' | LINESMAN play susan --p2 human --st 0.02 --ledger l");
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let text = folder.read("l");
    let last = text.lines().last().expect("a record");
    for part in [
        "human #2: an engine played the moves 2",
        "human: an engine played the moves 3",
    ] {
        assert!(last.contains(part), "{last}");
    }
}

#[test]
fn the_ledger_of_a_match_is_no_game_to_go_on_with() {
    let folder = Folder::new("console-foreign");
    assert_eq!(
        folder
            .linesman("match susan --games 2 --each nodes=50 --ledger m")
            .done()
            .status,
        Some(0)
    );
    let done = folder.linesman("play susan --continue m").done();
    assert_eq!(done.status, Some(1));
    assert!(
        done.stderr.contains("the ledger of a match"),
        "{}",
        done.stderr
    );
    let done = folder
        .shell("printf 'e5\\nload m\\n' | LINESMAN play susan --p2 human --ledger l")
        .done();
    assert!(
        done.stdout.iter().any(|line| line.contains("> load m")),
        "{:?}",
        done.stdout
    );
    assert_eq!(
        done.lines("Game over: ").len(),
        1,
        "its first game is over: {:?}",
        done.stdout
    );
    let done = folder.linesman("match --resume l").done();
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains("linesman play"), "{}", done.stderr);
}
