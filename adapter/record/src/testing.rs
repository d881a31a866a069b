//! Shared test code: Nim as the game, a plan, a finished game. The tests of other crates include this file.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use kit::Side;
use parking_lot::Mutex;
use record::adjudication::Adjudication;
use record::engine_spec::{EngineSpec, Program, Proto, Restart};
use record::format::Format;
use record::game::{GameRecord, GameResult, Termination};
use record::game_spec::GameSpec;
use record::ledger::LedgerFile;
use record::opening::Opening;
use record::outputs::Outputs;
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
        program: Program::Command {
            path: PathBuf::from(name),
            args: Vec::new(),
            dir: None,
        },
        proto: Proto::Ugi,
        limit: "nodes=1".parse().expect("a limit"),
        margin_ms: 0,
        ponder: false,
        options: Vec::new(),
        restart: Restart::Auto,
        stderr: None,
    }
}

/// Four games of Nim between these engines, two at a time.
pub(crate) fn plan(names: &[&str]) -> Plan {
    Plan {
        id: String::new(),
        version: String::new(),
        date: String::new(),
        game: GameSpec::parse("nim").expect("a game"),
        rules: None,
        engines: names.iter().map(|name| spec(name)).collect(),
        teams: Vec::new(),
        format: Format::RoundRobin,
        seeds: None,
        games: 4,
        swaps: true,
        shard: None,
        concurrency: 2,
        srand: 0,
        opening_source: None,
        openings: vec![Opening::default()],
        adjudication: by_the_rules(),
        adjudicate_table: None,
        sprt: None,
        arbiter: None,
        cross_check: false,
        startup_ms: 60_000,
        ping_ms: 60_000,
        search_timeout_ms: 60_000,
        memory: None,
        ledger: PathBuf::new(),
        pgn: None,
        log: None,
        affinity: None,
        outputs: Outputs::default(),
    }
}

/// A game that A won against B.
pub(crate) fn finished_game(number: usize) -> GameRecord {
    GameRecord {
        game: number,
        pair: 1,
        p1: "A".to_owned(),
        p2: "B".to_owned(),
        first: Side::P1,
        opening: Opening::default(),
        moves: vec!["x".to_owned()],
        result: GameResult::P1Win,
        termination: Termination::Normal,
        reason: "A wins".to_owned(),
        plies: vec![None],
        date: String::new(),
        notes: Vec::new(),
        fault: None,
        machine: None,
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

/// No adjudication.
pub(crate) fn by_the_rules() -> Adjudication {
    Adjudication {
        max_plies: usize::MAX,
        draw: None,
        resign: None,
    }
}
