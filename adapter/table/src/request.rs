//! Requests from clients to a table.

use std::path::PathBuf;
use std::time::Instant;

use crate::model::{ClientId, NodeId, RequestId, Role, SeatId, SideSet, TableEvent};
use crossbeam_channel::Sender;
use kit::Side;
use record::clock::Limit;
use record::engine_spec::EngineSpec;
use record::opening::Opening;
use serde::{Deserialize, Serialize};

use crate::level::LevelChoice;

/// A request with its sender and time of arrival.
#[derive(Debug)]
pub struct Request {
    /// The sender.
    pub client: ClientId,
    /// The number of the request.
    pub id: RequestId,
    /// The command.
    pub command: TableCommand,
    /// The time when the line or message arrived; a move's clock time ends here.
    pub at: Instant,
}

/// The wishes of a client that joins.
#[derive(Debug, Clone)]
pub struct JoinWish {
    /// The display name, for example in chat.
    pub name: String,
    /// `true` if the client's seats without a name get this name.
    pub names_seats: bool,
    /// Requested role.
    pub role: Role,
    /// Requested seat; by default, any free one of the role.
    pub seat: Option<SeatId>,
    /// The token from `TableEvent::Welcome`, to reclaim a seat.
    pub token: Option<String>,
    /// `true` if a seat that a guest has left is free for the client, without its token or with one that is no longer
    /// valid.
    pub takes_left_seats: bool,
    /// Capacity of the client's queue of events; excess ones are dropped.
    pub n_events: usize,
}

impl JoinWish {
    /// The wish for a role, with a display name.
    pub fn new(name: &str, role: Role) -> JoinWish {
        JoinWish {
            name: name.to_owned(),
            names_seats: false,
            role,
            seat: None,
            token: None,
            takes_left_seats: false,
            n_events: 1024,
        }
    }
}

/// A client's request to join.
#[derive(Debug, Clone)]
pub struct Join {
    /// The client's wishes.
    pub wish: JoinWish,
    /// The sender for the client's events. The channel must be bounded; the table never blocks on it.
    pub events: Sender<TableEvent>,
}

/// A client's command. The sender, and no other client, receives one answer,
/// `TableEvent::Done` or `TableEvent::Refused`, after the
/// events that the command caused.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum TableCommand {
    /// Joins the table; the first command of every client. `welcome` and `snapshot` follow.
    #[serde(skip)]
    Join(Join),
    /// Leaves. A guest's seat is kept.
    Leave,
    /// Removes a guest. The guest's token is no longer valid.
    Kick {
        /// The guest.
        client: ClientId,
    },
    /// Requests a fresh snapshot.
    Snapshot,
    /// Makes a move in the client's seat. The host may also move for an engine that is waiting.
    Play {
        /// The move in the game's notation.
        code: String,
        /// The node that the move is meant for; the command is refused if the current node is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<NodeId>,
    },
    /// Makes the thinking engine move immediately, or answer the open hint or score request.
    MoveNow,
    /// Goes back to the sender's last turn.
    Undo,
    /// Goes forward to the sender's next turn.
    Redo,
    /// Goes back by some moves; engines then wait for `go`.
    Back {
        /// Number of moves, at least 1.
        n: usize,
    },
    /// Goes forward by some moves that were taken back; engines then wait for `go`.
    Forward {
        /// Number of moves, at least 1.
        n: usize,
    },
    /// Goes to any node of the tree; engines then wait for `go`.
    GoTo {
        /// The node.
        node: NodeId,
    },
    /// Lets an engine make the next move; engines that were waiting continue.
    Go {
        /// The limit of this move, if an engine moves for a person; by default, the engine's configured limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<Limit>,
        /// `true` if engines wait again after this move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        once: bool,
    },
    /// Adds moves to the tree; the current node does not change.
    AddLine {
        /// The node before the first move.
        from: NodeId,
        /// The moves.
        codes: Vec<String>,
    },
    /// Pauses engines after their next move, until `go`.
    Pause,
    /// Offers a draw, or accepts the opponent's offer.
    OfferDraw,
    /// Resigns the game.
    Resign,
    /// Ends the game on time: a side overstepped a limit that is kept outside the table, such as days per move by mail.
    Forfeit {
        /// The losing side.
        side: Side,
    },
    /// Ends the game of an opponent who has left: a win, or a draw.
    Claim {
        /// `true` for a draw.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        draw: bool,
    },
    /// Accepts the open proposal.
    Accept,
    /// Declines the open proposal, or withdraws the sender's proposal.
    Decline,
    /// Sends a chat message to all clients.
    Say {
        /// The message; longer than 1000 characters, it is cut.
        text: String,
    },
    /// Asks the built-in engine for the best move.
    Hint,
    /// Asks the built-in engine for a score.
    Eval,
    /// Starts an analysis by the built-in engine, until `stop-analysis`.
    Analyse {
        /// The node; if `None`, the analysis follows the current node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<NodeId>,
        /// Number of best lines, 1 to 8; by default 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u32>,
        /// Time limit of the analysis.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
    },
    /// Starts a review by the built-in engine of the current line, from the first move to the last.
    Review {
        /// Search time for each position.
        seconds: f64,
    },
    /// Stops the analysis or the review.
    StopAnalysis,
    /// Requests the clocks.
    Clock,
    /// Sets the sides that engines play.
    SetAuto {
        /// The sides.
        sides: SideSet,
    },
    /// Gives a seat to another player, or changes the player's clock.
    SetSeat {
        /// The seat.
        #[serde(rename = "side")]
        seat: SeatId,
        /// The player with its limit.
        player: Box<EngineSpec>,
        /// `true` if the seat is kept for a guest; the player must then be a person.
        #[serde(default)]
        guest: bool,
    },
    /// Sets the playing strength of the engines.
    SetLevel {
        /// From 0 to 20, or `adaptive`.
        level: LevelChoice,
    },
    /// Sets an option of the engine that moves for people. For clients in this program.
    #[serde(skip)]
    SetOption {
        /// The option.
        name: String,
        /// Its new value.
        value: String,
    },
    /// Forgets the person's results in this game, which an adaptive level follows.
    ForgetResults,
    /// Sets the pause before each move where engines play both sides.
    SetPace {
        /// From 0 to 3600.
        seconds: f64,
    },
    /// Saves the game with its branches to a new file.
    Save {
        /// The path of the file.
        path: PathBuf,
    },
    /// Loads the game of a file.
    Load {
        /// A ledger, a PGN file or a line with a position.
        path: PathBuf,
    },
    /// Starts another game.
    New {
        /// The starting position; by default, that of the current game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<Opening>,
        /// Moves of the game after it, and variations of them, each from the starting position on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<Vec<String>>,
    },
    /// Starts another game from the same position, in which the players have exchanged their sides.
    Rematch,
    /// Closes the table; the game is kept in its ledger.
    Quit,
}
