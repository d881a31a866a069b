//! Tests of reports, with ledgers built in the tests.

use record::ledger::{Ledger, parse_ledger};
use record::plan::Plan;
use record::stats::Summary;
use report::MatchReport;
use serde_json::{Value, json};

/// A ledger of a match between these players. Each entry of `games` is player 1, player 2, result, termination and
/// plies.
fn ledger(names: &[&str], games: &[(usize, usize, &str, &str, usize)]) -> Ledger {
    let engine = |name: &&str| {
        json!({"name": name, "program": "builtin", "proto": "ugi", "limit": "tc=10+0.1", "margin_ms": 0,
            "ponder": false, "options": [["Hash", "16"]], "restart": "auto", "stderr": null})
    };
    let test = json!({"elo0": 0.0, "elo1": 30.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"});
    let plan = json!({"plan": {"id": "0123", "version": "0.2.0", "date": "2026.11.22",
        "game": {"name": "susan", "options": [["Size", "4"]]},
        "engines": names.iter().map(engine).collect::<Vec<_>>(),
        "format": "round-robin", "games": 4, "swaps": true, "concurrency": 1, "srand": 7,
        "opening_source": {"random": {"plies": 2}}, "openings": ["startpos"],
        "adjudication": {"max_plies": 2000, "draw": null, "resign": null},
        "sprt": if names.len() == 2 { test } else { Value::Null },
        "startup_ms": 1, "ping_ms": 1, "ledger": "m", "pgn": null, "log": null}});
    let game = |(index, game): (usize, &(usize, usize, &str, &str, usize))| {
        let (p1, p2, result, termination, plies) = *game;
        let is_fault = termination == "rules infraction";
        let fault = json!({"engine": names[p2], "position": format!("position {}", names[0]),
            "lines": ["> go", format!("< bestmove {}", names[0])], "stderr": names[0]});
        json!({"game": index + 1, "pair": index / 2 + 1, "p1": names[p1], "p2": names[p2],
            "opening": "startpos", "moves": vec![format!("m{index}"); plies], "result": result,
            "termination": termination, "reason": format!("{} wins", names[p1]),
            "plies": vec![json!({"time": 0.05}); plies], "date": "2026.11.22",
            "fault": if is_fault { fault } else { Value::Null }})
    };
    let lines = [plan].into_iter();
    let lines = lines.chain(games.iter().enumerate().map(game));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    parse_ledger(text.as_bytes()).expect("a ledger")
}

/// `n` games between the first two players; the first one scores three points of four.
fn games(n: usize) -> Vec<(usize, usize, &'static str, &'static str, usize)> {
    let game = |index: usize| {
        let (p1, p2) = (index % 2, (index + 1) % 2);
        let result = match index % 8 {
            1 | 3 | 7 => "0-1",
            4 => "1/2-1/2",
            _ => "1-0",
        };
        (p1, p2, result, "normal", 20 + index % 17)
    };
    (0..n).map(game).collect()
}

fn with_report<T>(ledger: &Ledger, use_it: impl FnOnce(&MatchReport) -> T) -> T {
    let plan: &Plan = &ledger.plan;
    let mut summary = Summary::of(plan);
    ledger.games.iter().for_each(|game| summary.count(game));
    use_it(&MatchReport::new([Some(plan)], &summary))
}

fn all_forms(ledger: &Ledger) -> [String; 3] {
    with_report(ledger, |report| {
        [report.page(), report.fragment(), report.svg()]
    })
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part} in {text}");
}

fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "{part:?} in {text}");
}

#[test]
fn nothing_of_a_hostile_ledger_gets_through() {
    let names = [
        "</style></svg><script>alert(1)</script>",
        "\" onload=\"alert(1)\u{1b}[2J\u{202e}\n'><img src=x>",
    ];
    let mut games = games(12);
    games.push((0, 1, "1-0", "rules infraction", 9));
    for text in all_forms(&ledger(&names, &games)) {
        let bad = "<script|<img|\" onload|</style></svg>|\u{1b}|\u{202e}";
        bad.split('|').for_each(|bad| lacks(&text, bad));
        has(&text, "&lt;script&gt;");
        has(&text, "\\u{1b}[2J");
    }
}

