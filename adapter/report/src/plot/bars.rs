//! Stacked bar charts.

use plotters::prelude::*;

use super::canvas::BARS;
use super::canvas::{Area, Drawn, axis, chart, grid, legend, small};

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
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(grid())
            .light_line_style(TRANSPARENT)
            .axis_style(axis())
            .x_labels(10)
            .y_labels(6)
            .x_desc(self.x_name)
            .label_style(small())
            .axis_desc_style(small())
            .draw()?;
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
