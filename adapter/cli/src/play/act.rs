//! What is done at a word, or at a move.

use std::time::Duration;

use kit::Side;
use protocol::text::excerpt;
use referee::session::danger::{Blunder, danger};
use referee::session::typing::{TypingError, read_moves};
use referee::session::{Table, Turn};

use super::console::{Console, Done, To};
use super::port::Who;
use super::show;
use super::words::{self, Typed, Word};

impl Console {
    /// Does what a line says.
    pub(super) fn obey(&mut self, who: Who, spent: Duration, text: &str) -> Done {
        if self.paste.is_some() && who == Who::Local {
            return self.take_paste(text.trim_end());
        }
        let text = text.trim();
        if text.is_empty() {
            return self.say(
                To::One(who),
                "nothing typed: expected a move or a word; ? lists the words",
            );
        }
        // What was asked before holds for the very next line alone.
        let asked = self.once_more.take();
        match words::read(text) {
            Ok(Typed::Word(word, rest)) => self.word(who, word, rest, asked),
            Ok(Typed::Other(text)) => self.moves(who, spent, text, asked.as_deref()),
            Err(why) => self.say(To::One(who), &why),
        }
    }

    fn word(&mut self, who: Who, word: Word, rest: &str, asked: Option<String>) -> Done {
        if who == Who::Remote && is_local(word) {
            let why = format!("{}: only who sits at the console may", words::usage(word));
            return self.say(To::One(who), &why);
        }
        match word {
            Word::Moves => self.list_moves(who, rest),
            Word::Undo => self.review(Table::undo),
            Word::Redo => self.review(Table::redo),
            Word::Back => self.step(who, word, rest, Table::back),
            Word::Forward => self.step(who, word, rest, Table::forward),
            Word::Go => self.go(who),
            Word::Hint | Word::Eval => self.advise(who, word),
            Word::Auto => self.auto(who, rest),
            Word::Level => self.level(who, rest),
            Word::Flip => self.flip(who),
            Word::Board => self.board(who, rest),
            Word::Mark => self.mark(who, rest),
            Word::Peek => self.peek(who, rest),
            Word::Save => self.save(who, rest),
            Word::Load => self.load(who, rest),
            Word::New => self.new_game(who, asked),
            Word::Setup => self.setup(who, rest),
            Word::Mail => self.say(To::One(who), &self.session.letter()),
            Word::Clock => self.say(To::One(who), &show::clocks(&self.session, self.spent())),
            Word::Draw => self.draw(who),
            Word::Resign => self.resign(who, asked),
            Word::Quit => self.quit(who),
            Word::Help => self.say(To::One(who), &words::help()),
        }
    }

    /// A line that is no word must be a move, or several that are all this person's to make.
    fn moves(&mut self, who: Who, spent: Duration, text: &str, asked: Option<&str>) -> Done {
        if let Err(why) = self.may_move(who) {
            return self.say(To::One(who), &why);
        }
        let codes = match read_moves(self.session.board(), text) {
            Ok(codes) => codes,
            Err(TypingError::NoMove(_)) if who == Who::Local && self.take_foot(text)? => {
                return Ok(());
            }
            Err(error) => return self.say(To::One(who), &explain(text, &error)),
        };
        if codes.len() > 1 && !self.moves_for_both(who) {
            let why = format!(
                "{}: {} moves in one line: expected one, for the next is not yours",
                excerpt(text),
                codes.len()
            );
            return self.say(To::One(who), &why);
        }
        self.pasted = None;
        if let Some(question) = self.question(who, &codes[0], asked) {
            return self.say(To::One(who), &question);
        }
        let mut spent = spent;
        for code in codes {
            if self.session.turn() == Turn::Over {
                break;
            }
            self.play(who, &code, spent)?;
            spent = Duration::ZERO;
        }
        Ok(())
    }

    fn play(&mut self, who: Who, code: &str, spent: Duration) -> Done {
        let before = self.session.moves().len();
        self.is_paused = false;
        match self.session.play(code, spent) {
            Ok(_) => {
                let other = match who {
                    Who::Local => Who::Remote,
                    Who::Remote => Who::Local,
                };
                self.announce(before, To::One(other))
            }
            Err(error) => self.complain(who, error),
        }
    }

    /// Whether this person may move now.
    fn may_move(&self, who: Who) -> Result<(), String> {
        match self.session.turn() {
            Turn::Over => Err("the game is over: new begins another, undo takes back".to_owned()),
            Turn::Person(side) if self.sits_at(side) != who => {
                Err(format!("it is the turn of {side}: wait"))
            }
            Turn::Engine(side) | Turn::Held(side) if who == Who::Remote => {
                Err(format!("it is the turn of {side}: wait"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn sits_at(&self, side: Side) -> Who {
        if self.remote == Some(side) {
            Who::Remote
        } else {
            Who::Local
        }
    }

    fn moves_for_both(&self, who: Who) -> bool {
        Side::BOTH
            .iter()
            .all(|side| !self.session.is_auto(*side) && self.sits_at(*side) == who)
    }

    /// What is asked before a move that loses at once; only a terminal is asked, and nobody twice.
    fn question(&mut self, who: Who, code: &str, asked: Option<&str>) -> Option<String> {
        let is_asked = self.is_interactive && who == Who::Local && !self.is_sure;
        if !is_asked || asked == Some(code) {
            return None;
        }
        let why = match danger(self.session.board(), code)? {
            Blunder::Loses => format!("{code} loses at once"),
            Blunder::LetsWin(answer) => format!(
                "{code} lets {} win at once by {answer}",
                self.session.side().other()
            ),
        };
        self.once_more = Some(code.to_owned());
        Some(format!("{why}: type it again to play it, or another move"))
    }
}

/// Words that are the host's alone.
fn is_local(word: Word) -> bool {
    use Word::{Auto, Back, Eval, Forward, Go, Hint, Level, Load, New, Redo, Save, Setup, Undo};
    matches!(
        word,
        Undo | Redo | Back | Forward | Go | Hint | Eval | Auto | Level | Save | Load | New | Setup
    )
}

/// What is wrong with a text that is neither a word nor a legal move.
fn explain(text: &str, error: &TypingError) -> String {
    match (error, words::nearest(text)) {
        (TypingError::NoMove(why), Some(word)) => {
            format!("{why}; or did you mean the word {word}?")
        }
        (TypingError::NoMove(why), None) => format!("{why}; ? lists the words"),
        (TypingError::Illegal(why), _) => why.clone(),
    }
}