#[test]
fn nothing_is_fetched_and_no_script_is_needed() {
    for text in all_forms(&ledger(&["A", "B"], &games(20))) {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        let text = text.replace("meta http-equiv", "");
        let words = "http src= href= url( @import <script onclick";
        words.split(' ').for_each(|word| lacks(&text, word));
    }
}

#[test]
fn a_page_has_all_parts() {
    let mut games = games(40);
    games.push((1, 0, "1-0", "rules infraction", 9));
    let [page, fragment, svg] = all_forms(&ledger(&["Ann", "Bob"], &games));
    for part in [
        "<title>susan:Size=4: Ann vs Bob</title>",
        "<h2>Standing</h2>",
        "<h2>Elo</h2>",
        "SPRT elo0=0 elo1=30 (logistic): LLR ",
        "<p class=\"line\">first player: +",
        "<h2>Time</h2>",
        "<h2>What went wrong</h2>",
        "&lt; bestmove Ann",
        "<dt>Seed</dt><dd>7</dd>",
        "2 random plies",
        "Ann</bdi> (built-in), tc=10+0.1, Hash=16",
        "<tr data-game=\"41\">",
        "color-scheme: light dark",
    ] {
        has(&page, part);
    }
    for title in [
        "Elo of Ann over Bob, with 95 % intervals",
        "Log-likelihood ratio between its bounds",
        "Mean time of a move (ms)",
        "Clock left after a move (% of the beginning)",
        "Lengths of the games",
    ] {
        let drawn = format!(">{title}</text>");
        for text in [&page, &fragment, &svg] {
            has(text, &drawn);
        }
        has(&page, &format!("role=\"img\" aria-label=\"{title}."));
    }
    assert!(fragment.starts_with("<article class=\"report\">"));
    has(&page, "<article class=\"report\">");
    assert!(report::is_page(page.as_bytes()) && !report::is_page(svg.as_bytes()));
    assert!(report::is_svg(svg.as_bytes()) && !report::is_svg(page.as_bytes()));
}

#[test]
fn too_few_games_say_so() {
    for n in [0, 1, 2, 3] {
        let won = vec![(0, 1, "1-0", "normal", 9); n];
        for text in all_forms(&ledger(&["A", "B"], &won)) {
            has(&text, "Too few games for an Elo difference");
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            let bad = words.find(|word| ["inf", "NaN", "Infinity"].contains(word));
            assert_eq!(bad, None, "{n}: {text}");
        }
    }
    let [page, ..] = all_forms(&ledger(&["A", "B"], &[]));
    has(&page, "No finished games.");
}

#[test]
fn many_players_have_a_crosstable_and_no_curves() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let pairings = (0..9).flat_map(|p1| (0..9).map(move |p2| (p1, p2)));
    let game = |(p1, p2)| {
        let result = if p1 < p2 { "1-0" } else { "1/2-1/2" };
        (p1, p2, result, "normal", 30)
    };
    let mut games: Vec<_> = pairings.filter(|(p1, p2)| p1 != p2).map(game).collect();
    let [page, ..] = all_forms(&ledger(&names, &games));
    has(&page, "<h2>Crosstable</h2>");
    has(&page, "Too many players for curves.");
    games.retain(|game| game.0 < 3 && game.1 < 3);
    let [page, ..] = all_forms(&ledger(&names[..3], &games.repeat(20)));
    has(&page, "Elo ratings, with 95 % intervals</text>");
}

#[test]
fn the_fragment_of_a_long_match_stays_small() {
    let [page, fragment, svg] = all_forms(&ledger(&["A", "B"], &games(6000)));
    assert_eq!(fragment.matches("<tr data-game=").count(), 100);
    assert_eq!(page.matches("<tr data-game=").count(), 5000);
    has(&page, "The last 5000 of 6000, the newest first.");
    assert!(fragment.len() < 120_000, "{}", fragment.len());
    assert!(svg.len() < 100_000, "{}", svg.len());
}
