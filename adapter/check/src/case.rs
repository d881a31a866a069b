//! The engine under test, and the facts collected before the first step: its handshake, the queries that it answers, the
//! game.

use std::time::Instant;

use kit::{CheckPosition, DynHistory, Options};
use protocol::{Dialect, OptionDecl, OptionKind, Query, Reply};
use record::engine_spec::EngineSpec;
use record::game_spec::{ANY, GameSpec};
use record::opening::Opening;
use record::registry::{Registry, Rules};
use referee::engine::{SetOption, Timeouts, choose_options};
use referee::process::Launch;
use referee::stop::Stop;

use crate::dialogue::{Dialogue, PAUSE};
use crate::output::OutputLine;
use crate::report::{Checked, skip};
use crate::transcript::NonReplies;

/// The engine to check, and the settings of the check.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The games whose rules are known.
    pub registry: Registry,
    /// The process.
    pub launch: Launch,
    /// The engine specification with its options.
    pub spec: EngineSpec,
    /// Tolerated overrun of time limits; if `None`, the default of each kind of limit.
    pub margin_ms: Option<u64>,
    /// The engine's protocol dialect.
    pub dialect: Dialect,
    /// The game; if `None`, the engine is asked.
    pub game: Option<GameSpec>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of games whose positions are compared with the rules.
    pub games: usize,
    /// Stops the check.
    pub stop: Stop,
    /// Timeouts for answers.
    pub timeouts: Timeouts,
    /// Names of the steps to run; empty for all.
    pub only: Vec<String>,
}

/// The data that all steps share.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) subject: &'a Subject,
    pub(super) identity: Identity,
    /// The queries that the engine answered in the start position.
    pub(super) answers: Vec<Query>,
    /// The rules, or the reason why they are unknown.
    pub(super) rules: Result<Rules, String>,
    /// The options of the board that the engine reports by `query game` and does not declare, with their only value.
    pub(super) fixed: Vec<OptionDecl>,
    /// Options to set at each start.
    pub(super) options: Vec<SetOption>,
    /// Output lines of all steps so far that are not replies.
    pub(super) non_replies: NonReplies,
    /// The first step that reported a legal position that the engine rejects. The steps that compare random games do
    /// not report another one.
    pub(super) refused_in: Option<&'static str>,
}

/// The engine's output in the first handshake.
#[derive(Debug, Default)]
pub(super) struct Identity {
    pub(super) names: Vec<String>,
    pub(super) authors: Vec<String>,
    /// Lines that begin with `option`, valid or not.
    pub(super) option_lines: Vec<String>,
    /// The valid option declarations.
    pub(super) declared: Vec<OptionDecl>,
}

impl Identity {
    pub(super) fn of(output: &[OutputLine]) -> Identity {
        let mut identity = Identity::default();
        for output in output {
            if output.line.split_whitespace().next() == Some("option") {
                identity.option_lines.push(output.line.clone());
            }
            match &output.reply {
                Some(Reply::IdName(name)) => identity.names.push(name.clone()),
                Some(Reply::IdAuthor(author)) => identity.authors.push(author.clone()),
                Some(Reply::Option(decl)) => identity.declared.push(decl.clone()),
                _ => {}
            }
        }
        identity
    }
}

impl Case<'_> {
    /// Returns the options to set for a board, as far as they differ from the engine's defaults.
    ///
    /// # Errors
    /// The engine lacks an option or rejects its value.
    pub(super) fn options_for(&self, rules: Option<&Rules>) -> Result<Vec<SetOption>, String> {
        let known = [self.declared(), &self.fixed].concat();
        let mut chosen = choose_options(rules, &self.subject.spec, &known)?;
        let defaults = Options::new(known);
        chosen.retain(|(name, value)| {
            let mut set = defaults.clone();
            value.is_none() || set.set(name, value.as_deref()).is_err() || set != defaults
        });
        Ok(chosen)
    }

    pub(super) fn declared(&self) -> &[OptionDecl] {
        &self.identity.declared
    }

    /// `true` if an option of this name is declared; ignores case.
    pub(super) fn declares(&self, name: &str) -> bool {
        let is = |decl: &OptionDecl| decl.name.eq_ignore_ascii_case(name);
        self.declared().iter().any(is)
    }

    pub(super) fn answers(&self, query: Query) -> bool {
        self.answers.contains(&query)
    }

    /// Skips a step if the engine does not answer this query.
    pub(super) fn needs(&self, query: Query) -> Checked<()> {
        match self.answers(query) {
            true => Ok(()),
            false => Err(skip!("does not answer query {}", query.word())),
        }
    }

    /// The rules; skips the step if they are unknown.
    pub(super) fn rules(&self) -> Checked<&Rules> {
        self.rules.as_ref().map_err(|why| skip!("{why}"))
    }

    /// The rules, or the reason why they are not known.
    pub(super) fn game(&self) -> Result<&Rules, &str> {
        self.rules.as_ref().map_err(String::as_str)
    }
}

/// Returns the position after a legal opening.
pub(super) fn board(rules: &Rules, opening: &Opening) -> Box<dyn DynHistory> {
    rules
        .open(opening)
        .expect("openings need the rules of a game")
}

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

/// Positions of the table with the same options.
#[derive(Debug)]
pub(super) struct Chapter {
    /// The rules of the game with these options.
    pub(super) rules: Rules,
    /// Options to set when the process starts.
    pub(super) options: Vec<SetOption>,
    pub(super) positions: Vec<CheckPosition>,
}

impl Case<'_> {
    /// Returns the table grouped by options, and the number of positions omitted because the engine rejects their
    /// options.
    pub(super) fn chapters(&self) -> (Vec<Chapter>, usize) {
        let Ok(rules) = &self.rules else {
            return (Vec::new(), 0);
        };
        let table = rules.entry().check_positions();
        let chapters = table
            .chunk_by(|one, next| one.options == next.options)
            .filter_map(|positions| self.chapter(rules, positions));
        let chapters: Vec<Chapter> = chapters.collect();
        let n_kept: usize = chapters.iter().map(|chapter| chapter.positions.len()).sum();
        (chapters, table.len() - n_kept)
    }

    /// Returns a chapter without positions on the default board; `None` if the engine does not play on it.
    pub(super) fn default_board(&self) -> Option<Chapter> {
        self.chapter(self.rules.as_ref().ok()?, &[])
    }

    fn chapter(&self, rules: &Rules, positions: &[CheckPosition]) -> Option<Chapter> {
        let first = positions.first().into_iter();
        let options = first.flat_map(CheckPosition::options);
        let spec = GameSpec::new(rules.entry().name, options);
        let registry = self.subject.registry;
        let rules = registry.rules(&spec).expect("a law of every game")?;
        let options = self.options_for(Some(&rules)).ok()?;
        Some(Chapter {
            rules,
            options,
            positions: positions.to_vec(),
        })
    }
}
