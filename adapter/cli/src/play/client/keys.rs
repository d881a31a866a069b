//! Input by single keys: the whole screen is painted, and each key acts at once.
//!
//! If the board marks the legal moves, a letter inverts its mark and Enter plays the only marked move. Otherwise the
//! arrow keys move a cursor between the spots of the board and Enter chooses them, like clicks in a browser, and letters
//! type a move or a command. `:` begins a command in every game, and a long answer replaces the board until a key is
//! pressed. The moves, the clocks and the analysis next to the board are in `panel`.

use std::time::Instant;

use draw::{
    Board, Gesture, Glyph, Input, Spot, TextPage, View,
    anstyle::{Effects, Style},
};
use kit::Side;
use protocol::Line;
use rustyline::completion::longest_common_prefix;
use table::TableCommand;

use super::Client;
use super::key_choice::{Keys, MarkChange};
use super::output::completions;
use super::requests::N_LINES;
use crate::play::columns::{columns, split_at_column};
use crate::play::editor::{MAX_TYPED, candidates};
use crate::play::frame::Frame;
use crate::play::input::Key;
use crate::play::screen::{Prompt, Size};
use crate::play::style::{BoardStyle, Extent};
use crate::play::{text, word};

/// Maximum number of lines of an answer that are shown below the board.
const MAX_BELOW: usize = 3;

