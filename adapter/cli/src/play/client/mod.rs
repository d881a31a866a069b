//! One person's conversation with a table: lines become requests, events become text.
//!
//! The person who started the program and each guest at a socket have a [`Client`] of their own. `queue` keeps the lines
//! that wait, `moves`, `requests`, `setup` and `view` carry a line out, `events` tells what happens, `output` shows it.

mod events;
mod keys;
mod moves;
mod output;
mod queue;
mod requests;
mod setup;
mod view;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvError, after, at, never, select};
use protocol::Line;
use referee::event::Event;
use referee::table::tree::NodeId;
use referee::table::{ClientGame, RequestId, Role, RunningStudy, TableClient, TableCommand, Turn};

use super::another::OpenAnother;
use super::input::Input;
use super::joining::Joined;
use super::screen::{Prompt, Screen};
use super::style::BoardStyle;
use super::text;
use super::word::{self, Typed, Word};
use crate::usage::Failure;
use keys::Keys;
use queue::Queue;
use setup::{Paste, Pasted};

/// A wait that is shorter needs no message.
const SHORT: Duration = Duration::from_secs(2);

/// How often a painted screen is painted again, for its clock and where its size has changed.
const PAINT_INTERVAL: Duration = Duration::from_millis(200);

/// The most events that are told at once.
const BATCH: usize = 64;

/// How a conversation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// The table has ended. `is_error` says that something went wrong.
    Closed { why: String, is_error: bool },
    /// The person left.
    Left,
    /// A guest sent more than is allowed.
    Flooded,
}

/// What [`Client::new`] takes.
pub(crate) struct Parts<S> {
    pub(crate) table: TableClient,
    pub(crate) game: ClientGame,
    pub(crate) screen: S,
    pub(crate) style: BoardStyle,
    /// Whether a move that loses at once is played without a question.
    pub(crate) is_sure: bool,
    /// A text with a board that the game begins at.
    pub(crate) figure: Option<String>,
    /// How the host sits down at a table of another game.
    pub(crate) another: Option<OpenAnother>,
}

/// A person at a table.
pub(crate) struct Client<S> {
    table: TableClient,
    game: ClientGame,
    screen: S,
    style: BoardStyle,
    /// Whether a move that loses at once is played without a question, where that was said.
    sure: Option<bool>,
    /// Lines that wait to be carried out.
    queue: Queue,
    /// The request whose answer the next line waits for.
    pending: Option<Pending>,
    /// The new file that the next e-mail is written to.
    mail_file: Option<PathBuf>,
    /// The analysis or review that this person began, while it is under way.
    study: Option<RunningStudy>,
    /// What has to be typed once more before it is done.
    once_more: Option<String>,
    /// Whether each key acts at once.
    keys: Option<Keys>,
    /// Whether it was said that the board does not fit the screen.
    knows_parts: bool,
    /// A position on its way in.
    paste: Option<Paste>,
    /// The figure that the game has just begun with, until a line that does not belong to it.
    pasted: Option<Pasted>,
    /// A text with a board, pasted without `setup`, until the next line.
    held: Option<String>,
    /// What is to be shown, in whole lines.
    out: String,
    /// Whether the position has changed since the board was shown.
    is_changed: bool,
    /// Whether the event `turn` is still to come after what happened.
    is_turn_due: bool,
    /// Whether a seat has changed hands since the seats were told.
    has_new_seats: bool,
    /// The present prompt, and what it is for.
    prompt: Option<(Asked, Prompt)>,
    /// When to say that an engine thinks.
    thinking_notice_at: Option<Instant>,
    end: Option<End>,
    /// How the host sits down at a table of another game.
    another: Option<OpenAnother>,
}

/// What a prompt is for. While this is the same, the prompt stays, though the clock in it runs.
type Asked = (NodeId, Turn, bool, bool);

/// A request that was sent.
struct Pending {
    id: RequestId,
    /// What a refusal begins with.
    about: String,
}

type Done = Result<(), Failure>;

impl<S: Screen> Client<S> {
    pub(crate) fn new(parts: Parts<S>) -> Client<S> {
        Client {
            table: parts.table,
            game: parts.game,
            screen: parts.screen,
            style: parts.style,
            sure: parts.is_sure.then_some(true),
            queue: Queue::default(),
            pending: None,
            mail_file: None,
            study: None,
            once_more: None,
            keys: None,
            knows_parts: false,
            paste: None,
            pasted: None,
            held: parts.figure,
            out: String::new(),
            is_changed: true,
            is_turn_due: false,
            has_new_seats: false,
            prompt: None,
            thinking_notice_at: None,
            end: None,
            another: parts.another,
        }
    }

