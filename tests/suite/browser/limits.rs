//! A hostile client cannot disturb the others.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;

use super::page::{Gui, Page, TIME_LIMIT};
use super::seat::seat;
use crate::support::{begins, wait_until};

const MEGABYTE: usize = 1 << 20;

/// A message that the page never sends.
fn nonsense(rng: &mut fastrand::Rng) -> Message {
    let bytes =
        |rng: &mut fastrand::Rng, n: usize| -> Vec<u8> { (0..n).map(|_| rng.u8(..)).collect() };
    let n_bytes = rng.usize(0..300);
    match rng.u8(0..8) {
        0 => Message::binary(bytes(rng, n_bytes)),
        1 => Message::text(String::from_utf8_lossy(&bytes(rng, n_bytes)).into_owned()),
        2 => Message::text("[".repeat(n_bytes)),
        3 => Message::text(json!({"id": -1, "ask": "games"}).to_string()),
        4 => Message::text(json!({"id": 1, "ask": ["open"], "game": 7}).to_string()),
        5 => Message::text(json!({"id": 1, "ask": "look", "node": "x", "turns": 999}).to_string()),
        6 => Message::text(
            json!({"id": 1, "ask": "table", "command": {"command": "quit?"}}).to_string(),
        ),
        _ => Message::text(json!({"id": 1, "ask": "look", "node": 1_u64 << 40}).to_string()),
    }
}

#[test]
fn a_thousand_bad_messages_leave_server_and_game_as_they_were() {
    let gui = Gui::alone("");
    let mut good = gui.page();
    let view = good.begin_game("susan", "human", "human");
    let table = good.first_table();
    let mut rng = fastrand::Rng::with_seed(4);
    let mut bad = gui.page();
    for number in 0..1000 {
        if number % 100 == 0 {
            // A page that was closed for its faults connects again.
            bad = gui.page();
            bad.ask(json!({"ask": "attach", "table": table}));
        }
        if bad.send(nonsense(&mut rng)).is_err() {
            bad = gui.page();
        }
    }
    let mut large = gui.page();
    // The server may close the connection before everything is sent.
    let _ = large.send(Message::text("x".repeat(10 * MEGABYTE)));
    while large.next().is_some() {}
    let code = view["diagram"]["gestures"][0]["code"].clone();
    good.table(json!({"command": "play", "code": code, "from": 0}));
    assert_eq!(good.event("move-played")["node"], 1);
    assert_eq!(gui.page().hello["tables"][0]["table"], table);
}

#[test]
fn a_flood_of_messages_is_read_slowly_and_disturbs_nobody() {
    let gui = Gui::alone("");
    let (mut flood, mut page) = (gui.page(), gui.page());
    let begin = Instant::now();
    for _ in 0..1000 {
        flood.begin(json!({"ask": "games"}));
    }
    let answered = thread::spawn(move || {
        for id in 1..=1000 {
            flood.wait(|answer| answer["id"] == id);
        }
        Instant::now()
    });
    page.begin_game("susan", "human", "human");
    page.play("e5");
    let played = Instant::now();
    let answered = answered.join().expect("all are answered");
    assert!(played < answered, "{:?}", played - answered);
    let took = answered - begin;
    assert!(took > Duration::from_secs(4), "{took:?}");
}

#[test]
fn two_hundred_pages_are_served_at_once() {
    let gui = Gui::alone("");
    let mut pages: Vec<Page> = (0..200).map(|_| gui.page()).collect();
    pages[0].begin_game("susan", "human", "human");
    let table = pages[0].first_table();
    for page in &mut pages[1..] {
        page.ask(json!({"ask": "attach", "table": table}));
    }
    for page in &mut pages[1..] {
        page.event("view");
    }
    pages[199].play("e5");
    for page in &mut pages {
        assert_eq!(page.event("move-played")["move"], "e5");
    }
}

#[test]
fn more_pages_than_are_served_are_told_so() {
    let gui = Gui::alone("");
    let pages: Vec<Page> = (0..256).map(|_| gui.page()).collect();
    let (address, token) = (gui.address(), gui.token());
    assert_eq!(Page::connect(address, token, &[]).err(), Some(503));
    drop(pages);
    // The server notices closed connections soon.
    wait_until("a page is served", || {
        Page::connect(address, token, &[]).is_ok()
    });
}

#[test]
fn a_page_that_stops_reading_is_closed_and_its_table_goes_on() {
    let gui = Gui::alone("");
    let (mut deaf, mut page) = (gui.page(), gui.page());
    page.begin_game("susan", "human", "human");
    let table = page.first_table();
    deaf.ask(json!({"ask": "attach", "table": table}));
    // The answers are larger than the system's socket buffers.
    for _ in 0..400 {
        deaf.begin(json!({"ask": "diagram", "game": "graph-hockey"}));
    }
    let begin = Instant::now();
    let mut n_said = 0;
    while !deaf.is_cut_off() {
        assert!(begin.elapsed() < TIME_LIMIT, "it is not closed");
        n_said += 1;
        page.table(json!({"command": "say", "text": n_said.to_string()}));
        assert_eq!(page.event("said")["text"], n_said.to_string());
    }
    page.play("e5");
    assert_eq!(page.event("move-played")["move"], "e5");
    // The client may connect again.
    let mut again = gui.page();
    assert_eq!(again.attach(&table)["tree"]["here"], 1);
}

#[test]
fn more_tables_than_are_served_are_refused() {
    let gui = Gui::alone("");
    let mut pages: Vec<Page> = (0..17).map(|_| gui.page()).collect();
    let open = json!({"ask": "open", "game": "susan", "seats": [seat("human"), seat("human")]});
    for page in &mut pages[..16] {
        page.ask(open.clone());
    }
    let why = pages[16]
        .try_ask(open.clone())
        .expect_err("too many tables");
    begins(&why, "16 tables are open");
    pages[0].ask(json!({"ask": "leave"}));
    pages[16].ask(open);
}

#[test]
fn a_new_table_ends_the_oldest_one_without_a_page() {
    let gui = Gui::alone("--grace-ms 3600000");
    let mut page = gui.page();
    let open = json!({"ask": "open", "game": "susan", "seats": [seat("human"), seat("human")]});
    let opened: Vec<_> = (0..24)
        .map(|_| page.ask(open.clone())["table"].clone())
        .collect();
    let tables = page.ask(json!({"ask": "games"}))["tables"].clone();
    let tables = tables.as_array().expect("a list").iter();
    let open: Vec<_> = tables.map(|table| table["table"].clone()).collect();
    assert_eq!(open, opened[8..]);
}
