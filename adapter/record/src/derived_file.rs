//! Files derived from a ledger, such as PGN: appended to as games finish, and written anew from the ledger on resume.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::file::check_new_file;
use crate::file::{naming, refuse_devices};
use crate::ledger::lock;

/// A derived file. It is created with the first game, or at once if the match appends to an existing file.
#[derive(Debug)]
pub(super) struct DerivedFile {
    path: PathBuf,
    /// `None` until the first game.
    file: Option<File>,
}

/// The offset at which the match's text begins in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextStart {
    /// At the beginning: the file belongs to the match.
    Own,
    /// After this number of bytes of earlier contents.
    After(u64),
}

impl TextStart {
    fn bytes(self) -> u64 {
        match self {
            TextStart::Own => 0,
            TextStart::After(bytes) => bytes,
        }
    }
}

impl DerivedFile {
    /// Creates a new file, or opens the one that the match appends to. Returns an error if a file of the match's own
    /// exists already, cannot be created, or if the existing file has grown since the match was planned. Errors name
    /// the file.
    pub(super) fn create(path: &Path, start: TextStart) -> io::Result<DerivedFile> {
        let file = match start {
            TextStart::Own => check_new_file(path).map(|()| None),
            TextStart::After(bytes) => append_to(path, bytes).map(Some),
        };
        Ok(DerivedFile {
            file: file.map_err(|error| naming(path.display(), &error))?,
            path: path.to_owned(),
        })
    }

    /// Writes a file anew from the text of all games, and appends to it from then on. The new file replaces the old one
    /// when it is complete. What the old one contains of the match must be the beginning of that text, as after a crash;
    /// any other file is an error, which says `not_own`. Errors of the file name it.
    pub(super) fn rebuild(
        path: &Path,
        start: TextStart,
        texts: impl Iterator<Item = io::Result<String>>,
        not_own: &str,
    ) -> io::Result<DerivedFile> {
        let mut texts = texts.peekable();
        if start == TextStart::Own && !path.try_exists()? && texts.peek().is_none() {
            return DerivedFile::create(path, start);
        }
        let file = replace(path, start.bytes(), texts, not_own);
        Ok(DerivedFile {
            file: Some(file.map_err(|error| naming(path.display(), &error))?),
            path: path.to_owned(),
        })
    }

    /// Appends text. Errors name the file.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => Ok(file),
            None => create_new(&self.path).map(|file| self.file.insert(file)),
        };
        let written = file.and_then(|file| file.write_all(text.as_bytes()));
        written.map_err(|error| naming(self.path.display(), &error))
    }
}

