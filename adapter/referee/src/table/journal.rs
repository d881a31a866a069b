//! The journal of a table: lines of its ledger that hold no result.
//!
//! The ledger of a table holds its plan, then one entry a line as things happen, each written before a client is told. A
//! game that ends is a line of its own among them, as in a match. So nothing is lost if the process ends, and whoever
//! reads ledgers reads these.

use std::io;
use std::net::SocketAddr;
use std::path::Path;

use kit::Side;
use serde::{Deserialize, Serialize};

use super::seat_id::{SeatId, SideAuto};
use super::tree::{Mover, NodeId, Ply, Tree};
use crate::opening::Opening;
use crate::plan::{EngineSpec, GameSpec, PARTNERS, Plan, Program};
use crate::record::{
    GameRecord, GameResult, Ledger, LedgerError, LedgerWriter, MemoryLedger, PlyRecord, SyncPolicy,
    Termination, parse_ledger, read_pgn, read_records, sealed_lines,
};

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalEntry {
    /// The engine that plays a person's seat when it is told to, and gives hints.
    Helper(Box<EngineSpec>),
    /// A game began.
    Game {
        /// What tells it from other games, in e-mails.
        id: String,
        /// Where it begins.
        opening: Opening,
    },
    /// A move was made that was not made before.
    Move {
        /// The node that it was made in.
        from: NodeId,
        /// Its canonical code.
        code: String,
        /// Who made it.
        by: Mover,
        /// Its time, score, depth and nodes, if they are known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<PlyRecord>,
    },
    /// Moves were taken back, or played again: where the game stands.
    At(NodeId),
    /// Moves were added to the tree; the game stays where it stands.
    Line {
        /// The node that the first move is made in.
        from: NodeId,
        /// Canonical codes.
        codes: Vec<String>,
    },
    /// Another player has taken a seat.
    Seat {
        /// Which.
        #[serde(rename = "side")]
        seat: SeatId,
        /// Who, and his limit.
        player: Box<EngineSpec>,
        /// Whether the seat is kept for a guest.
        #[serde(default)]
        guest: bool,
    },
    /// Which seats an engine plays, in the order of the sides.
    Auto([SideAuto; 2]),
    /// Touch-move is in force, or no more.
    TouchMove(bool),
    /// The piece on this spot was touched in this turn.
    Touched(String),
    /// Guests may come in.
    Guests(Entrance),
    /// A person has offered a draw; or the offer does not stand any more.
    Offer(Option<DrawOffer>),
}

/// An offer of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawOffer {
    /// Who has made it.
    pub side: Side,
    /// Where the game stood.
    pub at: NodeId,
}

/// Where guests come in, and what is kept for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrance {
    /// The seats that are kept for guests.
    pub seats: Vec<SeatId>,
    /// The address that is listened to.
    pub listen: SocketAddr,
}

/// A line of the ledger that holds an entry.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct JournalLine<E> {
    pub(crate) journal: E,
}

/// An end of a game that is on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedEnding {
    /// Where the game ended.
    pub node: NodeId,
    /// How.
    pub result: GameResult,
    /// The number of its line in the ledger.
    pub number: usize,
}

/// A game as a journal tells it.
#[derive(Debug, Clone)]
pub struct Journal {
    /// What tells it from other games.
    pub id: String,
    /// Where it begins.
    pub opening: Opening,
    /// Its moves.
    pub tree: Tree,
    /// The record of the game, if it stands at its end.
    pub ended: Option<GameRecord>,
    /// The ends that are on record.
    pub endings: Vec<RecordedEnding>,
    /// The last offer of a draw, unless it was declined. A move past it ends it too.
    pub offer: Option<DrawOffer>,
}

