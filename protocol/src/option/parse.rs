//! The grammar of an option's declaration, the part after the word `option`.

use nom::Parser;
use nom::combinator::opt;

use super::{OptionDecl, OptionKind};
use crate::SyntaxError;
use crate::scan::{Scan, choice, keyword, number, one_of, option_name, unless_empty, words_until};
use crate::text::single_spaced;

const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// The words after `type spin`, each followed by a number.
const SPIN_WORDS: [&str; 3] = ["default", "min", "max"];

/// The words after `type combo`, each followed by a value.
const COMBO_WORDS: [&str; 2] = ["default", "var"];

/// `name NAME type TYPE …`.
pub(crate) fn option(input: &str) -> Scan<'_, OptionDecl> {
    let (rest, name) = option_name(input, "option", "type")?;
    let (rest, _) = choice(rest, "the option's name", &["type"], "type")?;
    let expected = "check, spin, combo, button or string";
    let (rest, kind) = match choice(rest, "type", &TYPES, expected)? {
        (rest, "check") => check(rest)?,
        (rest, "spin") => spin(rest)?,
        (rest, "combo") => combo(rest)?,
        (rest, "string") => string(rest)?,
        (rest, _) => (rest, OptionKind::Button),
    };
    Ok((rest, OptionDecl { name, kind }))
}

fn check(input: &str) -> Scan<'_, OptionKind> {
    let (rest, _) = choice(input, "check", &["default"], "default")?;
    let (rest, word) = choice(rest, "default", &["true", "false"], "true or false")?;
    let default = word == "true";
    Ok((rest, OptionKind::Check { default }))
}

/// The words in any order. Without `min` or `max`, the range has no limit on that side.
fn spin(input: &str) -> Scan<'_, OptionKind> {
    let (mut default, mut min, mut max) = (None, i64::MIN, i64::MAX);
    let mut rest = input;
    while let Ok((next, word)) = one_of(&SPIN_WORDS).parse(rest) {
        let (next, value) = number(next, word)?;
        match word {
            "min" => min = value,
            "max" => max = value,
            _ => default = Some(value),
        }
        rest = next;
    }
    let default = default.ok_or_else(|| no_default("spin"))?;
    Ok((rest, OptionKind::Spin { default, min, max }))
}

/// The words in any order.
fn combo(input: &str) -> Scan<'_, OptionKind> {
    let (mut default, mut choices) = (None, Vec::new());
    let mut rest = input;
    while let Ok((next, word)) = one_of(&COMBO_WORDS).parse(rest) {
        let (next, words) = words_until(next, &COMBO_WORDS);
        let value = single_spaced(words);
        match word {
            "var" => choices.push(value),
            _ => default = Some(value),
        }
        rest = next;
    }
    let default = default.ok_or_else(|| no_default("combo"))?;
    Ok((rest, OptionKind::Combo { default, choices }))
}

/// The default is the unchanged rest of the line.
fn string(input: &str) -> Scan<'_, OptionKind> {
    let (text, _) = opt(keyword("default")).parse(input)?;
    let default = unless_empty(text).to_owned();
    Ok(("", OptionKind::String { default }))
}

fn no_default(after: &'static str) -> SyntaxError {
    let expected = "default";
    SyntaxError::Missing { after, expected }
}