    /// Talks until the person leaves or the table ends.
    ///
    /// # Errors
    /// The screen cannot be written, or the table breaks its own rules.
    pub(crate) fn run(mut self, greeting: &str) -> Result<(End, S, ClientGame), Failure> {
        self.say(greeting);
        self.note_turn();
        self.tell_old_ending();
        if let Some(proposal) = &self.game.snapshot().proposal {
            let proposal = text::proposal(&self.game, proposal);
            self.say(&proposal);
        }
        if let Some(text) = self.held.take() {
            self.read_text(&text);
        }
        loop {
            self.advance();
            self.leave_if_nobody_plays();
            if let Some(end) = self.end.take() {
                self.leave_keys();
                let text = std::mem::take(&mut self.out);
                self.screen.close(&text);
                return Ok((end, self.screen, self.game));
            }
            // The events that one request causes are shown together.
            if self.pending.is_none() && !self.is_turn_due {
                self.flush().map_err(Failure::Output)?;
            }
            self.wait()?;
        }
    }

    /// Goes on at another table, with what belongs to this person alone.
    fn take_table(&mut self, joined: Joined) {
        self.table = joined.table;
        self.game = joined.game;
        if !self
            .game
            .board()
            .styles()
            .contains(&self.style.name.as_str())
        {
            self.style.name.clear();
        }
        self.style.unmarked.clear();
        self.pending = None;
        self.mail_file = None;
        self.study = None;
        self.once_more = None;
        self.knows_parts = false;
        self.pasted = None;
        self.held = None;
        self.is_changed = true;
        self.is_turn_due = false;
        self.has_new_seats = false;
        self.prompt = None;
        self.thinking_notice_at = None;
    }

    /// Waits for a line or an event, and takes it.
    fn wait(&mut self) -> Done {
        let thinking_notice_at = self.thinking_notice_at.map_or_else(never, at);
        let events = self.table.events().clone();
        // A key says what to do about the board that is shown, so it waits for what the one before has done.
        let is_held = self.keys.is_some() && (self.pending.is_some() || self.is_turn_due);
        let input = if is_held {
            never()
        } else {
            self.screen.input().clone()
        };
        let tick = match self.keys {
            Some(_) => after(PAINT_INTERVAL),
            None => never(),
        };
        select! {
            recv(events) -> event => self.take_events(event),
            recv(input) -> heard => self.hear(heard.unwrap_or(Input::End)),
            recv(thinking_notice_at) -> _ => {
                self.tell_thinking();
                Ok(())
            }
            recv(tick) -> _ => Ok(()),
        }
    }

    /// Takes an event and those that came with it, so that they are shown at once.
    fn take_events(&mut self, first: Result<Event, RecvError>) -> Done {
        let Ok(first) = first else {
            self.end.get_or_insert(End::Closed {
                why: "the table has ended".to_owned(),
                is_error: false,
            });
            return Ok(());
        };
        let events = self.table.events().clone();
        for event in std::iter::once(first).chain(events.try_iter().take(BATCH)) {
            self.take_event(&event)?;
        }
        Ok(())
    }

    /// Takes something that the person, or a signal, says.
    fn hear(&mut self, input: Input) -> Done {
        self.prompt = None;
        self.screen.echo(&input).map_err(Failure::Output)?;
        match input {
            Input::Line(at, line) => self.take_line(at, &line),
            Input::Paste(at, text) => self.take_text(at, &text),
            Input::Refused(why) => self.say(&why),
            Input::Interrupt => self.interrupt(),
            Input::End => {
                self.leave_paste();
                self.leave();
            }
            Input::Flood => self.end = Some(End::Flooded),
            Input::Key(key) => self.press(key),
        }
        Ok(())
    }

    fn take_line(&mut self, at: Instant, line: &Line) {
        match check(line) {
            Err(why) => self.say(&why),
            Ok(text) if self.overtakes(text) => self.obey(at, text),
            Ok(text) => match self.queue.push(at, text.to_owned()) {
                Ok(()) => {
                    self.advance();
                    self.tell_waiting(text);
                }
                Err(why) => self.say(&why),
            },
        }
    }

    /// Takes a text of several lines: the rows of a position where they are asked for, else moves and words.
    fn take_text(&mut self, at: Instant, text: &str) {
        if self.reads_rows() {
            return self.read_text(text);
        }
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        if self.paste.is_none() && self.role() == Role::Host && self.holds_board(text) {
            self.held = Some(text.to_owned());
            return self
                .say("The text holds a board: setup begins from it, anything else drops it.");
        }
        if lines.len() > queue::CAPACITY {
            let n_lines = lines.len();
            let most = queue::CAPACITY;
            return self.say(&format!(
                "{n_lines} lines pasted: expected at most {most}; none is taken"
            ));
        }
        if let Some(moves) = self.join_moves(&lines) {
            return self.take_line(at, &Line::Text(moves));
        }
        for line in lines {
            self.take_line(at, &Line::Text(line.to_owned()));
        }
    }

