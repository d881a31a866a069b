//! A server of `linesman fleet serve`: what each role may do and may not do.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use nkeys::KeyPair;

use super::client::Client;
use super::engines::make_engine;
use super::server::PATIENCE;
use super::signals::terminate;
use super::{SMALL, assert_each_game_once, ended, succeeded};
use crate::support::{Folder, Run, installed};

/// A port that is free now.
pub(super) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it has one").port()
}

/// Starts a server, and returns when it listens.
pub(super) fn serve(folder: &Folder, port: u16, more: &str) -> Run {
    let run = folder.linesman(&format!(
        "fleet serve server --listen 127.0.0.1:{port} {more}"
    ));
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "it does not listen");
        std::thread::sleep(Duration::from_millis(5));
    }
    run
}

#[test]
fn each_role_may_do_what_it_must() {
    if installed("nats-server").is_none() {
        return;
    }
    let folder = Folder::new("fleet-roles");
    let port = free_port();
    let server = serve(&folder, port, "--worker beta --worker gamma");
    let line = server.line().unwrap_or_default();
    assert!(
        line.starts_with("coordinator: linesman match ... --fleet nats://"),
        "{line}"
    );
    for file in ["server.conf", "coordinator.nk", "beta.nk", "gamma.nk"] {
        let path = folder.path("server").join(file);
        let mode = fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let seed = |name: &str| folder.read(&format!("server/{name}.nk"));
    let config = folder.read("server/server.conf");
    assert!(
        !config.contains(seed("beta").trim()),
        "the server knows no secret"
    );
    // A match is played.
    let fleet = format!("nats://127.0.0.1:{port}");
    let player = |name: &str| folder.linesman(&format!("worker {fleet} --creds server/{name}.nk"));
    let beta = player("beta");
    let by_coordinator = format!("--fleet {fleet} --creds server/coordinator.nk");
    let words = format!("match {SMALL} --games 20 --ledger first.jsonl {by_coordinator}");
    let done = succeeded(folder.linesman(&words));
    assert_each_game_once(&folder, "first.jsonl", 20);
    assert!(done.lines("Note: ").is_empty(), "{:?}", done.stdout);
    // A worker cannot coordinate.
    let words = format!("match {SMALL} --games 2 --fleet {fleet} --creds server/beta.nk");
    let refused = folder.linesman(&words).done();
    assert_eq!(refused.status, Some(1), "{:?}", refused.stdout);
    let why = refused.stderr.to_lowercase();
    assert!(why.contains("permissions violation"), "{why}");
    let key = |name: &str| KeyPair::from_seed(seed(name).trim()).expect("a seed");
    let mut worker = Client::connect_as(port, &key("beta"));
    for subject in [
        "linesman.match.00",
        "linesman.work.00",
        "linesman.coordinator.00",
        "linesman.ping",
        "$JS.API.STREAM.CREATE.X",
        "$JS.API.STREAM.DELETE.LINESMAN_MATCHES",
        "$JS.API.STREAM.PURGE.LINESMAN_MATCHES",
        "$JS.API.STREAM.MSG.GET.LINESMAN_RESULTS_00",
        "$JS.API.STREAM.MSG.DELETE.LINESMAN_WORK_00",
        "$JS.API.CONSUMER.CREATE.LINESMAN_RESULTS_00",
        "$JS.API.CONSUMER.MSG.NEXT.LINESMAN_RESULTS_00.coordinator",
        "$JS.API.DIRECT.GET.LINESMAN_RESULTS_00",
        "$JS.ACK.LINESMAN_RESULTS_00.coordinator.1.1.1.1.0",
        "$KV.linesman-coordinators.00",
        "$O.linesman-00.C.x",
    ] {
        assert!(!worker.may_publish(subject), "{subject}");
    }
    for subject in [
        ">",
        "linesman.result.*",
        "linesman.work.*",
        "linesman.coordinator.*",
    ] {
        assert!(!worker.may_subscribe(subject), "{subject}");
    }
    assert!(worker.may_publish("linesman.result.00"));
    assert!(worker.may_subscribe("linesman.match.*"));
    let mut coordinator = Client::connect_as(port, &key("coordinator"));
    assert!(coordinator.may_publish("linesman.ping"));
    assert!(!coordinator.may_publish("other.subject"));
    ended(beta);
    // A key that is removed is revoked, and the others remain.
    terminate(&server);
    server.done();
    fs::copy(folder.path("server/gamma.nk"), folder.path("gamma.nk")).expect("a copy");
    fs::remove_file(folder.path("server/gamma.nk")).expect("ours");
    let before = seed("beta");
    let server = serve(&folder, port, "--send-engines");
    assert_eq!(seed("beta"), before);
    let revoked = folder
        .linesman(&format!("worker {fleet} --creds gamma.nk"))
        .done();
    assert_eq!(revoked.status, Some(1), "{:?}", revoked.stdout);
    assert!(
        revoked.stderr.contains("authorization violation"),
        "{}",
        revoked.stderr
    );
    // With --send-engines, workers download engines.
    make_engine(&folder);
    let trusting = folder.linesman(&format!("worker {fleet} --creds server/beta.nk --trust"));
    succeeded(folder.linesman(&format!(
        "match {} --games 4 {by_coordinator}",
        super::engines::SENT
    )));
    assert_each_game_once(&folder, "l.jsonl", 4);
    ended(trusting);
    terminate(&server);
}

#[test]
fn without_the_program_of_the_server_one_line_says_so() {
    let folder = Folder::new("fleet-serve");
    let done = folder
        .shell("PATH=/nowhere exec LINESMAN fleet serve dir")
        .done();
    assert_eq!(done.status, Some(1), "{:?}", done.stdout);
    assert!(
        done.stderr
            .contains("nats-server: not found: expected it in PATH"),
        "{}",
        done.stderr
    );
    let done = folder
        .linesman("fleet serve dir --worker coordinator")
        .done();
    assert_eq!(done.status, Some(2), "{:?}", done.stdout);
}
