//! A table of Nim for unit tests. The tests of other crates include this file.

use std::collections::HashMap;
use std::sync::Arc;

use kit::DynHistory;
use kit::Value;
use referee::game_table::GameTable;

/// A table of Nim with four heaps, computed on demand.
pub(crate) struct NimTable;

impl NimTable {
    pub(crate) fn of_rules() -> GameTable {
        let value = |board: &dyn DynHistory| Ok(Some(NimTable::solve(board, &mut HashMap::new())));
        GameTable::new("Heaps=4", Arc::new(value))
    }

    /// A table that fails each read.
    pub(crate) fn broken() -> GameTable {
        let why = "nim.table: damaged table: wrong checksum";
        GameTable::new(
            "Heaps=4",
            Arc::new(|_: &dyn DynHistory| Err(why.to_owned())),
        )
    }

    /// The value of an unfinished game. Nim has no draws.
    fn solve(board: &dyn DynHistory, known: &mut HashMap<String, Value>) -> Value {
        if let Some(&value) = known.get(&board.fen()) {
            return value;
        }
        let after = board.moves().into_iter().map(|code| {
            let mut after = board.fork();
            after.play(&code).expect("a legal move");
            match after.outcome() {
                Some(_) => Value::Loss(0),
                None => NimTable::solve(after.as_ref(), known),
            }
        });
        let after: Vec<Value> = after.collect();
        let lost = after.iter().filter_map(|value| match value {
            Value::Loss(plies) => Some(plies + 1),
            _ => None,
        });
        let won = after.iter().filter_map(|value| match value {
            Value::Win(plies) => Some(plies + 1),
            _ => None,
        });
        let value = match lost.min() {
            Some(plies) => Value::Win(plies),
            None => Value::Loss(won.max().expect("a move")),
        };
        known.insert(board.fen(), value);
        value
    }
}
