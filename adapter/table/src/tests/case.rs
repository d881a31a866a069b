//! Test harness: a table with clients, scripted engines and a simulated clock.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::model::{ClientId, RequestId, Role, SeatId, SeatPlayer, SideSet, TableEvent};
use crossbeam_channel::{Receiver, bounded};
use kit::Side;
use parking_lot::Mutex;
use protocol::{Info, Reply};
use record::engine_spec::{EngineSpec, Program};
use record::game_spec::GameSpec;
use record::ledger::{MemoryLedger, SyncPolicy};
use record::plan::Plan;
use referee::engine::{self, BestMove, EngineConfig, EngineEvent, Fault, SetOption};
use referee::host::Host;
use referee::process::Death;
use referee::stop::Stop;
use serde_json::json;
use tempfile::TempDir;

use super::brief::brief;
use crate::error::TableError;
use crate::model::TableCommand;
use crate::record_testing::GAMES;
use crate::records::Records;
use crate::seat::EngineSource;
use crate::session::{JoinWish, Request, Wanted};
use crate::setup::{PausedTable, Resumed, TableSetup};
use crate::state::Table;

/// Script and log of one engine.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// The calls it received, one entry each.
    pub(super) told: Vec<String>,
    pub(super) says: VecDeque<Result<EngineEvent, Fault>>,
    /// Leaves `start` and `begin` unanswered.
    pub(super) is_slow: bool,
    /// Panics at the next poll.
    pub(super) panics: bool,
    /// Rejects all options.
    pub(super) has_no_options: bool,
}

/// The scripts of all engines by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Scripts {
    pub(super) by_name: Arc<Mutex<HashMap<String, Arc<Mutex<Script>>>>>,
    /// Each process has a separate script.
    pub(super) are_separate: bool,
    /// The script of the engine that was asked for a move last.
    pub(super) asked: Arc<Mutex<Option<Arc<Mutex<Script>>>>>,
    /// Faults of the next engines that are prepared for a game.
    pub(super) begin_faults: Arc<Mutex<VecDeque<Fault>>>,
}

impl Scripts {
    pub(super) fn of(&self, name: &str) -> Arc<Mutex<Script>> {
        Arc::clone(self.by_name.lock().entry(name.to_owned()).or_default())
    }

    pub(super) fn source(&self) -> EngineSource {
        let scripts = self.clone();
        Box::new(move |spec: &EngineSpec| {
            let name = spec.name.clone().unwrap_or_else(|| "helper".to_owned());
            let mut config = EngineConfig::default();
            config.spec = spec.clone();
            config.launch.name.clone_from(&name);
            config.launch.program = name.clone().into();
            config.script = Some(Arc::new(ScriptedEngine {
                script: match scripts.are_separate {
                    true => Arc::default(),
                    false => scripts.of(&name),
                },
                scripts: scripts.clone(),
            }));
            config
        })
    }
}

/// An engine that logs its calls and answers from its script.
#[derive(Debug, Clone)]
struct ScriptedEngine {
    script: Arc<Mutex<Script>>,
    scripts: Scripts,
}

impl ScriptedEngine {
    fn told(&self, word: &str, answer: Option<EngineEvent>) {
        let mut script = self.script.lock();
        script.told.push(word.to_owned());
        if !script.is_slow {
            script.says.extend(answer.map(Ok));
        }
    }
}

impl engine::Script for ScriptedEngine {
    fn fresh(&self) -> Box<dyn engine::Script> {
        Box::new(self.clone())
    }

