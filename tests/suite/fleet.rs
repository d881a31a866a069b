//! Matches on many machines: a real nats-server, and workers as processes. Without nats-server these tests are reported
//! as skipped.

mod accounts;
mod client;
mod coordinators;
mod engines;
mod faults;
mod hostile;
mod machines;
mod results;
mod security;
pub(crate) mod server;

use std::ops::Deref;
use std::path::Path;
use std::time::Instant;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Done, Folder, Run, SCRIPTED};
use server::{PATIENCE, Server};

/// A match between two built-in engines on a small board with a fixed number of nodes: short, deterministic games.
const SMALL: &str = "susan:Size=3 --each nodes=30 option.Hash=1 --engine builtin name=A --engine builtin name=B \
     --seed 7";

/// A match between two engines that sleep for each move. Its games last longer than those of [`SMALL`] and take no
/// computing time.
const SLEEPY: &str = "susan --engine cmd=SCRIPTED arg=late name=A nodes=1 --engine cmd=SCRIPTED arg=late name=B nodes=1";

/// A server, and a folder for the programs that use it.
pub(crate) struct Fleet {
    server: Server,
    folder: Folder,
}

impl Deref for Fleet {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

impl Fleet {
    /// Starts a server; `None` without nats-server, which is reported.
    pub(crate) fn start(test: &str) -> Option<Fleet> {
        Fleet::start_with(test, |_| String::new())
    }

    /// As [`start`](Fleet::start), with additional configuration, made from the path of the server's folder.
    fn start_with(test: &str, config: impl FnOnce(&Path) -> String) -> Option<Fleet> {
        let server = Server::start_with(test, config)?;
        let folder = Folder::new(test);
        Some(Fleet { server, folder })
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn worker(&self, more: &str) -> Run {
        self.worker_in(&self.folder, more)
    }

    /// A worker of another machine. It plays one game at a time unless `more` says otherwise: it would measure its speed in
    /// as many processes.
    fn worker_in(&self, folder: &Folder, more: &str) -> Run {
        let one = ["--concurrency 1", ""][usize::from(more.contains("--concurrency"))];
        folder.linesman(&format!("fleet worker {} {one} {more}", self.url()))
    }

    /// The last line of a worker that is refused.
    #[track_caller]
    fn refuses(&self, more: &str) -> String {
        refused(self.worker(more))
    }

    /// A worker that has the engines of [`SLEEPY`].
    fn sleepy_worker(&self, more: &str) -> Run {
        let engines = ["A", "B"].map(|name| {
            format!("[[engine]]\nname = \"{name}\"\ncmd = \"{SCRIPTED}\"\nargs = [\"late\"]\n")
        });
        self.write("sleepy.toml", engines.concat());
        self.worker(&format!("--engines sleepy.toml {more}"))
    }

    /// Starts a match that workers play.
    fn begin(&self, words: &str) -> Run {
        self.linesman(&format!("fleet match {words} --fleet {}", self.url()))
    }

    /// As [`begin`](Fleet::begin). Returns when the match is announced.
    #[track_caller]
    fn announced(&self, words: &str) -> Run {
        let run = self.begin(words);
        assert!(run.line().is_some(), "{}", run.done().stderr);
        run
    }

    /// One worker plays the rest of a match; its ledger then has each game once.
    #[track_caller]
    fn is_played(&self, run: Run, ledger: &str, n_games: usize) -> Done {
        let player = self.worker("");
        let done = run.exits(0);
        self.has_each_game_once(ledger, n_games);
        ended(player);
        done
    }

    /// Checks that a ledger contains each game exactly once.
    #[track_caller]
    fn has_each_game_once(&self, ledger: &str, n_games: usize) {
        let games = self.games(ledger);
        let mut numbers: Vec<u64> = games
            .iter()
            .filter_map(|game| game["game"].as_u64())
            .collect();
        numbers.sort_unstable();
        assert!(
            numbers.iter().copied().eq(1..=n_games as u64),
            "{numbers:?}"
        );
    }

    /// The games of `alone.pgn` and `fleet.pgn` are the same except for values that depend on the clock.
    #[track_caller]
    fn has_same_games(&self) {
        assert_eq!(
            games(&self.read("alone.pgn")),
            games(&self.read("fleet.pgn"))
        );
    }

    /// The match's id in its ledger.
    fn match_id(&self, ledger: &str) -> String {
        let (plan, _) = self.ledger(ledger);
        plan["plan"]["id"].as_str().expect("an id").to_owned()
    }

    /// The output of `linesman fleet status --json`.
    fn status(&self) -> Value {
        self.linesman(&format!("fleet status {} --json", self.url()))
            .exits(0)
            .json()
    }

    /// Waits until the server's status meets a condition, and returns it.
    fn until(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let status = self.status();
            if is_so(&status) {
                return status;
            }
            assert!(Instant::now() < deadline, "{status}");
        }
    }

