//! Games played only by messages.

use std::fs;

use serde_json::{Value, json};

use super::page::{Gui, Page};
use super::seat::seat;
use crate::support::{Folder, has, wait_until};

/// The codes of the gestures of a view.
fn codes(view: &Value) -> Vec<String> {
    let gestures = view["diagram"]["gestures"].as_array().expect("gestures");
    let code = |gesture: &Value| gesture["code"].as_str().expect("a code").to_owned();
    gestures.iter().map(code).collect()
}

/// Plays random gestures, chosen by a seed, until the game is over or `n_moves` are made. Returns the last view.
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
fn the_level_of_the_engines_is_told_from_the_beginning() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    let two = "builtin 'option.Skill Level=3'";
    let mut table = Value::Null;
    for (seats, level, told) in [
        (["human", "builtin"], json!(4), json!(4)),
        (["human", "builtin"], json!(null), json!(null)),
        (["human", two], json!(null), json!(3)),
        ([two, "builtin"], json!(null), json!(null)),
        (["human", "human"], json!(8), json!(8)),
    ] {
        page.ask(json!({"ask": "open", "game": "susan", "seats": seats.map(seat), "level": level}));
        // Events of the previous table may still arrive.
        let snapshot = page.wait(|event| event["event"] == "snapshot" && event["id"] != table);
        assert_eq!(snapshot["level"], told, "{seats:?} {level}");
        table = snapshot["id"].clone();
        page.forget();
    }
}

/// The page may hold the engine's answer back.
#[test]
fn a_person_s_move_is_shown_before_a_fast_answer() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    let mut view = page.begin_game("susan", "human", "builtin nodes=1");
    for node in [0, 2, 4] {
        page.forget();
        let codes = codes(&view);
        page.play(&codes[codes.len() / 2]);
        // A view of the earlier position may still arrive.
        let is_view = |event: &Value| event["event"] == "view" && event["node"] != node;
        let next = page.wait(|event| is_view(event) || event["by"] == "engine");
        assert_eq!(next["node"], node + 1);
        view = page.event_with("view", "node", node + 2);
    }
}

/// A rules program that fails closes the table. A table that is opened later has a new process.
#[test]
fn a_rules_program_that_failed_is_started_again() {
    let folder = Folder::new("rules-again");
    folder.copy_data("counts.py");
    folder.write("broken", "");
    let gui = Gui::start(&folder, "counts --rules cmd=python3 arg=counts.py arg=dies");
    let mut page = gui.page();
    let view = page.begin_game("counts", "human", "human");
    let view = play(&mut page, view, 1, 2);
    let from = view["node"].clone();
    page.begin(json!({"ask": "table", "command": {"command": "play", "code": "m3", "from": from}}));
    let closed = page.event("closed");
    let why = "the rules of python3: exited with status 1: out of order";
    assert_eq!(closed["why"], why);
    fs::remove_file(folder.path("broken")).expect("the file");
    // The program is started once a second at most. Until then no game is opened: it would end at once.
    let open = json!({"ask": "open", "game": "counts", "seats": [seat("human"), seat("human")]});
    wait_until("it is started again", || {
        page.forget();
        page.try_ask(open.clone()).is_ok()
    });
    page.started();
    page.forget();
    page.ask(json!({"ask": "look"}));
    let view = page.event("view");
    let view = play(&mut page, view, 1, 9);
    assert_eq!(view["ply"], 6, "{view}");
}

#[test]
fn the_engine_of_a_rules_program_has_no_levels() {
    let folder = Folder::new("rules-levels");
    folder.copy_data("counts.py");
    let gui = Gui::start(&folder, "--rules cmd=python3 arg=counts.py");
    let mut page = gui.page();
    let games = page.hello["games"].as_array().expect("games");
    let counts = games.iter().find(|game| game["name"] == "counts");
    assert_eq!(counts.expect("the game")["levels"], json!([]));
    let open = |level: Value| json!({"ask": "open", "game": "counts", "seats": [seat("human"), seat("builtin")], "level": level});
    for level in [json!(3), json!("adaptive")] {
        let refused = page.is_refused(open(level));
        has(&refused, "its engine has no levels");
    }
    page.ask(open(Value::Null));
    page.started();
}

#[test]
fn a_level_follows_the_results_of_a_person() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    page.ask(
        json!({"ask": "open", "game": "susan", "seats": [seat("human"), seat("builtin")], "level": "adaptive"}),
    );
    let snapshot = page.started();
    assert_eq!(
        (&snapshot["level"], &snapshot["is_adaptive"]),
        (&json!(3), &json!(true))
    );
    page.ask(json!({"ask": "table", "command": {"command": "play", "code": "e5"}}));
    page.ask(json!({"ask": "table", "command": {"command": "resign"}}));
    let changed = page.wait(|event| event["event"] == "level-changed");
    assert_eq!(
        (&changed["level"], &changed["is_adaptive"]),
        (&json!(0), &json!(true))
    );
}

#[test]
fn every_game_is_played_to_its_end() {
    let gui = Gui::alone("");
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
