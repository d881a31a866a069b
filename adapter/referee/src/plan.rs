//! A match before it is played: every value checked, and all that is needed to play or to resume it.
//!
//! The plan is the first line of a ledger. The command line builds it, [`tournament`](crate::tournament) plays it.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use kit::session::LEARN;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::affinity::CpuList;
use crate::clock::Limit;
pub use crate::opening::OpeningSource;

use crate::opening::Opening;
use crate::outputs::Outputs;
use crate::registry::Rules;
use crate::stats::Sprt;
use crate::text_serde::serde_as_text;

/// A whole match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Identifies the match: 16 random hex digits. Empty in ledgers of older versions.
    #[serde(default)]
    pub id: String,
    /// The version of the referee that made the plan.
    pub version: String,
    /// The day it was made, as `2026.11.21`.
    pub date: String,
    /// What is played.
    pub game: GameSpec,
    /// Who plays, at least two.
    pub engines: Vec<EngineSpec>,
    /// Engines that take turns as one side, by their indices, in the order of their turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<usize>>,
    /// Who meets whom.
    pub format: Format,
    /// How many of the first entrants are seeds; `None` for the usual number of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
    /// Games of each pairing in all; in a format with rounds, of each meeting.
    pub games: usize,
    /// Whether each opening is played twice, with sides swapped.
    pub swaps: bool,
    /// The part of the match that is played here; `None` for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Games at once.
    pub concurrency: usize,
    /// Seed of the openings and of their order.
    pub srand: u64,
    /// Where the openings come from; `None` in ledgers of older versions and at tables.
    #[serde(default)]
    pub opening_source: Option<OpeningSource>,
    /// Shape: one a pair of games of each pairing, in turn, the first [`MAX_LISTED`] at most. Random openings beyond
    /// the last are drawn when they are needed; others are used again from the first. Empty only in a plan whose engines
    /// are to be asked for random moves.
    pub openings: Vec<Opening>,
    /// When the referee ends a game by itself.
    pub adjudication: Adjudication,
    /// The table, or the folder of tables, whose values end a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate_table: Option<PathBuf>,
    /// When to stop before all games are played.
    pub sprt: Option<Sprt>,
    /// For a game without rules: who decides where the two engines differ.
    pub arbiter: Option<EngineSpec>,
    /// Whether engines' answers to `query` are held against the rules.
    pub cross_check: bool,
    /// How long an engine may take to shake hands.
    pub startup_ms: u64,
    /// How long an engine may take for any other answer that the clock does not cover.
    pub ping_ms: u64,
    /// How long a search may take that no clock bounds.
    #[serde(default = "default_search_timeout_ms")]
    pub search_timeout_ms: u64,
    /// Where the ledger is.
    pub ledger: PathBuf,
    /// Where the games go as PGN.
    pub pgn: Option<PathBuf>,
    /// Where each line of each engine is logged.
    pub log: Option<PathBuf>,
    /// The CPUs that the engines of each game are pinned to, of which each game gets its own; `None` if they run anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affinity: Option<CpuList>,
    /// What is written beside the ledger, and how.
    #[serde(default, skip_serializing_if = "Outputs::is_default")]
    pub outputs: Outputs,
}

/// How long a search may take that no clock bounds, where nothing else is said, in milliseconds.
pub const DEFAULT_SEARCH_TIMEOUT_MS: u64 = 600_000;

/// Plans from before there was a choice do not have it.
fn default_search_timeout_ms() -> u64 {
    DEFAULT_SEARCH_TIMEOUT_MS
}

impl Plan {
    /// One game at a table, from the start position, that nothing but its rules ends. Several players of a side take
    /// turns.
    pub fn one_game(game: GameSpec, sides: [Vec<EngineSpec>; 2], ledger: PathBuf) -> Plan {
        let mut plan = Plan {
            id: String::new(),
            version: String::new(),
            date: String::new(),
            game,
            engines: Vec::new(),
            teams: Vec::new(),
            format: Format::RoundRobin,
            seeds: None,
            games: 1,
            swaps: false,
            shard: None,
            concurrency: 1,
            srand: 0,
            opening_source: None,
            openings: vec![Opening::default()],
            adjudication: Adjudication {
                max_plies: usize::MAX,
                draw: None,
                resign: None,
            },
            adjudicate_table: None,
            sprt: None,
            arbiter: None,
            cross_check: false,
            startup_ms: 10_000,
            ping_ms: 5_000,
            search_timeout_ms: DEFAULT_SEARCH_TIMEOUT_MS,
            ledger,
            pgn: None,
            log: None,
            affinity: None,
            outputs: Outputs::default(),
        };
        plan.set_sides(sides);
        plan
    }

