//! The first handshake, which finds out what all steps need to know. And steps: the handshake and the options.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::time::Instant;

use kit::Options;
use protocol::{OptionDecl, OptionKind};
use record::game_spec::GameSpec;
use record::opening::source::generator;
use record::registry::{GameError, Rules};

use crate::case::{Case, Identity, Subject};
use crate::prelude::*;

/// Performs the first handshake and finds out which queries the engine answers.
pub(super) fn begin(subject: &Subject) -> Checked<Case<'_>> {
    let mut case = Case {
        subject,
        identity: Identity::default(),
        answers: Vec::new(),
        rules: Err("the game any has no rules".to_owned()),
        fixed: Vec::new(),
        options: Vec::new(),
        games: RefCell::new((generator(subject.seed, 0x6A), Vec::new())),
        non_replies: RefCell::default(),
        refused_in: Cell::default(),
    };
    let mut dialogue = Dialogue::start(&case)?;
    let output = dialogue.handshake();
    let output = output.map_err(|finding| dialogue.with_evidence(finding))?;
    let (mut answers, mut reported) = (Vec::new(), None);
    for &query in Query::ALL {
        // A failure here is reported by the step that tests it.
        let Ok(output) = dialogue.ask(&format!("query {}", query.word())) else {
            reported = None;
            break;
        };
        let answer = output.into_iter().find(OutputLine::is_answer);
        // An answer may come after the `readyok`: a step tests the order.
        let late = || Instant::now() + PAUSE;
        let answer = answer.or_else(|| dialogue.receive_first(late(), OutputLine::is_answer));
        if let Some(text) = answer.as_ref().and_then(OutputLine::response) {
            answers.push(query);
            if query == Query::Game {
                // Such as `susan Size=5`.
                let (name, options) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
                reported = Some(GameSpec::with_words(name, options));
            }
        }
    }
    drop(dialogue);
    case.identity = Identity::of(&output);
    case.fixed = fixed(&case, reported.as_ref());
    case.rules = rules(subject, reported, &case.fixed);
    case.answers = answers;
    Ok(case)
}

/// Returns the options of the board that the engine reports and does not declare. Such an engine plays one board alone.
fn fixed(case: &Case<'_>, reported: Option<&GameSpec>) -> Vec<OptionDecl> {
    let is_game = |spec: &&GameSpec| {
        let rules = case.subject.registry.rules(spec);
        rules.is_ok_and(|rules| rules.is_some())
    };
    let options = reported.filter(is_game).into_iter();
    let undeclared = options.flat_map(|spec| &spec.options);
    let undeclared = undeclared.filter(|(name, _)| !case.declares(name));
    let only = undeclared.map(|(name, value)| OptionDecl::combo(name, &[value]));
    only.collect()
}

/// Returns the rules of the named game, or else of the game that `query game` reports. Options of the board that are
/// not named are those that the engine cannot change.
fn rules(
    subject: &Subject,
    reported: Option<GameSpec>,
    fixed: &[OptionDecl],
) -> Result<Rules, String> {
    let registry = subject.registry;
    let Some(mut spec) = subject.game.as_ref().or(reported.as_ref()).cloned() else {
        return Err("no GAME is given, and query game is not answered".to_owned());
    };
    if let Some(reported) = reported.filter(|reported| reported.name == spec.name) {
        for (name, value) in reported.options {
            let mut named = spec.options.iter().map(|(named, _)| named);
            let is_named = named.any(|named| named.eq_ignore_ascii_case(&name));
            if !is_named && fixed.iter().any(|decl| decl.name == name) {
                spec.options.push((name, value));
            }
        }
    }
    match registry.rules(&spec) {
        Ok(Some(rules)) => Ok(rules),
        Ok(None) => Err("the game any has no rules".to_owned()),
        Err(GameError::Unknown { name, .. }) => Err(format!("the rules of {name} are unknown")),
        Err(error) => Err(error.to_string()),
    }
}

