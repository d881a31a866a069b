//! Drawing of plots as SVG. `plots` selects their data.

mod bars;
mod lines;
mod palette;

use std::borrow::Cow;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) use bars::Bars;
pub(crate) use lines::{Band, Curve, Lines, Rule};
#[cfg(test)]
pub(crate) use palette::colours;
use palette::{BACKGROUND, GRID, MUTED, TEXT};
pub(crate) use palette::{BARS, series};

use crate::style;

/// Width and height of a plot in pixels.
const SIZE: (u32, u32) = (560, 300);

/// Height of the title, and of a row of the legend.
const TITLE_HEIGHT: u32 = 34;
const LEGEND_HEIGHT: u32 = 20;

/// Estimated width of a character, for layout next to text. The browser chooses the actual font.
const CHAR_WIDTH: u32 = 7;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A plot with its title.
#[derive(Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    /// A text alternative for screen readers, in one sentence.
    pub(crate) spoken: String,
    pub(crate) chart: Chart,
}

/// The contents of a plot below its title.
#[derive(Debug)]
pub(crate) enum Chart {
    Lines(Lines),
    Bars(Bars),
    /// Nothing to draw; the text gives the reason.
    Nothing(String),
}

impl Plot {
    /// The plot as an SVG element for an HTML page.
    pub(crate) fn svg(&self) -> String {
        let svg = paint(SIZE, |root| self.draw(root));
        label(&svg, &format!("{}. {}", self.title, self.spoken), "")
    }

    fn draw(&self, area: &Area) -> Drawn {
        write(area, &self.title, (12, 8), font(16.0, TEXT))?;
        match &self.chart {
            Chart::Lines(lines) => lines.draw(area),
            Chart::Bars(bars) => bars.draw(area),
            Chart::Nothing(why) => {
                let middle = Pos::new(HPos::Center, VPos::Center);
                let style = font(14.0, MUTED).pos(middle);
                write(area, why, (SIZE.0 as i32 / 2, SIZE.1 as i32 / 2), style)
            }
        }
    }
}

/// Start of every SVG file, by which [`is_svg`](crate::is_svg) recognizes it.
pub(crate) const START: &str = "<!-- Plots of a match, by Linesman -->\n";

/// Arranges plots in two columns in one SVG file.
pub(crate) fn sheet(title: &str, plots: &[Plot]) -> String {
    const HEADING: u32 = 44;
    let n_rows = plots.len().div_ceil(2) as u32;
    let size = (2 * SIZE.0, HEADING + n_rows * SIZE.1);
    let svg = paint(size, |root| {
        root.fill(&BACKGROUND)?;
        write(root, title, (12, 14), font(20.0, TEXT))?;
        let (_, below) = root.split_vertically(HEADING);
        let cells = below.split_evenly((n_rows as usize, 2));
        cells
            .iter()
            .zip(plots)
            .try_for_each(|(cell, plot)| plot.draw(cell))
    });
    let spoken = plots
        .iter()
        .map(|plot| format!(" {}. {}", plot.title, plot.spoken));
    let picture = label(
        &svg,
        &format!("{title}.{}", spoken.collect::<String>()),
        style::PLOT,
    );
    START.to_owned() + &picture
}

fn paint(size: (u32, u32), draw: impl FnOnce(&Area) -> Drawn) -> String {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    draw(&root)
        .and_then(|()| root.present())
        .expect("a string takes whatever is written");
    drop(root);
    svg
}

/// Adds a label to a picture, for screen readers and as a tooltip, and its style sheet.
fn label(svg: &str, name: &str, style: &str) -> String {
    let (head, body) = svg.split_once('>').expect("a picture begins with a tag");
    let markup = maud::html! {
        title { (name) }
        @if !style.is_empty() { style { (maud::PreEscaped(style)) } }
    };
    // `aria-label` and `role="img"` keep screen readers from reading the inner texts separately.
    let label = maud::html! { (name) }.into_string();
    format!(
        "{head} class=\"plot\" role=\"img\" aria-label=\"{label}\">{}{body}",
        markup.into_string()
    )
}

fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

fn write(area: &Area, text: &str, at: (i32, i32), style: TextStyle<'_>) -> Drawn {
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Draws the legend, in as many rows as needed. Returns the height of all rows.
fn legend(
    area: &Area,
    entries: &[(Cow<'_, str>, RGBColor)],
) -> Result<u32, DrawingAreaErrorKind<std::io::Error>> {
    const SAMPLE: i32 = 22;
    let (mut x, mut y) = (12, TITLE_HEIGHT as i32);
    for (name, colour) in entries {
        let width = SAMPLE + 6 + (name.chars().count() as u32 * CHAR_WIDTH) as i32 + 12;
        if x > 12 && x + width > SIZE.0 as i32 {
            (x, y) = (12, y + LEGEND_HEIGHT as i32);
        }
        let middle = y + 7;
        area.draw(&PathElement::new(
            vec![(x, middle), (x + SAMPLE, middle)],
            colour.stroke_width(3),
        ))?;
        write(area, name, (x + SAMPLE + 6, y), font(13.0, TEXT))?;
        x += width;
    }
    Ok(if entries.is_empty() {
        0
    } else {
        (y - TITLE_HEIGHT as i32) as u32 + LEGEND_HEIGHT
    })
}

/// Formats a number without trailing zeros.
fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A chart builder with the common margins.
fn chart<'a, 'b>(area: &'a Area<'b>, top: u32) -> ChartBuilder<'a, 'a, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder
        .margin_top(TITLE_HEIGHT + top + 6)
        .margin_right(18)
        .margin_left(4)
        .margin_bottom(4)
        .x_label_area_size(40)
        .y_label_area_size(52);
    builder
}

fn grid() -> ShapeStyle {
    GRID.stroke_width(1)
}

fn axis() -> ShapeStyle {
    MUTED.stroke_width(1)
}

fn small() -> TextStyle<'static> {
    font(13.0, MUTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain() {
        assert_eq!(
            [0.0, -0.0, 1.5, -200.0, 0.125].map(plain),
            ["0", "0", "1.5", "-200", "0.125"]
        );
    }

    #[test]
    fn a_title_cannot_end_a_picture() {
        let plot = Plot {
            title: "</svg><script>alert(1)</script>\" onload=\"x".to_owned(),
            spoken: "a & b".to_owned(),
            chart: Chart::Nothing("<b>".to_owned()),
        };
        let svg = plot.svg();
        assert!(!svg.contains("<script") && !svg.contains("<b>"), "{svg}");
        assert!(!svg.contains("\" onload"), "{svg}");
        assert!(
            svg.contains("role=\"img\" aria-label=\"&lt;/svg&gt;"),
            "{svg}"
        );
        assert_eq!(svg.matches("</svg>").count(), 1);
    }
}
