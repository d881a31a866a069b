//! Choosing a game by its name, or from the menu.

use super::pty::Terminal;
use crate::support::{Folder, has};

#[test]
fn a_game_is_named_in_many_ways() {
    let folder = Folder::new("choice-names");
    for (named, game) in [
        ("Susan", "susan"),
        ("hockey", "graph-hockey"),
        ("'Graph Hockey:Side=1'", "graph-hockey:Side=1"),
        ("gob", "gobblet"),
    ] {
        let line = format!("LINESMAN play {named} --p2 human < /dev/null");
        let done = folder.shell(&line).exits(0);
        let header = format!("{game}: ");
        done.shows(1, &header);
    }
}

#[test]
fn a_game_is_chosen_from_a_menu() {
    let folder = Folder::new("choice-menu");
    let mut terminal = Terminal::new(&folder, "play --p2 human");
    let menu = terminal.sees("Which game? 1 to 5, or its name: ");
    has(&menu, "3  susan");
    assert!(menu.lines().all(|line| line.len() <= 78), "{menu}");
    terminal.talk(
        r#"7 => unknown game "7" | or its name: / 3 => Size, 3 to 8 [5]:
        9 => Size, 3 to 8 [5]: / 4 => susan:Size=4: | 1. x> / q"#,
    );
    terminal.leaves();
    let mut terminal = Terminal::new(&folder, "play --p2 human");
    terminal.talk("=> or its name: / hockey => goals, in inches [4]: / q");
    terminal.leaves();
    let mut terminal = Terminal::new(&folder, "play --p2 human");
    terminal.talk("=> or its name: / Entropy => 1. O>");
    terminal.hangs_up();
}

#[test]
fn questions_fit_a_narrow_terminal() {
    let folder = Folder::new("choice-narrow");
    let mut terminal = Terminal::sized(&folder, "play graph-hockey --p2 human", (40, 12));
    terminal.sees("inches [4]: ");
    terminal.types("seven");
    let why = terminal.sees("inches [4]: ");
    assert!(why.lines().all(|line| line.len() <= 40), "{why}");
    terminal.types("q");
    terminal.leaves();
}
