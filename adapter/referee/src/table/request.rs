//! What a client asks of a table.

use std::path::PathBuf;
use std::time::Instant;

use crossbeam_channel::Sender;
use kit::Side;
use serde::{Deserialize, Serialize};

use super::seat_id::SeatId;
use super::tree::NodeId;
use crate::clock::Limit;
use crate::event::Event;
use crate::opening::Opening;
use crate::plan::EngineSpec;

/// A client's number at its table; no two clients of a table share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub u64);

/// The number that a client gives a request; its answer, `done` or `refused`, bears the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub u64);

/// What one client asks.
#[derive(Debug)]
pub struct Request {
    /// Who asks.
    pub client: ClientId,
    /// The number of the request.
    pub id: RequestId,
    /// What is asked.
    pub command: TableCommand,
    /// When the line or message arrived here. A move's time on the clock ends then.
    pub at: Instant,
}

/// What a client may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Owns the table. A person's seat that is not kept for a guest is the host's.
    Host,
    /// A guest who plays these seats. In [`Join`], the seats that are wished for; none stands for any free one.
    Player(SideSet),
    /// Watches.
    Spectator,
}

/// A set of sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Side>", into = "Vec<Side>")]
pub struct SideSet([bool; 2]);

impl SideSet {
    /// No side.
    pub const NONE: SideSet = SideSet([false; 2]);

    /// Both sides.
    pub const BOTH: SideSet = SideSet([true; 2]);

    /// Whether this side is in the set.
    pub fn contains(self, side: Side) -> bool {
        self.0[side.index()]
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self == SideSet::NONE
    }

    /// The set with this side.
    #[must_use]
    pub fn with(mut self, side: Side) -> SideSet {
        self.0[side.index()] = true;
        self
    }

    /// The set without this side.
    #[must_use]
    pub fn without(mut self, side: Side) -> SideSet {
        self.0[side.index()] = false;
        self
    }

    /// The sides, p1 first.
    pub fn iter(self) -> impl Iterator<Item = Side> {
        Side::BOTH
            .into_iter()
            .filter(move |side| self.contains(*side))
    }
}

impl From<Side> for SideSet {
    fn from(side: Side) -> SideSet {
        SideSet::NONE.with(side)
    }
}

impl FromIterator<Side> for SideSet {
    fn from_iter<I: IntoIterator<Item = Side>>(sides: I) -> SideSet {
        sides.into_iter().fold(SideSet::NONE, SideSet::with)
    }
}

impl From<Vec<Side>> for SideSet {
    fn from(sides: Vec<Side>) -> SideSet {
        sides.into_iter().collect()
    }
}

impl From<SideSet> for Vec<Side> {
    fn from(set: SideSet) -> Vec<Side> {
        set.iter().collect()
    }
}

/// A client that comes to the table.
#[derive(Debug, Clone)]
pub struct Join {
    /// What others call him, as in chat.
    pub name: String,
    /// What he wants to be.
    pub role: Role,
    /// The token of a seat that he left, from [`TableEvent::Welcome`](super::TableEvent::Welcome).
    pub token: Option<String>,
    /// Where his events go. The channel must be bounded; the table never waits for it.
    pub events: Sender<Event>,
}