    /// Gives the two sides other players. Several players of a side take turns.
    pub fn set_sides(&mut self, sides: [Vec<EngineSpec>; 2]) {
        let n_p1 = sides[0].len();
        let n_all = n_p1 + sides[1].len();
        let teams = [(0..n_p1), (n_p1..n_all)].map(Vec::from_iter);
        self.teams = teams.into_iter().filter(|team| team.len() > 1).collect();
        self.engines = sides.into_iter().flatten().collect();
    }

    /// The players of the two sides of a plan for a table.
    pub fn sides(&self) -> [Vec<EngineSpec>; 2] {
        let mut entrants = self.entrants().into_iter();
        let specs =
            |members: Vec<usize>| members.iter().map(|at| self.engines[*at].clone()).collect();
        [(); 2].map(|()| entrants.next().map_or_else(Vec::new, specs))
    }

    /// Who meets whom: each engine by itself, or the engines of a team, by their indices. In the order of their first
    /// engines.
    pub fn entrants(&self) -> Vec<Vec<usize>> {
        let team_of = |engine: usize| self.teams.iter().find(|team| team.contains(&engine));
        let entrant = |engine: usize| match team_of(engine) {
            None => Some(vec![engine]),
            Some(team) => (team.iter().min() == Some(&engine)).then(|| team.clone()),
        };
        (0..self.engines.len()).filter_map(entrant).collect()
    }

    /// How many engines play in one game at most.
    pub fn n_in_a_game(&self) -> usize {
        let mut sizes: Vec<usize> = self.entrants().iter().map(Vec::len).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.iter().take(2).sum()
    }

    /// How many cores the engines of all games keep busy at once; 0 where none plays against time.
    pub fn busy_cores(&self) -> usize {
        match self.engines.iter().any(|spec| spec.limit.is_time()) {
            true => self.concurrency.saturating_mul(self.cores_of_a_game()),
            false => 0,
        }
    }

    /// How many cores the engines of one game keep busy at most. One engine thinks, and if there are engines that ponder,
    /// another one does too. The option `Threads` is counted.
    pub fn cores_of_a_game(&self) -> usize {
        let threads = |spec: &EngineSpec| {
            let mut options = spec.options.iter();
            let set = options.find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
            let number = set.and_then(|(_, value)| value.as_ref()?.parse().ok());
            number.unwrap_or(1_usize)
        };
        let most = |pondering: bool| {
            let engines = self.engines.iter();
            let engines = engines.filter(|spec| spec.ponder || !pondering);
            engines.map(threads).max().unwrap_or(0)
        };
        most(false).saturating_add(most(true))
    }

    /// The name of an entrant, once its engines have theirs: `A`, or `A+B` for a team.
    pub fn entrant_name(&self, members: &[usize]) -> Option<String> {
        let names = members.iter().map(|at| self.engines[*at].name.as_deref());
        Some(names.collect::<Option<Vec<_>>>()?.join(PARTNERS))
    }

    /// The names of the entrants that have one, in their order.
    pub fn names(&self) -> Vec<String> {
        self.limits().into_iter().map(|(name, _)| name).collect()
    }

    /// The entrants that have a name, in their order, each with its limit.
    pub fn limits(&self) -> Vec<(String, Limit)> {
        let entrants = self.entrants().into_iter();
        let named = |members: Vec<usize>| {
            let limit = self.engines[*members.first()?].limit;
            Some((self.entrant_name(&members)?, limit))
        };
        entrants.filter_map(named).collect()
    }

    /// The listed opening of this index, from the first again past the last.
    pub fn opening(&self, index: usize) -> &Opening {
        &self.openings[index % self.openings.len()]
    }

