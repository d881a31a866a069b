//! The files of a program: their hash, which identifies it, and their archive, which a coordinator sends.

use std::io;
use std::path::{Component, Path, PathBuf};

use record::digest::{hash_of, hex};
use record::engine_spec::Program;
use record::file::naming;
use sha2::{Digest, Sha256};

use crate::archive::{Packer, inside};
use crate::wire::{Archive, Content, Word};

/// Name of a program's working folder within its archive.
const FOLDER: &str = "folder";

/// Returns the content of a program; `None` for a built-in engine. With `is_sent`, it has the archive too.
///
/// # Errors
/// A file cannot be read or is too large for an archive, or the folder contains a link or a device; the error names it.
pub(crate) fn content(program: &Program, is_sent: bool) -> io::Result<Option<Content>> {
    let archive = if is_sent { pack(program)? } else { None };
    Ok(content_hash(program)?.map(|hash| Content { hash, archive }))
}

/// Returns the SHA-256 of a program's content as 64 hex digits. It covers the program file, the content of each
/// argument that names a file, and the text of each other argument; so a script has another hash than its interpreter.
/// `None` for a built-in engine, which is identified by version and benchmark.
///
/// # Errors
/// A file cannot be read; the error names it.
pub(crate) fn content_hash(program: &Program) -> io::Result<Option<String>> {
    let Program::Command { path, args, dir } = program else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    add_hash(&mut hash, b"program", &file_hash(&find(path))?);
    for arg in args {
        let file = dir.as_deref().unwrap_or(Path::new("")).join(arg);
        match file.is_file() {
            true => add_hash(&mut hash, b"file", &file_hash(&file)?),
            false => add_hash(&mut hash, b"word", arg.as_bytes()),
        }
    }
    Ok(Some(hex(&hash.finalize())))
}

/// Hashes one part with its kind and length, so that different splits of the same bytes differ.
fn add_hash(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Returns the file of a program. A bare name is searched in `PATH`, as the system does.
fn find(program: &Path) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(program));
    let found = files.find(|file| is_bare(program) && file.is_file());
    found.unwrap_or_else(|| program.to_owned())
}

fn file_hash(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|error| naming(path.display(), &error))?;
    Ok(Sha256::digest(bytes).to_vec())
}

/// Packs an engine: its working folder, its program, and each argument that names a file. A program that is found in
/// `PATH` by its bare name is not packed. `None` if there is nothing to pack.
///
/// # Errors
/// A file cannot be read or is too large for an archive, or the folder contains a link or a device; the error names it.
fn pack(program: &Program) -> io::Result<Option<Archive>> {
    let Program::Command { path, args, dir } = program else {
        return Ok(None);
    };
    let mut packer = Packer::new();
    if let Some(dir) = dir {
        packer.add(dir, Path::new(FOLDER))?;
    }
    let dir = dir.as_deref();
    let program = match is_bare(path) {
        true => Word::Plain(text(path)?),
        false => add(&mut packer, path, dir, "program")?,
    };
    let mut words = Vec::new();
    for (number, arg) in args.iter().enumerate() {
        let file = dir.unwrap_or(Path::new("")).join(arg);
        // Paths relative to the working folder work there too.
        let is_found = dir.is_some() && inside(arg).is_some();
        words.push(match file.is_file() && !is_found {
            true => add(&mut packer, &file, dir, &format!("argument-{number}"))?,
            false => Word::Plain(arg.clone()),
        });
    }
    if packer.is_empty {
        return Ok(None);
    }
    let bytes = packer.finish()?;
    Ok(Some(Archive {
        hash: hash_of(&bytes),
        n_bytes: bytes.len() as u64,
        program,
        args: words,
        has_folder: dir.is_some(),
        bytes,
    }))
}

/// Returns `true` if the program is a bare name, which the system looks up in `PATH`.
fn is_bare(program: &Path) -> bool {
    let mut components = program.components();
    matches!(components.next(), Some(Component::Normal(_))) && components.next().is_none()
}

/// Adds a file, unless the packed folder contains it already.
fn add(packer: &mut Packer, file: &Path, dir: Option<&Path>, folder: &str) -> io::Result<Word> {
    if let Some(name) = dir.and_then(|dir| below(dir, file)) {
        return Ok(Word::File(text(&Path::new(FOLDER).join(name))?));
    }
    let name = file.file_name().unwrap_or("file".as_ref());
    let name = Path::new(folder).join(name);
    packer.add(file, &name)?;
    Ok(Word::File(text(&name)?))
}

/// Returns the path of a file relative to a folder that contains it.
fn below(dir: &Path, file: &Path) -> Option<PathBuf> {
    let (dir, file) = (dir.canonicalize().ok()?, file.canonicalize().ok()?);
    file.strip_prefix(dir).ok().map(Path::to_owned)
}

