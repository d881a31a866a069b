//! What is kept: the journal as the game goes, the ledger and its PGN twin when it ends.

use std::io;
use std::path::Path;

use kit::Side;

use super::TableError;
use super::journal::{Journal, JournalEntry, JournalLine, RecordedEnding, entries};
use super::seat_id::SeatId;
use super::state::Table;
use super::tree::{Mover, Ply};
use crate::event::{Event, Recorder};
use crate::plan::{Plan, partner_to_move};
use crate::record::{GameRecord, Ledger, LedgerWriter, PgnWriter, SyncPolicy};
use crate::registry::Registry;

/// The files of a table.
#[derive(Debug, Default)]
pub(super) struct Records {
    ledger: Option<LedgerWriter>,
    pgn: Option<PgnWriter>,
    n_games: usize,
}

impl Records {
    /// A new ledger, and a new PGN twin with the plan in it.
    pub(super) fn begin(
        ledger: LedgerWriter,
        plan: &Plan,
        registry: Registry,
    ) -> io::Result<Records> {
        let create = |path: &Path| PgnWriter::create(path, registry, plan);
        Ok(Records {
            ledger: Some(ledger),
            pgn: plan.pgn.as_deref().map(create).transpose()?,
            n_games: 0,
        })
    }

    /// Files that go on behind what they hold.
    pub(super) fn resume(
        plan: &Plan,
        ledger: &Ledger,
        writer: LedgerWriter,
        registry: Registry,
    ) -> io::Result<Records> {
        let rebuild = |path: &Path| PgnWriter::rebuild(path, registry, plan, &ledger.games);
        Ok(Records {
            ledger: Some(writer),
            pgn: plan.pgn.as_deref().map(rebuild).transpose()?,
            n_games: ledger.games.len(),
        })
    }

    /// How many games are on record.
    pub(super) fn n_games(&self) -> usize {
        self.n_games
    }

    /// Adds a line to the journal.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> io::Result<()> {
        match &mut self.ledger {
            Some(ledger) => ledger.sealed_line(&JournalLine { journal: entry }),
            None => Ok(()),
        }
    }

    fn file(&mut self, event: &Event) -> io::Result<()> {
        self.n_games += 1;
        if let Some(ledger) = &mut self.ledger {
            ledger.record(event)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(event))
    }
}

impl Table {
    /// Writes a line of the journal. What happened is told after that.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> Result<(), TableError> {
        self.records.note(entry).map_err(TableError::Records)
    }

    /// Writes a whole game into the journal.
    pub(super) fn note_game(&mut self, journal: &Journal) -> Result<(), TableError> {
        entries(journal)
            .iter()
            .try_for_each(|entry| self.note(entry))
    }

    /// Puts the finished game on record, unless this end of it is there already.
    pub(super) fn file(&mut self) -> Result<Option<GameRecord>, TableError> {
        let Some(ending) = self.over.clone() else {
            return Ok(None);
        };
        let (node, result) = (self.tree.here(), ending.result);
        let number = self.number();
        let is_new = number > self.records.n_games();
        let mut played = self.game.played(ending);
        let stand_ins = self.seat_ids().filter_map(|id| self.stand_in(id));
        played.notes.extend(stand_ins);
        let names = Side::BOTH.map(|side| self.player_name(side));
        let record = played.record(number, number, names, self.opening.clone());
        if is_new {
            self.endings.push(RecordedEnding {
                node,
                result,
                number,
            });
            let event = Event::GameOver {
                record: Box::new(record.clone()),
            };
            self.records.file(&event).map_err(TableError::Records)?;
        }
        Ok(Some(record))
    }

    /// The moves of a seat that were made by another kind of player than the records name.
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

    /// Writes the game with all its branches to a new file, which can be loaded.
    ///
    /// # Errors
    /// Names the file and what is wrong with it; the table goes on.
    pub(super) fn save(&self, path: &Path) -> Result<(), TableError> {
        let refuse = |error: io::Error| TableError::Refused(error.to_string());
        let mut plan = self.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let ledger = LedgerWriter::create(path, &plan, SyncPolicy::default()).map_err(refuse)?;
        let mut records = Records::begin(ledger, &plan, self.registry).map_err(refuse)?;
        let helper = JournalEntry::Helper(Box::new(self.helper.clone()));
        let auto = JournalEntry::Auto(self.autos());
        let touch = self.touch.is_on.then_some(JournalEntry::TouchMove(true));
        let setting = [helper, auto].into_iter().chain(touch);
        for entry in setting.chain(entries(&self.journal())) {
            records.note(&entry).map_err(refuse)?;
        }
        Ok(())
    }

    /// The game as its journal tells it.
    fn journal(&self) -> Journal {
        Journal {
            id: self.id.clone(),
            opening: self.opening.clone(),
            tree: self.tree.clone(),
            ended: None,
            endings: Vec::new(),
        }
    }
}
