//! The key that signs this user's ledgers: 32 random bytes in the file `ledger.key` of the state folder.

use std::fs;
use std::io;
use std::path::Path;

use record::file::naming;
use record::ledger::LedgerKey;
use record::token::random_bytes;

use crate::paths;
use crate::platform::create_private;

/// Reads the key. The first call creates it; only the user can read it.
///
/// # Errors
/// The file cannot be read or created, or has another length. The error names it.
pub(crate) fn load() -> io::Result<LedgerKey> {
    let path = paths::state()?.join("ledger.key");
    let read = match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create(&path).and_then(|()| read(&path))
        }
        read => read,
    };
    read.map_err(|error| naming(path.display(), &error))
}

fn read(path: &Path) -> io::Result<LedgerKey> {
    let bytes = fs::read(path)?;
    let key = bytes.as_slice().try_into().map(LedgerKey::new);
    key.map_err(|_| {
        let (found, expected) = (bytes.len(), LedgerKey::BYTES);
        io::Error::other(format!("{found} bytes: expected {expected}"))
    })
}

/// Creates the file with all its bytes in one step. If another process creates it first, that file stays.
fn create(path: &Path) -> io::Result<()> {
    let folder = path.parent().expect("a file in a folder");
    fs::create_dir_all(folder)?;
    let key = random_bytes::<{ LedgerKey::BYTES }>()?;
    create_private(path, key)
}
