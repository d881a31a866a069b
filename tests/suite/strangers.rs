//! Programs of other authors and protocols in matches: what they send, and what they cannot do.
//!
//! The programs are shell scripts that play the game of `tests/data/counts.py`.

use std::fs;

use serde_json::Value;

use crate::support::{Done, Folder};

/// A CECP program. Its arguments are its features, and the commands that answer `go`, where `$n` is the number of the move.
/// It writes what it hears to the file `heard`.
const CECP: &str = r#"while read -r a b c; do echo "$a $b $c" >> heard; case $a in
protover) [ -z "$1" ] || echo "feature $1";;
new) n=0;;
m[0-9]*) n=$((n+1));;
usermove) n=$((n+1));;
go) n=$((n+1)); eval "$2";;
ping) echo "pong $b";;
quit) exit;;
esac; done"#;

/// A GTP program. Its arguments are the commands that answer `genmove`, and a command that it refuses.
const GTP: &str = r#"while read -r a b c d; do echo "$a $b $c $d" >> heard; case $a in
"$2") printf '? unacceptable\n\n';;
list_commands) printf '= play\ngenmove\ntime_settings\ntime_left\n\n';;
clear_board) n=0; printf '=\n\n';;
play) n=$((n+1)); printf '=\n\n';;
genmove) n=$((n+1)); eval "$1";;
quit) exit;;
*) printf '=\n\n';;
esac; done"#;

/// Ordinary features, and answers.
const FEATURES: &str = "'arg=ping=1 setboard=1 done=1'";
const CECP_MOVE: &str = "'arg=echo move m$n'";
const GTP_MOVE: &str = "'arg=printf \"= m$n\\n\\n\"'";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.copy_data("counts.py");
    fs::write(folder.path("cecp"), CECP).expect("a script");
    fs::write(folder.path("gtp"), GTP).expect("a script");
    folder
}

/// A match of `X`, with these words, against an engine that counts. `X` moves first.
fn play(folder: &Folder, x: &str, more: &str) -> Done {
    let openings = if more.contains("--openings") {
        ""
    } else {
        "--openings none"
    };
    let words = format!(
        "match counts --rules cmd=python3 arg=counts.py --engine cmd=bash {x} name=X \
         --engine cmd=SCRIPTED arg=counts name=Y {openings} --ledger l --each st=60 {more}"
    );
    folder.linesman(&words).done()
}

/// The games of a match that was played to its end.
fn games(folder: &Folder, x: &str, more: &str) -> (Vec<Value>, Done) {
    let done = play(folder, x, more);
    assert_eq!(
        done.status,
        Some(0),
        "{x}: {:?} {}",
        done.stdout,
        done.stderr
    );
    (folder.ledger("l").1, done)
}

#[test]
fn a_program_that_resigns_loses_without_a_fault() {
    for x in [
        format!("arg=cecp {FEATURES} 'arg=echo resign' proto=cecp"),
        format!("arg=cecp {FEATURES} 'arg=echo \"0-1 {{White resigns}}\"' proto=cecp"),
        format!("arg=cecp {FEATURES} 'arg=[ $n = 3 ] && echo resign || echo move m$n' proto=cecp"),
        "arg=gtp 'arg=printf \"= Resign\\n\\n\"' proto=gtp".to_owned(),
    ] {
        let folder = folder("resigns");
        let (games, _) = games(&folder, &x, "--games 1 --strict");
        let game = &games[0];
        let told = ["result", "termination", "reason"].map(|field| game[field].as_str());
        assert_eq!(
            told,
            [Some("0-1"), Some("normal"), Some("X resigns")],
            "{x}: {game}"
        );
        assert_eq!(game["fault"], Value::Null, "{x}: {game}");
    }
}

#[test]
fn a_claim_is_left_to_the_rules_and_noted() {
    let folder = folder("claims");
    let answer = "'arg=[ $n = 1 ] && echo \"1/2-1/2 {Draw by repetition}\" && echo offer draw; echo move m$n'";
    let x = format!("arg=cecp {FEATURES} {answer} proto=cecp");
    let (games, done) = games(&folder, &x, "--games 1");
    assert_eq!(games[0]["reason"], "X wins", "{}", games[0]);
    for note in [
        "X claims 1/2-1/2 {Draw by repetition}; the rules go on",
        "X offers a draw",
    ] {
        assert!(games[0]["notes"].to_string().contains(note), "{}", games[0]);
    }
    assert_eq!(
        done.lines("Note: X in game 1: offers a draw").len(),
        1,
        "{:?}",
        done.stdout
    );
}

