//! `setup`: starts a game from a position that is typed or pasted, as a string or as the rows of a board.

use std::fmt::Display;
use std::time::Instant;

use itertools::Itertools;
use record::opening::Opening;
use table::paste::{Candidate, PasteLine, PasteReader, Pasted};
use table::{CommandId, Role};

use super::Client;
use crate::play::words::{self, Typed};

/// Maximum size of a pasted text, in bytes; larger than any board with its moves.
pub(super) const MAX_BYTES: usize = 1 << 16;

/// End of the message for a failed `setup`.
const AS_IT_IS: &str = "the game is unchanged";

/// A position that is being entered.
#[derive(Clone)]
pub(super) struct Paste {
    reader: PasteReader,
    n_bytes: usize,
    /// The positions between which the next line chooses: each names the side to move.
    question: Option<Pasted>,
}

impl Paste {
    /// Adds a line; `None` if the text is too long.
    fn push(&mut self, line: &str) -> Option<PasteLine> {
        self.n_bytes += line.len() + 1;
        (self.n_bytes < MAX_BYTES).then(|| self.reader.push(line))
    }

    /// `true` for moves without a board that can be played from the start.
    fn has_game(&self) -> bool {
        !self.reader.has_rows() && self.reader.read().is_ok()
    }
}

impl Client<'_> {
    /// Starts from a position string, or asks for a position.
    pub(super) fn setup(&mut self, rest: &str) {
        if self.role() != Role::Host {
            return self.refuse_as_guest(CommandId::New);
        }
        if !self.may_abandon("setup", rest) {
            return;
        }
        let mut paste = self.new_paste();
        if !rest.is_empty() {
            let opening = Opening::parse(rest);
            // A text pasted after the word.
            if self.game.rules().open(&opening).is_ok()
                || paste.push(rest).is_none()
                || !paste.reader.has_rows()
            {
                return self.begin(Some(opening), Vec::new(), None);
            }
        } else if let Some(text) = self.talk.held.take() {
            return self.read_text(&text);
        }
        self.say("Type or paste a position: a string, or the rows of a board. Ctrl-C leaves.");
        self.paste = Some(paste);
    }

    fn new_paste(&self) -> Paste {
        Paste {
            reader: PasteReader::new(self.game.rules()),
            n_bytes: 0,
            question: None,
        }
    }

    /// `true` if a text contains a whole position.
    pub(super) fn holds_position(&self, text: &str) -> bool {
        let mut paste = self.new_paste();
        text.lines().all(|line| paste.push(line).is_some()) && paste.reader.is_complete()
    }

    /// `true` if the next lines are rows of a position.
    pub(super) fn reads_rows(&self) -> bool {
        let paste = self.paste.as_ref();
        paste.is_some_and(|paste| paste.question.is_none())
    }

    /// The prompt of the current question.
    pub(super) fn paste_prompt(&self) -> Option<String> {
        let question = self.paste.as_ref()?.question.as_ref();
        let asked = question.map_or_else(|| "setup".to_owned(), names);
        Some(format!("{asked}> "))
    }

    /// Reads a whole text.
    pub(super) fn read_text(&mut self, text: &str) {
        let mut paste = self.paste.take().unwrap_or_else(|| self.new_paste());
        match text.lines().all(|line| paste.push(line).is_some()) {
            true => self.finish_setup(paste),
            false => self.say(&too_long()),
        }
    }

    /// Handles one line of a position, or the side to move. A position string is complete at once, a board with the line
    /// that names the side to move, or before a line that is not part of it.
    pub(super) fn on_setup_line(&mut self, line: &str) {
        let Some(mut paste) = self.paste.take() else {
            return;
        };
        if let Some(candidate) = paste.question.as_ref().and_then(|asked| find(asked, line)) {
            return self.begin_at(candidate.clone());
        }
        let opening = Opening::parse(line);
        let is_blank = line.trim().is_empty();
        if !is_blank && !paste.reader.has_rows() && self.game.rules().open(&opening).is_ok() {
            return self.begin(Some(opening), Vec::new(), None);
        }
        let before = paste.clone();
        let was_complete = before.reader.is_complete();
        let Some(kind) = paste.push(line) else {
            return self.say(&too_long());
        };
        if kind == PasteLine::Other && (is_word(line) || was_complete && paste.question.is_none()) {
            self.finish_setup(before);
            // The line is for the game that begins.
            if self.paste.is_none() {
                self.queue_first(Instant::now(), &[line]);
            }
            return;
        }
        let is_live = self.screen.input_mode().is_live();
        let is_complete = paste.reader.is_complete();
        let is_ended = is_blank && is_live && (was_complete || before.has_game());
        if is_ended || is_complete && paste.reader.tells_turn() {
            return self.finish_setup(paste);
        }
        if is_blank && is_live && paste.n_bytes == 1 {
            self.say("nothing pasted yet; Ctrl-C leaves setup");
        } else if is_live && !was_complete && is_complete {
            self.say("The board is complete: add who is to move, or an empty line.");
        } else if is_live && kind == PasteLine::Numbered && paste.has_game() {
            self.say("The moves are read: add more of them, or an empty line.");
        }
        self.paste = Some(paste);
    }

    /// Starts from the position that was read. If the side to move is not given, it asks for it; a script is told what
    /// to add.
    fn finish_setup(&mut self, mut paste: Paste) {
        let failed = |why: &dyn Display| format!("setup: {why}; {AS_IT_IS}");
        let pasted = match paste.reader.read() {
            Ok(pasted) => pasted,
            Err(why) => return self.refuse(&failed(&why)),
        };
        if let Some(note) = pasted.unread_note() {
            self.say(&note);
        }
        match pasted.only().cloned() {
            Ok(candidate) => self.begin_at(candidate),
            Err(_) if self.screen.input_mode().is_live() => {
                self.say(&format!("Who is to move: {}?", names(&pasted)));
                paste.question = Some(pasted);
                self.paste = Some(paste);
            }
            Err(why) => self.refuse(&failed(&why)),
        }
    }

    /// Ends `setup` at the end of the input or when the person leaves it; `false` if it was not active.
    pub(super) fn leave_paste(&mut self, is_end: bool) -> bool {
        match self.paste.take() {
            Some(paste) if is_end && paste.reader.has_rows() => self.finish_setup(paste),
            Some(_) => self.say(&format!("setup cancelled; {AS_IT_IS}")),
            None => return false,
        }
        true
    }

    fn begin_at(&mut self, candidate: Candidate) {
        self.say(&candidate.summary());
        let opening = candidate.opening(self.game.rules());
        let lines = Some(candidate.moves).filter(|moves| !moves.is_empty());
        self.begin(Some(opening), lines.into_iter().collect(), None);
    }
}

fn too_long() -> String {
    format!("setup: more than {MAX_BYTES} bytes pasted; {AS_IT_IS}")
}

/// `true` if a line is a word of the console, with at most one argument, and not part of a text: it starts with a small
/// letter at the first column.
fn is_word(line: &str) -> bool {
    line.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == ':')
        && matches!(words::read(line), Ok(Typed::Word(_, rest)) if !rest.contains(char::is_whitespace))
}

/// The names of the sides that may be to move: `O or S`.
fn names(pasted: &Pasted) -> String {
    pasted.candidates.iter().map(|one| &one.name).join(" or ")
}

/// The position with this side to move, which is given by its name on the board or as p1 or p2.
fn find<'a>(pasted: &'a Pasted, line: &str) -> Option<&'a Candidate> {
    let word = line.trim();
    pasted.candidates.iter().find(|candidate: &&Candidate| {
        candidate.name.eq_ignore_ascii_case(word)
            || candidate.side.to_string().eq_ignore_ascii_case(word)
    })
}
