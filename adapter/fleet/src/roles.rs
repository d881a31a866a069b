//! A NATS server for strangers: its configuration, with a key for the coordinators and one for each worker, and the least
//! permissions of both.

use std::fmt::Write as _;
use std::path::Path;

use crate::names::FENCES;

/// Settings of a server.
#[derive(Debug)]
pub struct ServerSettings<'a> {
    /// Address and port at which it listens, as in `0.0.0.0:4222`.
    pub listen: &'a str,
    /// Folder of the stored pairs and results.
    pub store: &'a Path,
    /// Certificate and key, for TLS.
    pub tls: Option<[&'a Path; 2]>,
    /// Public key of the coordinators.
    pub coordinator: &'a str,
    /// Public keys of the workers, with their names.
    pub workers: &'a [(String, String)],
    /// Workers may download engines (`match --send-engines`).
    pub sends_engines: bool,
}

/// Subjects on which a worker publishes.
const WORKER_PUBLISHES: [&str; 9] = [
    "$JS.API.INFO",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.CONSUMER.INFO.*.workers",
    "$JS.API.CONSUMER.MSG.NEXT.*.workers",
    "$JS.API.DIRECT.GET.LINESMAN_MATCHES",
    "$JS.API.DIRECT.GET.LINESMAN_MATCHES.>",
    "$JS.ACK.*.workers.>",
    "linesman.result.*",
    "linesman.worker.*",
];

/// Subjects on which a worker publishes to download an engine.
const ENGINE_DOWNLOADS: [&str; 2] = ["$JS.API.DIRECT.GET.*", "$JS.API.DIRECT.GET.*.>"];

/// Subjects that a worker receives.
const WORKER_RECEIVES: [&str; 3] = ["_INBOX.>", "linesman.match.*", "linesman.ping"];

/// Returns the configuration file of nats-server.
pub fn server_config(settings: &ServerSettings<'_>) -> String {
    let quoted = |path: &Path| serde_json::Value::from(path.to_string_lossy()).to_string();
    let list = |subjects: &[&str]| {
        let subjects = subjects.iter().map(|subject| format!("\"{subject}\""));
        subjects.collect::<Vec<_>>().join(", ")
    };
    let mut text =
        String::from("# Written by linesman fleet serve, which replaces it at each start.\n");
    let _ = writeln!(text, "listen: \"{}\"", settings.listen);
    let _ = writeln!(
        text,
        "jetstream {{ store_dir: {} }}",
        quoted(settings.store)
    );
    if let Some([cert, key]) = settings.tls {
        let (cert, key) = (quoted(cert), quoted(key));
        let _ = writeln!(text, "tls {{ cert_file: {cert}, key_file: {key} }}");
    }
    let key_values = format!("$KV.{FENCES}.>");
    let publishes = [
        "$JS.API.>",
        "$JS.ACK.>",
        "$JS.FC.>",
        "$O.>",
        "linesman.>",
        "_INBOX.>",
        &key_values,
    ];
    let receives = ["_INBOX.>", "linesman.>"];
    text += "authorization { users: [\n";
    let mut user = |name: &str, key: &str, publishes: &[&str], receives: &[&str]| {
        let (publishes, receives) = (list(publishes), list(receives));
        let _ = writeln!(
            text,
            "  # {name}\n  {{ nkey: {key}, permissions: {{\n    publish: [{publishes}]\n    subscribe: [{receives}] }} }}"
        );
    };
    user("coordinator", settings.coordinator, &publishes, &receives);
    let mut of_worker = WORKER_PUBLISHES.to_vec();
    if settings.sends_engines {
        of_worker.extend(ENGINE_DOWNLOADS);
    }
    for (name, key) in settings.workers {
        user(name, key, &of_worker, &WORKER_RECEIVES);
    }
    text += "] }\n";
    text
}
