//! Games by messages alone.

use serde_json::{Value, json};

use super::page::{Gui, Page};
use crate::support::Folder;

/// The codes of the gestures of a view.
fn codes(view: &Value) -> Vec<String> {
    let gestures = view["diagram"]["gestures"].as_array().expect("gestures");
    let code = |gesture: &Value| gesture["code"].as_str().expect("a code").to_owned();
    gestures.iter().map(code).collect()
}

/// Plays gestures drawn by a seed until the game is over or `n_moves` are made; the last view.
fn play(page: &mut Page, mut view: Value, seed: u64, n_moves: usize) -> Value {
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..n_moves {
        let Some(code) = rng.choice(codes(&view)) else {
            break;
        };
        page.forget();
        let from = view["node"].clone();
        page.table(json!({"command": "play", "code": code, "from": from}));
        view = page.wait(|event| event["event"] == "view" && event["node"] != from);
    }
    view
}

#[test]
fn every_game_is_played_to_its_end() {
    let folder = Folder::new("games");
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    let games = page.hello["games"].as_array().expect("games").clone();
    assert_eq!(games.len(), 5);
    for game in games {
        let name = game["name"].as_str().expect("a name");
        assert!(
            game["diagram"]["shapes"]
                .as_array()
                .is_some_and(|shapes| !shapes.is_empty())
        );
        let start = page.begin_game(name, "human name=Ann", "human name=Bob");
        let end = play(&mut page, start, 7, 2000);
        assert!(
            end["result"]["code"].is_string(),
            "{name}: {}",
            end["result"]
        );
        let over = page.event("game-over");
        assert_eq!(over["result"], end["result"]["code"]);
        assert_eq!((&over["p1"], &over["p2"]), (&json!("Ann"), &json!("Bob")));
    }
}