    fn ask(&mut self, request: &engine::Request<'_>) -> Result<(), Fault> {
        match request {
            engine::Request::Start => self.told("start", Some(EngineEvent::Started)),
            engine::Request::NewGame { .. } => {
                if let Some(fault) = self.scripts.begin_faults.lock().pop_front() {
                    return Err(fault);
                }
                self.told("begin", Some(EngineEvent::Ready));
            }
            engine::Request::Go(engine::Search { position, .. }) => {
                self.told(position, None);
                *self.scripts.asked.lock() = Some(Arc::clone(&self.script));
            }
            engine::Request::Stop => self.told("stop", None),
            engine::Request::GiveUp => self.told("give up", None),
            engine::Request::Forfeit => self.told("blame", None),
            engine::Request::Quit => self.told("quit", None),
            _ => {}
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault> {
        let mut script = self.script.lock();
        assert!(!script.panics, "the script says so");
        script.says.pop_front().transpose()
    }

    fn is_due(&self) -> bool {
        let script = self.script.lock();
        script.panics || !script.says.is_empty()
    }

    fn has_option(&self, _: &str) -> bool {
        !self.script.lock().has_no_options
    }

    fn set_option(&mut self, (name, value): &SetOption) {
        let value = value.as_deref().unwrap_or_default();
        self.told(&format!("{name}={value}"), None);
    }

    fn end(&mut self) {
        self.told("end", None);
    }
}

/// An engine's answer with this move.
pub(super) fn best_move(code: &str) -> EngineEvent {
    EngineEvent::Moved(BestMove {
        code: code.to_owned(),
        ponder: None,
        elapsed: Duration::from_millis(10),
        thought: Info::default(),
    })
}

/// An engine's `info` line.
pub(super) fn info(line: &str) -> EngineEvent {
    match Reply::parse(&format!("info {line}")) {
        Ok(Reply::Info(info)) => EngineEvent::Info(Box::new(info)),
        other => panic!("{line}: {other:?}"),
    }
}

pub(super) fn died() -> Fault {
    Fault::died(Death::Killed(9), Some("bestmove"))
}

/// A command in a dialogue: its word in `spec/table.schema.json`, without `set-`, and its argument.
fn command(words: &str) -> TableCommand {
    let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
    let number: Option<usize> = rest.parse().ok();
    let seconds: Option<f64> = rest.parse().ok();
    let mut json = match word {
        "play" => json!({ "code": rest }),
        "say" => json!({ "text": rest }),
        "back" | "forward" => json!({ "n": number }),
        "go-to" => json!({ "node": number }),
        "go" if !rest.is_empty() => json!({ "limit": rest }),
        "save" | "load" => json!({ "path": rest }),
        "claim" => json!({ "draw": rest == "draw" }),
        "forfeit" => json!({ "side": rest }),
        "level" => json!({ "command": "set-level", "level": number }),
        "auto" => {
            let sides = rest.split(' ').filter(|side| *side != "off");
            json!({ "command": "set-auto", "sides": sides.collect::<Vec<_>>() })
        }
        "study" => json!({ "command": "analyse", "seconds": seconds }),
        "analyse" => {
            let (lines, node) = rest.split_once(" at ").unwrap_or((rest, ""));
            let [lines, node] = [lines, node].map(|number| number.parse::<u32>().ok());
            json!({ "lines": lines, "node": node })
        }
        // JSON has no NaN.
        "pace" | "review" => {
            let seconds = seconds.expect(words);
            return match word {
                "pace" => TableCommand::SetPace { seconds },
                _ => TableCommand::Review { seconds },
            };
        }
        "seat" => {
            let (player, limit) = rest.split_once(", ").expect("a player and a limit");
            return TableCommand::SetSeat {
                seat: Side::P2.into(),
                player: SeatPlayer {
                    player: Box::new(spec(player, limit.trim_end_matches(", guest"))),
                    guest: limit.ends_with(", guest"),
                },
            };
        }
        _ => json!({}),
    };
    let name = json["command"].as_str().unwrap_or(word).to_owned();
    json["command"] = name.into();
    serde_json::from_value(json).expect(words)
}

fn check(line: &str, expected: &str, found: &[String]) {
    let expected: Vec<&str> = match expected {
        "nothing" => Vec::new(),
        _ => expected.split(" | ").collect(),
    };
    assert!(fits(&expected, found), "{line}\nfound: {found:?}");
}

fn fits(expected: &[&str], found: &[String]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["..", rest @ ..] => (0..=found.len()).any(|n| fits(rest, &found[n..])),
        [first, rest @ ..] => found
            .split_first()
            .is_some_and(|(event, later)| is_like(first, event) && fits(rest, later)),
    }
}

fn is_like(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(tail) = text.strip_prefix(start) else {
        return false;
    };
    let mut ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
    ends.any(|at| is_like(rest, &tail[at..]))
}

/// A client of the table.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    pub(super) id: ClientId,
    pub(super) events: Receiver<TableEvent>,
}

