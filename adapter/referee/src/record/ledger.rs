//! The ledger: JSON lines, the plan first, then one finished game a line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::GameRecord;
use crate::event::{Event, Recorder, naming};
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
    refuse_devices(path)?;
    std::fs::read(path)
}

/// A device or a pipe may never end.
fn refuse_devices(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::other(
        "no regular file: expected a ledger, a PGN file or a position",
    ))
}

/// How many bytes hold whole lines; what follows is a line torn by a sudden end.
fn whole_lines(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)
}

/// Reads a ledger. A torn last line is left out, and so is the journal of a table.
pub fn read_ledger(path: &Path) -> Result<Ledger, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_ledger(&bytes)
}

/// Locks a ledger, reads it, and hands out its writer. Nobody else can write to it from before it is read.
pub fn open_ledger(path: &Path) -> Result<(Ledger, LedgerWriter), LedgerError> {
    let (writer, bytes) = LedgerWriter::open(path).map_err(LedgerError::Io)?;
    Ok((parse_ledger(&bytes)?, writer))
}

/// As [`read_ledger`], of what was read already.
pub fn parse_ledger(bytes: &[u8]) -> Result<Ledger, LedgerError> {
    let whole = whole_lines(bytes);
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

/// Finds finished games in a ledger that is being written.
#[derive(Debug)]
pub struct GameFinder {
    path: PathBuf,
    /// What lies before it was looked at.
    offset: u64,
}

impl GameFinder {
    /// Looks from the beginning of this ledger.
    pub fn new(path: &Path) -> GameFinder {
        GameFinder {
            path: path.to_owned(),
            offset: 0,
        }
    }

    /// The games with these numbers that stand behind the last one found, in the order of the file.
    pub fn find(&mut self, numbers: &[usize]) -> io::Result<Vec<GameRecord>> {
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(self.offset))?;
        let mut found = Vec::new();
        let mut line = Vec::new();
        while found.len() < numbers.len() && file.read_until(b'\n', &mut line)? > 0 {
            let game = serde_json::from_slice::<GameRecord>(&line).ok();
            found.extend(game.filter(|game| numbers.contains(&game.game)));
            line.clear();
        }
        self.offset = file.stream_position()?;
        Ok(found)
    }
}

/// When records are forced to the disk, so that they survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncPolicy {
    /// After each finished game, and after each line of a table's journal.
    #[default]
    EachGame,
    /// Whenever the system likes.
    Off,
}

/// Writes a ledger as the match goes, one whole line a write. It holds a lock on the file.
#[derive(Debug)]
pub struct LedgerWriter {
    path: PathBuf,
    file: File,
    /// Where a torn last line begins, which the first write cuts off.
    torn_at: Option<u64>,
    sync: SyncPolicy,
}

impl LedgerWriter {
    /// Begins a ledger with its plan; an existing file is refused. Errors name the file.
    pub fn create(path: &Path, plan: &Plan, sync: SyncPolicy) -> io::Result<LedgerWriter> {
        let file = File::create_new(path).and_then(lock);
        let mut writer = LedgerWriter {
            file: file.map_err(|error| naming(path.display(), &error))?,
            path: path.to_owned(),
            torn_at: None,
            sync,
        };
        writer.line(&PlanLine { plan })?;
        Ok(writer)
    }

    /// Locks a ledger and reads all its bytes. The writer goes on after the last whole line; until it writes, the file
    /// stays as it is.
    pub fn open(path: &Path) -> io::Result<(LedgerWriter, Vec<u8>)> {
        refuse_devices(path)?;
        let mut file = File::options()
            .read(true)
            .append(true)
            .open(path)
            .and_then(lock)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let writer = LedgerWriter {
            path: path.to_owned(),
            file,
            torn_at: Some(whole_lines(&bytes) as u64),
            sync: SyncPolicy::default(),
        };
        Ok((writer, bytes))
    }

    /// The same writer, with another policy.
    pub fn with_sync(self, sync: SyncPolicy) -> LedgerWriter {
        LedgerWriter { sync, ..self }
    }

    /// Writes one line, as JSON. Errors name the file.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let written = self.append(&line);
        written.map_err(|error| naming(self.path.display(), &error))
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if let Some(end) = self.torn_at.take() {
            self.file.set_len(end)?;
        }
        self.file.write_all(line)?;
        match self.sync {
            SyncPolicy::EachGame => self.file.sync_data(),
            SyncPolicy::Off => Ok(()),
        }
    }
}

/// Two programs that write one ledger would each lose what the other writes. The lock ends with the file.
fn lock(file: File) -> io::Result<File> {
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(io::Error::other("another linesman is writing to it")),
        // A file system without locks is no reason not to play.
        Ok(()) | Err(_) => Ok(file),
    }
}

impl Recorder for LedgerWriter {
    fn record(&mut self, event: &Event) -> io::Result<()> {
        match event {
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
        std::fs::write(&path, "whole\ntorn").expect("a new file");
        let (first, bytes) = LedgerWriter::open(&path).expect("nobody else writes");
        assert_eq!(bytes, b"whole\ntorn");
        let second = LedgerWriter::open(&path).expect_err("it is being written");
        assert!(second.to_string().contains("another linesman"), "{second}");
        drop(first);
        let (mut third, _) = LedgerWriter::open(&path).expect("the lock is gone");
        third.line(&"next").expect("it can be written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert_eq!(text, "whole\n\"next\"\n");
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let refused = read_ledger(Path::new("/dev/zero")).expect_err("a device");
        assert!(refused.to_string().contains("no regular file"), "{refused}");
    }
}
