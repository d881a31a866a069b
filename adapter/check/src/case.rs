//! The engine under test, and the facts collected before the first step: its handshake, the queries that it answers, the
//! game.

use std::cell::{Cell, RefCell};

use fastrand::Rng;
use kit::{CheckPosition, DynHistory, Options};
use protocol::{Dialect, OptionDecl, Query, Reply};
use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};
use referee::engine::{SetOption, Timeouts, choose_options};
use referee::process::Launch;
use referee::stop::Stop;

use crate::report::{Checked, fail, skip, skip_unless};
use crate::transcript::{NonReplies, OutputLine};

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
    /// Random games, and the generator of the next one.
    pub(super) games: RefCell<(Rng, Vec<Opening>)>,
    /// Output lines of all steps so far that are not replies.
    pub(super) non_replies: RefCell<NonReplies>,
    /// The first step that reported a legal position that the engine rejects. The steps that compare random games do
    /// not report another one.
    pub(super) refused_in: Cell<Option<&'static str>>,
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
        let mut names = self.declared().iter().map(|decl| &decl.name);
        names.any(|declared| declared.eq_ignore_ascii_case(name))
    }

    pub(super) fn answers(&self, query: Query) -> bool {
        self.answers.contains(&query)
    }

    /// Skips a step if the engine does not answer this query.
    pub(super) fn needs(&self, query: Query) -> Checked<()> {
        let word = query.word();
        skip_unless!(self.answers(query), "does not answer query {word}");
        Ok(())
    }

    /// The rules for these positions of the table, which have the same options, and the options to set. Without positions,
    /// those of the default board. `None` if the engine does not play on the board.
    pub(super) fn board_of(&self, positions: &[CheckPosition]) -> Option<(Rules, Vec<SetOption>)> {
        let name = self.rules.as_ref().ok()?.entry().name;
        let options = positions.iter().take(1).flat_map(CheckPosition::options);
        let spec = GameSpec::new(name, options);
        let rules = self.subject.registry.rules(&spec);
        let rules = rules.expect("a law of every game")?;
        let options = self.options_for(Some(&rules)).ok()?;
        Some((rules, options))
    }

    /// The rules; skips the step if they are unknown.
    pub(super) fn rules(&self) -> Checked<&Rules> {
        self.rules.as_ref().map_err(|why| skip!("{why}"))
    }
}

/// Returns the position after a legal opening.
pub(super) fn board(rules: &Rules, opening: &Opening) -> Box<dyn DynHistory> {
    rules
        .open(opening)
        .expect("openings need the rules of a game")
}

/// Fails if a move is illegal by the rules.
pub(super) fn legal(rules: &Rules, opening: &Opening, code: &str) -> Checked<()> {
    let played = board(rules, opening).play(code);
    let illegal = |why| fail!("bestmove is illegal after position {opening}: {why}");
    played.map(drop).map_err(illegal)
}
