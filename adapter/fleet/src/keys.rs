//! Keys by which programs identify themselves to the server.

use nkeys::KeyPair;

/// Creates a secret key. The text is its seed, which `--creds` reads from a file.
///
/// # Errors
/// The system has no random numbers.
pub fn new_key() -> Result<String, String> {
    let seed = KeyPair::new_user().seed();
    seed.map_err(|error| error.to_string())
}

/// Returns the public key that belongs to a secret one.
///
/// # Errors
/// The text is not the seed of a user's key.
pub fn public_key(seed: &str) -> Result<String, String> {
    let pair = KeyPair::from_seed(seed.trim()).map_err(|error| error.to_string())?;
    match pair.public_key() {
        key if key.starts_with('U') => Ok(key),
        _ => Err("not the key of a user".to_owned()),
    }
}
