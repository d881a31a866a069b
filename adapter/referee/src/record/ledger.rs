//! The ledger: JSON lines, the plan first, then one finished game a line.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::GameRecord;
use crate::event::{Event, Subscriber, naming};
use crate::plan::Plan;

#[derive(Serialize, Deserialize)]
struct PlanLine<P> {
    plan: P,
}

/// A ledger read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// What was to be played.
    pub plan: Plan,
    /// What was played, in the order of the file.
    pub games: Vec<GameRecord>,
    /// Bytes of the file that hold whole lines; what follows is a line torn by a sudden end.
    pub whole_bytes: u64,
}

/// Why a file is no ledger.
#[derive(Debug)]
pub enum LedgerError {
    /// It cannot be read.
    Io(io::Error),
    /// This line, counted from 1, is not what a ledger holds there.
    Line {
        /// Its number.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Io(error) => error.fmt(f),
            LedgerError::Line { number, why } => write!(f, "line {number}: {why}"),
        }
    }
}

impl std::error::Error for LedgerError {}

/// The bytes of a file of records, which is no device or pipe: those need never end.
pub fn read_records(path: &Path) -> io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.is_file() {
        std::fs::read(path)
    } else {
        Err(io::Error::other(
            "no regular file: expected a ledger, a PGN file or a position",
        ))
    }
}

/// Reads a ledger; a torn last line is left out, and so is what a session noted of a game under way.
pub fn read_ledger(path: &Path) -> Result<Ledger, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_ledger(&bytes)
}

/// As [`read_ledger`], of what was read already.
pub fn parse_ledger(bytes: &[u8]) -> Result<Ledger, LedgerError> {
    let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    let mut lines = bytes[..whole]
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate();
    let (_, first) = lines.next().ok_or_else(|| LedgerError::Line {
        number: 1,
        why: "empty: expected the plan of a match".to_owned(),
    })?;
    let PlanLine { plan } = parse(0, first)?;
    let is_journal = |line: &[u8]| line.starts_with(b"{\"journal\":");
    let games = lines
        .filter(|(_, line)| !is_journal(line))
        .map(|(index, line)| parse(index, line))
        .collect::<Result<_, _>>()?;
    Ok(Ledger {
        plan,
        games,
        whole_bytes: whole as u64,
    })
}

fn parse<'a, T: Deserialize<'a>>(index: usize, line: &'a [u8]) -> Result<T, LedgerError> {
    serde_json::from_slice(line).map_err(|error| LedgerError::Line {
        number: index + 1,
        why: error.to_string(),
    })
}

/// Writes a ledger as the match goes, one whole line a write.
#[derive(Debug)]
pub struct LedgerWriter {
    path: PathBuf,
    file: File,
}

impl LedgerWriter {
    /// Begins a ledger; an existing file is refused. Errors name the file.
    pub fn create(path: &Path) -> io::Result<LedgerWriter> {
        let file = File::create_new(path).and_then(own);
        LedgerWriter::over(path, file)
    }

    /// Goes on with a ledger after its whole lines. Errors name the file.
    pub fn resume(path: &Path, whole_bytes: u64) -> io::Result<LedgerWriter> {
        let file = File::options().append(true).open(path).and_then(own);
        let cut = file.and_then(|file| file.set_len(whole_bytes).map(|()| file));
        LedgerWriter::over(path, cut)
    }

    fn over(path: &Path, file: io::Result<File>) -> io::Result<LedgerWriter> {
        Ok(LedgerWriter {
            file: file.map_err(|error| naming(path.display(), &error))?,
            path: path.to_owned(),
        })
    }

    /// Writes one line, as JSON.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let written = self.file.write_all(&line);
        written.map_err(|error| naming(self.path.display(), &error))
    }
}

/// Two programs that write one ledger would each lose what the other writes; the lock goes with the file.
fn own(file: File) -> io::Result<File> {
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(io::Error::other("another linesman is writing to it")),
        // A file system without locks is no reason not to play.
        Ok(()) | Err(_) => Ok(file),
    }
}

impl Subscriber for LedgerWriter {
    fn notice(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::MatchStarted { plan } => self.line(&PlanLine { plan }),
            Event::GameOver { record } => self.line(record),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_has_one_writer_at_a_time() {
        let path = std::env::temp_dir().join(format!("linesman-lock-{}.jsonl", std::process::id()));
        let first = LedgerWriter::create(&path).expect("a new file");
        let second = LedgerWriter::resume(&path, 0).expect_err("it is being written");
        assert!(second.to_string().contains("another linesman"), "{second}");
        drop(first);
        assert!(LedgerWriter::resume(&path, 0).is_ok());
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let refused = read_ledger(Path::new("/dev/zero")).expect_err("a device");
        assert!(refused.to_string().contains("no regular file"), "{refused}");
    }
}