/// `ugi` is answered by a name, an author and `ugiok`.
pub(super) fn handshake(dialogue: &mut Dialogue<'_>) -> Outcome {
    let identity = &dialogue.case.identity;
    let texts = [("name", &identity.names), ("author", &identity.authors)].map(|(word, texts)| {
        let n = texts.len();
        ensure!(n == 1, "{n} lines id {word} …: expected one");
        ensure!(!texts[0].is_empty(), "nothing after id {word}");
        Ok(excerpt(&texts[0]))
    });
    let [name, author] = texts;
    Ok(format!("{} by {}", name?, author?))
}

/// A second `ugi` is answered like the first.
pub(super) fn again(dialogue: &mut Dialogue<'_>) -> Outcome {
    let first = &dialogue.case.identity;
    let second = Identity::of(&dialogue.handshake()?);
    let differs = match second.option_lines == first.option_lines {
        false => "declares different options",
        true if second.names != first.names => "sends a different name",
        true => "",
    };
    ensure!(
        differs.is_empty(),
        "the second handshake {differs} from the first"
    );
    dialogue.sync()?;
    pass()
}

/// Each option declaration is well-formed, and its default is valid.
pub(super) fn option_lines(dialogue: &mut Dialogue<'_>) -> Outcome {
    let case = dialogue.case;
    let (lines, declared) = (&case.identity.option_lines, case.declared());
    skip_unless!(!lines.is_empty(), "declares no options");
    for line in lines {
        let unreadable = |why| fail!("\"{}\" cannot be read: {why}", excerpt(line));
        Reply::parse(line).map_err(unreadable)?;
    }
    let mut names = HashSet::new();
    for decl in declared {
        let name = &decl.name;
        let is_new = names.insert(name.to_lowercase());
        ensure!(is_new, "the option {name} is declared twice");
        let mut words = name.split(' ');
        let is_plain = words.all(|word| !matches!(word, "value" | "type"));
        let wrong = "its name contains a word of the protocol";
        ensure!(is_plain, "the option {name}: {wrong}");
        let mut options = Options::new(vec![decl.clone()]);
        let default = options.text(name).to_owned();
        let default = (decl.kind != OptionKind::Button).then_some(default);
        let set = options.set(name, default.as_deref());
        set.map_err(|why| fail!("an invalid default: {why}"))?;
    }
    Ok(format!("{} options", declared.len()))
}

/// The lines that set each option to its other declared values, then to its default.
pub(super) fn good_options(case: &Case<'_>) -> Vec<String> {
    case.declared().iter().flat_map(set_lines).collect()
}

/// Substrings in the names of options that affect memory or CPU use.
const COSTLY: [&str; 4] = ["hash", "memory", "thread", "core"];

/// The lines for values that an option must accept, ending with its default. Memory and threads are not set above it.
fn set_lines(decl: &OptionDecl) -> Vec<String> {
    let name = decl.name.to_lowercase();
    let is_costly = COSTLY.iter().any(|word| name.contains(word));
    let texts = match &decl.kind {
        OptionKind::Button => return vec![set_line(&decl.name, None)],
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
    let lines = texts
        .into_iter()
        .map(|text| set_line(&decl.name, Some(text)));
    lines.collect()
}

fn set_line(name: &str, value: Option<String>) -> String {
    let name = name.to_owned();
    let command = Command::SetOption { name, value };
    command.display(protocol::Dialect::Ugi).to_string()
}

/// Lines with an unknown option, and with invalid values of the known ones.
pub(super) fn bad_options(case: &Case<'_>) -> Vec<String> {
    let line = |decl: &OptionDecl| {
        let value = match decl.kind {
            OptionKind::Check { .. } | OptionKind::Combo { .. } => "xyzzy".to_owned(),
            OptionKind::Spin { max, .. } => max.checked_add(1)?.to_string(),
            OptionKind::Button | OptionKind::String { .. } => return None,
        };
        Some(set_line(&decl.name, Some(value)))
    };
    let unknown = "setoption name Xyzzy Plugh value 1".to_owned();
    let known = case.declared().iter().filter_map(line);
    [unknown].into_iter().chain(known).collect()
}
