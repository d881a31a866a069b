//! The file of final positions: one position string a line, in the order in which the games finished.

use std::io;
use std::path::Path;

use crate::derived_file::{DerivedFile, TextStart};
use crate::event::Recorder;
use crate::game::GameRecord;
use crate::opening::position::Opening;
use crate::registry::Rules;

/// Writes the final position of each game. The file is created with the first game.
#[derive(Debug)]
pub struct EpdWriter {
    file: DerivedFile,
    rules: Option<Rules>,
}

impl EpdWriter {
    /// Creates a new file. Returns an error if the file exists or cannot be created; errors name the file.
    pub fn create(path: &Path, rules: Option<Rules>) -> io::Result<EpdWriter> {
        let file = DerivedFile::create(path, TextStart::Own)?;
        Ok(EpdWriter { file, rules })
    }

    /// Writes a file anew from the games of a ledger, and appends to it from then on. Returns an error if the old file
    /// is not the beginning of their positions; errors of the file name it.
    pub fn rebuild(
        path: &Path,
        rules: Option<Rules>,
        games: impl Iterator<Item = io::Result<GameRecord>>,
    ) -> io::Result<EpdWriter> {
        let texts = games.map(|game| game.map(|game| line(rules.as_ref(), &game)));
        let not_own = "not the final positions of this match, so it is not overwritten: expected another file with --epdout";
        let file = DerivedFile::rebuild(path, TextStart::Own, texts, not_own)?;
        Ok(EpdWriter { file, rules })
    }
}

impl Recorder for EpdWriter {
    fn record(&mut self, game: &GameRecord) -> io::Result<()> {
        self.file.write(&line(self.rules.as_ref(), game))
    }
}

/// The final position of a game as a line. Without rules, the position is given by its moves: `startpos moves ...`.
fn line(rules: Option<&Rules>, game: &GameRecord) -> String {
    let all = Opening {
        fen: game.opening.fen.clone(),
        moves: game.moves.clone(),
    };
    let board = rules.and_then(|rules| rules.open(&all).ok());
    let position = board.map_or_else(|| all.to_string(), |board| board.fen());
    position + "\n"
}
