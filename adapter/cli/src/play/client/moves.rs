//! Typed moves.

use std::time::Instant;

use protocol::text::excerpt;
use table::blunder::{Blunder, blunder_check};
use table::typing::{TypingError, read_moves};
use table::{Refusal, TableCommand, Turn, Voice};

use super::Client;
use crate::play::word;

impl Client<'_> {
    /// Plays a line that is not a word: a move, or several if this person plays both sides.
    pub(super) fn moves(&mut self, at: Instant, text: &str, asked: Option<&str>) {
        let read = read_moves(self.game.board(), text);
        let codes = match (read, self.why_no_move()) {
            (Err(error @ TypingError::NoMove(_)), _) => {
                return self.refuse_move(&self.explain(text, &error));
            }
            (_, Some(why)) => return self.refuse_move(&why.sentence(Voice::Console)),
            (Err(error), None) => return self.refuse_move(&self.explain(text, &error)),
            (Ok(codes), None) => codes,
        };
        let Some((first, rest)) = codes.split_first() else {
            return;
        };
        if !rest.is_empty() && !self.plays_both() {
            return self.refuse(&format!(
                "{}: {} moves in one line: expected one, since the next move is not yours",
                excerpt(text),
                codes.len()
            ));
        }
        if let Some(question) = self.question(first, asked) {
            return self.say(&question);
        }
        self.queue.push_front(at, rest);
        let command = TableCommand::Play {
            code: first.clone(),
            from: Some(self.game.here()),
        };
        self.ask_at(command, at);
    }

    /// The reason that this person cannot move now.
    fn why_no_move(&self) -> Option<Refusal> {
        let game = &self.game;
        match game.turn() {
            Turn::Over => Some(Refusal::GameOver),
            _ if game.may_move() => None,
            turn if game.has_seat() => Some(turn.side().map_or(Refusal::Starting, |side| {
                let player = game.named(game.next_name(side), side);
                Refusal::OthersTurn { player }
            })),
            _ => Some(Refusal::NotPlaying),
        }
    }

    /// Joins the moves of several lines into one line if this person plays both sides, so that either all or none are
    /// played.
    pub(super) fn join_moves(&self, lines: &[&str]) -> Option<String> {
        // Two cells in two lines are two moves, not a slide.
        let joined = lines.join("; ");
        let are_moves = || match read_moves(self.game.board(), &joined) {
            Ok(codes) => codes.len() > 1,
            Err(TypingError::Illegal { .. }) => true,
            Err(TypingError::NoMove(_)) => false,
        };
        (lines.len() > 1 && self.paste.is_none() && self.plays_both() && are_moves())
            .then_some(joined)
    }

    fn plays_both(&self) -> bool {
        kit::Side::BOTH
            .iter()
            .all(|side| self.game.plays_alone(*side))
    }

    /// The question before a move that loses at once. It is asked only once, and does not reveal the opponent's reply.
    /// If one person plays both sides, there is none, since the opponent would read it.
    fn question(&mut self, code: &str, asked: Option<&str>) -> Option<String> {
        if self.plays_both() || !self.screen.input_mode().asks_twice || asked == Some(code) {
            return None;
        }
        let why = match blunder_check(self.game.board(), code)? {
            Blunder::Loses => format!("{code} loses at once"),
            Blunder::LetsWin => {
                let opponent = self.game.side_name(self.game.board().side().other());
                format!("{code} lets {opponent} win at once")
            }
        };
        self.talk.pending_confirmation = Some(code.to_owned());
        let again = match self.keys {
            Some(_) => "Enter again plays it",
            None => "type it again to play it, or another move",
        };
        Some(format!("{why}: {again}"))
    }

    /// The error for a text that is neither a word nor a legal move.
    fn explain(&self, text: &str, error: &TypingError) -> String {
        match (error, word::nearest(text)) {
            (TypingError::NoMove(why), _) if text.eq_ignore_ascii_case("pass") => {
                format!("{why} in {}", self.game.rules().entry().about().title)
            }
            (TypingError::NoMove(why), Some(word)) => {
                format!("{why}; or did you mean the command {word}?")
            }
            (TypingError::NoMove(why), None) => format!("{why}; ? lists the commands"),
            (TypingError::Illegal { .. }, _) => error.to_string(),
        }
    }
}
