//! Files derived from a ledger: the PGN file, and the file of final positions. Each is appended to as games finish, and
//! completed from the ledger on resume.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{iter, thread};

use record::event::Recorder;
use record::file::{naming, refuse_devices};
use record::game::GameRecord;
use record::ledger::lock;
use record::outputs::final_position;
use record::pgn::PgnFormat;
use record::plan::Plan;
use record::registry::{Registry, Rules};

use crate::platform::check_writable;

/// The text of a game.
type Format = Box<dyn Fn(&GameRecord) -> String + Send>;

/// A file with a text for each finished game. It is created with the first game, or at once if the match appends to an
/// existing file.
pub struct DerivedFile {
    path: PathBuf,
    /// `None` until the first game.
    file: Option<File>,
    /// Separates earlier contents of the file from the first game.
    separator: &'static str,
    format: Format,
}

/// Pauses before the next attempt to [`lock`] a file that another process holds.
pub fn pause() {
    thread::sleep(Duration::from_millis(50));
}

/// The games that a file has already, by its ledger, in the order of the ledger.
pub type KnownGames<'a> = Box<dyn Iterator<Item = io::Result<GameRecord>> + 'a>;

impl DerivedFile {
    /// The PGN file of a plan. `known` are the games of a resumed match: the file may contain only these games, after the
    /// earlier contents if the plan appends, and gets those that it lacks.
    ///
    /// # Errors
    /// Another file exists, or the file cannot be written. Errors name the file.
    pub fn pgn(
        path: &Path,
        registry: Registry,
        plan: &Plan,
        known: Option<KnownGames<'_>>,
    ) -> io::Result<DerivedFile> {
        let format = PgnFormat::new(registry, &plan.game, Some(plan));
        let format = Box::new(move |game: &GameRecord| format.text(game));
        let not_own =
            "not the PGN of this match, so it is not overwritten: name another file with --pgn";
        DerivedFile::open(path, plan.outputs.pgn_start, format, known, not_own)
    }

    /// The file of final positions: one position string a line, in the order in which the games finished. `known` are the
    /// games of a resumed match.
    ///
    /// # Errors
    /// As those of [`pgn`](DerivedFile::pgn).
    pub fn epd(
        path: &Path,
        rules: Option<Rules>,
        known: Option<KnownGames<'_>>,
    ) -> io::Result<DerivedFile> {
        let format = move |game: &GameRecord| final_position(rules.as_ref(), game) + "\n";
        let not_own = "not the final positions of this match, so it is not overwritten: name another file with --epdout";
        DerivedFile::open(path, None, Box::new(format), known, not_own)
    }

    /// `start` is the length of the earlier contents that the match appends to; `None` if the file is its own. What a file
    /// contains of `known` must be the beginning of their text, as after a crash; any other file is an error, which says
    /// `not_own`.
    fn open(
        path: &Path,
        start: Option<u64>,
        format: Format,
        known: Option<KnownGames<'_>>,
        not_own: &str,
    ) -> io::Result<DerivedFile> {
        let opened = || {
            let is_new = known.is_none();
            // A file that is missing is shorter than `start`.
            let separator = separator(path, start).unwrap_or("");
            let separators = iter::once(separator).chain(iter::repeat(""));
            let texts = known.into_iter().flatten().zip(separators);
            let mut texts = texts
                .map(|(game, separator)| Ok(separator.to_owned() + &format(&game?)))
                .peekable();
            let is_first = texts.peek().is_none();
            if start.is_none() && is_first && (is_new || !path.try_exists()?) {
                return check_new_file(path).map(|()| (None, ""));
            }
            let file = complete(path, start.unwrap_or(0), texts, not_own)?;
            Ok((Some(file), if is_first { separator } else { "" }))
        };
        let opened: io::Result<_> = opened();
        let (file, separator) = opened.map_err(|error| naming(path.display(), &error))?;
        Ok(DerivedFile {
            path: path.to_owned(),
            file,
            separator,
            format,
        })
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = File::options()
                    .create_new(true)
                    .append(true)
                    .open(&self.path)?;
                // Another match could append to it, too.
                self.file.insert(lock(file, pause)?)
            }
        };
        file.write_all(text.as_bytes())
    }
}

impl Recorder for DerivedFile {
    fn record(&mut self, game: &GameRecord) -> io::Result<()> {
        let text = std::mem::take(&mut self.separator).to_owned() + &(self.format)(game);
        let written = self.write(&text);
        written.map_err(|error| naming(self.path.display(), &error))
    }
}

