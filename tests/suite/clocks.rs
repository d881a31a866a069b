//! Clocks in whole matches: the parameters of `go`, the time used, and `timemargin`.

use serde_json::Value;

use crate::support::{Folder, has};

/// The only game of a match between `A` and `B`, with `B` as player 2, and the `go` lines that `A` received.
fn game(test: &str, a: &str, b: &str, more: &str) -> (Value, Vec<String>) {
    let folder = Folder::new(test);
    folder
        .linesman(&format!(
            "match susan --engine {a} name=A --engine {b} name=B --games 1 --openings none --ledger l --log log {more}"
        ))
        .exits(0);
    let (_, mut games) = folder.ledger("l");
    let log = folder.read("log");
    let lines = log.lines().filter_map(|line| line.split_once(" A > go "));
    let told = lines.map(|(_, limits)| limits.to_owned()).collect();
    (games.remove(0), told)
}

fn number(line: &str, key: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).map(|word| word.parse().expect("a number"))
}

#[test]
fn increments_and_refills_are_what_engines_are_told() {
    let (game, told) = game(
        "refill",
        "builtin tc=2/0.5+0.01 timemargin=60000",
        "builtin nodes=20",
        "--max-plies 12",
    );
    assert_eq!(told.len(), 6);
    let plies = game["plies"].as_array().expect("plies");
    let mut left: f64 = 500.0;
    for (turn, line) in told.iter().enumerate() {
        assert_eq!(number(line, "p1inc"), Some(10), "{line}");
        assert_eq!(number(line, "p2time"), None, "{line}");
        let to_go = if turn % 2 == 0 { 2 } else { 1 };
        assert_eq!(number(line, "movestogo"), Some(to_go), "{line}");
        let shown = number(line, "p1time").expect("the own clock") as f64;
        assert!((shown - left).abs() <= 1.0, "{left} ms left in {line}");
        let spent = 1e3 * plies[2 * turn]["time"].as_f64().expect("seconds");
        left = (left - spent).max(0.0) + 10.0;
        if turn % 2 == 1 {
            left += 500.0;
        }
    }
}

#[test]
fn both_clocks_are_told_where_they_differ() {
    let (game, told) = game(
        "odds",
        "builtin tc=10+0.2 timemargin=60000",
        "builtin tc=5 timemargin=60000",
        "--max-plies 4 --pgn p",
    );
    assert_eq!(game["termination"], "adjudication");
    let first = told.first().expect("a first move");
    let shown = ["p1time", "p2time", "p1inc", "movestogo"].map(|key| number(first, key));
    assert_eq!(shown, [Some(10_000), Some(5000), Some(200), None]);
}

#[test]
fn a_clock_and_a_search_limit_are_told_in_one_line() {
    let (game, told) = game(
        "beside",
        "builtin tc=600+1 nodes=30",
        "builtin tc=inf depth=2",
        "--max-plies 6 --pgn p",
    );
    assert_eq!(told.len(), 3);
    for line in &told {
        assert_eq!(number(line, "nodes"), Some(30), "{line}");
        assert_eq!(number(line, "p1inc"), Some(1000), "{line}");
        assert!(number(line, "p1time") > Some(500_000), "{line}");
    }
    assert_eq!(game["plies"][1]["depth"], 2, "{game}");
    assert_eq!(game["termination"], "adjudication");
}

#[test]
fn an_hourglass_runs_for_both() {
    let folder = Folder::new("hourglass");
    folder
        .linesman(
            "match susan --engine cmd=SCRIPTED arg=late hourglass=100 name=A --engine cmd=SCRIPTED arg=late tc=hg200 \
             name=B --games 1 --openings none --max-plies 6 --ledger l --log log --pgn p",
        )
        .exits(0);
    let (_, games) = folder.ledger("l");
    let plies = games[0]["plies"].as_array().expect("plies").iter();
    let times: Vec<f64> = plies
        .map(|ply| ply["time"].as_f64().expect("seconds"))
        .collect();
    let mut left = [100_000.0, 200_000.0];
    let log = folder.read("log");
    let told: Vec<&str> = log.lines().filter(|line| line.contains(" > go ")).collect();
    assert_eq!(told.len(), times.len());
    for (ply, (line, time)) in told.iter().zip(&times).enumerate() {
        for (clock, key) in left.iter().zip(["p1time", "p2time"]) {
            let shown = number(line, key).expect("a clock") as f64;
            assert!((shown - clock).abs() <= 1.0, "{clock} ms left in {line}");
        }
        left[ply % 2] -= 1e3 * time;
        left[1 - ply % 2] += 1e3 * time;
    }
    has(&folder.read("p"), "[TimeControl \"*100, *200\"]\n");
    let stats = folder.linesman("stats l").done();
    assert!(
        stats
            .stdout
            .iter()
            .any(|line| line.starts_with("time of A: 3 moves, 0 games lost on time, no overrun")),
        "{:?}",
        stats.stdout
    );
}

