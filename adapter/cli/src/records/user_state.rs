//! Files in this user's state folder: the list of ledgers that were begun on this machine, and the secret.

use std::fs;
use std::io;
use std::path::Path;

use protocol::text::without_error_number;
use record::file::naming;
use record::ledger::BegunHere;
use table::token::{Secret, random_bytes};

use crate::paths;
use crate::platform::{PRIVATE, write_whole};

/// The list of the ledgers that were begun on this machine, in the file `plans`; `None` without a state folder.
pub(crate) fn begun_here() -> Option<BegunHere> {
    let folder = paths::state().ok()?;
    Some(BegunHere::new(folder.join("plans")))
}

/// The secret of this user, in the file `secret`. The first call creates it; only the user can read it.
///
/// # Errors
/// The file cannot be read or created, or has another length. The error names it.
pub(crate) fn secret() -> Result<Secret, String> {
    let load = || {
        let path = paths::state()?.join("secret");
        let made = if path.exists() { Ok(()) } else { create(&path) };
        let read = made.and_then(|()| read(&path));
        read.map_err(|error| naming(path.display(), &error))
    };
    load().map_err(|error: io::Error| without_error_number(&error.to_string()))
}

fn read(path: &Path) -> io::Result<Secret> {
    let bytes = fs::read(path)?;
    let secret = bytes.as_slice().try_into().map(Secret::new);
    secret.map_err(|_| {
        let (found, expected) = (bytes.len(), Secret::BYTES);
        io::Error::other(format!("it has {found} bytes instead of {expected}: remove it, and the next start makes a new one"))
    })
}

/// Creates the file with all its bytes in one step. If another process creates it first, that file stays.
fn create(path: &Path) -> io::Result<()> {
    let folder = path.parent().expect("a file in a folder");
    fs::create_dir_all(folder)?;
    let secret = random_bytes::<{ Secret::BYTES }>()?;
    match write_whole(path, &secret, PRIVATE, false) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
