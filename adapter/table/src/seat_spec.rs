//! Who is to sit at a seat, as clients choose it.

use record::clock::Limit;
use serde::{Deserialize, Serialize};

/// The wished player of a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SeatSpec {
    /// A person at the host's client.
    Person {
        /// The name; without one, the person is called by the side.
        #[serde(default)]
        name: Option<String>,
    },
    /// A person who joins by a link or a password.
    Guest {
        /// As for a person.
        #[serde(default)]
        name: Option<String>,
    },
    /// The built-in engine.
    Engine {
        /// The level; by default, that of its table.
        #[serde(default)]
        level: Option<u32>,
        /// The limit of its moves; by default, that of its table.
        #[serde(default)]
        limit: Option<Limit>,
    },
    /// Another engine.
    Program {
        /// As a person types it after `--engine`: `cmd=./my-engine st=1`.
        engine: String,
    },
}

impl SeatSpec {
    /// A person without a name.
    pub const PERSON: SeatSpec = SeatSpec::Person { name: None };

    /// The built-in engine as its table has it.
    pub const ENGINE: SeatSpec = SeatSpec::Engine {
        level: None,
        limit: None,
    };
}
