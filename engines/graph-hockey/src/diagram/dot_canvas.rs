//! A canvas of dots, eight per character, for lines, with letters above them.

use draw::{TextCanvas, anstyle::Style};

use crate::plane::{GridPoint, Segment};

/// Dots per character, horizontally and vertically.
const DOTS_ACROSS: i32 = 2;
const DOTS_DOWN: i32 = 4;

/// A picture measured in characters; x increases to the right, y downwards. Dots are counted in the same directions.
#[derive(Debug)]
pub(crate) struct DotCanvas {
    columns: i32,
    /// A byte per character, with its dots as bits: the left one of the first row, the right one, then the next row.
    dots: Vec<u8>,
    letters: Vec<Option<char>>,
    styles: Vec<Style>,
}

impl DotCanvas {
    pub(crate) fn new(columns: i32, lines: i32) -> DotCanvas {
        let area = (columns * lines) as usize;
        DotCanvas {
            columns,
            dots: vec![0; area],
            letters: vec![None; area],
            styles: vec![Style::new(); area],
        }
    }

    /// Draws a line from dot to dot and sets the style of all characters that it passes.
    pub(crate) fn line(&mut self, line: Segment, style: Style) {
        let step = line.to - line.from;
        // A line shorter than a dot is one dot.
        let n = step.x.abs().max(step.y.abs()).max(1);
        for i in 0..=n {
            // Rounds to the nearest dot; halfway between two, to the one closer to the start of the line.
            let part = |length: i32| (2 * length.abs() * i + n - 1) / (2 * n) * length.signum();
            let (x, y) = (line.from.x + part(step.x), line.from.y + part(step.y));
            let (column, line) = character(GridPoint { x, y });
            let at = self.at(column, line);
            self.dots[at] |= bit(x, y);
            self.styles[at] = style;
        }
    }

    /// Marks a dot. On a line, the mark is four dots, so that both remain visible.
    pub(crate) fn mark(&mut self, GridPoint { x, y }: GridPoint, style: Style) {
        let (column, line) = character(GridPoint { x, y });
        let at = self.at(column, line);
        let is_drawn = self.dots[at] & bit(x, y) != 0;
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let n_dots = if is_drawn { corners.len() } else { 1 };
        for (right, down) in &corners[..n_dots] {
            self.dots[at] |= bit(x + right, y + down);
        }
        self.styles[at] = style;
    }

    /// Marks a whole character: by a dot, or by all of its dots if a line passes it.
    pub(crate) fn mark_character(&mut self, column: i32, line: i32, dot: char, style: Style) {
        let at = self.at(column, line);
        match self.dots[at] {
            0 => self.letters[at] = Some(dot),
            _ => self.dots[at] = u8::MAX,
        }
        self.styles[at] = style;
    }

    /// `true` if a character is blank.
    pub(crate) fn is_blank(&self, column: i32, line: i32) -> bool {
        let at = self.at(column, line);
        self.dots[at] == 0 && self.letters[at].is_none()
    }

    /// Writes text over all dots.
    pub(crate) fn write(&mut self, column: i32, line: i32, text: &str, style: Style) {
        for (letter, column) in text.chars().zip(column..) {
            let at = self.at(column, line);
            self.letters[at] = Some(letter);
            self.styles[at] = style;
        }
    }

    fn at(&self, column: i32, line: i32) -> usize {
        (line * self.columns + column) as usize
    }

    /// Converts the picture to text; `glyph` returns the character for a set of dots.
    pub(crate) fn text_canvas(&self, glyph: fn(u8) -> char) -> TextCanvas {
        let shown = |at: usize| {
            (
                self.letters[at].unwrap_or_else(|| glyph(self.dots[at])),
                self.styles[at],
            )
        };
        let glyphs: Vec<(char, Style)> = (0..self.dots.len()).map(shown).collect();
        let mut canvas = TextCanvas::new();
        for (row, line) in glyphs.chunks(self.columns as usize).zip(0..) {
            let mut column = 0;
            for run in row.chunk_by(|(_, one), (_, other)| one == other) {
                let text: String = run.iter().map(|(letter, _)| letter).collect();
                canvas.put(line, column, text, run[0].1);
                column += run.len() as i32;
            }
        }
        canvas
    }
}

/// Column and line of the character that contains a dot.
pub(crate) fn character(dot: GridPoint) -> (i32, i32) {
    (dot.x / DOTS_ACROSS, dot.y / DOTS_DOWN)
}

/// The bit of a dot in its character.
fn bit(x: i32, y: i32) -> u8 {
    1 << (y % DOTS_DOWN * DOTS_ACROSS + x % DOTS_ACROSS)
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
