//! The engines under `spec/templates/`: one game in seven languages. Six of them give equal answers to any input; the
//! one in Rust uses the kit. All play whole games against each other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use tools::testing::full;

use crate::dialogue::Dialogue;
use crate::support::{Folder, installed, python};

/// The folders of the engines that implement the protocol themselves, and their files.
pub(crate) const BY_HAND: [(&str, &str); 6] = [
    ("python", "sticks.py"),
    ("c", "sticks.c"),
    ("cpp", "sticks.cpp"),
    ("go", "sticks.go"),
    ("javascript", "sticks.js"),
    ("shell", "sticks.sh"),
];

/// The engine that uses the kit.
const WITH_KIT: (&str, &str) = ("rust", "src/main.rs");

/// Input, and the answers of all six; `info error` matches any error, `ID` the name.
const TRANSCRIPT: &str = include_str!("../data/sticks.txt");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

fn source(language: &str) -> PathBuf {
    root().join("spec/templates").join(language)
}

/// The command of the template in this language, built as its folder's instructions say; `None` if the language is not
/// installed.
pub(crate) fn template(language: &str) -> Option<Vec<String>> {
    static BUILT: Mutex<Option<HashMap<String, Option<Vec<String>>>>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(|broken| broken.into_inner());
    let built = built.get_or_insert_default();
    let command = built
        .entry(language.to_owned())
        .or_insert_with(|| build(language));
    command.clone()
}

fn build(language: &str) -> Option<Vec<String>> {
    let script = |program: String, file: &str| {
        let path = source(language).join(file);
        Some(vec![program, path.display().to_string()])
    };
    match language {
        "python" => script(python()?, "sticks.py"),
        "javascript" => script(installed("node")?, "sticks.js"),
        "shell" => script(installed("sh")?, "sticks.sh"),
        "c" => {
            installed("cc")?;
            made(
                language,
                Command::new(installed("make")?)
                    .args(["CFLAGS=-std=c99 -Wall -Wextra -Werror -pedantic"]),
            )
        }
        "cpp" => {
            installed("g++")?;
            let flags = "CXXFLAGS=-std=c++17 -Wall -Wextra -Werror -pedantic";
            made(
                language,
                Command::new(installed("make")?).args(["CXX=g++", flags]),
            )
        }
        "go" => made(
            language,
            Command::new(installed("go")?).args(["build", "-o", "sticks", "."]),
        ),
        "rust" => with_kit(),
        _ => panic!("no template in {language}"),
    }
}

