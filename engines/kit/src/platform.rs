//! Functions that depend on the operating system: reading at an offset of a file. Linux and macOS are supported.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// Fills `bytes` from byte `offset` of the file. Several threads may read one file.
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(bytes, offset)
}

/// `true` if the path now names this open file.
pub(crate) fn is_file_named(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match path.metadata() {
        Ok(named) => Ok((open.dev(), open.ino()) == (named.dev(), named.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
