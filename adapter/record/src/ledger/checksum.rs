//! Lines of a ledger, and their checksums: the last field, `crc32`. Lines of older versions have none.

use serde::Serialize;

const FIELD: &[u8] = b",\"crc32\":\"";

/// The CRC-32 of a byte string.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Serializes a JSON object as one line with its checksum.
pub(super) fn sealed_line(object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    line.pop();
    let checksum = crc32fast::hash(&line);
    line.extend_from_slice(FIELD);
    line.extend_from_slice(format!("{checksum:08x}\"}}\n").as_bytes());
    Ok(line)
}

/// Verifies the checksum of a line. A line without one passes.
///
/// # Errors
/// The line does not match its checksum.
pub fn check(line: &[u8]) -> Result<(), String> {
    let Some((body, told)) = split(line.trim_ascii_end()) else {
        return Ok(());
    };
    let found = format!("{:08x}", crc32fast::hash(body));
    if found.as_bytes() == told {
        return Ok(());
    }
    let told = String::from_utf8_lossy(told);
    Err(format!("changed: its crc32 is {found}, not {told}"))
}

/// `true` if a line ends with a line break, or lacks it but has a correct checksum.
pub(super) fn is_complete(line: &[u8]) -> bool {
    line.ends_with(b"\n") || (split(line.trim_ascii_end()).is_some() && check(line).is_ok())
}

/// The length of all complete lines in bytes: the whole lines, and a last line that lacks its line break but has a
/// correct checksum. Anything after them is a torn line, cut off by a crash.
pub fn complete_lines(bytes: &[u8]) -> usize {
    let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    let is_complete = is_complete(&bytes[whole..]);
    if is_complete { bytes.len() } else { whole }
}

/// Splits a line into the bytes before the checksum and its digits.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_suffix(b"\"}")?;
    let (rest, digits) = inner.split_at_checked(inner.len().checked_sub(8)?)?;
    Some((rest.strip_suffix(FIELD)?, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_checked_to_its_last_byte() {
        let line = sealed_line(&serde_json::json!({"a": 1})).expect("it can be written");
        assert_eq!(line, b"{\"a\":1,\"crc32\":\"a702fc6e\"}\n");
        assert_eq!(check(&line), Ok(()));
        for at in 0..line.len() - FIELD.len() - 11 {
            let mut changed = line.clone();
            changed[at] ^= 1;
            assert!(check(&changed).is_err(), "byte {at}");
        }
        assert_eq!(check(b"{\"a\":1}\n"), Ok(()), "older lines have none");
    }
}
