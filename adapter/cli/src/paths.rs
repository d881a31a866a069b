//! Absolute paths, and the folders of this user's own files, as the XDG Base Directory Specification has them.

use std::io;
use std::path::{Path, PathBuf};

/// The absolute path, computed without file system access.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The folder for configuration: `linesman` in `$XDG_CONFIG_HOME`, else in `~/.config`.
pub fn config() -> io::Result<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config")
}

/// The folder for state: `linesman` in `$XDG_STATE_HOME`, else in `~/.local/state`.
pub fn state() -> io::Result<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// The folder for data: `linesman` in `$XDG_DATA_HOME`, else in `~/.local/share`.
pub fn data() -> io::Result<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// The folder for tables of perfect play.
pub fn tables() -> io::Result<PathBuf> {
    data().map(|folder| folder.join("tables"))
}

/// The folder for files that can be restored: `linesman` in `$XDG_CACHE_HOME`, else in `~/.cache`.
pub fn cache() -> io::Result<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache")
}

/// Relative paths in the environment are ignored, as the specification requires.
fn folder(variable: &str, at_home: &str) -> io::Result<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = set(variable).or_else(|| Some(set("HOME")?.join(at_home)));
    let base = base.ok_or_else(|| {
        io::Error::other(format!(
            "no folder is known: set HOME or {variable} to an absolute path"
        ))
    })?;
    Ok(base.join("linesman"))
}
