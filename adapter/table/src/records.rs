//! The table's files: the journal during the game; the game record in the ledger and the PGN file at its end.

use std::io;
use std::path::PathBuf;

use record::event::Recorder;
use record::file::naming;
use record::game::GameRecord;
use record::ledger::{BegunHere, Ledger, LedgerWriter, SyncPolicy};
use record::plan::Plan;
use record::registry::Registry;
use referee::derived_file::{DerivedFile, KnownGames, check_new_file};

use crate::journal::{JournalEntry, JournalLine};

/// The files of a table.
#[derive(Debug, Default)]
pub(super) struct Records {
    ledger: Option<TableLedger>,
    pgn: Option<DerivedFile>,
    n_games: usize,
}

/// State of a table's ledger.
#[derive(Debug)]
pub(super) enum TableLedger {
    /// Not created yet: this happens at the first move or the first finished game.
    Planned(Box<PlannedLedger>),
    /// Created.
    Open(LedgerWriter),
}

/// A ledger that does not exist yet.
#[derive(Debug)]
pub(super) struct PlannedLedger {
    pub(super) plan: Plan,
    pub(super) sync: SyncPolicy,
    pub(super) begun_here: Option<BegunHere>,
    pub(super) may_rename: bool,
    /// Entries to write when it is created.
    pub(super) entries: Vec<JournalEntry>,
}

impl PlannedLedger {
    fn note(&mut self, entry: &JournalEntry) {
        if matches!(entry, JournalEntry::Game { .. }) {
            // The previous game has no moves, so it is left out.
            let is_of_game =
                |old: &JournalEntry| matches!(old, JournalEntry::Game { .. } | JournalEntry::At(_));
            self.entries.retain(|old| !is_of_game(old));
        }
        self.entries.push(entry.clone());
    }

    /// Checks that the file can be created.
    fn check(&self) -> io::Result<()> {
        match check_new_file(&self.plan.ledger) {
            Err(error) if self.may_rename && error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            checked => checked.map_err(|error| naming(self.plan.ledger.display(), &error)),
        }
    }

    /// Creates the ledger with all entries so far. The file may get another name, which is then set in the plan.
    fn make(&mut self) -> io::Result<LedgerWriter> {
        let lines = self.entries.iter().map(|journal| JournalLine { journal });
        let lines: Vec<_> = lines.collect();
        let (sync, begun_here) = (self.sync, self.begun_here.as_ref());
        if self.may_rename {
            return LedgerWriter::create_unused(&mut self.plan, &lines, sync, begun_here);
        }
        LedgerWriter::create(&self.plan.ledger, &self.plan, &lines, sync, begun_here)
    }
}

impl Records {
    /// Opens the records of a table: the ledger, if one is kept, and the PGN file, if the plan has one. `known` is what
    /// the ledger contains already.
    ///
    /// # Errors
    /// A file cannot be written; the message names it.
    pub(super) fn open(
        mut ledger: Option<TableLedger>,
        plan: &Plan,
        registry: Registry,
        known: Option<&Ledger>,
    ) -> io::Result<Records> {
        if let Some(TableLedger::Planned(planned)) = &mut ledger {
            planned.plan = plan.clone();
            planned.check()?;
        }
        let games =
            known.map(|known| Box::new(known.games.iter().cloned().map(Ok)) as KnownGames<'_>);
        let pgn = plan.pgn.as_deref();
        let pgn = pgn.map(|path| DerivedFile::pgn(path, registry, plan, games));
        Ok(Records {
            ledger,
            pgn: pgn.transpose()?,
            n_games: known.map_or(0, |known| known.games.len()),
        })
    }

    /// Number of recorded games.
    pub(super) fn n_games(&self) -> usize {
        self.n_games
    }

    pub(super) fn is_begun(&self) -> bool {
        matches!(self.ledger, Some(TableLedger::Open(_)))
    }

    /// Appends an entry to the journal. Returns the path of the ledger if this created it.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> io::Result<Option<PathBuf>> {
        match &mut self.ledger {
            Some(TableLedger::Planned(planned)) => planned.note(entry),
            Some(TableLedger::Open(ledger)) => {
                return ledger
                    .sealed_line(&JournalLine { journal: entry })
                    .map(|()| None);
            }
            None => {}
        }
        match entry {
            // Only a game with moves is worth a ledger.
            JournalEntry::Move { .. } | JournalEntry::Line { .. } => self.make_ledger(),
            _ => Ok(None),
        }
    }

    /// Creates the ledger if it does not exist, and then returns its path.
    pub(super) fn make_ledger(&mut self) -> io::Result<Option<PathBuf>> {
        let Some(TableLedger::Planned(planned)) = &mut self.ledger else {
            return Ok(None);
        };
        let writer = planned.make()?;
        let path = planned.plan.ledger.clone();
        self.ledger = Some(TableLedger::Open(writer));
        Ok(Some(path))
    }

    pub(super) fn file(&mut self, game: &GameRecord) -> io::Result<()> {
        self.n_games += 1;
        if let Some(TableLedger::Open(ledger)) = &mut self.ledger {
            ledger.record(game)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(game))
    }
}
