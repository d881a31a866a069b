//! The options of an engine, of the five types of UCI, with their grammar and their text.

use std::fmt;

use crate::SyntaxError;
use crate::words::{Words, find, is, unless_empty};

/// The declaration of an option by an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDecl {
    /// The name, which may contain single blanks; compared in any letter case.
    pub name: String,
    /// The type, with its default and its range.
    pub kind: OptionKind,
}

impl OptionDecl {
    fn new(name: &str, kind: OptionKind) -> OptionDecl {
        let name = name.to_owned();
        OptionDecl { name, kind }
    }

    /// Parses the part after the word `option`: `name NAME type TYPE …`.
    pub(crate) fn parse(words: &mut Words<'_>) -> Result<OptionDecl, SyntaxError> {
        let name = words.option_name("option", "type")?;
        words.choice("the option's name", &["type"])?;
        let kind = OptionKind::parse(words)?;
        Ok(OptionDecl { name, kind })
    }

    /// An option that is `true` or `false`.
    pub fn check(name: &str, default: bool) -> OptionDecl {
        OptionDecl::new(name, OptionKind::Check { default })
    }

    /// A whole number.
    pub fn spin(name: &str, default: i64, min: i64, max: i64) -> OptionDecl {
        OptionDecl::new(name, OptionKind::Spin { default, min, max })
    }

    /// One of these words; the first is the default.
    pub fn combo(name: &str, choices: &[&str]) -> OptionDecl {
        let default = choices[0].to_owned();
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        OptionDecl::new(name, OptionKind::Combo { default, choices })
    }

    /// Any text, empty by default.
    pub fn text(name: &str) -> OptionDecl {
        let default = String::new();
        OptionDecl::new(name, OptionKind::String { default })
    }
}

/// The type of an option, with its default and its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value allowed.
        min: i64,
        /// The largest value allowed.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The default value; one of `choices`.
        default: String,
        /// The values allowed.
        choices: Vec<String>,
    },
    /// No value: setting it starts an action.
    Button,
    /// Any text.
    String {
        /// The default value; may be empty (`<empty>` in the protocol).
        default: String,
    },
}

/// Formats the part after the word `option`.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type {}", self.name, self.kind)
    }
}

/// Formats the part after the word `type`.
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

impl OptionKind {
    /// Parses the part after the word `type`.
    fn parse(words: &mut Words<'_>) -> Result<OptionKind, SyntaxError> {
        match words.choice("type", &["check", "spin", "combo", "button", "string"])? {
            "check" => {
                words.choice("check", &["default"])?;
                let default = words.choice("default", &["true", "false"])? == "true";
                Ok(OptionKind::Check { default })
            }
            "spin" => OptionKind::parse_spin(words),
            "combo" => OptionKind::parse_combo(words),
            "string" => {
                words.take("default");
                let default = unless_empty(words.rest()).to_owned();
                Ok(OptionKind::String { default })
            }
            _ => Ok(OptionKind::Button),
        }
    }

    /// The words in any order. Without `min` or `max`, the range has no limit on that side.
    fn parse_spin(words: &mut Words<'_>) -> Result<OptionKind, SyntaxError> {
        let known = ["default", "min", "max"];
        let mut values = [None, None, None];
        while let Some(index) = words
            .peek()
            .and_then(|word| find(&known, |word| word, word))
        {
            words.next();
            values[index] = Some(words.number(known[index])?);
        }
        let default = values[0].ok_or_else(|| SyntaxError::missing("spin", "default"))?;
        let (min, max) = (values[1].unwrap_or(i64::MIN), values[2].unwrap_or(i64::MAX));
        Ok(OptionKind::Spin { default, min, max })
    }

    /// The words in any order.
    fn parse_combo(words: &mut Words<'_>) -> Result<OptionKind, SyntaxError> {
        let (mut default, mut choices) = (None, Vec::new());
        loop {
            let is_default = words.take("default");
            if !is_default && !words.take("var") {
                break;
            }
            let value = words.until(|word| is("default")(word) || is("var")(word));
            let value = value.collect::<Vec<_>>().join(" ");
            match is_default {
                true => default = Some(value),
                false => choices.push(value),
            }
        }
        let default = default.ok_or_else(|| SyntaxError::missing("combo", "default"))?;
        Ok(OptionKind::Combo { default, choices })
    }
}
