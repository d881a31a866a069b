//! Cache of the programs that a worker received from coordinators, each unpacked in a folder named by the hash of its
//! archive. Several workers may share it: a program is unpacked elsewhere and renamed when it is complete.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use record::file::naming;

use crate::archive::unpack;

/// Time after which an unused program is removed.
const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// Returns the folder of the program whose archive has this hash. If it is not in the cache, `fetch` downloads the
/// archive, and checks that it has this hash.
///
/// # Errors
/// The archive cannot be fetched or unpacked. Nothing of it is kept.
pub(crate) fn open(
    cache: &Path,
    hash: &str,
    fetch: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<PathBuf, String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if hash.len() != 64 || !hash.bytes().all(is_digit) {
        return Err(format!("{hash:?} is not a hash of 64 hex digits"));
    }
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
mod tests {
    use record::digest::hash_of;

    use super::*;
    use crate::archive::Packer;

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
                    let opened = open(cache.path(), &hash, || Ok(bytes.clone()));
                    let folder = opened.expect("it is sound");
                    let text = fs::read_to_string(folder.join("engine"));
                    assert_eq!(text.expect("a file"), "many");
                });
            }
        });
        assert_eq!(names(cache.path()), [hash.as_str()]);
        let again = || panic!("it is in the cache");
        open(cache.path(), &hash, again).expect("it is there");
    }

    #[test]
    fn only_a_hash_is_a_folder() {
        let cache = tempfile::tempdir().expect("a folder");
        let (_, wanted) = archive("wanted");
        for hash in ["", "..", "../../etc", &wanted.to_uppercase(), &wanted[1..]] {
            let fetch = || panic!("nothing is fetched");
            assert!(open(cache.path(), hash, fetch).is_err(), "{hash}");
        }
        let failed = open(cache.path(), &wanted, || Err("gone".to_owned()));
        assert_eq!(failed, Err("gone".to_owned()));
        assert!(names(cache.path()).is_empty());
    }

    #[test]
    fn what_is_old_and_unused_is_removed() {
        let cache = tempfile::tempdir().expect("a folder");
        let [one, two, three] = ["one", "two", "three"].map(archive);
        let open = |(bytes, hash): &(Vec<u8>, String)| {
            open(cache.path(), hash, || Ok(bytes.clone())).expect("sound")
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
