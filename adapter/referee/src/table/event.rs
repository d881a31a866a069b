//! What a table tells its clients, beside what a match tells too (`move-played`, `game-started`, `game-over`,
//! `note`, `lagged`).

use std::path::PathBuf;

use kit::Side;
use serde::{Deserialize, Serialize};

use super::request::{ClientId, RequestId, Role};
use super::snapshot::{ClientInfo, ClockInfo, Proposal, SeatInfo, Snapshot, Turn};
use super::study::{AnalysedNode, ReviewedNode, RunningStudy, StudyKind};
use super::tree::{Mover, NodeId, Ply};
use crate::event::Event;
use crate::record::Points;

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum TableEvent {
    /// To one client: he has joined.
    Welcome {
        /// His number.
        client: ClientId,
        /// What he may do.
        role: Role,
        /// A player's: with it in [`Join`](super::Join) he comes back to his seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    },
    /// To one client: the table as it is now. It follows `welcome`, `lagged`, and each change of the whole game.
    Snapshot(Box<Snapshot>),
    /// To one client: a request of his was carried out.
    Done {
        /// Its number.
        request: RequestId,
    },
    /// To one client: a request of his was not carried out, and nothing changed.
    Refused {
        /// Its number.
        request: RequestId,
        /// Why, in words.
        why: String,
    },

    /// A client has come.
    Joined(ClientInfo),
    /// A client has gone.
    Left {
        /// Who.
        #[serde(flatten)]
        who: ClientInfo,
        /// Why, in words.
        why: String,
    },
    /// A client says something.
    Said {
        /// Who.
        #[serde(flatten)]
        who: ClientInfo,
        /// What.
        text: String,
    },

    /// A turn begins, or is interrupted: sent after every change of who is to move, and of the node.
    Turn {
        /// The node where the game stands.
        node: NodeId,
        /// Who is to move.
        turn: Turn,
        /// The name of who is to move, if partners take turns on this side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// Shape: in the order of the sides.
        clocks: [ClockInfo; 2],
    },
    /// The game stands at another node: moves were taken back or played again. `turn` follows, or `game-over` if the
    /// rules end the game there.
    WentTo {
        /// The node.
        node: NodeId,
    },
    /// Moves were added to the tree; the game stays where it stands.
    LineAdded {
        /// The node that the first move is made in.
        from: NodeId,
        /// The moves; one that was in the tree already stays as it was.
        plies: Vec<Ply>,
        /// Their nodes.
        nodes: Vec<NodeId>,
    },
    /// Another one plays a seat, or its guest has come or gone.
    SeatChanged {
        /// Which seat.
        side: Side,
        /// The seat now.
        seat: SeatInfo,
    },
    /// How well engines play from now on.
    LevelChanged {
        /// From 0 to 20.
        level: u32,
    },
    /// Touch-move is in force from now on, or no more.
    TouchMove {
        /// Whether it is.
        is_on: bool,
    },
    /// A person has touched a piece, which must move in this turn.
    Touched {
        /// His side.
        side: Side,
        /// The spot where the piece stands.
        spot: String,
    },
    /// How long engines pause before each move where they play alone.
    PaceChanged {
        /// From 0 to 3600.
        seconds: f64,
    },
    /// To the host: the ledger was made, before its first move is told.
    LedgerBegun {
        /// The file.
        path: PathBuf,
    },
    /// Something is proposed that needs another's consent.
    Proposed(Proposal),
    /// A proposal is no more.
    ProposalEnded {
        /// How it ended.
        end: ProposalEnd,
    },
    /// A player asked an engine for a hint or a score. All are told, none but he gets the answer.
    AskedEngine {
        /// Who asked.
        #[serde(flatten)]
        who: ClientInfo,
        /// What he asked for.
        what: Question,
    },
    /// What a thinking engine reports.
    EngineLine {
        /// The side that it plays.
        side: Side,
        /// What it thinks.
        #[serde(flatten)]
        analysis: Analysis,
    },

    /// To one client: the clocks now.
    Clocks {
        /// Shape: in the order of the sides.
        clocks: [ClockInfo; 2],
    },
    /// To one client: what the engine thinks so far.
    AnalysisLine {
        /// The request that asked.
        request: RequestId,
        /// What it thinks.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// To one client: the answer to `hint` or `eval`.
    Analysis {
        /// The request that asked.
        request: RequestId,
        /// What was asked for.
        what: Question,
        /// The player to move, from whose point of view the score is.
        side: Side,
        /// What it thinks.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// An analysis or a review begins.
    AnalysisStarted(RunningStudy),
    /// What the analysis has found so far.
    Analysed(AnalysedNode),
    /// The review has come to another move.
    Reviewed {
        /// How many moves are reviewed.
        done: usize,
        /// How many there are.
        total: usize,
        /// The move.
        ply: ReviewedNode,
    },
    /// The analysis or the review is over.
    AnalysisEnded {
        /// Which of them.
        what: StudyKind,
        /// Why, in words: `stopped`, `finished`, what took its place, or what failed.
        why: String,
    },
    /// To one client: the game was written.
    Saved {
        /// The file.
        path: PathBuf,
    },
    /// To one client: the game as an e-mail.
    Email {
        /// Its text.
        text: String,
    },

    /// An engine failed.
    Fault {
        /// Its name.
        engine: String,
        /// What it did, in words.
        text: String,
    },
    /// The table has ended; no event follows.
    Closed {
        /// Who ended it, or what went wrong.
        why: String,
        /// Whether something went wrong.
        is_error: bool,
    },
}

impl From<TableEvent> for Event {
    fn from(event: TableEvent) -> Event {
        Event::Table(event)
    }
}

/// How a proposal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalEnd {
    /// All agreed; what was proposed follows.
    Accepted,
    /// Someone declined, by word or by a move.
    Declined,
    /// The one who proposed it withdrew it, or the game went on without it.
    Withdrawn,
}

/// What a person asks an engine for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// A move.
    Hint,
    /// A score.
    Eval,
}

/// What an engine thinks of a position.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// The move that it would play.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The score from the player to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Points>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line expected, the move first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// What a table adds to `move-played`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The node that the move leads to.
    pub node: NodeId,
    /// The node that it was made in.
    pub from: NodeId,
    /// Whose turn it was.
    pub side: Side,
    /// Who made it.
    pub by: Mover,
}
