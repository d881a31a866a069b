//! A board: a game and its players, as the store holds them.

use std::path::PathBuf;

use kit::Side;
use record::game::GameRecord;
use record::game_spec::GameSpec;
use rusqlite::Row;

use super::limits::DAY;
use crate::error::{Answer, ClubError, refuse};
use crate::store::ENGINE_NAME;

/// BoardState of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoardState {
    /// A challenge not yet accepted.
    Open,
    Playing,
    Over,
    Declined,
}

impl BoardState {
    fn parse(text: &str) -> BoardState {
        match text {
            "open" => BoardState::Open,
            "playing" => BoardState::Playing,
            "over" => BoardState::Over,
            _ => BoardState::Declined,
        }
    }
}

/// A game, or a challenge to one.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub(crate) id: i64,
    /// The game with its options, as on the command line.
    pub(crate) game: String,
    pub(crate) state: BoardState,
    /// Indexed by side, as the two arrays after it.
    pub(crate) players: [i64; 2],
    pub(crate) names: [String; 2],
    pub(super) tokens: [String; 2],
    pub(crate) challenger: i64,
    pub(crate) level: Option<u32>,
    /// Days per move.
    pub(crate) days: Option<i64>,
    /// Number of moves made.
    pub(crate) plies: usize,
    pub(crate) to_move: Side,
    /// Begin of the turn, in Unix seconds.
    pub(crate) since: i64,
    pub(crate) reminded: bool,
    /// Record of the finished game.
    pub(crate) record: Option<GameRecord>,
    pub(crate) n_lines: i64,
}

/// Columns of a row that [`Board::read`] reads, in their order.
pub(super) const COLUMNS: &str = "boards.id, game, state, p1, p2, one.name, two.name, token1, token2, challenger, level, days, plies, \
                       to_move, since, reminded, record, n_lines";

impl Board {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Board> {
        let record: Option<String> = row.get(16)?;
        let state: String = row.get(2)?;
        let to_move: i64 = row.get(13)?;
        Ok(Board {
            id: row.get(0)?,
            game: row.get(1)?,
            state: BoardState::parse(&state),
            players: [row.get(3)?, row.get(4)?],
            names: [row.get(5)?, row.get(6)?],
            tokens: [row.get(7)?, row.get(8)?],
            challenger: row.get(9)?,
            level: row.get(10)?,
            days: row.get(11)?,
            plies: row.get(12)?,
            to_move: Side::BOTH[usize::from(to_move == 1)],
            since: row.get(14)?,
            reminded: row.get(15)?,
            record: record.and_then(|text| serde_json::from_str(&text).ok()),
            n_lines: row.get(17)?,
        })
    }

    /// The game. It was validated when the board was created.
    pub(super) fn spec(&self) -> Answer<GameSpec> {
        GameSpec::parse(&self.game).map_err(ClubError::Refused)
    }

    /// Name of the game without its options.
    pub(crate) fn game_name(&self) -> &str {
        self.game.split(':').next().unwrap_or_default()
    }

    /// Subject prefix of the board's e-mails, as in `[susan 12]`.
    pub(crate) fn tag(&self) -> String {
        format!("[{} {}]", self.game_name(), self.id)
    }

    pub(crate) fn side_of(&self, user: i64) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.players[side.index()] == user)
    }

    pub(crate) fn name(&self, side: Side) -> &str {
        &self.names[side.index()]
    }

    /// Name of the player to move.
    pub(crate) fn mover(&self) -> &str {
        self.name(self.to_move)
    }

    /// `true` if the game is not over and the engine is to move.
    pub(crate) fn awaits_engine(&self) -> bool {
        self.state == BoardState::Playing && self.mover() == ENGINE_NAME
    }

    pub(crate) fn token(&self, side: Side) -> &str {
        &self.tokens[side.index()]
    }

    /// Name of its ledger file, in the folder next to the store. Characters that no game has in its name are replaced,
    /// so that a store from elsewhere names no other folder.
    pub(crate) fn file(game: &str, id: i64) -> PathBuf {
        let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let game = game.replace(|c| !is_usual(c), "_");
        PathBuf::from(format!("{game}-{id}.jsonl"))
    }

    /// Checks that the game is in play.
    ///
    /// # Errors
    /// It has not begun, or is over.
    pub(crate) fn check_playing(&self) -> Answer<()> {
        let id = self.id;
        match (self.state, &self.record) {
            (BoardState::Playing, _) => Ok(()),
            (BoardState::Open, _) => {
                refuse!("the game on board {id} has not started: accept it first")
            }
            (BoardState::Declined, _) => refuse!("the game on board {id} was called off"),
            (BoardState::Over, Some(record)) => {
                let (result, reason) = (record.result, &record.reason);
                refuse!("the game on board {id} is over: {result} {{{reason}}}")
            }
            (BoardState::Over, None) => refuse!("the game on board {id} is over"),
        }
    }

    /// Time at which the player to move loses on time.
    pub(crate) fn deadline(&self) -> Option<i64> {
        let is_running = self.state == BoardState::Playing;
        let days = self.days.filter(|_| is_running)?;
        Some(self.since + days * DAY)
    }
}
