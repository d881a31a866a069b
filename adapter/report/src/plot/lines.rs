//! Line charts over games or moves.

use std::borrow::Cow;
use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Area, Drawn, axis, chart, font, grid, legend, plain, small};
use super::palette::{MUTED, series};

/// A line chart with several curves.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) curves: Vec<Curve>,
    /// Horizontal reference lines.
    pub(crate) rules: Vec<Rule>,
    /// Name of the horizontal axis.
    pub(crate) x_name: &'static str,
    pub(crate) x_range: Range<usize>,
    /// Range of the vertical axis; values outside are clamped to it.
    pub(crate) y_range: Range<f64>,
}

/// A curve with an optional uncertainty band.
#[derive(Debug)]
pub(crate) struct Curve {
    /// Name for the legend; empty for none.
    pub(crate) name: String,
    pub(crate) points: Vec<(usize, f64)>,
    /// The uncertainty band: empty, or one interval for each point.
    pub(crate) band: Vec<Band>,
}

/// Lower and upper end of an interval.
pub(crate) type Band = (f64, f64);

/// A horizontal reference line.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) at: f64,
    /// Label above its right end; may be empty.
    pub(crate) text: &'static str,
}

impl Lines {
    pub(super) fn draw(&self, area: &Area) -> Drawn {
        let named = self
            .curves
            .iter()
            .enumerate()
            .filter(|(_, curve)| !curve.name.is_empty());
        let entries: Vec<(Cow<'_, str>, RGBColor)> = named
            .map(|(index, curve)| (Cow::Borrowed(curve.name.as_str()), series(index)))
            .collect();
        let top = legend(area, &entries)?;
        let (x, y) = (&self.x_range, &self.y_range);
        let (x_range, y_range) = (x.start as i64..x.end as i64, y.clone());
        let mut chart = chart(area, top).build_cartesian_2d(x_range, y_range)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(grid())
            .light_line_style(TRANSPARENT)
            .axis_style(axis())
            .x_labels(8)
            .y_labels(7)
            .x_desc(self.x_name)
            .label_style(small())
            .axis_desc_style(small())
            .y_label_formatter(&|value| plain(*value))
            .draw()?;
        let above = (y.end - y.start) * 0.015;
        for rule in &self.rules {
            let ends = vec![(x.start as i64, rule.at), (x.end as i64, rule.at)];
            chart.draw_series([PathElement::new(ends, axis())])?;
            let style = font(12.0, MUTED).pos(Pos::new(HPos::Right, VPos::Bottom));
            chart.draw_series([Text::new(rule.text, (x.end as i64, rule.at + above), style)])?;
        }
        let inside = |value: f64| value.clamp(y.start, y.end);
        for (index, curve) in self.curves.iter().enumerate() {
            let xs = curve.points.iter().map(|point| point.0 as i64);
            let lower = xs.clone().zip(curve.band.iter().map(|band| inside(band.0)));
            let upper = xs.clone().zip(curve.band.iter().map(|band| inside(band.1)));
            let outline: Vec<(i64, f64)> = lower.chain(upper.rev()).collect();
            if outline.len() > 2 {
                chart.draw_series([Polygon::new(outline, series(index).mix(0.16))])?;
            }
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let points: Vec<(i64, f64)> = curve
                .points
                .iter()
                .map(|point| (point.0 as i64, inside(point.1)))
                .collect();
            let last = points.last().copied();
            chart.draw_series([PathElement::new(points, series(index).stroke_width(2))])?;
            chart.draw_series(last.map(|last| Circle::new(last, 3, series(index).filled())))?;
        }
        Ok(())
    }
}
