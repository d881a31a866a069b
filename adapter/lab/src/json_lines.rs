//! Files of JSON objects, a line each with its checksum, which one program at a time appends to.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use record::file::{naming, refuse_devices};
use record::ledger::{SyncPolicy, check_line, lock, sealed_lines, whole_lines};
use referee::derived_file::pause;
use serde::{Deserialize, Serialize};

/// An open file, locked for this writer.
#[derive(Debug)]
pub(crate) struct JsonLines {
    path: PathBuf,
    file: File,
    sync: SyncPolicy,
}

impl JsonLines {
    /// Creates a new file with its first line.
    ///
    /// # Errors
    /// The file exists or cannot be written. The error names it.
    pub(crate) fn create(
        path: &Path,
        first: &impl Serialize,
        sync: SyncPolicy,
    ) -> io::Result<JsonLines> {
        let file = File::create_new(path).and_then(|file| lock(file, || ()));
        let mut lines = JsonLines {
            path: path.to_owned(),
            file: file.map_err(|error| naming(path.display(), &error))?,
            sync,
        };
        let begun = lines.append(first);
        if begun.is_err() {
            // Remove the partial file; none of its lines has been published.
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| lines)
    }

    /// Locks a file and reads it. Truncates a torn last line. Creates the file if it does not exist.
    ///
    /// # Errors
    /// The file is locked, or cannot be read, or `read` rejects its bytes. The error names the file.
    pub(crate) fn open<T>(
        path: &Path,
        sync: SyncPolicy,
        read: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> io::Result<(JsonLines, T)> {
        let open = || {
            if path.exists() {
                refuse_devices(path)?;
            }
            let mut options = File::options();
            options.read(true).append(true).create(true);
            let mut file = lock(options.open(path)?, pause)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let n_whole = whole_lines(&bytes);
            let content = read(&bytes[..n_whole]).map_err(io::Error::other)?;
            if n_whole < bytes.len() {
                file.set_len(n_whole as u64)?;
            }
            let path = path.to_owned();
            Ok((JsonLines { path, file, sync }, content))
        };
        open().map_err(|error| naming(path.display(), &error))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// The file cannot be written. The error names it.
    pub(crate) fn append(&mut self, line: &impl Serialize) -> io::Result<()> {
        let line = sealed_lines(std::iter::once(line))?;
        let written = self.file.write_all(&line).and_then(|()| match self.sync {
            SyncPolicy::EachGame => self.file.sync_data(),
            SyncPolicy::Off => Ok(()),
        });
        written.map_err(|error| naming(self.path.display(), &error))
    }
}

/// Parses the lines of a file, numbered from 1, and passes each to `take`.
///
/// # Errors
/// A line is damaged, or `take` rejects it. The error names its number.
pub(crate) fn each_line<T: for<'a> Deserialize<'a>>(
    bytes: &[u8],
    first: usize,
    mut take: impl FnMut(T) -> Result<(), String>,
) -> Result<(), String> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
    for (line, number) in lines.skip(first - 1) {
        let taken = parse(line).and_then(&mut take);
        taken.map_err(|why| format!("line {number}: {why}"))?;
    }
    Ok(())
}

/// Parses a line.
pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    check_line(line)?;
    serde_json::from_slice(line).map_err(|error| error.to_string())
}
