//! The folders of this user's own files, as the XDG Base Directory Specification has them.

use std::io;
use std::path::PathBuf;

/// Where settings are: `linesman` in `$XDG_CONFIG_HOME`, else in `~/.config`.
pub(crate) fn config() -> io::Result<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config")
}

/// Where this program keeps what it has to remember: `linesman` in `$XDG_STATE_HOME`, else in `~/.local/state`.
pub(crate) fn state() -> io::Result<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// Where files for other programs go: `linesman` in `$XDG_DATA_HOME`, else in `~/.local/share`.
pub(crate) fn data() -> io::Result<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// Where tables of perfect play are.
pub(crate) fn tables() -> io::Result<PathBuf> {
    data().map(|folder| folder.join("tables"))
}

/// Where what can be had again is kept: `linesman` in `$XDG_CACHE_HOME`, else in `~/.cache`.
#[cfg(feature = "fleet")]
pub(crate) fn cache() -> io::Result<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache")
}

/// A relative path in the environment is no folder, as the specification has it.
fn folder(variable: &str, at_home: &str) -> io::Result<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = set(variable).or_else(|| Some(set("HOME")?.join(at_home)));
    let base = base.ok_or_else(|| {
        io::Error::other(format!("no folder for it: expected HOME or {variable}"))
    })?;
    Ok(base.join("linesman"))
}
