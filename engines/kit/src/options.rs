//! The options of an engine and their values.

use protocol::text::excerpt;
pub use protocol::text::or_list;
pub use protocol::{OptionDecl, OptionKind};

use crate::Rejection;

/// Declared options, each with a valid value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    entries: Vec<(OptionDecl, String)>,
}

/// The error for an option that is none of these.
pub fn unknown(name: &str, known: &[&str]) -> Rejection {
    let (name, expected) = (excerpt(name), or_list(known));
    Rejection(format!("unknown option \"{name}\": expected {expected}"))
}

impl Options {
    /// These options at their defaults.
    pub fn new(declared: Vec<OptionDecl>) -> Options {
        let entries = declared
            .into_iter()
            .map(|decl| {
                let default = default_text(&decl.kind);
                (decl, default)
            })
            .collect();
        Options { entries }
    }

    /// The declarations, in order.
    pub fn declared(&self) -> impl Iterator<Item = &OptionDecl> {
        self.entries.iter().map(|(decl, _)| decl)
    }

    /// The declarations with the values as defaults.
    pub fn to_defaults(&self) -> Vec<OptionDecl> {
        let with_default = |(decl, value): &(OptionDecl, String)| {
            let mut decl = decl.clone();
            match &mut decl.kind {
                OptionKind::Check { default } => *default = value == "true",
                OptionKind::Spin { default, .. } => {
                    *default = value.parse().expect("a spin holds a number");
                }
                OptionKind::Combo { default, .. } | OptionKind::String { default } => {
                    default.clone_from(value);
                }
                OptionKind::Button => {}
            }
            decl
        };
        self.entries.iter().map(with_default).collect()
    }

    /// Names and values, in the order declared.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries
            .iter()
            .map(|(decl, value)| (decl.name.as_str(), value.as_str()))
    }

    /// `true` if an option of this name is declared, in any letter case.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Sets an option from text. The name and the word of a combo may be in any letter case. A button takes no value
    /// and stores none.
    ///
    /// # Errors
    /// No option has this name, or it does not allow this value. The text names both, and what was expected.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Rejection> {
        let Some(index) = self.find(name) else {
            let known: Vec<&str> = self.values().map(|(known, _)| known).collect();
            return Err(unknown(name, &known));
        };
        let (decl, current) = &mut self.entries[index];
        *current = read_value(&decl.kind, value).ok_or_else(|| {
            let refused = value.map_or("lacks a value".to_owned(), |value| {
                format!("cannot be \"{}\"", excerpt(value))
            });
            let (name, expected) = (&decl.name, expected(&decl.kind));
            Rejection(format!("option {name} {refused}: expected {expected}"))
        })?;
        Ok(())
    }

    /// The value of a declared option, as text.
    pub fn text(&self, name: &str) -> &str {
        let index = self
            .find(name)
            .expect("the option was declared by its reader");
        &self.entries[index].1
    }

    /// The value of a declared spin.
    pub fn spin(&self, name: &str) -> i64 {
        self.text(name).parse().expect("a spin holds a number")
    }

    /// The value of a declared check.
    pub fn check(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|(decl, _)| decl.name.eq_ignore_ascii_case(name))
    }
}

fn default_text(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
        OptionKind::Button => String::new(),
    }
}

/// The value in canonical form; `None` if the option does not allow it.
fn read_value(kind: &OptionKind, value: Option<&str>) -> Option<String> {
    let word = value.map(str::trim);
    match kind {
        OptionKind::Check { .. } => {
            let word = word?.to_ascii_lowercase();
            (word == "true" || word == "false").then_some(word)
        }
        OptionKind::Spin { min, max, .. } => {
            let number: i64 = word?.parse().ok()?;
            (*min..=*max).contains(&number).then(|| number.to_string())
        }
        OptionKind::Combo { choices, .. } => {
            let word = word?;
            let mut choices = choices.iter();
            choices
                .find(|choice| choice.eq_ignore_ascii_case(word))
                .cloned()
        }
        OptionKind::String { .. } => value.map(str::to_owned),
        OptionKind::Button => value.is_none().then(String::new),
    }
}

fn expected(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { .. } => "true or false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
        OptionKind::Combo { choices, .. } => or_list(choices),
        OptionKind::Button => "no value".to_owned(),
        OptionKind::String { .. } => "a text".to_owned(),
    }
}
