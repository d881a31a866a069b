//! Functions that depend on the operating system: opening and reading files. Linux and macOS are supported.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a file to read it. Devices and pipes are rejected without waiting for them: reading one might never end.
///
/// # Errors
/// The system's, or that it is not a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let not_regular = || io::Error::other("not a regular file: name a file on disk");
    // Opening a device can have effects, so its kind is checked before.
    if !path.metadata()?.is_file() {
        return Err(not_regular());
    }
    let file = without_waiting(File::options().read(true)).open(path)?;
    file.metadata()?
        .is_file()
        .then_some(file)
        .ok_or_else(not_regular)
}

/// Reads a whole file of at most `max_bytes`, which [`open_regular`] opens.
///
/// # Errors
/// As [`open_regular`], or that the file is larger.
pub(crate) fn read_regular(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = open_regular(path)?.take(max_bytes + 1);
    file.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let why = format!("too large: expected at most {max_bytes} bytes");
        return Err(io::Error::other(why));
    }
    Ok(bytes)
}

/// Makes opening a pipe fail or return at once, also if no other program has opened it.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OFlags::NONBLOCK.bits() as i32)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let path = std::env::temp_dir().join(format!("linesman-large-{}", std::process::id()));
        std::fs::write(&path, "12345").expect("a file");
        assert_eq!(read_regular(&path, 5).expect("small enough"), b"12345");
        let why = read_regular(&path, 4).expect_err("too large").to_string();
        std::fs::remove_file(&path).expect("it is there");
        assert_eq!(why, "too large: expected at most 4 bytes");
    }

    #[test]
    fn devices_and_pipes_are_not_opened() {
        let folder = std::env::temp_dir().join(format!("linesman-pipe-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        for path in [&pipe, Path::new("/dev/zero"), &folder] {
            let why = open_regular(path).expect_err("no file").to_string();
            assert_eq!(why, "not a regular file: name a file on disk");
        }
        let mut options = File::options();
        assert!(without_waiting(options.append(true)).open(&pipe).is_err());
        std::fs::remove_dir_all(&folder).expect("it is there");
    }
}
