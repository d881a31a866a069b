//! The keys of workers. A worker signs its results, and its name contains a part of its public key, so results cannot
//! be sent in the name of another worker.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;

use referee::queue::{KEY_PART, key_of};

use crate::keys::public_key;
use crate::link::FleetError;

/// Maximum number of trusted keys. An announcement contains them.
const MAX_KEYS: usize = 5000;

/// Interval at which a running match reads its file of trusted keys.
const READ_EVERY: Duration = Duration::from_secs(1);

/// The secret key of a worker or coordinator. Clones share it.
#[derive(Clone)]
pub struct WorkerKey(Arc<KeyPair>);

/// Hides the secret.
impl std::fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WorkerKey").field(&self.public()).finish()
    }
}

impl WorkerKey {
    /// Reads a key: its seed, or credentials that contain it, as `nsc` writes them.
    ///
    /// # Errors
    /// The text contains no key of a user.
    pub fn parse(text: &str) -> Result<WorkerKey, String> {
        let mut lines = text.lines().map(str::trim);
        let seed = lines.find(|line| line.starts_with("SU"));
        let seed = seed.ok_or_else(|| "no seed of a user's key".to_owned())?;
        public_key(seed)?;
        let pair = KeyPair::from_seed(seed).map_err(|error| error.to_string())?;
        Ok(WorkerKey(Arc::new(pair)))
    }

    /// The public key.
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// The end of the names of this key's workers.
    pub(crate) fn mark(&self) -> String {
        mark_of(&self.public()).to_owned()
    }

    /// Signs results for a match.
    pub(crate) fn sign(&self, id: &str, results: &[u8]) -> String {
        sign(self, &signed(id, results))
    }
}

/// Signs bytes with a key.
pub(crate) fn sign(key: &WorkerKey, bytes: &[u8]) -> String {
    let signature = key.0.sign(bytes);
    BASE64URL_NOPAD.encode(&signature.expect("the key has its secret"))
}

/// Checks the signature of results for a match.
pub(crate) fn is_signed(key: &str, signature: &str, id: &str, results: &[u8]) -> bool {
    is_signature(key, signature, &signed(id, results))
}

/// Checks a signature by this public key.
pub(crate) fn is_signature(key: &str, signature: &str, bytes: &[u8]) -> bool {
    let pair = KeyPair::from_public_key(key).ok();
    let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok();
    let checked = pair.zip(signature);
    checked.is_some_and(|(pair, signature)| pair.verify(bytes, &signature).is_ok())
}

/// The bytes that are signed.
fn signed(id: &str, results: &[u8]) -> Vec<u8> {
    [b"linesman results\n", id.as_bytes(), b"\n", results].concat()
}

/// The part of a public key that is in the names of its workers.
fn mark_of(public: &str) -> &str {
    public.get(1..=KEY_PART).unwrap_or_default()
}

/// `true` if this name is one of a worker with this public key.
pub(crate) fn is_name_of(name: &str, public: &str) -> bool {
    let (own, found) = (mark_of(public), key_of(name));
    found == own && found != name
}

/// Checks that a text is a public key.
///
/// # Errors
/// It is not.
pub fn check_public(text: &str) -> Result<(), String> {
    let is_key = text.starts_with('U') && KeyPair::from_public_key(text).is_ok();
    is_key.then_some(()).ok_or_else(|| {
        format!("{text:?} is not a public key: expected U and 55 letters and digits")
    })
}

/// The names of trusted workers by their public keys, from a text with a key and a name in each line. Lines that begin
/// with `#` are comments.
///
/// # Errors
/// A line does not begin with a public key, or there are too many.
pub fn parse_trusted(text: &str) -> Result<BTreeMap<String, String>, String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (key, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        check_public(key)?;
        Ok((key.to_owned(), name.trim().to_owned()))
    };
    let keys: BTreeMap<String, String> = lines.map(entry).collect::<Result<_, String>>()?;
    match keys.len() <= MAX_KEYS {
        true => Ok(keys),
        false => Err(format!("{} keys: expected at most {MAX_KEYS}", keys.len())),
    }
}

