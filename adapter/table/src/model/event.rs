//! Events that a table sends to its clients. Those with the names of a match's events have their fields.

use std::path::PathBuf;

use kit::Side;
use protocol::Info;
use record::event::StartedGame;
use record::game::{GameRecord, PlyRecord, Points};
use serde::{Deserialize, Serialize};

use super::people::{ClientId, ClientInfo, RequestId, Role};
use super::refusal::{Refusal, spoken};
use super::snapshot::{ClockInfo, Proposal, SeatInfo, Snapshot, TableView, Turn};
use super::study::{AnalysedNode, ReviewedNode, RunningStudy, StudyEnd, StudyKind};
use super::tree::{Mover, NodeId, Ply};

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum TableEvent {
    /// To one client: it has joined.
    Welcome {
        /// The client's number.
        client: ClientId,
        /// The client's role.
        role: Role,
        /// For a player: the token that reclaims the seat, passed in `Join`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    },
    /// To one client: the current state of the table. Follows `welcome`, `lagged`, and each replacement of the game.
    Snapshot(Box<Snapshot>),
    /// To one client: its request was carried out.
    Done {
        /// The request's number.
        request: RequestId,
    },
    /// To one client: its request was rejected, and nothing changed.
    Refused {
        /// The request's number.
        request: RequestId,
        /// The reason; in JSON its word and fields, and `why`, a sentence.
        #[serde(flatten, serialize_with = "spoken")]
        why: Refusal,
    },

    /// A client joined.
    Joined(ClientInfo),
    /// A client left.
    Left {
        /// The client.
        #[serde(flatten)]
        who: ClientInfo,
        /// Reason, as text.
        why: String,
    },
    /// A client sent a chat message.
    Said {
        /// The sender.
        #[serde(flatten)]
        who: ClientInfo,
        /// The message.
        text: String,
    },

    /// A game begins.
    GameStarted(StartedGame),
    /// A legal move was played.
    MovePlayed {
        /// The game's number.
        game: usize,
        /// The number of moves so far, those of the opening included.
        ply: usize,
        /// Its canonical code.
        #[serde(rename = "move")]
        code: String,
        /// The name of the player, if partners alternate on this side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// The place of the move in the tree. Deserialized before `record`, because `by` belongs to this field here.
        #[serde(flatten)]
        placed: Placed,
        /// Its time, score, depth and nodes. `by` is sent as `player`.
        #[serde(flatten)]
        record: PlyRecord,
    },
    /// The game ended. The fields are those of its line in the ledger.
    GameOver {
        /// The finished game.
        #[serde(flatten)]
        record: Box<GameRecord>,
    },
    /// An observation without an effect on the result.
    Note {
        /// The engine concerned.
        engine: String,
        /// The observation.
        text: String,
    },
    /// This client read too slowly and has lost events. A snapshot follows.
    Lagged {
        /// Number of lost events.
        dropped: u64,
        /// The numbers of the games whose end was lost; the ledger holds these games.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        games: Vec<usize>,
    },

    /// To one client: what it shows and may do, after each change.
    TableView(Box<TableView>),
    /// A turn begins or is interrupted: sent after every change of the node, the turn, or the running clock.
    Turn {
        /// The current node.
        node: NodeId,
        /// The side to move, and the kind of player.
        turn: Turn,
        /// The name of the player to move, if partners take turns on this side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// Indexed by side.
        clocks: [ClockInfo; 2],
    },
    /// The game moved to another node: moves were taken back or replayed. `turn` follows, or `game-over` if the game
    /// has ended there by the rules.
    WentTo {
        /// The new node.
        node: NodeId,
    },
    /// Moves were added to the tree; the current node does not change.
    LineAdded {
        /// The node before the first move.
        from: NodeId,
        /// The moves; those already in the tree are unchanged.
        plies: Vec<Ply>,
        /// The nodes that the moves lead to.
        nodes: Vec<NodeId>,
    },
    /// Another player took a seat, or a seat's guest came or left.
    SeatChanged {
        /// The side of the seat.
        side: Side,
        /// The side's new players.
        seat: SeatInfo,
    },
    /// The playing strength of the engines changed.
    LevelChanged {
        /// From 0 to 20.
        level: u32,
        /// `true` if it follows the person's results.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_adaptive: bool,
    },
    /// The pause before each move changed; it applies where engines play both sides.
    PaceChanged {
        /// From 0 to 3600.
        seconds: f64,
    },
    /// To the host: the ledger was created. Sent before the move or result that it was created for.
    LedgerBegun {
        /// The ledger's path.
        path: PathBuf,
    },
    /// A client made a proposal that needs consent.
    Proposed(Proposal),
    /// The proposal is no longer open.
    ProposalEnded {
        /// The outcome.
        end: ProposalEnd,
    },
    /// A player asked an engine for a hint or a score. Sent to all clients; only the player receives the answer.
    AskedEngine {
        /// The player.
        #[serde(flatten)]
        who: ClientInfo,
        /// The kind of question.
        what: Question,
    },
    /// Search output of the engine to move.
    EngineLine {
        /// The side that the engine plays.
        side: Side,
        /// The search output.
        #[serde(flatten)]
        analysis: Analysis,
    },

    /// To one client: the current clocks.
    Clocks {
        /// Indexed by side.
        clocks: [ClockInfo; 2],
    },
    /// To one client: interim result of a `hint` or `eval`.
    AnalysisLine {
        /// The number of the request.
        request: RequestId,
        /// The result so far.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// To one client: the answer to `hint` or `eval`.
    Analysis {
        /// The number of the request.
        request: RequestId,
        /// The kind of question.
        what: Question,
        /// The side to move; the score is from its point of view.
        side: Side,
        /// The result.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// An analysis or a review began.
    AnalysisStarted(RunningStudy),
    /// Interim result of an analysis.
    Analysed(AnalysedNode),
    /// The review evaluated another move.
    Reviewed {
        /// Number of moves reviewed.
        done: usize,
        /// Total number of moves.
        total: usize,
        /// The move and its evaluation.
        ply: ReviewedNode,
    },
    /// The analysis or the review ended.
    AnalysisEnded {
        /// The kind of study.
        what: StudyKind,
        /// The reason: `end`, with the engine's `why` if it failed.
        #[serde(flatten)]
        end: StudyEnd,
    },
    /// To one client: the game was saved.
    Saved {
        /// The path of the file.
        path: PathBuf,
    },

    /// An engine failed.
    Fault {
        /// The engine's name.
        engine: String,
        /// Description of the fault.
        text: String,
    },
    /// To one client: it is no longer at the table, which continues. This is its last event.
    Removed {
        /// Reason, as text.
        why: String,
        /// `true` if it may join again: a newer connection of the same person took its seat.
        may_return: bool,
    },
    /// The table is closed. This is the last event.
    Closed {
        /// The client that closed it, or an error.
        why: String,
        /// `true` if the table closed because of an error.
        is_error: bool,
    },
}

impl TableEvent {
    /// A note about an engine.
    pub(crate) fn note(engine: &str, text: impl Into<String>) -> TableEvent {
        let (engine, text) = (engine.to_owned(), text.into());
        TableEvent::Note { engine, text }
    }
}

/// Outcome of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProposalEnd {
    /// All agreed; the proposed action follows.
    Accepted,
    /// A player declined, or moved instead of answering.
    Declined,
    /// The proposer withdrew it, or the game continued without it.
    Withdrawn,
}

/// A question to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// The best move.
    Hint,
    /// The score.
    Eval,
}

/// An engine's analysis of a position.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The best move.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The score from the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Points>,
    /// Search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation, including the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// Fields that a table adds to `move-played`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Placed {
    /// The node that the move leads to.
    pub node: NodeId,
    /// The node that the move was made in.
    pub from: NodeId,
    /// The side that moved.
    pub side: Side,
    /// Kind of player that made the move.
    pub by: Mover,
}

impl From<Info> for Analysis {
    fn from(info: Info) -> Analysis {
        Analysis {
            code: info.pv.first().cloned(),
            score: info.score.map(Into::into),
            depth: info.depth,
            nodes: info.nodes,
            line: info.pv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_told_with_its_player() {
        let event = TableEvent::MovePlayed {
            game: 1,
            ply: 1,
            code: "e5".to_owned(),
            player: Some("Ann".to_owned()),
            placed: Placed {
                node: NodeId(1),
                from: NodeId::ROOT,
                side: Side::P1,
                by: Mover::Person,
            },
            record: PlyRecord::default(),
        };
        let json = serde_json::to_value(&event).expect("plain data");
        assert_eq!(
            (&json["player"], &json["by"]),
            (&"Ann".into(), &"person".into())
        );
        assert_eq!(serde_json::from_value::<TableEvent>(json).ok(), Some(event));
    }
}
