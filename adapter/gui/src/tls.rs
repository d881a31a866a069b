//! TLS at the guests' door.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::file::naming;
pub(crate) use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::{Error, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Reads a chain of certificates, the server's own one first, and its private key.
///
/// # Errors
/// A file cannot be read, is no PEM file of that kind, or the key belongs to another certificate. The error names the
/// file.
pub(crate) fn read([chain, key]: &[PathBuf; 2]) -> io::Result<TlsAcceptor> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .and_then(|all| {
            if all.is_empty() {
                Err(Error::NoItemsFound)
            } else {
                Ok(all)
            }
        })
        .map_err(|error| named(chain, "a certificate", error))?;
    let private = PrivateKeyDer::from_pem_file(key);
    let private = private.map_err(|error| named(key, "a private key", error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map(|config| config.with_no_client_auth())
        .and_then(|config| config.with_single_cert(certificates, private));
    let config = config.map_err(|error| {
        let (chain, key) = (chain.display(), key.display());
        io::Error::other(format!(
            "{key}: expected the private key of {chain} ({error})"
        ))
    })?;
    Ok(Arc::new(config).into())
}

fn named(path: &Path, expected: &str, error: Error) -> io::Error {
    match error {
        Error::Io(error) => naming(path.display(), &error),
        error => io::Error::other(format!(
            "{}: expected {expected} in PEM ({error})",
            path.display()
        )),
    }
}
