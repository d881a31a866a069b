//! A game as an e-mail, and the parser for e-mails.
//!
//! An e-mail contains the board, the numbered moves, and whose turn it is. A reply quotes it, each line prefixed with
//! `> `, and adds one unquoted line with the number of the next move and its code. The move may be followed by `, draw`
//! to offer a draw, or replaced by `resign`, or by `draw` to accept an offer. An e-mail written by Linesman is also a
//! reply if the receiving table lacks exactly one of its moves.

use std::cmp::Ordering;

use record::opening::Opening;

use crate::journal::{Journal, unsettled};
use crate::letter::{join_header, unquoted};

/// Words that replace or follow a move.
pub(crate) const RESIGN: &str = "resign";
pub(crate) const DRAW: &str = "draw";

pub(crate) const ID: &str = "Linesman game ";
pub(crate) const GAME: &str = "Game: ";
pub(crate) const PLAYERS: [&str; 2] = ["Player 1: ", "Player 2: "];
/// The first words of the line that explains how to reply.
pub const TO_REPLY: &str = "To reply,";

pub(crate) const START: &str = "Start: ";

/// The contents of a numbered line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn<'a> {
    /// A move, possibly with a draw offer.
    Move {
        /// The move as written.
        text: &'a str,
        /// `true` if the player offers a draw with it.
        offers_draw: bool,
    },
    /// The player to move resigns.
    Resign,
    /// The player to move accepts a draw.
    Draw,
}

impl Turn<'_> {
    /// Parses the text after the number.
    pub fn parse(text: &str) -> Turn<'_> {
        let is_end =
            |sign: char| sign.is_whitespace() || matches!(sign, '.' | '!' | '?' | ',' | ';');
        let text = text.trim_matches(is_end);
        if [RESIGN, "resigns", "i resign"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
        {
            return Turn::Resign;
        }
        if text.eq_ignore_ascii_case(DRAW) {
            return Turn::Draw;
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

/// The contents of an e-mail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Email {
    /// The id of the game.
    pub id: Option<String>,
    /// The game and its options, in the syntax of the command line.
    pub game: Option<String>,
    /// The players' names, indexed by side.
    pub players: [Option<String>; 2],
    /// The starting position.
    pub start: Option<Opening>,
    /// The numbered moves in quoted lines.
    pub quoted: Vec<(usize, String)>,
    /// The numbered moves in unquoted lines.
    pub new: Vec<(usize, String)>,
}

impl Email {
    /// Parses an e-mail. Lines that are neither headers nor numbered moves, such as greetings and boards, are skipped.
    pub fn parse(text: &str) -> Email {
        let mut email = Email::default();
        let mut lines = text.lines().map(unquote);
        while let Some((is_quoted, line)) = lines.next() {
            if is_header(line) {
                let line = join_header(line, || lines.next().map(|(_, line)| line));
                email.read_header(&line);
            } else if let Some(numbered) = parse_numbered(line) {
                let moves = if is_quoted {
                    &mut email.quoted
                } else {
                    &mut email.new
                };
                moves.push(numbered);
            }
        }
        email
    }

    fn read_header(&mut self, line: &str) {
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
            let named = || value(prefix).map(|text| unquoted(&text));
            *player = player.take().or_else(named);
        }
    }

    /// The game that the e-mail contains, for a reader who does not have it: the quoted moves and the new one, or all
    /// unquoted moves if none are quoted. A last line that is not a plain move is left out: see
    /// [`ends_otherwise`](Email::ends_otherwise).
    ///
    /// # Errors
    /// Information is missing, or a move is out of place; the message says which.
    pub fn journal(&self) -> Result<Journal, String> {
        let (Some(id), Some(start)) = (&self.id, &self.start) else {
            return Err(
                "it quotes no e-mail of Linesman: expected one, each line after \"> \"".to_owned(),
            );
        };
        let mut journal = Journal::new(id.clone(), start.clone());
        let told = self.quoted.iter().chain(&self.new);
        let n_moves = told.clone().count() - usize::from(self.ends_otherwise());
        for (index, (number, text)) in told.take(n_moves).enumerate() {
            check_number(*number, index + 1)?;
            match Turn::parse(text) {
                Turn::Move { text, .. } => journal.tree.grow(unsettled(text.to_owned(), None)),
                _ => {
                    return Err(format!(
                        "move {number} ends the game: expected no move after it"
                    ));
                }
            };
        }
        match self.new.as_slice() {
            [_, second, ..] if !self.quoted.is_empty() => Err(format!(
                "move {} is also new: expected one new move",
                second.0
            )),
            _ => Ok(journal),
        }
    }
}

impl Email {
    /// `true` if the last new line is not a plain move. Then the table applies it after it has loaded the game.
    pub fn ends_otherwise(&self) -> bool {
        let last = self.new.last().map(|(_, text)| Turn::parse(text));
        last.is_some_and(|last| {
            !matches!(
                last,
                Turn::Move {
                    offers_draw: false,
                    ..
                }
            )
        })
    }
}

/// Checks that `number` is the number of the next move.
pub(crate) fn check_number(number: usize, next: usize) -> Result<(), String> {
    match number.cmp(&next) {
        Ordering::Less => Err(format!(
            "move {number} was already played: expected move {next}"
        )),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(format!("move {number} is too early: expected move {next}")),
    }
}

fn is_header(line: &str) -> bool {
    let prefixes = [ID, GAME, START].into_iter().chain(PLAYERS);
    prefixes.into_iter().any(|prefix| line.starts_with(prefix))
}

/// A line without quotation marks, and whether it had any.
fn unquote(line: &str) -> (bool, &str) {
    let is_mark = |c: char| c == '>' || c.is_whitespace();
    let line = line.trim_end();
    if line.trim_start().starts_with('>') {
        (true, line.trim_start_matches(is_mark))
    } else {
        (false, line.trim_start())
    }
}

/// Parses a line such as `3. e5`: a number, then a full stop, a bracket or a colon, then the move.
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

#[cfg(test)]
mod tests {
    use super::*;

    const EMAIL: &str = "Hi,\n\n3. c3 -> c4\n\nBob\n> > 0. no\n> Linesman game 1a2b\n> Game: susan:Size=4\n> Player 1: Ann\n\
                          > Start: startpos\n>\n>     1 2 3\n> 1. e5\n> 2) b2\n>\n> Move 3 is for p1 (Ann).\n";

    #[test]
    fn an_email_is_read() {
        let email = Email::parse(EMAIL);
        assert_eq!(email.id.as_deref(), Some("1a2b"));
        assert_eq!(email.game.as_deref(), Some("susan:Size=4"));
        assert_eq!(email.players, [Some("Ann".to_owned()), None]);
        assert_eq!(email.start, Some(Opening::default()));
        let moves = |moves: &[(usize, &str)]| -> Vec<(usize, String)> {
            moves
                .iter()
                .map(|(number, code)| (*number, (*code).to_owned()))
                .collect()
        };
        assert_eq!(email.quoted, moves(&[(1, "e5"), (2, "b2")]));
        assert_eq!(email.new, moves(&[(3, "c3 -> c4")]));
    }

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
            ("Resign.", Turn::Resign),
            ("I resign", Turn::Resign),
            ("draw", Turn::Draw),
            ("withdraw", plain("withdraw")),
            ("\u{e9}", plain("\u{e9}")),
        ] {
            assert_eq!(Turn::parse(text), turn, "{text}");
        }
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
