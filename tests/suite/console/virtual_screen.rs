//! A terminal's screen, with the features that the console uses.

use std::iter::Peekable;
use std::str::Chars;

/// A character, and `true` for reverse video.
type Cell = (char, bool);

const BLANK: Cell = (' ', false);

/// Rows of cells. Unknown escape sequences are ignored.
#[derive(Debug)]
pub(super) struct VirtualScreen {
    rows: Vec<Vec<Cell>>,
    /// Content of the main screen, and the place of its cursor, while the alternate screen is shown.
    first: Option<(Vec<Vec<Cell>>, usize, usize)>,
    row: usize,
    column: usize,
    is_inverse: bool,
}

impl VirtualScreen {
    pub(super) fn new((columns, lines): (usize, usize)) -> VirtualScreen {
        VirtualScreen {
            rows: vec![vec![BLANK; columns]; lines],
            first: None,
            row: 0,
            column: 0,
            is_inverse: false,
        }
    }

    /// Processes output that does not end within an escape sequence.
    pub(super) fn feed(&mut self, output: &str) {
        let mut letters = output.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\x1b' if letters.next_if_eq(&'[').is_some() => self.escape(&mut letters),
                '\r' => self.column = 0,
                '\n' => self.break_line(),
                letter if !letter.is_control() => {
                    let cell = self.rows[self.row].get_mut(self.column);
                    let long = || panic!("a line longer than the screen in {output:?}");
                    *cell.unwrap_or_else(long) = (letter, self.is_inverse);
                    self.column += 1;
                }
                _ => {}
            }
        }
    }

    /// Lines without trailing blanks, and without empty lines at the end.
    pub(super) fn text(&self) -> String {
        let line = |row: &Vec<Cell>| {
            let line: String = row.iter().map(|(letter, _)| letter).collect();
            line.trim_end().to_owned()
        };
        let lines: Vec<String> = self.rows.iter().map(line).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// The characters in reverse video.
    pub(super) fn inverse(&self) -> String {
        let cells = self.rows.iter().flatten();
        cells
            .filter(|(_, is_inverse)| *is_inverse)
            .map(|(letter, _)| letter)
            .collect()
    }

    /// `true` while the alternate screen is shown.
    pub(super) fn is_second(&self) -> bool {
        self.first.is_some()
    }

    fn break_line(&mut self) {
        self.row += 1;
        if self.row == self.rows.len() {
            let blank = vec![BLANK; self.rows[0].len()];
            self.rows.remove(0);
            self.rows.push(blank);
            self.row -= 1;
        }
    }

    fn escape(&mut self, letters: &mut Peekable<Chars>) {
        let mut parameters = String::new();
        while let Some(letter) = letters.next_if(|letter| !letter.is_ascii_alphabetic()) {
            parameters.push(letter);
        }
        let numbers: Vec<usize> = parameters
            .split(';')
            .filter_map(|n| n.parse().ok())
            .collect();
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        match (letters.next(), parameters.as_str()) {
            (Some('H'), _) => {
                self.row = number(0).max(1) - 1;
                self.column = number(1).max(1) - 1;
            }
            (Some('A'), _) => self.row -= number(0).max(1).min(self.row),
            (Some('C'), _) => self.column += number(0).max(1),
            (Some('D'), _) => self.column -= number(0).max(1).min(self.column),
            (Some('K'), _) => self.rows[self.row][self.column..].fill(BLANK),
            (Some('J'), "2") => self.rows.iter_mut().for_each(|row| row.fill(BLANK)),
            (Some('J'), _) => {
                self.rows[self.row][self.column..].fill(BLANK);
                let below = &mut self.rows[self.row + 1..];
                below.iter_mut().for_each(|row| row.fill(BLANK));
            }
            (Some('m'), _) => self.is_inverse = numbers.contains(&7),
            (Some('h'), "?1049") => self.first = Some((self.rows.clone(), self.row, self.column)),
            (Some('l'), "?1049") => {
                (self.rows, self.row, self.column) = self.first.take().expect("it was entered");
            }
            _ => {}
        }
    }
}