/// A table with its engines and the simulated time.
pub(super) struct Case {
    pub(super) table: Table,
    pub(super) scripts: Scripts,
    pub(super) now: Instant,
    pub(super) folder: TempDir,
    /// The newest client of each name.
    pub(super) people: HashMap<String, Visitor>,
    n_requests: u64,
    n_clients: u64,
}

/// A player of the plan: `human` or `human Ann` is a person; any other text is the name of an engine.
pub(super) fn spec(words: &str, limit: &str) -> EngineSpec {
    let (program, name) = match words.strip_prefix("human") {
        Some(name) => (Program::Person, name.trim()),
        None => (Program::Builtin, words),
    };
    EngineSpec {
        name: (!name.is_empty()).then(|| name.to_owned()),
        limit: limit.parse().expect("a limit"),
        ..EngineSpec::new(program)
    }
}

fn plan(sides: [&[&str]; 2], limit: &str, ledger: PathBuf) -> Plan {
    let game = GameSpec::parse("nim").expect("a game");
    let players = |side: &[&str]| side.iter().map(|words| spec(words, limit)).collect();
    Plan::one_game(game, sides.map(players), ledger)
}

pub(super) fn host() -> Host {
    Host {
        registry: GAMES,
        executable: PathBuf::from("linesman"),
        stop: Stop::default(),
    }
}

impl Case {
    /// A table whose engines are being started. `limit` applies to all players.
    pub(super) fn starting(players: [&str; 2], limit: &str, guests: SideSet) -> Case {
        let guests = guests.iter().map(SeatId::from).collect();
        let sides = players.each_ref().map(std::slice::from_ref);
        Case::start(sides, limit, guests, Scripts::default())
    }

    /// A table with partners, ready to play. `limit` applies to all players; `guests` are the guests' seats, which the
    /// journal keeps.
    pub(super) fn with_partners(sides: [&[&str]; 2], limit: &str, guests: &[&str]) -> Case {
        let guests = guests.iter().map(|id| id.parse().expect("a seat"));
        let guests = guests.collect();
        let mut case = Case::start(sides, limit, guests, Scripts::default());
        case.poll();
        case
    }

