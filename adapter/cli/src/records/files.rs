//! Output files: records are never overwritten, and other files only if Linesman wrote the old version.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use record::file::refuse_devices;
use record::game_spec::GameSpec;
use record::ledger::LedgerReader;

use crate::date::stamp;
use crate::paths::absolute;
use crate::platform::{USUAL, write_whole};
use crate::usage::{Failure, OrFail, fail, refuse, trouble};

/// Number of bytes read to recognise an existing file.
const START: u64 = 256;

/// A file that may be written or replaced.
pub struct OwnFile {
    path: PathBuf,
    flag: &'static str,
    is_there: bool,
}

impl OwnFile {
    /// Accepts a new file, an empty file, or a file whose first bytes `is_own` recognises. Any other file is an error
    /// and stays unchanged. `flag` names the file in errors.
    pub fn check(
        path: &Path,
        flag: &'static str,
        is_own: fn(&[u8]) -> bool,
    ) -> Result<OwnFile, Failure> {
        let start = read_start(path).or_trouble(path.display())?;
        let is_others = |start: &Vec<u8>| !start.is_empty() && !is_own(start);
        if start.as_ref().is_some_and(is_others) {
            let path = path.display();
            return fail!(
                "{path}: not a file of this kind, so it is not overwritten: name another file after {flag}"
            );
        }
        // Through a symbolic link, the target is replaced, not the link.
        let path = match start {
            Some(_) => path.canonicalize().or_trouble(path.display())?,
            None => path.to_owned(),
        };
        Ok(OwnFile {
            path,
            flag,
            is_there: start.is_some(),
        })
    }

    /// Accepts a new file only.
    pub fn new(path: &Path, flag: &'static str) -> Result<OwnFile, Failure> {
        Ok(OwnFile {
            path: new_file(flag, path)?,
            flag,
            is_there: false,
        })
    }

    /// Writes the whole file. A reader sees either the old or the new contents; if this fails, the old contents stay.
    pub fn write(&self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let written = write_whole(&self.path, content.as_ref(), USUAL, self.is_there);
        let (path, flag) = (self.path.display(), self.flag);
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => trouble(
                path,
                format!(
                    "was changed by another program, so it is not overwritten: name another file after {flag}"
                ),
            ),
            _ => trouble(path, cause(&error)),
        })
    }
}

/// The first bytes of a file; `None` if it does not exist. A device or a pipe is an error.
fn read_start(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match refuse_devices(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        checked => checked?,
    }
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    Ok(Some(start))
}

/// The system's error text, without the name of the temporary file.
fn cause(error: &io::Error) -> String {
    let mut text = error.to_string();
    // The crate tempfile appends the name and gives no access to the error itself.
    if let Some(end) = text.find(" at path \"") {
        text.truncate(end);
    }
    text
}

/// The path of a new ledger; without one, a [default](default_ledger).
pub(crate) fn new_ledger(given: Option<&Path>, game: &GameSpec) -> Result<PathBuf, Failure> {
    let new = given.map(|path| new_file("--ledger", path));
    new.unwrap_or_else(|| Ok(default_ledger(game)))
}

/// A file name from the game and the time. If it is taken, the ledger gets a number when it is created.
pub(crate) fn default_ledger(game: &GameSpec) -> PathBuf {
    format!("{}-{}.jsonl", game.name, stamp()).into()
}

/// The absolute path of a file that a flag names, which must be new.
pub(crate) fn new_output(flag: &str, path: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let path = path.map(|path| new_file(flag, path)).transpose()?;
    Ok(path.as_deref().map(absolute))
}

/// Rejects an existing file, since records are never overwritten.
fn new_file(flag: &str, path: &Path) -> Result<PathBuf, Failure> {
    if path.symlink_metadata().is_ok() {
        return refuse!("{flag}: {} exists: name a new file", path.display());
    }
    Ok(path.to_owned())
}

/// Rejects a ledger, also that of another match, as a file to append to.
pub(crate) fn refuse_ledger(flag: &str, file: &Path) -> Result<(), Failure> {
    match LedgerReader::open(file) {
        Ok(_) => refuse!("{flag}: {} is a ledger: name another file", file.display()),
        Err(_) => Ok(()),
    }
}