/// What can be asked of a table. Each request is answered, to its sender alone, by one
/// [`TableEvent::Done`](super::TableEvent::Done) or [`TableEvent::Refused`](super::TableEvent::Refused), after the events that it caused.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum TableCommand {
    /// Comes to the table; the first request of every client. `welcome` and `snapshot` follow.
    #[serde(skip)]
    Join(Join),
    /// Goes. A guest's seat is kept for him.
    Leave,
    /// Asks for a fresh snapshot.
    Snapshot,
    /// Makes a move in a seat of his, or by the host in a seat where an engine waits.
    Play {
        /// The move's code, as the rules read it.
        code: String,
        /// The node that the move is meant for; refused if the game stands elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<NodeId>,
    },
    /// Has the thinking engine move at once; a hint or a score comes at once.
    MoveNow,
    /// Goes back to the last turn of the one who asks.
    Undo,
    /// Goes forward to the next turn of the one who asks.
    Redo,
    /// Goes back some moves; engines wait there.
    Back {
        /// How many, at least 1.
        n: usize,
    },
    /// Goes forward some moves that were taken back; engines wait there.
    Forward {
        /// How many, at least 1.
        n: usize,
    },
    /// Goes to any node of the tree; engines wait there.
    GoTo {
        /// Its number.
        node: NodeId,
    },
    /// An engine makes the move that is due; engines that wait go on.
    Go {
        /// What limits this move of an engine in a person's seat; the engine's own limit if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<Limit>,
    },
    /// Adds moves to the tree; the game stays where it stands.
    AddLine {
        /// The node that the first move is made in.
        from: NodeId,
        /// The moves.
        codes: Vec<String>,
    },
    /// Stops engines after their next answer: they wait until `go`.
    Pause,
    /// Offers a draw, or agrees to the other's offer.
    OfferDraw,
    /// Gives up the game.
    Resign,
    /// Ends the game on time: a side has overstepped a limit that is kept outside the table, such as days a move by mail.
    Forfeit {
        /// The side that loses.
        side: Side,
    },
    /// Agrees to what the other proposes.
    Accept,
    /// Declines what the other proposes, or withdraws one's own proposal.
    Decline,
    /// Says something to all clients.
    Say {
        /// At most 1000 characters are passed on.
        text: String,
    },
    /// Asks the built-in engine for a move.
    Hint,
    /// Asks the built-in engine for a score.
    Eval,
    /// Has the built-in engine look at a position until `stop-analysis`.
    Analyse {
        /// The node; without one, that where the game stands, from turn to turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<NodeId>,
        /// How many of the best lines are wanted, 1 to 8; 1 if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u32>,
        /// When the analysis ends by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
    },
    /// Has the built-in engine go through the game, from its beginning to the end of the line where it stands.
    Review {
        /// How long each position is searched.
        seconds: f64,
    },
    /// Ends the analysis or the review.
    StopAnalysis,
    /// Asks for the clocks.
    Clock,
    /// Has engines play exactly these seats from now on.
    SetAuto {
        /// The seats.
        sides: SideSet,
    },
    /// Has another player take a seat, or the same on another clock.
    SetSeat {
        /// The seat.
        #[serde(rename = "side")]
        seat: SeatId,
        /// Who, and his limit.
        player: Box<EngineSpec>,
        /// Whether the seat is kept for a guest; then the player is a person.
        #[serde(default)]
        guest: bool,
    },
    /// Puts touch-move in force before the first move, or out of it.
    SetTouch {
        /// Whether a piece that is touched must move.
        is_on: bool,
    },
    /// Touches a piece under touch-move: it must move in this turn, and if it cannot, the game is lost.
    Touch {
        /// The spot where the piece stands, or the last word of its id.
        spot: String,
    },
    /// Sets how well engines play from now on.
    SetLevel {
        /// From 0 to 20.
        level: u32,
    },
    /// Sets how long engines pause before each move where they play alone.
    SetPace {
        /// From 0 to 3600.
        seconds: f64,
    },
    /// Writes the game with its branches to a new file.
    Save {
        /// The file.
        path: PathBuf,
    },
    /// Goes on with the game of a file.
    Load {
        /// The file: a ledger, a PGN file or a line with a position.
        path: PathBuf,
    },
    /// Begins another game.
    New {
        /// Where it begins; where the present one began if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<Opening>,
    },
    /// Asks for the game as an e-mail.
    Email,
    /// Takes the one new turn of an e-mail: a move, the offer of a draw with it, or the end of the game.
    TakeEmail {
        /// The whole text.
        text: String,
    },
    /// Ends the table; the game is kept in its ledger.
    Quit,
}
