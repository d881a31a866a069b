//! The connection to the NATS server, with a blocking interface.

use std::collections::BTreeSet;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{env, fmt};

use async_nats::connection::State;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use linesman::paths::absolute;
use linesman::usage::Failure;
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use record::file::naming;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::args::CredentialArgs;

/// Timeout of the first connection, and of later requests.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum pause between two attempts to reconnect.
const MAX_RECONNECT_PAUSE: Duration = Duration::from_secs(1);

/// Connection to the server, which reconnects automatically. Clones share the connection.
#[derive(Clone)]
pub(crate) struct Link {
    /// Leaked, because the tasks of a connection outlive every thread that uses it.
    runtime: &'static Runtime,
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    watch: Arc<Watch>,
    /// Server addresses without passwords.
    pub(crate) shown: String,
}

/// The state of the connection.
#[derive(Debug, Default)]
struct Watch {
    /// Number of connections so far.
    connections: AtomicU64,
    /// The last problem, and those that the user was shown since the last connection.
    problems: Mutex<(Option<String>, BTreeSet<String>)>,
}

impl Link {
    /// Connects to a server that has JetStream.
    ///
    /// # Errors
    /// An address or a file is invalid, no server answers within 5 s, or the server has no JetStream; the text says
    /// what to do.
    pub(crate) fn connect(url: &str, credentials: &CredentialArgs) -> Result<Link, Failure> {
        let servers = addresses(url)?;
        let shown: Vec<String> = servers.iter().map(shown).collect();
        let shown = shown.join(",");
        let watch = Arc::<Watch>::default();
        let watched = Arc::clone(&watch);
        let options = options(credentials, &servers)?.event_callback(move |event| {
            let mut problems = watched.problems.lock();
            match event {
                Event::Connected => {
                    let n_before = watched.connections.fetch_add(1, Ordering::Relaxed);
                    let again = (n_before > 0).then(|| "is connected again".to_owned());
                    *problems = (again, BTreeSet::new());
                }
                Event::ServerError(error) => problems.0 = Some(error.to_string()),
                Event::ClientError(error) => problems.0 = Some(error.to_string()),
                _ => {}
            }
            async {}
        });
        let failed = |why: &dyn fmt::Display, advice: &str| {
            Failure::Trouble(format!("{shown}: {why}. {advice}"))
        };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("fleet")
            .enable_all()
            .build();
        let busy = "Stop other programs, or raise the limit of threads";
        let runtime = runtime.map_err(|error| failed(&error, busy))?;
        let runtime: &'static Runtime = Box::leak(Box::new(runtime));
        // A subscription that is dropped ends by a task, so this thread stays in the runtime.
        std::mem::forget(runtime.enter());
        let connecting = async { timeout(TIMEOUT, options.connect(servers)).await };
        let how = "nats-server -js -a 127.0.0.1 -sd DIR starts a server";
        let client = runtime.block_on(connecting);
        let client = client.map_err(|_| failed(&"no answer in 5 s", how))?;
        let client = client.map_err(|error| failed(&error, how))?;
        // The constructor starts a task, so it must run in the runtime.
        let mut jetstream = runtime.block_on(async { jetstream::new(client.clone()) });
        jetstream.set_timeout(TIMEOUT);
        let asked = runtime.block_on(client.request("$JS.API.INFO", "".into()));
        let answer = asked.map_err(text).and_then(|answer| {
            // The fields of a valid answer vary with the server's version.
            let mut answer: Value = serde_json::from_slice(&answer.payload).map_err(text)?;
            let refusal = answer["error"]["description"].take();
            refusal.as_str().map_or(Ok(()), |why| Err(why.to_owned()))
        });
        answer
            .map_err(|why| failed(&format!("no JetStream: {why}"), "Start the server with -js"))?;
        Ok(Link {
            runtime,
            client,
            jetstream,
            watch,
            shown,
        })
    }

    /// Blocks until the future is ready. Must not be called from tasks.
    pub(crate) fn wait<F: IntoFuture>(&self, future: F) -> F::Output {
        self.runtime.block_on(future.into_future())
    }