#[test]
fn a_gtp_program_is_told_whole_seconds() {
    let folder = folder("whole-seconds");
    let x = format!("arg=gtp {GTP_MOVE} proto=gtp tc=20.18+0.2");
    let (_, done) = games(&folder, &x, "--games 1");
    let heard = folder.read("heard");
    let settings: Vec<&str> = heard
        .lines()
        .filter(|line| line.starts_with("time_settings"))
        .collect();
    assert_eq!(settings, ["time_settings 20 0 0"]);
    let left: Vec<&str> = heard
        .lines()
        .filter(|line| line.starts_with("time_left"))
        .collect();
    assert_eq!(left[0].trim(), "time_left black 20 0");
    assert!(!heard.contains('.'), "{heard}");
    let note = "Note: X is not told all of tc=20.18+0.2: GTP has no increment below a second";
    let at = |start: &str| done.stdout.iter().position(|line| line.starts_with(start));
    assert!(
        at(note) < at("Finished game 1") && at(note).is_some(),
        "{:?}",
        done.stdout
    );
}

#[test]
fn a_refused_clock_is_noted_once() {
    let folder = folder("refused-clock");
    let x = format!("arg=gtp {GTP_MOVE} arg=time_left proto=gtp tc=60");
    let (games, done) = games(&folder, &x, "--games 2");
    assert_eq!(games.len(), 2);
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
    let notes = done.lines("Note: X ");
    assert_eq!(notes.len(), 1, "{:?}", done.stdout);
    assert!(
        notes[0].contains("refuses time_left black 60 0: unacceptable"),
        "{notes:?}"
    );
}

#[test]
fn what_cannot_be_played_is_found_before_the_first_game() {
    let position = "--openings file=positions --games 2";
    for (x, more, why) in [
        (
            format!("arg=cecp {FEATURES} {CECP_MOVE} proto=cecp nodes=5"),
            "",
            "CECP has no limit of nodes",
        ),
        (
            format!("arg=cecp 'arg=ping=1 done=1' {CECP_MOVE} proto=cecp"),
            position,
            "lacks the feature setboard",
        ),
        (
            format!("arg=cecp 'arg=setboard=0 done=1' {CECP_MOVE} proto=cecp"),
            position,
            "lacks the feature setboard",
        ),
        (
            format!("arg=gtp {GTP_MOVE} proto=gtp"),
            position,
            "lacks the command linesman-position",
        ),
        (
            format!("arg=cecp {FEATURES} {CECP_MOVE} proto=cecp option.Hash=8"),
            "",
            "option.Hash",
        ),
        (
            format!("arg=gtp {GTP_MOVE} proto=gtp option.Level=8"),
            "",
            "option.Level",
        ),
    ] {
        let folder = folder("cannot");
        fs::write(folder.path("positions"), "counts\n").expect("a file");
        let done = play(&folder, &x, more);
        assert_eq!(done.status.filter(|status| *status > 0), done.status, "{x}");
        assert!(
            done.stderr.contains("X: ") && done.stderr.contains(why),
            "{x}: {}",
            done.stderr
        );
        assert_eq!(done.stderr.lines().count(), 1, "{x}: {}", done.stderr);
        assert!(!folder.path("l").exists(), "{x}");
    }
}

#[test]
fn a_size_that_is_refused_is_found_before_the_first_game() {
    let folder = folder("refused-size");
    let line = "LINESMAN match susan:Size=4 --rules cmd=LINESMAN arg=engine arg=susan --engine cmd=bash arg=gtp \
                arg=exit arg=boardsize proto=gtp name=X --engine builtin --ledger l --games 2";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(
        done.stderr.contains("X: GTP: boardsize 4: unacceptable"),
        "{}",
        done.stderr
    );
    assert!(!folder.path("l").exists());
}

