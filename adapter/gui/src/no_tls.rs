//! A build without TLS.

use std::io;
use std::path::PathBuf;

use tokio::net::TcpStream;

/// No connection is accepted by TLS.
#[derive(Clone)]
pub(crate) enum TlsAcceptor {}

impl TlsAcceptor {
    pub(crate) async fn accept(&self, _: TcpStream) -> io::Result<TcpStream> {
        match *self {}
    }
}

/// Returns an error that names the feature.
pub(crate) fn read(_: &[PathBuf; 2]) -> io::Result<TlsAcceptor> {
    let why = "--tls: this linesman was built without TLS: build it with --features tls";
    Err(io::Error::other(why))
}
