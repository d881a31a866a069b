//! The journal of a table: the lines of its ledger that are not game records.
//!
//! A table's ledger begins with the plan. Each change is appended as one entry before the event is sent to clients.
//! Records of finished games are lines among the entries, in the same form as in a match. So a crash loses nothing, and
//! every reader of ledgers can read a table's.

use std::io;
use std::path::Path;

use crate::model::{Mover, NodeId, Ply, SeatId, SeatPlayer, SideAuto, Tree};
use kit::Side;
use record::engine_spec::{EngineSpec, Program};
use record::file::refuse_devices;
use record::game::{Ending, GameRecord, GameResult, PlyRecord, Termination};
use record::game_spec::GameSpec;
use record::ledger::{Ledger, LedgerError, LedgerWriter, first_lines, parse_ledger};
use record::opening::Opening;
use record::pgn::read_pgn;
use record::plan::{PARTNERS, Plan};
use record::registry::Rules;
use serde::{Deserialize, Serialize};

use crate::error::TableError;
use crate::seat::set_level;

/// The beginning of `touch-move` and `touched`, which version 0.2 wrote.
const TOUCH_MOVE: &[u8] = b"{\"journal\":{\"touch";

/// One journal entry; each is a line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalEntry {
    /// The built-in engine that moves for a person on request, and serves hints, analyses and reviews.
    Helper(Box<EngineSpec>),
    /// A game began.
    Game {
        /// Identifies the game.
        id: String,
        /// The starting position.
        opening: Opening,
    },
    /// A move was made. If it is already in the tree, this replaces its record.
    Move {
        /// The node before the move.
        from: NodeId,
        /// Its canonical code.
        code: String,
        /// Kind of player that made the move.
        by: Mover,
        /// Its time, score, depth and nodes, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<PlyRecord>,
    },
    /// The game moved to another node: moves were taken back or replayed.
    At(NodeId),
    /// Moves were added to the tree; the current node does not change.
    Line {
        /// The node before the first move.
        from: NodeId,
        /// The moves, as canonical codes.
        codes: Vec<String>,
    },
    /// A seat was given to another player.
    Seat {
        /// The seat.
        #[serde(rename = "side")]
        seat: SeatId,
        /// The new player.
        #[serde(flatten)]
        player: SeatPlayer,
        /// `true` if the limit changed, so that the side's clock starts anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_renewed: bool,
    },
    /// The seats that engines play, indexed by side.
    Auto([SideAuto; 2]),
    /// The playing strength of the built-in engines was changed.
    Level(u32),
    /// The table accepts guests.
    Guests {
        /// The seats that are kept for guests.
        seats: Vec<SeatId>,
    },
    /// The token of a guest's seat was replaced.
    TokenRenewed(SeatId),
    /// The game ended at this node as in the game record with this number.
    Over(usize),
    /// A person offered a draw; `None` if the last offer or request was declined or withdrawn.
    Offer(Option<Offer>),
    /// A person asked to take moves back, or to play them again.
    GoTo {
        /// The request.
        #[serde(flatten)]
        offer: Offer,
        /// The node to go to.
        to: NodeId,
    },
}

/// An offer to the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The side that made the offer.
    pub side: Side,
    /// The node where it was made.
    pub at: NodeId,
}

/// A line of the ledger that contains a journal entry.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct JournalLine<E> {
    pub(crate) journal: E,
}

/// The end of a game that is on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedEnding {
    /// The final node.
    pub node: NodeId,
    /// The result.
    pub result: GameResult,
    /// The game's number in the ledger; 0 if the game was already over when it was loaded.
    pub number: usize,
}

/// A game as read from a journal.
#[derive(Debug, Clone)]
pub struct Journal {
    /// Identifies the game.
    pub id: String,
    /// The starting position.
    pub opening: Opening,
    /// The moves with their branches, and the current node.
    pub tree: Tree,
    /// The game record, if the game ended at the current node.
    pub ended: Option<GameRecord>,
    /// The recorded endings.
    pub endings: Vec<RecordedEnding>,
    /// The last draw offer that was not declined, or with a node, the last request to go to it. A later move may have made
    /// it void.
    pub offer: Option<(Offer, Option<NodeId>)>,
    /// The first node whose move counts on each side's clock.
    pub clock_since: [usize; 2],
}

