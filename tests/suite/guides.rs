//! Tests of the guides under `spec/`: their commands are run, and their quotations compared.

use std::fs;
use std::path::{Path, PathBuf};

use record::game_spec::GameSpec;
use serde_json::Value;

use crate::support::{Folder, has, python};

/// A fenced block of a guide.
struct Block {
    /// The text after the opening fence: the language, and a note about how to test the block.
    label: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn blocks(guide: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join("spec").join(guide)).expect("a guide");
    let parts: Vec<&str> = text.split("```").collect();
    assert!(parts.len() % 2 == 1, "{guide}: a block that does not end");
    let block = |part: &&str| {
        let (label, text) = part.split_once('\n').expect("a label, then text");
        Block {
            label: label.to_owned(),
            text: text.to_owned(),
        }
    };
    parts.iter().skip(1).step_by(2).map(block).collect()
}

/// Runs a line of the guide with `linesman` in the path, expects this status, and returns the output.
fn run(folder: &Folder, line: &str, status: i32) -> String {
    let linesman = folder.path("bin/linesman");
    if !linesman.exists() {
        fs::create_dir_all(folder.path("bin")).expect("a folder");
        let program = env!("CARGO_BIN_EXE_linesman-test");
        std::os::unix::fs::symlink(program, &linesman).expect("a link");
    }
    let bin = folder.path("bin").display().to_string();
    let done = folder.shell(&format!("PATH={bin}:$PATH; {line}")).done();
    assert_eq!(done.status, Some(status), "{line}: {}", done.stderr);
    done.stdout.join("\n") + "\n"
}

/// Follows a guide. A `python` block is written to `mine`, a `python search` block at the end of `first/game.py`; a `python run` block and an `sh` block are run; an `sh
/// fails` block ends with status 1. Of a `yaml fails` block, the steps with linesman are run and end with status 1. A
/// `text` block is the whole output of the last block that was run, a `text of which` block some of its lines, a `text
/// at the end` block its last lines. Returns the number of blocks that were run.
fn follow(guide: &str, folder: &Folder) -> usize {
    let mut said = String::new();
    let mut n_run = 0;
    for block in blocks(guide) {
        match block.label.as_str() {
            "python" => folder.write("mine", &block.text),
            "python search" => {
                let game = folder.path("first/game.py");
                let text = fs::read_to_string(&game).expect("a new engine") + &block.text;
                fs::write(game, text).expect("it is written");
            }
            "python run" => {
                folder.write("client", &block.text);
                said = run(folder, "python3 client", 0);
                n_run += 1;
            }
            "sh" | "sh fails" => {
                let status = i32::from(block.label == "sh fails");
                said = run(folder, &block.text, status);
                n_run += 1;
            }
            "text at the end" => assert!(said.ends_with(&block.text), "{guide}: not so:\n{said}"),
            "text" => assert_eq!(said, block.text, "{guide}"),
            "text of which" => {
                let is_said = |line: &str| said.lines().any(|said| said == line);
                for line in block.text.lines() {
                    assert!(is_said(line), "{guide}: {line:?} is not in\n{said}");
                }
            }
            "yaml fails" => {
                for line in block.text.lines() {
                    if let Some((_, line)) = line.split_once("run: linesman ") {
                        // It is one of the commands above, whose steps were all run; this one fails.
                        run(folder, &format!("linesman {line} --only bad-position"), 1);
                        n_run += 1;
                    }
                }
            }
            "json" => drop(json(&block)),
            other => panic!("{guide}: a block of {other:?}"),
        }
    }
    n_run
}

fn json(block: &Block) -> Value {
    serde_json::from_str(&block.text).expect("a JSON object")
}

#[test]
fn an_engine_in_forty_lines() {
    or_skip!(python());
    let folder = Folder::new("guide");
    // The guide needs no file of this repository.
    assert_eq!(follow("check.md", &folder), 7);
    let report = folder.read("check.xml");
    has(&report, "<testsuite ");
    let engine = folder.read("mine");
    assert!(engine.lines().count() <= 40, "more than forty lines");
}

#[test]
fn a_gui() {
    or_skip!(python());
    assert_eq!(follow("gui.md", &Folder::new("gui")), 7);
    let settings = blocks("gui.md")
        .iter()
        .find(|block| block.label == "json")
        .map(json);
    for engine in settings.expect("the settings")["engines"]
        .as_array()
        .expect("engines")
    {
        assert_eq!(
            (&engine["path"], &engine["parameters"]),
            (&"linesman".into(), &"engine susan".into())
        );
    }
}

/// Each block that names a file of this repository is in that file, word for word.
#[test]
fn a_sixth_game() {
    let mut n_quotes = 0;
    for block in blocks("rules.md") {
        let Some((_, file)) = block.label.split_once(" of ") else {
            continue;
        };
        let text = fs::read_to_string(root().join(file)).expect("the file that is quoted");
        assert!(
            text.contains(block.text.trim_end()),
            "{file} does not hold\n{}",
            block.text
        );
        n_quotes += 1;
    }
    assert!(n_quotes >= 8);
}

#[test]
fn every_page_is_linked() {
    let architecture = fs::read_to_string(root().join("spec/architecture.md")).expect("a page");
    let readme = fs::read_to_string(root().join("README.md")).expect("a page");
    for guide in ["check.md", "gui.md", "rules.md"] {
        assert!(architecture.contains(&format!("({guide})")), "{guide}");
        assert!(readme.contains(&format!("(spec/{guide})")), "{guide}");
    }
}

/// The table of levels has the Elo that the program shows.
#[test]
fn the_page_has_the_elo_of_each_level() {
    let page = fs::read_to_string(root().join("spec/lab.md")).expect("a page");
    let (_, table) = page.split_once("| level | SUSAN |").expect("a table");
    let ladders = [
        "susan",
        "gobblet",
        "gobblet:Size=4",
        "graph-hockey",
        "projex",
        "entropy",
    ]
    .map(|game| {
        let spec = GameSpec::parse(game).expect("a game");
        let rules = linesman::GAMES.rules(&spec).expect("options");
        rules.expect("rules").ladder().expect("it is measured")
    });
    for (level, row) in (0..=20).zip(table.lines().skip(2)) {
        let elos = ladders.map(|ladder| ladder.elo_of_level(level).to_string());
        assert_eq!(row, format!("| {level} | {} |", elos.join(" | ")));
    }
}
