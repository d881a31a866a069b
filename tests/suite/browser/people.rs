//! Several people at one table: links, permissions, consent, a reloaded page.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use gui::{GuestLink, Server, Settings};
use serde_json::{Value, json};

use super::page::{Gui, Page, http};
use super::seat::seat;
use super::slow_pages::BareHost;
use crate::support::{CLOSE_INHERITED, Folder, begins, has, lacks};

/// A game of SUSAN between the host and a guest. The last value is the link to the guest's seat.
fn game_with_guest(gui: &Gui) -> (Page, Page, String) {
    let mut host = gui.page();
    host.begin_game("susan", "human name=Ann", "remote name=Bob");
    let link = link(&mut host, json!("p2"));
    let mut guest = Page::open(&link);
    attach(&mut guest);
    (host, guest, link)
}

fn link(host: &mut Page, side: Value) -> String {
    let link = host.ask(json!({"ask": "invite", "side": side}))["link"].clone();
    link.as_str().expect("a link").to_owned()
}

/// Attaches to the table that is in the page's `hello`.
fn attach(page: &mut Page) -> Value {
    let table = page.hello["tables"][0]["table"].clone();
    page.attach(&table)
}

#[test]
fn two_people_play_and_a_move_is_taken_back_by_consent() {
    let gui = Gui::alone("");
    let (mut host, mut guest, _) = game_with_guest(&gui);
    assert_eq!(guest.hello["rights"], "player");
    host.play("e5");
    guest.event("move-played");
    guest.play("b2");
    host.event_with("move-played", "side", "p2");
    guest.table(json!({"command": "undo"}));
    let proposed = host.event("proposed");
    assert_eq!(proposed["what"]["go-to"]["node"], 1);
    host.table(json!({"command": "accept"}));
    assert_eq!(guest.event("proposal-ended")["end"], "accepted");
    assert_eq!(guest.event("went-to")["node"], 1);
    guest.play("c3");
    let played = host.event_with("move-played", "move", "c3");
    assert_eq!((&played["node"], &played["from"]), (&json!(3), &json!(1)));
}

#[test]
fn a_guest_is_called_as_his_seat_is() {
    let gui = Gui::alone("");
    let (mut host, mut guest, _) = game_with_guest(&gui);
    host.play("e5");
    guest.event("move-played");
    guest.play("b2");
    guest.table(json!({"command": "undo"}));
    assert_eq!(host.event("proposed")["name"], "Bob");
    // A name given by the guest is kept; the guest of a seat without a name has none.
    host.table(json!({"command": "decline"}));
    let table = guest.hello["tables"][0]["table"].clone();
    guest.ask(json!({"ask": "attach", "table": table, "name": "Rob"}));
    guest.table(json!({"command": "undo"}));
    assert_eq!(host.event("proposed")["name"], "Rob");
    host.begin_game("susan", "human", "remote");
    let mut other = Page::open(&link(&mut host, json!("p2")));
    attach(&mut other);
    other.table(json!({"command": "say", "text": "Hello"}));
    assert_eq!(host.event("said")["name"], "guest");
}

#[test]
fn a_guest_comes_in_by_the_second_address_alone() {
    let gui = Gui::alone("--listen 127.0.0.1:0");
    let (_host, mut guest, link) = game_with_guest(&gui);
    lacks(&link, gui.address());
    assert_eq!(guest.hello["rights"], "player");
    guest.table(json!({"command": "say", "text": "Hello"}));
}

#[test]
fn a_link_leads_here_also_if_every_address_is_listened_to() {
    let gui = Gui::alone("--listen 0.0.0.0:0");
    let mut host = gui.page();
    host.begin_game("susan", "human name=Ann", "remote name=Bob");
    match host.try_ask(json!({"ask": "invite", "side": "p2"})) {
        Ok(done) => {
            assert_eq!(done["is_local"], false);
            let link = done["link"].as_str().expect("a link");
            lacks(&link, "0.0.0.0");
            assert_eq!(Page::open(link).hello["rights"], "player");
        }
        // The machine has no network.
        Err(why) => assert!(why.contains("expected --listen"), "{why}"),
    }
}

