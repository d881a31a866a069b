//! `uginewgame` and `position`: the game in progress.

use protocol::text::excerpt;
use protocol::{Base, Reply};

use super::{Session, lock, options};
use crate::game_entry::PositionLine;
use crate::{DynHistory, GameEntry, Options, Rejection};

impl Session {
    pub(super) fn new_game(&mut self) -> Vec<Reply> {
        self.learning.new_game();
        self.game_seed = fresh_seed();
        self.history = self.game.fork();
        "position startpos".clone_into(&mut self.crash_log.lock().position);
        lock(&self.searcher).clear();
        self.open_table()
    }

    pub(super) fn set_position(
        &mut self,
        base: &Base,
        moves: &[String],
        line: &str,
    ) -> Result<Vec<Reply>, Rejection> {
        self.history = self.read_position(base, moves)?;
        let mut replies = self.open_table();
        if let Some(outcome) = self.history.outcome() {
            replies.extend(self.learn(line, outcome));
        }
        line.clone_into(&mut self.crash_log.lock().position);
        Ok(replies)
    }

    fn read_position(
        &self,
        base: &Base,
        moves: &[String],
    ) -> Result<Box<dyn DynHistory>, Rejection> {
        let mut history = match base {
            Base::Start => self.game.fork(),
            Base::Fen(text) => (self.game.begun_at(text))
                .map_err(|why| Rejection(format!("position \"{}\": {why}", excerpt(text))))?,
        };
        for word in moves {
            for code in self.game.split_codes(word) {
                history.play(code)?;
            }
        }
        Ok(history)
    }

    /// Opens the table of the current board. Returns which table is in use, or why none is, if that is news.
    fn open_table(&mut self) -> Vec<Reply> {
        let path = self.options.text(options::TABLE_PATH);
        Vec::from_iter(self.table.follow(path, self.history.as_ref()))
    }
}

/// The start position with these options.
pub(super) fn start(entry: GameEntry, options: &Options) -> Box<dyn DynHistory> {
    let (fen, moves) = (None, &[][..]);
    let opened = entry.source.open(options, PositionLine { fen, moves });
    opened.expect("a game has a start position")
}

/// A seed unlike those of other games and processes.
pub(super) fn fresh_seed() -> u64 {
    fastrand::u64(1..)
}
