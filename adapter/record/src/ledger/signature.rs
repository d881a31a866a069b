//! Signatures of ledgers: each line has a tag that covers it and all lines before it.
//!
//! The tag of a line is the HMAC-SHA256, with the user's key, of the tag of the previous line and the bytes of this
//! one. The line stores its first half as 32 hex digits in the field `hmac`, before `crc32`. So a new line costs one
//! hash of its own bytes, and the complete lines of a torn ledger keep their signature. Ledgers of older versions have
//! no tags, and so have ledgers that continue without the key.

use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::checksum::{self, complete_lines};

const FIELD: &[u8] = b",\"hmac\":\"";

/// Length of a tag in bytes.
const TAG: usize = 16;

type Tag = [u8; TAG];

/// Block length of SHA-256 in bytes.
const BLOCK: usize = 64;

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
    key: LedgerKey,
    /// The tag of the last line.
    last: Tag,
}

impl Signer {
    /// The signer of a new ledger.
    pub(super) fn new(key: &LedgerKey) -> Signer {
        Signer {
            key: key.clone(),
            last: Tag::default(),
        }
    }

    /// The signer of the next line of this ledger; `None` if a line was not signed with the key, or was changed, moved
    /// or removed since. Whether lines are missing at the end cannot be seen.
    pub(super) fn follow(key: &LedgerKey, ledger: &[u8]) -> Option<Signer> {
        let complete = &ledger[..complete_lines(ledger)];
        let mut signer = Signer::new(key);
        for line in complete.split_inclusive(|byte| *byte == b'\n') {
            let (body, told) = split(checksum::body(line)?)?;
            let tag = signer.tag(body);
            if !is_equal(hex(&tag).as_bytes(), told) {
                return None;
            }
            signer.last = tag;
        }
        (!complete.is_empty()).then_some(signer)
    }

    /// Adds the tag to the next line, a JSON object without its last brace.
    pub(super) fn sign(&mut self, line: &mut Vec<u8>) {
        self.last = self.tag(line);
        line.extend_from_slice(FIELD);
        line.extend_from_slice(hex(&self.last).as_bytes());
        line.push(b'"');
    }

    fn tag(&self, body: &[u8]) -> Tag {
        let mac = hmac(&self.key.0, &[&self.last, body]);
        let mut tag = Tag::default();
        tag.copy_from_slice(&mac[..TAG]);
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

/// HMAC-SHA256 (RFC 2104) of the concatenated parts.
fn hmac(key: &[u8; LedgerKey::BYTES], parts: &[&[u8]]) -> [u8; 32] {
    let pad = |byte: u8| {
        let mut block = [byte; BLOCK];
        block.iter_mut().zip(key).for_each(|(at, key)| *at ^= key);
        Sha256::new_with_prefix(block)
    };
    let mut inner = pad(0x36);
    parts.iter().for_each(|part| inner.update(part));
    pad(0x5c).chain_update(inner.finalize()).finalize().into()
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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

    /// RFC 4231, test case 1, whose key of 20 bytes is padded with zeros, and SHA-256 of two parts.
    #[test]
    fn hmac_is_that_of_the_rfc() {
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let mac = hmac(&key, &[b"Hi ", b"There"]);
        let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(hex(&mac), expected);
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let mac = hmac(&key, &[b"what do ya want for nothing?"]);
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex(&mac), expected);
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
