//! Removes games from a ledger, so that they are played again.

use std::fs;
use std::io::{self, BufReader, Seek};
use std::path::Path;

use super::read::{BUFFER, LedgerError, LedgerReader};
use super::signature::LedgerKey;
use super::writer::{LedgerWriter, NO_LINES, SyncPolicy, open_locked};
use crate::game::GameRecord;

/// Rewrites a ledger without the games for which the condition holds, and returns their number. The new file replaces
/// the old one when it is complete, and is signed if the old one was signed with this key.
///
/// # Errors
/// The ledger is in use or cannot be read, or the new file cannot be written.
pub fn purge_ledger(
    path: &Path,
    key: Option<&LedgerKey>,
    is_removed: impl Fn(&GameRecord) -> bool,
) -> Result<usize, LedgerError> {
    let mut file = open_locked(path).map_err(LedgerError::Io)?;
    let mut reader = LedgerReader::signed(BufReader::with_capacity(BUFFER, &file), key)?;
    let mut n_removed = 0;
    for game in reader.by_ref() {
        n_removed += usize::from(is_removed(&game?));
    }
    if n_removed == 0 {
        return Ok(0);
    }
    let key = key.filter(|_| reader.is_signed());
    // The extensions of the match are part of the new plan.
    let plan = reader.plan().clone();
    file.rewind().map_err(LedgerError::Io)?;
    let kept = LedgerReader::new(BufReader::with_capacity(BUFFER, &file))?;
    let new_path = path.with_extension(format!("purged-{}", std::process::id()));
    let written = LedgerWriter::create(&new_path, &plan, NO_LINES, SyncPolicy::Off, key)
        .map_err(LedgerError::Io)
        .and_then(|mut writer| {
            for game in kept {
                let game = game?;
                if !is_removed(&game) {
                    writer.sealed_line(&game).map_err(LedgerError::Io)?;
                }
            }
            let replaced = writer.sync().and_then(|()| fs::rename(&new_path, path));
            replaced.map_err(LedgerError::Io)
        });
    if written.is_err() {
        // Remove the partial file; the ledger is unchanged.
        let _: io::Result<()> = fs::remove_file(&new_path);
    }
    written.map(|()| n_removed)
}

#[cfg(test)]
mod tests {
    use super::super::{open_ledger, read_ledger};
    use super::*;
    use crate::testing::{finished_game, plan};

    #[test]
    fn a_purged_ledger_has_the_other_games_and_its_signature() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("l.jsonl");
        let key = LedgerKey::new([7; LedgerKey::BYTES]);
        let plan = plan(&["A", "B"]);
        let sync = SyncPolicy::Off;
        let mut writer =
            LedgerWriter::create(&path, &plan, NO_LINES, sync, Some(&key)).expect("a new file");
        for number in 1..=4 {
            let written = writer.sealed_line(&finished_game(number));
            written.expect("it can be written");
        }
        let is_even = |game: &GameRecord| game.game.is_multiple_of(2);
        let error = purge_ledger(&path, Some(&key), is_even).expect_err("it is in use");
        assert!(error.to_string().contains("another linesman"), "{error}");
        drop(writer);
        let numbers = || {
            let games = read_ledger(&path).expect("a ledger").games;
            games.iter().map(|game| game.game).collect::<Vec<_>>()
        };
        assert_eq!(purge_ledger(&path, Some(&key), is_even).ok(), Some(2));
        assert_eq!(numbers(), [1, 3]);
        assert_eq!(purge_ledger(&path, Some(&key), is_even).ok(), Some(0));
        let (_, writer) = open_ledger(&path, Some(&key)).expect("a ledger");
        assert!(writer.is_signed());
        drop(writer);
        // Without the key, no signature is made.
        assert_eq!(
            purge_ledger(&path, None, |game| game.game == 1).ok(),
            Some(1)
        );
        let (_, writer) = open_ledger(&path, Some(&key)).expect("a ledger");
        assert!(!writer.is_signed());
        assert_eq!(numbers(), [3]);
        let files = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, 1);
    }
}
