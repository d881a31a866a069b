//! Clients of a table: numbers, roles and sides.

use kit::Side;
use serde::{Deserialize, Serialize};

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
