//! An engine that a coordinator sends: its files, and its start command in terms of them.

use std::io;
use std::path::{Component, Path, PathBuf};

use record::digest::hash_of;
use record::engine_spec::Program;

use crate::archive::{Packer, inside};
use crate::wire::{WireArchive, Word};

/// Name of the engine's working folder within its archive.
const FOLDER: &str = "folder";

/// An engine as one archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its description for workers.
    pub archive: WireArchive,
    /// The compressed archive.
    pub(crate) bytes: Vec<u8>,
}

/// Downloads the archive of an engine from the coordinator.
pub(crate) type Fetch<'a> = dyn Fn(&WireArchive) -> Result<Vec<u8>, String> + 'a;

/// Packs an engine: its working folder, its program, and each argument that names a file. A program that is found in
/// `PATH` by its bare name is not packed. `None` if there is nothing to pack.
///
/// # Errors
/// A file cannot be read or is too large for an archive, or the folder contains a link or a device; the error names it.
pub fn pack(program: &Program) -> io::Result<Option<Packed>> {
    let Program::Command { path, args, dir } = program else {
        return Ok(None);
    };
    let mut packer = Packer::new();
    if let Some(dir) = dir {
        packer.add_folder(dir, Path::new(FOLDER))?;
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
    if packer.is_empty() {
        return Ok(None);
    }
    let bytes = packer.finish()?;
    Ok(Some(Packed {
        archive: WireArchive {
            hash: hash_of(&bytes),
            n_bytes: bytes.len() as u64,
            program,
            args: words,
            has_folder: dir.is_some(),
        },
        bytes,
    }))
}

/// Returns `true` if the program is a bare name, which the system looks up in `PATH`.
pub(crate) fn is_bare(program: &Path) -> bool {
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
    packer.add_file(file, &name)?;
    Ok(Word::File(text(&name)?))
}

/// Returns the path of a file relative to a folder that contains it.
fn below(dir: &Path, file: &Path) -> Option<PathBuf> {
    let (dir, file) = (dir.canonicalize().ok()?, file.canonicalize().ok()?);
    file.strip_prefix(dir).ok().map(Path::to_owned)
}

fn text(path: &Path) -> io::Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        io::Error::other(format!(
            "{}: the name is not valid UTF-8: expected UTF-8",
            path.display()
        ))
    })
}

/// Returns the start command of an engine that is unpacked in this folder.
///
/// # Errors
/// A word names a file outside the folder.
pub(crate) fn unpacked(archive: &WireArchive, folder: &Path) -> Result<Program, String> {
    let path = |name: &str| {
        let name = inside(name).ok_or_else(|| format!("{name:?}: expected a name inside"))?;
        Ok::<_, String>(folder.join(name))
    };
    let word = |word: &Word| match word {
        Word::Plain(text) => Ok(text.clone()),
        Word::File(name) => path(name)?
            .into_os_string()
            .into_string()
            .map_err(|path| format!("{}: expected a folder named in UTF-8", path.display())),
    };
    let program = match &archive.program {
        Word::Plain(name) if is_bare(Path::new(name)) => PathBuf::from(name),
        Word::Plain(name) => return Err(format!("{name:?}: expected a program's bare name")),
        Word::File(name) => path(name)?,
    };
    Ok(Program::Command {
        path: program,
        args: archive.args.iter().map(word).collect::<Result<_, _>>()?,
        dir: archive.has_folder.then(|| folder.join(FOLDER)),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn command(path: &str, args: &[String], dir: Option<&Path>) -> Program {
        Program::Command {
            path: path.into(),
            args: args.to_vec(),
            dir: dir.map(Path::to_owned),
        }
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
            unpacked(&packed.archive, there).expect("sound")
        };
        let args = ["sub/net", &at("dir/sub/net"), &at("book"), "--fast"].map(str::to_owned);
        assert_eq!(
            moved(&command(&at("dir/run"), &args, Some(&dir))),
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
            moved(&command(&at("dir/run"), &[], None)),
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
        let archive = |program: Word, arg: Word| WireArchive {
            hash: String::new(),
            n_bytes: 0,
            program,
            args: vec![arg],
            has_folder: false,
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