/// A table as read from its ledger.
#[derive(Debug)]
pub struct SavedTable {
    /// The plan and the recorded games.
    pub ledger: Ledger,
    /// The present players, indexed by side.
    pub sides: [Vec<EngineSpec>; 2],
    /// The engine that moves for a person on request.
    pub helper: Option<EngineSpec>,
    /// The seats that engines play, indexed by side; `None` if the plan's assignment was not changed.
    pub auto: Option<[SideAuto; 2]>,
    /// The seats whose tokens were replaced, once for each time.
    pub renewed_tokens: Vec<SeatId>,
    /// The seats that are kept for guests.
    pub guests: Vec<SeatId>,
    /// The last game.
    pub journal: Option<Journal>,
}

/// Reads a table's ledger. An error gives the line number.
pub fn read_table(path: &Path) -> Result<SavedTable, LedgerError> {
    SavedTable::parse(&read_records(path)?)
}

/// Locks a table's ledger, reads it, and returns a writer for it. An error gives the line number.
pub(crate) fn open_table(path: &Path) -> Result<(SavedTable, LedgerWriter), LedgerError> {
    let (writer, bytes) = LedgerWriter::open(path, referee::derived_file::pause)?;
    Ok((SavedTable::parse(&bytes)?, writer))
}

/// The contents of a new ledger for this plan: its first lines, then the entries of `game`.
///
/// # Errors
/// The plan cannot be written as JSON.
pub fn new_ledger(plan: &Plan, helper: &EngineSpec, game: &Journal) -> io::Result<Vec<u8>> {
    let helper = JournalEntry::Helper(Box::new(helper.clone()));
    let entries = std::iter::once(helper).chain(entries(game));
    let lines: Vec<_> = entries.map(|journal| JournalLine { journal }).collect();
    Ok(first_lines(plan, &lines)?)
}

