//! The plan of a match: checked values with everything needed to play or resume it.
//!
//! The plan is the first line of a ledger. The command line builds it and the referee plays it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use kit::session::LEARN;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::clock::Limit;
use crate::engine_spec::EngineSpec;
use crate::ensure;
use crate::format::{CpuList, Format, MAX_ROUNDS, Shard};
use crate::game_spec::{GameSpec, RulesSpec};
use crate::opening::Opening;
use crate::opening::source::OpeningSource;
use crate::outputs::Outputs;
use crate::registry::Rules;
use crate::stats::sprt::Sprt;

/// The plan of a match.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Identifies the match: 16 random hex digits. Empty in ledgers of older versions.
    #[serde(default)]
    pub id: String,
    /// The version of the referee that made the plan.
    pub version: String,
    /// The day it was made, as `2026.11.21`.
    pub date: String,
    /// The game and its options.
    pub game: GameSpec,
    /// The program that knows the rules; `None` for a compiled game, and without rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesSpec>,
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// At a table: partners, who take turns as one side, by their indices, in the order of their turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<usize>>,
    /// The pairing system.
    pub format: Format,
    /// Total number of games of each pairing; in a format with rounds, of each meeting.
    pub games: usize,
    /// `true` if each opening is played twice, with sides swapped.
    pub swaps: bool,
    /// The part of the match that this run plays; `None` for the whole match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Number of games played at the same time.
    pub concurrency: usize,
    /// Seed of the random openings and of the order of openings.
    pub srand: u64,
    /// Source of the openings; `None` in ledgers of older versions and at tables.
    #[serde(default)]
    pub opening_source: Option<OpeningSource>,
    /// One opening for each pair of games of a pairing, in order, at most `MAX_LISTED`. Random openings past the end
    /// of the list are drawn on demand; openings of other sources repeat from the first. Empty only in a plan whose
    /// engines have not yet been queried for random moves.
    pub openings: Vec<Opening>,
    /// Rules by which the referee ends a game early.
    pub adjudication: Adjudication,
    /// A table, or a folder of tables, for adjudication by exact values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate_table: Option<PathBuf>,
    /// Sequential test that may stop the match early.
    pub sprt: Option<Sprt>,
    /// Timeout of the handshake.
    pub startup_ms: u64,
    /// Timeout of any other answer that the clock does not cover.
    pub ping_ms: u64,
    /// Timeout of a search without a time limit.
    #[serde(default = "default_search_timeout_ms")]
    pub search_timeout_ms: u64,
    /// Limit of the private memory of each engine, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u32>,
    /// Path of the ledger.
    pub ledger: PathBuf,
    /// Path of the PGN file. Like the log and the other outputs, it is that of this run: a ledger names no file to write.
    #[serde(skip)]
    pub pgn: Option<PathBuf>,
    /// Path of the log of all lines from and to the engines.
    #[serde(skip)]
    pub log: Option<PathBuf>,
    /// The CPUs that the engines are pinned to, divided between the concurrent games; `None` if they are not pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affinity: Option<CpuList>,
    /// Other output files and their contents.
    #[serde(default, skip_serializing_if = "Outputs::appends_nothing")]
    pub outputs: Outputs,
}

/// Default of [`Plan::search_timeout_ms`], ten minutes.
pub const DEFAULT_SEARCH_TIMEOUT_MS: u64 = 600_000;

/// For plans of older versions, which lack the field.
fn default_search_timeout_ms() -> u64 {
    DEFAULT_SEARCH_TIMEOUT_MS
}

impl Plan {
    /// A plan for one game at a table: from the start position, without adjudication. Several players of a side take
    /// turns.
    pub fn one_game(game: GameSpec, sides: [Vec<EngineSpec>; 2], ledger: PathBuf) -> Plan {
        let mut plan = Plan {
            game,
            games: 1,
            concurrency: 1,
            openings: vec![Opening::default()],
            startup_ms: 10_000,
            ping_ms: 5_000,
            search_timeout_ms: DEFAULT_SEARCH_TIMEOUT_MS,
            ledger,
            ..Plan::default()
        };
        plan.set_sides(sides);
        plan
    }

