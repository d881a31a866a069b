//! Statistics of recorded games, and the warnings about them.

use serde_json::Value;

use crate::support::Folder;

/// A match in which `Bad` loses each game.
fn lose(folder: &Folder, engines: &str, ledger: &str) {
    let words = format!("match susan {engines} --games 4 --each nodes=20 --ledger {ledger}");
    folder.linesman(&words).exits(0);
}

const BAD: &str = "--engine cmd=SCRIPTED arg=illegal name=Bad";
const GOOD: &str = "--engine builtin name=Good";

fn json(folder: &Folder, words: &str) -> Value {
    let done = folder.linesman(words).exits(0);
    assert_eq!(done.stdout.len(), 1, "one object");
    serde_json::from_str(&done.stdout[0]).expect("JSON")
}

#[test]
fn files_are_merged_whoever_was_named_first() {
    let folder = Folder::new("merge");
    lose(&folder, &format!("{BAD} {GOOD}"), "a");
    lose(&folder, &format!("{GOOD} {BAD}"), "b");
    let merged = json(&folder, "stats a b --json");
    let duels = merged["report"]["duels"].as_array().expect("duels");
    assert_eq!(duels.len(), 1, "{merged}");
    assert_eq!(duels[0]["player"], "Bad");
    assert_eq!(duels[0]["wdl"]["losses"], 8);
    assert_eq!(duels[0]["pairs"]["counts"].to_string(), "[4,0,0,0,0]");
    assert_eq!(merged["sprt"], Value::Null);
    let other_way = json(&folder, "stats b a --json");
    assert_eq!(other_way["report"]["duels"][0]["player"], "Good");
    assert_eq!(
        other_way["report"]["duels"][0]["pairs"]["counts"].to_string(),
        "[0,0,0,0,4]"
    );
}

#[test]
fn a_test_can_be_put_to_records() {
    let folder = Folder::new("stats-sprt");
    lose(&folder, &format!("{BAD} {GOOD}"), "a");
    lose(&folder, &format!("{GOOD} {BAD}"), "b");
    let done = folder
        .linesman("stats a b --sprt elo0=0 elo1=30 model=normalized")
        .exits(0);
    let shown = done.lines("SPRT elo0=0 elo1=30 (normalized): LLR -");
    assert_eq!(shown.len(), 1, "{:?}", done.stdout);
    assert!(shown[0].ends_with("; SPRT smoothing 0.001"));
    let status = json(&folder, "stats b a --json --sprt elo0=0 elo1=30");
    assert!(
        status["sprt"]["llr"].as_f64().expect("a ratio") > 0.0,
        "seen by Good: {status}"
    );
}

#[test]
fn a_planned_test_is_judged_again_from_the_record() {
    let folder = Folder::new("planned");
    lose(&folder, &format!("{BAD} {GOOD} --sprt elo0=0 elo1=30"), "a");
    let done = folder.linesman("stats a").done();
    done.shows(1, "SPRT elo0=0 elo1=30 (logistic): LLR -");
}

#[test]
fn a_record_without_its_first_game_is_seen_by_the_same_engine() {
    let folder = Folder::new("no-first-game");
    let engines = format!("{BAD} {GOOD} --sprt elo0=0 elo1=30");
    lose(&folder, &engines, "a");
    let text = folder.read("a");
    let cut: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("{\"game\":1,"))
        .collect();
    assert_eq!(cut.len() + 1, text.lines().count());
    std::fs::write(folder.path("b"), cut.join("\n") + "\n").expect("a file");
    let numbers = json(&folder, "stats b --json");
    assert_eq!(numbers["report"]["duels"][0]["player"], "Bad");
    // The match judges no pair before the first one has ended.
    assert_eq!(numbers["sprt"]["llr"], 0.0, "{numbers}");
}

#[test]
fn a_test_needs_two_players() {
    let folder = Folder::new("three");
    lose(&folder, &format!("{BAD} {GOOD}"), "a");
    lose(&folder, &format!("{BAD} --engine builtin name=Other"), "b");
    let done = folder.linesman("stats a b --sprt elo0=0 elo1=30").exits(2);
    assert_eq!(
        done.stderr,
        "error: --sprt: games of 2 pairs of players: expected one pair\n"
    );
    folder.linesman("stats a b").exits(0);
}

#[test]
fn equal_games_are_counted_and_a_test_of_them_is_not_trusted() {
    let folder = Folder::new("identical");
    let play = |more: &str, ledger: &str| {
        let words = format!(
            "match susan --engine cmd=SCRIPTED name=A --engine cmd=SCRIPTED name=B --games 6 --openings none \
             --each st=60 --ledger {ledger} {more}"
        );
        folder.linesman(&words).exits(0)
    };
    let counted = "only 1 distinct game in 6; they count as 1.0 independent games";
    let warning = "warning: few games are distinct: ";
    let plain = play("", "plain");
    plain.shows(1, counted);
    plain.shows(0, warning);
    let tested = play("--sprt elo0=0 elo1=300", "tested");
    tested.shows(1, counted);
    tested.shows(1, warning);
    let again = folder.linesman("stats tested").done();
    again.shows(1, warning);
}

/// A PGN with one game per entry: `p1`, `p2`, result.
fn pgn(games: &[(&str, &str, &str)]) -> String {
    let game = |(index, (p1, p2, result)): (usize, &(&str, &str, &str))| {
        let number = index + 1;
        format!(
            "[Round \"{number}.{number}\"]\n[White \"{p1}\"]\n[Black \"{p2}\"]\n\n1. e{number} {result}\n\n"
        )
    };
    games.iter().enumerate().map(game).collect()
}

#[test]
fn columns_have_the_order_of_the_rows() {
    let folder = Folder::new("columns");
    let games = [
        ("Last", "Mid", "0-1"),
        ("Mid", "Best", "0-1"),
        ("Best", "Last", "1-0"),
    ];
    std::fs::write(folder.path("p"), pgn(&games)).expect("a new file");
    let done = folder.linesman("stats p").exits(0);
    let header = done
        .stdout
        .iter()
        .position(|line| line.contains("points against"));
    let table = &done.stdout[header.expect("a table")..];
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&table[1]), ["1", "Best", "-", "1/1", "1/1"]);
    assert_eq!(words(&table[2]), ["2", "Mid", "0/1", "-", "1/1"]);
    assert_eq!(words(&table[3]), ["3", "Last", "0/1", "0/1", "-"]);
}

#[test]
fn ledgers_of_different_players_need_no_test() {
    let folder = Folder::new("strangers");
    let sprt = "--sprt elo0=0 elo1=900";
    lose(&folder, &format!("{BAD} {GOOD} {sprt}"), "a");
    lose(
        &folder,
        &format!("{BAD} --engine builtin name=Other {sprt}"),
        "b",
    );
    let done = folder.linesman("stats a b").exits(0);
    done.shows(0, "SPRT");
    folder
        .linesman("stats a b --sprt elo0=0 elo1=5")
        .fails(2, "--sprt: games of 2 pairs of players");
}

#[test]
fn a_game_counts_once() {
    let folder = Folder::new("once");
    lose(&folder, &format!("{BAD} {GOOD} --pgn a.pgn"), "a");
    std::fs::copy(folder.path("a"), folder.path("copy")).expect("a copy");
    let both = json(&folder, "stats a copy --json");
    assert_eq!(both["report"]["duels"][0]["wdl"]["losses"], 4, "{both}");
    for files in ["a a.pgn", "a.pgn a"] {
        let done = folder.linesman(&format!("stats {files}")).exits(2);
        assert_eq!(done.stderr, "error: a.pgn repeats a\n");
    }
}
