//! One finished game.

use std::fmt;

use kit::{Outcome, Side};
use protocol::Score;
use serde::{Deserialize, Serialize};

use crate::opening::Opening;
use crate::text_as_serde;

/// A finished game as stored in the ledger.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair of games with one opening, from 1.
    pub pair: usize,
    /// Player 1.
    pub p1: String,
    /// Player 2.
    pub p2: String,
    /// The side that moved first: player 2 in a game from a position with player 2 to move.
    #[serde(default, skip_serializing_if = "is_p1")]
    pub first: Side,
    /// The opening from which the game was played.
    pub opening: Opening,
    /// Canonical codes of all moves from the opening's base position, those of the opening first.
    pub moves: Vec<String>,
    /// The result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
    /// The reason for the result, in words.
    pub reason: String,
    /// One entry for each of `moves`; `None` for the moves of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// The day of the game, as `2026.11.21`.
    pub date: String,
    /// Observations without an effect on the result, such as a wrong answer to `query`, each with the name of the
    /// player concerned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Details of an engine's fault, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
    /// The machine that played the game, in a distributed match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

fn is_p1(side: &Side) -> bool {
    *side == Side::P1
}

impl GameRecord {
    /// `true` if both are the same game of one match, compared by what PGN contains: number, date, players, moves and
    /// result.
    pub fn is_same_game(&self, other: &GameRecord) -> bool {
        (self.pair, self.game, self.result) == (other.pair, other.game, other.result)
            && (&self.p1, &self.p2, &self.date) == (&other.p1, &other.p2, &other.date)
            && self.moves == other.moves
    }

    /// `Finished game 3 (A vs B): 1-0 {reason}`. Names and reason are not sanitized for a terminal.
    pub fn finished_line(&self) -> String {
        let GameRecord {
            game,
            p1,
            p2,
            result,
            reason,
            ..
        } = self;
        format!("Finished game {game} ({p1} vs {p2}): {result} {{{reason}}}")
    }

    /// Converts the whole game to an opening.
    pub fn opening_line(self) -> Opening {
        Opening {
            fen: self.opening.fen,
            moves: self.moves,
        }
    }
}

/// A finished game as its schedule needs it: number, names of p1 and p2, result.
pub type PlayedGame<'a> = (usize, [&'a str; 2], GameResult);

/// A machine that plays games of a distributed match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Its host name.
    pub name: String,
    /// The worker that ran on it; empty in ledgers of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub worker: String,
    /// Factor applied to the plan's time limits on this machine: above 1 if it is slower than the machine that the
    /// limits were chosen for.
    pub scale: f64,
}

/// Data of one move.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyRecord {
    /// Seconds from writing `go` to the arrival of the answer.
    pub time: f64,
    /// The score for the side that moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Points>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation, beginning with the move played. Recorded only if the match writes it to its PGN file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// The name of the player who moved, if partners alternate on this side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A score as reported by an engine. In JSON `{"cp":12}`, `{"mate":-7}`, or `{"cp":0,"exact":true}` for a draw with
/// perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "PointsFields", try_from = "PointsFields")]
pub enum Points {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// A win (positive) or loss in this number of plies or moves, as the engine counts them.
    Mate(i32),
    /// A draw with perfect play.
    Draw,
}

#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct PointsFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exact: bool,
}

impl From<Points> for PointsFields {
    fn from(points: Points) -> PointsFields {
        let (cp, mate, exact) = match points {
            Points::Cp(cp) => (Some(cp), None, false),
            Points::Mate(count) => (None, Some(count), false),
            Points::Draw => (Some(0), None, true),
        };
        PointsFields { cp, mate, exact }
    }
}

impl TryFrom<PointsFields> for Points {
    type Error = &'static str;

    fn try_from(fields: PointsFields) -> Result<Points, &'static str> {
        match (fields.cp, fields.mate) {
            (Some(0), None) if fields.exact => Ok(Points::Draw),
            (Some(cp), None) => Ok(Points::Cp(cp)),
            (None, Some(count)) => Ok(Points::Mate(count)),
            _ => Err("a score: expected cp or mate"),
        }
    }
}

impl From<Score> for Points {
    fn from(score: Score) -> Points {
        match score {
            Score::Cp(cp) => Points::Cp(cp),
            Score::Mate(count) => Points::Mate(count),
            Score::Draw => Points::Draw,
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Points::Cp(cp) => write!(f, "{:+.2}", f64::from(*cp) / 100.0),
            Points::Mate(count) if *count > 0 => write!(f, "+M{count}"),
            Points::Mate(count) => write!(f, "-M{}", count.unsigned_abs()),
            Points::Draw => f.pad("draw"),
        }
    }
}

/// The result of a game, in PGN's notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameResult {
    /// Player 1 won.
    #[serde(rename = "1-0")]
    P1Win,
    /// Player 2 won.
    #[serde(rename = "0-1")]
    P2Win,
    /// Neither player won.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The result is unknown; the game does not count.
    #[serde(rename = "*")]
    #[default]
    Unknown,
}

impl GameResult {
    /// The win of this player.
    pub fn win(side: Side) -> GameResult {
        match side {
            Side::P1 => GameResult::P1Win,
            Side::P2 => GameResult::P2Win,
        }
    }

    /// The result below a board whose sides have these names: `o wins: x loses on time`; `None` if it is unknown.
    pub fn caption(self, names: &[String; 2], reason: &str) -> Option<String> {
        match self {
            GameResult::P1Win => Some(format!("{} wins: {reason}", names[0])),
            GameResult::P2Win => Some(format!("{} wins: {reason}", names[1])),
            GameResult::Draw => Some(format!("draw: {reason}")),
            GameResult::Unknown => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(side) => GameResult::win(side),
            Outcome::Draw => GameResult::Draw,
        }
    }
}

text_as_serde!(GameResult, Termination);

/// The kind of ending, in PGN's words where PGN has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// A clock ran out.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// An illegal or unreadable move, or a `bestmove` out of turn.
    #[serde(rename = "rules infraction")]
    RulesInfraction,
    /// An engine exited, hung or could not be restarted.
    Abandoned,
    /// Ended by the referee: the ply limit, a resignation or an agreed draw.
    Adjudication,
    /// The engines disagree about the result.
    Disagreement,
    /// Aborted without an engine's fault: every machine that the game was assigned to was lost.
    #[default]
    Unterminated,
}

/// Everything needed to reproduce an engine's fault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultReport {
    /// The name of the engine.
    pub engine: String,
    /// The last `position` line sent to it.
    pub position: String,
    /// The last lines exchanged; lines to the engine begin with `> `.
    pub lines: Vec<String>,
    /// The end of its standard error output.
    pub stderr: String,
}

/// The ending of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
    /// The reason, as text.
    pub reason: String,
    /// Report about the engine at fault, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
}

impl Ending {
    /// An ending that no player caused.
    pub fn boxed(result: GameResult, termination: Termination, reason: String) -> Box<Ending> {
        Box::new(Ending {
            result,
            termination,
            reason,
            fault: None,
        })
    }

    /// `true` if this side overstepped its time.
    pub fn is_time_loss_of(&self, side: Side) -> bool {
        self.termination == Termination::TimeForfeit && self.result == GameResult::win(side.other())
    }
}
