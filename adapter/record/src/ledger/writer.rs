//! Writing ledgers, line by line, and the list of those that were begun on this machine.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::checksum::{complete_lines, sealed_line};
use super::file::{LedgerFile, lock};
use crate::digest::hash_of;
use crate::event::Recorder;
use crate::file::naming;
use crate::game::GameRecord;
use crate::plan::{Extension, Plan};

/// The policy for syncing records to disk, so that they survive a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncPolicy {
    /// Syncs after each finished game, and after each line of a table's journal.
    #[default]
    EachGame,
    /// Leaves it to the operating system.
    Off,
}

/// Writes the ledger of a running match, each line in one write. Holds a lock on the file.
#[derive(Debug)]
pub struct LedgerWriter {
    path: PathBuf,
    file: Box<dyn LedgerFile>,
    /// Offset of a torn last line, which the first write truncates.
    torn_at: Option<u64>,
    /// `true` if the last line lacks its line break, which the first write adds.
    lacks_break: bool,
    sync: SyncPolicy,
}

/// No lines after the plan, for a new ledger that begins with its plan alone.
pub const NO_LINES: &[()] = &[];

impl LedgerWriter {
    /// Writes to an empty file, or continues one. `path` names it in errors.
    pub fn new(path: &Path, file: Box<dyn LedgerFile>, sync: SyncPolicy) -> LedgerWriter {
        LedgerWriter {
            path: path.to_owned(),
            file,
            torn_at: None,
            lacks_break: false,
            sync,
        }
    }

    /// Creates a file with these lines, in one write. Removes the file if the write fails. An existing file is an error.
    /// Errors name the file.
    pub fn create_lines(path: &Path, lines: &[u8], sync: SyncPolicy) -> io::Result<LedgerWriter> {
        let file = File::create_new(path).and_then(|file| lock(file, || ()));
        let file = file.map_err(|error| naming(path.display(), &error))?;
        let mut writer = LedgerWriter::new(path, Box::new(file), sync);
        let written = writer.append(lines);
        if written.is_err() {
            // Remove the partial file; none of its lines has been published.
            let _ = fs::remove_file(path);
        }
        written.map(|()| writer)
    }

    /// Creates a ledger with its [first lines](first_lines), as [`create_lines`](LedgerWriter::create_lines) does, and adds
    /// it to the list.
    pub fn create(
        path: &Path,
        plan: &Plan,
        lines: &[impl Serialize],
        sync: SyncPolicy,
        begun_here: Option<&BegunHere>,
    ) -> io::Result<LedgerWriter> {
        let text = first_lines(plan, lines)?;
        if let Some(list) = begun_here.filter(|_| !path.exists()) {
            // A ledger that is not listed asks before it is resumed.
            let _ = list.add(&text);
        }
        // A plan alone is forced to the disk with the first game.
        let first = [sync, SyncPolicy::Off][usize::from(lines.is_empty())];
        Ok(LedgerWriter::create_lines(path, &text, first)?.with_sync(sync))
    }

