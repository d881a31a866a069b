//! `linesman check`: sound engines pass, and each step finds its fault.

use std::path::Path;

use check::{STEPS, Step};
use laws::testing::full;
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

/// Steps share a process, but a fault must show in a new one, and the next step does not notice it.
#[test]
fn a_fault_stays_in_its_step() {
    let done = check(&format!(
        "cmd={MUTANT} arg=susan arg=searchmoves susan --json --seed 1 --only depth --only searchmoves --only two-words"
    ));
    let reports = reports(&done);
    let verdicts = reports.iter().map(|report| &report["verdict"]);
    assert_eq!(Vec::from_iter(verdicts), ["PASS", "FAIL", "PASS"]);
    let (_, alone) = commit("susan", "searchmoves", "searchmoves");
    for field in ["text", "lines"] {
        assert_eq!(reports[1][field], alone[field]);
    }
}

/// The text of the failed step and the lines that reproduce its fault.
fn failure(game: &str, fault: &str, step: &str) -> (String, Vec<String>) {
    commit(game, fault, step).0.failed_step()
}

/// `true` if a text is this pattern, in which `*` matches any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => text.starts_with(start) && text.ends_with(end),
        None => text == pattern,
    }
}

/// Game, fault and step; the text of the failed step, in which `POSITION` is the second line; and its lines, of which `*` and
/// `query *` alone stand for one or several. The fourth one is blamed on no rule; in the one after it, moves that do not
/// matter are replaced by a position string.
const SHOWN: &str = "\
susan movetime movetime | *it would lose on time | ugi / position startpos moves * / go movetime 100
susan die depth | exited with status 3 before sending bestmove after POSITION, go depth 1 | ugi / position startpos moves * / go depth 1
susan hang depth | no bestmove in time after POSITION, go depth 1 | ugi / position startpos moves * / go depth 1
susan query-then-isready rules-moves | readyok came before the answer to query * | ugi / position startpos* / query * / isready
susan late-turn rules-p1turn | POSITION* | ugi / position fen * / query p1turn
susan query-then-isready query-then-isready | readyok came before the answer to query * | ugi / position startpos* / query * / isready
susan isready-in-search isready-in-search | no readyok in time after go infinite | ugi / go infinite / isready
susan rules-p1turn rules-p1turn | *: it answers \"true\", the rules \"false\" | ugi / position startpos moves a1 / query p1turn
susan position-in-part bad-position | * | ugi / position * / position * / query *
gobblet illegal-40th long-games | * | ugi / go depth 1 / * / go depth 1
gobblet dies-after-60-plies long-games | * | ugi / position startpos moves * / go depth 1
susan 200-games 200-games | * | ugi / uginewgame / * / (... the same game * times ...)";

/// The lines to reproduce a fault are those needed in a fresh process, and no others.
#[test]
fn a_fault_is_shown_by_few_lines() {
    let cases: Vec<&str> = SHOWN.lines().collect();
    in_parallel(&cases, |case| {
        let fields: Vec<&str> = case
            .split([' ', '|'])
            .filter(|word| !word.is_empty())
            .collect();
        let [game, fault, step] = [fields[0], fields[1], fields[2]];
        let mut parts = case.split(" | ").skip(1);
        let mut part = || parts.next().expect("three parts");
        let (told, expected) = (part(), part());
        let (text, lines) = failure(game, fault, step);
        let shown = format!("{case}: {text} {lines:#?}");
        assert!(fits(&told.replace("POSITION", &lines[1]), &text), "{shown}");
        let mut expected: Vec<&str> = expected.split(" / ").collect();
        let is_more = |pattern: &&str| ["*", "query *"].contains(pattern);
        if let Some(at) = expected.iter().position(is_more) {
            let n_more = (lines.len() + 1).saturating_sub(expected.len());
            expected.splice(at..=at, vec![expected[at]; n_more]);
        }
        assert_eq!(lines.len(), expected.len(), "{shown}");
        let mut pairs = lines.iter().zip(expected);
        assert!(pairs.all(|(line, pattern)| fits(pattern, line)), "{shown}");
        let n_searches = lines.iter().filter(|line| *line == "go depth 1").count();
        match fault {
            "late-turn" => lacks(&lines[1], " moves "),
            "dies-after-60-plies" => assert_eq!(lines[1].split(' ').count(), 3 + 61, "{shown}"),
            "illegal-40th" => assert_eq!(n_searches, 40, "{shown}"),
            "200-games" => assert_eq!(n_searches, 5, "{shown}"),
            _ => {}
        }
    });
}

