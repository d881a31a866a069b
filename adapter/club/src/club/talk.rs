//! Messages to users, and notes on games.

use protocol::text::visible;
use referee::date::moment;
use rusqlite::params;

use super::board::BoardState;
use super::boards::AtBoard;
use super::work::Work;
use crate::email::{wrap, wrap_lines};
use crate::error::{Answer, misread, refuse};
use crate::outbox::Draft;
use crate::script::{Line, Words};

/// Maximum length of a message to a user, in characters.
const MAX_TEXT: usize = 4000;

/// Maximum length of a note in characters, and maximum number of notes per game.
const MAX_NOTE: usize = 500;
const MAX_NOTES: i64 = 200;

impl Work<'_> {
    /// `message USER TOKEN`, with the text below. Neither user learns the other's address.
    pub(super) fn message(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let from = self.account(line, &mut words)?;
        let to = self.known_user(words.next().unwrap_or_default())?;
        words.end("message USER TOKEN, and the text below")?;
        self.refuse_unwanted(&from, &to)?;
        if !to.is_reachable() {
            return refuse!("{to} cannot receive e-mails");
        }
        let text = passed_on(&line.text, MAX_TEXT);
        if text.is_empty() {
            return refuse!("no text in it: write it below the command");
        }
        let how = wrap(&format!(
            "To reply, send the command   message {from} TOKEN   with your text below it."
        ));
        let text = wrap_lines(&text);
        let body = format!("{from} writes:\n\n{text}\n\n{how}\n");
        self.post(&Draft::to(&to, format!("A message from {from}"), body))?;
        Ok(format!("Your message was sent to {to}."))
    }

    /// `note BOARD USER TOKEN`, with the text after it or below: stored with the game, and mailed to the opponent.
    pub(super) fn note(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        let id = at.board.id;
        if !words.rest().is_empty() && !at.is_explicit {
            return misread!("note needs the number of the board: expected note {id} TEXT");
        }
        let AtBoard {
            board, user, side, ..
        } = at;
        let to = self.user(board.players[side.other().index()])?;
        self.refuse_unwanted(&user, &to)?;
        if !matches!(board.state, BoardState::Playing | BoardState::Over) {
            return refuse!("board {id} has no game yet");
        }
        let text = passed_on(&format!("{}\n{}", words.rest(), line.text), MAX_NOTE);
        if text.is_empty() {
            return refuse!("no text in it: write it after the command");
        }
        let n_notes = self.count("notes WHERE board = ?1", [id])?;
        if n_notes >= MAX_NOTES {
            return refuse!("board {id} already has {n_notes} notes, the maximum");
        }
        let insert = "INSERT INTO notes (board, user, at, text) VALUES (?1, ?2, ?3, ?4)";
        let row = params![id, user.id, self.now, text];
        self.db.execute(insert, row)?;
        let body = format!("{user} notes:\n\n{}\n", wrap_lines(&text));
        self.post_about(&board, &to, &format!("a note from {user}"), body)?;
        Ok(format!("Noted on board {id}."))
    }

    /// Formats the notes of a game, each with author and date.
    pub(super) fn notes(&self, board: i64) -> Answer<String> {
        let mut query = self.db.prepare(
            "SELECT name, at, text FROM notes JOIN users ON users.id = user WHERE board = ?1 ORDER BY notes.id",
        )?;
        let notes = query.query_map([board], |row| {
            let (name, at, text): (String, i64, String) = row.try_into()?;
            let text = wrap_lines(&text);
            Ok(format!("\n\n{name}, {}:\n{text}", moment(at)))
        })?;
        let notes: Vec<String> = notes.collect::<Result<_, _>>()?;
        Ok(notes.concat())
    }
}

/// Cleans a text that is passed to other users: removes invisible characters and cuts it to `max` characters.
fn passed_on(text: &str, max: usize) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    let text: String = lines.join("\n").chars().take(max).collect();
    text.trim().to_owned()
}
