//! Match reports as HTML pages and SVG plots, from the referee's statistics.
//!
//! [`MatchReport`] has three forms: [`page`](MatchReport::page), a self-contained HTML file;
//! [`fragment`](MatchReport::fragment), the part that a browser shows of a running match; and
//! [`svg`](MatchReport::svg), all plots in one picture. None of them needs scripts or external files. Names and output
//! of engines are always escaped.
//!
//! `plots` selects the data of the plots, `plot` draws them, and `html` writes the page. [`words`]
//! also serves reports in plain text.

mod html;
mod match_report;
mod plot;
mod plots;
pub mod words;

pub use match_report::MatchReport;
use record::stats::Window;

/// The style sheet of the report and its plots, for light and dark mode according to the page's `color-scheme`. All
/// rules are scoped to `.report` and `.plot`.
pub const STYLE: &str = concat!(include_str!("report.css"), include_str!("plot.css"));

/// A player's score in each window of games as an SVG file; `None` for fewer than two windows.
pub fn score_svg(name: &str, windows: &[Window]) -> Option<String> {
    plots::windows(name, windows).map(|plot| plot.file())
}

/// `true` if a file with this beginning was written by [`MatchReport::page`].
pub fn is_page(start: &[u8]) -> bool {
    start.starts_with(html::START.as_bytes())
}

/// `true` if a file with this beginning was written by [`MatchReport::svg`] or [`score_svg`].
pub fn is_svg(start: &[u8]) -> bool {
    start.starts_with(plot::START.as_bytes())
}