/// The separator between earlier contents and the first game: enough line breaks for one empty line.
pub(super) fn separator(path: &Path, start: TextStart) -> io::Result<&'static str> {
    let bytes = start.bytes();
    if bytes == 0 {
        return Ok("");
    }
    let mut file = File::open(path)?;
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(bytes.saturating_sub(2)))?;
    file.take(bytes.min(2)).read_to_end(&mut end)?;
    Ok(match end.as_slice() {
        [b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

/// Creates a file, and locks it: another match could append to it, too.
fn create_new(path: &Path) -> io::Result<File> {
    lock(File::options().create_new(true).append(true).open(path)?)
}

fn append_to(path: &Path, bytes: u64) -> io::Result<File> {
    let file = File::options().create(true).append(true).open(path)?;
    refuse_devices(path)?;
    let file = lock(file)?;
    if file.metadata()?.len() != bytes {
        return Err(io::Error::other(
            "was changed by another program: expected no other program to write to it",
        ));
    }
    Ok(file)
}

/// Writes the first `start` bytes of the old file and all texts to a temporary file, and renames it.
fn replace(
    path: &Path,
    start: u64,
    texts: impl Iterator<Item = io::Result<String>>,
    not_own: &str,
) -> io::Result<File> {
    // Through a symbolic link, the target is replaced, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = if target.try_exists()? {
        refuse_devices(&target)?;
        // Another match that writes to it holds the lock.
        Some(lock(File::open(&target)?)?)
    } else {
        None
    };
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let temporary = target.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = write_new(&temporary, old, start, texts, not_own)
        .and_then(|file| fs::rename(&temporary, &target).map(|()| file));
    if written.is_err() {
        // Remove the partial file; the old one is unchanged.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_new(
    path: &Path,
    old: Option<File>,
    start: u64,
    texts: impl Iterator<Item = io::Result<String>>,
    not_own: &str,
) -> io::Result<File> {
    let file = create_new(path)?;
    if let Some(old) = &old {
        file.set_permissions(old.metadata()?.permissions())?;
    }
    let mut old: Box<dyn Read> = match old {
        Some(old) => Box::new(BufReader::new(old)),
        None => Box::new(io::empty()),
    };
    let mut out = BufWriter::new(&file);
    if io::copy(&mut old.by_ref().take(start), &mut out)? < start {
        return Err(io::Error::other(not_own));
    }
    let mut known = Vec::new();
    for text in texts {
        let text = text?;
        known.clear();
        old.by_ref()
            .take(text.len() as u64)
            .read_to_end(&mut known)?;
        if !text.as_bytes().starts_with(&known) {
            return Err(io::Error::other(not_own));
        }
        out.write_all(text.as_bytes())?;
    }
    if old.read(&mut [0])? > 0 {
        return Err(io::Error::other(not_own));
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_match_appends_to_the_file_of_a_running_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.pgn");
        let mut file = DerivedFile::create(&path, TextStart::Own).expect("a new file");
        file.write("[one;;").expect("it can be written");
        for error in [
            DerivedFile::create(&path, TextStart::After(6)),
            DerivedFile::rebuild(&path, TextStart::Own, std::iter::empty(), "not own"),
        ] {
            let error = error.expect_err("it is being written").to_string();
            assert!(
                error.contains("another linesman is writing to it"),
                "{error}"
            );
        }
        drop(file);
        DerivedFile::create(&path, TextStart::After(6)).expect("the first match has ended");
    }

    /// The new contents of a file with these old ones, from which the match's text begins at `start`.
    fn rebuild(old: &[u8], start: TextStart, texts: &[String]) -> io::Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        fs::write(&path, old)?;
        let rebuilt = DerivedFile::rebuild(&path, start, texts.iter().cloned().map(Ok), "not own");
        let after = fs::read(&path)?;
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file");
        match rebuilt {
            Ok(mut file) => {
                file.write("more")?;
                assert_eq!(fs::read(&path)?, [&after, b"more".as_slice()].concat());
                Ok(after)
            }
            Err(error) => {
                assert_eq!(after, old, "it stays as it was");
                Err(error)
            }
        }
    }

    #[test]
    fn a_torn_file_is_completed_and_another_one_refused() {
        let texts: Vec<String> = (0..5)
            .map(|i| format!("[{}[;{i};;", "x".repeat(i)))
            .collect();
        let all = texts.concat().into_bytes();
        for n_known in 0..=all.len() {
            let whole = rebuild(&all[..n_known], TextStart::Own, &texts).expect("a prefix");
            assert_eq!(whole, all, "{n_known}");
            let old = [b"before", &all[..n_known]].concat();
            let whole = rebuild(&old, TextStart::After(6), &texts).expect("a prefix");
            assert_eq!(whole, [b"before", all.as_slice()].concat(), "{n_known}");
        }
        for at in 0..all.len() {
            let mut changed = all.clone();
            changed[at] ^= 1;
            assert!(rebuild(&changed, TextStart::Own, &texts).is_err(), "{at}");
        }
        let longer = [all.as_slice(), b"["].concat();
        assert!(rebuild(&longer, TextStart::Own, &texts).is_err());
        assert!(rebuild(&all[texts[0].len()..], TextStart::Own, &texts).is_err());
        assert!(rebuild(b"befor", TextStart::After(6), &texts).is_err());
    }

    #[test]
    fn the_target_of_a_link_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, link) = (folder.path().join("games"), folder.path().join("link"));
        fs::write(&path, "[a").expect("a new file");
        std::os::unix::fs::symlink(&path, &link).expect("a new link");
        let texts = std::iter::once(Ok("[a;;".to_owned()));
        DerivedFile::rebuild(&link, TextStart::Own, texts, "not own").expect("a prefix");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).expect("it is there"), b"[a;;");
    }
}
