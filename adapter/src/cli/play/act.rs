//! What is done at a word, or at a move.

use std::path::Path;
use std::time::Duration;

use kit::{Side, View};
use linesman::opening::Opening;
use linesman::record::wrap;
use linesman::session::danger::{Danger, danger};
use linesman::session::typing::{TypingError, moves_at, read_moves};
use linesman::session::{DrawAnswer, Session, SessionError, Turn};
use protocol::text::excerpt;

use super::console::{Console, Done, To};
use super::port::Who;
use super::show;
use super::words::{self, Typed, Word};
use crate::usage::Failure;

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
            Word::Undo => self.review(Session::undo),
            Word::Redo => self.review(Session::redo),
            Word::Back => self.step(who, word, rest, Session::back),
            Word::Forward => self.step(who, word, rest, Session::forward),
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

    fn sits_at(&self, side: Side) -> Who {
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
            Danger::Loses => format!("{code} loses at once"),
            Danger::LetsWin(answer) => format!(
                "{code} lets {} win at once by {answer}",
                self.session.side().other()
            ),
        };
        self.once_more = Some(code.to_owned());
        Some(format!("{why}: type it again to play it, or another move"))
    }

    fn list_moves(&mut self, who: Who, rest: &str) -> Done {
        let board = self.session.board();
        let codes = if rest.is_empty() {
            board.moves()
        } else {
            moves_at(board, rest)
        };
        let text = match (codes.len(), rest) {
            (0, "") => "no moves: the game is over".to_owned(),
            (0, _) => format!("no legal move at {}: moves alone lists all", excerpt(rest)),
            (1, _) => format!("1 move: {}", codes[0]),
            (n, _) => format!("{n} moves:\n{}", wrap(&codes, show::WIDTH)),
        };
        self.say(To::One(who), &text)
    }

    fn review(&mut self, look: fn(&mut Session) -> Result<(), SessionError>) -> Done {
        match look(&mut self.session) {
            Ok(()) => self.tell_where(),
            Err(error) => self.complain(Who::Local, error),
        }
    }

    fn step(
        &mut self,
        who: Who,
        word: Word,
        rest: &str,
        look: fn(&mut Session, usize) -> Result<usize, SessionError>,
    ) -> Done {
        let n = if rest.is_empty() {
            Some(1)
        } else {
            rest.parse().ok().filter(|n| *n > 0)
        };
        let Some(n) = n else {
            let why = format!(
                "{}: {:?}: expected a whole number above 0",
                words::usage(word),
                excerpt(rest)
            );
            return self.say(To::One(who), &why);
        };
        match look(&mut self.session, n) {
            Ok(_) => self.tell_where(),
            Err(error) => self.complain(who, error),
        }
    }

    /// Where the game stands after moves were taken back or played again.
    fn tell_where(&mut self) -> Done {
        self.is_paused = false;
        self.changed();
        let n_moves = self.session.moves().len();
        let branches = self.session.tree().branches();
        let tried = match branches.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} was played from here"),
            several => format!("; {} were played from here", several.join(", ")),
        };
        let ended = self
            .session
            .ending()
            .map(|ending| format!("\n{}", show::ending(ending)));
        let text = format!("after {n_moves} moves{tried}{}", ended.unwrap_or_default());
        self.say(To::All, &text)
    }

    fn go(&mut self, who: Who) -> Done {
        self.is_paused = false;
        self.session.go_on();
        if let Turn::Person(_) = self.session.turn() {
            let before = self.session.moves().len();
            return match self.session.think() {
                Ok(_) => self.announce(before, To::All),
                Err(error) => self.complain(who, error),
            };
        }
        Ok(())
    }

    fn advise(&mut self, who: Who, word: Word) -> Done {
        let side = self.session.side();
        match self.session.advise() {
            Ok(advice) if word == Word::Hint => self.say(To::One(who), &show::hint(&advice))?,
            Ok(advice) => self.say(To::One(who), &show::judgement(side, &advice))?,
            Err(error) => self.complain(who, error)?,
        }
        self.note_interrupts()
    }

    fn auto(&mut self, who: Who, rest: &str) -> Done {
        let auto = match rest.to_ascii_lowercase().as_str() {
            "" => return self.say(To::One(who), &self.seats()),
            "p1" => [true, false],
            "p2" => [false, true],
            "both" => [true, true],
            "off" => [false, false],
            _ => {
                let why = format!("auto: {:?}: expected p1, p2, both or off", excerpt(rest));
                return self.say(To::One(who), &why);
            }
        };
        match self.session.set_auto(auto) {
            Ok(()) => {
                self.is_paused = false;
                self.say(To::All, &self.seats())
            }
            Err(error) => self.complain(who, error),
        }
    }

    fn seats(&self) -> String {
        let seat = |side: Side| {
            let player = if self.session.is_auto(side) {
                "an engine"
            } else {
                "a person"
            };
            format!("{side} is played by {player}")
        };
        Side::BOTH.map(seat).join(", ")
    }

    fn level(&mut self, who: Who, rest: &str) -> Done {
        let level: Option<u32> = rest.parse().ok().filter(|level| *level <= 20);
        let Some(level) = level else {
            let why = format!(
                "level: {:?}: expected a whole number from 0 to 20",
                excerpt(rest)
            );
            return self.say(To::One(who), &why);
        };
        match self.session.set_level(level) {
            Ok(()) => self.say(To::All, &format!("engines play at level {level}")),
            Err(error) => self.complain(who, error),
        }
    }

    fn flip(&mut self, who: Who) -> Done {
        let look = self.look(who);
        look.is_flipped = !look.is_flipped;
        self.show_board(who)
    }

    fn board(&mut self, who: Who, rest: &str) -> Done {
        let styles = self.session.board().styles();
        let style = rest.to_ascii_lowercase();
        if !style.is_empty() && style != PLAIN && !styles.contains(&style.as_str()) {
            let known = [&[PLAIN], styles].concat().join(", ");
            let why = format!("board: {:?}: expected one of {known}", excerpt(rest));
            return self.say(To::One(who), &why);
        }
        if style == PLAIN {
            self.look(who).style.clear();
        } else if !style.is_empty() {
            self.look(who).style = style;
        }
        self.show_board(who)
    }

    fn peek(&mut self, who: Who, rest: &str) -> Done {
        let game = &self.session.plan().game.name;
        if !self.session.board().styles().contains(&PEEK) {
            return self.say(To::One(who), &format!("peek: {game} has no covered pieces"));
        }
        let style = match rest.to_ascii_lowercase().as_str() {
            "on" => PEEK,
            "off" => "",
            _ => {
                return self.say(
                    To::One(who),
                    &format!("peek: {:?}: expected on or off", excerpt(rest)),
                );
            }
        };
        style.clone_into(&mut self.look(who).style);
        self.show_board(who)
    }

    /// Turns the marks of moves off and on again.
    fn mark(&mut self, who: Who, rest: &str) -> Done {
        if !self.shows_marks(who) {
            let game = &self.session.plan().game.name;
            return self.say(
                To::One(who),
                &format!("mark: {game} marks no moves on its board"),
            );
        }
        let board = self.session.board();
        let words = rest
            .split_whitespace()
            .flat_map(|word| board.split_codes(word));
        let codes: Result<Vec<String>, _> = words
            .map(|word| board.read(word).map_err(|why| format!("mark: {why}")))
            .collect();
        let codes = match codes {
            Ok(codes) => codes,
            Err(why) => return self.say(To::One(who), &why),
        };
        let ruled_out = &mut self.look(who).ruled_out;
        if codes.is_empty() {
            ruled_out.clear();
        }
        for code in codes {
            match ruled_out.iter().position(|known| *known == code) {
                Some(at) => drop(ruled_out.remove(at)),
                None => ruled_out.push(code),
            }
        }
        self.show_board(who)
    }

    /// Whether the board looks another without the marks of its moves.
    fn shows_marks(&mut self, who: Who) -> bool {
        let look = self.look(who).clone();
        let board = self.session.board();
        let draw = |ruled_out: &[String]| {
            board.draw(View {
                ruled_out,
                is_ascii: look.is_ascii,
                ..View::default()
            })
        };
        draw(&[]) != draw(&board.moves())
    }

    fn save(&mut self, who: Who, rest: &str) -> Done {
        if rest.is_empty() {
            return self.say(To::One(who), "save: expected the name of a new file");
        }
        match self.session.save(Path::new(rest)) {
            Ok(()) => self.say(To::One(who), &format!("saved in {rest}")),
            Err(error) => self.say(To::One(who), &format!("save: {error}")),
        }
    }

    fn load(&mut self, who: Who, rest: &str) -> Done {
        if rest.is_empty() {
            return self.say(To::One(who), "load: expected the name of a file");
        }
        match self.session.load(Path::new(rest)) {
            Ok(()) => self.tell_where(),
            Err(error @ SessionError::Records(_)) => self.complain(who, error),
            Err(error) => self.say(To::One(who), &format!("load: {rest}: {error}")),
        }
    }

    fn new_game(&mut self, who: Who, asked: Option<String>) -> Done {
        let is_under_way = self.session.ending().is_none() && !self.session.moves().is_empty();
        if is_under_way && self.asks_again("new", asked) {
            return self.say(
                To::One(who),
                "The game is not over: type new again to leave it for another.",
            );
        }
        let opening = self.session.opening().clone();
        self.begin(who, opening)
    }

    fn setup(&mut self, who: Who, rest: &str) -> Done {
        if !rest.is_empty() {
            return self.begin(who, Opening::parse(rest));
        }
        self.paste = Some(Vec::new());
        self.say(
            To::One(who),
            "Type or paste a position: a string, or a diagram and an empty line.",
        )
    }

    /// One line of a position: a string is whole at once, a diagram at an empty line.
    fn take_paste(&mut self, line: &str) -> Done {
        let lines = self.paste.get_or_insert_default();
        if line.is_empty() {
            let text = lines.join("\n");
            self.paste = None;
            return self.begin_at(text);
        }
        let is_first = lines.is_empty();
        lines.push(line.to_owned());
        if is_first && self.session.accepts(&Opening::parse(line)) {
            self.paste = None;
            return self.begin(Who::Local, Opening::parse(line));
        }
        Ok(())
    }

    /// Begins at a diagram. What stands below it, behind the empty line, may still say whose turn it is.
    fn begin_at(&mut self, text: String) -> Done {
        if text.trim().is_empty() {
            return self.say(
                To::One(Who::Local),
                "setup: nothing pasted; the game stays as it is",
            );
        }
        let read = self.session.read_position(&text);
        self.pasted = Some(text);
        match read {
            Ok(opening) => self.begin(Who::Local, opening),
            Err(why) => self.say(To::One(Who::Local), &format!("setup: {why}")),
        }
    }

    /// Whether a line was the foot of the diagram that was pasted just before.
    fn take_foot(&mut self, line: &str) -> Result<bool, Failure> {
        let Some(text) = self.pasted.take() else {
            return Ok(false);
        };
        match self.session.read_position(&format!("{text}\n\n{line}")) {
            Ok(opening) => self.begin(Who::Local, opening).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    fn begin(&mut self, who: Who, opening: Opening) -> Done {
        match self.session.new_game(opening) {
            Ok(()) => {
                self.is_paused = false;
                self.changed();
                self.say(To::All, "a new game")
            }
            Err(error @ SessionError::Records(_)) => self.complain(who, error),
            Err(error) => self.say(To::One(who), &format!("setup: {error}")),
        }
    }

    fn draw(&mut self, who: Who) -> Done {
        let Some(side) = self.own_side(who) else {
            return self.say(To::One(who), "draw: you do not play");
        };
        match self.session.offer_draw(side) {
            Ok(DrawAnswer::Offered) => self.say(
                To::All,
                &format!("{side} offers a draw: draw agrees, a move declines"),
            ),
            Ok(DrawAnswer::Declined) => self.say(
                To::One(who),
                &format!("{} plays on", self.session.name(side.other())),
            ),
            Ok(DrawAnswer::Agreed) => self.announce(self.session.moves().len(), To::All),
            Err(error) => self.complain(who, error),
        }
    }

    fn resign(&mut self, who: Who, asked: Option<String>) -> Done {
        let Some(side) = self.own_side(who) else {
            return self.say(To::One(who), "resign: you do not play");
        };
        if self.session.ending().is_none() && who == Who::Local && self.asks_again("resign", asked)
        {
            return self.say(To::One(who), "Type resign again to give up.");
        }
        match self.session.resign(side) {
            Ok(()) => self.announce(self.session.moves().len(), To::All),
            Err(error) => self.complain(who, error),
        }
    }

    fn quit(&mut self, who: Who) -> Done {
        if who == Who::Remote {
            self.say(To::One(Who::Local), "the other person leaves")?;
        }
        self.is_done = true;
        Ok(())
    }

    /// The side that this person plays; at a console for two, the one to move.
    fn own_side(&self, who: Who) -> Option<Side> {
        let is_own = |side: &Side| !self.session.is_auto(*side) && self.sits_at(*side) == who;
        let to_move = self.session.side();
        [to_move, to_move.other()].into_iter().find(is_own)
    }

    /// Whether a word has to be typed once more; a pipe is never asked.
    fn asks_again(&mut self, word: &str, asked: Option<String>) -> bool {
        if !self.is_interactive || asked.as_deref() == Some(word) {
            return false;
        }
        self.once_more = Some(word.to_owned());
        true
    }
}

/// The style without a name.
const PLAIN: &str = "plain";

/// The style that shows covered pieces.
const PEEK: &str = "peek";

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
