//! The connection to the NATS server, with a blocking interface.

use std::collections::BTreeSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{fmt, io};

use async_nats::connection::State;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::keys::public_key;

/// Timeout of the first connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout of later requests.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum pause between two attempts to reconnect.
const MAX_RECONNECT_PAUSE: Duration = Duration::from_secs(1);

/// Address and credentials of the server.
#[derive(Clone, Default)]
pub struct ServerArgs {
    /// Address, as in `nats://HOST:4222` or `tls://HOST:4222`; several are separated by commas.
    pub url: String,
    /// Password of the user that the address names.
    pub password: Option<String>,
    /// Credentials file, as `nsc` writes it, or with the seed of a key.
    pub creds: Option<PathBuf>,
    /// Certificate of the authority that signed the server's certificate, for TLS.
    pub tls_ca: Option<PathBuf>,
}

/// Hides the password.
impl fmt::Debug for ServerArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerArgs").finish_non_exhaustive()
    }
}

/// Error of a fleet command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FleetError {
    /// An address or a file is invalid; the text names the flag.
    #[error("{0}")]
    Usage(String),
    /// The server does not answer, or rejects a request.
    #[error("{0}")]
    Server(String),
    /// A worker may not or cannot play any open match.
    #[error("{0}")]
    Refused(String),
}

/// Connection to the server, which reconnects automatically. Clones share the connection.
#[derive(Clone)]
pub struct Link {
    /// Leaked, because the tasks of a connection outlive every thread that uses it.
    runtime: &'static Runtime,
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    connections: Arc<AtomicU64>,
    problems: Arc<Mutex<Problems>>,
    /// Server addresses without passwords.
    shown: String,
}

/// Reasons why the server cannot be used.
#[derive(Debug, Default)]
struct Problems {
    /// The last one that the connection reported.
    last: Option<String>,
    /// Those that the user was shown since the last connection.
    shown: BTreeSet<String>,
}

/// Maximum number of problems shown before a connection succeeds.
const MAX_PROBLEMS: usize = 10;

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Link").field(&self.shown).finish()
    }
}

impl Link {
    /// Connects to a server that has JetStream.
    ///
    /// # Errors
    /// An address or a file is invalid, no server answers within 5 s, or the server has no JetStream; the text says
    /// what to do.
    pub fn connect(args: &ServerArgs) -> Result<Link, FleetError> {
        let servers = addresses(&args.url)?;
        let shown: Vec<String> = servers.iter().map(shown).collect();
        let shown = shown.join(",");
        let connections = Arc::new(AtomicU64::new(0));
        let problems = Arc::default();
        let options = options(args, &servers)?;
        let options = watched(options, Arc::clone(&connections), Arc::clone(&problems));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("fleet")
            .enable_all()
            .build()
            .map_err(|error| FleetError::Server(format!("no thread for the network: {error}")))?;
        let runtime: &'static Runtime = Box::leak(Box::new(runtime));
        let connecting =
            async { tokio::time::timeout(CONNECT_TIMEOUT, options.connect(servers)).await };
        let client = match runtime.block_on(connecting) {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(no_server(&shown, &error.to_string())),
            Err(_) => return Err(no_server(&shown, "no answer in 5 s")),
        };
        // The constructor starts a task, so it must run in the runtime.
        let mut jetstream = runtime.block_on(async { jetstream::new(client.clone()) });
        jetstream.set_timeout(REQUEST_TIMEOUT);
        let link = Link {
            runtime,
            client,
            jetstream,
            connections,
            problems,
            shown,
        };
        link.check_jetstream()?;
        Ok(link)
    }

    fn check_jetstream(&self) -> Result<(), FleetError> {
        let asked = self.wait(self.client.request("$JS.API.INFO", "".into()));
        let why = match asked {
            Err(error) => error.to_string(),
            // The fields of a valid answer vary with the server's version.
            Ok(answer) => match serde_json::from_slice::<Value>(&answer.payload) {
                Ok(answer) if answer.get("error").is_none() => return Ok(()),
                Ok(answer) => answer["error"]["description"].to_string(),
                Err(error) => error.to_string(),
            },
        };
        Err(FleetError::Server(format!(
            "{}: no JetStream: {why}: expected a server that was started with -js",
            self.shown
        )))
    }

