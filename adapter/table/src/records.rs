//! The table's files: the journal during the game, the game record in the ledger and the PGN file at its end, and the
//! files to which a game is saved.

use std::io;
use std::path::Path;

use kit::Side;
use record::event::Recorder;
use record::file::naming;
use record::game::GameRecord;
use record::ledger::{Ledger, LedgerWriter, SyncPolicy};
use record::plan::partner_to_move;
use referee::date::today;
use referee::derived_file::{DerivedFile, KnownGames, check_new_file};
use referee::play::record_of;

use crate::error::{TableError, failed, refuse};
use crate::journal::{Journal, JournalEntry, JournalLine, RecordedEnding, entries, line_record};
use crate::model::{Mover, Ply, Refusal, SeatId, TableEvent};
use crate::setup::TableSetup;
use crate::state::Table;

/// The files of a table.
#[derive(Default)]
pub(super) struct Records {
    ledger: Option<TableLedger>,
    pgn: Option<DerivedFile>,
    n_games: usize,
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
    /// Opens the records of a table: the ledger, if one is kept, and the PGN file, if the plan has one. `known` is what
    /// the ledger contains already.
    ///
    /// # Errors
    /// A file cannot be written; the message names it.
    pub(super) fn open(
        ledger: Option<TableLedger>,
        setup: &TableSetup,
        known: Option<&Ledger>,
    ) -> io::Result<Records> {
        let plan = &setup.plan;
        if let Some(TableLedger::Planned(_)) = ledger {
            match check_new_file(&plan.ledger) {
                Err(error)
                    if setup.may_rename_ledger && error.kind() == io::ErrorKind::AlreadyExists => {}
                checked => checked.map_err(|error| naming(plan.ledger.display(), &error))?,
            }
        }
        let games =
            known.map(|known| Box::new(known.games.iter().cloned().map(Ok)) as KnownGames<'_>);
        let pgn = plan.pgn.as_deref();
        let pgn = pgn.map(|path| DerivedFile::pgn(path, setup.host.registry, plan, games));
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

    /// Appends an entry to the journal. Returns `true` if a planned ledger is to be created for it.
    fn note(&mut self, entry: &JournalEntry) -> io::Result<bool> {
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
    fn make_ledger(&mut self, setup: &mut TableSetup) -> io::Result<bool> {
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

    fn file(&mut self, game: &GameRecord) -> io::Result<()> {
        self.n_games += 1;
        if let Some(TableLedger::Open(ledger)) = &mut self.ledger {
            ledger.record(game)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(game))
    }
}

/// The lines of a ledger with these entries.
fn lines(entries: &[JournalEntry]) -> Vec<JournalLine<&JournalEntry>> {
    let lines = entries.iter().map(|journal| JournalLine { journal });
    lines.collect()
}

impl Table {
    /// Appends an entry to the journal; must be called before the event is sent to clients.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> Result<(), TableError> {
        match self.records.note(entry).map_err(TableError::Records)? {
            true => self.make_ledger(),
            false => Ok(()),
        }
    }

    /// Creates the ledger, unless it exists, and sends the host its path.
    fn make_ledger(&mut self) -> Result<(), TableError> {
        let made = self.records.make_ledger(&mut self.setup);
        if made.map_err(TableError::Records)? {
            let path = self.setup.plan.ledger.clone();
            self.clients.send_to_hosts(TableEvent::LedgerBegun { path });
        }
        Ok(())
    }

    /// Appends a whole game to the journal.
    pub(super) fn note_game(&mut self, journal: &Journal) -> Result<(), TableError> {
        entries(journal)
            .iter()
            .try_for_each(|entry| self.note(entry))
    }

    /// Records the finished game, unless this ending is already on record.
    pub(super) fn file(&mut self) -> Result<Option<GameRecord>, TableError> {
        let Some(ending) = self.over.clone() else {
            return Ok(None);
        };
        let (node, result) = (self.tree.here(), ending.result);
        let number = self.number();
        let is_new = number > self.records.n_games();
        let names = Side::BOTH.map(|side| self.player_name(side));
        let opening = self.opening.clone();
        let mut record = record_of(&self.game, ending, (number, number), names, opening);
        let stand_ins = self.seat_ids().filter_map(|id| self.stand_in(id));
        record.notes.extend(stand_ins);
        if is_new {
            self.endings.push(RecordedEnding {
                node,
                result,
                number,
            });
            self.make_ledger()?;
            self.records.file(&record).map_err(TableError::Records)?;
        } else if number > 0 {
            self.note(&JournalEntry::Over(number))?;
        }
        Ok(Some(record))
    }

    /// A note that lists the moves of a seat made by another kind of player than the records name; `None` without any.
    fn stand_in(&self, id: SeatId) -> Option<String> {
        let (own, other) = if self.is_persons(id) {
            (Mover::Person, "an engine")
        } else {
            (Mover::Engine, "a person")
        };
        let n_partners = self.partners(id.side).len();
        let is_turn = |index: usize, ply: &Ply| {
            ply.side == id.side && partner_to_move(index, n_partners) == id.partner
        };
        let first = self.opening.moves.len() + 1;
        let line = self.tree.line().enumerate();
        let numbers: Vec<String> = line
            .filter(|(index, ply)| is_turn(*index, ply) && ply.by != own)
            .map(|(index, _)| (first + index).to_string())
            .collect();
        (!numbers.is_empty()).then(|| {
            let (name, numbers) = (self.seat_at(id).name(), numbers.join(", "));
            format!("{name}: {other} played the moves {numbers}")
        })
    }

    /// Saves the game to a new file, which `load` accepts: the moves up to the current position as PGN if the name ends
    /// in `.pgn`, else all branches as a ledger.
    ///
    /// # Errors
    /// The file has another ending, or cannot be written; the message names it. The table stays open.
    pub(super) fn save(&self, path: &Path) -> Result<(), TableError> {
        // Its text names the file.
        let failed = |error: io::Error| TableError::Refused(failed(error));
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("pgn") => return self.save_pgn(path).map_err(failed),
            None | Some("jsonl") => {}
            Some(_) => {
                let path = path.to_owned();
                return refuse(Refusal::FileName { path });
            }
        }
        let mut plan = self.setup.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let helper = JournalEntry::Helper(Box::new(self.setup.helper.clone()));
        let auto = JournalEntry::Auto(self.autos());
        let mut saved = vec![helper, auto];
        saved.extend(entries(&self.journal()));
        let (sync, begun_here) = (SyncPolicy::default(), self.setup.begun_here.as_ref());
        let written = LedgerWriter::create(path, &plan, &lines(&saved), sync, begun_here);
        written.map(drop).map_err(failed)
    }

    fn save_pgn(&self, path: &Path) -> io::Result<()> {
        let names = Side::BOTH.map(|side| self.player_name(side));
        let ending = self.over.clone();
        let record = GameRecord {
            first: self.rules.first_mover(&self.opening).unwrap_or(Side::P1),
            ..line_record(
                self.number(),
                names,
                &self.opening,
                &self.tree,
                ending,
                today(),
            )
        };
        let mut plan = self.setup.plan.clone();
        plan.outputs.pgn_start = None;
        DerivedFile::pgn(path, self.setup.host.registry, &plan, None)?.record(&record)
    }

    /// The game in the form of a journal.
    fn journal(&self) -> Journal {
        Journal {
            id: self.id.clone(),
            opening: self.opening.clone(),
            tree: self.tree.clone(),
            ended: None,
            endings: Vec::new(),
            offer: None,
            clock_since: self.clock_since,
        }
    }
}
