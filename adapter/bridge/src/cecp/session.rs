//! The dialogue with a GUI: reads commands and writes replies. `send` writes events of the game.

mod send;

use std::io::Write;
use std::time::Instant;

use kit::Side;
use protocol::text::excerpt;
use protocol::{Line, OptionDecl, SyntaxError};
use record::engine_spec::Proto;
use record::opening::Opening;
use referee::analysis::Lines as BestLines;

use super::command::Command;
use super::engine_option;
use super::fen::Fen;
use super::launch::{engine_name, layout_of};
use super::layout::Layout;
use super::limits::GuiLimits;
use super::program::code_of;
use super::reply::Reply;
use super::square::Move;
use crate::hosted_game::engine_options;
use crate::wording::in_gui_words;
use crate::{BridgeError, BridgeSetup, HostedGame, Input, Lines};

/// Code of the move that exchanges the colours.
const SWAP: &str = "swap";

/// Runs the dialogue with a GUI until it quits.
///
/// # Errors
/// The game does not fit XBoard, the table ends, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Result<(), BridgeError> {
    let layout = layout_of(setup)?;
    let game = HostedGame::open(setup)?;
    let name = engine_name(setup);
    let mut session = Session {
        name,
        setup,
        options: Vec::new(),
        counts_plies: !matches!(setup.engine.proto, Proto::Uci | Proto::Uai),
        layout,
        game,
        output,
        plays: Some(Side::P2),
        limits: GuiLimits::default(),
        shows_thinking: false,
        plays_a_program: false,
        analysis: None,
        searches_since: Instant::now(),
        has_sent_result: false,
    };
    session.serve(lines)?;
    session.game.close()
}

/// Shows the user the reason why the game cannot start.
///
/// # Errors
/// The output cannot be written.
pub fn show_error(why: &str, output: &mut dyn Write) -> Result<(), BridgeError> {
    writeln!(output, "{}", Reply::TellUserError(why.to_owned()))?;
    Ok(output.flush()?)
}

/// An analysis requested by the GUI.
#[derive(Debug, Clone, Default)]
struct Study {
    /// `true` while the table runs an analysis; it runs none of a finished game.
    is_running: bool,
    /// Latest lines of the analysis.
    found: BestLines,
}

struct Session<'a> {
    name: String,
    setup: &'a BridgeSetup,
    /// Options of the engine that the GUI shows.
    options: Vec<OptionDecl>,
    /// `true` if the engine counts mates in plies.
    counts_plies: bool,
    layout: Layout,
    game: HostedGame,
    output: &'a mut dyn Write,
    /// Side that the engine plays; none in `force` mode and analysis.
    plays: Option<Side>,
    limits: GuiLimits,
    shows_thinking: bool,
    /// `true` if the opponent is a program too, so that no messages are sent to a person.
    plays_a_program: bool,
    analysis: Option<Study>,
    searches_since: Instant,
    /// `true` once the result of the current game was sent.
    has_sent_result: bool,
}

