//! The console's commands: where they are available, and their help.

use super::guest::Invitation;
use super::pty::Terminal;
use crate::support::{Done, Folder, has, lacks};

const WIDTH: usize = 78;

/// Output of a script in a game between two people at one screen.
fn played(folder: &Folder, game: &str, script: &str) -> Done {
    folder.write("script", script);
    let line = format!("LINESMAN play {game} --p2 human < script");
    folder.shell(&line).exits(0)
}

/// `true` if a list has a line for a command.
fn lists(stdout: &[String], word: &str) -> bool {
    stdout
        .iter()
        .filter_map(|line| line.strip_prefix("  "))
        .any(|line| {
            line.split([' ', ',']).any(|part| part == word) && line.starts_with(char::is_alphabetic)
        })
}

#[test]
fn each_game_lists_its_own_words_in_78_columns() {
    let folder = Folder::new("words-games");
    for (game, has_marks, has_peek) in [
        ("graph-hockey", true, false),
        ("gobblet", false, true),
        ("susan", false, false),
        ("projex", false, false),
        ("entropy", false, false),
    ] {
        let done = played(&folder, game, "?\n");
        let start = done.stdout.iter().position(|line| line.ends_with("> ?"));
        let end = done.stdout.iter().position(|line| line.starts_with("  ? "));
        let list = &done.stdout[start.expect("it is typed") + 1..=end.expect("the last word")];
        assert!(
            list.iter().all(|line| line.chars().count() <= WIDTH),
            "{list:?}"
        );
        assert_eq!(lists(list, "mark"), has_marks, "{game}: {list:?}");
        assert_eq!(lists(list, "peek"), has_peek, "{game}: {list:?}");
        assert!(lists(list, "undo") && lists(list, "auto"), "{list:?}");
        assert!(
            !lists(list, "say") && !lists(list, "yes"),
            "nobody else is there: {list:?}"
        );
    }
}

#[test]
fn guests_and_spectators_are_told_of_their_own_words() {
    let mut host = Terminal::alone("play gobblet --listen 127.0.0.1:0");
    let invitation = Invitation::seen(&mut host);
    let mut guest = invitation.join("");
    guest.types(b"?\n");
    let list = guest.sees("or explain one");
    for word in ["moves", "undo", "yes", "say", "peek", "resign"] {
        assert!(
            list.contains(&format!("  {word}")) || list.contains(&format!(", {word}")),
            "{word}: {list}"
        );
    }
    for word in ["auto", "level", "save", "setup", "mark"] {
        lacks(&list, format!("  {word} "));
    }
    let mut spectator = invitation.join("watch");
    spectator.types(b"?\n");
    let list = spectator.sees("or explain one");
    has(&list, "You are watching.");
    for word in ["undo", "resign", "auto", "yes", "hint"] {
        lacks(&list, format!("  {word}"));
    }
    host.quits();
}
