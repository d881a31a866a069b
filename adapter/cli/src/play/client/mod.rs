//! One person's dialogue with a table: lines become requests, events become text.
//!
//! The person who started the program and each guest at a socket have separate [`Client`]s. `keys` are the keys of the
//! painted screen, `typed` reads lines and plays their moves, `requests`, `setup` and `puzzles` execute words,
//! `events` shows events, `output` writes to the screen or paints it, with the panel next to the board.

mod events;
mod keys;
mod output;
mod puzzles;
mod requests;
mod setup;
mod typed;

use kit::fen::counted;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvError, after, at, never, select};
use keys::Keys;
use puzzles::{PuzzleInPlay, PuzzleScore};
use record::opening::Opening;
use setup::Paste;
use table::{
    ClientGame, CommandId, RequestId, Role, RunningStudy, SideSet, TableClient, TableCommand,
    TableEvent, TableSession, Turn,
};
use typed::Queue;

use super::another::Tables;
use super::line::{InputLine, is_text};
use super::screen::{Input, Screen};
use super::socket::join::Door;
use super::style::BoardStyle;
use super::text;
use crate::args::PuzzleSet;
use crate::usage::{Done, Failure};

/// Minimum thinking time of an engine after which a notice is shown.
const SHORT: Duration = Duration::from_secs(2);

/// Interval at which a painted screen is repainted, for its clock and changes of its size.
const PAINT_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum number of events that are shown together.
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
    /// Runs the dialogue until the person leaves or the table ends.
    ///
    /// # Errors
    /// The screen cannot be written, or the table sends an illegal move.
    pub(crate) fn run(mut self, greeting: &str) -> Done<Left> {
        self.say(greeting);
        self.note_turn();
        self.show_old_ending();
        if let Some(proposal) = &self.game.snapshot().proposal {
            self.say(&text::proposal(proposal));
        }
        if let Some(text) = self.talk.held.take() {
            self.read_text(&text);
        }
        if let Some(first) = self.talk.puzzle_set.as_ref().and_then(|set| set.first) {
            self.take_line(Instant::now(), &format!("puzzle {first}"));
        }
        loop {
            self.advance();
            self.leave_if_nobody_plays();
            if let Some(end) = self.end.take() {
                self.leave_keys();
                let text = std::mem::take(&mut self.out);
                self.screen.close(&text);
                return Ok(Left {
                    end,
                    game: self.game,
                    n_refused: self.n_refused,
                });
            }
            if self.paste.is_none() && std::mem::take(&mut self.returns_to_keys) {
                self.take_keys();
            }
            // All events that one request causes are shown together.
            if self.talk.pending.is_none() && !self.talk.is_turn_due {
                self.flush().map_err(Failure::Output)?;
            }
            self.wait()?;
        }
    }

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

    /// Waits for input or an event, and handles it.
    fn wait(&mut self) -> Done {
        let thinking_notice_at = self.talk.thinking_notice_at.map_or_else(never, at);
        let events = self.table.events.clone();
        // A key refers to what is on the screen, so it waits for the effects of the previous one.
        let is_busy = self.talk.pending.is_some() || self.talk.is_turn_due;
        let input = match is_busy && self.screen.reads_keys() {
            true => never(),
            false => self.screen.input().clone(),
        };
        let tick = match self.is_painted {
            true => after(PAINT_INTERVAL),
            false => never(),
        };
        select! {
            recv(events) -> event => self.on_events(event),
            recv(input) -> heard => self.hear_all(heard.unwrap_or(Input::End)),
            recv(thinking_notice_at) -> _ => {
                self.show_interruption();
                Ok(())
            }
            recv(tick) -> _ => Ok(()),
        }
    }

    /// Handles an event and those queued behind it, so that they are shown together.
    fn on_events(&mut self, first: Result<TableEvent, RecvError>) -> Done {
        let Ok(first) = first else {
            self.end_by("the table is closed", false);
            return Ok(());
        };
        let events = self.table.events.clone();
        for event in std::iter::once(first).chain(events.try_iter().take(BATCH)) {
            self.on_event(&event)?;
        }
        Ok(())
    }

    /// Handles an input, and the letters typed behind it: showing each of a long text alone would take minutes.
    fn hear_all(&mut self, first: Input) -> Done {
        let inputs = self.screen.input().clone();
        for heard in std::iter::once(first).chain(inputs.try_iter().take(BATCH)) {
            let is_letter = matches!(heard, Input::Key(key) if is_text(key));
            let is_typed = is_letter && !(self.is_painted && self.line.is_empty());
            self.hear(heard)?;
            if !is_typed {
                break;
            }
        }
        Ok(())
    }

    /// Handles an input of the person, or a signal.
    fn hear(&mut self, input: Input) -> Done {
        match input {
            Input::Key(key) => return self.press(key),
            Input::Paste(_, text) if self.line.admits(&text) => {
                self.line.insert(&text);
                return Ok(());
            }
            _ => {}
        }
        self.screen.echo(&input).map_err(Failure::Output)?;
        match input {
            Input::Line(at, line) => self.take_line(at, &line),
            Input::Paste(at, text) => {
                let text = self.line.enter() + &text;
                self.on_text(at, &text);
            }
            Input::Refused(why) => self.refuse(&why),
            Input::Interrupt => {
                self.line.begin("");
                self.interrupt();
            }
            Input::End => {
                self.leave_paste(true);
                self.leave();
            }
            Input::Flood => self.end = Some(End::Flooded),
            // The screen has suspended the program.
            Input::Suspend | Input::Key(_) => {}
        }
        Ok(())
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
        let n_dropped = std::mem::take(&mut self.queue).len();
        if n_dropped > 0 {
            return self.say(&format!("{} dropped", counted(n_dropped, "waiting line")));
        }
        self.talk.confirmed = self.talk.pending_confirmation.take();
        if self.is_confirmed("quit") {
            return self.leave();
        }
        self.say(
            "Leave? The game is saved. Ctrl-C again or quit leaves, any other line continues.",
        );
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

    /// Ends a script that plays no seat when the game is over.
    fn leave_if_nobody_plays(&mut self) {
        let is_idle = !self.screen.input_mode().is_live() && self.talk.pending.is_none();
        if is_idle && self.game.is_over() && !self.game.has_seat() {
            self.leave();
        }
    }

    /// Shows how to interrupt a thinking engine.
    fn show_interruption(&mut self) {
        self.talk.thinking_notice_at = None;
        if let Turn::Engine(side) = self.game.turn() {
            let side = self.game.side_name(side);
            self.say(&format!("{side} is thinking; Ctrl-C makes it move now"));
        }
    }

    fn role(&self) -> Role {
        self.game.snapshot().role
    }

    /// Sends a request; the next line waits for its answer.
    fn ask(&mut self, command: TableCommand) {
        self.ask_at(command, Instant::now());
    }

    fn ask_at(&mut self, command: TableCommand, at: Instant) {
        let (kind, sent) = (command.id(), self.table.send_at(command, at));
        // A closed table has already sent an event.
        if let Ok(id) = sent {
            self.talk.pending = Some((id, kind));
        }
    }

    /// Sends a request whose answer no line waits for. In a script, the next line always waits.
    fn ask_aside(&mut self, command: TableCommand) {
        if self.screen.input_mode().is_live() {
            let _ = self.table.send(command);
        } else {
            self.ask(command);
        }
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
