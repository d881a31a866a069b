//! The move in a reply: alone on its line, with or without its number.

use kit::DynHistory;
use table::CommandId;
use table::typing::{TypingError, read_moves};

use super::boards::BoardState;
use super::work::Work;
use crate::error::{Answer, ClubError, refuse};
use crate::game::Engines;
use crate::script::{OwnLine, word};

/// Words in place of a move.
const ACTIONS: [(&str, CommandId); 4] = [
    ("resign", CommandId::Resign),
    ("resigns", CommandId::Resign),
    ("i resign", CommandId::Resign),
    (DRAW, CommandId::OfferDraw),
];

/// A draw offer after a move.
const DRAW: &str = "draw";

/// The turn that a line contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn<'a> {
    /// A move, possibly with a draw offer.
    Move {
        /// The move as written.
        text: &'a str,
        /// `true` if the player offers a draw with it.
        offers_draw: bool,
    },
    /// An action in place of a move.
    Action(CommandId),
}

impl Turn<'_> {
    /// Parses the text of a line after the number.
    pub(super) fn parse(text: &str) -> Turn<'_> {
        let is_end =
            |sign: char| sign.is_whitespace() || matches!(sign, '.' | '!' | '?' | ',' | ';');
        let text = text.trim_matches(is_end);
        let mut actions = ACTIONS.iter();
        if let Some((_, id)) = actions.find(|(word, _)| text.eq_ignore_ascii_case(word)) {
            return Turn::Action(*id);
        }
        let at = text.len().saturating_sub(DRAW.len());
        let (before, last) = text.split_at_checked(at).unwrap_or((text, ""));
        let offers_draw = last.eq_ignore_ascii_case(DRAW) && before.ends_with(is_end);
        let text = if offers_draw {
            before.trim_end_matches(is_end)
        } else {
            text
        };
        Turn::Move { text, offers_draw }
    }
}

impl Work<'_> {
    /// Returns the line of an answer to a board that contains its move: the first one that is neither a command nor
    /// [`is_agreement`](Work::is_agreement) if that is a move, else the only one below it. `None` if there is none, or if
    /// the message answers no game in play.
    ///
    /// # Errors
    /// Several lines are moves.
    pub(super) fn turn_of_answer<'l>(&self, script: &'l [OwnLine]) -> Answer<Option<&'l OwnLine>> {
        let lines = || {
            let lines = script.iter();
            lines.filter(|own| own.command.is_none() && !self.is_agreement(own))
        };
        let answered = self.answered_board();
        let (Some(id), Some(first)) = (answered, lines().next()) else {
            return Ok(None);
        };
        let board = self.board(id)?;
        if board.state != BoardState::Playing {
            return Ok(None);
        }
        let closed = self.open(&board, Engines::Held)?.close()?;
        let position = closed.game.board();
        let read = |own: &OwnLine| match Turn::parse(numbered(&own.text).0) {
            Turn::Move { text, .. } => read_moves(position, text),
            Turn::Action(_) => Ok(Vec::new()),
        };
        if !matches!(read(first), Err(TypingError::NoMove(_))) {
            return Ok(Some(first));
        }
        let is_move = |own: &&OwnLine| read(own).is_ok_and(|codes| codes.len() == 1);
        // A copy of the game in the reply has the numbers of earlier moves.
        let is_new = |own: &&OwnLine| {
            let number = numbered(&own.text).1;
            number.is_none_or(|number| number > position.ply())
        };
        let mut moves = lines().filter(is_move).filter(is_new);
        match (moves.next(), moves.next()) {
            (Some(one), Some(other)) => {
                let [one, other] = [one, other].map(|own| word(&own.text));
                refuse!("{one} and {other} are moves: send one")
            }
            (only, _) => Ok(only),
        }
    }

    /// `true` if a line of an answer to a board asks to end the game, as in `Draw?` or `I resign.`
    pub(super) fn is_agreement(&self, own: &OwnLine) -> bool {
        let is_about_board = self.answered_board().is_some();
        let turn = Turn::parse(numbered(&own.text).0);
        is_about_board && own.command.is_none() && matches!(turn, Turn::Action(_))
    }
}

/// Parses a text as a single legal move.
pub(super) fn read_one(position: &dyn DynHistory, text: &str) -> Answer<String> {
    let codes = read_moves(position, text).map_err(|why| match why {
        TypingError::NoMove(why) => ClubError::Misread(why),
        // The club has no command that lists the moves.
        TypingError::Illegal { why, legal, .. } if legal.is_empty() => ClubError::Refused(why),
        why => ClubError::Refused(why.to_string()),
    })?;
    match <[String; 1]>::try_from(codes) {
        Ok([code]) => Ok(code),
        Err(_) => refuse!("{}: expected one move", word(text)),
    }
}

/// Splits a move from its number, which comes first as in `5. e5` or last as in `e5#5`.
pub(super) fn numbered(text: &str) -> (&str, Option<usize>) {
    let text = text.trim();
    if let Some((code, number)) = text.rsplit_once('#')
        && let Ok(number) = number.trim().parse()
    {
        return (code.trim(), Some(number));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &text[digits..];
    match (text[..digits].parse(), rest.strip_prefix(['.', ')', ':'])) {
        (Ok(number), Some(code)) => (code.trim_start_matches('.').trim(), Some(number)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_more_than_a_move() {
        let plain = |text| Turn::Move {
            text,
            offers_draw: false,
        };
        let offer = |text| Turn::Move {
            text,
            offers_draw: true,
        };
        for (text, turn) in [
            ("b2 -> c3", plain("b2 -> c3")),
            ("c3, draw", offer("c3")),
            ("c3 Draw?", offer("c3")),
            ("C3; draw!", offer("C3")),
            ("Resign.", Turn::Action(CommandId::Resign)),
            ("I resign", Turn::Action(CommandId::Resign)),
            ("draw", Turn::Action(CommandId::OfferDraw)),
            ("withdraw", plain("withdraw")),
            ("\u{e9}", plain("\u{e9}")),
        ] {
            assert_eq!(Turn::parse(text), turn, "{text}");
        }
    }

    #[test]
    fn a_number_stands_on_either_side() {
        for (text, code, number) in [
            ("e5#3", "e5", Some(3)),
            ("b2 -> c3 # 12", "b2 -> c3", Some(12)),
            ("3. e5", "e5", Some(3)),
            ("3... e5", "e5", Some(3)),
            ("3) e5", "e5", Some(3)),
            ("3@b2", "3@b2", None),
            ("#3", "", Some(3)),
            ("e5#", "e5#", None),
            ("99999999999999999999. e5", "99999999999999999999. e5", None),
        ] {
            assert_eq!(numbered(text), (code, number), "{text}");
        }
    }
}