/// Steps that depend on the rules of a game, in addition to those whose names begin with `rules-`.
const OF_RULES: &str = "position-forms bad-position position-string listed-moves query-game perft display depth searchmoves \
    finished-game mate variations multipv mate-distances long-games";

/// SUSAN passes all steps, Projex, which has a separate search, all but the longest, and the other games those that depend
/// on their rules; with `LINESMAN_TEST_FULL` each passes all. The engine of the faults passes without one.
#[test]
fn each_game_passes() {
    let is_of_rules = |step: &&Step| {
        step.name.starts_with("rules-") || OF_RULES.split(' ').any(|name| name == step.name)
    };
    let of_rules: Vec<&Step> = STEPS.iter().filter(is_of_rules).collect();
    let all: Vec<&Step> = STEPS.iter().collect();
    let short = all.iter().copied().filter(|step| step.name != "200-games");
    let short: Vec<&Step> = short.collect();
    let own = format!("cmd={MUTANT} arg=susan susan");
    let engines = [
        ("builtin projex", &short),
        (own.as_str(), &all),
        ("builtin graph-hockey", &of_rules),
        ("builtin gobblet", &of_rules),
        ("builtin entropy", &of_rules),
    ];
    in_parallel(&engines, |(engine, steps)| {
        let steps = if full() { &all } else { *steps };
        let done = check(&format!(
            "{engine} --json --seed 4 --games 4 --ping-ms 60000 {}",
            only(steps)
        ));
        assert_eq!(done.status, Some(0), "{engine}: {done:#?}");
        let reports = reports(&done);
        assert_eq!(reports.len(), steps.len());
        for report in reports {
            assert_eq!(report["verdict"], "PASS", "{engine}: {report}");
        }
    });
}

/// The words that choose these steps.
fn only(steps: &[&Step]) -> String {
    let words = steps.iter().map(|step| format!("--only {} ", step.name));
    words.collect()
}

/// Interpreters take long to start, and some steps need a new process: without `LINESMAN_TEST_FULL` each of these passes
/// every third step.
const SLOW_TO_START: [&str; 2] = ["python", "javascript"];

/// The templates have no `go perft`, only their own options, and a game that is not in the catalogue.
#[test]
fn the_templates_pass_but_for_what_they_do_not_know() {
    const UNKNOWN: [&str; 3] = ["rules-moves", "multipv", "perft"];
    in_parallel(&BY_HAND, |language| {
        let command = or_skip!(template(language));
        let words = command[1..].iter().map(|arg| format!("arg={arg} "));
        let words: String = words.collect();
        let slow = SLOW_TO_START.iter().position(|slow| slow == language);
        let steps: Vec<&Step> = match slow.filter(|_| !full()) {
            Some(first) => STEPS.iter().skip(first).step_by(3).collect(),
            None => STEPS.iter().collect(),
        };
        let done = check(&format!(
            "cmd={} {words} --json --ping-ms 60000 {}",
            command[0],
            only(&steps)
        ));
        let reports = reports(&done);
        assert_eq!(reports.len(), steps.len(), "{language}: {}", done.stderr);
        for report in &reports {
            let is_skipped = report["verdict"] == "SKIP";
            assert!(
                is_skipped || report["verdict"] == "PASS",
                "{language}: {report}"
            );
            let is_unknown = UNKNOWN.iter().any(|step| report["step"] == *step);
            assert!(is_skipped || !is_unknown, "{language}: {report}");
        }
        let n_passed = reports
            .iter()
            .filter(|report| report["verdict"] == "PASS")
            .count();
        assert!(n_passed > steps.len() / 2, "{language}: {reports:?}");
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