#[test]
fn a_guest_has_the_rights_of_his_link_alone() {
    let gui = Gui::alone("");
    let (mut host, mut guest, _) = game_with_guest(&gui);
    let mut other = gui.page();
    other.begin_game("susan", "human", "human");
    let tables = other.ask(json!({"ask": "games"}))["tables"].clone();
    let mut ids = tables
        .as_array()
        .expect("two tables")
        .iter()
        .map(|table| &table["table"]);
    let own = guest.hello["tables"][0]["table"].clone();
    let foreign = ids.find(|id| **id != own).expect("another").clone();
    for ask in [
        json!({"ask": "open", "game": "susan", "seats": [seat("cmd=/bin/true"), seat("human")]}),
        json!({"ask": "open-file", "path": "susan.jsonl"}),
        json!({"ask": "games"}),
        json!({"ask": "invite", "side": "p1"}),
        json!({"ask": "table", "command": {"command": "quit"}}),
        json!({"ask": "table", "command": {"command": "set-auto", "sides": ["p1"]}}),
        json!({"ask": "table", "command": {"command": "save", "path": "x.jsonl"}}),
        json!({"ask": "attach", "table": foreign}),
    ] {
        guest.is_refused(ask.clone());
    }
    let mut watcher = Page::open(&link(&mut host, Value::Null));
    assert_eq!(watcher.hello["rights"], "watcher");
    assert_eq!(attach(&mut watcher)["role"], "spectator");
    let play = json!({"ask": "table", "command": {"command": "play", "code": "e5"}});
    watcher.is_refused(play);
}

#[test]
fn a_page_that_is_loaded_again_is_in_the_same_seat_and_game() {
    let gui = Gui::alone("");
    let (mut host, mut guest, link) = game_with_guest(&gui);
    host.play("e5");
    guest.event("move-played");
    drop(guest);
    let mut guest = Page::open(&link);
    let snapshot = attach(&mut guest);
    assert_eq!(snapshot["role"], json!({"player": ["p2"]}));
    assert_eq!(snapshot["tree"]["here"], 1);
    guest.play("b2");
    drop(host);
    let mut host = gui.page();
    assert_eq!(attach(&mut host)["tree"]["here"], 2);
    assert_eq!(host.event("view")["node"], 2);
    host.play("c3");
    guest.event_with("move-played", "move", "c3");
}

/// A guest's page has gone, and the table knows it.
fn leave(host: &mut Page, guest: Page) {
    drop(guest);
    host.event("left");
}

fn role(page: &mut Page) -> Value {
    attach(page)["role"].clone()
}

#[test]
fn a_link_leads_to_its_seat_after_the_seat_was_changed() {
    let gui = Gui::alone("");
    let (mut host, guest, link) = game_with_guest(&gui);
    leave(&mut host, guest);
    host.ask(json!({"ask": "seat", "side": "p2", "seat": seat("remote name=Rob")}));
    let mut guest = Page::open(&link);
    assert_eq!(role(&mut guest), json!({"player": ["p2"]}));
    // The seat goes to another guest, who leaves it.
    leave(&mut host, guest);
    host.ask(json!({"ask": "seat", "side": "p2", "seat": seat("human")}));
    host.ask(json!({"ask": "seat", "side": "p2", "seat": seat("remote")}));
    let mut guest = Page::open(&link);
    assert_eq!(role(&mut guest), json!({"player": ["p2"]}));
    host.play("e5");
    guest.event("move-played");
    guest.play("b2");
}

#[test]
fn after_a_rematch_each_link_leads_to_the_seat_of_its_guest() {
    let gui = Gui::alone("");
    let mut host = gui.page();
    host.begin_game("susan", "remote", "remote");
    let links = ["p1", "p2"].map(|side| link(&mut host, json!(side)));
    let mut guests = links.clone().map(|link| Page::open(&link));
    guests.iter_mut().for_each(|guest| drop(attach(guest)));
    host.table(json!({"command": "rematch"}));
    let exchanged = [json!({"player": ["p2"]}), json!({"player": ["p1"]})];
    for (guest, role) in guests.iter_mut().zip(&exchanged) {
        guest.wait(|event| event["event"] == "snapshot" && event["role"] == *role);
    }
    guests.into_iter().for_each(|guest| leave(&mut host, guest));
    let mut guests = links.clone().map(|link| Page::open(&link));
    for (guest, expected) in guests.iter_mut().zip(&exchanged) {
        assert_eq!(role(guest), *expected);
    }
    let swapped = ["p2", "p1"].map(|side| link(&mut host, json!(side)));
    assert_eq!(swapped, links);
}

