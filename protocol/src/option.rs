//! What an engine lets others set: the five UCI option types.

/// An option as an engine declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDecl {
    /// The name, which may hold single blanks; matched in any letter case.
    pub name: String,
    /// The type, with its default and its range.
    pub kind: OptionKind,
}

/// The type of an option, with its default and its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value before anyone sets it.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value before anyone sets it.
        default: i64,
        /// The least value taken.
        min: i64,
        /// The greatest value taken.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The value before anyone sets it; one of `choices`.
        default: String,
        /// The values taken.
        choices: Vec<String>,
    },
    /// No value: setting it does something.
    Button,
    /// Any text.
    String {
        /// The value before anyone sets it; may be empty (`<empty>` on the wire).
        default: String,
    },
}
