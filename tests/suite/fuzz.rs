//! Mutated files and messages: none makes a reader panic, and what a reader accepts is the same when it is written and
//! read again.
//!
//! Each corpus is a folder of `tests/data/corpus`, with one valid input a file. The protocol, the messages of pages and
//! e-mails have such tests where they are parsed (`protocol`, `browser::limits`, `mail::hostile`). With
//! `LINESMAN_TEST_FULL` each test runs a hundred times as many cases.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use fastrand::Rng;
use laws::testing::full;
use record::ledger::parse_ledger;
use record::pgn::{PgnFormat, read_pgn};
use table::TableCommand;
use table::journal::parse_game;

/// Fragments that are likely to confuse a reader.
const PIECES: [&str; 32] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\n",
    "\r\n",
    "\0",
    "\u{1b}[2J",
    "\u{202e}",
    "é",
    "null",
    "true",
    "-1",
    "0",
    "0.0",
    "1e308",
    "-1e-308",
    "18446744073709551616",
    "4294967295",
    "\"p1\"",
    "\"p2\"",
    "\"any\"",
    "{\"journal\":{\"at\":9}}\n",
    "; ",
    "{never",
    "1... ",
    "1-0",
    " %",
];

/// Calls `check` with mutations of the files of a corpus, and with the files as they are.
fn each_case(corpus: &str, n_cases: u64, check: impl Fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("data/corpus")
        .join(corpus);
    let files = fs::read_dir(&folder).expect("a corpus");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let inputs: Vec<_> = paths
        .iter()
        .map(|path| fs::read(path).expect("a file"))
        .collect();
    inputs.iter().for_each(|input| check(input));
    for seed in 0..n_cases * if full() { 100 } else { 1 } {
        let mut rng = Rng::with_seed(seed);
        let mut input = rng.choice(&inputs).expect("a file").clone();
        for _ in 0..rng.usize(1..6) {
            mutate(&mut input, &mut rng);
        }
        let result = catch_unwind(AssertUnwindSafe(|| check(&input)));
        assert!(result.is_ok(), "corpus {corpus}, seed {seed}");
    }
}

fn mutate(input: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.usize(..=input.len());
    let end = (at + rng.usize(..40)).min(input.len());
    let piece = rng.choice(PIECES).expect("a piece").as_bytes();
    match rng.u8(..8) {
        0 => input.truncate(at),
        1 => drop(input.drain(at..end)),
        2 => drop(input.splice(at..at, piece.iter().copied())),
        3 => drop(input.splice(at..end, piece.iter().copied())),
        // Replaces a number or a word of the format.
        4 => {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
            let start = input[..at]
                .iter()
                .rposition(|byte| !is_word(byte))
                .map_or(0, |last| last + 1);
            let length = input[start..]
                .iter()
                .take_while(|byte| is_word(byte))
                .count();
            drop(input.splice(start..start + length, piece.iter().copied()));
        }
        // Repeats a part.
        5 => {
            let part = input[at..end].to_vec();
            drop(input.splice(at..at, part));
        }
        6 => {
            let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
            rng.shuffle(&mut lines);
            *input = lines.concat();
        }
        _ => input
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte ^= 1 << rng.u8(..8)),
    }
}

#[test]
fn ledgers() {
    each_case("ledger", 8_000, |bytes| {
        let Ok(ledger) = parse_ledger(bytes) else {
            return;
        };
        for game in &ledger.games {
            let text = serde_json::to_string(game).expect("a game");
            let again = serde_json::from_str(&text).expect(&text);
            assert_eq!(game, &again);
            // Names and reasons come from strangers, but a game's PGN is one game.
            let pgn =
                PgnFormat::new(linesman::GAMES, &ledger.plan.game, Some(&ledger.plan)).text(game);
            let read = read_pgn(&pgn);
            assert_eq!(read.len(), 1, "{pgn}");
        }
        let text = serde_json::to_string(&ledger.plan).expect("a plan");
        assert_eq!(ledger.plan, serde_json::from_str(&text).expect(&text));
    });
}

#[test]
fn tables() {
    each_case("table", 8_000, |bytes| {
        let _ = parse_game(bytes, "id".to_owned());
    });
}

#[test]
fn pgn_files() {
    each_case("pgn", 8_000, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let n_lines = text.lines().count();
        for game in read_pgn(&text) {
            assert!((1..=n_lines).contains(&game.line), "{game:?}");
            assert_eq!(game.comments.len(), game.record.moves.len(), "{game:?}");
        }
        let _ = parse_game(bytes, "id".to_owned());
    });
}

#[test]
fn commands() {
    each_case("command", 2_000, |bytes| {
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(command) = serde_json::from_slice::<TableCommand>(line) else {
                continue;
            };
            let text = serde_json::to_string(&command).expect("a command");
            let again: TableCommand = serde_json::from_str(&text).expect(&text);
            // Numbers may change in their last digit when they are read: the second text is that of the first.
            let text = serde_json::to_string(&again).expect("a command");
            let last: TableCommand = serde_json::from_str(&text).expect(&text);
            assert_eq!(command.id(), again.id());
            assert_eq!(format!("{again:?}"), format!("{last:?}"));
        }
    });
}