/// A table as its ledger tells it.
#[derive(Debug)]
pub struct SavedTable {
    /// The ledger as every reader sees it.
    pub ledger: Ledger,
    /// The engine that plays a person's seat when it is told to.
    pub helper: Option<EngineSpec>,
    /// Which seats an engine plays, if that was changed.
    pub auto: Option<[SideAuto; 2]>,
    /// The players who have taken seats since the beginning, the last one last, and whether they are guests.
    pub seats: Vec<(SeatId, EngineSpec, bool)>,
    /// Whether touch-move is in force, and the spot of the piece that was touched last, if it has not moved since.
    pub touch: (bool, Option<String>),
    /// Where guests came in last, if they could.
    pub entrance: Option<Entrance>,
    /// The last game.
    pub journal: Option<Journal>,
}

/// Reads the ledger of a table. An error names the line.
pub fn read_table(path: &Path) -> Result<SavedTable, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    SavedTable::parse(&bytes)
}

/// Locks the ledger of a table, reads it, and hands out its writer. An error names the line.
pub(crate) fn open_table(path: &Path) -> Result<(SavedTable, LedgerWriter), LedgerError> {
    let (writer, bytes) = LedgerWriter::open(path).map_err(LedgerError::Io)?;
    Ok((SavedTable::parse(&bytes)?, writer))
}

/// The ledger of a table where nothing was played yet, as its file would begin. Where `game` has moves, they follow.
///
/// # Errors
/// The plan cannot be written as JSON.
pub fn new_ledger(plan: &Plan, helper: &EngineSpec, game: &Journal) -> io::Result<Vec<u8>> {
    let helper = JournalEntry::Helper(Box::new(helper.clone()));
    let entries = std::iter::once(helper).chain(entries(game));
    let lines = sealed_lines(entries.map(|journal| JournalLine { journal }))?;
    let ledger = MemoryLedger::default();
    let file = Box::new(ledger.clone());
    LedgerWriter::begin(file, &plan.ledger, plan, &lines, SyncPolicy::Off)?;
    Ok(ledger.take())
}

impl SavedTable {
    pub(super) fn parse(bytes: &[u8]) -> Result<SavedTable, LedgerError> {
        let ledger = parse_ledger(bytes)?;
        let mut table = SavedTable {
            ledger,
            helper: None,
            auto: None,
            seats: Vec::new(),
            touch: (false, None),
            entrance: None,
            journal: None,
        };
        let whole = usize::try_from(table.ledger.whole_bytes).unwrap_or(bytes.len());
        let lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
        for (index, line) in lines.enumerate().skip(1) {
            table.take(line).map_err(|why| LedgerError::Line {
                number: index + 1,
                why,
            })?;
        }
        Ok(table)
    }

    fn take(&mut self, line: &[u8]) -> Result<(), String> {
        let Ok(line) = serde_json::from_slice::<JournalLine<JournalEntry>>(line) else {
            return self.take_record(line);
        };
        match line.journal {
            JournalEntry::Helper(spec) => self.helper = Some(*spec),
            JournalEntry::Auto(auto) => self.auto = Some(auto),
            JournalEntry::Seat {
                seat,
                player,
                guest,
            } => {
                if let Some(auto) = &mut self.auto {
                    auto[seat.side.index()].set(seat.partner, player.program != Program::Person);
                }
                self.seats.push((seat, *player, guest));
            }
            JournalEntry::TouchMove(is_on) => self.touch.0 = is_on,
            JournalEntry::Touched(spot) => self.touch.1 = Some(spot),
            JournalEntry::Guests(entrance) => self.entrance = Some(entrance),
            JournalEntry::Game { id, opening } => {
                self.touch.1 = None;
                self.journal = Some(Journal::new(id, opening));
            }
            JournalEntry::Offer(offer) => {
                let journal = self.journal.as_mut().ok_or("an offer before any game")?;
                journal.offer = offer;
            }
            entry @ (JournalEntry::Move { .. }
            | JournalEntry::At(_)
            | JournalEntry::Line { .. }) => {
                let is_made = !matches!(entry, JournalEntry::Line { .. });
                self.touch.1.take_if(|_| is_made);
                let journal = self.journal.as_mut().ok_or("a move before any game")?;
                journal.take(entry)?;
            }
        }
        Ok(())
    }

