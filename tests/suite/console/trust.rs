//! For a ledger that was begun elsewhere, the terminal asks before it runs commands.

use super::pty::Terminal;
use crate::support::{Folder, has};

/// A match of two games against a command, begun elsewhere; one game has been played.
fn foreign_match(test: &str) -> Folder {
    let folder = Folder::new(test);
    let line = "match susan --engine cmd=SCRIPTED name=A --games 2 --openings none --each nodes=20 --ledger l";
    assert_eq!(folder.linesman(line).done().status, Some(0));
    let text = folder.read("l");
    let lines: Vec<&str> = text.lines().take(2).collect();
    folder.write("l", lines.join("\n") + "\n");
    std::fs::remove_dir_all(folder.path("state")).expect("the state was kept");
    folder
}

fn n_games(folder: &Folder) -> usize {
    folder.ledger("l").1.len()
}

#[test]
fn a_foreign_match_runs_when_the_answer_is_yes() {
    let folder = foreign_match("trust-yes");
    let mut terminal = Terminal::new(&folder, "match --resume l");
    let question = terminal.sees("Run this? [y/N] ");
    assert!(question.contains("l was not begun on this machine, or was changed. It\r\n  runs "));
    assert!(question.contains("scripted-engine"), "{question}");
    assert_eq!(n_games(&folder), 1, "nothing runs before the answer");
    terminal.types("y");
    terminal.leaves();
    assert_eq!(n_games(&folder), 2);
}

#[test]
fn a_foreign_match_does_not_run_without_a_yes() {
    let folder = foreign_match("trust-no");
    let before = folder.read("l");
    for answer in ["n\r", "\r", "nyes\r", "\x04"] {
        let mut terminal = Terminal::new(&folder, "match --resume l");
        terminal.sees("Run this? [y/N] ");
        terminal.presses(answer);
        let rest = terminal.leaves_with(2);
        has(&rest, "--resume: not run: answer yes, or give --trust");
    }
    assert_eq!(folder.read("l"), before);
}

#[test]
fn a_foreign_game_asks_too() {
    let folder = Folder::new("trust-play");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 'cmd=SCRIPTED st=0.02' --ledger l";
    assert_eq!(folder.shell(begin).done().status, Some(0));
    std::fs::remove_dir_all(folder.path("state")).expect("the state was kept");
    let mut terminal = Terminal::new(&folder, "play --continue l");
    terminal.sees("Run this? [y/N] ");
    terminal.types("no");
    let rest = terminal.leaves_with(2);
    assert!(rest.contains("--continue: not run"), "{rest}");
    let mut terminal = Terminal::new(&folder, "play --continue l");
    terminal.sees("Run this? [y/N] ");
    terminal.talk("yes => 3. x>");
    terminal.quits();
}
