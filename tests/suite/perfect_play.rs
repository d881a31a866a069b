//! `linesman-lab table`, and the built-in engine with a table, as a user runs them.

use std::fs;

use laws::testing::full;

use crate::support::{Done, Folder, begins, has, lacks};

/// The smallest table: the first slide draws. It takes long to build, so only the full suite builds it.
const GAME: &str = "susan:Size=3 --option SlideLimit=1";
const FILE: &str = "data/linesman/tables/susan-Size=3-SlideLimit=1.table";

/// Runs a line with the data directory inside the folder.
fn run(folder: &Folder, line: &str) -> Done {
    folder
        .shell(&format!("export XDG_DATA_HOME=\"$PWD/data\"; {line}"))
        .done()
}

fn assert_error(done: &Done, status: i32, words: &[&str]) {
    assert_eq!(
        done.status,
        Some(status),
        "{:?} {}",
        done.stdout,
        done.stderr
    );
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    for word in words {
        has(&done.stderr, word);
    }
}

/// A position with the longest win in the table.
const WON: &str = "fen xox/o1x1/xx1xx/1xxx/x2 x 0";

/// The engine's output for a position with this table.
fn engine(folder: &Folder, table_path: &str, position: &str, go: &str) -> Vec<String> {
    let line = format!(
        "printf 'setoption name Size value 3\\nsetoption name SlideLimit value 1\\n\
         setoption name TablePath value {table_path}\\nposition {position}\\n{go}\\n' | LINESMAN engine susan"
    );
    let done = run(folder, &line);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done.stdout
}

#[test]
fn a_table_is_built_described_verified_and_played_by() {
    let folder = Folder::new("table");
    let dry = run(
        &folder,
        &format!("LINESMAN lab table build {GAME} --dry-run"),
    );
    let needs = "susan Size=3 SlideLimit=1: 24,527,538 positions, 34 MiB of memory";
    begins(&dry.stdout[0], needs);
    assert!(!folder.path(FILE).exists());
    if !full() {
        return;
    }

    let built = run(
        &folder,
        &format!("LINESMAN lab table build {GAME} --threads 2"),
    );
    assert_eq!(built.status, Some(0), "{}", built.stderr);
    assert_eq!(built.stdout[0], dry.stdout[0], "told before it starts");
    has(&built.stdout, "start       draw");
    let info = run(&folder, &format!("LINESMAN lab table info {FILE} --json"));
    let info: serde_json::Value = serde_json::from_str(&info.stdout[0]).expect("JSON");
    assert_eq!(info["positions"], 24_527_538);
    let sum = |names: [&str; 3]| {
        names
            .map(|name| info[name].as_u64().expect(name))
            .iter()
            .sum()
    };
    let n: u64 = sum(["won", "lost", "drawn"]);
    assert_eq!(n, 24_527_538);
    let verified = run(
        &folder,
        &format!("LINESMAN lab table verify {FILE} --sample 300 --seed 3"),
    );
    has(&verified.stdout, "300 positions are correct");
    let sampled = run(
        &folder,
        &format!(
            "LINESMAN lab table sample {FILE} --count 30 > sample.suite; LINESMAN lab solve sample.suite --nodes 1"
        ),
    );
    lacks(&sampled.stdout, "WRONG");
    // This table has only 790 lost positions.
    for value in ["} win ", "} draw"] {
        let n = sampled.stdout.iter().filter(|line| line.contains(value));
        assert_eq!(n.count(), 10, "{value}: {:?}", sampled.stdout);
    }
    let again = run(&folder, &format!("LINESMAN lab table build {GAME}"));
    assert_error(
        &again,
        2,
        &["susan-Size=3-SlideLimit=1.table: exists: name a new file"],
    );

    let table = folder.path(FILE).display().to_string();
    let answer = engine(&folder, &table, WON, "go depth 1");
    let info = answer
        .iter()
        .find(|line| line.contains("tbhits"))
        .expect("a hit");
    let expected = "info depth 1 seldepth 3 score mate 3 ";
    begins(info, expected);
    let in_folder = folder.path("data/linesman/tables").display().to_string();
    has(
        &engine(&folder, &in_folder, WON, "go mate 3"),
        "score mate 3 ",
    );
    has(
        &engine(&folder, &in_folder, WON, "go mate 1"),
        "no mate in 1",
    );
    let none = engine(
        &folder,
        &folder.path("data").display().to_string(),
        WON,
        "go depth 1",
    );
    lacks(&none, "tbhits");
    lacks(&none, "error");

    exact_draws(&folder, &table);
    damaged(&folder);
}

/// A draw from the table is reported differently from an even score, to programs and to people.
fn exact_draws(folder: &Folder, table: &str) {
    let answer = engine(folder, table, "startpos", "go depth 1");
    has(&answer, " score cp 0 exact ");
    let without = engine(folder, "<empty>", "startpos", "go depth 1");
    lacks(&without, "exact");
    let play = |lines: &str, words: &str| {
        let line = format!(
            "printf '{lines}' | LINESMAN play susan:Size=3,SlideLimit=1 --ledger l.jsonl {words}; rm l.jsonl"
        );
        run(folder, &line).stdout
    };
    let shown = play("hint\\neval\\nanalyse 1\\nquit\\n", "");
    for words in [
        "hint: ",
        ", exact draw, depth 1",
        "eval: exact draw",
        "   draw  ",
    ] {
        has(&shown, words);
    }
    // An engine that takes over a person's seat uses the table too.
    let line = "printf 'auto both\\nquit\\n' | LINESMAN play susan:Size=3,SlideLimit=1 --p1 human --p2 human --ledger l.jsonl; cat l.jsonl";
    let ledger = run(folder, line).stdout;
    has(&ledger, r#""score":{"cp":0,"exact":true}"#);
}

/// A table with changed bytes at its end, and a truncated one.
fn damaged(folder: &Folder) {
    let mut bytes = fs::read(folder.path(FILE)).expect("a file");
    let n = bytes.len();
    bytes[n * 9 / 10..].iter_mut().for_each(|byte| *byte ^= 1);
    folder.write("changed.table", &bytes);
    folder.write("short.table", &bytes[..n / 2]);
    let verify = |file: &str| run(folder, &format!("LINESMAN lab table verify {file}"));
    assert_error(
        &verify("changed.table"),
        1,
        &["changed.table: damaged table", "wrong checksum"],
    );
    assert_error(
        &verify("short.table"),
        1,
        &["short.table: damaged table: it has"],
    );
    assert_error(&verify("none.table"), 1, &["none.table: No such file"]);

    let short = folder.path("short.table").display().to_string();
    let answer = engine(folder, &short, "startpos", "go depth 2");
    has(&answer, "info error TablePath: ");
    assert!(
        answer.last().expect("a line").starts_with("bestmove "),
        "{answer:?}"
    );
    // The empty board is in the last block.
    let changed = folder.path("changed.table").display().to_string();
    let answer = engine(folder, &changed, "startpos", "go depth 2");
    let note = answer
        .iter()
        .find(|line| line.contains("searching without it"));
    assert!(
        note.is_some_and(|note| note.contains("changed.table: damaged table")),
        "{answer:?}"
    );
    assert!(
        answer.last().expect("a line").starts_with("bestmove "),
        "{answer:?}"
    );
}
