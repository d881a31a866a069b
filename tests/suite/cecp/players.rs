//! CECP programs as players of a match: a bridge behind a bridge.

use serde_json::Value;

use crate::support::{Folder, has};

/// The moves and the result of each game of a ledger, with its reason.
fn games(folder: &Folder, ledger: &str) -> Vec<[Value; 3]> {
    let (_, games) = folder.ledger(ledger);
    let games = games.iter().filter(|game| game["moves"].is_array());
    games
        .map(|game| ["moves", "result", "reason"].map(|field| game[field].clone()))
        .collect()
}

/// With a bridge behind a bridge as one player, the games are the same as when the engine plays itself.
fn plays_as_the_engine_does(game: &str, nodes: u32) {
    let folder = Folder::new("cecp-player");
    let own = env!("CARGO_BIN_EXE_linesman-test");
    let rest = format!("--each nodes={nodes} --games 2 --srand 5");
    let plain = format!(
        "match {game} --engine builtin name=A --engine builtin name=B {rest} --ledger plain"
    );
    let bridged = format!(
        "match {game} --engine builtin name=A --engine cmd={own} arg=bridge arg=cecp arg={game} proto=cecp name=B {rest} \
         --ledger bridged"
    );
    for words in [plain, bridged] {
        folder.linesman(&words).exits(0);
    }
    let plain = games(&folder, "plain");
    assert_eq!(plain.len(), 2);
    assert_eq!(games(&folder, "bridged"), plain, "{game}");
}

#[test]
fn a_cecp_program_plays_entropy_as_its_engine_does() {
    plays_as_the_engine_does("entropy", 100);
}

#[test]
fn a_cecp_program_plays_gobblet_as_its_engine_does() {
    plays_as_the_engine_does("gobblet", 100);
    plays_as_the_engine_does("gobblet:Size=4", 60);
}

#[test]
fn a_cecp_program_plays_susan_as_its_engine_does() {
    plays_as_the_engine_does("susan:Size=3", 100);
    plays_as_the_engine_does("susan:Size=6", 60);
}

#[test]
fn a_cecp_program_plays_projex_as_its_engine_does() {
    plays_as_the_engine_does("projex:Size=4", 60);
    // Boards with ten ranks number them from 0.
    plays_as_the_engine_does("projex:Size=6,Swap=false", 40);
}

#[test]
fn a_program_that_cannot_play_the_game_loses_with_the_reason_told() {
    let own = env!("CARGO_BIN_EXE_linesman-test");
    for (game, arg, why) in [
        (
            "susan:Size=4",
            "susan:Size=3",
            "the program's board is 5x5+1_fairy: expected 7x7+1_fairy",
        ),
        (
            "susan",
            "entropy",
            "the program plays entropy: expected susan",
        ),
    ] {
        let folder = Folder::new("cecp-other-board");
        let words = format!(
            "match {game} --engine builtin --engine cmd={own} arg=bridge arg=cecp arg={arg} proto=cecp name=B \
             --each nodes=50 --games 1 --openings none --ledger l"
        );
        folder.linesman(&words).exits(0);
        let (_, games) = folder.ledger("l");
        let text = games.last().expect("a game").to_string();
        has(&text, why);
    }
}
