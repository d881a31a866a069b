//! Line charts over games or moves.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Area, Drawn, axis, chart, font, grid, legend, plain, small};
use super::canvas::{MUTED, series};

/// A line chart with several curves.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) curves: Vec<Curve>,
    /// Horizontal reference lines, each with a label above its right end; it may be empty.
    pub(crate) rules: Vec<(f64, &'static str)>,
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

impl Curve {
    /// A curve without an uncertainty band.
    pub(crate) fn plain(name: String, points: Vec<(usize, f64)>) -> Curve {
        let band = Vec::new();
        Curve { name, points, band }
    }
}

impl Lines {
    pub(super) fn draw(&self, area: &Area) -> Drawn {
        let names = self.curves.iter().map(|curve| curve.name.as_str());
        let top = legend(area, names.zip((0..).map(series)))?;
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
        for (at, text) in &self.rules {
            let ends = vec![(x.start as i64, *at), (x.end as i64, *at)];
            chart.draw_series([PathElement::new(ends, axis())])?;
            let style = font(12.0, MUTED).pos(Pos::new(HPos::Right, VPos::Bottom));
            chart.draw_series([Text::new(*text, (x.end as i64, at + above), style)])?;
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
            let points = curve.points.iter();
            let points = points.map(|point| (point.0 as i64, inside(point.1)));
            let points: Vec<(i64, f64)> = points.collect();
            let last = points.last().copied();
            chart.draw_series([PathElement::new(points, series(index).stroke_width(2))])?;
            chart.draw_series(last.map(|last| Circle::new(last, 3, series(index).filled())))?;
        }
        Ok(())
    }
}
