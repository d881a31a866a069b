//! The console's commands: where they are available, and their help.

use super::guest::Invitation;
use super::pty::Terminal;
use crate::support::{Done, Folder, has, lacks};

const WIDTH: usize = 78;

/// Output of a script in a game between two people at one screen.
fn played(folder: &Folder, game: &str, script: &str) -> Done {
    std::fs::write(folder.path("script"), script).expect("a script");
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
    let folder = Folder::new("words-guests");
    let mut host = Terminal::new(&folder, "play gobblet --listen 127.0.0.1:0");
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

#[test]
fn one_word_is_explained_in_full() {
    let folder = Folder::new("words-one");
    let script = "? undo\n?und\nhelp UNDO\n? b\n? xyzzy\n";
    let done = played(&folder, "susan", script);
    let told = "  Takes back your last move and an engine's reply to it; if you play both";
    done.shows(3, told);
    done.shows(1, "? b: :b may be board, back");
    done.shows(1, "? xyzzy: ");
}

#[test]
fn q_leaves_unless_it_is_a_move() {
    let folder = Folder::new("words-q");
    let done = played(&folder, "susan", "e5\nq\nb2\n");
    assert!(done.lines("2. o> q").len() == 1 && done.lines("2. o> b2").is_empty());
    let done = played(&folder, "graph-hockey", "l\nq\ne\n:q\nj\n");
    done.shows(1, "3. p1> e");
    done.shows(1, "4. p2> :q");
    done.shows(0, "4. p2> j");
}

#[test]
fn a_move_may_have_its_number_before_it() {
    let folder = Folder::new("words-number");
    let done = played(&folder, "entropy", "1. a2-a3\n2. b5-b4\n9.b1b2\n3.b1b2\n");
    done.shows(1, "4. S> ");
    let why = "move 9 is too early: expected move 3";
    has(&done.stderr, why);
}

#[test]
fn level_alone_tells_the_level() {
    let folder = Folder::new("words-level");
    // A level that was chosen is also part of the greeting.
    for (flags, told, n_times) in [
        ("", "engines play at level 20 (master)", 1),
        ("--level 3", "engines play at level 3 (beginner, Elo ", 2),
        (
            "--p2 'builtin \"option.Skill Level=4\"'",
            "engines play at level 4 (easy, Elo ",
            2,
        ),
    ] {
        let line = format!("printf 'level\\nlevel 7\\nlevel\\n' | LINESMAN play susan {flags}");
        let done = folder.shell(&line).exits(0);
        done.shows(n_times, told);
        done.shows(2, "engines play at level 7");
    }
}

/// After resigning, `undo` works as before: it takes back the person's last turn.
#[test]
fn one_undo_after_resign_takes_back_one_turn() {
    let folder = Folder::new("words-undo-resign");
    let done = played(&folder, "susan", "e5\nb2\nc3\nresign\nundo\n");
    done.shows(1, "3. c3 was taken back; move 3 is next");
    // With a time limit, the engine may choose the cell that is typed next.
    let line = "printf 'e5\\na1\\nresign\\nundo\\n' | LINESMAN play susan --p2 'builtin nodes=200'";
    let done = folder.shell(line).done();
    done.shows(1, "3. a1 and 4. ");
}

#[test]
fn an_engine_that_takes_a_seat_is_named() {
    let folder = Folder::new("words-auto-name");
    let line = "printf 'e5\\ngo\\nauto p1\\n' | LINESMAN play susan --p1 'human name=Ann' --p2 human --st 0.02";
    let done = folder.shell(line).exits(0);
    for move_ in ["2. o (Linesman susan", "3. x (Linesman susan"] {
        done.shows(1, move_);
    }
}

#[test]
fn a_forced_pass_is_announced() {
    let folder = Folder::new("words-pass");
    let script = "setup sosos/1s3/o1o1o/2s2/soso1 o 0\npass\n";
    let done = played(&folder, "entropy", script);
    let why = "O can only pass: no slide brings a neighbour to every isolated piece";
    done.shows(1, why);
    let line = format!(
        "printf '{}' | LINESMAN play entropy --p1 builtin --p2 human --st 0.02",
        script.replace('\n', "\\n")
    );
    let done = folder.shell(&line).done();
    let at = done
        .stdout
        .iter()
        .position(|line| line.starts_with("1. O (Linesman entropy") && line.contains(": pass"));
    let at = at.unwrap_or_else(|| panic!("no pass in {:?}", done.stdout));
    assert!(done.stdout[at + 1].starts_with(why), "{:?}", done.stdout);
}

#[test]
fn a_seat_that_is_none_is_told_what_a_person_is() {
    let folder = Folder::new("words-seat");
    let done = folder.linesman("play susan --p1 bob").exits(2);
    assert_eq!(
        done.stderr,
        "error: --p1: \"bob\" is no player: write human, human name=bob, remote, none, or an engine: builtin or cmd=PATH\n"
    );
}
