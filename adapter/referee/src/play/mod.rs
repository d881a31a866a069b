//! One game: asks the players in turn, has the arbiter judge, keeps the clocks, and records what happened.
//!
//! Whatever a player does, [`play`] comes back with a finished game; only being told to stop leaves one unfinished.
//! [`LiveGame`] is the same game ply by ply, for those who stop in between, look back and take back.

mod live_game;

pub use live_game::{Halt, LiveGame};

use crate::adjudication::Adjudication;
use crate::arbiter::{Arbiter, Seats};
use crate::date::today;
use crate::opening::Opening;
use serde::{Deserialize, Serialize};

use crate::record::{FaultReport, GameRecord, GameResult, PlyRecord, Termination};

/// Nothing but the rules, the clocks and the players ends the game.
pub(crate) const BY_THE_RULES: Adjudication = Adjudication {
    max_plies: usize::MAX,
    draw: None,
    resign: None,
};

/// What was played, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Canonical codes of all moves, those of the opening first.
    pub moves: Vec<String>,
    /// Shape: one a move; `None` for those of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// What was noticed that cost nobody anything, with the name of the player it is about.
    pub notes: Vec<String>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// In what way.
    pub termination: Termination,
    /// Why, in words.
    pub reason: String,
    /// What an engine did wrong, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
}

/// What happens in a game.
#[derive(Debug)]
pub enum News<'a> {
    /// A legal move was played.
    Move {
        /// How many moves there are now, the opening's included.
        ply: usize,
        /// Its canonical code.
        code: &'a str,
        /// What is known of it.
        record: PlyRecord,
    },
    /// Something about the player of this name that costs nothing.
    Note(String, String),
}

/// Plays a game to its end. Blocks. `players` are in the order of their sides, and so are `team_names`, the names of
/// the sides on which partners take turns. With `keeps_pv`, the line that an engine expects is recorded with each move.
///
/// # Errors
/// The game was given up: the match was told to stop ([`Halt::Stopped`]), or cannot go on ([`Halt::Shortage`]).
pub fn play(
    arbiter: Arbiter<'_>,
    mut players: Seats<'_>,
    team_names: [Option<String>; 2],
    adjudication: Adjudication,
    keeps_pv: bool,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<Played, Halt> {
    let clocks = players.each_ref().map(|player| player.clock());
    let mut game = LiveGame::new(arbiter, clocks, adjudication);
    game.set_team_names(team_names);
    game.keep_pv(keeps_pv);
    match game.play_out(&mut players, tell) {
        Halt::Over(ending) => Ok(game.played(*ending)),
        halt => Err(halt),
    }
}

impl Played {
    /// The game as it is kept: its number in the schedule, that of its pair, who played, and where it began.
    pub(crate) fn record(
        self,
        game: usize,
        pair: usize,
        names: [String; 2],
        opening: Opening,
    ) -> GameRecord {
        let [p1, p2] = names;
        GameRecord {
            game,
            pair,
            p1,
            p2,
            opening,
            moves: self.moves,
            result: self.ending.result,
            termination: self.ending.termination,
            reason: self.ending.reason,
            plies: self.plies,
            date: today(),
            notes: self.notes,
            fault: self.ending.fault,
            machine: None,
        }
    }
}

impl Ending {
    /// An ending that is nobody's fault.
    pub(crate) fn boxed(
        result: GameResult,
        termination: Termination,
        reason: String,
    ) -> Box<Ending> {
        Box::new(Ending {
            result,
            termination,
            reason,
            fault: None,
        })
    }
}

#[cfg(test)]
mod tests;
