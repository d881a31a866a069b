//! The state of a table as one client sees it, with its clients and seats.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use kit::Side;
use serde::{Deserialize, Serialize};

use super::event::Studies;
use super::tree::{Mover, NodeId, Tree};
use crate::clock::Limit;
use crate::game::Ending;
use crate::game_spec::GameSpec;
use crate::opening::position::Opening;
use crate::plan::MAX_PARTNERS;
use crate::text_serde::serde_as_text;

/// All that a client needs, together with the registry, to show the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
pub struct ClockInfo {
    /// The time control.
    pub limit: Limit,
    /// The time left; `None` without a clock. A fixed time per move counts down too.
    #[serde(with = "seconds")]
    pub left: Option<Duration>,
    /// `true` while the clock is running.
    pub is_running: bool,
}

/// The side to move, and what the table is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct Proposal {
    /// The proposer.
    pub client: ClientId,
    /// The proposer's name.
    pub name: String,
    /// The proposer's side; `None` for a host who plays neither.
    pub side: Option<Side>,
    /// The proposed action.
    pub what: Proposed,
    /// The sides that have not agreed yet.
    pub awaited: SideSet,
}

/// A proposed action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    },
    /// Replace the game.
    NewGame,
    /// Another game with the sides exchanged.
    Rematch,
    /// Hints and analysis for both players.
    Hints,
}

/// A client as the other clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientInfo {
    /// The client's number.
    pub client: ClientId,
    /// The client's name.
    pub name: String,
    /// The client's role.
    pub role: Role,
}

/// Serializes durations as seconds.
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

/// A client's number, unique at its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub u64);

/// A number that the client gives to a request; the answer, `done` or `refused`, repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub u64);

/// Role of a client at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Owns the table, and each person's seat that is not kept for a guest.
    Host,
    /// A guest who plays these sides. In `Join`, the requested sides; an empty set means any free seat.
    Player(SideSet),
    /// Only watches.
    Spectator,
}

/// A set of sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Side>", into = "Vec<Side>")]
pub struct SideSet([bool; 2]);

impl SideSet {
    /// The empty set.
    pub const NONE: SideSet = SideSet([false; 2]);

    /// Both sides.
    pub const BOTH: SideSet = SideSet([true; 2]);

    /// `true` if the set contains this side.
    pub fn contains(self, side: Side) -> bool {
        self.0[side.index()]
    }

    /// `true` if the set is empty.
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

/// A seat: a side, and the index of the player among the partners who take turns there. As text, `p1` is the first
/// player of player 1's side and `p1.2` the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatId {
    /// The side.
    pub side: Side,
    /// The index among the partners, from 0.
    pub partner: usize,
}

impl From<Side> for SeatId {
    /// The seat of the first player of a side.
    fn from(side: Side) -> SeatId {
        SeatId { side, partner: 0 }
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.partner {
            0 => self.side.fmt(f),
            partner => write!(f, "{}.{}", self.side, partner + 1),
        }
    }
}

impl FromStr for SeatId {
    type Err = String;

    fn from_str(text: &str) -> Result<SeatId, String> {
        let (side, number) = text.split_once('.').unwrap_or((text, "1"));
        let side = Side::BOTH
            .into_iter()
            .find(|known| known.to_string() == side);
        let number = number.parse().ok();
        let number = number.filter(|number| (1..=MAX_PARTNERS).contains(number));
        match side.zip(number) {
            Some((side, number)) => Ok(SeatId {
                side,
                partner: number - 1,
            }),
            None => Err(format!(
                "seat {text:?}: expected p1 or p2, or p1.2 for a partner"
            )),
        }
    }
}

serde_as_text!(SeatId);

/// Which players of a side are replaced by engines: all, none, or a flag for each partner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SideAuto {
    /// The same for all partners.
    All(bool),
    /// One flag for each partner.
    Each(Vec<bool>),
}

impl SideAuto {
    /// `true` if an engine plays for this partner.
    pub fn of(&self, partner: usize) -> bool {
        match self {
            SideAuto::All(is_auto) => *is_auto,
            SideAuto::Each(autos) => autos.get(partner).copied().unwrap_or_default(),
        }
    }

    /// Sets whether an engine plays for this partner.
    pub fn set(&mut self, partner: usize, is_auto: bool) {
        let autos = (0..MAX_PARTNERS).map(|other| match other == partner {
            true => is_auto,
            false => self.of(other),
        });
        *self = SideAuto::Each(autos.collect());
    }
}

impl From<Vec<bool>> for SideAuto {
    fn from(autos: Vec<bool>) -> SideAuto {
        match autos.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => SideAuto::All(*first),
            _ => SideAuto::Each(autos),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_the_same_after_json() {
        for (text, side, partner) in [
            ("p1", Side::P1, 0),
            ("p2.2", Side::P2, 1),
            ("p2.8", Side::P2, 7),
        ] {
            let json = format!("{text:?}");
            let id: SeatId = serde_json::from_str(&json).expect(text);
            assert_eq!(id, SeatId { side, partner });
            assert_eq!(serde_json::to_string(&id).ok(), Some(json));
        }
        for text in ["", "p3", "p1.0", "p1.9", "p1.x", "p1.2.3"] {
            assert!(text.parse::<SeatId>().is_err(), "{text}");
        }
    }

    #[test]
    fn engines_of_partners_are_written_in_short() {
        let json =
            |autos: Vec<bool>| serde_json::to_string(&SideAuto::from(autos)).expect("plain data");
        assert_eq!(json(vec![true, true]), "true");
        assert_eq!(json(vec![false, true]), "[false,true]");
        let mut autos = SideAuto::All(true);
        autos.set(1, false);
        assert_eq!((autos.of(0), autos.of(1), autos.of(2)), (true, false, true));
    }
}