impl Client<'_> {
    /// Starts the input by keys.
    pub(super) fn take_keys(&mut self) {
        if !self.screen.takes_keys() {
            return self.say("keys: expected a terminal with cursor control whose size is known");
        }
        let cursor = self.middle();
        let keys = self.keys.get_or_insert_default();
        keys.forget();
        keys.cursor = cursor;
        keys.first_shown = keys.said.len();
        // Messages before the first key do not cover the board.
        keys.n_old = usize::MAX;
    }

    /// The spot in the middle of the board.
    fn middle(&self) -> String {
        let diagram = self.diagram();
        let distance = |spot: &&Spot| {
            let middle = spot.outline.bounds().centre();
            (middle.x - diagram.width / 2.0).hypot(middle.y - diagram.height / 2.0)
        };
        let by_distance = |one: &&Spot, other: &&Spot| distance(one).total_cmp(&distance(other));
        let cursor = diagram.spots.iter().min_by(by_distance);
        cursor.map_or_else(String::new, |spot| spot.id.clone())
    }

    /// Returns to the input by lines; the messages shown meanwhile are repeated.
    pub(super) fn leave_keys(&mut self) {
        self.keep_said();
        if let Some(keys) = self.keys.take() {
            let width = self.width_of_lines();
            let said = keys.said.iter().map(|line| text::fill(line, width) + "\n");
            self.out.insert_str(0, &said.collect::<String>());
            self.is_changed = true;
        }
    }

    /// Handles a key.
    pub(super) fn press(&mut self, key: Key) {
        let Some(keys) = &mut self.keys else { return };
        keys.is_answer_due = false;
        if key == Key::Resumed {
            return;
        }
        keys.n_old = keys.said.len();
        if !keys.answer.is_empty() && self.turn_page(key) {
            return;
        }
        let Some(keys) = &mut self.keys else { return };
        let has_marks = self.style.has_marks(self.game.board());
        match (key, &keys.typed) {
            (_, Some(_)) => return self.type_line(key),
            (Key::Letter('?'), _) => return self.enter("help keys"),
            (Key::Letter('<'), _) => return self.enter("back"),
            (Key::Letter('>'), _) => return self.enter("forward"),
            (Key::Letter('='), _) => return self.toggle_analysis(),
            (Key::Letter(':'), _) => return keys.begin_line(":".to_owned()),
            (Key::Letter(letter), _) if letter != ' ' && !has_marks => {
                return self.type_letter(letter);
            }
            _ => {}
        }
        if let (Key::Enter | Key::Letter(' '), Some(command)) = (key, keys.spelled()) {
            self.unspell(&command);
            if key == Key::Enter {
                return self.enter(&command);
            }
            // Its argument follows.
            let keys = self.keys.iter_mut();
            return keys.for_each(|keys| keys.begin_line(format!("{command} ")));
        }
        let asked = self.talk.pending_confirmation.take();
        let Some(keys) = &mut self.keys else { return };
        if !matches!(key, Key::Letter(_)) {
            keys.letters.clear();
        }
        match key {
            Key::Resumed | Key::Tab => {}
            Key::Escape if keys.chosen.is_empty() && keys.button.is_none() => self.leave_keys(),
            Key::Escape => keys.forget(),
            Key::Letter(' ') if has_marks => self.invert_all(),
            Key::Letter(letter) if has_marks => self.invert(letter),
            Key::Enter if has_marks => self.play_marked(asked.as_deref()),
            Key::Form if has_marks => self.commit(Side::P1, asked.as_deref()),
            Key::Line if has_marks => self.commit(Side::P2, asked.as_deref()),
            Key::Form => {}
            Key::Backspace if has_marks => {
                if let Some(change) = keys.changes.pop() {
                    self.style.unmarked = change.before;
                }
            }
            Key::Arrow(..) if has_marks => {}
            Key::Arrow(right, down) => self.step_cursor((right, down)),
            // The line feed of a terminal that does not send a carriage return.
            Key::Enter | Key::Line => self.choose(asked.as_deref()),
            // It turns the pages of answers, and one too many must not play a move.
            Key::Letter(' ') => self.say("Enter chooses on the board"),
            Key::Backspace => drop(keys.chosen.pop()),
            // Handled above.
            Key::Letter(_) => {}
        }
    }

    /// Chooses the button whose name starts with a letter, or begins a line with it.
    fn type_letter(&mut self, letter: char) {
        let starts = |name: &String| {
            let first = name.chars().next();
            first.is_some_and(|first| first.eq_ignore_ascii_case(&letter))
        };
        let found = buttons(&self.diagram()).find(starts);
        let Some(keys) = &mut self.keys else { return };
        match (keys.button.take(), found) {
            (None, Some(button)) => keys.button = Some(button),
            // The line begins with the letter that chose the button.
            (Some(button), _) => {
                let first = button.chars().next().into_iter();
                keys.begin_line(first.chain([letter]).collect());
            }
            (None, None) => keys.begin_line(letter.to_string()),
        }
    }

    /// Handles a key of a line.
    fn type_line(&mut self, key: Key) {
        let Some(keys) = &mut self.keys else { return };
        let Some(typed) = &mut keys.typed else { return };
        match key {
            Key::Letter(letter) if typed.len() < MAX_TYPED => typed.push(letter),
            Key::Backspace => {
                typed.pop();
                keys.typed = keys.typed.take().filter(|typed| !typed.is_empty());
            }
            Key::Arrow(0, down) if down != 0 => keys.recall(down > 0),
            Key::Tab => self.complete(),
            Key::Enter | Key::Line => {
                let Some(line) = keys.end_line() else { return };
                // `:` may also begin a move.
                let is_move = line.starts_with(':') && word::read(&line).is_err();
                self.enter(if is_move { &line[1..] } else { &line });
            }
            Key::Escape => keys.typed = None,
            Key::Letter(_) | Key::Arrow(..) | Key::Form | Key::Resumed => {}
        }
    }

    /// Completes the last word of the line to the longest common prefix of the candidates, or lists them.
    fn complete(&mut self) {
        let words = completions(&self.game);
        let typed = self.keys.as_mut().and_then(|keys| keys.typed.as_mut());
        let Some(typed) = typed else { return };
        let (start, found) = candidates(typed, &words);
        let common = longest_common_prefix(&found).unwrap_or_default();
        if common.len() > typed.len() - start {
            typed.replace_range(start.., common);
        } else if found.len() > 1 {
            self.say(&found.join(" "));
        }
    }

    /// Executes a line. A word that reads more lines ends the input by keys until it has read them.
    fn enter(&mut self, line: &str) {
        if let Some(keys) = &mut self.keys {
            keys.is_answer_due = true;
        }
        self.take_line(Instant::now(), &Line::Text(line.to_owned()));
        if self.paste.is_some() {
            self.leave_keys();
            self.returns_to_keys = true;
        }
    }

    /// Starts or stops the analysis next to the board, which follows the game.
    fn toggle_analysis(&mut self) {
        self.ask_aside(match self.has_live_analysis() {
            true => TableCommand::StopAnalysis,
            false => TableCommand::Analyse {
                node: None,
                lines: Some(N_LINES),
                seconds: None,
            },
        });
    }

    /// Shows the next part of a long answer, or the board again. A letter, which may begin a command, ends the answer; then
    /// returns `false` if it is still to be handled.
    fn turn_page(&mut self, key: Key) -> bool {
        let (size, has_marks) = (self.screen.size(), self.style.has_marks(self.game.board()));
        let Some(keys) = &mut self.keys else {
            return true;
        };
        match key {
            Key::Letter(letter) if letter != ' ' => {
                keys.answer.clear();
                // It leaves the marks as they are.
                keys.letters = vec![(letter, false)];
                has_marks && letter.is_ascii_alphabetic()
            }
            Key::Escape => {
                keys.answer.clear();
                true
            }
            _ => {
                let shown = size.map_or(usize::MAX, |size| page_of(&keys.answer, size).1);
                keys.answer.drain(..shown.min(keys.answer.len()));
                true
            }
        }
    }

    /// Inverts the mark of the move that a letter names. A letter that names none begins a line, with those before it that
    /// spell a command.
    fn invert(&mut self, letter: char) {
        let board = self.game.board();
        let read = board.read(letter.encode_utf8(&mut [0; 4]));
        let is_legal = |code: &String| board.moves().contains(code);
        let code = read.as_ref().ok().filter(|code| is_legal(code)).cloned();
        let Some(keys) = &mut self.keys else { return };
        keys.letters.push((letter, code.is_some()));
        match (code, read) {
            (Some(code), _) => {
                self.keep_marks(Some(code.clone()));
                self.toggle_mark(code);
            }
            (None, Ok(code)) => self.say(&format!("{code} is not legal here")),
            (None, Err(why)) => match keys.begun() {
                Some(line) => {
                    self.unspell(&line);
                    if let Some(keys) = &mut self.keys {
                        keys.begin_line(line);
                    }
                }
                None => self.say(&why.to_string()),
            },
        }
    }

    /// Restores the marks that the letters of a command have inverted.
    fn unspell(&mut self, command: &str) {
        let keys = self.keys.as_mut();
        if let Some(before) = keys.and_then(|keys| keys.unspell(command.chars().count())) {
            self.style.unmarked = before;
        }
    }

    /// Removes all marks, or sets all if there are none.
    fn invert_all(&mut self) {
        let is_any_left = !self.marked().is_empty();
        self.keep_marks(None);
        self.style.unmarked = if is_any_left {
            self.game.board().moves()
        } else {
            Vec::new()
        };
    }

    fn keep_marks(&mut self, code: Option<String>) {
        let before = self.style.unmarked.clone();
        if let Some(keys) = &mut self.keys {
            keys.changes.push(MarkChange { before, code });
        }
    }

    /// The legal moves that are marked.
    fn marked(&self) -> Vec<String> {
        let mut codes = self.game.board().moves();
        codes.retain(|code| !self.style.unmarked.contains(code));
        codes
    }

    /// Plays the only marked move; if there are several, the one whose mark was changed last.
    fn play_marked(&mut self, asked: Option<&str>) {
        let marked = self.marked();
        let changes = self.keys.iter().flat_map(|keys| &keys.changes);
        let last = changes.last().and_then(|change| change.code.clone());
        match (marked.as_slice(), last) {
            ([], _) if self.game.is_over() => self.say("the game is over"),
            ([], _) => self.say("no move is marked: type a letter to mark its move"),
            ([code], _) => self.play_key(&code.clone(), asked),
            (_, Some(code)) if marked.contains(&code) => self.play_key(&code, asked),
            // All other marks are set.
            (_, Some(code)) if marked.len() + 1 == self.game.board().moves().len() => {
                self.play_key(&code, asked);
            }
            _ => self.say(&format!(
                "{} moves are marked: unmark all but one, or press its letter twice",
                marked.len()
            )),
        }
    }

    /// Plays the move whose mark was inverted last.
    fn play_inverted(&mut self, asked: Option<&str>) {
        let changes = self.keys.iter().flat_map(|keys| keys.changes.iter().rev());
        let code = changes.filter_map(|change| change.code.clone()).next();
        match code {
            Some(code) => self.play_key(&code, asked),
            None if self.game.is_over() => self.say("the game is over"),
            None => self.say("no mark was inverted: type the letter of a move"),
        }
    }

    /// Plays the move whose mark was inverted last, by the key of this side: FORM for the first player, LINE for the
    /// second.
    fn commit(&mut self, side: Side, asked: Option<&str>) {
        const KEYS: [&str; 2] = ["FORM (Ctrl-L)", "LINE (Ctrl-J)"];
        let to_move = self.game.board().side();
        if side == to_move || self.game.is_over() {
            return self.play_inverted(asked);
        }
        let [own, other] = [side, to_move].map(|side| KEYS[side.index()]);
        let name = self.game.side_name(to_move);
        self.say(&format!("{own}: {name} is to move: expected {other}"));
    }

    fn play_key(&mut self, code: &str, asked: Option<&str>) {
        self.moves(Instant::now(), code, asked);
    }

    /// Moves the cursor to the next spot in a direction.
    fn step_cursor(&mut self, step: (i8, i8)) {
        let view = View {
            is_close: true,
            ..self.style.view()
        };
        let page = self.game.board().page(view);
        let Some(keys) = &mut self.keys else { return };
        keys.button = None;
        let next = page.next_spot(&keys.cursor, step);
        let first = || page.spots.first().map(|spot| spot.id.as_str());
        let is_lost = !page.spots.iter().any(|spot| spot.id == keys.cursor);
        if let Some(next) = next.or_else(|| first().filter(|_| is_lost)) {
            keys.cursor = next.to_owned();
        }
    }

    /// Chooses the spot under the cursor, or plays the chosen button.
    fn choose(&mut self, asked: Option<&str>) {
        let diagram = self.diagram();
        let gestures = &diagram.gestures;
        let Some(keys) = &mut self.keys else { return };
        if let Some(button) = &keys.button {
            let code = gesture(gestures, &Input::Button(button.clone()));
            return match code {
                Some(code) => self.play_key(&code, asked),
                None => self.say("not legal now"),
            };
        }
        if keys.chosen.last() == Some(&keys.cursor) {
            keys.chosen.pop();
            return;
        }
        let cursor = keys.cursor.clone();
        let chosen = [keys.chosen.as_slice(), std::slice::from_ref(&cursor)].concat();
        if let Some(code) = gesture(gestures, &Input::Spots(chosen.clone())) {
            self.play_key(&code, asked);
        } else if begins(gestures, &chosen) {
            keys.chosen = chosen;
        } else if begins(gestures, std::slice::from_ref(&cursor)) {
            // The spot starts another move.
            keys.chosen = vec![cursor];
        } else {
            let why = match keys.chosen.as_slice() {
                _ if gestures.is_empty() => "the game is over".to_owned(),
                _ if diagram.spots.is_empty() => "type the letter of a move, or a move".to_owned(),
                [] => format!("no move starts at {}", name(&diagram, &cursor)),
                [chosen, ..] => {
                    let (from, to) = (name(&diagram, chosen), name(&diagram, &cursor));
                    format!("no move leads from {from} to {to}")
                }
            };
            self.say(&why);
        }
    }

    fn diagram(&self) -> Board {
        self.game.board().diagram(View::default())
    }

    /// Paints the screen: the board, the messages, and the keys.
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
        if !keys.answer.is_empty() {
            let mut rows = page_of(&keys.answer, size).0;
            rows.resize(size.lines.saturating_sub(1), Vec::new());
            return Frame {
                rows,
                status: "Space: continue  Esc: back".to_owned(),
            };
        }
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
        let diagram = self.diagram();
        if !self.style.has_marks(self.game.board()) {
            show_choice(&mut page, &diagram, keys);
        }
        let n_rows = size.lines.saturating_sub(1);
        let mut rows = self.with_panel(page.lines, size.columns, n_rows);
        // New messages hide the last rows of a board that fills the screen, until the next key.
        let new = keys.said.iter().skip(keys.n_old);
        let n_new: usize = new.map(|line| fold(line, size.columns).len()).sum();
        let n_hidden = n_new.min(MAX_BELOW).min(n_rows.div_ceil(3));
        rows.truncate(n_rows - n_hidden);
        let is_new = keys.said.len() > keys.n_old;
        let said = &keys.said[keys.first_shown..];
        rows.extend(last_of(said, is_new, size.columns, n_rows - rows.len()));
        rows.resize(n_rows, Vec::new());
        let status = self.status(&diagram, keys);
        let width = size.columns.saturating_sub(1);
        // Of a long line, the end is shown, where the cursor is.
        let surplus = match keys.typed {
            Some(_) => columns(&status).saturating_sub(width),
            None => 0,
        };
        let (start, end) = split_at_column(&status, surplus);
        // Half a wide character cannot be shown.
        let n_half = 2 * usize::from(columns(start) < surplus);
        let (_, end) = split_at_column(end, n_half);
        let status = split_at_column(end, width).0.to_owned();
        Frame { rows, status }
    }

    /// The last line of the screen: the prompt, the choice, and the available keys.
    fn status(&self, diagram: &Board, keys: &Keys) -> String {
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = self.make_prompt();
        match &keys.typed {
            Some(command) if command.starts_with(':') => return command.clone(),
            Some(typed) => return format!("{prompt}{typed}"),
            None => {}
        }
        if let Some(command) = keys.spelled() {
            return format!("{prompt}{command}  Enter: the command  Backspace: back to the marks");
        }
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

/// The label of a spot for screen readers.
fn label<'a>(diagram: &'a Board, id: &str) -> &'a str {
    let spot = diagram.spots.iter().find(|spot| spot.id == id);
    spot.map_or("", |spot| spot.label.as_str())
}

