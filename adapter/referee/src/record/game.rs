//! One finished game.

use std::fmt;

use kit::{Outcome, Side};
use protocol::Score;
use serde::{Deserialize, Serialize};

use crate::opening::Opening;

/// A finished game, as it stands in the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair of games with one opening, from 1.
    pub pair: usize,
    /// Who moved first.
    pub p1: String,
    /// Who moved second.
    pub p2: String,
    /// Where the game began.
    pub opening: Opening,
    /// Canonical codes of all moves from the opening's base position, those of the opening first.
    pub moves: Vec<String>,
    /// Who won.
    pub result: GameResult,
    /// In what way the game ended.
    pub termination: Termination,
    /// Why it ended, in words.
    pub reason: String,
    /// Shape: one an entry of `moves`; `None` for the moves of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// The day of the game, as `2026.11.21`.
    pub date: String,
    /// What was noticed that cost nobody anything, as a lie about the rules, with the name of the player it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What an engine did wrong, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
    /// Which machine played it, in a match over many of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

impl GameRecord {
    /// Whether both are the same game of one match, as far as PGN tells: number, day, players, moves and result.
    pub fn is_same_game(&self, other: &GameRecord) -> bool {
        (self.pair, self.game, self.result) == (other.pair, other.game, other.result)
            && (&self.p1, &self.p2, &self.date) == (&other.p1, &other.p2, &other.date)
            && self.moves == other.moves
    }

    /// On which side this player sat, who is one of the two.
    pub(crate) fn side_of(&self, player: &str) -> Side {
        match self.p1 == player {
            true => Side::P1,
            false => Side::P2,
        }
    }

    /// `Finished game 3 (A vs B): 1-0 {reason}`, as it was told; not yet fit to be printed.
    pub fn finished_line(&self) -> String {
        format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            self.game, self.p1, self.p2, self.result, self.reason
        )
    }

    /// The whole game as the beginning of another one.
    pub(crate) fn opening_line(self) -> Opening {
        Opening {
            fen: self.opening.fen,
            moves: self.moves,
        }
    }
}

/// A machine that plays games of a match over many of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Its host name.
    pub name: String,
    /// The model of its processor; empty if the system does not tell.
    pub cpu: String,
    /// By how much the time limits of the plan were multiplied here: above 1 on a machine that is slower than the one that
    /// they were chosen for.
    pub scale: f64,
    /// How many processes wanted to run at once on average in the last minute, when the games ended; 0 if the system does
    /// not tell.
    pub load: f64,
}

/// What is known of one move.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlyRecord {
    /// Seconds from the write of `go` to the arrival of the answer.
    pub time: f64,
    /// The score from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Points>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line that the engine expected, its own move first, if the match keeps it for its PGN file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// The name of the player who moved, if partners take turns on this side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A score as an engine told it. In JSON `{"cp":12}`, `{"mate":-7}`, or `{"cp":0,"exact":true}` for a draw by perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "PointsFields", try_from = "PointsFields")]
pub enum Points {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// A win (positive) or loss in so many plies or moves, as the engine counts them.
    Mate(i32),
    /// A draw by perfect play of both sides.
    Draw,
}

#[derive(Default, Serialize, Deserialize)]
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
        let (cp, mate) = match points {
            Points::Cp(cp) => (Some(cp), None),
            Points::Mate(count) => (None, Some(count)),
            Points::Draw => (Some(0), None),
        };
        let exact = points == Points::Draw;
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

/// Who won, as PGN writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// Player 1 won.
    #[serde(rename = "1-0")]
    P1Win,
    /// Player 2 won.
    #[serde(rename = "0-1")]
    P2Win,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Nobody knows; the game does not count.
    #[serde(rename = "*")]
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
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(side) => GameResult::win(side),
            Outcome::Draw => GameResult::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::P1Win => "1-0",
            GameResult::P2Win => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// In what way a game ended; the words are PGN's where PGN has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// A clock ran out.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// An illegal, unreadable or unasked move.
    #[serde(rename = "rules infraction")]
    RulesInfraction,
    /// An engine died, fell silent or could not be started again.
    Abandoned,
    /// By the referee: too long, resigned, or agreed a draw.
    Adjudication,
    /// The engines differ about the result, and nobody can tell.
    Disagreement,
    /// It was not played to its end, which is no engine's fault: all machines that were given it were lost.
    Unterminated,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Normal => "normal",
            Termination::TimeForfeit => "time forfeit",
            Termination::RulesInfraction => "rules infraction",
            Termination::Abandoned => "abandoned",
            Termination::Adjudication => "adjudication",
            Termination::Disagreement => "disagreement",
            Termination::Unterminated => "unterminated",
        })
    }
}

/// What is needed to see an engine's fault again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultReport {
    /// Whose fault it was.
    pub engine: String,
    /// The `position` line that it was at.
    pub position: String,
    /// The last lines exchanged, `> ` before those to the engine.
    pub lines: Vec<String>,
    /// The end of its standard error.
    pub stderr: String,
}
