//! The store: a single SQLite file.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use linesman::platform::{private, write_whole};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::{Answer, ClubError};

/// Application id that marks the file as a club's store: `LMCL`.
const APPLICATION_ID: i32 = 0x4c4d_434c;

/// Version of the schema, after all of [`SCHEMAS`].
const VERSION: usize = SCHEMAS.len();

/// Timeout for a lock that another process holds on the store.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// Units of time, in seconds.
pub(crate) const HOUR: i64 = 3600;
pub(crate) const DAY: i64 = 24 * HOUR;

/// User name of the built-in engine.
pub(crate) const ENGINE_NAME: &str = "linesman";

/// Default addresses of the club and of the host.
const DEFAULT_ADDRESS: &str = "linesman@localhost";
const DEFAULT_HOST: &str = "postmaster@localhost";

/// The tables of the first version, and the changes of each later one. Times are Unix seconds. In `boards`, `to_move` is 0
/// or 1, `record` the JSON of the finished game, `n_lines` the number of rows in `journal`, and `exported` the number of
/// those rows that the exported ledger contains. In `users`, `old_code` is the word that confirms a change of address from
/// the old one. In `inbox`, `sender` is the address that answers go to. In `outbox`, `due` is the time of the next attempt
/// to send. `cause` is the user whose command caused the e-mail; 0 for the club and its host, NULL for a message without a
/// token.
const SCHEMAS: [&str; 5] = [
    include_str!("schema.sql"),
    include_str!("second_schema.sql"),
    include_str!("third_schema.sql"),
    include_str!("fourth_schema.sql"),
    "DROP TABLE IF EXISTS asks",
];

/// Opens a store, or creates it if it is missing and `makes` is set.
///
/// # Errors
/// The file is missing, is not a club's store, has another version, or cannot be read.
pub(crate) fn open(path: &Path, makes: bool) -> Answer<Connection> {
    if makes {
        private().create(true).truncate(false).open(path)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if !path.exists() {
        let why = "no such file: linesman-club create --store FILE creates a club";
        return Err(ClubError::Other(why.to_owned()));
    }
    let mut db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.execute_batch(
        "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL;",
    )?;
    let tx = begin(&mut db)?;
    let pragma = |name: &str| tx.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0));
    let (id, version): (i32, i32) = (pragma("application_id")?, pragma("user_version")?);
    let version = usize::try_from(version).unwrap_or(0);
    let n_tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (id, version) {
        (APPLICATION_ID, 1..=VERSION) => upgrade(&tx, version)?,
        (APPLICATION_ID, _) => {
            return Err(ClubError::Other(format!(
                "a club of version {version}, and this program reads {VERSION}: use the program that wrote it"
            )));
        }
        _ if n_tables == 0 && makes => {
            make(&tx)?;
            upgrade(&tx, 1)?;
        }
        _ => {
            let why = "not a club: linesman-club create --store FILE creates one";
            return Err(ClubError::Other(why.to_owned()));
        }
    }
    tx.commit()?;
    Ok(db)
}

/// Begins a write transaction. It takes the write lock at once, so that later statements cannot fail for lack of it.
pub(crate) fn begin(db: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn make(tx: &Transaction<'_>) -> Answer<()> {
    tx.execute_batch(SCHEMAS[0])?;
    tx.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID};"))?;
    set(tx, "address", DEFAULT_ADDRESS)?;
    set(tx, "host", DEFAULT_HOST)?;
    tx.execute(
        "INSERT INTO users (name, folded, address, token, confirmed, created) VALUES (?1, ?1, '', '', 1, 0)",
        [ENGINE_NAME],
    )?;
    Ok(())
}

/// Changes a store of this version to the current one.
fn upgrade(tx: &Transaction<'_>, version: usize) -> Answer<()> {
    for schema in &SCHEMAS[version..] {
        tx.execute_batch(schema)?;
    }
    Ok(tx.execute_batch(&format!("PRAGMA user_version = {VERSION};"))?)
}

/// Stores a setting.
pub(crate) fn set(db: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    let insert = "INSERT OR REPLACE INTO settings VALUES (?1, ?2)";
    db.execute(insert, [key, value]).map(drop)
}

/// Returns a setting, which exists in every store.
pub(crate) fn get(db: &Connection, key: &str) -> rusqlite::Result<String> {
    let query = "SELECT value FROM settings WHERE key = ?1";
    db.query_row(query, [key], |row| row.get(0))
}

/// Replaces a file in a folder, which is made if it is missing.
pub(crate) fn replace(path: &Path, bytes: &[u8], permissions: u32) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    write_whole(path, bytes, permissions, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_made_once_by_whoever_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("club.db");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| open(&path, true).expect("a store"));
            }
        });
        let db = open(&path, true).expect("a store");
        assert_eq!(get(&db, "address").as_deref(), Ok(DEFAULT_ADDRESS));
        let mode = std::fs::metadata(&path).expect("the file").permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o077, 0);
    }

    #[test]
    fn another_file_is_no_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.db");
        Connection::open(&path)
            .and_then(|db| db.execute_batch("CREATE TABLE x (y)"))
            .expect("a database");
        let error = open(&path, true).expect_err("no club").to_string();
        assert!(error.starts_with("not a club"), "{error}");
        std::fs::write(&path, "some text that is no database at all").expect("written");
        assert!(open(&path, true).is_err());
        assert!(open(&folder.path().join("none.db"), false).is_err());
    }
}
