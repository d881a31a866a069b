//! A table of Nim for unit tests. The tests of other crates include this file.

use std::collections::HashMap;
use std::sync::Arc;

use kit::DynHistory;
use kit::Value;
use kit::tablebase::{Counts, DynTable, TableInfo};
use record::opening::Opening;
use referee::game_table::GameTable;

use crate::record_testing::rules;

/// A table of Nim with four heaps, computed on demand. A broken one fails each read.
pub(crate) struct NimTable {
    info: TableInfo,
    is_broken: bool,
}

impl NimTable {
    pub(crate) fn of_rules() -> GameTable {
        NimTable::open(false)
    }

    pub(crate) fn broken() -> GameTable {
        NimTable::open(true)
    }

    fn open(is_broken: bool) -> GameTable {
        let info = TableInfo {
            game: "nim".to_owned(),
            options: "Heaps=4".to_owned(),
            n_indices: 0,
            counts: Counts::default(),
            longest_win: None,
            start: Value::Draw,
            n_bytes: 0,
        };
        GameTable::new(Arc::new(NimTable { info, is_broken }))
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

impl DynTable for NimTable {
    fn info(&self) -> &TableInfo {
        &self.info
    }

    fn position(&self, _number: u64) -> Option<String> {
        None
    }

    fn value(&self, fen: Option<&str>) -> Result<Option<Value>, String> {
        if self.is_broken {
            return Err("nim.table: damaged table: wrong checksum".to_owned());
        }
        let opening =
            Opening::parse(&fen.map_or("startpos".to_owned(), |fen| format!("fen {fen}")));
        let board = rules().open(&opening).map_err(|why| why.to_string())?;
        Ok(Some(NimTable::solve(board.as_ref(), &mut HashMap::new())))
    }
}
