//! Drawing of plots as SVG. `plots` selects their data.
//!
//! Plots have the colours of light mode as attributes, so they work without a style sheet. The style sheet overrides them
//! in dark mode, and uses dashed lines so that curves are not distinguished by colour only.

use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use record::stats::{Interval, LengthBin};

/// The style sheet of plots.
const STYLE: &str = include_str!("plot.css");

/// Width and height of a plot in pixels, and the sides of the area between its axes; the legend is above it.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 542.0;
const BOTTOM: f64 = 256.0;

const BACKGROUND: &str = "#FFFFFF";
const TEXT: &str = "#1C2430";
const MUTED: &str = "#5B6675";
const GRID: &str = "#E3E7EC";

/// The parts of a bar, from the bottom up, with their colours.
const PARTS: [(&str, &str); 4] = [
    ("first player won", "#2F7CBD"),
    ("drawn", "#B4BDC8"),
    ("second player won", "#D06A2E"),
    ("no result", "#8A8A55"),
];

/// The colours of curves, which repeat.
const SERIES: [&str; 8] = [
    "#1F6FB4", "#C2571A", "#2E8540", "#7A4FA3", "#A8336A", "#6B6B00", "#007C89", "#55555F",
];

/// Start of every SVG file, by which [`is_svg`](crate::is_svg) recognizes it.
pub(crate) const START: &str = "<!-- Plots of a match, by Linesman -->\n";

/// A plot of curves or bars. Without both, it shows `spoken`, the reason for it.
#[derive(Debug, Default)]
pub(crate) struct Plot {
    pub(crate) title: String,
    /// A text alternative for screen readers, in one sentence.
    pub(crate) spoken: String,
    /// Name of the horizontal axis.
    pub(crate) x_name: &'static str,
    pub(crate) x_range: Range<usize>,
    /// Range of the vertical axis; values outside are clamped to it.
    pub(crate) y_range: Range<f64>,
    /// Horizontal reference lines, each with a label above its right end; it may be empty.
    pub(crate) rules: Vec<(f64, &'static str)>,
    pub(crate) curves: Vec<Curve>,
    pub(crate) bars: Vec<LengthBin>,
}

/// A curve with an optional uncertainty band.
#[derive(Debug)]
pub(crate) struct Curve {
    /// Name for the legend; empty for none.
    pub(crate) name: String,
    /// The points, each with the half width of the band.
    pub(crate) points: Vec<(usize, Interval)>,
}

impl Curve {
    /// A curve without an uncertainty band.
    pub(crate) fn plain(name: String, points: impl Iterator<Item = (usize, f64)>) -> Curve {
        let exact = |value| Interval { value, error: 0.0 };
        let points = points.map(|(at, value)| (at, exact(value))).collect();
        Curve { name, points }
    }
}

impl Plot {
    /// The text alternative with the title.
    fn name(&self) -> String {
        format!("{}. {}", self.title, self.spoken)
    }

    /// The plot as an element of an HTML page.
    pub(crate) fn svg(&self) -> Markup {
        picture([WIDTH, HEIGHT], &self.name(), html! {}, self.draw())
    }

    /// The plot as an SVG file.
    pub(crate) fn file(&self) -> String {
        file([WIDTH, HEIGHT], &self.name(), self.draw())
    }

