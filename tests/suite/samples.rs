//! The engines under `samples/`: one game in three languages. They give equal answers to any input, and play whole games.

use std::path::Path;
use std::process::Command;

use crate::dialogue::Dialogue;
use crate::support::{Folder, installed, python};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");

/// Lines in, and the answers of all three; `info error` stands for any error, `ID` for the name.
const TRANSCRIPT: &str = include_str!("../data/sticks.txt");

/// The command of the sample in this language, `None` where the language is not here. C is compiled into the folder.
pub(crate) fn sample(language: &str, folder: &Folder) -> Option<Vec<String>> {
    let program = match language {
        "py" => python()?,
        "c" => installed("cc")?,
        _ => installed("sh")?,
    };
    let source = format!("{SAMPLES}/sticks.{language}");
    if language != "c" {
        return Some(vec![program, source]);
    }
    let executable = folder.path("sticks").display().to_string();
    let status = Command::new(program)
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-o",
            &executable,
            &source,
        ])
        .status();
    assert!(status.expect("cc starts").success(), "{source} compiles");
    Some(vec![executable])
}

/// What the sample says to this input, and then ends with status 0; errors without their text.
fn answers(language: &str, input: &[u8]) -> Option<Vec<String>> {
    let folder = Folder::new(&format!("sticks-{language}-{}", input.len()));
    let words = sample(language, &folder)?;
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

/// Blanks of all kinds, bytes that are no text, half a line at the end; and lines of 1 MiB, and over.
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

/// Every sample against every other, on both sides; each checks the other's moves by its own rules.
#[test]
fn they_play_each_other() {
    let folder = Folder::new("sticks-match");
    let engines: Vec<String> = ["py", "c", "sh"]
        .iter()
        .filter_map(|language| sample(language, &folder))
        .map(|words| format!("--engine cmd={}", words.join(" arg=")))
        .collect();
    if engines.len() < 2 {
        return;
    }
    let words = format!(
        "match any {} --games 4 --ledger l --each tc=10+0.1",
        engines.join(" ")
    );
    let done = folder.linesman(&words).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 4 * engines.len() * (engines.len() - 1) / 2);
    for game in &games {
        assert_eq!(
            (&game["result"], &game["termination"]),
            (&"1-0".into(), &"normal".into()),
            "21 sticks are a win for the first player: {game}"
        );
    }
}

#[test]
fn they_are_short() {
    for language in ["py", "c", "sh"] {
        let path = Path::new(SAMPLES).join(format!("sticks.{language}"));
        let text = std::fs::read_to_string(&path).expect("a sample");
        assert!(text.lines().count() < 120, "{}", path.display());
        assert!(
            text.lines().all(|line| line.len() <= 124),
            "{}",
            path.display()
        );
    }
}

mod python {
    #[test]
    fn keeps_to_the_transcript() {
        super::keeps_to_the_transcript("py");
    }
    #[test]
    fn survives_anything() {
        super::survives_anything("py");
    }
}

mod c {
    #[test]
    fn keeps_to_the_transcript() {
        super::keeps_to_the_transcript("c");
    }
    #[test]
    fn survives_anything() {
        super::survives_anything("c");
    }
}

mod sh {
    #[test]
    fn keeps_to_the_transcript() {
        super::keeps_to_the_transcript("sh");
    }
    #[test]
    fn survives_anything() {
        super::survives_anything("sh");
    }
}
