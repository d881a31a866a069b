//! Tables with real engines: a faulty engine never blocks the clients.

use std::path::PathBuf;
use std::time::Duration;

use kit::Side;
use record::engine_spec::{EngineSpec, ProcessLimits, Program, Proto, Restart};
use record::game_spec::GameSpec;
use record::ledger::SyncPolicy;
use record::plan::Plan;
use referee::host::Host;
use referee::stop::Stop;
use table::{
    JoinWish, OpenTable, Role, StudyEnd, StudyKind, TableClient, TableCommand, TableEvent,
    TableSetup, Turn, open,
};

use crate::support::{Folder, SCRIPTED, has};

/// Timeout of an event; nothing takes nearly as long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

fn spec(program: Program) -> EngineSpec {
    EngineSpec {
        name: None,
        program,
        proto: Proto::Ugi,
        limit: "depth=2".parse().expect("a limit"),
        margin_ms: 0,
        ponder: false,
        options: Vec::new(),
        restart: Restart::Auto,
        stderr: None,
        process: ProcessLimits::default(),
    }
}

fn scripted(fault: &str) -> EngineSpec {
    spec(Program::Command {
        path: PathBuf::from(SCRIPTED),
        args: vec![fault.to_owned()],
        dir: None,
    })
}

/// A person plays p1, an engine with this fault plays p2.
fn table(folder: &Folder, fault: &str) -> OpenTable {
    open_table(folder, scripted(fault), spec(Program::Builtin))
}

/// A person plays p1, this engine plays p2, and another one is the helper. No clock limits the searches.
fn open_table(folder: &Folder, engine: EngineSpec, helper: EngineSpec) -> OpenTable {
    let game = GameSpec::parse("susan").expect("a game");
    let players = [vec![spec(Program::Person)], vec![engine]];
    let plan = Plan {
        startup_ms: 600_000,
        ping_ms: 600_000,
        ..Plan::one_game(game, players, folder.path("game.jsonl"))
    };
    let host = Host {
        registry: linesman::GAMES,
        executable: PathBuf::from(env!("CARGO_BIN_EXE_linesman-test")),
        stop: Stop::default(),
    };
    let table = open(TableSetup {
        sync: SyncPolicy::Off,
        ..TableSetup::new(plan, helper, host)
    });
    table.expect("a sound plan")
}

fn join(table: &OpenTable) -> TableClient {
    let joined = table.handle.join(JoinWish::new("Ann", Role::Host));
    joined.expect("the table is open")
}

/// Waits for an event and returns what `wanted` extracts.
fn wait<T>(client: &TableClient, wanted: impl Fn(TableEvent) -> Option<T>) -> T {
    loop {
        let event = client.events.recv_timeout(TIME_LIMIT);
        if let Some(found) = wanted(event.expect("the event comes")) {
            return found;
        }
    }
}

fn wait_for_turn(client: &TableClient, wanted: Turn) {
    wait(client, |event| match event {
        TableEvent::Turn { turn, .. } if turn == wanted => Some(()),
        _ => None,
    });
}

/// Sends a command that must succeed, and waits until it is carried out.
fn ask(client: &TableClient, command: TableCommand) {
    let sent = client.send(command).expect("the table is open");
    let refused = wait(client, |event| match event {
        TableEvent::Done { request } if request == sent => Some(None),
        TableEvent::Refused { request, why } if request == sent => Some(Some(why)),
        _ => None,
    });
    assert_eq!(refused, None);
}

/// Closes the table; `closed` is its last event.
fn quit(client: &TableClient) {
    client.send(TableCommand::Quit).expect("the table is open");
    let last = client.events.iter().last();
    let is_closed = matches!(last, Some(TableEvent::Closed { .. }));
    assert!(is_closed, "{last:?}");
}

fn play(client: &TableClient, code: &str) {
    let code = code.to_owned();
    ask(client, TableCommand::Play { code, from: None });
}

fn say(client: &TableClient) {
    let text = "still there?".to_owned();
    ask(client, TableCommand::Say { text });
}

