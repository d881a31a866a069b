//! Shared test code: Nim as the game, and in-memory engines that play it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kit::puzzle::Value;
use kit::tablebase::{Counts, DynTable, Sample, TableInfo, VerifyError};
use kit::{DynHistory, GameEntry};
use parking_lot::Mutex;
use protocol::Query;

use crate::adjudication::Adjudication;
use crate::arbiter::right_answer;
use crate::client::memory::Wire;
use crate::client::{Timeouts, Transport};
use crate::game_table::GameTable;
use crate::opening::Opening;
use crate::outputs::Outputs;
use crate::plan::{EngineSpec, Format, GameSpec, Plan, Program, Proto, Restart};
use crate::player::EngineConfig;
use crate::record::{GameRecord, GameResult, LedgerFile, Termination};
use crate::registry::{Registry, Rules};

#[path = "../../../engines/kit/tests/suite/nim.rs"]
#[allow(dead_code)]
mod nim;

static NIM: GameEntry = GameEntry::of::<nim::Nim>(&nim::ABOUT);

/// The games available to tests.
pub(crate) static GAMES: Registry = Registry(&[&NIM]);

pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(60),
    ping: Duration::from_secs(60),
    search: Duration::from_secs(60),
};

/// Nim with four heaps.
pub(crate) fn rules() -> Rules {
    let spec = GameSpec::parse("nim").expect("a game");
    let rules = GAMES.rules(&spec).expect("a known game");
    rules.expect("a game with rules")
}

/// A table of Nim with four heaps, computed on demand. A broken one fails each read.
pub(crate) struct NimTable {
    info: TableInfo,
    is_broken: bool,
}

impl NimTable {
    pub(crate) fn of_rules() -> GameTable {
        NimTable::open(false)
    }

    pub(crate) fn broken() -> GameTable {
        NimTable::open(true)
    }

    fn open(is_broken: bool) -> GameTable {
        let info = TableInfo {
            game: "nim".to_owned(),
            options: "Heaps=4".to_owned(),
            n_numbers: 0,
            counts: Counts::default(),
            longest_win: None,
            start: Value::Draw,
            n_bytes: 0,
        };
        GameTable::new(Arc::new(NimTable { info, is_broken }))
    }

    /// The value of an unfinished game. Nim has no draws.
    fn solve(board: &dyn DynHistory, known: &mut HashMap<String, Value>) -> Value {
        if let Some(&value) = known.get(&board.fen()) {
            return value;
        }
        let after = board.moves().into_iter().map(|code| {
            let mut after = board.fork();
            after.play(&code).expect("a legal move");
            match after.outcome() {
                Some(_) => Value::Loss(0),
                None => NimTable::solve(after.as_ref(), known),
            }
        });
        let after: Vec<Value> = after.collect();
        let lost = after.iter().filter_map(|value| match value {
            Value::Loss(plies) => Some(plies + 1),
            _ => None,
        });
        let won = after.iter().filter_map(|value| match value {
            Value::Win(plies) => Some(plies + 1),
            _ => None,
        });
        let value = match lost.min() {
            Some(plies) => Value::Win(plies),
            None => Value::Loss(won.max().expect("a move")),
        };
        known.insert(board.fen(), value);
        value
    }
}

impl DynTable for NimTable {
    fn info(&self) -> &TableInfo {
        &self.info
    }

    fn position(&self, _number: u64) -> Option<String> {
        None
    }

    fn value(&self, fen: Option<&str>) -> Result<Option<Value>, String> {
        if self.is_broken {
            return Err("nim.table: damaged table: wrong checksum".to_owned());
        }
        let opening =
            Opening::parse(&fen.map_or("startpos".to_owned(), |fen| format!("fen {fen}")));
        let board = rules().open(&opening).map_err(|why| why.to_string())?;
        Ok(Some(NimTable::solve(board.as_ref(), &mut HashMap::new())))
    }

    fn verify(
        &self,
        _sample: Sample,
        _threads: (usize, &AtomicBool),
        _tell: &mut dyn FnMut(u64, u64),
    ) -> Result<u64, VerifyError> {
        Ok(0)
    }
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

/// An in-memory engine that plays Nim.
pub(crate) fn config(name: &str) -> EngineConfig {
    faulty(name, |_| None)
}

/// An engine that plays Nim, except that it answers a line with the output of `fault` if there is one.
pub(crate) fn faulty(name: &str, fault: fn(&str) -> Option<&str>) -> EngineConfig {
    connected(name, move || Ok(Box::new(wire(fault))))
}

/// The transport of a Nim engine.
pub(crate) fn nim_engine() -> Wire {
    wire(|_| None)
}

fn wire(fault: fn(&str) -> Option<&str>) -> Wire {
    let mut position = String::new();
    Wire::answering(Box::new(move |line| match fault(line) {
        Some(said) => vec![said.to_owned()],
        None => answer(&mut position, line),
    }))
}

/// An engine with a custom transport.
pub(crate) fn connected(
    name: &str,
    connect: impl Fn() -> io::Result<Box<dyn Transport>> + Send + Sync + 'static,
) -> EngineConfig {
    let mut config = EngineConfig::alone(&spec(name), "nim", Path::new("linesman"), TIMEOUTS);
    config.rules = Some(rules());
    config.connect_by(connect)
}

/// The answer of a correct engine, which plays the first legal move.
fn answer(position: &mut String, line: &str) -> Vec<String> {
    let said = match line.split(' ').next().unwrap_or_default() {
        "ugi" => "ugiok".to_owned(),
        "isready" => "readyok".to_owned(),
        "position" => {
            line.clone_into(position);
            return Vec::new();
        }
        "go" => format!(
            "bestmove {}",
            ask(position, Query::Moves)
                .split(' ')
                .next()
                .unwrap_or_default()
        ),
        "query" => {
            let asked = Query::ALL
                .into_iter()
                .find(|query| line == format!("query {}", query.word()));
            asked.map_or_else(String::new, |query| {
                format!("response {}", ask(position, query))
            })
        }
        _ => return Vec::new(),
    };
    vec![said]
}

fn ask(position: &str, query: Query) -> String {
    let opening = Opening::parse(position.strip_prefix("position ").unwrap_or("startpos"));
    let board = rules().open(&opening).expect("a legal position");
    right_answer(board.as_ref(), query).unwrap_or_default()
}

/// Four games of Nim between these engines, two at a time.
pub(crate) fn plan(names: &[&str]) -> Plan {
    Plan {
        id: String::new(),
        version: String::new(),
        date: String::new(),
        game: GameSpec::parse("nim").expect("a game"),
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
