//! The engines under `spec/templates/`: one game in six languages, with equal answers to any input, and one more with the
//! kit. All play whole games against each other, and `linesman new-engine` writes those that are not in shell.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use laws::testing::full;

use crate::dialogue::Dialogue;
use crate::support::{Folder, in_parallel, installed, python};

/// The folders of the engines that implement the protocol themselves.
pub(crate) const BY_HAND: [&str; 7] = [
    "python",
    "c",
    "cpp",
    "go",
    "javascript",
    "rust-std",
    "shell",
];

/// The engine that uses the kit.
const WITH_KIT: &str = "rust";

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
        "python" => script(python()?, "engine.py"),
        "javascript" => script(installed("node")?, "engine.js"),
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
            Command::new(installed("go")?).args(["build", "-o", "engine", "."]),
        ),
        "rust-std" => {
            installed("rustc")?;
            made(language, &mut Command::new(installed("make")?))
        }
        "rust" => with_kit(),
        _ => panic!("no template in {language}"),
    }
}

/// A copy of the folder in which a program has built `engine`.
fn made(language: &str, command: &mut Command) -> Option<Vec<String>> {
    let folder = copy(language);
    let done = command.current_dir(&folder).output().expect("it starts");
    assert!(
        done.status.success(),
        "{language}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(vec![folder.join("engine").display().to_string()])
}

/// A fresh copy of the folder among the test's temporary files.
fn copy(language: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("templates")
        .join(language);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    for file in files(language) {
        std::fs::copy(source(language).join(&file), folder.join(file)).expect("a copy");
    }
    folder
}

/// The files of a template, relative to its folder.
fn files(language: &str) -> Vec<PathBuf> {
    let list = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path())
    };
    let all = list(source(language)).chain(list(source(language).join("src")));
    let relative = |path: PathBuf| {
        path.strip_prefix(source(language))
            .expect("inside")
            .to_owned()
    };
    // `engine` is what an author builds there.
    let files = all.filter(|path| path.is_file() && !path.ends_with("engine"));
    files.map(relative).collect()
}

