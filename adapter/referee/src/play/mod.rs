//! Plays one game: requests moves, lets the arbiter judge them, runs the clocks, and records the game.
//!
//! Whatever a player does, [`play`] returns a finished game, unless the match is stopped or the system is short of
//! resources. [`LiveGame`] plays the same game ply by ply, for callers that pause, review or take back moves.

mod live_game;

use std::time::Duration;

use crate::date::today;
use kit::Side;
pub use live_game::{Halt, LiveGame};
use record::adjudication::Adjudication;
use record::game::{Ending, GameRecord, PlyRecord};
use record::opening::Opening;

use crate::arbiter::{Arbiter, Seats};

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The side that moved first.
    pub first: Side,
    /// Canonical codes of all moves, including those of the opening.
    pub moves: Vec<String>,
    /// One entry per move; `None` for moves of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// Observations without effect on the result, each beginning with the name of the player.
    pub notes: Vec<String>,
    /// The ending.
    pub ending: Ending,
}

/// An event of a game in progress.
#[derive(Debug)]
pub enum LiveEvent<'a> {
    /// A legal move was played.
    Move {
        /// Number of moves after it, including those of the opening.
        ply: usize,
        /// Its canonical code.
        code: &'a str,
        /// Time and search info of the move.
        record: PlyRecord,
    },
    /// An observation about a player without effect on the result: name and text.
    Note(String, String),
    /// This player loses because a move took this much longer than a fixed time and its margin.
    Late(String, Duration),
}

/// Plays a game between p1 and p2 to its end. Blocks. With `keeps_pv`, the principal variation is recorded with each
/// move.
///
/// # Errors
/// If the match is stopped ([`Halt::Stopped`]) or cannot continue ([`Halt::Trouble`]).
pub fn play(
    arbiter: Arbiter,
    mut players: Seats<'_>,
    adjudication: Adjudication,
    keeps_pv: bool,
    tell: &mut dyn FnMut(LiveEvent<'_>),
) -> Result<Played, Halt> {
    let clocks = players.each_ref().map(|player| player.clock());
    let mut game = LiveGame::new(arbiter, clocks, adjudication);
    game.keep_pv(keeps_pv);
    match game.play_out(&mut players, tell) {
        Halt::Over(ending) => Ok(game.played(*ending)),
        halt => Err(halt),
    }
}

impl Played {
    /// Creates the stored record of the game from its number in the schedule, the number of its pair, names and
    /// opening.
    pub fn record(
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
            first: self.first,
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

#[cfg(test)]
mod tests;
