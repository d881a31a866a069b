//! Reads boards drawn as text.
//!
//! A rank is a line with `|` between its squares and, optionally, its number before and after them. The pieces off the
//! board, which show whether any are covered, and the side to move may follow below.

use kit::fen::counted;
use kit::notation::excerpt;
use kit::parse_diagram as drawn;
use kit::{FigureLine, Rejection, Side};

use crate::diagram::{OFF_BOARD, PEEK};
use crate::fen::{colour, letter, parse_fen};
use crate::pieces::Size;
use crate::position::{Gobblet, Position};

/// The parts of a drawn board that have been read.
#[derive(Default)]
struct DrawnBoard {
    /// The squares of each rank, as in position strings, and the rank's label.
    ranks: Vec<(String, String)>,
    /// The sizes of each player's pieces off the board.
    reserves: [Option<String>; 2],
    side: Option<Side>,
}

/// Classifies a line of pasted text, given the ranks of the drawn board above it.
pub(crate) fn figure_line(above: &[String], line: &str) -> FigureLine {
    let line = drawn::bare(line);
    let starts_with = |side: &Side| line.starts_with(colour(*side));
    if line.contains('|') {
        let width = above.first().map_or(&line, |first| first);
        let n_ranks = split_rank(&drawn::bare(width)).1.len();
        return match is_rank(&line, above.len(), n_ranks) {
            true => FigureLine::row(above.len(), n_ranks),
            false => FigureLine::Other,
        };
    }
    if is_frame(&line) {
        return FigureLine::Frame;
    }
    match Side::BOTH.into_iter().find(starts_with) {
        Some(side) if line[colour(side).len()..].trim() == "to move" => FigureLine::Turn,
        Some(_) if line.contains(OFF_BOARD) => FigureLine::Foot,
        _ => FigureLine::Other,
    }
}

/// `true` if a line is the rank below `n_above` others of a board with `n_ranks` ranks.
fn is_rank(line: &str, n_above: usize, n_ranks: usize) -> bool {
    let (name, squares) = split_rank(line);
    let is_square = |square: &&str| {
        let is_piece = |sign: char| matches!(sign, 'r' | 'R' | 'y' | 'Y' | '1'..='4' | '.' | ' ');
        square.chars().all(is_piece)
    };
    (3..=4).contains(&n_ranks)
        && n_above < n_ranks
        && squares.len() == n_ranks
        && squares.iter().all(is_square)
        && (name.is_empty() || name == (n_ranks - n_above).to_string())
}

/// The name of a rank and its squares.
fn split_rank(line: &str) -> (&str, Vec<&str>) {
    let (name, rest) = line.split_once('|').unwrap_or_default();
    let (squares, _) = rest.rsplit_once('|').unwrap_or((rest, ""));
    (name.trim(), squares.split('|').collect())
}

/// The game and the position of a drawn board. If no side to move is named, red is to move.
pub(crate) fn parse(game: &Gobblet, text: &str) -> Result<(Gobblet, Position), Rejection> {
    let mut read = DrawnBoard::default();
    for line in drawn::lines(text).filter(|line| !is_frame(line)) {
        read.read_line(&line)?;
    }
    read.check_names()?;
    let ranks: Vec<&str> = read
        .ranks
        .iter()
        .map(|(_, squares)| squares.as_str())
        .collect();
    let mover = letter(read.side.unwrap_or(Side::P1));
    let (game, position) = parse_fen(game, &format!("{} {mover}", ranks.join("/")))?;
    for (side, reserve) in Side::BOTH.into_iter().zip(&read.reserves) {
        if let Some(reserve) = reserve {
            check_reserve(&game, &position, side, reserve)?;
        }
    }
    Ok((game, position))
}

/// `true` if a line is a border or the file labels.
fn is_frame(line: &str) -> bool {
    let is_border = |sign: char| matches!(sign, '+' | '-' | ' ');
    let is_file = |word: &str| matches!(word, "a" | "b" | "c" | "d");
    line.chars().all(is_border) || line.split_whitespace().all(is_file)
}

impl DrawnBoard {
    fn read_line(&mut self, line: &str) -> Result<(), Rejection> {
        if line.contains('|') {
            self.read_rank(line);
            return Ok(());
        }
        let named = |side: &Side| line.starts_with(colour(*side));
        let rest = |side: Side| line[colour(side).len()..].trim();
        match Side::BOTH.into_iter().find(named) {
            Some(side) if rest(side) == "to move" => self.side = Some(side),
            Some(side) if line.contains(OFF_BOARD) => {
                let (_, sizes) = line.split_once(OFF_BOARD).unwrap_or_default();
                self.reserves[side.index()] = Some(sizes.replace(' ', ""));
            }
            _ => {
                return Err(Rejection(format!(
                    "{:?}: expected a rank of the board, the pieces off it, or who is to move, as in \"red to move\"",
                    excerpt(line)
                )));
            }
        }
        Ok(())
    }

    fn read_rank(&mut self, line: &str) {
        let (name, squares) = split_rank(line);
        let square = |text: &str| match text.split_whitespace().collect::<String>() {
            empty if empty.is_empty() => ".".to_owned(),
            pile => pile.to_ascii_lowercase(),
        };
        let squares: Vec<String> = squares.into_iter().map(square).collect();
        self.ranks.push((name.to_owned(), squares.join(",")));
    }

    /// Checks that ranks are listed from the top: a board from player 2's side is rejected.
    fn check_names(&self) -> Result<(), Rejection> {
        let numbers = (1..=self.ranks.len())
            .rev()
            .map(|number| number.to_string());
        for (number, (name, _)) in numbers.zip(&self.ranks) {
            if !name.is_empty() && *name != number {
                let name = excerpt(name);
                return Err(Rejection(format!("rank {number} is marked {name:?}")));
            }
        }
        Ok(())
    }
}

/// Checks the pieces off the board: a piece that is neither there nor visible is covered.
fn check_reserve(
    game: &Gobblet,
    position: &Position,
    side: Side,
    sizes: &str,
) -> Result<(), Rejection> {
    for size in 1..=game.largest() {
        let (on, off) = (position.pieces.count(side, size), n_of(sizes, size));
        let (colour, expected) = (colour(side), game.n_each());
        if on + off != expected {
            return Err(Rejection(format!(
                "{colour} has {} of size {size} on the board and {off} off it: expected {expected} in all \
                 (the style {PEEK} shows covered ones)",
                counted(on as usize, "piece")
            )));
        }
    }
    Ok(())
}

fn n_of(sizes: &str, size: Size) -> u32 {
    sizes.matches(&size.to_string()).count() as u32
}
