//! Play by e-mail: writes the game as an e-mail, and applies the one new turn of a reply.

use std::fmt::Write;
use std::time::Duration;

use kit::Side;
use protocol::text::excerpt;
use record::opening::Opening;
use record::table::{ClientId, Proposed, Turn};

use crate::email;
use crate::email::{DRAW, Email, GAME, ID, PLAYERS, RESIGN, START, TO_REPLY, check_number};
use crate::error::{TableError, refuse};
use crate::letter::{ascii, board, fold, header, quoted};
use crate::pending::DRAWN;
use crate::state::Table;
use crate::typing::read_moves;

impl Table {
    /// The game as an e-mail in 7-bit characters.
    pub(super) fn email(&self) -> String {
        let mut text = header(ID, &self.id) + &header(GAME, &self.plan.game.to_string());
        for (side, prefix) in Side::BOTH.into_iter().zip(PLAYERS) {
            text.push_str(&header(prefix, &quoted(&self.player_name(side))));
        }
        let start = self.opening.prefix(0);
        text.push_str(&header(START, &start.to_string()));
        let _ = write!(text, "\n{}\n\n", board(self.board()));
        let n_moves = self.moves().len();
        for (number, code) in (1..).zip(self.moves()) {
            let is_offered = number == n_moves && self.offer_of(self.side().other());
            let offer = if is_offered { ", draw" } else { "" };
            let _ = writeln!(text, "{number}. {code}{offer}");
        }
        if let Some(word) = self.last_word() {
            let _ = writeln!(text, "{}. {word}", n_moves + 1);
        }
        text.push_str(&self.closing());
        text
    }

    /// `true` if this side has an open draw offer.
    fn offer_of(&self, side: Side) -> bool {
        let proposal = self.proposal.as_ref().map(|pending| &pending.proposal);
        proposal
            .is_some_and(|proposal| proposal.what == Proposed::Draw && proposal.side == Some(side))
    }

    /// The word for a resignation or an accepted draw, if that ended the game.
    fn last_word(&self) -> Option<&'static str> {
        let ending = self.over.as_ref()?;
        let resigner = self.reason_name(self.seat_id(self.side()));
        let resigned = format!("{resigner} resigns");
        match ending.reason.as_str() {
            DRAWN => Some(DRAW),
            reason if reason == resigned => Some(RESIGN),
            _ => None,
        }
    }

    /// The last lines of the e-mail: the side to move, and instructions for the reply.
    fn closing(&self) -> String {
        if let Some(ending) = &self.over {
            let (result, reason) = (ending.result, ascii(&ending.reason));
            return format!(
                "\n{}",
                fold(&format!("The game is over: {result} {{{reason}}}"))
            );
        }
        let number = self.moves().len() + 1;
        let player = ascii(&self.player_and_side(self.side()));
        let opponent = self.side().other();
        let offer = if self.offer_of(opponent) {
            let opponent = ascii(&self.player_and_side(opponent));
            let offer = format!("{opponent} offers a draw: to agree, write   {number}. draw");
            format!("\n{}\n", fold(&offer))
        } else {
            String::new()
        };
        let answer = format!(
            "{TO_REPLY} quote this and write the number and the move on a separate line, as in   {number}. MOVE"
        );
        let next = fold(&format!("Move {number} is for {player}."));
        format!("{offer}\n{next}\n{}", fold(&answer))
    }

    /// Applies the one new turn of an e-mail: a move (no time is counted), a move with a draw offer, a resignation or an
    /// accepted draw. `client` is the sender of the request.
    ///
    /// # Errors
    /// The e-mail does not fit the game; the message gives the number of the move. The game is unchanged.
    pub(super) fn receive_email(&mut self, client: ClientId, text: &str) -> Result<(), TableError> {
        let email = Email::parse(text);
        let refuse = |why: String| Err(TableError::Refused(why));
        if email.id.as_ref().is_some_and(|id| *id != self.id) {
            return refuse(format!(
                "it belongs to another game: expected game {}",
                self.id
            ));
        }
        let next = self.moves().len() + 1;
        for (number, text) in email.quoted.iter().chain(&email.new) {
            self.compare(*number, text)?;
        }
        if let Some((number, _)) = email.quoted.iter().find(|(number, _)| *number >= next) {
            return refuse(format!(
                "it quotes move {number}, which was not played here: expected move {next} next"
            ));
        }
        let mut new = email.new.iter().filter(|(number, _)| *number >= next);
        let Some((number, text)) = new.next().or(email.new.last()) else {
            return refuse(format!(
                "no move in it: expected a line such as {next}. MOVE"
            ));
        };
        check_number(*number, next).map_err(TableError::Refused)?;
        match new.next() {
            Some((second, _)) if second == number => {
                refuse(format!("move {second} appears twice: expected it once"))
            }
            Some((second, _)) => {
                refuse(format!("move {second} is also new: expected one new move"))
            }
            None => self.receive_turn(client, *number, text),
        }
    }

    fn receive_turn(
        &mut self,
        client: ClientId,
        number: usize,
        text: &str,
    ) -> Result<(), TableError> {
        let named = |why: String| TableError::Refused(format!("move {number}: {why}"));
        match self.turn() {
            Turn::Person(_) => {}
            Turn::Over => return Err(named("the game is over".to_owned())),
            _ => {
                let player = self.player_and_side(self.side());
                let why = format!("{player}, an engine, is to move");
                return Err(named(why));
            }
        }
        let side = self.side();
        match email::Turn::parse(text) {
            email::Turn::Resign => self.resign_at(self.seat_id(side)),
            email::Turn::Draw if self.offer_of(side.other()) => self.agree_draw(),
            email::Turn::Draw => {
                let why =
                    "no draw is offered here: expected a move, and draw after it to offer one";
                Err(named(why.to_owned()))
            }
            email::Turn::Move { text, offers_draw } => {
                let codes = read_moves(self.board(), text).map_err(|why| named(why.to_string()))?;
                let [code] = codes.as_slice() else {
                    return Err(named(format!("{}: expected one move", excerpt(text))));
                };
                self.play_after(code, Duration::ZERO)?;
                if offers_draw && self.over.is_none() {
                    self.propose_draw(client, side)?;
                }
                Ok(())
            }
        }
    }

    /// Checks that a move of the e-mail, if it was already played here, is the same.
    fn compare(&self, number: usize, text: &str) -> Result<(), TableError> {
        let Some(played) = self.moves().get(number - 1) else {
            return Ok(());
        };
        let text = match email::Turn::parse(text) {
            email::Turn::Move { text, .. } => text,
            _ => text,
        };
        let board = self.rules.open(&Opening {
            fen: self.opening.fen.clone(),
            moves: self.moves()[..number - 1].to_vec(),
        })?;
        let told = read_moves(board.as_ref(), text)
            .ok()
            .and_then(|codes| codes.into_iter().next());
        if told.as_ref() == Some(played) {
            return Ok(());
        }
        refuse!(
            "move {number} is {played} here, and {} in the e-mail",
            excerpt(text)
        )
    }
}
