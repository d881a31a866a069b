//! `linesman check`: sound engines pass, and each step finds its fault.

use std::io::Write;
use std::path::Path;

use check::STEPS;
use serde_json::Value;

use crate::support::{Done, Folder, has, in_parallel, python};
use crate::templates::{BY_HAND, template};

const UNSOUND: &str = env!("CARGO_BIN_EXE_unsound-engine");

/// The faults, named after the step that must find them.
const FAULTS: &[&str] = &[
    "handshake",
    "second-handshake",
    "option-lines",
    "option-values",
    "bad-options",
    "unknown-words",
    "isready",
    "isready-in-search",
    "query-then-isready",
    "uginewgame",
    "stop-at-rest",
    "position-forms",
    "bad-position",
    "bad-position/2",
    "bad-position/3",
    "queries",
    "listed-moves",
    "position-string",
    "query-game",
    "perft",
    "display",
    "depth",
    "nodes",
    "movetime",
    "clock",
    "clock-of-player-2",
    "tight-limits",
    "combined-limits",
    "one-answer",
    "searchmoves",
    "bad-go",
    "finished-game",
    "mate",
    "stop",
    "infinite",
    "commands-in-search",
    "ponder",
    "two-words",
    "final-info",
    "variations",
    "multipv",
    "mate-distances",
    "cr-lf",
    "long-lines",
    "garbage",
    "quit",
    "quit-in-search",
    "end-of-input",
    "end-of-input/2",
    "end-in-search",
    "200-games",
    "200-games/2",
    "long-games",
    "rules-positions",
    "rules-places",
    "rules-p1turn",
    "rules-gameover",
    "rules-result",
    "rules-moves",
    "rules-fen",
    "rules-perft",
    "standard-output",
];

/// Faults that are only warnings of their step.
const WARNINGS: &[&str] = &["lines-after-stop"];

/// Timeout of an answer. Faults that silence an engine take this long to be found.
const PING_MS: u64 = 3000;

fn check(words: &str) -> Done {
    let folder = Folder::new(
        &words
            .replace([' ', '/', '='], "-")
            .chars()
            .take(40)
            .collect::<String>(),
    );
    folder
        .linesman(&format!("check {}", words.replace("UNSOUND", UNSOUND)))
        .done()
}

fn reports(done: &Done) -> Vec<Value> {
    let lines = done.stdout.iter();
    let values = lines.map(|line| serde_json::from_str::<Value>(line).expect("a JSON line"));
    values.filter(|value| value["step"].is_string()).collect()
}

/// The step of a fault: its name without the number of a second one.
fn step_of(fault: &str) -> &str {
    fault.split('/').next().unwrap_or_default()
}

/// Runs one step against an engine with a fault.
fn commit(fault: &str, step: &str) -> (Done, Value) {
    let done = check(&format!(
        "cmd=UNSOUND arg={fault} susan --json --seed 1 --games 8 --ping-ms {PING_MS} --only {step}"
    ));
    let report = reports(&done)
        .pop()
        .unwrap_or_else(|| panic!("{fault}: {}", done.stderr));
    (done, report)
}

/// `true` if the step fails on its fault and reports lines that reproduce it.
fn is_found(fault: &str) -> bool {
    let step = step_of(fault);
    let (done, report) = commit(fault, step);
    let is_found = done.status == Some(1)
        && report["step"] == step
        && report["verdict"] == "FAIL"
        && report["text"] != ""
        && report["lines"][0] == "ugi";
    if !is_found {
        let _ = writeln!(std::io::stdout(), "{fault}: {report}");
    }
    is_found
}

