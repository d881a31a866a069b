//! Adapter for a GTP program in a game whose rules are a program: its moves are the codes of the game, unchanged.
//!
//! As Hex programs speak GTP: `boardsize`, `clear_board`, `play COLOUR CODE` and `genmove COLOUR`, black first.

use std::collections::{BTreeSet, VecDeque};

use super::clock::clock_lines;
use super::command::colour;
use crate::ugi::{KnownGame, Program, ProgramEvent, Search};

/// A command whose answer is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Commands,
    Name,
    Version,
    /// A command without a result.
    Done,
    /// The move of the search with this number.
    Move(u64),
}

/// State of the dialogue with a GTP program.
#[derive(Default)]
pub(crate) struct PlainGtp {
    asked: VecDeque<Asked>,
    /// Lines of the current answer.
    answer: Vec<String>,
    commands: BTreeSet<String>,
    name: Option<String>,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<KnownGame>,
    is_thinking: bool,
    n_searches: u64,
}

impl PlainGtp {
    fn ask(&mut self, lines: &mut Vec<String>, line: String, asked: Asked) {
        lines.push(line);
        self.asked.push_back(asked);
    }

    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let kept = self
            .known
            .take()
            .filter(|known| known.is_beginning_of(search));
        let mut known = match kept {
            Some(known) => known,
            None => self.begin(search, &mut lines)?,
        };
        for code in &search.line.moves[known.line.moves.len()..] {
            let line = format!("play {} {code}", colour(known.board.side()));
            known.play(code)?;
            self.ask(&mut lines, line, Asked::Done);
        }
        self.known = Some(known);
        for line in clock_lines(search.go, search.side, &self.commands) {
            self.ask(&mut lines, line, Asked::Done);
        }
        self.n_searches += 1;
        let line = format!("genmove {}", colour(search.side));
        self.ask(&mut lines, line, Asked::Move(self.n_searches));
        Ok(lines)
    }

    fn begin(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<KnownGame, String> {
        let known = KnownGame::start(search)?;
        if let Some(fen) = &known.line.fen {
            return Err(format!(
                "{fen}: GTP has no position strings: expected moves from the start"
            ));
        }
        let options = search.rules.options();
        if options.has("Size") {
            let line = format!("boardsize {}", options.text("Size"));
            self.ask(lines, line, Asked::Done);
        }
        self.ask(lines, "clear_board".to_owned(), Asked::Done);
        Ok(known)
    }

    fn on_answer(&mut self, asked: Asked, answer: Result<String, String>) -> Option<ProgramEvent> {
        match asked {
            Asked::Commands => {
                let commands = answer.unwrap_or_default();
                self.commands = commands.split_whitespace().map(str::to_owned).collect();
                None
            }
            Asked::Name => {
                self.name = answer.ok().filter(|name| !name.is_empty());
                None
            }
            Asked::Version => {
                let version = answer.unwrap_or_default();
                let name = self.name.as_ref();
                let name = name.map(|name| format!("{name} {version}").trim_end().to_owned());
                Some(ProgramEvent::Ready { name })
            }
            Asked::Done => {
                // The program's board may differ from ours now.
                let why = answer.err()?;
                self.fail(&why)
            }
            // Late answer to a search that has failed before.
            Asked::Move(number) if number != self.n_searches => None,
            Asked::Move(_) => self.on_move(answer),
        }
    }

    fn on_move(&mut self, answer: Result<String, String>) -> Option<ProgramEvent> {
        let text = match answer {
            Ok(text) if text == "resign" => return self.fail("the program resigns"),
            Ok(text) => text,
            Err(why) => return self.fail(&why),
        };
        if !std::mem::take(&mut self.is_thinking) {
            return None;
        }
        // The program has already made the move on its own board. An illegal one is judged by the referee.
        let known = self.known.as_mut();
        let code = known.and_then(|known| known.play_text(&text));
        if code.is_none() {
            self.known = None;
        }
        Some(ProgramEvent::Moved(code.unwrap_or(text.replace(' ', "_"))))
    }

    fn fail(&mut self, why: &str) -> Option<ProgramEvent> {
        self.known = None;
        let was_thinking = std::mem::take(&mut self.is_thinking);
        was_thinking.then(|| ProgramEvent::Failed(format!("GTP: {why}")))
    }
}

impl Program for PlainGtp {
    fn shake_hands(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for (line, asked) in [
            ("list_commands", Asked::Commands),
            ("name", Asked::Name),
            ("version", Asked::Version),
        ] {
            self.ask(&mut lines, line.to_owned(), asked);
        }
        lines
    }

    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let n_asked = self.asked.len();
        let lines = self.search_lines(search);
        self.is_thinking = lines.is_ok();
        if lines.is_err() {
            // Nothing was sent, so no answer is expected.
            self.asked.truncate(n_asked);
            self.known = None;
        }
        lines
    }

    fn move_now(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn quit(&mut self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    fn hear(&mut self, line: &str, _send: &mut Vec<String>) -> Option<ProgramEvent> {
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
        self.on_answer(asked, if is_done { Ok(text) } else { Err(text) })
    }
}
