//! The state of a table as one client sees it, and what the client may do.

use std::path::PathBuf;

use kit::Side;
use record::clock::Limit;
use record::game::Ending;
use record::game_spec::GameSpec;
use record::opening::Opening;
use serde::{Deserialize, Serialize};

use super::command::CommandId;
use super::people::{ClientId, ClientInfo, Role, SideSet};
use super::refusal::Refusal;
use super::study::Studies;
use super::tree::{Mover, NodeId, Tree};

/// All that a client needs, together with the registry, to show the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The receiver.
    pub client: ClientId,
    /// The receiver's role.
    pub role: Role,
    /// The game with its options.
    pub game: GameSpec,
    /// Identifies the game.
    pub id: String,
    /// The game's number in the ledger, from 1; for an unrecorded game, the next free one.
    pub number: usize,
    /// The starting position.
    pub opening: Opening,
    /// The moves with their branches, and the current node.
    pub tree: Tree,
    /// Indexed by side.
    pub seats: [SeatInfo; 2],
    /// Indexed by side.
    pub clocks: [ClockInfo; 2],
    /// The side to move, and the kind of player.
    pub turn: Turn,
    /// The name of the player to move, if partners take turns on this side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The open proposal.
    pub proposal: Option<Proposal>,
    /// The receiver's view, and the actions that it has.
    #[serde(default)]
    pub view: TableView,
    /// The result of the game, if it ended at the current node.
    pub ending: Option<Ending>,
    /// Playing strength of the engines, if it was set or planned.
    pub level: Option<u32>,
    /// `true` if the level follows the person's results.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_adaptive: bool,
    /// Pause before each move where engines play both sides, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pace: f64,
    /// The clients of the table.
    pub clients: Vec<ClientInfo>,
    /// Results of analyses and reviews, and the one that is running.
    #[serde(default)]
    pub analysis: Studies,
    /// The path of the ledger once it exists; sent to the host only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<PathBuf>,
}

/// One side of the board, and its players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatInfo {
    /// The name in the records, regardless of who moves; the names of partners are joined by `+`.
    pub name: String,
    /// The kind of player that moves here now; `Person` if any partner is a person.
    pub by: Mover,
    /// The owner of the seat while a person plays; the host if a partner's seat is the host's.
    pub sitter: Sitter,
    /// The guest in a partner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientId>,
    /// The partners in the order of their turns; empty if one player plays alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<SeatInfo>,
}

impl SeatInfo {
    /// The partners, or the seat itself if one player plays alone.
    pub fn players(&self) -> &[SeatInfo] {
        if self.partners.is_empty() {
            return std::slice::from_ref(self);
        }
        &self.partners
    }
}

/// The owner of a seat while a person plays there. Of partners, the least stands for their side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sitter {
    /// The host.
    Host,
    /// A guest who has not come yet or has left; the seat is kept.
    AwayGuest,
    /// A guest who is present.
    Guest,
}

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockInfo {
    /// The time control.
    pub limit: Limit,
    /// The time left in seconds; `None` without a clock. A fixed time per move counts down too.
    pub left: Option<f64>,
    /// `true` while the clock is running.
    pub is_running: bool,
}

/// The side to move, and what the table is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The table's engines are being started; no move is possible yet.
    Starting,
    /// A person is to move.
    Person(Side),
    /// An engine is thinking.
    Engine(Side),
    /// An engine is waiting for `go`: moves were taken back, it failed, or the host paused it.
    Held(Side),
    /// An engine is waiting for an absent guest.
    Waiting(Side),
    /// The game is over.
    Over,
}

impl Turn {
    /// The side to move; `None` if the game is over or the engines are still being started.
    pub fn side(self) -> Option<Side> {
        match self {
            Turn::Person(side) | Turn::Engine(side) | Turn::Held(side) | Turn::Waiting(side) => {
                Some(side)
            }
            Turn::Starting | Turn::Over => None,
        }
    }
}

/// A proposal that needs another person's consent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proposal {
    /// The proposer.
    pub client: ClientId,
    /// The proposer's name.
    pub name: String,
    /// The proposer's side; `None` for a host who plays neither.
    pub side: Option<Side>,
    /// The proposed action.
    pub what: Proposed,
    /// The proposal in words, as in `Bob (o) offers a draw`.
    pub text: String,
    /// The sides that have not agreed yet.
    pub awaited: SideSet,
}

/// A proposed action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Proposed {
    /// A draw.
    Draw,
    /// Go to another node of the tree; to an earlier one, this takes moves back.
    GoTo {
        /// The node.
        node: NodeId,
        /// Number of moves before it, including those of the opening.
        ply: usize,
        /// `true` if engines wait there for `go`.
        #[serde(skip)]
        is_held: bool,
    },
    /// Replace the game.
    NewGame,
    /// Another game with the sides exchanged.
    Rematch,
    /// Hints and analysis for both players.
    Hints,
}

