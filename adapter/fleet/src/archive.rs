//! Programs as compressed tar archives: packed by the coordinator, unpacked by workers that accept them.
//!
//! An archive holds only regular files and folders under relative paths. Links, devices, paths that leave the folder and
//! archives above the size limits are errors. A worker keeps the programs that it received, each unpacked in a folder named
//! by the hash of its archive. Several workers may share them: a program is unpacked elsewhere and renamed when it is
//! complete.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use record::file::naming;
use tar::{Archive, Builder, Entry, EntryType, HeaderMode};

/// Maximum size of an archive, in bytes.
pub(crate) const MAX_ARCHIVE: u64 = 256 << 20;

/// Maximum total size of its files, in bytes.
const MAX_UNPACKED: u64 = 1 << 30;

/// Maximum number of files and folders.
const MAX_ENTRIES: usize = 10_000;

/// Builds an archive from files and folders.
pub(crate) struct Packer {
    builder: Builder<GzEncoder<Vec<u8>>>,
    pub(crate) is_empty: bool,
}

impl Packer {
    pub(crate) fn new() -> Packer {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        builder.mode(HeaderMode::Deterministic);
        builder.follow_symlinks(false);
        Packer {
            builder,
            is_empty: true,
        }
    }

    /// Adds a file, or a folder and its contents, under the given name.
    ///
    /// # Errors
    /// It cannot be read; the error names it.
    pub(crate) fn add(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        self.is_empty = false;
        // The path itself may be a link.
        let added = path.canonicalize().and_then(|path| match path.is_dir() {
            true => self.builder.append_dir_all(name, path),
            false => self.builder.append_path_with_name(path, name),
        });
        added.map_err(|error| naming(path.display(), &error))
    }

    /// Finishes and returns the archive.
    ///
    /// # Errors
    /// A worker would reject it.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        let bytes = self.builder.into_inner()?.finish()?;
        let read = read(&bytes, |_| Ok(()));
        read.map(|()| bytes).map_err(io::Error::other)
    }
}

/// Unpacks an archive into an empty folder.
///
/// # Errors
/// The archive is invalid or a file cannot be written. The folder may then hold a part of the contents.
pub(crate) fn unpack(archive: &[u8], folder: &Path) -> Result<(), String> {
    read(archive, |entry| entry.unpack_in(folder).map(drop))
}

type Bytes<'a> = io::Take<GzDecoder<&'a [u8]>>;

/// Reads an archive, and takes each entry.
fn read<'a>(
    archive: &'a [u8],
    mut take: impl FnMut(&mut Entry<'_, Bytes<'a>>) -> io::Result<()>,
) -> Result<(), String> {
    let (unpacked, packed) = (MAX_UNPACKED >> 20, MAX_ARCHIVE >> 20);
    let too_large = || {
        format!(
            "too much for an archive, which holds at most {MAX_ENTRIES} files, {unpacked} MiB in all and {packed} MiB packed"
        )
    };
    if archive.len() as u64 > MAX_ARCHIVE {
        return Err(too_large());
    }
    // The header blocks of tar count too.
    let most = MAX_UNPACKED + MAX_ENTRIES as u64 * 1024;
    let mut archive = Archive::new(GzDecoder::new(archive).take(most));
    archive.set_overwrite(false);
    archive.set_preserve_mtime(false);
    let mut left = MAX_UNPACKED;
    for (number, entry) in archive.entries().map_err(unreadable)?.enumerate() {
        let mut entry = entry.map_err(unreadable)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if number >= MAX_ENTRIES || entry.size() > left {
            return Err(too_large());
        }
        left -= entry.size();
        if inside(&name).is_none() {
            return Err(format!("{name:?} leaves the folder of the archive"));
        }
        let kind = entry.header().entry_type();
        if !matches!(kind, EntryType::Directory | EntryType::Regular) {
            return Err(format!(
                "{name:?} is neither file nor folder, but a link or a device"
            ));
        }
        take(&mut entry).map_err(|error| {
            // The error of tar hides the one of the system.
            let mut cause: &dyn Error = &error;
            while let Some(source) = cause.source() {
                cause = source;
            }
            let cause = cause.downcast_ref().map(|cause| naming(&name, cause));
            cause.unwrap_or(error).to_string()
        })?;
    }
    // Reading to the end verifies the checksum.
    let rest = io::copy(&mut archive.into_inner(), &mut io::sink());
    rest.map(drop).map_err(unreadable)
}

fn unreadable(error: io::Error) -> String {
    format!("not an archive: {error}")
}

