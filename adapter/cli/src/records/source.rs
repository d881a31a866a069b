//! Files of recorded games: ledgers and PGN files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use record::file::refuse_devices;
use record::game::{GameRecord, PlyRecord};
use record::game_spec::GameSpec;
use record::ledger::LedgerReader;
use record::pgn::{PgnGame, format_thought, read_pgn};
use record::plan::Plan;
use table::journal::read_table;

use crate::usage::{Failure, OrFail, warn};

/// The games of one file.
#[derive(Default)]
pub struct Source {
    path: PathBuf,
    /// The plan of a ledger.
    pub plan: Option<Plan>,
    /// The game that is played in the file.
    pub game: Option<GameSpec>,
    /// Its finished games.
    pub games: Vec<GameRecord>,
    /// The comments of a PGN file, by game and move; empty for a ledger.
    comments: Vec<Vec<String>>,
    /// The unfinished game of a table's ledger.
    unfinished: Option<GameRecord>,
}

impl Source {
    /// The game with this number.
    pub fn find(&self, number: usize) -> Result<&GameRecord, Failure> {
        let mut games = self.games.iter().chain(&self.unfinished);
        let found = games.find(|record| record.game == number);
        found.ok_or_else(|| {
            let n_games = self.games.len() + usize::from(self.unfinished.is_some());
            let file = self.path.display();
            Failure::Usage(format!(
                "GAME: {number} is not among the {n_games} games of {file}"
            ))
        })
    }

    /// One comment per move of a game: from its PGN file, or time and score in the same format.
    pub fn comments(&self, record: &GameRecord) -> Vec<String> {
        let index = self.games.iter().position(|game| game.game == record.game);
        let told = index.and_then(|index| self.comments.get(index));
        told.cloned().unwrap_or_else(|| {
            let plies = record.plies.iter();
            let comment = |ply: &Option<PlyRecord>| ply.as_ref().map(format_thought);
            plies.map(|ply| comment(ply).unwrap_or_default()).collect()
        })
    }
}

/// An opened file of recorded games.
pub enum Opened {
    /// A ledger, whose games are read one by one.
    Ledger(Box<LedgerReader<BufReader<File>>>),
    /// The games of a PGN file.
    Pgn(Vec<PgnGame>),
}

/// Opens a ledger, or reads a PGN file.
pub fn open(path: &Path) -> Result<Opened, Failure> {
    let opened = refuse_devices(path).and_then(|()| File::open(path));
    let mut file = BufReader::with_capacity(1 << 16, opened.or_trouble(path.display())?);
    let start = file.fill_buf().or_trouble(path.display())?;
    if start.trim_ascii_start().starts_with(b"{") {
        let reader = LedgerReader::new(file).or_trouble(path.display())?;
        return Ok(Opened::Ledger(Box::new(reader)));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).or_trouble(path.display())?;
    let games = read_pgn(&String::from_utf8_lossy(&bytes));
    let none = "no games: this is neither a ledger nor a PGN file of Linesman";
    let games = Some(games).filter(|games| !games.is_empty());
    games
        .map(Opened::Pgn)
        .ok_or(none)
        .or_trouble(path.display())
}

/// Reads a ledger or a PGN file.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let mut source = Source {
        path: path.to_owned(),
        ..Source::default()
    };
    match open(path)? {
        Opened::Ledger(mut reader) => {
            let games = reader.by_ref().collect::<Result<_, _>>();
            source.games = games.or_trouble(path.display())?;
            warn_torn(path, reader.ledger.torn);
            source.game = Some(reader.ledger.plan.game.clone());
            source.plan = Some(reader.ledger.plan);
            source.unfinished = read_table(path).ok().and_then(|table| table.unfinished());
        }
        Opened::Pgn(games) => {
            source.game = games[0].game.clone();
            let games = games.into_iter().map(|game| (game.comments, game.record));
            (source.comments, source.games) = games.unzip();
        }
    }
    Ok(source)
}

/// Names the torn line of a ledger, if there is one, on standard error.
pub(crate) fn warn_torn(path: &Path, torn: Option<usize>) {
    if let Some(number) = torn {
        let path = path.display();
        warn(&format!(
            "warning: {path}: line {number} is incomplete and is left out"
        ));
    }
}
