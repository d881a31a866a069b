//! Reading whole files named by the user, with limits on their kind and size.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use protocol::text::without_error_number;

/// Size limit of a file of openings or positions, in bytes.
const MAX_TEXT: u64 = 256 << 20;

/// Reads a text file of openings or positions, which may be compressed by gzip. Devices, pipes and files over 256 MiB are
/// rejected.
pub fn read_text(path: &Path) -> io::Result<String> {
    refuse_devices(path)?;
    let mut file = BufReader::new(File::open(path)?);
    let is_compressed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let mut reader: Box<dyn Read> = match is_compressed {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    let mut text = String::new();
    reader
        .by_ref()
        .take(MAX_TEXT + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MAX_TEXT {
        return Err(io::Error::other("larger than 256 MiB: split it"));
    }
    Ok(text)
}

/// The text without the byte order mark at its beginning, which some editors write.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Rejects devices and pipes, which may never end.
pub fn refuse_devices(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::other("not a regular file: name a file on disk"))
}

/// Adds the name of the file or other resource to an error.
pub fn naming(what: impl Display, error: &io::Error) -> io::Error {
    let why = without_error_number(&error.to_string());
    io::Error::new(error.kind(), format!("{what}: {why}"))
}
