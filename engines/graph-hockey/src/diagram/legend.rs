//! The text below the field: the key of the letters and whose turn it is, or the result.

use kit::DrawRequest;

use super::caption::{explain, is_ruled_out, legal, level, turn};
use crate::moves::{Move, Moves};
use crate::rules::GraphHockey;

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

/// The text below the field: the key of the letters with the state of the game beside it, or the result of a finished
/// game.
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

    pub(crate) fn lines(&self) -> Vec<String> {
        let last = self.request.position.path.last();
        let number = self.request.position.path.len();
        let last = last.map(|mv| format!("last move: {mv} (number {number})"));
        if self.request.outcome.is_some() {
            return explain(self.request.outcome)
                .into_iter()
                .chain(last)
                .collect();
        }
        let level = level(self.game, self.request.position).to_owned();
        let notes = [
            "".to_owned(),
            turn(self.game, self.request.position).to_owned(),
            level,
        ];
        let notes = notes
            .into_iter()
            .chain(last)
            .chain([self.explanation().to_owned()]);
        let notes = notes.chain(std::iter::repeat_with(String::new));
        KEY.iter()
            .zip(notes)
            .map(|(key, note)| format!("{:26}{note}", self.key(key)).trim_end().to_owned())
            .collect()
    }

    /// A line of the key, with ruled-out moves in lower case and illegal moves as dots.
    fn key(&self, line: &str) -> String {
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
