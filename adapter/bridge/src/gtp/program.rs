//! Adapter for a GTP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! In a game of the catalogue, a move is the half moves that click it on the board of a [`Layout`]. In a game whose rules
//! are a program, it is the code, unchanged, as Hex programs speak GTP: `boardsize`, `clear_board`, `play COLOUR CODE` and
//! `genmove COLOUR`, black first.

use std::collections::{BTreeSet, VecDeque};

use kit::{DynHistory, Side};

use super::clock::ProgramClock;
use super::command::colour;
use super::half_move_game::half_moves;
use super::layout::{Layout, Vertex};
use crate::half_moves::{Click, HalfMoves};
use crate::ugi::{KnownGame, Program, ProgramEvent, Search};

/// Commands of the handshake, with the meaning of their answers. The last two are sent in games of the catalogue.
const QUESTIONS: [(&str, Asked); 5] = [
    ("list_commands", Asked::Commands),
    ("name", Asked::Name),
    ("version", Asked::Version),
    ("gogui-rules_game_id", Asked::GameId),
    ("gogui-rules_board_size", Asked::BoardSize),
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
    commands: BTreeSet<String>,
    name: Option<String>,
    version: Option<String>,
    game_id: Option<String>,
    /// Points per side.
    size: Option<u8>,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<KnownGame>,
    /// The requested move.
    wanted: Option<Wanted>,
    n_searches: u64,
    /// The answers to the commands that set up a game are outstanding.
    is_preparing: bool,
    /// The limits that the current game was begun with.
    clock: ProgramClock,
    /// The clock was refused, which is noted once.
    is_clock_refused: bool,
}

/// A command whose answer is pending.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    Commands,
    Name,
    Version,
    GameId,
    BoardSize,
    /// This command without a result.
    Done(String),
    /// This command with a clock or time limit.
    Clock(String),
    /// A move or half move of the search with this number.
    Move(u64),
}

/// A move that the program is to make.
enum Wanted {
    Code,
    HalfMoves {
        side: Side,
        moves: HalfMoves,
        /// Half moves made so far.
        made: Vec<Click>,
    },
}

impl GtpProgram {
    /// Creates the adapter for a program that plays this game of the catalogue.
    pub(crate) fn new(game: &str) -> GtpProgram {
        GtpProgram {
            game: Some(game.to_owned()),
            ..GtpProgram::default()
        }
    }

    fn ask(&mut self, lines: &mut Vec<String>, line: String, asked: Asked) {
        lines.push(line);
        self.asked.push_back(asked);
    }

    /// Sends a command without a result.
    fn order(&mut self, lines: &mut Vec<String>, line: String) {
        self.ask(lines, line.clone(), Asked::Done(line));
    }

    /// Checks the program's game and board size.
    fn check_board(&self, game: &str, board: &dyn DynHistory) -> Result<(), String> {
        let layout = Layout::new(game, board).ok_or_else(|| no_moves(game))?;
        let expected = layout.game_id();
        if let Some(id) = self.game_id.as_deref().filter(|id| *id != expected) {
            return Err(format!("the program plays {id}: expected {expected}"));
        }
        let size = layout.size();
        match self.size.filter(|own| *own != size) {
            Some(own) => Err(format!(
                "the program's board has {own} points a side: expected {size} for {game} {}",
                board.shape()
            )),
            None => Ok(()),
        }
    }

