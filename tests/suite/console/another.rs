//! `new GAME`: another game or another board size, with the same players.

use super::pty::Terminal;
use crate::support::{Folder, has};

#[test]
fn the_same_players_begin_another_game() {
    let folder = Folder::new("console-another");
    let lines = "e5\\nnew susan:Size=4\\nb2\\nnew gob\\n3@b2\\nnew\\n1@a1\\nquit\\n";
    let line = format!(
        "printf '{lines}' | LINESMAN play susan --p1 'human name=Ann' --p2 'human name=Bob' --ledger l.jsonl"
    );
    let done = folder.shell(&line).exits(0);
    for header in [
        "susan: Ann (x) vs Bob (o)",
        "susan:Size=4: Ann (x) vs Bob (o)",
        "gobblet: Ann (red) vs Bob (yellow)",
    ] {
        done.shows(1, header);
    }
    let to_go_on = "the game is saved; to resume: linesman play susan --continue l.jsonl";
    done.shows(1, to_go_on);
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
        has(&text, plan);
        has(&text, code);
        folder
            .shell(&format!("LINESMAN play --continue {path} < /dev/null"))
            .exits(0);
    }
}

#[test]
fn engines_and_their_level_come_along() {
    let folder = Folder::new("console-another-engine");
    let lines = "level 3\\nnew gobblet\\n3@b2\\nlevel\\nauto\\nquit\\n";
    let words = format!("printf '{lines}' | LINESMAN play susan --p2 'builtin nodes=100'");
    let done = folder.shell(&words).exits(0);
    for line in [
        "gobblet: human (red) vs Linesman gobblet",
        "2. yellow (Linesman gobblet",
        "red is played by a person, yellow is played by an engine",
    ] {
        done.shows(1, line);
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
    let words = format!("printf '{lines}' | LINESMAN play susan --p2 '{seat}'");
    let done = folder.shell(&words).exits(0);
    let out = done.stdout.join("\n");
    for part in [
        " plays susan: quit, then type linesman play gobblet",
        "new: unknown option \"Sise\"",
        "new: unknown game \"chess\"",
        "new: any has no rules",
        "susan:Size=4: human (x) vs Linesman susan",
        "2. o (Linesman susan",
    ] {
        has(&out, part);
    }
    let done = folder
        .shell("printf 'new gobblet\\nquit\\n' | LINESMAN play susan --listen 127.0.0.1:0")
        .done();
    let refused =
        "new: guests can join this table of susan: quit, then type linesman play gobblet --listen";
    done.shows(1, refused);
}

/// An engine that does not start leaves the present table as it is.
#[test]
fn an_engine_that_does_not_start_changes_nothing() {
    let folder = Folder::new("console-another-start");
    let lines = "new susan:Size=4\\ne5\\nquit\\n";
    let words = format!("printf '{lines}' | LINESMAN play susan --p2 'cmd=SCRIPTED name=X'");
    let done = folder.shell(&words).exits(0);
    let out = done.stdout.join("\n");
    has(&out, "new: engine X: ");
    has(&out, "Size");
    done.shows(1, "2. o (X): ");
}

#[test]
fn a_game_that_is_not_over_is_left_after_a_question() {
    let folder = Folder::new("console-another-asked");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger l");
    terminal.talk(
        "=> 1. x> / e5 => 2. o>
        new susan:Size=4 => The game is not over: type new again to abandon it and start another. | 2. o>
        new susan:Size=4 => susan:Size=4: human (x) vs human (o) | 1. x>",
    );
    // Completion of moves and the confirmation of Ctrl-C work as at the first table.
    terminal.presses("a\t");
    terminal.talk(
        "^c => Leave? | 1. x> / b2 => 2. o>
        quit => to resume: linesman play susan --continue susan-",
    );
    terminal.leaves();
}
