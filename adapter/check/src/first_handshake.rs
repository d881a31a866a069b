//! The first handshake with an engine, which collects the facts for all steps.

use std::time::Instant;

use protocol::{OptionDecl, OptionKind, Query};
use record::game_spec::{ANY, GameSpec};
use record::registry::Rules;

use crate::case::{Case, Identity};
use crate::dialogue::{Dialogue, PAUSE};
use crate::output::OutputLine;
use crate::report::Checked;
use crate::subject::Subject;
use crate::transcript::NonReplies;

/// Performs the first handshake and finds out which queries the engine answers.
pub(super) fn handshake(subject: &Subject) -> Checked<Case<'_>> {
    let mut case = Case {
        subject,
        identity: Identity::default(),
        answers: Vec::new(),
        rules: Err("the game any has no rules".to_owned()),
        fixed: Vec::new(),
        options: Vec::new(),
        non_replies: NonReplies::default(),
        refused_in: None,
    };
    let mut dialogue = Dialogue::start(&case)?;
    let output = dialogue.handshake();
    let output = output.map_err(|finding| dialogue.with_evidence(finding))?;
    let (mut answers, mut game) = (Vec::new(), None);
    for query in Query::ALL {
        // A failure here is reported by the step that tests it.
        let Ok(answer) = probe(&mut dialogue, query) else {
            game = None;
            break;
        };
        if let Some(answer) = answer {
            answers.push(query);
            if query == Query::Game {
                game = Some(answer);
            }
        }
    }
    let non_replies = std::mem::take(&mut dialogue.transcript.non_replies);
    drop(dialogue);
    case.identity = Identity::of(&output);
    let reported = game.as_deref().map(parse_game);
    case.fixed = fixed(&case, reported.as_ref());
    case.rules = rules(subject, reported, &case.fixed);
    (case.answers, case.non_replies) = (answers, non_replies);
    Ok(case)
}

/// Returns the answer to a query, also one that comes after the `readyok`: a step tests the order.
fn probe(dialogue: &mut Dialogue<'_>, query: Query) -> Checked<Option<String>> {
    let output = dialogue.ask(&format!("query {}", query.word()))?;
    let answer = output.into_iter().find(OutputLine::is_answer);
    let answer = answer.or_else(|| {
        let deadline = Instant::now() + PAUSE;
        dialogue.receive_first("response", deadline, OutputLine::is_answer)
    });
    Ok(answer.and_then(OutputLine::response))
}

/// Returns the options of the board that the engine reports and does not declare. Such an engine plays one board alone.
fn fixed(case: &Case<'_>, reported: Option<&GameSpec>) -> Vec<OptionDecl> {
    let rules = |spec: &GameSpec| case.subject.registry.rules(spec);
    let is_game = |spec: &&GameSpec| rules(spec).is_ok_and(|rules| rules.is_some());
    let reported = reported.filter(is_game).map(|spec| &spec.options);
    let undeclared = reported.into_iter().flatten();
    let undeclared = undeclared.filter(|(name, _)| !case.declares(name));
    let only = |(name, value): &(String, String)| OptionDecl {
        name: name.clone(),
        kind: OptionKind::Combo {
            default: value.clone(),
            choices: vec![value.clone()],
        },
    };
    undeclared.map(only).collect()
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
    if spec.name != ANY && registry.find(&spec.name).is_err() {
        return Err(format!("the rules of {} are unknown", spec.name));
    }
    match registry.rules(&spec) {
        Ok(Some(rules)) => Ok(rules),
        Ok(None) => Err("the game any has no rules".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses an answer to `query game`, such as `susan Size=5`.
fn parse_game(answer: &str) -> GameSpec {
    let answer = answer.trim();
    let (name, options) = answer.split_once(' ').unwrap_or((answer, ""));
    GameSpec::with_words(name, options)
}