#[test]
fn a_builtin_engine_takes_no_limit_that_it_cannot_keep() {
    let folder = folder("no-depth");
    let line = "LINESMAN match counts --rules cmd=python3 arg=counts.py --each depth=2 --games 2 --ledger l";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(
        done.stderr.contains("depth=2: the built-in engine"),
        "{}",
        done.stderr
    );
    let line = "printf 'ugi\\ngo depth 2\\nisready\\n' | LINESMAN engine counts --rules cmd=python3 arg=counts.py";
    let done = folder.shell(line).done();
    assert_eq!(
        done.lines("info error the built-in engine").len(),
        1,
        "{:?}",
        done.stdout
    );
    assert!(done.lines("bestmove").is_empty(), "{:?}", done.stdout);
}

#[test]
fn a_program_may_leave_out_its_features() {
    let folder = folder("version-1");
    let x = format!("arg=cecp arg= {CECP_MOVE} proto=cecp tc=60");
    let (games, _) = games(&folder, &x, "--games 2");
    assert!(games.iter().all(|game| {
        game["reason"]
            .as_str()
            .is_some_and(|why| why.ends_with("wins"))
    }));
    let heard = folder.read("heard");
    assert!(heard.contains("\nm2 "), "moves without usermove: {heard}");
    assert!(!heard.contains("ping"), "{heard}");
}

#[test]
fn features_are_taken_as_the_protocol_has_them() {
    let folder = folder("features");
    let features = "'arg=ping=1 usermove=1 time=0 reuse=0 memory=1 smp=1 colors=0 san=0 debug=1 analyze=0 \
                    option=\"Own Book -check 1\" done=1'";
    let x = format!(
        "arg=cecp {features} {CECP_MOVE} proto=cecp tc=60 option.Hash=32 option.Threads=2 'option.Own Book=false'"
    );
    let (games, _) = games(&folder, &x, "--games 2");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
    let heard = folder.read("heard");
    let count = |line: &str| heard.lines().filter(|heard| heard.trim() == line).count();
    assert_eq!(count("xboard"), 2, "one process a game: {heard}");
    for line in ["memory 32", "cores 2", "option Own Book=0"] {
        assert_eq!(count(line), 2, "{line}: {heard}");
    }
    assert!(
        heard.contains("usermove m2") && !heard.contains("\ntime "),
        "{heard}"
    );
    assert!(!heard.contains("rejected"), "{heard}");
}

#[test]
fn another_spelling_of_a_move_is_that_move() {
    let folder = folder("spellings");
    let line = format!(
        "LINESMAN match counts --rules cmd=python3 arg=counts.py arg=spells --engine cmd=bash arg=cecp {FEATURES} \
         'arg=echo move M-$n' proto=cecp name=X --engine cmd=bash arg=gtp 'arg=printf \"= m-$n\\n\\n\"' proto=gtp name=Y \
         --openings none --ledger l --each st=60 --games 2"
    );
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (_, games) = folder.ledger("l");
    for game in &games {
        assert_eq!(game["termination"], "normal", "{game}");
        assert_eq!(
            game["moves"],
            serde_json::json!(["m1", "m2", "m3", "m4", "m5", "m6"])
        );
    }
}

#[test]
fn a_mate_is_counted_in_moves_and_what_is_none_is_a_score() {
    for (written, score, pgn) in [
        (100_003, serde_json::json!({"mate": 3}), "{+M3/9 "),
        (-100_003, serde_json::json!({"mate": -3}), "{-M3/9 "),
        (999_998, serde_json::json!({"cp": 999_998}), "{+9999.98/9 "),
    ] {
        let folder = folder("mates");
        let x =
            format!("arg=cecp {FEATURES} 'arg=echo 9 {written} 1 5 m1; echo move m$n' proto=cecp");
        let (games, _) = games(&folder, &x, "--games 1 --pgn p");
        assert_eq!(games[0]["plies"][0]["score"], score, "{}", games[0]);
        assert!(folder.read("p").contains(pgn), "{}", folder.read("p"));
    }
}

