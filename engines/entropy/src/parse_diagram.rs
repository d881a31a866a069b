//! Reads figures, as in the FAQ and in games by mail.
//!
//! Pasted figures contain more than the squares: marks such as `<---5` after a rank, the line and the file letters
//! below, the figure's title, list numbers, brackets around the last move, any blanks and any letter case. `/` counts
//! as a line break where no line break is possible.

use kit::notation::excerpt;
use kit::parse_diagram as drawn;
use kit::{FigureLine, Rejection, Side};

use crate::fen::{Content, place};
use crate::geometry::SIDE;
use crate::position::Position;

/// Number of squares in a rank.
const WIDTH: usize = SIDE as usize;
/// The letters of the files.
const FILES: &str = "abcde";
/// Number of squares of the board.
const AREA: usize = WIDTH * WIDTH;

/// `true` if a text is a figure: position strings contain none of these characters.
pub(crate) fn is_diagram(text: &str) -> bool {
    text.contains('.') || drawn::is_diagram(text)
}

/// Classifies a line of pasted text, given the ranks of the figure above it.
pub(crate) fn figure_line(above: &[String], line: &str) -> FigureLine {
    let line = drawn::bare(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_line = |sign: char| matches!(sign, '_' | '-');
    match words[..] {
        _ if is_rank(&line, above.len()) => FigureLine::row(above.len(), WIDTH),
        ["O" | "o" | "S" | "s"] | ["O" | "o" | "S" | "s", "to", "move" | "move,", ..] => {
            FigureLine::Turn
        }
        _ if line.chars().all(is_line) => FigureLine::Frame,
        _ if words.concat().eq_ignore_ascii_case(FILES) => FigureLine::Frame,
        _ => FigureLine::Other,
    }
}

/// `true` if a line has the squares of the rank below `n_above` others, and no wrong mark.
fn is_rank(line: &str, n_above: usize) -> bool {
    let (squares, mark) = line.split_once('<').unwrap_or((line, ""));
    let number = mark.trim_start_matches('-').trim();
    let is_its_own = n_above < WIDTH && number == (WIDTH - n_above).to_string();
    let squares = squares.chars().filter(|sign| !sign.is_whitespace());
    let is_square = |sign| matches!(sign, 'S' | 's' | 'O' | 'o' | '.');
    (number.is_empty() || is_its_own)
        && squares.clone().count() == WIDTH
        && squares.into_iter().all(is_square)
}

/// Reads a figure. Text after a comma is a comment. If no side to move is named, `o` is to move.
pub(crate) fn parse(text: &str) -> Result<Position, Rejection> {
    let squares = text.split(',').next().unwrap_or_default();
    let mut reader = RankReader::default();
    let lines = squares.replace('<', " <").replace('/', "\n");
    for line in drawn::lines(&lines).filter(|line| !line.starts_with("Fig")) {
        reader.read_line(&line)?;
    }
    reader.finish()
}

/// The part of the figure read so far.
#[derive(Default)]
struct RankReader {
    cells: Vec<Content>,
    /// Number of ranks read completely.
    n_ranks: usize,
    side: Option<Side>,
    passes: u8,
}

impl RankReader {
    fn read_line(&mut self, line: &str) -> Result<(), Rejection> {
        line.split_whitespace()
            .try_for_each(|word| self.read_word(word))?;
        self.end_rank()
    }

    fn read_word(&mut self, word: &str) -> Result<(), Rejection> {
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

    /// Reads a rank's mark, which ends the rank, so that a figure can also be on one line.
    fn read_mark(&mut self, number: &str) -> Result<(), Rejection> {
        let rank = self.rank();
        if number != rank.to_string() {
            return Err(Rejection(format!(
                "rank {rank} is marked {:?}",
                excerpt(number)
            )));
        }
        self.end_rank()
    }

    fn read_symbol(&mut self, symbol: char) -> Result<(), Rejection> {
        let rank = self.rank();
        let cell = match symbol {
            'O' | 'o' => Some(Side::P1),
            'S' | 's' => Some(Side::P2),
            '.' => None,
            _ => {
                return Err(Rejection(format!(
                    "rank {rank} holds {symbol:?}: expected S, O or a dot"
                )));
            }
        };
        if self.cells.len() == WIDTH * (self.n_ranks + 1) {
            return Err(Rejection(format!("rank {rank} has over {WIDTH} squares")));
        }
        self.cells.push(cell);
        Ok(())
    }

    /// Reads a word below the board or after its last square.
    fn read_foot(&mut self, word: &str) -> Result<(), Rejection> {
        let side = match word {
            "O" | "o" => Side::P1,
            "S" | "s" => Side::P2,
            "to" | "move" | "after" if self.side.is_some() => return Ok(()),
            "pass" if self.side.is_some() => {
                self.passes = 1;
                return Ok(());
            }
            _ if word.chars().all(is_frame) => return Ok(()),
            _ => return Err(unexpected(word)),
        };
        match self.side.replace(side) {
            Some(_) => Err(unexpected(word)),
            None => Ok(()),
        }
    }

    fn end_rank(&mut self) -> Result<(), Rejection> {
        match self.cells.len() - WIDTH * self.n_ranks {
            0 => {}
            WIDTH => self.n_ranks += 1,
            n => {
                return Err(Rejection(format!(
                    "rank {} has {n} squares: expected {WIDTH}",
                    self.rank()
                )));
            }
        }
        Ok(())
    }

    /// The number of the current rank.
    fn rank(&self) -> usize {
        WIDTH - self.n_ranks
    }

    fn finish(self) -> Result<Position, Rejection> {
        if self.cells.len() < AREA {
            return Err(Rejection(format!(
                "the figure ends before rank {}",
                self.rank()
            )));
        }
        Ok(Position {
            pieces: place(&self.cells)?,
            side: self.side.unwrap_or(Side::P1),
            passes: self.passes,
        })
    }
}

/// `true` if a character belongs to the line below the board or names a file.
fn is_frame(symbol: char) -> bool {
    matches!(symbol, '_' | 'a'..='e' | 'A'..='E')
}

fn unexpected(word: &str) -> Rejection {
    Rejection(format!(
        "{:?} after the board: expected the player to move, o or s",
        excerpt(word)
    ))
}
