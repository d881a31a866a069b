//! Several matches on one server: their priorities, and the page that shows them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::faults::until;
use super::server::Server;
use super::signals::{kill, terminate};
use super::{SLEEPY, announced, assert_each_game_once, ended, sleepy_worker, succeeded};
use crate::support::Folder;

#[test]
fn workers_change_to_the_match_with_the_highest_priority_and_a_page_shows_all() {
    let Some(server) = Server::start("fleet-several") else {
        return;
    };
    let folder = Folder::new("fleet-several");
    // More games than are played here.
    let low = announced(
        &folder,
        &server,
        &format!("{SLEEPY} --games 40 --share 2 --ledger low.jsonl"),
    );
    let player = sleepy_worker(&folder, &server, "--concurrency 1");
    until(&folder, &server, |status| {
        status["matches"][0]["workers"][0]["pairs"].as_u64() >= Some(1)
    });
    let high = SLEEPY.replace("name=A", "name=<b>A</b>");
    let high = announced(
        &folder,
        &server,
        &format!("{high} --games 2 --priority 5 --ledger high.jsonl"),
    );
    let page = folder.linesman(&format!("fleet web {} --listen 127.0.0.1:0", server.url()));
    let line = page.line().unwrap_or_default();
    let address = line
        .strip_prefix("http://")
        .unwrap_or_default()
        .trim_end_matches('/');
    let parts = [
        "susan",
        "&lt;b&gt;A&lt;/b&gt; vs B",
        "priority 5, share 1",
        "priority 0, share 2",
        "of 40 games",
    ];
    // A busy coordinator may answer too late for one view of the page, which lasts two seconds.
    let mut html = get(address);
    for _ in 0..40 {
        if parts.iter().all(|part| html.contains(part)) {
            break;
        }
        thread::sleep(Duration::from_millis(200));
        html = get(address);
    }
    for part in parts {
        assert!(html.contains(part), "{part}: {html}");
    }
    terminate(&page);
    succeeded(high);
    assert_each_game_once(&folder, "high.jsonl", 2);
    let (_, games) = folder.ledger("low.jsonl");
    assert!((2..40).contains(&games.len()), "{}", games.len());
    // The worker returns to the first match.
    let before = games.len() as u64;
    until(&folder, &server, |status| {
        status["matches"][0]["coordinator"]["games"].as_u64() > Some(before)
    });
    kill(&low);
    drop(low);
    ended(player);
}

/// The page at an address.
fn get(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("it reads");
    let mut html = String::new();
    stream.read_to_string(&mut html).expect("a page");
    html
}
