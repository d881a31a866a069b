//! The dialogue with a GTP controller, from its first line to `quit`.

use std::collections::VecDeque;
use std::io::Write;
use std::time::Instant;

use draw::View;
use kit::{Outcome, Side};
use protocol::Line;
use record::opening::Opening;
use table::TableCommand;

use super::{
    COMMANDS, Click, Clocks, HalfMoveGame, Request, colour, format_answer, is_interrupt, parse,
    parse_colour, words_of,
};
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
    session.serve(lines).and(session.game.hosted.close())
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
        let silent = lines.without_lines();
        loop {
            if self.search.is_none() {
                if let Some(received) = self.waiting.pop_front() {
                    if self.handle(&received)? {
                        return Ok(());
                    }
                    continue;
                }
                if is_at_end {
                    return Ok(());
                }
            }
            let is_full = self.waiting.len() >= MAX_WAITING;
            let heard = if is_at_end || is_full { &silent } else { lines };
            match self.game.hosted.wait(heard)? {
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
            let _ = self.game.hosted.ask(TableCommand::MoveNow);
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
                click.map(|click| click.to_string())
            }
            GameEvent::Failed(why) => Err(why),
            _ => return Ok(()),
        };
        self.search = None;
        self.answer(search.id, text)
    }

    /// Handles a line. Returns `true` if it is the last one.
    fn handle(&mut self, received: &Received) -> Result<bool, BridgeError> {
        let request = match received.line.text() {
            Ok(text) => parse(text),
            Err(why) => return self.answer(None, Err(why.to_string())).map(|()| false),
        };
        let Some(Request { id, name, words }) = request else {
            return Ok(false);
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match (name.as_str(), &words[..]) {
            ("quit", _) => self.answer(id, Ok(String::new()))?,
            ("genmove", [colour]) if let Some(side) = parse_colour(colour) => {
                self.generate(id, side, received.at)?;
            }
            (name, words) => {
                let text = self.carry_out(name, words, received.at);
                self.answer(id, text)?;
            }
        }
        Ok(name == "quit")
    }

    /// Starts a search. After the end of the game, the loser resigns and the winner passes. The answer follows with the
    /// engine's move, or at once if its chosen move has another half.
    fn generate(&mut self, id: Option<u32>, side: Side, at: Instant) -> Result<(), BridgeError> {
        if self.game.board().outcome() == Some(Outcome::Win(side.other())) {
            return self.answer(id, Ok("resign".to_owned()));
        }
        if self.game.pass_without_move(side) {
            return self.answer(id, Ok(Click::Pass.to_string()));
        }
        let half = self.game.second_half(side, at).and_then(|half| {
            if half.is_none() {
                self.game.hosted.search(self.clocks.limit(side))?;
            }
            Ok(half)
        });
        if let Some(text) = half.transpose() {
            return self.answer(id, text.map(|click| click.to_string()));
        }
        let begun = at;
        self.search = Some(Search { id, side, begun });
        Ok(())
    }

    /// Carries out a command, and returns what it answers.
    fn carry_out(&mut self, name: &str, words: &[&str], at: Instant) -> Result<String, String> {
        let (layout, board) = (self.game.layout, self.game.board());
        let example = COMMANDS.iter().find(|(own, _)| *own == name);
        let (_, example) = example.ok_or("unknown command")?;
        let wrong = || format!("write it as in: {name} {example}");
        let done = match (name, words) {
            ("protocol_version", _) => return Ok("2".to_owned()),
            ("name", _) => return Ok(format!("Linesman {}", layout.game_id)),
            ("version", _) => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => {
                return Ok(COMMANDS.iter().any(|(known, _)| known == name).to_string());
            }
            ("list_commands", _) => return Ok(COMMANDS.map(|(name, _)| name).join("\n")),
            ("showboard", _) => return Ok(format!("\n{}", board.draw(View::default()))),
            ("gogui-analyze_commands", _) => return Ok(ANALYZE_COMMANDS.to_owned()),
            ("gogui-rules_game_id", _) => return Ok(layout.game_id.to_owned()),
            ("gogui-rules_board", _) => return Ok(self.game.picture().array()),
            ("gogui-rules_board_size", _) => {
                let shape = if layout.is_hex { " hex" } else { "" };
                return Ok(format!("{}{shape}", layout.size));
            }
            ("gogui-rules_legal_moves", _) => return Ok(words_of(self.game.next())),
            ("gogui-rules_side_to_move", _) => return Ok(colour(board.side()).to_owned()),
            ("gogui-rules_final_result", _) => return self.result(),
            ("final_score", _) => {
                let (score, _) = self.outcome()?;
                return Ok(score.to_owned());
            }
            ("gogui-rules_board_gfx", _) => return Ok(self.game.graphics()),
            ("linesman-position", []) => return Ok(board.fen()),
            ("linesman-moves", _) => return Ok(board.moves().join(" ")),

            ("clear_board", _) => self.begin(None),
            ("linesman-position", fen) => self.begin(Some(Opening::at(fen.join(" ")))),
            ("boardsize", [size]) => {
                let size: u32 = size.parse().map_err(|_| wrong())?;
                match size == u32::from(layout.size) {
                    true => self.begin(None),
                    false => Err(format!(
                        "unacceptable size: the board of {} has size {}",
                        layout.game_id, layout.size
                    )),
                }
            }
            ("play", [colour, vertex]) => {
                let half = parse_colour(colour).zip(Click::parse(vertex));
                let (side, click) = half.ok_or_else(wrong)?;
                self.game.play(side, click, at)
            }
            ("undo", _) => self.game.undo(),
            ("time_settings", [main, time, stones]) => {
                self.clocks = Clocks::parse(main, time, stones).ok_or_else(wrong)?;
                Ok(())
            }
            ("time_left", [colour, time, stones]) => {
                let side = parse_colour(colour).ok_or_else(wrong)?;
                let left = self.clocks.set_left(side, time, stones);
                left.ok_or_else(wrong)
            }
            // These games have no komi.
            ("komi", [komi]) if komi.parse::<f64>().is_ok() => Ok(()),
            ("gogui-interrupt", _) => Ok(()),
            _ => Err(wrong()),
        };
        done.map(|()| String::new())
    }

    fn begin(&mut self, opening: Option<Opening>) -> Result<(), String> {
        self.clocks.left = [None; 2];
        self.game.begin(opening)
    }

    /// Returns the score and the winner.
    fn outcome(&self) -> Result<(&'static str, &'static str), &'static str> {
        Ok(match self.game.board().outcome() {
            Some(Outcome::Win(Side::P1)) => ("B+R", "Black wins"),
            Some(Outcome::Win(Side::P2)) => ("W+R", "White wins"),
            Some(Outcome::Draw) => ("0", "Draw"),
            None => return Err("the game is not over"),
        })
    }

    /// Returns the winner and the reason.
    fn result(&self) -> Result<String, String> {
        let (_, result) = self.outcome()?;
        Ok(match self.game.hosted.explain() {
            // `Black wins: White is surrounded on C5`
            Some(why) if why.to_lowercase().starts_with(&result.to_lowercase()) => why,
            Some(why) => format!("{result}: {why}"),
            None => result.to_owned(),
        })
    }

    fn answer(&mut self, id: Option<u32>, text: Result<String, String>) -> Result<(), BridgeError> {
        write!(self.output, "{}", format_answer(id, &text))?;
        Ok(self.output.flush()?)
    }
}
