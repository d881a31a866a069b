//! Lines as dots, eight per character: characters of Unicode's Braille block, or the most similar ones of ASCII.

use anstyle::Style;

use crate::canvas::{Canvas, Place};

/// Dots per character, horizontally and vertically.
const ACROSS: i32 = 2;
const DOWN: i32 = 4;
/// The character without dots; the low byte of the others has a bit for each dot.
const BLANK: u32 = 0x2800;
/// The bits of the dots, row by row.
const BITS: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/// A dot, by its distance to the right and downwards.
pub(crate) type Dot = (i32, i32);

impl Canvas {
    /// Draws a line from dot to dot and sets the style of all characters that it passes.
    pub(crate) fn line(&mut self, from: Dot, to: Dot, style: Style) {
        // From the left, so that it looks the same in both directions.
        let (from, to) = (from.min(to), from.max(to));
        let (right, down) = (to.0 - from.0, to.1 - from.1);
        // A line shorter than a dot is one dot.
        let n = right.abs().max(down.abs()).max(1);
        for i in 0..=n {
            // Rounds to the nearest dot; halfway between two, to the one closer to the start of the line.
            let part = |length: i32| (2 * length.abs() * i + n - 1) / (2 * n) * length.signum();
            let dot = (from.0 + part(right), from.1 + part(down));
            let place = character(dot);
            let dots = BLANK | dots(self.at(place).0) | bit(dot);
            let letter = char::from_u32(dots).expect("a character of the block");
            self.glyphs.insert(place, (letter, style));
        }
    }
}

/// Line and column of the character that contains a dot.
fn character((x, y): Dot) -> Place {
    (y.div_euclid(DOWN), x.div_euclid(ACROSS))
}

/// The bit of a dot in its character.
fn bit((x, y): Dot) -> u32 {
    BITS[(y.rem_euclid(DOWN) * ACROSS + x.rem_euclid(ACROSS)) as usize]
}

/// The dots of a character, one bit each.
fn dots(letter: char) -> u32 {
    u32::from(letter).saturating_sub(BLANK) & 0xff
}

/// The ASCII character most similar to one of dots; any other character as it is.
pub(crate) fn ascii(letter: char) -> char {
    const SIGNS: [(char, &str); 11] = [
        (' ', "\u{2800}"),
        ('\'', "⠃⠁"),
        ('.', "⡄⠄"),
        (':', "⠅⡂"),
        ('|', "⡇"),
        ('-', "⠉⠒"),
        ('_', "⠤"),
        ('\\', "⢣⠑⢄"),
        ('/', "⡰⠔⡠"),
        ('+', "⡏⡧"),
        ('#', "⣿"),
    ];
    let differing = |shape: char| (dots(shape) ^ dots(letter)).count_ones();
    let least = |(_, shapes): &(char, &str)| shapes.chars().map(differing).min();
    match letter {
        '\u{2800}'..='\u{28ff}' => SIGNS
            .into_iter()
            .min_by_key(least)
            .map_or(' ', |sign| sign.0),
        _ => letter,
    }
}
