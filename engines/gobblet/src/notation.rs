//! Move codes, and where the rest of the game's text comes together: position strings are in `fen`, boards are
//! drawn in `diagram` and read in `figure`.

use kit::figure::is_figure;
use kit::notation::excerpt;
use kit::{DrawRequest, Notation, Rejection, Setup, Side};

use crate::geometry::Square;
use crate::pieces::Size;
use crate::rules::{Gobblet, Move, Origin, Position, SIZE};
use crate::{diagram, fen, figure};

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    match side {
        Side::P1 => 'r',
        Side::P2 => 'y',
    }
}

/// The colour of a player's pieces.
pub(crate) fn colour(side: Side) -> &'static str {
    match side {
        Side::P1 => "red",
        Side::P2 => "yellow",
    }
}

impl Notation for Gobblet {
    const STYLES: &'static [&'static str] = &[diagram::PEEK];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![(SIZE, self.board.width().to_string())]
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        match mv.from {
            Origin::Reserve(size) => format!("{size}@{}", mv.to),
            Origin::Square(from) => format!("{from}-{}", mv.to),
        }
    }

    fn parse_move(&self, _position: &Position, code: &str) -> Result<Move, Rejection> {
        let (from, to) = if let Some((size, to)) = code.split_once('@') {
            (Origin::Reserve(self.parse_size(size)?), to)
        } else if let Some((from, to)) = code.split_once('-') {
            (Origin::Square(self.parse_square(from)?), to)
        } else {
            return Err("expected a placement such as 3@b2 or a move such as a1-b2".into());
        };
        let to = self.parse_square(to)?;
        Ok(Move { from, to })
    }

    fn format_position(&self, position: &Position) -> String {
        fen::format(self, position)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Gobblet>, Rejection> {
        let read = if is_figure(text) {
            figure::parse(text)?
        } else {
            fen::parse(text)?
        };
        Ok(Setup::at(read))
    }

    fn draw(&self, scene: &DrawRequest<Gobblet>) -> String {
        diagram::draw(self, scene)
    }
}

impl Gobblet {
    fn parse_size(&self, word: &str) -> Result<Size, Rejection> {
        let word = word.trim();
        let size = word.parse().ok().filter(|_| word.len() == 1);
        size.filter(|size| (1..=self.largest()).contains(size))
            .ok_or_else(|| {
                let (word, largest) = (excerpt(word), self.largest());
                Rejection(format!(
                    "no piece has size {word:?}: expected 1 to {largest}"
                ))
            })
    }

    fn parse_square(&self, word: &str) -> Result<Square, Rejection> {
        let word = word.trim();
        self.find_square(word).ok_or_else(|| {
            let (word, width) = (excerpt(word), self.board.width());
            let last = Square::at(width - 1, width - 1);
            Rejection(format!("no square {word:?}: expected a1 to {last}"))
        })
    }

    fn find_square(&self, word: &str) -> Option<Square> {
        let [file, rank] = word.as_bytes() else {
            return None;
        };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'1');
        let width = self.board.width();
        (file < width && rank < width).then(|| Square::at(file, rank))
    }
}
