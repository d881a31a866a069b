//! The report of a match as a page and as pictures: HTML and SVG from the referee's numbers.
//!
//! [`MatchReport`] has three forms: [`page`](MatchReport::page), one self-contained HTML file;
//! [`fragment`](MatchReport::fragment), the part of it that a browser page shows of a running match; and
//! [`svg`](MatchReport::svg), its plots as one picture. None of them needs a script or a file from elsewhere. Names and
//! lines of engines are escaped in all of them.
//!
//! `plots` chooses what is drawn, `plot` draws it, `html` writes the page. [`words`] and [`text`] are also for reports
//! in plain text, and so is [`sparkline`].

mod html;
mod plot;
mod plots;
mod spark;
mod style;
pub mod text;
pub mod words;

pub use spark::sparkline;
pub use style::STYLE;

use referee::plan::Plan;
use referee::schedule::{Finished, Schedule};
use referee::stats::{GameLine, Report, RoundTable, Sprt, SprtStatus, Summary, Window};

/// Whether a file that begins so was written by [`MatchReport::page`].
pub fn is_page(start: &[u8]) -> bool {
    start.starts_with(html::START.as_bytes())
}

/// Whether a file that begins so was written by [`MatchReport::svg`].
pub fn is_svg(start: &[u8]) -> bool {
    start.starts_with(plot::START.as_bytes())
}

/// Everything that is known of some games, to be shown.
#[derive(Debug)]
pub struct MatchReport<'a> {
    /// What was to be played, one a ledger; PGN files have none.
    plans: Vec<&'a Plan>,
    summary: &'a Summary,
    numbers: Report,
    sprt: Option<SprtStatus>,
    windows: &'a [Window],
}

impl<'a> MatchReport<'a> {
    /// A report of the games that `summary` has counted. A test is judged where two players met.
    pub fn new(plans: Vec<&'a Plan>, summary: &'a Summary, test: Option<Sprt>) -> MatchReport<'a> {
        let numbers = summary.report();
        let sprt = match numbers.duels.as_slice() {
            [duel] => test.map(|test| test.status(&duel.sample())),
            _ => None,
        };
        MatchReport {
            plans,
            summary,
            numbers,
            sprt,
            windows: &[],
        }
    }

    /// The same report with the score of the first player in each stretch of games.
    pub fn with_windows(self, windows: &'a [Window]) -> MatchReport<'a> {
        MatchReport { windows, ..self }
    }

    /// One HTML file.
    pub fn page(&self) -> String {
        html::page(self)
    }

    /// The report as an HTML element. It shows the last games alone, so that a page of a long match stays small.
    /// [`STYLE`] is its style sheet. Each game's row has its number as `data-game`.
    pub fn fragment(&self) -> String {
        html::fragment(self)
    }

    /// The plots as one SVG file.
    pub fn svg(&self) -> String {
        plot::sheet(&self.title(), &plots::all(self))
    }

    /// What was played by whom.
    fn title(&self) -> String {
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

    /// Games to be played in all; `None` where no plan tells.
    fn n_planned(&self) -> Option<usize> {
        let n_games = |(plan, games)| Schedule::replay(plan, games).map(|all| all.n_games());
        let all = self.matches().map(n_games).sum::<Result<usize, String>>();
        all.ok().filter(|all| *all > 0)
    }

    /// The rounds of each match that has rounds.
    fn rounds(&self) -> Vec<RoundTable> {
        let rounds = |(plan, games)| RoundTable::of(plan, games);
        self.matches().filter_map(rounds).collect()
    }

    /// The plan and the finished games of each file; nothing where some file has no plan.
    fn matches(&self) -> impl Iterator<Item = (&'a Plan, Vec<Finished<'a>>)> {
        let names: Vec<&'a str> = self.summary.names().collect();
        let summary: &'a Summary = self.summary;
        let has_all = self.plans.len() == summary.n_sources();
        let plans: &[&'a Plan] = if has_all { &self.plans } else { &[] };
        plans.iter().enumerate().map(move |(source, plan)| {
            let finished = |game: &GameLine| Finished {
                game: game.game,
                p1: names[game.p1],
                p2: names[game.p2],
                result: game.result,
            };
            let own = |game: &&GameLine| game.source == source;
            let games = summary.games.iter().filter(own).map(finished);
            (*plan, games.collect())
        })
    }
}