#[test]
fn each_step_finds_its_fault() {
    let found = in_parallel(FAULTS, |fault| is_found(fault));
    let missed: Vec<&str> = FAULTS
        .iter()
        .zip(found)
        .filter_map(|(fault, is_found)| (!is_found).then_some(*fault))
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_leaves_its_session_does_not_outlive_the_check() {
    let folder = Folder::new("setsid");
    // A number that is on no other process's command line.
    let seconds = format!("98765.{}", std::process::id());
    let engine = format!("arg=setsid sleep {seconds} & exec SCRIPTED");
    let line = format!("LINESMAN check cmd=sh arg=-c '{engine}' susan --only handshake");
    let done = folder.shell(&line).done();
    done.shows(1, "PASS  handshake");
    let found = std::process::Command::new("pgrep")
        .args(["-f", &format!("sleep {seconds}")])
        .output()
        .expect("pgrep is everywhere");
    assert!(found.stdout.is_empty(), "it still sleeps");
}

#[test]
fn no_step_is_without_a_fault() {
    let done = check("cmd=UNSOUND susan --json --seed 3 --games 8");
    assert_eq!(done.status, Some(0), "{:?}", done.stdout);
    for report in reports(&done) {
        let step = report["step"].as_str().expect("a name");
        assert!(FAULTS.contains(&step) || WARNINGS.contains(&step), "{step}");
        assert_eq!(report["verdict"], "PASS", "{report}");
    }
}

#[test]
fn a_difference_is_shrunk_to_the_move_that_shows_it() {
    let (_, report) = commit("rules-p1turn", "rules-p1turn");
    let lines: Vec<&str> = report["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(lines, ["ugi", "position startpos moves a1", "query p1turn"]);
    let text = report["text"].as_str().expect("a text");
    has(&text, "it answers \"true\", the rules \"false\"");
    let (_, again) = commit("rules-p1turn", "rules-p1turn");
    assert_eq!(report["lines"], again["lines"]);
}

#[test]
fn faults_that_cost_no_game_are_warned_of() {
    for fault in WARNINGS {
        let (done, report) = commit(fault, fault);
        assert_eq!(done.status, Some(0), "{fault}: {report}");
        assert_eq!(report["verdict"], "WARN", "{fault}: {report}");
        assert_eq!(report["lines"][0], "ugi", "{fault}: {report}");
    }
}

#[test]
fn each_game_passes() {
    let games = ["graph-hockey", "gobblet", "susan", "projex", "entropy"];
    in_parallel(&games, |game| {
        let done = check(&format!("builtin {game} --json --seed 4 --games 4"));
        for report in reports(&done) {
            assert_eq!(report["verdict"], "PASS", "{game}: {report}");
        }
        assert_eq!(done.status, Some(0), "{game}: {}", done.stderr);
    });
}

/// The templates have no `go perft`, only their own options, and a game that is not in the catalogue.
#[test]
fn the_templates_pass_but_for_what_they_do_not_know() {
    in_parallel(&BY_HAND, |language| {
        let command = or_skip!(template(language));
        let words: Vec<String> = command[1..]
            .iter()
            .map(|arg| format!("arg={arg}"))
            .collect();
        let done = check(&format!("cmd={} {} --json", command[0], words.join(" ")));
        let (mut n_passed, reports) = (0, reports(&done));
        for report in &reports {
            let verdict = report["verdict"].as_str().expect("a verdict");
            assert!(["PASS", "SKIP"].contains(&verdict), "{language}: {report}");
            n_passed += usize::from(verdict == "PASS");
        }
        let is_skipped = |step: &str| {
            let report = reports.iter().find(|report| report["step"] == step);
            report.is_some_and(|report| report["verdict"] == "SKIP")
        };
        assert!(is_skipped("rules-moves") && is_skipped("multipv") && is_skipped("perft"));
        assert!(n_passed > STEPS.len() / 2, "{language}: {reports:?}");
    });
}

/// The Python template with an illegal move, and the arguments that check it.
fn illegal_sticks(folder: &Folder) -> Option<String> {
    let [program, source] = template("python")?.try_into().ok()?;
    let text = std::fs::read_to_string(&source).expect("the template");
    let spoilt = text.replace("bestmove {move}", "bestmove 9");
    assert_ne!(spoilt, text);
    let path = folder.path("spoilt.py");
    std::fs::write(&path, spoilt).expect("it is written");
    let game = Path::new(&source).with_file_name("game.py");
    std::fs::copy(game, folder.path("game.py")).expect("a copy");
    Some(format!("cmd={program} arg={}", path.display()))
}

#[test]
fn without_rules_a_move_is_held_against_the_moves_that_the_engine_lists() {
    let folder = Folder::new("check-illegal");
    let words = or_skip!(illegal_sticks(&folder));
    let steps = [
        "depth",
        "nodes",
        "movetime",
        "clock",
        "stop",
        "end-in-search",
    ];
    let done = check(&format!(
        "any {words} --json --only {}",
        steps.join(" --only ")
    ));
    assert_eq!(done.status, Some(1));
    let reports = reports(&done);
    assert_eq!(reports.len(), steps.len());
    for report in reports {
        let text = report["text"].as_str().expect("a text");
        assert_eq!(report["verdict"], "FAIL", "{report}");
        has(&text, "9: its query moves answers \"1 2 3\"");
    }
}

/// The engine of the guide, and the arguments that check it; it has neither `query moves` nor `go perft`.
fn forty_lines(folder: &Folder) -> Option<String> {
    let program = python()?;
    let page = include_str!("../../spec/check.md");
    let engine = page
        .split("```")
        .find_map(|block| block.strip_prefix("python\n"));
    let path = folder.path("mine.py");
    std::fs::write(&path, engine.expect("an engine")).expect("it is written");
    Some(format!("cmd={program} arg={}", path.display()))
}

#[test]
fn what_little_an_engine_knows_is_not_taken_for_sound() {
    let folder = Folder::new("check-forty-lines");
    let words = or_skip!(forty_lines(&folder));
    let done = check(&format!(
        "{words} --json --only searchmoves --only perft --only bad-go"
    ));
    let reports = reports(&done);
    let [perft, moves, bad_go] = reports.as_slice() else {
        panic!("{reports:?}");
    };
    assert_eq!(moves["verdict"], "SKIP", "{moves}");
    assert_eq!(moves["text"], "no second legal move is known");
    let text = bad_go["text"].as_str().expect("a text");
    has(&text, "a search on \"go depth\"");
    assert_eq!(perft["verdict"], "WARN", "{perft}");
    has(&perft["text"].to_string(), "starts a search");
}

#[test]
fn the_page_lists_the_steps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect(name);
    let (page, protocol) = (read("check.md"), read("protocol.md"));
    let listed: Vec<(&str, &str)> = page
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            let name = cells.next()?.trim_end_matches('`');
            cells.next().map(|clause| (name, clause))
        })
        .filter(|(_, clause)| clause.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let steps: Vec<(&str, &str)> = STEPS.iter().map(|step| (step.name, step.clause)).collect();
    assert_eq!(listed, steps);
    for (_, clause) in steps {
        assert!(protocol.contains(&format!("\n{clause} ")), "{clause}");
    }
}