impl Session<'_> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        loop {
            match self.game.wait(lines)? {
                Input::Line(received) => {
                    let text = match received.line {
                        Line::Text(text) => text,
                        Line::TooLong(limit) => {
                            let error = SyntaxError::TooLong { limit };
                            self.say_error(&error.to_string(), "...")?;
                            continue;
                        }
                    };
                    match Command::parse(&text) {
                        Ok(Command::Quit) => return Ok(()),
                        Ok(command) => self.carry_out(command, received.at)?,
                        Err(error) => self.say_now(&error)?,
                    }
                }
                Input::End | Input::Stopped => return Ok(()),
                Input::Event(event) => self.send(event)?,
            }
        }
    }

    fn carry_out(&mut self, command: Command, at: Instant) -> Result<(), BridgeError> {
        match command {
            Command::Skipped | Command::Quit => {}
            Command::ProtoVer(_) => self.say_features()?,
            Command::Ping(n) => self.say(&Reply::Pong(excerpt(&n)))?,
            Command::Variant(name) => self.say_setup(&name)?,
            Command::New => self.begin()?,
            Command::Computer => self.plays_a_program = true,
            Command::Force => self.force()?,
            Command::Go => self.go()?,
            Command::PlayOther => self.play_other()?,
            Command::MoveNow => {
                // Fails only if there is no search.
                let _ = self.game.move_now();
            }
            Command::Level(level) => self.limits.set_level(level),
            Command::MoveTime(time) => self.limits.set_move_time(time),
            Command::Depth(depth) => self.limits.set_depth(depth),
            Command::NodeRate(rate) => self.limits.set_node_rate(rate),
            Command::Time(left) => self.limits.set_left(left),
            Command::OpponentTime(_) => {}
            Command::UserMove(mv) => self.user_move(&mv, at)?,
            Command::SetBoard(fen) => self.set_board(&fen, at)?,
            Command::Undo => self.take_back(1)?,
            Command::Remove => self.take_back(2)?,
            Command::Result(_) => self.force()?,
            Command::Post(is_on) => self.shows_thinking = is_on,
            Command::Analyze => self.analyse()?,
            Command::Exit => self.end_analysis()?,
            Command::AnalysisStatus => self.say_status()?,
            Command::Option(text) => self.set_option(&text)?,
            Command::Lift(square) => self.lift(&square)?,
        }
        Ok(self.output.flush()?)
    }

    fn say(&mut self, reply: &Reply) -> Result<(), BridgeError> {
        Ok(writeln!(self.output, "{reply}")?)
    }

    fn say_error(&mut self, why: &str, line: &str) -> Result<(), BridgeError> {
        self.say_now(&Reply::Error {
            why: why.to_owned(),
            line: line.to_owned(),
        })
    }

    fn say_now(&mut self, reply: &Reply) -> Result<(), BridgeError> {
        self.say(reply)?;
        Ok(self.output.flush()?)
    }

    fn say_features(&mut self) -> Result<(), BridgeError> {
        let feature = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        self.say(&Reply::Features(vec![feature("done", "0")]))?;
        let on = [
            "setboard",
            "usermove",
            "ping",
            "analyze",
            "highlight",
            "debug",
            "reuse",
        ];
        let off = ["sigint", "sigterm", "colors"];
        let mut features = vec![
            feature("myname", &self.name),
            feature("variants", self.layout.variant()),
        ];
        features.extend(on.map(|name| feature(name, "1")));
        features.extend(off.map(|name| feature(name, "0")));
        self.say(&Reply::Features(features))?;
        // The engine is started for its options.
        self.output.flush()?;
        match engine_options(self.setup) {
            Ok(options) => self.options = options,
            Err(why) => self.say(&Reply::TellUserError(format!("{}: {why}", self.name)))?,
        }
        let options = self.options.iter().filter_map(engine_option::feature);
        for option in options.collect::<Vec<_>>() {
            self.say(&Reply::Features(vec![feature("option", &option)]))?;
        }
        self.say(&Reply::Features(vec![feature("done", "1")]))
    }

    fn set_option(&mut self, text: &str) -> Result<(), BridgeError> {
        let line = || excerpt(&format!("option {text}"));
        let (name, value) = match engine_option::read(&self.options, text) {
            Ok(read) => read,
            Err(why) => return self.say_error(why, &line()),
        };
        match self.game.set_option(name, value) {
            Ok(()) => Ok(()),
            Err(why) => self.say_error(&why, &line()),
        }
    }

    fn say_setup(&mut self, variant: &str) -> Result<(), BridgeError> {
        if variant != self.layout.variant() {
            let line = format!("variant {}", excerpt(variant));
            return self.say_error("unsupported variant", &line);
        }
        let setup = self.layout.setup(&self.game.board().fen());
        self.say(&Reply::Other(setup))?;
        let moves = self.layout.piece_moves();
        moves.map_or(Ok(()), |moves| self.say(&Reply::Other(moves)))
    }

    fn begin(&mut self) -> Result<(), BridgeError> {
        self.limits.begin_game();
        self.plays_a_program = false;
        if self.analysis.is_none() {
            self.plays = Some(Side::P2);
        }
        self.begin_at(None, "new")
    }

    fn begin_at(&mut self, opening: Option<Opening>, line: &str) -> Result<(), BridgeError> {
        self.has_sent_result = false;
        match self.game.begin(opening) {
            Ok(()) => self.resume_analysis(),
            Err(why) => {
                let why = self.in_gui_words(&why);
                self.say(&Reply::TellUserError(format!("{line}: {why}")))
            }
        }
    }

    /// Returns a text of the game with XBoard's colours and squares.
    fn in_gui_words(&self, text: &str) -> String {
        let board = self.game.board();
        let position = board.fen();
        in_gui_words(text, &board.side_names(), ["White", "Black"], |cell| {
            let square = self.layout.square(&position, cell)?;
            Some(self.layout.numbers().square(square))
        })
    }

    fn force(&mut self) -> Result<(), BridgeError> {
        self.plays = None;
        // Fails only if there is no search.
        let _ = self.game.give_up();
        Ok(())
    }

    fn go(&mut self) -> Result<(), BridgeError> {
        self.plays = Some(self.game.board().side());
        self.think_if_due()
    }

    fn play_other(&mut self) -> Result<(), BridgeError> {
        let _ = self.game.give_up();
        self.plays = Some(self.game.board().side().other());
        Ok(())
    }

    /// Starts a search if it is the engine's turn.
    fn think_if_due(&mut self) -> Result<(), BridgeError> {
        let is_due = self.plays == Some(self.game.board().side());
        if !is_due || self.game.is_searching() || self.game.board().outcome().is_some() {
            return Ok(());
        }
        let n_own_moves = self.game.board().ply() as u32 / 2;
        self.searches_since = Instant::now();
        match self.game.search(self.limits.limit(n_own_moves)) {
            Ok(()) => Ok(()),
            Err(why) => self.send_failure(&why),
        }
    }

    fn user_move(&mut self, text: &str, at: Instant) -> Result<(), BridgeError> {
        if self.game.is_searching() {
            return self.say_illegal("the engine is to move", text);
        }
        if self.layout.numbers().read_move(text).is_none() {
            return self.say_illegal("expected a move such as e2e4, S@e4 or @@@@", text);
        }
        let board = self.game.board();
        let Some(code) = code_of(&self.layout, board, text) else {
            let why = match board.outcome() {
                Some(_) => "the game is over".to_owned(),
                None => board
                    .explain()
                    .map_or("against the rules".to_owned(), |why| {
                        self.in_gui_words(&why)
                    }),
            };
            return self.say_illegal(&why, text);
        };
        match self.game.play(&code, at) {
            Ok(()) => {
                self.mark_covered()?;
                if code == SWAP {
                    self.announce_colours()?;
                }
                self.resume_analysis()?;
                self.think_if_due()
            }
            Err(why) => self.say_illegal(&self.in_gui_words(&why), text),
        }
    }

    fn say_illegal(&mut self, why: &str, mv: &str) -> Result<(), BridgeError> {
        self.say(&Reply::Illegal {
            why: why.to_owned(),
            mv: excerpt(mv),
        })
    }

    /// Sets up a position. XBoard sends a pass, of a person or of the other engine, as the same board with the other
    /// side to move.
    fn set_board(&mut self, text: &str, at: Instant) -> Result<(), BridgeError> {
        let read = Fen::parse(text).and_then(|fen| Ok((self.layout.to_game(&fen)?, fen)));
        let (position, fen) = match read {
            Ok(read) => read,
            Err(why) => return self.say(&Reply::TellUserError(format!("Illegal position: {why}"))),
        };
        if self.is_pass(&fen) {
            return self.user_move("@@@@", at);
        }
        let _ = self.game.give_up();
        self.begin_at(Some(Opening::at(position)), "Illegal position")?;
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

    fn take_back(&mut self, n: usize) -> Result<(), BridgeError> {
        match self.game.take_back(n) {
            Ok(()) => {
                self.has_sent_result = false;
                self.resume_analysis()
            }
            Err(why) => {
                let line = if n == 1 { "undo" } else { "remove" };
                self.say_error(&why, line)
            }
        }
    }

    fn analyse(&mut self) -> Result<(), BridgeError> {
        self.force()?;
        self.analysis = Some(Study::default());
        self.resume_analysis()
    }

    /// Restarts the analysis if it has ended, because the game was over or a new one began.
    fn resume_analysis(&mut self) -> Result<(), BridgeError> {
        if let Some(study) = &mut self.analysis
            && !study.is_running
            && self.game.board().outcome().is_none()
        {
            self.searches_since = Instant::now();
            match self.game.analyse(1) {
                Ok(()) => study.is_running = true,
                Err(why) => return self.say(&Reply::TellUserError(why)),
            }
        }
        Ok(())
    }

    fn end_analysis(&mut self) -> Result<(), BridgeError> {
        if self.analysis.take().is_some_and(|study| study.is_running) {
            // Fails only if it has already ended.
            let _ = self.game.stop_analysis();
        }
        Ok(())
    }

    fn say_status(&mut self) -> Result<(), BridgeError> {
        let Some(study) = &self.analysis else {
            return self.say_error("command not legal now", ".");
        };
        let centiseconds = self.searches_since.elapsed().as_millis() / 10;
        let (nodes, depth) = (study.found.nodes, study.found.depth);
        let n_moves = self.game.board().moves().len();
        let status = format!(
            "stat01: {centiseconds} {} {} 0 {n_moves}",
            nodes.unwrap_or(0),
            depth.unwrap_or(0)
        );
        self.say(&Reply::Other(status))
    }

    fn lift(&mut self, square: &str) -> Result<(), BridgeError> {
        let Some(from) = self.layout.numbers().read_lifted(square) else {
            return Ok(());
        };
        let board = self.game.board();
        let marks = self.layout.highlight(&board.fen(), &board.moves(), from);
        match marks {
            Some(marks) => self.say(&Reply::Other(format!("highlight {marks}"))),
            None => Ok(()),
        }
    }
}