    /// Waits until the queue contains this number of pairs.
    fn until_waiting(&self, n_pairs: usize) {
        self.until(|status| status["matches"][0]["waiting"] == n_pairs);
    }

    /// Waits until a worker plays a pair.
    fn until_playing(&self) -> Value {
        self.until(|status| {
            let workers = status["matches"][0]["workers"].as_array();
            let mut playing = workers
                .into_iter()
                .flatten()
                .map(|worker| &worker["playing"]);
            playing.any(|pairs| pairs.as_array().is_some_and(|pairs| !pairs.is_empty()))
        })
    }

    /// The server has no match.
    #[track_caller]
    fn is_empty(&self) {
        let left = self.status();
        assert_eq!(left["matches"].as_array().map(Vec::len), Some(0), "{left}");
    }
}

/// The words of each game of a PGN file in schedule order, without what depends on the clock: dates, and times in comments,
/// such as `0.513s}`.
fn games(pgn: &str) -> Vec<(Vec<usize>, Vec<&str>)> {
    let is_untimed =
        |word: &&str| !word.trim_end_matches(['}', ',']).ends_with('s') || !word.contains('.');
    let read = |game| {
        let round = str::split(game, "[Round \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let parts = round.expect("a round").split('.');
        let lines = game.lines().filter(|line| !line.starts_with("[Date "));
        let words = lines.flat_map(str::split_whitespace).filter(is_untimed);
        let number = |part: &str| part.parse().expect("a number");
        (parts.map(number).collect(), words.collect())
    };
    let mut games: Vec<_> = pgn.split("[Event ").skip(1).map(read).collect();
    games.sort();
    games
}

/// Interrupts a worker as Ctrl-C does, which is not a failure.
#[track_caller]
fn ended(worker: Run) -> Done {
    worker.signal(Signal::INT);
    worker.exits(0)
}

/// Waits for the exit of a worker that is refused. Returns its last line.
#[track_caller]
fn refused(worker: Run) -> String {
    let done = worker.exits(1);
    done.stderr.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn two_workers_play_the_match_that_one_machine_plays() {
    let fleet = or_skip!(Fleet::start("fleet-two"));
    let game = format!("{SMALL} --games 20 --pgn-comments pv,nodes");
    fleet
        .linesman(&format!("match {game} --pgn alone.pgn --quiet"))
        .exits(0);
    let workers = [(); 2].map(|()| fleet.worker("--idle-s 60 --concurrency 2"));
    let words = format!("{game} --pgn fleet.pgn --ledger fleet.jsonl");
    fleet.begin(&words).exits(0).shows(20, "Finished game");
    fleet.has_same_games();
    fleet.has_each_game_once("fleet.jsonl", 20);
    for game in fleet.games("fleet.jsonl") {
        let machine = &game["machine"];
        assert!(
            machine["name"]
                .as_str()
                .is_some_and(|name| !name.is_empty()),
            "{game}"
        );
        assert_eq!(machine["scale"], 1.0, "{game}");
    }
    workers.into_iter().for_each(|worker| drop(ended(worker)));
}
