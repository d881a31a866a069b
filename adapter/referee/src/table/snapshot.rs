//! A table as a client sees it at one moment.

use std::path::PathBuf;
use std::time::Duration;

use kit::Side;
use serde::{Deserialize, Serialize};

use super::request::{ClientId, Role, SideSet};
use super::study::Studies;
use super::tree::{Mover, NodeId, Tree};
use crate::clock::Limit;
use crate::opening::Opening;
use crate::plan::GameSpec;
use crate::play::Ending;

/// All that a client needs, with the registry, to show the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Whom this is sent to.
    pub client: ClientId,
    /// What he may do.
    pub role: Role,
    /// The game with its options.
    pub game: GameSpec,
    /// What tells this game from others, in e-mails.
    pub id: String,
    /// The number that the game has or gets in the ledger, from 1.
    pub number: usize,
    /// Where it began.
    pub opening: Opening,
    /// The moves with their branches, and the node where the game stands.
    pub tree: Tree,
    /// Shape: in the order of the sides.
    pub seats: [SeatInfo; 2],
    /// Shape: in the order of the sides.
    pub clocks: [ClockInfo; 2],
    /// Who is to move.
    pub turn: Turn,
    /// The name of who is to move, if partners take turns on this side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// What one player has proposed and the other has not answered.
    pub proposal: Option<Proposal>,
    /// How the game ended at this node, where it has.
    pub ending: Option<Ending>,
    /// How well engines play, where that was set or is planned.
    pub level: Option<u32>,
    /// Whether a piece that is touched must move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub touch_move: bool,
    /// The spot of the piece that was touched in this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touched: Option<String>,
    /// How long engines pause before each move where they play alone, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pace: f64,
    /// Who else is at the table.
    pub clients: Vec<ClientInfo>,
    /// What an engine has found in analyses and reviews, and which of them is under way.
    #[serde(default)]
    pub analysis: Studies,
    /// The file that keeps the game, once there is something to keep; told to the host alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<PathBuf>,
}

/// One side of the board and who plays it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatInfo {
    /// The name in the records, whoever plays; the names of partners are joined by `+`.
    pub name: String,
    /// Who moves here now; a person if any of the partners is one.
    pub by: Mover,
    /// Whose seat it is while a person plays; the host's if any of the partners' is.
    pub sitter: Sitter,
    /// Those who take turns here, in the order of their turns; none where one plays alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<PartnerInfo>,
}

/// One of those who take turns on a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartnerInfo {
    /// The name in the records, whoever plays.
    pub name: String,
    /// Who moves for him now.
    pub by: Mover,
    /// Whose seat it is while a person plays.
    pub sitter: Sitter,
    /// The guest who sits here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientId>,
}

/// Whose seat it is while a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sitter {
    /// The host.
    Host,
    /// A guest who is here.
    Guest,
    /// A guest who has not come, or has left; the seat is kept for him.
    AwayGuest,
}

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClockInfo {
    /// The limit that it keeps.
    pub limit: Limit,
    /// What is left now; `None` without a clock. A time for each move counts down too.
    #[serde(with = "seconds")]
    pub left: Option<Duration>,
    /// Whether it runs.
    pub is_running: bool,
}

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The table's engines are being started; nobody can move yet.
    Starting,
    /// A person.
    Person(Side),
    /// An engine, which thinks.
    Engine(Side),
    /// An engine, which waits for `go`: moves were taken back, or it failed, or the host paused it.
    Held(Side),
    /// An engine, which waits because a guest's seat is empty.
    Waiting(Side),
    /// The game is over.
    Over,
}

impl Turn {
    /// The side to move; `None` when the game is over or has not begun.
    pub fn side(self) -> Option<Side> {
        match self {
            Turn::Person(side) | Turn::Engine(side) | Turn::Held(side) | Turn::Waiting(side) => {
                Some(side)
            }
            Turn::Starting | Turn::Over => None,
        }
    }
}

/// Something that needs another person's consent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Who proposes it.
    pub client: ClientId,
    /// His name.
    pub name: String,
    /// The side for which it is proposed; `None` for a host who plays neither.
    pub side: Option<Side>,
    /// What.
    pub what: Proposed,
    /// Whose consent is missing.
    pub awaited: SideSet,
}

/// What is proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proposed {
    /// A draw.
    Draw,
    /// To go to another node of the tree: an earlier one takes moves back.
    GoTo {
        /// Its number.
        node: NodeId,
        /// How many moves there are before it, the opening's included.
        ply: usize,
    },
    /// To leave this game for another one.
    NewGame,
}

/// A client, as others see him.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientInfo {
    /// His number.
    pub client: ClientId,
    /// His name.
    pub name: String,
    /// What he may do.
    pub role: Role,
}

/// Durations as seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(deserializer)?;
        let time = seconds.map(Duration::try_from_secs_f64);
        time.transpose().map_err(serde::de::Error::custom)
    }
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}