fn status(link: &str) -> Option<u16> {
    let (address, token) = link.split_once("/?token=").expect("a link");
    Page::connect(address.trim_start_matches("http://"), token, &[]).err()
}

#[test]
fn a_removed_guest_comes_back_by_a_new_link_alone() {
    let gui = Gui::alone("");
    let (mut host, mut guest, old) = game_with_guest(&gui);
    let joined = host.event("joined");
    host.table(json!({"command": "kick", "client": joined["client"]}));
    assert_eq!(guest.event("removed")["may_return"], false);
    assert_eq!(status(&old), Some(403));
    let table = guest.hello["tables"][0]["table"].clone();
    has(
        &guest.is_refused(json!({"ask": "attach", "table": table})),
        "Ask your friend for a new one",
    );
    let mut guest = Page::open(&link(&mut host, json!("p2")));
    assert_eq!(role(&mut guest), json!({"player": ["p2"]}));
}

#[test]
fn a_link_is_replaced_and_its_guests_leave() {
    let gui = Gui::alone("");
    let (mut host, mut guest, old) = game_with_guest(&gui);
    let old_watch = link(&mut host, Value::Null);
    let mut watcher = Page::open(&old_watch);
    attach(&mut watcher);
    let mut renew = |side: Value| {
        let done = host.ask(json!({"ask": "invite", "side": side, "renew": true}));
        done["link"].as_str().expect("a link").to_owned()
    };
    let new = renew(json!("p2"));
    assert_eq!(guest.event("removed")["may_return"], false);
    assert_eq!((status(&old), status(&old_watch)), (Some(403), None));
    let mut guest = Page::open(&new);
    assert_eq!(role(&mut guest), json!({"player": ["p2"]}));
    let new_watch = renew(Value::Null);
    assert_eq!(watcher.event("removed")["may_return"], false);
    assert_eq!((status(&old_watch), status(&new_watch)), (Some(403), None));
    // A player stays.
    host.play("e5");
    guest.event("move-played");
    has(
        &guest.is_refused(json!({"ask": "invite", "side": "p2", "renew": true})),
        "Only the host",
    );
}

/// A port that was free just now.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("a port").port()
}

#[test]
fn a_link_outlives_a_restart_of_the_server_and_opens_its_game_again() {
    let folder = Folder::new("guests-restart");
    let port = free_port();
    let words = format!("--port {port}");
    let gui = Gui::start(&folder, &words);
    let (mut host, mut guest, to_seat) = game_with_guest(&gui);
    let to_watch = link(&mut host, Value::Null);
    let old = link(&mut host, json!("p1"));
    host.ask(json!({"ask": "invite", "side": "p1", "renew": true}));
    host.play("e5");
    guest.event("move-played");
    guest.play("b2");
    host.event_with("move-played", "side", "p2");
    let table = host.first_table();
    let ledger = host.attach(&table)["ledger"].clone();
    let kept = folder.path(&format!("state/linesman/guests-{port}.json"));
    let mode = fs::metadata(kept).expect("it is kept").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    gui.kill();

    let gui = Gui::start(&folder, &words);
    // As long as the game cannot be opened, the answer says that it is tried again.
    let file = File::open(folder.path(ledger.as_str().expect("a ledger"))).expect("a ledger");
    file.lock().expect("nobody else writes");
    assert_eq!((status(&to_seat), status(&old)), (Some(503), Some(403)));
    let path = to_seat.strip_prefix(&format!("http://{}", gui.address()));
    let host_line = format!("Host: {}\r\n", gui.address());
    let (head, body) = http(gui.address(), path.expect("a link"), &host_line);
    has(&head.to_lowercase(), "refresh: 5");
    has(&body, "tries again");
    lacks(&body, "jsonl");
    drop(file);
    let mut guest = Page::open(&to_seat);
    let snapshot = attach(&mut guest);
    assert_eq!(snapshot["role"], json!({"player": ["p2"]}));
    assert_eq!(snapshot["tree"]["here"], 2);
    // The host's page comes back to the same table by its address, and has the same link.
    let mut host = gui.page();
    assert_eq!(host.attach(&table)["tree"]["here"], 2);
    assert_eq!(link(&mut host, json!("p2")), to_seat);
    host.play("c3");
    guest.event_with("move-played", "move", "c3");
    guest.play("d4");
    host.event_with("move-played", "move", "d4");
    assert_eq!(role(&mut Page::open(&to_watch)), "spectator");
    // After a rematch, the link leads to the other side, also after a restart.
    host.table(json!({"command": "resign"}));
    host.table(json!({"command": "rematch"}));
    guest.wait(|event| event["role"] == json!({"player": ["p1"]}));
    guest.ask(json!({"ask": "look"}));
    gui.kill();
    let gui = Gui::start(&folder, &words);
    assert_eq!(role(&mut Page::open(&to_seat)), json!({"player": ["p1"]}));
    gui.terminate();
}