impl SavedTable {
    pub(super) fn parse(bytes: &[u8]) -> Result<SavedTable, LedgerError> {
        let ledger = parse_ledger(bytes)?;
        let mut table = SavedTable {
            sides: ledger.plan.sides(),
            ledger,
            helper: None,
            auto: None,
            renewed_tokens: Vec::new(),
            guests: Vec::new(),
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
        if line.starts_with(TOUCH_MOVE) {
            return Ok(());
        }
        let Ok(line) = serde_json::from_slice::<JournalLine<JournalEntry>>(line) else {
            return self.read_record(line);
        };
        match line.journal {
            JournalEntry::Helper(spec) => self.helper = Some(*spec),
            JournalEntry::Auto(auto) => self.auto = Some(auto),
            JournalEntry::Seat {
                seat,
                player: SeatPlayer { player, guest },
                is_renewed,
            } => {
                if let Some(journal) = self.journal.as_mut().filter(|_| is_renewed) {
                    journal.clock_since[seat.side.index()] = journal.tree.n_nodes();
                }
                if let Some(auto) = &mut self.auto {
                    auto[seat.side.index()].set(seat.partner, player.program != Program::Person);
                }
                self.guests.retain(|kept| *kept != seat);
                self.guests.extend(guest.then_some(seat));
                let place = self.sides[seat.side.index()].get_mut(seat.partner);
                *place.ok_or_else(|| format!("a player at {seat}, which is no seat"))? = *player;
            }
            JournalEntry::Level(level) => {
                let players = self.sides.iter_mut().flatten();
                set_level(players.chain(&mut self.helper), level);
            }
            JournalEntry::Guests { seats } => self.guests = seats,
            JournalEntry::TokenRenewed(seat) => self.renewed_tokens.push(seat),
            JournalEntry::Game { id, opening } => self.journal = Some(Journal::new(id, opening)),
            JournalEntry::Over(number) => {
                let mut games = self.ledger.games.iter();
                let record = games.find(|game| game.game == number).cloned();
                self.game_at(NodeId::ROOT)?.ended = record;
            }
            JournalEntry::Offer(offer) => {
                self.game_at(NodeId::ROOT)?.offer = offer.map(|offer| (offer, None));
            }
            JournalEntry::GoTo { offer, to } => {
                self.game_at(to)?.offer = Some((offer, Some(to)));
            }
            JournalEntry::Line { from, codes } => drop(self.game_at(from)?.add_line(from, codes)),
            JournalEntry::At(node) => self.game_at(node)?.go(node),
            JournalEntry::Move {
                from,
                code,
                by,
                record,
            } => {
                let journal = self.game_at(from)?;
                let is_here = from == journal.tree.here();
                journal.go(from);
                let ply = unsettled(code.clone(), record);
                // A move can be made again at the current node; elsewhere, its line is a duplicate.
                if !journal.tree.grow(Ply { by, ..ply }) && !is_here {
                    return Err(format!("the move {code} again after node {}", from.0));
                }
            }
        }
        Ok(())
    }

    /// The game, in which this node exists.
    fn game_at(&mut self, node: NodeId) -> Result<&mut Journal, String> {
        let journal = self.journal.as_mut().ok_or("an entry before any game")?;
        match journal.tree.contains(node) {
            true => Ok(journal),
            false => Err(format!("node {} before it does not exist", node.0)),
        }
    }

    /// A record of the last game if it has moves and is unfinished.
    pub fn unfinished(&self) -> Option<GameRecord> {
        let journal = self.journal.as_ref()?;
        let name = |side: Side| {
            let players = self.sides[side.index()].iter();
            let names: Option<Vec<&str>> = players.map(|player| player.name.as_deref()).collect();
            names.map_or_else(|| side.to_string(), |names| names.join(PARTNERS))
        };
        let is_open = journal.ended.is_none() && journal.tree.line().next().is_some();
        let numbers = self.ledger.games.iter().map(|record| record.game);
        let number = numbers.max().unwrap_or(0) + 1;
        let date = self.ledger.plan.date.clone();
        let names = Side::BOTH.map(name);
        // The first mover is a placeholder: an unfinished game is in no statistics.
        is_open.then(|| line_record(number, names, &journal.opening, &journal.tree, None, date))
    }

    fn read_record(&mut self, line: &[u8]) -> Result<(), String> {
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
    /// A game without moves.
    pub fn new(id: String, opening: Opening) -> Journal {
        Journal {
            id,
            opening,
            tree: Tree::default(),
            ended: None,
            endings: Vec::new(),
            offer: None,
            clock_since: [0; 2],
        }
    }

    /// Builds a game from its record. The tree does not contain the moves of the opening.
    pub fn of_record(id: String, record: GameRecord) -> Journal {
        let mut journal = Journal::new(id, record.opening.clone());
        let n_book = record.opening.moves.len();
        let moves = record.moves.iter().zip(&record.plies).skip(n_book);
        for (code, ply) in moves {
            journal.tree.grow(unsettled(code.clone(), ply.clone()));
        }
        journal
    }

    /// Adds lines of moves, each from the start of the game on. The game is then at the end of the first.
    pub fn add_lines(&mut self, lines: Vec<Vec<String>>) {
        let mut first = None;
        for line in lines {
            let nodes = self.add_line(NodeId::ROOT, line);
            first = first.or_else(|| nodes.last().copied());
        }
        self.tree.go(first.unwrap_or(NodeId::ROOT));
    }

    fn add_line(&mut self, from: NodeId, codes: Vec<String>) -> Vec<NodeId> {
        let plies = codes.into_iter().map(|code| unsettled(code, None));
        self.tree.add_line(from, &plies.collect::<Vec<_>>())
    }

    /// Goes to a node, also to make a move there, which ends a request to go to one.
    fn go(&mut self, node: NodeId) {
        self.ended = None;
        self.offer.take_if(|(_, to)| to.is_some());
        self.tree.go(node);
    }
}

/// A move as read from a file. Its side is filled in later, when the rules replay it.
pub(crate) fn unsettled(code: String, record: Option<PlyRecord>) -> Ply {
    Ply {
        code,
        side: Side::P1,
        by: Mover::Person,
        record,
    }
}

/// The journal entries that reproduce a game.
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
    entries.extend(journal.offer.map(|(offer, to)| match to {
        None => JournalEntry::Offer(Some(offer)),
        Some(to) => JournalEntry::GoTo { offer, to },
    }));
    entries
}

/// A game read from a file, with what else the file contains.
#[derive(Debug)]
pub struct FoundGame {
    /// The game and its options, if the file has them.
    pub game: Option<GameSpec>,
    /// The players' names, indexed by side, if the file has them.
    pub names: Option<[String; 2]>,
    /// The moves and the starting position.
    pub journal: Journal,
}

/// Reads a game from a file: the last game of a table's ledger, the first of a match's ledger or of a PGN file, or a
/// line with a position.
pub fn read_game(path: &Path, id: String) -> Result<FoundGame, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_game(&bytes, id)
}

