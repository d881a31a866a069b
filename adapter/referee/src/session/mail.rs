//! Play by mail: a game as a letter, and letters read.
//!
//! A letter holds the board, all moves with their numbers, and whose turn it is. The answer quotes it, every line behind
//! `> `, and adds one line of its own: the number of the next move and its code. A letter of Linesman's own, with one
//! move more than the game has here, will do as well.

use std::cmp::Ordering;
use std::fmt::Write;

use kit::{Side, View};
use protocol::text::excerpt;

use super::journal::{Journal, unseen};
use super::typing::read_moves;
use super::{Table, TableError, Turn};
use crate::opening::Opening;

const ID: &str = "Linesman game ";
const GAME: &str = "Game: ";
const PLAYERS: [&str; 2] = ["Player 1: ", "Player 2: "];
const START: &str = "Start: ";

/// What a letter says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Email {
    /// Which game it is of.
    pub id: Option<String>,
    /// The game with its options, as the command line takes it.
    pub game: Option<String>,
    /// The names of the players.
    pub players: [Option<String>; 2],
    /// The position that the game began with.
    pub start: Option<Opening>,
    /// Numbered moves that are quoted from an earlier letter.
    pub quoted: Vec<(usize, String)>,
    /// Numbered moves that are not quoted.
    pub fresh: Vec<(usize, String)>,
}

impl Email {
    /// Reads a letter. What it does not understand, as greetings and boards, it passes over.
    pub fn parse(text: &str) -> Email {
        let mut letter = Email::default();
        for line in text.lines() {
            let (is_quoted, line) = unquote(line);
            letter.take_header(line);
            if let Some(numbered) = parse_numbered(line) {
                let moves = if is_quoted {
                    &mut letter.quoted
                } else {
                    &mut letter.fresh
                };
                moves.push(numbered);
            }
        }
        letter
    }

    fn take_header(&mut self, line: &str) {
        let value = |prefix: &str| {
            line.strip_prefix(prefix)
                .map(|value| value.trim().to_owned())
        };
        self.id = self.id.take().or_else(|| value(ID));
        self.game = self.game.take().or_else(|| value(GAME));
        self.start = self
            .start
            .take()
            .or_else(|| value(START).map(|text| Opening::parse(&text)));
        for (player, prefix) in self.players.iter_mut().zip(PLAYERS) {
            *player = player.take().or_else(|| value(prefix));
        }
    }

    /// The game that the letter tells, for someone who has not seen it: the moves that it quotes and its own one, or all its
    /// own where it quotes none.
    ///
    /// # Errors
    /// Says what is missing, or which move should not be there.
    pub fn tale(&self) -> Result<Journal, String> {
        let (Some(id), Some(start)) = (&self.id, &self.start) else {
            return Err(
                "it quotes no letter of Linesman's: expected one, each line behind \"> \""
                    .to_owned(),
            );
        };
        let mut tale = Journal::new(id.clone(), start.clone());
        for (index, (number, code)) in self.quoted.iter().chain(&self.fresh).enumerate() {
            check_number(*number, index + 1)?;
            tale.tree.grow(unseen(code.clone(), None));
        }
        match self.fresh.as_slice() {
            [_, second, ..] if !self.quoted.is_empty() => Err(format!(
                "move {} is there too: expected one new move",
                second.0
            )),
            _ => Ok(tale),
        }
    }
}

/// Whether a move is the next; if not, what is wrong with its number.
fn check_number(number: usize, next: usize) -> Result<(), String> {
    match number.cmp(&next) {
        Ordering::Less => Err(format!(
            "move {number} was played already: expected move {next}"
        )),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(format!("move {number} is too early: expected move {next}")),
    }
}

/// A line without its quotation marks, and whether it had any.
fn unquote(line: &str) -> (bool, &str) {
    let is_mark = |c: char| c == '>' || c.is_whitespace();
    let line = line.trim_end();
    if line.trim_start().starts_with('>') {
        (true, line.trim_start_matches(is_mark))
    } else {
        (false, line.trim_start())
    }
}

/// `3. e5`: the number with a full stop, a bracket or a colon, then the move.
fn parse_numbered(line: &str) -> Option<(usize, String)> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = line.split_at(digits);
    let code = rest
        .strip_prefix(['.', ')', ':'])?
        .trim_start_matches('.')
        .trim();
    let number = number.parse().ok().filter(|number| *number > 0)?;
    (!code.is_empty()).then(|| (number, code.to_owned()))
}

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
        for (number, text) in letter.quoted.iter().chain(&letter.fresh) {
            self.compare(*number, text)?;
        }
        if let Some((number, _)) = letter.quoted.iter().find(|(number, _)| *number >= next) {
            return refuse(format!(
                "it quotes move {number}, which is not played here: move {next} is next"
            ));
        }
        let mut new = letter.fresh.iter().filter(|(number, _)| *number >= next);
        let Some((number, text)) = new.next().or(letter.fresh.last()) else {
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

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "Hi,\n\n3. c3 -> c4\n\nBob\n> > 0. no\n> Linesman game 1a2b\n> Game: susan:Size=4\n> Player 1: Ann\n\
                          > Start: startpos\n>\n>     1 2 3\n> 1. e5\n> 2) b2\n>\n> Move 3 is for p1 (Ann).\n";

    #[test]
    fn a_letter_is_read() {
        let letter = Email::parse(LETTER);
        assert_eq!(letter.id.as_deref(), Some("1a2b"));
        assert_eq!(letter.game.as_deref(), Some("susan:Size=4"));
        assert_eq!(letter.players, [Some("Ann".to_owned()), None]);
        assert_eq!(letter.start, Some(Opening::default()));
        let moves = |moves: &[(usize, &str)]| -> Vec<(usize, String)> {
            moves
                .iter()
                .map(|(number, code)| (*number, (*code).to_owned()))
                .collect()
        };
        assert_eq!(letter.quoted, moves(&[(1, "e5"), (2, "b2")]));
        assert_eq!(letter.fresh, moves(&[(3, "c3 -> c4")]));
    }

    #[test]
    fn what_is_no_numbered_move_is_passed_over() {
        for line in [
            "1 2 3 4 5",
            "3 | R3 |",
            "a . . . 6",
            "0. e5",
            "3.",
            "99999999999999999999. e5",
            "x3. e5",
        ] {
            assert_eq!(parse_numbered(line), None, "{line}");
        }
        assert_eq!(parse_numbered("3... e5"), Some((3, "e5".to_owned())));
    }
}
