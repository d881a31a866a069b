//! Workers that send games that were not played, and what the user can do about them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::client::Client;
use super::faults::until;
use super::hostile::match_id;
use super::server::Server;
use super::{
    SMALL, announced, assert_each_game_once, assert_same_games, ended, refused, succeeded, worker,
};
use crate::support::Folder;

/// Returns the pair at this place of the queue, which must be there.
fn order(client: &mut Client, id: &str, sequence: u64) -> Value {
    let subject = format!("$JS.API.STREAM.MSG.GET.LINESMAN_WORK_{id}");
    loop {
        let answer = client.request(&subject, format!("{{\"seq\":{sequence}}}").as_bytes());
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        if let Some(data) = answer["message"]["data"].as_str() {
            let data = BASE64
                .decode(data.as_bytes())
                .expect("the server encodes it");
            return serde_json::from_slice(&data).expect("an order");
        }
        // The coordinator has not stored it yet.
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn machine() -> Value {
    json!({"name": "elsewhere", "worker": "forger", "cpu": "", "scale": 1.0, "load": 0.0})
}

/// Sets a flag when it is dropped, also by a failed assertion, so that the thread that polls the flag ends.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reports workers with these names and pairs in play, until the match is over.
fn report(server: &Server, id: &str, names: &[&str], playing: &Value, is_over: &AtomicBool) {
    let mut client = Client::connect(server);
    while !is_over.load(Ordering::Relaxed) {
        for name in names {
            let state = json!({"worker": name, "machine": name, "cpu": "", "cores": 1, "version": "", "concurrency": 1,
                               "match_id": id, "scale": 1.0, "load": 0.0, "pairs": 0, "playing": playing});
            let subject = format!("linesman.worker.{name}");
            client.publish(&subject, state.to_string().as_bytes());
        }
        client.flush();
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// A client takes pairs, and sends games that A lost on time, without a clock and without a move. The match has the
/// result that it has without the client.
#[test]
fn forged_endings_are_rejected_and_their_worker_is_named() {
    let Some(server) = Server::start("fleet-forged") else {
        return;
    };
    let folder = Folder::new("fleet-forged");
    succeeded(folder.linesman(&format!("match {SMALL} --games 40 --pgn alone.pgn --quiet")));
    let words = format!("{SMALL} --games 40 --pgn fleet.pgn --ledger fleet.jsonl");
    let run = announced(&folder, &server, &words);
    let id = match_id(&folder, "fleet.jsonl");
    let mut client = Client::connect(&server);
    for sequence in 1..=8 {
        let order = order(&mut client, &id, sequence);
        let slots = order["games"].as_array().expect("games");
        let games: Vec<Value> = slots
            .iter()
            .map(|slot| {
                let name = |side: &str| ["A", "B"][slot[side].as_u64().expect("an index") as usize];
                let result = if name("p1") == "A" { "0-1" } else { "1-0" };
                json!({"game": slot["game"], "pair": slot["pair"], "p1": name("p1"), "p2": name("p2"),
                       "opening": order["opening"], "moves": [], "plies": [], "result": result,
                       "termination": "time forfeit", "reason": "A loses on time", "date": "", "machine": machine()})
            })
            .collect();
        let result = json!({"played": {"pair": order["pair"], "attempt": 1, "games": games}});
        client.publish(
            &format!("linesman.result.{id}"),
            result.to_string().as_bytes(),
        );
    }
    client.flush();
    let players = [(); 2].map(|()| worker(&folder, &server, ""));
    let done = succeeded(run);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    assert_each_game_once(&folder, "fleet.jsonl", 40);
    let begin = "Note: fleet worker forger is set aside: 3 of its results were rejected";
    assert_eq!(done.lines(begin).len(), 1, "{:?}", done.stdout);
    players.into_iter().for_each(|player| drop(ended(player)));
}

/// A client sends legal games that its engines did not play: those of weaker engines. The first pair is recorded, since
/// no second worker was there; the second one is verified. Both are then played again.
#[test]
fn a_worker_whose_games_differ_is_found_by_a_sample_and_its_games_are_played_again() {
    let Some(server) = Server::start("fleet-verify") else {
        return;
    };
    let folder = Folder::new("fleet-verify");
    let weak = SMALL.replace("nodes=30", "nodes=1");
    succeeded(folder.linesman(&format!("match {SMALL} --games 20 --pgn alone.pgn --quiet")));
    succeeded(folder.linesman(&format!(
        "match {weak} --games 20 --ledger weak.jsonl --quiet"
    )));
    let (_, games) = folder.ledger("weak.jsonl");
    let words = format!("{SMALL} --games 20 --verify 100% --pgn fleet.pgn --ledger fleet.jsonl");
    let run = announced(&folder, &server, &words);
    let id = match_id(&folder, "fleet.jsonl");
    let mut client = Client::connect(&server);
    let mut send = |pair: u64| {
        order(&mut client, &id, pair);
        let games = games.iter().filter(|game| game["pair"] == pair);
        let games: Vec<Value> = games
            .map(|game| {
                let mut game = game.clone();
                game["machine"] = machine();
                game.as_object_mut().expect("a game").remove("crc32");
                game
            })
            .collect();
        assert_eq!(games.len(), 2);
        let result = json!({"played": {"pair": pair, "attempt": 1, "games": games}});
        client.publish(
            &format!("linesman.result.{id}"),
            result.to_string().as_bytes(),
        );
        client.flush();
    };
    send(1);
    until(&folder, &server, |status| {
        status["matches"][0]["coordinator"]["games"] == 2
    });
    let is_over = AtomicBool::new(false);
    let done = std::thread::scope(|scope| {
        // Two workers that play nothing are present all the time.
        let over = SetOnDrop(&is_over);
        scope.spawn(|| report(&server, &id, &["ghost1", "ghost2"], &json!([]), &is_over));
        until(&folder, &server, |status| {
            let workers = status["matches"][0]["workers"].as_array();
            workers.is_some_and(|workers| workers.len() == 2)
        });
        send(2);
        let players = [(); 2].map(|()| worker(&folder, &server, ""));
        let done = succeeded(run);
        drop(over);
        players.into_iter().for_each(|player| drop(ended(player)));
        done
    });
    let begin = "Note: fleet worker forger is set aside: its games of pair 2 are not those";
    assert_eq!(done.lines(begin).len(), 1, "{:?}", done.stdout);
    assert!(
        done.stderr.contains("2 games of forger removed from"),
        "{}",
        done.stderr
    );
    assert_each_game_once(&folder, "fleet.jsonl", 20);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
}

#[test]
fn a_banned_worker_leaves_and_the_games_of_a_purged_one_are_played_again() {
    let Some(server) = Server::start("fleet-ban") else {
        return;
    };
    let folder = Folder::new("fleet-ban");
    let fleet = |words: &str| folder.linesman(&format!("fleet {words}"));
    let none = fleet(&format!("ban {} someone", server.url())).done();
    assert_eq!(none.status, Some(1), "{:?}", none.stdout);
    assert!(
        none.stderr.contains("no match with a coordinator"),
        "{}",
        none.stderr
    );
    // With fewer games, the match could be over before a busy machine starts `purge`.
    let words = "susan:Size=3 --each st=0.05 --games 30 --ledger l.jsonl";
    let run = announced(&folder, &server, words);
    let player = worker(&folder, &server, "--idle 1 --concurrency 1");
    let played = until(&folder, &server, |status| {
        status["matches"][0]["workers"][0]["pairs"].as_u64() >= Some(1)
    });
    let name = played["matches"][0]["workers"][0]["worker"].as_str();
    let name = name.expect("a name");
    succeeded(fleet(&format!("purge {} {name}", server.url())));
    let error = refused(player);
    assert!(
        error.contains("accepts no results of this worker"),
        "{error}"
    );
    let other = worker(&folder, &server, "");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 30);
    let (_, games) = folder.ledger("l.jsonl");
    assert!(
        games.iter().all(|game| game["machine"]["worker"] != name),
        "{games:?}"
    );
    // The games of one worker can be removed from a ledger, too.
    let name = games[0]["machine"]["worker"].as_str().expect("a name");
    let purged = succeeded(fleet(&format!("purge l.jsonl {name}")));
    assert_eq!(
        purged.stdout,
        [format!("30 games of {name} removed from l.jsonl")]
    );
    let fleet = format!("--fleet {}", server.url());
    succeeded(folder.linesman(&format!("match --resume l.jsonl {fleet}")));
    assert_each_game_once(&folder, "l.jsonl", 30);
    ended(other);
}

/// Parts of results that never become complete.
#[test]
fn unfinished_results_block_no_match() {
    let Some(server) = Server::start("fleet-parts") else {
        return;
    };
    let folder = Folder::new("fleet-parts");
    let words = format!("{SMALL} --games 4 --ledger l.jsonl");
    let run = announced(&folder, &server, &words);
    let id = match_id(&folder, "l.jsonl");
    let mut client = Client::connect(&server);
    let subject = format!("linesman.result.{id}");
    for number in 0..12_000 {
        let (key, part) = (number / 4000, number % 4000 + 1);
        let headers = format!("Linesman-Part: {part}/4096\r\nLinesman-Result: {key}\r\n");
        client.publish_with(&subject, &headers, b"x");
    }
    client.flush();
    let player = worker(&folder, &server, "");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 4);
    ended(player);
}

/// A worker reports that it plays a pair, but has none.
#[test]
fn a_false_report_holds_no_match_open() {
    let Some(server) = Server::start("fleet-ghost") else {
        return;
    };
    let folder = Folder::new("fleet-ghost");
    let words = format!("{SMALL} --games 4 --ledger l.jsonl");
    let run = announced(&folder, &server, &words);
    let id = match_id(&folder, "l.jsonl");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let playing = json!([{"pair": 1, "seconds": 1.0}]);
        let (server, is_over) = (&server, &is_over);
        let over = SetOnDrop(is_over);
        scope.spawn(move || report(server, &id, &["ghost"], &playing, is_over));
        until(&folder, server, |status| {
            let workers = status["matches"][0]["workers"].as_array();
            workers.is_some_and(|workers| workers.len() == 1)
        });
        let player = worker(&folder, server, "");
        let done = run.done();
        drop(over);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        ended(player);
    });
    assert_each_game_once(&folder, "l.jsonl", 4);
}