#[test]
fn an_engine_that_ignores_stop_holds_nobody_up() {
    for fault in ["silent-go", "unread", "flood"] {
        let folder = Folder::new(&format!("table-{fault}"));
        let table = table(&folder, fault);
        let ann = join(&table);
        wait_for_turn(&ann, Turn::Person(Side::P1));
        play(&ann, "e5");
        ask(&ann, TableCommand::MoveNow);
        say(&ann);
        ask(&ann, TableCommand::Hint);
        ask(&ann, TableCommand::Undo);
        play(&ann, "b2");
        quit(&ann);
        table.join().expect("nothing failed");
        let ledger = folder.read("game.jsonl");
        assert!(ledger.contains(r#""code":"b2""#), "{ledger}");
    }
}

#[test]
fn a_table_is_stopped_while_an_engine_starts() {
    let folder = Folder::new("table-start");
    let table = table(&folder, "silent-handshake");
    let ann = join(&table);
    say(&ann);
    table.handle.stop();
    table.join().expect("it was asked to end");
    assert!(!folder.has("game.jsonl"), "no ledger was created");
}

#[test]
fn an_engine_that_dies_loses_and_is_started_again_after_an_undo() {
    let folder = Folder::new("table-exit");
    let table = table(&folder, "exit");
    let ann = join(&table);
    wait_for_turn(&ann, Turn::Person(Side::P1));
    for _ in 0..2 {
        play(&ann, "e5");
        let reason = wait(&ann, |event| match event {
            TableEvent::GameOver { record } => Some(record.reason),
            _ => None,
        });
        has(&reason, "Scripted");
        ask(&ann, TableCommand::Undo);
    }
    quit(&ann);
    table.join().expect("nothing failed");
}

#[test]
fn an_analysis_and_a_review_of_the_built_in_engine() {
    let folder = Folder::new("table-analysis");
    let table = open_table(&folder, spec(Program::Builtin), spec(Program::Builtin));
    let ann = join(&table);
    wait_for_turn(&ann, Turn::Person(Side::P1));
    let command = TableCommand::Analyse {
        node: None,
        lines: Some(3),
        seconds: None,
    };
    ask(&ann, command);
    let found = wait(&ann, |event| match event {
        TableEvent::Analysed(analysed) => {
            (analysed.found.lines.len() == 3).then_some(analysed.found)
        }
        _ => None,
    });
    let rules = linesman::GAMES.rules(&GameSpec::parse("susan").expect("a game"));
    let rules = rules.expect("options").expect("rules");
    for line in &found.lines {
        let mut board = rules.start();
        for code in &line.line {
            board.play(code).expect("a legal line");
        }
        assert_eq!(line.line.first(), Some(&line.code));
    }
    play(&ann, "e5");
    wait_for_turn(&ann, Turn::Person(Side::P1));
    ask(&ann, TableCommand::Review { seconds: 0.5 });
    let plies = wait_for_review(&ann);
    assert_eq!(plies, 2);
    quit(&ann);
    table.join().expect("nothing failed");
}

/// Number of moves that the review reports until it is finished.
fn wait_for_review(client: &TableClient) -> usize {
    let mut n_plies = 0;
    loop {
        let is_end = wait(client, |event| match event {
            TableEvent::Reviewed { ply, .. } => {
                assert!(ply.ply.before.is_some() && ply.ply.best.is_some());
                Some(false)
            }
            TableEvent::AnalysisEnded { what, end } => {
                assert_eq!((what, end), (StudyKind::Review, StudyEnd::Finished));
                Some(true)
            }
            _ => None,
        });
        if is_end {
            return n_plies;
        }
        n_plies += 1;
    }
}

#[test]
fn an_analysing_engine_that_dies_is_started_again_once() {
    let folder = Folder::new("table-analysis-exit");
    let table = open_table(&folder, spec(Program::Builtin), scripted("exit"));
    let ann = join(&table);
    wait_for_turn(&ann, Turn::Person(Side::P1));
    let command = TableCommand::Analyse {
        node: None,
        lines: None,
        seconds: None,
    };
    ask(&ann, command);
    let told = wait(&ann, |event| match event {
        TableEvent::Fault { text, .. } => Some(text),
        _ => None,
    });
    has(&told, "it was restarted");
    let why = wait(&ann, |event| match event {
        TableEvent::AnalysisEnded { end, .. } => Some(end.to_string()),
        _ => None,
    });
    has(&why, "exit");
    play(&ann, "e5");
    quit(&ann);
    table.join().expect("nothing failed");
}