    /// Replaces the players of both sides. Several players of a side take turns.
    pub fn set_sides(&mut self, sides: [Vec<EngineSpec>; 2]) {
        let n_p1 = sides[0].len();
        let n_all = n_p1 + sides[1].len();
        let teams = [(0..n_p1), (n_p1..n_all)].map(Vec::from_iter);
        self.teams = teams.into_iter().filter(|team| team.len() > 1).collect();
        self.engines = sides.into_iter().flatten().collect();
    }

    /// The players of each side, in a plan for a table.
    pub fn sides(&self) -> [Vec<EngineSpec>; 2] {
        let mut entrants = self.entrants().into_iter();
        let specs =
            |members: Vec<usize>| members.iter().map(|at| self.engines[*at].clone()).collect();
        [(); 2].map(|()| entrants.next().map_or_else(Vec::new, specs))
    }

    /// The sides that meet: engines, or partners who take turns, as indices of engines, ordered by each side's first
    /// engine.
    pub(crate) fn entrants(&self) -> Vec<Vec<usize>> {
        let team_of = |engine: usize| self.teams.iter().find(|team| team.contains(&engine));
        let entrant = |engine: usize| match team_of(engine) {
            None => Some(vec![engine]),
            Some(team) => (team.iter().min() == Some(&engine)).then(|| team.clone()),
        };
        (0..self.engines.len()).filter_map(entrant).collect()
    }

    /// Number of games from one opening.
    pub(crate) fn pair_len(&self) -> usize {
        1 + usize::from(self.swaps)
    }

    /// The largest number of cores that one game keeps busy: one engine thinks, and a second one may ponder. Each
    /// counts with the value of its option `Threads`.
    pub fn cores_of_a_game(&self) -> usize {
        let threads = |spec: &EngineSpec| spec.number("Threads").unwrap_or(1_usize);
        let most = |pondering: bool| {
            let engines = self.engines.iter();
            let engines = engines.filter(|spec| spec.ponder || !pondering);
            engines.map(threads).max().unwrap_or(0)
        };
        most(false).saturating_add(most(true))
    }

    /// The name of an engine; empty until it has one.
    pub fn engine_name(&self, engine: usize) -> String {
        self.engines[engine].name.clone().unwrap_or_default()
    }

    /// The names of the sides of which all engines have names, in order: `A`, or `A+B` for partners.
    pub fn names(&self) -> Vec<String> {
        self.limits().into_iter().map(|(name, _)| name).collect()
    }

    /// As [`names`](Plan::names), each with its time control.
    pub fn limits(&self) -> Vec<(String, Limit)> {
        let named = |members: Vec<usize>| {
            let names = members.iter().map(|at| self.engines[*at].name.as_deref());
            let names: Option<Vec<&str>> = names.collect();
            Some((names?.join(PARTNERS), self.engines[members[0]].limit))
        };
        self.entrants().into_iter().filter_map(named).collect()
    }

