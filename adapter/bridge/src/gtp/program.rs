//! Adapter for a GTP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! In a game of the catalogue, a move is the half moves that click it on the board of a [`Layout`]. In a game whose rules
//! are a program, it is the code, unchanged, as Hex programs speak GTP: `boardsize`, `clear_board`, `play COLOUR CODE` and
//! `genmove COLOUR`, black first.

use std::collections::{BTreeSet, HashMap, VecDeque};

use kit::{DynHistory, Side};
use protocol::Go;

use super::{Click, HalfMoves, Layout, ProgramClock, colour, half_moves, no_point};
use crate::ugi::{Attempt, Outgoing, Program, ProgramEvent};

/// Commands of the handshake. The last two are sent in games of the catalogue.
const QUESTIONS: [&str; 5] = [
    "list_commands",
    "name",
    "version",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
];

/// State of the dialogue with a GTP program.
#[derive(Default)]
pub(crate) struct GtpProgram {
    /// Name of the game, if it is one of the catalogue.
    game: Option<String>,
    /// Meanings of the pending answers, in order.
    asked: VecDeque<Asked>,
    /// Lines of the current answer.
    answer: Vec<String>,
    /// The answers to [`QUESTIONS`] that are not empty.
    facts: HashMap<&'static str, String>,
    commands: BTreeSet<String>,
    /// The legal moves, and the half moves of the search so far, in a game of the catalogue.
    moves: Option<(HalfMoves, Vec<Click>)>,
    /// The limits that the current game was begun with.
    clock: ProgramClock,
    /// The clock was refused, which is noted once.
    is_clock_refused: bool,
}

/// A command whose answer is pending.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    /// A question of the handshake.
    Fact(&'static str),
    /// This command without a result.
    Done(String),
    /// This command with a clock or time limit.
    Clock(String),
    /// A move or half move of this side.
    Move(Side),
    /// A move of a search that has failed before.
    Late,
}

impl GtpProgram {
    /// Creates the adapter for a program that plays this game of the catalogue, or one whose rules are a program.
    pub(crate) fn new(game: Option<String>) -> GtpProgram {
        GtpProgram {
            game,
            ..GtpProgram::default()
        }
    }

    fn ask(&mut self, send: &mut Outgoing, line: String, asked: Asked) {
        send.push(line);
        self.asked.push_back(asked);
    }

    /// Sends a command without a result.
    fn order(&mut self, send: &mut Outgoing, line: String) {
        self.ask(send, line.clone(), Asked::Done(line));
    }