fn text(path: &Path) -> io::Result<String> {
    let failed = || io::Error::other(format!("the name of {} is not UTF-8", path.display()));
    path.to_str().map(str::to_owned).ok_or_else(failed)
}

/// Returns the start command of an engine that is unpacked in this folder.
///
/// # Errors
/// A word names a file outside the folder.
pub(crate) fn unpacked(archive: &Archive, folder: &Path) -> Result<Program, String> {
    let word = |word: &Word| match word {
        Word::Plain(text) => Ok(text.clone()),
        Word::File(name) => {
            let name = inside(name).ok_or_else(|| format!("{name:?} is not inside the archive"))?;
            text(&folder.join(name)).map_err(|error| error.to_string())
        }
    };
    if let Word::Plain(name) = &archive.program
        && !is_bare(Path::new(name))
    {
        return Err(format!("{name:?} is a path, and not a program's bare name"));
    }
    Ok(Program::Command {
        path: word(&archive.program)?.into(),
        args: archive.args.iter().map(word).collect::<Result<_, _>>()?,
        dir: archive.has_folder.then(|| folder.join(FOLDER)),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn command(path: impl Into<PathBuf>, args: &[String], dir: Option<&Path>) -> Program {
        Program::Command {
            path: path.into(),
            args: args.to_vec(),
            dir: dir.map(Path::to_owned),
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
            let hash = content_hash(&command(
                path,
                &args.iter().map(ToString::to_string).collect::<Vec<_>>(),
                None,
            ))
            .expect("it can be read");
            hash.expect("a program")
        };
        assert_eq!(hash(&one, &[]), hash(&same, &[]));
        assert_ne!(hash(&one, &[]), hash(&other, &[]));
        assert_ne!(hash(&one, &["-x"]), hash(&one, &[]));
        let [script, copy, changed] = [&one, &same, &other].map(|path| path.to_string_lossy());
        assert_eq!(hash(&one, &[&script]), hash(&one, &[&copy]));
        assert_ne!(hash(&one, &[&script]), hash(&one, &[&changed]));
        let missing = content_hash(&command(folder.join("none"), &[], None));
        assert!(missing.is_err_and(|error| error.to_string().contains("none")));
        std::fs::remove_dir_all(&folder).expect("it is empty");
    }

    #[test]
    fn words_name_the_same_files_elsewhere() {
        let name = format!("linesman-pack-{}", std::process::id());
        let base = std::env::temp_dir().join(name);
        fs::create_dir_all(base.join("dir/sub")).expect("a folder");
        for file in ["dir/run", "dir/sub/net", "book"] {
            fs::write(base.join(file), file).expect("a file");
        }
        let at = |name: &str| base.join(name).display().to_string();
        let (dir, there) = (base.join("dir"), Path::new("/elsewhere"));
        let moved = |program: &Program| {
            let packed = pack(program).expect("files").expect("some");
            unpacked(&packed, there).expect("sound")
        };
        let args = ["sub/net", &at("dir/sub/net"), &at("book"), "--fast"].map(str::to_owned);
        assert_eq!(
            moved(&command(at("dir/run"), &args, Some(&dir))),
            command(
                "/elsewhere/folder/run",
                &[
                    "sub/net",
                    "/elsewhere/folder/sub/net",
                    "/elsewhere/argument-2/book",
                    "--fast"
                ]
                .map(str::to_owned),
                Some(&there.join("folder"))
            )
        );
        assert_eq!(
            moved(&command(at("dir/run"), &[], None)),
            command("/elsewhere/program/run", &[], None)
        );
        assert_eq!(
            moved(&command("python3", &[at("book")], None)),
            command("python3", &["/elsewhere/argument-0/book".to_owned()], None)
        );
        let nothing = pack(&command("python3", &["-c".to_owned()], None));
        assert_eq!(nothing.expect("no file"), None);
        assert_eq!(pack(&Program::Builtin).expect("no file"), None);
        fs::remove_dir_all(base).expect("ours");
    }

    #[test]
    fn words_that_name_files_elsewhere_are_refused() {
        let archive = |program: Word, arg: Word| Archive {
            hash: String::new(),
            n_bytes: 0,
            program,
            args: vec![arg],
            has_folder: false,
            bytes: Vec::new(),
        };
        let file = |name: &str| Word::File(name.to_owned());
        let plain = |name: &str| Word::Plain(name.to_owned());
        for archive in [
            archive(file("../sh"), plain("x")),
            archive(file("/bin/sh"), plain("x")),
            archive(plain("/bin/sh"), plain("x")),
            archive(plain("./sh"), plain("x")),
            archive(plain(""), plain("x")),
            archive(plain("sh"), file("../../x")),
        ] {
            assert!(
                unpacked(&archive, Path::new("/there")).is_err(),
                "{archive:?}"
            );
        }
    }
}
