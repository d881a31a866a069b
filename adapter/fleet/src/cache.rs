//! Cache of the engines that a worker received from coordinators, each unpacked in a folder named by the hash of its
//! archive.
//!
//! Several workers may share the folder. The file `lock` serializes lookups, unpacking and removal. Each engine in use
//! holds a shared lock on `HASH.lock`, whose modification time is the time of last use. An engine is unpacked elsewhere
//! and renamed when it is complete.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use record::digest::hash_of;
use record::file::naming;
use referee::stop::Stop;

use crate::archive::unpack;

/// Time after which an unused engine is removed.
const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// Polling interval for a lock that another worker holds.
const ASK_EVERY: Duration = Duration::from_millis(50);

/// Folder in which an engine is unpacked before it is renamed.
const UNPACKING: &str = "unpacking";

/// The cache folder.
#[derive(Debug, Clone)]
pub(crate) struct EngineCache<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) stop: &'a Stop,
}

/// An engine in the cache. It is not removed while this value exists.
#[derive(Debug)]
pub(crate) struct CachedEngine {
    /// Folder with its files.
    pub(crate) folder: PathBuf,
    _lock: File,
}

impl EngineCache<'_> {
    /// Returns the engine whose archive has this hash. If it is not in the cache, `fetch` downloads the archive.
    ///
    /// # Errors
    /// The archive cannot be fetched, has another hash or cannot be unpacked. Nothing of it is kept.
    pub(crate) fn open(
        &self,
        hash: &str,
        fetch: impl FnOnce() -> Result<Vec<u8>, String>,
    ) -> Result<CachedEngine, String> {
        if !is_hash(hash) {
            return Err(format!("{hash:?} is not a hash: expected 64 hex digits"));
        }
        let _turn = self.turn()?;
        self.remove_old();
        let folder = self.folder.join(hash);
        let path = self.folder.join(format!("{hash}.lock"));
        let used = open_lock(&path).and_then(|lock| {
            lock.lock_shared()?;
            lock.set_modified(SystemTime::now())?;
            Ok(lock)
        });
        let lock = used.map_err(|error| text(&path, &error))?;
        if !folder.exists() {
            self.unpack(&folder, hash, &fetch()?)?;
        }
        Ok(CachedEngine {
            folder,
            _lock: lock,
        })
    }

    /// Waits for the exclusive lock of the cache, which is held until the returned file is closed.
    fn turn(&self) -> Result<File, String> {
        fs::create_dir_all(self.folder).map_err(|error| text(self.folder, &error))?;
        let path = self.folder.join("lock");
        let lock = open_lock(&path).map_err(|error| text(&path, &error))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) if self.stop.is_asked() => {
                    return Err("stopped".to_owned());
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(ASK_EVERY),
                Err(TryLockError::Error(error)) => return Err(text(&path, &error)),
            }
        }
    }

    fn unpack(&self, folder: &Path, hash: &str, archive: &[u8]) -> Result<(), String> {
        let found = hash_of(archive);
        if found != hash {
            return Err(format!("content {found}: expected {hash}"));
        }
        // Left over from a worker that was killed.
        let unpacking = self.folder.join(UNPACKING);
        let _ = fs::remove_dir_all(&unpacking);
        let made = fs::create_dir(&unpacking).map_err(|error| text(&unpacking, &error));
        let unpacked = made
            .and_then(|()| unpack(archive, &unpacking))
            .and_then(|()| {
                let named = fs::rename(&unpacking, folder);
                named.map_err(|error| text(folder, &error))
            });
        if unpacked.is_err() {
            let _ = fs::remove_dir_all(&unpacking);
        }
        unpacked
    }

    /// Removes old engines that are not in use, as far as possible.
    fn remove_old(&self) {
        let found = fs::read_dir(self.folder).into_iter().flatten().flatten();
        for entry in found {
            let path = entry.path();
            let is_lock = path
                .extension()
                .is_some_and(|extension| extension == "lock");
            let used = entry.metadata().and_then(|found| found.modified()).ok();
            let is_old = used.is_some_and(|used| used.elapsed().is_ok_and(|age| age > KEEP));
            if is_lock && is_old && open_lock(&path).is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(path.with_extension(""));
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn text(path: &Path, error: &io::Error) -> String {
    naming(path.display(), error).to_string()
}

fn is_hash(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::archive::Packer;

    struct Cache {
        folder: PathBuf,
        stop: Stop,
    }

    impl Cache {
        fn new(test: &str) -> Cache {
            let name = format!("linesman-cache-{test}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&folder);
            Cache {
                folder,
                stop: Stop::default(),
            }
        }

        fn cache(&self) -> EngineCache<'_> {
            EngineCache {
                folder: &self.folder,
                stop: &self.stop,
            }
        }

        fn names(&self) -> Vec<String> {
            let found = fs::read_dir(&self.folder).expect("a folder").flatten();
            let names = found.map(|entry| entry.file_name().to_string_lossy().into_owned());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        }
    }

    impl Drop for Cache {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    /// Returns an archive with one file, and its hash.
    fn archive(content: &str) -> (Vec<u8>, String) {
        let name = format!("linesman-cached-{}-{content}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, content).expect("a file");
        let mut packer = Packer::new();
        packer.add_file(&path, Path::new("engine")).expect("a file");
        fs::remove_file(path).expect("ours");
        let bytes = packer.finish().expect("it is small");
        let hash = hash_of(&bytes);
        (bytes, hash)
    }

    #[test]
    fn many_workers_unpack_an_engine_once() {
        let cache = Cache::new("many");
        let (bytes, hash) = archive("many");
        let n_fetched = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let fetch = || {
                        n_fetched.fetch_add(1, Ordering::Relaxed);
                        Ok(bytes.clone())
                    };
                    let engine = cache.cache().open(&hash, fetch).expect("it is sound");
                    let text = fs::read_to_string(engine.folder.join("engine"));
                    assert_eq!(text.expect("a file"), "many");
                });
            }
        });
        assert_eq!(n_fetched.into_inner(), 1);
    }

    #[test]
    fn another_archive_is_not_unpacked() {
        let cache = Cache::new("other");
        let (bytes, _) = archive("other");
        let (_, wanted) = archive("wanted");
        let why = cache.cache().open(&wanted, || Ok(bytes.clone()));
        let why = why.map(drop).expect_err("another one");
        assert!(why.contains(&format!("expected {wanted}")), "{why}");
        assert_eq!(cache.names(), [format!("{wanted}.lock"), "lock".to_owned()]);
        for hash in ["", "..", "../../etc", &wanted.to_uppercase(), &wanted[1..]] {
            let fetch = || panic!("nothing is fetched");
            assert!(cache.cache().open(hash, fetch).is_err(), "{hash}");
        }
    }

    #[test]
    fn what_is_old_and_unused_is_removed() {
        let cache = Cache::new("old");
        let [one, two, three] = ["one", "two", "three"].map(archive);
        let open = |(bytes, hash): &(Vec<u8>, String)| {
            cache
                .cache()
                .open(hash, || Ok(bytes.clone()))
                .expect("sound")
        };
        drop(open(&one));
        let used = open(&two);
        let old = SystemTime::now() - KEEP - Duration::from_secs(60);
        for (_, hash) in [&one, &two] {
            let lock = File::open(cache.folder.join(format!("{hash}.lock"))).expect("it is there");
            lock.set_modified(old).expect("it is ours");
        }
        // Left over from a worker that was killed while it unpacked.
        fs::create_dir(cache.folder.join(UNPACKING)).expect("a folder");
        drop(open(&three));
        assert!(!cache.folder.join(&one.1).exists(), "old and unused");
        assert!(used.folder.exists(), "used");
        let mut left = [&two.1, &three.1]
            .map(|hash| [hash.clone(), format!("{hash}.lock")])
            .concat();
        left.push("lock".to_owned());
        left.sort();
        assert_eq!(cache.names(), left);
    }

    #[test]
    fn a_worker_that_waits_for_another_can_be_stopped() {
        let cache = Cache::new("stop");
        let (bytes, hash) = archive("stop");
        let _turn = cache.cache().turn().expect("nobody else");
        cache.stop.after_games();
        let why = cache.cache().open(&hash, || Ok(bytes)).map(drop);
        assert_eq!(why, Err("stopped".to_owned()));
    }
}