    /// Blocks until the future is ready. Must not be called from tasks.
    pub(crate) fn wait<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Starts a background task.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.runtime.spawn(task)
    }

    /// Closes the connection after all messages are sent.
    pub(crate) fn close(&self) {
        // Without a connection, there is nothing to close.
        let _ = self.wait(self.client.drain());
    }

    /// Returns `true` if the connection is up.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Number of connections so far; it grows with each reconnection.
    pub(crate) fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }

    /// Address of the server, without passwords.
    pub fn server(&self) -> &str {
        &self.shown
    }

    /// Returns a text for the user about a problem that was not shown since the last connection: the last one that the
    /// connection reported, else `why` unless it is empty.
    pub(crate) fn new_problem(&self, why: &str) -> Option<String> {
        let mut problems = self.problems.lock();
        let problem = problems.last.take().unwrap_or_else(|| why.to_owned());
        let is_new = !problem.is_empty()
            && problems.shown.len() < MAX_PROBLEMS
            && problems.shown.insert(problem.clone());
        is_new.then(|| format!("{}: {problem}", self.shown))
    }

    /// Publishes a message without confirmation. It is lost while the server is unreachable.
    pub(crate) fn tell(&self, subject: String, message: Vec<u8>) {
        let client = self.client.clone();
        self.spawn(async move {
            let _ = client.publish(subject, message.into()).await;
        });
    }

    /// Stores a message in the stream of its subject. Returns `true` if its message id was stored before. Must not be
    /// called from tasks.
    ///
    /// # Errors
    /// The server does not store it; the text names the server.
    pub(crate) fn store(&self, subject: String, message: PublishMessage) -> Result<bool, String> {
        if !self.is_connected() {
            return Err(format!("{}: no connection", self.shown));
        }
        let stored = self.try_store(subject, message);
        let stored = stored.map(|ack| ack.duplicate);
        stored.map_err(|error| format!("{}: {error}", self.shown))
    }

    /// Like [`store`](Link::store), for several messages at once.
    pub(crate) fn store_all(
        &self,
        subject: String,
        messages: Vec<PublishMessage>,
    ) -> Vec<Result<bool, String>> {
        if !self.is_connected() {
            return vec![Err(format!("{}: no connection", self.shown)); messages.len()];
        }
        self.wait(async {
            let mut sent = Vec::new();
            for message in messages {
                sent.push(self.jetstream.send_publish(subject.clone(), message).await);
            }
            let mut stored: Vec<Result<bool, String>> = Vec::new();
            for sent in sent {
                // After one failure, the others are not waited for, each of which would take as long.
                if let Some(Err(why)) = stored.last() {
                    stored.push(Err(why.clone()));
                    continue;
                }
                let ack = match sent {
                    Ok(ack) => ack.await,
                    Err(error) => Err(error),
                };
                let ack = ack.map(|ack| ack.duplicate);
                stored.push(ack.map_err(|error| format!("{}: {error}", self.shown)));
            }
            stored
        })
    }

    /// Like [`store`](Link::store), but returns the server's acknowledgement or error.
    pub(crate) fn try_store(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAck, PublishError> {
        self.wait(async {
            let sent = self.jetstream.send_publish(subject, message).await?;
            sent.await
        })
    }

    /// Returns a handle to the stream of this name, without checking that it exists.
    pub(crate) async fn stream(&self, name: &str) -> Result<Stream<()>, String> {
        let stream = self.jetstream.get_stream_no_info(name).await;
        stream.map_err(|error| error.to_string())
    }
}

