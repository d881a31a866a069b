//! Pages that read slowly or not at all, and the end of a match. The server runs in the test's process, and the test
//! emits the events of the match. A well-behaved page reads each event before the next one is emitted, so a server that
//! waited for a slow page would block the test.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gui::{Host, MatchSource, RecentGame, Server, Settings, Wish};
use record::clock::Limit;
use record::event::Event;
use record::ledger::parse_ledger;
use record::registry::Registry;
use record::stats::Summary;
use referee::broadcast::Broadcast;
use serde_json::{Value, json};
use table::{LevelChoice, PausedTable, SeatPlayer, SeatSpec, TableSetup};

use super::page::Page;
use crate::support::{Folder, has, wait_until};

/// A timeout that no test waits for.
const LONG: Duration = Duration::from_secs(3600);

/// Size of the text that makes an event large.
const PADDING: usize = 10_000;

/// More events than fit: a page's queue has room for 1,024, and the socket buffers for a few megabytes.
const MANY: usize = 2000;

/// A host that opens no table.
#[derive(Default)]
pub(super) struct BareHost {
    /// Number of searches for a ledger.
    pub(super) n_searches: AtomicUsize,
}

impl Host for BareHost {
    fn registry(&self) -> Registry {
        linesman::GAMES
    }

    fn set_up(&self, _: &Wish) -> Result<TableSetup, String> {
        Err("no table".to_owned())
    }

    fn player(&self, _: SeatSpec, _: Limit, _: Option<LevelChoice>) -> Result<SeatPlayer, String> {
        Err("no player".to_owned())
    }

    fn resume(&self, _: &Path, _: bool) -> Result<PausedTable, String> {
        Err("no table".to_owned())
    }

    fn recent(&self) -> Vec<RecentGame> {
        Vec::new()
    }

