//! Recorded games: the same ledgers as the console's, and files that the page saves.

use serde_json::{Value, json};

use super::page::{Gui, Page};
use super::seat::seat;
use crate::support::{Folder, begins, has};

fn play(page: &mut Page, codes: &[&str]) {
    for code in codes {
        page.table(json!({"command": "play", "code": code}));
    }
}

/// The ledger of the page's table.
fn ledger(page: &mut Page) -> String {
    page.forget();
    page.table(json!({"command": "snapshot"}));
    let snapshot = page.event("snapshot");
    snapshot["ledger"].as_str().expect("a ledger").to_owned()
}

#[test]
fn the_console_goes_on_with_a_game_of_the_page_and_the_page_with_it_again() {
    let folder = Folder::new("both");
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    page.begin_game("susan", "human name=Ann", "human name=Bob");
    play(&mut page, &["e5", "b2"]);
    let ledger = ledger(&mut page);
    begins(&ledger, "susan-");
    assert_eq!(gui.terminate().status, Some(0));
    let console = folder.shell(&format!(
        "printf 'c3\\nquit\\n' | LINESMAN play --continue {ledger}"
    ));
    console.exits(0);
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    let games = page.ask(json!({"ask": "games"}))["games"].clone();
    assert_eq!(games[0]["path"], ledger.as_str());
    assert_eq!(
        (&games[0]["plies"], &games[0]["result"]),
        (&json!(3), &json!(null))
    );
    assert_eq!(games[0]["names"], json!(["Ann", "Bob"]));
    let table = page.ask(json!({"ask": "open-file", "path": ledger}))["table"].clone();
    let snapshot = page.started();
    assert_eq!(snapshot["tree"]["nodes"][2]["code"], "c3");
    play(&mut page, &["d4"]);
    // A second page joins the table that writes the ledger.
    let again = gui.page().ask(json!({"ask": "open-file", "path": ledger}));
    assert_eq!(again["table"], table);
    let none = page.try_ask(json!({"ask": "open-file", "path": "none.jsonl"}));
    has(&none.expect_err("no file"), "none.jsonl");
}

#[test]
fn pages_that_open_a_game_at_once_share_its_table() {
    let folder = Folder::new("at-once");
    let line = "printf 'e5\\nquit\\n' | LINESMAN play susan --ledger l.jsonl";
    folder.shell(line).exits(0);
    let gui = Gui::start(&folder, "");
    let mut pages: Vec<Page> = (0..6).map(|_| gui.page()).collect();
    let open = json!({"ask": "open-file", "path": "l.jsonl"});
    let ids: Vec<u64> = pages.iter_mut().map(|it| it.begin(open.clone())).collect();
    let mut tables = Vec::new();
    for (page, id) in pages.iter_mut().zip(ids) {
        tables.push(page.wait(|event| event["id"] == id)["done"]["table"].clone());
    }
    assert!(tables[0].is_string());
    tables.dedup();
    assert_eq!(tables.len(), 1);
}

#[test]
fn the_page_goes_on_with_a_game_of_partners() {
    let folder = Folder::new("page-partners");
    let seats = "--p1 'human name=Ann' --p1 'human name=Cid' --p2 'human name=Bob'";
    let line = format!("printf 'e5\\nquit\\n' | LINESMAN play susan {seats} --ledger l.jsonl");
    folder.shell(&line).exits(0);
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    let games = page.ask(json!({"ask": "games"}))["games"].clone();
    assert_eq!(games[0]["names"], json!(["Ann+Cid", "Bob"]));
    page.ask(json!({"ask": "open-file", "path": "l.jsonl"}));
    let snapshot = page.started();
    let seats = &snapshot["seats"];
    assert_eq!(seats[0]["name"], "Ann+Cid");
    let partner = |name: &str| json!({"name": name, "by": "person", "sitter": "host"});
    assert_eq!(
        seats[0]["partners"],
        json!([partner("Ann"), partner("Cid")])
    );
    assert_eq!(seats[1].get("partners"), None);
    play(&mut page, &["b2"]);
    let turn = page.event_with("turn", "node", 2);
    assert_eq!(
        (&turn["turn"], &turn["player"]),
        (&json!({"person": "p1"}), &json!("Cid"))
    );
    play(&mut page, &["c3"]);
    let played = page.event_with("move-played", "node", 3);
    assert_eq!(played["player"], "Cid");
}