    fn draw(&self) -> Markup {
        let title = text([12.0, 20.0], 13, TEXT, "start", &self.title);
        if self.curves.is_empty() && self.bars.is_empty() {
            let middle = [WIDTH / 2.0, HEIGHT / 2.0];
            return html! { (title) (text(middle, 12, MUTED, "middle", &self.spoken)) };
        }
        let (legend, top) = self.legend();
        let (x_range, y_range) = (&self.x_range, &self.y_range);
        let x_range = x_range.start as f64..x_range.end as f64;
        let scaled =
            |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
        let x = |at: f64| LEFT + (RIGHT - LEFT) * scaled(at, &x_range);
        let y = |value: f64| {
            let inside = value.clamp(y_range.start, y_range.end);
            BOTTOM - (BOTTOM - top) * scaled(inside, y_range)
        };
        // Bars count games.
        let least_step = if self.bars.is_empty() { 0.0 } else { 1.0 };
        let curves = || self.curves.iter().zip(SERIES.into_iter().cycle());
        let edge = |curve: &Curve, sign: f64| -> Vec<[f64; 2]> {
            let points = curve.points.iter();
            points
                .map(|(at, value)| [x(*at as f64), y(value.value + sign * value.error)])
                .collect()
        };
        html! {
            (title) (legend)
            @for tick in ticks(y_range, 7.0, least_step) {
                (line(&[[LEFT, y(tick)], [RIGHT, y(tick)]], GRID, 1))
                (line(&[[LEFT - 5.0, y(tick)], [LEFT, y(tick)]], MUTED, 1))
                (text([LEFT - 9.0, y(tick) + 4.0], 11, MUTED, "end", &plain(tick)))
            }
            @for tick in ticks(&x_range, 9.0, 1.0) {
                (line(&[[x(tick), BOTTOM], [x(tick), BOTTOM + 5.0]], MUTED, 1))
                (text([x(tick), BOTTOM + 18.0], 11, MUTED, "middle", &plain(tick)))
            }
            (line(&[[LEFT, top], [LEFT, BOTTOM], [RIGHT, BOTTOM]], MUTED, 1))
            (text([(LEFT + RIGHT) / 2.0, BOTTOM + 37.0], 11, MUTED, "middle", self.x_name))
            @for (at, label) in &self.rules {
                (line(&[[LEFT, y(*at)], [RIGHT, y(*at)]], MUTED, 1))
                (text([RIGHT, y(*at) - 3.0], 10, MUTED, "end", label))
            }
            @for (curve, colour) in curves().filter(|(curve, _)| curve.points.iter().any(|(_, y)| y.error > 0.0)) {
                @let outline = [edge(curve, -1.0), edge(curve, 1.0).into_iter().rev().collect()].concat();
                polygon points=(joined(&outline)) fill=(colour) fill-opacity="0.16" {}
            }
            @for (curve, colour) in curves() {
                @let points = edge(curve, 0.0);
                (line(&points, colour, 2))
                @if let Some([x, y]) = points.last() { circle cx=(rounded(*x)) cy=(rounded(*y)) r="3" fill=(colour) {} }
            }
            @for bin in &self.bars {
                @let (left, right) = (x(bin.first as f64) + 1.0, x((bin.first + bin.width) as f64) - 1.0);
                @for (part, (_, colour)) in PARTS.iter().enumerate().filter(|(part, _)| bin.games[*part] > 0) {
                    @let height = |n_parts: usize| y(bin.games[..n_parts].iter().sum::<u64>() as f64);
                    rect x=(rounded(left)) y=(rounded(height(part + 1))) width=(rounded(right - left))
                        height=(rounded(height(part) - height(part + 1))) fill=(colour) {}
                }
            }
        }
    }

    /// The names of the curves, or of the parts of the bars, in one or more rows; and where the area below begins.
    fn legend(&self) -> (Markup, f64) {
        const FIRST: [f64; 2] = [12.0, 34.0];
        /// Estimated width of a character. The browser chooses the actual font.
        const CHAR: f64 = 7.0;
        let has = |part: usize| self.bars.iter().any(|bin| bin.games[part] > 0);
        let parts = PARTS.into_iter().enumerate().filter(|(part, _)| has(*part));
        let names = self.curves.iter().map(|curve| curve.name.as_str());
        let entries = names.zip(SERIES.into_iter().cycle());
        let entries = entries.chain(parts.map(|(_, entry)| entry));
        let [mut x, mut y] = FIRST;
        let mut row = Vec::new();
        for (name, colour) in entries.filter(|(name, _)| !name.is_empty()) {
            let width = 40.0 + CHAR * name.chars().count() as f64;
            if x > FIRST[0] && x + width > WIDTH {
                [x, y] = [FIRST[0], y + 20.0];
            }
            row.push(html! {
                (line(&[[x, y + 7.0], [x + 22.0, y + 7.0]], colour, 3))
                (text([x + 28.0, y + 11.0], 11, TEXT, "start", name))
            });
            x += width;
        }
        let height = if row.is_empty() { 6.0 } else { 26.0 };
        (html! { @for entry in row { (entry) } }, y + height)
    }
}

/// Arranges plots in two columns in one SVG file.
pub(crate) fn sheet(title: &str, plots: &[Plot]) -> String {
    const HEADING: f64 = 44.0;
    let n_rows = plots.len().div_ceil(2) as f64;
    let names: Vec<String> = plots.iter().map(Plot::name).collect();
    let content = html! {
        (text([12.0, 26.0], 16, TEXT, "start", title))
        @for (at, plot) in plots.iter().enumerate() {
            @let (x, y) = ((at % 2) as f64 * WIDTH, HEADING + (at / 2) as f64 * HEIGHT);
            g transform={ "translate(" (x) "," (y) ")" } { (plot.draw()) }
        }
    };
    let name = format!("{title}. {}", names.join(" "));
    file([2.0 * WIDTH, HEADING + n_rows * HEIGHT], &name, content)
}

/// The text of a file with a picture.
fn file(size: [f64; 2], name: &str, content: Markup) -> String {
    let own = html! {
        style { (PreEscaped(STYLE)) }
        rect width="100%" height="100%" fill=(BACKGROUND) {}
    };
    START.to_owned() + &picture(size, name, own, content).into_string()
}

/// A picture with its label, for screen readers and as a tooltip. `aria-label` and `role="img"` keep screen readers from
/// reading the inner texts separately.
fn picture([width, height]: [f64; 2], name: &str, own: Markup, content: Markup) -> Markup {
    html! {
        svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } xmlns="http://www.w3.org/2000/svg"
            font-family="sans-serif" class="plot" role="img" aria-label=(name) {
            title { (name) }
            (own) (content)
        }
    }
}

