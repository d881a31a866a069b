//! Steps: the handshake and the options.

use std::collections::HashSet;

use protocol::{OptionDecl, OptionKind};

use crate::case::Identity;
use crate::prelude::*;

/// `ugi` is answered by a name, an author and `ugiok`.
pub(super) fn handshake(dialogue: &mut Dialogue<'_>) -> Outcome {
    let identity = &dialogue.case.identity;
    for (word, texts) in [("name", &identity.names), ("author", &identity.authors)] {
        ensure!(
            texts.len() == 1,
            "{} lines id {word} …: expected one",
            texts.len()
        );
        ensure!(!texts[0].is_empty(), "nothing after id {word}");
    }
    let (name, author) = (excerpt(&identity.names[0]), excerpt(&identity.authors[0]));
    Ok(format!("{name} by {author}"))
}

/// A second `ugi` is answered like the first.
pub(super) fn again(dialogue: &mut Dialogue<'_>) -> Outcome {
    let first = &dialogue.case.identity;
    let second = Identity::of(&dialogue.handshake()?);
    ensure!(
        second.option_lines == first.option_lines,
        "the second handshake declares different options from the first"
    );
    ensure!(
        second.names == first.names,
        "the second handshake sends a different name from the first"
    );
    dialogue.sync()?;
    pass()
}

/// Each option declaration is well-formed, and its default is valid.
pub(super) fn option_lines(dialogue: &mut Dialogue<'_>) -> Outcome {
    let case = dialogue.case;
    let (lines, declared) = (&case.identity.option_lines, case.declared());
    if lines.is_empty() {
        return Err(skip!("declares no options"));
    }
    for line in lines {
        if let Err(why) = Reply::parse(line) {
            return Err(fail!("\"{}\" cannot be read: {why}", excerpt(line)));
        }
    }
    let mut names = HashSet::new();
    for decl in declared {
        ensure!(
            names.insert(decl.name.to_lowercase()),
            "the option {} is declared twice",
            decl.name
        );
        if let Some(wrong) = wrong_declaration(decl) {
            return Err(fail!("the option {}: {wrong}", decl.name));
        }
    }
    Ok(format!("{} options", declared.len()))
}

fn wrong_declaration(decl: &OptionDecl) -> Option<String> {
    let has_keyword = |word: &str| matches!(word, "value" | "type");
    if decl.name.split(' ').any(has_keyword) {
        return Some("its name contains a word of the protocol".to_owned());
    }
    match &decl.kind {
        OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
            Some(format!("the default {default} is not from {min} to {max}"))
        }
        OptionKind::Combo { default, choices } => {
            let is_default = |choice: &String| choice.eq_ignore_ascii_case(default);
            (!choices.iter().any(is_default))
                .then(|| format!("the default {default} is not among its values"))
        }
        _ => None,
    }
}

/// Each option accepts its default and its other declared values.
pub(super) fn option_values(dialogue: &mut Dialogue<'_>) -> Outcome {
    if dialogue.case.declared().is_empty() {
        return Err(skip!("declares no options"));
    }
    let mut n_set = 0;
    for decl in dialogue.case.declared() {
        for value in values(decl) {
            let line = set_line(&decl.name, value.as_deref());
            if let Some(why) = dialogue.ask(&line)?.iter().find_map(OutputLine::error) {
                return Err(fail!("{line} is rejected: {}", excerpt(why)));
            }
            n_set += 1;
        }
    }
    Ok(format!("{n_set} values set"))
}

/// Substrings in the names of options that affect memory or CPU use.
const COSTLY: [&str; 4] = ["hash", "memory", "thread", "core"];

/// Values that an option must accept, ending with its default. Memory and threads are not set above the default.
fn values(decl: &OptionDecl) -> Vec<Option<String>> {
    let is_costly = COSTLY
        .iter()
        .any(|word| decl.name.to_lowercase().contains(word));
    let texts = match &decl.kind {
        OptionKind::Button => return vec![None],
        OptionKind::Check { default } => vec![(!default).to_string(), default.to_string()],
        OptionKind::Spin { default, min, .. } if is_costly => {
            vec![min.to_string(), default.to_string()]
        }
        OptionKind::Spin { default, min, max } => [min, max, default].map(i64::to_string).to_vec(),
        OptionKind::Combo { default, choices } => {
            choices.iter().chain([default]).cloned().collect()
        }
        OptionKind::String { default } if default.is_empty() => vec!["<empty>".to_owned()],
        OptionKind::String { default } => vec![default.clone()],
    };
    texts.into_iter().map(Some).collect()
}

fn set_line(name: &str, value: Option<&str>) -> String {
    let (name, value) = (name.to_owned(), value.map(str::to_owned));
    let command = Command::SetOption { name, value };
    command.display(protocol::Dialect::Ugi).to_string()
}

/// Unknown options and invalid values are errors and change nothing.
pub(super) fn bad_options(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut lines = vec!["setoption name Xyzzy Plugh value 1".to_owned()];
    let bad = dialogue.case.declared().iter().filter_map(bad_value);
    lines.extend(bad.map(|(name, value)| set_line(&name, Some(&value))));
    expect_errors(dialogue, &lines)
}

fn bad_value(decl: &OptionDecl) -> Option<(String, String)> {
    let value = match decl.kind {
        OptionKind::Check { .. } | OptionKind::Combo { .. } => "xyzzy".to_owned(),
        OptionKind::Spin { max, .. } => max.checked_add(1)?.to_string(),
        OptionKind::Button | OptionKind::String { .. } => return None,
    };
    Some((decl.name.clone(), value))
}

/// Sends invalid lines. Each must be answered by exactly one `info error`.
fn expect_errors(dialogue: &mut Dialogue<'_>, lines: &[String]) -> Outcome {
    let mut ignored = None;
    for line in lines {
        let output = dialogue.ask(line)?;
        let (line, n) = (excerpt(line), output.len());
        only_errors(&output, &format!("answers \"{line}\" with"))?;
        ensure!(n <= 1, "answers \"{line}\" with {n} errors: expected one");
        if n == 0 {
            ignored.get_or_insert(line);
        }
    }
    match ignored {
        Some(line) => Err(warning!("ignores \"{line}\" silently: expected info error")),
        None => pass(),
    }
}
