//! The text next to the field: the key of the letters, and the side to move or the result.

use kit::DrawRequest;

use super::caption::{explain, is_ruled_out, legal, level, turn};
use crate::moves::{Move, Moves};
use crate::position::GraphHockey;

/// The positions of the letters around the puck.
const KEY: [&str; 7] = [
    "          V",
    "        WERTY",
    "        Q   U",
    "  Z     A * I     L",
    "        S   K",
    "        DFGHJ",
    "          B",
];

/// The text next to the field.
pub(crate) struct Legend<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    legal: Moves,
}

impl Legend<'_> {
    pub(crate) fn new<'a>(
        game: &'a GraphHockey,
        request: &'a DrawRequest<'a, GraphHockey>,
    ) -> Legend<'a> {
        let legal = legal(game, request);
        Legend {
            game,
            request,
            legal,
        }
    }

    /// The side to move, the level in force and the last move, or the result of a finished game.
    pub(crate) fn notes(&self) -> Vec<String> {
        let position = self.request.position;
        let number = position.path.len();
        let last = position.path.last();
        let last = last.map(|mv| format!("last move: {mv} (number {number})"));
        if self.request.outcome.is_some() {
            let result = explain(self.game, position, self.request.outcome);
            return result.into_iter().chain(last).collect();
        }
        let turn = turn(self.game, position).to_owned();
        let level = level(self.game, position).to_owned();
        let notes = [turn, level].into_iter().chain(last);
        notes.chain([self.explanation().to_owned()]).collect()
    }

    /// The letters in their directions; none in a finished game.
    pub(crate) fn key(&self) -> Vec<String> {
        match self.request.outcome {
            None => KEY.iter().map(|line| self.key_line(line)).collect(),
            Some(_) => Vec::new(),
        }
    }

    /// A line of the key, with excluded moves in lower case and illegal moves as dots.
    fn key_line(&self, line: &str) -> String {
        let show = |sign: char| match Move::from_letter(sign) {
            Some(mv) if !self.is_legal(mv) => '.',
            Some(mv) if is_ruled_out(self.request, mv) => sign.to_ascii_lowercase(),
            _ => sign,
        };
        line.chars().map(show).collect()
    }

    fn is_legal(&self, mv: Move) -> bool {
        let mut legal = self.legal;
        legal.any(|other| other == mv)
    }

    fn explanation(&self) -> &'static str {
        let mut legal = self.legal;
        match legal.any(|mv| is_ruled_out(self.request, mv)) {
            true => "key: small letters are ruled out, dots not legal",
            false => "key: dots are not legal",
        }
    }
}
