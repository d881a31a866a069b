//! Line charts over games or moves, and stacked bar charts.

use std::ops::Range;

use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use record::stats::Interval;

use super::canvas::{
    Area, BARS, Drawn, MUTED, TITLE_HEIGHT, axis, font, grid, legend, plain, series,
};

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

impl Lines {
    pub(super) fn draw(&self, area: &Area) -> Drawn {
        let names = self.curves.iter().map(|curve| curve.name.as_str());
        let top = legend(area, names.zip((0..).map(series)))?;
        let (x, y) = (&self.x_range, &self.y_range);
        let (x_range, y_range) = (x.start as i64..x.end as i64, y.clone());
        let mut chart = chart(area, top).build_cartesian_2d(x_range, y_range)?;
        mesh(&mut chart, self.x_name, [8, 7], &|value| plain(*value))?;
        let above = (y.end - y.start) * 0.015;
        for (at, text) in &self.rules {
            let ends = vec![(x.start as i64, *at), (x.end as i64, *at)];
            chart.draw_series([PathElement::new(ends, axis())])?;
            let style = font(12.0, MUTED).pos(Pos::new(HPos::Right, VPos::Bottom));
            chart.draw_series([Text::new(*text, (x.end as i64, at + above), style)])?;
        }
        let inside = |value: f64| value.clamp(y.start, y.end);
        for (index, curve) in self.curves.iter().enumerate() {
            let end = |sign: f64| {
                let points = curve.points.iter();
                points.map(move |(at, y)| (*at as i64, inside(y.value + sign * y.error)))
            };
            let outline: Vec<(i64, f64)> = end(-1.0).chain(end(1.0).rev()).collect();
            let has_band = curve.points.iter().any(|(_, y)| y.error > 0.0);
            if has_band && outline.len() > 2 {
                chart.draw_series([Polygon::new(outline, series(index).mix(0.16))])?;
            }
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter();
            let points = points.map(|(at, y)| (*at as i64, inside(y.value)));
            let points: Vec<(i64, f64)> = points.collect();
            let last = points.last().copied();
            chart.draw_series([PathElement::new(points, series(index).stroke_width(2))])?;
            chart.draw_series(last.map(|last| Circle::new(last, 3, series(index).filled())))?;
        }
        Ok(())
    }
}

/// A bar chart over ranges, each bar in up to four parts.
#[derive(Debug)]
pub(crate) struct Bars {
    /// Names of the parts for the legend, from the bottom up; parts with an empty name are not listed.
    pub(crate) names: [&'static str; 4],
    /// The left end of each bar and the heights of its parts.
    pub(crate) bars: Vec<(usize, [u64; 4])>,
    /// Width of each bar, at least 1.
    pub(crate) width: usize,
    /// Name of the horizontal axis.
    pub(crate) x_name: &'static str,
}

impl Bars {
    pub(super) fn draw(&self, area: &Area) -> Drawn {
        let top = legend(area, self.names.into_iter().zip(BARS))?;
        let first = self.bars.first().map_or(0, |bar| bar.0) as i64;
        let last = self.bars.last().map_or(0, |bar| bar.0 + self.width) as i64;
        let heights = self.bars.iter().map(|bar| bar.1.iter().sum::<u64>());
        let highest = heights.max().unwrap_or(0).max(1);
        let mut chart =
            chart(area, top).build_cartesian_2d(first..last.max(first + 1), 0..highest)?;
        mesh(&mut chart, self.x_name, [10, 6], &u64::to_string)?;
        for (begin, parts) in &self.bars {
            let (left, right) = (*begin as i64, (begin + self.width) as i64);
            let mut below = 0;
            for (part, colour) in parts.iter().zip(BARS) {
                if *part > 0 {
                    let corners = [(left, below), (right, below + part)];
                    let mut bar = Rectangle::new(corners, colour.filled());
                    bar.set_margin(0, 0, 1, 1);
                    chart.draw_series([bar])?;
                }
                below += part;
            }
        }
        Ok(())
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

/// Draws the axes, with about these numbers of labels on each.
fn mesh<X, Y>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>,
    x_name: &str,
    [x_labels, y_labels]: [usize; 2],
    y_label: &dyn Fn(&Y::ValueType) -> String,
) -> Drawn
where
    X: Ranged + ValueFormatter<X::ValueType>,
    Y: Ranged + ValueFormatter<Y::ValueType>,
{
    let small = font(13.0, MUTED);
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh()
        .bold_line_style(grid())
        .light_line_style(TRANSPARENT)
        .axis_style(axis())
        .x_labels(x_labels)
        .y_labels(y_labels)
        .x_desc(x_name)
        .label_style(small.clone())
        .axis_desc_style(small)
        .y_label_formatter(y_label)
        .draw()
}
