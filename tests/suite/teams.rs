//! `match --team`: engines that take turns as one side.

use serde_json::Value;

use crate::support::{Folder, SCRIPTED};

const FOUR: &str = "--engine builtin name=A --engine builtin name=B --engine builtin name=C --engine builtin name=D";

/// The engine of each move of a game, from the ledger; `-` for opening moves.
fn movers(game: &Value) -> String {
    let plies = game["plies"].as_array().expect("plies");
    let by = |ply: &Value| ply["by"].as_str().unwrap_or("-").to_owned();
    plies.iter().map(by).collect()
}

#[test]
fn teams_play_a_match_that_is_made_longer() {
    let folder = Folder::new("teams");
    let words = format!(
        "match susan {FOUR} --team A B --team D C --each nodes=50 --games 2 --ledger l --pgn p --srand 5 --sprt elo0=0 elo1=10"
    );
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.lines("Finished game 1 (A+B vs D+C): ").len(), 1);
    assert_eq!(done.lines("Finished game 2 (D+C vs A+B): ").len(), 1);
    let done = folder.linesman("match --resume l --games 4").done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (plan, mut games) = folder.ledger("l");
    games.retain(|line| line.get("result").is_some());
    assert_eq!(plan["plan"]["teams"], serde_json::json!([[0, 1], [3, 2]]));
    assert_eq!(games.len(), 4);
    for (game, turns) in games.iter().zip(["ADBC", "DACB"].iter().cycle()) {
        let movers = movers(game);
        let expected: String = turns.chars().cycle().take(movers.len() - 2).collect();
        assert_eq!(movers, format!("--{expected}"));
    }
    let pgn = folder.read("p");
    assert!(pgn.contains("[White \"A+B\"]") && pgn.contains("[TimeControl \"nodes=50\"]"));
    assert!(
        pgn.contains("{book} 2. ") && pgn.contains("s A}") && pgn.contains("s C}"),
        "{pgn}"
    );
    let done = folder.linesman("stats l").done();
    let all = done.stdout.join("\n");
    assert!(all.contains("A+B") && all.contains("D+C"), "{all}");
}

#[test]
fn a_fault_names_the_partner_who_commits_it() {
    let folder = Folder::new("team-faults");
    let words = format!(
        "match susan --engine builtin name=A --engine cmd={SCRIPTED} arg=exit name=B --engine cmd={SCRIPTED} name=C --team A B \
         --each nodes=20 --games 2 --ledger l --openings none"
    );
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (_, games) = folder.ledger("l");
    for (game, movers_seen) in games.iter().zip(["A-", "-A-"]) {
        // C plays alone, so its moves have no engine's name.
        assert_eq!(movers(game), movers_seen);
        assert_eq!(game["fault"]["engine"], "B");
        let reason = game["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("B exited with status 3"), "{reason}");
        assert_eq!(game["termination"], "abandoned");
    }
    assert_eq!(
        (&games[0]["result"], &games[1]["result"]),
        (&"0-1".into(), &"1-0".into())
    );
}

#[test]
fn a_team_alone_meets_the_built_in_engine() {
    let folder = Folder::new("team-alone");
    let words = "match susan --engine builtin name=A --engine builtin name=B --team A B --each nodes=9 --games 2 --dry-run --srand 1 --openings none";
    let done = folder.linesman(words).done();
    assert_eq!(
        done.stdout,
        [
            "Game 1 (pair 1): A+B vs builtin (3), startpos",
            "Game 2 (pair 1): builtin (3) vs A+B, startpos"
        ]
    );
}

#[test]
fn what_is_no_team_is_refused() {
    let folder = Folder::new("no-team");
    for (rest, why) in [
        (
            "--team A X",
            "--team: \"X\": expected the name= of an engine",
        ),
        (
            "--team A A",
            "--team: \"A\" appears twice: expected each engine in one team, once",
        ),
        ("--team A B --team C B", "--team: \"B\" appears twice"),
        (
            "--team A E",
            "--team: \"A\" and \"E\" share a clock: expected the same limit and timemargin",
        ),
        (
            "--team A F",
            "--team: \"F\": two engines have this name=: expected one",
        ),
        (
            "--team A B --sprt elo0=0 elo1=9",
            "--sprt: 6 engines or teams: expected two",
        ),
        ("--team A", "--team"),
    ] {
        let words = format!(
            "match susan {FOUR} --engine builtin name=E nodes=7 --engine builtin name=F --engine builtin name=F --each nodes=9 {rest}"
        );
        let done = folder.linesman(&words).done();
        assert_eq!(done.status, Some(2), "{}", done.stderr);
        assert!(done.stderr.contains(why), "{why}: {}", done.stderr);
    }
}