    /// Creates a ledger at the plan's path or, if that is taken, at the first free path with a number appended. The
    /// plan is updated. Errors name the file.
    pub fn create_unused(
        plan: &mut Plan,
        lines: &[impl Serialize],
        sync: SyncPolicy,
        begun_here: Option<&BegunHere>,
    ) -> io::Result<LedgerWriter> {
        let named = plan.ledger.clone();
        for number in 2.. {
            match LedgerWriter::create(&plan.ledger, plan, lines, sync, begun_here) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let stem = named.file_stem().unwrap_or_default().to_string_lossy();
                    plan.ledger = named.with_file_name(format!("{stem}-{number}.jsonl"));
                }
                created => return created,
            }
        }
        unreachable!("an unused number exists")
    }

    /// Locks a ledger, after [pauses](lock) if necessary, and reads all its bytes. The writer appends after the last
    /// complete line; the file is unchanged until the first write.
    pub fn open(path: &Path, pause: fn()) -> io::Result<(LedgerWriter, Vec<u8>)> {
        let mut file = open_locked(path, pause)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let complete = &bytes[..complete_lines(&bytes)];
        let lacks_break = complete.last().is_some_and(|byte| *byte != b'\n');
        let n_bytes = complete.len() as u64;
        let writer = LedgerWriter::after(path, file, n_bytes, lacks_break);
        Ok((writer, bytes))
    }

    /// Continues a ledger after its complete lines.
    pub(super) fn after(path: &Path, file: File, n_bytes: u64, lacks_break: bool) -> LedgerWriter {
        LedgerWriter {
            torn_at: Some(n_bytes),
            lacks_break,
            ..LedgerWriter::new(path, Box::new(file), SyncPolicy::default())
        }
    }

    /// Records an extension of the match by more games.
    pub fn extend(&mut self, extension: &Extension) -> io::Result<()> {
        self.append(&plain_line("extend", extension)?)
    }

    /// Returns the writer with another sync policy.
    pub fn with_sync(self, sync: SyncPolicy) -> LedgerWriter {
        LedgerWriter { sync, ..self }
    }

    /// Writes an object as one line of JSON with a checksum. Errors name the file.
    pub fn sealed_line(&mut self, object: &impl Serialize) -> io::Result<()> {
        self.append(&sealed_line(object)?)
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let written = self.try_append(line);
        written.map_err(|error| naming(self.path.display(), &error))
    }

    fn try_append(&mut self, line: &[u8]) -> io::Result<()> {
        if let Some(end) = self.torn_at.take() {
            self.file.cut(end)?;
        }
        match std::mem::take(&mut self.lacks_break) {
            true => self.file.append(&[b"\n", line].concat())?,
            false => self.file.append(line)?,
        }
        if self.sync == SyncPolicy::EachGame {
            self.file.sync()?;
        }
        Ok(())
    }
}

/// The beginning of a ledger: its plan, then further objects as lines with checksums.
pub fn first_lines(plan: &Plan, lines: &[impl Serialize]) -> serde_json::Result<Vec<u8>> {
    Ok([plain_line("plan", plan)?, sealed_lines(lines.iter())?].concat())
}

/// A line of JSON without a checksum: an object with this value as its only field.
fn plain_line(field: &str, value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&HashMap::from([(field, value)]))?;
    line.push(b'\n');
    Ok(line)
}

/// Opens a ledger for reading and appending, and locks it.
pub(super) fn open_locked(path: &Path, pause: fn()) -> io::Result<File> {
    crate::file::refuse_devices(path)?;
    let file = File::options().read(true).append(true).open(path)?;
    lock(file, pause)
}

/// Objects as lines of a ledger, each with its checksum.
pub fn sealed_lines(objects: impl Iterator<Item = impl Serialize>) -> serde_json::Result<Vec<u8>> {
    let lines: Result<Vec<_>, _> = objects.map(|object| sealed_line(&object)).collect();
    Ok(lines?.concat())
}

impl Recorder for LedgerWriter {
    fn record(&mut self, game: &GameRecord) -> io::Result<()> {
        self.sealed_line(game)
    }

    /// Forces the games to the disk at once.
    fn record_all(&mut self, games: &[&GameRecord]) -> io::Result<()> {
        self.append(&sealed_lines(games.iter())?)
    }
}

/// The list of the ledgers that were begun on this machine, in this file, which may not exist yet.
#[derive(Debug, Clone)]
pub struct BegunHere(pub PathBuf);

impl BegunHere {
    /// `true` if a ledger with this first line, given without its line break, was begun here.
    pub fn contains(&self, first_line: &[u8]) -> bool {
        let hash = hash_of(first_line);
        fs::read_to_string(&self.0).is_ok_and(|list| list.lines().any(|line| line == hash))
    }

