//! The dialogue with a GTP controller, from its first line to `quit`.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::time::Instant;

use draw::View;
use kit::{Outcome, Side};
use protocol::{Line, LineReader};
use record::opening::Opening;
use table::TableCommand;

use super::{
    COMMANDS, Click, Clocks, HalfMoveGame, Request, colour, format_answer, is_interrupt, parse,
    parse_colour, words_of,
};
use crate::{BridgeSetup, Done, GameEvent, Input, Lines};

/// Capacity for lines received during a search. When it is full, no more are read.
const MAX_WAITING: usize = 1000;

/// The answer to a command, or the reason for its refusal.
type Answer = Result<String, String>;

/// Commands in GoGui's analysis window: type, title, command.
const ANALYZE_COMMANDS: &str = "string/Position string/linesman-position\nstring/Legal moves/linesman-moves\nstring/Board as text/showboard";

/// Serves a GTP controller until it quits or its input ends. A search that is running at the end of the input is
/// finished, unless a stop is requested.
///
/// # Errors
/// The game does not fit, the table fails, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Done {
    let mut session = Session {
        game: HalfMoveGame::open(setup)?,
        clocks: Clocks::default(),
        lines: lines.clone(),
        waiting: VecDeque::new(),
        output,
    };
    session.serve().and(session.game.hosted.close())
}

struct Session<'a> {
    game: HalfMoveGame,
    clocks: Clocks,
    lines: Lines,
    /// Lines received during a search.
    waiting: VecDeque<Input>,
    output: &'a mut dyn Write,
}

impl Session<'_> {
    fn serve(&mut self) -> Done {
        loop {
            let input = match self.waiting.pop_front() {
                Some(input) => input,
                None => self.game.hosted.wait(&self.lines)?,
            };
            match input {
                Input::Line(line, at) if self.handle(&line, at)? => return Ok(()),
                Input::End | Input::Stopped => return Ok(()),
                Input::Line(..) | Input::Event(_) => {}
            }
        }
    }

    /// Handles a line. Returns `true` if it is the last one.
    fn handle(&mut self, line: &Line, at: Instant) -> Done<bool> {
        let request = match line.text() {
            Ok(text) => parse(text),
            Err(why) => return self.answer(None, Err(why.to_string())).map(|()| false),
        };
        let Some(Request { id, name, words }) = request else {
            return Ok(false);
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let text = match (name.as_str(), &words[..]) {
            ("quit", _) => Ok(String::new()),
            ("genmove", [colour]) if let Some(side) = parse_colour(colour) => {
                self.generate(side, at)?
            }
            (name, words) => self.carry_out(name, words, at),
        };
        self.answer(id, text).map(|()| name == "quit")
    }

    /// Returns the answer to `genmove`: a half move. After the end of the game, the loser resigns and the winner passes.
    fn generate(&mut self, side: Side, at: Instant) -> Done<Answer> {
        if self.game.board().outcome() == Some(Outcome::Win(side.other())) {
            return Ok(Ok("resign".to_owned()));
        }
        if self.game.pass_without_move(side) {
            return Ok(Ok(Click::Pass.to_string()));
        }
        let half = self.game.second_half(side, at).and_then(|half| {
            if half.is_none() {
                self.game.hosted.search(self.clocks.limit(side))?;
            }
            Ok(half)
        });
        let half = match half.transpose() {
            Some(half) => half,
            None => self.await_move(side, at)?,
        };
        Ok(half.map(|click| click.to_string()))
    }

    /// Waits for the engine's move. Lines that arrive meanwhile are queued; an interruption takes effect at once.
    fn await_move(&mut self, side: Side, begun: Instant) -> Done<Result<Click, String>> {
        let silent = self.lines.without_lines();
        let mut is_at_end = false;
        loop {
            let is_deaf = is_at_end || self.waiting.len() >= MAX_WAITING;
            let lines = if is_deaf { &silent } else { &self.lines };
            match self.game.hosted.wait(lines)? {
                Input::Line(line, _) if line.text().is_ok_and(is_interrupt) => {
                    // Fails only if the engine has already moved.
                    let _ = self.game.hosted.ask(TableCommand::MoveNow);
                }
                input @ (Input::Line(..) | Input::End) => {
                    is_at_end = input == Input::End;
                    self.waiting.push_back(input);
                }
                Input::Stopped => {
                    self.waiting.push_front(Input::Stopped);
                    return Ok(Err("the bridge is stopped".to_owned()));
                }
                Input::Event(GameEvent::Moved { code, .. }) => {
                    self.clocks.spend(side, begun.elapsed());
                    return Ok(self.game.enter_engine_move(&code));
                }
                Input::Event(GameEvent::Failed(why)) => return Ok(Err(why)),
                Input::Event(_) => {}
            }
        }
    }

    /// Carries out a command, and returns what it answers.
    fn carry_out(&mut self, name: &str, words: &[&str], at: Instant) -> Answer {
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
                self.clocks.set_left(side, time, stones).ok_or_else(wrong)
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
    fn result(&self) -> Answer {
        let (_, result) = self.outcome()?;
        Ok(match self.game.hosted.explain() {
            // `Black wins: White is surrounded on C5`
            Some(why) if why.to_lowercase().starts_with(&result.to_lowercase()) => why,
            Some(why) => format!("{result}: {why}"),
            None => result.to_owned(),
        })
    }

    fn answer(&mut self, id: Option<u32>, text: Answer) -> Done {
        write!(self.output, "{}", format_answer(id, &text))?;
        Ok(self.output.flush()?)
    }
}

/// Answers each command of a controller with the reason why the game cannot start, until it quits or its input ends.
/// GoGui shows the text.
///
/// # Errors
/// The output cannot be written.
pub fn refuse(why: &str, input: impl Read, output: &mut dyn Write) -> Done {
    let mut input = LineReader::new(input);
    while let Ok(Some(line)) = input.read() {
        let Line::Text(text) = line.to_line() else {
            continue;
        };
        let Some(Request { id, name, .. }) = parse(&text) else {
            continue;
        };
        let is_last = name == "quit";
        let answer = if is_last {
            Ok(String::new())
        } else {
            Err(why.to_owned())
        };
        write!(output, "{}", format_answer(id, &answer))?;
        output.flush()?;
        if is_last {
            break;
        }
    }
    Ok(())
}
