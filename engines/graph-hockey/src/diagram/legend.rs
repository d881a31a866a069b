//! What stands below the field: the key of the letters, whose turn it is, or how the game ended.

use kit::{DrawRequest, Game, Outcome, Side};

use crate::moves::{Move, Moves};
use crate::rules::{GraphHockey, Level, Position};

/// Where the letters stand around the puck.
const KEY: [&str; 7] = [
    "          V",
    "        WERTY",
    "        Q   U",
    "  Z     A * I     L",
    "        S   K",
    "        DFGHJ",
    "          B",
];

/// What stands below the field: the key of the letters, and beside it what there is to say; of a finished game, how
/// it ended.
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
        if let Some(outcome) = self.request.outcome {
            return [result(outcome)].into_iter().chain(last).collect();
        }
        let level = level(self.game, self.request.position).to_owned();
        let notes = ["".to_owned(), self.turn().to_owned(), level];
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

    fn turn(&self) -> &'static str {
        match self.game.side(self.request.position) {
            Side::P1 => "p1 to move, towards the bottom goal",
            Side::P2 => "p2 to move, towards the top goal",
        }
    }

    /// A line of the key: moves that are ruled out in small letters, those that are not legal as dots.
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

fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(Side::P1) => "p1 has won: the puck is in the bottom goal".to_owned(),
        Outcome::Win(Side::P2) => "p2 has won: the puck is in the top goal".to_owned(),
        Outcome::Draw => "a draw: this position stands for the third time".to_owned(),
    }
}

fn level(game: &GraphHockey, position: &Position) -> &'static str {
    match game.level(position).0 {
        Level::Ordinary => "no line may be touched or crossed",
        Level::FreeJump => "free jump: lines may be crossed",
        Level::Strangeness => "strangeness: any move inside the boundary",
    }
}

/// The moves that are legal; none when the game is over.
pub(crate) fn legal(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Moves {
    match request.outcome {
        None => game.level(request.position).1,
        Some(_) => Moves::default(),
    }
}

/// Whether the person has ruled a move out.
pub(crate) fn is_ruled_out(request: &DrawRequest<GraphHockey>, mv: Move) -> bool {
    let is_it = |code: &String| code.eq_ignore_ascii_case(&mv.to_string());
    request.view.ruled_out.iter().any(is_it)
}
