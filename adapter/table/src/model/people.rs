//! Clients and seats of a table, by their numbers and sides.

use std::fmt;
use std::str::FromStr;

use kit::Side;
use record::clock::Limit;
use record::engine_spec::EngineSpec;
use record::plan::MAX_PARTNERS;
use record::serde_as_text;
use serde::{Deserialize, Serialize};

/// A client as the other clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientInfo {
    /// The client's number.
    pub client: ClientId,
    /// The client's name.
    pub name: String,
    /// The client's role.
    pub role: Role,
}

/// A client's number, unique at its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ClientId(pub u64);

/// A number that the client gives to a request; the answer, `done` or `refused`, repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct RequestId(pub u64);

/// Role of a client at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

    /// The sides, p1 first.
    pub fn iter(self) -> impl Iterator<Item = Side> {
        let sides = Side::BOTH.into_iter();
        sides.filter(move |side| self.contains(*side))
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
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|known| known.to_string() == side);
        let number = number.parse().ok();
        let number = number.filter(|number| (1..=MAX_PARTNERS).contains(number));
        let seat = side.zip(number).map(|(side, number)| SeatId {
            side,
            partner: number - 1,
        });
        seat.ok_or_else(|| {
            format!("there is no seat {text:?}: write p1 or p2, or p1.2 for a partner")
        })
    }
}

serde_as_text!(SeatId);

/// Which players of a side are replaced by engines: all, none, or a flag for each partner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The wished player of a seat, as a page or a flag describes it. What is left out is that of the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SeatSpec {
    /// A person at the host's client.
    Person {
        /// The name; without one, the person is called by the side.
        name: Option<String>,
    },
    /// A person who joins by a link or a password.
    Guest {
        /// As for a person.
        name: Option<String>,
    },
    /// The built-in engine.
    Engine {
        /// The level; by default, that of its table.
        level: Option<u32>,
        /// The limit of its moves; by default, that of its table.
        limit: Option<Limit>,
    },
    /// An engine of the engines file.
    Listed {
        /// Its name there.
        name: String,
    },
    /// Any other engine. Without a limit, it has that of its table.
    Program {
        /// The engine.
        engine: Box<EngineSpec>,
    },
}

impl SeatSpec {
    /// A person without a name.
    pub const PERSON: SeatSpec = SeatSpec::Person { name: None };

    /// A guest without a name.
    pub const GUEST: SeatSpec = SeatSpec::Guest { name: None };

    /// The built-in engine as its table has it.
    pub const ENGINE: SeatSpec = SeatSpec::Engine {
        level: None,
        limit: None,
    };
}

/// The player of a seat as plans and journals have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatPlayer {
    /// The player with its limit.
    pub player: Box<EngineSpec>,
    /// `true` if the seat is kept for a guest; the player must then be a person.
    #[serde(default)]
    pub guest: bool,
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