    /// The opening of a pair. It depends on the plan and the index alone.
    pub fn opening_of(&self, index: usize, rules: Option<&Rules>) -> Cow<'_, Opening> {
        let source = self.opening_source.as_ref();
        let source = source.filter(|_| index >= self.openings.len());
        let drawn = source
            .zip(rules)
            .and_then(|(source, rules)| source.draw(rules, self.srand, index as u64)?.ok());
        drawn.map_or_else(|| Cow::Borrowed(self.opening(index)), Cow::Owned)
    }

    /// Makes the match as long as an extension says; a match never gets shorter.
    pub fn extend(&mut self, extension: Extension) {
        self.games = self.games.max(extension.games);
        self.openings = extension.openings;
    }

    /// Whether a plan from a file can be played at all. An error names the field and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let longest = [self.startup_ms, self.ping_ms, self.search_timeout_ms]
            .into_iter()
            .chain(self.engines.iter().map(|engine| engine.margin_ms))
            .max();
        if self.engines.len() < 2 {
            return Err(format!(
                "engines: {}: expected two or more",
                self.engines.len()
            ));
        }
        self.check_teams()?;
        if self.openings.is_empty() {
            return Err("openings: none: expected one or more".to_owned());
        }
        if self.concurrency == 0 || self.games == 0 {
            return Err("games and concurrency: expected 1 or more".to_owned());
        }
        self.check_learning()?;
        self.check_format()?;
        if longest.is_some_and(|longest| longest > MAX_WAIT_MS) {
            return Err(format!(
                "startup_ms, ping_ms, search_timeout_ms, margin_ms: expected at most {MAX_WAIT_MS}"
            ));
        }
        Ok(())
    }

    /// One engine at a time learns in a file, so games at the same time would be played with different weights.
    pub fn check_learning(&self) -> Result<(), String> {
        let learns = |(name, value): &(String, Option<String>)| {
            name.eq_ignore_ascii_case(LEARN) && value.as_ref().is_some_and(|file| !file.is_empty())
        };
        let learner = |engine: &&EngineSpec| engine.options.iter().any(learns);
        match self.engines.iter().find(learner) {
            Some(_) if self.concurrency > 1 => Err(format!(
                "{} games at once with an engine that learns (option {LEARN}): expected 1",
                self.concurrency
            )),
            _ => Ok(()),
        }
    }

    /// Whether the pairings can be made from these entrants.
    pub fn check_format(&self) -> Result<(), String> {
        let n_entrants = self.entrants().len();
        if let Some(seeds) = self.seeds {
            let most = match self.format {
                Format::RoundRobin => {
                    return Err("seeds: expected the format gauntlet, swiss or knockout".to_owned());
                }
                Format::Gauntlet => n_entrants - 1,
                Format::Swiss { .. } | Format::Knockout => n_entrants,
            };
            if !(1..=most).contains(&seeds) {
                return Err(format!(
                    "seeds: {seeds} of {n_entrants}: expected 1 to {most}"
                ));
            }
        }
        if !self.format.has_rounds() {
            return Ok(());
        }
        if !self.swaps || self.games % 2 == 1 {
            return Err("games: expected an even number and swapped sides, as each meeting of a swiss or knockout \
                        match is played with both"
                .to_owned());
        }
        if self.shard.is_some() || self.sprt.is_some() {
            return Err("shard and sprt: expected round-robin or gauntlet, as later rounds of swiss and knockout \
                        depend on all results before"
                .to_owned());
        }
        match self.format {
            Format::Swiss { rounds } if !(1..=MAX_ROUNDS).contains(&rounds) => {
                Err(format!("rounds: {rounds}: expected 1 to {MAX_ROUNDS}"))
            }
            _ => Ok(()),
        }
    }

    fn check_teams(&self) -> Result<(), String> {
        let mut members: Vec<usize> = self.teams.concat();
        members.sort_unstable();
        let n_members = members.len();
        members.dedup();
        let is_sound = members.len() == n_members
            && members.last().is_none_or(|last| *last < self.engines.len())
            && self
                .teams
                .iter()
                .all(|team| (2..=MAX_PARTNERS).contains(&team.len()))
            && self.entrants().len() >= 2;
        is_sound.then_some(()).ok_or_else(|| {
            format!("teams: expected 2 to {MAX_PARTNERS} engines each, no engine twice, and two sides or more")
        })
    }
}

/// Whose turn it is among `n_partners`, from 0, where `n_played` moves were made after the opening: partners take turns by
/// the number of the move alone.
pub fn partner_to_move(n_played: usize, n_partners: usize) -> usize {
    n_played / 2 % n_partners
}

/// A part of a match, `k/n`: every `n`th pair of games from the `k`th on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Shard {
    /// Whether a pair of games, by its number from 1, belongs to this part.
    pub fn has_pair(&self, pair: usize) -> bool {
        (pair - 1) % self.of == self.number - 1
    }

    /// How many of the first pairs belong to this part.
    pub fn n_pairs(&self, pairs: usize) -> usize {
        (pairs + self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let shard = parts.map(|(number, of)| Shard { number, of });
        shard
            .filter(|shard| (1..=shard.of).contains(&shard.number) && shard.of <= MAX_SHARDS)
            .ok_or_else(|| {
                format!("expected K/N, as in 1/4, with K from 1 to N and N up to {MAX_SHARDS}")
            })
    }
}

serde_as_text!(Shard);