    /// Whether a line is carried out before those that wait.
    fn overtakes(&self, text: &str) -> bool {
        self.screen.manners().is_live
            && self.paste.is_none()
            && matches!(self.read(text), Ok(Typed::Word(word, _)) if word.overtakes())
    }

    /// What a line is: a word, or else a move. `q` is a word where it is no move.
    fn read<'a>(&self, text: &'a str) -> Result<Typed<'a>, String> {
        let read = word::read(text);
        let is_q = matches!(read, Ok(Typed::Other("q" | "Q")));
        if is_q && self.game.board().read("q").is_err() {
            return Ok(Typed::Word(Word::Quit, ""));
        }
        read
    }

    /// Carries a line out.
    fn obey(&mut self, at: Instant, text: &str) {
        if self.paste.is_some() {
            return self.take_paste(text);
        }
        if self.take_below(text) {
            return;
        }
        let text = text.trim();
        let held = self.held.take();
        if text.is_empty() {
            return self.say("nothing typed: expected a move or a word; ? lists the words");
        }
        // What was asked before holds for the very next line alone.
        let asked = self.once_more.take();
        match self.read(text) {
            Ok(Typed::Word(word, rest)) => {
                self.held = held.filter(|_| word == Word::Setup);
                self.word(word, rest, asked.as_deref());
            }
            Ok(Typed::Other(text)) => self.moves(at, text, asked.as_deref()),
            Err(why) => self.say(&why),
        }
    }

    /// Ctrl-C has a thinking engine move; where nobody waits for an engine, it asks before leaving.
    fn interrupt(&mut self) {
        if self.leave_paste() {
            return;
        }
        if self.study.is_some() {
            return self.ask_aside(TableCommand::StopAnalysis);
        }
        if matches!(self.game.turn(), Turn::Engine(_)) || self.pending.is_some() {
            self.ask_aside(TableCommand::MoveNow);
            if !self.game.has_seat() && self.role() == Role::Host {
                self.ask_aside(TableCommand::Pause);
            }
            return;
        }
        if let Some(n_dropped) = self.queue.clear() {
            let lines = text::count(n_dropped, "waiting line");
            return self.say(&format!("{lines} dropped"));
        }
        let asked = self.once_more.take();
        if self.is_confirmed("quit", asked.as_deref()) {
            return self.leave();
        }
        self.say("Leave? The game is saved. Ctrl-C again or quit leaves, anything else goes on.");
    }

    /// The host ends the table, a guest leaves it.
    fn leave(&mut self) {
        if self.role() == Role::Host {
            // `closed` follows, and ends the conversation.
            self.ask(TableCommand::Quit, "");
        } else {
            self.end = Some(End::Left);
        }
    }

    /// A script that plays no seat has nothing to say when the game is over.
    fn leave_if_nobody_plays(&mut self) {
        let is_idle = !self.screen.manners().is_live && self.pending.is_none();
        if is_idle && self.game.is_over() && !self.game.has_seat() {
            self.leave();
        }
    }

    /// A person who has waited for an engine is told what to do about it.
    fn tell_thinking(&mut self) {
        self.thinking_notice_at = None;
        if let Turn::Engine(side) = self.game.turn() {
            let side = self.game.side_name(side);
            self.say(&format!("{side} thinks; Ctrl-C has it move"));
        }
    }

    fn role(&self) -> Role {
        self.game.snapshot().role
    }

    /// Sends a request; the next line waits for its answer.
    fn ask(&mut self, command: TableCommand, about: &str) {
        self.ask_at(command, Instant::now(), about);
    }

    fn ask_at(&mut self, command: TableCommand, at: Instant, about: &str) {
        // A table that is closed has said so by an event.
        if let Ok(id) = self.table.send_at(command, at) {
            self.pending = Some(Pending {
                id,
                about: about.to_owned(),
            });
        }
    }

    /// Sends a request that no line waits for; in a script every line waits.
    fn ask_aside(&mut self, command: TableCommand) {
        if self.screen.manners().is_live {
            let _ = self.table.send(command);
        } else {
            self.ask(command, "");
        }
    }

    /// Whether a word was typed twice, where that is asked for.
    fn is_confirmed(&mut self, word: &str, asked: Option<&str>) -> bool {
        if !self.screen.manners().asks_twice || asked == Some(word) {
            return true;
        }
        self.once_more = Some(word.to_owned());
        false
    }
}

/// The text of a line that can be carried out.
fn check(line: &Line) -> Result<&str, String> {
    match line {
        Line::TooLong(limit) => Err(format!(
            "the line is longer than {limit} bytes: expected a move or a word"
        )),
        Line::Text(text) if text.contains(|c: char| c.is_control() && c != '\t') => Err(
            "the line holds control characters: expected a move or a word; ? lists the words"
                .to_owned(),
        ),
        Line::Text(text) => Ok(text),
    }
}
