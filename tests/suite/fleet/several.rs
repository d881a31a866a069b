//! Several matches on one server: their priorities, and the page that shows them.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::faults::until;
use super::server::Server;
use super::signals::{kill, terminate};
use super::{SMALL, announced, assert_each_game_once, ended, succeeded, worker};
use crate::support::Folder;

#[test]
fn workers_change_to_the_match_with_the_highest_priority_and_a_page_shows_all() {
    let Some(server) = Server::start("fleet-several") else {
        return;
    };
    let folder = Folder::new("fleet-several");
    // About half a minute.
    let low = announced(
        &folder,
        &server,
        "susan:Size=3 --each st=0.1 --games 40 --share 2 --ledger low.jsonl",
    );
    let player = worker(&folder, &server, "--concurrency 1");
    until(&folder, &server, |status| {
        status["matches"][0]["workers"][0]["pairs"].as_u64() >= Some(1)
    });
    let high = SMALL.replace("name=A", "name=<b>A</b>");
    let high = announced(
        &folder,
        &server,
        &format!("{high} --games 10 --priority 5 --ledger high.jsonl"),
    );
    let page = folder.linesman(&format!("fleet web {} --listen 127.0.0.1:0", server.url()));
    let line = page.line().unwrap_or_default();
    let address = line
        .strip_prefix("http://")
        .unwrap_or_default()
        .trim_end_matches('/');
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("it reads");
    let mut html = String::new();
    stream.read_to_string(&mut html).expect("a page");
    for part in [
        "susan:Size=3",
        "&lt;b&gt;A&lt;/b&gt; vs B",
        "priority 5, share 1",
        "priority 0, share 2",
        "of 40 games",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    terminate(&page);
    succeeded(high);
    assert_each_game_once(&folder, "high.jsonl", 10);
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
