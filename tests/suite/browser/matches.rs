//! `linesman match --gui`: pages that follow a match.

use serde_json::json;

use super::page::Page;
use super::seat::seat;
use crate::support::{Folder, has};

#[test]
fn two_pages_follow_a_match_and_replay_a_game() {
    let folder = Folder::new("match");
    let words = "match susan --engine builtin name=A --engine builtin name=B --each nodes=50 --games 60 --ledger m --gui --quiet";
    let run = folder.linesman(words);
    let link = run.error_line().expect("the address");
    let mut first = Page::open(&link);
    assert_eq!(first.hello["match"], true);
    let mut second = Page::open(&link);
    let is_state = |name: &str| matches!(name, "match-started" | "match-snapshot");
    for page in [&mut first, &mut second] {
        page.wait(|event| event["event"].as_str().is_some_and(is_state));
        page.event("move-played");
        page.event("standing");
    }
    let over = first.event("game-over");
    let game = first.ask(json!({"ask": "replay", "game": over["game"]}));
    assert_eq!(
        (&game["moves"], &game["result"]),
        (&over["moves"], &over["result"])
    );
    let first_move = game["moves"][0].as_str().expect("a code");
    let position = format!("startpos moves {first_move}");
    let view = first.ask(json!({"ask": "diagram", "game": "susan", "position": position}));
    assert_eq!(view["view"]["ply"], 1);
    for ask in [
        json!({"ask": "replay", "game": 1000}),
        json!({"ask": "open", "game": "susan", "seats": [seat("human"), seat("human")]}),
    ] {
        first.is_refused(ask.clone());
    }
    drop(first);
    // The last event that a page receives is the final standing.
    let told = second.rest();
    let last = |name: &str| {
        let mut named = told.iter().filter(|event| event["event"] == name);
        named.next_back().cloned().unwrap_or_default()
    };
    assert_eq!(last("standing")["standing"]["games"], 60);
    let report = last("report");
    let html = report["html"].as_str().expect("a report");
    assert_eq!(html.matches("<tr data-game=").count(), 60);
    assert_eq!(told.last(), Some(&last("match-over")));
    has(&last("match-over")["text"], "The match is over.");
    run.exits(0);
    assert_eq!(folder.ledger("m").1.len(), 60);
}
