//! A newer version of this program, which a coordinator sends to workers that trust its key.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use record::engine_spec::Program;

use crate::cache::{CachedEngine, EngineCache};
use crate::pack::{Fetch, Packed, pack, unpacked};
use crate::signing::{WorkerKey, is_signature, sign};
use crate::wire::{WireArchive, WireUpdate, Word};

/// A program that a match sends to its workers.
#[derive(Debug, Clone)]
pub struct SentProgram {
    pub(crate) wired: WireUpdate,
    pub(crate) packed: Packed,
}

/// A newer program that a worker has received. Its file remains while this value exists.
#[derive(Debug)]
pub struct NewProgram {
    /// The program.
    pub path: PathBuf,
    _cached: CachedEngine,
}

impl SentProgram {
    /// Packs and signs a program for this platform.
    ///
    /// # Errors
    /// The program cannot be read, or does not show its version.
    pub fn new(path: &Path, key: &WorkerKey) -> io::Result<SentProgram> {
        let version = version_of(path).map_err(io::Error::other)?;
        let program = Program::Command {
            path: path.to_owned(),
            args: Vec::new(),
            dir: None,
        };
        let packed = pack(&program)?;
        let packed = packed.ok_or_else(|| io::Error::other("expected the path of a program"))?;
        let platform = platform();
        let signature = sign(key, &signed(&version, &platform, &packed.archive));
        Ok(SentProgram {
            wired: WireUpdate {
                version,
                platform,
                archive: packed.archive.clone(),
                key: key.public(),
                signature,
            },
            packed,
        })
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.wired.version
    }
}

impl WireUpdate {
    /// `true` if its version is higher than that of this program.
    pub(crate) fn is_newer(&self) -> bool {
        is_newer(&self.version, env!("CARGO_PKG_VERSION"))
    }

    /// Returns the program if it has this key's signature, is for this platform and runs.
    ///
    /// # Errors
    /// It is not; the text names what was expected.
    pub(crate) fn get(
        &self,
        trusted: &str,
        cache: &EngineCache<'_>,
        fetch: &Fetch<'_>,
    ) -> Result<NewProgram, String> {
        if self.key != trusted {
            return Err(format!("it has the key {}: expected {trusted}", self.key));
        }
        let signed = signed(&self.version, &self.platform, &self.archive);
        if !is_signature(&self.key, &self.signature, &signed) {
            return Err("its signature is not by its key".to_owned());
        }
        if self.platform != platform() {
            let own = platform();
            return Err(format!("it is for {}: expected {own}", self.platform));
        }
        let is_file = matches!(self.archive.program, Word::File(_));
        if !is_file || !self.archive.args.is_empty() || self.archive.has_folder {
            return Err("expected a program alone".to_owned());
        }
        let cached = cache.open(&self.archive.hash, || fetch(&self.archive))?;
        let Program::Command { path, .. } = unpacked(&self.archive, &cached.folder)? else {
            return Err("expected a program".to_owned());
        };
        let found = version_of(&path)?;
        if found != self.version {
            return Err(format!("it is version {found}: expected {}", self.version));
        }
        Ok(NewProgram {
            path,
            _cached: cached,
        })
    }
}

/// The bytes that are signed. The hash covers the files of the archive, of which one is the program.
fn signed(version: &str, platform: &str, archive: &WireArchive) -> Vec<u8> {
    let Word::File(file) = &archive.program else {
        return Vec::new();
    };
    let lines = ["linesman program", version, platform, &archive.hash, file];
    lines.join("\n").into_bytes()
}