/// Returns the relative path of an entry name; `None` if it would leave the folder.
pub(crate) fn inside(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let mut components = path.components();
    let is_inside = components.all(|component| matches!(component, Component::Normal(_)));
    (is_inside && !name.is_empty() && !name.contains('\0')).then(|| path.to_owned())
}

/// Time after which an unused program is removed.
const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// Returns the folder of the program whose archive has this hash. If it is not in the cache, `fetch` downloads the
/// archive, and checks that it has this hash.
///
/// # Errors
/// The archive cannot be fetched or unpacked. Nothing of it is kept.
pub(crate) fn open_cached(
    cache: &Path,
    hash: &str,
    fetch: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<PathBuf, String> {
    check_hash(hash)?;
    let folder = cache.join(hash);
    if !folder.exists() {
        let archive = fetch()?;
        remove_old(cache);
        let unpacking = cache.join(format!("unpacking-{:016x}", fastrand::u64(..)));
        let unpacked = fs::create_dir_all(&unpacking)
            .map_err(|error| naming(unpacking.display(), &error).to_string())
            .and_then(|()| unpack(&archive, &unpacking));
        let renamed = unpacked.and_then(|()| match fs::rename(&unpacking, &folder) {
            // Another worker was faster.
            Err(_) if folder.exists() => Ok(()),
            renamed => renamed.map_err(|error| naming(folder.display(), &error).to_string()),
        });
        let _ = fs::remove_dir_all(&unpacking);
        renamed?;
    }
    // The time of the last use. If it cannot be set, the program may be removed early, and is then sent again.
    let _ = File::open(&folder).and_then(|folder| folder.set_modified(SystemTime::now()));
    Ok(folder)
}

/// Fails for a text that is no SHA-256, and so no safe part of a path or of a subject.
pub(crate) fn check_hash(text: &str) -> Result<(), String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match text.len() == 64 && text.bytes().all(is_digit) {
        true => Ok(()),
        false => Err(format!("{text:?} is not a hash of 64 hex digits")),
    }
}

/// Removes programs that were not used for a long time, and what a killed worker has left, as far as possible.
fn remove_old(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let used = entry.metadata().and_then(|found| found.modified());
        if used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > KEEP)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod cache_tests {
    use record::digest::hash_of;

    use super::*;

    /// Returns an archive with one file, and its hash.
    fn archive(content: &str) -> (Vec<u8>, String) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        std::io::Write::write_all(&mut file, content.as_bytes()).expect("a file");
        let mut packer = Packer::new();
        packer
            .add(file.path(), Path::new("engine"))
            .expect("a file");
        let bytes = packer.finish().expect("it is small");
        let hash = hash_of(&bytes);
        (bytes, hash)
    }

    fn names(cache: &Path) -> Vec<String> {
        let found = fs::read_dir(cache).into_iter().flatten().flatten();
        let mut names: Vec<String> = found
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn many_workers_share_a_program() {
        let cache = tempfile::tempdir().expect("a folder");
        let (bytes, hash) = archive("many");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let opened = open_cached(cache.path(), &hash, || Ok(bytes.clone()));
                    let folder = opened.expect("it is sound");
                    let text = fs::read_to_string(folder.join("engine"));
                    assert_eq!(text.expect("a file"), "many");
                });
            }
        });
        assert_eq!(names(cache.path()), [hash.as_str()]);
        let again = || panic!("it is in the cache");
        open_cached(cache.path(), &hash, again).expect("it is there");
    }

    #[test]
    fn only_a_hash_is_a_folder() {
        let cache = tempfile::tempdir().expect("a folder");
        let (_, wanted) = archive("wanted");
        for hash in ["", "..", "../../etc", &wanted.to_uppercase(), &wanted[1..]] {
            let fetch = || panic!("nothing is fetched");
            assert!(open_cached(cache.path(), hash, fetch).is_err(), "{hash}");
        }
        let failed = open_cached(cache.path(), &wanted, || Err("gone".to_owned()));
        assert_eq!(failed, Err("gone".to_owned()));
        assert!(names(cache.path()).is_empty());
    }

    #[test]
    fn what_is_old_and_unused_is_removed() {
        let cache = tempfile::tempdir().expect("a folder");
        let [one, two, three] = ["one", "two", "three"].map(archive);
        let open = |(bytes, hash): &(Vec<u8>, String)| {
            open_cached(cache.path(), hash, || Ok(bytes.clone())).expect("sound")
        };
        let old = SystemTime::now() - KEEP - Duration::from_secs(60);
        for archive in [&one, &two] {
            let folder = File::open(open(archive)).expect("it is there");
            folder.set_modified(old).expect("it is ours");
        }
        open(&two);
        open(&three);
        let mut left = [two.1, three.1];
        left.sort();
        assert_eq!(names(cache.path()), left);
    }
}
