//! Shared test code: Nim as the game, a plan, a finished game. The tests of other crates include this file.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use record::engine_spec::{EngineSpec, Program};
use record::game::{GameRecord, GameResult, Termination};
use record::game_spec::GameSpec;
use record::ledger::LedgerFile;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::{Registry, Rules};

/// The games available to tests.
pub(crate) static GAMES: Registry = Registry(&[&nim::GAME]);

/// Nim with four heaps.
pub(crate) fn rules() -> Rules {
    let spec = GameSpec::parse("nim").expect("a game");
    let rules = GAMES.rules(&spec).expect("a known game");
    rules.expect("a game with rules")
}

/// The specification of an engine with this name.
pub(crate) fn spec(name: &str) -> EngineSpec {
    EngineSpec {
        name: Some(name.to_owned()),
        limit: "nodes=1".parse().expect("a limit"),
        ..EngineSpec::new(Program::Command {
            path: PathBuf::from(name),
            args: Vec::new(),
            dir: None,
        })
    }
}

/// Four games of Nim between these engines, two at a time.
pub(crate) fn plan(names: &[&str]) -> Plan {
    Plan {
        game: GameSpec::parse("nim").expect("a game"),
        engines: names.iter().map(|name| spec(name)).collect(),
        games: 4,
        swaps: true,
        concurrency: 2,
        openings: vec![Opening::default()],
        startup_ms: 60_000,
        ping_ms: 60_000,
        search_timeout_ms: 60_000,
        ..Plan::default()
    }
}

/// A game that A won against B.
pub(crate) fn finished_game(number: usize) -> GameRecord {
    GameRecord {
        game: number,
        pair: 1,
        p1: "A".to_owned(),
        p2: "B".to_owned(),
        moves: vec!["x".to_owned()],
        result: GameResult::P1Win,
        termination: Termination::Normal,
        reason: "A wins".to_owned(),
        plies: vec![None],
        ..GameRecord::default()
    }
}

/// A mock of the ledger's file that lists the calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct WatchedFile(Arc<Mutex<Calls>>);

#[derive(Debug, Default)]
struct Calls {
    list: Vec<String>,
    is_broken: bool,
}

impl WatchedFile {
    /// The calls since the last query. A written line is shortened to its first field's name.
    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().list)
    }

    /// Makes every later sync fail.
    pub(crate) fn break_sync(&self) {
        self.0.lock().is_broken = true;
    }

    fn note(&self, call: String) -> io::Result<()> {
        self.0.lock().list.push(call);
        Ok(())
    }
}

impl LedgerFile for WatchedFile {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let line = String::from_utf8_lossy(line);
        let first_key = line.split(':').next().unwrap_or_default();
        self.note(format!("append {first_key}"))
    }

    fn cut(&mut self, n_bytes: u64) -> io::Result<()> {
        self.note(format!("cut {n_bytes}"))
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.0.lock().is_broken {
            return Err(io::Error::other("the disk fails"));
        }
        self.note("sync".to_owned())
    }
}
