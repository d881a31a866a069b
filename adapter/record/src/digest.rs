//! SHA-256 of bytes, and bytes in hex.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes as 64 hex digits.
pub fn hash_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
