//! Style sheets.

/// The style sheet of the report and of its plots, for light and dark, as the `color-scheme` of the page around it says.
/// Its rules hold inside `.report` and `.plot` alone.
///
/// Plots bear the colours of the light design as attributes, so that they need no style sheet; this one changes them in
/// the dark, and dashes lines so that colour is not all that tells them apart.
pub const STYLE: &str = concat!(include_str!("report.css"), include_str!("plot.css"));

/// The rules for plots alone.
pub(crate) const PLOT: &str = include_str!("plot.css");

/// What a page of its own adds.
pub(crate) const PAGE: &str = include_str!("page.css");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::colours;

    #[test]
    fn every_colour_of_a_plot_has_one_for_the_dark() {
        for colour in colours() {
            for attribute in ["fill", "stroke"] {
                let selector = format!("[{attribute}=\"{colour}\"]");
                let is_used = PLOT.contains(&selector);
                let is_only_the_other = match attribute {
                    "fill" => "stroke",
                    _ => "fill",
                };
                let other = format!("[{is_only_the_other}=\"{colour}\"]");
                assert!(is_used || PLOT.contains(&other), "{colour}");
            }
        }
    }

    #[test]
    fn nothing_is_fetched() {
        for style in [STYLE, PAGE] {
            assert!(!style.contains("url(") && !style.contains("@import"));
        }
    }
}
