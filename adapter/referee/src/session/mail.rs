//! Play by mail: a game as a letter, and letters read.

use std::fmt::Write;

use kit::{Side, View};
use protocol::text::excerpt;

use super::{Table, TableError, Turn};
use crate::opening::Opening;
use crate::table::email::{GAME, ID, PLAYERS, START, check_number};
use crate::table::typing::read_moves;

pub use crate::table::email::Email;

impl Table {
    /// The game as a letter, in 7-bit characters.
    pub fn letter(&self) -> String {
        let mut text = format!("{ID}{}\n{GAME}{}\n", self.id, self.plan.game);
        for (side, prefix) in Side::BOTH.into_iter().zip(PLAYERS) {
            let _ = writeln!(text, "{prefix}{}", self.name(side));
        }
        let start = Opening {
            fen: self.opening.fen.clone(),
            moves: Vec::new(),
        };
        let view = View {
            is_ascii: true,
            ..View::default()
        };
        let _ = write!(text, "{START}{start}\n\n{}\n\n", self.board().draw(view));
        for (number, code) in (1..).zip(self.moves()) {
            let _ = writeln!(text, "{number}. {code}");
        }
        text.push_str(&self.closing());
        text
    }

    /// Whose turn it is, and how to answer.
    fn closing(&self) -> String {
        match &self.over {
            Some(ending) => format!(
                "\nThe game is over: {} {{{}}}",
                ending.result, ending.reason
            ),
            None => {
                let (side, number) = (self.side(), self.moves().len() + 1);
                let name = self.name(side);
                format!(
                    "\nMove {number} is for {side} ({name}). To answer, quote this and write the number and the move on\n\
                     a line of its own, as in   {number}. MOVE"
                )
            }
        }
    }

    /// Takes the one new move of a letter, and returns its number and code; no clock runs for it.
    ///
    /// # Errors
    /// Says what is wrong with the letter, by the number of the move; the game is as it was.
    pub fn take_letter(&mut self, letter: &Email) -> Result<(usize, String), TableError> {
        let refuse = |why: String| Err(TableError::Refused(why));
        if letter.id.as_ref().is_some_and(|id| *id != self.id) {
            return refuse(format!("it is of another game: expected game {}", self.id));
        }
        let next = self.moves().len() + 1;
        for (number, text) in letter.quoted.iter().chain(&letter.new) {
            self.compare(*number, text)?;
        }
        if let Some((number, _)) = letter.quoted.iter().find(|(number, _)| *number >= next) {
            return refuse(format!(
                "it quotes move {number}, which is not played here: move {next} is next"
            ));
        }
        let mut new = letter.new.iter().filter(|(number, _)| *number >= next);
        let Some((number, text)) = new.next().or(letter.new.last()) else {
            return refuse(format!(
                "no move in it: expected a line such as {next}. MOVE"
            ));
        };
        check_number(*number, next).map_err(TableError::Refused)?;
        match new.next() {
            Some((second, _)) if second == number => {
                refuse(format!("move {second} is there twice: expected it once"))
            }
            Some((second, _)) => {
                refuse(format!("move {second} is there too: expected one new move"))
            }
            None => self.take_move(*number, text),
        }
    }

    fn take_move(&mut self, number: usize, text: &str) -> Result<(usize, String), TableError> {
        let named = |why: String| TableError::Refused(format!("move {number}: {why}"));
        if let Turn::Engine(side) | Turn::Held(side) = self.turn() {
            return Err(named(format!(
                "it is the turn of {side}, which an engine plays"
            )));
        }
        let codes = read_moves(self.board(), text).map_err(|why| named(why.to_string()))?;
        let [code] = codes.as_slice() else {
            return Err(named(format!("{}: expected one move", excerpt(text))));
        };
        self.play(code, std::time::Duration::ZERO)?;
        Ok((number, code.clone()))
    }

    /// A move that is told must be the one that was played.
    fn compare(&self, number: usize, text: &str) -> Result<(), TableError> {
        let Some(played) = self.moves().get(number - 1) else {
            return Ok(());
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
        let why = format!(
            "move {number} is {played} here, and {} in the letter",
            excerpt(text)
        );
        Err(TableError::Refused(why))
    }

    /// Whether a game can begin so.
    pub fn accepts(&self, opening: &Opening) -> bool {
        self.rules.open(opening).is_ok()
    }

    /// The opening that a pasted position is, a string or a diagram.
    pub fn read_position(&self, text: &str) -> Result<Opening, TableError> {
        let opening = |fen: String| Opening {
            fen: Some(fen),
            moves: Vec::new(),
        };
        let board = self.rules.open(&opening(text.to_owned()))?;
        Ok(opening(board.fen()))
    }
}