/// The system and processor of this program.
fn platform() -> String {
    let environment = if cfg!(target_env = "musl") {
        "-musl"
    } else {
        ""
    };
    format!(
        "{}-{}{environment}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The version that a program shows for `--version`.
fn version_of(path: &Path) -> Result<String, String> {
    let shown = Command::new(path).arg("--version").output();
    let shown = shown.map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&shown.stdout);
    let version = text.trim().strip_prefix("linesman ").map(str::to_owned);
    let version = version.filter(|version| numbers(version).is_some() && shown.status.success());
    version.ok_or_else(|| {
        let path = path.display();
        format!("{path} --version: expected linesman and three numbers, as in linesman 1.0.0")
    })
}

fn is_newer(version: &str, own: &str) -> bool {
    let (found, own) = (numbers(version), numbers(own));
    found.zip(own).is_some_and(|(found, own)| found > own)
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = version.split('.').map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, newer) in [
            ("0.10.0", true),
            ("1.0.0", true),
            ("0.9.1", true),
            ("0.9.0", false),
            ("0.8.9", false),
            ("1.0", false),
            ("1.0.0-rc", false),
            ("", false),
        ] {
            assert_eq!(is_newer(version, "0.9.0"), newer, "{version}");
        }
    }

    #[test]
    fn only_what_the_key_has_signed_is_used() {
        let folder = std::env::temp_dir().join(format!("linesman-update-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("linesman");
        std::fs::write(&path, "#!/bin/sh\necho linesman 9.8.7\n").expect("a file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("ours");
        let key = WorkerKey::parse(&crate::new_key().expect("a key")).expect("a key");
        let other = WorkerKey::parse(&crate::new_key().expect("a key")).expect("a key");
        let sent = SentProgram::new(&path, &key).expect("a program");
        let cache = EngineCache {
            folder: &folder.join("cache"),
            stop: &referee::stop::Stop::default(),
        };
        let get = |update: &WireUpdate| {
            let got = update.get(&key.public(), &cache, &|_| Ok(sent.packed.bytes.clone()));
            got.map(|program| version_of(&program.path))
        };
        let wired = &sent.wired;
        assert_eq!(get(wired), Ok(Ok("9.8.7".to_owned())));
        let is_refused = |changed: WireUpdate, why: &str| {
            let error = get(&changed).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        let by_other = SentProgram::new(&path, &other).expect("a program").wired;
        is_refused(by_other.clone(), "it has the key ");
        let unsigned = "its signature is not by its key";
        let with = |version: &str, archive: &WireArchive, signature: &str| WireUpdate {
            version: version.to_owned(),
            archive: archive.clone(),
            signature: signature.to_owned(),
            ..wired.clone()
        };
        is_refused(with("9.9.9", &wired.archive, &wired.signature), unsigned);
        is_refused(with("9.8.7", &wired.archive, &by_other.signature), unsigned);
        is_refused(with("9.8.7", &wired.archive, ""), unsigned);
        let archive = |program: Word, hash: &str| WireArchive {
            program,
            hash: hash.to_owned(),
            ..wired.archive.clone()
        };
        let program = &wired.archive.program;
        for changed in [
            archive(program.clone(), &"0".repeat(64)),
            archive(Word::File("../sh".to_owned()), &wired.archive.hash),
            archive(Word::Plain("sh".to_owned()), &wired.archive.hash),
        ] {
            is_refused(with("9.8.7", &changed, &wired.signature), unsigned);
        }
        let with_args = WireArchive {
            args: vec![Word::Plain("-c".to_owned())],
            ..wired.archive.clone()
        };
        is_refused(
            with("9.8.7", &with_args, &wired.signature),
            "a program alone",
        );
        let elsewhere = "plan9-vax";
        let signature = sign(&key, &signed("9.8.7", elsewhere, &wired.archive));
        let elsewhere = WireUpdate {
            platform: elsewhere.to_owned(),
            signature,
            ..wired.clone()
        };
        is_refused(elsewhere, "it is for plan9-vax: expected ");
        let signature = sign(&key, &signed("9.9.9", &platform(), &wired.archive));
        let wrong = "it is version 9.8.7: expected 9.9.9";
        is_refused(with("9.9.9", &wired.archive, &signature), wrong);
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