/// The name of a spot: its label without its occupant.
fn name<'a>(diagram: &'a Board, id: &str) -> &'a str {
    let label = label(diagram, id);
    label.split_once(',').map_or(label, |(name, _)| name)
}

/// The code of the gesture with this input.
fn gesture(gestures: &[Gesture], input: &Input) -> Option<String> {
    let found = gestures.iter().find(|gesture| gesture.input == *input)?;
    Some(found.code.clone())
}

/// `true` if a move starts with these spots.
fn begins(gestures: &[Gesture], chosen: &[String]) -> bool {
    gestures.iter().any(|gesture| match &gesture.input {
        Input::Spots(spots) => spots.starts_with(chosen),
        Input::Button(_) => false,
    })
}

/// The names of the buttons next to the board.
fn buttons(diagram: &Board) -> impl Iterator<Item = String> {
    diagram
        .gestures
        .iter()
        .filter_map(|gesture| match &gesture.input {
            Input::Button(name) => Some(name.clone()),
            Input::Spots(_) => None,
        })
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

/// The rows of the first page of these lines, and the number of lines on it, at least one.
fn page_of(lines: &[String], size: Size) -> (Vec<Vec<Glyph>>, usize) {
    let n_rows = size.lines.saturating_sub(1);
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let folded = fold(line, size.columns);
        if number > 0 && rows.len() + folded.len() > n_rows {
            return (rows, number);
        }
        rows.extend(folded.into_iter().take(n_rows));
    }
    (rows, lines.len())
}

/// The rows of the last messages that fit whole; of a single new one that does not, its beginning.
fn last_of(said: &[String], is_new: bool, width: usize, n_rows: usize) -> Vec<Vec<Glyph>> {
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    for line in said.iter().rev() {
        let folded = fold(line, width);
        if rows.len() + folded.len() > n_rows {
            if rows.is_empty() && is_new {
                rows.extend(folded.into_iter().take(n_rows));
            }
            break;
        }
        rows.splice(..0, folded);
    }
    rows
}

/// A line of text, wrapped at the width of the screen: between words, or within one that is longer.
fn fold(line: &str, width: usize) -> Vec<Vec<Glyph>> {
    let filled = match columns(line) > width {
        true => text::fill(line, width),
        false => line.to_owned(),
    };
    filled.lines().flat_map(|line| cut(line, width)).collect()
}

/// The parts of a line that fit the screen.
fn cut(line: &str, width: usize) -> Vec<Vec<Glyph>> {
    let mut rows = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        // Each row takes a character, which may be wide.
        let (row, after) = split_at_column(rest, width.max(2));
        rows.push(row.chars().map(|letter| (letter, Style::new())).collect());
        rest = after;
    }
    rows
}
