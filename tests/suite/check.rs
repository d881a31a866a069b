//! `linesman check`: sound engines pass, and each step finds its fault.

use std::path::Path;

use check::STEPS;
use serde_json::Value;

use crate::support::{Done, Folder, MUTANT, has, in_parallel, lacks, python};
use crate::templates::{BY_HAND, template};

/// The fault of this step costs no game, so it is only a warning.
const WARNING: &str = "lines-after-stop";

/// The second faults of a step. The first one has the name of its step.
const MORE_FAULTS: [&str; 4] = [
    "bad-position/2",
    "bad-position/3",
    "end-of-input/2",
    "200-games/2",
];

fn check(words: &str) -> Done {
    Folder::new("check")
        .linesman(&format!("check {words}"))
        .done()
}

fn reports(done: &Done) -> Vec<Value> {
    let mut values = done.events();
    values.retain(|value| value["step"].is_string());
    values
}

/// Runs one step against an engine with a fault. Faults that silence it take the time of `--ping-ms` to be found.
fn commit(game: &str, fault: &str, step: &str) -> (Done, Value) {
    let done = check(&format!(
        "cmd={MUTANT} arg={game} arg={fault} {game} --json --seed 1 --games 8 --ping-ms 3000 --only {step}"
    ));
    let report = reports(&done).pop();
    let report = report.unwrap_or_else(|| panic!("{fault}: {}", done.stderr));
    (done, report)
}

/// A step without a fault of its name finds nothing, and fails this test.
#[test]
fn each_step_finds_its_fault() {
    let of_steps = STEPS.iter().map(|step| step.name);
    let faults: Vec<&str> = of_steps.chain(MORE_FAULTS).collect();
    let missed = in_parallel(&faults, |fault| {
        let step = fault.split('/').next().unwrap_or_default();
        let (done, report) = commit("susan", fault, step);
        let (status, verdict) = match step == WARNING {
            true => (0, "WARN"),
            false => (1, "FAIL"),
        };
        let is_found = done.status == Some(status)
            && report["step"] == step
            && report["verdict"] == verdict
            && report["text"] != ""
            && report["lines"][0] == "ugi";
        (!is_found).then(|| format!("{fault}: {report}"))
    });
    let missed: Vec<String> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The text of the failed step and the lines that reproduce its fault.
fn failure(game: &str, fault: &str, step: &str) -> (String, Vec<String>) {
    commit(game, fault, step).0.failed_step()
}

/// `true` if a text is this pattern, in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => text.starts_with(start) && text.ends_with(end),
        None => text == pattern,
    }
}

