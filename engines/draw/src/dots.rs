//! Lines as dots, eight per character.

use std::collections::BTreeMap;

use anstyle::Style;

/// Dots per character, horizontally and vertically.
const ACROSS: i32 = 2;
const DOWN: i32 = 4;

/// The dots of characters, by line and column. A byte has the dots as bits: the left one of the first row, the right one,
/// then the next row. A dot is given by its distance to the right and downwards.
#[derive(Debug, Default)]
pub(crate) struct Dots(BTreeMap<(i32, i32), (u8, Style)>);

impl Dots {
    /// Draws a line from dot to dot and sets the style of all characters that it passes.
    pub(crate) fn line(&mut self, from: (i32, i32), to: (i32, i32), style: Style) {
        // From the left, so that it looks the same in both directions.
        let (from, to) = if to.0 < from.0 {
            (to, from)
        } else {
            (from, to)
        };
        let (right, down) = (to.0 - from.0, to.1 - from.1);
        // A line shorter than a dot is one dot.
        let n = right.abs().max(down.abs()).max(1);
        for i in 0..=n {
            // Rounds to the nearest dot; halfway between two, to the one closer to the start of the line.
            let part = |length: i32| (2 * length.abs() * i + n - 1) / (2 * n) * length.signum();
            self.add((from.0 + part(right), from.1 + part(down)), style);
        }
    }

    /// Marks a dot. On a line, the mark is four dots, so that both remain visible.
    pub(crate) fn mark(&mut self, (x, y): (i32, i32), style: Style) {
        let (dots, _) = self.0.get(&character((x, y))).copied().unwrap_or_default();
        if dots & bit((x, y)) != 0 {
            let (all, _) = self.0.entry(character((x, y))).or_default();
            for corner in [(1, 0), (0, 1), (1, 1)] {
                *all |= bit((x + corner.0, y + corner.1));
            }
        }
        self.add((x, y), style);
    }

    /// Sets all dots of a character.
    pub(crate) fn fill(&mut self, place: (i32, i32), style: Style) {
        self.0.insert(place, (u8::MAX, style));
    }

    pub(crate) fn is_blank(&self, place: (i32, i32)) -> bool {
        !self.0.contains_key(&place)
    }

    /// The characters with their places; `letter` returns the one for a set of dots.
    pub(crate) fn letters(
        &self,
        letter: fn(u8) -> char,
    ) -> impl Iterator<Item = ((i32, i32), char, Style)> {
        let shown = move |(&place, &(dots, style)): (_, &(u8, Style))| (place, letter(dots), style);
        self.0.iter().map(shown)
    }

    fn add(&mut self, dot: (i32, i32), style: Style) {
        let (dots, own) = self.0.entry(character(dot)).or_default();
        *dots |= bit(dot);
        *own = style;
    }
}

/// Line and column of the character that contains a dot.
fn character((x, y): (i32, i32)) -> (i32, i32) {
    (y.div_euclid(DOWN), x.div_euclid(ACROSS))
}

/// The bit of a dot in its character.
fn bit((x, y): (i32, i32)) -> u8 {
    1 << (y.rem_euclid(DOWN) * ACROSS + x.rem_euclid(ACROSS))
}

/// The character of Unicode's Braille block with these dots; a blank if there are none.
pub(crate) fn braille(dots: u8) -> char {
    /// Unicode's bits in the order of ours.
    const BITS: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
    if dots == 0 {
        return ' ';
    }
    let bits: u32 = (0..8).filter(|i| dots >> i & 1 != 0).map(|i| BITS[i]).sum();
    char::from_u32(0x2800 + bits).expect("the block has all patterns")
}

/// The ASCII character most similar to these dots.
pub(crate) fn ascii(dots: u8) -> char {
    /// Characters with their dots, row by row from the lowest bit.
    const SHAPES: [(char, u8); 20] = [
        (' ', 0b00_00_00_00),
        ('\'', 0b00_00_01_01),
        ('\'', 0b00_00_00_01),
        ('.', 0b01_01_00_00),
        ('.', 0b00_01_00_00),
        (':', 0b00_01_00_01),
        (':', 0b01_00_01_00),
        ('|', 0b01_01_01_01),
        ('-', 0b00_00_00_11),
        ('-', 0b00_00_11_00),
        ('_', 0b00_11_00_00),
        ('\\', 0b10_10_01_01),
        ('\\', 0b00_00_10_01),
        ('\\', 0b10_01_00_00),
        ('/', 0b01_10_10_00),
        ('/', 0b00_01_10_00),
        ('/', 0b01_10_00_00),
        ('+', 0b01_01_01_11),
        ('+', 0b01_11_01_01),
        ('#', 0b11_11_11_11),
    ];
    let differing = |&(_, shape): &(char, u8)| (shape ^ dots).count_ones();
    let nearest = SHAPES.into_iter().min_by_key(differing);
    nearest.expect("there are shapes").0
}
