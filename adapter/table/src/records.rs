//! The table's files: the journal during the game; the game record in the ledger and the PGN file at its end.

use std::io;
use std::path::{Path, PathBuf};

use kit::Side;
use record::event::{Event, Recorder};
use record::file::naming;
use record::game::GameRecord;
use record::ledger::{Ledger, LedgerWriter, SyncPolicy, sealed_lines};
use record::pgn::PgnWriter;
use record::plan::{Plan, partner_to_move};
use record::platform::check_new_file;
use record::registry::Registry;
use record::table::{Mover, Ply, SeatId, TableEvent};

use crate::error::TableError;
use crate::journal::{Journal, JournalEntry, JournalLine, RecordedEnding, entries};
use crate::state::Table;

/// The files of a table.
#[derive(Debug, Default)]
pub(super) struct Records {
    ledger: Option<TableLedger>,
    pgn: Option<PgnWriter>,
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
        may_rename: bool,
    ) -> io::Result<PlannedLedger> {
        match check_new_file(&plan.ledger) {
            Err(error) if may_rename && error.kind() == io::ErrorKind::AlreadyExists => {}
            checked => checked.map_err(|error| naming(plan.ledger.display(), &error))?,
        }
        Ok(PlannedLedger {
            plan: plan.clone(),
            sync,
            may_rename,
            entries: Vec::new(),
        })
    }

    fn note(&mut self, entry: &JournalEntry) {
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
        let lines = sealed_lines(lines)?;
        if self.may_rename {
            return LedgerWriter::create_unused_with(&mut self.plan, &lines, self.sync);
        }
        LedgerWriter::create_with(&self.plan.ledger, &self.plan, &lines, self.sync)
    }
}

/// `true` for entries that cause the ledger to be created.
fn is_worth_keeping(entry: &JournalEntry) -> bool {
    matches!(entry, JournalEntry::Move { .. } | JournalEntry::Line { .. })
}

impl Records {
    /// Opens the records of a new table: the ledger, if one is kept, and the PGN file, if the plan has one.
    pub(super) fn begin(
        ledger: Option<TableLedger>,
        plan: &Plan,
        registry: Registry,
    ) -> io::Result<Records> {
        let create = |path: &Path| PgnWriter::create(path, registry, plan);
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
        let rebuild = |path: &Path| PgnWriter::rebuild(path, registry, plan, &ledger.games);
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
    fn note(&mut self, entry: &JournalEntry) -> io::Result<Option<PathBuf>> {
        match &mut self.ledger {
            Some(TableLedger::Planned(planned)) => planned.note(entry),
            Some(TableLedger::Open(ledger)) => {
                return ledger
                    .sealed_line(&JournalLine { journal: entry })
                    .map(|()| None);
            }
            None => {}
        }
        if is_worth_keeping(entry) {
            self.make_ledger()
        } else {
            Ok(None)
        }
    }

    /// Creates the ledger if it does not exist, and then returns its path.
    fn make_ledger(&mut self) -> io::Result<Option<PathBuf>> {
        let Some(TableLedger::Planned(planned)) = &mut self.ledger else {
            return Ok(None);
        };
        let writer = planned.make()?;
        let path = planned.plan.ledger.clone();
        self.ledger = Some(TableLedger::Open(writer));
        Ok(Some(path))
    }

    fn file(&mut self, event: &Event) -> io::Result<()> {
        self.n_games += 1;
        if let Some(TableLedger::Open(ledger)) = &mut self.ledger {
            ledger.record(event)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(event))
    }
}

impl Table {
    /// Appends an entry to the journal; must be called before the event is sent to clients.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> Result<(), TableError> {
        let made = self.records.note(entry).map_err(TableError::Records)?;
        self.tell_ledger(made);
        Ok(())
    }

    /// Sends the host the path of a new ledger.
    fn tell_ledger(&mut self, made: Option<PathBuf>) {
        if let Some(path) = made {
            self.plan.ledger.clone_from(&path);
            self.clients.tell_hosts(TableEvent::LedgerBegun { path });
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
            let made = self.records.make_ledger().map_err(TableError::Records)?;
            self.tell_ledger(made);
            let event = Event::GameOver {
                record: Box::new(record.clone()),
            };
            self.records.file(&event).map_err(TableError::Records)?;
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

    /// Saves the game with all its branches to a new file, which `load` accepts.
    ///
    /// # Errors
    /// The file cannot be written; the message names it. The table stays open.
    pub(super) fn save(&self, path: &Path) -> Result<(), TableError> {
        let refuse = |error: io::Error| TableError::Refused(error.to_string());
        let mut plan = self.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let helper = JournalEntry::Helper(Box::new(self.helper.clone()));
        let auto = JournalEntry::Auto(self.autos());
        let touch = self.touch.is_on.then_some(JournalEntry::TouchMove(true));
        let mut saved: Vec<JournalEntry> = [helper, auto].into_iter().chain(touch).collect();
        saved.extend(entries(&self.journal()));
        let saved = saved.iter().map(|journal| JournalLine { journal });
        let lines = sealed_lines(saved).map_err(|error| refuse(error.into()))?;
        let written = LedgerWriter::create_with(path, &plan, &lines, SyncPolicy::default());
        written.map(drop).map_err(refuse)
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
        }
    }
}