fn addresses(url: &str) -> Result<Vec<ServerAddr>, FleetError> {
    if url.split(',').any(has_password) {
        return Err(FleetError::Usage(
            "an address with a password, which other users of this machine can see: expected --password-file FILE, or \
             the password in LINESMAN_FLEET_PASSWORD"
                .to_owned(),
        ));
    }
    let parse = |address: &str| {
        let is_nats = ["nats://", "tls://"]
            .iter()
            .any(|scheme| address.starts_with(scheme));
        let parsed = address.parse::<ServerAddr>().ok();
        parsed.filter(|_| is_nats).ok_or_else(|| {
            FleetError::Usage(
                "not the address of a server: expected nats://HOST:4222 or tls://HOST:4222"
                    .to_owned(),
            )
        })
    };
    url.split(',').map(parse).collect()
}

/// `true` for an address like `nats://USER:PASSWORD@HOST`.
fn has_password(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.rsplit_once('@')
        .is_some_and(|(user, _)| user.contains(':'))
}

/// Returns the address without a user.
fn shown(server: &ServerAddr) -> String {
    let host = match server.host() {
        host if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        host => host.to_owned(),
    };
    format!("{}://{host}:{}", server.scheme(), server.port())
}

/// Counts connections and keeps the last problem.
fn watched(
    options: ConnectOptions,
    connections: Arc<AtomicU64>,
    problems: Arc<Mutex<Problems>>,
) -> ConnectOptions {
    options.event_callback(move |event| {
        match event {
            Event::Connected => {
                connections.fetch_add(1, Ordering::Relaxed);
                *problems.lock() = Problems::default();
            }
            Event::ServerError(error) => problems.lock().last = Some(error.to_string()),
            Event::ClientError(error) => problems.lock().last = Some(error.to_string()),
            _ => {}
        }
        async {}
    })
}

fn options(args: &ServerArgs, servers: &[ServerAddr]) -> Result<ConnectOptions, FleetError> {
    let is_tls = args.tls_ca.is_some() || servers.iter().any(|server| server.scheme() == "tls");
    let mut options = ConnectOptions::new()
        .name("linesman")
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .require_tls(is_tls)
        .reconnect_delay_callback(|attempt| {
            let pause =
                Duration::from_millis(50) * u32::try_from(attempt).unwrap_or(u32::MAX).min(100);
            pause.min(MAX_RECONNECT_PAUSE)
        });
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let named = servers.iter().find_map(ServerAddr::username).map(decoded);
    if let Some(user) = named.filter(|user| !user.is_empty()) {
        options = options.user_and_password(user, args.password.clone().unwrap_or_default());
    }
    if let Some(path) = &args.tls_ca {
        readable("--tls-ca", path)?;
        options = options.add_root_certificates(path.clone());
    }
    if let Some(path) = &args.creds {
        let text = readable("--creds", path)?;
        if public_key(&text).is_ok() {
            return Ok(options.nkey(text.trim().to_owned()));
        }
        options = options.credentials(&text).map_err(|_| {
            let path = path.display();
            FleetError::Usage(format!(
                "--creds {path}: no credentials in it: expected a file as linesman fleet serve or nsc writes it"
            ))
        })?;
    }
    Ok(options)
}

fn readable(flag: &str, path: &std::path::Path) -> Result<String, FleetError> {
    std::fs::read_to_string(path).map_err(|error: io::Error| {
        FleetError::Usage(format!(
            "{flag}: {}",
            record::file::naming(path.display(), &error)
        ))
    })
}

fn no_server(shown: &str, why: &str) -> FleetError {
    FleetError::Server(format!(
        "{shown}: {why}: expected a server, as nats-server -js -a 127.0.0.1 -sd DIR starts one"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_with_brackets_and_without_users() {
        for (text, expected) in [
            ("tls://[::1]:4222", "tls://[::1]:4222"),
            ("nats://team@alpha", "nats://alpha:4222"),
        ] {
            let found = addresses(text).expect("an address");
            assert_eq!(shown(&found[0]), expected);
        }
        let with_password = "nats://alpha,nats://team:secret@alpha";
        let error = addresses(with_password).expect_err("a password");
        let text = error.to_string();
        assert!(text.contains("--password-file") && !text.contains("secret"));
        assert!(addresses("http://alpha").is_err());
    }
}