/// The file with the keys of the workers whose results a match accepts. It may change while the match runs.
#[derive(Debug, Clone)]
pub struct TrustFile {
    path: PathBuf,
    keys: Vec<String>,
    modified: Option<SystemTime>,
    read_at: Instant,
}

impl TrustFile {
    /// Reads the file.
    ///
    /// # Errors
    /// The file cannot be read, or contains no keys; the text names it.
    pub fn open(path: &Path) -> Result<TrustFile, FleetError> {
        let (keys, modified) = read(path).map_err(FleetError::Usage)?;
        Ok(TrustFile {
            path: path.to_owned(),
            keys,
            modified,
            read_at: Instant::now(),
        })
    }

    /// The public keys.
    pub(crate) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Reads the file again if it has changed. Returns `true` if the keys changed.
    ///
    /// # Errors
    /// It cannot be read, which is reported once; the keys remain as they were.
    pub(crate) fn update(&mut self) -> Result<bool, String> {
        if self.read_at.elapsed() < READ_EVERY {
            return Ok(false);
        }
        self.read_at = Instant::now();
        let modified = modification(&self.path);
        if modified == self.modified {
            return Ok(false);
        }
        self.modified = modified;
        let (keys, _) = read(&self.path)?;
        let is_new = keys != self.keys;
        self.keys = keys;
        Ok(is_new)
    }
}

fn modification(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

fn read(path: &Path) -> Result<(Vec<String>, Option<SystemTime>), String> {
    let modified = modification(path);
    let text = fs::read_to_string(path);
    let keys = text
        .map_err(|error| error.to_string())
        .and_then(|text| parse_trusted(&text));
    let keys = keys.map_err(|why| format!("--trusted: {}: {why}", path.display()))?;
    if keys.is_empty() {
        let path = path.display();
        return Err(format!(
            "--trusted: {path}: no key: expected some, as linesman fleet trust {path} KEY adds one"
        ));
    }
    Ok((keys.into_keys().collect(), modified))
}

#[cfg(test)]
mod tests {
    use referee::queue::is_same_worker;

    use super::*;
    use crate::keys::new_key;

    fn key() -> WorkerKey {
        WorkerKey::parse(&new_key().expect("random numbers")).expect("a key")
    }

    #[test]
    fn a_signature_holds_for_one_key_match_and_text() {
        let (key, other) = (key(), key());
        let signature = key.sign("0a", b"text");
        let public = key.public();
        assert!(is_signed(&public, &signature, "0a", b"text"));
        assert!(!is_signed(&public, &signature, "0b", b"text"));
        assert!(!is_signed(&public, &signature, "0a", b"texts"));
        assert!(!is_signed(&other.public(), &signature, "0a", b"text"));
        for (key, signature) in [("U", &*signature), (&public, ""), (&public, "?"), ("", "")] {
            assert!(
                !is_signed(key, signature, "0a", b"text"),
                "{key} {signature}"
            );
        }
    }

    #[test]
    fn a_name_belongs_to_one_key() {
        let (key, other) = (key(), key());
        let [first, second] = [1, 2].map(|number| format!("host-{number}-{}", key.mark()));
        let foreign = format!("host-1-{}", other.mark());
        assert!(is_name_of(&first, &key.public()) && !is_name_of(&first, &other.public()));
        assert!(is_same_worker(&first, &second) && !is_same_worker(&first, &foreign));
        assert!(!is_name_of("host", &key.public()) && !is_name_of(&key.mark(), &key.public()));
    }

    #[test]
    fn files_of_keys_are_read_and_refused() {
        let (key, other) = (key().public(), key().public());
        let text = format!("# comment\n{key} beta, at home\n\n{other}\n");
        let keys = parse_trusted(&text).expect("two keys");
        assert_eq!(keys[&key], "beta, at home");
        assert_eq!(keys[&other], "");
        for text in [&key[..55], "beta", &format!("beta {key}")] {
            assert!(parse_trusted(text).is_err(), "{text}");
        }
        let seed = new_key().expect("random numbers");
        assert!(parse_trusted(&seed).is_err(), "a secret is no public key");
    }
}