impl Proposed {
    /// The proposer's action after this number of moves, as in `offers a draw`.
    pub fn asked(&self, n_moves: usize) -> String {
        let moves = |n: usize| match n {
            1 => "1 move".to_owned(),
            n => format!("{n} moves"),
        };
        match self {
            Proposed::Draw => "offers a draw".to_owned(),
            Proposed::GoTo { ply, .. } if *ply < n_moves => {
                format!("asks to take back {}", moves(n_moves - ply))
            }
            Proposed::GoTo { ply, .. } => format!("asks to play {} again", moves(ply - n_moves)),
            Proposed::NewGame => "asks to start another game".to_owned(),
            Proposed::Rematch => "asks to play again with the sides exchanged".to_owned(),
            Proposed::Hints => "asks to allow hints and analysis for both".to_owned(),
        }
    }
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The table as one client shows it. Sent after each change.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
    /// `Your turn` or `You won`; absent where the caption of the board is the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// A line below the heading, or empty: the reason of a result, what the table waits for.
    pub note: String,
    /// The sides that the client plays now.
    pub plays: SideSet,
    /// `true` if the client is to move in an own seat.
    pub is_own_turn: bool,
    /// The reason for which the client may not move now. A host may move in place of a waiting engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot_move: Option<Refusal>,
    /// The same as a sentence in the words of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The possible actions, in the order of the buttons.
    pub actions: Vec<Action>,
}

/// An action of the person at a client: a command with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Action {
    /// Its name, unique in a view.
    pub id: ActionId,
    /// Its place on the screen.
    pub place: Place,
    /// The label of its button.
    pub label: String,
    /// The command to send.
    pub command: CommandId,
    /// Its arguments.
    pub args: ActionArgs,
    /// The warning before it, if it must be confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// The reason for which it is not possible now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    /// The same as a sentence in the words of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Action {
    /// The action with its usual label.
    pub(crate) fn new(id: ActionId) -> Action {
        use CommandId as C;
        let (place, command, label) = match id {
            ActionId::Undo => (Place::Panel, C::Undo, None),
            ActionId::Hint => (Place::Panel, C::Hint, None),
            ActionId::Draw => (Place::Panel, C::OfferDraw, None),
            ActionId::Resign => (Place::Panel, C::Resign, None),
            ActionId::Accept => (Place::Proposal, C::Accept, None),
            ActionId::Decline => (Place::Proposal, C::Decline, None),
            ActionId::Claim => (Place::Turn, C::Claim, None),
            ActionId::ClaimDraw => (Place::Turn, C::Claim, Some("Claim a draw")),
            ActionId::MoveNow => (Place::Turn, C::MoveNow, None),
            ActionId::Pause => (Place::Turn, C::Pause, None),
            ActionId::Slower => (Place::Turn, C::SetPace, None),
            ActionId::Faster => (Place::Turn, C::SetPace, Some("Faster")),
            ActionId::Go => (Place::Turn, C::Go, None),
            ActionId::Step => (Place::Turn, C::Go, Some("One move")),
            ActionId::Again => (Place::Ending, C::New, Some("Play again")),
            ActionId::Rematch => (Place::Ending, C::Rematch, None),
        };
        Action {
            id,
            place,
            label: label.unwrap_or(command.row().label).to_owned(),
            command,
            args: ActionArgs {
                draw: id == ActionId::ClaimDraw,
                once: id == ActionId::Step,
                seconds: None,
            },
            confirm: (id == ActionId::Resign).then(|| "The other side wins.".to_owned()),
            refused: None,
            why: None,
        }
    }

    /// The action with another label.
    pub(crate) fn labelled(self, label: &str) -> Action {
        Action {
            label: label.to_owned(),
            ..self
        }
    }
}

/// The arguments of an action's command.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionArgs {
    /// Of `claim`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draw: bool,
    /// Of `go`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// Of `set-pace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The name of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // Its command explains it.
pub enum ActionId {
    Undo,
    Hint,
    Draw,
    Resign,
    Accept,
    Decline,
    Claim,
    ClaimDraw,
    MoveNow,
    Pause,
    Slower,
    Faster,
    Go,
    Step,
    Again,
    Rematch,
}

/// The place of an action on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Among the usual buttons.
    Panel,
    /// Below an open proposal.
    Proposal,
    /// Below the line that says whose turn it is.
    Turn,
    /// Below a result.
    Ending,
}
