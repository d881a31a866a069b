//! The data of a report.

use protocol::text::one_line;
use record::plan::Plan;
use record::schedule::Schedule;
use record::stats::{Report, RoundTable, SprtStatus, Summary, Window};

/// The data of a report.
#[derive(Debug)]
pub struct MatchReport<'a> {
    /// The plan of each file; PGN files have none.
    pub(crate) plans: Vec<Option<&'a Plan>>,
    /// The games of all files.
    pub summary: &'a Summary,
    /// Their numbers.
    pub numbers: Report,
    /// The test, if there is one and two players alone have met.
    pub sprt: Option<SprtStatus>,
    /// The first player's score in each window of games.
    pub windows: &'a [Window],
}

impl<'a> MatchReport<'a> {
    /// Creates a report of the games counted by `summary`, with the plan of each file, if it has one.
    pub fn new(
        plans: impl IntoIterator<Item = Option<&'a Plan>>,
        summary: &'a Summary,
    ) -> MatchReport<'a> {
        MatchReport {
            plans: plans.into_iter().collect(),
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
            [first, second] => format!("{} vs {}", one_line(first), one_line(second)),
            names => format!("{} players", names.len()),
        };
        let plans = self.plans.iter().flatten();
        let mut games: Vec<String> = plans.map(|plan| plan.game.to_string()).collect();
        games.dedup();
        match games.is_empty() {
            true => players,
            false => format!("{}: {players}", one_line(&games.join(", "))),
        }
    }

    /// The planned number of games; `None` if a plan is missing.
    pub(crate) fn n_planned(&self) -> Option<usize> {
        let plans = self.plans.iter();
        plans
            .map(|plan| Some(Schedule::new((*plan)?).n_games()))
            .sum()
    }

    /// The rounds of each match in a format with rounds.
    pub fn rounds(&self) -> Vec<RoundTable> {
        let rounds = |(source, plan): (usize, &Option<&Plan>)| {
            RoundTable::of((*plan)?, self.summary.results(source))
        };
        self.plans.iter().enumerate().filter_map(rounds).collect()
    }
}
