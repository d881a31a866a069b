//! The dialogue with a GTP controller, from its first line to `quit`.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use draw::View;
use kit::{Outcome, Side};
use protocol::Line;
use record::opening::Opening;

use super::clock::Clocks;
use super::command::{Command, Request, Response, colour, is_interrupt, names, parse};
use super::half_move_game::{HalfMoveGame, words};
use super::layout::Vertex;
use crate::half_moves::Click;
use crate::wording::reason;
use crate::{BridgeError, BridgeSetup, GameEvent, Input, Lines, Received};

/// Capacity for lines received during a search. When it is full, no more are read.
const MAX_WAITING: usize = 1000;

/// Commands in GoGui's analysis window: type, title, command.
const ANALYZE_COMMANDS: &str = "string/Position string/linesman-position\nstring/Legal moves/linesman-moves\nstring/Board as text/showboard";

/// Serves a GTP controller until it quits or its input ends. A search that is running at the end of the input is
/// finished, unless a stop is requested.
///
/// # Errors
/// The game does not fit, the table fails, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Result<(), BridgeError> {
    let mut session = Session {
        game: HalfMoveGame::open(setup)?,
        clocks: Clocks::default(),
        search: None,
        waiting: VecDeque::new(),
        output,
    };
    session.serve(lines)?;
    session.game.hosted.close()
}

struct Session<'a> {
    game: HalfMoveGame,
    clocks: Clocks,
    search: Option<Search>,
    /// Lines received during a search.
    waiting: VecDeque<Received>,
    output: &'a mut dyn Write,
}

/// A `genmove` that is still unanswered.
#[derive(Debug, Clone, Copy)]
struct Search {
    id: Option<u32>,
    side: Side,
    begun: Instant,
}

