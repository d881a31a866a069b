//! Who judges: whose turn it is, whether a move is legal, whether the game is over.
//!
//! The arbiter of a known game goes by its rules; `cross` also holds the engines' own answers against them. The
//! arbiter of any other game knows nothing itself and asks: that is `query`.

mod cross;
mod query;

pub(crate) use cross::right_answer;

use kit::puzzle::Value;
use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::Query;

use crate::client::Fault;
use crate::game_table::GameTable;
use crate::opening::Opening;
use crate::player::Player;

/// The players of a game, in the order of their sides.
pub type Seats<'a> = [&'a mut dyn Player; 2];

/// What the arbiter finds before each move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The game goes on.
    GoesOn,
    /// The game is over.
    Over(Outcome),
    /// Nobody can tell; these are the answers.
    Unclear(String),
}

/// The judge of one game, and the game so far.
pub struct Arbiter<'a> {
    judge: Judge<'a>,
    position: String,
    moves: Vec<String>,
    notes: Vec<(Side, String)>,
    table: Option<GameTable>,
}

enum Judge<'a> {
    Rules {
        board: Box<dyn DynHistory>,
        cross: Option<cross::CrossCheck>,
    },
    Query(query::Inquiry<'a>),
}

impl<'a> Arbiter<'a> {
    /// Judges by the rules: `board` stands after the opening. With `cross_check`, the players' answers to `query`
    /// are held against the rules.
    pub fn rules(board: Box<dyn DynHistory>, opening: &Opening, cross_check: bool) -> Arbiter<'a> {
        let cross = cross_check.then(cross::CrossCheck::default);
        Arbiter::new(Judge::Rules { board, cross }, opening)
    }

    /// Judges by asking the players, and `referee` where they differ.
    pub fn query(referee: Option<&'a mut dyn Player>, opening: &Opening) -> Arbiter<'a> {
        Arbiter::new(Judge::Query(query::Inquiry::new(referee)), opening)
    }

    fn new(judge: Judge<'a>, opening: &Opening) -> Arbiter<'a> {
        let mut position = format!("position {opening}");
        if opening.moves.is_empty() {
            position.push_str(" moves");
        }
        Arbiter {
            judge,
            position,
            moves: opening.moves.clone(),
            notes: Vec::new(),
            table: None,
        }
    }

    /// The same arbiter, who also knows the values of this table.
    pub fn with_table(self, table: Option<GameTable>) -> Arbiter<'a> {
        Arbiter { table, ..self }
    }

    /// Gets ready, once the players are. A fault is this player's.
    pub fn begin(&mut self, players: &mut Seats<'_>) -> Result<(), (Side, Fault)> {
        match &mut self.judge {
            Judge::Rules { .. } => Ok(()),
            Judge::Query(inquiry) => inquiry.begin(&self.position, players),
        }
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        match &self.judge {
            Judge::Rules { board, .. } => board.side(),
            Judge::Query(inquiry) => inquiry.side(),
        }
    }

    /// Whether and how the game is over. A fault is this player's.
    pub fn rule(&mut self, players: &mut Seats<'_>) -> Result<Ruling, (Side, Fault)> {
        match &mut self.judge {
            Judge::Rules { board, cross } => {
                if let Some(cross) = cross {
                    let lies = cross.check(board.as_ref(), &self.position, players)?;
                    self.notes.extend(lies);
                }
                Ok(board.outcome().map_or(Ruling::GoesOn, Ruling::Over))
            }
            Judge::Query(inquiry) => inquiry.rule(&self.position, players),
        }
    }

    /// Plays a move code and returns how the game writes it; a refusal names the code and the reason.
    pub fn play(&mut self, code: &str) -> Result<&str, Rejection> {
        let canonical = match &mut self.judge {
            Judge::Rules { board, .. } => board.play(code)?,
            Judge::Query(inquiry) => inquiry.play(code)?,
        };
        self.position.push(' ');
        self.position.push_str(&canonical);
        self.moves.push(canonical);
        Ok(self.moves.last().expect("a move was just played"))
    }

    /// Takes the last move back; the judge must know the rules, and the move must not be the opening's.
    pub fn take_back(&mut self) {
        if let Judge::Rules { board, .. } = &mut self.judge
            && board.undo()
        {
            let code = self.moves.pop().unwrap_or_default();
            let rest = self.position.len() - code.len() - " ".len();
            self.position.truncate(rest);
        }
    }

    /// Whether the game goes on after this move, as far as the judge knows the rules.
    pub fn goes_on_after(&mut self, code: &str) -> bool {
        let Judge::Rules { board, .. } = &mut self.judge else {
            return true;
        };
        if board.play(code).is_err() {
            return false;
        }
        let goes_on = board.outcome().is_none();
        board.undo();
        goes_on
    }

    /// The game in play, where the judge knows its rules.
    pub fn board(&self) -> Option<&dyn DynHistory> {
        match &self.judge {
            Judge::Rules { board, .. } => Some(board.as_ref()),
            Judge::Query(_) => None,
        }
    }

    /// The value of the position, from the side to move, where a table has it.
    ///
    /// # Errors
    /// The table cannot be read; it is not asked again.
    pub fn known_value(&mut self) -> Result<Option<Value>, String> {
        let (Some(table), Judge::Rules { board, .. }) = (&self.table, &self.judge) else {
            return Ok(None);
        };
        let value = table.value(board.as_ref());
        if value.is_err() {
            self.table = None;
        }
        value
    }

    /// The `position` line that tells where the game stands.
    pub fn position(&self) -> &str {
        &self.position
    }

    /// The moves since the opening's base position, those of the opening first.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// What was noticed since the last call, and about whom.
    pub fn take_notes(&mut self) -> Vec<(Side, String)> {
        std::mem::take(&mut self.notes)
    }
}

/// Those of these questions that a player answers.
fn answered_by(player: &mut dyn Player, questions: &[Query]) -> Vec<Query> {
    let Some(oracle) = player.oracle() else {
        return Vec::new();
    };
    let answered = questions.iter().filter(|query| oracle.answers(**query));
    answered.copied().collect()
}

/// Asks a player questions that it answers, without waiting.
fn ask(player: &mut dyn Player, position: &str, questions: &[Query]) -> Result<(), Fault> {
    match player.oracle() {
        Some(oracle) if !questions.is_empty() => oracle.ask(position, questions),
        _ => Ok(()),
    }
}

/// The answers to all questions that a player was asked. Blocks.
fn responses(player: &mut dyn Player, n_questions: usize) -> Result<Vec<String>, Fault> {
    let Some(oracle) = player.oracle() else {
        return Ok(Vec::new());
    };
    let answer = |_| Ok(oracle.response()?.trim().to_owned());
    (0..n_questions).map(answer).collect()
}

/// The answers of both players, in the order of their sides. Blocks. A fault is this player's.
fn answers(
    players: &mut Seats<'_>,
    n_questions: [usize; 2],
) -> Result<[Vec<String>; 2], (Side, Fault)> {
    let [p1, p2] = players;
    // The one who was asked last is waited for first: by then the other has often answered too.
    let p2 = responses(*p2, n_questions[1]).map_err(|fault| (Side::P2, fault));
    let p1 = responses(*p1, n_questions[0]).map_err(|fault| (Side::P1, fault));
    Ok([p1?, p2?])
}

#[cfg(test)]
mod tests;
