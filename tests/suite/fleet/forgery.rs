//! Workers that send games that were not played, and what the user can do about them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::client::{Client, Forger};
use super::faults::until;
use super::hostile::match_id;
use super::server::Server;
use super::{
    SLEEPY, SMALL, announced, assert_each_game_once, assert_same_games, ended, refused,
    sleepy_worker, succeeded, worker,
};
use crate::support::{Done, Folder};

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

/// The result of a pair of the queue with these games of another match, as if they were played on this machine.
fn forged(client: &mut Client, id: &str, pair: u64, games: &[Value], machine: &Value) -> Value {
    order(client, id, pair);
    let games = games.iter().filter(|game| game["pair"] == pair);
    let games: Vec<Value> = games
        .map(|game| {
            let mut game = game.clone();
            game["machine"] = machine.clone();
            game.as_object_mut().expect("a game").remove("crc32");
            game
        })
        .collect();
    assert_eq!(games.len(), 2);
    json!({"played": {"pair": pair, "attempt": 1, "games": games}})
}

/// Sends legal games of every fifth pair in which A, the stronger player, loses. With four honest workers, the verdict
/// is the one without the forger, whose games are played again.
#[test]
fn one_forger_in_five_is_found_by_its_score_and_changes_no_verdict() {
    let Some(server) = Server::start("fleet-score") else {
        return;
    };
    let folder = Folder::new("fleet-score");
    let strong = SMALL
        .replace("name=A", "name=A nodes=100")
        .replace("nodes=30", "nodes=3");
    let weak = strong
        .replace("nodes=100", "nodes=1")
        .replace("nodes=3 ", "nodes=300 ");
    succeeded(folder.linesman(&format!(
        "match {weak} --games 250 --ledger weak.jsonl --quiet"
    )));
    let (_, games) = folder.ledger("weak.jsonl");
    let sprt = "--games 400 --sprt elo0=0 elo1=40";
    let alone = succeeded(folder.linesman(&format!(
        "match {strong} {sprt} --ledger alone.jsonl --quiet"
    )));
    let run = announced(
        &folder,
        &server,
        &format!("{strong} {sprt} --ledger fleet.jsonl"),
    );
    let id = match_id(&folder, "fleet.jsonl");
    let (forger, mut client) = (Forger::new(), Client::connect(&server));
    for pair in (1..=121).step_by(5) {
        let result = forged(&mut client, &id, pair, &games, &forger.machine());
        forger.send(&mut client, &id, &result);
    }
    client.flush();
    let players = [1, 2, 3, 4].map(|number| {
        worker(
            &folder,
            &server,
            &format!("--concurrency 1 --key {number}.nk"),
        )
    });
    let done = succeeded(run);
    let note = format!(
        "Note: fleet worker {} is set aside: its results differ from those of the other workers beyond chance",
        forger.name()
    );
    assert_eq!(done.lines(&note).len(), 1, "{:?}", done.stdout);
    assert!(
        done.stderr
            .contains(&format!("50 games of {} removed", forger.name())),
        "{}",
        done.stderr
    );
    let verdict = |done: &Done| done.lines("SPRT").last().map(|line| (*line).to_owned());
    assert!(
        verdict(&alone).is_some_and(|line| line.contains("H1 accepted")),
        "{:?}",
        alone.stdout
    );
    assert_eq!(verdict(&done), verdict(&alone));
    players.into_iter().for_each(|player| drop(ended(player)));
}

