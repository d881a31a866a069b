//! `new GAME`: another game or another board size, with the same players.

use super::pty::Terminal;
use crate::support::Folder;

#[test]
fn the_same_players_begin_another_game() {
    let folder = Folder::new("console-another");
    let lines = "e5\\nnew susan:Size=4\\nb2\\nnew gob\\n3@b2\\nnew\\n1@a1\\nquit\\n";
    let line = format!(
        "printf '{lines}' | LINESMAN play susan --p1 'human name=Ann' --p2 'human name=Bob' --ledger l.jsonl"
    );
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for header in [
        "susan: Ann (x) vs Bob (o)",
        "susan:Size=4: Ann (x) vs Bob (o)",
        "gobblet: Ann (red) vs Bob (yellow)",
    ] {
        assert_eq!(done.lines(header).len(), 1, "{:?}", done.stdout);
    }
    let to_go_on = "the game is saved; to resume: linesman play susan --continue l.jsonl";
    assert_eq!(done.lines(to_go_on).len(), 1, "{:?}", done.stdout);
    // Each game has its own ledger with its moves, and can be continued.
    let ledgers: Vec<&str> = done.lines("ledger: ");
    assert_eq!(ledgers.len(), 3, "{ledgers:?}");
    for (ledger, (plan, code)) in ledgers.into_iter().zip([
        ("\"options\":[]", "\"code\":\"e5\""),
        ("[\"Size\",\"4\"]", "\"code\":\"b2\""),
        ("\"name\":\"gobblet\"", "\"code\":\"1@a1\""),
    ]) {
        let path = ledger.trim_start_matches("ledger: ");
        let text = folder.read(path);
        assert!(text.contains(plan) && text.contains(code), "{text}");
        let done = folder
            .shell(&format!("LINESMAN play --continue {path} < /dev/null"))
            .done();
        assert_eq!(done.status, Some(0), "{}", done.stderr);
    }
}

#[test]
fn engines_and_their_level_come_along() {
    let folder = Folder::new("console-another-engine");
    let lines = "level 3\\nnew gobblet\\n3@b2\\nlevel\\nauto\\nquit\\n";
    let done = folder
        .shell(&format!(
            "printf '{lines}' | LINESMAN play susan --p2 'builtin nodes=100'"
        ))
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for line in [
        "gobblet: human (red) vs Linesman gobblet",
        "2. yellow (Linesman gobblet",
        "red is played by a person, yellow is played by an engine",
    ] {
        assert_eq!(done.lines(line).len(), 1, "{line}: {:?}", done.stdout);
    }
    let levels = done.lines("engines play at level 3");
    assert!(levels.len() >= 2, "{:?}", done.stdout);
}

#[test]
fn what_cannot_come_along_is_told() {
    let folder = Folder::new("console-another-refused");
    let lines =
        "new gobblet\\nnew susan:Sise=4\\nnew chess\\nnew any\\nnew susan:Size=4\\nb2\\nquit\\n";
    let seat = "cmd=LINESMAN arg=engine arg=susan nodes=100";
    let done = folder
        .shell(&format!(
            "printf '{lines}' | LINESMAN play susan --p2 '{seat}'"
        ))
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let out = done.stdout.join("\n");
    for part in [
        " plays susan: quit, then type linesman play gobblet",
        "new: unknown option \"Sise\"",
        "new: unknown game \"chess\"",
        "new: any has no rules",
        "susan:Size=4: human (x) vs Linesman susan",
        "2. o (Linesman susan",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let done = folder
        .shell("printf 'new gobblet\\nquit\\n' | LINESMAN play susan --listen 127.0.0.1:0")
        .done();
    let refused =
        "new: guests can join this table of susan: quit, then type linesman play gobblet --listen";
    assert_eq!(done.lines(refused).len(), 1, "{:?}", done.stdout);
}

/// An engine that does not start leaves the present table as it is.
#[test]
fn an_engine_that_does_not_start_changes_nothing() {
    let folder = Folder::new("console-another-start");
    let lines = "new susan:Size=4\\ne5\\nquit\\n";
    let done = folder
        .shell(&format!(
            "printf '{lines}' | LINESMAN play susan --p2 'cmd=SCRIPTED name=X'"
        ))
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let out = done.stdout.join("\n");
    assert!(
        out.contains("new: engine X: ") && out.contains("Size"),
        "{out}"
    );
    assert_eq!(done.lines("2. o (X): ").len(), 1, "{out}");
}

#[test]
fn a_game_that_is_not_over_is_left_after_a_question() {
    let folder = Folder::new("console-another-asked");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger l");
    terminal.sees("1. x> ");
    terminal.types("e5");
    terminal.sees("2. o> ");
    terminal.types("new susan:Size=4");
    terminal.sees("The game is not over: type new again to abandon it and start another.");
    terminal.sees("2. o> ");
    terminal.types("new susan:Size=4");
    terminal.sees("susan:Size=4: human (x) vs human (o)");
    terminal.sees("1. x> ");
    // Completion of moves and the confirmation of Ctrl-C work as at the first table.
    terminal.presses("a\t");
    terminal.controls('c');
    terminal.sees("Leave?");
    terminal.sees("1. x> ");
    terminal.types("b2");
    terminal.sees("2. o> ");
    terminal.types("quit");
    terminal.sees("to resume: linesman play susan --continue susan-");
    terminal.leaves();
}
