//! Search for finished games in a ledger that is being written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::read::parse_game;
use crate::game::GameRecord;

/// Finds finished games in a ledger that is being written. Each search continues where the last one stopped.
#[derive(Debug)]
pub struct GameFinder {
    path: PathBuf,
    /// Bytes searched so far.
    offset: u64,
}

impl GameFinder {
    /// Starts at the beginning of this ledger.
    pub fn new(path: &Path) -> GameFinder {
        GameFinder {
            path: path.to_owned(),
            offset: 0,
        }
    }

    /// Returns the games with these numbers that follow the last one found, in file order.
    pub fn find(&mut self, numbers: &[usize]) -> io::Result<Vec<GameRecord>> {
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(self.offset))?;
        let mut found = Vec::new();
        let mut line = Vec::new();
        while found.len() < numbers.len() && file.read_until(b'\n', &mut line)? > 0 {
            let game = parse_game(&line).ok();
            found.extend(game.filter(|game| numbers.contains(&game.game)));
            line.clear();
        }
        self.offset = file.stream_position()?;
        Ok(found)
    }
}
