//! The fault table: faults of engines and their consequences.
//!
//! The scripted engine commits each fault against an engine without faults. The match must continue, the result must be
//! right, a loss on time must not wait for other timeouts, and the referee must use little memory.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Folder, Run, SCRIPTED, begins, has, in_parallel, peak_memory};

/// The consequence of a fault.
enum Cost {
    /// Loses the game at once; the reason contains these words.
    Game(&'static str),
    /// Loses the game when the clock has run out.
    Clock,
    /// No consequence.
    Nothing,
}

use Cost::{Clock, Game, Nothing};

/// The time per move where the clock must run out; elsewhere it is so long that even a busy machine does not reach it.
const CLOCK: Duration = Duration::from_millis(250);
const AMPLE: Duration = Duration::from_secs(60);

const TABLE: &[(&str, Cost)] = &[
    ("exit", Game("exited with status 3 before sending bestmove")),
    (
        "exit-after at=2",
        Game("exited with status 5 before sending bestmove"),
    ),
    ("exit-after at=4", Nothing),
    ("crash", Game("was killed by signal 6")),
    ("kill", Game("was killed by signal 9")),
    ("silent-go", Clock),
    ("illegal", Game("made an illegal move: z9: ")),
    ("rejects", Game("; it rejects \"position startpos moves")),
    ("occupied at=2", Game("made an illegal move: ")),
    ("garbled", Game("made an illegal move: ")),
    ("empty", Game("sent no readable move: bestmove")),
    ("doubled", Game("unasked move: bestmove ")),
    ("unasked", Game("unasked move: bestmove a1")),
    ("early", Game("unasked move: bestmove ")),
    ("endless-line", Clock),
    ("endless-line-then-move", Nothing),
    ("flood", Clock),
    ("flood-then-move", Nothing),
    ("stderr", Nothing),
    ("late", Clock),
    ("half-line", Clock),
    ("nul", Nothing),
    ("crlf", Nothing),
    ("utf8", Nothing),
    (
        "grandchild",
        Game("exited with status 6 before sending bestmove"),
    ),
    (
        "closed-stdout",
        Game("closed its output before sending bestmove"),
    ),
    ("unread", Clock),
    ("silent-quit", Nothing),
    ("sigterm", Nothing),
];

/// Starts a match against an engine with this fault, in which each engine has `clock` a move.
fn start(folder: &Folder, fault: &str, clock: Duration, ping_ms: u32) -> Run {
    let args: Vec<String> = fault.split(' ').map(|word| format!("arg={word}")).collect();
    folder.linesman(&format!(
        "match susan --engine cmd=SCRIPTED name=Bad {} --engine cmd=SCRIPTED name=Good --games 2 --openings none \
         --each st={} --ping-ms {ping_ms} --json --ledger l",
        args.join(" "),
        clock.as_secs_f64()
    ))
}

/// Waits for the end of the first game and returns its event.
fn first_game(run: &Run) -> Value {
    let line = run.until("\"event\":\"game-over\"");
    serde_json::from_str(&line).expect("an event")
}

#[test]
fn no_fault_stops_a_match() {
    in_parallel(TABLE, |(fault, cost)| {
        let folder = Folder::new(&fault.replace(' ', "-"));
        let clock = if matches!(cost, Clock) { CLOCK } else { AMPLE };
        let run = start(&folder, fault, clock, 1000);
        first_game(&run);
        let memory = peak_memory(run.pid()).unwrap_or_default();
        run.exits(0);
        let games = folder.games("l");
        assert_eq!(games.len(), 2, "{fault}");
        for (game, lost) in games.iter().zip(["0-1", "1-0"]) {
            check_verdict(fault, cost, game, lost);
        }
        assert!(memory < 50.0, "{fault}: {memory} MiB");
    });
}

/// All other timeouts are much longer than the time in which the test must see the end of the game.
#[test]
fn a_loss_on_time_waits_for_no_other_timeout() {
    let mut faults = Vec::from_iter(TABLE);
    faults.retain(|(_, cost)| matches!(cost, Clock));
    in_parallel(&faults, |(fault, _)| {
        let folder = Folder::new(&format!("clock-{fault}"));
        let run = start(&folder, fault, CLOCK, 600_000);
        assert_eq!(first_game(&run)["termination"], "time forfeit", "{fault}");
        run.signal(Signal::TERM);
        run.done();
    });
}

fn check_verdict(fault: &str, cost: &Cost, game: &Value, lost: &str) {
    let (reason, ending) = (&game["reason"], &game["termination"]);
    let words = match cost {
        Nothing => {
            assert_eq!(ending, "normal", "{fault}: {reason}");
            return assert!(game.get("fault").is_none(), "{fault}");
        }
        Clock => {
            assert_eq!(ending, "time forfeit", "{fault}: {reason}");
            "Bad loses on time: "
        }
        Game(words) => words,
    };
    assert_eq!(game["result"], lost, "{fault}: {reason}");
    begins(reason.as_str().expect("a reason"), "Bad ");
    has(reason, words);
    let report = &game["fault"];
    assert_eq!(report["engine"], "Bad", "{fault}");
    has(&report["position"], "position startpos");
    assert!(
        report["lines"]
            .as_array()
            .is_some_and(|lines| !lines.is_empty()),
        "{fault}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_cap_of_memory_is_named_where_an_engine_dies_of_it() {
    let folder = Folder::new("memory");
    // The engine's own limit wins over that of the flag.
    for (own, flag, of_plan, ledger) in [
        ("", "--memory 200", Value::from(200), "l"),
        ("memory=200", "--memory 4000", Value::from(4000), "own"),
        ("memory=200", "", Value::Null, "alone"),
    ] {
        let words = format!(
            "match susan --engine cmd=SCRIPTED arg=hungry name=Bad {own} --engine cmd=SCRIPTED name=Good --games 1 \
             --openings none --each st=60 {flag} --ledger {ledger}"
        );
        folder.linesman(&words).exits(0);
        let (plan, games) = folder.ledger(ledger);
        assert_eq!(plan["plan"]["memory"], of_plan);
        let reason = games[0]["reason"].as_str().expect("a reason");
        let cap = "before sending bestmove; its limit of memory is 200 MiB";
        assert!(
            reason.starts_with("Bad ") && reason.ends_with(cap),
            "{reason}"
        );
    }
}

/// Each command that starts an engine takes its own timeouts.
#[test]
fn an_engine_has_timeouts_of_its_own() {
    let folder = Folder::new("own-timeouts");
    folder.copy_data("old-match.jsonl");
    let mute = "cmd=SCRIPTED arg=silent-handshake startup-ms=200";
    let lines = [
        format!("match susan --engine {mute} --startup-ms 600000 --ledger l"),
        format!("play susan --p2 '{mute}'"),
        format!("check {mute} --startup-ms 600000 --only handshake"),
        format!("check {mute} --against builtin susan --startup-ms 600000"),
        "engines --engines file --startup-ms 600000".to_owned(),
        format!("analyse old-match.jsonl --engine {mute} --startup-ms 600000"),
    ];
    let file = format!(
        "[[engine]]\nname = 'A'\ncmd = '{SCRIPTED}'\nargs = 'silent-handshake'\nstartup-ms = 200\n"
    );
    folder.write("file", file);
    in_parallel(&lines, |line| {
        has(&folder.linesman(line).exits(1).said(), "ugiok");
    });
    let plan = "match susan --engine builtin memory=900 search-timeout-ms=70 ping-ms=60 --dry-run --save-plan plan";
    folder.linesman(plan).exits(0);
    has(
        &folder.read("plan"),
        "memory=900 ping-ms=60 search-timeout-ms=70",
    );
    folder.linesman("match --plan plan --dry-run").exits(0);
}