/// Checks that a file can be created at this path, without creating it.
///
/// # Errors
/// The file exists, its folder does not exist, or the folder is not writable.
pub fn check_new_file(path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        let why = "exists: name a new file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    check_writable(folder)
}

/// The separator between earlier contents and the first game: enough line breaks for one empty line.
fn separator(path: &Path, start: Option<u64>) -> io::Result<&'static str> {
    let bytes = start.unwrap_or(0);
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

/// Compares a file, after its first `start` bytes, with these texts, and appends what it lacks of them. Nothing is written
/// to a file that contains anything else.
fn complete(
    path: &Path,
    start: u64,
    texts: impl Iterator<Item = io::Result<String>>,
    not_own: &str,
) -> io::Result<File> {
    let mut options = File::options();
    let file = options.read(true).create(true).append(true).open(path)?;
    refuse_devices(path)?;
    // Another match that writes to the file holds the lock.
    let file = lock(file, pause)?;
    let n_old = file.metadata()?.len().checked_sub(start);
    let n_old = n_old.ok_or_else(|| io::Error::other(not_own))?;
    (&file).seek(SeekFrom::Start(start))?;
    let mut old = BufReader::new(&file).take(n_old);
    let mut out = BufWriter::new(&file);
    let mut known = Vec::new();
    for text in texts {
        let text = text?;
        known.clear();
        (&mut old).take(text.len() as u64).read_to_end(&mut known)?;
        if !text.as_bytes().starts_with(&known) {
            return Err(io::Error::other(not_own));
        }
        // There is a rest only where the old contents end, so all of them are compared before anything is written.
        out.write_all(&text.as_bytes()[known.len()..])?;
    }
    if old.limit() > 0 {
        return Err(io::Error::other(not_own));
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record_testing::finished_game;

    /// Opens a file of games whose text is their reason.
    fn open(path: &Path, start: Option<u64>, known: Option<&[String]>) -> io::Result<DerivedFile> {
        let known = known.map(|texts| {
            let game = |reason: &String| Ok(game(reason));
            Box::new(texts.iter().map(game)) as KnownGames<'_>
        });
        let format = Box::new(|game: &GameRecord| game.reason.clone());
        DerivedFile::open(path, start, format, known, "not own")
    }

    fn game(text: &str) -> GameRecord {
        GameRecord {
            reason: text.to_owned(),
            ..finished_game(1)
        }
    }

    #[test]
    fn no_match_appends_to_the_file_of_a_running_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.pgn");
        let mut file = open(&path, None, None).expect("a new file");
        file.record(&game("[one;\n\n")).expect("it can be written");
        for error in [open(&path, Some(7), None), open(&path, None, Some(&[]))] {
            let error = error.err().expect("it is being written").to_string();
            assert!(
                error.contains("another linesman is writing to it"),
                "{error}"
            );
        }
        drop(file);
        open(&path, Some(7), None).expect("the first match has ended");
    }

    /// The new contents of a file with these old ones, from which the match's text begins at `start`.
    fn rebuild(old: &[u8], start: Option<u64>, texts: &[String]) -> io::Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        fs::write(&path, old)?;
        let rebuilt = open(&path, start, Some(texts));
        let after = fs::read(&path)?;
        match rebuilt {
            Ok(mut file) => {
                file.record(&game("more"))?;
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
            let whole = rebuild(&all[..n_known], None, &texts).expect("a prefix");
            assert_eq!(whole, all, "{n_known}");
            let old = [b"before\n\n", &all[..n_known]].concat();
            let whole = rebuild(&old, Some(8), &texts).expect("a prefix");
            assert_eq!(whole, [b"before\n\n", all.as_slice()].concat(), "{n_known}");
        }
        for at in 0..all.len() {
            let mut changed = all.clone();
            changed[at] ^= 1;
            assert!(rebuild(&changed, None, &texts).is_err(), "{at}");
        }
        let longer = [all.as_slice(), b"["].concat();
        assert!(rebuild(&longer, None, &texts).is_err());
        assert!(rebuild(&all[texts[0].len()..], None, &texts).is_err());
        assert!(rebuild(b"befor", Some(6), &texts).is_err());
    }

    #[test]
    fn the_target_of_a_link_is_completed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, link) = (folder.path().join("games"), folder.path().join("link"));
        fs::write(&path, "[a").expect("a new file");
        std::os::unix::fs::symlink(&path, &link).expect("a new link");
        open(&link, None, Some(&["[a;;".to_owned()])).expect("a prefix");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).expect("it is there"), b"[a;;");
    }
}