    /// Starts a background task.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.runtime.spawn(task)
    }

    /// Returns `true` if the connection is up.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Number of connections so far; it grows with each reconnection.
    pub(crate) fn connections(&self) -> u64 {
        self.watch.connections.load(Ordering::Relaxed)
    }

    /// An error of this server.
    pub(crate) fn failed(&self, why: impl fmt::Display) -> Failure {
        Failure::Trouble(format!("{}: {why}", self.shown))
    }

    /// Returns a text for the user about a problem that was not shown since the last connection: the last one that the
    /// connection reported, else `why` unless it is empty.
    pub(crate) fn new_problem(&self, why: &str) -> Option<String> {
        let (last, known) = &mut *self.watch.problems.lock();
        let problem = last.take().unwrap_or_else(|| why.to_owned());
        let is_new = !problem.is_empty() && known.insert(problem.clone());
        is_new.then(|| format!("{}: {problem}", self.shown))
    }

    /// Stores a message in the stream of its subject.
    pub(crate) async fn store(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAck, PublishError> {
        self.jetstream.send_publish(subject, message).await?.await
    }

    /// Maximum size of a message's content, in bytes.
    pub(crate) fn max_payload(&self) -> usize {
        /// Size reserved for headers.
        const HEADERS: usize = 1024;
        let max = self.client.max_payload();
        max.saturating_sub(HEADERS).max(HEADERS)
    }

    /// Returns a handle to the stream of this name, without checking that it exists.
    pub(crate) fn stream(&self, name: &str) -> Stream<()> {
        let stream = self.wait(self.jetstream.get_stream_no_info(name));
        stream.expect("the id of a match is a part of a name")
    }
}

/// The text of an error.
pub(crate) fn text(error: impl fmt::Display) -> String {
    error.to_string()
}

fn addresses(url: &str) -> Result<Vec<ServerAddr>, Failure> {
    let parse = |address: &str| {
        let is_nats = address.starts_with("nats://") || address.starts_with("tls://");
        address.parse::<ServerAddr>().ok().filter(|_| is_nats)
    };
    let parsed: Option<_> = url.split(',').map(parse).collect();
    let why = "not the address of a server: write nats://HOST:4222 or tls://HOST:4222";
    parsed.ok_or_else(|| Failure::Usage(why.to_owned()))
}

/// Returns the address without user and password.
fn shown(server: &ServerAddr) -> String {
    let mut url = server.clone().into_inner();
    // Neither fails for the address of a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

fn options(args: &CredentialArgs, servers: &[ServerAddr]) -> Result<ConnectOptions, Failure> {
    let mut options = ConnectOptions::new()
        .name("linesman")
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .require_tls(args.tls_ca.is_some() || servers.iter().any(ServerAddr::tls_required))
        .reconnect_delay_callback(|attempt| {
            let attempt = u32::try_from(attempt).unwrap_or(u32::MAX).min(100);
            MAX_RECONNECT_PAUSE.min(Duration::from_millis(50) * attempt)
        });
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    // As NATS's own command line takes them.
    let variable = |name: &str| env::var(name).ok();
    let of_environment = || variable("NATS_USER").zip(variable("NATS_PASSWORD"));
    let named = servers.iter().find_map(|server| {
        let password = server.password().unwrap_or_default();
        Some((decoded(server.username()?), decoded(password)))
    });
    if let Some((user, password)) = named.or_else(of_environment) {
        options = options.user_and_password(user, password);
    }
    let readable = |flag: &str, path: &Path| {
        let read = std::fs::read_to_string(path);
        read.map_err(|error| Failure::Usage(format!("{flag}: {}", naming(path.display(), &error))))
    };
    if let Some(path) = args.tls_ca.as_deref().map(absolute) {
        readable("--tls-ca", &path)?;
        options = options.add_root_certificates(path);
    }
    if let Some(path) = args.creds.as_deref() {
        let read = options.credentials(&readable("--creds", path)?);
        let why = "no credentials in it: name a file that nsc has written";
        let failed = |_| Failure::Usage(format!("--creds {}: {why}", path.display()));
        options = read.map_err(failed)?;
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_with_brackets_and_without_passwords() {
        for (text, expected) in [
            ("tls://[::1]:4222", "tls://[::1]:4222"),
            ("nats://team:secret@alpha:4222", "nats://alpha:4222"),
        ] {
            let found = addresses(text).expect("an address");
            assert_eq!(shown(&found[0]), expected);
        }
        assert!(addresses("http://alpha").is_err());
    }
}
