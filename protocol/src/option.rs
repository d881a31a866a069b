//! What an engine lets others set: the five UCI option types.
//!
//! The types and their text stand here; the grammar is in `option/parse.rs`.

pub(crate) mod parse;

use std::fmt;

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

/// What follows the word `option`.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type {}", self.name, self.kind)
    }
}

/// What follows the word `type`.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => {
                f.write_str("string default <empty>")
            }
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}
