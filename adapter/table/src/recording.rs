//! Records of the table: entries of the journal, finished games, PGN files.

use std::io;
use std::path::{Path, PathBuf};

use referee::play::record_of;

use crate::model::{Mover, Ply, Refusal, SeatId, TableEvent};
use kit::Side;
use record::event::Recorder;
use record::game::GameRecord;
use record::ledger::{LedgerWriter, SyncPolicy};
use record::plan::partner_to_move;
use referee::date::today;
use referee::derived_file::DerivedFile;

use crate::error::{TableError, failed, refuse};
use crate::journal::{Journal, JournalEntry, JournalLine, RecordedEnding, entries, line_record};
use crate::state::Table;

impl Table {
    /// Appends an entry to the journal; must be called before the event is sent to clients.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> Result<(), TableError> {
        let made = self.records.note(entry).map_err(TableError::Records)?;
        self.send_ledger(made);
        Ok(())
    }

    /// Sends the host the path of a new ledger.
    fn send_ledger(&mut self, made: Option<PathBuf>) {
        if let Some(path) = made {
            self.plan.ledger.clone_from(&path);
            self.clients.send_to_hosts(TableEvent::LedgerBegun { path });
        }
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
            let made = self.records.make_ledger().map_err(TableError::Records)?;
            self.send_ledger(made);
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
        let mut plan = self.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let helper = JournalEntry::Helper(Box::new(self.helper.clone()));
        let auto = JournalEntry::Auto(self.autos());
        let mut saved = vec![helper, auto];
        saved.extend(entries(&self.journal()));
        let saved = saved.iter().map(|journal| JournalLine { journal });
        let lines: Vec<_> = saved.collect();
        let (sync, begun_here) = (SyncPolicy::default(), self.begun_here.as_ref());
        let written = LedgerWriter::create(path, &plan, &lines, sync, begun_here);
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
        let mut plan = self.plan.clone();
        plan.outputs.pgn_start = None;
        DerivedFile::pgn(path, self.registry, &plan, None)?.record(&record)
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
