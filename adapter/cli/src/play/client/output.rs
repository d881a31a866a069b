//! Output: lines, the board, and the prompt below them.

use std::io::{self, Write as _};

use protocol::text::without_error_number;
use table::Turn;

use super::Client;
use crate::output::printable;
use crate::play::screen::{Prompt, Size};
use crate::play::style::OTHER_LINES;
use crate::play::text;
use crate::play::wrap::{WIDTH, fill};

impl Client<'_> {
    /// Adds a line to the output; its control characters are escaped.
    pub(super) fn say(&mut self, text: &str) {
        let text = self.style.fit(&printable(&without_error_number(text)));
        // The screen of keys wraps each message when it is painted.
        let is_painted = self.keys.is_some() || self.returns_to_keys;
        let width = if is_painted {
            usize::MAX
        } else {
            self.width_of_lines()
        };
        for line in text.trim_end_matches('\n').split('\n') {
            match line.chars().count() {
                n if n > width => self.out.push_str(&fill(line, width)),
                _ => self.out.push_str(line),
            }
            self.out.push('\n');
        }
    }

    /// The width of a line: the screen's, for a person at a terminal.
    pub(super) fn width_of_lines(&self) -> usize {
        let size = self.screen.size();
        let size = size.filter(|_| self.screen.input_mode().is_live);
        size.map_or(usize::MAX, |size| size.columns.saturating_sub(1).max(1))
    }

    /// The width of listings and paragraphs.
    pub(super) fn width(&self) -> usize {
        self.width_of_lines().min(WIDTH)
    }

    /// Shows why a line is refused.
    pub(super) fn refuse(&mut self, why: &str) {
        self.n_refused += 1;
        self.say(why);
    }

    /// Shows why a move is refused; for a script, on standard error.
    pub(super) fn refuse_move(&mut self, why: &str) {
        self.n_refused += 1;
        if !self.screen.input_mode().is_live {
            // A closed standard error loses only the message.
            let why = self.style.fit(&printable(&without_error_number(why)));
            let _ = writeln!(io::stderr(), "{why}");
        } else {
            self.say(why);
        }
    }

    /// Shows the board in this person's style.
    pub(super) fn show_board(&mut self) {
        self.is_changed = false;
        self.talk.has_shown_board = true;
        // A painted screen always contains the board.
        if self.keys.is_some() {
            return;
        }
        let (board, size) = (self.game.board(), self.screen.size());
        let ending = text::ending_below(&self.game);
        let page = self.style.page(board, size, "", ending.as_deref());
        if !page.is_whole && !std::mem::replace(&mut self.talk.warned_clipped, true) {
            self.say("The board does not fit: board all shows the whole board.");
        }
        let board = page.text(self.style.is_coloured);
        // Blank lines would push a board that fills the screen off it.
        let n_lines = page.lines.len();
        let fills = |size: Size| n_lines < size.lines && n_lines + OTHER_LINES > size.lines;
        match size.is_some_and(fills) {
            true => self.out.push_str(&format!("{board}\n")),
            false => self.out.push_str(&format!("\n{board}\n\n")),
        }
        if let Some(why) = text::forced(self.game.board()) {
            self.say(&why);
        }
    }

    /// Writes the output and the prompt.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        if std::mem::take(&mut self.talk.has_new_seats) {
            self.say(&text::seats(&self.game));
        }
        if self.is_changed && self.is_board_due() {
            self.show_board();
        }
        if self.keys.is_some() {
            return self.paint();
        }
        let text = std::mem::take(&mut self.out);
        let prompt = self.standing_prompt(text.is_empty());
        self.screen.show(&text, &prompt, &self.line)
    }

    /// `true` if the board must be shown: to a player when a person is to move, to a spectator after every move.
    fn is_board_due(&self) -> bool {
        match self.game.turn() {
            Turn::Starting => false,
            // A person at a terminal sees the board while an engine makes the first move.
            Turn::Engine(_) => {
                let is_first = !self.talk.has_shown_board && self.screen.input_mode().is_live;
                !self.game.has_seat() || is_first
            }
            _ => true,
        }
    }

    /// The current prompt if there is no new output and its state is the same; else a new prompt.
    fn standing_prompt(&mut self, is_silent: bool) -> Prompt {
        let prompt = self.make_prompt();
        let is_ask = matches!(prompt, Prompt::Ask(_));
        let game = &self.game;
        let asked = (game.here(), game.turn(), is_ask, self.paste.is_some());
        match &self.talk.prompt {
            Some((old, standing)) if is_silent && *old == asked => standing.clone(),
            _ => {
                self.talk.prompt = Some((asked, prompt.clone()));
                prompt
            }
        }
    }

    pub(super) fn make_prompt(&self) -> Prompt {
        let wait = || Prompt::Wait(text::waiting_prompt(&self.game));
        let is_script = !self.screen.input_mode().is_live;
        if is_script && (self.talk.pending.is_some() || self.game.is_asking()) {
            return wait();
        }
        if let Some(prompt) = self.paste_prompt() {
            return Prompt::Ask(prompt);
        }
        match text::prompt(&self.game) {
            Some(text) => Prompt::Ask(text),
            None if is_script && self.game.is_asked() => Prompt::Ask("yes or no> ".to_owned()),
            None => wait(),
        }
    }
}