    pub(super) fn start(
        sides: [&[&str]; 2],
        limit: &str,
        guests: Vec<SeatId>,
        scripts: Scripts,
    ) -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut helper = spec("helper", "depth=3");
        helper.name = None;
        let plan = plan(sides, limit, folder.path().join("game.jsonl"));
        let setup = TableSetup {
            keeps_guests: !guests.is_empty(),
            guests,
            sync: SyncPolicy::Off,
            ..TableSetup::new(plan, helper, host())
        };
        Case::of(setup, None, scripts, folder)
    }

    /// The table of a setup, whose engines are being started.
    fn of(setup: TableSetup, resumed: Option<Resumed>, scripts: Scripts, folder: TempDir) -> Case {
        let table = Table::create(setup, resumed, Some(scripts.source()));
        let mut case = Case {
            table: table.expect("a sound plan and game"),
            scripts,
            now: Instant::now(),
            folder,
            people: HashMap::new(),
            n_requests: 0,
            n_clients: 0,
        };
        let started = case.table.start(case.now);
        started.expect("a scripted engine starts");
        case
    }

    /// A table ready to play. `limit` applies to all players.
    pub(super) fn with(players: [&str; 2], limit: &str, guests: SideSet) -> Case {
        let mut case = Case::starting(players, limit, guests);
        case.poll();
        case
    }

    /// The host plays p1 against an engine, without clocks.
    pub(super) fn against_engine() -> Case {
        Case::with(["human", "Bot"], "depth=3", SideSet::NONE)
    }

    /// The host plays p1 against a guest, without clocks.
    pub(super) fn two_people() -> (Case, Visitor, Visitor) {
        Case::two_people_with("-")
    }

    /// The host plays p1 against a guest, both with this limit. Hints are allowed.
    pub(super) fn two_people_with(limit: &str) -> (Case, Visitor, Visitor) {
        let mut case = Case::with(["human", "human"], limit, Side::P2.into());
        case.table.allows_hints = true;
        let ann = case.join("Ann", Role::Host);
        let bob = case.join("Bob", Role::Player(SideSet::NONE));
        case.forget(&[&ann, &bob]);
        (case, ann, bob)
    }

    /// Closes the table and reopens its ledger.
    pub(super) fn resumed(mut self) -> Case {
        self.resume();
        self
    }

    pub(super) fn resume(&mut self) {
        // The ledger is locked until its writer is dropped.
        self.table.records = Records::default();
        let path = self.folder.path().join("game.jsonl");
        let mut paused = PausedTable::read(&path, host()).expect("a sound ledger");
        paused.setup.sync = SyncPolicy::Off;
        let source = Some(self.scripts.source());
        let table = Table::create(paused.setup, Some(paused.resumed), source);
        self.table = table.expect("a sound game");
        self.people.clear();
        (self.n_requests, self.n_clients) = (0, self.n_clients + 100);
        let started = self.table.start(self.now);
        started.expect("a scripted engine starts");
        self.poll();
    }

    /// A table whose ledger is in memory; new lines are appended to `lines`.
    pub(super) fn of_bytes(ledger: &[u8], lines: &MemoryLedger) -> Case {
        let path = Path::new("nowhere.jsonl");
        let paused = PausedTable::of_bytes(ledger, lines, path, host());
        let PausedTable { setup, resumed } = paused.expect("a sound ledger");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut case = Case::of(setup, Some(resumed), Scripts::default(), folder);
        case.poll();
        case
    }

    pub(super) fn join(&mut self, name: &str, role: Role) -> Visitor {
        self.join_with(name, role, None, 100)
    }

    pub(super) fn join_with(
        &mut self,
        name: &str,
        role: Role,
        token: Option<String>,
        capacity: usize,
    ) -> Visitor {
        let wish = JoinWish {
            token,
            ..JoinWish::new(name, role)
        };
        self.join_as(wish, capacity)
    }

    pub(super) fn join_as(&mut self, wish: JoinWish, capacity: usize) -> Visitor {
        let (sender, events) = bounded(capacity);
        self.n_clients += 1;
        let visitor = Visitor {
            id: ClientId(self.n_clients),
            events,
        };
        self.people.insert(wish.name.clone(), visitor.clone());
        self.request(&visitor, Wanted::Join(wish, sender))
            .expect("the table goes on");
        self.table.poll(self.now, false).expect("the table goes on");
        visitor
    }

    /// Plays a dialogue of steps, one a line or with ` / ` between them; `//` begins a comment. For example:
    ///
    /// ```text
    /// host Ann joins / guest Bob joins / Ann plays a1
    /// Bob: play b1 => p2 plays b1 | turn of p1 | done
    /// Ann hears ..
    /// Bot is told .. | position startpos moves a1
    /// ```
    ///
    /// After `=>` and `hears` are all new events of the client, and after `told` all new calls of the engine:
    /// `*` is any text, `..` any number of them, and `nothing` none.
    pub(super) fn talk(&mut self, dialogue: &str) {
        let lines = dialogue.lines().map(str::trim);
        let lines = lines.filter(|line| !line.starts_with("//"));
        for line in lines.flat_map(|line| line.split(" / ")) {
            let (name, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
            match self.people.get(name).cloned() {
                Some(visitor) => self.hear(&visitor, rest, line),
                None => self.step(name, rest, line),
            }
        }
    }

    /// A step of a client.
    fn hear(&mut self, visitor: &Visitor, words: &str, line: &str) {
        if let Some(words) = words.strip_prefix(' ') {
            let (words, expected) = words.split_once(" => ").unwrap_or((words, ".."));
            let events = self.ask(visitor, command(words));
            return check(line, expected, &events);
        }
        match words.split_once(' ').unwrap_or((words, "")) {
            ("plays", codes) => {
                for code in codes.split(' ') {
                    self.play(visitor, code);
                }
            }
            ("sends", words) => self.send(visitor, command(words)),
            ("hears", expected) => check(line, expected, &visitor.events()),
            ("drops", _) => self.people.retain(|_, other| other.id != visitor.id),
            _ => panic!("{line}"),
        }
    }

    /// A step of an engine, or of the table.
    fn step(&mut self, name: &str, words: &str, line: &str) {
        match (name, words.split_once(' ').unwrap_or((words, ""))) {
            ("poll", _) => self.poll(),
            ("resume", _) => self.resume(),
            ("hints", _) => self.table.allows_hints = false,
            ("engines", ("restart", _)) => self.table.setup.restarts_engines = true,
            ("wait", (ms, _)) => self.wait(ms.parse().expect("a number")),
            ("moves", _) => assert_eq!(self.moves(), words, "{line}"),
            ("ledger", ("has", part)) => assert!(self.ledger().contains(part), "{line}"),
            ("the", _) => assert_eq!(self.table.over.is_some(), words == "game is over", "{line}"),
            ("host", (name, _)) => drop(self.join(name, Role::Host)),
            ("guest", (name, _)) => drop(self.join(name, Role::Player(SideSet::NONE))),
            ("spectator", (name, _)) => drop(self.join(name, Role::Spectator)),
            (_, ("moves", code)) => {
                self.poll();
                self.says(name, Ok(best_move(code)));
            }
            (_, ("reports", words)) => self.says(name, Ok(info(words))),
            (_, ("is", "silent")) => self.says(name, Err(Fault::Silent("bestmove"))),
            (_, ("dies", _)) => self.says(name, Err(died())),
            (_, ("is", "unreadable")) => {
                self.says(name, Err(Fault::Unreadable("bestmove".to_owned())));
            }
            (_, ("is", words)) => {
                let expected = words.strip_prefix("told ").expect(line);
                check(line, expected, &self.told(name));
            }
            _ => panic!("{line}"),
        }
    }

    /// Sends a command and polls the table.
    pub(super) fn send(&mut self, visitor: &Visitor, command: TableCommand) {
        self.try_send(visitor, command).expect("the table goes on");
    }

    pub(super) fn try_send(
        &mut self,
        visitor: &Visitor,
        command: TableCommand,
    ) -> Result<(), TableError> {
        self.handle(visitor, command)?;
        self.table.poll(self.now, false)
    }

    /// Sends a command without polling the table.
    pub(super) fn handle(
        &mut self,
        visitor: &Visitor,
        command: TableCommand,
    ) -> Result<(), TableError> {
        self.request(visitor, Wanted::Command(command))
    }

    fn request(&mut self, visitor: &Visitor, what: Wanted) -> Result<(), TableError> {
        self.n_requests += 1;
        let request = Request {
            client: visitor.id,
            id: RequestId(self.n_requests),
            what,
            at: self.now,
        };
        self.table.handle(request, self.now)
    }

    /// Sends a command; returns the sender's new events in brief.
    pub(super) fn ask(&mut self, visitor: &Visitor, command: TableCommand) -> Vec<String> {
        visitor.events();
        self.send(visitor, command);
        visitor.events()
    }

    /// Makes a move; returns the mover's new events in brief.
    pub(super) fn play(&mut self, visitor: &Visitor, code: &str) -> Vec<String> {
        let code = code.to_owned();
        self.ask(visitor, TableCommand::Play { code, from: None })
    }

    /// Adds an event or a fault to an engine's script, and polls the table.
    pub(super) fn says(&mut self, engine: &str, event: Result<EngineEvent, Fault>) {
        self.scripts.of(engine).lock().says.push_back(event);
        self.poll();
    }

    /// The calls that this engine received since the last call of `told`.
    pub(super) fn told(&self, engine: &str) -> Vec<String> {
        std::mem::take(&mut self.scripts.of(engine).lock().told)
    }

    pub(super) fn poll(&mut self) {
        // Each poll may cause events that only the next one handles.
        for _ in 0..3 {
            self.table.poll(self.now, false).expect("the table goes on");
        }
    }

    /// Advances the simulated time and polls the table.
    pub(super) fn wait(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
        self.poll();
    }

    pub(super) fn forget(&self, visitors: &[&Visitor]) {
        for visitor in visitors {
            visitor.events();
        }
    }

    pub(super) fn ledger(&self) -> String {
        let path = self.folder.path().join("game.jsonl");
        std::fs::read_to_string(path).expect("the ledger is written")
    }

    pub(super) fn moves(&self) -> String {
        self.table.moves().join(" ")
    }
}

impl Visitor {
    /// The client's new events in brief.
    pub(super) fn events(&self) -> Vec<String> {
        let events = self.events.try_iter();
        let told = events.filter(|event| !matches!(event, TableEvent::TableView(_)));
        told.map(|event| brief(&event)).collect()
    }

    /// The token from the `welcome` event.
    pub(super) fn token(&self) -> String {
        let token = |event| match event {
            TableEvent::Welcome { token, .. } => token,
            _ => None,
        };
        self.events.try_iter().find_map(token).expect("a token")
    }
}