/// Reads a ledger or a PGN file. Devices and pipes are rejected.
fn read_records(path: &Path) -> io::Result<Vec<u8>> {
    refuse_devices(path)?;
    std::fs::read(path)
}

/// Parses the contents of a file like [`read_game`].
pub fn parse_game(bytes: &[u8], id: String) -> Result<FoundGame, LedgerError> {
    let text = || String::from_utf8_lossy(bytes).into_owned();
    let no_game = || LedgerError::Line {
        number: 1,
        why: "there is no game in it: give a ledger, a PGN file or a position".to_owned(),
    };
    let names_of = |record: &GameRecord| Some([record.p1.clone(), record.p2.clone()]);
    let (game, names, journal) = match bytes.trim_ascii_start().first() {
        Some(b'{') => {
            let table = SavedTable::parse(bytes)?;
            let Ledger { plan, games, .. } = table.ledger;
            let planned = plan.names().try_into().ok();
            match (table.journal, games.into_iter().next()) {
                (Some(journal), _) => (Some(plan.game), planned, journal),
                (None, Some(record)) => {
                    let names = names_of(&record);
                    (Some(plan.game), names, Journal::of_record(id, record))
                }
                (None, None) => return Err(no_game()),
            }
        }
        Some(b'[') => {
            let found = read_pgn(&text()).into_iter().next().ok_or_else(no_game)?;
            let names = names_of(&found.record);
            (found.game, names, Journal::of_record(id, found.record))
        }
        Some(_) => {
            let opening = Opening::parse(&text());
            let mut journal = Journal::new(id, opening.prefix(0));
            journal.add_lines(vec![opening.moves]);
            (None, None, journal)
        }
        None => return Err(no_game()),
    };
    Ok(FoundGame {
        game,
        names,
        journal,
    })
}

/// The tree of a journal, with canonical codes and the side of each move.
///
/// # Errors
/// A move is illegal; the message names the first.
pub(super) fn settled(rules: &Rules, journal: &Journal) -> Result<Tree, TableError> {
    let board = rules.open(&journal.opening)?;
    Ok(journal.tree.clone().settled(board.as_ref())?)
}

/// A random id for a new game.
pub fn new_id() -> String {
    format!("{:08x}", fastrand::u32(..))
}

/// A record of the moves up to the current position. The result is unknown without an ending; player 1 is said to move
/// first.
pub(crate) fn line_record(
    number: usize,
    [p1, p2]: [String; 2],
    opening: &Opening,
    tree: &Tree,
    ending: Option<Ending>,
    date: String,
) -> GameRecord {
    let book = &opening.moves;
    let codes = tree.line().map(|ply| ply.code.clone());
    let plies = tree.line().map(|ply| ply.record.clone());
    let ending = ending.unwrap_or_else(|| {
        let reason = String::new();
        *Ending::boxed(GameResult::Unknown, Termination::Unterminated, reason)
    });
    GameRecord {
        game: number,
        pair: number,
        p1,
        p2,
        opening: opening.clone(),
        moves: book.iter().cloned().chain(codes).collect(),
        result: ending.result,
        termination: ending.termination,
        reason: ending.reason,
        plies: book.iter().map(|_| None).chain(plies).collect(),
        date,
        ..GameRecord::default()
    }
}