/// The lines to reproduce a fault are those needed in a fresh process, and no others. `POSITION` in a text is the second line.
#[test]
fn a_fault_is_shown_by_few_lines() {
    let forty = format!("ugi{}", " / go depth 1".repeat(40));
    let cases = [
        (
            "susan",
            "movetime",
            "movetime",
            "*it would lose on time",
            "ugi / position startpos moves * / go movetime 100",
        ),
        (
            "susan",
            "die",
            "depth",
            "exited with status 3 before sending bestmove after POSITION, go depth 1",
            "ugi / position startpos moves * / go depth 1",
        ),
        (
            "susan",
            "hang",
            "depth",
            "no bestmove in time after POSITION, go depth 1",
            "ugi / position startpos moves * / go depth 1",
        ),
        (
            "susan",
            "isready-in-search",
            "isready-in-search",
            "no readyok in time after go infinite",
            "ugi / go infinite / isready",
        ),
        (
            "susan",
            "query-then-isready",
            "query-then-isready",
            "readyok came before the answer to query *",
            "ugi / position startpos* / query * / isready",
        ),
        // It is blamed on no rule.
        (
            "susan",
            "query-then-isready",
            "rules-moves",
            "readyok came before the answer to query *",
            "ugi / position startpos* / query * / isready",
        ),
        // Moves that do not matter are replaced by a position string.
        (
            "susan",
            "late-turn",
            "rules-p1turn",
            "POSITION*",
            "ugi / position fen * / query p1turn",
        ),
        (
            "susan",
            "rules-p1turn",
            "rules-p1turn",
            "*: it answers \"true\", the rules \"false\"",
            "ugi / position startpos moves a1 / query p1turn",
        ),
        (
            "susan",
            "position-in-part",
            "bad-position",
            "*",
            "ugi / position * / position * / query *",
        ),
        ("gobblet", "illegal-40th", "long-games", "*", &forty),
        (
            "gobblet",
            "dies-after-60-plies",
            "long-games",
            "*",
            "ugi / position startpos moves * / go depth 1",
        ),
        // Four of the five games before the last line are left out of it.
        (
            "susan",
            "200-games",
            "200-games",
            "*",
            "ugi / uginewgame / * / (... the same game * times ...)",
        ),
    ];
    in_parallel(&cases, |(game, fault, step, told, expected)| {
        let (text, lines) = failure(game, fault, step);
        let shown = format!("{fault}: {text} {lines:#?}");
        assert!(fits(&told.replace("POSITION", &lines[1]), &text), "{shown}");
        lacks(
            &lines[1],
            if *fault == "late-turn" {
                " moves "
            } else {
                "\n"
            },
        );
        let mut expected: Vec<&str> = expected.split(" / ").collect();
        if let Some(at) = expected
            .iter()
            .position(|pattern| *pattern == "*" || *pattern == "query *")
        {
            // One or several lines.
            let pattern = expected[at];
            expected.splice(at..=at, vec![pattern; 1 + lines.len() - expected.len()]);
        }
        assert_eq!(lines.len(), expected.len(), "{shown}");
        let pairs = lines.iter().zip(expected);
        assert!(
            pairs.into_iter().all(|(line, pattern)| fits(pattern, line)),
            "{shown}"
        );
        match *fault {
            "dies-after-60-plies" => assert_eq!(lines[1].split(' ').count(), 3 + 61, "{shown}"),
            "200-games" => {
                let n_searches = lines.iter().filter(|line| *line == "go depth 1").count();
                assert_eq!(n_searches, 5, "{shown}");
            }
            _ => {}
        }
    });
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

/// The engine of the faults passes without one, too.
#[test]
fn each_game_passes() {
    let own = format!("cmd={MUTANT} arg=susan susan");
    let engines = [
        "builtin graph-hockey",
        "builtin gobblet",
        "builtin projex",
        "builtin entropy",
        &own,
    ];
    in_parallel(&engines, |engine| {
        let done = check(&format!("{engine} --json --seed 4 --games 4"));
        assert_eq!(done.status, Some(0), "{engine}: {}", done.stderr);
        let reports = reports(&done);
        assert_eq!(reports.len(), STEPS.len());
        for report in reports {
            assert_eq!(report["verdict"], "PASS", "{engine}: {report}");
        }
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
    folder.write("spoilt.py", spoilt);
    let game = Path::new(&source).with_file_name("game.py");
    std::fs::copy(game, folder.path("game.py")).expect("a copy");
    Some(format!(
        "cmd={program} arg={}",
        folder.path("spoilt.py").display()
    ))
}

#[test]
fn without_rules_a_move_is_held_against_the_moves_that_the_engine_lists() {
    let folder = Folder::new("check-illegal");
    let words = or_skip!(illegal_sticks(&folder));
    let steps =
        "--only depth --only nodes --only movetime --only clock --only stop --only end-in-search";
    let done = check(&format!("any {words} --json {steps}"));
    assert_eq!(done.status, Some(1));
    let failed = done.failed_steps();
    assert_eq!(failed.len(), 6, "{:?}", done.stdout);
    for report in failed {
        has(&report["text"], "9: its query moves answers \"1 2 3\"");
    }
}

/// The engine of the guide, and the arguments that check it; it has neither `query moves` nor `go perft`.
fn forty_lines(folder: &Folder) -> Option<String> {
    let program = python()?;
    let page = include_str!("../../spec/check.md");
    let engine = page
        .split("```")
        .find_map(|block| block.strip_prefix("python\n"));
    folder.write("mine.py", engine.expect("an engine"));
    Some(format!(
        "cmd={program} arg={}",
        folder.path("mine.py").display()
    ))
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
    has(&bad_go["text"], "a search on \"go depth\"");
    assert_eq!(perft["verdict"], "WARN", "{perft}");
    has(&perft["text"], "starts a search");
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
    folder.write_program("hostile", script);
    let done = folder
        .shell("LC_ALL=C.UTF-8 LINESMAN check cmd=./hostile susan --only handshake --only isready")
        .done();
    let shown = done.said();
    has(&shown, "?[2J");
    has(&shown, "?gnp.exe");
    let is_raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{2069}').contains(&c);
    assert!(!shown.contains(is_raw), "{shown:?}");
    assert!(shown.len() < 10_000, "{} bytes", shown.len());
}