/// The hostile name clears the screen, sets a title, contains right-to-left text and is a megabyte long.
#[test]
fn a_hostile_name_does_not_reach_the_terminal_raw() {
    let folder = Folder::new("check-hostile");
    let script = "#!/usr/bin/env bash\n\
        long=$(head -c 1000000 /dev/zero | tr '\\0' x)\n\
        while read -r line; do\n\
          case $line in\n\
            ugi) printf 'id name \\033[2J\\033]0;owned\\007\\u202egnp.exe %s\\nid author \\033[31m\\u2066me\\nugiok\\n' \"$long\" ;;\n\
            isready) echo readyok ;;\n\
            quit) exit ;;\n\
          esac\n\
        done\n";
    std::fs::write(folder.path("hostile"), script).expect("a folder");
    let done = folder
        .shell("chmod +x hostile; LC_ALL=C.UTF-8 LINESMAN check cmd=./hostile susan --only handshake --only isready")
        .done();
    let shown = done.stdout.join("\n") + &done.stderr;
    has(&shown, "?[2J");
    has(&shown, "?gnp.exe");
    let is_raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{2069}').contains(&c);
    assert!(!shown.contains(is_raw), "{shown:?}");
    assert!(shown.len() < 10_000, "{} bytes", shown.len());
}
