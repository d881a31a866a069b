//! `linesman show`: finished, unfinished and saved games, as text and interactively.

use rustix::process::{Pid, Signal, kill_process};

use crate::console::Terminal;
use crate::support::Folder;

/// A folder with a game of Gobblet that red wins, as a ledger `l` and as PGN `p`.
fn won(test: &str) -> Folder {
    let folder = Folder::new(test);
    plays(
        &folder,
        "gobblet --p1 'human name=Ann' --p2 'human name=Bob' --ledger l --pgn p",
        "3@b2 1@a1 3@a3 1@b1 2@c1",
    );
    folder
}

fn plays(folder: &Folder, words: &str, lines: &str) {
    let script = lines.replace(' ', "\n") + "\n";
    folder.write("script", script);
    folder
        .shell(&format!("LINESMAN play {words} < script"))
        .exits(0);
}

#[test]
fn a_game_is_gone_through_key_by_key() {
    let folder = won("show-step");
    let mut terminal = Terminal::new(&folder, "show l --step");
    terminal.sees("0 of 5: Space on");
    terminal.presses(" ");
    terminal.sees("1. red (Ann): 3@b2");
    terminal.sees("1 of 5: Space on");
    terminal.presses("\x1b[C");
    terminal.sees("2. yellow (Bob): 1@a1");
    terminal.presses("b");
    terminal.sees("1 of 5: ");
    terminal.presses("G");
    terminal.sees("red wins: line c1 b2 a3");
    terminal.sees("5 of 5: ");
    terminal.presses("\x1b[H");
    terminal.sees("0 of 5: ");
    terminal.presses("\x1b");
    terminal.leaves();
    let mut terminal = Terminal::new(&folder, "show l --step --from 3");
    terminal.sees("2 of 5: ");
    terminal.controls('c');
    terminal.leaves();
    let done = folder.linesman("show l --step").exits(2);
    let why = "error: --step needs a terminal: leave it out to print all positions\n";
    assert_eq!(done.stderr, why);
}

#[test]
fn another_size_of_the_terminal_is_shown_at_once() {
    let folder = won("show-resized");
    let mut terminal = Terminal::sized(&folder, "show l --step", (80, 8));
    terminal.sees("a part of the board");
    Terminal::resize(&folder, (80, 24));
    terminal.sees("red to move");
    terminal.presses("q");
    terminal.leaves();
}

/// The terminal echoes and edits lines again, also after a signal.
#[test]
fn the_terminal_is_restored_after_the_last_key() {
    let folder = won("show-restored");
    for is_killed in [false, true] {
        let command = "stty -a > before; sh -c 'echo $$ > pid; exec LINESMAN show l --step'; \
                       stty -a > after; echo restored";
        let mut terminal = Terminal::shell(&folder, command);
        terminal.sees("0 of 5: ");
        if is_killed {
            let pid = folder.read("pid").trim().parse().ok();
            let pid = pid.and_then(Pid::from_raw).expect("a process");
            kill_process(pid, Signal::TERM).expect("it runs");
        } else {
            terminal.presses("q");
        }
        terminal.sees("restored");
        terminal.leaves();
        assert_eq!(folder.read("before"), folder.read("after"), "{is_killed}");
    }
}
