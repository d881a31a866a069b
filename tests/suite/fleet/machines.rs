//! Differences between machines: cores, speed, file descriptors; and servers with a small message limit or without an
//! answer.

use std::net::TcpListener;

use serde_json::Value;

use super::engines::{SENT, make_engine};
use super::hostile::match_id;
use super::server::Server;
use super::{SMALL, announced, assert_each_game_once, ended, refused, succeeded, worker};
use crate::support::{Folder, has};

#[test]
fn times_are_scaled_and_threads_are_never_above_the_cores() {
    let server = or_skip!(Server::start("fleet-scale"));
    let folder = Folder::new("fleet-scale");
    let words =
        "susan:Size=3 --engine builtin name=A --engine builtin name=B --games 4 --each st=0.05";
    // As if the match were calibrated for a machine a million times faster.
    let far = announced(
        &folder,
        &server,
        &format!("{words} --scale-time 1000000000000 --ledger far.jsonl"),
    );
    let error = refused(worker(&folder, &server, "--idle-s 1"));
    has(&error, "time would be multiplied by ");
    has(&error, "not between 0.01 and 100");
    drop(far);
    let id = match_id(&folder, "far.jsonl");
    succeeded(folder.linesman(&format!("fleet remove {} {id}", server.url())));
    let run = announced(&folder, &server, &format!("{words} --ledger l.jsonl"));
    let player = worker(&folder, &server, "--concurrency 100000");
    // Match ID of HOST: susan:Size=3, 2 games at once, times multiplied by 1.07
    let line = player.line().unwrap_or_default();
    let parts: Vec<&str> = line.rsplit(", ").collect();
    let [scale, n_games, ..] = parts[..] else {
        panic!("{line}");
    };
    let number = |text: &str| text.split(' ').find_map(|word| word.parse::<f64>().ok());
    let n_games = number(n_games).expect("a number");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(n_games <= cores as f64, "{line}");
    let scale = number(scale).expect("a factor");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 4);
    let (_, games) = folder.ledger("l.jsonl");
    for game in &games {
        let recorded = game["machine"]["scale"].as_f64().expect("a factor");
        assert!((recorded - scale).abs() < 0.01, "{game} {line}");
    }
    ended(player);
}

/// A pair is larger than this server's message limit. So is an engine.
#[test]
fn what_is_longer_than_a_message_goes_in_parts() {
    let config = "max_payload: 4096\n".to_owned();
    let server = or_skip!(Server::start_with("fleet-payload", |_| config));
    let folder = Folder::new("fleet-payload");
    make_engine(&folder);
    let mut rng = fastrand::Rng::with_seed(20);
    let noise: Vec<u8> = (0..50_000).map(|_| rng.u8(..)).collect();
    std::fs::write(folder.path("engine/noise"), noise).expect("a file");
    let run = announced(&folder, &server, &format!("{SENT} --games 4"));
    let player = worker(&folder, &server, "--accept-engines");
    succeeded(run);
    assert_each_game_once(&folder, "l.jsonl", 4);
    let long = "graph-hockey --engine builtin --engine builtin --each nodes=5 --games 2 --seed 7 --ledger long.jsonl";
    succeeded(announced(&folder, &server, long));
    assert_each_game_once(&folder, "long.jsonl", 2);
    let n_bytes: usize = folder
        .read("long.jsonl")
        .lines()
        .skip(1)
        .map(str::len)
        .sum();
    assert!(n_bytes > 4096, "{n_bytes}");
    ended(player);
}

/// Engines need file descriptors: a worker with too few rejects the match, which continues elsewhere.
#[test]
fn a_worker_that_lacks_descriptors_says_so() {
    let server = or_skip!(Server::start("fleet-few"));
    let folder = Folder::new("fleet-few");
    let run = announced(
        &folder,
        &server,
        &format!("{SMALL} --games 4 --ledger l.jsonl"),
    );
    let few = format!(
        "ulimit -n 20; exec LINESMAN fleet worker {} --idle-s 1",
        server.url()
    );
    let done = folder.shell(&few).exits(1);
    let error = done.stderr.lines().last().unwrap_or_default();
    assert!(
        error.contains("descriptors") || error.contains("open files"),
        "{error}"
    );
    let player = worker(&folder, &server, "");
    succeeded(run);
    let (_, games) = folder.ledger("l.jsonl");
    assert!(
        games
            .iter()
            .all(|game: &Value| game["termination"] == "normal"),
        "{games:?}"
    );
    ended(player);
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = silent.local_addr().expect("it has one");
    let folder = Folder::new("fleet-silent");
    let error = refused(folder.linesman(&format!("fleet worker nats://{address}")));
    assert!(
        error.contains("no answer in 5 s") || error.contains("timed out"),
        "{error}"
    );
}