    /// The commands of its handshake.
    fn questions(&self) -> &'static [&'static str] {
        &QUESTIONS[..if self.game.is_some() { 5 } else { 3 }]
    }

    /// Checks the program's game and board size.
    fn check_board(&self, game: &str, board: &dyn DynHistory) -> Result<(), String> {
        let layout = Layout::new(game, board)?;
        let expected = layout.game_id;
        let fact = |question: &str| self.facts.get(question);
        if let Some(id) = fact("gogui-rules_game_id").filter(|id| *id != expected) {
            return Err(format!("the program plays {id}, not {expected}"));
        }
        let size = layout.size;
        let own = fact("gogui-rules_board_size");
        let own = own.and_then(|own| own.split(' ').next()?.parse::<u8>().ok());
        match own.filter(|own| *own != size) {
            Some(own) => Err(format!(
                "the program's board has {own} points a side, and {game} {} needs {size}: start the program for it",
                board.shape()
            )),
            None => Ok(()),
        }
    }

    /// Returns the legal moves as half moves; `None` in a game whose rules are a program.
    fn half_moves(&self, board: &dyn DynHistory) -> Result<Option<HalfMoves>, String> {
        let game = self.game.as_deref();
        game.map(|game| half_moves(game, board)).transpose()
    }

    /// Handles a complete answer without its status sign.
    fn on_answer(
        &mut self,
        asked: Asked,
        answer: Result<String, String>,
        send: &mut Outgoing,
    ) -> Option<ProgramEvent> {
        match (asked, answer) {
            (Asked::Fact(question), answer) => {
                let answer = answer.ok().filter(|text| !text.is_empty());
                self.facts.extend(answer.map(|answer| (question, answer)));
                if self.questions().last() == Some(&question) {
                    let commands = self.facts.get("list_commands").into_iter();
                    let commands = commands.flat_map(|text| text.split_whitespace());
                    self.commands = commands.map(str::to_owned).collect();
                    return Some(ProgramEvent::Ready);
                }
            }
            // The program's board may differ from ours now.
            (Asked::Done(line), Err(why)) => return self.fail(&format!("{line}: {why}")),
            (Asked::Done(_), Ok(_)) if self.asked.is_empty() => {
                return Some(ProgramEvent::Prepared);
            }
            // The program plays without the limit.
            (Asked::Clock(line), Err(why)) if !self.is_clock_refused => {
                self.is_clock_refused = true;
                let text = format!("refuses {line}: {why}; it plays without a clock");
                return Some(ProgramEvent::Noted(text));
            }
            (Asked::Move(_), Err(why)) => return self.fail(&why),
            (Asked::Move(_), Ok(word)) if word.eq_ignore_ascii_case("resign") => {
                return Some(ProgramEvent::Resigned);
            }
            (Asked::Move(side), Ok(word)) => return self.on_move(side, word, send),
            _ => {}
        }
        None
    }

    /// Reports a failure, after which the answer to a running search has no meaning.
    fn fail(&mut self, why: &str) -> Option<ProgramEvent> {
        for asked in &mut self.asked {
            if matches!(asked, Asked::Move(_)) {
                *asked = Asked::Late;
            }
        }
        Some(ProgramEvent::Failed(format!("GTP: {why}")))
    }

    /// Handles a move or half move, which the program has already made on its own board.
    fn on_move(&mut self, side: Side, word: String, send: &mut Outgoing) -> Option<ProgramEvent> {
        let Some((moves, made)) = &mut self.moves else {
            return Some(ProgramEvent::Moved(word));
        };
        let click = Click::parse(&word);
        let Some(click) = click.filter(|click| moves.next(made).contains(click)) else {
            return self.fail(&format!("genmove: {word} is not a legal half move"));
        };
        made.push(click);
        if let Some(code) = moves.code(made) {
            return Some(ProgramEvent::Moved(code.to_owned()));
        }
        self.ask(send, format!("genmove {}", colour(side)), Asked::Move(side));
        None
    }
}

