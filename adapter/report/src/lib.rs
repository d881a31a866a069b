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
use referee::schedule::n_games;
use referee::stats::{Report, Sprt, SprtStatus, Summary};

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
        }
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
        let all = self.plans.iter().map(|plan| n_games(plan)).sum();
        (self.plans.len() == self.summary.n_sources() && all > 0).then_some(all)
    }
}
