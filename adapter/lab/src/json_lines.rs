//! Files of JSON objects, a line each with its checksum, which one program at a time appends to.

use std::io;
use std::path::Path;

use record::file::naming;
use record::ledger::{LedgerWriter, SyncPolicy, check_line, complete_lines};
use referee::derived_file::pause;
use serde::Deserialize;

/// Locks a file for writing and reads its complete lines. The first write truncates a torn last line.
///
/// # Errors
/// The file is locked, or cannot be read, or `read` rejects its lines. The error names the file.
pub(crate) fn open<T>(
    path: &Path,
    sync: SyncPolicy,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> io::Result<(LedgerWriter, T)> {
    let open = || {
        let (writer, mut bytes) = LedgerWriter::open(path, pause)?;
        bytes.truncate(complete_lines(&bytes));
        let content = read(&bytes).map_err(io::Error::other)?;
        Ok((writer.with_sync(sync), content))
    };
    open().map_err(|error| naming(path.display(), &error))
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
    let line = line.trim_ascii_end();
    serde_json::from_slice(line).map_err(|error| error.to_string().replace("line 1 ", ""))
}