/// The most parts of a match.
const MAX_SHARDS: usize = 1_000_000;

/// The most rounds of a Swiss match.
pub const MAX_ROUNDS: usize = 1000;

/// More games for a match that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extension {
    /// Games of each pairing in all.
    pub games: usize,
    /// All openings, those of the plan first.
    pub openings: Vec<Opening>,
}

/// The most players that share a side.
pub const MAX_PARTNERS: usize = 8;

/// What stands between the names of partners.
pub const PARTNERS: &str = "+";

/// How many openings a plan lists at most.
pub const MAX_LISTED: usize = 10_000;

/// The longest time that a plan may set, in milliseconds: a day.
pub const MAX_WAIT_MS: u64 = 86_400_000;

/// An id for a new plan.
pub fn new_plan_id() -> String {
    format!("{:016x}", fastrand::u64(..))
}

/// The name of a game that the referee has no rules for.
pub const ANY: &str = "any";

/// A game and its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSpec {
    /// A name in the catalogue, or [`ANY`].
    pub name: String,
    /// Names and values of the options that were given.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (name, value)) in self.options.iter().enumerate() {
            let split = if index == 0 { ':' } else { ',' };
            write!(f, "{split}{name}={value}")?;
        }
        Ok(())
    }
}

impl GameSpec {
    /// Reads `NAME[:OPTION=VALUE,...]`; whether there is such a game with such options is not looked at. The error
    /// names the word.
    pub fn parse(text: &str) -> Result<GameSpec, String> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let words = options.split(',').filter(|word| !word.is_empty());
        let options = words.map(parse_option).collect::<Result<_, _>>()?;
        Ok(GameSpec {
            name: name.to_owned(),
            options,
        })
    }
}

fn parse_option(word: &str) -> Result<(String, String), String> {
    let pair = word.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = pair.ok_or_else(|| format!("option {word:?}: expected NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first engine, or each of the seeds, meets all others.
    Gauntlet,
    /// In each round everyone meets someone with about as many points.
    Swiss {
        /// How many rounds.
        rounds: usize,
    },
    /// Who loses a meeting is out.
    Knockout,
}

impl Format {
    /// Whether who meets whom depends on the results of earlier rounds.
    pub fn has_rounds(self) -> bool {
        matches!(self, Format::Swiss { .. } | Format::Knockout)
    }
}

/// One engine of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The name to show; the engine's own where absent.
    pub name: Option<String>,
    /// What to start.
    pub program: Program,
    /// Which dialect it speaks.
    pub proto: Proto,
    /// How long it thinks.
    pub limit: Limit,
    /// What is forgiven over the clock.
    pub margin_ms: u64,
    /// Whether it thinks on the other's time.
    pub ponder: bool,
    /// Options to set, names and values; a button has none.
    pub options: Vec<(String, Option<String>)>,
    /// When it gets a fresh process.
    pub restart: Restart,
    /// Where its standard error goes; its end is kept in memory where absent.
    pub stderr: Option<PathBuf>,
}

impl EngineSpec {
    /// What is forgiven over the clock.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms)
    }
}

/// What to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The engine of the catalogue, from this same executable.
    Builtin,
    /// A person at a console; an engine that takes over for a while is the catalogue's.
    Person,
    /// Some executable.
    Command {
        /// An absolute path, or a bare name to be found by the system.
        path: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// Its working folder.
        dir: Option<PathBuf>,
    },
}

/// The protocol that an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// Chess's interface.
    Uci,
    /// XBoard's protocol, by the conventions of `linesman bridge cecp`. The engine runs behind `linesman bridge ugi`.
    Cecp,
    /// GoGui's protocol, by the conventions of `linesman bridge gtp`. The engine runs behind `linesman bridge ugi`.
    Gtp,
}

impl Proto {
    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Proto::Ugi => "ugi",
            Proto::Uci => "uci",
            Proto::Cecp => "cecp",
            Proto::Gtp => "gtp",
        }
    }

    /// Whether a bridge stands between the referee and the engine.
    pub fn is_bridged(self) -> bool {
        matches!(self, Proto::Cecp | Proto::Gtp)
    }
}

impl From<Proto> for protocol::Dialect {
    fn from(proto: Proto) -> protocol::Dialect {
        match proto {
            // A bridge speaks UGI.
            Proto::Ugi | Proto::Cecp | Proto::Gtp => protocol::Dialect::Ugi,
            Proto::Uci => protocol::Dialect::Uci,
        }
    }
}

/// When an engine gets a fresh process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// After a fault.
    #[default]
    Auto,
    /// For each game.
    On,
    /// Only when it has died.
    Off,
}
