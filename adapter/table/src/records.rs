//! The table's files: the journal during the game, and the game record in the ledger and the PGN file at its end.

use std::io;

use record::event::Recorder;
use record::file::naming;
use record::game::GameRecord;
use record::ledger::LedgerWriter;
use referee::derived_file::{DerivedFile, KnownGames, check_new_file};

use crate::journal::{JournalEntry, JournalLine};
use crate::setup::{Resumed, TableSetup};

/// The files of a table.
#[derive(Default)]
pub(super) struct Records {
    pub(super) ledger: Option<TableLedger>,
    pgn: Option<DerivedFile>,
    /// Number of recorded games.
    pub(super) n_games: usize,
}

/// State of a table's ledger.
#[derive(Debug)]
pub(super) enum TableLedger {
    /// Not created yet: this happens at the first move or the first finished game. Holds the entries to write then.
    Planned(Vec<JournalEntry>),
    /// Created.
    Open(LedgerWriter),
}

impl Records {
    /// Opens the records of a table: the ledger, if one is kept, and the PGN file, if the plan has one.
    ///
    /// # Errors
    /// A file cannot be written; the message names it.
    pub(super) fn open(resumed: Option<Resumed>, setup: &TableSetup) -> io::Result<Records> {
        let plan = &setup.plan;
        if resumed.is_none() && setup.keeps_ledger {
            match check_new_file(&plan.ledger) {
                Err(error)
                    if setup.may_rename_ledger && error.kind() == io::ErrorKind::AlreadyExists => {}
                checked => checked.map_err(|error| naming(plan.ledger.display(), &error))?,
            }
        }
        let known = resumed.as_ref().map(|resumed| &resumed.ledger.games);
        let n_games = known.map_or(0, Vec::len);
        let games = known.map(|games| Box::new(games.iter().cloned().map(Ok)) as KnownGames<'_>);
        let pgn = plan.pgn.as_deref();
        let pgn = pgn.map(|path| DerivedFile::pgn(path, setup.host.registry, plan, games));
        Ok(Records {
            pgn: pgn.transpose()?,
            ledger: match resumed {
                Some(Resumed { writer, .. }) => {
                    Some(TableLedger::Open(writer.with_sync(setup.sync)))
                }
                None => setup.keeps_ledger.then(|| TableLedger::Planned(Vec::new())),
            },
            n_games,
        })
    }

    pub(super) fn is_begun(&self) -> bool {
        matches!(self.ledger, Some(TableLedger::Open(_)))
    }

    /// Appends an entry to the journal. Returns `true` if a planned ledger is to be created for it.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> io::Result<bool> {
        match &mut self.ledger {
            Some(TableLedger::Planned(entries)) => {
                if matches!(entry, JournalEntry::Game { .. }) {
                    // The previous game has no moves, so it is left out.
                    entries.retain(|old| {
                        !matches!(old, JournalEntry::Game { .. } | JournalEntry::At(_))
                    });
                }
                entries.push(entry.clone());
                // Only a game with moves is worth a ledger.
                Ok(matches!(
                    entry,
                    JournalEntry::Move { .. } | JournalEntry::Line { .. }
                ))
            }
            Some(TableLedger::Open(ledger)) => {
                let written = ledger.sealed_line(&JournalLine { journal: entry });
                written.map(|()| false)
            }
            None => Ok(false),
        }
    }

    /// Creates the ledger with all entries so far, unless it exists. The file may get another name, which is then set in
    /// the plan. Returns `true` if it was created.
    pub(super) fn make_ledger(&mut self, setup: &mut TableSetup) -> io::Result<bool> {
        let Some(TableLedger::Planned(entries)) = &self.ledger else {
            return Ok(false);
        };
        let lines: Vec<_> = lines(entries);
        let (plan, begun_here) = (&mut setup.plan, setup.begun_here.as_ref());
        let writer = match setup.may_rename_ledger {
            true => LedgerWriter::create_unused(plan, &lines, setup.sync, begun_here)?,
            false => LedgerWriter::create(&plan.ledger, plan, &lines, setup.sync, begun_here)?,
        };
        self.ledger = Some(TableLedger::Open(writer));
        Ok(true)
    }

    pub(super) fn file(&mut self, game: &GameRecord) -> io::Result<()> {
        self.n_games += 1;
        if let Some(TableLedger::Open(ledger)) = &mut self.ledger {
            ledger.record(game)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(game))
    }
}

/// The lines of a ledger with these entries.
pub(super) fn lines(entries: &[JournalEntry]) -> Vec<JournalLine<&JournalEntry>> {
    let lines = entries.iter().map(|journal| JournalLine { journal });
    lines.collect()
}