impl Session<'_> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        let mut is_at_end = false;
        loop {
            if self.search.is_none() {
                if let Some(received) = self.waiting.pop_front() {
                    if self.handle(&received)?.is_break() {
                        return Ok(());
                    }
                    continue;
                }
                if is_at_end {
                    return Ok(());
                }
            }
            let is_full = self.waiting.len() >= MAX_WAITING;
            let input = match is_at_end || is_full {
                true => self.game.hosted.wait(&lines.without_lines())?,
                false => self.game.hosted.wait(lines)?,
            };
            match input {
                Input::Line(received) => self.receive(received),
                Input::End => is_at_end = true,
                Input::Stopped => return Ok(()),
                Input::Event(event) => self.hear(event)?,
            }
        }
    }

    /// Queues a line. An interruption takes effect at once.
    fn receive(&mut self, received: Received) {
        if self.search.is_some()
            && let Line::Text(text) = &received.line
            && is_interrupt(text)
        {
            // Fails only if the engine has already moved.
            let _ = self.game.hosted.move_now();
            return;
        }
        self.waiting.push_back(received);
    }

    fn hear(&mut self, event: GameEvent) -> Result<(), BridgeError> {
        let Some(search) = self.search else {
            return Ok(());
        };
        let text = match event {
            GameEvent::Moved { code, .. } => {
                self.clocks.spend(search.side, search.begun.elapsed());
                let click = self.game.enter_engine_move(&code);
                click.map(|click| Vertex(click).to_string())
            }
            GameEvent::Failed(why) => Err(self.game.in_gui_words(&why)),
            _ => return Ok(()),
        };
        self.search = None;
        self.answer(search.id, text)
    }

    fn handle(&mut self, received: &Received) -> Result<ControlFlow<()>, BridgeError> {
        let request = match &received.line {
            Line::Text(text) => parse(text),
            Line::TooLong(limit) => Some(Request {
                id: None,
                command: Err(format!("a line of more than {limit} bytes")),
            }),
        };
        let Some(Request { id, command }) = request else {
            return Ok(ControlFlow::Continue(()));
        };
        match command {
            Err(why) => self.answer(id, Err(why))?,
            Ok(Command::Quit) => {
                self.answer(id, Ok(String::new()))?;
                return Ok(ControlFlow::Break(()));
            }
            Ok(Command::Genmove(side)) => self.generate(id, side, received.at)?,
            Ok(command) => {
                let text = self.carry_out(command, received.at);
                self.answer(id, text)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Starts a search. After the end of the game, the loser resigns and the winner passes. The answer follows with the engine's move, or at once if its chosen move has another half.
    fn generate(&mut self, id: Option<u32>, side: Side, at: Instant) -> Result<(), BridgeError> {
        if self.game.board().outcome() == Some(Outcome::Win(side.other())) {
            return self.answer(id, Ok("resign".to_owned()));
        }
        if self.game.pass_without_move(side) {
            return self.answer(id, Ok(Vertex(Click::Pass).to_string()));
        }
        match self.game.second_half(side, at) {
            Ok(None) => {}
            Ok(Some(click)) => return self.answer(id, Ok(Vertex(click).to_string())),
            Err(why) => return self.answer(id, Err(why)),
        }
        if let Err(why) = self.game.hosted.search(self.clocks.limit(side)) {
            return self.answer(id, Err(why));
        }
        let begun = at;
        self.search = Some(Search { id, side, begun });
        Ok(())
    }

    fn carry_out(&mut self, command: Command, at: Instant) -> Result<String, String> {
        let layout = self.game.layout;
        let done = match command {
            Command::BoardSize(size) if size != u32::from(layout.size()) => {
                Err(format!("unacceptable size: expected {}", layout.size()))
            }
            Command::BoardSize(_) | Command::ClearBoard => self.begin(None),
            Command::Position(Some(fen)) => self.begin(Some(Opening::at(fen))),
            Command::Play(side, Vertex(click)) => self.game.play(side, click, at),
            Command::Undo => self.game.undo(),
            Command::TimeSettings(settings) => {
                self.clocks.set(settings);
                Ok(())
            }
            Command::TimeLeft(side, left) => {
                self.clocks.update(side, left);
                Ok(())
            }
            question => return self.report(question),
        };
        done.map(|()| String::new())
    }

    /// Answers a question about the program or the game.
    fn report(&self, question: Command) -> Result<String, String> {
        let (layout, board) = (self.game.layout, self.game.board());
        Ok(match question {
            Command::ProtocolVersion => "2".to_owned(),
            Command::Name => format!("Linesman {}", layout.game_id()),
            Command::Version => env!("CARGO_PKG_VERSION").to_owned(),
            Command::IsKnown(name) => names().contains(&name.as_str()).to_string(),
            Command::ListCommands => names().join("\n"),
            Command::ShowBoard => format!("\n{}", board.draw(View::default())),
            Command::AnalyzeCommands => ANALYZE_COMMANDS.to_owned(),
            Command::GameId => layout.game_id().to_owned(),
            Command::Board => self.game.picture().array(),
            Command::RulesBoardSize if layout.is_hex() => format!("{} hex", layout.size()),
            Command::RulesBoardSize => layout.size().to_string(),
            Command::LegalMoves => words(self.game.next().into_iter()),
            Command::SideToMove => colour(board.side()).to_owned(),
            Command::FinalResult => self.result()?,
            Command::FinalScore => match self.outcome()? {
                Outcome::Win(Side::P1) => "B+R",
                Outcome::Win(Side::P2) => "W+R",
                Outcome::Draw => "0",
            }
            .to_owned(),
            Command::BoardGfx => self.game.graphics(),
            Command::Position(_) => board.fen(),
            Command::Codes => board.moves().join(" "),
            _ => String::new(),
        })
    }

    fn begin(&mut self, opening: Option<Opening>) -> Result<(), String> {
        self.clocks.rewind();
        self.game.begin(opening)
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let outcome = self.game.board().outcome();
        outcome.ok_or_else(|| "the game is not over".to_owned())
    }

    /// Returns the winner and the reason.
    fn result(&self) -> Result<String, String> {
        let result = match self.outcome()? {
            Outcome::Win(Side::P1) => "Black wins",
            Outcome::Win(Side::P2) => "White wins",
            Outcome::Draw => "Draw",
        };
        Ok(match self.game.board().explain() {
            Some(why) => format!("{result} ({})", self.game.in_gui_words(reason(&why))),
            None => result.to_owned(),
        })
    }

    fn answer(&mut self, id: Option<u32>, text: Result<String, String>) -> Result<(), BridgeError> {
        write!(self.output, "{}", Response { id, text })?;
        Ok(self.output.flush()?)
    }
}
