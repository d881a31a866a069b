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
fn a_name_that_is_none_is_told_what_is_near() {
    let folder = Folder::new("choice-near");
    let susna = "GAME: unknown game \"susna\": did you mean susan? The games are graph-hockey, ";
    let g = "GAME: \"g\" may be graph-hockey or gobblet: type more letters";
    for command in ["play", "match", "engine", "check builtin", "gui"] {
        for (named, why) in [("susna", susna), ("g", g)] {
            let done = folder.linesman(&format!("{command} {named}")).fails(2, why);
            assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
        }
    }
    let done = folder.linesman("play").exits(2);
    // What a command does not take is not offered.
    for (command, list) in [
        ("engines chess", "susan, projex or entropy"),
        ("match chess", "projex, entropy or any"),
        ("play chess", "entropy or any with --rules"),
    ] {
        let done = folder.linesman(command).exits(2);
        assert!(done.stderr.trim_end().ends_with(list), "{}", done.stderr);
    }
    let any =
        "GAME: any has no built-in engine: name graph-hockey, gobblet, susan, projex or entropy";
    folder.linesman("engines any").fails(2, any);
    let why = "error: GAME is missing: name graph-hockey, gobblet, susan, projex, entropy or any with --rules\n";
    assert_eq!(done.stderr, why);
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
