//! The engine under test, and the facts collected before the first step: its handshake, the queries that it answers, the
//! game.

use std::cell::RefCell;

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

use crate::output::OutputLine;
use crate::report::{Checked, fail, skip};
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
    /// Random games, and the generator of the next one.
    pub(super) games: RefCell<(Rng, Vec<Opening>)>,
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

/// Fails if a move is illegal by the rules.
pub(super) fn legal(rules: &Rules, opening: &Opening, code: &str) -> Checked<()> {
    let played = board(rules, opening).play(code);
    let illegal = |why| fail!("bestmove is illegal after position {opening}: {why}");
    played.map(drop).map_err(illegal)
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
        let table = CheckPosition::parse_table(rules.entry().check_positions);
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
