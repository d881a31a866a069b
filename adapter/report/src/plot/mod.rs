//! Drawing of plots as SVG. `plots` selects their data.

mod canvas;
mod charts;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use canvas::{Area, Drawn, SIZE, font, write};
use canvas::{BACKGROUND, MUTED, TEXT};
pub(crate) use charts::{Bars, Curve, Lines};

use crate::style;

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
    /// A plot that only shows why there is nothing to draw.
    pub(crate) fn nothing(title: String, why: &str) -> Plot {
        Plot {
            title,
            spoken: why.to_owned(),
            chart: Chart::Nothing(why.to_owned()),
        }
    }

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

/// One plot as an SVG file.
pub(crate) fn file(plot: &Plot) -> String {
    let name = format!("{}. {}", plot.title, plot.spoken);
    standing_alone(SIZE, &name, |root| plot.draw(root))
}

/// Arranges plots in two columns in one SVG file.
pub(crate) fn sheet(title: &str, plots: &[Plot]) -> String {
    const HEADING: u32 = 44;
    let n_rows = plots.len().div_ceil(2) as u32;
    let size = (2 * SIZE.0, HEADING + n_rows * SIZE.1);
    let spoken = plots
        .iter()
        .map(|plot| format!(" {}. {}", plot.title, plot.spoken));
    let name = format!("{title}.{}", spoken.collect::<String>());
    standing_alone(size, &name, |root| {
        write(root, title, (12, 14), font(20.0, TEXT))?;
        let (_, below) = root.split_vertically(HEADING);
        let cells = below.split_evenly((n_rows as usize, 2));
        let mut places = cells.iter().zip(plots);
        places.try_for_each(|(cell, plot)| plot.draw(cell))
    })
}

/// The text of a file with a picture.
fn standing_alone(size: (u32, u32), name: &str, draw: impl FnOnce(&Area) -> Drawn) -> String {
    let svg = paint(size, |root| {
        root.fill(&BACKGROUND)?;
        draw(root)
    });
    START.to_owned() + &label(&svg, name, style::PLOT)
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
    let markup = markup.into_string();
    format!("{head} class=\"plot\" role=\"img\" aria-label=\"{label}\">{markup}{body}")
}

#[cfg(test)]
pub(crate) use canvas::colours;

#[cfg(test)]
mod tests {
    use super::*;

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
