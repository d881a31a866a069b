//! What is kept: the journal as the game goes, the ledger and its PGN twin when it ends.

use std::io;
use std::path::Path;

use kit::Side;

use super::journal::{Journal, JournalEntry, JournalLine, entries, read_game};
use super::tree::Mover;
use super::{Table, TableError};
use crate::event::{Event, Recorder};
use crate::opening::Opening;
use crate::plan::{Plan, Program};
use crate::play::Ending;
use crate::record::{GameRecord, Ledger, LedgerWriter, PgnWriter, SyncPolicy};
use crate::registry::Registry;

/// The files of a session.
#[derive(Debug)]
pub(super) struct Records {
    ledger: Option<LedgerWriter>,
    pgn: Option<PgnWriter>,
    n_games: usize,
}

impl Records {
    /// No files yet: nothing may be noted.
    pub(super) fn nowhere() -> Records {
        Records {
            ledger: None,
            pgn: None,
            n_games: 0,
        }
    }

    /// New files with the plan in them.
    pub(super) fn create(plan: &Plan, registry: Registry) -> io::Result<Records> {
        let ledger = LedgerWriter::create(&plan.ledger, plan, SyncPolicy::default())?;
        let pgn = plan.pgn.as_deref();
        let pgn = pgn
            .map(|path| PgnWriter::create(path, registry, plan))
            .transpose()?;
        Ok(Records {
            ledger: Some(ledger),
            pgn,
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

    fn note(&mut self, entry: &JournalEntry) -> io::Result<()> {
        match &mut self.ledger {
            Some(ledger) => ledger.line(&JournalLine { journal: entry }),
            None => Ok(()),
        }
    }

    fn file(&mut self, record: GameRecord) -> io::Result<()> {
        self.n_games += 1;
        let event = Event::GameOver {
            record: Box::new(record),
        };
        if let Some(ledger) = &mut self.ledger {
            ledger.record(&event)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.record(&event))
    }
}

/// Something to tell a new game from all others by.
pub fn new_id() -> String {
    format!("{:08x}", fastrand::u32(..))
}

impl Table {
    /// Begins another game. A refusal says what is wrong with the opening, and leaves the game as it was.
    pub fn new_game(&mut self, opening: Opening) -> Result<(), TableError> {
        self.rules.open(&opening)?;
        let tale = Journal::new(new_id(), opening);
        self.note_game(&tale)?;
        self.replay(tale)?;
        self.disown();
        self.settle_outcome()
    }

    /// A game that is over when it comes here is not this session's to record.
    fn disown(&mut self) {
        if let Some(outcome) = self.board().outcome() {
            self.endings.push((self.tree.here(), outcome.into()));
        }
    }

    /// Writes the game with all its branches to a new file, which can be loaded and gone on with.
    ///
    /// # Errors
    /// Says what is wrong with the file; the session goes on.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        let refuse = |error: io::Error| TableError::Refused(error.to_string());
        let mut plan = self.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let mut records = Records::create(&plan, self.host.registry).map_err(refuse)?;
        let helper = JournalEntry::Helper(Box::new(self.helper.clone()));
        let auto = JournalEntry::Auto(Side::BOTH.map(|side| self.is_auto(side)));
        for entry in [helper, auto].iter().chain(&entries(&self.tale())) {
            records.note(entry).map_err(refuse)?;
        }
        Ok(())
    }

    /// Goes on with the game of a file: a ledger, a PGN file, or a line with a position.
    ///
    /// # Errors
    /// Says what is wrong with the file, and leaves the game as it was.
    pub fn load(&mut self, path: &Path) -> Result<(), TableError> {
        let (plan, tale) = read_game(path, new_id()).map_err(TableError::File)?;
        if let Some(plan) = plan.filter(|plan| plan.game != self.plan.game) {
            let why = format!(
                "it holds a game of {}: expected {}",
                plan.game, self.plan.game
            );
            return Err(TableError::Refused(why));
        }
        self.check(&tale)?;
        self.note_game(&tale)?;
        self.replay(tale)?;
        self.disown();
        self.settle_outcome()
    }

    /// Whether the rules allow all of a game.
    pub(super) fn check(&self, tale: &Journal) -> Result<(), TableError> {
        let board = self.rules.open(&tale.opening)?;
        let settled = tale.tree.clone().settled(board.as_ref());
        settled.map(drop).map_err(TableError::from)
    }

    fn tale(&self) -> Journal {
        Journal {
            id: self.id.clone(),
            opening: self.opening.clone(),
            tree: self.tree.clone(),
            ended: None,
            endings: Vec::new(),
        }
    }

    pub(super) fn note_game(&mut self, tale: &Journal) -> Result<(), TableError> {
        entries(tale).iter().try_for_each(|entry| self.note(entry))
    }

    pub(super) fn note(&mut self, entry: &JournalEntry) -> Result<(), TableError> {
        self.records.note(entry).map_err(TableError::Records)
    }

    /// Puts the finished game on record, once.
    pub(super) fn file(&mut self) -> Result<(), TableError> {
        let here = self.tree.here();
        let is_new = |ending: &Ending| !self.endings.contains(&(here, ending.result));
        let Some(ending) = self.over.clone().filter(is_new) else {
            return Ok(());
        };
        self.endings.push((here, ending.result));
        let mut played = self.round.played(ending);
        let stand_ins = Side::BOTH
            .into_iter()
            .filter_map(|side| self.stand_in(side));
        played.notes.extend(stand_ins);
        let number = self.records.n_games + 1;
        let names = Side::BOTH.map(|side| self.name(side).to_owned());
        let record = played.record(number, number, names, self.opening.clone());
        self.records.file(record).map_err(TableError::Records)
    }

    /// Which moves of a seat were made by someone else than the records name.
    fn stand_in(&self, side: Side) -> Option<String> {
        let is_person = self.plan.engines[side.index()].program == Program::Person;
        let (own, other) = if is_person {
            (Mover::Person, "an engine")
        } else {
            (Mover::Engine, "a person")
        };
        let n_book = self.opening.moves.len();
        let numbers: Vec<String> = (n_book + 1..)
            .zip(self.tree.line())
            .filter(|(_, ply)| ply.side == side && ply.by != own)
            .map(|(number, _)| number.to_string())
            .collect();
        (!numbers.is_empty()).then(|| {
            let numbers = numbers.join(", ");
            format!("{}: {other} played the moves {numbers}", self.name(side))
        })
    }
}
