//! The colours of plots in light mode. `plot.css` has those of dark mode.

use plotters::style::RGBColor;

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
