//! What is written of a game while it is played: lines of the ledger that hold no result.
//!
//! A ledger of a session holds its plan, then what happened, one entry a line, each written before anyone is told of
//! it; a game that ended is a line of its own among them, as in a match. So nothing is lost whatever happens to
//! the program, and every reader of ledgers reads these.

use std::path::Path;

use kit::Side;
use serde::{Deserialize, Serialize};

use super::tree::{Mover, NodeId, Ply, Tree};
use crate::opening::Opening;
use crate::plan::{EngineSpec, Plan};
use crate::record::{
    GameRecord, GameResult, Ledger, LedgerError, LedgerWriter, PlyRecord, parse_ledger, read_pgn,
    read_records,
};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The session was set up: the engine that takes a person's seat and gives hints.
    Helper(Box<EngineSpec>),
    /// A game began.
    Game {
        /// What tells it from other games, in letters to and fro.
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
        /// What is known of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<PlyRecord>,
    },
    /// Moves were taken back, or played again: where the game stands.
    At(NodeId),
    /// Which seats an engine plays, in the order of the sides.
    Auto([bool; 2]),
}

/// A line of the ledger that holds an entry.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct JournalLine<E> {
    pub(crate) journal: E,
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
    /// The record of the game, where it stands at its end.
    pub ended: Option<GameRecord>,
    /// Nodes at which the game ended, and how; they are on record.
    pub endings: Vec<(NodeId, GameResult)>,
}

/// A session as its ledger tells it.
#[derive(Debug)]
pub struct Story {
    /// The ledger as every reader sees it.
    pub ledger: Ledger,
    /// The engine that takes a person's seat.
    pub helper: Option<EngineSpec>,
    /// Which seats an engine plays, where that was changed.
    pub auto: Option<[bool; 2]>,
    /// The last game.
    pub tale: Option<Journal>,
}

/// Reads the ledger of a session. An error names the line.
pub fn read_story(path: &Path) -> Result<Story, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_story(&bytes)
}

/// Locks the ledger of a session, reads it, and hands out its writer.
pub(crate) fn open_story(path: &Path) -> Result<(Story, LedgerWriter), LedgerError> {
    let (writer, bytes) = LedgerWriter::open(path).map_err(LedgerError::Io)?;
    Ok((parse_story(&bytes)?, writer))
}

fn parse_story(bytes: &[u8]) -> Result<Story, LedgerError> {
    let ledger = parse_ledger(bytes)?;
    let mut story = Story {
        ledger,
        helper: None,
        auto: None,
        tale: None,
    };
    let whole = usize::try_from(story.ledger.whole_bytes).unwrap_or(bytes.len());
    let lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
    for (index, line) in lines.enumerate().skip(1) {
        let told = story.take(line);
        told.map_err(|why| LedgerError::Line {
            number: index + 1,
            why,
        })?;
    }
    Ok(story)
}

impl Story {
    fn take(&mut self, line: &[u8]) -> Result<(), String> {
        let Ok(JournalLine { journal }) = serde_json::from_slice::<JournalLine<Entry>>(line) else {
            return self.take_record(line);
        };
        match journal {
            Entry::Helper(spec) => self.helper = Some(*spec),
            Entry::Auto(auto) => self.auto = Some(auto),
            Entry::Game { id, opening } => self.tale = Some(Journal::new(id, opening)),
            Entry::Move { .. } | Entry::At(_) => {
                let tale = self.tale.as_mut().ok_or("a move before any game")?;
                tale.take(journal)?;
            }
        }
        Ok(())
    }

    fn take_record(&mut self, line: &[u8]) -> Result<(), String> {
        let record: GameRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if let Some(tale) = &mut self.tale {
            tale.endings.push((tale.tree.here(), record.result));
            tale.ended = Some(record);
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
        }
    }

    /// A game told by its moves; those of the opening are no part of the tree.
    pub fn of_record(id: String, record: GameRecord) -> Journal {
        let mut tale = Journal::new(id, record.opening.clone());
        let n_book = record.opening.moves.len();
        let moves = record.moves.iter().zip(&record.plies).skip(n_book);
        for (code, ply) in moves {
            tale.tree.grow(unseen(code.clone(), *ply));
        }
        tale
    }

    fn take(&mut self, entry: Entry) -> Result<(), String> {
        let at = match &entry {
            Entry::Move { from, .. } | Entry::At(from) => *from,
            _ => return Ok(()),
        };
        if !self.tree.contains(at) {
            return Err(format!("there is no move {} before it", at.0));
        }
        self.ended = None;
        self.tree.go(at);
        if let Entry::Move {
            code, by, record, ..
        } = entry
        {
            let ply = unseen(code, record);
            self.tree.grow(Ply { by, ..ply });
        }
        Ok(())
    }
}

/// A move whose side is settled when it is played.
pub(crate) fn unseen(code: String, record: Option<PlyRecord>) -> Ply {
    Ply {
        code,
        side: Side::P1,
        by: Mover::Person,
        record,
    }
}

/// The entries that tell a game from its beginning.
pub(crate) fn entries(tale: &Journal) -> Vec<Entry> {
    let game = Entry::Game {
        id: tale.id.clone(),
        opening: tale.opening.clone(),
    };
    let tree = &tale.tree;
    let moves = (1..tree.n_nodes()).map(NodeId).filter_map(|node| {
        let ply = tree.ply(node)?;
        Some(Entry::Move {
            from: tree.parent(node),
            code: ply.code.clone(),
            by: ply.by,
            record: ply.record,
        })
    });
    let mut entries: Vec<Entry> = std::iter::once(game).chain(moves).collect();
    entries.push(Entry::At(tree.here()));
    entries
}

/// A game from a file: the last of a session's ledger, the first of a match's or of a PGN file, or a line with an
/// opening. The plan is that of a ledger.
pub fn read_game(path: &Path, id: String) -> Result<(Option<Plan>, Journal), LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    match bytes.trim_ascii_start().first() {
        Some(b'{') => read_ledger_game(path, id),
        Some(b'[') => {
            let game = read_pgn(&String::from_utf8_lossy(&bytes))
                .into_iter()
                .next();
            let record = game.ok_or_else(no_game)?.record;
            Ok((None, Journal::of_record(id, record)))
        }
        Some(_) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let Opening { fen, moves } = Opening::parse(&text);
            let opening = Opening {
                fen,
                moves: Vec::new(),
            };
            let mut tale = Journal::new(id, opening);
            for code in moves {
                tale.tree.grow(unseen(code, None));
            }
            Ok((None, tale))
        }
        None => Err(no_game()),
    }
}

fn read_ledger_game(path: &Path, id: String) -> Result<(Option<Plan>, Journal), LedgerError> {
    let story = read_story(path)?;
    let Ledger { plan, games, .. } = story.ledger;
    let record = games.into_iter().next();
    let tale = story
        .tale
        .or_else(|| record.map(|record| Journal::of_record(id, record)));
    Ok((Some(plan), tale.ok_or_else(no_game)?))
}

fn no_game() -> LedgerError {
    LedgerError::Line {
        number: 1,
        why: "no game: expected a ledger, a PGN file or a position".to_owned(),
    }
}
