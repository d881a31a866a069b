//! The dialogue with a GUI: reads commands, and writes replies and the events of the game.

use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

use kit::{DynHistory, Side};
use protocol::OptionDecl;
use protocol::text::excerpt;
use record::game::GameResult;
use record::opening::Opening;
use table::{AnalysedNode, Analysis, TableCommand};

use super::launch::{engine_name, layout_of};
use super::layout::Layout;
use super::limits::GuiLimits;
use super::notation::{Fen, Move};
use super::program::code_of;
use super::reply::{ResultLine, format_thinking, option_feature, read_option};
use crate::hosted_game::engine_options;
use crate::{BridgeSetup, Done, GameEvent, GuiWords, HostedGame, Input, Lines};

/// Code of the move that exchanges the colours.
const SWAP: &str = "swap";

/// Runs the dialogue with a GUI until it quits.
///
/// # Errors
/// The game does not fit XBoard, the table ends, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Done {
    let layout = layout_of(setup)?;
    let shown = layout.clone();
    let words = GuiWords {
        colours: ["White", "Black"],
        cell: Box::new(move |board, cell| {
            Some(shown.write_square(shown.square(&board.fen(), cell)?))
        }),
    };
    let game = HostedGame::open(setup, words)?;
    let mut session = Session {
        setup,
        options: Vec::new(),
        layout,
        game,
        output,
        plays: Some(Side::P2),
        limits: GuiLimits::default(),
        shows_thinking: false,
        plays_a_program: false,
        is_analysing: false,
        searches_since: Instant::now(),
        has_sent_result: false,
    };
    session.serve(lines).and(session.game.close())
}

/// Shows the user the reason why the game cannot start.
///
/// # Errors
/// The output cannot be written.
pub fn show_error(why: &str, output: &mut dyn Write) -> Done {
    writeln!(output, "tellusererror {why}")?;
    Ok(output.flush()?)
}

struct Session<'a> {
    setup: &'a BridgeSetup,
    /// Options of the engine that the GUI shows.
    options: Vec<OptionDecl>,
    layout: Layout,
    game: HostedGame,
    output: &'a mut dyn Write,
    /// Side that the engine plays; none in `force` mode and analysis.
    plays: Option<Side>,
    limits: GuiLimits,
    shows_thinking: bool,
    /// `true` if the opponent is a program too, so that no messages are sent to a person.
    plays_a_program: bool,
    /// `true` in analysis mode; the table runs no analysis of a finished game.
    is_analysing: bool,
    searches_since: Instant,
    /// `true` once the result of the current game was sent.
    has_sent_result: bool,
}