/// A search reads all ledgers, and anyone who has the link may try again and again.
#[test]
fn a_game_that_is_gone_is_not_searched_for_at_each_try() {
    let settings = Settings {
        links: vec![GuestLink {
            token: "guest".to_owned(),
            table: "gone".to_owned(),
            side: None,
        }],
        ..Settings::default()
    };
    let host = Arc::<BareHost>::default();
    let server = Server::start(settings, Arc::clone(&host) as _).expect("a free port");
    let link = server.link();
    let (origin, _) = link.split_once("/?").expect("a token");
    for _ in 0..3 {
        assert_eq!(status(&format!("{origin}/?token=guest")), Some(403));
    }
    assert_eq!(host.n_searches.load(Ordering::Relaxed), 1);
    server.stop();
}

/// The host gave the seat to an engine after the link was sent.
#[test]
fn a_page_whose_table_does_not_admit_it_is_told_so() {
    let gui = Gui::alone("");
    let mut host = gui.page();
    host.begin_game("susan", "human name=Ann", "remote name=Bob");
    let link = link(&mut host, json!("p2"));
    host.ask(json!({"ask": "seat", "side": "p2", "seat": seat("builtin")}));
    let mut guest = Page::open(&link);
    let table = guest.hello["tables"][0]["table"].clone();
    has(
        &guest.is_refused(json!({"ask": "attach", "table": table})),
        "This seat is taken",
    );
    // Nor is a place at another table lost without an answer.
    let play = json!({"ask": "table", "command": {"command": "play", "code": "e5"}});
    has(&guest.is_refused(play), "table");
}

#[test]
fn the_newest_page_of_a_link_has_its_seat_and_the_table_goes_on() {
    let gui = Gui::alone("");
    let (mut host, mut first, link) = game_with_guest(&gui);
    let mut second = Page::open(&link);
    attach(&mut second);
    assert_eq!(first.event("removed")["may_return"], true);
    host.play("e5");
    second.event("move-played");
    second.play("b2");
    first.is_refused(json!({"ask": "table", "command": {"command": "undo"}}));
    // The older page takes the seat back.
    assert_eq!(attach(&mut first)["role"], json!({"player": ["p2"]}));
    assert_eq!(second.event("removed")["may_return"], true);
    host.event_with("move-played", "side", "p2");
    host.play("c3");
    first.event_with("move-played", "move", "c3");
    first.play("d4");
    host.event_with("move-played", "move", "d4");
}

/// A phone that sleeps closes no connection.
#[test]
fn a_guest_whose_connection_is_cut_comes_back_by_the_link() {
    let gui = Gui::alone("");
    let mut host = gui.page();
    host.begin_game("susan", "human name=Ann", "remote name=Bob");
    let link = link(&mut host, json!("p2"));
    let token = link.rsplit('=').next().expect("a token");
    let proxy = Proxy::start(gui.address());
    let headers = [("Host", gui.address())];
    let mut guest = Page::connect(&proxy.address, token, &headers).expect("the server takes it");
    attach(&mut guest);
    host.play("e5");
    guest.event("move-played");
    proxy.is_cut.store(true, Ordering::Release);
    let mut again = Page::open(&link);
    assert_eq!(attach(&mut again)["tree"]["here"], 1);
    again.play("b2");
    host.event_with("move-played", "side", "p2");
    host.play("c3");
    again.event_with("move-played", "move", "c3");
}

