//! Signatures of ledgers: each line has a tag that covers it and all lines before it.
//!
//! The tag of a line is the HMAC-SHA256, with the user's key, of the tag of the previous line and the bytes of this
//! one. The line stores its first half as 32 hex digits in the field `hmac`, before `crc32`. So a new line costs one
//! hash of its own bytes, and the complete lines of a torn ledger keep their signature. Ledgers of older versions have
//! no tags, and so have ledgers that continue without the key.

use std::fmt;

use hmac::{Hmac, Mac};
use serde::Serialize;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::checksum::{self, complete_lines};
use crate::token::{TOKEN, word};

const FIELD: &[u8] = b",\"hmac\":\"";

/// Length of a tag in bytes.
const TAG: usize = 16;

type Tag = [u8; TAG];

/// The secret key with which a user's ledgers are signed.
#[derive(Clone, PartialEq, Eq)]
pub struct LedgerKey([u8; LedgerKey::BYTES]);

impl LedgerKey {
    /// Length of a key in bytes.
    pub const BYTES: usize = 32;

    /// The key with these bytes, which should be random.
    pub fn new(bytes: [u8; LedgerKey::BYTES]) -> LedgerKey {
        LedgerKey(bytes)
    }

    /// A word of [`TOKEN`] letters, always the same for the same purpose. It does not reveal the key.
    pub fn token(&self, purpose: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length is sound");
        let bytes = mac.chain_update("token ").chain_update(purpose);
        word(&bytes.finalize().into_bytes()[..TOKEN])
    }

    /// `true` if all complete lines of this ledger were signed with the key, in this order.
    pub fn has_signed(&self, ledger: &[u8]) -> bool {
        Signer::follow(self, ledger).is_some()
    }
}

/// Never shows the key.
impl fmt::Debug for LedgerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LedgerKey")
    }
}

/// Signs the lines of a ledger, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Signer {
    /// HMAC with the user's key, before the first byte.
    mac: Box<Hmac<Sha256>>,
    /// The tag of the last line.
    last: Tag,
}

impl Signer {
    /// The signer of a new ledger.
    pub(super) fn new(key: &LedgerKey) -> Signer {
        Signer {
            mac: Box::new(Hmac::new_from_slice(&key.0).expect("any length is sound")),
            last: Tag::default(),
        }
    }

    /// The signer of the next line of this ledger; `None` if a line was not signed with the key, or was changed, moved
    /// or removed since. Whether lines are missing at the end cannot be seen.
    pub(super) fn follow(key: &LedgerKey, ledger: &[u8]) -> Option<Signer> {
        let complete = &ledger[..complete_lines(ledger)];
        let mut lines = complete.split_inclusive(|byte| *byte == b'\n');
        let signer = lines.try_fold(Signer::new(key), Signer::after);
        signer.filter(|_| !complete.is_empty())
    }

    /// The signer of the line after this one; `None` if this one was not signed with the key, or was changed.
    pub(super) fn after(self, line: &[u8]) -> Option<Signer> {
        let (body, told) = split(checksum::body(line)?)?;
        let last = self.tag(body);
        let is_right = hex(last).as_bytes().ct_eq(told);
        bool::from(is_right).then_some(Signer { last, ..self })
    }

    /// Adds the tag to the next line, a JSON object without its last brace.
    pub(super) fn sign(&mut self, line: &mut Vec<u8>) {
        self.last = self.tag(line);
        line.extend_from_slice(FIELD);
        line.extend_from_slice(hex(self.last).as_bytes());
        line.push(b'"');
    }

    fn tag(&self, body: &[u8]) -> Tag {
        let mac = Hmac::clone(&self.mac);
        let mac = mac.chain_update(self.last).chain_update(body);
        let mut tag = Tag::default();
        tag.copy_from_slice(&mac.finalize().into_bytes()[..TAG]);
        tag
    }
}

/// Serializes a JSON object as one line: with a tag if there is a signer, and with a checksum if `is_sealed`.
pub(super) fn signed_line(
    object: &impl Serialize,
    signer: Option<&mut Signer>,
    is_sealed: bool,
) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    line.pop();
    if let Some(signer) = signer {
        signer.sign(&mut line);
    }
    if is_sealed {
        checksum::seal(&mut line);
    }
    line.extend_from_slice(b"}\n");
    Ok(line)
}

/// Splits a line without its last brace into the bytes before the tag and its digits.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_suffix(b"\"")?;
    let (rest, digits) = inner.split_at_checked(inner.len().checked_sub(2 * TAG)?)?;
    Some((rest.strip_suffix(FIELD)?, digits))
}

fn hex(tag: Tag) -> String {
    format!("{:032x}", u128::from_be_bytes(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> LedgerKey {
        LedgerKey::new([7; LedgerKey::BYTES])
    }

    /// A ledger of four lines; only the first has no checksum.
    fn lines() -> Vec<Vec<u8>> {
        let mut signer = Some(Signer::new(&key()));
        let line = |number: usize| {
            let object = serde_json::json!({"line": number});
            signed_line(&object, signer.as_mut(), number > 0).expect("it can be written")
        };
        (0..4).map(line).collect()
    }

    /// The tag by Python's `hmac.new(key, bytes(16) + b'{"line":0', "sha256")`.
    #[test]
    fn a_line_is_signed_as_it_always_was() {
        let expected = r#"{"line":0,"hmac":"e5fd39e903583abeaa6d9c27473fe80f"}"#;
        assert_eq!(lines()[0], format!("{expected}\n").as_bytes());
    }

    #[test]
    fn a_signed_ledger_can_be_cut_but_not_changed() {
        let lines = lines();
        let whole = lines.concat();
        for n_lines in 1..=lines.len() {
            assert!(key().has_signed(&lines[..n_lines].concat()), "{n_lines}");
        }
        assert!(!key().has_signed(b""));
        assert!(!LedgerKey::new([8; 32]).has_signed(&whole));
        assert!(key().has_signed(&[&whole, b"{\"torn".as_slice()].concat()));
        assert!(key().has_signed(whole.trim_ascii_end()), "no line break");
        for at in 0..lines[0].len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(!key().has_signed(&changed), "byte {at}");
        }
        let [first, second, third, fourth] = lines.as_slice() else {
            panic!("four lines");
        };
        for moved in [
            [first, third, second, fourth].as_slice(),
            &[first, second, fourth],
            &[second, third, fourth],
            &[first, second, second, third],
        ] {
            let moved: Vec<u8> = moved.iter().flat_map(|line| line.to_vec()).collect();
            assert!(!key().has_signed(&moved));
        }
        let old = b"{\"line\":4}\n".as_slice();
        assert!(!key().has_signed(&[&whole, old].concat()), "no tag");
    }

    #[test]
    fn a_signed_ledger_is_continued() {
        let lines = lines();
        let mut signer = Signer::follow(&key(), &lines[..2].concat());
        let object = serde_json::json!({"line": 2});
        let third = signed_line(&object, signer.as_mut(), true).expect("it can be written");
        assert_eq!(third, lines[2]);
    }

    #[test]
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", key()), "LedgerKey");
    }
}
