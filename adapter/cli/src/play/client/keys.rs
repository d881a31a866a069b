//! The keys of the painted screen, which act at once.
//!
//! If the board marks the legal moves, a letter inverts its mark and Enter plays the only marked move. Otherwise the
//! arrow keys move a cursor between the spots of the board and Enter chooses them, like clicks in a browser, and letters
//! type a move or a command. `:` begins a command in every game, and a long answer replaces the board until a key is
//! pressed. `paint` shows the screen.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent};
use draw::{Board, Gesture, Input as Gestured, Rectangle, Room, Spot, View};
use kit::Side;
use table::TableCommand;

use super::Client;
use super::requests::N_LINES;
use crate::play::help;
use crate::play::screen::direction;
use crate::play::style::{buttons, page_of};
use crate::play::words::{self, Typed};

/// The state of the painted screen: what is chosen, and the messages.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The spot under the cursor.
    pub(super) cursor: String,
    /// The chosen spots of a move with several.
    pub(super) chosen: Vec<String>,
    /// The chosen button.
    pub(super) button: Option<String>,
    /// The changes to the marks of this position, for Backspace: the unmarked moves before each, and the move whose mark
    /// was inverted, or `None` for all.
    changes: Vec<(Vec<String>, Option<String>)>,
    /// The letters pressed one after the other, each with the number of changes of marks before it.
    letters: Vec<(char, usize)>,
    /// All messages, line by line.
    pub(super) said: Vec<String>,
    /// The first of them that is shown below the board: those before are of an earlier game.
    pub(super) first_shown: usize,
    /// Number of messages before the last key; those after it are shown even over the board.
    pub(super) n_old: usize,
    /// The person has just entered a command, so a long answer replaces the board.
    pub(super) is_answer_due: bool,
    /// The rest of a long answer, shown until keys are pressed.
    pub(super) answer: Vec<String>,
}

impl Keys {
    /// Drops all choices after a change of the position.
    pub(super) fn forget(&mut self) {
        self.chosen.clear();
        self.button = None;
        self.changes.clear();
        self.letters.clear();
    }

    /// The command that the last letters spell or, if the last one is no move, begin; and the number of changes of marks
    /// before it.
    fn spelled(&self) -> Option<(String, usize)> {
        let (_, n_before) = self.letters.last()?;
        let is_mark = self.changes.len() > *n_before;
        let from = |first: usize| {
            let letters = self.letters[first..].iter().map(|(letter, _)| letter);
            (letters.collect::<String>(), self.letters[first].1)
        };
        let is_word = |(text, _): &(String, usize)| {
            let is_whole = text.len() > 1 && matches!(words::read(text), Ok(Typed::Word(..)));
            is_whole || !is_mark && words::begins(text)
        };
        (0..self.letters.len()).map(from).find(is_word)
    }
}