    /// The last game as a record, where it has moves and no end.
    pub fn unfinished(&self) -> Option<GameRecord> {
        let journal = self.journal.as_ref()?;
        let mut sides = self.ledger.plan.sides();
        for (seat, player, _) in &self.seats {
            if let Some(planned) = sides[seat.side.index()].get_mut(seat.partner) {
                planned.clone_from(player);
            }
        }
        let name = |side: Side| {
            let players = sides[side.index()].iter();
            let names: Option<Vec<&str>> = players.map(|player| player.name.as_deref()).collect();
            names.map_or_else(|| side.to_string(), |names| names.join(PARTNERS))
        };
        let is_open = journal.ended.is_none() && journal.tree.line().next().is_some();
        let numbers = self.ledger.games.iter().map(|record| record.game);
        let number = numbers.max().unwrap_or(0) + 1;
        let date = self.ledger.plan.date.clone();
        is_open.then(|| journal.record(number, Side::BOTH.map(name), date))
    }

    fn take_record(&mut self, line: &[u8]) -> Result<(), String> {
        let record: GameRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if let Some(journal) = &mut self.journal {
            journal.endings.push(RecordedEnding {
                node: journal.tree.here(),
                result: record.result,
                number: record.game,
            });
            journal.ended = Some(record);
        }
        Ok(())
    }
}

impl Journal {
    /// A game of which no move is known yet.
    pub fn new(id: String, opening: Opening) -> Journal {
        Journal {
            id,
            opening,
            tree: Tree::default(),
            ended: None,
            endings: Vec::new(),
            offer: None,
        }
    }

    /// A game as its record tells it. The moves of the opening are no part of the tree.
    pub fn of_record(id: String, record: GameRecord) -> Journal {
        let mut journal = Journal::new(id, record.opening.clone());
        let n_book = record.opening.moves.len();
        let moves = record.moves.iter().zip(&record.plies).skip(n_book);
        for (code, ply) in moves {
            journal.tree.grow(unsettled(code.clone(), ply.clone()));
        }
        journal
    }

    /// The line where the game stands, as a record without a result.
    fn record(&self, number: usize, [p1, p2]: [String; 2], date: String) -> GameRecord {
        let book = &self.opening.moves;
        let line: Vec<&Ply> = self.tree.line().collect();
        let codes = line.iter().map(|ply| ply.code.clone());
        let plies = line.iter().map(|ply| ply.record.clone());
        GameRecord {
            game: number,
            pair: number,
            p1,
            p2,
            opening: self.opening.clone(),
            moves: book.iter().cloned().chain(codes).collect(),
            result: GameResult::Unknown,
            termination: Termination::Normal,
            reason: String::new(),
            plies: book.iter().map(|_| None).chain(plies).collect(),
            date,
            notes: Vec::new(),
            fault: None,
            machine: None,
        }
    }

    /// A line with a position, and moves from there.
    pub fn of_opening(id: String, opening: Opening) -> Journal {
        let Opening { fen, moves } = opening;
        let start = Opening {
            fen,
            moves: Vec::new(),
        };
        let mut journal = Journal::new(id, start);
        for code in moves {
            journal.tree.grow(unsettled(code, None));
        }
        journal
    }

