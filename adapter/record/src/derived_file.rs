//! Files derived from a ledger, such as PGN: appended to as games finish, and rebuilt from the ledger on resume.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::file::{naming, refuse_devices};
use crate::ledger::lock;
use crate::platform::check_new_file;

/// Number of bytes that are searched at once for the beginnings of games.
const CHUNK: usize = 1 << 18;

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

/// The names of a derived file in error messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct DerivedKind {
    /// The contents, such as `the PGN`.
    pub(super) what: &'static str,
    /// The command-line flag that names the file.
    pub(super) flag: &'static str,
    /// The end of a game's text and the beginning of the next one, which are nowhere else in a text.
    pub(super) between: (&'static [u8], &'static [u8]),
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

    /// Completes a file with the text of all games, and appends to it from then on. Of the old contents, the number of
    /// games and the last two are compared with that text. If they differ, the contents must be a prefix of it, or
    /// games of this match according to `is_own`, which are written again; any other file is an error. `texts` returns
    /// the games one by one, without a number of first ones. Errors of the file name it.
    pub(super) fn rebuild<T: Iterator<Item = io::Result<String>>>(
        path: &Path,
        start: TextStart,
        texts: impl Fn(usize) -> io::Result<T>,
        is_own: impl FnOnce(&str) -> io::Result<bool>,
        kind: DerivedKind,
    ) -> io::Result<DerivedFile> {
        let exists = path.try_exists();
        if start == TextStart::Own && !exists? && texts(0)?.next().is_none() {
            return DerivedFile::create(path, start);
        }
        let file = overwrite(path, start.bytes(), texts, is_own, kind);
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
    let options = File::options().create_new(true).append(true).clone();
    lock(options.open(path)?)
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

fn overwrite<T: Iterator<Item = io::Result<String>>>(
    path: &Path,
    start: u64,
    texts: impl Fn(usize) -> io::Result<T>,
    is_own: impl FnOnce(&str) -> io::Result<bool>,
    DerivedKind {
        what,
        flag,
        between,
    }: DerivedKind,
) -> io::Result<File> {
    let not_own = || {
        io::Error::other(format!(
            "not {what} of this match, so it is not overwritten: expected another file with {flag}"
        ))
    };
    let is_there = path.try_exists()?;
    if is_there {
        refuse_devices(path)?;
    } else if start > 0 {
        return Err(io::Error::other(format!(
            "the {start} bytes that it contained before the match are gone: expected them, or another file with {flag}"
        )));
    }
    let options = File::options().create(true).read(true).append(true).clone();
    let mut file = lock(options.open(path)?)?;
    let n_known = file.metadata()?.len().checked_sub(start);
    let n_known = n_known.ok_or_else(not_own)?;
    file.seek(SeekFrom::Start(start))?;
    let (n_skipped, n_before) = last_two(BufReader::with_capacity(CHUNK, &file), between)?;
    let mut missing = None;
    for (n_skipped, n_before) in [(n_skipped, n_before), (0, 0)] {
        file.seek(SeekFrom::Start(start + n_before))?;
        let mut rest = texts(n_skipped)?;
        let known = BufReader::new(&file);
        missing = after_prefix(known, n_known - n_before, &mut rest)?.map(|torn| (torn, rest));
        if missing.is_some() || n_skipped == 0 {
            break;
        }
    }
    match missing {
        Some((torn, rest)) => {
            (&file).write_all(&torn)?;
            write_all(&file, rest)?;
        }
        None => {
            let mut known = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            file.read_to_end(&mut known)?;
            if !is_own(&String::from_utf8_lossy(&known))? {
                return Err(not_own());
            }
            file.set_len(start)?;
            write_all(&file, texts(0)?)?;
        }
    }
    Ok(file)
}

/// Returns the number of games before the last two, and their length in bytes.
fn last_two(mut input: impl BufRead, (end, begin): (&[u8], &[u8])) -> io::Result<(usize, u64)> {
    let pattern = [end, begin].concat();
    let finder = memmem::Finder::new(&pattern);
    // The end of the previous chunk, which may contain the beginning of the pattern.
    let mut window: Vec<u8> = Vec::new();
    let mut offset = 0;
    let (mut n_games, mut last, mut before_last) = (0, 0, 0);
    loop {
        let chunk = input.fill_buf()?;
        let n_read = chunk.len();
        if n_read == 0 {
            return Ok((usize::max(n_games, 1) - 1, before_last));
        }
        window.extend_from_slice(chunk);
        for at in finder.find_iter(&window) {
            n_games += 1;
            before_last = last;
            last = offset + (at + end.len()) as u64;
        }
        let n_done = (window.len() + 1).saturating_sub(pattern.len());
        window.drain(..n_done);
        offset += n_done as u64;
        input.consume(n_read);
    }
}

/// Skips the texts that the file already contains. Returns the part of the last one that it lacks; `None` if the file
/// contains anything else.
fn after_prefix(
    mut file: impl Read,
    n_bytes: u64,
    texts: &mut impl Iterator<Item = io::Result<String>>,
) -> io::Result<Option<Vec<u8>>> {
    let mut n_left = n_bytes;
    let mut known = Vec::new();
    while n_left > 0 {
        let Some(text) = texts.next().transpose()? else {
            return Ok(None);
        };
        let n_shared = n_left.min(text.len() as u64) as usize;
        known.resize(n_shared, 0);
        file.read_exact(&mut known)?;
        n_left -= n_shared as u64;
        let (shared, missing) = text.as_bytes().split_at(n_shared);
        if shared != known {
            return Ok(None);
        }
        if n_left == 0 {
            return Ok(Some(missing.to_owned()));
        }
    }
    Ok(Some(Vec::new()))
}

fn write_all(file: &File, texts: impl Iterator<Item = io::Result<String>>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    for text in texts {
        out.write_all(text?.as_bytes())?;
    }
    out.flush()
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
        let other = DerivedFile::create(&path, TextStart::After(6));
        let error = other.expect_err("it is being written").to_string();
        assert!(
            error.contains("another linesman is writing to it"),
            "{error}"
        );
        drop(file);
        DerivedFile::create(&path, TextStart::After(6)).expect("the first match has ended");
    }

    const KIND: DerivedKind = DerivedKind {
        what: "the games",
        flag: "--games",
        between: (b";;", b"["),
    };

    fn rebuild(old: &[u8], texts: &[String]) -> io::Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        std::fs::write(&path, old)?;
        let rest = |n_skipped| Ok(texts.iter().skip(n_skipped).cloned().map(Ok));
        DerivedFile::rebuild(&path, TextStart::Own, rest, |_| Ok(false), KIND)?;
        std::fs::read(&path)
    }

    #[test]
    fn a_torn_file_is_completed_and_another_one_refused() {
        let texts: Vec<String> = (0..5)
            .map(|i| format!("[{}[;{i};;", "x".repeat(i)))
            .collect();
        let all = texts.concat().into_bytes();
        for n_known in 0..=all.len() {
            let whole = rebuild(&all[..n_known], &texts).expect("a prefix");
            assert_eq!(whole, all, "{n_known}");
        }
        let mut changed = all.clone();
        changed[2] = b'!';
        assert_eq!(
            rebuild(&changed, &texts).expect("only the end counts"),
            changed
        );
        for at in all.len() - texts[3].len() - texts[4].len()..all.len() {
            let mut changed = all.clone();
            changed[at] ^= 1;
            assert!(rebuild(&changed, &texts).is_err(), "{at}");
        }
        let longer = [all.as_slice(), texts[0].as_bytes()].concat();
        assert!(rebuild(&longer, &texts).is_err());
        assert!(rebuild(&all[texts[0].len()..], &texts).is_err());
    }

    #[test]
    fn the_last_two_games_are_found_across_chunks() {
        let text = b"[a;;[bb;;[ccc;;";
        for capacity in 1..20 {
            let input = BufReader::with_capacity(capacity, &text[..]);
            assert_eq!(last_two(input, KIND.between).expect("memory"), (1, 4));
            let lines = BufReader::with_capacity(capacity, &b"a\nbb\nccc\n"[..]);
            assert_eq!(last_two(lines, (b"\n", b"")).expect("memory"), (2, 5));
        }
        assert_eq!(last_two(&b""[..], KIND.between).expect("memory"), (0, 0));
        assert_eq!(last_two(&b"[a"[..], KIND.between).expect("memory"), (0, 0));
    }
}