    /// Sends the moves that the program does not know yet.
    fn send_game(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<(), String> {
        let kept = self
            .known
            .take()
            .filter(|known| known.is_beginning_of(search));
        let mut known = match kept {
            Some(known) => known,
            None => self.begin(search, lines)?,
        };
        for code in &search.line.moves[known.line.moves.len()..] {
            let side = colour(known.board.side());
            let sent = match self.half_moves(&known)? {
                None => vec![code.clone()],
                Some(moves) => {
                    let clicks = moves.clicks(code);
                    let clicks =
                        clicks.ok_or_else(|| format!("{code}: expected a canonical code"))?;
                    clicks
                        .iter()
                        .map(|click| Vertex(*click).to_string())
                        .collect()
                }
            };
            known.play(code)?;
            for mv in sent {
                self.order(lines, format!("play {side} {mv}"));
            }
        }
        self.known = Some(known);
        Ok(())
    }

    /// Returns the legal moves as half moves; `None` in a game whose rules are a program.
    fn half_moves(&self, known: &KnownGame) -> Result<Option<HalfMoves>, String> {
        let Some(game) = &self.game else {
            return Ok(None);
        };
        let moves = half_moves(game, known.board.as_ref());
        moves.ok_or_else(|| no_moves(game))?.map(Some)
    }

    fn begin(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<KnownGame, String> {
        let known = KnownGame::start(search)?;
        self.clock = ProgramClock::default();
        match &self.game {
            Some(game) => self.check_board(game, known.board.as_ref())?,
            None => self.set_size(search, lines),
        }
        match &known.line.fen {
            None => self.order(lines, "clear_board".to_owned()),
            Some(fen) if self.commands.contains("linesman-position") => {
                self.order(lines, format!("linesman-position {fen}"));
            }
            Some(_) => {
                let why = "it takes no position strings: it lacks the command linesman-position";
                return Err(why.to_owned());
            }
        }
        Ok(known)
    }

    fn set_size(&mut self, search: &Search<'_>, lines: &mut Vec<String>) {
        let options = search.rules.options();
        if options.has("Size") {
            self.order(lines, format!("boardsize {}", options.text("Size")));
        }
    }

    /// Returns the lines of `send`. If it fails, nothing is sent, so no answer is expected.
    fn send_or_forget(
        &mut self,
        send: impl FnOnce(&mut GtpProgram, &mut Vec<String>) -> Result<(), String>,
    ) -> Result<Vec<String>, String> {
        let n_asked = self.asked.len();
        let mut lines = Vec::new();
        let sent = send(self, &mut lines);
        if sent.is_err() {
            self.asked.truncate(n_asked);
            self.known = None;
        }
        sent.map(|()| lines)
    }

    fn search_lines(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<(), String> {
        self.send_game(search, lines)?;
        for line in self.clock.lines(search.go, search.side, &self.commands) {
            self.ask(lines, line.clone(), Asked::Clock(line));
        }
        let known = self.known.as_ref();
        let moves = self.half_moves(known.ok_or("the program has no game set up")?)?;
        self.n_searches += 1;
        self.wanted = Some(moves.map_or(Wanted::Code, |moves| Wanted::HalfMoves {
            side: search.side,
            moves,
            made: Vec::new(),
        }));
        let line = format!("genmove {}", colour(search.side));
        self.ask(lines, line, Asked::Move(self.n_searches));
        Ok(())
    }

    /// Handles a complete answer without its status sign.
    fn on_answer(
        &mut self,
        asked: Asked,
        answer: Result<String, String>,
        send: &mut Vec<String>,
    ) -> Option<ProgramEvent> {
        match asked {
            Asked::Commands => {
                let commands = answer.unwrap_or_default();
                self.commands = commands.split_whitespace().map(str::to_owned).collect();
            }
            Asked::Name => self.name = said(answer),
            Asked::Version => {
                self.version = said(answer);
                return self.game.is_none().then(|| self.ready());
            }
            Asked::GameId => self.game_id = said(answer),
            Asked::BoardSize => {
                let size = said(answer);
                self.size = size.and_then(|size| size.split(' ').next()?.parse().ok());
                return Some(self.ready());
            }
            Asked::Done(line) => {
                if let Err(why) = answer {
                    // The program's board may differ from ours now.
                    return self.fail(format!("{line}: {why}"));
                }
                if self.is_preparing && self.asked.is_empty() {
                    self.is_preparing = false;
                    return Some(ProgramEvent::Prepared);
                }
            }
            // The program plays without the limit.
            Asked::Clock(line) => {
                let why = answer.err().filter(|_| !self.is_clock_refused)?;
                self.is_clock_refused = true;
                let text = format!("refuses {line}: {why}; it plays without a clock");
                return Some(ProgramEvent::Noted(text));
            }
            // Late answer to a search that has failed before.
            Asked::Move(number) if number != self.n_searches => {}
            Asked::Move(_) => {
                return match answer {
                    Ok(word) if word.eq_ignore_ascii_case("resign") => {
                        self.known = None;
                        self.wanted.take().map(|_| ProgramEvent::Resigned)
                    }
                    Ok(word) => self.on_move(word, send),
                    Err(why) => self.fail(why),
                };
            }
        }
        None
    }

    fn ready(&self) -> ProgramEvent {
        let name = self.name.clone().map(|name| match &self.version {
            Some(version) => format!("{name} {version}"),
            None => name,
        });
        ProgramEvent::Ready { name }
    }

    /// Reports a failure if a move is awaited. The state of the program's board is unknown afterwards.
    fn fail(&mut self, why: String) -> Option<ProgramEvent> {
        self.known = None;
        let is_preparing = std::mem::take(&mut self.is_preparing);
        let is_wanted = self.wanted.take().is_some();
        (is_preparing || is_wanted).then(|| ProgramEvent::Failed(format!("GTP: {why}")))
    }

    /// Handles a move or half move, which the program has already made on its own board.
    fn on_move(&mut self, word: String, send: &mut Vec<String>) -> Option<ProgramEvent> {
        let Wanted::HalfMoves { side, moves, made } = self.wanted.as_mut()? else {
            self.wanted = None;
            // An illegal move is passed on unchanged; the referee judges it.
            let known = self.known.as_mut();
            let code = known.and_then(|known| known.play_text(&word));
            if code.is_none() {
                self.known = None;
            }
            return Some(ProgramEvent::Moved(code.unwrap_or(word.replace(' ', "_"))));
        };
        let Some(Vertex(click)) = Vertex::parse(&word) else {
            return self.fail(format!("genmove: {word:?}: expected a vertex"));
        };
        if !moves.next(made).contains(&click) {
            return self.fail(format!("genmove: {word} is not a legal half move"));
        }
        made.push(click);
        let Some(code) = moves.code(made).map(str::to_owned) else {
            let line = format!("genmove {}", colour(*side));
            self.ask(send, line, Asked::Move(self.n_searches));
            return None;
        };
        if let Some(known) = &mut self.known
            && let Err(why) = known.play(&code)
        {
            return self.fail(why);
        }
        self.wanted = None;
        Some(ProgramEvent::Moved(code))
    }
}

impl Program for GtpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let n_questions = if self.game.is_some() { 5 } else { 3 };
        for (line, asked) in &QUESTIONS[..n_questions] {
            self.ask(&mut lines, (*line).to_owned(), asked.clone());
        }
        lines
    }

    fn prepare(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let lines = self.send_or_forget(|program, lines| program.send_game(search, lines));
        self.is_preparing = lines.as_ref().is_ok_and(|lines| !lines.is_empty());
        lines
    }

    fn is_preparing(&self) -> bool {
        self.is_preparing
    }

    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        self.send_or_forget(|program, lines| program.search_lines(search, lines))
    }

