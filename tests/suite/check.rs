//! `linesman check`: sound engines pass, and each step finds its fault.

use std::io::Write;
use std::path::Path;

use check::STEPS;
use serde_json::Value;

use crate::support::{Done, Folder, begins, has, in_parallel, python};
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

/// The engine rejects a legal move. Without the first report each step would blame another answer.
#[test]
fn a_refused_position_is_reported_once() {
    let steps = ["rules-p1turn", "rules-gameover", "rules-moves"];
    let done = check(&format!(
        "cmd=UNSOUND arg=refuses susan --json --seed 1 --games 8 --only {}",
        steps.join(" --only ")
    ));
    assert_eq!(done.status, Some(1), "{:?}", done.stdout);
    let reports = reports(&done);
    assert_eq!(
        reports[0]["text"],
        "refuses \"position startpos moves a1\": a1: no such cell, nor b2"
    );
    assert_eq!(
        reports[0]["lines"].to_string(),
        r#"["ugi","position startpos moves a1"]"#
    );
    for later in &reports[1..] {
        let text = later["text"].as_str().expect("a text");
        assert!(["PASS", "SKIP"].contains(&later["verdict"].as_str().expect("a verdict")));
        assert!(
            text.ends_with("the engine refuses, as in rules-p1turn"),
            "{later}"
        );
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

/// A referee that knows the rules sends no query.
#[test]
fn queries_are_needed_without_rules_alone() {
    for (game, verdict) in [("susan", "WARN"), ("any", "FAIL")] {
        let done = check(&format!(
            "cmd=UNSOUND arg=no-queries {game} --json --only queries"
        ));
        assert_eq!(reports(&done)[0]["verdict"], verdict, "{:?}", done.stdout);
    }
}

#[test]
fn another_order_of_the_moves_is_no_failure() {
    let done =
        check("cmd=UNSOUND arg=rules-moves/2 susan --json --seed 1 --games 8 --only rules-moves");
    assert_eq!(done.status, Some(0), "{:?}", done.stdout);
    assert_eq!(reports(&done)[0]["verdict"], "WARN");
}

fn passes(game: &str) {
    let done = check(&format!("builtin {game} --json --seed 4 --games 4"));
    for report in reports(&done) {
        assert_eq!(report["verdict"], "PASS", "{game}: {report}");
    }
    assert_eq!(done.status, Some(0), "{game}: {}", done.stderr);
}

#[test]
fn graph_hockey_passes() {
    passes("graph-hockey");
}

#[test]
fn gobblet_passes() {
    passes("gobblet");
}

#[test]
fn susan_passes() {
    passes("susan");
}

#[test]
fn projex_passes() {
    passes("projex");
}

#[test]
fn entropy_passes() {
    passes("entropy");
}

#[test]
fn options_of_the_game_are_those_of_the_board() {
    let done = check(
        "gobblet:Size=4 builtin --json --seed 5 --games 4 --only uginewgame --only query-game --only rules-moves",
    );
    assert_eq!(done.status, Some(0), "{:?}", done.stdout);
    let reports = reports(&done);
    assert_eq!(reports.len(), 3);
    assert_eq!(reports[1]["text"], "gobblet Size=4");
}

#[test]
fn an_engine_for_one_board_is_tested_on_it() {
    for game in ["", "susan", "susan:Size=4"] {
        let done = check(&format!(
            "cmd=UNSOUND arg=one-board {game} --json --seed 5 --games 4 --only query-game --only rules-moves"
        ));
        assert_eq!(done.status, Some(0), "{:?}", done.stdout);
        assert!(
            done.stdout[0].contains(r#""board":"susan Size=4""#),
            "{game}"
        );
        let reports = reports(&done);
        assert_eq!(reports[0]["text"], "susan Size=4");
        assert!(reports.iter().all(|report| report["verdict"] == "PASS"));
    }
    let done = check("cmd=UNSOUND arg=one-board susan:Size=5");
    assert_eq!(done.status, Some(2));
    let names = done.stderr.starts_with("error: engine ") && done.stderr.contains("Size");
    assert!(names, "{}", done.stderr);
}

/// Number of options declared, and number of values set.
fn n_options(fault: &str) -> Vec<usize> {
    let done = check(&format!(
        "cmd=UNSOUND arg={fault} --json --only option-lines --only option-values"
    ));
    assert_eq!(done.status, Some(0), "{:?}", done.stdout);
    let number = |report: &Value| {
        let text = report["text"].as_str().expect("a text");
        let word = text.split(' ').next().unwrap_or_default();
        word.parse().expect("a number")
    };
    reports(&done).iter().map(number).collect()
}

#[test]
fn options_of_all_five_types_are_read_and_set() {
    let more = n_options("none").iter().map(|n| n + 2).collect::<Vec<_>>();
    assert_eq!(n_options("five-types"), more);
}

#[test]
fn without_a_game_the_engine_is_asked() {
    let done = check("cmd=UNSOUND --seed 7 --games 1 --only rules-fen");
    assert!(
        done.stdout[0].ends_with("rules of susan Size=5, seed 7"),
        "{:?}",
        done.stdout
    );
    done.shows(1, "PASS  rules-fen");
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("1 PASS, 0 FAIL, 0 WARN, 0 SKIP")
    );
    let done = check("cmd=UNSOUND any --only rules-fen");
    has(&done.stdout[0], "no rules");
    done.shows(1, "SKIP  rules-fen");
}

#[test]
fn the_dialect_uci_is_checked_too() {
    let done = check(
        "builtin susan proto=uci --json --only handshake --only clock --only uginewgame --only mate-distances --only queries",
    );
    let verdicts: Vec<String> = reports(&done)
        .iter()
        .map(|report| report["verdict"].to_string())
        .collect();
    assert_eq!(
        verdicts,
        ["\"PASS\"", "\"PASS\"", "\"SKIP\"", "\"PASS\"", "\"PASS\""],
        "{:?}",
        done.stdout
    );
}

#[test]
fn a_dead_engine_fails_its_step_and_the_next_goes_on() {
    for fault in ["die", "hang"] {
        let done = check(&format!(
            "cmd=UNSOUND arg={fault} susan --json --ping-ms 2000 --only isready --only depth --only stop --only queries"
        ));
        assert_eq!(done.status, Some(1));
        let verdicts: Vec<(String, String)> = reports(&done)
            .iter()
            .map(|report| (report["step"].to_string(), report["verdict"].to_string()))
            .collect();
        let row = |step: &str, verdict: &str| (format!("{step:?}"), format!("{verdict:?}"));
        assert_eq!(
            verdicts,
            [
                row("isready", "PASS"),
                row("queries", "PASS"),
                row("depth", "FAIL"),
                row("stop", "FAIL")
            ],
            "{fault}"
        );
    }
}

#[test]
fn what_does_not_shake_hands_is_told_once() {
    for (words, reason) in [
        ("cmd=./missing", "cannot be started"),
        ("cmd=true", "exited with status 0"),
        ("cmd=cat", "no ugiok in time"),
    ] {
        let done = check(&format!("{words} susan --startup-ms 300"));
        assert_eq!(done.status, Some(1), "{words}");
        let failed = done.lines("FAIL");
        assert_eq!(failed.len(), 1, "{:?}", done.stdout);
        has(&failed[0], "handshake");
        assert!(failed[0].contains(reason), "{failed:?}");
        done.shows(0, "PASS");
        let skipped = done.lines("SKIP");
        assert_eq!(skipped.len(), 1, "{:?}", done.stdout);
        assert!(skipped[0].ends_with("  the handshake failed"));
    }
}

#[test]
fn reports_are_written_as_junit() {
    let folder = Folder::new("check-junit");
    let words = "check builtin susan --only isready --only depth --only queries --junit out.xml";
    for _ in 0..2 {
        // The report of the second run replaces that of the first.
        folder.linesman(words).done();
        let xml = folder.read("out.xml");
        begins(
            &xml,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"linesman check\">",
        );
        assert_eq!(xml.matches("<testcase ").count(), 3, "{xml}");
    }
    std::fs::write(folder.path("mine.txt"), "mine").expect("it is written");
    folder
        .linesman("check builtin susan --only isready --junit mine.txt")
        .exits(1);
    assert_eq!(folder.read("mine.txt"), "mine");
    // Output of an engine cannot make the file malformed.
    let hostile = "check cmd=cat susan --startup-ms 300 --junit hostile.xml";
    folder.linesman(hostile).exits(1);
    let xml = folder.read("hostile.xml");
    has(
        &xml,
        "<failure message=\"no ugiok in time; it said &quot;ugi&quot;",
    );
    has(&xml, "<skipped message=");
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
fn a_failure_is_one_also_when_its_reader_has_gone() {
    for (program, status) in [("cat", 1), ("'LINESMAN' arg=engine arg=susan", 0)] {
        let folder = Folder::new(&format!("check-closed-{status}"));
        let words = format!("cmd={program} --startup-ms 3000 --only handshake --only isready");
        let line = format!("LINESMAN check {words} | true; exit ${{PIPESTATUS[0]}}");
        folder.shell(&line).exits(status);
    }
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

#[test]
fn bad_arguments_are_named() {
    for (words, named) in [
        ("cmd=x susan gobblet", "gobblet"),
        ("builtin", "GAME"),
        ("cmd=x chess", "chess"),
        ("susan", "cmd=PATH"),
        ("cmd=x susan --only everything", "standard-output"),
        ("cmd=x susan:Size=99", "Size"),
        ("cmd=x foo=1", "foo=1"),
        ("builtin susan option.Xyzzy=1", "Xyzzy"),
        ("builtin susan option.Size=4", "susan:Size=4"),
        ("cmd=UNSOUND option.size=4", "susan:size=4"),
        ("builtin any", "expected the game"),
    ] {
        let done = check(words);
        assert_eq!(done.status, Some(2), "{words}");
        has(&done.stderr, named);
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
