//! What is known of the engine before the first step: its greeting, what it answers, the game.

use kit::{DynHistory, Options};
use protocol::{Dialect, OptionDecl, Query, Reply};

use super::Subject;
use super::dialogue::{Dialogue, Told};
use super::notes::Junk;
use super::report::{Finding, skip};
use crate::opening::Opening;
use crate::plan::{ANY, GameSpec};
use crate::player::{SetOption, choose_options};
use crate::registry::{Registry, Rules};

/// All that the steps may know.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) subject: &'a Subject,
    pub(super) greeting: Greeting,
    /// The questions that were answered about the start position.
    pub(super) answers: Vec<Query>,
    /// The rules, or why there are none.
    pub(super) rules: Result<Rules, String>,
    /// Set at each start.
    pub(super) options: Vec<SetOption>,
    /// Lines that were no replies, of all steps so far.
    pub(super) junk: Junk,
}

/// What was said to the first handshake.
#[derive(Debug, Default)]
pub(super) struct Greeting {
    pub(super) names: Vec<String>,
    pub(super) authors: Vec<String>,
    /// The lines that begin with `option`, readable or not.
    pub(super) option_lines: Vec<String>,
    /// The readable ones.
    pub(super) declared: Vec<OptionDecl>,
}

impl Greeting {
    pub(super) fn of(told: &[Told]) -> Greeting {
        let mut greeting = Greeting::default();
        for told in told {
            if told.line.split_whitespace().next() == Some("option") {
                greeting.option_lines.push(told.line.clone());
            }
            match &told.reply {
                Some(Reply::IdName(name)) => greeting.names.push(name.clone()),
                Some(Reply::IdAuthor(author)) => greeting.authors.push(author.clone()),
                Some(Reply::Option(decl)) => greeting.declared.push(decl.clone()),
                _ => {}
            }
        }
        greeting
    }
}

/// Why there is nothing to check.
#[derive(Debug)]
pub(super) enum Unmet {
    /// It does not shake hands.
    Finding(Finding, Vec<String>, Vec<String>),
    /// It does not take an option that it was to be given.
    Option(String),
}

impl<'a> Case<'a> {
    /// Shakes hands with the engine for the first time and finds out what it answers.
    pub(super) fn meet(subject: &'a Subject) -> Result<Case<'a>, Unmet> {
        let started = Dialogue::start(subject);
        let mut dialogue =
            started.map_err(|finding| Unmet::Finding(finding, Vec::new(), Vec::new()))?;
        let told = dialogue.shake_hands();
        let told = told.map_err(|finding| {
            Unmet::Finding(finding, dialogue.notes().to_paste(), dialogue.last_words())
        })?;
        let mut case = Case {
            subject,
            greeting: Greeting::of(&told),
            answers: Vec::new(),
            rules: Err("any is a game without rules here".to_owned()),
            options: Vec::new(),
            junk: Junk::default(),
        };
        // An engine that fails here fails again in the step that tests it.
        let game = case.probe(&mut dialogue).unwrap_or_default();
        case.rules = rules(subject.registry, subject.game.as_ref(), game.as_deref());
        let chosen = choose_options(case.rules.as_ref().ok(), &subject.spec, case.declared());
        let chosen = chosen.map_err(Unmet::Option)?;
        let is_news = |(name, value): &SetOption| !case.is_default(name, value.as_deref());
        case.options = chosen.into_iter().filter(is_news).collect();
        case.junk = dialogue.take_junk();
        Ok(case)
    }

    /// The answer to `query game`.
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
        &self.greeting.declared
    }

    /// Whether an option of this name is declared, in any letter case.
    pub(super) fn declares(&self, name: &str) -> bool {
        let is = |decl: &OptionDecl| decl.name.eq_ignore_ascii_case(name);
        self.declared().iter().any(is)
    }

    /// Whether an option has this value before anyone sets it.
    fn is_default(&self, name: &str, value: Option<&str>) -> bool {
        let mut set = Options::new(self.declared().to_vec());
        let defaults = set.clone();
        value.is_some() && set.set(name, value).is_ok() && set == defaults
    }

    pub(super) fn answers(&self, query: Query) -> bool {
        self.answers.contains(&query)
    }

    /// Skips a step that needs this question answered.
    pub(super) fn needs(&self, query: Query) -> Result<(), Finding> {
        if self.answers(query) {
            return Ok(());
        }
        Err(skip(format!("does not answer query {}", query.word())))
    }

    /// Skips a step where a UCI engine need not know the questions of UGI.
    pub(super) fn needs_ugi(&self) -> Result<(), Finding> {
        match self.subject.dialect {
            Dialect::Ugi => Ok(()),
            Dialect::Uci => Err(skip("no part of the dialect uci")),
        }
    }

    /// The rules, without which a step is skipped.
    pub(super) fn rules(&self) -> Result<&Rules, Finding> {
        self.rules.as_ref().map_err(|why| skip(why.as_str()))
    }

    /// The name of the game, or why it is not known.
    pub(super) fn game(&self) -> Result<&'static str, &str> {
        match &self.rules {
            Ok(rules) => Ok(rules.entry().name),
            Err(why) => Err(why),
        }
    }
}

/// The board of a legal opening of ours.
pub(super) fn board(rules: &Rules, opening: &Opening) -> Box<dyn DynHistory> {
    rules
        .open(opening)
        .expect("openings are drawn by the rules")
}

/// The rules of the game that was named, or else of the one that the engine says it plays.
fn rules(
    registry: Registry,
    named: Option<&GameSpec>,
    told: Option<&str>,
) -> Result<Rules, String> {
    let spec = match (named, told) {
        (Some(spec), _) => spec.clone(),
        (None, Some(told)) => parse_game(told),
        (None, None) => {
            return Err("no GAME is given, and query game is not answered".to_owned());
        }
    };
    if spec.name != ANY && registry.find(&spec.name).is_err() {
        return Err(format!("the game {} has no rules here", spec.name));
    }
    match registry.rules(&spec) {
        Ok(Some(rules)) => Ok(rules),
        Ok(None) => Err("the game any has no rules".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// `susan Size=5`, as `query game` answers.
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
