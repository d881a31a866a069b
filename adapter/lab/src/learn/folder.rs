//! The folder of `linesman-lab learn`: its settings, and the games and weights of each round.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kit::lock::WriterLock;
use kit::weights::Weights;
use lab::learn::{PlayedGame, SelfPlayTrainer};
use record::ledger::{LedgerWriter, SyncPolicy};
use serde::{Deserialize, Serialize};

use crate::json_lines::{self, each_line};
use linesman::records::own_file::OwnFile;
use linesman::usage::{Failure, OrFail, refuse, trouble};

/// All settings that affect the games and weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) game: String,
    pub(super) options: BTreeMap<String, String>,
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) epochs: usize,
    pub(super) from_zero: bool,
    pub(super) seed: u64,
}

/// Name of the file of the settings.
const SETTINGS: &str = "settings.json";

/// The folder, locked for this process.
pub(super) struct Folder {
    path: PathBuf,
    _lock: WriterLock,
}

impl Folder {
    /// Opens the folder, or creates it with these settings. It is an error if the folder has other settings.
    pub(super) fn open(path: &Path, settings: &Settings) -> Result<Folder, Failure> {
        fs::create_dir_all(path).or_trouble(path.display())?;
        let held = "another process uses this folder";
        let lock = WriterLock::acquire(&path.join(SETTINGS), held).or_fail()?;
        let folder = Folder {
            path: path.to_owned(),
            _lock: lock,
        };
        folder.check(settings)?;
        Ok(folder)
    }

    fn check(&self, settings: &Settings) -> Result<(), Failure> {
        let path = self.path.join(SETTINGS);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_string(settings).or_trouble(path.display())?;
                OwnFile::new(&path, "FOLDER")?.write(text + "\n")
            }
            Err(error) => Err(trouble(path.display(), error)),
            Ok(bytes) => {
                let found: Settings = serde_json::from_slice(&bytes).map_err(|why| {
                    trouble(
                        path.display(),
                        format!("not a settings file of linesman-lab learn: {why}"),
                    )
                })?;
                if found == *settings {
                    return Ok(());
                }
                let text = serde_json::to_string(&found).or_trouble(path.display())?;
                let why = format!("started with other settings: expected {text}");
                refuse!("{}: {why}", self.path.display())
            }
        }
    }

    /// The weights at the end of a round; `None` if the round is not complete.
    pub(super) fn weights<T: SelfPlayTrainer>(
        &self,
        round: usize,
        n_inputs: usize,
    ) -> Result<Option<T::Weights>, Failure> {
        let path = self.weights_path::<T>(round);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(trouble(path.display(), error)),
            Ok(bytes) => match T::Weights::of_game(&bytes, n_inputs) {
                Ok(weights) => Ok(Some(weights)),
                Err(why) => Err(trouble(path.display(), why)),
            },
        }
    }

    /// Stores the weights of a round.
    pub(super) fn keep<T: SelfPlayTrainer>(
        &self,
        round: usize,
        weights: &T::Weights,
    ) -> Result<(), Failure> {
        OwnFile::new(&self.weights_path::<T>(round), "FOLDER")?.write(weights.to_bytes())
    }

    pub(super) fn weights_path<T: SelfPlayTrainer>(&self, round: usize) -> PathBuf {
        let (name, extension) = (T::Weights::KIND, T::EXTENSION);
        self.path.join(format!("{name}-{round}.{extension}"))
    }

    /// The games of a round, in a file to which new games are appended.
    pub(super) fn games(&self, round: usize) -> Result<(LedgerWriter, Vec<PlayedGame>), Failure> {
        let path = self.path.join(format!("games-{round}.jsonl"));
        if !path.exists() {
            fs::write(&path, "").or_trouble(path.display())?;
        }
        let read = |bytes: &[u8]| {
            let mut played = Vec::new();
            each_line(bytes, 1, |game| {
                played.push(game);
                Ok(())
            })?;
            Ok(played)
        };
        json_lines::open(&path, SyncPolicy::Off, read).or_fail()
    }
}