/// The engine with the kit, as built with these tests. With `LINESMAN_TEST_FULL` it is built outside the workspace, with
/// its own manifest. That build uses the crates from cargo's home that the workspace has built, without a network.
fn with_kit() -> Option<Vec<String>> {
    if !full() {
        return Some(vec![env!("CARGO_BIN_EXE_sticks-engine").to_owned()]);
    }
    let cargo = installed("cargo")?;
    let folder = copy(WITH_KIT);
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
    let mut dialogue = start(language)?;
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

fn start(language: &str) -> Option<Dialogue> {
    let words = template(language)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    Some(Dialogue::new(command))
}

/// Writes each line when the answers to the line before it have arrived, since `quit` drops commands that wait.
fn keeps_to_the_transcript(language: &str) {
    for line_break in ["\n", "\r\n"] {
        let mut dialogue = or_skip!(start(language));
        for line in TRANSCRIPT.lines().filter(|line| !line.starts_with('#')) {
            match line.strip_prefix('>') {
                Some(input) => {
                    dialogue.write(format!("{}{line_break}", input.trim_start()).as_bytes())
                }
                None => assert_eq!(answer(&dialogue).as_deref(), Some(line), "{language}"),
            }
        }
        let (rest, status) = dialogue.close();
        assert_eq!((rest, status), (vec![], Some(0)), "{language}");
    }
}

/// The next line other than a report of the search.
fn answer(dialogue: &Dialogue) -> Option<String> {
    let mut lines = std::iter::from_fn(|| dialogue.line());
    lines
        .find(|line| !line.starts_with("info depth "))
        .map(without_wording)
}

/// A search of 99 sticks ends only by `stop` or its limit.
fn reads_while_it_searches(language: &str) {
    let mut dialogue = or_skip!(start(language));
    for (input, expected) in [
        ("position fen 99 p2\ngo infinite\nisready", "readyok"),
        ("query fen\nposition fen 3 p1\nisready", "readyok"),
        ("stop", "bestmove 3"),
        ("query fen", "response 99 p2"),
        ("", "response 3 p1"),
        (
            "position fen 99 p2\ngo ponder movetime 1\nisready",
            "readyok",
        ),
        ("ponderhit", "bestmove 3"),
        // `stop` ends the searches that wait, too.
        ("go infinite\ngo ponder depth 1\nisready", "readyok"),
        ("stop\nquery game", "bestmove 3"),
        ("", "bestmove 3"),
        ("", "response sticks"),
        ("go nodes 5000\nquery game", "bestmove 3"),
        ("", "response sticks"),
        ("go infinite\nquery game\nquit", "bestmove 3"),
    ] {
        if !input.is_empty() {
            dialogue.send(input);
        }
        assert_eq!(
            answer(&dialogue).as_deref(),
            Some(expected),
            "{language}: {input}"
        );
    }
    assert_eq!(dialogue.close(), (vec![], Some(0)), "{language}");
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
        .filter_map(|language| template(language))
        .map(|words| format!("--engine cmd={}", words.join(" arg=")))
        .collect();
    if engines.len() < 2 {
        return;
    }
    let words = format!(
        "match any {} --games 2 --ledger l --ping-ms 60000 --each tc=10+0.1 timemargin=60000",
        engines.join(" ")
    );
    folder.linesman(&words).exits(0);
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
    let of = |language| {
        let files = files(language).into_iter();
        files.map(move |file| source(language).join(file))
    };
    for path in BY_HAND.into_iter().chain([WITH_KIT]).flat_map(of) {
        let text = std::fs::read_to_string(&path).expect("a template");
        assert!(text.lines().count() <= 280, "{}", path.display());
        let is_narrow = |line: &str| line.chars().count() <= 124;
        assert!(text.lines().all(is_narrow), "{}", path.display());
    }
}

/// The template with the kit is sound, has a `bench`, and wins against an engine that knows the winning strategy.
#[test]
fn a_sixth_game_needs_the_kit_alone() {
    let command = or_skip!(template(WITH_KIT));
    let folder = Folder::new("sticks-kit");
    folder
        .linesman(&format!("check cmd={}", command[0]))
        .exits(0);
    let bench = Command::new(&command[0])
        .arg("bench")
        .output()
        .expect("it starts");
    assert!(bench.status.success());
    let python = or_skip!(template("python"));
    let words = format!(
        "match any --engine cmd={} --engine cmd={} --games 2 --ledger l --each st=0.2 timemargin=60000",
        command[0],
        python.join(" arg=")
    );
    folder.linesman(&words).exits(0);
    won_by_the_first_player(&folder.ledger("l").1);
}

#[test]
fn those_in_rust_are_formatted() {
    let rustfmt = or_skip!(installed("rustfmt"));
    for (language, edition, file) in [
        (WITH_KIT, "2024", "src/main.rs"),
        ("rust-std", "2021", "src/main.rs"),
        ("rust-std", "2021", "../new-engine/game.rs"),
    ] {
        let mut command = Command::new(&rustfmt);
        command.args(["--check", "--edition", edition, file]);
        command.args(["--config-path", "rustfmt.toml"]);
        let done = command
            .current_dir(source(language))
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{said}");
    }
}

#[test]
fn all_keep_to_the_transcript() {
    in_parallel(&BY_HAND, |language| keeps_to_the_transcript(language));
}

#[test]
fn all_survive_anything() {
    in_parallel(&BY_HAND, |language| survives_anything(language));
}

#[test]
fn all_but_the_shell_read_while_they_search() {
    let mut reading = BY_HAND.to_vec();
    reading.retain(|language| *language != "shell");
    in_parallel(&reading, |language| reads_while_it_searches(language));
}

/// The steps that a player at random must pass, and that a program between it and the rules could spoil. Without
/// `LINESMAN_TEST_FULL` each language passes every second one.
const STEPS_OF_NEW_ENGINES: [&str; 8] = [
    "bad-options",
    "isready-in-search",
    "uginewgame",
    "bad-position",
    "searchmoves",
    "ponder",
    "end-in-search",
    "rules-moves",
];

/// From nothing to a match: the folder, its test, a game. With `LINESMAN_TEST_FULL` for each game, and by all steps.
#[test]
fn new_engines_pass_the_check() {
    let langs = ["python", "javascript", "c", "cpp", "go", "rust"];
    let games = ["susan", "gobblet", "projex", "entropy", "graph-hockey"];
    let pairs = langs.iter().enumerate().flat_map(|(n, lang)| {
        let all = games.iter().enumerate();
        let chosen = all.filter(move |(k, _)| full() || *k == n % games.len());
        chosen.map(move |(_, game)| (*lang, *game))
    });
    let pairs: Vec<(&str, &str)> = pairs.collect();
    in_parallel(&pairs, |(lang, game)| {
        let language = if *lang == "rust" { "rust-std" } else { lang };
        if template(language).is_none() {
            return;
        }
        let folder = Folder::new(&format!("new-{lang}-{game}"));
        folder
            .linesman(&format!("new-engine {game} --lang {lang} new"))
            .exits(0);
        let first = langs
            .iter()
            .position(|other| other == lang)
            .unwrap_or_default()
            % 2;
        let chosen = STEPS_OF_NEW_ENGINES.iter().skip(first).step_by(2);
        let only: String = match full() {
            true => String::new(),
            false => chosen.map(|step| format!("--only {step} ")).collect(),
        };
        folder
            .shell(&format!("sh new/test.sh --games 4 {only}"))
            .exits(0);
        let readme = folder.read("new/README.md");
        let matches = readme
            .lines()
            .find(|line| line.starts_with("linesman match"));
        let line = matches
            .expect("a match")
            .replacen("linesman", "LINESMAN", 1);
        let line = format!("cd new; {line} --games 2 --ledger l");
        folder.shell(&line).exits(0);
    });
}

#[test]
fn a_new_engine_is_written_to_an_empty_folder() {
    let folder = Folder::new("new-engine");
    folder.linesman("new-engine any --lang python").exits(0);
    let done = folder.linesman("new-engine any --lang python").exits(1);
    assert_eq!(
        done.stderr,
        "error: any-python: the folder is not empty: name a new one\n"
    );
    folder.linesman("new-engine susan:Size=4 --lang c").exits(2);
    let sticks = include_str!("../../spec/templates/python/game.py");
    assert_eq!(folder.read("any-python/game.py"), sticks);
    // A game by a program.
    let hex = root().join("spec/templates/games/hex.py");
    let line = format!(
        "new-engine hex --lang python mine --rules cmd={}",
        hex.display()
    );
    folder.linesman(&line).exits(0);
    if python().is_some() {
        let done = folder
            .shell("cd mine; sh test.sh --only rules-moves --only handshake")
            .done();
        done.shows(2, "PASS");
    }
}