    /// Adds a ledger that begins with these lines.
    ///
    /// # Errors
    /// The file cannot be written.
    fn add(&self, ledger: &[u8]) -> io::Result<()> {
        let first_line = ledger.split(|byte| *byte == b'\n').next();
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut list = File::options().create(true).append(true).open(&self.0)?;
        // One write, so that programs that run at the same time do not mix their lines.
        list.write_all(format!("{}\n", hash_of(first_line.unwrap_or_default())).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{WatchedFile, finished_game, plan};

    fn writer(file: &WatchedFile, sync: SyncPolicy) -> io::Result<LedgerWriter> {
        let file = Box::new(file.clone());
        let mut writer = LedgerWriter::new(Path::new("m.jsonl"), file, sync);
        writer.append(&first_lines(&plan(&["A", "B"]), NO_LINES)?)?;
        Ok(writer)
    }

    #[test]
    fn every_line_is_forced_to_the_disk() {
        let file = WatchedFile::default();
        let mut ledger = writer(&file, SyncPolicy::EachGame).expect("it can be written");
        assert_eq!(file.calls(), ["append {\"plan\"", "sync"]);
        ledger.record(&finished_game(1)).expect("it can be written");
        assert_eq!(file.calls(), ["append {\"game\"", "sync"]);
        let entry = serde_json::json!({"journal": {"at": 1}});
        ledger.sealed_line(&entry).expect("it can be written");
        assert_eq!(file.calls(), ["append {\"journal\"", "sync"]);
    }

    #[test]
    fn games_that_end_together_are_forced_to_the_disk_once() {
        let file = WatchedFile::default();
        let mut ledger = writer(&file, SyncPolicy::EachGame).expect("it can be written");
        file.calls();
        let games = [1, 2, 3].map(finished_game);
        let games = games.each_ref();
        ledger.record_all(&games).expect("it can be written");
        assert_eq!(file.calls(), ["append {\"game\"", "sync"]);
    }

    #[test]
    fn nothing_is_forced_to_the_disk_where_that_is_off() {
        let file = WatchedFile::default();
        let mut ledger = writer(&file, SyncPolicy::Off).expect("it can be written");
        ledger.record(&finished_game(1)).expect("it can be written");
        assert_eq!(file.calls(), ["append {\"plan\"", "append {\"game\""]);
    }

    #[test]
    fn a_disk_that_fails_is_an_error_that_names_the_file() {
        let file = WatchedFile::default();
        let mut ledger = writer(&file, SyncPolicy::EachGame).expect("it can be written");
        file.break_sync();
        let error = ledger
            .record(&finished_game(1))
            .expect_err("the disk fails");
        assert_eq!(error.to_string(), "m.jsonl: the disk fails");
    }

    #[test]
    fn a_torn_line_is_cut_off_before_the_next_one() {
        let file = WatchedFile::default();
        let mut ledger = writer(&file, SyncPolicy::EachGame).expect("it can be written");
        ledger.torn_at = Some(7);
        file.calls();
        ledger.record(&finished_game(1)).expect("it can be written");
        assert_eq!(file.calls(), ["cut 7", "append {\"game\"", "sync"]);
    }

    #[test]
    fn a_new_ledger_is_listed_by_its_first_line() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("l.jsonl");
        let list = BegunHere(folder.path().join("state/plans"));
        let plan = plan(&["A", "B"]);
        LedgerWriter::create(&path, &plan, NO_LINES, SyncPolicy::Off, Some(&list))
            .expect("a new file");
        let line = std::fs::read(&path).expect("it is there");
        let line = line.trim_ascii_end();
        assert!(list.contains(line));
        let changed = [line, b" "].concat();
        assert!(!list.contains(&changed));
        // A list that cannot be written is no reason not to play.
        let broken = BegunHere(path.join("plans"));
        let other = folder.path().join("m.jsonl");
        LedgerWriter::create(&other, &plan, NO_LINES, SyncPolicy::Off, Some(&broken))
            .expect("a new file");
        assert!(!broken.contains(line));
    }

    #[test]
    fn a_ledger_has_one_writer_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("l.jsonl");
        std::fs::write(&path, "whole\ntorn").expect("a new file");
        let (first, bytes) = LedgerWriter::open(&path, || ()).expect("nobody else writes");
        assert_eq!(bytes, b"whole\ntorn");
        let second = LedgerWriter::open(&path, || ()).expect_err("it is being written");
        assert!(second.to_string().contains("another linesman"), "{second}");
        drop(first);
        let (mut third, _) = LedgerWriter::open(&path, || ()).expect("the lock is gone");
        third.append(b"{}\n").expect("it can be written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert_eq!(text, "whole\n{}\n");
    }
}
