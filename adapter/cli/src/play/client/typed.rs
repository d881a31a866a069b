//! Typed input: the keys of a line, and lines, which wait for the person's turn and for the answer to the line before, and
//! are then moves or words.

use std::collections::VecDeque;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::text::excerpt;
use table::typing::{Blunder, TypingError, blunder_check, read_moves};
use table::{Role, TableCommand, Turn, Voice};

use super::{BATCH, Client, End};
use crate::play::line::is_text;
use crate::play::screen::Input;
use crate::play::words::{self, Typed, Word};
use crate::usage::{Done, Failure};

/// Maximum number of waiting lines.
pub(super) const CAPACITY: usize = 1000;

/// Waiting lines in the order in which they were typed, with their times.
pub(super) type Queue = VecDeque<(Instant, String)>;

impl Client<'_> {
    /// Handles an input, and the letters typed behind it: showing each of a long text alone would take minutes.
    pub(super) fn hear_all(&mut self, first: Input) -> Done {
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

    /// Handles a key: on the painted screen it acts at once, unless it belongs to the line.
    fn press(&mut self, key: KeyEvent) -> Done {
        let is_alt = key.modifiers.contains(KeyModifiers::ALT);
        let is_letter = matches!(key.code, KeyCode::Char(_));
        if self.is_painted && self.line.is_empty() && is_alt && is_letter {
            // Escape and a key that arrived together. An arrow is sent with its modifiers instead.
            self.press(KeyCode::Esc.into())?;
            return self.press(KeyEvent::new(key.code, key.modifiers - KeyModifiers::ALT));
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if key.code == KeyCode::Char('d') && is_control && self.line.is_empty() {
            return self.hear(Input::End);
        }
        if self.is_painted {
            self.keys.is_answer_due = false;
            self.keys.n_old = self.keys.said.len();
            let is_paged = !self.keys.answer.is_empty() && self.turn_page(key.code, is_control);
            if is_paged || self.line.is_empty() && self.act(key, is_control) {
                return Ok(());
            }
        }
        self.type_key(key, is_control)
    }

    /// Handles a key of the line.
    fn type_key(&mut self, key: KeyEvent, is_control: bool) -> Done {
        match key.code {
            KeyCode::Enter => return self.enter_line(),
            KeyCode::Char('j') if is_control => return self.enter_line(),
            KeyCode::Char('l') if is_control && !self.is_painted => {
                self.out.push_str("\x1b[H\x1b[2J");
            }
            // A row of a board that is typed may contain a tab.
            KeyCode::Tab if self.paste.is_some() => self.line.insert("\t"),
            KeyCode::Tab => {
                let (start, found) = words::completions(self.line.before(), &self.game);
                if !self.line.complete(start, &found) && found.len() > 1 {
                    self.say(&found.join(" "));
                }
            }
            KeyCode::Esc if self.is_painted => self.line.begin(""),
            _ => self.line.edit(key),
        }
        Ok(())
    }

    /// Executes the line that was typed.
    fn enter_line(&mut self) -> Done {
        if !self.is_painted {
            // The whole line is on the screen before its answer.
            self.flush().map_err(Failure::Output)?;
            let line = self.line.enter();
            return self.hear(Input::Line(Instant::now(), line));
        }
        let line = self.line.enter();
        // `:` may also begin a move.
        let is_move = line.starts_with(':') && words::read(&line).is_err();
        let line = if is_move { &line[1..] } else { &line };
        if !line.trim().is_empty() {
            self.enter(line);
        }
        Ok(())
    }

    /// Executes a line. A long answer replaces the painted board. A word that reads more lines ends the painting until it
    /// has read them.
    pub(super) fn enter(&mut self, line: &str) {
        self.keys.is_answer_due = true;
        self.take_line(Instant::now(), line);
        if self.paste.is_some() {
            self.leave_keys();
            self.returns_to_keys = true;
        }
    }

    /// Executes a line now, or after those that wait.
    pub(super) fn take_line(&mut self, at: Instant, text: &str) {
        let is_live = self.screen.input_mode().is_live() && self.paste.is_none();
        let word = match self.read(text) {
            Ok(Typed::Word(word, _)) if is_live => Some(word),
            _ => None,
        };
        if text.contains(|c: char| c.is_control() && c != '\t') {
            self.refuse(
                "The line contains control characters and is ignored: type a move or a command; ? lists the commands.",
            );
        } else if word.is_some_and(Word::is_aside) {
            self.obey(at, text);
        } else if word.is_some_and(|word| word.name() == "undo") && self.must_wait() {
            self.drop_waiting();
        } else {
            self.queue_line(at, text);
        }
    }

    /// Handles a text of several lines: the rows of a position if they are expected, else moves and words.
    pub(super) fn on_text(&mut self, at: Instant, text: &str) {
        if self.reads_rows() {
            return self.read_text(text);
        }
        if self.paste.is_none() && self.role() == Role::Host && self.holds_position(text) {
            self.talk.held = Some(text.to_owned());
            return self.say("The text contains a board: setup starts a game from it, any other line discards it.");
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<&str> = lines.collect();
        let (n_lines, most) = (lines.len(), CAPACITY);
        if n_lines > most {
            return self.say(&format!(
                "{n_lines} lines were pasted, and all are ignored: paste at most {most} at once."
            ));
        }
        if let Some(moves) = self.join_moves(&lines) {
            return self.take_line(at, &moves);
        }
        for line in lines {
            self.take_line(at, line);
        }
    }

    /// Classifies a line as a word or a move. `q` is the word `quit` in games in which it is not a move. In a puzzle,
    /// `next` and `answer` are words.
    fn read<'a>(&self, text: &'a str) -> Result<Typed<'a>, String> {
        match words::read(text) {
            Ok(Typed::Other("next")) if self.talk.puzzle.is_some() => words::read("puzzle"),
            Ok(Typed::Other("answer")) if self.talk.puzzle.is_some() => {
                words::read("puzzle answer")
            }
            Ok(Typed::Other("q" | "Q")) if self.game.board().read("q").is_err() => {
                words::read("quit")
            }
            read => read,
        }
    }

    /// Executes a line.
    fn obey(&mut self, at: Instant, text: &str) {
        if self.paste.is_some() {
            return self.on_setup_line(text);
        }
        let text = text.trim();
        let held = self.talk.held.take();
        // A comment of a script.
        if text.starts_with('#') {
            return;
        }
        if text.is_empty() {
            return self.refuse("Type a move or a command; ? lists the commands.");
        }
        // A confirmation is valid only in the very next line.
        self.talk.confirmed = self.talk.pending_confirmation.take();
        match self.read(text) {
            Ok(Typed::Word(word, rest)) => {
                self.talk.held = held.filter(|_| word.name() == "setup");
                self.word(word, rest);
            }
            Ok(Typed::Other(text)) => self.moves(at, text),
            Err(why) => self.refuse(&why),
        }
    }

    /// Appends a line to those that wait.
    fn queue_line(&mut self, at: Instant, text: &str) {
        if self.queue.len() >= CAPACITY {
            let text = excerpt(text);
            return self.say(&format!(
                "{text}: ignored: {CAPACITY} lines are already waiting"
            ));
        }
        self.queue.push_back((at, text.to_owned()));
        self.advance();
        self.show_waiting(text);
    }

    /// Inserts lines before all others.
    pub(super) fn queue_first(&mut self, at: Instant, texts: &[impl AsRef<str>]) {
        for text in texts.iter().rev() {
            self.queue.push_front((at, text.as_ref().to_owned()));
        }
    }

    /// Executes the lines that need not wait.
    pub(super) fn advance(&mut self) {
        while self.end.is_none() && self.talk.pending.is_none() && !self.must_wait() {
            match self.queue.pop_front() {
                Some((at, text)) => self.obey(at, &text),
                None => return,
            }
        }
    }

    /// `true` if the first line is a move and must wait for the person's turn.
    fn must_wait(&self) -> bool {
        let is_others_turn = !self.game.may_move() && self.game.turn() != Turn::Over;
        // The event `turn` after a move tells whose turn it is.
        let is_due = self.game.has_seat() && (is_others_turn || self.talk.is_turn_due);
        let first = self
            .queue
            .front()
            .filter(|_| is_due && self.paste.is_none());
        first.is_some_and(|(_, text)| self.is_move(text))
    }

    /// `true` if a text has the form of a move; its legality is checked when it is executed.
    fn is_move(&self, text: &str) -> bool {
        let text = text.trim();
        let read = || read_moves(self.game.board(), text);
        !text.is_empty()
            && matches!(self.read(text), Ok(Typed::Other(_)))
            && !matches!(read(), Err(TypingError::NoMove(_)))
    }

    /// Shows that the line just typed must wait for a turn.
    fn show_waiting(&mut self, text: &str) {
        if !self.screen.input_mode().is_live() || !self.must_wait() {
            return;
        }
        let first = self.queue.front().filter(|_| self.queue.len() > 1);
        let behind = first.map(|(_, first)| format!("behind {}", excerpt(first.trim())));
        let behind = behind.unwrap_or_else(|| "for your turn; undo drops it".to_owned());
        self.say(&format!("{} waits {behind}", excerpt(text.trim())));
    }

    /// Plays a line that is not a word: a move, or several if this person plays both sides.
    pub(super) fn moves(&mut self, at: Instant, text: &str) {
        if self.tries_again() {
            self.queue_first(at, &[text]);
            return self.ask(TableCommand::Undo);
        }
        let why = self.game.snapshot().view.cannot_move.as_ref();
        let codes = match (read_moves(self.game.board(), text), why) {
            (Err(error @ TypingError::NoMove(_)), _) | (Err(error), None) => {
                return self.refuse_move(&self.explain(text, &error));
            }
            (_, Some(why)) => return self.refuse_move(&why.sentence(Voice::Console)),
            (Ok(codes), None) => codes,
        };
        let Some((first, rest)) = codes.split_first() else {
            return;
        };
        if !rest.is_empty() && !self.game.plays_alone() {
            let (text, n_moves) = (excerpt(text), codes.len());
            return self.refuse(&format!(
                "{text}: {n_moves} moves in one line, but the next one is not yours: type one"
            ));
        }
        if let Some(question) = self.question(first) {
            return self.say(&question);
        }
        self.queue_first(at, rest);
        let command = TableCommand::Play {
            code: first.clone(),
            from: Some(self.game.here()),
        };
        self.ask_at(command, at);
    }

    /// Sends a request; the next line waits for its answer.
    pub(super) fn ask(&mut self, command: TableCommand) {
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
    pub(super) fn ask_aside(&mut self, command: TableCommand) {
        if self.screen.input_mode().is_live() {
            let _ = self.table.send(command);
        } else {
            self.ask(command);
        }
    }

    /// Joins the moves of several lines into one line if this person plays both sides, so that either all or none are
    /// played.
    fn join_moves(&self, lines: &[&str]) -> Option<String> {
        // Two cells in two lines are two moves, not a slide.
        let joined = lines.join("; ");
        let are_moves = || match read_moves(self.game.board(), &joined) {
            Ok(codes) => codes.len() > 1,
            Err(TypingError::Illegal { .. }) => true,
            Err(TypingError::NoMove(_)) => false,
        };
        (lines.len() > 1 && self.paste.is_none() && self.game.plays_alone() && are_moves())
            .then_some(joined)
    }

    /// The question before a move that loses at once. It is asked only once, and does not reveal the opponent's reply.
    /// If one person plays both sides, there is none, since the opponent would read it.
    fn question(&mut self, code: &str) -> Option<String> {
        if self.game.plays_alone() || !self.screen.input_mode().asks_twice() {
            return None;
        }
        let found = blunder_check(self.game.board(), code)?;
        if self.is_confirmed(code) {
            return None;
        }
        let opponent = self.game.board().side().other();
        let why = match found {
            Blunder::Loses => "loses at once".to_owned(),
            Blunder::LetsWin => format!("lets {} win at once", self.game.side_name(opponent)),
        };
        let again = match self.is_painted {
            true => "Enter again plays it",
            false => "type it again to play it, or another move",
        };
        Some(format!("{code} {why}: {again}"))
    }

    /// The error for a text that is neither a word nor a legal move.
    fn explain(&self, text: &str, error: &TypingError) -> String {
        match (error, words::nearest(text)) {
            (TypingError::Illegal { legal, .. }, _) if legal.is_empty() => {
                format!("{error}; moves lists the legal moves")
            }
            (TypingError::Illegal { .. }, _) => error.to_string(),
            (TypingError::NoMove(why), _) if text.eq_ignore_ascii_case("pass") => {
                format!("{why} in {}", self.game.rules().entry().about().title)
            }
            (TypingError::NoMove(why), Some(word)) => {
                format!("{why}; or did you mean the command {word}?")
            }
            (TypingError::NoMove(why), None) => format!("{why}; ? lists the commands"),
        }
    }
}
