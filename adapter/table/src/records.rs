//! The table's files: the journal during the game; the game record in the ledger and the PGN file at its end.

use std::io;
use std::path::{Path, PathBuf};

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
    plan: Plan,
    sync: SyncPolicy,
    begun_here: Option<BegunHere>,
    may_rename: bool,
    /// Entries to write when it is created.
    entries: Vec<JournalEntry>,
}

impl PlannedLedger {
    /// # Errors
    /// The file cannot be created; the message names it.
    pub(super) fn new(
        plan: &Plan,
        sync: SyncPolicy,
        begun_here: Option<BegunHere>,
        may_rename: bool,
    ) -> io::Result<PlannedLedger> {
        match check_new_file(&plan.ledger) {
            Err(error) if may_rename && error.kind() == io::ErrorKind::AlreadyExists => {}
            checked => checked.map_err(|error| naming(plan.ledger.display(), &error))?,
        }
        Ok(PlannedLedger {
            plan: plan.clone(),
            sync,
            begun_here,
            may_rename,
            entries: Vec::new(),
        })
    }

    pub(super) fn note(&mut self, entry: &JournalEntry) {
        if matches!(entry, JournalEntry::Game { .. }) {
            // The previous game has no moves, so it is left out.
            let is_of_game =
                |old: &JournalEntry| matches!(old, JournalEntry::Game { .. } | JournalEntry::At(_));
            self.entries.retain(|old| !is_of_game(old));
        }
        self.entries.push(entry.clone());
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
    /// Opens the records of a new table: the ledger, if one is kept, and the PGN file, if the plan has one.
    pub(super) fn begin(
        ledger: Option<TableLedger>,
        plan: &Plan,
        registry: Registry,
    ) -> io::Result<Records> {
        let create = |path: &Path| DerivedFile::pgn(path, registry, plan, None);
        Ok(Records {
            ledger,
            pgn: plan.pgn.as_deref().map(create).transpose()?,
            n_games: 0,
        })
    }

    /// Continues existing files.
    pub(super) fn resume(
        plan: &Plan,
        ledger: &Ledger,
        writer: LedgerWriter,
        registry: Registry,
    ) -> io::Result<Records> {
        let games = || Box::new(ledger.games.iter().cloned().map(Ok)) as KnownGames<'_>;
        let rebuild = |path: &Path| DerivedFile::pgn(path, registry, plan, Some(games()));
        Ok(Records {
            ledger: Some(TableLedger::Open(writer)),
            pgn: plan.pgn.as_deref().map(rebuild).transpose()?,
            n_games: ledger.games.len(),
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
