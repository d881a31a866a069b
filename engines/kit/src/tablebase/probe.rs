//! Probing: reads the value of a position from a table file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::TableError;
use super::code::decode;
use super::file::{Identity, TableFile};
use crate::dyn_history::ErasedIndexing;
use crate::{DynHistory, Value};

/// Finds a table in a folder by the headers of its files. A file that has the table's own name must be usable.
fn find(path: &Path, expected: &Identity) -> Result<TableFile, TableError> {
    let usual = path.join(expected.file_name());
    if usual.exists() {
        return TableFile::open(&usual);
    }
    let mut paths = Vec::new();
    for entry in path.read_dir().map_err(TableError::at(path))? {
        paths.push(entry.map_err(TableError::at(path))?.path());
    }
    paths.sort_unstable();
    let mut n_tables = 0;
    for table in paths.iter().filter_map(|path| TableFile::open(path).ok()) {
        n_tables += 1;
        if table.info().identity == *expected {
            return Ok(table);
        }
    }
    Err(TableError::Absent {
        folder: path.to_owned(),
        expected: expected.clone(),
        n_tables,
    })
}

/// Opens the table of this identity. `path` is the file, or a folder that contains it under any name: that of its game and
/// options is tried first. Files in the folder that are no tables are ignored.
///
/// # Errors
/// The file cannot be read, or is not a table of this game with these options, or the folder has none.
pub fn open_file(path: &Path, expected: &Identity) -> Result<TableFile, TableError> {
    let file = match path.is_dir() {
        true => find(path, expected)?,
        false => TableFile::open(path)?,
    };
    let found = &file.info().identity;
    if found == expected {
        return Ok(file);
    }
    let what = match found.to_string() == expected.to_string() {
        true => format!("its positions are indexed differently: rebuild {found}"),
        false => format!("a table of {found}: expected one of {expected}"),
    };
    Err(TableError::at(file.path())(what))
}

/// The table of a game with one choice of options.
#[derive(Debug)]
pub struct Tablebase {
    indexing: Box<dyn ErasedIndexing>,
    file: TableFile,
    /// Set when a block could not be read, so that the error is reported only once.
    pub(super) is_broken: AtomicBool,
}

impl Tablebase {
    /// Opens the table with this indexing, as [`open_file`] does.
    ///
    /// # Errors
    /// As [`open_file`].
    pub fn open(indexing: Box<dyn ErasedIndexing>, path: &Path) -> Result<Tablebase, TableError> {
        let file = open_file(path, &indexing.identity())?;
        Ok(Tablebase {
            indexing,
            file,
            is_broken: AtomicBool::new(false),
        })
    }

    /// Opens the table of a board, a file or one in a folder. `None` if the folder has none, or the board has no tables.
    ///
    /// # Errors
    /// The file cannot be read, or is not a table of this board.
    pub fn of_board(board: &dyn DynHistory, path: &Path) -> Result<Option<Tablebase>, TableError> {
        let open = |indexing| Tablebase::open(indexing, path);
        match board.indexing().map(open).transpose() {
            Err(TableError::Absent { .. }) => Ok(None),
            opened => opened,
        }
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// A position with this index; `None` if no position has it.
    pub fn position(&self, number: u64) -> Option<Box<dyn DynHistory>> {
        self.indexing.position(number)
    }

    /// The value of a position that is not over, from the side to move, if no position has occurred before. The position
    /// is of the table's board. `None` if the table does not contain it.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn value(&self, position: &dyn DynHistory) -> Result<Option<Value>, TableError> {
        let number = self.indexing.index(position);
        let code = number.map(|number| self.file.code(number)).transpose()?;
        Ok(code.map(|code| decode(code).unwrap_or(Value::Draw)))
    }
}