impl Program for GtpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        let mut send = Vec::new();
        for question in self.questions() {
            self.ask(&mut send, (*question).to_owned(), Asked::Fact(question));
        }
        send
    }

    fn name(&self) -> Option<String> {
        let version = self.facts.get("version");
        let version = version.map_or(String::new(), |version| format!(" {version}"));
        self.facts.get("name").map(|name| name.clone() + &version)
    }

    fn begin(&mut self, board: &dyn DynHistory, fen: Option<&str>, send: &mut Outgoing) -> Attempt {
        if let Some(game) = &self.game {
            self.check_board(game, board)?;
        }
        let set_up = match fen {
            None => "clear_board".to_owned(),
            Some(fen) if self.commands.contains("linesman-position") => {
                format!("linesman-position {fen}")
            }
            Some(_) => {
                let why = "it takes no position strings: it lacks the command linesman-position";
                return Err(why.to_owned());
            }
        };
        self.clock = ProgramClock::default();
        let shape = board.shape();
        let size = shape.split(' ').find_map(|word| word.strip_prefix("Size="));
        if let Some(size) = size.filter(|_| self.game.is_none()) {
            self.order(send, format!("boardsize {size}"));
        }
        self.order(send, set_up);
        Ok(())
    }

    fn play(&mut self, board: &dyn DynHistory, code: &str, send: &mut Outgoing) -> Attempt {
        let side = colour(board.side());
        let Some(moves) = self.half_moves(board)? else {
            self.order(send, format!("play {side} {code}"));
            return Ok(());
        };
        for click in moves.clicks(code).ok_or_else(|| no_point(code))? {
            self.order(send, format!("play {side} {}", *click));
        }
        Ok(())
    }

    fn asks_if_ready(&mut self, _send: &mut Outgoing) -> bool {
        !self.asked.is_empty()
    }

    fn go(&mut self, go: &Go, board: &dyn DynHistory, send: &mut Outgoing) -> Attempt {
        let side = board.side();
        for line in self.clock.lines(go, side, &self.commands) {
            self.ask(send, line.clone(), Asked::Clock(line));
        }
        self.moves = self.half_moves(board)?.map(|moves| (moves, Vec::new()));
        self.ask(send, format!("genmove {}", colour(side)), Asked::Move(side));
        Ok(())
    }

    fn move_now(&self) -> Option<&'static str> {
        let is_interruptible = self.commands.contains("gogui-interrupt");
        is_interruptible.then_some("# interrupt")
    }

    fn hear(&mut self, line: &str, send: &mut Outgoing) -> Option<ProgramEvent> {
        let line = line.trim_end();
        if !line.is_empty() {
            // Text before an answer is ignored.
            if !self.answer.is_empty() || line.starts_with(['=', '?']) {
                self.answer.push(line.to_owned());
            }
            return None;
        }
        let text = std::mem::take(&mut self.answer).join("\n");
        let is_done = text.starts_with('=');
        let text = text.get(1..)?.trim().to_owned();
        let asked = self.asked.pop_front()?;
        let answer = if is_done { Ok(text) } else { Err(text) };
        self.on_answer(asked, answer, send)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a program after a handshake with these answers.
    fn greeted(answers: [&str; 5]) -> (GtpProgram, Option<ProgramEvent>) {
        let mut program = GtpProgram::new(Some("susan".to_owned()));
        assert_eq!(program.shake_hands().len(), answers.len());
        let mut event = None;
        for answer in answers {
            event = say(&mut program, answer);
        }
        (program, event)
    }

    /// Passes in a complete answer, and returns the last event.
    fn say(program: &mut GtpProgram, answer: &str) -> Option<ProgramEvent> {
        let mut send = Vec::new();
        let lines = answer.lines().chain([""]);
        lines
            .filter_map(|line| program.hear(line, &mut send))
            .last()
    }

    #[test]
    fn a_handshake_tells_name_and_commands() {
        let (program, event) = greeted([
            "= play\ngenmove\ngogui-interrupt",
            "= Foo",
            "= 2.1",
            "? unknown command",
            "? unknown command",
        ]);
        assert_eq!(event, Some(ProgramEvent::Ready));
        assert_eq!(program.name().as_deref(), Some("Foo 2.1"));
        assert_eq!(program.move_now(), Some("# interrupt"));
        assert_eq!(program.facts.len(), 3);
    }

    #[test]
    fn a_program_may_say_nothing_of_itself() {
        let (program, event) = greeted(["=", "=", "=", "=", "="]);
        assert_eq!(event, Some(ProgramEvent::Ready));
        assert_eq!((program.name(), program.facts.len()), (None, 0));
        assert_eq!(program.move_now(), None, "it cannot be interrupted");
    }

    #[test]
    fn a_program_that_refuses_the_clock_plays() {
        let mut program = GtpProgram::default();
        let clock = || Asked::Clock("time_left black 5 0".to_owned());
        program
            .asked
            .extend([clock(), clock(), Asked::Move(Side::P1)]);
        let text = "refuses time_left black 5 0: syntax error; it plays without a clock";
        let noted = Some(ProgramEvent::Noted(text.to_owned()));
        assert_eq!(say(&mut program, "? syntax error"), noted);
        assert_eq!(say(&mut program, "? syntax error"), None, "once");
        let moved = Some(ProgramEvent::Moved("c3".to_owned()));
        assert_eq!(say(&mut program, "= c3"), moved);
    }

    #[test]
    fn a_move_after_a_refused_one_is_too_late() {
        let mut program = GtpProgram::default();
        let play = Asked::Done("play black c3".to_owned());
        program.asked.extend([play, Asked::Move(Side::P2)]);
        let why = "GTP: play black c3: illegal move".to_owned();
        let failed = Some(ProgramEvent::Failed(why));
        assert_eq!(say(&mut program, "? illegal move"), failed);
        assert_eq!(say(&mut program, "= d4"), None);
    }

    #[test]
    fn chatter_is_skipped() {
        let mut program = GtpProgram::new(Some("susan".to_owned()));
        program.shake_hands();
        let mut send = Vec::new();
        for line in ["Loading ...", "", "", "= play", "genmove", ""] {
            assert_eq!(program.hear(line, &mut send), None);
        }
        assert_eq!(program.facts["list_commands"], "play\ngenmove");
        assert_eq!(program.asked.len(), 4);
    }
}