#[test]
fn a_ledger_from_elsewhere_runs_no_command_without_a_yes() {
    let folder = Folder::new("elsewhere");
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    page.begin_game(
        "susan",
        "human",
        &format!("cmd={}", crate::support::SCRIPTED),
    );
    play(&mut page, &["e5"]);
    let ledger = ledger(&mut page);
    gui.terminate();
    // As if another user's state folder were in use: no game was begun there.
    std::fs::remove_dir_all(folder.path("state")).expect("it was written");
    let gui = Gui::start(&folder, "");
    let mut page = gui.page();
    let open = json!({"ask": "open-file", "path": ledger});
    let why = page.is_refused(open.clone());
    has(&why, "scripted-engine");
    has(&why, "With trust, it runs");
    let mut trusted = open;
    trusted["trust"] = json!(true);
    page.ask(trusted);
    page.started();
}

#[test]
fn what_is_exported_is_read_back() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    page.ask(json!({
        "ask": "open", "game": "susan", "options": {"Size": 4},
        "seats": [seat("human name=Ann"), seat("human name=Bob")], "opening": "startpos moves a1",
    }));
    page.started();
    play(&mut page, &["b2", "c3"]);
    let view = {
        page.forget();
        page.ask(json!({"ask": "look"}));
        page.event("view")
    };
    for what in ["ledger", "pgn", "fen"] {
        let file = page.ask(json!({"ask": "export", "what": what}));
        let mut other = gui.page();
        other.ask(json!({"ask": "open-record", "text": file["text"], "game": "susan", "options": {"Size": "4"}}));
        let shown = other.event("view");
        assert_eq!(shown["fen"], view["fen"], "{what}: {}", file["text"]);
        let snapshot = other.event("snapshot");
        assert_eq!(snapshot["game"]["options"], json!([["Size", "4"]]));
        if what != "fen" {
            let name = |side: usize| snapshot["seats"][side]["name"].clone();
            assert_eq!((name(0), name(1)), (json!("Ann"), json!("Bob")), "{what}");
            assert_eq!(shown["last"], "c3");
        }
    }
    for text in ["", "{", "[Event", "no position", "{\"plan\":1}"] {
        let ask = json!({"ask": "open-record", "text": text, "game": "susan"});
        assert!(text.is_empty() || page.try_ask(ask).is_err(), "{text}");
    }
    let unknown = page.try_ask(json!({"ask": "open-record", "text": "startpos"}));
    has(&unknown.expect_err("no game"), "Choose the game");
}

#[test]
fn a_board_outside_any_table_is_drawn() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    let games = page.hello["games"].as_array().expect("games").clone();
    let mut n_pictures = 0;
    for game in games {
        let name = &game["name"];
        assert!(game["title"].is_string() && game["idea"].is_string());
        let rules = game["rules"].as_array().expect("sections");
        let pictures = rules
            .iter()
            .filter(|section| section["position"].is_string());
        for (i, section) in pictures.enumerate() {
            let ask = json!({"ask": "diagram", "game": name, "position": section["position"]});
            let view = page.ask(ask)["view"].clone();
            assert!(
                view["diagram"]["shapes"]
                    .as_array()
                    .is_some_and(|shapes| !shapes.is_empty())
            );
            // The first one is the picture of the game.
            assert!(i > 0 || view["diagram"]["shapes"] == game["diagram"]["shapes"]);
            n_pictures += 1;
        }
        let view = page.ask(json!({"ask": "diagram", "game": name}))["view"].clone();
        assert_eq!(view["node"], Value::Null);
    }
    assert!(n_pictures > 0);
    let wrong = json!({"ask": "diagram", "game": "susan", "position": "?"});
    assert!(page.try_ask(wrong).is_err());
}
