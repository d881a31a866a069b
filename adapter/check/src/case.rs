//! Facts about the engine, collected before the first step: its handshake, the queries that it answers, the game.

use kit::{DynHistory, Options};
use protocol::{Dialect, OptionDecl, Query, Reply};
use record::game_spec::{ANY, GameSpec};
use record::opening::Opening;
use record::registry::{Registry, Rules};
use referee::player::{SetOption, choose_options};

use crate::dialogue::Dialogue;
use crate::output_line::OutputLine;
use crate::report::{Finding, skip};
use crate::subject::Subject;
use crate::transcript::NonReplies;

/// The data that all steps share.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) subject: &'a Subject,
    pub(super) identity: Identity,
    /// The queries that the engine answered in the start position.
    pub(super) answers: Vec<Query>,
    /// The rules, or the reason why they are unknown.
    pub(super) rules: Result<Rules, String>,
    /// Options to set at each start.
    pub(super) options: Vec<SetOption>,
    /// Output lines of all steps so far that are not replies.
    pub(super) non_replies: NonReplies,
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

/// Reason why the check cannot begin.
#[derive(Debug)]
pub(super) enum SetupError {
    /// The handshake failed.
    Finding(Box<Finding>),
    /// The engine rejects a given option.
    Option(String),
}

impl<'a> Case<'a> {
    /// Performs the first handshake and finds out which queries the engine answers.
    pub(super) fn handshake(subject: &'a Subject) -> Result<Case<'a>, SetupError> {
        let failed = |finding| SetupError::Finding(Box::new(finding));
        let mut dialogue = Dialogue::start(subject).map_err(failed)?;
        let output = dialogue.handshake();
        let output = output.map_err(|finding| failed(dialogue.with_evidence(finding)))?;
        let mut case = Case {
            subject,
            identity: Identity::of(&output),
            answers: Vec::new(),
            rules: Err("the game any has no rules".to_owned()),
            options: Vec::new(),
            non_replies: NonReplies::default(),
        };
        // A failure here is reported by the step that tests it.
        let game = case.probe(&mut dialogue).unwrap_or_default();
        case.rules = rules(subject.registry, subject.game.as_ref(), game.as_deref());
        let chosen = choose_options(case.rules.as_ref().ok(), &subject.spec, case.declared());
        let chosen = chosen.map_err(SetupError::Option)?;
        case.options = case.changed(chosen);
        case.non_replies = dialogue.drain_non_replies();
        Ok(case)
    }

    /// Sends all queries and records which ones are answered. Returns the answer to `query game`.
    fn probe(&mut self, dialogue: &mut Dialogue) -> Result<Option<String>, Finding> {
        let mut game = None;
        for query in Query::ALL {
            if let Some(answer) = dialogue.query(query)? {
                self.answers.push(query);
                game = (query == Query::Game).then_some(answer);
            }
        }
        Ok(game)
    }

    pub(super) fn declared(&self) -> &[OptionDecl] {
        &self.identity.declared
    }

    /// `true` if an option of this name is declared; ignores case.
    pub(super) fn declares(&self, name: &str) -> bool {
        let is = |decl: &OptionDecl| decl.name.eq_ignore_ascii_case(name);
        self.declared().iter().any(is)
    }

    /// Returns the options whose values differ from their defaults.
    pub(super) fn changed(&self, chosen: Vec<SetOption>) -> Vec<SetOption> {
        let is_changed = |(name, value): &SetOption| !self.is_default(name, value.as_deref());
        chosen.into_iter().filter(is_changed).collect()
    }

    /// `true` if this value is the option's default.
    fn is_default(&self, name: &str, value: Option<&str>) -> bool {
        let mut set = Options::new(self.declared().to_vec());
        let defaults = set.clone();
        value.is_some() && set.set(name, value).is_ok() && set == defaults
    }

    pub(super) fn answers(&self, query: Query) -> bool {
        self.answers.contains(&query)
    }

    /// Skips a step if the engine does not answer this query.
    pub(super) fn needs(&self, query: Query) -> Result<(), Finding> {
        if self.answers(query) {
            return Ok(());
        }
        Err(skip(format!("does not answer query {}", query.word())))
    }

    /// Skips a step that applies only to UGI if the engine uses UCI.
    pub(super) fn needs_ugi(&self) -> Result<(), Finding> {
        match self.subject.dialect {
            Dialect::Ugi => Ok(()),
            Dialect::Uci => Err(skip("not part of the dialect uci")),
        }
    }

    /// The rules; skips the step if they are unknown.
    pub(super) fn rules(&self) -> Result<&Rules, Finding> {
        self.rules.as_ref().map_err(|why| skip(why.as_str()))
    }

    /// The name of the game, or the reason why it is not known.
    pub(super) fn game(&self) -> Result<&'static str, &str> {
        match &self.rules {
            Ok(rules) => Ok(rules.entry().name),
            Err(why) => Err(why),
        }
    }
}

/// Returns the position after a legal opening.
pub(super) fn board(rules: &Rules, opening: &Opening) -> Box<dyn DynHistory> {
    rules
        .open(opening)
        .expect("openings need the rules of a game")
}

/// Returns the rules of the named game, or else of the game that `query game` reports.
fn rules(
    registry: Registry,
    named: Option<&GameSpec>,
    reported: Option<&str>,
) -> Result<Rules, String> {
    let spec = match (named, reported) {
        (Some(spec), _) => spec.clone(),
        (None, Some(reported)) => parse_game(reported),
        (None, None) => {
            return Err("no GAME is given, and query game is not answered".to_owned());
        }
    };
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
    let mut words = answer.split_whitespace();
    let name = words.next().unwrap_or_default().to_owned();
    let pairs = words.filter_map(|word| word.split_once('='));
    GameSpec {
        name,
        options: pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
    }
}
