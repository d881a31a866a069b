//! The screen: lines and the board above a prompt, or the painted screen with the board, its panel, and the messages.

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
        let width = match self.is_painted || self.returns_to_keys {
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
        let size = size.filter(|_| self.screen.input_mode().is_live());
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

    /// Shows why a move is refused; for a script, on standard error. The lines of a person that wait behind it are dropped.
    pub(super) fn refuse_move(&mut self, why: &str) {
        self.n_refused += 1;
        if self.screen.input_mode().is_live() {
            self.say(why);
            self.drop_waiting();
            return;
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
        if self.is_painted {
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
        if self.is_painted {
            return self.paint();
        }
        let text = std::mem::take(&mut self.out);
        self.screen.show(&text, &self.make_prompt(), &self.line)
    }

    /// `true` if the board must be shown: to a player when a person is to move, to a spectator after every move.
    fn is_board_due(&self) -> bool {
        match self.game.turn() {
            Turn::Starting => false,
            // A person at a terminal sees the board while an engine makes the first move.
            Turn::Engine(_) => {
                let is_first = !self.talk.has_shown_board && self.screen.input_mode().is_live();
                !self.game.has_seat() || is_first
            }
            _ => true,
        }
    }

    /// The prompt, for a move or, while others are to move, for words.
    fn make_prompt(&self) -> Prompt {
        let (game, number) = (&self.game, self.game.n_moves() + 1);
        let is_script = !self.screen.input_mode().is_live();
        if is_script && (self.talk.pending.is_some() || game.is_asking()) {
            // A script is not shown it.
            return Prompt::Wait(String::new());
        }
        if let Some(prompt) = self.paste_prompt() {
            return Prompt::Ask(prompt);
        }
        let mover = |side| text::mover(game, side);
        match game.turn() {
            Turn::Over => Prompt::Ask("game over> ".to_owned()),
            Turn::Person(side) if game.may_move() => {
                let clock = game
                    .time_left(side)
                    .map(|left| format!(" {}", text::time(left)));
                let clock = clock.unwrap_or_default();
                let is_behind = game.tree().is_behind();
                let behind = if is_behind { " (back)" } else { "" };
                Prompt::Ask(format!("{number}. {}{clock}{behind}> ", mover(side)))
            }
            Turn::Held(side) if game.may_move() => {
                Prompt::Ask(format!("{number}. {} (engine waits)> ", mover(side)))
            }
            _ if is_script && game.is_asked() => Prompt::Ask("yes or no> ".to_owned()),
            turn => Prompt::Wait(match turn.side() {
                None => "waiting> ".to_owned(),
                Some(side) => format!("{number}. waiting for {}> ", mover(side)),
            }),
        }
    }

    /// Leaves the painted screen for a prompt; the messages shown meanwhile are repeated.
    pub(super) fn leave_keys(&mut self) {
        self.keep_said();
        if std::mem::take(&mut self.is_painted) {
            let (keys, width) = (std::mem::take(&mut self.keys), self.width_of_lines());
            let said = keys.said.iter().map(|line| fill(line, width) + "\n");
            self.out.insert_str(0, &said.collect::<String>());
            self.is_changed = true;
        }
    }

    /// Paints the screen.
    fn paint(&mut self) -> io::Result<()> {
        self.keep_said();
        self.is_changed = false;
        let frame = self.screen.size().map(|size| self.frame(size));
        frame.map_or(Ok(()), |frame| self.screen.paint(&frame))
    }

    /// Moves the new output to the messages below the painted board, or in its place.
    fn keep_said(&mut self) {
        if !self.is_painted {
            return;
        }
        let width = self.screen.size().map_or(usize::MAX, |size| size.columns);
        let text = std::mem::take(&mut self.out);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let n_rows: usize = lines.iter().map(|line| fold(line, width).len()).sum();
        let keys = &mut self.keys;
        keys.said.extend(lines.iter().cloned());
        if keys.is_answer_due && n_rows > MAX_BELOW {
            keys.answer.extend(lines);
            keys.first_shown = keys.said.len();
        }
    }

    /// Shows no message so far any longer: they are of a game that was left, or of an end that was taken back.
    pub(super) fn hide_said(&mut self) {
        self.keep_said();
        self.keys.first_shown = self.keys.said.len();
    }

    fn frame(&self, size: Size) -> Frame {
        let (mut frame, keys) = (Frame::new(size), &self.keys);
        let n_rows = size.lines.saturating_sub(1);
        if !keys.answer.is_empty() {
            let (rows, _) = page_of(&keys.answer, size);
            frame.put_rows(0, rows);
            frame.put_last(&Row::new("Space: continue  Esc: back"));
            return frame;
        }
        let diagram = self.diagram();
        let page = self.painted_page(size, &diagram);
        // New messages hide the last rows of a board that fills the screen, until the next key.
        let new = keys.said.iter().skip(keys.n_old);
        let n_new: usize = new.map(|line| fold(line, size.columns).len()).sum();
        let n_hidden = n_new.min(MAX_BELOW).min(n_rows.div_ceil(3));
        let board = page.lines.iter().take(n_rows).map(|row| line(row));
        let board: Vec<_> = board.collect();
        let (first, column, lines) = self.panel(&board, size.columns, n_rows);
        let n_above = board.len().max(first + lines.len());
        let n_above = n_above.min(n_rows - n_hidden);
        for (number, row) in board.into_iter().take(n_above).enumerate() {
            frame.put(0, number, row);
        }
        let rows = (first..n_above).zip(&lines);
        rows.for_each(|(number, row)| frame.put(column, number, row.as_str()));
        let said = &keys.said[keys.first_shown..];
        let (is_new, n_below) = (keys.said.len() > keys.n_old, n_rows - n_above);
        frame.put_rows(n_above, last_of(said, is_new, size.columns, n_below));
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = self.make_prompt();
        let width = size.columns.saturating_sub(1);
        frame.put_last(&match self.line.is_empty() {
            true => Row::new(self.status(&prompt, &diagram).unicode_truncate(width).0),
            false => self.line.row(&prompt, width),
        });
        frame
    }

    /// The board as it is painted, in this person's colours.
    fn painted_page(&self, size: Size, diagram: &Board) -> TextPage {
        let style = BoardStyle {
            extent: Extent::Screen,
            ..self.style.clone()
        };
        let ending = text::ending_below(&self.game);
        let board = self.game.board();
        let mut page = style.page(board, Some(size), &self.keys.cursor, ending.as_deref());
        if !self.style.is_coloured {
            let glyphs = page.lines.iter_mut().flatten();
            glyphs.for_each(|(_, style)| *style = Style::new());
        }
        if !self.style.has_marks(board) {
            show_choice(&mut page, diagram, &self.keys);
        }
        page
    }

    /// The last row while no line is typed: the prompt, the choice, and the available keys.
    fn status(&self, prompt: &str, diagram: &Board) -> String {
        let keys = &self.keys;
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
        // The cursor may still be on the spot chosen last.
        let from = match keys.chosen.last() == Some(&keys.cursor) {
            true => "from ".to_owned(),
            false => {
                let from = keys.chosen.iter().map(|id| name(diagram, id));
                from.map(|name| format!("{name} to ")).collect()
            }
        };
        let is_chosen = !keys.chosen.is_empty();
        let escape = if is_chosen { "back" } else { "leave" };
        let buttons = buttons(diagram)
            .map(|name| format!("  {}: {name}", name.chars().take(1).collect::<String>()));
        // A game drawn as text has no spots, and may have many buttons.
        let spots = match diagram.spots.is_empty() {
            true => String::new(),
            false => format!("{from}{}  arrows, Enter  ", label(diagram, &keys.cursor)),
        };
        let buttons: String = buttons.collect();
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
