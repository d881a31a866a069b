//! Differences between machines: cores, speed, file descriptors; and servers with a small message limit or without an
//! answer.

use std::net::TcpListener;

use super::engines::{SENT, make_engine};
use super::{Fleet, SMALL, ended, refused};
use crate::support::{Folder, has};

#[test]
fn times_are_scaled_and_threads_are_never_above_the_cores() {
    let fleet = or_skip!(Fleet::start("fleet-scale"));
    let words =
        "susan:Size=3 --engine builtin name=A --engine builtin name=B --games 4 --each st=0.05";
    // As if the match were calibrated for a machine a million times faster.
    let far = fleet.announced(&format!(
        "{words} --scale-time 1000000000000 --ledger far.jsonl"
    ));
    let error = fleet.refuses("--idle-s 1");
    has(&error, "time would be multiplied by ");
    has(&error, "not between 0.01 and 100");
    drop(far);
    let id = fleet.match_id("far.jsonl");
    fleet
        .linesman(&format!("fleet remove {} {id}", fleet.url()))
        .exits(0);
    let run = fleet.announced(&format!("{words} --ledger l.jsonl"));
    let player = fleet.worker("--concurrency 100000");
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
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    for game in fleet.games("l.jsonl") {
        let recorded = game["machine"]["scale"].as_f64().expect("a factor");
        assert!((recorded - scale).abs() < 0.01, "{game} {line}");
    }
    ended(player);
}

/// A pair is larger than this server's message limit. So is an engine.
#[test]
fn what_is_longer_than_a_message_goes_in_parts() {
    let config = "max_payload: 4096\n".to_owned();
    let fleet = or_skip!(Fleet::start_with("fleet-payload", |_| config));
    make_engine(&fleet);
    let mut rng = fastrand::Rng::with_seed(20);
    let noise: Vec<u8> = (0..50_000).map(|_| rng.u8(..)).collect();
    fleet.write("engine/noise", noise);
    let run = fleet.announced(&format!("{SENT} --games 4"));
    let player = fleet.worker("--accept-engines");
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    let long = "graph-hockey --engine builtin --engine builtin --each nodes=5 --games 2 --seed 7 --ledger long.jsonl";
    fleet.announced(long).exits(0);
    fleet.has_each_game_once("long.jsonl", 2);
    let n_bytes: usize = fleet.read("long.jsonl").lines().skip(1).map(str::len).sum();
    assert!(n_bytes > 4096, "{n_bytes}");
    ended(player);
}

/// Engines need file descriptors: a worker with too few rejects the match, which continues elsewhere.
#[test]
fn a_worker_that_lacks_descriptors_says_so() {
    let fleet = or_skip!(Fleet::start("fleet-few"));
    let run = fleet.announced(&format!("{SMALL} --games 4 --ledger l.jsonl"));
    let few = format!(
        "ulimit -n 20; exec LINESMAN fleet worker {} --idle-s 1",
        fleet.url()
    );
    let error = refused(fleet.shell(&few));
    assert!(
        error.contains("descriptors") || error.contains("open files"),
        "{error}"
    );
    fleet.is_played(run, "l.jsonl", 4);
    let games = fleet.games("l.jsonl");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
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
