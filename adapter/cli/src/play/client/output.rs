//! Output: lines, the board, and the prompt below them.

use protocol::text::without_error_number;
use record::table::Turn;

use super::Client;
use crate::output::printable;
use crate::play::screen::{Prompt, Screen};
use crate::play::{text, word};

impl<S: Screen> Client<S> {
    /// Adds a line to the output; its control characters are escaped.
    pub(super) fn say(&mut self, text: &str) {
        let text = self.style.fit(&printable(&without_error_number(text)));
        self.out.push_str(text.trim_end_matches('\n'));
        self.out.push('\n');
    }

    /// Shows the board in this person's style.
    pub(super) fn show_board(&mut self) {
        self.is_changed = false;
        // A painted screen always contains the board.
        if self.keys.is_some() {
            return;
        }
        let page = self.style.page(self.game.board(), self.screen.size(), "");
        if !page.is_whole && !std::mem::replace(&mut self.warned_clipped, true) {
            self.say("The board does not fit: board all shows the whole board.");
        }
        let board = page.text(self.style.is_coloured);
        self.out.push_str(&format!("\n{board}\n\n"));
        if let Some(why) = text::forced(self.game.board()) {
            self.say(&why);
        }
    }

    /// Writes the output and the prompt.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        if std::mem::take(&mut self.has_new_seats) {
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
        let game = &self.game;
        let is_completed = self.paste.is_none();
        self.screen.show(&text, &prompt, &|| {
            if !is_completed {
                return Vec::new();
            }
            let words = word::names().map(str::to_owned);
            game.board().moves().into_iter().chain(words).collect()
        })
    }

    /// `true` if the board must be shown: to a player when a person is to move, to a spectator after every move.
    fn is_board_due(&self) -> bool {
        match self.game.turn() {
            Turn::Starting => false,
            Turn::Engine(_) => !self.game.has_seat(),
            _ => true,
        }
    }

    /// The current prompt if there is no new output and its state is the same; else a new prompt.
    fn standing_prompt(&mut self, is_silent: bool) -> Prompt {
        let prompt = self.make_prompt();
        let is_ask = matches!(prompt, Prompt::Ask(_));
        let game = &self.game;
        let asked = (game.here(), game.turn(), is_ask, self.paste.is_some());
        match &self.prompt {
            Some((old, standing)) if is_silent && *old == asked => standing.clone(),
            _ => {
                self.prompt = Some((asked, prompt.clone()));
                prompt
            }
        }
    }

    pub(super) fn make_prompt(&self) -> Prompt {
        let wait = || Prompt::Wait(text::waiting_prompt(&self.game));
        let is_script = !self.screen.input_mode().is_live;
        if is_script && (self.pending.is_some() || self.game.is_asking()) {
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
