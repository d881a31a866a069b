//! SHA-256 of files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

pub(crate) fn file_hash(path: &Path) -> io::Result<Vec<u8>> {
    let naming = |error: io::Error| record::file::naming(path.display(), &error);
    let mut file = File::open(path).map_err(naming)?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk).map_err(naming)? {
            0 => return Ok(hash.finalize().to_vec()),
            n_bytes => hash.update(&chunk[..n_bytes]),
        }
    }
}
