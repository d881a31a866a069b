//! The screen: lines and the board above a prompt, or the painted screen with the panel and the messages.

use std::io::{self, Write as _};

use draw::anstyle::{Effects, Style};
use draw::{Board, TextPage};
use protocol::text::without_error_number;
use table::Turn;
use unicode_truncate::UnicodeTruncateStr;

use super::Client;
use super::keys::{Keys, begins, label, name};
use crate::output::printable;
use crate::play::line::Row;
use crate::play::screen::{Frame, Prompt, Size, line};
use crate::play::style::{
    BoardStyle, Extent, OTHER_LINES, WIDTH, buttons, fill, fold, last_of, page_of,
};
use crate::play::text;

/// Maximum number of rows of an answer that are shown below the board.
const MAX_BELOW: usize = 3;

impl Client<'_> {
    /// Adds a line to the output; its control characters are escaped.
    pub(super) fn say(&mut self, text: &str) {
        let text = self.safe(text);
        // The screen of keys wraps each message when it is painted.
        let width = match self.keys.is_some() || self.returns_to_keys {
            true => usize::MAX,
            false => self.width_of_lines(),
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
        if self.screen.input_mode().is_live {
            return self.say(why);
        }
        // A closed standard error loses only the message.
        let _ = writeln!(io::stderr(), "{}", self.safe(why));
    }

    fn safe(&self, text: &str) -> String {
        self.style.fit(&printable(&without_error_number(text)))
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

    /// Leaves the painted screen for a prompt; the messages shown meanwhile are repeated.
    pub(super) fn leave_keys(&mut self) {
        self.keep_said();
        if let Some(keys) = self.keys.take() {
            let width = self.width_of_lines();
            let said = keys.said.iter().map(|line| fill(line, width) + "\n");
            self.out.insert_str(0, &said.collect::<String>());
            self.is_changed = true;
        }
    }

    /// Paints the screen.
    pub(super) fn paint(&mut self) -> std::io::Result<()> {
        self.keep_said();
        self.is_changed = false;
        match (self.screen.size(), &self.keys) {
            (Some(size), Some(keys)) => {
                let frame = self.frame(size, keys);
                self.screen.paint(&frame)
            }
            _ => Ok(()),
        }
    }

    /// Moves the new output to the messages below the board, or in its place.
    fn keep_said(&mut self) {
        let width = self.screen.size().map_or(usize::MAX, |size| size.columns);
        let Some(keys) = &mut self.keys else { return };
        let text = std::mem::take(&mut self.out);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let n_rows: usize = lines.iter().map(|line| fold(line, width).len()).sum();
        let is_long = keys.is_answer_due && n_rows > MAX_BELOW;
        keys.said.extend(lines.iter().cloned());
        if is_long {
            keys.answer.extend(lines);
            keys.first_shown = keys.said.len();
        }
    }

    /// Shows no message so far any longer: they are of a game that was left, or of an end that was taken back.
    pub(super) fn hide_said(&mut self) {
        self.keep_said();
        if let Some(keys) = &mut self.keys {
            keys.first_shown = keys.said.len();
        }
    }

    fn frame(&self, size: Size, keys: &Keys) -> Frame {
        let mut frame = Frame::new(size);
        let n_rows = size.lines.saturating_sub(1);
        if !keys.answer.is_empty() {
            let (rows, _) = page_of(&keys.answer, size);
            frame.put_rows(0, rows);
            frame.put_last(&Row::new("Space: continue  Esc: back"));
            return frame;
        }
        let diagram = self.diagram();
        let page = self.painted_page(size, &diagram, keys);
        // New messages hide the last rows of a board that fills the screen, until the next key.
        let new = keys.said.iter().skip(keys.n_old);
        let n_new: usize = new.map(|line| fold(line, size.columns).len()).sum();
        let n_hidden = n_new.min(MAX_BELOW).min(n_rows.div_ceil(3));
        let board: Vec<_> = page
            .lines
            .iter()
            .take(n_rows)
            .map(|row| line(row))
            .collect();
        let panel = self.panel(&board, size.columns, n_rows);
        let n_above = panel.n_rows.min(n_rows - n_hidden);
        for (number, row) in board.into_iter().take(n_above).enumerate() {
            frame.put(0, number, row);
        }
        for (number, row) in panel.rows().take_while(|(number, _)| *number < n_above) {
            frame.put(panel.column, number, row);
        }
        let is_new = keys.said.len() > keys.n_old;
        let said = last_of(
            &keys.said[keys.first_shown..],
            is_new,
            size.columns,
            n_rows - n_above,
        );
        frame.put_rows(n_above, said);
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = self.make_prompt();
        let width = size.columns.saturating_sub(1);
        frame.put_last(&match self.line.is_empty() {
            true => Row::new(
                self.status(&prompt, &diagram, keys)
                    .unicode_truncate(width)
                    .0,
            ),
            false => self.line.row(&prompt, width),
        });
        frame
    }

    /// The board as it is painted, in this person's colours.
    fn painted_page(&self, size: Size, diagram: &Board, keys: &Keys) -> TextPage {
        let style = BoardStyle {
            extent: Extent::Screen,
            ..self.style.clone()
        };
        let ending = text::ending_below(&self.game);
        let board = self.game.board();
        let mut page = style.page(board, Some(size), &keys.cursor, ending.as_deref());
        if !self.style.is_coloured {
            let glyphs = page.lines.iter_mut().flatten();
            glyphs.for_each(|(_, style)| *style = Style::new());
        }
        if !self.style.has_marks(board) {
            show_choice(&mut page, diagram, keys);
        }
        page
    }

    /// The last row while no line is typed: the prompt, the choice, and the available keys.
    fn status(&self, prompt: &str, diagram: &Board, keys: &Keys) -> String {
        if self.game.is_over() {
            return format!("{prompt}?: help  Esc: leave");
        }
        if self.style.has_marks(self.game.board()) {
            let (n_left, n_moves) = (self.marked().len(), self.game.board().moves().len());
            return format!(
                "{prompt}{n_left} of {n_moves}  letter: mark  Enter: play  ?: help  Esc: leave"
            );
        }
        if let Some(button) = &keys.button {
            return format!("{prompt}{button}  Enter: play  Esc: back");
        }
        let label = label(diagram, &keys.cursor);
        // The cursor may still be on the spot chosen last.
        let from: String = match keys.chosen.last() == Some(&keys.cursor) {
            true => "from ".to_owned(),
            false => {
                let from = keys.chosen.iter().map(|id| name(diagram, id));
                from.map(|name| format!("{name} to ")).collect()
            }
        };
        let escape = if keys.chosen.is_empty() {
            "leave"
        } else {
            "back"
        };
        let buttons: String = buttons(diagram)
            .map(|name| format!("  {}: {name}", name.chars().take(1).collect::<String>()))
            .collect();
        // A game drawn as text has no spots, and may have many buttons.
        let spots = match diagram.spots.is_empty() {
            true => String::new(),
            false => format!("{from}{label}  arrows, Enter  "),
        };
        format!("{prompt}{spots}?: help  Esc: {escape}{buttons}")
    }
}

/// Shows the cursor in reverse video, and underlines the chosen spots and those where the move may end. The last move
/// keeps only its brackets.
fn show_choice(page: &mut TextPage, diagram: &Board, keys: &Keys) {
    for (_, style) in page.lines.iter_mut().flatten() {
        *style -= Effects::INVERT;
    }
    for spot in &page.spots {
        let is_chosen = keys.chosen.contains(&spot.id);
        let next = [keys.chosen.as_slice(), std::slice::from_ref(&spot.id)].concat();
        let is_end = !keys.chosen.is_empty() && begins(&diagram.gestures, &next);
        let mut effects = Effects::new();
        if is_chosen || is_end {
            effects |= Effects::UNDERLINE;
        }
        if spot.id == keys.cursor {
            effects |= Effects::INVERT;
        }
        let line = &mut page.lines[spot.line as usize];
        let end = spot.columns.end as usize;
        if !effects.is_plain() && line.len() < end {
            line.resize(end, (' ', Style::new()));
        }
        for (_, style) in line.iter_mut().take(end).skip(spot.columns.start as usize) {
            *style |= effects;
        }
    }
}
