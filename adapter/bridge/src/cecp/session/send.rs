//! Sends events of the game to the GUI.

use kit::DynHistory;
use record::game::GameResult;
use table::{AnalysedNode, Analysis};

use super::{SWAP, Session};
use crate::cecp::notation::Move;
use crate::cecp::reply::{ResultLine, format_thinking};
use crate::{Done, GameEvent};

impl Session<'_> {
    /// Sends an event of the game.
    pub(super) fn send(&mut self, event: GameEvent) -> Done {
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
    pub(super) fn announce_colours(&mut self) -> Done {
        self.tell_person(
            "The colours are exchanged: White places stones with a ring, Black with a cross",
        )
    }

    /// Marks the pieces that others cover for a person, because XBoard shows all pieces of a stack side by side.
    pub(super) fn mark_covered(&mut self) -> Done {
        let marks = self.layout.mark_covered(&self.game.board().fen());
        let marks = marks.filter(|_| self.has_person());
        marks.map_or(Ok(()), |marks| self.say(format_args!("highlight {marks}")))
    }

    /// Tells a person who can only pass, or may exchange the colours, how to do it.
    pub(super) fn announce_pass(&mut self) -> Done {
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
    pub(super) fn send_failure(&mut self, why: &str) -> Done {
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