/// A copy of the folder in which a program has built `sticks`.
fn made(language: &str, command: &mut Command) -> Option<Vec<String>> {
    let folder = copy(language);
    let done = command.current_dir(&folder).output().expect("it starts");
    assert!(
        done.status.success(),
        "{language}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(vec![folder.join("sticks").display().to_string()])
}

/// A fresh copy of the folder among the test's temporary files.
fn copy(language: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("templates")
        .join(language);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    for file in [
        "Makefile",
        "go.mod",
        "Cargo.toml",
        "src/main.rs",
        "sticks.c",
        "sticks.cpp",
        "sticks.go",
    ] {
        if source(language).join(file).exists() {
            std::fs::copy(source(language).join(file), folder.join(file)).expect("a copy");
        }
    }
    folder
}

/// The engine with the kit, as built with these tests. With `LINESMAN_TEST_FULL` it is built outside the workspace, with
/// its own manifest. That build uses the crates from cargo's home that the workspace has built, without a network.
fn with_kit() -> Option<Vec<String>> {
    if !full() {
        return Some(vec![env!("CARGO_BIN_EXE_sticks-engine").to_owned()]);
    }
    let cargo = installed("cargo")?;
    let folder = copy(WITH_KIT.0);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let kit = root().join("engines/kit").display().to_string();
    let moved = manifest.replace("../../../engines/kit", &kit);
    assert_ne!(manifest, moved, "the kit is where the template says");
    std::fs::write(folder.join("Cargo.toml"), moved).expect("it is written");
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let mut command = Command::new(cargo);
    command
        .args(["build", "--offline", "--quiet"])
        // As in the workspace, so that its crates are not built again.
        .args(["--config", "profile.dev.package.\"*\".debug=false"])
        .current_dir(&folder);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("the workspace's target folder");
    let done = command
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(vec![target.join("debug/sticks").display().to_string()])
}

/// The engine's output for this input, until it exits with status 0; errors without their text.
fn answers(language: &str, input: &[u8]) -> Option<Vec<String>> {
    let words = template(language)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    let mut dialogue = Dialogue::new(command);
    dialogue.write(input);
    let (lines, status) = dialogue.close();
    assert_eq!(status, Some(0), "{lines:?}");
    Some(lines.into_iter().map(without_wording).collect())
}

fn without_wording(line: String) -> String {
    assert!(
        line.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
        "{line:?}"
    );
    assert!(line.len() < 300, "{line}");
    match line {
        line if line.starts_with("info error ") => "info error".to_owned(),
        line if line.starts_with("id name Sticks in ") => "ID".to_owned(),
        line => line,
    }
}

fn keeps_to_the_transcript(language: &str) {
    let (input, expected): (Vec<&str>, Vec<&str>) = TRANSCRIPT
        .lines()
        .filter(|line| !line.starts_with('#'))
        .partition(|line| line.starts_with('>'));
    let input: String = input
        .iter()
        .map(|line| format!("{}\n", line[1..].trim_start()))
        .collect();
    for input in [input.clone(), input.replace('\n', "\r\n")] {
        if let Some(said) = answers(language, input.as_bytes()) {
            assert_eq!(said, expected);
        }
    }
}

/// Checks all kinds of white space, invalid UTF-8, half a line at the end, and lines of 1 MiB and longer.
fn survives_anything(language: &str) {
    let mebibyte = 1 << 20;
    let padded = |length: usize| [b"isready".as_slice(), &vec![b' '; length - 7]].concat();
    let lines: [(&[u8], &str); 10] = [
        (b"\t isready \x0b\r", "readyok"),
        (b"\0isready\0", "readyok"),
        (b"\xff\xfe\x80 * $(exit) `exit` %s\\n", "info error"),
        (b"go depth \xf0\x9f\x98\x80", "info error"),
        (b"position startpos moves \xff", "info error"),
        (&padded(mebibyte), "readyok"),
        (&padded(mebibyte + 1), "info error"),
        (&vec![b'x'; 2 * mebibyte], "info error"),
        (b"query fen", "response 21 p1"),
        (b"ISREADY", "readyok"),
    ];
    let input: Vec<&[u8]> = lines.iter().map(|(line, _)| *line).collect();
    let expected: Vec<&str> = lines.iter().map(|(_, answer)| *answer).collect();
    if let Some(said) = answers(language, &input.join(b"\n".as_slice())) {
        assert_eq!(said, expected);
    }
}

/// Every engine plays every other on both sides, and each checks the other's moves by its rules.
#[test]
fn they_play_each_other() {
    let folder = Folder::new("sticks-match");
    let engines: Vec<String> = BY_HAND
        .iter()
        .filter_map(|(language, _)| template(language))
        .map(|words| format!("--engine cmd={}", words.join(" arg=")))
        .collect();
    if engines.len() < 2 {
        return;
    }
    let words = format!(
        "match any {} --games 2 --ledger l --each tc=10+0.1",
        engines.join(" ")
    );
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), engines.len() * (engines.len() - 1));
    won_by_the_first_player(&games);
}

fn won_by_the_first_player(games: &[serde_json::Value]) {
    for game in games {
        assert_eq!(
            (&game["result"], &game["termination"]),
            (&"1-0".into(), &"normal".into()),
            "21 sticks are a win for the first player: {game}"
        );
    }
}

#[test]
fn they_are_short() {
    for (language, file) in BY_HAND.into_iter().chain([WITH_KIT]) {
        let path = source(language).join(file);
        let text = std::fs::read_to_string(&path).expect("a template");
        assert!(text.lines().count() <= 150, "{}", path.display());
        let is_narrow = |line: &str| line.chars().count() <= 124;
        assert!(text.lines().all(is_narrow), "{}", path.display());
    }
}

/// The template with the kit is sound, has a `bench`, and wins against an engine that knows the winning strategy.
#[test]
fn a_sixth_game_needs_the_kit_alone() {
    let Some(command) = template(WITH_KIT.0) else {
        return;
    };
    let folder = Folder::new("sticks-kit");
    let done = folder.linesman(&format!("check cmd={}", command[0])).done();
    assert_eq!(done.status, Some(0), "{:?}", done.stdout);
    let bench = Command::new(&command[0])
        .arg("bench")
        .output()
        .expect("it starts");
    assert!(bench.status.success());
    let Some(python) = template("python") else {
        return;
    };
    let words = format!(
        "match any --engine cmd={} --engine cmd={} --games 2 --ledger l --each st=0.2 timemargin=60000",
        command[0],
        python.join(" arg=")
    );
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    won_by_the_first_player(&folder.ledger("l").1);
}

#[test]
fn the_one_with_the_kit_is_formatted() {
    let Some(rustfmt) = installed("rustfmt") else {
        return;
    };
    let mut command = Command::new(rustfmt);
    command.args([
        "--check",
        "--edition",
        "2024",
        "--config-path",
        "rustfmt.toml",
        "src/main.rs",
    ]);
    let done = command
        .current_dir(source(WITH_KIT.0))
        .output()
        .expect("it starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}

/// The tests of a template without the kit.
macro_rules! template_tests {
    ($($language:ident),+) => {$(
        mod $language {
            #[test]
            fn keeps_to_the_transcript() {
                super::keeps_to_the_transcript(stringify!($language));
            }

            #[test]
            fn survives_anything() {
                super::survives_anything(stringify!($language));
            }
        }
    )+};
}

template_tests!(python, c, cpp, go, javascript, shell);