#[test]
fn a_log_has_the_wire_and_what_was_made_of_it() {
    for (x, heard) in [
        (
            format!("arg=cecp {FEATURES} {CECP_MOVE} proto=cecp"),
            "move m1",
        ),
        (format!("arg=gtp {GTP_MOVE} proto=gtp"), "= m1"),
    ] {
        let folder = folder("wire");
        games(&folder, &x, "--games 1 --log log");
        let log = folder.read("log");
        let asked = if heard.starts_with('=') {
            "genmove black"
        } else {
            "go"
        };
        for line in [
            format!(" X (wire) > {asked}\n"),
            format!(" X (wire) < {heard}\n"),
            " X > go movetime 60000\n".to_owned(),
            " X < bestmove m1\n".to_owned(),
        ] {
            assert!(log.contains(&line), "{line}: {log}");
        }
        assert!(!log.contains("info string wire"), "{log}");
    }
}

#[test]
fn a_program_with_a_slash_is_in_its_folder() {
    let folder = folder("in-its-folder");
    fs::create_dir(folder.path("d")).expect("a folder");
    let line = "printf '#!/bin/sh\\nexec SCRIPTED counts\\n' > d/engine; printf '#!/bin/sh\\nexit 7\\n' > engine; \
                chmod +x engine d/engine; LINESMAN match counts --rules cmd=python3 arg=counts.py \
                --engine cmd=./engine dir=d name=X --engine cmd=SCRIPTED arg=counts --ledger l --games 2";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(0), "{:?} {}", done.stdout, done.stderr);
    let line = "LINESMAN match counts --rules cmd=python3 arg=counts.py --engine cmd=./absent dir=d \
                --engine cmd=SCRIPTED arg=counts --ledger m --games 2";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    let tried = folder.path("d/absent").display().to_string();
    assert!(done.stderr.contains(&tried), "{}", done.stderr);
}

#[test]
fn a_game_s_name_is_exact_where_scripts_write_it() {
    let folder = folder("exact-names");
    for words in [
        "match go --dry-run",
        "check builtin go",
        "engine go",
        "gui SUSAN",
    ] {
        let done = folder.linesman(words).done();
        assert_eq!(done.status, Some(2), "{words}: {:?}", done.stdout);
        assert!(
            done.stderr.contains("did you mean "),
            "{words}: {}",
            done.stderr
        );
    }
}

#[test]
fn an_analysis_without_scores_says_so() {
    let folder = folder("no-scores");
    let x = format!("arg=gtp {GTP_MOVE} proto=gtp");
    games(&folder, &x, "--games 1");
    let done = folder
        .linesman("analyse l 1 --engine cmd=SCRIPTED arg=counts st=1")
        .done();
    assert!(
        done.stdout
            .iter()
            .any(|line| line.starts_with("the engine gave no scores")),
        "{:?} {}",
        done.stdout,
        done.stderr
    );
}

#[test]
fn compressed_openings_are_read() {
    let folder = folder("compressed");
    let line = "printf 'startpos moves m1\\n' | gzip > openings.gz; LINESMAN match counts --rules cmd=python3 \
                arg=counts.py --engine cmd=SCRIPTED arg=counts --engine cmd=SCRIPTED arg=counts --games 2 \
                --openings file=openings.gz --ledger l";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(folder.ledger("l").1[0]["opening"], "startpos moves m1");
}

#[test]
fn rules_are_checked_alone() {
    let folder = folder("own-rules");
    let line = "LINESMAN check --rules cmd=LINESMAN arg=engine arg=susan --games 3 --seed 1";
    let done = folder.shell(line).done();
    assert_eq!(done.status, Some(0), "{:?} {}", done.stdout, done.stderr);
    for step in ["moves", "result", "ends", "fen", "undo", "diagram"] {
        assert_eq!(
            done.lines(&format!("PASS  {step} ")).len(),
            1,
            "{step}: {:?}",
            done.stdout
        );
    }
    assert!(
        done.stdout
            .iter()
            .any(|line| line.contains(" positions a second")),
        "{:?}",
        done.stdout
    );
    // It takes any position string for the start.
    let done = folder
        .linesman("check --rules cmd=python3 arg=counts.py --games 2")
        .done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(done.lines("FAIL  fen ").len(), 1, "{:?}", done.stdout);
    assert!(
        done.stdout
            .iter()
            .any(|line| line.contains("position fen counts m1")),
        "{:?}",
        done.stdout
    );
    let done = folder
        .linesman("check --rules cmd=python3 arg=counts.py --only undo")
        .done();
    assert_eq!(done.status, Some(0), "{:?} {}", done.stdout, done.stderr);
}