/// Passes one connection on until it is cut; then nothing passes, and both ends stay open.
struct Proxy {
    address: String,
    is_cut: Arc<AtomicBool>,
}

impl Proxy {
    fn start(to: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("a port").to_string();
        let (to, is_cut) = (to.to_owned(), Arc::new(AtomicBool::new(false)));
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            let (near, _) = listener.accept().expect("the page connects");
            let far = TcpStream::connect(to).expect("the server listens");
            let copies = [&far, &near].map(|end| end.try_clone().expect("a socket"));
            for (mut from, mut to) in [near, far].into_iter().zip(copies) {
                let cut = Arc::clone(&cut);
                thread::spawn(move || {
                    let mut buffer = [0; 4096];
                    while let Ok(n_read @ 1..) = from.read(&mut buffer) {
                        if !cut.load(Ordering::Acquire) {
                            to.write_all(&buffer[..n_read]).expect("it reads");
                        }
                    }
                });
            }
        });
        Proxy { address, is_cut }
    }
}

#[test]
fn what_is_looked_at_is_each_page_s_own() {
    let gui = Gui::alone("");
    let mut page = gui.page();
    page.begin_game("susan", "human", "human");
    for code in ["e5", "b2"] {
        page.play(code);
    }
    page.forget();
    page.ask(json!({"ask": "look", "node": 1, "line": ["c3"], "flipped": true}));
    // A view of the earlier position may still arrive.
    let view = page.event_with("view", "node", 1);
    assert_eq!(view["line"], json!(["c3"]));
    assert_eq!(view["last"], "c3");
    assert_eq!((&view["ply"], &view["follows"]), (&json!(2), &json!(false)));
    assert_eq!(view["flipped"], true);
    assert_eq!(view["diagram"]["gestures"], json!([]));
    page.play("c3");
    let late = page.ask(json!({"ask": "read", "code": "d4"}));
    assert_eq!(late["code"], "d4");
    page.is_refused(json!({"ask": "read", "code": "z9"}));
    for ask in [
        json!({"ask": "look", "node": 99}),
        json!({"ask": "look", "node": 1, "line": ["e5"]}),
    ] {
        page.is_refused(ask.clone());
    }
    page.ask(json!({"ask": "look"}));
    let view = page.event_with("view", "node", 3);
    assert_eq!(view["follows"], true);
    let fen = page.ask(json!({"ask": "export", "what": "fen"}));
    assert_eq!(fen["text"], view["fen"]);
    let svg = page.ask(json!({"ask": "export", "what": "svg"}));
    assert!(
        svg["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("<svg"))
    );
}

/// Connections without a token take the descriptors of nobody else: neither of a page nor of a table.
#[test]
fn silent_connections_leave_the_descriptors_of_the_tables() {
    let folder = Folder::new("gui-descriptors");
    let words = "gui --listen 127.0.0.1:0";
    let gui = Gui::of(folder.shell(&format!(
        "{CLOSE_INHERITED}; ulimit -Sn 128; exec LINESMAN {words}"
    )));
    let silent = |address: &str| -> Vec<TcpStream> {
        let connect = |_| TcpStream::connect(address).expect("the server listens");
        (0..60).map(connect).collect()
    };
    let _at_host = silent(gui.address());
    let (mut host, mut guest, link) = game_with_guest(&gui);
    let address = link.trim_start_matches("http://").split('/').next();
    let _at_guests = silent(address.expect("an address"));
    host.play("e5");
    guest.event("move-played");
    let mut engines = gui.page();
    engines.begin_game("susan", "human", "builtin st=0.02");
    engines.play("e5");
    engines.event("move-played");
    engines.event("move-played");
    let done = folder
        .shell(&format!("ulimit -Sn 50; exec LINESMAN {words}"))
        .exits(1);
    begins(&done.stderr, "error: ");
    let why = "open files are needed and 50 are allowed: first run ulimit -n ";
    has(&done.stderr, why);
}