impl Session<'_> {
    fn serve(&mut self, lines: &Lines) -> Done {
        loop {
            match self.game.wait(lines)? {
                Input::Line(line, at) => match line.text() {
                    Ok(text) if text.split_whitespace().next() == Some("quit") => return Ok(()),
                    Ok(text) => self.carry_out(text.trim(), at)?,
                    Err(error) => self.say_error(&error.to_string(), "...")?,
                },
                Input::End | Input::Stopped => return Ok(()),
                Input::Event(event) => self.send(event)?,
            }
            self.output.flush()?;
        }
    }

    fn carry_out(&mut self, line: &str, at: Instant) -> Done {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "level" | "st" | "sd" | "nps" | "time" => {
                if let Err(why) = self.limits.set(word, rest) {
                    self.say_error(why, line)?;
                }
            }
            "protover" => self.say_features()?,
            "ping" => self.say(format_args!("pong {}", excerpt(rest)))?,
            "variant" => self.say_setup(rest)?,
            "new" => self.begin()?,
            "computer" => self.plays_a_program = true,
            "force" | "result" => {
                self.plays = None;
                self.game.give_up();
            }
            "go" => {
                self.plays = Some(self.game.board().side());
                self.think_if_due()?;
            }
            "playother" => {
                self.game.give_up();
                self.plays = Some(self.game.board().side().other());
            }
            // Fails only if there is no search.
            "?" => drop(self.game.ask(TableCommand::MoveNow)),
            "usermove" => self.user_move(rest, at)?,
            "setboard" => self.set_board(rest, at)?,
            "undo" => self.take_back(1, line)?,
            "remove" => self.take_back(2, line)?,
            "post" | "nopost" => self.shows_thinking = word == "post",
            "analyze" => {
                self.plays = None;
                self.game.give_up();
                self.is_analysing = true;
                self.resume_analysis()?;
            }
            "exit" => {
                self.is_analysing = false;
                // Fails only if it has already ended.
                let _ = self.game.ask(TableCommand::StopAnalysis);
            }
            "." => self.say_status()?,
            "option" => self.set_option(rest, line)?,
            "lift" => self.lift(rest)?,
            // An engine may ignore these.
            "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "name"
            | "rating" | "ics" | "bk" | "hint" | "draw" | "put" | "hover" | "memory" | "cores"
            | "egtpath" | "pause" | "resume" | "otim" => {}
            // No command has digits or `@`.
            mv if rest.is_empty() && mv.contains(|c: char| c == '@' || c.is_ascii_digit()) => {
                self.user_move(mv, at)?;
            }
            _ => self.say_error("unknown command", line)?,
        }
        Ok(())
    }

    fn say(&mut self, line: impl Display) -> Done {
        Ok(writeln!(self.output, "{line}")?)
    }

    fn say_error(&mut self, why: &str, line: &str) -> Done {
        self.say(format_args!("Error ({why}): {}", excerpt(line)))
    }

    /// Shows a message to the user.
    fn say_to_user(&mut self, why: impl Display) -> Done {
        self.say(format_args!("tellusererror {why}"))
    }

    fn say_features(&mut self) -> Done {
        let quoted = |text: &str| text.replace('"', "'");
        let (name, variant) = (quoted(&engine_name(self.setup)), self.layout.variant);
        self.say("feature done=0")?;
        self.say(format_args!(
            "feature myname=\"{name}\" variants=\"{variant}\" setboard=1 usermove=1 ping=1 analyze=1 highlight=1 debug=1 reuse=1 \
             sigint=0 sigterm=0 colors=0"
        ))?;
        // The engine is started for its options.
        self.output.flush()?;
        match engine_options(self.setup) {
            Ok(options) => self.options = options,
            Err(why) => self.say_to_user(format_args!("{name}: {why}"))?,
        }
        let options = self.options.iter().filter_map(option_feature);
        for option in options.collect::<Vec<_>>() {
            self.say(format_args!("feature option=\"{}\"", quoted(&option)))?;
        }
        self.say("feature done=1")
    }

    fn set_option(&mut self, text: &str, line: &str) -> Done {
        let read = read_option(&self.options, text);
        let set = read.map_err(str::to_owned).and_then(|(name, value)| {
            let name = name.to_owned();
            self.game.ask(TableCommand::SetOption { name, value })
        });
        set.or_else(|why| self.say_error(&why, line))
    }

    fn say_setup(&mut self, variant: &str) -> Done {
        if variant != self.layout.variant {
            return self.say_error("unsupported variant", &format!("variant {variant}"));
        }
        self.say(self.layout.setup(&self.game.board().fen()))?;
        let moves = self.layout.piece_moves();
        moves.map_or(Ok(()), |moves| self.say(moves))
    }

    fn begin(&mut self) -> Done {
        self.limits.begin_game();
        self.plays_a_program = false;
        if !self.is_analysing {
            self.plays = Some(Side::P2);
        }
        self.begin_at(None, "new")
    }

    fn begin_at(&mut self, opening: Option<Opening>, what: &str) -> Done {
        self.has_sent_result = false;
        match self.game.begin(opening) {
            Ok(()) => self.resume_analysis(),
            Err(why) => self.say_to_user(format_args!("{what}: {why}")),
        }
    }

    /// Starts a search if it is the engine's turn.
    fn think_if_due(&mut self) -> Done {
        let is_due = self.plays == Some(self.game.board().side());
        if !is_due || self.game.is_searching() || self.game.board().outcome().is_some() {
            return Ok(());
        }
        let n_own_moves = self.game.board().ply() as u32 / 2;
        self.searches_since = Instant::now();
        let asked = self.game.search(self.limits.limit(n_own_moves));
        asked.or_else(|why| self.send_failure(&why))
    }

    fn user_move(&mut self, text: &str, at: Instant) -> Done {
        match self.make_move(text, at) {
            Err(why) => return self.say(format_args!("Illegal move ({why}): {}", excerpt(text))),
            Ok(code) if code == SWAP => self.announce_colours()?,
            Ok(_) => self.mark_covered()?,
        }
        self.resume_analysis()?;
        self.think_if_due()
    }

    /// Makes the user's move, and returns its code.
    fn make_move(&mut self, text: &str, at: Instant) -> Result<String, String> {
        if self.game.is_searching() {
            return Err("the engine is to move".to_owned());
        }
        let board = self.game.board();
        let Some(code) = code_of(&self.layout, board, text) else {
            let why = match (board.outcome(), board.moves().first()) {
                (None, Some(example)) => self.game.explain().unwrap_or_else(|| {
                    let mv = self.layout.mv(&board.fen(), example);
                    format!("against the rules; {} is legal", self.layout.write_move(mv))
                }),
                _ => "the game is over".to_owned(),
            };
            return Err(why);
        };
        self.game.play(&code, at)?;
        Ok(code)
    }

    /// Sets up a position. XBoard sends a pass, of a person or of the other engine, as the same board with the other
    /// side to move.
    fn set_board(&mut self, text: &str, at: Instant) -> Done {
        match Fen::parse(text).and_then(|fen| Ok((self.layout.to_game(&fen)?, fen))) {
            Err(why) => return self.say_to_user(format_args!("Illegal position: {why}")),
            Ok((_, fen)) if self.is_pass(&fen) => return self.user_move("@@@@", at),
            Ok((position, _)) => {
                self.game.give_up();
                self.begin_at(Some(Opening::at(position)), "Illegal position")?;
            }
        }
        self.think_if_due()?;
        self.announce_pass()
    }

    /// `true` if the position is the current one after a legal pass.
    fn is_pass(&self, fen: &Fen) -> bool {
        let board = self.game.board();
        let position = board.fen();
        let here = self.layout.to_xboard(&position);
        let is_same = here.ranks == fen.ranks && here.side != fen.side;
        let is_pass = |code: &String| self.layout.mv(&position, code) == Move::Pass;
        is_same && board.moves().iter().any(is_pass)
    }

    fn take_back(&mut self, n: usize, line: &str) -> Done {
        match self.game.take_back(n) {
            Ok(()) => {
                self.has_sent_result = false;
                self.resume_analysis()
            }
            Err(why) => self.say_error(&why, line),
        }
    }

    /// Restarts the analysis if it has ended, because the game was over or a new one began.
    fn resume_analysis(&mut self) -> Done {
        let is_running = self.game.game().snapshot().analysis.running.is_some();
        if !self.is_analysing || is_running || self.game.board().outcome().is_some() {
            return Ok(());
        }
        self.searches_since = Instant::now();
        let analyse = TableCommand::Analyse {
            node: None,
            lines: Some(1),
            seconds: None,
        };
        self.game.ask(analyse).or_else(|why| self.say_to_user(why))
    }

    fn say_status(&mut self) -> Done {
        if !self.is_analysing {
            return self.say_error("command not legal now", ".");
        }
        let centiseconds = self.searches_since.elapsed().as_millis() / 10;
        let game = self.game.game();
        let mut analysed = game.snapshot().analysis.kept.iter();
        let found = analysed.find(|analysed| analysed.node == game.here());
        let found = found.map(|analysed| &analysed.found);
        let nodes = found.and_then(|found| found.nodes).unwrap_or(0);
        let depth = found.and_then(|found| found.depth).unwrap_or(0);
        let n_moves = game.board().moves().len();
        self.say(format_args!(
            "stat01: {centiseconds} {nodes} {depth} 0 {n_moves}"
        ))
    }

    fn lift(&mut self, square: &str) -> Done {
        let board = self.game.board();
        let from = self.layout.read_square(square);
        let marks = from.and_then(|from| self.layout.highlight(&board.fen(), &board.moves(), from));
        marks.map_or(Ok(()), |marks| self.say(format_args!("highlight {marks}")))
    }

    /// Sends an event of the game.
    fn send(&mut self, event: GameEvent) -> Done {
        match event {
            GameEvent::Moved { code, thought } => self.send_move(&code, thought.as_ref())?,
            GameEvent::Thought(analysis) if self.shows_thinking => {
                self.send_thought(&analysis, self.game.board().fork())?;
            }
            GameEvent::Thought(_) => {}
            GameEvent::Failed(why) => self.send_failure(&why)?,
            GameEvent::Analysed(analysed) => self.send_analysis(&analysed)?,
            GameEvent::Over(result, comment) => self.send_end(result, comment)?,
            GameEvent::Fault(why) => self.say(format_args!("# {why}"))?,
        }
        Ok(())
    }

    /// Sends a move that is already on the board, after the search information that came with it.
    fn send_move(&mut self, code: &str, thought: Option<&Analysis>) -> Done {
        let mut before = self.game.board().fork();
        before.undo();
        let position = before.fen();
        let mv = self.layout.mv(&position, code);
        if let Some(thought) = thought.filter(|_| self.shows_thinking) {
            self.send_thought(thought, before)?;
        }
        self.say(format_args!("move {}", self.layout.write_move(mv)))?;
        if code == SWAP {
            self.announce_colours()?;
        } else if mv == Move::Pass {
            let name = ["Black", "White"][self.game.board().side().index()];
            self.tell_of_pass(&format!("{name} has no move and passes"), &position)?;
        }
        self.mark_covered()?;
        self.announce_pass()
    }

    /// Tells a person which stones the sides place after an exchange of colours.
    fn announce_colours(&mut self) -> Done {
        self.tell_person(
            "The colours are exchanged: White places stones with a ring, Black with a cross",
        )
    }

    /// Marks the pieces that others cover for a person, because XBoard shows all pieces of a stack side by side.
    fn mark_covered(&mut self) -> Done {
        let marks = self.layout.mark_covered(&self.game.board().fen());
        let marks = marks.filter(|_| self.has_person());
        marks.map_or(Ok(()), |marks| self.say(format_args!("highlight {marks}")))
    }

    /// Tells a person who can only pass, or may exchange the colours, how to do it.
    fn announce_pass(&mut self) -> Done {
        let board = self.game.board();
        let position = board.fen();
        let is_pass = |code: &String| self.layout.mv(&position, code) == Move::Pass;
        let is_persons_turn = self.plays == Some(board.side().other());
        match &board.moves()[..] {
            _ if !is_persons_turn => Ok(()),
            [only] if is_pass(only) => {
                let why = self.game.explain();
                let why = why.unwrap_or_else(|| "no move is legal".to_owned());
                self.tell_of_pass(&format!("{why}. Type pass and Enter"), &position)
            }
            moves if moves.iter().any(|code| code == SWAP) => {
                self.tell_person("To exchange the colours, type pass and Enter")
            }
            _ => Ok(()),
        }
    }

    /// Shows a message about a pass, and marks the pieces of the side that passes.
    fn tell_of_pass(&mut self, text: &str, position: &str) -> Done {
        if self.has_person() {
            let marks = self.layout.mark_movers(position);
            self.say(format_args!("highlight {marks}"))?;
        }
        self.tell_person(text)
    }

    /// Shows a message if a person plays.
    fn tell_person(&mut self, text: &str) -> Done {
        if self.has_person() {
            self.say(format_args!("telluser {text}"))?;
        }
        Ok(())
    }

    /// `true` if a person plays against the engine.
    fn has_person(&self) -> bool {
        self.plays.is_some() && !self.plays_a_program
    }

    fn send_end(&mut self, result: GameResult, comment: String) -> Done {
        match std::mem::replace(&mut self.has_sent_result, true) {
            true => Ok(()),
            false => self.say(ResultLine { result, comment }),
        }
    }

    /// Reports a failure of the engine to the user. If the engine plays, it also resigns.
    fn send_failure(&mut self, why: &str) -> Done {
        self.say_to_user(why)?;
        self.plays.take().map_or(Ok(()), |_| self.say("resign"))
    }

    fn send_analysis(&mut self, analysed: &AnalysedNode) -> Done {
        let is_here = analysed.node == self.game.game().here();
        let found = &analysed.found;
        let Some(best) = found.lines.first().filter(|_| is_here && self.is_analysing) else {
            return Ok(());
        };
        let best = Analysis {
            code: None,
            score: Some(best.score),
            depth: best.depth.or(found.depth),
            nodes: found.nodes,
            line: best.line.clone(),
        };
        self.send_thought(&best, self.game.board().fork())
    }

    /// Sends search information of a position.
    fn send_thought(&mut self, thought: &Analysis, board: Box<dyn DynHistory>) -> Done {
        let dialect = self.setup.engine.proto.into();
        let pv = self.pv(&thought.line, board);
        let time = self.searches_since.elapsed();
        self.say(format_thinking(thought, dialect, time, &pv))
    }

    /// Converts a principal variation to XBoard's moves, up to the first illegal move.
    fn pv(&self, codes: &[String], mut board: Box<dyn DynHistory>) -> String {
        let mut moves = Vec::new();
        for code in codes {
            let position = board.fen();
            let Ok(code) = board.play(code) else { break };
            moves.push(self.layout.write_move(self.layout.mv(&position, &code)));
        }
        moves.join(" ")
    }
}