/// Results that are not signed, signed by another worker, or by one that is not trusted.
#[test]
fn results_count_only_with_the_signature_of_a_trusted_worker() {
    let Some(server) = Server::start("fleet-signed") else {
        return;
    };
    let folder = Folder::new("fleet-signed");
    let trust = |words: &str| folder.linesman(&format!("fleet trust {words}"));
    let (member, stranger) = (Forger::new(), Forger::new());
    let refused_key = trust("trusted.keys SUAAA").done();
    assert_eq!(refused_key.status, Some(2), "{:?}", refused_key.stdout);
    succeeded(trust(&format!("trusted.keys {} member", member.key())));
    succeeded(folder.linesman(&format!(
        "match {SMALL} --games 10 --pgn alone.pgn --ledger alone.jsonl --quiet"
    )));
    let (_, games) = folder.ledger("alone.jsonl");
    let words =
        format!("{SMALL} --games 10 --trusted trusted.keys --pgn fleet.pgn --ledger fleet.jsonl");
    let run = announced(&folder, &server, &words);
    let id = match_id(&folder, "fleet.jsonl");
    let mut client = Client::connect(&server);
    let mut result = |machine: &Value| forged(&mut client, &id, 1, &games, machine);
    let (own, foreign) = (result(&member.machine()), result(&stranger.machine()));
    client.publish(
        &format!("linesman.result.{id}"),
        json!([own]).to_string().as_bytes(),
    );
    member.send(&mut client, &id, &foreign);
    stranger.send(&mut client, &id, &foreign);
    stranger.send(&mut client, &id, &own);
    member.send(&mut client, "00", &own);
    client.flush();
    // A worker that is not trusted waits until its key is added, which the match reads while it runs.
    let player = worker(&folder, &server, "");
    let line = player.line().unwrap_or_default();
    let (_, key) = line.split_once("expected ").expect("a key");
    let key = key.split(' ').next().expect("a key");
    assert!(
        line.contains("does not trust the key of this worker"),
        "{line}"
    );
    succeeded(trust(&format!("trusted.keys {key} here")));
    let done = succeeded(run);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    let notes = done.lines("Note: fleet rejected").join("\n");
    for part in [
        "not signed by a worker",
        &format!(
            "worker {:?} is not one with the key {}",
            stranger.name(),
            member.key()
        ),
        &format!("with the key {}, which is not trusted", stranger.key()),
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    assert_eq!(notes.matches("not trusted").count(), 1, "{notes}");
    assert!(
        !done.stdout.iter().any(|line| line.contains("set aside")),
        "{:?}",
        done.stdout
    );
    ended(player);
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
    let (forger, mut client) = (Forger::new(), Client::connect(&server));
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
                       "termination": "time forfeit", "reason": "A loses on time", "date": "", "machine": forger.machine()})
            })
            .collect();
        let result = json!({"played": {"pair": order["pair"], "attempt": 1, "games": games}});
        forger.send(&mut client, &id, &result);
    }
    client.flush();
    let players = [(); 2].map(|()| worker(&folder, &server, ""));
    let done = succeeded(run);
    assert_same_games(&folder.read("alone.pgn"), &folder.read("fleet.pgn"));
    assert_each_game_once(&folder, "fleet.jsonl", 40);
    let begin = format!(
        "Note: fleet worker {} is set aside: 3 of its results were rejected",
        forger.name()
    );
    assert_eq!(done.lines(&begin).len(), 1, "{:?}", done.stdout);
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
    let (forger, mut client) = (Forger::new(), Client::connect(&server));
    let mut send = |pair| {
        let result = forged(&mut client, &id, pair, &games, &forger.machine());
        forger.send(&mut client, &id, &result);
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
        let players = [1, 2].map(|number| worker(&folder, &server, &format!("--key {number}.nk")));
        let done = succeeded(run);
        drop(over);
        players.into_iter().for_each(|player| drop(ended(player)));
        done
    });
    let name = forger.name();
    let begin =
        format!("Note: fleet worker {name} is set aside: its games of pair 2 are not those");
    assert_eq!(done.lines(&begin).len(), 1, "{:?}", done.stdout);
    assert!(
        done.stderr
            .contains(&format!("2 games of {name} removed from")),
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
    // With faster engines, the match could be over before a busy machine starts `purge`.
    let words = format!("{SLEEPY} --games 4 --ledger l.jsonl");
    let run = announced(&folder, &server, &words);
    let player = sleepy_worker(&folder, &server, "--idle 1 --concurrency 1");
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
    // Under another name, it has the same key.
    let error = refused(sleepy_worker(&folder, &server, "--idle 1"));
    assert!(
        error.contains("accepts no results of this worker"),
        "{error}"
    );
    let other = sleepy_worker(&folder, &server, "--key other.nk");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 4);
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
        [format!("4 games of {name} removed from l.jsonl")]
    );
    let fleet = format!("--fleet {}", server.url());
    succeeded(folder.linesman(&format!("match --resume l.jsonl {fleet}")));
    assert_each_game_once(&folder, "l.jsonl", 4);
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