impl Client<'_> {
    /// Begins to paint the screen.
    pub(super) fn take_keys(&mut self) {
        if !self.screen.reads_keys() || self.screen.size().is_none() {
            return self
                .say("The screen of keys needs a terminal with cursor control and a known size.");
        }
        self.is_painted = true;
        self.keys.forget();
        self.keys.cursor = self.middle();
        self.keys.first_shown = self.keys.said.len();
        // Messages before the first key do not cover the board.
        self.keys.n_old = usize::MAX;
    }

    /// The spot in the middle of the others.
    fn middle(&self) -> String {
        let diagram = self.diagram();
        let place = |spot: &Spot| spot.outline.bounds().centre();
        let middle = Rectangle::around(diagram.spots.iter().map(place)).centre();
        let distance = |spot: &&Spot| {
            let place = place(spot);
            (place.x - middle.x).hypot(place.y - middle.y)
        };
        let by_distance = |one: &&Spot, other: &&Spot| distance(one).total_cmp(&distance(other));
        let cursor = diagram.spots.iter().min_by(by_distance);
        cursor.map(|spot| spot.id.clone()).unwrap_or_default()
    }

    /// Carries out a key on the board; `false` if it begins or recalls a line.
    pub(super) fn act(&mut self, key: KeyEvent, is_control: bool) -> bool {
        let has_marks = self.style.has_marks(self.game.board());
        match key.code {
            KeyCode::Char('?') => {
                let text = help::keys(&self.game, &self.style, self.width());
                self.keys.is_answer_due = true;
                self.say(&text);
            }
            KeyCode::Char('<') => self.enter("back"),
            KeyCode::Char('>') => self.enter("forward"),
            KeyCode::Char('=') => self.toggle_analysis(),
            KeyCode::Char(' ') if !has_marks => {
                // It turns the pages of answers, and one too many must not play a move.
                self.say("Enter chooses on the board");
            }
            KeyCode::Char(':') => self.line.begin(":"),
            KeyCode::Char(letter) if !is_control && !has_marks => {
                return self.choose_button(letter);
            }
            _ => return self.choose_by(key, is_control, has_marks),
        }
        true
    }

    /// Carries out a key that chooses a move.
    fn choose_by(&mut self, key: KeyEvent, is_control: bool, has_marks: bool) -> bool {
        self.talk.confirmed = self.talk.pending_confirmation.take();
        let keys = &mut self.keys;
        if is_control || !matches!(key.code, KeyCode::Char(_)) {
            keys.letters.clear();
        }
        match (key.code, is_control) {
            (KeyCode::Esc, _) if keys.chosen.is_empty() && keys.button.is_none() => {
                self.leave_keys();
            }
            (KeyCode::Esc, _) => keys.forget(),
            (KeyCode::Enter, _) if has_marks => self.play_marked(),
            (KeyCode::Char('l'), true) if has_marks => self.commit(Side::P1),
            (KeyCode::Char('j'), true) if has_marks => self.commit(Side::P2),
            (KeyCode::Char(' '), false) => self.invert_all(),
            (KeyCode::Char(letter), false) => self.invert(letter),
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) if has_marks => {
                if let Some((before, _)) = keys.changes.pop() {
                    self.style.unmarked = before;
                }
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => drop(keys.chosen.pop()),
            // Ctrl-J is the line feed of a terminal that does not send a carriage return.
            (KeyCode::Enter, _) | (KeyCode::Char('j'), true) => self.choose(),
            (KeyCode::Char(_), true) => return false,
            (code, _) => match direction(code) {
                Some(_) if has_marks => {}
                Some(step) => self.step_cursor(step),
                None => return code == KeyCode::Tab,
            },
        }
        true
    }

    /// Chooses the button whose name starts with a letter; `false` if the letter is typed into the line. After the letter of
    /// a button, the line begins with that.
    fn choose_button(&mut self, letter: char) -> bool {
        let found = buttons(&self.diagram()).find(|name: &String| {
            let first = name.chars().next();
            first.is_some_and(|first| first.eq_ignore_ascii_case(&letter))
        });
        let chosen = self.keys.button.take();
        if chosen.is_none() && found.is_some() {
            self.keys.button = found;
            return true;
        }
        let first = chosen.iter().flat_map(|button| button.chars().next());
        self.line.begin(&first.collect::<String>());
        false
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
    pub(super) fn turn_page(&mut self, code: KeyCode, is_control: bool) -> bool {
        let keys = &mut self.keys;
        match code {
            // The answer arrived while a line was typed: the key belongs to the line.
            code if code == KeyCode::Esc || !self.line.is_empty() => {
                keys.answer.clear();
                code == KeyCode::Esc
            }
            KeyCode::Char(letter) if !is_control && letter != ' ' => {
                keys.answer.clear();
                // In a game of marks it leaves them as they are, unless a command follows.
                keys.letters = vec![(letter, keys.changes.len())];
                letter.is_ascii_alphabetic() && self.style.has_marks(self.game.board())
            }
            _ => {
                let size = self.screen.size();
                let shown = size.map_or(usize::MAX, |size| page_of(&keys.answer, size).1);
                keys.answer.drain(..shown.min(keys.answer.len()));
                true
            }
        }
    }

    /// Inverts the mark of the move that a letter names. Letters that spell a command, or begin one with a letter that is no
    /// move, become a line, and the marks are again as before them.
    fn invert(&mut self, letter: char) {
        let board = self.game.board();
        let read = board.read(letter.encode_utf8(&mut [0; 4]));
        let is_legal = |code: &String| board.moves().contains(code);
        let code = read.as_ref().ok().filter(|code| is_legal(code)).cloned();
        self.keys.letters.push((letter, self.keys.changes.len()));
        if let Some(code) = &code {
            self.keep_marks(Some(code.clone()));
            self.toggle_mark(code.clone());
        }
        if let Some((line, n_before)) = self.keys.spelled() {
            self.keys.letters.clear();
            if let Some((before, _)) = self.keys.changes.drain(n_before..).next() {
                self.style.unmarked = before;
            }
            return self.line.begin(&line);
        }
        match read {
            _ if code.is_some() => {}
            Ok(code) => self.say(&format!("{code} is not legal here")),
            Err(why) => self.say(&why.to_string()),
        }
    }

    /// Removes all marks, or sets all if there are none.
    fn invert_all(&mut self) {
        self.keep_marks(None);
        self.style.unmarked = match self.marked().is_empty() {
            true => Vec::new(),
            false => self.game.board().moves(),
        };
    }

    fn keep_marks(&mut self, code: Option<String>) {
        self.keys.changes.push((self.style.unmarked.clone(), code));
    }

    /// The legal moves that are marked.
    pub(super) fn marked(&self) -> Vec<String> {
        let mut codes = self.game.board().moves();
        codes.retain(|code| !self.style.unmarked.contains(code));
        codes
    }

    /// Plays the only marked move; if there are several, the one whose mark was changed last.
    fn play_marked(&mut self) {
        let marked = self.marked();
        let last = self.keys.changes.last().and_then(|(_, code)| code.clone());
        let n_moves = self.game.board().moves().len();
        match (marked.as_slice(), last) {
            ([], _) if self.game.is_over() => self.say("the game is over"),
            ([], _) => self.say("no move is marked: type a letter to mark its move"),
            ([code], _) => self.play_key(code),
            // All other marks may be set.
            (_, Some(code)) if marked.contains(&code) || marked.len() + 1 == n_moves => {
                self.play_key(&code);
            }
            _ => self.say(&format!(
                "{} moves are marked: unmark all but one, or press its letter twice",
                marked.len()
            )),
        }
    }

    /// Plays the move whose mark was inverted last, by the key of this side: FORM for the first player, LINE for the
    /// second.
    fn commit(&mut self, side: Side) {
        const KEYS: [&str; 2] = ["FORM (Ctrl-L)", "LINE (Ctrl-J)"];
        let to_move = self.game.board().side();
        let changes = self.keys.changes.iter().rev();
        let code = changes.filter_map(|(_, code)| code.clone()).next();
        match code {
            _ if side != to_move && !self.game.is_over() => {
                let [own, other] = [side, to_move].map(|side| KEYS[side.index()]);
                let name = self.game.side_name(to_move);
                self.say(&format!("{own}: {name} is to move: press {other}"));
            }
            Some(code) => self.play_key(&code),
            None if self.game.is_over() => self.say("the game is over"),
            None => self.say("no mark was inverted: type the letter of a move"),
        }
    }

    fn play_key(&mut self, code: &str) {
        self.moves(Instant::now(), code);
    }

    /// Moves the cursor to the next spot in a direction.
    fn step_cursor(&mut self, step: (i8, i8)) {
        let page = self.game.board().page(View {
            room: Some(Room::UNLIMITED),
            ..self.style.view()
        });
        let keys = &mut self.keys;
        keys.button = None;
        let next = page.next_spot(&keys.cursor, step);
        let first = || page.spots.first().map(|spot| spot.id.as_str());
        let is_lost = !page.spots.iter().any(|spot| spot.id == keys.cursor);
        if let Some(next) = next.or_else(|| first().filter(|_| is_lost)) {
            keys.cursor = next.to_owned();
        }
    }

    /// Chooses the spot under the cursor, or plays the chosen button.
    fn choose(&mut self) {
        let diagram = self.diagram();
        let (gestures, keys) = (&diagram.gestures, &mut self.keys);
        if let Some(button) = &keys.button {
            return match gesture(gestures, &Gestured::Button(button.clone())) {
                Some(code) => self.play_key(&code),
                None => self.say("not legal now"),
            };
        }
        if keys.chosen.last() == Some(&keys.cursor) {
            keys.chosen.pop();
            return;
        }
        let cursor = vec![keys.cursor.clone()];
        let chosen = [keys.chosen.as_slice(), &cursor].concat();
        if let Some(code) = gesture(gestures, &Gestured::Spots(chosen.clone())) {
            self.play_key(&code);
        } else if begins(gestures, &chosen) {
            keys.chosen = chosen;
        } else if begins(gestures, &cursor) {
            // The spot starts another move.
            keys.chosen = cursor;
        } else {
            let to = name(&diagram, &keys.cursor);
            let why = match keys.chosen.first() {
                _ if gestures.is_empty() => "the game is over".to_owned(),
                _ if diagram.spots.is_empty() => "type the letter of a move, or a move".to_owned(),
                None => format!("no move starts at {to}"),
                Some(from) => format!("no move leads from {} to {to}", name(&diagram, from)),
            };
            self.say(&why);
        }
    }

    pub(super) fn diagram(&self) -> Board {
        self.game.board().diagram(View::default())
    }
}

/// The label of a spot for screen readers.
pub(super) fn label<'a>(diagram: &'a Board, id: &str) -> &'a str {
    let spot = diagram.spots.iter().find(|spot| spot.id == id);
    spot.map_or("", |spot| spot.label.as_str())
}

/// The name of a spot: its label without its occupant.
pub(super) fn name<'a>(diagram: &'a Board, id: &str) -> &'a str {
    let label = label(diagram, id);
    label.split_once(',').map_or(label, |(name, _)| name)
}

/// The code of the gesture with this input.
fn gesture(gestures: &[Gesture], input: &Gestured) -> Option<String> {
    let found = gestures.iter().find(|gesture| gesture.input == *input)?;
    Some(found.code.clone())
}

/// `true` if a move starts with these spots.
pub(super) fn begins(gestures: &[Gesture], chosen: &[String]) -> bool {
    gestures.iter().any(|gesture| match &gesture.input {
        Gestured::Spots(spots) => spots.starts_with(chosen),
        Gestured::Button(_) => false,
    })
}