    /// The opening of a pair of games. It depends only on the plan and the index. Openings that are not drawn repeat.
    pub fn opening_of(&self, index: usize, rules: Option<&Rules>) -> Cow<'_, Opening> {
        let source = self.opening_source.as_ref();
        let source = source.filter(|_| index >= self.openings.len());
        let drawn = source
            .zip(rules)
            .and_then(|(source, rules)| source.draw(rules, self.srand, index as u64)?.ok());
        drawn.map_or_else(
            || Cow::Borrowed(&self.openings[index % self.openings.len()]),
            Cow::Owned,
        )
    }

    /// Lengthens the match. The number of games never decreases.
    pub fn extend(&mut self, extension: Extension) {
        self.games = self.games.max(extension.games);
        self.openings = extension.openings;
    }

    /// Validates a plan read from a file. The error names the field and the expected value.
    pub fn check(&self) -> Result<(), String> {
        ensure!(!self.openings.is_empty(), "openings: name at least one");
        self.check_settings()
    }

    /// Validates a plan from any source; its openings may not be drawn yet. The error names the field and the expected
    /// value.
    pub fn check_settings(&self) -> Result<(), String> {
        let n_engines = self.engines.len();
        ensure!(
            (2..=MAX_ENGINES).contains(&n_engines),
            "engines: a match has 2 to {MAX_ENGINES}, not {n_engines}"
        );
        let members = self.teams.concat();
        let distinct: HashSet<&usize> = members.iter().collect();
        let is_sound = distinct.len() == members.len()
            && members.iter().all(|member| *member < n_engines)
            && self
                .teams
                .iter()
                .all(|team| (2..=MAX_PARTNERS).contains(&team.len()))
            && self.entrants().len() >= 2;
        ensure!(
            is_sound,
            "teams: name 2 to {MAX_PARTNERS} engines each, none twice, and two sides or more"
        );
        let mut counts = [self.games, self.concurrency].into_iter();
        let are_sound = counts.all(|n| (1..=MAX_COUNT).contains(&n));
        ensure!(are_sound, "games, concurrency: choose 1 to {MAX_COUNT}");
        if let Some(OpeningSource::Balanced(balance)) = &self.opening_source {
            balance.check()?;
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|why| format!("sprt: {why}"))?;
            let is_of_two = n_engines == 2;
            ensure!(
                is_of_two,
                "sprt: the test compares two engines, and {n_engines} play: leave it out"
            );
        }
        let learns = |engine: &EngineSpec| engine.learning_file().is_some();
        let n = self.concurrency;
        // Only one process can update the weights file, so the others would play with different weights.
        ensure!(
            n < 2 || !self.engines.iter().any(learns),
            "concurrency: {n} games at once with an engine that learns (option {LEARN}): play one at a time"
        );
        if let Some(rounds) = self.format.rounds() {
            ensure!(
                (1..=MAX_ROUNDS).contains(&rounds),
                "rounds: {rounds}: choose 1 to {MAX_ROUNDS}"
            );
            ensure!(
                self.swaps && self.games.is_multiple_of(2),
                "games: choose an even number and swapped sides, as each meeting of a swiss match is played with both"
            );
            ensure!(
                self.shard.is_none() && self.sprt.is_none(),
                "shard and sprt: choose round-robin or gauntlet, as later rounds of swiss depend on all results before"
            );
        }
        let own = self.engines.iter().flat_map(|engine| {
            let own = engine.process;
            let own = [own.startup_ms, own.ping_ms, own.search_timeout_ms];
            own.into_iter().flatten().chain([engine.margin_ms])
        });
        let all = [self.startup_ms, self.ping_ms, self.search_timeout_ms];
        ensure!(
            all.into_iter().chain(own).all(|ms| ms <= MAX_WAIT_MS),
            "startup_ms, ping_ms, search_timeout_ms, margin_ms: choose at most {MAX_WAIT_MS}"
        );
        Ok(())
    }
}

/// Index of the partner to move among `n_partners`, after `n_played` moves since the opening. Partners alternate by
/// move number.
pub fn partner_to_move(n_played: usize, n_partners: usize) -> usize {
    n_played / 2 % n_partners
}

/// An extension of a match by more games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extension {
    /// New total number of games of each pairing.
    pub games: usize,
    /// All openings, beginning with those of the plan.
    pub openings: Vec<Opening>,
}

/// Largest number of engines of a match.
pub const MAX_ENGINES: usize = 1000;

/// Largest number of games of a pairing, and of games played at the same time.
pub const MAX_COUNT: usize = 100_000_000;

/// Largest number of players on one side.
pub const MAX_PARTNERS: usize = 8;

/// Separator of partners' names.
pub const PARTNERS: &str = "+";

/// Largest timeout that a plan may set, in milliseconds: one day.
pub const MAX_WAIT_MS: u64 = 86_400_000;

/// Returns a random id for a new plan.
pub fn new_plan_id() -> String {
    format!("{:016x}", fastrand::u64(..))
}
