//! Move codes, and where the rest of the game's text comes together: position strings are in `fen`, figures
//! are drawn in `diagram` and read in `figure`.

use kit::notation::excerpt;
use kit::{DrawRequest, Notation, Rejection, Setup, Side};

use crate::board::Square;
use crate::rules::{Entropy, Move, Position};
use crate::{diagram, fen, figure};

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    match side {
        Side::P1 => 'o',
        Side::P2 => 's',
    }
}

impl Notation for Entropy {
    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Slide { from, to } => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, _position: &Position, code: &str) -> Result<Move, Rejection> {
        if code.trim().eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let (from, to) = code
            .split_once('-')
            .ok_or("expected two squares such as a4-c4, or pass")?;
        Ok(Move::Slide {
            from: parse_square(from)?,
            to: parse_square(to)?,
        })
    }

    fn format_position(&self, position: &Position) -> String {
        fen::format(position)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Entropy>, Rejection> {
        let position = if figure::is_figure(text) {
            figure::parse(text)?
        } else {
            fen::parse(text)?
        };
        Ok(Setup::at((self.clone(), position)))
    }

    fn draw(&self, scene: &DrawRequest<Entropy>) -> String {
        diagram::draw(self, scene)
    }
}

fn parse_square(word: &str) -> Result<Square, Rejection> {
    let word = word.trim();
    let [file, rank] = word.as_bytes() else {
        return Err(not_a_square(word));
    };
    let file = file.to_ascii_lowercase().wrapping_sub(b'a');
    let rank = rank.wrapping_sub(b'1');
    Square::new(file, rank).ok_or_else(|| not_a_square(word))
}

fn not_a_square(word: &str) -> Rejection {
    Rejection(format!(
        "{:?} is not a square: expected a1 to e5",
        excerpt(word)
    ))
}