    fn take(&mut self, entry: JournalEntry) -> Result<(), String> {
        let at = match &entry {
            JournalEntry::Move { from, .. }
            | JournalEntry::At(from)
            | JournalEntry::Line { from, .. } => *from,
            _ => return Ok(()),
        };
        if !self.tree.contains(at) {
            return Err(format!("there is no node {} before it", at.0));
        }
        if let JournalEntry::Line { codes, .. } = entry {
            let plies = codes.into_iter().map(|code| unsettled(code, None));
            self.tree.add_line(at, &plies.collect::<Vec<_>>());
            return Ok(());
        }
        self.ended = None;
        self.tree.go(at);
        if let JournalEntry::Move {
            code, by, record, ..
        } = entry
        {
            let again = format!("the move {code} again after node {}", at.0);
            let ply = unsettled(code, record);
            // A move that was made before is written as `at`.
            if !self.tree.grow(Ply { by, ..ply }) {
                return Err(again);
            }
        }
        Ok(())
    }
}

/// A move as a file has it. Its side is not known before the rules have played it.
pub(crate) fn unsettled(code: String, record: Option<PlyRecord>) -> Ply {
    Ply {
        code,
        side: Side::P1,
        by: Mover::Person,
        record,
    }
}

/// The entries that tell a game from its beginning.
pub(crate) fn entries(journal: &Journal) -> Vec<JournalEntry> {
    let game = JournalEntry::Game {
        id: journal.id.clone(),
        opening: journal.opening.clone(),
    };
    let tree = &journal.tree;
    let moves = (1..tree.n_nodes()).map(NodeId).filter_map(|node| {
        let ply = tree.ply(node)?;
        Some(JournalEntry::Move {
            from: tree.parent(node),
            code: ply.code.clone(),
            by: ply.by,
            record: ply.record.clone(),
        })
    });
    let mut entries: Vec<JournalEntry> = std::iter::once(game).chain(moves).collect();
    entries.push(JournalEntry::At(tree.here()));
    entries.extend(journal.offer.map(|offer| JournalEntry::Offer(Some(offer))));
    entries
}

/// A game that comes from elsewhere, and what else its file tells.
#[derive(Debug)]
pub struct FoundGame {
    /// What was played, where the file tells.
    pub game: Option<GameSpec>,
    /// The players in the order of the sides, where the file tells.
    pub names: Option<[String; 2]>,
    /// The game itself.
    pub journal: Journal,
}

/// A game from a file: the last of a table's ledger, the first of a match's or of a PGN file, or a line with a
/// position.
pub fn read_game(path: &Path, id: String) -> Result<FoundGame, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_game(&bytes, id)
}

/// As [`read_game`], of the contents of a file.
pub fn parse_game(bytes: &[u8], id: String) -> Result<FoundGame, LedgerError> {
    let text = || String::from_utf8_lossy(bytes).into_owned();
    match bytes.trim_ascii_start().first() {
        Some(b'{') => ledger_game(SavedTable::parse(bytes)?, id),
        Some(b'[') => {
            let found = read_pgn(&text()).into_iter().next().ok_or_else(no_game)?;
            let record = found.record;
            Ok(FoundGame {
                game: found.game,
                names: Some([record.p1.clone(), record.p2.clone()]),
                journal: Journal::of_record(id, record),
            })
        }
        Some(_) => Ok(FoundGame {
            game: None,
            names: None,
            journal: Journal::of_opening(id, Opening::parse(&text())),
        }),
        None => Err(no_game()),
    }
}

fn ledger_game(table: SavedTable, id: String) -> Result<FoundGame, LedgerError> {
    let Ledger { plan, games, .. } = table.ledger;
    let record = games.into_iter().next();
    let planned: Result<[String; 2], _> = plan.names().try_into();
    let recorded = record
        .as_ref()
        .map(|record| [record.p1.clone(), record.p2.clone()]);
    let (names, journal) = match (table.journal, record) {
        (Some(journal), _) => (planned.ok(), journal),
        (None, Some(record)) => (recorded, Journal::of_record(id, record)),
        (None, None) => return Err(no_game()),
    };
    Ok(FoundGame {
        game: Some(plan.game),
        names,
        journal,
    })
}

fn no_game() -> LedgerError {
    LedgerError::Line {
        number: 1,
        why: "no game: expected a ledger, a PGN file or a position".to_owned(),
    }
}
