//! Endgame tables for the game being played: exact values without a search.
//!
//! A value assumes that the position occurs for the first time. Earlier occurrences, and so draws by repetition, are
//! ignored.

use std::path::Path;
use std::sync::Arc;

use kit::DynHistory;
use kit::Value;
use kit::tablebase::Tablebase;
use record::registry::Rules;

/// An open table for one game with given options.
#[derive(Clone)]
pub struct GameTable {
    /// The options of its board, as `Size=3`.
    options: String,
    value: Arc<ValueOf>,
}

/// The value of a position of the table's board in a game that is not over, or why it cannot be read.
pub type ValueOf = dyn Fn(&dyn DynHistory) -> Result<Option<Value>, String> + Send + Sync;

impl GameTable {
    /// Opens the table at `path`, or the one for this game in the folder `path`. `None` if there is none for these
    /// options.
    ///
    /// # Errors
    /// The table cannot be used. The text names the file.
    pub fn open(rules: &Rules, path: &Path) -> Result<Option<GameTable>, String> {
        let table = Tablebase::of_board(rules.start().as_ref(), path);
        let of_file = |table: Tablebase| GameTable {
            options: table.file().info().identity.options.clone(),
            value: Arc::new(move |board| table.value(board).map_err(|error| error.to_string())),
        };
        Ok(table.map_err(|error| error.to_string())?.map(of_file))
    }

    /// Like [`open`](GameTable::open), but a missing table is an error.
    ///
    /// # Errors
    /// The table is missing or cannot be used. The text names the file or the folder.
    pub fn open_existing(rules: &Rules, path: &Path) -> Result<GameTable, String> {
        GameTable::open(rules, path)?.ok_or_else(|| {
            let (path, name) = (path.display(), rules.entry().name);
            format!(
                "{path}: no table of {name} by these options; linesman-lab table build writes one"
            )
        })
    }

    /// A table of any source, with the options of its board.
    pub fn new(options: &str, value: Arc<ValueOf>) -> GameTable {
        let options = options.to_owned();
        GameTable { options, value }
    }

    /// The value of a position for the side to move. `None` if the game is over or the board differs from the table's.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn value(&self, board: &dyn DynHistory) -> Result<Option<Value>, String> {
        if board.outcome().is_some() || !self.is_of(board) {
            return Ok(None);
        }
        (self.value)(board)
    }

    /// The moves that keep the value of the position: the fastest wins, the slowest losses, or the draws. `None` under
    /// the conditions of [`value`](GameTable::value).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn best_moves(&self, board: &dyn DynHistory) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.value(board)? else {
            return Ok(None);
        };
        let mut best = Vec::new();
        for code in board.moves() {
            if self.value_of_move(board, &code)? == Some(value) {
                best.push(code);
            }
        }
        Ok(Some(best))
    }

    /// The value of a legal move for the player who makes it.
    fn value_of_move(&self, board: &dyn DynHistory, code: &str) -> Result<Option<Value>, String> {
        let side = board.side();
        let mut after = board.fork();
        after.play(code).map_err(|why| why.to_string())?;
        let value = match after.outcome() {
            Some(outcome) => Some(Value::of(outcome, side)),
            None => self.value(after.as_ref())?.map(Value::flipped),
        };
        Ok(value.map(Value::before_move))
    }

    /// `true` if the board has the options of the table. A position string may describe a board of another size.
    fn is_of(&self, board: &dyn DynHistory) -> bool {
        let own: Vec<&str> = self.options.split_whitespace().collect();
        let shape = board.shape();
        shape.split_whitespace().all(|word| own.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use record::opening::Opening;

    use super::*;
    use crate::nim_table::NimTable;
    use crate::record_testing::rules;

    fn board(opening: &str) -> Box<dyn DynHistory> {
        rules()
            .open(&Opening::parse(opening))
            .expect("a sound opening")
    }

    #[test]
    fn the_best_moves_keep_the_value() {
        let table = NimTable::of_rules();
        // Two heaps of two stones lose, and every move loses in the same number of plies.
        let even = board("fen 0/0/2/2 p1");
        assert_eq!(table.value(even.as_ref()), Ok(Some(Value::Loss(4))));
        let best = table.best_moves(even.as_ref()).expect("a table");
        assert_eq!(best.map(|best| best.contains(&"c1".to_owned())), Some(true));
        // Removing the whole second heap leaves the opponent one stone, which wins.
        let one_and_two = board("fen 0/0/1/2 p1");
        assert_eq!(table.value(one_and_two.as_ref()), Ok(Some(Value::Win(3))));
        let best = table.best_moves(one_and_two.as_ref()).expect("a table");
        assert_eq!(best, Some(vec!["d1".to_owned()]));
    }

    #[test]
    fn a_finished_game_has_no_value() {
        let table = NimTable::of_rules();
        let mut one = board("fen 1/0/0/0 p1");
        assert_eq!(table.value(one.as_ref()), Ok(Some(Value::Win(1))));
        one.play("a1").expect("the last stone");
        assert_eq!(table.value(one.as_ref()), Ok(None));
        assert_eq!(table.best_moves(one.as_ref()), Ok(None));
    }

    #[test]
    fn another_board_has_no_value() {
        let table = NimTable::of_rules();
        assert_eq!(table.value(board("fen 1/2 p1").as_ref()), Ok(None));
    }

    #[test]
    fn a_game_without_tables_has_none_and_says_so_where_one_must_be() {
        let path = Path::new("tables");
        assert!(GameTable::open(&rules(), path).is_ok_and(|table| table.is_none()));
        let opened = GameTable::open_existing(&rules(), path);
        let error = opened.err().expect("no table");
        assert!(
            error.starts_with("tables: no table of nim by these options"),
            "{error}"
        );
    }
}
