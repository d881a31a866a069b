//! Invalid arguments and their error messages.

use crate::support::{Done, Folder, has, in_parallel, lacks};

fn refused(words: &str, status: i32, named: &[&str]) -> Done {
    let folder = Folder::new("refused");
    let done = folder.linesman(words).exits(status);
    for name in named {
        has(&done.stderr, name);
    }
    lacks(&done.stderr, "panicked");
    done
}

/// The options of the game are the defaults that the engine declares.
#[test]
fn an_engine_starts_with_the_board_of_its_game() {
    let folder = Folder::new("engine-board");
    let line = "printf 'ugi\\nquery game\\nquit\\n' | LINESMAN engine gobblet:Size=4";
    let done = folder.shell(line).exits(0);
    let declared = "option name Size type spin default 4 min 3 max 4";
    done.shows(1, declared);
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("response gobblet Size=4")
    );
}

#[test]
fn usage_errors_name_the_word_and_what_was_expected() {
    let rows: Vec<&str> = include_str!("../data/refused.txt")
        .lines()
        .skip(1)
        .collect();
    in_parallel(&rows, |row| {
        let mut fields = row.split(" | ");
        let words = fields.next().expect("a command line");
        refused(words, 2, &fields.collect::<Vec<_>>());
    });
}

#[test]
fn records_are_never_overwritten() {
    let folder = Folder::new("overwritten");
    std::fs::write(folder.path("old"), "precious").unwrap();
    for flag in ["--ledger", "--pgn"] {
        let done = folder
            .linesman(&format!("match susan {flag} old"))
            .fails(2, flag);
        has(&done.stderr, "exists");
    }
    assert_eq!(folder.read("old"), "precious");
}

#[test]
fn engines_that_do_not_start_are_one_line_before_the_first_game() {
    for (words, named) in [
        ("cmd=./missing", &["/missing", "No such file"][..]),
        ("cmd=/etc/passwd", &["/etc/passwd", "ermission denied"]),
        ("cmd=/", &["ermission denied"]),
        ("cmd=true name=Nothing", &["Nothing", "ugiok"]),
        (
            "cmd=cat name=Echo",
            &[
                "Echo",
                "no ugiok in time; it said \"ugi\": an engine that speaks UCI needs proto=uci",
            ],
        ),
        (
            "cmd=SCRIPTED arg=silent-handshake name=Mute",
            &["Mute", "no ugiok in time"],
        ),
        (
            "cmd=SCRIPTED arg=flood-handshake name=Flood",
            &["Flood", "ugiok"],
        ),
        (
            "cmd=SCRIPTED arg=exit-handshake name=Gone",
            &["Gone", "status 7"],
        ),
        (
            "cmd=SCRIPTED arg=silent-isready name=Mute",
            &["Mute", "no readyok in time"],
        ),
    ] {
        let words = format!("match susan --startup-ms 300 --engine {words} --ledger l");
        let done = refused(&words, 1, named);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
        assert!(done.stdout.is_empty());
    }
}

#[test]
fn options_are_held_against_what_the_engine_declares() {
    let engine = "match susan --engine cmd=SCRIPTED arg=options name=A";
    refused(
        &format!("{engine} option.Hsh=2"),
        2,
        &["A", "option.Hsh", "expected Hash"],
    );
    refused(
        &format!("{engine} option.Hash=9"),
        2,
        &["A", "Hash", "1 to 8"],
    );
    refused(
        "match susan:SlideLimit=0 --engine cmd=SCRIPTED name=A",
        2,
        &["A", "SlideLimit"],
    );
}

#[test]
fn a_reader_that_goes_away_ends_a_command_quietly() {
    let folder = Folder::new("closed");
    let script = format!(
        "{} games | true; echo ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_linesman-test")
    );
    let output = folder.command("bash").args(["-c", &script]).output();
    let output = output.expect("bash is there");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n");
}

#[test]
fn games_are_listed_with_their_options() {
    let folder = Folder::new("games");
    let done = folder.linesman("games").exits(0);
    done.shows(1, "susan");
    done.shows(1, "    SlideLimit=6");
}
