//! GTP programs as players of a match.

use serde_json::Value;

use crate::support::{Folder, has};

/// The moves of all games of a ledger.
fn moves(folder: &Folder, ledger: &str) -> Vec<Value> {
    let (_, games) = folder.ledger(ledger);
    let games = games.iter().filter(|game| game["moves"].is_array());
    games.map(|game| game["moves"].clone()).collect()
}

/// A bridge behind a bridge makes the moves of the engine behind both.
fn plays_as_the_engine_does(game: &str, nodes: u32) {
    let folder = Folder::new("gtp-player");
    let own = env!("CARGO_BIN_EXE_linesman-test");
    let rest = format!("--each nodes={nodes} --games 2 --srand 5");
    let plain = format!(
        "match {game} --engine builtin name=A --engine builtin name=B {rest} --ledger plain"
    );
    let bridged = format!(
        "match {game} --engine builtin name=A --engine cmd={own} arg=bridge arg=gtp arg={game} arg=--engine arg=builtin \
         arg=nodes={nodes} proto=gtp name=B {rest} --ledger bridged"
    );
    for words in [plain, bridged] {
        folder.linesman(&words).exits(0);
    }
    let plain = moves(&folder, "plain");
    assert_eq!(plain.len(), 2);
    assert!(
        plain
            .iter()
            .all(|moves| moves.as_array().is_some_and(|moves| moves.len() > 4))
    );
    assert_eq!(moves(&folder, "bridged"), plain, "{game}");
}

#[test]
fn a_gtp_program_plays_susan_as_its_engine_does() {
    plays_as_the_engine_does("susan:Size=4", 200);
}

#[test]
fn a_gtp_program_plays_gobblet_as_its_engine_does() {
    plays_as_the_engine_does("gobblet", 200);
    plays_as_the_engine_does("gobblet:Size=4", 100);
}

#[test]
fn a_gtp_program_plays_projex_as_its_engine_does() {
    plays_as_the_engine_does("projex:Size=4", 200);
}

#[test]
fn a_gtp_program_plays_entropy_as_its_engine_does() {
    plays_as_the_engine_does("entropy", 100);
}

#[test]
fn a_program_on_another_board_loses_with_the_reason_told() {
    let folder = Folder::new("gtp-other-board");
    let own = env!("CARGO_BIN_EXE_linesman-test");
    let words = format!(
        "match susan:Size=4 --engine builtin --engine cmd={own} arg=bridge arg=gtp arg=susan:Size=3 proto=gtp name=B \
         --each nodes=50 --games 1 --openings none --ledger l"
    );
    folder.linesman(&words).exits(0);
    let (_, games) = folder.ledger("l");
    let text = games.last().expect("a game").to_string();
    let why = "the program's board has 5 points a side: expected 7 for susan Size=4";
    has(&text, why);
}

#[test]
fn an_adapter_answers_what_the_rules_know() {
    let folder = Folder::new("gtp-adapter");
    let line = "printf 'ugi\\nisready\\nsetoption name Size value 4\\nposition startpos moves a1\\nquery moves\\nquery game\\n\
                query p1turn\\nposition startpos moves z9\\nquery fen\\ngo perft 2\\ngo movetime 50\\n' | \
                LINESMAN bridge ugi susan --engine cmd=LINESMAN arg=bridge arg=gtp arg=susan:Size=4 proto=gtp";
    let done = folder.shell(line).exits(0);
    for line in [
        "ugiok",
        "readyok",
        "response susan Size=4",
        "response false",
        "response x3/5/6/7/6/5/4 o 0",
        "info error go perft: this engine does not support perft",
    ] {
        assert!(
            done.stdout.iter().any(|own| own == line),
            "{line}: {:?}",
            done.stdout
        );
    }
    assert!(!done.lines("info error z9").is_empty(), "{:?}", done.stdout);
    done.shows(1, "id name Linesman Susan");
    let best = done.lines("bestmove ");
    assert_eq!(best.len(), 1, "{:?}", done.stdout);
    assert_ne!(best[0], "bestmove none");
}
