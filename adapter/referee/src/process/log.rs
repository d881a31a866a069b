//! Log file of a match: the lines exchanged with engines, and match events.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::str::Utf8Chunk;
use std::time::Instant;

use parking_lot::Mutex;
use protocol::text::one_line;
use record::event::{Event, StartedGame};
use record::file::naming;
use record::outputs::LogLevel;

use crate::platform;
use crate::stop::Stop;

/// Log file shared by all processes of a match. Each line holds seconds since the start, engine, direction and text.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    path: PathBuf,
    level: LogLevel,
    file: Mutex<LineWriter<File>>,
    stop: Stop,
}

impl Log {
    /// Opens a log of this level and appends to an existing file, since a match may be resumed. A write error is
    /// reported to `stop`.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path, level: LogLevel, stop: Stop) -> io::Result<Log> {
        let file = platform::open_to_append(path);
        let file = file.map_err(|error| naming(path.display(), &error))?;
        Ok(Log {
            start: Instant::now(),
            path: path.to_owned(),
            level,
            file: Mutex::new(LineWriter::new(file)),
            stop,
        })
    }

    /// Logs a line to or from an engine. `is_info` marks an `info` line of a search.
    pub fn line(&self, at: Instant, name: &str, arrow: u8, line: &[u8], is_info: bool) {
        let level = match is_info {
            true => LogLevel::Trace,
            false => LogLevel::Debug,
        };
        if level <= self.level {
            self.write(at, name, arrow, line);
        }
    }

    /// Logs a match event according to the level.
    pub(crate) fn event(&self, event: &Event) {
        let is_told = self.level >= LogLevel::Info;
        match event {
            Event::GameStarted(StartedGame { game, p1, p2, .. }) if is_told => {
                self.tell(&format!("Started game {game} ({p1} vs {p2})"));
            }
            Event::GameOver { record } if record.fault.is_some() || is_told => {
                self.tell(&record.finished_line());
                for fault in record.fault.iter().filter(|_| self.level < LogLevel::Debug) {
                    self.tell(&fault.position);
                    fault.lines.iter().for_each(|line| self.tell(line));
                }
            }
            Event::Note { engine, text } => self.tell(&format!("Note: {engine} {text}")),
            _ => {}
        }
    }

    /// Writes an entry of the referee.
    fn tell(&self, text: &str) {
        self.write(Instant::now(), "linesman", b'*', text.as_bytes());
    }

    /// Writes an entry. An error stops the match, which can be resumed.
    fn write(&self, at: Instant, name: &str, arrow: u8, line: &[u8]) {
        if self.stop.failure().is_some() {
            return;
        }
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let entry = format!("{seconds:.6} {name} {} {}\n", arrow as char, shown(line));
        if let Err(error) = self.file.lock().write_all(entry.as_bytes()) {
            let path = self.path.display();
            self.stop.fail(format!("--log: {path}: {error}"));
        }
    }
}

/// A line made printable; bytes that are not UTF-8 are written as `\xff`.
fn shown(line: &[u8]) -> String {
    let piece = |chunk: Utf8Chunk<'_>| {
        let invalid = chunk.invalid().escape_ascii();
        format!("{}{invalid}", one_line(chunk.valid()))
    };
    line.utf8_chunks().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record_testing::finished_game;

    #[test]
    fn a_level_holds_what_those_before_it_hold() {
        let mut lost = finished_game(2);
        lost.fault = Some(record::game::FaultReport {
            engine: "B".to_owned(),
            position: "position startpos".to_owned(),
            lines: vec!["> go".to_owned()],
            stderr: String::new(),
        });
        for (level, wanted) in [
            (LogLevel::Warn, "Finished game 2|position startpos|> go"),
            (
                LogLevel::Info,
                "Finished game 1|Finished game 2|position startpos|> go",
            ),
            (LogLevel::Debug, "go|Finished game 1|Finished game 2"),
            (
                LogLevel::Trace,
                "go|info depth 1|Finished game 1|Finished game 2",
            ),
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("log");
            let log = Log::open(&path, level, Stop::default()).expect("a new file");
            log.line(Instant::now(), "A", b'>', b"go", false);
            log.line(Instant::now(), "A", b'<', b"info depth 1", true);
            for record in [finished_game(1), lost.clone()].map(Box::new) {
                log.event(&Event::GameOver { record });
            }
            let text = fs::read_to_string(&path).expect("it was written");
            let told: Vec<&str> = text
                .lines()
                .map(|line| line.splitn(4, ' ').nth(3).expect("four words"))
                .map(|line| line.split(" (").next().unwrap_or(line))
                .collect();
            assert_eq!(told.join("|"), wanted, "{level:?}");
        }
    }

    #[test]
    fn nothing_that_an_engine_writes_reaches_the_log_raw() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("log");
        let log = Log::open(&path, LogLevel::Trace, Stop::default()).expect("a new file");
        let line = "\x1b[2Jé\u{202e}\rend".as_bytes();
        log.line(Instant::now(), "A", b'<', &[line, b"\xff"].concat(), false);
        log.tell("a\nFinished game 9");
        let text = fs::read_to_string(&path).expect("it was written");
        let lines: Vec<&str> = text.lines().collect();
        let [line, event] = lines[..] else {
            panic!("two entries: {text}");
        };
        assert!(
            line.ends_with(r"A < \u{1b}[2Jé\u{202e}\u{d}end\xff"),
            "{line}"
        );
        assert!(
            event.ends_with(r"linesman * a\u{a}Finished game 9"),
            "{event}"
        );
    }
}
