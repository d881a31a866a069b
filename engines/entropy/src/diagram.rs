//! Figures as the FAQ prints them: drawn, and read.
//!
//! The reader is for text that people paste, so it takes what figures hold besides the squares: marks such as `<---5`
//! behind a rank, the line and the file letters below, line numbers of a listing, any blanks and any letter case.
//! `/` does for a line break where there can be none.

use kit::notation::excerpt;
use kit::{Outcome, Refusal, Side};

use crate::board::{SIDE, squares};
use crate::fen::{Cell, cells, place};
use crate::notation::letter;
use crate::rules::Position;

/// Squares of a rank.
const WIDTH: usize = SIDE as usize;
/// Squares of the board.
const AREA: usize = WIDTH * WIDTH;

/// The board as in the figures, and below it who is to move and which of his pieces are isolated.
pub(crate) fn draw(position: &Position, outcome: Option<Outcome>) -> String {
    let ranks = cells(position);
    let mut lines: Vec<String> = ranks
        .chunks(WIDTH)
        .zip((1..=SIDE).rev())
        .map(|(rank, number)| format!("{}  <---{number}", spaced(rank.iter().map(symbol))))
        .collect();
    let files = spaced('a'..='e');
    lines.push("_".repeat(files.len()));
    lines.push(files);
    lines.push(String::new());
    lines.push(caption(position, outcome));
    lines.join("\n")
}

/// Whether a text is a figure rather than a position string, which holds none of these.
pub(crate) fn is_diagram(text: &str) -> bool {
    text.contains(['.', '\n', '\r'])
}

/// Reads a figure. What follows a comma is a remark; where nobody is named, `o` is to move.
pub(crate) fn parse(text: &str) -> Result<Position, Refusal> {
    let figure = text
        .split(',')
        .next()
        .unwrap_or_default()
        .replace('<', " <");
    let mut reader = Reader::default();
    for line in figure.split(['\n', '\r', '/']) {
        reader.read_line(line)?;
    }
    reader.finish()
}

fn symbol(cell: &Cell) -> char {
    cell.map_or('.', |side| letter(side).to_ascii_uppercase())
}

fn spaced(symbols: impl Iterator<Item = char>) -> String {
    let words: Vec<String> = symbols.map(String::from).collect();
    words.join("     ")
}

fn caption(position: &Position, outcome: Option<Outcome>) -> String {
    let name = |side| letter(side).to_ascii_uppercase();
    match outcome {
        Some(Outcome::Win(side)) => format!("{} has won", name(side)),
        Some(Outcome::Draw) => "a draw".to_owned(),
        None => format!("{} to move{}", name(position.side), check(position)),
    }
}

fn check(position: &Position) -> String {
    let isolated: Vec<String> = squares(position.isolated())
        .map(|square| format!(" {square}"))
        .collect();
    if isolated.is_empty() {
        return String::new();
    }
    format!(", in check:{}", isolated.concat())
}

/// The figure as far as it is read.
#[derive(Default)]
struct Reader {
    cells: Vec<Cell>,
    /// Ranks that are read to their end.
    n_ranks: usize,
    side: Option<Side>,
}

impl Reader {
    fn read_line(&mut self, line: &str) -> Result<(), Refusal> {
        let mut words = line.split_whitespace().peekable();
        words.next_if(|word| is_line_number(word));
        words.try_for_each(|word| self.read_word(word))?;
        self.end_rank()
    }

    fn read_word(&mut self, word: &str) -> Result<(), Refusal> {
        if self.n_ranks < WIDTH
            && let Some(mark) = word.strip_prefix('<')
        {
            return self.read_mark(mark.trim_start_matches('-'));
        }
        if self.cells.len() == AREA {
            return self.read_foot(word);
        }
        word.chars().try_for_each(|symbol| self.read_symbol(symbol))
    }

    /// The mark ends its rank, so that a figure can also stand on one line.
    fn read_mark(&mut self, number: &str) -> Result<(), Refusal> {
        let rank = self.rank();
        if number != rank.to_string() {
            return Err(Refusal(format!(
                "rank {rank} is marked {:?}",
                excerpt(number)
            )));
        }
        self.end_rank()
    }

    fn read_symbol(&mut self, symbol: char) -> Result<(), Refusal> {
        let rank = self.rank();
        let cell = match symbol {
            'O' | 'o' => Some(Side::P1),
            'S' | 's' => Some(Side::P2),
            '.' => None,
            _ => {
                return Err(Refusal(format!(
                    "rank {rank} holds {symbol:?}: expected S, O or a dot"
                )));
            }
        };
        if self.cells.len() == WIDTH * (self.n_ranks + 1) {
            return Err(Refusal(format!("rank {rank} has over {WIDTH} squares")));
        }
        self.cells.push(cell);
        Ok(())
    }

    /// A word below the board, or behind its last square.
    fn read_foot(&mut self, word: &str) -> Result<(), Refusal> {
        let side = match word {
            "O" | "o" => Side::P1,
            "S" | "s" => Side::P2,
            "to" | "move" if self.side.is_some() => return Ok(()),
            _ if word.chars().all(is_frame) => return Ok(()),
            _ => return Err(unexpected(word)),
        };
        match self.side.replace(side) {
            Some(_) => Err(unexpected(word)),
            None => Ok(()),
        }
    }

    fn end_rank(&mut self) -> Result<(), Refusal> {
        match self.cells.len() - WIDTH * self.n_ranks {
            0 => {}
            WIDTH => self.n_ranks += 1,
            n => {
                return Err(Refusal(format!(
                    "rank {} has {n} squares: expected {WIDTH}",
                    self.rank()
                )));
            }
        }
        Ok(())
    }

    /// The number of the rank that is being read.
    fn rank(&self) -> usize {
        WIDTH - self.n_ranks
    }

    fn finish(self) -> Result<Position, Refusal> {
        if self.cells.len() < AREA {
            return Err(Refusal(format!(
                "the figure ends before rank {}",
                self.rank()
            )));
        }
        Ok(Position {
            pieces: place(&self.cells)?,
            side: self.side.unwrap_or(Side::P1),
            passes: 0,
        })
    }
}

/// Whether a word numbers the line it begins, as `14.` does.
fn is_line_number(word: &str) -> bool {
    let digits = word.strip_suffix('.').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a character belongs to the line below the board or names a file.
fn is_frame(symbol: char) -> bool {
    matches!(symbol, '_' | 'a'..='e' | 'A'..='E')
}

fn unexpected(word: &str) -> Refusal {
    Refusal(format!(
        "{:?} behind the board: expected the player to move, o or s",
        excerpt(word)
    ))
}