/// A text that starts, is centred or ends at a point of its base line: `start`, `middle` or `end`.
fn text([x, y]: [f64; 2], size: u32, colour: &str, anchor: &str, text: &str) -> Markup {
    html! { text x=(rounded(x)) y=(rounded(y)) font-size=(size) fill=(colour) text-anchor=(anchor) { (text) } }
}

fn line(points: &[[f64; 2]], colour: &str, width: u32) -> Markup {
    html! { polyline fill="none" stroke=(colour) stroke-width=(width) points=(joined(points)) {} }
}

fn joined(points: &[[f64; 2]]) -> String {
    let points = points
        .iter()
        .map(|[x, y]| format!("{},{} ", rounded(*x), rounded(*y)));
    points.collect()
}

/// A coordinate in tenths of a pixel, so that pictures stay small.
fn rounded(at: f64) -> f64 {
    (at * 10.0).round() / 10.0
}

/// Round numbers within a range, at most about `n` of them.
fn ticks(range: &Range<f64>, n: f64, least_step: f64) -> impl Iterator<Item = f64> {
    let rough = ((range.end - range.start) / n).max(least_step);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= rough);
    let step = factor.unwrap_or(10.0) * power;
    let (first, last) = (
        (range.start / step).ceil() as i64,
        (range.end / step).floor() as i64,
    );
    (first..=last).map(move |at| at as f64 * step)
}

/// Formats a number without trailing zeros.
fn plain(value: f64) -> String {
    // The sum is never -0.
    format!("{}", (value * 1e3).round() / 1e3 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain() {
        assert_eq!(
            [0.0, -0.0, 1.5, -200.0, 0.1 + 0.2].map(plain),
            ["0", "0", "1.5", "-200", "0.3"]
        );
    }

    #[test]
    fn ticks_are_round_and_within_the_range() {
        for (range, n, least_step, wanted) in [
            (-1300.0..760.0, 7.0, 0.0, &[-1000.0, -500.0, 0.0, 500.0][..]),
            (0.0..3.0, 7.0, 1.0, &[0.0, 1.0, 2.0, 3.0]),
            (1.0..2.0, 9.0, 1.0, &[1.0, 2.0]),
            (0.0..9.0, 1.0, 0.0, &[0.0]),
        ] {
            let found: Vec<f64> = ticks(&range, n, least_step).collect();
            assert_eq!(found, wanted, "{range:?}");
        }
    }

    #[test]
    fn every_colour_of_a_plot_has_one_for_the_dark() {
        let parts = PARTS.into_iter().map(|(_, colour)| colour);
        let all = [BACKGROUND, TEXT, MUTED, GRID].into_iter().chain(SERIES);
        for colour in all.chain(parts) {
            let selectors = ["fill", "stroke"].map(|name| format!("[{name}=\"{colour}\"]"));
            let is_there = selectors.iter().any(|selector| STYLE.contains(selector));
            assert!(is_there, "{colour}");
        }
    }

    #[test]
    fn a_title_cannot_end_a_picture() {
        let plot = Plot {
            title: "</svg><script>alert(1)</script>\" onload=\"x".to_owned(),
            spoken: "a & <b>".to_owned(),
            ..Plot::default()
        };
        let svg = plot.svg().into_string();
        assert!(!svg.contains("<script") && !svg.contains("<b>"), "{svg}");
        assert!(!svg.contains("\" onload"), "{svg}");
        assert!(
            svg.contains("role=\"img\" aria-label=\"&lt;/svg&gt;"),
            "{svg}"
        );
        assert_eq!(svg.matches("</svg>").count(), 1);
    }
}