    fn ledger(&self, _: &str) -> Option<PathBuf> {
        self.n_searches.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// A match whose events come from the test, and the server that shows it.
struct Shown {
    events: Broadcast,
    server: Server,
    n_told: usize,
    _folder: Folder,
}

impl Shown {
    fn start(send_timeout: Duration) -> Shown {
        let folder = Folder::new("shown");
        folder.copy_data("old-match.jsonl");
        let ledger: PathBuf = folder.path("old-match.jsonl");
        let events = Broadcast::new(true);
        let source = MatchSource {
            events: events.clone(),
            ledger: ledger.clone(),
        };
        let settings = Settings {
            source: Some(source),
            send_timeout,
            ..Settings::default()
        };
        let server = Server::start(settings, Arc::<BareHost>::default()).expect("a free port");
        let plan = parse_ledger(&std::fs::read(ledger).expect("a file"))
            .expect("a ledger")
            .plan;
        let standing = Summary::of(&plan).standing(4);
        let plan = Box::new(plan);
        events.tell(Event::MatchStarted { plan, standing });
        Shown {
            events,
            server,
            n_told: 0,
            _folder: folder,
        }
    }

    /// A page that follows the match.
    fn page(&self) -> Page {
        let mut page = Page::open(&self.server.link());
        page.event("match-snapshot");
        page
    }

    /// Emits a large event; the well-behaved page must receive it at once.
    fn tell(&mut self, good: &mut Page) {
        self.n_told += 1;
        let number = self.n_told.to_string();
        let text = format!("{number} {}", "x".repeat(PADDING));
        let engine = number.clone();
        self.events.tell(Event::Note { engine, text });
        assert_eq!(good.event("note")["engine"], number.as_str());
    }

    /// The match is over; the server waits for its pages, but not longer than this.
    fn ends(self, wait: Duration) -> JoinHandle<()> {
        self.events.close();
        thread::spawn(move || self.server.end_match("It is over.".to_owned(), wait))
    }
}

#[test]
fn a_page_that_stops_reading_is_closed_and_holds_up_nobody() {
    let mut shown = Shown::start(Duration::from_millis(200));
    let (mut deaf, mut good) = (shown.page(), shown.page());
    while !deaf.is_cut_off() {
        assert!(shown.n_told < 50 * MANY, "it is not closed");
        shown.tell(&mut good);
    }
    // New pages may connect, and so may the one that was closed.
    let mut again = shown.page();
    shown.tell(&mut again);
    assert_eq!(good.event("note")["engine"], shown.n_told.to_string());
}

#[test]
fn a_page_that_reads_again_is_told_what_it_lost_and_how_the_match_stands() {
    let mut shown = Shown::start(LONG);
    let (mut slow, mut good) = (shown.page(), shown.page());
    for _ in 0..MANY {
        shown.tell(&mut good);
    }
    // After each event the snapshot may arrive, as soon as there is room.
    let mut n_heard = 0;
    let lagged = loop {
        let event = slow.next().expect("it is not closed");
        match event["event"].as_str() {
            Some("lagged") => break event,
            Some("note") => n_heard += 1,
            _ => {}
        }
        shown.tell(&mut good);
    };
    let next = slow.next().expect("it is not closed");
    assert_eq!(next["event"], "match-snapshot");
    // Events emitted after the snapshot are received again; every event before it is counted as dropped.
    let mut n_dropped = dropped(&lagged);
    let after = loop {
        shown.tell(&mut good);
        let event = slow.next().expect("it is not closed");
        match event["event"].as_str() {
            Some("lagged") => n_dropped += dropped(&event),
            Some("note") => break event["engine"].clone(),
            _ => {}
        }
    };
    assert_eq!(after, (n_heard + n_dropped + 1).to_string());
}

fn dropped(lagged: &Value) -> u64 {
    lagged["dropped"].as_u64().expect("a number")
}

#[test]
fn the_end_of_a_match_reaches_every_page_before_the_server_ends() {
    let mut shown = Shown::start(LONG);
    let (mut page, mut late) = (shown.page(), shown.page());
    shown.tell(&mut page);
    let end = shown.ends(LONG);
    for page in [&mut page, &mut late] {
        let told = page.rest();
        assert_eq!(
            told.last(),
            Some(&json!({"event": "match-over", "text": "It is over."}))
        );
        let mut reports = told.iter().filter(|event| event["event"] == "report");
        let newest = reports.next_back().expect("a report");
        has(&newest["html"], "data-game=\"4\"");
    }
    // The server waited for these two pages only.
    end.join().expect("the server ends");
}

#[test]
fn a_page_that_has_lost_events_at_the_very_end_is_told_the_last_state() {
    let mut shown = Shown::start(LONG);
    let (mut slow, mut good) = (shown.page(), shown.page());
    for _ in 0..MANY {
        shown.tell(&mut good);
    }
    let end = shown.ends(LONG);
    let names = |page: &mut Page| -> Vec<String> {
        let told = page.rest().into_iter();
        told.filter_map(|event| event["event"].as_str().map(str::to_owned))
            .filter(|name| name != "note" && name != "report")
            .collect()
    };
    assert_eq!(names(&mut slow), ["lagged", "match-snapshot", "match-over"]);
    assert_eq!(names(&mut good), ["match-over"]);
    end.join().expect("the server ends");
}

#[test]
fn a_page_that_reads_nothing_at_the_end_is_waited_for_in_vain_but_not_for_long() {
    let mut shown = Shown::start(LONG);
    let (_deaf, mut good) = (shown.page(), shown.page());
    for _ in 0..MANY {
        shown.tell(&mut good);
    }
    let end = shown.ends(Duration::from_millis(100));
    wait_until("the server ends", || end.is_finished());
}

#[test]
fn idle_connections_make_way_for_a_page() {
    let settings = Settings {
        // None of them is closed by time.
        header_timeout: Duration::from_secs(86_400),
        ..Settings::default()
    };
    let server = Server::start(settings, Arc::<BareHost>::default()).expect("a free port");
    let link = server.link();
    let address = link.split('/').nth(2).expect("a link");
    let connect = |_| TcpStream::connect(address).expect("the server listens");
    let mut idle: Vec<_> = (0..300).map(connect).collect();
    let mut page = Page::open(&link);
    // The oldest one is closed, and an open page is not.
    assert_eq!(idle[0].read(&mut [0]).expect("it is closed"), 0);
    idle.extend((0..200).map(connect));
    assert_eq!(idle[300].read(&mut [0]).expect("it is closed"), 0);
    page.ask(json!({"ask": "games"}));
    server.stop();
}

/// The size of a request's head is limited.
#[test]
fn a_request_with_a_huge_head_is_rejected() {
    let server =
        Server::start(Settings::default(), Arc::<BareHost>::default()).expect("a free port");
    let link = server.link();
    let address = link.split('/').nth(2).expect("a link");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {address}\r\nX: {}",
        "x".repeat(20_000)
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("it answers");
    assert_eq!(status, *b"HTTP/1.1 431");
    server.stop();
}
