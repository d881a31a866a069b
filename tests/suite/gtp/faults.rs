//! Failing engines behind the bridge, and failing GTP programs.

use std::fs;

use crate::support::{Folder, has};

/// The bridge's answers to these commands, with this engine behind it.
fn answers(folder: &Folder, commands: &str, game: &str, engine: &str) -> Vec<String> {
    let line = format!("printf '{commands}' | LINESMAN bridge gtp {game} --engine {engine}");
    let done = folder.shell(&line).exits(0);
    let lines = done.stdout.into_iter();
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn an_engine_that_fails_is_an_answer_and_the_game_goes_on() {
    let folder = Folder::new("gtp-engine-faults");
    let engine = "while read -r a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove zz9;; \
                  quit) exit;; esac; done";
    fs::write(folder.path("illegal"), engine).expect("a script");
    for (engine, why) in [
        ("cmd=false", "false: exited with status 1"),
        ("cmd=./absent", "absent"),
        ("cmd=bash arg=illegal", "made an illegal move: zz9"),
    ] {
        let commands = "genmove b\\nplay b E5\\n7 genmove w\\ngogui-rules_side_to_move\\n";
        let said = answers(&folder, commands, "susan", engine);
        assert!(
            said[0].starts_with("? ") && said[0].contains(why),
            "{said:?}"
        );
        assert_eq!(said[1], "= ");
        assert!(
            said[2].starts_with("?7 ") && said[2].contains(why),
            "{said:?}"
        );
        assert_eq!(said[3], "= white");
    }
}

/// A match against a program that answers `genmove` like this. Returns the record of the game, which the program loses.
fn lost_by(genmove: &str) -> String {
    let folder = Folder::new("gtp-program-faults");
    let program = format!(
        "while read -r a b; do case $a in quit) exit;; gogui-*) printf '? unknown command\\n\\n';; genmove) {genmove};; \
         *) printf '= \\n\\n';; esac; done"
    );
    fs::write(folder.path("program"), program).expect("a script");
    let words = "match susan:Size=3 --engine cmd=bash arg=program proto=gtp name=Bad --engine builtin name=Good \
                 --each nodes=20 --games 1 --openings none --ledger l";
    folder.linesman(words).exits(0);
    let (_, games) = folder.ledger("l");
    let game = games.last().expect("a game");
    assert_eq!(game["result"], "0-1", "{game}");
    game.to_string()
}

#[test]
fn a_gtp_program_that_fails_loses_with_the_reason_told() {
    for (genmove, why) in [
        (
            "printf '= Z9\\n\\n'",
            "genmove: Z9 is not a legal half move",
        ),
        ("printf '= resign\\n\\n'", "Bad resigns"),
        ("printf '? out of memory\\n\\n'", "GTP: out of memory"),
        ("exit 3", "exited with status"),
    ] {
        let game = lost_by(genmove);
        has(&game, why);
    }
}
