//! The arbiter of a game determines the side to move, the legality of moves, and the end of the game.
//!
//! For a known game it applies the rules. For any other game it asks the engines; see `query`.

mod query;

pub use query::{QUESTIONS, Statement, is_code, is_reordered, is_same};

use kit::Value;
use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::Query;
use record::adjudication::Adjudicated;
use record::opening::Opening;

use crate::engine::{Complaint, Fault};
use crate::game_table::GameTable;

/// Finding of the arbiter before each move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The game continues.
    GoesOn,
    /// The game is over.
    Over(Outcome),
    /// The result cannot be determined. Holds the engines' answers.
    Unclear(String),
}

/// An engine's answers to queries about a position.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The texts after `response`, without blanks around them: a line each.
    pub texts: String,
    /// The part of the position that the engine rejects.
    pub complaint: Option<Complaint>,
}

/// The arbiter of one game, with the moves so far.
pub struct Arbiter {
    judge: Judge,
    position: String,
    moves: Vec<String>,
    /// Knows the values of positions, if there is one.
    pub table: Option<GameTable>,
}

enum Judge {
    Rules(Box<dyn DynHistory>),
    Query(query::QueryJudge),
}

impl Arbiter {
    /// Creates an arbiter that applies the rules; `board` is the position after the opening.
    pub fn rules(board: Box<dyn DynHistory>, opening: &Opening) -> Arbiter {
        Arbiter::new(Judge::Rules(board), opening)
    }

    /// Creates an arbiter that asks the engines; `known` are the queries that those of p1 and p2 answer.
    pub fn query(opening: &Opening, known: [Vec<Query>; 2]) -> Arbiter {
        Arbiter::new(Judge::Query(query::QueryJudge::new(known)), opening)
    }

    fn new(judge: Judge, opening: &Opening) -> Arbiter {
        let mut position = format!("position {opening}");
        if opening.moves.is_empty() {
            position.push_str(" moves");
        }
        Arbiter {
            judge,
            position,
            moves: opening.moves.clone(),
            table: None,
        }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        match &self.judge {
            Judge::Rules(board) => board.side(),
            Judge::Query(judge) => judge.side(),
        }
    }

    /// The side that moved first, or will: of the moves so far, each side made every second one.
    pub fn first_mover(&self) -> Side {
        match self.moves.len().is_multiple_of(2) {
            true => self.side(),
            false => self.side().other(),
        }
    }

    /// The queries that p1 and p2 have to answer before the next ruling; `None` if there is one.
    pub fn queries(&self) -> Option<[&[Query]; 2]> {
        match &self.judge {
            Judge::Rules(_) => None,
            Judge::Query(judge) => judge.queries(),
        }
    }

    /// Takes the answers to [`queries`](Arbiter::queries). `names` are those of p1 and p2.
    ///
    /// # Errors
    /// The side whose engine is at fault.
    pub fn told(
        &mut self,
        answers: &[Answers; 2],
        names: &[String; 2],
    ) -> Result<(), (Side, Fault)> {
        match &mut self.judge {
            Judge::Rules(_) => Ok(()),
            Judge::Query(judge) => judge.told(answers, names),
        }
    }

    /// The state of the game: over, and how, or not. Before all queries are answered, it is not over.
    pub fn ruling(&self) -> Ruling {
        match &self.judge {
            Judge::Rules(board) => board.outcome().map_or(Ruling::GoesOn, Ruling::Over),
            Judge::Query(judge) => judge.ruling().cloned().unwrap_or(Ruling::GoesOn),
        }
    }

    /// Plays a move code and returns its canonical form. A rejection names the code and the reason.
    pub fn play(&mut self, code: &str) -> Result<&str, Rejection> {
        let canonical = match &mut self.judge {
            Judge::Rules(board) => board.play_early(code)?,
            Judge::Query(judge) => judge.play(code)?,
        };
        self.position.push(' ');
        self.position.push_str(&canonical);
        self.moves.push(canonical);
        Ok(self.moves.last().expect("a move was just played"))
    }

    /// Takes back the last move. Requires an arbiter that knows the rules and a move after the opening.
    pub fn take_back(&mut self) {
        if let Judge::Rules(board) = &mut self.judge
            && board.undo()
        {
            let code = self.moves.pop().unwrap_or_default();
            let rest = self.position.len() - code.len() - " ".len();
            self.position.truncate(rest);
        }
    }

    /// `true` if the game continues after this move, as far as the arbiter knows the rules.
    pub fn goes_on_after(&mut self, code: &str) -> bool {
        let Judge::Rules(board) = &mut self.judge else {
            return true;
        };
        if board.play(code).is_err() {
            return false;
        }
        let goes_on = board.outcome().is_none();
        board.undo();
        goes_on
    }

    /// The current position, if the arbiter knows the rules.
    pub fn board(&self) -> Option<&dyn DynHistory> {
        match &self.judge {
            Judge::Rules(board) => Some(board.as_ref()),
            Judge::Query(_) => None,
        }
    }

    /// The decision of a table that contains the position.
    ///
    /// # Errors
    /// If the table cannot be read. It is not used again.
    pub fn by_table(&mut self) -> Result<Option<Adjudicated>, String> {
        let (Some(table), Judge::Rules(board)) = (&self.table, &self.judge) else {
            return Ok(None);
        };
        let value = table.value(board.as_ref());
        if value.is_err() {
            self.table = None;
        }
        let side = self.side();
        let in_plies = |plies| match plies {
            1 => "in 1 ply by the table".to_owned(),
            plies => format!("in {plies} plies by the table"),
        };
        Ok(value?.map(|value| {
            let (outcome, how) = match value {
                Value::Draw => (Outcome::Draw, "by the table".to_owned()),
                Value::Win(plies) => (Outcome::Win(side), in_plies(plies)),
                Value::Loss(plies) => (Outcome::Win(side.other()), in_plies(plies)),
            };
            Adjudicated { outcome, how }
        }))
    }

    /// The `position` line of the current position.
    pub fn position(&self) -> &str {
        &self.position
    }

    /// Moves since the base position of the opening, including the opening's moves.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }
}

#[cfg(test)]
mod tests;