    fn move_now(&mut self) -> Vec<String> {
        match self.commands.contains("gogui-interrupt") {
            true => vec!["# interrupt".to_owned()],
            false => Vec::new(),
        }
    }

    fn quit(&mut self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent> {
        let line = line.trim_end();
        if !line.is_empty() {
            // Text before an answer is ignored.
            if !self.answer.is_empty() || line.starts_with(['=', '?']) {
                self.answer.push(line.to_owned());
            }
            return None;
        }
        let lines = std::mem::take(&mut self.answer);
        let text = lines.join("\n");
        let is_done = text.starts_with('=');
        let text = text.get(1..)?.trim().to_owned();
        let asked = self.asked.pop_front()?;
        let answer = if is_done { Ok(text) } else { Err(text) };
        self.on_answer(asked, answer, send)
    }
}

fn no_moves(game: &str) -> String {
    format!("{game}: a GTP board cannot show its moves")
}

/// Returns the text of a successful, non-empty answer.
fn said(answer: Result<String, String>) -> Option<String> {
    answer.ok().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a program after a handshake with these answers.
    fn greeted(answers: [&str; 5]) -> (GtpProgram, Option<ProgramEvent>) {
        let mut program = GtpProgram::new("susan");
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
        let name = Some("Foo 2.1".to_owned());
        assert_eq!(event, Some(ProgramEvent::Ready { name }));
        assert!(program.commands.contains("genmove"));
        assert_eq!((program.game_id.as_deref(), program.size), (None, None));
    }

    #[test]
    fn a_program_may_say_nothing_of_itself() {
        let (mut program, event) = greeted(["=", "=", "=", "=", "="]);
        assert_eq!(event, Some(ProgramEvent::Ready { name: None }));
        assert_eq!(program.game_id, None);
        assert_eq!(program.move_now(), [""; 0], "it cannot be interrupted");
    }

    #[test]
    fn a_program_that_refuses_the_clock_plays() {
        let (mut program, _) = greeted(["= genmove\ntime_settings", "=", "=", "=", "="]);
        program.wanted = Some(Wanted::Code);
        program.n_searches = 1;
        let clock = || Asked::Clock("time_left black 5 0".to_owned());
        program.asked.extend([clock(), clock(), Asked::Move(1)]);
        let text = "refuses time_left black 5 0: syntax error; it plays without a clock";
        let noted = Some(ProgramEvent::Noted(text.to_owned()));
        assert_eq!(say(&mut program, "? syntax error"), noted);
        assert_eq!(say(&mut program, "? syntax error"), None, "once");
        let moved = Some(ProgramEvent::Moved("c3".to_owned()));
        assert_eq!(say(&mut program, "= c3"), moved);
    }

    #[test]
    fn chatter_is_skipped() {
        let mut program = GtpProgram::new("susan");
        program.shake_hands();
        let mut send = Vec::new();
        for line in ["Loading ...", "", "", "= play", "genmove", ""] {
            assert_eq!(program.hear(line, &mut send), None);
        }
        assert_eq!(program.commands.len(), 2);
        assert_eq!(program.asked.len(), 4);
    }
}
