//! Identity of an engine by content, independent of its name and place.

use std::io;
use std::path::{Path, PathBuf};

use record::digest::hex;
use record::engine_spec::Program;
use sha2::{Digest, Sha256};

use crate::digest::file_hash;
use crate::pack::{Packed, is_bare};
use crate::wire::WireProgram;

/// Content of an engine in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Its [`content_hash`].
    pub hash: String,
    /// Its files, if workers may fetch them from the coordinator.
    pub packed: Option<Packed>,
}

impl Content {
    /// The identity of the engine for workers.
    pub(crate) fn wired(&self) -> WireProgram {
        WireProgram::Content {
            hash: self.hash.clone(),
            archive: self.packed.as_ref().map(|packed| packed.archive.clone()),
        }
    }
}

/// Returns the SHA-256 of a program's content as 64 hex digits. It covers the program file, the content of each
/// argument that names a file, and the text of each other argument; so a script has another hash than its interpreter.
/// `None` for a built-in engine, which is identified by version and benchmark.
///
/// # Errors
/// A file cannot be read; the error names it.
pub fn content_hash(program: &Program) -> io::Result<Option<String>> {
    let Program::Command { path, args, dir } = program else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    add(&mut hash, b"program", &file_hash(&find(path))?);
    for arg in args {
        let file = dir.as_deref().unwrap_or(Path::new("")).join(arg);
        match file.is_file() {
            true => add(&mut hash, b"file", &file_hash(&file)?),
            false => add(&mut hash, b"word", arg.as_bytes()),
        }
    }
    Ok(Some(hex(&hash.finalize())))
}

/// Hashes one part with its kind and length, so that different splits of the same bytes differ.
fn add(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Returns the file of a program. A bare name is searched in `PATH`, as the system does.
pub(crate) fn find(program: &Path) -> PathBuf {
    if !is_bare(program) {
        return program.to_owned();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(program));
    files
        .find(|file| file.is_file())
        .unwrap_or_else(|| program.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(path: &Path, args: &[&str]) -> Program {
        Program::Command {
            path: path.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            dir: None,
        }
    }

    #[test]
    fn the_content_counts_and_not_the_place() {
        let folder = std::env::temp_dir().join(format!("linesman-content-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("a file");
            path
        };
        let (one, same, other) = (write("a", "x"), write("b", "x"), write("c", "y"));
        let hash = |path: &Path, args: &[&str]| {
            let hash = content_hash(&command(path, args)).expect("it can be read");
            hash.expect("a program")
        };
        assert_eq!(hash(&one, &[]), hash(&same, &[]));
        assert_ne!(hash(&one, &[]), hash(&other, &[]));
        assert_ne!(hash(&one, &["-x"]), hash(&one, &[]));
        let [script, copy, changed] = [&one, &same, &other].map(|path| path.to_string_lossy());
        assert_eq!(hash(&one, &[&script]), hash(&one, &[&copy]));
        assert_ne!(hash(&one, &[&script]), hash(&one, &[&changed]));
        let missing = content_hash(&command(&folder.join("none"), &[]));
        assert!(missing.is_err_and(|error| error.to_string().contains("none")));
        std::fs::remove_dir_all(&folder).expect("it is empty");
    }
}
