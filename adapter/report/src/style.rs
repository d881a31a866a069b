//! Style sheets.

/// The style sheet of the report and its plots, for light and dark mode according to the page's `color-scheme`. All
/// rules are scoped to `.report` and `.plot`.
///
/// Plots have the colours of light mode as attributes, so they work without a style sheet. The style sheet overrides
/// them in dark mode, and uses dashed lines so that curves are not distinguished by colour only.
pub const STYLE: &str = concat!(include_str!("report.css"), include_str!("plot.css"));

/// The rules for plots only.
pub(crate) const PLOT: &str = include_str!("plot.css");

/// Additional rules for a stand-alone page.
pub(crate) const PAGE: &str = include_str!("page.css");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::colours;

    #[test]
    fn every_colour_of_a_plot_has_one_for_the_dark() {
        for colour in colours() {
            let selectors = ["fill", "stroke"].map(|name| format!("[{name}=\"{colour}\"]"));
            let is_there = selectors.iter().any(|selector| PLOT.contains(selector));
            assert!(is_there, "{colour}");
        }
    }

    #[test]
    fn nothing_is_fetched() {
        for style in [STYLE, PAGE] {
            assert!(!style.contains("url(") && !style.contains("@import"));
        }
    }
}
