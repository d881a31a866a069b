//! One person's dialogue with a table: lines become requests, events become text.
//!
//! The person who started the program and each guest at a socket have separate [`Client`]s. `events` has the loop, and shows
//! the events; `typed` reads keys and lines and plays their moves, `keys` are those of the painted screen, `requests`,
//! `setup` and `puzzles` execute words, `output` writes to the screen or paints it, with the `panel` next to the board.

mod events;
mod keys;
mod output;
mod panel;
mod puzzles;
mod requests;
mod setup;
mod typed;

use kit::fen::counted;
use std::sync::Arc;
use std::time::Instant;

use keys::Keys;
use puzzles::{PuzzleInPlay, PuzzleScore};
use record::opening::Opening;
use setup::Paste;
use table::{
    ClientGame, CommandId, RequestId, Role, RunningStudy, SideSet, TableClient, TableCommand,
    TableSession, Turn,
};
use typed::Queue;

use super::another::Tables;
use super::line::InputLine;
use super::screen::Screen;
use super::socket::join::Door;
use super::style::BoardStyle;
use crate::args::PuzzleSet;

/// Maximum number of events, or of typed letters, that are shown together.
const BATCH: usize = 64;

/// The end of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// The table has ended; `is_error` if it failed.
    Closed { why: String, is_error: bool },
    /// The person left.
    Left,
    /// A guest sent more than the limit.
    Flooded,
}

/// The result of a dialogue.
pub(crate) struct Left {
    pub(crate) end: End,
    pub(crate) game: ClientGame,
    /// Number of lines that were refused.
    pub(crate) n_refused: usize,
}

/// A person at a table.
pub(crate) struct Client<'a> {
    table: TableClient,
    game: ClientGame,
    screen: &'a mut dyn Screen,
    style: BoardStyle,
    /// The state of the dialogue at this table.
    pub(crate) talk: Talk,
    /// The line that is typed at a terminal.
    line: InputLine,
    /// Lines to be executed.
    queue: Queue,
    /// The earliest time of the next message about it.
    progress_at: Option<Instant>,
    /// The screen is painted; at a prompt it is not.
    is_painted: bool,
    /// The state of the painted screen.
    keys: Keys,
    /// The screen is painted as soon as no position is being entered.
    pub(crate) returns_to_keys: bool,
    /// A position that is being entered.
    paste: Option<Paste>,
    /// Output that was not shown yet, in whole lines.
    out: String,
    /// Number of lines that were refused.
    n_refused: usize,
    /// Set by a change of the position, cleared when the board is shown.
    is_changed: bool,
    end: Option<End>,
    /// Opens a table for another game; the host only.
    pub(crate) another: Option<&'a mut Tables>,
    /// Admits the guests; the host of a table with guests only.
    pub(crate) door: Option<Arc<Door>>,
    /// The puzzle that the table is setting up.
    next_puzzle: Option<PuzzleInPlay>,
}

/// The state of the dialogue at one table.
#[derive(Default)]
pub(crate) struct Talk {
    /// The request whose answer the next line waits for.
    pending: Option<(RequestId, CommandId)>,
    /// The running analysis or review that this person started.
    study: Option<RunningStudy>,
    /// The word or move that is executed if it is typed again.
    pending_confirmation: Option<String>,
    /// The command or move that the current line executes if it is this text.
    confirmed: Option<String>,
    /// Set after the notice that the board does not fit the screen.
    warned_clipped: bool,
    /// A text with a board that was pasted without `setup`, until the next line.
    pub(crate) held: Option<String>,
    /// Set when a board of this table has been shown.
    has_shown_board: bool,
    /// `true` while the event `turn` after a move is still to come.
    is_turn_due: bool,
    /// Set by a change of players, cleared when the seats are shown.
    has_new_seats: bool,
    /// The time of the notice that an engine thinks.
    thinking_notice_at: Option<Instant>,
    /// The puzzles of this game, once they are needed.
    pub(crate) puzzle_set: Option<PuzzleSet>,
    /// The puzzle at the table.
    puzzle: Option<PuzzleInPlay>,
    puzzle_score: PuzzleScore,
    /// The start of the games before the first puzzle, and the sides that engines played; `new` returns to them.
    before_puzzles: Option<(Opening, SideSet)>,
}

impl<'a> Client<'a> {
    /// A client that has joined a table, with its copy of the game.
    pub(crate) fn new(
        session: TableSession,
        screen: &'a mut dyn Screen,
        style: BoardStyle,
    ) -> Client<'a> {
        Client {
            table: session.client,
            game: session.game,
            screen,
            style,
            talk: Talk::default(),
            line: InputLine::default(),
            queue: Queue::default(),
            progress_at: None,
            is_painted: false,
            keys: Keys::default(),
            returns_to_keys: false,
            paste: None,
            out: String::new(),
            n_refused: 0,
            is_changed: true,
            end: None,
            another: None,
            door: None,
            next_puzzle: None,
        }
    }
}

impl Client<'_> {
    /// Continues at another table; only the personal settings are kept.
    fn change_table(&mut self, session: TableSession) {
        self.hide_said();
        (self.table, self.game) = (session.client, session.game);
        let styles = self.game.board().styles();
        if !styles.contains(&self.style.name.as_str()) {
            self.style.name.clear();
        }
        self.style.unmarked.clear();
        self.talk = Talk::default();
        self.is_changed = true;
        if self.is_painted {
            self.take_keys();
        }
    }

    /// Handles Ctrl-C: it makes a thinking engine move at once; if no engine thinks, it asks before leaving.
    fn interrupt(&mut self) {
        if self.leave_paste(false) {
            return;
        }
        if self.talk.study.is_some() {
            return self.ask_aside(TableCommand::StopAnalysis);
        }
        if matches!(self.game.turn(), Turn::Engine(_)) || self.talk.pending.is_some() {
            self.ask_aside(TableCommand::MoveNow);
            if !self.game.has_seat() && self.role() == Role::Host {
                self.ask_aside(TableCommand::Pause);
            }
            return;
        }
        if self.drop_waiting() {
            return;
        }
        self.talk.confirmed = self.talk.pending_confirmation.take();
        if self.is_confirmed("quit") {
            return self.leave();
        }
        self.say(
            "Leave? The game is saved. Ctrl-C again or quit leaves, any other line continues.",
        );
    }

    /// Drops the lines that wait; `false` if there are none.
    fn drop_waiting(&mut self) -> bool {
        let n_dropped = std::mem::take(&mut self.queue).len();
        if n_dropped > 0 {
            self.say(&format!("{} dropped", counted(n_dropped, "waiting line")));
        }
        n_dropped > 0
    }

    /// Ends the table if this person is the host; a guest only leaves it.
    fn leave(&mut self) {
        self.show_score();
        if self.role() == Role::Host {
            // The event `closed` follows and ends the dialogue.
            self.ask(TableCommand::Quit);
        } else {
            self.end = Some(End::Left);
        }
    }

    fn role(&self) -> Role {
        self.game.snapshot().role
    }

    /// `true` if a word was typed twice, or needs no confirmation.
    fn is_confirmed(&mut self, word: &str) -> bool {
        let is_asked = self.screen.input_mode().asks_twice();
        let is_confirmed = !is_asked || self.talk.confirmed.as_deref() == Some(word);
        if !is_confirmed {
            self.talk.pending_confirmation = Some(word.to_owned());
        }
        is_confirmed
    }
}

#[cfg(test)]
mod tests;