/// An engine that takes 0.3 s for each move.
const LATE: &str = "cmd=SCRIPTED arg=late";
const PROMPT: &str = "cmd=SCRIPTED nodes=1";

#[test]
fn a_clock_that_runs_down_loses_the_game() {
    let (game, _) = game("down", &format!("{LATE} tc=0.5"), PROMPT, "");
    assert_eq!(
        (&game["result"], &game["termination"]),
        (&"0-1".into(), &"time forfeit".into())
    );
    let n_moves = game["moves"].as_array().expect("moves").len();
    assert!(n_moves <= 2, "0.6 s are gone at the second move");
}

/// An engine that takes `movetime` at its word, like Stockfish, answers a little later.
#[test]
fn a_fixed_time_has_a_margin() {
    let folder = Folder::new("fixed-time");
    let play = |limit: &str, n_games: usize, ledger: &str| {
        let line = format!(
            "match susan --engine cmd=SCRIPTED arg=late arg=at=1 arg=late-ms=101 {limit} name=Late \
             --engine cmd=SCRIPTED nodes=1 name=Prompt --games {n_games} --openings none --max-plies 2 --ledger {ledger}"
        );
        let done = folder.linesman(&line).exits(0);
        let (plan, games) = folder.ledger(ledger);
        let margin = plan["plan"]["engines"][0]["margin_ms"].clone();
        (done, margin, games)
    };
    let (done, margin, games) = play("", 1, "default");
    assert_eq!(margin, 50);
    assert_eq!(games[0]["termination"], "adjudication", "{games:?}");
    let header = "susan Size=5: Late vs Prompt, st=0.1 timemargin=50 vs nodes=1, ";
    done.shows(1, header);
    assert_eq!(play("tc=60", 1, "clock").1, 0);
    // Late by 1 ms and the delays of a busy machine, which are seldom 20 ms in each of ten games.
    let (done, margin, games) = play("st=0.1 timemargin=0", 10, "strict");
    assert_eq!(margin, 0);
    assert!(
        games
            .iter()
            .all(|game| game["termination"] == "time forfeit")
    );
    let hints: Vec<usize> = (0..done.stdout.len())
        .filter(|line| done.stdout[*line].starts_with("Note: Late was "))
        .collect();
    assert_eq!(hints.len(), 1, "{:?}", done.stdout);
    let loss = &done.stdout[hints[0] + 1];
    has(&loss, "Late loses on time: 0.1");
    has(&done.stdout[hints[0]], " ms late: a larger timemargin=MS");
}

#[test]
fn refills_and_margins_are_time_too() {
    for (test, limit) in [
        ("refilled", "tc=1/60"),
        ("increment", "tc=60+1"),
        ("margin", "st=0.05 timemargin=60000"),
        ("margin-clock", "tc=0.05 timemargin=60000"),
    ] {
        let (game, _) = game(test, &format!("{LATE} {limit}"), PROMPT, "--max-plies 5");
        assert_eq!(game["termination"], "adjudication", "{limit}: {game}");
        let time = game["plies"][0]["time"].as_f64().expect("seconds");
        assert!(time >= 0.3, "all of the engine's time counts: {time}");
    }
}

/// Player 2 is to move in the opening's position. Ledgers of older versions do not say who moved first.
#[test]
fn times_are_those_of_the_engine_that_moved_first() {
    let folder = Folder::new("p2-first");
    folder.write("o", "fen 1x1/4/5/4/3 o 0\n");
    folder
        .linesman(
            "match susan:Size=3 --engine builtin name=A --engine builtin name=B --each tc=60 nodes=20 timemargin=60000 \
             --games 1 --openings file=o --max-plies 3 --ledger l --pgn p",
        )
        .exits(0);
    let text = folder.read("l");
    let (line, _) = text
        .trim_end()
        .rsplit_once(",\"crc32\"")
        .expect("a checksum");
    let old = line.replace("\"first\":\"p2\",", "") + "}\n";
    assert_ne!(line.len() + 2, old.len(), "{line}");
    folder.write("old", old);
    for file in ["l", "old"] {
        let shown = folder.linesman(&format!("stats {file} --json")).done();
        let numbers: Value = serde_json::from_str(&shown.stdout.join("\n")).expect("JSON");
        let moves: Vec<_> = [0, 1]
            .map(|at| numbers["times"][at]["moves"].as_u64())
            .to_vec();
        assert_eq!(moves, [Some(1), Some(2)], "{file}: {numbers}");
    }
    has(&folder.read("p"), "\n1... ");
}
