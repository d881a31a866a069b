//! Shared parts of all plots: sizes, fonts, colours, legends, axes. The colours are those of light mode; `plot.css` has
//! those of dark mode.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::*;
use plotters::style::RGBColor;

/// Width and height of a plot in pixels.
pub(super) const SIZE: (u32, u32) = (560, 300);

/// Height of the title, and of a row of the legend.
pub(super) const TITLE_HEIGHT: u32 = 34;
const LEGEND_HEIGHT: u32 = 20;

/// Estimated width of a character, for layout next to text. The browser chooses the actual font.
const CHAR_WIDTH: u32 = 7;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

pub(super) fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

pub(super) fn write(area: &Area, text: &str, at: (i32, i32), style: TextStyle<'_>) -> Drawn {
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Draws the legend of all entries with a name, in one or more rows. Returns their height.
pub(super) fn legend<'a>(
    area: &Area,
    entries: impl Iterator<Item = (&'a str, RGBColor)>,
) -> Result<u32, DrawingAreaErrorKind<std::io::Error>> {
    const SAMPLE: i32 = 22;
    let (mut x, mut y) = (12, TITLE_HEIGHT as i32);
    for (name, colour) in entries.filter(|(name, _)| !name.is_empty()) {
        let width = SAMPLE + 6 + (name.chars().count() as u32 * CHAR_WIDTH) as i32 + 12;
        if x > 12 && x + width > SIZE.0 as i32 {
            (x, y) = (12, y + LEGEND_HEIGHT as i32);
        }
        let middle = y + 7;
        let ends = vec![(x, middle), (x + SAMPLE, middle)];
        area.draw(&PathElement::new(ends, colour.stroke_width(3)))?;
        write(area, name, (x + SAMPLE + 6, y), font(13.0, TEXT))?;
        x += width;
    }
    Ok(match x {
        12 => 0,
        _ => (y - TITLE_HEIGHT as i32) as u32 + LEGEND_HEIGHT,
    })
}

/// Formats a number without trailing zeros.
pub(super) fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

pub(super) fn grid() -> ShapeStyle {
    GRID.stroke_width(1)
}

pub(super) fn axis() -> ShapeStyle {
    MUTED.stroke_width(1)
}

pub(super) const BACKGROUND: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);
pub(super) const TEXT: RGBColor = RGBColor(0x1C, 0x24, 0x30);
pub(super) const MUTED: RGBColor = RGBColor(0x5B, 0x66, 0x75);
pub(super) const GRID: RGBColor = RGBColor(0xE3, 0xE7, 0xEC);

/// Colours of bars: player 1 won, drawn, player 2 won, no result.
pub(super) const BARS: [RGBColor; 4] = [
    RGBColor(0x2F, 0x7C, 0xBD),
    RGBColor(0xB4, 0xBD, 0xC8),
    RGBColor(0xD0, 0x6A, 0x2E),
    RGBColor(0x8A, 0x8A, 0x55),
];

const SERIES: [RGBColor; 8] = [
    RGBColor(0x1F, 0x6F, 0xB4),
    RGBColor(0xC2, 0x57, 0x1A),
    RGBColor(0x2E, 0x85, 0x40),
    RGBColor(0x7A, 0x4F, 0xA3),
    RGBColor(0xA8, 0x33, 0x6A),
    RGBColor(0x6B, 0x6B, 0x00),
    RGBColor(0x00, 0x7C, 0x89),
    RGBColor(0x55, 0x55, 0x5F),
];

/// The colour of the curve with this index.
pub(super) fn series(index: usize) -> RGBColor {
    SERIES[index % SERIES.len()]
}

/// All colours, as hexadecimal codes.
#[cfg(test)]
pub(crate) fn colours() -> impl Iterator<Item = String> {
    let all = [BACKGROUND, TEXT, MUTED, GRID]
        .into_iter()
        .chain(BARS)
        .chain(SERIES);
    all.map(|RGBColor(r, g, b)| format!("#{r:02X}{g:02X}{b:02X}"))
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
}
