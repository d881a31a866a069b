//! The data of a report.

use protocol::text;
use record::game::PlayedGame;
use record::plan::Plan;
use record::schedule::Schedule;
use record::stats::{Report, RoundTable, SprtStatus, Summary, Window};

/// The data of a report.
#[derive(Debug)]
pub struct MatchReport<'a> {
    /// The plans, one for each ledger; PGN files have none.
    pub(crate) plans: Vec<&'a Plan>,
    pub(crate) summary: &'a Summary,
    pub(crate) numbers: Report,
    pub(crate) sprt: Option<SprtStatus>,
    /// The first player's score in each window of games.
    pub windows: &'a [Window],
}

impl<'a> MatchReport<'a> {
    /// Creates a report of the games counted by `summary`.
    pub fn new(plans: Vec<&'a Plan>, summary: &'a Summary) -> MatchReport<'a> {
        MatchReport {
            plans,
            summary,
            numbers: summary.report(),
            sprt: summary.sprt(),
            windows: &[],
        }
    }

    /// The title: games and players.
    pub(crate) fn title(&self) -> String {
        let names: Vec<&str> = self.summary.names().collect();
        let players = match names.as_slice() {
            [] => "no players".to_owned(),
            [first, second] => format!("{} vs {}", text::one_line(first), text::one_line(second)),
            names => format!("{} players", names.len()),
        };
        let mut games: Vec<String> = self
            .plans
            .iter()
            .map(|plan| plan.game.to_string())
            .collect();
        games.dedup();
        match games.as_slice() {
            [] => players,
            games => format!("{}: {players}", text::one_line(&games.join(", "))),
        }
    }

    /// The planned number of games; `None` if a plan is missing.
    pub(crate) fn n_planned(&self) -> Option<usize> {
        let all = self
            .matches()
            .map(|(plan, _)| Schedule::new(plan).n_games());
        Some(all.sum()).filter(|all| *all > 0)
    }

    /// The rounds of each match in a format with rounds.
    pub(crate) fn rounds(&self) -> Vec<RoundTable> {
        let rounds = |(plan, games)| RoundTable::of(plan, games);
        self.matches().filter_map(rounds).collect()
    }

    /// The plan and finished games of each file; empty if a plan is missing.
    fn matches(&self) -> impl Iterator<Item = (&'a Plan, Vec<PlayedGame<'a>>)> {
        let summary: &'a Summary = self.summary;
        let has_all = self.plans.len() == summary.n_sources;
        let plans: &[&'a Plan] = if has_all { &self.plans } else { &[] };
        let plans = plans.iter().enumerate();
        plans.map(|(source, plan)| (*plan, summary.results(source).collect()))
    }
}
